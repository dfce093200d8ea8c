import Autowait
import AutowaitScenario
import Testing

/// The latencies of players in scenarios: their keys, those of real players, and what is told.
@Suite struct LatencyReaderTests {
  private static func read(
    _ heuristic: String?, player: String? = nil, players: String? = nil
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let keys = [("heuristic", heuristic), ("player", player), ("players", players)]
      .compactMap { key, text in text.map { "\"\(key)\":\($0)," } }.joined()
    let text = """
      {"link":"demo/fast","media":{"kind":"hls","duration":"20 s","segmentDuration":"4 s",
       "variants":[{"bandwidth":1000000}]},\(keys)
       "script":[{"at":0,"do":"load"\(players == nil ? "" : ",\"player\":\"a\"")}]}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
  }

  /// The seven latencies in milliseconds, in the order of the keys.
  private static func milliseconds(_ latency: LatencyPolicy) -> [Int64] {
    [
      latency.notification, latency.reaction, latency.preroll, latency.resume, latency.firstFrame,
      latency.appending, latency.opening,
    ].map { $0.nanoseconds / 1_000_000 }
  }

  private static func latencies(
    _ heuristic: String?, player: String? = nil, players: String? = nil
  ) throws -> [[Int64]] {
    let (scenario, findings) = read(heuristic, player: player, players: players)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    let read = try #require(scenario)
    // The log's spelling means the same.
    let source = SourceText(path: "b.json", bytes: read.resolved)
    let again = try #require(ScenarioReader.read(source, loader: .none).scenario)
    #expect(again.world.players.map(\.latency) == read.world.players.map(\.latency))
    #expect(again.resolved == read.resolved)
    return read.world.players.map { milliseconds($0.latency) }
  }

  @Test func withoutAWordThereAreNone() throws {
    #expect(try Self.latencies(nil) == [[0, 0, 0, 0, 0, 0, 0]])
    let measured = ["hls.js", "dash.js", "shaka", "shaka-4.12", "chromium-play", "chromium-hls"]
    for heuristic in Heuristic.all where !measured.contains(heuristic.name) {
      #expect(heuristic.latency == LatencyPolicy(), "\(heuristic.name)")
    }
  }

  @Test func allOfThem() throws {
    let all = """
      {"latency":{"notification":"1 ms","reaction":"2 ms","preroll":"3 ms","resume":"4 ms",
       "firstFrame":"5 ms","appending":"6 ms","opening":"7 ms"}}
      """
    #expect(try Self.latencies(nil, player: all) == [[1, 2, 3, 4, 5, 6, 7]])
    #expect(try Self.latencies(all) == [[1, 2, 3, 4, 5, 6, 7]])
  }

  /// Golden logs hold times as numbers of seconds, whatever a person may write.
  @Test func theLogSpellsThemAsSeconds() throws {
    let resolved = try #require(Self.read("\"shaka\"").scenario).resolved
    let text = String(decoding: resolved, as: UTF8.self)
    let latency = #""latency":{"preroll":0.074,"resume":0.028}"#
    #expect(text.contains(latency), "\(text)")
  }

  /// What was measured of four players comes with their names, in any spelling.
  @Test(arguments: [("hls.js", 174), ("shaka", 74), ("shaka-4.12", 74), ("dash.js", 69)])
  func measured(_ name: String, _ preroll: Int64) throws {
    let expected = [[0, 0, preroll, 28, 0, 0, 0]]
    #expect(try Self.latencies("\"\(name)\"") == expected)
    #expect(try Self.latencies("{\"rule\":\"\(name)\"}") == expected)
  }

  /// Those of the player replace those of the heuristic one by one, and another rule has its own.
  @Test(
    arguments: [
      ("\"hls.js\"", "{\"latency\":{\"resume\":\"9 ms\"}}", [0, 0, 174, 9, 0, 0, 0]),
      ("\"hls.js\"", "{\"latency\":{\"preroll\":0}}", [0, 0, 0, 28, 0, 0, 0]),
      (
        "{\"rule\":\"shaka\",\"latency\":{\"preroll\":\"7 ms\"}}",
        "{\"latency\":{\"reaction\":\"1 ms\"}}", [0, 1, 7, 28, 0, 0, 0]
      ),
      ("{\"latency\":{\"preroll\":\"7 ms\"}}", "{}", [0, 0, 7, 0, 0, 0, 0]),
    ] as [(String, String, [Int64])])
  func thePlayersReplaceThem(_ heuristic: String, _ player: String, _ expected: [Int64]) throws {
    #expect(try Self.latencies(heuristic, player: player) == [expected])
  }

  @Test func eachPlayerHasThoseOfItsOwnHeuristic() throws {
    let players = """
      [{"name":"a"},{"name":"b","heuristic":"vlc"},{"name":"c","heuristic":{"rule":"avfoundation"}},
       {"name":"d","heuristic":"dash.js","latency":{"firstFrame":"5 ms"}},{"name":"e"},
       {"name":"f","heuristic":{"rule":{"start":"always"}}}]
      """
    let none: [Int64] = [0, 0, 0, 0, 0, 0, 0]
    #expect(
      try Self.latencies("\"hls.js\"", players: players) == [
        [0, 0, 174, 28, 0, 0, 0], none, none, [0, 0, 69, 28, 5, 0, 0],
        [0, 0, 174, 28, 0, 0, 0], none,
      ])
  }

  @Test(
    arguments: [
      (
        "{\"latency\":{\"prerol\":\"1 ms\"}}", "unknown key 'prerol'", ["did you mean 'preroll'?"]
      ),
      (
        "{\"latency\":{\"x\":1}}", "unknown key 'x'",
        [
          "the nearest of 7 are: 'resume', 'preroll', 'opening', 'reaction', 'appending'; "
            + "'autowait list keys latency' shows all"
        ]
      ),
      ("{\"latency\":5}", "'latency' must be an object, not a number", []),
      ("{\"latencies\":{}}", "unknown key 'latencies'", ["did you mean 'latency'?"]),
    ] as [(String, String, [String])])
  func mistakes(_ player: String, _ message: String, _ notes: [String]) throws {
    let findings = Self.read(nil, player: player).findings
    #expect(findings.map(\.message) == [message])
    #expect(findings.first?.notes == notes)
  }

  @Test func timesMayNotPassBackwards() {
    let findings = Self.read(nil, player: "{\"latency\":{\"preroll\":\"-1 ms\"}}").findings
    #expect(findings.count == 1)
  }

  /// A file has no segments that are appended.
  @Test func appendingNeedsAStream() {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":"20 s"},
       "player":{"latency":{"appending":"1 ms"}},"script":[{"at":0,"do":"load"}]}
      """
    let read = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    #expect(read.scenario != nil)
    #expect(read.findings.map(\.message) == ["'appending' changes nothing: no item is a stream"])
  }
}
