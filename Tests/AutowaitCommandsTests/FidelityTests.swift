import Autowait
import AutowaitFidelity
import AutowaitRendering
import AutowaitScenario
import Foundation
import Testing

/// Recordings that are written by hand, played again and judged.
@Suite struct FidelityTests {
  private static func report(
    _ recordings: RecordedSession..., about: String? = nil, andThen other: String? = nil,
    map: String = RecordedSession.map
  ) -> FidelityReport {
    let reader = RecordingReader { path throws(RecordingProblem) in
      switch path {
      case "media/clip.map.json": return Array(map.utf8)
      case "cases/0.json": return Array((about ?? "").utf8)
      case "cases/1.json": return Array((other ?? about ?? "").utf8)
      default: return Array(recordings[Int(path) ?? 0].text.utf8)
      }
    }
    var report = FidelityReport()
    for number in recordings.indices {
      do throws(RecordingProblem) {
        report.add(
          try reader.recording(
            "\(number)", casePath: about == nil ? nil : "cases/\(number).json"))
      } catch {
        report.note(error)
      }
    }
    return report
  }

  /// What was worked out by hand is what is simulated, over the rates and over the arrivals.
  @Test func aSessionIsMet() throws {
    let report = Self.report(RecordedSession())
    let row = try #require(report.rows.first)
    #expect(row.recording.standard.kind == .streams)
    #expect(row.attempts.count == 3)
    for column in [RecordingScenario.Column.planned, .arrivals] {
      let attempt = try #require(row.attempts[column])
      #expect(attempt.verdict.isTrue, "\(attempt.verdict.misses)")
      let requests = try #require(attempt.requests)
      #expect(requests.pairs.count == 4 && requests.invented.isEmpty)
      #expect(requests.asked == Score(met: 4, count: 4))
      #expect(requests.done == Score(met: 4, count: 4))
      // The first two are nearer to each other than the 50 ms from which on their order counts.
      #expect(requests.order == Score(met: 1, count: 1))
    }
    let outcome = try #require(row.judged).session.outcome
    #expect(outcome.startup == .start + .milliseconds(2_194))
    #expect(outcome.end == .start + .milliseconds(10_194))
    // Who begins with the first frame begins when the first segment is there, too.
    #expect(row.attempts[.naive]?.session.outcome.startup == .start + .milliseconds(2_020))
    #expect(report.score { _ in true } == Score(met: 1, count: 1))
  }

  /// Each figure that is beyond its tolerance is told, with its sign.
  @Test func whatIsWrongIsTold() throws {
    func misses(_ change: (inout RecordedSession) -> Void) throws -> [String] {
      var session = RecordedSession()
      change(&session)
      let verdict = try #require(Self.report(session).rows.first?.judged?.verdict)
      return verdict.misses.map { "\($0.what) \($0.difference / 1_000_000)" }
    }
    #expect(try misses { $0.startup = "2.394" }.isEmpty)
    #expect(try misses { $0.startup = "2.395" } == ["the startup -201"])
    #expect(try misses { $0.startup = "1.9" } == ["the startup 294"])
    #expect(try misses { $0.stalls = "[{\"start\": 5, \"end\": 6}]" } == ["stalls 0"])
    #expect(try misses { $0.startup = "null" } == ["the startup 0"])
  }

  /// Requests in another order, and some that are missing or too many.
  @Test func requestsAreCompared() throws {
    var session = RecordedSession()
    session.first = ("0.0", "1.0")
    session.more = #", {"path": "/x.vtt", "t_req": 5, "t_done": 5, "acked": 1}"#
    var requests = try #require(Self.report(session).rows.first?.judged?.requests)
    // What the medium does not have is left out.
    #expect(requests.pairs.count == 4 && requests.done == Score(met: 3, count: 4))
    session.more = #", {"path": "/seg_0_001.m4s", "t_req": 5, "t_done": 6, "acked": 1}"#
    requests = try #require(Self.report(session).rows.first?.judged?.requests)
    #expect(requests.pairs.last?.simulated == nil)
    #expect(requests.asked == Score(met: 4, count: 5) && requests.order == Score(met: 1, count: 2))
  }

  /// Two requests that a player makes at the same instant have an order, too.
  @Test(arguments: [(["001", "002"], 3), (["002", "001"], 2)])
  func requestsMadeTogetherAreInOrder(_ segments: [String], _ met: Int) throws {
    func requests(_ segments: [String], at instants: [Double]) throws -> [RecordedRequest] {
      var session = RecordedSession()
      for (segment, instant) in zip(segments, instants) {
        session.more += """
          , {"path": "/seg_0_\(segment).m4s", "t_req": \(instant), "t_done": 6, "acked": 1}
          """
      }
      return try #require(Self.report(session).rows.first).recording.requests
    }
    let together = try requests(["001", "002"], at: [5, 5])
    let comparison = RequestComparison(
      together.compactMap { ReplayedSession.Request($0) },
      against: try requests(segments, at: [5, 5.2]), way: .zero)
    #expect(comparison.order == Score(met: met, count: 3))
  }

  /// A response is over when the next thing is asked for on its connection, though its server looks
  /// for the last acknowledgement later.
  @Test func requestsThatFollowSayWhenAResponseWasOver() throws {
    func ends(_ connections: (Int, Int), asked: String = "5.1") throws -> [Int64?] {
      var session = RecordedSession()
      session.more = """
        , {"path": "/seg_0_001.m4s", "t_req": 5, "t_first": 5.05, "t_done": 6, "acked": 1,
           "conn": \(connections.0)},
        {"path": "/seg_0_002.m4s", "t_req": \(asked), "t_done": 7, "acked": 1,
           "conn": \(connections.1)}
        """
      let recording = try #require(Self.report(session).rows.first).recording
      return recording.requests.suffix(2).map { request in
        request.ended.map { ($0 - .start).nanoseconds / 1_000_000 }
      }
    }
    #expect(try ends((1, 1)) == [5_100, 7_000])
    #expect(try ends((1, 2)) == [6_000, 7_000])
    // Two at once on one connection are not one after the other.
    #expect(try ends((1, 1), asked: "5.01") == [6_000, 7_000])
    #expect(try ends((1, 1), asked: "6.5") == [6_000, 7_000])
  }

  /// A case says the class, the tolerances, and what was seen without what only seemed so.
  @Test func aCaseCounts() throws {
    let about = #"""
      {"class": "A", "tolerance": {"startup_s": 0.5}, "media": {"variants": [0, 0]},
       "observed": {"startup_s": 2.6, "stalls": [], "finished_s": 10,
         "picture_freezes": [[3, 4, 1.0]]}}
      """#
    let report = Self.report(RecordedSession(), about: about)
    #expect(try #require(report.rows.first?.judged).verdict.isTrue)
    #expect(report.freezes { _ in true }.found == Score(met: 0, count: 1))
  }

  /// One repeat is held against another as a simulation is: a freeze is found if it is within half
  /// a second, and what has no place there is invented.
  @Test(
    arguments: [
      ("[[3, 4, 1.0]]", "[[3.5, 4.5, 1.0]]", (1, 1, 0)),
      ("[[3, 4, 1.0]]", "[[3.51, 4.51, 1.0]]", (0, 1, 1)),
      ("[[3, 4, 1.0], [6, 7, 1.0]]", "[[6, 7, 1.0]]", (1, 1, 1)),
      ("[[3, 4, 1.0], [6, 7, 1.0]]", "[]", (0, 0, 2)),
      ("[]", "[[3, 4, 1.0], [6, 7, 1.0]]", (0, 2, 0)),
    ] as [(String, String, (Int, Int, Int))])
  func repeatsAreHeldAgainstEachOther(_ one: String, _ other: String, _ expected: (Int, Int, Int)) {
    func about(_ freezes: String) -> String {
      #"{"class": "A", "observed": {"startup_s": 2.2, "stalls": [], "finished_s": 10.2, "#
        + #""picture_freezes": \#(freezes)}}"#
    }
    let report = Self.report(
      RecordedSession(), RecordedSession(), about: about(one), andThen: about(other))
    #expect(report.rows.count == 2)
    let freezes = report.freezeCeiling { _ in true }
    #expect(freezes.found == Score(met: expected.0, count: expected.1))
    #expect(freezes.invented == expected.2)
  }

  /// Where no case says which pictures froze, none is missed and none invented.
  @Test(arguments: [true, false]) func freezesMayBeUnknown(_ hasCase: Bool) throws {
    let about = #"{"class": "A", "observed": {"startup_s": 2.2, "stalls": [], "finished_s": 10.2}}"#
    let report = Self.report(RecordedSession(), about: hasCase ? about : nil)
    let row = try #require(report.rows.first)
    #expect(row.recording.outcome.freezes == (hasCase ? [] : nil))
    #expect(row.judged?.session.outcome.freezes == [])
    let object = String(decoding: FidelityJSON.line(row), as: UTF8.self)
    let recorded = object.firstRange(of: "predictions").map { object[..<$0.lowerBound] }
    #expect(recorded?.contains("pictureFreezes") == hasCase)
    let freezes = report.freezes { _ in true }
    #expect(freezes.found == Score() && freezes.invented == 0)
  }

  /// Behind an outage players go on when a sender tries again, each run at another instant: after
  /// the link is back, and when what was missing has come.
  @Test func playersGoOnAfterOutages() throws {
    var session = RecordedSession()
    (session.schedule, session.end) = (
      "[[0, 800000, 836000], [3, 1000, 1045], [11, 800000, 836000]]", "18.3"
    )
    session.stalls = #"[{"start": 6.194, "end": 12.3}]"#
    let report = Self.report(session)
    let outage = try #require(report.outages.first?.outage)
    #expect(outage.recorded == .start + .milliseconds(12_300))
    // Pictures are held against those that freeze over what arrived.
    let row = try #require(report.rows.first)
    #expect(row.column == .planned)
    #expect(row.frozen?.session.requests == row.attempts[.arrivals]?.session.requests)
    #expect(row.frozen?.session.requests != row.judged?.session.requests)
    #expect(outage.simulated.count == OutageRange.runs)
    let (first, last) = (try #require(outage.simulated.first), try #require(outage.simulated.last))
    // Half of the second segment is missing, which takes a second. A timeout that was measured over
    // the outage may take tens of seconds.
    #expect(first > .start + .milliseconds(11_500) && last < .start + .seconds(60))
    #expect(outage.width == last - first && Set(outage.simulated).count > 1)
    #expect(outage.holds == (first <= outage.recorded && outage.recorded <= last))
    let text = FidelityRendering.text(
      report, .tables, style: TextStyle(width: 80, usesColor: false))
    #expect(text.contains("on again after an outage"), "\(text)")
    let page = String(decoding: FidelityPage.html(report), as: UTF8.self)
    #expect(page.contains("on again after an outage") && page.contains("50 runs"))
    let totals = String(decoding: FidelityJSON.totals(report), as: UTF8.self)
    #expect(totals.contains(#""onAfterOutage":{"met":\#(outage.holds ? 1 : 0),"of":1}"#))
    // Without an outage, or a stall that lasts through it, there is nothing to tell.
    session.stalls = "[]"
    #expect(Self.report(session, RecordedSession()).outages.isEmpty)
  }

  /// A repeat is judged against the other, and a busy machine does not count.
  @Test func repeatsAreTheCeiling() {
    var (late, very) = (RecordedSession(), RecordedSession())
    (late.startup, very.startup) = ("2.3", "2.9")
    let report = Self.report(RecordedSession(), late, very)
    #expect(report.ceiling { _ in true } == Score(met: 1, count: 3))
  }

  /// Where a player chooses by itself its variants are compared: the first rate is too low for the
  /// second variant, the next one is not.
  @Test func variantsThatAreChosenAreCompared() throws {
    var session = RecordedSession()
    session.schedule = "[[0, 8000000, 8360000]]"
    let about = #"""
      {"class": "A", "media": {"variants": [0, 1]},
       "observed": {"startup_s": 0.3, "stalls": [], "finished_s": 8}}
      """#
    let report = Self.report(session, about: about, map: RecordedSession.ladder)
    let row = try #require(report.rows.first)
    #expect(row.attempts[.adapting] != nil)
    #expect(report.variants { _ in true } == Score(met: 2, count: 2))
    // A medium with one variant offers nothing to choose.
    #expect(Self.report(session).variants { _ in true }.count == 0)
  }

  /// A repeat whose requests are late is a ceiling for requests.
  @Test func repeatsAreTheCeilingOfRequests() throws {
    var late = RecordedSession()
    late.first = ("0.0", "0.3")
    let ceiling = Self.report(RecordedSession(), late).requestCeiling { _ in true }
    #expect(ceiling.asked == Score(met: 4, count: 4))
    #expect(ceiling.done == Score(met: 3, count: 4))
  }

  /// Each player counts as often as it asks, and one without a repeat as if it were perfect.
  @Test func repeatsBoundTheRequestsOfTheirPlayer() throws {
    var (late, other) = (RecordedSession(), RecordedSession())
    late.first = ("0.0", "0.3")
    other.player = "dashjs"
    let report = Self.report(RecordedSession(), late, other)
    let made = report.requests { _ in true }
    #expect(made.asked.count == 12)
    let bound = report.requestBound { _ in true }
    #expect(bound.asked == Score(met: 12, count: 12))
    // Of the player that was recorded twice three in four, of the other all.
    #expect(bound.done == Score(met: 10, count: 12))
    let lines = FidelityRendering.text(
      report, .tables, style: TextStyle(width: 100, usesColor: false)
    )
    .split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("at most ") && $0.hasSuffix(" 10/12") })
    #expect(
      !FidelityRendering.text(
        Self.report(other), .tables, style: TextStyle(width: 100, usesColor: false)
      )
      .contains("at most"))
  }

  /// A table without a row is left out, on a terminal and on a page: requests are those of class A.
  @Test(arguments: ["A", "C"]) func emptyTablesAreLeftOut(_ kind: String) {
    let observed = #"{"startup_s": 2.2, "stalls": [], "finished_s": 10.2}"#
    let report = Self.report(
      RecordedSession(), about: #"{"class": "\#(kind)", "observed": \#(observed)}"#)
    let text = FidelityRendering.text(
      report, .tables, style: TextStyle(width: 80, usesColor: false))
    let page = String(decoding: FidelityPage.html(report), as: UTF8.self)
    #expect(text.contains("requests of class A") == (kind == "A"))
    #expect(page.contains("requests of class A") == (kind == "A"))
  }

  /// What recordings say of a heuristic that it does not have by itself, with how many there are.
  @Test func measuredValuesAreListed() throws {
    #expect(
      RecordedPlayer.measured("hls.js").first
        == "latency.preroll 0.104 s, tail 0.107 s, latency.opening 0.07 s in 11 sessions of "
        + "streams (player 'hlsjs')")
    #expect(
      RecordedPlayer.measured("shaka") == [
        "tail 0.107 s in 8 sessions of streams (player 'shaka')"
      ])
    #expect(RecordedPlayer.measured("media3").isEmpty)
    let fixture = try CommandFixture()
    #expect(
      fixture.call("list", "heuristics", "shaka").output
        .contains("measured  tail 0.107 s in 8 sessions of streams (player 'shaka')\n"))
  }

  /// Numbers are chosen without a shape, and tried on it.
  @Test func measuredNumbersAreTriedElsewhere() throws {
    var (fast, slow) = (RecordedSession(), RecordedSession())
    (fast.shape, slow.shape) = ("fast", "slow")
    // On one shape the player takes 0.216 s from its segment to its clock, of which 0.146 s are
    // 140 % of what is in use; on the other one it takes what is in use.
    (fast.startup, fast.end) = ("2.236", "10.236")
    let trial = LeaveOneOut(Self.report(fast, slow))
    let group = try #require(trial.groups.first)
    #expect(trial.groups.count == 1 && group.player == "hlsjs" && group.isStream)
    #expect(group.inUse == Score(met: 2, count: 2))
    #expect(group.choices.map(\.shape) == ["fast", "slow"])
    let prerolls = group.choices.map { choice in
      choice.constants.first { $0.key == "preroll" }?.value ?? 0
    }
    #expect(prerolls == [104_000_000, 145_600_000])
    #expect(group.leftOut == Score(met: 2, count: 2))
    let text = FidelityRendering.text(
      trial, style: TextStyle(width: 80, usesColor: false))
    #expect(text.contains("hlsjs, streams  preroll"), "\(text)")
    #expect(text.contains("0.10 s  0.10 – 0.15 s    2/2     2/2"), "\(text)")
    // One shape tells nothing of others.
    #expect(LeaveOneOut(Self.report(slow, slow)).groups.isEmpty)
  }

  /// Bad recordings are told with their places, and the others are compared all the same.
  @Test func badRecordingsAreTold() {
    func told(_ change: (inout RecordedSession) -> Void) -> String {
      var session = RecordedSession()
      change(&session)
      let report = Self.report(session, RecordedSession())
      #expect(report.rows.count == 1 && report.problems.count == 1)
      return report.problems.first?.description ?? ""
    }
    #expect(
      told { $0.schema = "player-timeline/2" }
        == "0:1:12: is another version of the format; this tool reads 'player-timeline/1'")
    #expect(
      told { $0.schedule = "[[0, 1000, 1], [5, 2000, 2], [4, 1000, 1]]" }
        .hasSuffix("is a time before that of the row above"))
    #expect(told { $0.schedule = "[[1, 1000, 1]]" }.hasSuffix("has no rate at 0"))
    #expect(
      told { $0.first = ("0.015", "0.02") }.hasSuffix("was asked for before the request above"))
    #expect(told { $0.first = ("0.005", "0.004") }.hasSuffix("is over before it was asked for"))
    #expect(
      told { $0.stalls = "[[5, 4]]" }.hasSuffix("is a time before that of the start"))
    #expect(
      told {
        $0.more = ""; $0.startup = "2.1}"
      }.contains("is not JSON"))
  }

  /// What cannot have been is told though each number could be.
  @Test(arguments: [
    (#", "t_first": 4.9, "t_done": 6"#, "is a time before the request was made"),
    (#", "t_first": 6.1, "t_done": 6"#, "is a time after the request was over"),
    (#", "t_first": 6.1, "aborted": true, "t_abort": 6"#, "is a time after the request was over"),
    (#", "t_first": 5.1"#, "has no 't_done', and was not aborted"),
    (#", "t_done": null"#, "has no 't_done', and was not aborted"),
    // The clocks of a recording are rounded.
    (#", "t_first": 4.9995, "t_done": 6"#, ""), (#", "t_first": 6.0005, "t_done": 6"#, ""),
    // Nobody may know when what was given up was over.
    (#", "t_first": 5.5, "aborted": true"#, ""), (#", "aborted": true, "t_abort": 6"#, ""),
  ])
  func requestsThatCannotBeAreTold(_ members: String, _ problem: String) {
    var session = RecordedSession()
    session.more = #", {"path": "/seg_0_002.m4s", "t_req": 5, "acked": 9\#(members)}"#
    let told = Self.report(session).problems.first?.description ?? ""
    #expect(problem.isEmpty ? told.isEmpty : told.hasSuffix(": \(problem)"), "\(told)")
  }

  /// A request is still under way when a recording is cut off, unless others follow it on its
  /// connection, or of its list; one that brought nothing may stay open.
  @Test(arguments: [
    (#", "conn": 1"#, #", "conn": 2"#, false), (#", "conn": 1"#, #", "conn": 1"#, true),
    ("", "", true),
  ])
  func requestsMayBeUnderWay(_ one: String, _ other: String, _ isTold: Bool) {
    var session = RecordedSession()
    session.end = "null"
    session.more = #", {"path": "/seg_0_002.m4s", "t_req": 5, "acked": 9\#(one)}"#
    #expect(Self.report(session).problems.isEmpty)
    session.more += #", {"path": "/seg_0_002.m4s", "t_req": 6, "acked": 0\#(other)}"#
    let told = Self.report(session).problems.first?.description ?? ""
    #expect(
      isTold ? told.hasSuffix("has no 't_done', but others were made after it") : told.isEmpty,
      "\(told)")
  }

  @Test func timesThatCannotBeAreTold() {
    func told(_ change: (inout RecordedSession) -> Void) -> String {
      var session = RecordedSession()
      change(&session)
      return Self.report(session).problems.first?.reason ?? ""
    }
    #expect(
      told { $0.curve = "[[0, 10], [5, 100], [4, 200]]" }
        == "is a time before that of the row above")
    #expect(
      told { $0.curve = "[[0, 10], [5, 100], [6, 50]]" }
        == "is less than what had arrived in the row above")
    #expect(
      told { $0.stalls = "[[5, 8], [6, 9]]" } == "is a time before the end of the row above")
    #expect(told { $0.stalls = "[[1, 2]]" } == "begin before the startup")
    #expect(told { $0.end = "2.1" } == "is a time before that of the startup")
    #expect(
      told { $0.samples = "[[0, 0, 0], [1, 1, 1], [2, 0.8, 2]]" }
        == "is a position before that of the row above, without a seek")
    #expect(told { $0.samples = "[[0, 0, 0], [1, 1, 1], [2, 0.9, 2]]" }.isEmpty)
  }

  /// A recording that somebody stopped is played as far as it goes, with a summary or without.
  @Test func whatIsStoppedIsPlayedAsFarAsItGoes() throws {
    var session = RecordedSession()
    session.end = "null"
    let row = try #require(Self.report(session).rows.first)
    #expect(row.recording.cut == .start + .milliseconds(3_194))
    let attempt = try #require(row.judged)
    #expect(attempt.verdict.isTrue && attempt.session.outcome.end == nil)
    #expect(try #require(Self.report(RecordedSession()).rows.first).recording.cut == nil)
  }

  /// A recording that is cut off anywhere is told, and nothing crashes.
  @Test func whatIsCutOffIsTold() {
    let text = RecordedSession().text
    for length in stride(from: 0, to: text.utf8.count - 1, by: 7) {
      let reader = RecordingReader { path throws(RecordingProblem) in
        path.hasSuffix("map.json")
          ? Array(RecordedSession.map.utf8) : Array(text.utf8.prefix(length))
      }
      #expect(throws: RecordingProblem.self, "\(length)") {
        try reader.recording("a.json", casePath: nil)
      }
    }
  }

  @Test func requestsWithoutEndAreRefused() {
    var session = RecordedSession()
    let one = #", {"path": "/seg_0_002.m4s", "t_req": 5, "acked": 0}"#
    session.more = String(repeating: one, count: 100_001)
    let told = Self.report(session).problems.first?.description
    #expect(told?.hasSuffix("has more than 100000 requests") == true)
  }

  /// What a terminal shows, in its own width, and what the page holds.
  @Test func resultsAreRendered() throws {
    var late = RecordedSession()
    late.startup = "3.0"
    let report = Self.report(RecordedSession(), late)
    let style = TextStyle(width: 80, usesColor: false)
    let lines = FidelityRendering.text(report, .requests, style: style)
      .split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(
      lines.contains("✓  hlsjs__clip__slow__r1            A  2.19 / 2.19   0 / 0  0.00 / 0.00"))
    #expect(lines.contains("   the startup −0.81 s"))
    #expect(lines.contains("   segment 2/2 of v0          2.09 / 2.02  4.09 / 4.02"))
    #expect(lines.contains { $0.hasPrefix("hlsjs   1/2") })
    let page = String(decoding: FidelityPage.html(report), as: UTF8.self)
    #expect(page.contains("1 of 2 recordings are met") && page.contains("recorded"))
    let totals = String(decoding: FidelityJSON.totals(report), as: UTF8.self)
    #expect(totals.contains(#""recordings":{"met":1,"of":2},"classes":{"A":{"met":1,"of":2}"#))
    #expect(totals.contains(#""players":{"hlsjs":{"met":1,"of":2}},"#))
    #expect(totals.contains(#""asked":{"met":8,"of":8},"done":{"met":8,"of":8}"#))
    let object = String(decoding: FidelityJSON.line(try #require(report.rows.last)), as: UTF8.self)
    #expect(object.contains(#""misses":[{"what":"the startup","later":-0.806}]"#))
  }

  @Test func theCommandComparesAFolder() throws {
    let fixture = try CommandFixture()
    try fixture.write("r/timelines/good.json", RecordedSession().text)
    try fixture.write("r/timelines/cut.json", "{")
    try fixture.write("r/media/clip.map.json", RecordedSession.map)
    let both = fixture.call("fidelity", "$/r")
    #expect(both.code == 2 && both.output.contains("✓  hlsjs__clip__slow__r1"))
    #expect(both.messages.contains("$/r/timelines/cut.json:1:2: error: is not JSON"))
    let one = fixture.call("fidelity", "$/r", "--only", "good", "--html", "$/page.html")
    #expect(one.code == 0 && one.messages.isEmpty)
    #expect(try fixture.read("page.html").hasPrefix("<!DOCTYPE html>"))
    let none = fixture.call("fidelity", "$/r", "--only", "zonk")
    #expect(none.code == 4 && none.messages.contains("there is no recording in"))
    let file = fixture.call("fidelity", "$/r/timelines/good.json")
    #expect(file.code == 2 && file.messages.contains("takes the folder that it is in"))
    #expect(fixture.call("fidelity", "$/r", "--rules", "--brief").code == 2)
  }

  /// What is read is not written over, by whatever name it is called.
  @Test(arguments: ["r/timelines/good.json", "r/media/clip.map.json", "r/cases/good.json"])
  func whatIsReadIsNotWrittenOver(_ name: String) throws {
    let fixture = try CommandFixture()
    try fixture.write("r/timelines/good.json", RecordedSession().text)
    try fixture.write("r/media/clip.map.json", RecordedSession.map)
    let about = #"{"class": "A", "observed": {"startup_s": 2.2, "stalls": [], "finished_s": 10.2}}"#
    try fixture.write("r/cases/good.json", about)
    let before = try fixture.read(name)
    let call = fixture.call("fidelity", "$/r", "--html", "$/\(name)")
    #expect(call.code == 2 && call.output.isEmpty)
    #expect(
      call.messages == "autowait: error: '--html' is one of the files that are read, '$/\(name)'\n")
    #expect(try fixture.read(name) == before)
  }

  /// A folder of recordings may be put together of links.
  @Test func foldersMayBeLinks() throws {
    let fixture = try CommandFixture()
    try fixture.write("kept/timelines/good.json", RecordedSession().text)
    try fixture.write("r/media/clip.map.json", RecordedSession.map)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("r/timelines"), withDestinationPath: fixture.path("kept/timelines"))
    let call = fixture.call("fidelity", "$/r")
    #expect(call.code == 0 && call.output.contains("✓  hlsjs__clip__slow__r1"), "\(call)")
  }

  /// When a stall began, and when it was over, is expected as well, within what its class allows.
  @Test func stallsAreExpected() throws {
    let fixture = try CommandFixture()
    try fixture.write("r/media/clip.map.json", RecordedSession.map)
    var session = RecordedSession()
    session.schedule = "[[0, 800000, 836000], [3, 1000, 1045], [11, 800000, 836000]]"
    (session.stalls, session.end) = (#"[{"start": 6.194, "end": 12.3}]"#, "18.3")
    try fixture.write("r/timelines/a.json", session.text)
    let call = fixture.call("convert", "$/r/timelines/a.json", "--to", "scenario")
    let expected = [
      #"{"at":5.943999999,"stallCount":{"<=":0}}"#, #"{"at":6.444,"stallCount":{">=":1}}"#,
      #"{"at":9.299999999,"timebaseRate":0}"#, #"{"at":12.6,"timebaseRate":1}"#,
    ]
    #expect(call.code == 0 && expected.allSatisfy { call.output.contains($0) }, "\(call)")
    try fixture.write("s.json", call.output)
    let run = fixture.call("run", "$/s.json")
    #expect(run.output.contains("✓ line 1  at: 5.943999999, stallCount: {<= 0}"), "\(run)")
  }

  /// A recording as a scenario, which expects what was recorded, and is met.
  @Test func aRecordingBecomesAScenario() throws {
    let fixture = try CommandFixture()
    try fixture.write("r/timelines/a.json", RecordedSession().text)
    try fixture.write("r/media/clip.map.json", RecordedSession.map)
    let call = fixture.call(
      "convert", "$/r/timelines/a.json", "--to", "scenario", "--output", "$/s.json")
    #expect(call.code == 0 && call.messages.isEmpty, "\(call)")
    let scenario = try fixture.read("s.json")
    #expect(scenario.contains(#"{"metric":"firstPlayed",">=":1.994,"<=":2.394}"#), "\(scenario)")
    #expect(scenario.contains(#"{"metric":"stallCount",">=":0,"<=":0}"#))
    let run = fixture.call("run", "$/s.json", "--format", "json")
    #expect(run.code == 0 && run.messages.isEmpty, "\(run.messages)")
    // One that was recorded otherwise is not met.
    var late = RecordedSession()
    late.startup = "3.0"
    try fixture.write("r/timelines/a.json", late.text)
    fixture.call("convert", "$/r/timelines/a.json", "--to", "scenario", "--output", "$/s.json")
    #expect(fixture.call("run", "$/s.json").code == 1)
    try fixture.write("r/timelines/a.json", "{")
    let cut = fixture.call("convert", "$/r/timelines/a.json", "--to", "scenario")
    #expect(cut.code == 2 && cut.messages.contains("a.json:1:2: error: is not JSON"))
    #expect(
      fixture.call("convert", "a", "b", "--to", "scenario").messages
        .contains("one recording at a time"))
  }
}
