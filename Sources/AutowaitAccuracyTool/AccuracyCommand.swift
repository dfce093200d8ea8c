import Autowait
import AutowaitAccuracy
import AutowaitCommands
import AutowaitFiles
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `autowait-accuracy`: compares the models of a transfer with measured transfers, and sessions of
/// other simulators with their own.
enum AccuracyCommand {
  /// Runs the tool and ends the process; the first argument is the name that it was called by.
  static func main(_ arguments: [String]) -> Never {
    do {
      switch try AccuracyCall(Array(arguments.dropFirst())) {
      case .help: print(AccuracyCall.helpText, terminator: "")
      case .measurements(let folder, let isVerbose, let losses):
        try measurements(oracles(folder ?? folderDefault), isVerbose: isVerbose, losses: losses)
      case .parity(let folder): exit(try parity(folder ?? folderDefault) ? 0 : 1)
      case .movies(let folder): try movies(folder)
      case .tiers(let seeds, let isVerbose):
        let sweep = TierSweep(seeds)
        print(sweep.table, terminator: "")
        if isVerbose { print("\n" + sweep.strays(60), terminator: "") }
      case .sabre(let folder): try PairedSabre.run(folder, oracles(folder))
      }
      exit(0)
    } catch let error as AccuracyCall.UsageError {
      fail(error.message, error.notes)
    } catch {
      fail("\(error)", ["see 'autowait-accuracy --help' for the folders that it reads"])
    }
  }

  private static func fail(_ message: String, _ notes: [String]) -> Never {
    let lines = ["autowait-accuracy: error: \(message)"] + notes.map { "note: \($0)" }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    fflush(nil)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
  }

  /// Where the measurements are if the call does not say it.
  private static var folderDefault: String {
    getenv("AUTOWAIT_ORACLES").map { String(cString: $0) } ?? "../shared/oracles"
  }

  /// The files of a folder.
  private static func oracles(_ folder: String) -> Oracles {
    Oracles { path throws(Oracles.OracleProblem) in
      do throws(Files.SystemProblem) {
        return try Files.read("\(folder)/\(path)")
      } catch {
        throw Oracles.OracleProblem("\(folder)/\(path)", error.reason)
      }
    }
  }

  /// Prints how far the models are from what was measured.
  private static func measurements(
    _ oracles: Oracles, isVerbose: Bool, losses: MeasuredCase.Losses
  ) throws {
    let cases = try MeasuredReader.cases(try oracles.json("tcp/truth.json"))
    let others = try SecondBenchReader.cases(
      try oracles.text("tcp/queue50.csv"), links: try oracles.json("tcp/queue50_profiles.json"))
    var fresh: [MeasuredCase] = []
    for name in FreshReader.files { fresh += try FreshReader.cases(try oracles.text(name)) }
    let report = AccuracyReport(cases, by: Model.all, losses: losses)
    var text = AccuracyText(report)
    text.writeKinds()
    text.writeGap()
    text.writeCeiling()
    text.writeGap()
    text.writeGroups()
    text.writeGap()
    text.writeCurves()
    text.writeGap()
    text.writeTails(Model.all.count - 1)
    text.writeGap()
    let second = AccuracyReport(others, by: Model.all, losses: .own)
    for (index, model) in Model.all.enumerated().dropFirst() {
      if model.coversAll { text.writeBars(index) } else { text.writeLimits(index) }
      text.writeGap()
    }
    text.writeKinds(of: second, "a second bench, whose queues have 50 packets")
    let third = AccuracyReport(fresh, by: Model.all, losses: .own)
    text.writeGap()
    text.writeKinds(
      of: third, "newer measurements: steady links; jitter, reordering, losses in bursts",
      bars: Model.all.count - 1)
    if isVerbose {
      for model in report.models.indices.dropFirst() {
        text.writeGap()
        text.writeWorst(model, count: 60)
      }
      text.writeGap()
      text.writeWorst(report.models.count - 1, count: 20, of: second)
      text.writeGap()
      text.writeWorst(report.models.count - 1, count: 40, of: third)
    }
    print(text.text, terminator: "")
  }

  /// Prints how far sessions of other simulators are from what those say, and returns whether all
  /// are alike.
  private static func parity(_ folder: String) throws -> Bool {
    let oracles = oracles(folder)
    let reader = PeerReader(oracles)
    // A folder may hold sessions of one of them only.
    let lists = ["sabre", "pensieve"].compactMap { try? Files.list("\(folder)/\($0)") }
    let names = lists.joined().map { String($0.dropFirst(folder.count + 1)) }
      .filter { $0.hasSuffix(".json") }
    if names.isEmpty { throw Oracles.OracleProblem(folder, "has no sessions of Sabre or Pensieve") }
    var results: [PeerParity] = []
    for name in names { results.append(try reader.parity(name, oracles)) }
    print("differences in nanoseconds")
    print(PeerParity.table(results), terminator: "")
    return results.allSatisfy(\.isInside)
  }

  /// Prints what is read of each movie of a folder.
  private static func movies(_ folder: String) throws {
    for path in try Files.list(folder).sorted() {
      let size = ByteCount(bytes: try Files.size(of: path))
      switch MovieReader.read(try Files.stream(path), size: size) {
      case .success(let movie):
        let name = String(path.dropFirst(folder.count + 1))
        print(String(decoding: MovieFacts.line(name, movie), as: UTF8.self), terminator: "")
      case .failure(let problem): throw Oracles.OracleProblem(path, problem.reason)
      }
    }
  }
}
