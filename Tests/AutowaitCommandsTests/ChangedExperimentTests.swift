import Testing

/// `--set` of the commands that take experiments: a change of the base, and nothing else.
@Suite struct ChangedExperimentTests {
  private static let base = """
    {"autowait": 1,
     "link": {"name": "slow", "down": {"rate": "3.2 Mbit/s"}},
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
     "expect": [{"metric": "stallCount", "==": 0}]}
    """
  private static let experiment = """
    {"experiment": 1, "name": "T", "base": "middle.json",
     "vary": {"heuristic": ["avfoundation", "mpv"], "link.down.delay": ["10 ms", "1 s"], "seed": 2}}
    """

  private let fixture: CommandFixture
  /// Changes, one of them in what the base extends.
  private let options = ["--set", "media.duration=10 s", "--set", "script[1].at=1 s"]

  init() throws {
    fixture = try CommandFixture([
      "x.json": Self.experiment, "middle.json": #"{"extends": "base.json"}"#,
      "base.json": Self.base,
    ])
  }

  private func rows(_ more: [String] = []) -> String {
    fixture.call(["compare", "$/x.json", "--csv"] + more).output
  }

  /// A change does what another base would do, wherever the base stands.
  @Test func aChangeIsOneOfTheBase() throws {
    let unchanged = rows()
    let changed = rows(options)
    #expect(changed != unchanged)
    let other = Self.base.replacing("39 s", with: "10 s")
      .replacing(#"{"at": 0, "do": "play"}"#, with: #"{"at": 1, "do": "play"}"#)
    try fixture.write("base.json", other)
    #expect(rows() == changed)
    let inner = Self.experiment.replacing(#""middle.json""#, with: Self.base)
    try fixture.write("x.json", inner)
    #expect(rows(options) == changed)
    #expect(rows() == unchanged)
  }

  /// What is changed as a whole still varies in its parts.
  @Test func whatVariesComesAfterTheChange() throws {
    let changed = rows([
      "--set", #"link={"name": "slow", "down": {"rate": "9 Mbit/s", "delay": "7 s"}}"#,
    ])
    #expect(changed != rows())
    try fixture.write("base.json", Self.base.replacing("3.2 Mbit/s", with: "9 Mbit/s"))
    #expect(rows() == changed)
  }

  /// Changes, and how the message begins that refuses them.
  @Test(arguments: [
    (
      "media.duraton=10 s",
      """
      --set:1:7: error: unknown key 'duraton'
      media.duraton=10 s
            ^~~~~~~
      note: did you mean 'duration'? that key is there already
      """
    ),
    (
      "media.duration=10 q",
      """
      --set:1:16: error: 'duration' has the unknown unit 'q'
      media.duration=10 q
                     ^~~~
      """
    ),
    (
      "script[5].at=1",
      """
      --set:1:7: error: there is no element 5: there are 2, counted from 0
      script[5].at=1
            ^~~
      """
    ),
    (
      "link.down.delay=2 ms",
      """
      --set:1:1: error: this has no effect: the experiment varies 'link.down.delay'
      link.down.delay=2 ms
      ^~~~~~~~~~~~~~~
      note: a change sets a value of the base, and what varies replaces that value

      """
    ),
    ("heuristic.start=2 s", "--set:1:1: error: this has no effect: the experiment varies 'heur"),
    ("seed=4", "--set:1:1: error: this has no effect: the experiment varies 'seed'\n"),
    ("vary.until=[1]", "--set:1:1: error: the base of an experiment cannot vary\n"),
    ("zonk", "autowait: error: '--set zonk': a change needs '='"),
  ])
  func whatHasNoPlaceIsRefused(_ change: String, _ message: String) {
    for command in [
      ["compare", "$/x.json"], ["check", "$/x.json"], ["work", "$/x.json"],
      ["recipe", "xargs", "$/x.json", "--shards", "2"],
      ["compare", "$/x.json", "--shard", "1/2", "--out", "$/d"],
      ["run", "$/x.json", "--session", "1"],
    ] {
      let call = fixture.call(command + ["--set", change])
      #expect(call.code == 2, "\(command)")
      #expect(call.messages.hasPrefix(message), "\(command): \(call.messages)")
    }
  }

  /// With '--seeds' an experiment without seeds of its own has some.
  @Test func seedsOfACallReplaceThatOfTheBase() throws {
    try fixture.write("x.json", Self.experiment.replacing(", \"seed\": 2", with: ""))
    #expect(rows(["--set", "seed=4"]).contains(",4,"), "\(rows(["--set", "seed=4"]))")
    let call = fixture.call("compare", "$/x.json", "--seeds", "2", "--set", "seed=4")
    #expect(call.messages.contains("the experiment varies 'seed'"))
  }

  /// Findings about the base keep their places, also where it was put together.
  @Test func placesAreThoseOfTheFiles() throws {
    let call = fixture.call(["compare", "$/x.json"] + options)
    #expect(call.code == 1)
    #expect(
      call.messages.hasPrefix("$/base.json:5:13: error: expected {\"metric\""), "\(call.messages)")
    #expect(
      call.messages.contains(
        " --set 'media.duration=10 s' --set 'script[1].at=1 s'\n"), "\(call.messages)")
    try fixture.write("base.json", Self.base.replacing("\"bitrate\"", with: "\"bitrat\""))
    let wrong = fixture.call(["compare", "$/x.json"] + options)
    #expect(wrong.code == 2)
    #expect(
      wrong.messages.hasPrefix("$/base.json:3:55: error: unknown key 'bitrat'"), "\(wrong.messages)"
    )
  }

  /// The session that a message names is the one that the comparison ran.
  @Test func aSessionByItself() throws {
    let json = fixture.call(
      ["run", "$/x.json", "--session", "5", "--format", "json"] + options)
    #expect(json.output.contains("\"mediaPlayed\":10"), "\(json.output)")
    let row = try #require(
      rows(options).split(separator: "\n").first { $0.hasPrefix("5,") })
    let print = try #require(json.output.split(separator: "\"fingerprint\":\"").last?.prefix(16))
    #expect(row.contains(print), "\(row)")
  }

  /// Shards say what was changed: the merge follows them, and takes no others.
  @Test func shards() throws {
    let whole = fixture.call(["compare", "$/x.json", "--json"] + options)
    func make(_ number: Int, _ options: [String]) -> CommandFixture.Call {
      fixture.call(["compare", "$/x.json", "--shard", "\(number)/2", "--out", "$/d"] + options)
    }
    #expect(make(1, options).code == 0)
    #expect(
      fixture.call("merge", "$/d").messages.hasPrefix(
        "missing: shard 2/2: autowait compare $/x.json --set 'media.duration=10 s' "
          + "--set 'script[1].at=1 s' --shard 2/2 --out $/d\n"))
    #expect(make(2, options).code == 0)
    let merged = fixture.call("merge", "$/d", "--json")
    #expect(merged.output == whole.output)
    #expect(merged.messages == whole.messages)
    let before = try fixture.read("d/x.2-of-2.ndjson")
    for other in [[], ["--set", "media.duration=11 s"]] {
      let refused = make(2, other)
      #expect(refused.code == 2)
      #expect(
        refused.messages.hasPrefix(
          "$/d/x.2-of-2.ndjson: error: the file is a shard with other changes of the base: "
            + "--set 'media.duration=10 s' --set 'script[1].at=1 s'\n"), "\(refused.messages)")
      #expect(try fixture.read("d/x.2-of-2.ndjson") == before)
      try fixture.remove("d/x.2-of-2.ndjson")
      #expect(make(2, other).code == 0)
      let mixed = fixture.call("merge", "$/d")
      #expect(mixed.code == 1)
      #expect(mixed.output == "")
      #expect(mixed.messages.contains("with other changes of the base: "), "\(mixed.messages)")
      #expect(mixed.messages.contains("1 of 2 shards missing or damaged"), "\(mixed.messages)")
      try fixture.write("d/x.2-of-2.ndjson", before)
    }
    // The digest finds a trailer whose changes were edited.
    let forged = before.replacing("script[1].at=1 s", with: "script[1].at=2 s")
    for number in 1...2 {
      let name = "d/x.\(number)-of-2.ndjson"
      try fixture.write(
        name, try fixture.read(name).replacing("script[1].at=1 s", with: "script[1].at=2 s"))
    }
    #expect(try fixture.read("d/x.2-of-2.ndjson") == forged)
    let call = fixture.call("merge", "$/d")
    #expect(call.code == 1)
    #expect(call.messages.contains("was made from another version of"), "\(call.messages)")
  }

  /// Workers write what shards have, and scripts pass the changes on.
  @Test func workersAndScripts() throws {
    fixture.input = ["{\"units\": [0, 4]}\n"]
    let worker = fixture.call(["work", "$/x.json"] + options).output
    try fixture.write("d/part-0", worker.replacing("$", with: fixture.folder))
    #expect(
      fixture.call("merge", "$/d", "--csv").output == rows(options))
    fixture.input = [#"{"scenario": "$/base.json"}"#.replacing("$", with: fixture.folder)]
    #expect(fixture.call(["work"] + options).output.contains("\"mediaPlayed\":10,"))
    for engine in ["xargs", "slurm", "spark"] {
      let script = fixture.call(
        ["recipe", engine, "$/x.json", "--shards", "2"] + options
      ).output
      let words =
        engine == "spark"
        ? #""--set", "media.duration=10 s", "--set", "script[1].at=1 s""#
        : "--set 'media.duration=10 s' --set 'script[1].at=1 s'"
      #expect(script.contains(words), "\(script)")
    }
  }

  /// Each report says what was changed, in words that the option takes.
  @Test func reportsSayWhatWasChanged() throws {
    let said = "with 'media.duration=10 s', 'script[1].at=1 s'"
    let text = fixture.call(["compare", "$/x.json"] + options).output
    #expect(text.contains("under 2 seeds: 8 sessions\n\(said)\n\n"), "\(text)")
    let markdown = fixture.call(["compare", "$/x.json", "--markdown"] + options).output
    #expect(
      markdown.contains(
        "\n\n" + said.replacing("[", with: "\\[").replacing("]", with: "\\]") + "\n\n"),
      "\(markdown)")
    let json = fixture.call(["compare", "$/x.json", "--json"] + options).output
    #expect(
      json.contains(
        "\"set\": [\n      \"media.duration=10 s\",\n      \"script[1].at=1 s\"\n    ],\n"))
    #expect(!fixture.call("compare", "$/x.json", "--json").output.contains("\"set\""))
    _ = fixture.call(["compare", "$/x.json", "--html", "$/x.html"] + options)
    let page = try fixture.read("x.html")
    #expect(
      page.contains("8 sessions, with &#39;media.duration=10 s&#39;, "), "\(page.prefix(900))")
  }

  /// The worst network is searched with the change, and its scenario holds it.
  @Test func theWorstNetwork() throws {
    let call = fixture.call(
      "compare", "$/x.json", "--worst", "mpv", "--output", "$/w.json", "--set",
      "media.duration=10 s")
    #expect(call.code == 0, "\(call.messages)")
    #expect(try fixture.read("w.json").contains("10 s"))
    #expect(fixture.call("run", "$/w.json").code == 0)
    // A change of the link is in what is searched, and not made again in what is found.
    try fixture.write(
      "x.json",
      Self.experiment.replacing(
        #""link.down.delay": ["10 ms", "1 s"]"#, with: #""until": [300, 400]"#))
    let link = fixture.call(
      "compare", "$/x.json", "--worst", "mpv", "--output", "$/w.json", "--set",
      "link.down.rate=9 Mbit/s")
    #expect(link.code == 0, "\(link.messages)")
  }
}
