import Autowait
import AutowaitScenario
import Testing

/// A player that nobody asks to play and that loads all the same is told of.
@Suite struct ForgottenPlayerTests {
  private static func findings(_ script: String) throws -> [String] {
    let text = """
      {"link": {"rate": "8 Mbit/s"},
       "media": {"kind": "progressive", "duration": "10 s", "bitrate": "2 Mbit/s"},
       "players": [{"name": "old"}, {"name": "new"}], "script": [\(script)]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    let result = ScenarioRun.run(try #require(scenario, "\(findings)"))
    return RunFindings.of(result).map(\.message)
  }

  private static let both = """
    {"at": 0, "do": "load", "player": "old"}, {"at": 0, "do": "load", "player": "new"},
    {"at": 0, "do": "play", "player": "new"}
    """

  @Test func whatItTookIsTold() throws {
    #expect(
      try Self.findings(Self.both)
        == ["the player 'old' never plays, and took 2500 kB, 50 % of what came"])
  }

  /// A second after the start it has had half of 8 Mbit/s, and what it has is what it keeps.
  @Test func aPlayerThatIsReleasedTookLess() throws {
    let release = #", {"at": 1, "do": "replaceCurrentItem", "item": null, "player": "old"}"#
    #expect(
      try Self.findings(Self.both + release)
        == ["the player 'old' never plays, and took 500 kB, 16 % of what came"])
  }

  @Test func nothingIsToldOfOthers() throws {
    let plays = #", {"at": 1, "do": "play", "player": "old"}"#
    #expect(try Self.findings(Self.both + plays) == [])
    let alone = #"{"at": 0, "do": "load", "player": "old"}"#
    #expect(try Self.findings(alone) == [])
    let unused =
      #"{"at": 0, "do": "load", "player": "new"}, {"at": 0, "do": "play", "player": "new"}"#
    #expect(try Self.findings(unused) == [])
  }
}
