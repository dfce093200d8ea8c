import Autowait
import AutowaitScenario

/// The fixed workloads that are measured; changing one makes old figures meaningless.
enum Workloads {
  /// The plain session: 600 seconds of a progressive file of 2 Mbit/s over 1,200 samples of one
  /// second each, drawn between 1 and 3 Mbit/s, with one condition in its script.
  static func plainSession(seed: UInt64) -> World {
    session(seed: seed, from: 1_000_000, to: 3_000_000)
  }

  /// The same film over a link that starves it, between 0.5 and 2 Mbit/s: it takes 960 seconds to
  /// arrive, and the verdict on it wavers thirty times.
  static func starvedSession(seed: UInt64) -> World {
    session(seed: seed, from: 500_000, to: 2_000_000)
  }

  private static func session(seed: UInt64, from: Int64, to: Int64) -> World {
    var stream = RandomStream(seed: seed, component: "bench", purpose: "rate")
    let samples = (0..<1_200).map { second in
      LinkTrack.Sample(
        start: .seconds(second),
        rate: BitRate(bitsPerSecond: from + Int64(stream.next(below: UInt64(to - from + 1)))))
    }
    let media = Media(
      .progressive, duration: .seconds(600), bitRate: BitRate(bitsPerSecond: 2_000_000))
    var script = loadAndPlay()
    script[1].trigger = .when(Condition([Condition.Test(.loaded, .atLeast, 5_000_000_000)]))
    return World(
      seed: seed, links: [LinkProfile(LinkTrack(samples))],
      players: [PlayerConfiguration(media: [media])],
      script: script,
      horizon: Instant(nanoseconds: 4_000_000_000_000))
  }

  /// A player loads its first item and plays it.
  static func loadAndPlay(player: Int = 0, at start: Instant = .start) -> [ScriptStep] {
    [
      ScriptStep(.at(start), .player(player, .replaceCurrentItem(0))),
      ScriptStep(.at(start), .player(player, .play)),
    ]
  }

  /// The ladder session: 600 seconds in 150 segments of six variants, chosen by the throughput
  /// rule, over 1,200 samples of one second between 0.5 and 6 Mbit/s and a latency of 25 ms, with
  /// a buffer of 30 seconds.
  static func ladderSession(seed: UInt64) -> World {
    var stream = RandomStream(seed: seed, component: "bench", purpose: "ladder")
    let samples = (0..<1_200).map { second in
      LinkTrack.Sample(
        start: .seconds(second),
        rate: BitRate(bitsPerSecond: 500_000 + Int64(stream.next(below: 5_500_001))),
        delay: .milliseconds(25))
    }
    var player = PlayerConfiguration(media: [streamMedia])
    player.keepUp.rule = .buffered(start: .seconds(4), resume: .seconds(4))
    player.keepUp.forwardBufferLimit = .seconds(30)
    player.keepUp.forwardBufferResume = MediaTime(nanoseconds: 26_000_000_000)
    player.streaming.adaptation.rule = .throughput
    player.streaming.knowsPlaylists = true
    return World(
      seed: seed, links: [LinkProfile(LinkTrack(samples))], players: [player],
      script: loadAndPlay(),
      horizon: Instant(nanoseconds: 4_000_000_000_000))
  }

  private static let streamMedia = Media(ladderParts)

  static let ladderParts: StreamMedia = {
    let rates: [Int64] = [300_000, 750_000, 1_200_000, 1_850_000, 2_850_000, 4_300_000]
    let lists = rates.map { rate in
      SegmentList((0..<150).map { _ in (.seconds(4), ByteCount(bytes: rate / 2)) })
    }
    var streamMedia = StreamMedia(
      variants: rates.indices.map {
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
      }, lists: lists)
    streamMedia.playlistSize = .zero
    return streamMedia
  }()

  /// The scenario of the plain session as far as its log needs one.
  static let logScenario: Scenario = {
    let text = """
      {"autowait": 1, "link": "demo/fast", "media": {"kind": "local", "duration": "1 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, _) = ScenarioReader.read(
      SourceText(path: "bench.json", text: text), loader: .none)
    guard let scenario else { preconditionFailure("the bench's scenario is wrong") }
    return scenario
  }()

  /// A trace of many samples as a JSON file of about a megabyte.
  static let traceFile: SourceText = {
    var writer = JSONWriter(capacity: 1 << 20)
    var stream = RandomStream(seed: 1, component: "bench", purpose: "json")
    writer.beginObject()
    writer.object("down") { writer in
      writer.objects("track", 0..<24_000) { writer, _ in
        writer.field("for", "1 s")
        writer.field("rate", Int64(stream.next(below: 9_000_000)))
      }
    }
    writer.endObject()
    return SourceText(path: "trace.json", bytes: writer.bytes)
  }()
}
