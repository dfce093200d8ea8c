import Autowait
import AutowaitExperiment
import AutowaitFidelity
import AutowaitFiles
import AutowaitInference
import AutowaitRendering
import AutowaitScenario

/// `autowait whatif` of a folder: the same question about many sessions.
///
/// With a folder for results each session is written as soon as it is answered, and is not asked
/// about again: a call can be broken off and repeated, and shards can run on many machines.
struct WhatIfFleet {
  private let call: WhatIfCall
  private let shard: Shard?
  private let folder: String?
  private let threads: Int
  private let isTable: Bool
  private let style: TextStyle
  private let console: Console

  init(
    _ call: WhatIfCall, _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) {
    (self.call, self.console) = (call, console)
    folder = arguments.value(ShardCall.out)
    isTable = arguments.has(WhatIfCommand.csv)
    style = arguments.style(console)
    threads =
      try arguments.count(CompareCommand.jobs, in: 1...256) ?? console.environment.processorCount
    guard let text = arguments.value(ShardCall.shard) else {
      shard = nil
      return
    }
    guard let shard = Shard(text) else {
      throw Command.UsageError(
        message: "'--shard' must be a number and how many there are, not '\(text.excerpt)'",
        notes: ["as 3/8: the third of eight shards"])
    }
    if folder == nil {
      throw Command.UsageError(
        message: "'--shard' needs a folder to write to", notes: ["give it with --out DIR"])
    }
    self.shard = shard
  }

  /// Asks about all logs of a folder, and files.
  func run(_ operands: [String]) -> ExitCode {
    do throws(Files.SystemProblem) {
      var paths: [String] = []
      for operand in operands {
        paths += Files.kind(of: operand) == .folder ? try Files.list(operand) : [operand]
      }
      return try answer(paths)
    } catch {
      console.refuse("the logs cannot be read or the results not written: it \(error.reason)")
      return .invalid
    }
  }

  private func answer(_ paths: [String]) throws(Files.SystemProblem) -> ExitCode {
    if let folder { try Files.makeFolders(folder) }
    var known = try stored()
    let own = paths.enumerated().filter { number, _ in
      shard.map { number % $0.count == $0.number - 1 } ?? true
    }.map(\.element)
    if own.isEmpty {
      console.refuse("there is no log")
      return .nothing
    }
    let meter = ProgressMeter(console, total: own.count, word: "log")
    var answer = FleetAnswer()
    if isTable { console.line(FleetRow.header) }
    let call = call
    let known0 = known
    try ThreadPool.stream(
      ThreadPool.Load(count: own.count, threads: threads, ahead: threads * 4),
      progress: { meter.tell($0) }, state: {}
    ) { _, index -> (key: String, rows: [FleetRow]?) in
      Self.rows(own[index], call, known: known0)
    } _: { result throws(Files.SystemProblem) in
      let rows = result.rows ?? known[result.key] ?? []
      if let fresh = result.rows, let path = output { try store(fresh, path) }
      for row in rows {
        answer.add(row)
        if isTable { console.line(row.csv) }
      }
      known[result.key] = rows
    }
    console.clearProgress()
    let text = answer.text(style: style)
    if isTable {
      // A table has the output for itself.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        console.message(String(line))
      }
    } else {
      console.write(text)
    }
    if answer.answered == 0, answer.notReproduced == 0 {
      console.refuse("none of the logs can be used")
      return .invalid
    }
    if answer.answered == 0 { return .differs }
    return .fine
  }

  /// Returns the rows of a log, and by what they are known; nil for what is known already.
  private static func rows(
    _ path: String, _ call: WhatIfCall, known: [String: [FleetRow]]
  ) -> (key: String, rows: [FleetRow]?) {
    guard let bytes = try? Files.read(path) else {
      return ("-", [FleetRow(unusable: path, key: "-")])
    }
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: bytes)
    let key = String(fingerprint.value, radix: 16)
    if known[key] != nil { return (key, nil) }
    guard let logs = try? call.logs.read(SourceText(path: path, bytes: bytes)) else {
      return (key, [FleetRow(unusable: path, key: key)])
    }
    return (
      key,
      logs.enumerated().flatMap { number, log -> [FleetRow] in
        let own = logs.count == 1 ? key : "\(key)#\(number)"
        guard let report = try? call.answer(log).report else {
          return [FleetRow(unusable: log.name, key: own)]
        }
        return FleetRow.rows(report, key: own)
      }
    )
  }

  // MARK: Results in a folder

  /// The file that this call adds to, which has the question in its name; nil if nothing is kept.
  private var output: String? {
    folder.map { Path.join($0, "whatif-\(call.digest).\(shard?.fileText ?? "1-of-1").csv") }
  }

  /// What the first line of a file of results says: rows that answer another question, or came of
  /// another model, are not these.
  private var title: String {
    "# autowait whatif, model version \(SimulationModel.version), question \(call.digest)"
  }

  private func store(_ rows: [FleetRow], _ path: String) throws(Files.SystemProblem) {
    var lines = rows.map(\.csv)
    if Files.kind(of: path) == nil { lines = [title, FleetRow.header] + lines }
    try Files.append(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
  }

  /// The rows of all files of the folder that answer this question, by the digests of their logs.
  private func stored() throws(Files.SystemProblem) -> [String: [FleetRow]] {
    guard let folder else { return [:] }
    var rows: [String: [FleetRow]] = [:]
    for path in try Files.list(folder, { $0.hasSuffix(".csv") }) {
      let text = String(decoding: try Files.read(path), as: UTF8.self)
      // A line that was cut off has no end, and none must go on in it.
      if path == output, !text.hasSuffix("\n") { try Files.append(Array("\n".utf8), to: path) }
      let whole =
        text.hasSuffix("\n") ? text : String(text[..<(text.lastIndex(of: "\n") ?? text.startIndex)])
      let lines = whole.split(separator: "\n")
      guard lines.first.map(String.init) == title else { continue }
      for line in lines.dropFirst(2) {
        guard let row = FleetRow(csv: String(line)) else { continue }
        let key = row.key.split(separator: "#").first.map(String.init) ?? row.key
        rows[key, default: []].append(row)
      }
    }
    return rows
  }
}
