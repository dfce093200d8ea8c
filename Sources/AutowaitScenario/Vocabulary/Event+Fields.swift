import Autowait

/// What an event tells beside its name: a name and a value, as logs have them.
package struct EventField {
  /// A value as an event has it; what is only a number there is a name in a scenario.
  package enum Value {
    case null
    case flag(Bool)
    case word(StaticString)
    case count(Int64)
    case seed(UInt64)
    /// A time of the media, or how long something took.
    case nanoseconds(Int64)
    case rate(PlaybackRate)
    case resolution(Resolution)
    case videoColor(VideoColor)
    /// What a step of the script does, by its index.
    case stepName(Int)
    /// The name of a link, by its index.
    case linkName(Int)
    /// The tier that the world chose.
    case tier
    /// Why it did.
    case tierReason

    static func named(_ value: (some NamedCase)?) -> Value { value.map { .word($0.word) } ?? .null }
    static func count(_ value: Int?) -> Value { value.map { .count(Int64($0)) } ?? .null }
    static func count(_ value: Int32?) -> Value { value.map { .count(Int64($0)) } ?? .null }
    static func time(_ time: MediaTime?) -> Value {
      time.map { .nanoseconds($0.nanoseconds) } ?? .null
    }
    static func bitRate(_ rate: BitRate) -> Value { .count(rate.bitsPerSecond) }
    static func size(_ size: Resolution?) -> Value { size.map { .resolution($0) } ?? .null }
    static func color(_ color: VideoColor?) -> Value { color.map { .videoColor($0) } ?? .null }
  }

  /// The key in logs.
  package let name: StaticString
  /// The value.
  package let value: Value
  /// Whether the event announces the value: expectations and the steps of scripts can ask for it.
  let isAnnounced: Bool

  init(_ name: StaticString, _ value: Value, isAnnounced: Bool = false) {
    (self.name, self.value, self.isAnnounced) = (name, value, isAnnounced)
  }

  /// A value that is announced.
  static func announced(_ value: Value, as name: StaticString = "value") -> EventField {
    EventField(name, value, isAnnounced: true)
  }

  /// The request that the event is about.
  static func transfer(_ number: Int) -> EventField { EventField("transfer", .count(number)) }

  /// The item that the request is for, if that is enqueued and not the current one.
  static func item(_ number: UInt16?) -> EventField? {
    number.map { EventField("item", .count(Int64($0))) }
  }

  /// How many bytes a response has, or had.
  static func bytes(_ bytes: ByteCount) -> EventField { EventField("bytes", .count(bytes.bytes)) }
}

/// The fields of an event, of which there are five at most.
package struct EventFields {
  private let first: EventField?
  private let second: EventField?
  private let third: EventField?
  private let fourth: EventField?
  private let fifth: EventField?

  fileprivate init(
    _ first: EventField? = nil, _ second: EventField? = nil, _ third: EventField? = nil,
    _ fourth: EventField? = nil, _ fifth: EventField? = nil
  ) {
    (self.first, self.second, self.third) = (first, second, third)
    (self.fourth, self.fifth) = (fourth, fifth)
  }

  /// Calls a function with each of them.
  package func forEach(_ body: (EventField) -> Void) {
    if let first { body(first) }
    if let second { body(second) }
    if let third { body(third) }
    if let fourth { body(fourth) }
    if let fifth { body(fifth) }
  }
}

extension Event {
  /// What the event tells beside its name, in the order of logs.
  package var fields: EventFields {
    switch self {
    case .started(let seed, let draws): .start(seed, draws)
    case .step(let index): .step(index)
    case .finished(let reason): EventFields(.announced(.named(reason)))
    case .linkChanged(let link, let rate): .link(link, rate)
    case .linkRate(let rate): EventFields(.announced(.bitRate(rate)))
    case .mediaRequest(let transfer, let from, let size, let item):
      EventFields(
        .transfer(transfer), .item(item), EventField("from", .count(from.bytes)), .bytes(size))
    case .mediaResponse(let transfer), .readingSuspended(let transfer, _),
      .segmentDiscarded(let transfer):
      EventFields(.transfer(transfer))
    case .mediaRequestCompleted(let transfer, let bytes),
      .mediaRequestCancelled(let transfer, let bytes):
      EventFields(.transfer(transfer), .bytes(bytes))
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      EventFields(.transfer(transfer), .announced(.named(failure)), .bytes(bytes))
    case .transferPhase(let transfer, _, let span):
      EventFields(.transfer(transfer), EventField("seconds", .nanoseconds(span.nanoseconds)))
    case .playlistRequest(let transfer, let list, let size, let item):
      .asked(transfer, item, .announced(.count(list), as: "list"), size)
    case .contentKeyRequest(let transfer, let key, let size, let item):
      .asked(transfer, item, .announced(.count(key), as: "key"), size)
    case .segmentRequest(let transfer, let size, let list, let segment, let item):
      EventFields(
        .transfer(transfer), .item(item), EventField("list", .count(list)),
        .announced(.count(segment), as: "segment"), .bytes(size))
    case .variantSwitchStart(let from, let to, let item),
      .variantSwitch(let from, let to, let item):
      EventFields(.item(item), EventField("from", .count(from)), .announced(.count(to)))
    case .newErrorLogEntry(let transfer, let code):
      EventFields(.transfer(transfer), .announced(.count(code)))
    case .valuesLoaded(let item), .itemCreated(let item), .itemInserted(let item),
      .itemRemoved(let item), .loopCount(let item):
      EventFields(.announced(.count(item)))
    case .currentItem(let item): EventFields(.announced(.count(item)))
    case .notGapless(let item, let trait): .trait(trait, of: item)
    case .looperStatus(let status): EventFields(.announced(.named(status)))
    case .loadedTimeRange(let index, let count, let start, let end):
      .range(index, count, start, end)
    case .pictureFrozen(let value), .isPlaybackBufferEmpty(let value),
      .isPlaybackBufferFull(let value), .isPlaybackLikelyToKeepUp(let value),
      .ruleAnswer(let value), .prerollDidComplete(let value):
      EventFields(.announced(.flag(value)))
    case .itemStatus(let status): EventFields(.announced(.named(status)))
    case .rate(let rate): EventFields(.announced(.rate(rate)))
    case .reasonForWaitingToPlay(let reason): EventFields(.announced(.named(reason)))
    case .timeControlStatus(let status): EventFields(.announced(.named(status)))
    case .timebaseRate(let rate, let time):
      EventFields(.announced(.rate(rate)), EventField("currentTime", .time(time)))
    case .setting(let setting): EventFields(setting.field)
    case .exception(let exception): EventFields(.announced(.named(exception)))
    case .pipelineBuilt(let count, let hasVideo):
      EventFields(.announced(.count(count)), EventField("hasVideo", .flag(hasVideo)))
    case .mediaSelection(let track, let rendition): .track(track, .count(rendition))
    case .trackEnabled(let track, let isEnabled): .track(track, .flag(isEnabled))
    case .videoFrames(let to, let color, let treatment): .frames(to, color, treatment)
    case .rateDidChange(let reason): EventFields(.announced(.named(reason), as: "reason"))
    case .timeJumped(let time): EventFields(.announced(.time(time), as: "currentTime"))
    case .seek(let number, let time):
      EventFields(EventField("seek", .count(number)), .announced(.time(time), as: "to"))
    case .seekDidComplete(let number, let isFinished, let isInBuffer):
      EventFields(
        EventField("seek", .count(number)), .announced(.flag(isFinished), as: "finished"),
        EventField("didSeekInBuffer", .flag(isInBuffer)))
    case .playbackStalled, .didPlayToEndTime, .failedToPlayToEndTime, .newAccessLogEntry:
      EventFields()
    }
  }

  /// The value that the event announces; nil if it announces none.
  var announced: PropertyValue? {
    var announced: PropertyValue?
    fields.forEach { if $0.isAnnounced { announced = value(of: $0) } }
    return announced
  }

  private func value(of field: EventField) -> PropertyValue {
    switch field.value {
    case .null: .null
    case .flag(let flag): .flag(flag)
    case .word(let word): .word("\(word)")
    case .count(let count): .count(count)
    case .nanoseconds(let nanoseconds): .time(MediaTime(nanoseconds: nanoseconds))
    case .rate(let rate): .rate(rate)
    case .seed, .resolution, .videoColor, .stepName, .linkName, .tier, .tierReason:
      preconditionFailure("'\(field.name)' is not a value that can be asked for")
    }
  }

  /// The kind of value that the event announces; nil if it announces none.
  private var valueKind: FieldKind<PropertyValue>? {
    switch self {
    case .isPlaybackBufferEmpty, .isPlaybackBufferFull, .isPlaybackLikelyToKeepUp, .ruleAnswer,
      .prerollDidComplete, .seekDidComplete, .trackEnabled, .pictureFrozen:
      Property.isPlaybackBufferEmpty.kind
    case .itemStatus: Property.status.kind
    case .looperStatus: .words(LooperStatus.self)
    case .notGapless: .words(JoinTrait.self)
    case .videoFrames: .words(ColorTreatment.self)
    case .rate, .timebaseRate: Property.rate.kind
    case .reasonForWaitingToPlay: Property.reasonForWaitingToPlay.kind
    case .timeControlStatus: Property.timeControlStatus.kind
    case .exception: .words(PlaybackException.self)
    case .rateDidChange: .optional(.words(RateChangeReason.self))
    case .finished: .words(FinishReason.self)
    case .mediaRequestFailed: .words(TransferFailure.self)
    case .timeJumped, .seek: Property.currentTime.kind
    case .currentItem, .segmentRequest, .playlistRequest, .mediaSelection: Property.currentItem.kind
    case .linkRate: .converted(from: FieldKind<BitRate>.bitRate) { .count($0.bitsPerSecond) }
    case .newErrorLogEntry:
      // Codes of errors are negative.
      .converted(from: FieldKind<Int64>.integer(in: -1_000_000...1_000_000)) { .count($0) }
    case .variantSwitchStart, .variantSwitch, .valuesLoaded, .itemCreated, .itemInserted,
      .itemRemoved, .loopCount, .contentKeyRequest,
      .step, .pipelineBuilt:
      .converted(from: FieldKind<Int64>.integer()) { .count($0) }
    case .started, .linkChanged, .mediaRequest, .mediaResponse, .mediaRequestCompleted,
      .mediaRequestCancelled, .transferPhase, .readingSuspended, .segmentDiscarded,
      .loadedTimeRange, .setting, .playbackStalled, .didPlayToEndTime, .failedToPlayToEndTime,
      .newAccessLogEntry:
      nil
    }
  }

  /// The kind of value that the event of a name announces; nil if it announces none.
  static func valueKind(_ name: String) -> FieldKind<PropertyValue>? {
    examples.first { "\($0.name)" == name }?.valueKind
  }

  /// What the value of the event of a name counts, if files may name it instead.
  static func namedValue(_ name: String) -> NamedValue? {
    switch examples.first(where: { "\($0.name)" == name }) {
    case .currentItem?, .valuesLoaded?, .itemCreated?, .itemInserted?, .itemRemoved?: .item
    case .step?: .step
    default: nil
    }
  }
}

extension EventFields {
  fileprivate static func start(_ seed: UInt64, _ draws: Int64) -> EventFields {
    EventFields(
      EventField("seed", .seed(seed)), draws > 0 ? EventField("draws", .count(draws)) : nil,
      EventField("tier", .tier), EventField("reason", .tierReason))
  }

  fileprivate static func asked(
    _ transfer: Int, _ item: UInt16?, _ value: EventField, _ size: ByteCount
  ) -> EventFields {
    EventFields(.transfer(transfer), .item(item), value, .bytes(size))
  }

  fileprivate static func trait(_ trait: JoinTrait, of item: Int) -> EventFields {
    EventFields(EventField("item", .count(item)), .announced(.named(trait)))
  }

  fileprivate static func track(_ track: MediaTrack, _ value: EventField.Value) -> EventFields {
    EventFields(EventField("track", .named(track)), .announced(value))
  }

  fileprivate static func frames(
    _ destination: VideoDestination, _ color: VideoColor?, _ treatment: ColorTreatment
  ) -> EventFields {
    EventFields(
      EventField("to", .named(destination)), EventField("color", .color(color)),
      .announced(.named(treatment)))
  }

  fileprivate static func link(_ link: Int, _ rate: BitRate) -> EventFields {
    EventFields(EventField("link", .linkName(link)), EventField("rate", .bitRate(rate)))
  }

  fileprivate static func step(_ index: Int) -> EventFields {
    EventFields(.announced(.count(index), as: "step"), EventField("do", .stepName(index)))
  }

  fileprivate static func range(
    _ index: Int32, _ count: Int32, _ start: MediaTime, _ end: MediaTime
  ) -> EventFields {
    EventFields(
      EventField("range", .count(index)), EventField("of", .count(count)),
      EventField("start", .time(start)), EventField("end", .time(end)))
  }
}

extension PlayerSetting {
  /// The setting under its name, with its new value.
  fileprivate var field: EventField {
    switch self {
    case .automaticallyWaitsToMinimizeStalling(let value):
      EventField("automaticallyWaitsToMinimizeStalling", .flag(value))
    case .defaultRate(let rate): EventField("defaultRate", .rate(rate))
    case .actionAtItemEnd(let action): EventField("actionAtItemEnd", .named(action))
    case .forwardPlaybackEndTime(let time): EventField("forwardPlaybackEndTime", .time(time))
    case .reversePlaybackEndTime(let time): EventField("reversePlaybackEndTime", .time(time))
    case .interstitial(let isActive): EventField("interstitial", .flag(isActive))
    case .coordination(let isHeld): EventField("coordination", .flag(isHeld))
    case .preferredForwardBufferDuration(let time):
      EventField("preferredForwardBufferDuration", .time(time))
    case .preferredPeakBitRate(let rate): EventField("preferredPeakBitRate", .bitRate(rate))
    case .preferredPeakBitRateForExpensiveNetworks(let rate):
      EventField("preferredPeakBitRateForExpensiveNetworks", .bitRate(rate))
    case .preferredMaximumResolution(let size):
      EventField("preferredMaximumResolution", .size(size))
    case .preferredMaximumResolutionForExpensiveNetworks(let size):
      EventField("preferredMaximumResolutionForExpensiveNetworks", .size(size))
    case .layer(let size): EventField("layer", .size(size))
    case .isExpensive(let value): EventField("isExpensive", .flag(value))
    case .layerAttached(let value): EventField("layerAttached", .flag(value))
    case .videoOutputAttached(let value): EventField("videoOutputAttached", .flag(value))
    case .networkResourcePriority(let value):
      EventField("networkResourcePriority", .named(value))
    case .eligibleForHDRPlayback(let value): EventField("eligibleForHDRPlayback", .flag(value))
    case .automaticallyPreservesTimeOffsetFromLive(let value):
      EventField("automaticallyPreservesTimeOffsetFromLive", .flag(value))
    }
  }
}
