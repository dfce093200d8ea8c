import Foundation
import Testing

/// `autowait tune`: what it finds is held against plain arithmetic over the rows that
/// `autowait compare` prints for the same rules.
@Suite struct TuneCommandTests {
  /// Nine networks around the rate of the media: steady ones, and ones with changes.
  private static func experiment(
    _ rules: String = "[\"media3\"]", rates: [String] = ["3.0", "3.4", "3.6", "4.0", "6.0"],
    seeds: String = "[1, 2]", length: String = "30 s"
  ) -> String {
    let steady = rates.map { "{\"name\": \"\($0)\", \"rate\": \"\($0) Mbit/s\"}" }
    let drawn = (1...4).map {
      """
      {"name": "drawn \($0)", "down": {"random": {"from": "\($0) Mbit/s", "to": "6 Mbit/s",
      "every": "3 s", "count": 20}}}
      """
    }
    return """
      {"experiment": 1, "name": "Mine", "base": {
      "media": {"kind": "progressive", "duration": "\(length)", "bitrate": "3.7 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}], "until": "3 min"},
      "vary": {"heuristic": \(rules), "link": [\((steady + drawn).joined(separator: ", "))],
      "seed": \(seeds)}}
      """
  }

  /// The object that the command prints.
  private static func report(
    _ fixture: CommandFixture, _ options: [String] = []
  ) throws -> [String: Any] {
    let outcome = fixture.call(
      ["tune", "media3", "$/x.json", "--numbers", "start", "--format", "json"] + options)
    #expect(outcome.code == 0, "\(outcome.messages)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(object as? [String: Any])
  }

  /// What a session costs a viewer on average, by rule, on networks that are held back or not.
  private static func costs(
    _ csv: String, held: [String], weight: Double
  ) -> [String: (searched: Double, held: Double)] {
    let lines = csv.split(separator: "\n").map { $0.components(separatedBy: ",") }
    let rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    func number(_ row: [String: String], _ key: String) -> Double { Double(row[key] ?? "") ?? 0 }
    var sums: [String: [Bool: (cost: Double, count: Double)]] = [:]
    for row in rows {
      let isStarted = number(row, "playbackDuration") > 0
      let (start, stalled) = (
        number(row, "timeSpentInInitialStartup"), number(row, "timeSpentRecoveringFromStall")
      )
      let cost = isStarted ? min(120, start + weight * stalled) : 120
      let isHeld = held.contains(row["link"] ?? "")
      let sum = sums[row["contestant"] ?? ""]?[isHeld] ?? (0, 0)
      sums[row["contestant"] ?? "", default: [:]][isHeld] = (sum.cost + cost, sum.count + 1)
    }
    return sums.mapValues { both in
      func mean(_ isHeld: Bool) -> Double { both[isHeld].map { $0.cost / $0.count } ?? 0 }
      return (mean(false), mean(true))
    }
  }

  private static let ladder = [
    "0.1", "0.2", "0.3", "0.5", "0.75", "1", "1.5", "2", "3", "4", "6", "8", "12", "16", "24", "32",
  ]

  /// No value of those that are tried first costs less where it was searched, and the costs are
  /// those of the rows, there and on the networks held back.
  @Test(arguments: MarkdownDocument.part(of: ["3", "10", "0.5", "1000"]))
  func theCheapestIsFound(_ weight: String) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment()])
    let report = try Self.report(fixture, ["--stall-weight", weight])
    let held = try #require(report["heldBack"] as? [String])
    #expect(held.count == 3, "a third of nine networks")
    let found = try #require(report["found"] as? [String: Any])
    let rule = try #require(found["heuristic"])
    let data = try JSONSerialization.data(withJSONObject: rule, options: .fragmentsAllowed)
    let text = String(decoding: data, as: UTF8.self)
    let tried = Self.ladder.map {
      "{\"rule\": \"media3\", \"start\": \"\($0) s\", \"name\": \"\($0)\"}"
    }
    let named =
      text.hasPrefix("{")
      ? text.dropLast() + ", \"name\": \"found\"}" : "{\"rule\": \"media3\", \"name\": \"found\"}"
    try fixture.write(
      "y.json", Self.experiment("[\"media3\", \(named), \(tried.joined(separator: ", "))]"))
    let csv = fixture.call("compare", "$/y.json", "--csv").output
    let costs = Self.costs(csv, held: held, weight: try #require(Double(weight)))
    let best = try #require(costs["found"])
    for (name, cost) in costs { #expect(cost.searched >= best.searched - 1e-6, "\(name)") }
    for (key, rule) in [("found", "found"), ("own", "media3")] {
      let told = try #require(report[key] as? [String: Any])
      let expected = try #require(costs[rule])
      for (part, cost) in [("searched", expected.searched), ("heldBack", expected.held)] {
        let sums = try #require(told[part] as? [String: Any])
        let mean = try #require(sums["cost"] as? Double)
        #expect(abs(mean - cost) < 1e-5, "\(key) \(part): \(mean), not \(cost)")
      }
    }
    let gain = try #require(report["gain"] as? [String: Any])
    let mean = try #require(gain["mean"] as? Double)
    let own = try #require(costs["media3"])
    #expect(abs(mean - (own.held - best.held)) < 1e-5)
  }

  /// Where every network is faster than the movie, less startup is all there is to gain; a viewer
  /// to whom stalls are nothing is told the same on any network.
  @Test func withoutStallsTheLeastStartWins() throws {
    let fast = ["7", "8", "9", "10", "12", "15", "20"]
    let fixture = try CommandFixture(["x.json": Self.experiment(rates: fast)])
    let report = try Self.report(fixture, ["--stall-weight", "0"])
    let found = try #require(report["found"] as? [String: Any])
    let rule = try #require(found["heuristic"] as? [String: Any])
    #expect(rule["start"] as? String == "0.05 s" || rule["start"] as? String == "0.1 s", "\(rule)")
    #expect(report["isBetter"] as? Bool == true)
  }

  /// The same for any number of threads, and the lines of the text say what is in the object.
  @Test func theReportForPeople() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment()])
    let call = ["tune", "media3", "$/x.json", "--numbers", "start"]
    let outcome = fixture.call(call + ["--jobs", "1"])
    #expect(outcome.code == 0 && outcome == fixture.call(call + ["--jobs", "4"]))
    for head in ["choose", "gain", "worse", "best rule", "best possible"] {
      #expect(outcome.output.contains("\n\(head) "), "\(outcome.output)")
    }
    let last = try #require(outcome.output.split(separator: "\n").last)
    try fixture.write(
      "s.json",
      """
      {"autowait": 1, "link": "nlc/3g", \(last),
      "media": {"kind": "local", "duration": "4 s"}, "script": [{"at": 0, "do": "play"}]}
      """)
    #expect(fixture.call("run", "$/s.json").code == 0, "the line stands in a scenario: \(last)")
  }

  /// The least that a search needs: six networks, and little on them.
  private static let small = experiment(rates: ["3.4", "4.0"], seeds: "[1]", length: "4 s")

  /// What programs read is in the order of startup where it was searched, and so are the lines,
  /// which have names of their own.
  @Test func theFrontIsInOrder() throws {
    let fixture = try CommandFixture(["x.json": Self.small])
    let call = ["tune", "media3", "$/x.json"]
    let lines = fixture.call(call).output.split(separator: "\n").filter { $0.hasPrefix("front ") }
    #expect(2...10 ~= lines.count)
    for (number, line) in lines.enumerated() { #expect(line.hasPrefix("front \(number + 1) ")) }
    let output = fixture.call(call + ["--format", "json"]).output
    let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let front = try #require(object?["front"] as? [[String: Any]])
    let searched = front.compactMap { $0["searched"] as? [String: Any] }
    let startups = searched.compactMap { $0["startup"] as? Double }
    #expect(startups.count == front.count && front.count >= lines.count)
    #expect(startups == startups.sorted())
  }

  /// Where nothing ever stalls the number for going on is any of those tried: one line.
  @Test func tiesOfTheFrontAreOneLine() throws {
    let rates = ["7", "8", "9", "10", "12", "15", "20"]
    let fast = Self.experiment(rates: rates).replacingOccurrences(
      of: #""from": "[0-9] Mbit/s", "to": "6 Mbit/s""#,
      with: #""from": "6 Mbit/s", "to": "9 Mbit/s""#, options: .regularExpression)
    let fixture = try CommandFixture(["x.json": fast])
    let output = fixture.call("tune", "media3", "$/x.json").output
    let lines = output.split(separator: "\n").filter { $0.hasPrefix("front ") }
    #expect(lines.count == 1 && lines[0].contains(" 100 ms … 32 s "), "\(output)")
  }

  @Test func nothingIsChosenWhereNothingStarts() throws {
    let links = Self.experiment(rates: ["0", "0.0", "0.00"]).replacingOccurrences(
      of: #""from": "[0-9] Mbit/s", "to": "6 Mbit/s""#, with: #""from": 0, "to": 0"#,
      options: .regularExpression)
    let fixture = try CommandFixture(["x.json": links])
    let outcome = fixture.call("tune", "media3", "$/x.json", "--numbers", "start")
    #expect(outcome.code == 0)
    #expect(outcome.messages.contains("warning: no session ever starts"), "\(outcome.messages)")
    #expect(outcome.output.contains("nothing: no session ever starts"), "\(outcome.output)")
    let other = try CommandFixture(["x.json": Self.experiment()])
    let call = other.call("tune", "media3", "$/x.json", "--numbers", "start")
    #expect(!call.messages.contains("warning"), "\(call.messages)")
  }

  /// With many numbers the table goes on below, within 80 columns, and each part names its lines.
  @Test func aWideTableGoesOnBelow() throws {
    let fixture = try CommandFixture(["x.json": Self.small])
    let numbers = "start,resume,forwardBufferLimit,forwardBufferResume"
    let outcome = fixture.call("tune", "media3", "$/x.json", "--numbers", numbers)
    #expect(outcome.code == 0, "\(outcome.messages)")
    let lines = outcome.output.split(separator: "\n")
    for line in lines.dropLast() { #expect(line.count <= 80, "\(line)") }
    let firsts = lines.filter { $0.hasPrefix("front 1 ") }
    #expect(firsts.count == lines.count { $0.hasPrefix("held back ") } && firsts.count > 1)
  }

  @Test(arguments: [
    (["media33", "$/x.json"], 2, "there is no rule 'media33'"),
    (["media3"], 2, "'autowait tune' needs RULE EXPERIMENT"),
    (["media3", "$/none.json"], 2, "does not exist"),
    (["media3", "$/x.json", "--numbers", "strat"], 2, "has no number 'strat'"),
    (["media3", "$/x.json", "--numbers", "start,start"], 2, "names 'start' twice"),
    (["media3", "$/x.json", "--stall-weight", "-1"], 2, "must be a number from 0 to 1000"),
    (["media3", "$/few.json"], 2, "has 5 networks, and a search needs 6"),
    (["media3", "$/volume.json"], 2, "compares 'player.defaultRate', too"),
  ])
  func mistakes(_ words: [String], _ code: Int32, _ message: String) throws {
    var few = Self.experiment(rates: ["3"])
    let volume = few.replacing("\"seed\"", with: "\"player.defaultRate\": [1, 2], \"seed\"")
    few = few.replacing("\"seed\": [1, 2]", with: "\"seed\": [1]")
    let fixture = try CommandFixture([
      "x.json": Self.experiment(), "few.json": few, "volume.json": volume,
    ])
    let outcome = fixture.call(["tune"] + words)
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.messages.contains(message), "\(outcome.messages)")
  }
}
