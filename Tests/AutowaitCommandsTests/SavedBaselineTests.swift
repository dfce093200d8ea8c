import Autowait
import AutowaitExperiment
import Testing

/// A baseline that is kept in a file, and what is held against it.
@Suite struct SavedBaselineTests {
  /// An experiment whose player needs so much to start.
  private static func experiment(
    _ start: String, thresholds: String = "", links: String = #""demo/slow-server", "nlc/3g""#
  ) -> String {
    """
    {"experiment": 1, "name": "two", "base": {"link": "demo/slow-server",
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
     "vary": {"heuristic": [{"name": "ours", "rule": "buffered", "start": "\(start)"}, "vlc"],
      "link": [\(links)], "seed": 2},
     "thresholds": [\(thresholds)]}
    """
  }

  private static let notSlower = """
    {"metric": "timeSpentInInitialStartup", "of": "ours", "difference": {"<=": "5 %"},
     "to": "saved"}
    """

  @Test func aRegressionIsFound() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment("2 s", thresholds: Self.notSlower)
    ])
    // Where there was none, the first one is saved without a failure.
    let first = fixture.call("compare", "$/x.json", "--save-baseline", "$/x.baseline")
    #expect(first.code == 0)
    #expect(first.messages.contains("warning: this threshold cannot be judged"))
    let same = fixture.call("compare", "$/x.json", "--baseline", "$/x.baseline")
    #expect(same.code == 0, "\(same.messages)")
    #expect(same.output.contains("is 0 s, 0 %, 95 % interval 0 s … 0 s, in 4 sessions"))
    try fixture.write("x.json", Self.experiment("2.05 s", thresholds: Self.notSlower))
    #expect(fixture.call("compare", "$/x.json", "--baseline", "$/x.baseline").code == 0)
    try fixture.write("x.json", Self.experiment("3 s", thresholds: Self.notSlower))
    let worse = fixture.call("compare", "$/x.json", "--baseline", "$/x.baseline")
    #expect(worse.code == 1)
    #expect(worse.messages.contains("this threshold is crossed: ours: mean difference of"))
    #expect(worse.output.contains("since the baseline"))
    #expect(worse.output.contains("  4/4\n"), "\(worse.output)")
    #expect(worse.output.contains("  0/4\n"), "\(worse.output)")
    // Without the file nothing can be said.
    #expect(fixture.call("compare", "$/x.json").code == 1)
    try fixture.write("x.json", Self.experiment("1 s", thresholds: Self.notSlower))
    #expect(fixture.call("compare", "$/x.json", "--baseline", "$/x.baseline").code == 0)
  }

  /// An edited base is told, and spaces are no edit; nor are more contestants and networks.
  @Test func anEditedBaseIsTold() throws {
    let text = Self.experiment("2 s")
    let fixture = try CommandFixture(["x.json": text])
    fixture.call("compare", "$/x.json", "--save-baseline", "$/x.baseline")
    func messages(_ text: String) throws -> String {
      try fixture.write("x.json", text)
      return fixture.call("compare", "$/x.json", "--baseline", "$/x.baseline").messages
    }
    let warning = "warning: the base of the experiment is not what it was"
    #expect(try !messages(text.replacing(": ", with: " :   ")).contains(warning))
    let more = text.replacing("\"nlc/3g\"", with: "\"nlc/dsl\", \"nlc/3g\"")
    #expect(try more != text && !messages(more).contains(warning))
    let edited = text.replacing("\"do\": \"play\"", with: "\"do\": \"playImmediately\"")
    #expect(try edited != text && messages(edited).contains(warning))
    // A baseline that was saved before that was known says nothing.
    let old = try fixture.read("x.baseline").replacing(#/"base":"[0-9a-f]*",/#, with: "")
    try fixture.write("x.baseline", old)
    #expect(try !messages(edited).contains(warning))
  }

  /// Sessions are known by names: a new network and another order of contestants move nothing.
  @Test func sessionsAreKnownByNames() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment("2 s"),
      "y.json": Self.experiment("2 s", thresholds: Self.notSlower)
        .replacing("\"nlc/3g\"", with: "\"nlc/dsl\", \"nlc/3g\""),
    ])
    fixture.call("compare", "$/x.json", "--save-baseline", "$/x.baseline")
    let outcome = fixture.call("compare", "$/y.json", "--baseline", "$/x.baseline")
    #expect(outcome.code == 0, "\(outcome.messages)")
    #expect(outcome.output.contains("is 0 s, 0 %, 95 % interval 0 s … 0 s, in 4 of 6\n"))
    let elsewhere = Self.experiment("2 s", thresholds: Self.notSlower, links: "\"nlc/dsl\"")
    try fixture.write("z.json", elsewhere)
    let none = fixture.call("compare", "$/z.json", "--baseline", "$/x.baseline")
    #expect(none.code == 1)
    #expect(none.messages.contains("the saved baseline has none of its sessions"))
  }

  @Test func aFileIsTheSameHoweverItIsMade() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment("2 s")])
    fixture.call("compare", "$/x.json", "--save-baseline", "$/a", "--jobs", "1")
    fixture.call("compare", "$/x.json", "--save-baseline", "$/b", "--jobs", "2")
    for shard in 1...2 {
      fixture.call("compare", "$/x.json", "--shard", "\(shard)/2", "--out", "$/shards")
    }
    #expect(fixture.call("merge", "$/shards", "--save-baseline", "$/c").code == 0)
    let text = try fixture.read("a")
    #expect(try fixture.read("b") == text)
    #expect(try fixture.read("c") == text)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 10)
    #expect(
      lines[0]
        == #"{"autowaitBaseline":1,"name":"two","modelVersion":\#(Fixture.model),"#
        + #""base":"a2cd2fe3d2e4802e","axes":["link"],"figures":["timeSpentInInitialStartup","#
        + #""stallCount","timeSpentRecoveringFromStall"]}"#)
    #expect(lines[1].hasPrefix(#"["ours",["demo/slow-server"],1,"ended",2."#), "\(lines[1])")
    let merged = fixture.call("merge", "$/shards", "--baseline", "$/a")
    #expect(merged.output == fixture.call("compare", "$/x.json", "--baseline", "$/a").output)
  }

  @Test(arguments: [
    ("cut", "it is cut off"), ("changed", "its lines are not those that were saved"),
    ("twice", "the session is there twice"), ("none", "it is not a baseline"),
    ("axes", "the worlds of the baseline differ in 'media', those of the experiment in 'link'"),
  ])
  func whatIsNoBaselineIsRefused(_ kind: String, _ message: String) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment("2 s")])
    fixture.call("compare", "$/x.json", "--save-baseline", "$/a")
    var lines = try fixture.read("a").split(separator: "\n").map(String.init)
    switch kind {
    case "cut": lines = [String(lines[0].dropLast(3))]
    case "changed": lines[2] = lines[2].replacing("\"ended\",", with: "\"ended\",1")
    case "twice": lines[2] = lines[1]
    case "none": lines[0] = "{}"
    default: lines[0] = lines[0].replacing("[\"link\"]", with: "[\"media\"]")
    }
    let end = kind == "cut" ? "" : "\n"
    try fixture.write("a", lines.joined(separator: "\n") + end)
    let outcome = fixture.call("compare", "$/x.json", "--baseline", "$/a")
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains(message), "\(outcome.messages)")
  }

  @Test func filesAreKeptApart() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment("2 s")])
    fixture.call("compare", "$/x.json", "--save-baseline", "$/a")
    for arguments in [
      ["--save-baseline", "$/x.json"], ["--baseline", "$/a", "--html", "$/a"],
      ["--save-baseline", "$/b", "--html", "$/b"],
      [
        "--shard", "1/2", "--out", "$/s", "--baseline",
        "$/a",
      ],
    ] {
      #expect(fixture.call(["compare", "$/x.json"] + arguments).code == 2, "\(arguments)")
    }
    // One may replace the other.
    let both = ["compare", "$/x.json", "--baseline", "$/a", "--save-baseline", "$/a"]
    #expect(fixture.call(both).code == 0)
  }
}
