import AutowaitCommands
import Testing

/// What people are told who mistype something: what is wrong, where, and what they meant.
///
/// One mistake is one error, and no message is a wall.
@Suite struct MessageTests {
  /// The demo with a piece of its text replaced.
  private static func demo(_ piece: String, _ other: String) -> String {
    let text = """
      {
        "autowait": 1,
        "link": "demo/slow-server",
        "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
        "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"}],
        "expect": [
          {"never": {"event": "playbackStalled"}},
          {"metric": "stallCount", "==": 0}
        ]
      }
      """
    precondition(piece.isEmpty || text.contains(piece))
    return piece.isEmpty ? text : text.replacing(piece, with: other)
  }

  /// A call, the file `x.json` that it is about, and the lines that people are told beside those of
  /// the file.
  struct Row: Sendable, CustomTestStringConvertible {
    var call: String
    var file: String
    var lines: [String]

    init(_ call: String, _ piece: String = "", _ other: String = "", _ lines: String...) {
      self.call = call
      file = MessageTests.demo(piece, other)
      self.lines = lines
    }

    var testDescription: String { "\(call) \(lines[0])" }
  }

  /// The inputs of newcomers that were answered badly once.
  static let misses = [
    Row("run $/x.json --at 5x", "", "", "'--at' has the unknown unit 'x'", "note: the units are: "),
    Row("run $/x.json --at -5", "", "", "'--at' must not be negative"),
    Row("run $/x.json --at 99999999999", "", "", "'--at' is above the limit of 366 d"),
    Row(
      "link nlc/lte --bytes 1XB", "", "", "'--bytes' has the unknown unit 'XB'",
      "note: did you mean 'B'?"),
    Row(
      "replay $/x.json", "", "", "$/x.json: error: this is a scenario, not a log",
      "note: 'autowait run $/x.json' runs it; with '--format jsonl' it prints the log"),
    Row(
      "convert $/x.json", "\"stallCount\", \"==\": 0", "\"transferDuration\", \"<=\": 99",
      "$/x.json: error: this is a scenario, not a link",
      "note: 'autowait run' runs it; if it has a stream, 'autowait convert --to hls' writes its "
        + "playlists"),
    Row(
      "convert $/x.json", "\"autowait\": 1", "\"schema\": \"player-timeline/1\"",
      "$/x.json: error: this is a recording of a player, not a link",
      "note: 'autowait convert --to scenario' makes a scenario of it, and 'autowait fidelity' "
        + "compares it with a simulation"),
    Row(
      "run $/x.json", "\"39 s\"", "39 s",
      "$/x.json:4:51: error: expected ',' or '}' but found 's'",
      "note: a number with a unit must be in quotation marks: \"39 s\""),
    Row(
      "run $/x.json", "\"3.73 Mbit/s\"", "3.73 Mbit/s",
      "$/x.json:4:72: error: expected ',' or '}' but found 'Mbit'",
      "note: a number with a unit must be in quotation marks: \"3.73 Mbit/s\""),
    Row(
      "run $/x.json", "playbackStalled", "stall",
      "$/x.json:7:25: error: 'event' has the unknown value 'stall'",
      "note: did you mean 'playbackStalled'?"),
    Row(
      "run $/x.json", "playbackStalled", "buffering",
      "$/x.json:7:25: error: 'event' has the unknown value 'buffering'",
      "note: the nearest of 56 are: 'isPlaybackBufferFull', 'isPlaybackBufferEmpty', 'setting', "
        + "'readingResumed', 'readingSuspended'; 'autowait list events' shows all"),
    Row(
      "run $/x.json", "playbackStalled", "playing",
      "$/x.json:7:25: error: 'event' has the unknown value 'playing'",
      "note: that is \"event\": \"timeControlStatus\", \"value\": \"playing\""),
    Row(
      "run $/x.json", "playbackStalled", "waiting",
      "$/x.json:7:25: error: 'event' has the unknown value 'waiting'",
      "note: that is \"event\": \"timeControlStatus\", "
        + "\"value\": \"waitingToPlayAtSpecifiedRate\""),
    Row(
      "run $/x.json", "playbackStalled", "play",
      "$/x.json:7:25: error: 'event' has the unknown value 'play'",
      "note: a step of the script is \"event\": \"step\", and its name the \"value\""),
    Row(
      "run $/x.json", "playbackStalled", "ended",
      "$/x.json:7:25: error: 'event' has the unknown value 'ended'",
      "note: did you mean 'didPlayToEndTime'?"),
    Row(
      "run $/x.json", "{\"never\": {\"event\": \"playbackStalled\"}}",
      "{\"sequence\": [{\"event\": \"playbackStalld\", \"gap\": {\"<\": \"1 s\"}}]}",
      "$/x.json:7:29: error: 'event' has the unknown value 'playbackStalld'",
      "note: did you mean 'playbackStalled'?"),
    Row(
      "run $/x.json", "\"stallCount\"", "\"stalCount\"",
      "$/x.json:8:16: error: 'metric' has the unknown value 'stalCount'",
      "note: did you mean 'stallCount'?"),
    Row(
      "run $/x.json", "\"link\"", "\"lnik\"", "$/x.json:3:3: error: unknown key 'lnik'",
      "note: did you mean 'link'?"),
    Row(
      "test $/x.json", "\"link\"", "\"lnik\"", "$/x.json:3:3: error: unknown key 'lnik'",
      "note: did you mean 'link'?"),
    Row(
      "check $/x.json", "\"media\"", "\"meida\"", "$/x.json:4:3: error: unknown key 'meida'",
      "note: did you mean 'media'?"),
    Row(
      "run $/x.json", "\"never\": {\"event\": \"playbackStalled\"}",
      "\"event\": \"playbackStalled\"", "$/x.json:7:6: error: unknown key 'event'",
      "note: did you mean \"at\": {\"event\": …} or \"never\": {\"event\": …} or "
        + "\"eventually\": {\"event\": …} or \"sequence\": [{\"event\": …}]?"),
    Row(
      "run $/x.json",
      #""media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"}"#,
      "\"duration\": \"39 s\"", "$/x.json:4:3: error: unknown key 'duration'",
      "note: did you mean \"media\": {\"duration\": …}?"),
  ]

  @Test(arguments: misses)
  func missesOfNewcomers(_ row: Row) throws {
    let fixture = try CommandFixture(["x.json": row.file])
    let outcome = fixture.call(row.call.split(separator: " ").map(String.init))
    #expect(outcome.code == 2)
    let told = (outcome.output + outcome.messages).split(separator: "\n").map {
      String($0.trimmingPrefix { $0 == " " })
    }
    // What a message quotes of the file, and titles and counts of results.
    let errors = told.filter { $0.contains("error: ") || $0.hasPrefix("note: ") }
    #expect(errors.count == row.lines.count, "\(told)")
    for (error, line) in zip(errors, row.lines) {
      let text = error.trimmingPrefix("autowait: error: ")
      #expect(text == line || line.hasSuffix(": ") && text.hasPrefix(line), "\(told)")
    }
  }

  @Test func aFileThatIsNoTextIsCalledSo() throws {
    let fixture = try CommandFixture()
    try fixture.write("x", [0x7F, 0x45, 0x4C, 0x46, 0x02, 0x01, 0x01, 0x00, 0x00, 0x0A])
    let outcome = fixture.call("convert", "$/x")
    #expect(outcome == .init(code: 2, output: "", messages: "$/x: error: the file is not a text\n"))
  }

  @Test func whatIsReadFromStandardInputNeedsNoFile() throws {
    let fixture = try CommandFixture()
    fixture.input = [Self.demo("", "")]
    #expect(fixture.call("run", "-").code == 0)
  }

  /// The same mistake looks the same wherever it is met; results for programs have it as a message.
  @Test func aTestShowsErrorsAsARunDoes() throws {
    let fixture = try CommandFixture(["x.json": Self.demo("\"link\"", "\"lnik\"")])
    let finding = """
      $/x.json:3:3: error: unknown key 'lnik'
        "lnik": "demo/slow-server",
        ^~~~~~
      note: did you mean 'link'?

      """
    #expect(fixture.call("run", "$/x.json").messages == finding)
    let test = fixture.call("test", "$/x.json")
    let lines = finding.split(separator: "\n").map { "  \($0)\n" }.joined()
    #expect(test.output.hasPrefix("✗ $/x.json\n\(lines)\n"), "\(test)")
    #expect(test.messages == "")
    #expect(fixture.call("test", "$/x.json", "--format", "json").messages == finding)
  }

  /// Green tests say one line, whatever a lint would have to say of their files.
  @Test func greenTestsAreQuiet() throws {
    let fixture = try CommandFixture([
      "x.json": Self.demo("\"demo/slow-server\"", "{\"rate\": 2000}")
    ])
    #expect(fixture.call("check", "$/x.json").messages.contains(": warning: "))
    let outcome = fixture.call("test", "$")
    #expect(outcome == .init(code: 0, output: "1 scenario: 1 passed, 0 failed\n", messages: ""))
  }

  // MARK: Colour

  /// Errors are red, warnings yellow, notes cyan, and carets green.
  @Test func messagesAreColoredOnATerminal() throws {
    let fixture = try CommandFixture(["x.json": Self.demo("\"link\"", "\"lnik\"")])
    fixture.messagesAreSeen = true
    #expect(
      fixture.call("run", "$/x.json").messages == """
        \u{1B}[1m$/x.json:3:3: \u{1B}[0m\u{1B}[1;31merror:\u{1B}[0m\
        \u{1B}[1m unknown key 'lnik'\u{1B}[0m
          "lnik": "demo/slow-server",
          \u{1B}[1;32m^~~~~~\u{1B}[0m
        \u{1B}[1;36mnote:\u{1B}[0m did you mean 'link'?

        """)
    #expect(
      fixture.call("rnu").messages == """
        \u{1B}[1mautowait: \u{1B}[0m\u{1B}[1;31merror:\u{1B}[0m\u{1B}[1m unknown command 'rnu'\
        \u{1B}[0m
        \u{1B}[1;36mnote:\u{1B}[0m did you mean 'run'?

        """)
    try fixture.write("w.json", Self.demo("\"demo/slow-server\"", "{\"rate\": 2000}"))
    let warning = fixture.call("check", "$/w.json").messages
    #expect(warning.contains("\u{1B}[1;33mwarning:\u{1B}[0m"), "\(warning)")
  }

  @Test(arguments: [
    (true, [:], [], true), (false, [:], [], false), (true, ["NO_COLOR": ""], [], false),
    (true, ["NO_COLOR": "1"], [], false), (true, ["TERM": "dumb"], [], false),
    (true, ["TERM": "xterm"], [], true), (true, [:], ["--color", "never"], false),
    (false, [:], ["--color=always"], true),
    (false, ["NO_COLOR": "1"], ["--color", "always"], true),
  ])
  func messagesAreColoredAsResultsAre(
    _ isSeen: Bool, _ variables: [String: String], _ options: [String], _ isColored: Bool
  ) throws {
    let fixture = try CommandFixture()
    fixture.messagesAreSeen = isSeen
    fixture.variables = variables
    // Also of a call that is not understood.
    for arguments in [["run", "$/no.json"], ["check", "$/no.json"], ["list", "metrics", "zzz"]] {
      let messages = fixture.call(arguments + options).messages
      #expect(messages.contains("\u{1B}[1;31merror:") == isColored, "\(messages)")
    }
    #expect(fixture.call(["run", "--zzz"] + options).messages.contains("\u{1B}") == isColored)
  }

  /// What a file says never becomes a colour, or a command to a CI server.
  @Test func hostileTextIsColoredSafely() throws {
    let fixture = try CommandFixture([
      "x.json": Self.demo("\"link\"", "\"\(HostileText.json)\"")
    ])
    fixture.messagesAreSeen = true
    let messages = fixture.call("run", "$/x.json").messages
    #expect(messages.contains("\u{1B}[1;31merror:"))
    let plain = messages.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
      .replacing("\u{1B}[1;31m", with: "").replacing("\u{1B}[1;36m", with: "")
      .replacing("\u{1B}[1;32m", with: "")
    #expect(HostileText.problem(in: plain) == nil)
  }

  // MARK: Width

  /// On a terminal notes are broken between words, and never within quotation marks.
  @Test func notesFitTheTerminal() throws {
    let fixture = try CommandFixture(["x.json": Self.demo("playbackStalled", "buffering")])
    fixture.messagesAreSeen = true
    fixture.variables = ["NO_COLOR": "1", "COLUMNS": "60"]
    let lines = fixture.call("run", "$/x.json").messages.split(separator: "\n")
    #expect(
      lines.dropFirst(3) == [
        "note: the nearest of 56 are: 'isPlaybackBufferFull',",
        "      'isPlaybackBufferEmpty', 'setting', 'readingResumed',",
        "      'readingSuspended'; 'autowait list events' shows all",
      ])
  }

  /// A long line of a file is cut to the terminal, with the mark below what it marks.
  @Test(arguments: [40, 60, 79, 80, 120])
  func markedLinesFitTheTerminal(columns: Int) throws {
    let fixture = try CommandFixture()
    fixture.messagesAreSeen = true
    fixture.variables = ["COLUMNS": "\(columns)", "NO_COLOR": "1"]
    for padding in stride(from: 0, to: 140, by: 7) {
      let text = Self.demo("stallCount", "stalCount")
        .replacing("\n", with: " ").replacing("39 s\"", with: "39 s\"" + padding.spaces)
      for ending in ["", ", \"name\": \"\(String(repeating: "x", count: padding))\""] {
        try fixture.write("x.json", String(text.dropLast()) + ending + "}")
        let lines = fixture.call("check", "$/x.json").messages.split(separator: "\n")
        let mark = try #require(lines.firstIndex { $0.drop { $0 == " " }.first == "^" })
        let (line, below) = (lines[mark - 1], lines[mark])
        #expect(line.count <= columns && below.count <= columns, "\(lines)")
        let from = below.prefix { $0 == " " }.count
        #expect(line.dropFirst(from).prefix(min(4, below.count - from)) == "\"sta", "\(lines)")
      }
    }
  }

  /// Where nobody looks, such as in a pipe or a log, a note is one line.
  @Test func notesElsewhereAreOneLine() throws {
    let fixture = try CommandFixture(["x.json": Self.demo("playbackStalled", "buffering")])
    fixture.variables = ["COLUMNS": "60"]
    let lines = fixture.call("run", "$/x.json").messages.split(separator: "\n")
    #expect(
      lines.dropFirst(3) == [
        "note: the nearest of 56 are: 'isPlaybackBufferFull', 'isPlaybackBufferEmpty', 'setting', "
          + "'readingResumed', 'readingSuspended'; 'autowait list events' shows all"
      ])
    #expect(
      fixture.call("help").output.contains("Elsewhere each note is one line, for grep.\n"))
  }

  @Test func noListIsAWall() throws {
    let fixture = try CommandFixture()
    for arguments in [
      ["list", "metrics", "zzz"], ["list", "events", "zzz"], ["list", "heuristics", "zzz"],
      ["list", "profiles", "zzz"], ["init", "zzz"], ["run", "x", "--format", "zzz"],
      ["convert", "x", "--to", "zzz"], ["recipe", "zzz", "x", "--shards", "2"],
    ] {
      let outcome = fixture.call(arguments)
      #expect(outcome.code == 2)
      let note = outcome.messages.split(separator: "\n").dropFirst().joined(separator: "\n")
      #expect(note.hasPrefix("note: the nearest of "), "\(outcome)")
      #expect(note.hasSuffix("' shows all"), "\(outcome)")
      #expect(note.split(separator: "'").count <= 13, "\(outcome)")
    }
  }
}

extension Int {
  fileprivate var spaces: String { String(repeating: " ", count: self) }
}
