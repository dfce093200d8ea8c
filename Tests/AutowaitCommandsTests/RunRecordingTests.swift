import Autowait
import AutowaitRendering
import AutowaitScenario
import Foundation
import Testing

/// Recordings hold what a run needs, replay anywhere, and lead nowhere else.
@Suite struct RunRecordingTests {
  private static let playlist = """
    #EXTM3U
    #EXT-X-VERSION:3
    #EXT-X-TARGETDURATION:6
    #EXTINF:6,
    segments/a b.ts
    #EXTINF:6,
    segments/c.ts
    #EXT-X-ENDLIST

    """
  private static let stream = """
    {"autowait": 1, "link": "../links/slow.json",
     "media": {"kind": "hls", "playlist": "../media/clip.m3u8"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """

  /// A scenario in a folder whose files lie in others, with segments whose bytes nobody needs.
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture([
      "Scenarios/hls/clip.json": Self.stream, "Scenarios/media/clip.m3u8": Self.playlist,
      "Scenarios/links/slow.json": "{\"rate\": \"2 Mbit/s\"}",
    ])
    for name in ["a b", "c"] {
      try fixture.write(
        "Scenarios/media/segments/\(name).ts", Array(repeating: 0x47, count: 900_000))
    }
    return fixture
  }

  private func record(
    _ fixture: CommandFixture, _ scenario: String, _ more: String...
  ) throws -> String {
    let run = fixture.call(["run", scenario, "--recording", "$/x.recording"] + more)
    #expect(run.code == 0, "\(run)")
    return try fixture.read("x.recording")
  }

  @Test func aRecordingNeedsNoFiles() throws {
    let fixture = try fixture()
    let text = try record(fixture, "$/Scenarios/hls/clip.json")
    let log = fixture.call("run", "$/Scenarios/hls/clip.json", "--format", "jsonl")
    // The log is in it as it is, and the media are not.
    #expect(text.contains("\n" + log.output) && text.utf8.count < 40_000)
    #expect(text.contains("{\"file\":\"media/segments/a b.ts\",\"size\":900000}\n"))
    #expect(!text.contains(fixture.folder))
    let elsewhere = try CommandFixture(["x.recording": text])
    let replay = elsewhere.call("replay", "$/x.recording")
    #expect(replay.code == 0 && replay.output.hasPrefix("identical: "), "\(replay)")
    #expect(try elsewhere.names() == ["x.recording"])
  }

  @Test func equalRunsGiveEqualBytesWhereverTheyAre() throws {
    let texts = try (0..<2).map { _ in try record(try fixture(), "$/Scenarios/hls/clip.json") }
    #expect(texts[0] == texts[1])
    // A path with detours is the same file.
    let other = try fixture()
    #expect(try record(other, "$/Scenarios/media/../hls/./clip.json") == texts[0])
  }

  @Test func whatIsExtractedRunsTheSame() throws {
    let fixture = try fixture()
    _ = try record(fixture, "$/Scenarios/hls/clip.json")
    let written = fixture.call("replay", "$/x.recording", "--extract", "$/out/Scenarios")
    #expect(written.code == 0 && written.output.hasPrefix("wrote $/out/Scenarios/hls/clip.json\n"))
    let logs = ["Scenarios", "out/Scenarios"].map {
      fixture.call("run", "$/\($0)/hls/clip.json", "--format", "jsonl").output
    }
    #expect(logs[0] == logs[1] && !logs[0].isEmpty)
    #expect(
      try fixture.read("out/Scenarios/media/clip.m3u8") == Self.playlist)
    // Nothing is replaced.
    let again = fixture.call("replay", "$/x.recording", "--extract", "$/out/Scenarios")
    #expect(again.code == 2 && again.messages.contains("is not empty"))
  }

  @Test func seedAndChangesArePartOfIt() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let text = try record(
      fixture, "$/a.json", "--seed", "7", "--set", "media.duration=20 s", "--set",
      "expect=[]")
    #expect(text.contains("\"seed\":7,\"set\":[\"media.duration=20 s\",\"expect=[]\"]"))
    #expect(fixture.call("replay", "$/x.recording").code == 0)
  }

  @Test(arguments: ["a b.json", "ü\u{301}'\"\\.json", "new\nline.json", "-.json", "..x/.y.json"])
  func oddNamesAreKept(_ name: String) throws {
    let fixture = try CommandFixture(["in/\(name)": Fixture.playing])
    let run = fixture.call(
      exactly: ["run", fixture.path("in/\(name)"), "--recording", fixture.path("x.recording")])
    #expect(run.code == 0, "\(run)")
    #expect(fixture.call("replay", "$/x.recording").code == 0)
    #expect(fixture.call("replay", "$/x.recording", "--extract", "$/out").code == 0)
    #expect(try fixture.read("out/\(Path.name(of: name))") == Fixture.playing)
  }

  @Test func standardInputCanBeRecorded() throws {
    let fixture = try CommandFixture()
    fixture.input = [Fixture.playing]
    #expect(fixture.call("run", "-", "--recording", "$/x.recording").code == 0)
    fixture.input = []
    #expect(fixture.call("replay", "$/x.recording", "--extract", "$/out").code == 0)
    #expect(try fixture.read("out/scenario.json") == Fixture.playing)
  }

  /// Every shipped scenario, whatever files it names; those that start programs are refused.
  @Test func everyShippedScenarioReplaysFromItsRecording() throws {
    let folder = MarkdownDocument.url("Scenarios").path
    let names = (FileManager.default.enumerator(atPath: folder)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".expected.log") }.sorted()
    let fixture = try CommandFixture()
    var refusedCount = 0
    for name in MarkdownDocument.part(of: MarkdownDocument.part(of: names)) {
      var scenario = "\(folder)/\(name.replacing(".expected.log", with: ".json"))"
      var wanted: [String] = []
      if !FileManager.default.fileExists(atPath: scenario) {
        // It is that of one of several runs, whose name follows that of the file.
        let parts = name.split(separator: ".", maxSplits: 1)
        scenario = "\(folder)/\(parts[0]).json"
        wanted = ["--run", String(parts[1]).replacing(".expected.log", with: "")]
      }
      let run = fixture.call(
        ["run", scenario, "--recording", "$/x.recording", "--format", "json", "--allow-programs"]
          + wanted)
      #expect([0, 1, 6].contains(run.code), "\(name): \(run.messages)")
      let text = try fixture.read("x.recording")
      #expect(!text.contains(folder) && text.utf8.count < 8 << 20, "\(name)")
      let replay = fixture.call("replay", "$/x.recording", "--allow-programs")
      if replay.messages.contains("no program of a recording is started") {
        refusedCount += 1
      } else {
        #expect([0, 6].contains(replay.code), "\(name): \(replay)")
      }
    }
    #expect(refusedCount <= 2)
  }

  // MARK: What is wrong

  @Test func everyCutAndEveryChangeIsRefused() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let bytes = Array(try record(fixture, "$/a.json").utf8)
    for place in stride(from: 1, to: bytes.count, by: 37) {
      try fixture.write("y.recording", Array(bytes[..<place]))
      let cut = fixture.call("replay", "$/y.recording")
      #expect(cut.code == 2 && cut.messages.contains("y.recording:"), "\(place): \(cut)")
      var changed = bytes
      changed[place] ^= 1 << UInt8(place % 7)
      try fixture.write("y.recording", changed)
      let call = fixture.call("replay", "$/y.recording")
      #expect(call.code == 2 && call.messages.contains("error: "), "\(place): \(call)")
      #expect(!call.output.contains("identical"))
      let diff = fixture.call("diff", "$/y.recording", "$/a.json")
      #expect(diff.code == 2, "\(place): \(diff)")
    }
  }

  /// Returns a recording with other lines before the log, and the digest that belongs to it.
  private func forged(_ text: String, _ change: (String) -> String) -> String {
    let body =
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "\n") + "\n"
    let changed = change(body)
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: Array(changed.utf8))
    return changed + "{\"digest\":\"\(LogRendering.hexadecimal(fingerprint.value))\"}\n"
  }

  @Test(arguments: [
    ("../a.json", "'../a.json' is not a path inside the folder"),
    ("/a.json", "'/a.json' is not a path inside the folder"),
    ("x/../../a.json", "is not a path inside the folder"),
    ("a//b", "is not a path inside the folder"), (".", "is not a path inside the folder"),
    ("", "is not a path inside the folder"), ("a\\u0000b", "is not a path"),
    ("b.json", "the recording lacks its scenario 'a.json'"),
  ])
  func namesThatLeadElsewhereAreRefused(_ name: String, _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let text = try record(fixture, "$/a.json")
    #expect(forged(text) { $0 } == text)
    try fixture.write(
      "y.recording",
      forged(text) { $0.replacing("{\"file\":\"a.json\"", with: "{\"file\":\"\(name)\"") })
    for more in [[], ["--extract", "$/out/deep"]] {
      let call = fixture.call(["replay", "$/y.recording"] + more)
      #expect(call.code == 2 && call.messages.contains(message), "\(call)")
    }
    #expect(!fixture.exists("out"))
  }

  @Test(arguments: [
    ("\"autowaitRecording\":1", "\"autowaitRecording\":2", "this version of the recording's"),
    ("\"files\":1", "\"files\":2", "does not have as many lines"),
    ("\"files\":1", "\"files\":-1", "must be a whole number"),
    ("\"files\":1", "\"files\":99999999999", "does not have as many lines"),
    ("\"lines\":", "\"lanes\":", "needs the key 'lines'"),
    ("\"scenario\":\"a.json\"", "\"scenario\":3", "must name its 'scenario'"),
    ("\"text\":", "\"base64\":", "'base64' must be bytes in base64"),
    ("\"text\":", "\"text\":0,\"x\":", "'text' must be a string"),
    ("\"text\":", "\"size\":-4,\"x\":", "must be a whole number"),
    ("\"text\":", "\"size\":4,\"pieces\":[{\"at\":3,\"text\":\"ab\"}],\"x\":", "must lie in it"),
    ("\"text\":", "\"size\":4,\"pieces\":[{\"text\":\"ab\"}],\"x\":", "must have a place"),
    ("\"scenario\":\"a.json\"", "\"scenario\":\"a.json\",\"seed\":-1", "'seed' must be"),
    ("\"scenario\":\"a.json\"", "\"scenario\":\"a.json\",\"set\":[1]", "'set' must be"),
    ("\"scenario\":\"a.json\"", "\"scenario\":\"a.json\",\"set\":[\"x\"]", "a change needs '='"),
  ])
  func whatIsMadeUpIsRefused(_ old: String, _ new: String, _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let text = try record(fixture, "$/a.json")
    #expect(text.contains(old))
    try fixture.write("y.recording", forged(text) { $0.replacing(old, with: new) })
    let call = fixture.call("replay", "$/y.recording")
    #expect(call.code == 2 && call.messages.contains(message), "\(call)")
  }

  /// What a run has left is no scenario, and a scenario is no log.
  @Test func othersCommandsSayWhatAFileIs() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    _ = try record(fixture, "$/a.json", "--format", "jsonl", "--output", "$/a.log")
    for (name, kind) in [("x.recording", "recording"), ("a.log", "log")] {
      for command in ["run", "check", "test"] {
        let call = fixture.call(command, "$/\(name)")
        #expect(call.code == 2, "\(call)")
        let text = call.output + call.messages
        #expect(text.contains("$/\(name): error: this is a \(kind), not a scenario\n"), "\(call)")
        #expect(text.contains("note: 'autowait replay $/\(name)'"), "\(call)")
      }
    }
    let replay = fixture.call("replay", "$/a.json")
    #expect(replay.code == 2)
    #expect(replay.messages.hasPrefix("$/a.json: error: this is a scenario, not a log\n"))
  }

  @Test func anotherModelIsSaidFirst() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let text = try record(fixture, "$/a.json")
    let old = "\"modelVersion\":\(Fixture.model),\"scenario\":{"
    #expect(text.contains(old))
    try fixture.write(
      "y.recording",
      forged(text) {
        $0.replacing(old, with: "\"modelVersion\":\(Fixture.model + 1),\"scenario\":{")
          .replacing("\"event\":\"rate\"", with: "\"event\":\"rete\"")
      })
    let call = fixture.call("replay", "$/y.recording")
    #expect(call.code == 5 && call.output.hasPrefix("differs from line "), "\(call)")
    #expect(
      call.messages == """
        $/y.recording: warning: the log was made by model version \(Fixture.model + 1), \
        and this is version \(Fixture.model), which is older: what happens may differ
        note: autowait 0.1.0 or a newer version has that model

        """)
  }

  @Test func programsOfRecordingsAreNotStarted() throws {
    let fixture = try CommandFixture([
      "a.json": """
      {"autowait": 1, "link": "demo/slow-server",
       "media": {"kind": "progressive", "duration": "9 s", "bitrate": "3 Mbit/s"},
       "heuristic": {"program": ["./rule.sh"]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """,
      "rule.sh": "#!/bin/sh\ntouch \"${0%/*}/started\"\nwhile read -r q; do echo true; done\n",
    ])
    try fixture.makeExecutable("rule.sh")
    _ = try record(fixture, "$/a.json", "--allow-programs")
    try fixture.remove("started")
    let call = fixture.call("replay", "$/x.recording", "--allow-programs")
    #expect(call.code == 2 && call.messages.contains("no program of a recording is started"))
    #expect(!fixture.exists("started"))
    #expect(fixture.call("replay", "$/x.recording", "--extract", "$/out").code == 0)
    #expect(fixture.exists("out/rule.sh"))
  }
}
