import Autowait
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Measures how much memory sessions of ten minutes need, each in a process of its own: what a
/// process once needed it does not give back.
struct Memory {
  /// The most kilobytes that were resident in a process that ran nothing, and what the films on
  /// either tier took beyond that.
  private let nothing: Int64
  private let tiers: [[Int64]]

  private static let names = ["packet", "fluid"]
  /// The rates of the films, in Mbit/s; with none, nothing is run.
  private static let rates: [Int64] = [1, 5, 50]

  /// Runs a session for its memory, as the process that was started for it; returns false if the
  /// arguments ask for none.
  static func run(_ arguments: [String]) -> Bool {
    guard arguments.count == 3, arguments[0] == "--memory", let rate = Int64(arguments[2]),
      0...1_000 ~= rate
    else { return false }
    if rate == 0 { return true }
    let tier: LinkTier = arguments[1] == "packet" ? .packet : .fluid
    let world = LinkWorkloads.longSession(tier, megabitsPerSecond: rate)
    var simulation = Simulation(world, keepsRecords: false)
    let step = simulation.run()
    precondition(step == .finished(.settled), "the session did not come to its end")
    return true
  }

  /// Measures, while this process is still small: on Linux a process passes the most that it had
  /// on to those that it starts.
  static func measured() -> Memory {
    let nothing = peak("fluid", 0)
    return Memory(
      nothing: nothing,
      tiers: names.map { name in rates.map { max(0, peak(name, $0) - nothing) } })
  }

  /// Writes what was measured.
  func write(into writer: inout JSONWriter) {
    writer.key("residentKilobytes")
    writer.beginObject()
    writer.field("nothing", nothing)
    for (tier, peaks) in zip(Memory.names, tiers) {
      writer.key(text: tier)
      writer.beginObject()
      for (rate, peak) in zip(Memory.rates, peaks) {
        writer.key(text: "\(rate) Mbit/s")
        writer.integer(peak)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  /// Returns the most kilobytes that were resident in a process that runs a session.
  private static func peak(_ tier: String, _ rate: Int64) -> Int64 {
    let words = [CommandLine.arguments[0], "--memory", tier, "\(rate)"]
    var arguments = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    guard posix_spawnp(&process, words[0], nil, nil, &arguments, environ) == 0 else {
      preconditionFailure("the bench cannot start itself")
    }
    var (status, usage) = (Int32(0), rusage())
    guard wait4(process, &status, 0, &usage) == process, status == 0 else {
      preconditionFailure("a session that was run for its memory has failed")
    }
    #if canImport(Darwin)
    return Int64(usage.ru_maxrss) / 1_024
    #else
    return Int64(usage.ru_maxrss)
    #endif
  }
}
