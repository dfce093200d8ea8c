import Testing

/// What judges runs against recorded ones: nothing but the very bytes passes, and two runs that
/// differ never do.
@Suite struct GoldenJudgeTests {
  /// A scenario with a short log.
  private static let scenario = """
    {"autowait": 1, "name": "short", "link": "demo/fast",
     "media": {"kind": "local", "duration": "5 s"},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"}]}

    """

  /// What is done to a log, line by line or to its bytes.
  static let deeds: [(name: String, deed: @Sendable ([String]) -> String)] = [
    ("cut after the header", { $0[0] + "\n" }),
    ("cut inside the header", { String($0[0].prefix(20)) }),
    ("cut before the last line", { text(Array($0.dropLast())) }),
    ("cut inside the last line", { String(text($0).dropLast(9)) }),
    ("without the last line end", { String(text($0).dropLast()) }),
    ("with an empty line at the end", { text($0) + "\n" }),
    ("with a space at the end", { text($0) + " " }),
    ("with a line of its own at the end", { text($0) + "{}\n" }),
    ("with its last line twice", { text($0 + [$0[$0.count - 1]]) }),
    ("twice", { text($0) + text($0) }), ("empty", { _ in "" }),
    ("with CR LF", { text($0).replacing("\n", with: "\r\n") }),
    ("with CR", { text($0).replacing("\n", with: "\r") }),
    ("with one CR LF", { text([$0[0], $0[1] + "\r"] + $0.dropFirst(2)) }),
    ("with a byte order mark", { "\u{FEFF}" + text($0) }),
    ("without its first event", { text([$0[0]] + $0.dropFirst(2)) }),
    ("without an event in the middle", { text(Array($0[..<9]) + $0[10...]) }),
    ("with an event twice", { text(Array($0[...9]) + $0[9...]) }),
    ("with two events in another order", { text(Array($0[..<9]) + [$0[10], $0[9]] + $0[11...]) }),
    ("as header and last line", { text([$0[0], $0[$0.count - 1]]) }),
    (
      "with another version",
      { text($0).replacing("{\"autowaitLog\":1,", with: "{\"autowaitLog\":2,") }
    ),
    ("without a version", { text($0).replacing("{\"autowaitLog\":1,", with: "{") }),
    ("with another digest", { text($0).replacing("\"digest\":\"", with: "\"digest\":\"0") }),
    (
      "with a space in its header",
      { text($0).replacing("{\"autowaitLog\":1,", with: "{\"autowaitLog\":1, ") }
    ),
  ]

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  private func accepted() throws -> (fixture: CommandFixture, golden: String) {
    let fixture = try CommandFixture(["a.json": Self.scenario])
    #expect(fixture.call("test", "$/a.json", "--update").code == 1)
    #expect(fixture.call("test", "$/a.json").code == 0)
    #expect(fixture.call("replay", "$/a.expected.log").code == 0)
    return (fixture, try fixture.read("a.expected.log"))
  }

  /// `test` fails and `replay` tells a difference, or that this is no log; neither writes anything.
  private func expectJudged(_ fixture: CommandFixture, _ bytes: [UInt8], _ what: String) throws {
    try fixture.write("a.expected.log", bytes)
    let test = fixture.call("test", "$/a.json")
    #expect(test.code == 1, "test: \(what)")
    #expect(test.output.hasSuffix("\n1 scenario: 0 passed, 1 failed\n"), "test: \(what)")
    #expect(test.output.contains("  $/a.expected.log:"), "test: \(what)")
    let replay = fixture.call("replay", "$/a.expected.log")
    #expect([2, 5].contains(replay.code), "replay: \(what)")
    #expect(!replay.output.contains("identical:"), "replay: \(what)")
    #expect(Array(try fixture.read("a.expected.log").utf8) == bytes, "\(what)")
  }

  @Test(arguments: deeds.indices)
  func nothingButTheRecordedBytesPasses(_ index: Int) throws {
    let (fixture, golden) = try accepted()
    let (name, deed) = Self.deeds[index]
    let lines = golden.split(separator: "\n").map(String.init)
    let changed = deed(lines)
    #expect(changed != golden)
    try expectJudged(fixture, Array(changed.utf8), name)
    // What is accepted is the run again.
    #expect(fixture.call("test", "$/a.json", "--update").code == 1)
    #expect(try fixture.read("a.expected.log") == golden)
    #expect(fixture.call("test", "$/a.json").code == 0)
  }

  /// One byte is another, is missing, or is there twice: at the beginning and the end of each line,
  /// and at every eleventh place.
  @Test func noByteIsWithoutMeaning() throws {
    let (fixture, golden) = try accepted()
    let bytes = Array(golden.utf8)
    // What made the log is the only thing in it that is not compared.
    let model = "\(Fixture.model)"
    let version = try #require(golden.firstRange(of: "0.1.0\",\"modelVersion\":\(model)"))
    let start = golden.utf8.distance(from: golden.startIndex, to: version.lowerBound)
    let values = [start..<start + 5, start + 22..<start + 22 + model.utf8.count]
    let places = bytes.indices.filter { place in
      if values.contains(where: { $0.contains(place) }) { return false }
      let isAtEnd = bytes[place] == 0x0A || place > 0 && bytes[place - 1] == 0x0A
      return isAtEnd || place % 11 == 0
    }
    for place in places {
      var changed = bytes
      // Letters change their case, and figures become their neighbours; a line end becomes a tab.
      changed[place] ^= bytes[place] > 0x40 ? 0x20 : bytes[place] == 0x0A ? 0x03 : 0x01
      try expectJudged(fixture, changed, "byte \(place) is another")
      changed = bytes
      changed.remove(at: place)
      try expectJudged(fixture, changed, "byte \(place) is missing")
      changed = bytes
      changed.insert(bytes[place], at: place)
      try expectJudged(fixture, changed, "byte \(place) is there twice")
    }
  }

  // MARK: Runs that must not pass

  /// What the tool is told so that it runs programs.
  private static let programs = ["--allow-programs"]
  /// What a run ends with that was stopped at its bound of events.
  private static let cutOffCode: (run: Int32, test: Int32) = (6, 6)

  /// A rule that wants half a second more in every second run.
  private static let fickle = """
    #!/bin/sh
    while read -r question; do
      case $question in
        '{"n":1,'*) echo run >> "${0%/*}/runs" ;;
      esac
      case $(($(wc -l < "${0%/*}/runs") % 2))$question in
        0*'"waited":0,'*) echo '{"keepsUp": false, "askAgain": "0.5 s"}' ;;
        *) echo true ;;
      esac
    done

    """

  private func fixture(rule: String) throws -> CommandFixture {
    let fixture = try CommandFixture([
      "a.json": """
      {"autowait": 1, "link": "demo/slow-server",
       "media": {"kind": "progressive", "duration": "9 s", "bitrate": "3 Mbit/s"},
       "heuristic": {"program": ["./rule.sh"]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """, "rule.sh": rule,
    ])
    try fixture.makeExecutable("rule.sh")
    return fixture
  }

  /// Also where a rule is a program, if it answered alike.
  @Test(arguments: [false, true]) func aSecondRunThatDiffersIsADefect(_ isProgram: Bool) throws {
    let fixture = try fixture(rule: "#!/bin/sh\nwhile read -r question; do echo true; done\n")
    if !isProgram { try fixture.write("a.json", Fixture.playing) }
    fixture.defective = "a.json"
    let call = fixture.call(["test", "$/a.json"] + Self.programs)
    #expect(call.code == 3)
    let lines = call.output.split(separator: "\n").map(String.init)
    #expect(lines[1] == "  $/a.json:1: two runs of this scenario differ", "\(call)")
    #expect(lines[2].hasPrefix("    the fingerprints are "))
    // What is to be sent has all that is needed to see it again.
    let sent = try #require(lines.first { $0.contains("please send the folder ") })
    let folder = String(try #require(sent.split(separator: " ").last)).replacing("$/", with: "")
    #expect(try fixture.read("\(folder)/a.json") == fixture.read("a.json"))
    let logs = try ["fast", "event-by-event"].map { try fixture.read("\(folder)/\($0).log") }
    #expect(logs[0] != logs[1] && logs.allSatisfy { $0.hasPrefix("{\"autowaitLog\":1,") })
    #expect(
      try fixture.read("\(folder)/README.txt").contains("\nautowait run a.json --format jsonl\n"))
    // Whatever such a run gave is not recorded.
    let update = fixture.call(["test", "$/a.json", "--update"] + Self.programs)
    #expect(update.code == 3)
    #expect(!fixture.exists("a.expected.log"))
    let json = fixture.call(
      ["test", "$/a.json", "--format", "json", "--junit", "$/a.xml"] + Self.programs)
    #expect(json.code == 3)
    #expect(json.output.contains("\"status\":\"defect\",\"fingerprint\":"))
    #expect(json.output.contains("\"failures\":[{\"kind\":\"defect\","))
    #expect(try fixture.read("a.xml").contains(" failures=\"0\" errors=\"1\" "))
  }

  /// With the same answers the two runs are the same, so that the fault is the program's.
  @Test func aProgramThatAnswersOtherwiseIsBlamed() throws {
    let fixture = try fixture(rule: Self.fickle)
    let call = fixture.call(["test", "$/a.json"] + Self.programs)
    #expect(call.code == 1)
    #expect(
      call.output == """
        ✗ $/a.json
          $/a.json:1: a rule of this scenario is a program that does not answer alike each time
            a second run asked it the same, and it answered otherwise
          reproduce with: autowait test $/a.json --allow-programs

        1 scenario: 0 passed, 1 failed

        """)
    #expect(try fixture.read("runs") == "run\nrun\n")
    #expect(try !fixture.names().contains { $0.contains("defect") })
    // Whatever such a run gave is not recorded, nor held against what is.
    let update = fixture.call(["test", "$/a.json", "--update"] + Self.programs)
    #expect(update.code == 1)
    #expect(!fixture.exists("a.expected.log"))
    try fixture.write("a.expected.log", "old")
    let json = fixture.call(
      ["test", "$/a.json", "--update", "--format", "json", "--junit", "$/a.xml"] + Self.programs)
    #expect(json.code == 1)
    #expect(json.output.contains("\"status\":\"failed\",\"fingerprint\":"))
    #expect(json.output.contains("\"failures\":[{\"kind\":\"program\","))
    #expect(!json.output.contains("golden"), "\(json.output)")
    #expect(try fixture.read("a.xml").contains(" failures=\"1\" errors=\"0\" "))
    #expect(try fixture.read("a.expected.log") == "old")
    try fixture.remove("a.expected.log")
    // One that answers alike is none.
    try fixture.write("rule.sh", Self.fickle.replacing("runs\") % 2", with: "runs\") * 0"))
    #expect(fixture.call(["test", "$/a.json", "--update"] + Self.programs).code == 1)
    #expect(fixture.call(["test", "$/a.json"] + Self.programs).code == 0)
  }

  /// A run of as many events as it may have is whole; of one fewer it is cut off, and its golden
  /// log does not make it pass.
  @Test func aRunThatIsCutOffNeverPasses() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario])
    func events() -> Int {
      fixture.call("run", "$/a.json", "--format", "jsonl").output.split(separator: "\n").count - 2
    }
    let all = events()
    func write(_ eventsMax: Int) throws {
      try fixture.write(
        "a.json", Self.scenario.replacing("\"link\"", with: "\"eventsMax\": \(eventsMax), \"link\"")
      )
    }
    var fewest = all + 1
    for eventsMax in (1...all).reversed() {
      try write(eventsMax)
      fixture.call("test", "$/a.json", "--update")
      let test = fixture.call("test", "$/a.json")
      if test.code == 0 {
        fewest = eventsMax
        continue
      }
      #expect(eventsMax < fewest)
      #expect(test.code == Self.cutOffCode.test)
      #expect(test.output.contains("  $/a.json:1: "), "\(test.output)")
      #expect(test.output.contains("event"), "\(test.output)")
      #expect(events() < all)
      #expect(fixture.call("run", "$/a.json").code == Self.cutOffCode.run)
    }
    #expect((2...all).contains(fewest))
  }
}
