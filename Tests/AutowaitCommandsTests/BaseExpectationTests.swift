import AutowaitExperiment
import AutowaitScenario
import Testing

/// What the base of an experiment expects, every session is held against.
@Suite struct BaseExpectationTests {
  private static func experiment(_ expect: String, more: String = "") -> String {
    """
    {"experiment": 1, "base": {"link": "demo/slow-server", \(more)
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
      "expect": [
        \(expect)]},
     "vary": {"heuristic": ["avfoundation", "vlc", "mpv"], "seed": 2}}
    """
  }

  /// The last line of `mpv` and `vlc`, which stall, and of all, of which two warn.
  private static let stalls = """
    {"finish": "settled"},
    {"metric": "stallCount", "==": 0},
    {"metric": "stallCount", ">": 99, "level": "warn"},
    {"never": {"event": "playbackStalled"}}
    """

  @Test func aSessionThatIsNotAsExpectedIsTold() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment(Self.stalls)])
    let call = fixture.call("compare", "$/x.json")
    #expect(call.code == 1)
    #expect(
      call.messages.contains(
        "$/x.json:6:1: error: expected {\"metric\":\"stallCount\",\"==\":0}, which 4 of 6 "
          + "sessions did not meet\n"), "\(call.messages)")
    #expect(call.messages.contains("note: the first is session 1, 'vlc' on seed 1\n"))
    #expect(
      call.messages.contains("note: reproduce with: autowait run $/x.json --session 1\n"))
    let again = fixture.call("run", "$/x.json", "--session", "1")
    #expect(again.code == 1)
    // The line is that of the file.
    #expect(again.output.contains("✗ line 6  metric: stallCount, == 0\n"), "\(again.output)")
    #expect(again.output.contains("observed: 5\n"))
    #expect(fixture.call("run", "$/x.json", "--session", "0").code == 0)
    #expect(call.messages.contains("$/x.json:8:1: error: expected {\"never\""))
    #expect(!call.messages.contains("settled"))
    #expect(!call.messages.contains("99"))
    let rows = fixture.call("compare", "$/x.json", "--csv").output.split(separator: "\n")
    #expect(rows[0].contains(",missed,fingerprint,problem"))
    #expect(
      rows.dropFirst().map { $0.contains(",2 3,") } == [false, true, true, false, true, true])
  }

  @Test(arguments: [#"{"finish": "settled"}"#, #"{"finish": "horizon", "level": "warn"}"#])
  func sessionsAsExpected(_ expect: String) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment(expect)])
    #expect(fixture.call("compare", "$/x.json").code == 0)
  }

  /// The session is that of the number of seeds that 'compare' was called with.
  @Test func aSessionUnderOtherSeeds() throws {
    let fixture = try CommandFixture(["a b/x.json": Self.experiment(Self.stalls)])
    let call = fixture.call("compare", "$/a b/x.json", "--seeds", "3")
    #expect(
      call.messages.contains("autowait run '$/a b/x.json' --session 1 --seeds 3\n"),
      "\(call.messages)")
    let json = ["--format", "json"]
    let last = fixture.call(
      ["run", "$/a b/x.json", "--session", "8", "--seeds", "3"] + json
    ).output
    #expect(last.contains("\"seed\":3"))
    // Its contestant and its world are told with its number.
    #expect(last.contains(": session 8, mpv\""), "\(last.prefix(300))")
    for (arguments, message) in [
      (["--session", "9", "--seeds", "3"], "there is no session 9"),
      (["--seeds", "3"], "'--seeds' needs '--session'"),
      (["--session", "1", "--seed", "3"], "'--seed' is for scenarios"),
      (["--session", "1", "--run", "x"], "'--run' is for scenarios"),
    ] {
      let refused = fixture.call(["run", "$/a b/x.json"] + arguments)
      #expect(refused.code == 2)
      #expect(refused.messages.contains(message), "\(refused.messages)")
    }
  }

  /// Shards write what was not met, and the merge tells of it as the whole does.
  @Test func shards() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment(Self.stalls)])
    let whole = fixture.call("compare", "$/x.json")
    for shard in 1...2 {
      fixture.call("compare", "$/x.json", "--shard", "\(shard)/2", "--out", "$/shards")
    }
    let merged = fixture.call("merge", "$/shards")
    #expect(merged.code == 1)
    #expect(merged.output == whole.output)
    #expect(merged.messages == whole.messages)
  }

  /// What only the base's own base expects, has no place in a file that is read.
  @Test func aBaseThatExtends() throws {
    let base = """
      {"link": "demo/slow-server", "media": {"kind": "progressive", "duration": "39 s",
       "bitrate": "3.73 Mbit/s"}, "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
       "expect": [{"metric": "stallCount", "==": 0}]}
      """
    let fixture = try CommandFixture([
      "x.json": #"{"experiment": 1, "base": "a.json", "vary": {"heuristic": ["mpv"]}}"#,
      "a.json": #"{"extends": "b.json"}"#, "b.json": base,
    ])
    let call = fixture.call("compare", "$/x.json")
    #expect(call.code == 1)
    #expect(
      call.messages.hasPrefix("$/x.json: error: expected {\"metric\":\"stallCount\",\"==\":0}"),
      "\(call.messages)")
  }
}
