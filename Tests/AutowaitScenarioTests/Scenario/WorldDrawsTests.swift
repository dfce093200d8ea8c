import Autowait
import AutowaitScenario
import Testing

/// A world that is drawn again is the one that is read under the other seed, to the last number.
@Suite struct WorldDrawsTests {
  private static let rates =
    #""random": {"from": "1 Mbit/s", "to": "9 Mbit/s", "every": "1 s", "count": 30}"#
  private static let slow =
    #""random": {"from": "200 kbit/s", "to": "800 kbit/s", "every": "2 s", "count": 9}"#

  /// Links of all kinds that are drawn, and of some that only look like it.
  static let links: [(link: String, isDrawn: Bool)] = [
    (#"{"down": {\#(rates)}}"#, true),
    (#"{"down": {\#(rates), "delay": "30 ms"}, "up": {\#(slow), "delay": "10 ms"}}"#, true),
    (#"{"down": {"rate": "5 Mbit/s"}, "outage": {"onMean": "9 s", "offMean": "2 s"}}"#, true),
    (#"{"down": {\#(rates)}, "outage": {"onMean": "9 s", "offMean": "2 s"}}"#, true),
    (#"{"down": {\#(rates)}, "outage": {"on": "9 s", "off": "2 s"}}"#, true),
    (#"{"down": {"rate": "5 Mbit/s"}, "outage": {"on": "9 s", "off": "2 s"}}"#, false),
    (
      #"{"down": {\#(rates)}, "transport": "ideal", "events": [{"type": "blackout", "at": "3 s", "#
        + #""for": "2 s"}, {"type": "blackout", "at": 0, "for": "1 s"}]}"#, true
    ),
    (
      #"{"down": {\#(rates), "delay": "15 ms"}, "events": [{"type": "handover", "at": "4 s", "#
        + #""to": {"name": "b", "down": {"delay": "80 ms"}}}, {"type": "handover", "at": "12 s", "#
        + #""to": {"name": "c", "whole": true, "down": {"rate": "2 Mbit/s"}, "#
        + #""outage": {"onMean": "4 s", "offMean": "1 s"}}}, {"type": "blackout", "at": "20 s", "#
        + #""for": "1 s"}]}"#, true
    ),
    (
      #"{"down": {\#(rates)}, "events": [{"type": "conditioner", "at": "4 s", "#
        + #""use": {"name": "b", "down": {\#(slow)}}}, {"type": "conditioner", "at": "9 s", "#
        + #""use": {"name": "c", "rate": "4 Mbit/s"}}, {"type": "conditioner", "at": "10 s", "#
        + #""use": "off"}]}"#, true
    ),
    (
      #"{"down": {"rate": "3 Mbit/s"}, "match": [{"host": "x.org", "#
        + #""profile": {"name": "x", "down": {\#(rates)}}}]}"#, true
    ),
    (
      #"[{"at": 0, "use": {"name": "a", "down": {\#(rates)}}}, {"at": "7 s", "#
        + #""use": {"name": "b", "down": {\#(slow)}}}]"#, true
    ),
    (#""demo/slow-server""#, false),
  ]

  static let file = #"{"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"}"#

  /// A stream whose sizes are drawn, with all that a list of segments can have beside them.
  static let stream =
    #"{"kind": "hls", "duration": "50 s", "segmentDuration": "4 s", "host": "x.org", "#
    + #""resourceLoader": true, "canPlayReverse": false, "keys": {"rotateEvery": 3}, "#
    + #""rewrite": {"preferredFirst": "3 Mbit/s"}, "#
    + #""variants": [{"bandwidth": "1 Mbit/s", "variation": 0.3, "init": "1 kB"}, "#
    + #"{"bandwidth": "3 Mbit/s", "variation": 0.2, "audio": "a"}, "#
    + #"{"bandwidth": "6 Mbit/s", "audio": "a"}], "#
    + #""audio": [{"group": "a", "bitrate": "128 kbit/s", "variation": 0.1}]}"#

  private func read(_ link: String, _ media: String, _ seed: UInt64) throws -> Scenario {
    let text = """
      {"link": \(link), "media": \(media),
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let source = SourceText(path: "x.json", text: text)
    let (scenario, findings) = ScenarioReader.read(source, loader: .none, seed: seed)
    #expect(findings.filter { $0.severity == .error }.map(\.rendered) == [])
    return try #require(scenario)
  }

  @Test(arguments: links, [(file, false), (stream, true), ("[\(stream), \(stream)]", true)])
  func aWorldThatIsDrawnAnewIsTheOneThatIsRead(
    _ link: (link: String, isDrawn: Bool), _ media: (media: String, isDrawn: Bool)
  ) throws {
    let first = try read(link.link, media.media, 1)
    guard let drawing = first.drawing else {
      #expect(!link.isDrawn && !media.isDrawn)
      #expect(first.world.draws == 0)
      return
    }
    #expect(link.isDrawn || media.isDrawn)
    var world = first.world
    for seed: UInt64 in [2, 3, 1] {
      #expect(drawing.redraw(&world, seed: seed))
      let other = try read(link.link, media.media, seed)
      #expect(world.seed == seed)
      #expect(world.draws == other.world.draws)
      #expect(world.links == other.world.links)
      #expect(world.players == other.world.players)
      #expect(drawing == other.drawing)
      if seed != 1 {
        #expect((world.links != first.world.links) == link.isDrawn)
        #expect((world.players != first.world.players) == media.isDrawn)
      }
    }
  }
}
