import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// Rules that are programs, in experiments: who starts them, and what they are held against.
@Suite struct ProgramTests {
  /// What was done with programs.
  private final class Journal {
    var starts: [[String]] = []
    var ends = 0
    var questions = 0
  }

  /// Files in memory, and programs that answer as a rule in Swift does.
  private static func files(
    _ journal: Journal, _ files: [String: String] = [:],
    answer: @escaping (RuleQuestion) throws(RuleFailure) -> RuleAnswer
  ) -> ExperimentFiles {
    let inner = ExperimentFixture.files(files.merging(["rule": "a rule"]) { own, _ in own })
    return ExperimentFiles(loader: inner.loader, list: inner.list) { programs, bases in
      journal.starts.append(bases)
      return .success(
        StartedPrograms(
          ask: { question throws(RuleFailure) in
            journal.questions += 1
            return try answer(question)
          }, end: { journal.ends += 1 }))
    }
  }

  private static func twoSeconds(_ question: RuleQuestion) -> RuleAnswer {
    RuleAnswer(
      isLikelyToKeepUp: question.loadedEnd - question.currentTime >= .seconds(2),
      askAgainAfter: .milliseconds(50))
  }

  /// Each session has programs of its own, and ends them.
  @Test func aSessionStartsItsOwn() throws {
    let journal = Journal()
    let files = Self.files(journal) { Self.twoSeconds($0) }
    let text = ExperimentFixture.experiment(
      #""heuristic": ["mpv", {"program": ["rule"]}], "link": "demo/*", "seed": 2"#)
    let plan = try ExperimentFixture.plan(text, files: files)
    #expect(plan.contestantNames == ["mpv", "rule"])
    let rows = ExperimentFixture.rows(plan, files: files)
    #expect(rows.allSatisfy { $0.problem == nil })
    // Two links under two seeds.
    #expect(journal.starts == Array(repeating: ["x.json"], count: 4))
    #expect(journal.ends == 4)
    let slow = rows.first { $0.stallCount == 2 }
    #expect(slow?.startup == 2_350_000_000)
    #expect(slow?.stalled == 4_700_000_000)
  }

  /// What is expected is held against the same run that the row is made of.
  @Test func expectationsTakeNoOtherRun() throws {
    let journal = Journal()
    let files = Self.files(journal) { Self.twoSeconds($0) }
    let vary = #""heuristic": ["mpv", {"program": ["rule"]}], "link": "demo/*", "seed": 2"#
    let plain = try ExperimentFixture.plan(ExperimentFixture.experiment(vary), files: files)
    let rows = ExperimentFixture.rows(plain, files: files)
    for expect in [
      #"{"metric": "stallCount", "==": 0}"#, #"{"never": {"event": "playbackStalled"}}"#,
      #"{"always": {"stallCount": 0}}"#, #"{"at": "4 s", "stallCount": 9}"#,
    ] {
      journal.starts = []
      let base = ExperimentFixture.base.dropLast() + ", \"expect\": [\(expect)]}"
      let text = ExperimentFixture.experiment(vary, base: String(base))
      let plan = try ExperimentFixture.plan(text, files: files)
      let judged = ExperimentFixture.rows(plan, files: files)
      // Three links under two seeds.
      #expect(journal.starts.count == 6)
      #expect(zip(judged, rows).allSatisfy { $0.fingerprint == $1.fingerprint })
      #expect(zip(judged, rows).allSatisfy { $0.isSame(as: $1) && $0.yardstick == $1.yardstick })
      #expect(judged.contains { !$0.missed.isEmpty })
    }
  }

  /// Streams choose alike, whether something is expected or not, and whatever that looks at.
  @Test func expectationsChangeNoRowOfAStream() throws {
    let media =
      #"{"kind": "hls", "duration": "24 s", "variants": [{"bandwidth": "1 Mbit/s"}, "#
      + #"{"bandwidth": "3 Mbit/s"}]}"#
    func rows(_ more: String) throws -> [SessionRow] {
      let base = """
        {"media": \(media), "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]\(more)}
        """
      let text = ExperimentFixture.experiment(
        #""heuristic": ["avfoundation", "media3"], "link": ["nlc/3g", "nlc/wifi"]"#, base: base)
      return ExperimentFixture.rows(try ExperimentFixture.plan(text))
    }
    let plain = try rows("")
    #expect(plain.allSatisfy { $0.qualitySum != nil })
    for expect in [
      #"{"metric": "stallCount", "==": 9}"#, #"{"eventually": {"event": "playbackStalled"}}"#,
      #"{"at": "4 s", "stallCount": 9}"#,
    ] {
      var judged = try rows(#", "expect": [\#(expect)]"#)
      #expect(judged.contains { !$0.missed.isEmpty })
      for index in judged.indices { judged[index].missed = [] }
      #expect(judged == plain)
    }
  }

  /// A rule has no part in the best that was possible, in whatever buffer.
  @Test(arguments: ["unlimited", "ownBuffer"])
  func theYardstickIsThatOfOtherRules(_ kind: String) throws {
    let files = Self.files(Journal()) { Self.twoSeconds($0) }
    let limit = #""forwardBufferLimit": "8 s""#
    let text = ExperimentFixture.experiment(
      "\"heuristic\": [{\"rule\": \"buffered\", \"start\": \"2 s\", \(limit)}, "
        + "{\"program\": [\"rule\"], \(limit)}], \"link\": [\"demo/slow-server\", \"demo/fast\"]",
      more: ", \"yardstick\": \"\(kind)\"")
    let plan = try ExperimentFixture.plan(text, files: files)
    let rows = ExperimentFixture.rows(plan, files: files)
    for unit in 0..<plan.unitCount {
      #expect(rows[unit * 2].yardstick == rows[unit * 2 + 1].yardstick)
    }
    #expect((rows.last?.yardstick ?? -1) >= 0)
  }

  /// A failure ends its session and no other.
  @Test func aFailureIsTheSessionsOwn() throws {
    let journal = Journal()
    let files = Self.files(journal) { question throws(RuleFailure) in
      if journal.starts.count == 2 {
        throw RuleFailure("it is tired", notes: ["it wrote 'z'"], player: 0)
      }
      return Self.twoSeconds(question)
    }
    let text = ExperimentFixture.experiment(
      #""heuristic": {"program": ["rule"]}, "link": "demo/slow-server", "seed": 3"#)
    let rows = ExperimentFixture.rows(try ExperimentFixture.plan(text, files: files), files: files)
    #expect(rows.map(\.problem) == [nil, "it is tired; it wrote 'z'", nil])
    #expect(rows.map(\.outcome) == [.ended, .error, .ended])
    #expect(rows[0].isSame(as: rows[2]))
    #expect(journal.ends == 3)
  }

  /// Where nobody starts programs, a rule cannot be one.
  @Test func somebodyHasToStartThem() {
    let text = ExperimentFixture.experiment(#""heuristic": {"program": ["rule"]}"#)
    let (plan, findings) = ExperimentReader.read(
      SourceText(path: "x.json", text: text), files: ExperimentFixture.files(["rule": ""]))
    #expect(plan == nil)
    #expect(
      findings.map(\.message)
        == ["a rule that is a program cannot be started here"])
  }

  /// A path in the base is one from the base, however the scenario was put together.
  @Test func programsAreNamedByTheirFile() throws {
    let journal = Journal()
    let base = ExperimentFixture.base.replacing(
      "\"seed\": 1", with: #""heuristic": {"program": ["own"]}"#)
    let files = Self.files(journal, ["base.json": base, "own": "another"]) { Self.twoSeconds($0) }
    let text = #"""
      {"experiment": 1, "base": "base.json",
        "vary": {"heuristic.program": [["rule", "-a"]], "link": "demo/slow-server"}}
      """#
    let plan = try ExperimentFixture.plan(text, files: files)
    #expect(plan.contestantNames == ["program rule -a"])
    _ = ExperimentFixture.rows(plan, files: files)
    let plain = try ExperimentFixture.plan(#"{"experiment": 1, "base": "base.json"}"#, files: files)
    _ = ExperimentFixture.rows(plain, files: files)
    #expect(journal.starts == [["x.json"], ["base.json"]])
  }
}
