import Autowait

/// A property of a player that a scenario can name, by AVFoundation's name where there is one.
package enum Property: String, CaseIterable, Sendable {
  /// The status.
  case timeControlStatus
  /// Why the player waits, or null.
  case reasonForWaitingToPlay
  /// The wished rate.
  case rate
  /// The rate of `play()`.
  case defaultRate
  /// The speed of actual playback.
  case timebaseRate
  /// The playhead.
  case currentTime
  /// What is loaded.
  case loadedTimeRanges
  /// The end of what is loaded without a gap from the playhead on.
  case loaded
  /// The media loaded ahead of the playhead.
  case bufferedAhead
  /// What can be sought.
  case seekableTimeRanges
  /// How far the playhead is behind the programme of a live stream, or null.
  case offsetFromLive
  /// K.
  case isPlaybackLikelyToKeepUp
  /// F.
  case isPlaybackBufferFull
  /// E.
  case isPlaybackBufferEmpty
  /// The item's status, or null without an item.
  case status
  /// The item's duration, or null while it is unknown.
  case duration
  /// The number of the current item, or null.
  case currentItem
  /// The stalls so far.
  case stallCount
  /// The times that an item has played to its end so far.
  case playedToEndCount
  /// W.
  case automaticallyWaitsToMinimizeStalling
  /// What happens at the end.
  case actionAtItemEnd
  /// The number of the variant whose segment came last, or null.
  case variant
  /// What the playlist says of that variant, or null.
  case indicatedBitrate
  /// The entries of the error log so far.
  case errorCount

  /// What the property is, in a few words.
  var about: String {
    switch self {
    case .timeControlStatus: "the status"
    case .reasonForWaitingToPlay: "why the player waits, or null"
    case .rate: "the wished rate"
    case .defaultRate: "the rate of `play()`"
    case .timebaseRate: "the speed of actual playback"
    case .currentTime: "the playhead"
    case .loadedTimeRanges: "what is loaded"
    case .loaded: "the end of what is loaded without a gap from the playhead on"
    case .bufferedAhead: "the media loaded ahead of the playhead"
    case .seekableTimeRanges: "what can be sought"
    case .offsetFromLive: "how far the playhead is behind the programme of a live stream, or null"
    case .isPlaybackLikelyToKeepUp: "whether it will probably keep up"
    case .isPlaybackBufferFull: "whether the buffer is full"
    case .isPlaybackBufferEmpty: "whether the buffer is empty"
    case .status: "the item's status, or null without an item"
    case .duration: "the item's duration, or null while it is unknown"
    case .currentItem: "the number of the current item, or null"
    case .stallCount: "the stalls so far"
    case .playedToEndCount: "the times that an item has played to its end so far"
    case .automaticallyWaitsToMinimizeStalling: "whether it waits to minimise stalls"
    case .actionAtItemEnd: "what happens at the end"
    case .variant: "the number of the variant whose segment came last, or null"
    case .indicatedBitrate: "what the playlist says of that variant, or null"
    case .errorCount: "the entries of the error log so far"
    }
  }

  /// Returns the property's value in a snapshot.
  package func value(in snapshot: PlayerSnapshot) -> PropertyValue {
    switch self {
    case .timeControlStatus: .word("\(snapshot.timeControlStatus.word)")
    case .reasonForWaitingToPlay:
      snapshot.reasonForWaitingToPlay.map { .word("\($0.word)") } ?? .null
    case .rate: .rate(snapshot.rate)
    case .defaultRate: .rate(snapshot.defaultRate)
    case .timebaseRate: .rate(snapshot.timebaseRate)
    case .currentTime: .time(snapshot.currentTime)
    case .loadedTimeRanges: .ranges(snapshot.loadedTimeRanges)
    case .loaded: .time(snapshot.loadedEnd)
    case .bufferedAhead: .time(max(.zero, snapshot.loadedEnd - snapshot.currentTime))
    case .seekableTimeRanges: .ranges(snapshot.seekableTimeRanges)
    case .offsetFromLive: snapshot.offsetFromLive.map { .time($0) } ?? .null
    case .isPlaybackLikelyToKeepUp: .flag(snapshot.isPlaybackLikelyToKeepUp)
    case .isPlaybackBufferFull: .flag(snapshot.isPlaybackBufferFull)
    case .isPlaybackBufferEmpty: .flag(snapshot.isPlaybackBufferEmpty)
    case .status: snapshot.status.map { .word("\($0.word)") } ?? .null
    case .duration: snapshot.duration.map { .time($0) } ?? .null
    case .currentItem: snapshot.currentItem.map { .count(Int64($0)) } ?? .null
    case .stallCount: .count(Int64(snapshot.stallCount))
    case .playedToEndCount: .count(Int64(snapshot.playedToEndCount))
    case .automaticallyWaitsToMinimizeStalling:
      .flag(snapshot.automaticallyWaitsToMinimizeStalling)
    case .actionAtItemEnd: .word("\(snapshot.actionAtItemEnd.word)")
    case .variant: snapshot.variant.map { .count(Int64($0)) } ?? .null
    case .indicatedBitrate: snapshot.indicatedBitrate.map { .count($0.bitsPerSecond) } ?? .null
    case .errorCount: .count(Int64(snapshot.errorCount))
    }
  }

  /// The kind of value that the property has, for reading an expected one.
  var kind: FieldKind<PropertyValue> {
    switch self {
    case .timeControlStatus: .words(TimeControlStatus.self)
    case .reasonForWaitingToPlay: .optional(.words(WaitingReason.self))
    case .rate, .defaultRate, .timebaseRate:
      .converted(from: FieldKind<PlaybackRate>.playbackRate) { .rate($0) }
    case .currentTime, .loaded, .bufferedAhead:
      .converted(from: FieldKind<MediaTime>.mediaTime) { .time($0) }
    case .duration, .offsetFromLive:
      .optional(.converted(from: FieldKind<MediaTime>.mediaTime) { .time($0) })
    case .loadedTimeRanges, .seekableTimeRanges: .ranges
    case .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty,
      .automaticallyWaitsToMinimizeStalling:
      .converted(from: FieldKind<Bool>.bool) { .flag($0) }
    case .status: .optional(.words(ItemStatus.self))
    case .indicatedBitrate:
      .optional(.converted(from: FieldKind<BitRate>.bitRate) { .count($0.bitsPerSecond) })
    case .currentItem, .variant:
      .optional(.converted(from: FieldKind<Int64>.integer(in: 0...1_000_000)) { .count($0) })
    case .stallCount, .playedToEndCount, .errorCount:
      .converted(from: FieldKind<Int64>.integer(in: 0...1_000_000_000)) { .count($0) }
    case .actionAtItemEnd: .words(ActionAtItemEnd.self)
    }
  }

  /// The property as a condition of the script can test it; nil if it cannot.
  package var condition: Condition.Property? {
    switch self {
    case .loaded: .loaded
    case .bufferedAhead: .bufferedAhead
    case .currentTime: .currentTime
    case .offsetFromLive: .offsetFromLive
    case .isPlaybackLikelyToKeepUp: .isPlaybackLikelyToKeepUp
    case .isPlaybackBufferFull: .isPlaybackBufferFull
    case .isPlaybackBufferEmpty: .isPlaybackBufferEmpty
    case .timeControlStatus: .timeControlStatus
    case .reasonForWaitingToPlay: .reasonForWaitingToPlay
    case .status: .status
    case .stallCount: .stallCount
    case .playedToEndCount: .playedToEndCount
    case .variant: .variant
    case .indicatedBitrate: .indicatedBitrate
    case .errorCount: .errorCount
    case .rate, .defaultRate, .timebaseRate, .loadedTimeRanges, .seekableTimeRanges, .duration,
      .currentItem, .automaticallyWaitsToMinimizeStalling, .actionAtItemEnd:
      nil
    }
  }
}

/// The value of a property, observed or expected.
package enum PropertyValue: Hashable, Sendable {
  /// No value.
  case null
  /// One of the words of an enumeration.
  case word(String)
  /// True or false.
  case flag(Bool)
  /// A time of the media.
  case time(MediaTime)
  /// A speed of playback.
  case rate(PlaybackRate)
  /// A number of things.
  case count(Int64)
  /// Stretches of media.
  case ranges([LoadedTimeRange])

  /// Returns the word of a named case.
  static func named(_ value: some NamedCase) -> PropertyValue { .word("\(value.word)") }

  /// The value on the number line, where it has a place there.
  var number: Int64? {
    switch self {
    case .time(let time): time.nanoseconds
    case .rate(let rate): rate.millionths
    case .count(let count): count
    case .flag(let flag): flag ? 1 : 0
    case .null, .word, .ranges: nil
    }
  }

  /// Whether less and greater mean something.
  var isOrdered: Bool {
    switch self {
    case .time, .rate, .count: true
    case .null, .word, .flag, .ranges: false
    }
  }

  /// Returns whether a comparison with an expected value holds; times may differ by a tolerance.
  func satisfies(
    _ comparison: Condition.Comparison, _ expected: PropertyValue, tolerance: TimeSpan
  ) -> Bool {
    switch comparison {
    case .equal: return equals(expected, tolerance: tolerance)
    case .notEqual: return !equals(expected, tolerance: tolerance)
    case .less, .atMost, .greater, .atLeast:
      guard let number, let other = expected.number else { return false }
      return comparison.holds(number, other)
    }
  }

  private func equals(_ expected: PropertyValue, tolerance: TimeSpan) -> Bool {
    switch (self, expected) {
    case (.time(let left), .time(let right)):
      return (left - right).nanoseconds.magnitude <= tolerance.nanoseconds
    case (.ranges(let left), .ranges(let right)):
      return left.count == right.count
        && zip(left, right).allSatisfy { one, other in
          (one.start - other.start).nanoseconds.magnitude <= tolerance.nanoseconds
            && (one.end - other.end).nanoseconds.magnitude <= tolerance.nanoseconds
        }
    default: return self == expected
    }
  }
}

extension FieldKind where Value == PropertyValue {
  fileprivate static func words<Word: NamedCase>(_: Word.Type) -> FieldKind {
    .converted(from: FieldKind<Word>.named) { .word("\($0.word)") }
  }

  /// The same kind, or `null`.
  fileprivate static func optional(_ kind: FieldKind) -> FieldKind {
    .converted(from: FieldKind<PropertyValue?>.nullable(kind)) { $0 ?? .null }
  }

  /// Pairs of times, as in `[["0 s", "7 s"]]`.
  fileprivate static var ranges: FieldKind {
    let pairs = FieldKind<[[MediaTime]]>.list(of: .list(of: .mediaTime))
    return FieldKind(pairs.schema) { value, label, findings in
      guard let times = pairs.read(value, label, findings) else { return nil }
      guard times.allSatisfy({ $0.count == 2 && $0[0] < $0[1] }) else {
        findings.error("\(label) must be pairs of a start and a later end", at: value)
        return nil
      }
      return .ranges(times.map { LoadedTimeRange(start: $0[0], end: $0[1]) })
    }
  }
}
