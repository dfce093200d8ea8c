import Autowait

/// Replays sessions of other simulators with the simulator's own player of streams.
///
/// The player is told which variant each segment is of, and starts as soon as a segment is there;
/// the link, the requests, the buffer and the stalls are its own.
extension ParityCase {
  /// Why a session cannot be replayed by a player; nil if it can.
  package var streamObstacle: String? {
    if policy.pause != .beforeRequest { return "pauses as no player of streams does" }
    if attempts.contains(where: { $0.request.cancelledAfter != nil }) { return "abandons segments" }
    if attempts.contains(where: { $0.request.size.wholeBytes != $0.request.size.begunBytes }) {
      return "has segments of broken bytes"
    }
    let delays = track.samples.map(\.delay)
    if delays.contains(where: { $0 != delays[0] }) { return "has a latency that changes" }
    var player = SegmentReplay(policy, over: link)
    for attempt in attempts {
      let fetch = player.fetch(attempt.request)
      if let requestedAt = attempt.requestedAt, let fetch,
        abs(Self.milliseconds(fetch.requestedAt - .start) - requestedAt) > 0.0005
      {
        return "pauses of its own will"
      }
    }
    return nil
  }

  /// Plays the session as a stream and compares.
  package func streamed() -> ParityResult {
    var simulation = Simulation(streamWorld)
    _ = simulation.run()
    let metrics = simulation.metrics(of: 0)
    let startup = metrics.firstPlayed.map { $0 - .start } ?? .zero
    let replay = Outcome(
      startup: Self.milliseconds(startup),
      stalled: Self.milliseconds(metrics.timeSpentRecoveringFromStall),
      total: Self.milliseconds(
        startup + metrics.timeSpentRecoveringFromStall + metrics.playbackDuration),
      stalls: metrics.stallCount)
    return ParityResult(
      name: name, replay: replay, startup: abs(replay.startup - outcome.startup),
      stalled: abs(replay.stalled - outcome.stalled), total: abs(replay.total - outcome.total),
      request: furthestRequest(simulation.log.records),
      stalls: replay.stalls - outcome.stalls)
  }

  /// The largest difference of when a segment was asked for, and of how long it took.
  private func furthestRequest(_ records: EventRecords) -> Milliseconds {
    var requested: [Instant] = []
    var furthest = 0.0
    var transfers: [Int: Int] = [:]
    for record in records {
      switch record.event {
      case .segmentRequest(let transfer, _, _, _?):
        let expected = attempts[requested.count].requestedAt ?? 0
        furthest = max(furthest, abs(Self.milliseconds(record.instant - .start) - expected))
        transfers[transfer] = requested.count
        requested.append(record.instant)
      case .mediaRequestCompleted(let transfer, _):
        guard let index = transfers[transfer] else { continue }
        let duration = Self.milliseconds(record.instant - requested[index])
        furthest = max(furthest, abs(duration - attempts[index].duration))
      default: continue
      }
    }
    return requested.count == attempts.count ? furthest : .infinity
  }

  /// The session as a world.
  private var streamWorld: World {
    let count = 1 + (attempts.map(\.quality).max() ?? 0)
    let duration = MediaTime(nanoseconds: policy.segmentDuration.nanoseconds)
    // What was not asked for does not matter.
    let lists = (0..<count).map { quality in
      SegmentList(
        attempts.map {
          (duration, $0.quality == quality ? $0.request.size.wholeBytes : ByteCount(bytes: 1))
        })
    }
    let variants = lists.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000 * Int64($0 + 1)), list: $0)
    }
    // The session begins with its first segment: its playlists are known.
    var player = PlayerConfiguration(media: [Media(StreamMedia(variants: variants, lists: lists))])
    player.keepUp.rule = .buffered(start: .zero, resume: .zero)
    let room = policy.bufferMax - policy.segmentDuration
    player.keepUp.forwardBufferLimit = MediaTime(nanoseconds: room.nanoseconds + 1)
    player.keepUp.forwardBufferResume = MediaTime(nanoseconds: room.nanoseconds)
    player.streaming.adaptation.rule = .scripted(attempts.map(\.quality))
    player.streaming.adaptation.abandonedAfter = nil
    player.streaming.knowsPlaylists = true
    return World(
      links: [LinkProfile(track)], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ],
      horizon: .start + .seconds(1_000_000))
  }
}
