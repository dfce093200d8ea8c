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
  /// The items in the queue, the current one among them.
  case itemCount
  /// How often playback of a loop has started again.
  case loopCount
  /// The looper's status, or null.
  case looperStatus
  /// The stalls so far.
  case stallCount
  /// How many times an item played to its end so far.
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
  var about: String { known.about }

  /// Returns the property's value in a snapshot; null where the player's version of iOS has no such
  /// property.
  package func value(in snapshot: PlayerSnapshot) -> PropertyValue {
    exists(in: snapshot.contract) ? known.value(snapshot) : .null
  }

  /// Whether a version of iOS has the property.
  package func exists(in contract: APIContract) -> Bool { contract.iOS >= firstIOS }

  /// The version of iOS with which the property came; the oldest that is known, or an older one,
  /// for most (`AVPlayer.h`).
  package var firstIOS: Int {
    switch self {
    case .timeControlStatus, .reasonForWaitingToPlay, .automaticallyWaitsToMinimizeStalling: 10
    case .defaultRate: 16
    case .rate, .timebaseRate, .currentTime, .loadedTimeRanges, .loaded, .bufferedAhead,
      .seekableTimeRanges, .offsetFromLive, .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull,
      .isPlaybackBufferEmpty, .status, .duration, .currentItem, .itemCount, .loopCount,
      .looperStatus, .stallCount, .playedToEndCount, .actionAtItemEnd, .variant,
      .indicatedBitrate, .errorCount:
      APIContract.known.lowerBound
    }
  }

  /// The kind of value that the property has, for reading an expected one.
  var kind: FieldKind<PropertyValue> { known.kind }

  /// The property as a condition of the script can test it; nil if it cannot.
  package var condition: Condition.Property? { known.condition }
}

/// All that is known of a property.
private struct PropertyRow: Sendable {
  let about: String
  let kind: FieldKind<PropertyValue>
  let condition: Condition.Property?
  let value: @Sendable (PlayerSnapshot) -> PropertyValue

  init(
    _ about: String, _ kind: FieldKind<PropertyValue>, condition: Condition.Property? = nil,
    _ value: @escaping @Sendable (PlayerSnapshot) -> PropertyValue
  ) {
    (self.about, self.kind, self.condition, self.value) = (about, kind, condition, value)
  }
}

extension Property {
  private var known: PropertyRow {
    switch self {
    case .timeControlStatus:
      PropertyRow(
        "the status", .words(TimeControlStatus.self), condition: .timeControlStatus
      ) { .word("\($0.timeControlStatus.word)") }
    case .reasonForWaitingToPlay:
      PropertyRow(
        "why the player waits, or null", .optional(.words(WaitingReason.self)),
        condition: .reasonForWaitingToPlay
      ) { snapshot in snapshot.reasonForWaitingToPlay.map { .word("\($0.word)") } ?? .null }
    case .rate:
      PropertyRow("the requested rate", .rate) { .rate($0.rate) }
    case .defaultRate:
      PropertyRow("the rate of play()", .rate) { .rate($0.defaultRate) }
    case .timebaseRate:
      PropertyRow("the speed of actual playback", .rate) { .rate($0.timebaseRate) }
    case .currentTime:
      PropertyRow("the playhead", .time, condition: .currentTime) {
        .time($0.currentTime)
      }
    case .loadedTimeRanges:
      PropertyRow("what is loaded", .ranges) { .ranges($0.loadedTimeRanges) }
    case .loaded:
      PropertyRow(
        "the end of what is loaded without a gap from the playhead on", .time, condition: .loaded
      ) { .time($0.loadedEnd) }
    case .bufferedAhead:
      PropertyRow(
        "the media loaded ahead of the playhead", .time, condition: .bufferedAhead
      ) { .time(max(.zero, $0.loadedEnd - $0.currentTime)) }
    case .seekableTimeRanges:
      PropertyRow("what can be sought", .ranges) {
        .ranges($0.seekableTimeRanges)
      }
    case .offsetFromLive:
      PropertyRow(
        "how far the playhead is behind the programme of a live stream, or null", .optional(.time),
        condition: .offsetFromLive
      ) { snapshot in snapshot.offsetFromLive.map { .time($0) } ?? .null }
    case .isPlaybackLikelyToKeepUp:
      PropertyRow(
        "whether it will probably keep up", .flag, condition: .isPlaybackLikelyToKeepUp
      ) { .flag($0.isPlaybackLikelyToKeepUp) }
    case .isPlaybackBufferFull:
      PropertyRow(
        "whether the buffer is full", .flag, condition: .isPlaybackBufferFull
      ) { .flag($0.isPlaybackBufferFull) }
    case .isPlaybackBufferEmpty:
      PropertyRow(
        "whether the buffer is empty", .flag, condition: .isPlaybackBufferEmpty
      ) { .flag($0.isPlaybackBufferEmpty) }
    case .status:
      PropertyRow(
        "the item's status, or null without an item", .optional(.words(ItemStatus.self)),
        condition: .status
      ) { snapshot in snapshot.status.map { .word("\($0.word)") } ?? .null }
    case .duration:
      PropertyRow("the item's duration, or null while it is unknown", .optional(.time)) {
        snapshot in snapshot.duration.map { .time($0) } ?? .null
      }
    case .currentItem:
      PropertyRow(
        "the current item, by its name or its number, or null",
        .optional(.place).described(as: ItemNames.schemaOrNull)
      ) {
        snapshot in snapshot.currentItem.map { .count(Int64($0)) } ?? .null
      }
    case .itemCount:
      PropertyRow("the items in the queue, the current one among them", .count) {
        .count(Int64($0.items.count))
      }
    case .loopCount:
      PropertyRow("how often playback of a loop has started again", .count) {
        .count(Int64($0.loopCount))
      }
    case .looperStatus:
      PropertyRow(
        "the looper's status, or null without one", .optional(.words(LooperStatus.self))
      ) { snapshot in snapshot.looperStatus.map { .word("\($0.word)") } ?? .null }
    case .stallCount:
      PropertyRow("the stalls so far", .count, condition: .stallCount) {
        .count(Int64($0.stallCount))
      }
    case .playedToEndCount:
      PropertyRow(
        "how many times an item played to its end so far", .count, condition: .playedToEndCount
      ) { .count(Int64($0.playedToEndCount)) }
    case .automaticallyWaitsToMinimizeStalling:
      PropertyRow(
        "whether it waits to minimize stalls", .flag
      ) { .flag($0.automaticallyWaitsToMinimizeStalling) }
    case .actionAtItemEnd:
      PropertyRow("what happens at the end", .words(ActionAtItemEnd.self)) {
        .word("\($0.actionAtItemEnd.word)")
      }
    case .variant:
      PropertyRow(
        "the number of the variant whose segment came last, or null", .optional(.place),
        condition: .variant
      ) { snapshot in snapshot.variant.map { .count(Int64($0)) } ?? .null }
    case .indicatedBitrate:
      PropertyRow(
        "what the playlist says of that variant, or null",
        .optional(.converted(from: FieldKind<BitRate>.bitRate) { .count($0.bitsPerSecond) }),
        condition: .indicatedBitrate
      ) { snapshot in snapshot.indicatedBitrate.map { .count($0.bitsPerSecond) } ?? .null }
    case .errorCount:
      PropertyRow(
        "the entries of the error log so far", .count, condition: .errorCount
      ) { .count(Int64($0.errorCount)) }
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
    if case (.time(let left), .time(let right)) = (self, expected) {
      return (left - right).nanoseconds.magnitude <= tolerance.nanoseconds
    }
    if case (.ranges(let left), .ranges(let right)) = (self, expected) {
      return left.count == right.count
        && zip(left, right).allSatisfy { one, other in
          (one.start - other.start).nanoseconds.magnitude <= tolerance.nanoseconds
            && (one.end - other.end).nanoseconds.magnitude <= tolerance.nanoseconds
        }
    }
    return self == expected
  }
}

extension FieldKind where Value == PropertyValue {
  fileprivate static var flag: FieldKind { .converted(from: FieldKind<Bool>.bool) { .flag($0) } }

  fileprivate static var rate: FieldKind {
    .converted(from: FieldKind<PlaybackRate>.playbackRate) { .rate($0) }
  }

  fileprivate static var time: FieldKind {
    .converted(from: FieldKind<MediaTime>.mediaTime) { .time($0) }
  }

  /// The number of an item or a variant.
  fileprivate static var place: FieldKind {
    .converted(from: FieldKind<Int64>.integer(in: 0...1_000_000)) { .count($0) }
  }

  /// How often something has happened.
  fileprivate static var count: FieldKind {
    .converted(from: FieldKind<Int64>.integer(in: 0...1_000_000_000)) { .count($0) }
  }

  static func words<Word: NamedCase>(_: Word.Type) -> FieldKind {
    .converted(from: FieldKind<Word>.named) { .word("\($0.word)") }
  }

  /// The same kind, or `null`.
  static func optional(_ kind: FieldKind) -> FieldKind {
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
