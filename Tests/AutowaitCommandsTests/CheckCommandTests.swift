import Testing

/// `autowait check`: all findings of all files, and nothing is run.
@Suite struct CheckCommandTests {
  @Test func validFiles() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "b.json": Fixture.playing])
    let line = "2 files: 0 invalid, 0 errors, 0 warnings\n"
    #expect(
      fixture.call("check", "$/a.json", "$/b.json") == .init(code: 0, output: line, messages: ""))
  }

  @Test func allFindingsOfAllFilesAreTold() throws {
    let text = Fixture.playing.replacing("\"name\"", with: "\"nmae\"")
      .replacing("\"39 s\"", with: "\"39 q\"")
    let fixture = try CommandFixture(["a.json": text, "b.json": Fixture.playing])
    let outcome = fixture.call("check", "$/a.json", "$/b.json", "$/none.json")
    let messages = """
      $/a.json:3:3: error: unknown key 'nmae'
        "nmae": "slow",
        ^~~~~~
      note: did you mean 'name'?
      $/a.json:6:48: error: 'duration' has the unknown unit 'q'
        "media": {"kind": "progressive", "duration": "39 q", "bitrate": "3.73 Mbit/s"},
                                                     ^~~~~~
      note: the units are: 'ns', 'us', 'ms', 's', 'min', 'h', 'd'
      $/none.json: error: the file does not exist

      """
    let line = "3 files: 2 invalid, 3 errors, 0 warnings\n"
    #expect(outcome == .init(code: 2, output: line, messages: messages))
  }

  @Test func standardInputIsRead() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    func call(_ text: String, _ arguments: String...) -> CommandFixture.Call {
      fixture.input = [text]
      return fixture.call(["check"] + arguments)
    }
    let line = "1 file: 0 invalid, 0 errors, 0 warnings\n"
    #expect(call(Fixture.playing, "-") == .init(code: 0, output: line, messages: ""))
    let broken = Fixture.playing.replacing("\"name\"", with: "\"nmae\"")
    #expect(call(broken, "-").messages.hasPrefix("-:3:3: error: unknown key 'nmae'"))
    #expect(call(Fixture.playing, "--explain", "-").output.contains("\n  until "))
    let both = call(broken, "-", "$/a.json", "-")
    #expect(both.code == 2 && both.messages.contains("can be read only once"))
    let fixed = call(broken, "--fix", "-")
    #expect(fixed.code == 2 && fixed.messages.contains("corrects a file, not standard input"))
  }

  @Test func jsonIsOneObject() throws {
    let fixture = try CommandFixture(["a.json": "{\"autowait\": 1", "b.json": Fixture.playing])
    let outcome = fixture.call("check", "--format", "json", "$/a.json", "$/b.json")
    #expect(outcome.code == 2)
    #expect(outcome.messages == "")
    #expect(
      outcome.output.hasPrefix(
        "{\"version\":1,\"files\":[{\"path\":\"$/a.json\",\"valid\":false,\"findings\":"
          + "[{\"severity\":\"error\",\"path\":\"$/a.json\",\"line\":1,\"column\":15,"))
    #expect(
      outcome.output.hasSuffix(
        "{\"path\":\"$/b.json\",\"kind\":\"scenario\",\"valid\":true,\"findings\":[]}],"
          + "\"errors\":1,\"warnings\":0}\n"))
  }

  @Test func warningsAloneAreValid() throws {
    let text = """
      {"autowait": 1, "link": "demo/fast", "media": {"kind": "local", "duration": "1 s"}}
      """
    let fixture = try CommandFixture(["a.json": text])
    let outcome = fixture.call("check", "$/a.json")
    #expect(outcome.code == 0)
    #expect(outcome.messages.contains("warning: a scenario without the key 'script' does nothing"))
    #expect(outcome.output == "1 file: 0 invalid, 0 errors, 1 warning\n")
  }

  @Test func playlistsAreChecked() throws {
    let media = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:7,\na\n"
    let fixture = try CommandFixture([
      "a.m3u8": media, "b.m3u": "{}", "c": media.replacing("7,", with: "6,"),
    ])
    let messages = """
      $/a.m3u8:3:9: warning: the duration is above the target duration of 6 s
      #EXTINF:7,
              ^
      $/b.m3u:1:1: error: the first line must be '#EXTM3U'
      {}
      ^~

      """
    let lines = """
      $/a.m3u8: a playlist
      $/b.m3u: a playlist
      $/c: a playlist
      3 files: 1 invalid, 1 error, 1 warning

      """
    #expect(
      fixture.call("check", "$/a.m3u8", "$/b.m3u", "$/c")
        == .init(code: 2, output: lines, messages: messages))
    #expect(
      fixture.call("check", "$/aa.m3u8").messages == """
        $/aa.m3u8: error: the file does not exist
        note: did you mean '$/a.m3u8'?

        """)
    let outcome = fixture.call("check", "--format", "json", "$/a.m3u8", "$/c")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        {"version":1,"files":[{"path":"$/a.m3u8","kind":"playlist","valid":true,"findings":\
        [{"severity":"warning",\
        "path":"$/a.m3u8","line":3,"column":9,"message":"the duration is above the target \
        duration of 6 s","notes":[]}]},\
        {"path":"$/c","kind":"playlist","valid":true,"findings":[]}],"errors":0,\
        "warnings":1}

        """)
  }

  /// What a file is follows from its keys.
  @Test(arguments: [
    (#"{"rate": "3 Mbit/s"}"#, "a link"),
    (#"{"name": "x", "transport": {}, "use": "nlc/lte"}"#, "a link"),
    (#"{"trace": "t.csv"}"#, "a link"),
    (#"{"rule": "media3"}"#, "a heuristic"),
    (#"{"rule": {"start": "playing"}}"#, "a heuristic"),
    (#"{"start": "2 s", "resume": "5 s", "verdictSize": "1 kB"}"#, "a heuristic"),
    (#"{"experiment": 1, "base": {"link": "demo/fast"}}"#, "an experiment"),
  ])
  func aFileIsOfTheKindOfItsKeys(_ text: String, _ kind: String) throws {
    let trace = "time:s,rate:kbit/s\n0,1000\n1,2000\n"
    let fixture = try CommandFixture(["a.json": text, "t.csv": trace])
    #expect(fixture.call("check", "$/a.json").output.hasPrefix("$/a.json: \(kind)\n"))
  }

  /// What nobody can tell apart is read as a scenario.
  @Test(arguments: [
    "{}", #"{"name": "x"}"#, #"{"autowait": 1, "rate": 1}"#, #"{"zzz": 1}"#, "[]", "3", "",
    #"{"link": "demo/fast", "rate": 1}"#,
  ])
  func whatElseAFileIsIsAScenario(_ text: String) throws {
    let outcome = try CommandFixture(["a.json": text]).call("check", "$/a.json")
    #expect(outcome.output.hasPrefix("1 file: 1 invalid, "))
  }

  @Test func errorsInLinksHaveTheirPlaces() throws {
    let fixture = try CommandFixture([
      "a.json": #"{"down": {"rate": "3 Mbit/s", "dealy": "40 ms"}}"#,
      "b.json": #"{"rate": "3 Mbits"}"#, "c.json": #"{"rate": "3 Mbit/s"}"#,
    ])
    let outcome = fixture.call("check", "$/a.json", "$/b.json", "$/c.json")
    let messages = """
      $/a.json:1:31: error: unknown key 'dealy'
      {"down": {"rate": "3 Mbit/s", "dealy": "40 ms"}}
                                    ^~~~~~~
      note: did you mean 'delay'?
      $/b.json:1:10: error: 'rate' has the unknown unit 'Mbits'
      {"rate": "3 Mbits"}
               ^~~~~~~~~
      note: did you mean 'Mbit/s'?

      """
    let output = """
      $/a.json: a link
      $/b.json: a link
      $/c.json: a link
      3 files: 2 invalid, 2 errors, 0 warnings

      """
    #expect(outcome == .init(code: 2, output: output, messages: messages))
    #expect(fixture.call("check", "--fix", "$/a.json").code == 0)
    #expect(try fixture.read("a.json") == #"{"down": {"rate": "3 Mbit/s", "delay": "40 ms"}}"#)
  }

  @Test func linksAreChecked() throws {
    let link = #"{"name": "x", "down": {"rate": "2 Mbit/s", "queue": {"packets": 300}}}"#
    let fixture = try CommandFixture(["a.json": link, "b.json": #"{"use": "nlc/none"}"#])
    let outcome = fixture.call("check", "$/a.json")
    #expect(outcome.code == 0)
    #expect(
      outcome.messages.hasPrefix(
        "$/a.json:1:53: warning: the queue of 'x' down delays 1.8 s when it is full\n"))
    #expect(fixture.call("check", "$/b.json").messages.contains("$/b.json:1:9: error: "))
    let json = fixture.call("check", "--format", "json", "$/a.json").output
    #expect(json.contains(#""path":"$/a.json","kind":"link","valid":true"#))
  }

  @Test func errorsInHeuristicsHaveTheirPlaces() throws {
    let fixture = try CommandFixture([
      "a.json": #"{"rule": "media3", "verdictSiz": "1 kB"}"#,
      "b.json": #"{"rule": "medai3"}"#, "c.json": #"{"rule": "buffered", "start": "2 s"}"#,
    ])
    let outcome = fixture.call("check", "$/a.json", "$/b.json", "$/c.json")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages.hasPrefix(
        """
        $/a.json:1:20: error: unknown key 'verdictSiz'
        {"rule": "media3", "verdictSiz": "1 kB"}
                           ^~~~~~~~~~~~
        note: did you mean 'verdictSize'?
        $/b.json:1:10: error: 'rule' has the unknown value 'medai3'
        {"rule": "medai3"}
                 ^~~~~~~~
        note: did you mean 'media3'?

        """))
    #expect(
      outcome.output.hasSuffix(
        "$/c.json: a heuristic\n3 files: 2 invalid, 2 errors, 0 warnings\n"))
  }

  @Test func theReproductionNamesTheRoot() throws {
    let fixture = try CommandFixture([
      "it's/a.json": Fixture.scenario(link: "\"../slow.json\"", startupMax: "6.1 s"),
      "slow.json": "{\"rate\": \"3.2 Mbit/s\"}",
    ])
    let output = fixture.call("test", "$/it's", "--root", "$").output
    #expect(
      output.contains("reproduce with: autowait run '$/it'\\''s/a.json' --seed 1 --root $\n"))
  }
}
