import AutowaitCommands
import Testing

/// No text of a file, a file's name or a command line reaches people in another way than as text.
@Suite struct HostileTextTests {
  /// A call, the files that it finds, and what shows that it reaches the place that is meant.
  struct Row: Sendable, CustomTestStringConvertible {
    let what: String
    let arguments: [String]
    let files: [String: String]
    let shows: String

    init(_ what: String, _ arguments: [String], _ files: [String: String], shows: String) {
      (self.what, self.arguments, self.files, self.shows) = (what, arguments, files, shows)
    }

    /// A row of a single file that is checked.
    init(_ what: String, _ text: String, shows: String) {
      self.init(what, ["check", "$/x.json"], ["x.json": text], shows: shows)
    }

    var testDescription: String { what }
  }

  private static let j = HostileText.json

  private static func scenario(_ more: String, link: String = "\"demo/fast\"") -> String {
    """
    {"autowait": 1, "link": \(link), "media": {"kind": "local", "duration": "5 s"}, \(more)}
    """
  }

  private static func experiment(_ vary: String, _ more: String = "", base: String? = nil) -> String
  {
    let own = """
      {"link": "demo/fast",
       "media": {"kind": "progressive", "duration": "5 s", "bitrate": "1 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    return #"{"experiment": 1, "base": \#(base ?? own), "vary": {\#(vary)}\#(more)}"#
  }

  /// The places that messages are made at.
  private static let readers: [Row] = [
    Row(
      "two players", scenario(#""players": [{"name": "\#(j)"}, {"name": "\#(j)"}]"#),
      shows: "there are two players"),
    Row(
      "no player",
      scenario(
        #""players": [{"name": "\#(j)"}], "#
          + #""script": [{"at": 0, "do": "load", "player": "x\#(j)"}]"#),
      shows: "there is no player"),
    Row(
      "the players",
      scenario(
        #""players": [{"name": "\#(j)"}], "script": [{"at": 0, "do": "load", "player": "?"}]"#),
      shows: "the players are: "),
    Row("an unknown key", scenario(#""\#(j)": 1"#), shows: "unknown key"),
    Row("a key twice", scenario(#""\#(j)": 1, "\#(j)": 1"#), shows: "duplicate key"),
    Row(
      "an event", scenario(#""expect": [{"never": {"event": "\#(j)", "value": 1}}]"#),
      shows: "event"),
    Row(
      "an event without a value",
      scenario(#""expect": [{"never": {"event": "playbackStalled", "value": "\#(j)"}}]"#),
      shows: "has no value"),
    Row("a metric", scenario(#""expect": [{"metric": "\#(j)", "<": 1}]"#), shows: "metric"),
    Row("a finish", scenario(#""expect": [{"finish": "\#(j)"}]"#), shows: "finish"),
    Row("a do", scenario(#""script": [{"at": 0, "do": "\#(j)"}]"#), shows: "do"),
    Row(
      "a step's name",
      scenario(
        #""script": [{"at": 0, "do": "load", "name": "\#(j)"}, "#
          + #"{"at": 0, "do": "play", "name": "\#(j)"}, {"after": "x", "do": "play"}]"#),
      shows: "there is a step"),
    Row("a step's event", scenario(#""script": [{"on": "\#(j)", "do": "play"}]"#), shows: "on"),
    Row("a time", scenario(#""until": "\#(j)""#), shows: "until"),
    Row("a unit", scenario(#""until": "1 \#(j)""#), shows: "until"),
    Row("a link", scenario(#""seed": 1"#, link: #""\#(j)""#), shows: "link"),
    Row("a trace", scenario(#""seed": 1"#, link: #""\#(j).json""#), shows: "file"),
    Row("a link's key", scenario(#""seed": 1"#, link: #"{"\#(j)": 1}"#), shows: "unknown key"),
    Row("a heuristic", scenario(#""heuristic": "\#(j)""#), shows: "heuristic"),
    Row(
      "a program", scenario(#""heuristic": {"program": ["\#(j)"]}"#), shows: "the program 'h"),
    Row("a version", scenario(#""autowait": "\#(j)""#), shows: "autowait"),
    Row(
      "a playlist", #"{"autowait": 1, "link": "demo/fast", "media": {"playlist": "\#(j)"}}"#,
      shows: "playlist"),
    Row(
      "a movie", #"{"autowait": 1, "link": "demo/fast", "media": {"file": "\#(j)"}}"#,
      shows: "the file 'h"),
    Row(
      "two values", experiment(#""heuristic": [{"name": "\#(j)"}, {"name": "\#(j)"}]"#),
      shows: "has two values"),
    Row("an empty name", experiment(#""\#(j)": [{"name": " "}]"#), shows: "error"),
    Row("an axis", experiment(#""player.\#(j)": [1]"#), shows: "error"),
    Row("a rule", experiment(#""heuristic": ["\#(j)"]"#), shows: "unknown rule"),
    Row("a family", experiment(#""link": ["\#(j)/*"]"#), shows: "no link that is built in"),
    Row("a folder", experiment(#""link": ["\#(j)/"]"#), shows: "error"),
    Row("a base", experiment("", base: #""\#(j)""#), shows: "the base 'h"),
    Row(
      "a baseline", experiment(#""heuristic": ["mpv"]"#, #", "baseline": "\#(j)""#),
      shows: "there is no contestant"),
    Row(
      "the contestants",
      experiment(#""heuristic": [{"name": "\#(j)"}]"#, #", "baseline": "?""#),
      shows: "the contestants are: "),
    Row("no JSON", "{\"autowait\": 1, \(HostileText.name)\n::x}", shows: "error"),
    Row(
      "a line of the file", "{\"autowait\": 1,\n::set-output name=x::y\n}", shows: "\u{FFFD}:set"),
    Row("a command of Azure", "{\"autowait\": 1,\n##vso[x]\n}", shows: "\u{FFFD}#vso"),
    Row("a surrogate", scenario(#""\ud800\n::x": 1"#), shows: "error"),
    Row(
      "a base that is none", ["check", "$/x.json"],
      ["x.json": experiment("", base: "\"b.json\""), "b.json": "[\n::x \u{1B}[2J"],
      shows: "is not a JSON object"),
    Row(
      "a tag", ["check", "$/x.m3u8"], ["x.m3u8": "#EXTM3U\n#EXT-X-\(HostileText.inline)\n::x\n"],
      shows: "error"),
  ]

  @Test(arguments: readers)
  func messagesAreText(_ row: Row) throws {
    let fixture = try CommandFixture(row.files)
    let first = fixture.call(row.arguments)
    #expect((first.output + first.messages).contains(row.shows), "\(first)")
    HostileText.check(first)
    for arguments in [
      ["run"], ["test"], ["test", "--github"], ["test", "--format", "json", "--github"],
      ["compare"],
      ["replay"], ["check", "--format", "json"], ["link"], ["convert"], ["recipe", "xargs"],
    ] {
      let all =
        arguments + (arguments[0] == "recipe" ? ["--shards", "2"] : []) + [row.arguments[1]]
      let call = fixture.call(all)
      HostileText.check(call, annotates: arguments.contains("--github"), "\(all)")
    }
    fixture.input = [
      #"{"scenario": "\#(fixture.path("x.json"))"}"# + "\n", "{\"\(j)\": 1}\n", "::x\n",
    ]
    HostileText.check(fixture.call("work"))
  }

  private let j = HostileText.json

  /// Names in what is printed of runs that succeed.
  private static let named = """
    {"autowait": 1, "name": "::\(j)", "about": "::\(j)",
     "link": {"name": "::\(j)", "down": {"rate": "300 kbit/s"}},
     "players": [
       {"name": "::\(j)", "media": {
         "kind": "hls", "duration": "20 s", "segmentDuration": "4 s",
         "variants": [{"name": "::\(j)", "bandwidth": "400 kbit/s"},
                      {"name": "b\(j)", "bandwidth": "200 kbit/s"}]}},
       {"name": "b\(j)",
        "media": {"kind": "progressive", "duration": "9 s", "bitrate": "1 Mbit/s"}}],
     "script": [{"at": 0, "do": "load", "player": "::\(j)"},
                {"at": 0, "do": "play", "player": "::\(j)"},
                {"at": 0, "do": "load", "player": "b\(j)"},
                {"at": 1, "do": "play", "player": "b\(j)"}],
     "expect": [{"metric": "stallCount", "player": "::\(j)", "==": 77}]}
    """

  @Test func namesAreText() throws {
    let fixture = try CommandFixture(["x.json": Self.named])
    for format in ["timeline", "json", "jsonl", "states", "access-log", "error-log"] {
      let call = fixture.call("run", "$/x.json", "--format", format)
      #expect(call.code == 1, "\(call.messages)")
      HostileText.check(call, format)
    }
    for arguments in [
      ["run", "$/x.json", "--at", "3"], ["run", "$/x.json", "--width", "40"], ["test", "$"],
      ["test", "$", "--update"], ["test", "$", "--format", "json"], ["check", "$/x.json"],
      ["convert", "$/x.json"], ["convert", "$/x.json", "--to", "ladder"],
      ["convert", "$/x.json", "--to", "tc"], ["link", "$/x.json"],
      ["run", "$/x.json", "--html", "-"], ["run", "$/x.json", "--svg", "-"],
    ] {
      HostileText.check(fixture.call(arguments), "\(arguments)")
    }
    HostileText.check(fixture.call("test", "$", "--github"), annotates: true)
    fixture.call("test", "$", "--junit", "$/report.xml")
    #expect(HostileText.problem(in: try fixture.read("report.xml")) == nil)
    fixture.variables = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": fixture.path("s.md")]
    fixture.call("test", "$")
    #expect(HostileText.problem(in: try fixture.read("s.md")) == nil)
  }

  /// A log that was changed is shown where it differs.
  @Test func differencesAreText() throws {
    let fixture = try CommandFixture(["x.json": Self.named])
    fixture.call("test", "$", "--update")
    let golden = try fixture.read("x.expected.log")
    for (name, log) in [
      ("inserted", golden.replacing("\"event\"", with: "\(HostileText.inline)\n::x \"event\"")),
      ("appended", golden + HostileText.name), ("header", HostileText.name + golden),
      ("scenario", golden.replacing("\"seed\"", with: "\"\(j)\":1,\"seed\"")),
      (
        "input",
        golden.replacing(
          "\"scenario\":", with: #""inputs":[{"path":"\#(j)","digest":"\#(j)"}],"scenario":"#)
      ),
    ] {
      try fixture.write("x.expected.log", log)
      for arguments in [
        ["replay", "$/x.expected.log"], ["replay", "$/x.expected.log", "$/x.expected.log"],
        ["test", "$"],
      ] {
        let call = fixture.call(arguments)
        #expect(call.code != 0, "\(name) \(call)")
        HostileText.check(call, name)
      }
    }
  }

  /// Names of files, and words of a command line.
  @Test func pathsAreText() throws {
    let name = HostileText.file
    let fixture = try CommandFixture([
      "d/\(name).json": Fixture.playing, "d/\(name)-b.json": "{\"autowait\": 1}",
      "d/\(name)-c.expected.log": "x", "d/\(name)-p.json": AllowProgramsTests.scenario,
      "d/two.sh": "", "e/\(name).json": CompareCommandTests.experiment,
      "\(name).m3u8": "#EXTM3U\n::x",
    ])
    let (scenario, experiment) = (fixture.path("d/\(name).json"), fixture.path("e/\(name).json"))
    for arguments in [
      ["test", fixture.path("d")], ["test", fixture.path("d"), "--format", "json"],
      ["test", scenario, "--update"], ["run", scenario], ["run", scenario + name],
      ["run", scenario, "--output", scenario + "/x"], ["check", scenario, experiment],
      ["check", fixture.path("\(name).m3u8")], ["check", scenario, "--format", "json"],
      ["replay", scenario, scenario], ["replay", name, name], ["compare", experiment],
      ["compare", experiment, "--output", name + "/x"],
      ["compare", experiment, "--svg", name + "/x"],
      ["compare", experiment, "--worst", name], ["merge", fixture.path("e/\(name)")],
      ["merge", fixture.folder], ["convert", name], ["convert", scenario],
      ["convert", fixture.path("\(name).m3u8")], ["link", name], ["link", scenario],
      ["list", name], ["list", "profiles", name], ["list", "metrics", name], [name], ["-" + name],
      ["help", name], ["run", "--" + name], ["run", "--seed", name, scenario],
      ["run", "--compat", name, scenario], ["run", "--at", name, scenario],
      ["test", "--filter", name, scenario + "x"], ["test", "--filter", name + "?", fixture.folder],
      ["test", name], ["test", "--root", name], ["recipe", name, experiment, "--shards", "2"],
      ["link", "nlc/lte", "--bytes", name], ["convert", "--to", name, scenario], ["work", name],
      ["compare", experiment, "--shard", name, "--out", fixture.path("s")],
      ["compare", experiment, "--shard", "1/2", "--out", fixture.path(name)],
      ["compare", experiment, "--shard", "1/2", "--out", fixture.path(name)],
      ["merge", fixture.path(name)],
    ] {
      HostileText.check(fixture.call(exactly: arguments), "\(arguments)")
    }
    for engine in RecipeCommandTests.engines {
      let arguments = ["recipe", engine, experiment, "--shards", "4", "--out", fixture.path(name)]
      HostileText.checkLines(fixture.call(exactly: arguments), engine)
    }
    fixture.variables["SLURM_ARRAY_TASK_ID"] = name
    let shard = ["compare", experiment, "--shard", "auto/2", "--out", fixture.path("s")]
    HostileText.check(fixture.call(exactly: shard))
    fixture.variables = ["AUTOWAIT_ALLOW_PROGRAMS": name]
    HostileText.check(fixture.call(exactly: ["run", scenario]))
    fixture.variables = [:]
    HostileText.check(
      fixture.call(exactly: ["test", fixture.path("d"), "--github"]), annotates: true)
    fixture.outputOutcome = .failed(name)
    HostileText.check(fixture.call(exactly: ["run", scenario]))
  }

  /// What a shard says, and where it is damaged.
  @Test func shardsAreText() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(#""heuristic": ["mpv", {"name": "::\#(j)"}]"#)
    ])
    fixture.call("compare", "$/x.json", "--shard", "1/2", "--out", "$/s")
    let shard = try fixture.read("s/x.1-of-2.ndjson")
    HostileText.check(fixture.call("merge", "$/s"))
    for text in [
      shard.replacing("x.json", with: j), shard.replacing("1/2", with: j),
      shard.replacing("\"mpv\"", with: "\"\(j)\""), shard + HostileText.name + "\n",
      shard.replacing("\"key\":0", with: "\"key\":\"\(j)\""), "\(HostileText.name)\n",
    ] {
      try fixture.write("s/x.1-of-2.ndjson", text)
      for arguments in [
        ["merge", "$/s"], ["merge", "$/s", "--csv"],
        ["compare", "$/x.json", "--shard", "1/2", "--out", "$/s"],
      ] {
        HostileText.check(fixture.call(arguments), "\(arguments)")
        try fixture.write("s/x.1-of-2.ndjson", text)
      }
    }
  }

  /// What a program writes where an answer should be.
  @Test func answersAreText() throws {
    let fixture = try CommandFixture([
      "two.sh":
        "#!/bin/sh\nread -r q\nprintf '::x\\033[2J\\302\\233\\007\\342\\200\\256\\n'\ncat\n",
      "x.json": AllowProgramsTests.scenario.replacing("./two.sh", with: "./two.sh"),
    ])
    try fixture.makeExecutable("two.sh")
    let call = fixture.call("run", "$/x.json", "--allow-programs")
    #expect(call.messages.contains("note: it wrote '::x\u{FFFD}[2J"), "\(call)")
    HostileText.check(call)
    HostileText.check(fixture.call("test", "$/x.json", "--allow-programs"))
  }

  /// A line that shows how far a command is needs somebody who looks.
  @Test func progressIsForTerminals() throws {
    let fixture = try CommandFixture()
    // More than the second in which nothing is told, however fast the machine.
    #if DEBUG
    let count = 3_000
    #else
    let count = 10_000
    #endif
    let arguments = [
      "link", "nlc/very-bad", "--bytes", "50kB", "--seeds", "\(count)", "--jobs", "1",
    ]
    #expect(fixture.call(arguments).messages == "")
  }
}

extension HostileText {
  /// Checks that no line of a script begins as a command does, and that it is text.
  static func checkLines(_ call: CommandFixture.Call, _ comment: String) {
    let text = call.output.replacing("##[", with: "# #[")
    #expect(problem(in: text) == nil, "\(comment)")
    #expect(problem(in: call.messages) == nil, "\(comment)")
  }
}
