import Autowait
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Measures how much memory sessions of minutes and of days need, each in a process of its own:
/// what a process once needed it does not give back.
struct Memory {
  /// The most kilobytes that were resident in a process that ran nothing, and what the films on
  /// either tier took beyond that.
  private let nothing: Int64
  private let tiers: [[Int64]]
  private let lives: [Int64]
  private let trace: Int64

  private static let names = ["packet", "fluid"]
  /// The days for which a live stream plays, planned for as long.
  private static let days: [Int64] = [1, 10]
  /// The samples of a track of a day at 10 ms.
  private static let samples: Int64 = 8_640_000
  /// The rates of the films, in Mbit/s; with none, nothing is run.
  private static let rates: [Int64] = [1, 5, 50]

  /// Runs a session for its memory, as the process that was started for it; returns false if the
  /// arguments ask for none.
  static func run(_ arguments: [String]) -> Bool {
    guard arguments.count == 3, arguments[0] == "--memory", let number = Int64(arguments[2]),
      0...(arguments[1] == "trace" ? 16_000_000 : 1_000) ~= number
    else { return false }
    if number == 0 { return true }
    let world: World
    switch arguments[1] {
    case "live": world = LongWorkloads.live(days: number)
    case "trace": world = LongWorkloads.trace(samples: Int(number))
    default:
      let tier: LinkTier = arguments[1] == "packet" ? .packet : .fluid
      world = LinkWorkloads.longSession(tier, megabitsPerSecond: number)
    }
    var simulation = Simulation(world, keepsRecords: false)
    guard case .finished(let reason) = simulation.run(), reason != .eventLimit else {
      preconditionFailure("the session did not come to its end")
    }
    return true
  }

  /// Measures, while this process is still small: on Linux a process passes the most that it had
  /// on to those that it starts.
  static func measured() -> Memory {
    let nothing = peak("fluid", 0)
    return Memory(
      nothing: nothing,
      tiers: names.map { name in rates.map { max(0, peak(name, $0) - nothing) } },
      lives: days.map { max(0, peak("live", $0) - nothing) },
      trace: max(0, peak("trace", samples) - nothing))
  }

  /// Writes what was measured.
  func write(into writer: inout JSONWriter) {
    writer.object("residentKilobytes") { writer in
      writer.field("nothing", nothing)
      for (tier, peaks) in zip(Memory.names, tiers) {
        writer.object(text: tier) { writer in
          for (rate, peak) in zip(Memory.rates, peaks) {
            writer.key(text: "\(rate) Mbit/s")
            writer.integer(peak)
          }
        }
      }
      writer.object("liveDays") { writer in
        for (days, peak) in zip(Memory.days, lives) {
          writer.key(text: "\(days)")
          writer.integer(peak)
        }
      }
      writer.field("traceOfADay", trace)
    }
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
