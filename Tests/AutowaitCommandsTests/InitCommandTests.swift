import AutowaitCommands
import Foundation
import Testing

/// `autowait init`: twelve files to begin with, which hold what they promise.
@Suite struct InitCommandTests {
  static let names = [
    "train", "tunnel", "elevator", "hotel-wifi", "handover", "slow-server", "late-keys", "live",
    "feed", "queue", "looper", "compare",
  ]
  static let scenarios = names.filter { $0 != "compare" }

  /// A change of a template that at least one of its expectations must notice.
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String
    /// What of each expectation that is then not met stands in its line.
    var unmet: [String]

    init(_ name: String, _ old: String, _ new: String, unmet: String...) {
      (self.name, self.old, self.new, self.unmet) = (name, old, new, unmet)
    }

    var testDescription: String { "\(name): \(new)" }
  }

  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func aNameIsChosenFromAList() {
    let outcome = fixture.call("init")
    #expect(outcome.code == 0)
    #expect(outcome.messages == "")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.last == "autowait init NAME writes NAME.json")
    #expect(lines.dropLast().map { String($0.prefix { $0 != " " }) } == Self.names)
    for line in lines { #expect(line.count <= 80 && line.count > 30, "\(line)") }
  }

  @Test(arguments: MarkdownDocument.part(of: scenarios))
  func whatATemplateExpectsIsMet(_ name: String) throws {
    let wrote = fixture.call("init", name, "--output", "$/\(name).json")
    #expect(
      wrote.output == """
        wrote $/\(name).json
        run it:  autowait run $/\(name).json
        test it: autowait test $/\(name).json

        """)
    let check = fixture.call("check", "$/\(name).json")
    #expect(check.output == "1 file: 0 invalid, 0 errors, 0 warnings\n")
    #expect(check.messages == "")
    let run = fixture.call("run", "$/\(name).json")
    #expect(run.code == 0)
    #expect(run.output.contains("\n3 expectations: 3 met"), "\(run.output)")
    let test = fixture.call("test", "$/\(name).json")
    #expect(test.output == "1 scenario: 1 passed, 0 failed\n", "\(test)")
    let lines = try fixture.read("\(name).json").split(separator: "\n")
    #expect((10...26).contains(lines.count))
    for line in lines { #expect(line.count <= 90, "\(line)") }
  }

  static let changes = [
    Change("train", #""for": "45 s""#, #""for": "10 s""#, unmet: "stallCount"),
    Change("train", "wpt/lte", "nlc/3g", unmet: "timeSpentInInitialStartup"),
    Change("train", #""at": "20 s""#, #""at": "2 s""#, unmet: "timeSpentRecoveringFromStall"),
    Change("tunnel", #""8 s""#, #""1 s""#, unmet: "stallCount"),
    Change(
      "tunnel", #""8 s""#, #""70 s""#, unmet: "timeSpentRecoveringFromStall", "mediaRequestFailed"),
    Change("elevator", "offline", "blackout", unmet: "newErrorLogEntry"),
    Change("elevator", #""15 s""#, #""50 s""#, unmet: "stallCount"),
    Change("hotel-wifi", #""rate": "3 Mbit/s""#, #""rate": "1 Mbit/s""#, unmet: "timeSpentInInit"),
    Change(
      "hotel-wifi", #""from": "10 s", "to": "40 s""#, #""from": "50 s", "to": "55 s""#,
      unmet: "variantSwitchCount"),
    Change("handover", "wpt/3g-fast@queue=50", "wpt/lte", unmet: "stallCount"),
    Change("handover", #""retriesMax": 0"#, #""retriesMax": 3"#, unmet: "recoverableErrorCount"),
    Change(
      "slow-server", #""do": "play" }"#, #""do": "playImmediately" }"#,
      unmet: "playbackStalled"),
    Change("slow-server", "3.2 Mbit/s", "2.5 Mbit/s", unmet: "timeSpentInInitialStartup"),
    Change("late-keys", "1.5 s\", \"sess", "3 s\", \"sess", unmet: "timeSpentInInitialStartup"),
    Change("late-keys", "Keys\": false", "Keys\": true", unmet: "startupContentKeys"),
    Change("live", "false", "true", unmet: "at: 30 s", "at: 2 min"),
    Change(
      "feed", #""3 s", "do": "load""#, #""8 s", "do": "load""#,
      unmet: "timeSpentInInitialStartup, player: next"),
    Change("queue", "4.4 Mbit/s", "8 Mbit/s", unmet: "timeInGaps"),
    Change("queue", #"[ "first", "second" ]"#, #"[ "first" ]"#, unmet: "mediaPlayed"),
    Change(
      "looper", #""by": "looper""#, #""by": "rewind", "request": "50 ms""#,
      unmet: "timeInGaps", "mediaPlayed"),
  ]

  @Test(arguments: MarkdownDocument.part(of: changes))
  func anExpectationNoticesAChange(_ change: Change) throws {
    let text = fixture.call("init", change.name, "--output", "-").output
    #expect(text.contains(change.old))
    try fixture.write("x.json", text.replacing(change.old, with: change.new))
    let run = fixture.call("run", "$/x.json")
    #expect(run.code == 1, "\(run.messages)")
    let unmet = run.output.split(separator: "\n").filter { $0.hasPrefix("✗") }
    for word in change.unmet { #expect(unmet.contains { $0.contains(word) }, "\(unmet)") }
  }

  @Test func anExperimentIsCompared() throws {
    let wrote = fixture.call("init", "compare", "--output", "$/mine.json")
    #expect(
      wrote.output == "wrote $/mine.json\nrun it:  autowait compare $/mine.json\n")
    let check = fixture.call("check", "$/mine.json")
    #expect(check.output == "$/mine.json: an experiment\n1 file: 0 invalid, 0 errors, 0 warnings\n")
    let outcome = fixture.call("compare", "$/mine.json")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("3 contestants on 5 worlds under 1 seed: 15 sessions"))
  }

  @Test func aFileIsNeverOverwritten() throws {
    try fixture.write("live.json", "mine")
    let outcome = fixture.call("init", "live", "--output", "$/live.json")
    #expect(
      outcome
        == .init(
          code: 2, output: "",
          messages: """
            $/live.json: error: the file exists, and is not overwritten
            note: name another one: autowait init live --output FILE

            """))
    #expect(try fixture.read("live.json") == "mine")
    #expect(fixture.call("init", "live", "--output", "$").code == 2)
    let nowhere = fixture.call("init", "live", "--output", "$/no/live.json")
    #expect(nowhere.code == 2)
    #expect(nowhere.messages.contains("the folder '$/no' does not exist"))
  }

  @Test func whatIsPrintedIsTheFile() throws {
    fixture.call("init", "live", "--output", "$/live.json")
    let outcome = fixture.call("init", "live", "--output", "-")
    #expect(outcome.output == (try fixture.read("live.json")))
    #expect(outcome.output.hasSuffix("]\n}\n"))
  }

  @Test func aWrongCallIsToldWhatIsRight() {
    let wrong = fixture.call("init", "tarin")
    #expect(wrong.code == 2)
    #expect(wrong.messages.contains("there is no template 'tarin'\nnote: did you mean 'train'?\n"))
    #expect(fixture.call("init", "train", "tunnel").messages.contains("takes [NAME]"))
    #expect(
      fixture.call("init", "--output", "$/x.json").messages.contains(
        "'--output' needs the name of a template"))
    #expect((try? fixture.names()) == [])
  }

  /// The cookbook has a recipe for each template, in the same order, and one for several networks.
  @Test func theCookbookHasEachTemplate() {
    let blocks = MarkdownDocument.article("cookbook").blocks
    let files = blocks.filter { $0.info.first == "json" }
    #expect(
      files.map { $0.info.joined(separator: " ") }
        == Self.names.map { "json template \($0)" } + ["json file networks.json"])
    for (file, name) in zip(files, Self.names) {
      let text = fixture.call("init", name, "--output", "-").output
      #expect(file.lines.joined(separator: "\n") + "\n" == text)
    }
  }
}
