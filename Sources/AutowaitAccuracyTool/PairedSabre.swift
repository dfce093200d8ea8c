import Autowait
import AutowaitAccuracy
import AutowaitReference
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs Sabre and its sessions here one after another, on the same film and network.
///
/// Sabre is not part of this project: a folder with a checkout is named, and python3 runs it.
enum PairedSabre {
  /// What python3 is given: it runs Sabre's program with its own arguments some times, in one
  /// process, and prints the best times of its loop alone and of all, in microseconds.
  private static let program = #"""
    import contextlib, io, sys, time
    path, count = sys.argv[1], int(sys.argv[2])
    text = open(path).read()
    mark = "    quality = abr.get_first_quality()\n    size = "
    assert text.count(mark) == 1
    head = "    BEGAN = time.process_time()\n"
    text = text.replace(mark, head + mark).replace("import argparse\n", "import argparse, time\n")
    tail = "    playout_buffer()\n\n"
    assert text.count(tail) == 1
    text = text.replace(tail, tail + "    ENDED = time.process_time()\n")
    code = compile(text, path, "exec")
    sys.argv = [path] + sys.argv[3:]
    loop = whole = 1e9
    for _ in range(count):
      names = {"__name__": "__main__"}
      start = time.process_time()
      with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)
      whole = min(whole, time.process_time() - start)
      loop = min(loop, names["ENDED"] - names["BEGAN"])
    print(int(loop * 1e6), int(whole * 1e6))
    """#

  /// Prints the speeds of both and their ratio, for each rule with and without abandonment.
  static func run(_ folder: String, _ oracles: Oracles) throws {
    let movie = "example/mmsys18/bbb.json"
    let network = "example/tomm19/3Glogs/report.2010-09-30_1114CEST.json"
    let reader = PeerReader(oracles)
    print("rule            Sabre's loop   in-process         here   ratios, of sessions a second")
    for (word, rule) in [
      ("throughput", SegmentRulePolicy.Rule.throughput), ("bola", .bola), ("bolae", .bolaE),
      ("dynamic", .dynamic),
    ] {
      for abandons in [false, true] {
        var setup = try reader.setup(movie: movie, network: network, rule: rule)
        setup.abandons = abandons
        // Before and behind it, for both to meet the same machine.
        let first = sessionsPerSecond(setup)
        let arguments =
          ["-n", "\(folder)/\(network)", "-m", "\(folder)/\(movie)", "-a", word]
          + (abandons ? [] : ["-noa"])
        let times = output(["\(folder)/src/sabre.py", "7"] + arguments)
          .split(separator: " ").compactMap { Int64($0) }
        guard times.count == 2, times.allSatisfy({ $0 > 0 }) else {
          throw Oracles.OracleProblem(folder, "holds no Sabre that python3 can run")
        }
        let rate = max(first, sessionsPerSecond(setup))
        let rates = times.map { 1_000_000 / Double($0) }
        let cells = [rates[0], rates[1], Double(rate)].map {
          AccuracyText.right(AccuracyText.fixed($0, 0), 13)
        }
        let ratios = rates.map { AccuracyText.fixed(Double(rate) / $0, 0) + " ×" }
        print(
          AccuracyText.left(word + (abandons ? "" : " -noa"), 15) + cells.joined() + "   "
            + ratios.joined(separator: ", "))
      }
    }
  }

  /// The sessions that one core plays in a second: the best of three rounds of a hundred.
  private static func sessionsPerSecond(_ setup: SabreSetup) -> Int64 {
    let count: Int64 = 100
    let times = (0..<3).map { _ in
      let start = threadTime()
      for _ in 0..<count {
        var session = SabreSession(setup)
        precondition(!session.run().isEndless, "a session of Sabre never ends")
      }
      return threadTime() - start
    }
    return count * 1_000_000_000 / max(1, times.min() ?? 1)
  }

  /// The nanoseconds of CPU time of this thread: what other programs do does not count.
  private static func threadTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Runs python3 with the program and some arguments, and returns what it prints.
  private static func output(_ arguments: [String]) -> String {
    let quoted = (["-c", program] + arguments).map { word in
      "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }
    guard let pipe = popen("python3 " + quoted.joined(separator: " "), "r") else { return "" }
    var bytes: [UInt8] = []
    var byte = fgetc(pipe)
    while byte != EOF, bytes.count < 1_000 {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      byte = fgetc(pipe)
    }
    pclose(pipe)
    return String(decoding: bytes.filter { $0 != 0x0A }, as: UTF8.self)
  }
}
