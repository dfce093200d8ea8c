import AutowaitCommands
import Synchronization
import Testing

/// `autowait play`: keys are steps of a scenario, and what is saved does what was seen.
@Suite struct PlayCommandTests {
  private static let right = "\u{1B}[C"
  private static let left = "\u{1B}[D"
  private static let (up, down) = ("\u{1B}[A", "\u{1B}[B")

  /// What keys came to, on a terminal that counts how often it was taken over and given back.
  private struct Played {
    let fixture: CommandFixture
    let call: CommandFixture.Call
    let entered: Int
    let left: Int

    /// The screens that were drawn, each as lines.
    var screens: [[String]] {
      call.output.split(separator: "\u{1B}[H").map { screen in
        screen.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").split(
          separator: "\r\n", omittingEmptySubsequences: false
        ).map(String.init)
      }
    }

    /// The titles of the screens, which end in the time.
    var clocks: [String] {
      screens.compactMap { screen in
        screen.first?.split(separator: " ").suffix(4).joined(separator: " ")
      }.map { $0.hasSuffix("held") ? String($0.split(separator: " ", maxSplits: 1)[1]) : $0 }
    }
  }

  /// Hits keys one after another; nil waits for a frame.
  private func play(
    _ keys: [String?], _ options: String..., of text: String = Fixture.playing, columns: Int = 80,
    ticks: Int64 = 0
  ) throws -> Played {
    let fixture = try CommandFixture(["a.json": text])
    let rest = Mutex(keys[...])
    let counts = Mutex((entered: 0, left: 0))
    fixture.variables["COLUMNS"] = "\(columns)"
    fixture.ticks = ticks
    fixture.whenWaiting = {
      guard let key = rest.withLock({ $0.popFirst() }) else { return .end }
      return key.map { .bytes(Array($0.utf8)) }
    }
    fixture.screen = CommandEnvironment.Screen(
      enter: { counts.withLock { $0.entered += 1 } }, leave: { counts.withLock { $0.left += 1 } },
      stop: { counts.withLock { $0 = ($0.entered + 1, $0.left + 1) } })
    let call = fixture.call(["play", "$/a.json"] + options)
    let (entered, left) = counts.withLock { $0 }
    return Played(fixture: fixture, call: call, entered: entered, left: left)
  }

  /// Each key is a step at the time at which it was hit, and the file replays.
  @Test func keysAreSteps() throws {
    let keys = [
      Self.right, Self.right, "x", Self.right, "p", Self.right, "i", "s", "2", "0", "\r", "o",
      Self.right, "o", Self.right, "r", "2", "\r", Self.right, "l", "nlc/3g", "\r", "w", "q",
    ]
    let played = try play(keys, "--hold")
    #expect(played.call.code == 0 && played.call.messages == "", "\(played.call.messages)")
    #expect(played.entered == 1 && played.left == 1)
    let file = try played.fixture.read("a.played.json")
    let steps = file.split(separator: "\n").filter { $0.hasPrefix("    {\"at\": ") }
      .map { $0.replacing(/,$/, with: "") }
    #expect(
      Array(steps.dropFirst()) == [
        #"    {"at": 2, "do": "pause"}"#, #"    {"at": 3, "do": "play"}"#,
        #"    {"at": 4, "do": "playImmediately"}"#, #"    {"at": 4, "do": "seek", "to": "20 s"}"#,
        #"    {"at": 4, "do": "link", "link": {"use": "demo/slow-server", "rate": 0}}"#,
        #"    {"at": 5, "do": "link", "link": "demo/slow-server"}"#,
        #"    {"at": 6, "do": "link", "link": {"use": "demo/slow-server", "rate": "2 Mbit/s"}}"#,
        #"    {"at": 7, "do": "link", "link": "nlc/3g"}"#,
      ])
    #expect(!file.contains("expect"))
    // The fingerprint that is told is that of the file, run by itself.
    let run = played.fixture.call("run", "$/a.played.json")
    let told = try #require(played.call.output.firstMatch(of: /fingerprint ([0-9a-f]{16})/)?.1)
    #expect(run.output.hasSuffix("fingerprint \(told)\n"), "\(told) \(run)")
    #expect(played.call.output.contains("run it: autowait run $/a.played.json"))
  }

  /// What was before a step is after it as it was: lines of the log, up to its time.
  @Test(arguments: ["x", "i", "s5\r", "o", "r1\r"], [1, 3, 9])
  func aStepLeavesThePast(_ key: String, _ second: Int) throws {
    let keys = Array(repeating: Self.right, count: second) + key.map(String.init) + ["w"]
    let played = try play(keys, "--hold")
    func events(_ name: String) -> [Substring] {
      let lines = played.fixture.call("run", "$/\(name)", "--format", "jsonl").output
        .split(separator: "\n").dropFirst()
      return lines.prefix { line in
        let time = line.split(separator: ":", maxSplits: 1)[1].prefix { $0 != "," }
        return Double(time).map { $0 < Double(second) } ?? false
      }
    }
    let (before, after) = (events("a.json"), events("a.played.json"))
    #expect(before.count > 3 && before == after)
    let whole = played.fixture.call("run", "$/a.played.json", "--format", "jsonl").output
    #expect(whole.contains("{\"t\":\(second),"), "the step is there")
  }

  /// Time runs as the clock does, or faster, and stands where it is held.
  @Test func timeRuns() throws {
    let played = try play(
      [nil, nil, "4", nil, "f", nil, " ", nil, "1", " ", nil], ticks: 10_000_000)
    #expect(
      played.clocks == [
        "0 s 1 ×", "0.01 s 1 ×", "0.02 s 1 ×", "0.03 s 4 ×", "0.07 s 4 ×", "0.11 s 40 ×",
        "0.51 s 40 ×", "0.91 s held", "0.91 s 1 ×", "0.92 s 1 ×",
      ])
  }

  /// Arrows go by seconds and by events, and never before the start or behind the end.
  @Test func arrowsMove() throws {
    let played = try play(
      [Self.left, Self.down, Self.down, Self.up, Self.right]
        + Array(repeating: Self.right, count: 60)
        + [Self.down, Self.left], "--hold")
    let clocks = played.clocks
    #expect(clocks[0] == "0 s held")
    #expect(clocks.contains("0.046625 s held") && clocks.contains("1.046625 s held"))
    // The movie ends at 45.459375 s; a second before that is the last frame.
    #expect(clocks.contains("45.459375 s held") && clocks.last == "44.459375 s held", "\(clocks)")
    #expect(played.screens.contains { $0.contains("nothing more happens by itself") })
  }

  /// What cannot be done is said, and changes nothing.
  @Test(arguments: [
    ("u", "there is no step to take back"), ("z", "? lists the keys"),
    ("lzonk\r", "unknown link 'zonk'"), ("r2x\r", "unit"), ("sx\r", "time"),
  ])
  func mistakesAreTold(_ keys: String, _ message: String) throws {
    let played = try play([Self.right] + keys.map { String($0) } + ["w"], "--hold")
    #expect(
      played.screens.contains { $0.contains { $0.contains(message) } },
      "\(played.screens.last ?? [])")
    let script = try played.fixture.read("a.played.json").split(separator: "\n")
    #expect(!script.contains { $0.hasPrefix("    {\"at\": 1,") })
  }

  /// A step that was taken back, and those behind an earlier one, are gone.
  @Test func stepsAreTakenBack() throws {
    let played = try play(
      [Self.right, "x", Self.right, "p", "u", Self.right, "i", Self.left, Self.left, "o", "w"],
      "--hold")
    let text = try played.fixture.read("a.played.json")
    #expect(text.contains(#"{"at": 1, "do": "pause"}"#))
    #expect(text.contains(#"{"at": 1, "do": "link""#))
    #expect(!text.contains(#""at": 2"#) && !text.contains(#""at": 3"#), "\(text)")
  }

  /// The keys of two players are for the one that was chosen.
  @Test func playersAreChosen() throws {
    let text = """
      {"autowait": 1, "link": {"rate": "6 Mbit/s"}, "players": [
        {"name": "a", "media": {"kind": "progressive", "duration": "9 s", "bitrate": "1 Mbit/s"}},
        {"name": "b", "media": {"kind": "progressive", "duration": "9 s", "bitrate": "1 Mbit/s"}}],
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "load", "player": "b"}]}
      """
    let played = try play(["p", "\t", "i", "\t", "x", "w"], "--hold", of: text)
    let file = try played.fixture.read("a.played.json")
    for (what, name) in [("play", "a"), ("playImmediately", "b"), ("pause", "a")] {
      #expect(file.contains("{\"at\": 0, \"do\": \"\(what)\", \"player\": \"\(name)\"}"), "\(file)")
    }
  }

  /// Nothing is lost by one key, no file is replaced that was not written here, and a stop is one.
  @Test func endsAndFiles() throws {
    let asked = try play(["x", "q", nil, "q", "w"], "--hold")
    #expect(asked.screens.contains { $0.contains("not saved: w saves, q again quits") })
    #expect(try asked.fixture.names() == ["a.json"])
    let stopped = try play(["\u{1A}", "\u{3}", "w"])
    #expect(stopped.entered == 2 && stopped.left == 2)
    let fixture = try CommandFixture(["a.json": Fixture.playing, "a.played.json": "mine"])
    let keys = Mutex(["x", "w", "p", "w"][...])
    fixture.whenWaiting = {
      keys.withLock { $0.popFirst() }.map { .bytes(Array($0.utf8)) } ?? .end
    }
    fixture.screen = .init(enter: {}, leave: {}, stop: {})
    let call = fixture.call("play", "$/a.json", "--hold")
    #expect(call.output.contains("wrote $/a.played-2.json"), "\(call)")
    #expect(try fixture.names() == ["a.json", "a.played-2.json", "a.played.json"])
    #expect(try fixture.read("a.played.json") == "mine")
  }

  /// What has no terminal, or is no single scenario without programs, is refused.
  @Test func whatCannotBePlayed() throws {
    let varied = Fixture.playing.replacing(
      #""seed": 1"#, with: #""seed": 1, "vary": {"link": ["demo/fast", "nlc/3g"]}"#)
    let program = Fixture.playing.replacing(
      #""seed": 1"#, with: #""seed": 1, "heuristic": {"program": ["./x.sh"]}"#)
    let fixture = try CommandFixture([
      "a.json": Fixture.playing, "v.json": varied, "p.json": program, "b.json": "{",
      "x.sh": "#!/bin/sh\n",
    ])
    try fixture.makeExecutable("x.sh")
    #expect(fixture.call("play", "$/a.json").messages.contains("needs a terminal"))
    fixture.screen = .init(enter: {}, leave: {}, stop: {})
    for (path, message) in [
      ("v.json", "takes one run"), ("p.json", "rules that are programs cannot be played"),
      ("b.json", "error:"), ("none.json", "does not exist"),
    ] {
      let call = fixture.call("play", "$/\(path)")
      #expect(call.code == 2 && call.messages.contains(message), "\(path) \(call)")
    }
    #expect(fixture.call("play", "-").messages.contains("standard input is where keys come from"))
    fixture.whenWaiting = { .end }
    #expect(fixture.call("play", "$/v.json", "--run", "nlc/3g").code == 0)
  }

  /// No line is wider than the terminal, and the keys are always there.
  @Test(arguments: [40, 60, 80, 120, 200])
  func screensFit(_ columns: Int) throws {
    let played = try play(
      [Self.right, Self.right, "?", "?", "r"] + Array(repeating: Self.right, count: 9), "--hold",
      columns: columns)
    #expect(played.screens.count > 4)
    for screen in played.screens.dropLast() {
      #expect(screen.count <= 24, "\(screen.count)")
      for line in screen { #expect(line.unicodeScalars.count <= columns, "\(line)") }
      #expect(screen.contains { $0.hasPrefix("o link off/on") })
    }
  }
}
