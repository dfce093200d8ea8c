import AutowaitCommands
import Foundation
import Testing

/// Items and media that are called by their names, wherever a file may say which is meant.
@Suite struct ItemNameTests {
  /// A queue of two items, a third that is inserted, steps and expectations about them.
  private static func scenario(
    _ items: [String], names: [String] = ["intro", "film", "rest"]
  )
    -> String
  {
    let media = zip(names, [5, 30, 4]).map { name, seconds in
      "{\(name.isEmpty ? "" : "\"name\": \"\(name)\", ")\"kind\": \"local\", "
        + "\"duration\": \"\(seconds) s\"}"
    }
    return """
      {"autowait": 1, "name": "names", "link": "nlc/3g",
      "media": [\(media.joined(separator: ", "))],
      "player": {"queue": [\(items[0]), \(items[1])]},
      "script": [{"at": 0, "do": "play"},
      {"at": 1, "do": "insert", "item": \(items[2]), "afterItem": \(items[0])},
      {"on": {"event": "currentItem", "value": \(items[1])}, "do": "remove", "item": \(items[1])}],
      "expect": [{"at": "2 s", "currentItem": \(items[0])},
      {"at": {"event": "currentItem", "value": \(items[2])}, "currentItem": \(items[2])},
      {"sequence": [{"event": "itemInserted", "value": \(items[2])},
      {"event": "currentItem", "value": \(items[2])}, {"event": "currentItem", "value": null}]},
      {"always": {"currentItem": {"!=": \(items[1])}}},
      {"never": {"event": "currentItem", "value": \(items[0]), "at": "9 s"}},
      {"finish": "settled"}]}

      """
  }

  private static let named = ["\"intro\"", "\"film\"", "\"rest\""]

  /// A name means what its number means, to the byte of each event and each expectation.
  @Test func namesAreNumbers() throws {
    let fixture = try CommandFixture([
      "named.json": Self.scenario(Self.named), "plain.json": Self.scenario(["0", "1", "2"]),
    ])
    func run(_ file: String) -> [Substring] {
      let outcome = fixture.call("run", "$/\(file)", "--format", "jsonl")
      return outcome.output.split(separator: "\n").dropFirst().map { $0 }
    }
    #expect(run("named.json") == run("plain.json"))
    #expect(run("named.json").count > 10)
    let table = fixture.call("run", "$/named.json").output
    for line in ["insert rest after intro", "rest plays without a gap"] {
      #expect(table.contains(line), "\(table)")
    }
    // The log has the scenario, and replays by itself.
    try fixture.write("run.log", fixture.call("run", "$/named.json", "--format", "jsonl").output)
    #expect([0, 1].contains(fixture.call("replay", "$/run.log").code))
  }

  /// Parts of assets have names of their own, and name their media.
  @Test func partsAndLoopsAreNamed() throws {
    func scenario(_ medium: String, _ part: String) -> String {
      """
      {"autowait": 1, "link": "nlc/3g", "media": [{"kind": "local", "duration": "9 s"},
      {"name": "film", "kind": "local", "duration": "8 s"}],
      "player": {"items": [{"media": 0, "timeRange": ["0 s", "2 s"]},
      {"name": "end", "media": \(medium), "timeRange": ["6 s", "8 s"]}],
      "queue": [], "loop": {"by": "looper", "item": \(part)}},
      "script": [{"at": 0, "do": "play"}], "until": "7 s"}
      """
    }
    let fixture = try CommandFixture([
      "a.json": scenario("\"film\"", "\"end\""), "b.json": scenario("1", "1"),
    ])
    let runs = ["a", "b"].map { name -> [Substring] in
      let output = fixture.call("run", "$/\(name).json", "--format", "jsonl").output
      return output.split(separator: "\n").dropFirst().map { $0 }
    }
    #expect(runs[0] == runs[1] && runs[0].count > 5)
  }

  /// What is wrong with a name is said where it stands, with the names that there are.
  @Test(arguments: [
    (named: ["\"intro\"", "\"flim\"", "2"], "there is no item 'flim'", "did you mean 'film'?"),
    (["\"intro\"", "\"intro\"", "2"], "item 'intro' is in the queue already", ""),
    (["0", "1", "9"], "there is no item 9; items count from 0 to 2", ""),
    (["0", "1", "true"], "'item' must be the number or the name of an item", ""),
  ])
  func mistakes(_ items: [String], _ message: String, _ note: String) throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(items)])
    let outcome = fixture.call("check", "$/a.json")
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains("error: \(message)"), "\(outcome.messages)")
    #expect(note.isEmpty || outcome.messages.contains(note), "\(outcome.messages)")
  }

  /// The copies of a loop have names; the item itself never plays.
  @Test func copiesAreNamed() throws {
    func scenario(_ item: String, name: String = "\"name\": \"ad\", ") -> String {
      """
      {"autowait": 1, "link": "nlc/3g", "media": {\(name)"kind": "local", "duration": "4 s"},
      "player": {"loop": {"by": "looper"}}, "script": [{"at": 0, "do": "play"}],
      "until": "7 s", "expect": [{"at": "6 s", "currentItem": \(item)}]}
      """
    }
    let fixture = try CommandFixture([
      "a.json": scenario("\"ad copy 2\""), "b.json": scenario("\"ad\""), "c.json": scenario("4"),
      "d.json": scenario("\"copy 2\"", name: ""),
    ])
    for file in ["a", "d"] { #expect(fixture.call("run", "$/\(file).json").code == 0, "\(file)") }
    #expect(fixture.call("run", "$/a.json").output.contains("ad copy 2 plays"))
    let item = fixture.call("check", "$/b.json").messages
    #expect(item.contains("warning: item 'ad' loops as copies of itself, and never plays\n"))
    #expect(item.contains("note: its copies are called 'ad copy 1' to 'ad copy 3'\n"))
    let number = fixture.call("check", "$/c.json").messages
    #expect(number.contains("error: there is no item 4; items count from 0 to 3\n"), "\(number)")
  }

  /// What is wrong with one medium is said once, not again where its name or its number stands.
  @Test func aBrokenMediumIsKnown() throws {
    let text = Self.scenario(Self.named).replacingOccurrences(
      of: "\"duration\": \"30 s\"", with: "\"duration\": \"x\"")
    let fixture = try CommandFixture(["a.json": text])
    let messages = fixture.call("check", "$/a.json").messages
    #expect(messages.components(separatedBy: "error:").count == 2, "\(messages)")
    let numbers = Self.scenario(["0", "2", "1"]).replacingOccurrences(
      of: "\"duration\": \"4 s\"", with: "\"duration\": \"x\"")
    try fixture.write("a.json", numbers)
    let others = fixture.call("check", "$/a.json").messages
    #expect(others.components(separatedBy: "error:").count == 2, "\(others)")
  }

  @Test(arguments: ["", "7", "-1.5", "null"])
  func aNameIsAWord(_ name: String) throws {
    let fixture = try CommandFixture([
      "a.json": Self.scenario(["0", "1", "2"], names: ["intro", "film", "NAME"])
        .replacingOccurrences(of: "NAME", with: name)
    ])
    let messages = fixture.call("check", "$/a.json").messages
    #expect(messages.contains("error: 'name' must be a word, not a number or nothing"))
  }

  @Test func namesAreUnique() throws {
    let twice = Self.scenario(["0", "1", "2"], names: ["intro", "film", "intro"])
    let bare = Self.scenario(["\"intro\"", "1", "2"], names: ["", "", ""])
    let fixture = try CommandFixture(["a.json": twice, "b.json": bare])
    #expect(
      fixture.call("check", "$/a.json").messages.contains("error: there are two media 'intro'"))
    let none = fixture.call("check", "$/b.json").messages
    #expect(none.contains("none has a name; one is given with \"name\""), "\(none)")
  }

  /// A step with a name is a moment that other steps and expectations can name.
  @Test func stepsAreNamed() throws {
    func scenario(_ step: String) -> String {
      """
      {"autowait": 1, "link": "nlc/3g", "media": {"kind": "local", "duration": "9 s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
      {"name": "tap", "at": 3, "do": "pause"},
      {"on": {"event": "step", "value": \(step)}, "delay": "1 s", "do": "play"}],
      "expect": [{"at": {"event": "step", "value": \(step)}, "currentTime": "3 s", "rate": 0},
      {"eventually": {"event": "step", "value": \(step), "at": "3 s"}}]}
      """
    }
    let fixture = try CommandFixture([
      "a.json": scenario("\"tap\""), "b.json": scenario("2"), "c.json": scenario("\"tpa\""),
    ])
    let runs = ["a", "b"].map { fixture.call("run", "$/\($0).json", "--format", "jsonl") }
    #expect(runs[0].code == 0, "\(runs[0])")
    let events = runs.map { Array($0.output.split(separator: "\n").dropFirst()) }
    #expect(events[0] == events[1])
    let wrong = fixture.call("check", "$/c.json").messages
    #expect(
      wrong.contains("error: there is no step 'tpa'\n") && wrong.contains("did you mean 'tap'"))
  }

  /// An expectation that is missed says the names.
  @Test func whatIsMissedIsNamed() throws {
    let text = Self.scenario(Self.named).replacingOccurrences(
      of: #"{"at": "2 s", "currentItem": "intro"}"#,
      with: #"{"at": "2 s", "currentItem": "rest"}"#)
    let fixture = try CommandFixture(["a.json": text])
    let outcome = fixture.call("run", "$/a.json")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("currentItem: expected 2 'rest', observed 0 'intro'"))
    #expect(fixture.call("test", "$/a.json").output.contains("observed currentItem 0 'intro'"))
  }
}
