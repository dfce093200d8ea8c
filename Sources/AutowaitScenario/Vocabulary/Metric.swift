import Autowait

/// A number that a run results in, by the name of AVMetrics or the access log where there is one.
package enum Metric: String, CaseIterable, Sendable {
  case firstPlayed
  case timeSpentInInitialStartup
  case stallCount
  case timeSpentRecoveringFromStall
  case playbackDuration
  case mediaPlayed
  case rebufferRatio
  case timePaused
  case timeSpentSeeking
  case timeSpentResuming
  case timeWithoutItem
  case timeSpentCoordinating
  case timeSpentInInterstitials
  case timeInGaps
  case timeAfterEnd
  case wallTime
  case playedToEndCount
  case mediaResourceRequestCount
  case numberOfBytesTransferred
  case transferDuration
  case observedBitrate
  case pipelineBuildCount
  case timeWeightedAverageBitrate
  case timeWeightedPeakBitrate
  case variantSwitchCount
  case abandonedSegmentCount
  case recoverableErrorCount
  case startupMultivariantPlaylist
  case startupMediaPlaylists
  case startupContentKeys
  case startupInitialization
  case startupSegments
  case startupPreroll

  /// Whether only streams have it; it is left out where there is none.
  package var isStreamOnly: Bool {
    switch self {
    case .timeWeightedAverageBitrate, .timeWeightedPeakBitrate, .variantSwitchCount,
      .abandonedSegmentCount, .recoverableErrorCount, .startupMultivariantPlaylist,
      .startupMediaPlaylists, .startupContentKeys, .startupInitialization, .startupSegments,
      .startupPreroll:
      true
    default: false
    }
  }

  /// What the metric counts, with its numerator and denominator.
  package var definition: String {
    switch self {
    case .firstPlayed: "the instant at which the timebase first runs, from the start of the run"
    case .timeSpentInInitialStartup:
      "from the wish to play until the timebase first runs, pauses left out; never part of stalling"
    case .stallCount: "unintended stops of playback; startup and seeks are none"
    case .timeSpentRecoveringFromStall:
      "from each stall until playback goes on, is paused, or is sought elsewhere"
    case .playbackDuration: "wall time in which the timebase runs"
    case .mediaPlayed: "media that was played, forwards and backwards"
    case .rebufferRatio:
      "timeSpentRecoveringFromStall / (timeSpentRecoveringFromStall + playbackDuration)"
    case .timePaused: "wall time in which there is no wish to play, the end left out"
    case .timeSpentSeeking:
      "from a seek to data that is not loaded until playback goes on or is paused"
    case .timeSpentResuming: "wall time in which playback, paused and wished for again, waits"
    case .timeWithoutItem: "wall time in which there is nothing to play, after the startup"
    case .timeSpentCoordinating: "wall time in which a coordinator holds playback"
    case .timeSpentInInterstitials: "wall time in which playback waits for an interstitial"
    case .timeInGaps: "wall time in which the picture of a playing player stands"
    case .timeAfterEnd: "wall time after an item has played to its end"
    case .wallTime:
      "the time of the run; the sum of all the times above but firstPlayed and mediaPlayed"
    case .playedToEndCount: "times that an item has played to its end"
    case .mediaResourceRequestCount: "requests: of playlists, segments, keys and parts of files"
    case .numberOfBytesTransferred: "bytes that arrived"
    case .transferDuration: "wall time in which bytes of media came"
    case .observedBitrate: "8 * numberOfBytesTransferred / transferDuration, rounded down"
    case .pipelineBuildCount: "pipelines that were built for items"
    case .timeWeightedAverageBitrate:
      "the variants' average bandwidth, or else bandwidth, over the media played, rounded down"
    case .timeWeightedPeakBitrate: "the variants' bandwidth over the media played, rounded down"
    case .variantSwitchCount: "changes of variant, the first choice left out"
    case .abandonedSegmentCount: "segments that were given up because they came too late"
    case .recoverableErrorCount: "requests of streams that went wrong"
    case .startupMultivariantPlaylist:
      "the part of timeSpentInInitialStartup until the multivariant playlist has come"
    case .startupMediaPlaylists: "the part from there until the media playlists have come"
    case .startupContentKeys: "the part from there until the keys have come"
    case .startupInitialization: "the part from there until the initialisation sections have come"
    case .startupSegments: "the part from there until the first segment of each track has come"
    case .startupPreroll: "the part from there until the timebase first runs"
    }
  }

  /// Returns the metric's value as it is shown; nil where nothing was measured.
  package func value(in metrics: PlayerMetrics) -> MetricValue? {
    switch self {
    case .firstPlayed: metrics.firstPlayed.map { .time($0 - .start) }
    case .timeSpentInInitialStartup: .time(metrics.timeSpentInInitialStartup)
    case .stallCount: .count(Int64(metrics.stallCount))
    case .timeSpentRecoveringFromStall: .time(metrics.timeSpentRecoveringFromStall)
    case .playbackDuration: .time(metrics.playbackDuration)
    case .mediaPlayed: .time(TimeSpan(nanoseconds: metrics.mediaPlayed.nanoseconds))
    case .rebufferRatio:
      .ratio(
        part: metrics.timeSpentRecoveringFromStall,
        of: metrics.timeSpentRecoveringFromStall + metrics.playbackDuration)
    case .timePaused: .time(metrics.time(.paused))
    case .timeSpentSeeking: .time(metrics.time(.seeking))
    case .timeSpentResuming: .time(metrics.time(.resuming))
    case .timeWithoutItem: .time(metrics.time(.noItem))
    case .timeSpentCoordinating: .time(metrics.time(.coordinated))
    case .timeSpentInInterstitials: .time(metrics.time(.interstitial))
    case .timeInGaps: .time(metrics.time(.gap))
    case .timeAfterEnd: .time(metrics.time(.afterEnd))
    case .wallTime: .time(metrics.wallTime)
    case .playedToEndCount: .count(Int64(metrics.playedToEndCount))
    case .mediaResourceRequestCount: .count(Int64(metrics.mediaResourceRequestCount))
    case .numberOfBytesTransferred: .count(metrics.numberOfBytesTransferred.bytes)
    case .transferDuration: .time(metrics.transferDuration)
    case .observedBitrate: observedBitrate(metrics).map { .count($0) }
    case .pipelineBuildCount: metrics.pipelineBuildCount.map { .count(Int64($0)) }
    default: metrics.streaming.flatMap { value(in: $0) }
    }
  }

  /// Returns the metric's value if something was measured: a part of no time is nothing, though it
  /// is shown as zero.
  package func measured(in metrics: PlayerMetrics) -> MetricValue? {
    let value = value(in: metrics)
    if case .ratio(_, .zero)? = value { return nil }
    return value
  }

  private func value(in metrics: StreamMetrics) -> MetricValue? {
    switch self {
    case .timeWeightedAverageBitrate:
      metrics.timeWeightedAverageBitrate.map { .count($0.bitsPerSecond) }
    case .timeWeightedPeakBitrate: metrics.timeWeightedPeakBitrate.map { .count($0.bitsPerSecond) }
    case .variantSwitchCount: .count(Int64(metrics.variantSwitchCount))
    case .abandonedSegmentCount: .count(Int64(metrics.abandonedSegmentCount))
    case .recoverableErrorCount: .count(Int64(metrics.recoverableErrorCount))
    case .startupMultivariantPlaylist: .time(metrics.startup(.multivariantPlaylist))
    case .startupMediaPlaylists: .time(metrics.startup(.mediaPlaylists))
    case .startupContentKeys: .time(metrics.startup(.contentKeys))
    case .startupInitialization: .time(metrics.startup(.initialization))
    case .startupSegments: .time(metrics.startup(.segments))
    case .startupPreroll: .time(metrics.startup(.preroll))
    default: nil
    }
  }

  /// Whether the metric says something about the run of a player.
  ///
  /// What a scenario is silent about stands in no log, so that new metrics change no old one.
  package func isShown(in metrics: PlayerMetrics) -> Bool {
    if self == .pipelineBuildCount { return metrics.pipelineBuildCount != nil }
    return !isStreamOnly || metrics.streaming != nil
  }

  private func observedBitrate(_ metrics: PlayerMetrics) -> Int64? {
    guard metrics.transferDuration > .zero else { return nil }
    let bits = Int128(metrics.numberOfBytesTransferred.bytes) * 8 * 1_000_000_000
    return Int64(bits / Int128(metrics.transferDuration.nanoseconds))
  }

  /// What the number of a metric counts.
  package enum NumberUnit: CaseIterable, Hashable, Sendable {
    case time, count, bytes, bitRate, ratio
  }

  /// What the metric's number counts.
  package var unit: NumberUnit {
    switch self {
    case .stallCount, .playedToEndCount, .mediaResourceRequestCount, .variantSwitchCount,
      .pipelineBuildCount, .abandonedSegmentCount, .recoverableErrorCount:
      .count
    case .numberOfBytesTransferred: .bytes
    case .observedBitrate, .timeWeightedAverageBitrate, .timeWeightedPeakBitrate: .bitRate
    case .rebufferRatio: .ratio
    case .firstPlayed, .timeSpentInInitialStartup, .timeSpentRecoveringFromStall,
      .playbackDuration, .mediaPlayed, .timePaused, .timeSpentSeeking, .timeSpentResuming,
      .timeWithoutItem, .timeSpentCoordinating, .timeSpentInInterstitials, .timeInGaps,
      .timeAfterEnd, .wallTime, .transferDuration, .startupMultivariantPlaylist,
      .startupMediaPlaylists, .startupContentKeys, .startupInitialization, .startupSegments,
      .startupPreroll:
      .time
    }
  }

  /// The kind of value that the metric has, for reading a bound.
  var kind: FieldKind<Int64> { unit.kind }
}

extension Metric.NumberUnit {
  /// How a bound is read.
  var kind: FieldKind<Int64> {
    switch self {
    case .count: .integer(in: 0...1_000_000_000)
    case .bytes: .converted(from: FieldKind<ByteCount>.size) { $0.bytes }
    case .bitRate: .converted(from: FieldKind<BitRate>.bitRate) { $0.bitsPerSecond }
    case .ratio:
      .converted(from: FieldKind<PlaybackRate>.playbackRate(in: .zero ... .normal)) {
        $0.millionths
      }
    case .time: .converted(from: FieldKind<TimeSpan>.time) { $0.nanoseconds }
    }
  }
}

/// The value of a metric.
package enum MetricValue: Hashable, Sendable {
  /// A length of time.
  case time(TimeSpan)
  /// A number of things.
  case count(Int64)
  /// A part of a time; zero of zero is zero.
  case ratio(part: TimeSpan, of: TimeSpan)

  /// The value as a whole number: nanoseconds, things, or millionths rounded to the nearest.
  package var number: Int64 {
    switch self {
    case .time(let span): span.nanoseconds
    case .count(let count): count
    case .ratio(let part, let whole):
      whole == .zero
        ? 0
        : Int64(
          (Int128(part.nanoseconds) * 2_000_000 + Int128(whole.nanoseconds))
            / (2 * Int128(whole.nanoseconds)))
    }
  }
}
