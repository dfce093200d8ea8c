import Autowait
import Testing

/// A log of many records is packed, and nobody who reads it can tell.
@Suite struct EventRecordsTests {
  /// One event of each case, and each payload at its limits.
  private static let events: [Event] =
    world + requests + stream + item + settings.map { .setting(WrittenSetting($0)) } + notes

  private static let world: [Event] =
    [
      .started(seed: .max, draws: 0), .started(seed: 0, draws: .max), .step(index: 3),
      .linkChanged(link: 2, rate: .unlimited), .linkRate(.zero), .linkRate(.unlimited),
      .linkRate(BitRate(bitsPerSecond: 1)),
    ] + FinishReason.allCases.map { .finished($0) }

  private static let big = ByteCount(bytes: 1 << 40)
  private static let late = MediaTime(nanoseconds: 86_400_000_000_001)
  private static let requests: [Event] =
    [
      .mediaRequest(transfer: 1 << 40 - 1, from: big, size: big), .mediaResponse(transfer: 7),
      .mediaRequestCompleted(transfer: 8, bytes: .zero),
      .mediaRequestCancelled(transfer: 9, bytes: big),
      .readingSuspended(transfer: 10, isSuspended: true),
      .readingSuspended(transfer: 10, isSuspended: false),
    ]
    + TransferFailure.allCases.map {
      .mediaRequestFailed(transfer: 11, failure: $0, bytes: big)
    } + TransferPhase.allCases.map { .transferPhase(transfer: 12, $0, .seconds(3)) }

  private static let stream: [Event] = [
    .mediaRequest(transfer: 1 << 40 - 1, from: big, size: big, item: 0),
    .playlistRequest(transfer: 1, list: nil, size: big),
    .playlistRequest(transfer: 1, list: 3, size: big, item: .max - 1),
    .contentKeyRequest(transfer: 2, key: 4, size: big, item: 7),
    .segmentRequest(transfer: 3, size: big, list: 5, segment: nil, item: 1),
    .playlistRequest(transfer: 1, list: 0, size: .zero),
    .playlistRequest(transfer: 1, list: 999, size: big),
    .contentKeyRequest(transfer: 2, key: 4, size: big),
    .segmentRequest(transfer: 3, size: big, list: 5, segment: nil),
    .segmentRequest(transfer: 3, size: big, list: 0, segment: 0),
    .segmentRequest(transfer: 3, size: big, list: 5, segment: 1_000_000),
    .valuesLoaded(item: 0), .itemCreated(2), .itemInserted(3), .itemRemoved(4),
    .loopCount(0), .loopCount(70_000), .notGapless(item: 3, JoinMismatch(.editLists)),
    .notGapless(item: 0, JoinMismatch(.fairPlay)), .mediaSelection(.audio, rendition: nil),
    .mediaSelection(.subtitles, rendition: 0), .mediaSelection(.subtitles, rendition: 70_000),
    .videoFrames(VideoFrames(to: .file, nil, .untagged)),
    .videoFrames(
      VideoFrames(to: .output, VideoColor(primaries: 9, transfer: 16, matrix: 255), .clamped)),
    .pictureFrozen(true), .pictureFrozen(false), .trackEnabled(.video, true),
    .trackEnabled(.subtitles, false),
    .variantSwitchStart(from: nil, to: 0),
    .variantSwitchStart(from: 3, to: 2), .variantSwitch(from: nil, to: 1),
    .variantSwitch(from: 0, to: 5), .segmentDiscarded(transfer: 6),
    .newErrorLogEntry(transfer: 5, code: -12_938),
  ]

  private static let item: [Event] =
    [
      .currentItem(nil), .currentItem(0), .currentItem(1),
      .loadedTimeRange(index: 0, count: 1, start: .zero, end: late),
      .loadedTimeRange(index: 70_000, count: 100_000, start: late, end: late),
      .isPlaybackBufferEmpty(true), .isPlaybackBufferEmpty(false), .isPlaybackBufferFull(true),
      .isPlaybackLikelyToKeepUp(true), .rate(PlaybackRate(millionths: -2_000_000)),
      .timebaseRate(PlaybackRate(millionths: -1), currentTime: late), .reasonForWaitingToPlay(nil),
    ] + LooperStatus.allCases.map { .looperStatus($0) }
    + ItemStatus.allCases.map { .itemStatus($0) }
    + WaitingReason.allCases.map { .reasonForWaitingToPlay($0) }
    + TimeControlStatus.allCases.map { .timeControlStatus($0) }
    + PlaybackException.allCases.map { .exception($0) }

  private static let size = Resolution(width: 3_840, height: 2_160)
  private static let settings: [PlayerSetting] =
    [
      .automaticallyWaitsToMinimizeStalling(true), .defaultRate(.normal),
      .forwardPlaybackEndTime(nil), .forwardPlaybackEndTime(late), .reversePlaybackEndTime(nil),
      .reversePlaybackEndTime(late), .interstitial(true), .coordination(true),
      .preferredForwardBufferDuration(late), .automaticallyPreservesTimeOffsetFromLive(true),
      .preferredPeakBitRate(.unlimited), .preferredPeakBitRateForExpensiveNetworks(.zero),
      .preferredMaximumResolution(nil), .preferredMaximumResolution(size),
      .preferredMaximumResolutionForExpensiveNetworks(nil),
      .preferredMaximumResolutionForExpensiveNetworks(size), .layer(nil), .layer(size),
      .layerAttached(true), .videoOutputAttached(true), .eligibleForHDRPlayback(false),
      .networkResourcePriority(.high),
      .isExpensive(true),
    ] + ActionAtItemEnd.allCases.map { .actionAtItemEnd($0) }

  private static let notes: [Event] =
    [
      .pipelineBuilt(count: 2, hasVideo: true), .ruleAnswer(isLikelyToKeepUp: true),
      .rateDidChange(nil), .timeJumped(late), .playbackStalled, .didPlayToEndTime,
      .failedToPlayToEndTime, .newAccessLogEntry, .seek(number: 1, to: late),
      .seekDidComplete(number: 2, isFinished: true, isInBuffer: false),
      .seekDidComplete(number: 3, isFinished: false, isInBuffer: true),
      .prerollDidComplete(isFinished: true),
    ] + RateChangeReason.allCases.map { .rateDidChange($0) }

  private static func record(_ index: Int) -> EventRecord {
    let event = events[index % events.count]
    // Instants that stand still, causes near and far, and players or none.
    return EventRecord(
      instant: Instant(nanoseconds: Int64(index / 3) * 12_345_678_901), number: index + 1,
      cause: index.isMultiple(of: 5) ? index : index / 2,
      player: index.isMultiple(of: 4) ? nil : index % 7, event: event)
  }

  /// Numbers of records around those at which they are packed.
  @Test(arguments: [0, 1, 2, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 5_000])
  func recordsAreWhatTheyWere(_ count: Int) {
    let records = (0..<count).map { Self.record($0) }
    let packed = EventRecords(records)
    #expect(Array(packed) == records)
    #expect(packed.count == count)
    #expect(packed.isEmpty == records.isEmpty)
    #expect(packed.first == records.first)
    #expect(packed.last == records.last)
    func isStall(_ record: EventRecord) -> Bool { record.event == .playbackStalled }
    #expect(packed.last { isStall($0) } == records.last { isStall($0) })
    #expect(packed.last { $0.number == 1 } == records.first)
    #expect(packed.count { isStall($0) } == records.count { isStall($0) })
  }

  /// Numbers that are not counted on, as in a log from which records were taken.
  @Test func numbersMayLeap() {
    let numbers = [5, 6, 9, 4, 4_000_000_000, 1]
    let records = (0..<3_000).map { index in
      let number = numbers[index % numbers.count]
      return EventRecord(
        instant: Instant(nanoseconds: Int64(-index)), number: number,
        cause: min(number, numbers[index / 2 % numbers.count]) - 1, player: nil,
        event: .playbackStalled)
    }
    #expect(Array(EventRecords(records)) == records)
  }

  @Test func equalLogsAreEqual() {
    let records = (0..<3_000).map { Self.record($0) }
    #expect(EventRecords(records) == EventRecords(records))
    for place in [0, 1_500, 2_999] {
      var other = records
      other[place] = Self.record(place + 1)
      #expect(EventRecords(records) != EventRecords(other))
    }
    #expect(EventRecords(records) != EventRecords(records.dropLast()))
  }

  /// A run of many records, in one go and event by event.
  @Test func aLongRunKeepsItsRecords() {
    let samples = (0..<3_900).map { (index: Int64) in
      let rate = 3_000_000 + index * 7_919 % 1_000_000
      return LinkTrack.Sample(
        start: .milliseconds(index * 10), rate: BitRate(bitsPerSecond: rate))
    }
    let world = Demo.world(on: LinkTrack(samples))
    var whole = Simulation(world)
    _ = whole.run()
    #expect(whole.log.count > 3_000)
    #expect(whole.log.records.map(\.number) == Array(1...whole.log.count))
    var steps = Simulation(world)
    var counts: Set<Int> = []
    while case .advanced = steps.step() {
      counts.insert(steps.log.records.count)
      #expect(steps.log.records.last?.number == steps.log.count)
    }
    #expect(counts.isSuperset(of: [1_023, 1_024, 1_025]))
    #expect(steps.log.records == whole.log.records)
  }
}
