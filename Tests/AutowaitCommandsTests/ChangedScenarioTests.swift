import AutowaitScenario
import Testing

/// Scenarios that extend others, that are changed by a call, and that come on standard input.
@Suite struct ChangedScenarioTests {
  private static let base = """
    {"autowait": 1, "name": "base",
     "link": {"name": "l", "rate": "2 Mbit/s"},
     "media": {"kind": "progressive", "duration": "10 s", "bitrate": "1 Mbit/s"},
     "heuristic": "fixed",
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
     "expect": [{"metric": "stallCount", "==": 0}]}
    """

  /// A scenario that extends another one has the log of the whole, spelled out.
  @Test(arguments: [
    (#""link": {"rate": "3 Mbit/s"}"#, #""link": {"name": "l", "rate": "3 Mbit/s"}"#),
    (#""link": "demo/fast""#, #""link": "demo/fast""#),
    (#""until": 60"#, #""link": {"name": "l", "rate": "2 Mbit/s"}, "until": 60"#),
  ])
  func extending(_ change: String, _ whole: String) throws {
    let spelled = Self.base.replacing(#""link": {"name": "l", "rate": "2 Mbit/s"}"#, with: whole)
    let fixture = try CommandFixture([
      "a.json": "{\"autowait\": 1, \"extends\": \"folder/b.json\",\n\(change)}",
      "folder/b.json": #"{"$schema": "x", "extends": "../c.json"}"#, "c.json": Self.base,
      "d.json": spelled,
    ])
    let log = fixture.call("run", "$/a.json", "--format", "jsonl")
    #expect(log.code == 0, "\(log.messages)")
    let fingerprint = { (text: String) in
      text.split(separator: "\"fingerprint\":").last.map(String.init)
    }
    #expect(
      fingerprint(log.output)
        == fingerprint(fixture.call("run", "$/d.json", "--format", "jsonl").output))
    #expect(!log.output.contains("extends"))
    #expect(log.output.contains("\"name\":\"base\""))
    try fixture.write("a.log", log.output)
    try fixture.remove("c.json")
    #expect(fixture.call("replay", "$/a.log").code == 0)
  }

  /// What is wrong is told at the place where it stands.
  @Test(arguments: [
    (#""link": {"rat": 1}"#, "", "$/a.json:2:10: error: unknown key 'rat'"),
    (#""until": 1"#, #", "sed": 1"#, "$/b.json:1:45: error: unknown key 'sed'"),
    (#""until": "1 x""#, "", "$/a.json:2:10: error: 'until' has the unknown unit 'x'"),
    (
      #""expect": [{"never": {"event": "variantSwitch"}}]"#, "",
      "$/a.json:2:22: warning: this can never fail: only streams have the event"
    ),
  ])
  func findingsHaveTheirPlaces(_ change: String, _ more: String, _ message: String) throws {
    let fixture = try CommandFixture([
      "a.json": "{\"autowait\": 1, \"extends\": \"b.json\",\n\(change)}",
      "b.json": "{\"extends\": \"c.json\", \"about\": \"of others\"\(more)}", "c.json": Self.base,
    ])
    #expect(fixture.call("check", "$/a.json").messages.contains(message))
  }

  @Test(arguments: [
    (
      #""b.json""#, #"{"extends": "a.json"}"#,
      "$/b.json:1:13: error: the scenario 'a.json' extends itself"
    ),
    (#""a.json""#, "{}", "$/a.json:1:13: error: the scenario 'a.json' extends itself"),
    (#""z.json""#, "{}", "$/a.json:1:13: error: the scenario 'z.json' does not exist"),
    ("7", "{}", "$/a.json:1:13: error: 'extends' must be the path of a scenario, not a number"),
    (#""b.json""#, "[]", "$/a.json:1:13: error: the file 'b.json' is not a scenario"),
    (#""b.json""#, "{", "$/b.json:1:2: error: the text ends too early"),
  ])
  func whatCannotBeExtended(_ path: String, _ other: String, _ message: String) throws {
    let fixture = try CommandFixture(["a.json": "{\"extends\": \(path)}", "b.json": other])
    let call = fixture.call("run", "$/a.json")
    #expect(call.code == 2)
    #expect(call.messages.contains(message), "\(call.messages)")
  }

  /// A chain is told whole.
  @Test func aCycleIsToldWhole() throws {
    let fixture = try CommandFixture([
      "a.json": #"{"extends": "b.json"}"#, "b.json": #"{"extends": "c.json"}"#,
      "c.json": #"{"extends": "b.json"}"#,
    ])
    #expect(
      fixture.call("run", "$/a.json").messages.contains(
        "note: by way of 'b.json', 'c.json', 'b.json'"))
  }

  /// An expectation of another file has no line of this one.
  @Test func linesAreThoseOfTheFile() throws {
    let fixture = try CommandFixture([
      "a.json":
        "{\"extends\": \"c.json\",\n\"expect\": [\n{\"metric\": \"stallCount\", \">\": 0}]}",
      "b.json": "{\"extends\": \"c.json\",\n\"link\": {\"rate\": \"1 bit/s\"}, \"until\": 20}",
      "c.json": Self.base.replacing("\"==\": 0", with: "\">\": 0"),
    ])
    #expect(fixture.call("run", "$/a.json").output.contains("✗ line 3  metric: stallCount, > 0"))
    #expect(fixture.call("run", "$/b.json").output.contains("✗ line 1  metric: stallCount, > 0"))
  }

  /// What is set, as the log has it.
  @Test(arguments: [
    (["until=60"], #""until":60"#),
    (["link.rate=3 Mbit/s"], #""link":{"name":"l","rate":"3 Mbit/s"}"#),
    (["link=nlc/3g", "link.up.delay=9 ms"], #""up":{"delay":"9 ms"}"#),
    (["link=nlc/3g", "link.rate=9"], #""link":{"use":{"name":"nlc/3g","#),
    (["heuristic.start=9 s"], #""start":{"buffered":{">=":9}}"#),
    (["script[1].at=3"], #"{"at":3,"do":"play"}"#),
    (["script[1]={\"at\": 4, \"do\": \"play\"}"], #"{"at":4,"do":"play"}"#),
    (["media.duration=20 s", "media.duration=30 s"], #""duration":"30 s""#),
    (["player.streaming.rule=fixed"], #""player":{"streaming":{"rule":"fixed"}}"#),
    (["name=a=b"], #""name":"a=b""#), (["expect=[]"], #""expect":[]"#),
  ])
  func setting(_ changes: [String], _ spelled: String) throws {
    let fixture = try CommandFixture(["a.json": Self.base])
    let options = changes.flatMap { ["--set", $0] }
    let call = fixture.call(["run", "$/a.json", "--format", "jsonl"] + options)
    #expect(call.code == 0, "\(call.messages)")
    #expect(call.output.prefix { $0 != "\n" }.contains(spelled), "\(call.output.prefix(900))")
    try fixture.write("a.log", call.output)
    #expect(fixture.call("replay", "$/a.log").code == 0)
  }

  @Test(arguments: [
    (
      "link.rat=3",
      "--set:1:6: error: unknown key 'rat'\nlink.rat=3\n     ^~~\nnote: did you mean 'rate'? "
    ),
    (
      "link.rate=3 Mbits",
      "--set:1:11: error: 'rate' has the unknown unit 'Mbits'\nlink.rate=3 Mbits\n"
        + "          ^~~~~~~\n"
    ),
    (
      "script[2].at=3",
      "--set:1:7: error: there is no element 2: there are 2, counted from 0\nscript[2].at=3\n"
        + "      ^~~\n"
    ),
    (
      "script[-1].at=3",
      "--set:1:7: error: there is no element -1: elements are numbered from the front, 0 to 1\n"
        + "script[-1].at=3\n      ^~~~\n"
    ),
    (
      "name.of=3",
      "--set:1:6: error: there is no object here that has the key 'of'\nname.of=3\n     ^~\n"
    ),
    (
      "script.0.at=3",
      "--set:1:8: error: there is a list here, whose element 0 is written as [0]\nscript.0.at=3\n"
        + "       ^\n"
    ),
    ("link[0]=3", "--set:1:5: error: there is no list here\nlink[0]=3\n    ^~~\n"),
    ("zonk=3", "--set:1:1: error: unknown key 'zonk'\nzonk=3\n^~~~\n"),
  ])
  func whatCannotBeSet(_ change: String, _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Self.base])
    let call = fixture.call("run", "$/a.json", "--set", change)
    #expect(call.code == 2)
    #expect(call.messages.hasPrefix(message), "\(call.messages)")
  }

  @Test(arguments: [
    "link", "=3", ".a=3", "a.=3", "a..b=3", "a[x]=3", "a[1=3", "a[0]b=3", "a[00]=3", "a[+1]=3",
    "link={\"rate\": 1", "link=[", "name=\"x", "link={'rate': 3}",
  ])
  func whatIsNoChange(_ change: String) throws {
    let fixture = try CommandFixture(["a.json": Self.base])
    let call = fixture.call("run", "$/a.json", "--set", change)
    #expect(call.code == 2)
    #expect(call.messages.hasPrefix("autowait: error: '--set \(change)': "), "\(call.messages)")
  }

  @Test func standardInput() throws {
    let fixture = try CommandFixture(["a.json": Self.base])
    fixture.input = Self.base.map { String($0) }
    let call = fixture.call("run", "-")
    #expect(call.output == fixture.call("run", "$/a.json").output)
    #expect(call.code == 0)
    fixture.input = ["{\"link\": 7}"]
    #expect(fixture.call("run", "-").messages.hasPrefix("-:1:1: error: a scenario needs the key"))
    #expect(fixture.call("run", "-", "-").code == 2)
  }
}
