/// What a run came to for one player; names follow AVMetrics and the access log.
public struct PlayerMetrics: Equatable, Sendable {
  /// The instant at which the timebase first ran; nil if it never did.
  public let firstPlayed: Instant?
  /// The stalls.
  public let stallCount: Int
  /// The media that was played, forwards and backwards.
  public let mediaPlayed: MediaTime
  /// The times that an item played to its end.
  public let playedToEndCount: Int
  /// The requests for media resources: playlists, segments, keys, ranges of files.
  public let mediaResourceRequestCount: Int
  /// The pipelines that were built; nil if they are of no interest.
  public let pipelineBuildCount: Int?
  /// The data received.
  public let numberOfBytesTransferred: ByteCount
  /// The time in which data came.
  public let transferDuration: TimeSpan
  /// The time of the run.
  public let wallTime: TimeSpan
  /// The entries of the access log, one item after another.
  public let accessLog: [AccessLogEvent]
  /// What only streams have; nil without one.
  public let streaming: StreamMetrics?
  private let meter: PlaybackMeter
  private let end: Instant

  init(_ player: Player, at now: Instant) {
    let unbooked = player.mediaPlayed(until: player.currentTime(at: now))
    let counters = player.counters(at: now, watched: player.meter.mediaPlayed + unbooked)
    firstPlayed = player.meter.firstPlayed
    stallCount = player.meter.stallCount
    mediaPlayed = counters.watched
    playedToEndCount = player.meter.playedToEndCount
    mediaResourceRequestCount = player.meter.requestCount
    pipelineBuildCount = player.pipeline.map { _ in player.meter.pipelineBuildCount }
    numberOfBytesTransferred = counters.received.wholeBytes
    transferDuration = counters.active
    wallTime = now - .start
    accessLog = player.accessLog.events(at: counters)
    streaming = StreamMetrics(player, at: now)
    meter = player.meter
    end = now
  }

  /// Returns the time booked to an account.
  public func time(_ account: TimeAccount) -> TimeSpan {
    meter.time(account, at: end)
  }

  /// The time from the wish to play until the timebase ran; until the end if it never did.
  public var timeSpentInInitialStartup: TimeSpan { time(.startup) }
  /// The time in which playback that had stalled waited to go on.
  public var timeSpentRecoveringFromStall: TimeSpan { time(.stalled) }
  /// The wall time in which the timebase ran.
  public var playbackDuration: TimeSpan { time(.playing) }
}
