import Autowait

/// A number that a run results in, by the name of AVMetrics or the access log where there is one.
package enum Metric: String, CaseIterable, Sendable {
  case firstPlayed
  case timeSpentInInitialStartup
  case stallCount
  case timeSpentRecoveringFromStall
  case playbackDuration
  case mediaPlayed
  case mediaPlayedWithoutVideo
  case mediaPlayedWithoutAudio
  case loopCount
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
  case wastedBytes
  case timeToFirstByte
  case stallsPerHour
  case peakBufferedBytes
  case transferDuration
  case observedBitrate
  case pipelineBuildCount
  case pictureFreezeCount
  case timePictureFrozen
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
  package var isStreamOnly: Bool { row.isStreamOnly }

  /// What the metric counts, with its numerator and denominator.
  package var definition: String { row.definition }

  /// What the metric's number counts.
  package var unit: NumberUnit { row.unit }

  /// Returns the metric's value as it is shown; nil where nothing was measured.
  package func value(in metrics: PlayerMetrics) -> MetricValue? { row.value(metrics) }

  /// Returns the metric's value if something was measured: a part of no time is nothing, though it
  /// is shown as zero, and so is a part of a startup that was not reached.
  package func measured(in metrics: PlayerMetrics) -> MetricValue? {
    let value = value(in: metrics)
    if case .ratio(_, .zero)? = value { return nil }
    // Who never wished to play had no startup, and of one that never ended, what is zero was never
    // begun.
    if traits.contains(.isPartOfStartup), metrics.firstPlayed == nil, value == .time(.zero) {
      return nil
    }
    return value
  }

  /// Whether the metric says something about the run of a player.
  ///
  /// What a scenario is silent about stands in no log, so that new metrics change no old one.
  package func isShown(in metrics: PlayerMetrics) -> Bool {
    row.isShown(metrics) && (!isStreamOnly || metrics.streaming != nil)
  }

  /// Lets the players of a world measure what some metrics count, where they do not anyway.
  package static func measure(_ metrics: some Sequence<Metric>, in world: inout World) {
    guard metrics.contains(.peakBufferedBytes) else { return }
    for player in world.players.indices { world.players[player].measuresBufferedData = true }
  }

  /// What the number of a metric counts.
  package enum NumberUnit: CaseIterable, Hashable, Sendable {
    case time, count, bytes, bitRate, ratio
  }

  /// The kind of value that the metric has, for reading a bound.
  package var kind: FieldKind<Int64> { unit.kind }

  /// What is to be known of a metric before anything has run.
  package var traits: MetricTraits { row.traits }
}

/// What is to be known of a metric before anything has run.
package struct MetricTraits: OptionSet, Sendable {
  package let rawValue: UInt8

  /// Creates traits from their bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is a figure whatever a player does.
  static let isAlwaysThere = MetricTraits(rawValue: 1)
  /// The figure is zero of any player that never plays.
  package static let needsPlayback = MetricTraits(rawValue: 2)
  /// It is a part of the startup, or the whole.
  static let isPartOfStartup = MetricTraits(rawValue: 4)
  /// It says how long a viewer waited for the start.
  package static let isOfStartup = MetricTraits(rawValue: 8)
  /// It says how often or how long a viewer waited later.
  package static let isOfStalls = MetricTraits(rawValue: 16)
}

extension Metric.NumberUnit {
  /// How a bound is read.
  package var kind: FieldKind<Int64> {
    switch self {
    case .count: .integer(in: 0...1_000_000_000)
    case .bytes: .converted(from: FieldKind<ByteCount>.size) { $0.bytes }
    case .bitRate: .converted(from: FieldKind<BitRate>.bitRate) { $0.bitsPerSecond }
    case .ratio: .ratio(upTo: 1)
    case .time: .converted(from: FieldKind<TimeSpan>.time) { $0.nanoseconds }
    }
  }
}

/// All that is known of a metric.
private struct MetricRow: Sendable {
  let unit: Metric.NumberUnit
  let definition: String
  let traits: MetricTraits
  let isShown: @Sendable (PlayerMetrics) -> Bool
  let value: @Sendable (PlayerMetrics) -> MetricValue?
  var isStreamOnly = false

  /// Those who want to know ask for it.
  static let onRequest: @Sendable (PlayerMetrics) -> Bool = { _ in false }

  init(
    _ unit: Metric.NumberUnit, _ definition: String, traits: MetricTraits = [],
    isShown: @escaping @Sendable (PlayerMetrics) -> Bool = { _ in true },
    _ value: @escaping @Sendable (PlayerMetrics) -> MetricValue?
  ) {
    (self.unit, self.definition, self.traits) = (unit, definition, traits)
    (self.isShown, self.value) = (isShown, value)
  }

  /// Creates the row of a metric that only streams have.
  static func ofStreams(
    _ unit: Metric.NumberUnit, _ definition: String, traits: MetricTraits = [],
    isShown: @escaping @Sendable (PlayerMetrics) -> Bool = { _ in true },
    _ value: @escaping @Sendable (StreamMetrics) -> MetricValue?
  ) -> MetricRow {
    var row = MetricRow(unit, definition, traits: traits, isShown: isShown) {
      $0.streaming.flatMap(value)
    }
    row.isStreamOnly = true
    return row
  }
}

extension Metric {
  fileprivate var row: MetricRow {
    switch self {
    case .firstPlayed:
      MetricRow(
        .time, "the instant at which the timebase first runs, from the start of the run",
        traits: .isOfStartup
      ) {
        $0.firstPlayed.map { .time($0 - .start) }
      }
    case .timeSpentInInitialStartup:
      MetricRow(
        .time,
        "from the request to play until the timebase first runs, without pauses and the wait for "
          + "a host time, which is `timeInGaps`; never part of stalling",
        traits: [.isOfStartup, .isPartOfStartup]
      ) { .time($0.timeSpentInInitialStartup) }
    case .stallCount:
      MetricRow(
        .count, "unintended stops of playback; waiting at startup and after seeks does not count",
        traits: [.isOfStalls, .needsPlayback, .isAlwaysThere]
      ) {
        .count(Int64($0.stallCount))
      }
    case .timeSpentRecoveringFromStall:
      MetricRow(
        .time, "from each stall until playback resumes, is paused, or seeks elsewhere",
        traits: [.isOfStalls, .needsPlayback, .isAlwaysThere]
      ) { .time($0.timeSpentRecoveringFromStall) }
    case .playbackDuration:
      MetricRow(.time, "wall time in which the timebase runs", traits: .isAlwaysThere) {
        .time($0.playbackDuration)
      }
    case .mediaPlayed:
      MetricRow(.time, "media that was played, forwards and backwards", traits: .isAlwaysThere) {
        .time(TimeSpan(nanoseconds: $0.mediaPlayed.nanoseconds))
      }
    case .mediaPlayedWithoutVideo:
      MetricRow(
        .time, "the part of mediaPlayed after the end of a picture that is shorter than the sound",
        isShown: { $0.mediaPlayedWithoutVideo != nil }
      ) { $0.mediaPlayedWithoutVideo.map { .time(TimeSpan(nanoseconds: $0.nanoseconds)) } }
    case .mediaPlayedWithoutAudio:
      MetricRow(
        .time, "the part of mediaPlayed after the end of a sound that is shorter than the picture",
        isShown: { $0.mediaPlayedWithoutAudio != nil }
      ) { $0.mediaPlayedWithoutAudio.map { .time(TimeSpan(nanoseconds: $0.nanoseconds)) } }
    case .loopCount:
      MetricRow(.count, "how many times a loop started again", isShown: { $0.loopCount != nil }) {
        $0.loopCount.map { .count(Int64($0)) }
      }
    case .rebufferRatio:
      MetricRow(
        .ratio, "timeSpentRecoveringFromStall / (timeSpentRecoveringFromStall + playbackDuration)",
        traits: .isOfStalls
      ) {
        .ratio(
          part: $0.timeSpentRecoveringFromStall,
          of: $0.timeSpentRecoveringFromStall + $0.playbackDuration)
      }
    case .timePaused:
      MetricRow(
        .time, "wall time in which playback is not requested, except after the end",
        traits: .isAlwaysThere
      ) {
        .time($0.time(.paused))
      }
    case .timeSpentSeeking:
      MetricRow(
        .time,
        "from a seek to data that is not loaded, or a jump of a live stream, until playback "
          + "resumes or is paused"
      ) { .time($0.time(.seeking)) }
    case .timeSpentResuming:
      MetricRow(
        .time,
        "wall time in which playback waits for another reason, such as to resume after a pause"
      ) {
        .time($0.time(.resuming))
      }
    case .timeWithoutItem:
      MetricRow(
        .time, "wall time in which there is nothing to play, after the startup"
      ) {
        .time($0.time(.noItem))
      }
    case .timeSpentCoordinating:
      MetricRow(.time, "wall time in which a coordinator holds playback") {
        .time($0.time(.coordinated))
      }
    case .timeSpentInInterstitials:
      MetricRow(
        .time, "wall time in which playback waits for an interstitial"
      ) {
        .time($0.time(.interstitial))
      }
    case .timeInGaps:
      MetricRow(
        .time,
        "wall time in which the picture stands still of a player that plays, or waits for the next "
          + "item",
        traits: [.needsPlayback, .isAlwaysThere]
      ) {
        .time($0.time(.gap))
      }
    case .timeAfterEnd:
      MetricRow(.time, "wall time after an item has played to its end", traits: .isAlwaysThere) {
        .time($0.time(.afterEnd))
      }
    case .wallTime:
      MetricRow(
        .time,
        "the time of the run; the sum of all the times above except firstPlayed and the three "
          + "mediaPlayed times", traits: .isAlwaysThere
      ) { .time($0.wallTime) }
    case .playedToEndCount:
      MetricRow(.count, "how many times an item played to its end", traits: .isAlwaysThere) {
        .count(Int64($0.playedToEndCount))
      }
    case .mediaResourceRequestCount:
      MetricRow(
        .count, "requests for playlists, segments, keys and parts of files", traits: .isAlwaysThere
      ) {
        .count(Int64($0.mediaResourceRequestCount))
      }
    case .numberOfBytesTransferred:
      MetricRow(
        .bytes, "bytes of media that arrived: no playlists and no keys", traits: .isAlwaysThere
      ) {
        .count($0.numberOfBytesTransferred.bytes)
      }
    case .wastedBytes:
      MetricRow(
        .bytes, "the part of numberOfBytesTransferred that is media but was not played",
        traits: .isAlwaysThere, isShown: MetricRow.onRequest
      ) { .count($0.wastedBytes.bytes) }
    case .timeToFirstByte:
      MetricRow(
        .time, "from the first request until the first byte of a response",
        isShown: MetricRow.onRequest
      ) { $0.timeToFirstByte.map { .time($0) } }
    case .stallsPerHour:
      MetricRow(
        .count, "stallCount / playbackDuration in hours, rounded down", traits: .isOfStalls,
        isShown: MetricRow.onRequest
      ) {
        Self.stallsPerHour($0).map { .count($0) }
      }
    case .peakBufferedBytes:
      .ofStreams(
        .bytes, "the most data that was loaded ahead of the playhead at one time",
        isShown: MetricRow.onRequest
      ) { $0.peakBufferedBytes.map { .count($0.bytes) } }
    case .transferDuration:
      MetricRow(.time, "wall time in which bytes of media arrived") {
        .time($0.transferDuration)
      }
    case .observedBitrate:
      MetricRow(
        .bitRate, "8 * numberOfBytesTransferred / transferDuration, rounded down"
      ) {
        Self.observedBitrate($0).map { .count($0) }
      }
    case .pictureFreezeCount:
      MetricRow(
        .count, "how often the picture froze for lack of data while the clock ran",
        traits: .needsPlayback, isShown: { $0.pictureFreezeCount > 0 }
      ) { .count(Int64($0.pictureFreezeCount)) }
    case .timePictureFrozen:
      MetricRow(
        .time, "time in which the picture was frozen", traits: .needsPlayback,
        isShown: { $0.pictureFreezeCount > 0 }
      ) { .time($0.timePictureFrozen) }
    case .pipelineBuildCount:
      MetricRow(
        .count, "pipelines that were built for items", isShown: { $0.pipelineBuildCount != nil }
      ) {
        $0.pipelineBuildCount.map { .count(Int64($0)) }
      }
    case .timeWeightedAverageBitrate:
      .ofStreams(
        .bitRate,
        "average bandwidth (or bandwidth) of the variants, weighted by the media played, rounded "
          + "down"
      ) { $0.timeWeightedAverageBitrate.map { .count($0.bitsPerSecond) } }
    case .timeWeightedPeakBitrate:
      .ofStreams(
        .bitRate, "bandwidth of the variants, weighted by the media played, rounded down"
      ) {
        $0.timeWeightedPeakBitrate.map { .count($0.bitsPerSecond) }
      }
    case .variantSwitchCount:
      .ofStreams(.count, "changes of variant, without the first choice") {
        .count(Int64($0.variantSwitchCount))
      }
    case .abandonedSegmentCount:
      .ofStreams(
        .count, "segments abandoned because they would have been late"
      ) {
        .count(Int64($0.abandonedSegmentCount))
      }
    case .recoverableErrorCount:
      .ofStreams(.count, "entries of the error log") {
        .count(Int64($0.recoverableErrorCount))
      }
    case .startupMultivariantPlaylist:
      .ofStreams(
        .time, "the part of timeSpentInInitialStartup until the multivariant playlist has arrived",
        traits: .isPartOfStartup
      ) { $0.startup(.multivariantPlaylist).map { .time($0) } }
    case .startupMediaPlaylists:
      .ofStreams(
        .time,
        "the part from there until the media playlists have arrived; one that is loaded again is "
          + "not counted",
        traits: .isPartOfStartup
      ) {
        $0.startup(.mediaPlaylists).map { .time($0) }
      }
    case .startupContentKeys:
      .ofStreams(.time, "the part from there until the keys have arrived", traits: .isPartOfStartup)
      {
        $0.startup(.contentKeys).map { .time($0) }
      }
    case .startupInitialization:
      .ofStreams(
        .time, "the part from there until the initialization sections have arrived",
        traits: .isPartOfStartup
      ) {
        $0.startup(.initialization).map { .time($0) }
      }
    case .startupSegments:
      .ofStreams(
        .time, "the part from there until the first segment of each track has arrived",
        traits: .isPartOfStartup
      ) {
        $0.startup(.segments).map { .time($0) }
      }
    case .startupPreroll:
      .ofStreams(
        .time, "the part from there until the timebase first runs", traits: .isPartOfStartup
      ) {
        $0.startup(.preroll).map { .time($0) }
      }
    }
  }

  private static func stallsPerHour(_ metrics: PlayerMetrics) -> Int64? {
    guard metrics.playbackDuration > .zero else { return nil }
    let stalls = Int128(metrics.stallCount) * 3_600_000_000_000
    return Int64(stalls / Int128(metrics.playbackDuration.nanoseconds))
  }

  private static func observedBitrate(_ metrics: PlayerMetrics) -> Int64? {
    guard metrics.transferDuration > .zero else { return nil }
    let bits = Int128(metrics.numberOfBytesTransferred.bytes) * 8 * 1_000_000_000
    return Int64(bits / Int128(metrics.transferDuration.nanoseconds))
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
