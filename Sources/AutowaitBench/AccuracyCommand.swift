import AutowaitAccuracy
import AutowaitCommands
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Holds the models of a transfer against measured ones, and other simulators' sessions against
/// their own.
enum AccuracyCommand {
  /// Runs `--accuracy`, `--parity` or `--sabre`, and ends the process if that goes wrong.
  static func run(_ arguments: [String]) {
    let options = arguments.filter { $0.hasPrefix("--") }
    let folder = arguments.first { !$0.hasPrefix("--") } ?? "../shared/oracles"
    let oracles = oracles(folder)
    do {
      if options.contains("--sabre") {
        try PairedSabre.run(folder, Self.oracles)
      } else if options.contains("--parity") {
        try parity(oracles, folder)
      } else {
        let losses: MeasuredCase.Losses = options.contains("--measured-losses") ? .measured : .own
        try accuracy(oracles, isVerbose: options.contains("--verbose"), losses: losses)
      }
    } catch {
      let reason = (error as? Files.Problem)?.reason ?? "\(error)"
      let message = Array("error: \(reason)\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(1)
    }
  }

  /// The files of a folder.
  private static func oracles(_ folder: String) -> Oracles {
    Oracles { path throws(Oracles.Problem) in
      do throws(Files.Problem) {
        return try Files.read("\(folder)/\(path)")
      } catch {
        throw Oracles.Problem("\(folder)/\(path)", error.reason)
      }
    }
  }

  /// Prints how far the models are from what was measured.
  private static func accuracy(
    _ oracles: Oracles, isVerbose: Bool, losses: MeasuredCase.Losses
  ) throws {
    let cases = try MeasuredReader.cases(try oracles.json("tcp/truth.json"))
    let others = try SecondBenchReader.cases(
      try oracles.text("tcp/queue50.csv"), links: try oracles.json("tcp/queue50_profiles.json"))
    let report = AccuracyReport(cases, by: Model.all, losses: losses)
    var text = AccuracyText(report)
    text.writeKinds()
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
    if isVerbose {
      for model in report.models.indices.dropFirst() {
        text.writeGap()
        text.writeWorst(model, count: 60)
      }
      text.writeGap()
      text.writeWorst(report.models.count - 1, count: 20, of: second)
    }
    print(text.text, terminator: "")
  }

  /// Prints how far sessions of other simulators are from what those say.
  private static func parity(_ oracles: Oracles, _ folder: String) throws {
    let reader = PeerReader(oracles)
    // A folder may hold sessions of one of them only.
    let lists = ["sabre", "pensieve"].compactMap { try? Files.list("\(folder)/\($0)") }
    let names = lists.joined().map { String($0.dropFirst(folder.count + 1)) }
      .filter { $0.hasSuffix(".json") }
    if names.isEmpty { throw Oracles.Problem(folder, "has no sessions of Sabre or Pensieve") }
    var results: [PeerParity] = []
    var notDecided: [String] = []
    for name in names {
      do throws(Oracles.Problem) {
        results.append(try reader.parity(name, oracles))
      } catch {
        notDecided.append("not decided: \(error)")
      }
    }
    for line in notDecided { print(line) }
    print(PeerParity.table(results), terminator: "")
    if !results.allSatisfy(\.isInside) || !notDecided.isEmpty { exit(1) }
  }
}
