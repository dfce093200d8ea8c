/// What a run came to for one player; names follow AVMetrics and the access log.
public struct PlayerMetrics: Equatable, Sendable {
  /// The instant at which the timebase first ran; nil if it never did.
  public let firstPlayed: Instant?
  /// The stalls.
  public let stallCount: Int
  /// The media that was played, forwards and backwards.
  public let mediaPlayed: MediaTime
  /// The media that was played without a picture, because the sound is longer; nil if no track is
  /// longer than another.
  package let mediaPlayedWithoutVideo: MediaTime?
  /// The media that was played without sound, because the picture is longer.
  package let mediaPlayedWithoutAudio: MediaTime?
  /// How often playback of a loop has started again; nil without a loop.
  package let loopCount: Int?
  /// The times that an item played to its end.
  public let playedToEndCount: Int
  /// The requests for media resources: playlists, segments, keys, ranges of files.
  public let mediaResourceRequestCount: Int
  /// The pipelines that were built; nil if they are of no interest.
  public let pipelineBuildCount: Int?
  /// How often the picture stood while the clock ran, and how long until it went on.
  package let pictureFreezeCount: Int
  package let timePictureFrozen: TimeSpan
  /// The data received.
  public let numberOfBytesTransferred: ByteCount
  /// The media that came and was not played, or not yet.
  package let wastedBytes: ByteCount
  /// How long the first request was without an answer; nil if none came.
  package let timeToFirstByte: TimeSpan?
  /// The time in which data came; of several items at once it counts once.
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
    let part = player.playedPart(until: player.currentTime(at: now))
    let (video, audio) = (player.source.media.videoEnd, player.source.media.audioEnd)
    let media = player.configuration.media
    mediaPlayedWithoutVideo =
      media.contains { $0.videoEnd != nil }
      ? player.meter.playedWithoutVideo + player.part(part.from, part.to, behind: video) : nil
    mediaPlayedWithoutAudio =
      media.contains { $0.audioEnd != nil }
      ? player.meter.playedWithoutAudio + player.part(part.from, part.to, behind: audio) : nil
    loopCount = player.loop?.count
    playedToEndCount = player.meter.playedToEndCount
    let behind = player.queue.loaded(at: now)
    mediaResourceRequestCount = player.meter.requestCount + behind.requestCount
    pipelineBuildCount = player.pipeline.map { _ in player.meter.pipelineBuildCount }
    pictureFreezeCount = player.meter.pictureFreezeCount
    timePictureFrozen = player.meter.pictureFrozen(at: now)
    numberOfBytesTransferred = (counters.received + behind.received).wholeBytes
    var source = player.source
    source.notePlayed(from: min(part.from, part.to), to: max(part.from, part.to))
    let used = player.meter.dataPlayed + source.uncountedData
    let received = counters.received + behind.received
    wastedBytes = (received - min(received, used)).wholeBytes
    timeToFirstByte = player.meter.firstRequest.flatMap { first in
      player.meter.firstByte.map { $0 - first }
    }
    transferDuration = counters.active + behind.active - player.queue.sharedTime.time(at: now)
    wallTime = now - .start
    accessLog = player.accessLog.events(at: counters, player.source.stream.tally)
    streaming = StreamMetrics(player, behind: behind, at: now)
    meter = player.meter
    end = now
  }

  /// Returns the time booked to an account.
  public func time(_ account: TimeAccount) -> TimeSpan {
    meter.time(account, at: end)
  }

  /// The time from the request to play until the timebase ran; until the end if it never did.
  public var timeSpentInInitialStartup: TimeSpan { time(.startup) }
  /// The time in which playback that had stalled waited to go on.
  public var timeSpentRecoveringFromStall: TimeSpan { time(.stalled) }
  /// The wall time in which the timebase ran.
  public var playbackDuration: TimeSpan { time(.playing) }
}
