import AutowaitExperiment
import Foundation
import Testing

/// Bounds on what sessions amount to, held against plain arithmetic on the rows that are printed.
@Suite struct ThresholdTests {
  private static let axes = """
    "vary": {"heuristic": ["avfoundation", "vlc", "mpv"],
      "link": ["demo/slow-server", "demo/fast", "nlc/3g", "nlc/edge"], "seed": 2}
    """

  static func experiment(_ thresholds: String, vary: String = axes, more: String = "") -> String {
    """
    {"experiment": 1, "base": {"link": "demo/slow-server", "until": "300 s", \(more)
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
     \(vary),
     "thresholds": [
       \(thresholds)]}
    """
  }

  // MARK: An oracle

  /// The rows of `--csv`, a field by the name of its column.
  private static func rows(_ fixture: CommandFixture) -> [[String: String]] {
    let lines = fixture.call("compare", "$/x.json", "--csv").output.split(separator: "\n")
    let head = lines[0].split(separator: ",").map(String.init)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(uniqueKeysWithValues: zip(head, cells))
    }
  }

  private static func thresholds(_ fixture: CommandFixture) throws -> [[String: Any]] {
    let json = fixture.call("compare", "$/x.json", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return try #require(object?["thresholds"] as? [[String: Any]])
  }

  /// The figure of each session of a contestant; a startup is that of sessions that started.
  private static func figures(
    _ metric: String, of contestant: String, _ rows: [[String: String]]
  ) -> [Double] {
    rows.filter { $0["contestant"] == contestant }.compactMap { row in
      let isStarted = row["outcome"] != "neverStarted" && row["playbackDuration"] != "0"
      if metric == "timeSpentInInitialStartup", !isStarted { return nil }
      return Double(row[metric] ?? "")
    }
  }

  /// What a contestant's sessions amount to, by the definition of each statistic.
  private static func statistics(_ figures: [Double]) -> [String: Double] {
    let sorted = figures.sorted()
    func ranked(_ share: Double) -> Double {
      // The least figure that at least so many of all do not exceed.
      let wanted = sorted.first { figure in
        Double(sorted.count { $0 <= figure }) >= share * Double(sorted.count)
      }
      return wanted ?? .nan
    }
    return [
      "mean": sorted.reduce(0, +) / Double(sorted.count), "median": ranked(0.5),
      "p5": ranked(0.05), "p37.5": ranked(0.375), "p75": ranked(0.75), "p99.9": ranked(0.999),
      "min": sorted[0], "max": sorted[sorted.count - 1],
    ]
  }

  private static let metrics = [
    "timeSpentInInitialStartup", "stallCount", "timeSpentRecoveringFromStall", "rebufferRatio",
    "observedBitrate", "numberOfBytesTransferred", "excessWait",
  ]

  @Test func statisticsAreThoseOfTheRows() throws {
    let keys = ["mean", "median", "p5", "p37.5", "p75", "p99.9", "min", "max"]
    let bounds = keys.map { "\"\($0)\": {\">=\": 0}" }.joined(separator: ", ")
    let text = Self.metrics.map { "{\"metric\": \"\($0)\", \(bounds)}" }.joined(separator: ",\n")
    let fixture = try CommandFixture(["x.json": Self.experiment(text)])
    let rows = Self.rows(fixture)
    #expect(rows.count == 24)
    var verdicts = try Self.thresholds(fixture)[...]
    for metric in Self.metrics {
      // The keys of a threshold are judged in the order of the statistics, not of the file.
      for key in ["mean", "median", "min", "max", "p5", "p37.5", "p75", "p99.9"] {
        for contestant in ["avfoundation", "vlc", "mpv"] {
          let first = verdicts.popFirst()
          let verdict = try #require(first)
          let figures = Self.figures(metric, of: contestant, rows)
          let expected = try #require(Self.statistics(figures)[key])
          let observed = try #require(verdict["observed"] as? Double)
          #expect(verdict["contestant"] as? String == contestant)
          #expect((verdict["threshold"] as? String)?.hasPrefix("\(key) of \(metric) >= 0") == true)
          #expect(verdict["counted"] as? Int == figures.count)
          #expect(
            abs(observed - expected) <= max(0.501e-6, abs(expected) * 1e-6),
            "\(key) of \(metric) of \(contestant): \(observed), not \(expected)")
        }
      }
    }
    #expect(verdicts.isEmpty)
  }

  @Test func sharesAreThoseOfTheRows() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(
        """
        {"metric": "stallCount", ">=": 1, "share": {"<=": 1}},
        {"metric": "timeSpentInInitialStartup", ">": "2 s", "<": "100 s", "share": {"<=": 1}},
        {"outcome": "ended", "share": {"<=": 1}},
        {"outcome": ["ended", "unfinished"], "share": {"<=": 1}},
        {"metric": "stallCount", "==": 0, "share": {"<=": 1}, "where": {"link": "demo/*"}},
        {"metric": "stallCount", "==": 0, "share": {"<=": 1}, "where": {"link": ["nlc/edge",
         "demo/fast"], "seed": 2}}
        """)
    ])
    let rows = Self.rows(fixture)
    var verdicts = try Self.thresholds(fixture)[...]
    typealias Row = [String: String]
    func number(_ row: Row, _ key: String) -> Double { Double(row[key] ?? "") ?? .nan }
    func isStarted(_ row: Row) -> Bool {
      row["outcome"] != "neverStarted" && row["playbackDuration"] != "0"
    }
    let cases: [(selects: (Row) -> Bool, holds: (Row) -> Bool)] = [
      ({ _ in true }, { number($0, "stallCount") >= 1 }),
      (
        isStarted,
        {
          2 < number($0, "timeSpentInInitialStartup")
            && number($0, "timeSpentInInitialStartup") < 100
        }
      ),
      ({ _ in true }, { $0["outcome"] == "ended" }),
      ({ _ in true }, { ["ended", "unfinished"].contains($0["outcome"]) }),
      ({ $0["link"]?.hasPrefix("demo/") == true }, { number($0, "stallCount") == 0 }),
      (
        { ["nlc/edge", "demo/fast"].contains($0["link"]) && $0["seed"] == "2" },
        { number($0, "stallCount") == 0 }
      ),
    ]
    for (selects, holds) in cases {
      for contestant in ["avfoundation", "vlc", "mpv"] {
        let own = rows.filter { $0["contestant"] == contestant && selects($0) }
        let first = verdicts.popFirst()
        let verdict = try #require(first)
        let share = Double(own.count(where: holds)) / Double(own.count)
        #expect(abs(try #require(verdict["observed"] as? Double) - share) < 1e-8)
        #expect(verdict["counted"] as? Int == own.count)
      }
    }
    #expect(verdicts.isEmpty)
  }

  @Test func differencesAreThoseOfTheRows() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(
        """
        {"metric": "timeSpentInInitialStartup", "difference": {"<=": "5 %"}},
        {"metric": "stallCount", "difference": {"<=": 0.5}, "decides": "mean"}
        """)
    ])
    let rows = Self.rows(fixture)
    var verdicts = try Self.thresholds(fixture)[...]
    for metric in ["timeSpentInInitialStartup", "stallCount"] {
      for contestant in ["vlc", "mpv"] {
        var (sum, before, count) = (0.0, 0.0, 0.0)
        for row in rows where row["contestant"] == contestant {
          let other = rows.first {
            $0["contestant"] == "avfoundation" && $0["link"] == row["link"]
              && $0["seed"] == row["seed"]
          }
          let pair = [row, try #require(other)]
          if metric == "timeSpentInInitialStartup",
            pair.contains(where: {
              $0["outcome"] == "neverStarted" || $0["playbackDuration"] == "0"
            })
          {
            continue
          }
          let values = pair.map { Double($0[metric] ?? "") ?? .nan }
          sum += values[0] - values[1]
          before += values[1]
          count += 1
        }
        let first = verdicts.popFirst()
        let verdict = try #require(first)
        #expect(verdict["contestant"] as? String == contestant)
        #expect(abs(try #require(verdict["observed"] as? Double) - sum / count) < 1e-6)
        if before > 0 {
          #expect(abs(try #require(verdict["relative"] as? Double) - sum / before) < 1e-6)
        }
        #expect(verdict["counted"] as? Int == Int(count))
        #expect((verdict["interval"] as? [Double])?.count == 2)
      }
    }
    #expect(verdicts.isEmpty)
  }

  // MARK: What is crossed

  /// `vlc` has 9 stalls in a session of 39 s on the slow server, and `avfoundation` none.
  private static let slow = """
    "vary": {"heuristic": ["avfoundation", "vlc"], "link": ["demo/slow-server"]}
    """

  private func call(_ thresholds: String, vary: String = slow) throws -> CommandFixture.Call {
    try CommandFixture(["x.json": Self.experiment(thresholds, vary: vary)])
      .call("compare", "$/x.json")
  }

  /// Just below, at, and above what is there.
  @Test(arguments: [(4, 1), (5, 0), (6, 0)] as [(Int, Int32)])
  func aBoundIsExact(_ limit: Int, _ code: Int32) throws {
    let outcome = try call(#"{"metric": "stallCount", "of": "vlc", "max": {"<=": \#(limit)}}"#)
    #expect(outcome.code == code, "\(outcome.output)")
    #expect(outcome.output.contains("\nThresholds\n\(code == 0 ? "✓" : "✗") line 6  vlc: max of "))
    #expect(outcome.messages.contains("this threshold is crossed") == (code == 1))
  }

  @Test func whatIsCrossedIsToldAtItsPlace() throws {
    let outcome = try call(#"{"metric": "stallCount", "p95": {"<=": 1}}"#)
    #expect(outcome.code == 1)
    #expect(
      outcome.messages.hasPrefix(
        "$/x.json:6:4: error: this threshold is crossed: vlc: p95 of stallCount <= 1, is 5, in 1 "
          + "session\n"), "\(outcome.messages)")
    #expect(
      outcome.messages.contains(
        "note: look at it with: autowait run '$/x.json' --session 1\n"
          .replacing("'", with: "")), "\(outcome.messages)")
    #expect(outcome.output.contains("✓ line 6  avfoundation: p95 of stallCount <= 1, is 0, in 1"))
  }

  @Test func aWarningFailsNothing() throws {
    let outcome = try call(
      #"{"metric": "stallCount", "level": "warn", "mean": {"<": 1}, "about": "why"}"#)
    #expect(outcome.code == 0)
    #expect(outcome.messages.contains("$/x.json:6:4: warning: this threshold is crossed: vlc"))
    #expect(outcome.output.contains("! line 6  vlc: mean of stallCount < 1, is 5"))
  }

  /// What can never be judged is not within its bounds.
  @Test(arguments: [
    (
      #"{"metric": "variantSwitchCount", "of": "vlc", "max": {"<=": 1}}"#,
      "'variantSwitchCount' was not measured in its only session"
    ),
    (
      #"{"metric": "stallCount", "max": {"<=": 1}, "where": {"seed": 77}}"#,
      "it selects no session that was run"
    ),
    (
      #"{"metric": "stallCount", "of": "avfoundation", "difference": {"<=": "5 %"}}"#,
      "there is no contestant but the baseline itself"
    ),
    (
      #"{"metric": "stallCount", "difference": {"<=": "5 %"}, "to": "saved"}"#,
      "no saved baseline is given: --baseline FILE"
    ),
  ])
  func whatCannotBeJudgedFails(_ threshold: String, _ reason: String) throws {
    let outcome = try call(threshold)
    #expect(outcome.code == 1)
    #expect(outcome.messages.contains("this threshold cannot be judged: "))
    #expect(outcome.messages.contains(reason), "\(outcome.messages)")
    #expect(outcome.output.contains("✗ line 6"))
  }

  /// A rule that never starts has no stalls, which is no merit.
  @Test func aPlayerThatNeverPlaysIsNoGoodOne() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(
        """
        {"metric": "stallCount", "max": {"<=": 0}}, {"metric": "rebufferRatio", "max": {"<=": 0.1}},
        {"metric": "timeSpentInInitialStartup", "p95": {"<=": "9 s"}},
        {"outcome": "neverStarted", "share": {"<=": "0 %"}}
        """, vary: #""vary": {"link": ["demo/slow-server"]}"#
      ).replacing(#", {"at": 0, "do": "play"}"#, with: "")
    ])
    let outcome = fixture.call("compare", "$/x.json")
    #expect(outcome.code == 1)
    #expect(outcome.messages.contains("nothing played in its only session"))
    #expect(outcome.messages.contains("'rebufferRatio' was not measured in its only session"))
    #expect(
      outcome.messages.contains("'timeSpentInInitialStartup' was not measured in its only session"))
    #expect(
      outcome.messages.contains("share of sessions with outcome neverStarted <= 0 %, is 100 %"))
  }

  /// An interval that only begins beyond the bound is doubtful; the mean may decide.
  @Test func anIntervalDecides() throws {
    let vary = """
      "vary": {"heuristic": ["avfoundation", "vlc"],
        "link": ["demo/slow-server", "demo/fast", "nlc/3g", "nlc/wifi"]}
      """
    let doubtful = try call(
      #"{"metric": "stallCount", "difference": {"<=": 1}}"#, vary: vary)
    #expect(doubtful.code == 0)
    #expect(doubtful.output.contains("? line 7  vlc: mean difference of stallCount to the base"))
    #expect(doubtful.messages.contains("warning: this threshold may be crossed"))
    let decided = try call(
      #"{"metric": "stallCount", "difference": {"<=": 1}, "decides": "mean"}"#, vary: vary)
    #expect(decided.code == 1)
  }

  // MARK: Shards, and other outputs

  @Test func shardsAreJudgedWhenTheyAreMerged() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(#"{"metric": "stallCount", "p95": {"<=": 1}}"#)
    ])
    let whole = fixture.call("compare", "$/x.json")
    #expect(whole.code == 1)
    for shard in 1...3 {
      let part = fixture.call("compare", "$/x.json", "--shard", "\(shard)/3", "--out", "$/shards")
      #expect(part.code == 0)
      #expect(!part.messages.contains("threshold"))
    }
    let merged = fixture.call("merge", "$/shards")
    #expect(merged.code == 1)
    #expect(merged.output == whole.output)
    #expect(merged.messages == whole.messages)
  }

  @Test func otherOutputsHaveThem() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(#"{"metric": "stallCount", "max": {"<=": 1}}"#, vary: Self.slow)
    ])
    let markdown = fixture.call("compare", "$/x.json", "--markdown", "--html", "$/x.html")
    #expect(
      markdown.output.contains(
        "### Thresholds\n\n- ✓ avfoundation: max of stallCount \\<= 1, is 0, in 1 session"),
      "\(markdown.output)")
    let page = try fixture.read("x.html")
    #expect(page.contains("vlc: max of stallCount &lt;= 1 (line 6)"))
    #expect(fixture.call("compare", "$/x.json", "--csv").code == 1)
  }

  // MARK: Mistakes

  @Test(arguments: [
    (
      #"{"metric": "stallCont", "max": {"<=": 1}}"#,
      ["'metric' has the unknown value 'stallCont'", "did you mean 'stallCount'?"]
    ),
    (
      #"{"metric": "stallCount", "of": "vcl", "max": {"<=": 1}}"#,
      ["there is no contestant 'vcl'", "did you mean 'vlc'?"]
    ),
    (
      #"{"metric": "stallCount", "p100": {"<=": 1}}"#,
      ["x.json:6:29: error: 'p100' is not a percentile", "percentiles are 'p0.1' to 'p99.9'"]
    ),
    (#"{"metric": "stallCount", "p095": {"<=": 1}}"#, ["'p095' is not a percentile"]),
    (#"{"metric": "stallCount", "p95.0": {"<=": 1}}"#, ["'p95.0' is not a percentile"]),
    (#"{"metric": "stallCount", "p9.55": {"<=": 1}}"#, ["'p9.55' is not a percentile"]),
    (#"{"metric": "stallCount", "p0": {"<=": 1}}"#, ["'p0' is not a percentile"]),
    (#"{"metric": "stallCount", "pq": {"<=": 1}}"#, ["unknown key 'pq'"]),
    (
      #"{"metric": "stallCount", "p95": {"<=": 1}, "p95": {"<=": 2}}"#, ["duplicate key 'p95'"]
    ),
    (
      #"{"metric": "stallCount", "max": {"<=": 1}, "where": {"link": "demo/slow-servr"}}"#,
      ["'link' is never 'demo/slow-servr'", "did you mean 'demo/slow-server'?"]
    ),
    (
      #"{"metric": "stallCount", "max": {"<=": 1}, "where": {"lnk": "x"}}"#,
      ["no world differs in 'lnk'", "did you mean 'link'?"]
    ),
    (#"{"metric": "stallCount"}"#, ["a threshold needs what the sessions amount to"]),
    (
      #"{"metric": "stallCount", "<=": 1}"#, ["a comparison of a single session belongs to 'share'"]
    ),
    (
      #"{"metric": "stallCount", "share": {"<=": 1}}"#,
      ["'share' needs a comparison next to it"]
    ),
    (#"{"metric": "stallCount", "max": {}}"#, ["a bound needs a comparison"]),
    (#"{"metric": "stallCount", "max": {"<=": "1 s"}}"#, ["'<=' must be a whole number"]),
    (
      #"{"metric": "stallCount", "difference": {"<=": "x %"}}"#,
      ["'<=' must be a percentage such as \"5 %\""]
    ),
    (
      #"{"metric": "stallCount", "difference": {"<=": "5 %", ">=": -1}}"#,
      ["the bounds of a difference are either all in percent or none"]
    ),
    (
      #"{"metric": "stallCount", "max": {"<=": 1}, "to": "saved"}"#,
      ["'to' belongs to 'difference'"]
    ),
    (#"{"outcome": "neverStarted", "max": {"<=": 1}}"#, ["unknown key 'max'"]),
    (
      #"{"outcome": "neverStartd", "share": {"<=": 1}}"#,
      ["'outcome' has the unknown value 'neverStartd'", "did you mean 'neverStarted'?"]
    ),
    (#"{"metric": "stallCount", "max": {"<": 1, ">": 1}}"#, ["warning: this can never hold"]),
  ])
  func mistakesAreTold(_ threshold: String, _ messages: [String]) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment(threshold, vary: Self.slow)])
    let outcome = fixture.call("check", "$/x.json")
    for message in messages {
      #expect((outcome.output + outcome.messages).contains(message), "\(outcome.messages)")
    }
    #expect(outcome.code == (messages[0].hasPrefix("warning") ? 0 : 2))
  }
}
