import Autowait

/// What can happen to a player of a world at all, whatever its network and its user do.
///
/// A reason stands only for what no run can show: where that is not certain there is none.
package struct PossibleEvents {
  private let world: World
  private let number: Int
  /// Whether the player's rule is a program.
  private let asksProgram: Bool

  /// Looks at a player of a world.
  package init(_ world: World, player: Int, _ programs: [ExternalProgram?]) {
    self.world = world
    number = player
    asksProgram = player < programs.count && programs[player] != nil
  }

  private var player: PlayerConfiguration { world.players[number] }

  // MARK: Events

  /// Why an event cannot happen; nil if it can.
  package func reason(againstEvent name: String) -> String? {
    let firstIOS = name == "rateDidChange" ? 15 : Property(rawValue: name)?.firstIOS
    if let reason = reason(againstNew: name, since: firstIOS) { return reason }
    switch Event.example(name) {
    case .playlistRequest, .segmentRequest, .variantSwitchStart, .variantSwitch,
      .segmentDiscarded, .pictureFrozen:
      if hasStreams { return nil }
      return "only streams have the event '\(name)', but this is not a stream"
    case .contentKeyRequest:
      if !hasStreams { return "only streams have the event '\(name)', but this is not a stream" }
      return hasKeys ? nil : "nothing of this stream is encrypted, and no key is asked for"
    case .mediaRequest:
      if isLocal { return local(name) }
      return player.media.allSatisfy { $0.streamMedia != nil }
        ? "only files have the event 'mediaRequest'; streams have 'segmentRequest'" : nil
    case .mediaResponse, .mediaRequestCompleted, .mediaRequestCancelled, .mediaRequestFailed,
      .readingSuspended, .newErrorLogEntry:
      return isLocal ? local(name) : nil
    case .transferPhase:
      if isLocal { return local(name) }
      return world.transport == nil ? "without 'transport' there is no '\(name)'" : nil
    case .looperStatus, .loopCount:
      if player.loop != nil { return nil }
      return "only a player with 'loop' has the event '\(name)'"
    case .itemInserted, .itemRemoved, .notGapless:
      if player.hasQueue { return nil }
      return "only a queue or a loop has the event '\(name)'"
    case .pipelineBuilt:
      return player.pipeline == nil ? "without 'pipeline' none is built" : nil
    case .didPlayToEndTime: return reasonAgainstEnd
    case .linkChanged: return changesLink ? nil : "nothing here changes the link"
    case .linkRate:
      return changesLink || changesRate ? nil : "the rate of this link is always the same"
    case .ruleAnswer:
      if asksProgram { return nil }
      return "no rule here is a program, and only those give the event 'ruleAnswer'"
    case .started, .step, .finished, .valuesLoaded, .itemCreated, .mediaSelection, .trackEnabled,
      .videoFrames, .currentItem, .loadedTimeRange, .isPlaybackBufferEmpty, .isPlaybackBufferFull,
      .isPlaybackLikelyToKeepUp, .itemStatus, .rate, .reasonForWaitingToPlay, .timeControlStatus,
      .timebaseRate, .setting, .exception, .rateDidChange, .timeJumped, .playbackStalled,
      .failedToPlayToEndTime, .newAccessLogEntry, .seek, .seekDidComplete, .prerollDidComplete,
      nil:
      return nil
    }
  }

  /// Why the player's version of iOS does not have something yet; nil if it has.
  private func reason(againstNew name: String, since firstIOS: Int?) -> String? {
    guard let firstIOS, player.contract.iOS < firstIOS else { return nil }
    return "'\(name)' does not exist before iOS \(firstIOS)"
  }

  private func local(_ name: String) -> String {
    "only media that comes over the network has the event '\(name)', and this is local"
  }

  // MARK: Properties

  /// Why a property cannot be as it is expected; nil if it can.
  func reason(against test: StatePattern.Test) -> String? {
    if test.holdsOfNull { return nil }
    let name = test.property.rawValue
    if let reason = reason(againstNew: name, since: test.property.firstIOS) { return reason }
    switch test.property {
    case .variant, .indicatedBitrate:
      if hasStreams { return nil }
      return "only streams have '\(name)', but this is not a stream"
    case .offsetFromLive:
      if player.media.contains(where: { $0.streamMedia?.live != nil }) { return nil }
      return "only live streams have 'offsetFromLive', but this is not a live stream"
    case .looperStatus:
      if player.loop != nil { return nil }
      return "only a player with 'loop' has 'looperStatus'"
    case .loopCount:
      guard player.loop == nil, isAboveZero(test) else { return nil }
      return "only a player with 'loop' has a 'loopCount' above 0"
    case .playedToEndCount: return isAboveZero(test) ? reasonAgainstEnd : nil
    case .timeControlStatus, .reasonForWaitingToPlay, .rate, .defaultRate, .timebaseRate,
      .currentTime, .loadedTimeRanges, .loaded, .bufferedAhead, .seekableTimeRanges,
      .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty, .status, .duration,
      .currentItem, .itemCount, .stallCount, .automaticallyWaitsToMinimizeStalling,
      .actionAtItemEnd, .errorCount:
      return nil
    }
  }

  /// Why a test holds whatever happens; nil if it may fail.
  func reason(whyEmpty test: StatePattern.Test) -> String? {
    guard test.holdsOfNull else { return nil }
    return reason(againstNew: test.property.rawValue, since: test.property.firstIOS)
  }

  /// Whether a test fails for zero.
  private func isAboveZero(_ test: StatePattern.Test) -> Bool {
    test.expected.number.map { !test.comparison.holds(0, $0) } ?? false
  }

  // MARK: Metrics

  /// Why a metric has no figure within bounds; nil if it may have one.
  package func reason(againstMetric metric: Metric, _ bounds: [Bound]) -> String? {
    if metric.isStreamOnly, !hasStreams {
      return "only streams have '\(metric.rawValue)', but this is not a stream"
    }
    switch metric {
    case .loopCount:
      return player.loop == nil ? "only a player with 'loop' has '\(metric.rawValue)'" : nil
    case .pipelineBuildCount:
      return player.pipeline == nil ? "without 'pipeline' none is built" : nil
    case .mediaPlayedWithoutVideo:
      return player.media.contains { $0.videoEnd != nil }
        ? nil : "no picture here is shorter than its sound"
    case .mediaPlayedWithoutAudio:
      return player.media.contains { $0.audioEnd != nil }
        ? nil : "no sound here is shorter than its picture"
    case .timeToFirstByte, .observedBitrate:
      return isLocal
        ? "only media that comes over the network has '\(metric.rawValue)', and this is local" : nil
    case .firstPlayed, .timeSpentInInitialStartup, .rebufferRatio, .stallsPerHour:
      return isNeverPlayed
        ? "no step of the script plays this player, and '\(metric.rawValue)' is of playback" : nil
    case .playedToEndCount:
      return bounds.allSatisfy { $0.comparison.holds(0, $0.limit) } ? nil : reasonAgainstEnd
    case .stallCount, .timeSpentRecoveringFromStall, .playbackDuration, .mediaPlayed, .timePaused,
      .timeSpentSeeking, .timeSpentResuming, .timeWithoutItem, .timeSpentCoordinating,
      .timeSpentInInterstitials, .timeInGaps, .timeAfterEnd, .wallTime,
      .mediaResourceRequestCount, .numberOfBytesTransferred, .wastedBytes, .peakBufferedBytes,
      .transferDuration, .pictureFreezeCount, .timePictureFrozen, .timeWeightedAverageBitrate,
      .timeWeightedPeakBitrate, .variantSwitchCount, .abandonedSegmentCount,
      .recoverableErrorCount, .startupMultivariantPlaylist, .startupMediaPlaylists,
      .startupContentKeys, .startupInitialization, .startupSegments, .startupPreroll:
      return nil
    }
  }

  // MARK: What there is

  private var hasStreams: Bool { player.media.contains { $0.streamMedia != nil } }

  private var hasKeys: Bool {
    player.media.contains { $0.streamMedia.map { !$0.keys.isEmpty } ?? false }
  }

  private var isLocal: Bool {
    player.media.allSatisfy { if case .local = $0.source { true } else { false } }
  }

  /// Whether no step asks the player for a rate.
  private var isNeverPlayed: Bool {
    !world.script.contains { step in
      guard case .player(number, let action) = step.action else { return false }
      return action.rate(ofPlay: .normal) != nil
    }
  }

  /// Why no item plays to its end: the programme of a live stream goes on for longer than the run.
  private var reasonAgainstEnd: String? {
    // A part of an asset has an end of its own, and backwards the beginning is one.
    if player.media.isEmpty || !player.spans.isEmpty || player.forwardPlaybackEndTime != nil
      || player.defaultRate < .zero || world.script.contains(where: movesEnd)
    {
      return nil
    }
    let isEndless = player.media.allSatisfy { media in
      guard let live = media.streamMedia?.live else { return false }
      return media.duration.nanoseconds - live.elapsed.nanoseconds > world.horizon.nanoseconds
    }
    return isEndless ? "the live stream goes on for longer than the run" : nil
  }

  /// Whether a step gives playback another end, or turns it around.
  private func movesEnd(_ step: ScriptStep) -> Bool {
    guard case .player(number, let action) = step.action else { return false }
    if case .set(.forwardPlaybackEndTime) = action { return true }
    if case .set(.defaultRate(let rate)) = action { return rate < .zero }
    return action.rate(ofPlay: .normal).map { $0 < .zero } ?? false
  }

  private var changesLink: Bool {
    let switches = world.script.contains { step in
      if case .useLink = step.action { true } else { false }
    }
    return switches || !world.linkChanges.isEmpty || world.links.contains { !$0.events.isEmpty }
  }

  private var changesRate: Bool {
    world.links.contains { link in
      guard case .hold = link.down.track.ending else { return true }
      return link.down.track.samples.count > 1
    }
  }
}

extension StatePattern.Test {
  /// Whether the test holds where there is no value.
  fileprivate var holdsOfNull: Bool {
    comparison == .notEqual || comparison == .equal && expected == .null
  }
}
