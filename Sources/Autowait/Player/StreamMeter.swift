/// Counts what only streams have: where their startup goes, and which variants were played.
struct StreamMeter: Equatable, Sendable {
  /// The startup time that had passed when each stage of the present stream was over; each is at
  /// most the next.
  private(set) var startup = Stages()
  /// What the stages took of the streams that the startup left for another item; empty for none.
  private var left: [TimeSpan] = []
  /// The media played of known variants, in nanoseconds.
  private var played: UInt128 = 0
  /// Its data at the variants' average and peak rates, in bit/s times nanoseconds.
  private var averageBits: UInt128 = 0
  private var peakBits: UInt128 = 0

  /// The startup time at the ends of the stages.
  struct Stages: Equatable, Sendable {
    /// When the stream became the current item; nil if none did in the startup.
    var entered: TimeSpan?
    var multivariantPlaylist = TimeSpan.zero
    var mediaPlaylists = TimeSpan.zero
    var contentKeys = TimeSpan.zero
    var initialization = TimeSpan.zero
    var segment: TimeSpan?
  }

  /// Takes note of a stream that becomes the current item after so much startup time.
  mutating func enter(startup spent: TimeSpan) { startup = Stages(entered: spent) }

  /// Takes note that it is that no more, in a stage of the startup.
  mutating func leave(startup spent: TimeSpan, in stage: StreamMetrics.Stage) {
    left = stages(of: spent, in: stage)
    startup = Stages()
  }

  /// What each stage has taken of the startup, that is in one of them or was at its end; empty if
  /// no stream was the current item in it.
  ///
  /// A stage that is under way has all the time that no other stage has.
  func stages(of total: TimeSpan, in last: StreamMetrics.Stage) -> [TimeSpan] {
    guard var before = startup.entered else { return left }
    let ends = [
      startup.multivariantPlaylist, startup.mediaPlaylists, startup.contentKeys,
      startup.initialization, startup.segment ?? .zero,
    ]
    return StreamMetrics.Stage.allCases.map { stage in
      let number = stage.rawValue
      let end = max(before, number < last.rawValue ? min(ends[number], total) : total)
      defer { before = end }
      return (end - before) + (left.isEmpty ? .zero : left[number])
    }
  }

  /// Takes note of something that came after so much startup time.
  ///
  /// What comes behind the first segment, such as the playlist of another variant, makes no stage
  /// longer; and what comes while a later stage is under way ends the stages before it too.
  mutating func note(_ resource: StreamResource, startup spent: TimeSpan) {
    if startup.segment != nil { return }
    switch resource {
    case .multivariantPlaylist: startup.multivariantPlaylist = spent
    case .mediaPlaylist: startup.mediaPlaylists = spent
    case .contentKey: startup.contentKeys = spent
    case .initialization: startup.initialization = spent
    case .segment, .part: startup.segment = spent
    }
  }

  /// Books media that was played in a variant.
  mutating func book(_ span: MediaTime, of variant: StreamMedia.Variant?) {
    guard let variant else { return }
    let time = UInt128(UInt64(span.nanoseconds))
    played += time
    peakBits += time * UInt128(UInt64(variant.bandwidth.bitsPerSecond))
    averageBits += time * UInt128(UInt64(variant.playedRate.bitsPerSecond))
  }

  /// The mean of the variants' average rates over the media played, rounded down.
  var averageBitRate: BitRate? { rate(averageBits) }

  /// The mean of the variants' peak rates over the media played, rounded down.
  var peakBitRate: BitRate? { rate(peakBits) }

  private func rate(_ bits: UInt128) -> BitRate? {
    played == 0 ? nil : BitRate(bitsPerSecond: Int64(clamping: bits / played))
  }
}

extension StreamSource {
  /// Whether something is loaded of each track.
  @inline(__always)
  fileprivate var hasSegmentOfEachTrack: Bool {
    tracks.allSatisfy { !$0.loaded.ranges.isEmpty || $0.isIdle }
  }
}

extension StreamMedia.Variant {
  /// The rate that is taken for the variant's mean: the peak rate if its playlist says no other.
  var playedRate: BitRate { averageBandwidth ?? bandwidth }
}

/// What a run came to for the streams of a player.
public struct StreamMetrics: Equatable, Sendable {
  /// A part of the startup of a stream.
  package enum Stage: Int, CaseIterable, Hashable, Sendable {
    /// Until the multivariant playlist has come.
    case multivariantPlaylist
    /// From there until the first media playlists have.
    case mediaPlaylists
    /// From there until the keys have; what they take beside the media playlists is not counted.
    case contentKeys
    /// From there until the initialisation sections have.
    case initialization
    /// From there until the first segment of each track has.
    case segments
    /// From there until the timebase runs.
    case preroll
  }

  /// The changes of variant, the first choice not counted.
  public let variantSwitchCount: Int
  /// The segments abandoned because they would have been late.
  public let abandonedSegmentCount: Int
  /// The requests that went wrong.
  public let recoverableErrorCount: Int
  /// The mean of the average rates of the variants played, weighted by the media; nil if none was.
  public let timeWeightedAverageBitrate: BitRate?
  /// The mean of the peak rates of the variants played, weighted by the media; nil if none was.
  public let timeWeightedPeakBitrate: BitRate?
  /// The most data that was loaded ahead of the playhead at one time; nil if nobody asks.
  package let peakBufferedBytes: ByteCount?
  private var stages: [TimeSpan]

  init?(_ player: Player, behind: ItemQueue.UnplayedItems, at now: Instant) {
    guard var meter = player.streamMeter ?? (behind.hasStream ? StreamMeter() : nil) else {
      return nil
    }
    meter.book(player.mediaPlayed(until: player.currentTime(at: now)), of: player.playedVariant)
    variantSwitchCount = player.meter.variantSwitchCount + behind.variantSwitchCount
    abandonedSegmentCount = player.meter.abandonedCount + behind.abandonedCount
    peakBufferedBytes =
      player.configuration.measuresBufferedData ? player.meter.bufferedDataMax.wholeBytes : nil
    recoverableErrorCount = player.meter.recoverableErrorCount + behind.errorCount
    timeWeightedAverageBitrate = meter.averageBitRate
    timeWeightedPeakBitrate = meter.peakBitRate
    let total = player.meter.time(.startup, at: now)
    stages = meter.stages(of: total, in: player.startupStage)
    let sum = stages.reduce(TimeSpan.zero) { $0 + $1 }
    precondition(sum <= total, "the stages of the startup are \(sum), more than \(total)")
  }

  /// Returns the part of the startup that a stage took; nil if no stream was the current item then.
  package func startup(_ stage: Stage) -> TimeSpan? {
    stages.isEmpty ? nil : stages[stage.rawValue]
  }
}

extension Player {
  /// Takes note of a stream that becomes the current item.
  mutating func noteStream(at now: Instant) {
    var streams = streamMeter ?? StreamMeter()
    if !meter.hasStarted { streams.enter(startup: meter.time(.startup, at: now)) }
    streamMeter = streams
  }

  /// Takes note that the current item is left.
  mutating func leaveStreamStartup(at now: Instant) {
    if meter.hasStarted || !source.buffer.isStream { return }
    let stage = startupStage
    streamMeter?.leave(startup: meter.time(.startup, at: now), in: stage)
  }

  /// Takes note of a part of a stream that has come, if the startup is not over.
  mutating func noteStartup(_ resource: StreamResource, at now: Instant) {
    if meter.hasStarted { return }
    switch resource {
    case .segment, .part: if !source.stream.hasSegmentOfEachTrack { return }
    case .multivariantPlaylist, .mediaPlaylist, .contentKey, .initialization: break
    }
    streamMeter?.note(resource, startup: meter.time(.startup, at: now))
  }

  /// The stage in which the startup is, or was at its end.
  fileprivate var startupStage: StreamMetrics.Stage {
    if streamMeter?.startup.segment != nil { return .preroll }
    let hasVariants = source.buffer.isStream && source.stream.hasMultivariantPlaylist
    if !hasVariants { return .multivariantPlaylist }
    return source.isReady ? .segments : .mediaPlaylists
  }

  /// The variant of the current item that plays; nil before any has, and of a file.
  @inline(__always)
  var playedVariant: StreamMedia.Variant? {
    guard let number = source.played.variant else { return nil }
    return source.stream.streamMedia.variants[number]
  }

  /// The peak rate of the variant whose segment came last.
  var indicatedBitRate: BitRate? {
    source.arrivedVariant.map { source.stream.streamMedia.variants[$0].bandwidth }
  }
}
