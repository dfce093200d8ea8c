import Autowait
import AutowaitScenario

/// Reads cases of decisions that players' own code made.
package enum RuleCaseReader {
  /// Reads a case.
  package static func read(_ path: String, _ bytes: [UInt8]) throws(RecordingProblem) -> RuleCase {
    let root = try JSONValue.read(path, bytes)
    let name = try root.required("player")
    guard let player = PlayerRule.caseNames.first(where: { name.isString($0.name) })?.player else {
      throw name.problem("is not a player whose rule is known")
    }
    if let version = root.member("version"), !version.isString(player.caseVersion) {
      throw version.problem(
        "is another version of \(player.caseName); the rule is that of '\(player.caseVersion)'")
    }
    let ladder = try ladder(root, player)
    let link = try link(root)
    let (first, decay) = try settings(root)
    return RuleCase(
      player: player, ladder: ladder, first: first, decay: decay, link: link,
      rows: try rows(root, qualities: ladder.rates.count))
  }

  private static func ladder(
    _ root: JSONValue, _ player: PlayerRule
  ) throws(RecordingProblem) -> PlayerLadder {
    let rates = try numbers(try root.required("ladder"))
    let duration = try root.required("segmentDuration")
    let length = try duration.number()
    if rates.isEmpty || length <= 0 { throw duration.problem("is of a stream of nothing") }
    for (lower, upper) in zip(rates, rates.dropFirst()) where lower > upper {
      throw try root.required("ladder").problem("does not ascend")
    }
    var means: [Double]?
    if let value = root.member("averageBandwidth"), value.kind == .array {
      means = try numbers(value)
      if means?.count != rates.count { throw value.problem("is not one for each variant") }
    }
    let count = try root.member("segments")?.number() ?? 1
    return PlayerLadder(
      segmentDuration: length, count: max(1, Int(count)), rates: rates, meanRates: means)
  }

  private static func numbers(_ value: JSONValue) throws(RecordingProblem) -> [Double] {
    if value.kind != .array { throw value.problem("is not a list") }
    var numbers: [Double] = []
    for element in value.elements {
      let number = try element.number()
      if number <= 0 { throw element.problem("is not a rate") }
      numbers.append(number)
    }
    return numbers
  }

  private static func link(_ root: JSONValue) throws(RecordingProblem) -> RuleCaseLink {
    var steps: [(span: Double, rate: Double)] = []
    for row in try root.member("link")?.rows(least: 2) ?? [] {
      steps.append((try row[0].number(), try row[1].number()))
    }
    return RuleCaseLink(steps: steps)
  }

  private static func settings(
    _ root: JSONValue
  ) throws(RecordingProblem) -> (first: Double?, decay: Double?) {
    guard let settings = root.member("settings") else { return (nil, nil) }
    var first: Double?
    for key in ["defaultEstimate", "initialBandwidth", "initialBitrateEstimate"] {
      if let value = settings.member(key) { first = try value.number() }
    }
    // dash.js says it in kbit/s.
    if let value = settings.member("initialBitrate") { first = try value.number() * 1_000 }
    return (first, try settings.member("decay")?.number())
  }

  private static func rows(
    _ root: JSONValue, qualities: Int
  ) throws(RecordingProblem) -> [RuleCase.Decision] {
    var columns: [String] = []
    for column in try root.required("columns").elements { columns.append(try column.text()) }
    let times = columns.firstIndex(of: "at")
    var rows: [RuleCase.Decision] = []
    for row in try root.required("rows").rows(least: columns.count) {
      var fields = Fields(columns: columns, row: row, qualities: qualities)
      let decision = try fields.read()
      if let times, let last = rows.last, decision.moment.time < last.moment.time {
        throw row[times].problem("is a time before that of the row above")
      }
      rows.append(decision)
    }
    return rows
  }

  /// One row, by the names of its columns.
  private struct Fields {
    let columns: [String]
    let row: [JSONValue]
    let qualities: Int
    private var result = RuleCase.Decision()

    init(columns: [String], row: [JSONValue], qualities: Int) {
      (self.columns, self.row, self.qualities) = (columns, row, qualities)
    }

    mutating func read() throws(RecordingProblem) -> RuleCase.Decision {
      for (column, value) in zip(columns, row) where value.kind != .null {
        try read(column, value)
      }
      return result
    }

    private mutating func read(
      _ column: String, _ value: JSONValue
    ) throws(RecordingProblem) {
      switch column {
      case "segment": result.segment = Int(try value.number())
      case "at": result.moment.time = try value.number()
      case "level": result.moment.level = try value.number()
      case "head": result.moment.position = try value.number()
      case "estimate": result.estimate = try value.number()
      case "choice": result.choice = try quality(value)
      case "loaded": result.loaded = try quality(value)
      case "request": result.request = try value.number()
      case "first": result.first = try value.number()
      case "end": result.end = try value.number(allowingNegative: true)
      case "size": result.size = try value.number()
      case "got": result.got = try value.number()
      case "test": result.isTest = try value.number() > 0
      case "waited": result.waited = try value.number()
      case "sample": result.sample = try value.number()
      case "given": result.given = (try value.part(0).number(), try quality(try value.part(1)))
      case "playlists":
        for list in try value.rows(least: 4) {
          result.playlists.append(
            (
              try quality(list[0]), try list[1].number(), try list[2].number(),
              try list[3].number()
            ))
        }
      default: break
      }
      if let end = result.end, end < 0 { result.end = nil }
    }

    private func quality(_ value: JSONValue) throws(RecordingProblem) -> Int {
      let number = try value.number()
      guard number < Double(qualities), number == number.rounded() else {
        throw value.problem("is not a variant of the \(qualities)")
      }
      return Int(number)
    }
  }
}

extension JSONValue {
  /// Returns a number, exact to the thousandth.
  func number(allowingNegative: Bool = false) throws(RecordingProblem) -> Double {
    if allowingNegative, let decimal,
      case .exact(let value) = decimal.integer(scaledBy: 1_000, allowingNegative: true)
    {
      return Double(value) / 1_000
    }
    return Double(try whole(times: 1_000)) / 1_000
  }
}
