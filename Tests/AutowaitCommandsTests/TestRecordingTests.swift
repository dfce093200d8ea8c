import Foundation
import Testing

/// `autowait test` as what a team keeps: what is recorded when, what is kept beside goldens, which
/// scenarios are chosen, and in which formats all of it is told.
@Suite struct TestRecordingTests {
  /// A scenario of which nothing is expected.
  static func bare(at second: Int = 1, more: String = "") -> String {
    """
    {"autowait": 1, "name": "bare", \(more)"link": "demo/fast",
     "media": {"kind": "local", "duration": "5 s"},
     "script": [{"at": 0, "do": "load"}, {"at": \(second), "do": "play"}]}

    """
  }

  @Test func wordsOfAScenarioMoveNothing() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    #expect(fixture.call("test", "$", "--update").code == 1)
    let golden = try fixture.read("a.expected.log")
    let words = [
      ("\"name\": \"slow\"", "\"name\": \"fast\", \"about\": \"Nothing.\", \"tags\": [\"a\"]"),
      ("\"6.2 s\"", "\"6.3 s\", \"about\": \"Why not.\""),
      ("[\n    {\"never\"", "[\n    {\"finish\": \"settled\"},\n    {\"never\""),
    ]
    var text = Fixture.playing
    for (old, new) in words {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
      try fixture.write("a.json", text)
      for option in [["--record", "never"], [], ["--update"], ["--record", "failed"]] {
        let passed = "1 scenario: 1 passed, 0 failed\n"
        #expect(
          fixture.call(["test", "$"] + option) == .init(code: 0, output: passed, messages: ""))
      }
      #expect(try fixture.read("a.expected.log") == golden)
    }
    // Only those who ask for all get the words of today.
    #expect(fixture.call("test", "$", "--record", "all").code == 1)
    #expect(try fixture.read("a.expected.log").contains("\"name\":\"fast\""))
    #expect(fixture.call("test", "$", "--record", "all").code == 0)
    #expect(fixture.call("replay", "$/a.expected.log").code == 0)
  }

  /// What is there, how the tests are called, and which golden logs are there and were written.
  static let modes: [(mode: String?, bare: Bool, judged: Bool, differing: Bool, isNew: Bool)] = [
    (nil, true, false, false, true), ("all", true, true, true, false),
    ("failed", true, false, true, false), ("missing", true, true, false, true),
    ("never", false, false, false, false),
  ]

  @Test(arguments: modes.indices, [false, true])
  func modesSayWhatIsRecorded(_ index: Int, _ isVariable: Bool) throws {
    let row = Self.modes[index]
    let fixture = try CommandFixture(["c.json": Self.bare()])
    #expect(fixture.call("test", "$").output.hasPrefix("wrote $/c.expected.log\n"))
    let old = try fixture.read("c.expected.log")
    try fixture.write("a.json", Self.bare())
    try fixture.write("b.json", Fixture.playing)
    try fixture.write("c.json", Self.bare(at: 2))
    var call = ["test", "$"]
    if let mode = row.mode {
      if isVariable {
        fixture.variables["AUTOWAIT_RECORD"] = mode
      } else {
        call += ["--record", mode]
      }
    }
    let outcome = fixture.call(call)
    #expect(outcome.code == 1 && outcome.messages == "", "\(outcome)")
    #expect(fixture.exists("a.expected.log") == row.bare)
    #expect(fixture.exists("b.expected.log") == row.judged)
    #expect((try fixture.read("c.expected.log") != old) == row.differing)
    #expect(fixture.exists("c.expected.log.new") == row.isNew)
    let isMissing = outcome.output.contains(
      "$/a.json:1: nothing is expected, and there is no golden log '$/a.expected.log'\n"
        + "    record it with: autowait test $/a.json --update\n")
    #expect(isMissing == !row.bare, "\(outcome.output)")
  }

  @Test func serversRecordNothing() throws {
    let fixture = try CommandFixture(["a.json": Self.bare(), "b.json": Fixture.playing])
    fixture.variables["CI"] = "1"
    #expect(fixture.call("test", "$").code == 1)
    #expect(fixture.call("test", "$/b.json").code == 0)
    #expect(try fixture.names() == ["a.json", "b.json"])
    for call in [["test", "$", "--record", "all"], ["test", "$", "--update"], ["accept", "$"]] {
      let outcome = fixture.call(call)
      #expect(outcome.code == 2)
      #expect(outcome.messages.contains("' is refused, because CI is set\n"), "\(outcome)")
    }
    #expect(fixture.call("test", "$/b.json", "--record", "never").code == 0)
    fixture.variables["AUTOWAIT_RECORD"] = "failed"
    #expect(fixture.call("test", "$/b.json").messages.contains("'AUTOWAIT_RECORD' is refused"))
    fixture.variables = ["AUTOWAIT_RECORD": "fialed"]
    let wrong = fixture.call("test", "$")
    #expect(wrong.code == 2 && wrong.messages.contains("did you mean 'failed'?"), "\(wrong)")
    fixture.variables = [:]
    #expect(fixture.call("test", "$", "--update", "--record", "all").code == 2)
  }

  @Test func aNewLogIsKeptUntilItIsAcceptedOrUntrue() throws {
    let fixture = try CommandFixture(["s/a.json": Self.bare()])
    fixture.call("test", "$/s")
    let golden = try fixture.read("s/a.expected.log")
    try fixture.write("s/a.json", Self.bare(at: 2))
    #expect(
      fixture.call("test", "$/s").output.hasSuffix(
        "\n\nnew log next to the golden one: autowait review $/s/a.expected.log.new\n"
          + "1 scenario: 0 passed, 1 failed\n"))
    let new = try fixture.read("s/a.expected.log.new")
    #expect(try fixture.read("s/a.expected.log") == golden)
    // It is no scenario and no golden log.
    let named = fixture.call("test", "$/s/a.expected.log.new")
    #expect(named.code == 2 && named.messages.contains("this is a new log, not a scenario"))
    try fixture.write("s/a.json", Self.bare())
    #expect(fixture.call("test", "$/s").code == 0)
    #expect(!fixture.exists("s/a.expected.log.new"))
    try fixture.write("s/a.json", Self.bare(at: 2))
    fixture.call("test", "$/s")
    // Of another scenario than it is now it is not accepted.
    try fixture.write("s/a.json", Self.bare(at: 3))
    let outdated = fixture.call("accept", "$/s/a.json")
    #expect(outdated.code == 2)
    #expect(
      outdated.messages
        == "$/s/a.expected.log.new: error: the scenario has changed since this log was kept\n"
        + "note: run 'autowait test' to write a new one\n")
    #expect(
      fixture.call("review", "$/s").output.contains(
        "  the scenario has changed since this log was kept: run 'autowait test' again\n"))
    #expect(try fixture.read("s/a.expected.log") == golden)
    try fixture.write("s/a.json", Self.bare(at: 2))
    for text in ["", "hello\n", String(new.dropLast(9)), new.split(separator: "\n")[0] + "\n"] {
      try fixture.write("s/a.expected.log.new", text)
      let broken = fixture.call("accept", "$/s/a.json")
      #expect(broken.code == 2 && broken.messages.contains("error: this log is incomplete"))
      #expect(try fixture.read("s/a.expected.log") == golden)
    }
    try fixture.write("s/a.expected.log.new", new)
    let accepted = fixture.call("accept", "$/s/a.json")
    let text = "wrote $/s/a.expected.log\n1 new log accepted\n"
    #expect(accepted == .init(code: 0, output: text, messages: ""))
    #expect(try fixture.read("s/a.expected.log") == new)
    #expect(try fixture.names() == ["s", "s/a.expected.log", "s/a.json"])
    #expect(fixture.call("test", "$/s").code == 0)
    #expect(fixture.call("accept", "$/s").code == 4)
    #expect(fixture.call("review", "$/s").code == 4)
    #expect(fixture.call("accept", "$/none").code == 2)
  }

  @Test func aNewLogWithoutItsScenarioIsNotAccepted() throws {
    let fixture = try CommandFixture(["b.expected.log.new": "x"])
    let outcome = fixture.call("accept", "$")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages
        == "$/b.expected.log.new: error: this new log has no scenario\n"
        + "note: remove it with: rm $/b.expected.log.new\n")
    #expect(try fixture.names() == ["b.expected.log.new"])
  }

  @Test func aReviewShowsEachDifferenceAndAsks() throws {
    let names = ["a", "b", "c", "d"]
    let fixture = try CommandFixture()
    for name in names { try fixture.write("\(name).json", Self.bare()) }
    fixture.call("test", "$")
    for name in names { try fixture.write("\(name).json", Self.bare(at: 2)) }
    fixture.call("test", "$")
    let shown = fixture.call("review", "$")
    #expect(shown.code == 1 && shown.messages == "")
    #expect(shown.output.contains("1 of 4  $/a.expected.log.new\n  $/a.expected.log:"))
    #expect(shown.output.contains("    cause: "))
    #expect(
      shown.output.hasSuffix(
        "4 new logs; accept with: autowait accept $, or one by one on a terminal\n"))
    fixture.isInputTerminal = true
    fixture.input = ["x\na\n", "R\n", "skip\nq\n"]
    let asked = fixture.call("review", "$")
    #expect(asked.code == 1)
    #expect(asked.output.hasSuffix("1 accepted, 1 rejected, 2 left\n"), "\(asked)")
    #expect(asked.messages.split(separator: "\n").count == 5)
    let left = try fixture.names().filter { $0.hasSuffix(".new") }
    #expect(left == ["c.expected.log.new", "d.expected.log.new"])
    #expect(fixture.call("test", "$/a.json").code == 0)
    #expect(fixture.call("test", "$/b.json").code == 1)
  }

  /// Nobody asked for what lies behind a link, which a sender of the files may have put there.
  @Test func linksAreNotFollowedUnasked() throws {
    let fixture = try CommandFixture([
      "s/a.json": Self.bare(), "s/b.json": Self.bare(), "mine": "mine",
    ])
    fixture.call("test", "$/s/b.json")
    try fixture.write("s/b.json", Self.bare(at: 2))
    for (link, target) in [("a.expected.log", "../none"), ("b.expected.log.new", "../mine")] {
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("s/\(link)"), withDestinationPath: target)
    }
    let outcome = fixture.call("test", "$/s")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages == """
        $/s/a.expected.log: error: the golden log is a link; '--update' writes there
        $/s/b.expected.log.new: warning: the new log cannot be kept next to the golden one: it is \
        a link

        """)
    #expect(fixture.call("accept", "$/s").code == 2)
    #expect(try fixture.read("mine") == "mine" && !fixture.exists("none"))
    #expect(fixture.call("test", "$/s/a.json", "--update").code == 1)
    #expect(fixture.exists("none"))
  }

  @Test func aFolderThatCannotBeWrittenIsTold() throws {
    let fixture = try CommandFixture(["s/a.json": Self.bare(), "s/b.json": Self.bare()])
    fixture.call("test", "$/s/b.json")
    try fixture.write("s/b.json", Self.bare(at: 2))
    // A folder stands where the files would be, which holds for root too.
    try fixture.write("s/a.expected.log/x", "")
    try fixture.write("s/b.expected.log.new/x", "")
    let outcome = fixture.call("test", "$/s")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("$/s/a.expected.log:1: the golden log is a folder\n"))
    #expect(
      outcome.messages == """
        $/s/b.expected.log.new: warning: the new log cannot be kept next to the golden one: it is \
        a folder

        """)
  }
}
