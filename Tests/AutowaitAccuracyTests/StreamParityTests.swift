import Autowait
import AutowaitAccuracy
import AutowaitReference
import Testing

/// The reference sessions of Sabre, played by the simulator's own player of streams.
///
/// The player is told which variant each segment is of, and starts as soon as a segment is there;
/// the link, the requests, the buffer and the stalls are its own.
@Suite struct StreamParityTests {
  /// Where nothing but the link decides, both come to the same microsecond.
  @Test(arguments: OracleFolder.files("sabre"))
  func streamsComeOutAlike(_ path: String) throws {
    guard let session = try Self.session(path) else { return }
    var simulation = Simulation(session.world)
    _ = simulation.run()
    let metrics = simulation.metrics(of: 0)
    let startup = metrics.firstPlayed.map { $0 - .start } ?? .zero
    let stalled = metrics.timeSpentRecoveringFromStall
    let total = startup + stalled + metrics.playbackDuration
    #expect(abs(Self.milliseconds(startup) - session.outcome.startup) <= 0.001)
    #expect(abs(Self.milliseconds(stalled) - session.outcome.stalled) <= 0.001)
    #expect(abs(Self.milliseconds(total) - session.outcome.total) <= 0.001)
    #expect(metrics.stallCount == session.outcome.stalls)
    // A nanosecond at the end of a row of 5 Mbit/s is 5 microseconds of a next one of 1 kbit/s.
    #expect(Self.furthestRequest(simulation.log.records, session.downloads) <= 0.01)
  }

  @Test(.enabled(if: OracleFolder.url != nil)) func manySessionsAreStreams() throws {
    #expect(try OracleFolder.files("sabre").count { try Self.session($0) != nil } >= 5)
  }

  /// A session of Sabre with the same stream as a world.
  struct Session {
    var outcome: PeerOutcome
    var downloads: [PeerDownload]
    var world: World
  }

  /// Returns a session, or nil if something other than the link decides when Sabre asks.
  static func session(_ path: String) throws -> Session? {
    let oracles = OracleFolder.oracles(try #require(OracleFolder.url))
    let setup = try PeerReader(oracles).sabre(oracles.json(path))
    let (outcome, downloads) = PeerSession.sabre(setup).played()
    let ladder = setup.ladder
    let isPlain = downloads.allSatisfy { $0.abandonedFor == nil && !$0.isReplacement }
    let hasWholeBytes = downloads.allSatisfy { size(of: $0, ladder) % 8 == 0 }
    let hasOneLatency = setup.rows.allSatisfy { $0.latency == setup.rows[0].latency }
    // Before a request Sabre waits until there is room for a segment; a rule may wait longer.
    let waitsForRoom = zip(downloads, downloads.dropFirst()).allSatisfy { last, next in
      let room = max(0, last.levelAfter + ladder.segmentDuration - setup.bufferMax)
      return next.requestedAt - last.requestedAt - last.duration - room <= 0.0005
    }
    guard isPlain, hasWholeBytes, hasOneLatency, waitsForRoom, setup.seek == nil else { return nil }
    return Session(
      outcome: outcome, downloads: downloads, world: world(setup, downloads))
  }

  /// The largest difference of when a segment was asked for, and of how long it took.
  static func furthestRequest(_ records: EventRecords, _ downloads: [PeerDownload]) -> Double {
    var requested: [Instant] = []
    var furthest = 0.0
    var transfers: [Int: Int] = [:]
    for record in records {
      switch record.event {
      case .segmentRequest(let transfer, _, _, _?, _):
        guard requested.count < downloads.count else { return .infinity }
        let expected = downloads[requested.count].requestedAt
        furthest = max(furthest, abs(milliseconds(record.instant - .start) - expected))
        transfers[transfer] = requested.count
        requested.append(record.instant)
      case .mediaRequestCompleted(let transfer, _):
        guard let index = transfers[transfer] else { continue }
        let duration = milliseconds(record.instant - requested[index])
        furthest = max(furthest, abs(duration - downloads[index].duration))
      default: continue
      }
    }
    return requested.count == downloads.count ? furthest : .infinity
  }

  private static func world(_ setup: SabreSetup, _ downloads: [PeerDownload]) -> World {
    let duration = span(setup.ladder.segmentDuration)
    // What was not asked for does not matter.
    let lists = setup.ladder.bitRates.indices.map { quality in
      SegmentList(
        downloads.map {
          let bytes = $0.quality == quality ? size(of: $0, setup.ladder) / 8 : 1
          return (MediaTime(nanoseconds: duration.nanoseconds), ByteCount(bytes: bytes))
        })
    }
    let variants = lists.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000 * Int64($0 + 1)), list: $0)
    }
    // The session begins with its first segment: its playlists are known.
    var player = PlayerConfiguration(media: [Media(StreamMedia(variants: variants, lists: lists))])
    player.keepUp.rule = .buffered(start: .zero, resume: .zero)
    let room = span(setup.bufferMax) - duration
    player.keepUp.forwardBufferLimit = MediaTime(nanoseconds: room.nanoseconds + 1)
    player.keepUp.forwardBufferResume = MediaTime(nanoseconds: room.nanoseconds)
    player.streaming.adaptation.rule = .scripted(
      VariantScript(downloads.map(\.quality)))
    player.streaming.adaptation.abandonedAfter = nil
    player.streaming.knowsPlaylists = true
    // Its player waits for as long as it takes.
    player.streaming.responseTimeout = Limits.timeMax
    return World(
      links: [LinkProfile(track(setup.rows))], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ],
      horizon: .start + .seconds(1_000_000))
  }

  private static func track(_ rows: [SabreRow]) -> LinkTrack {
    var samples: [LinkTrack.Sample] = []
    var start = TimeSpan.zero
    for row in rows where row.duration > 0 {
      let rate = BitRate(bitsPerSecond: Int64((row.bandwidth * 1_000).rounded()))
      samples.append(LinkTrack.Sample(start: start, rate: rate, delay: span(row.latency)))
      start += span(row.duration)
    }
    return LinkTrack(samples, ending: .loop(after: start))
  }

  private static func size(of download: PeerDownload, _ ladder: RuleLadder) -> Int64 {
    Int64(ladder.sizes[download.segment * ladder.bitRates.count + download.quality])
  }

  private static func span(_ milliseconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((milliseconds * 1e6).rounded()))
  }

  private static func milliseconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e6 }
}
