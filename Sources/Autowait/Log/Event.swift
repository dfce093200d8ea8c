/// Something that happened in a run.
///
/// Every case is a handful of numbers: recording one allocates nothing.
public enum Event: Hashable, Sendable {
  // The world.
  /// The run began; the fingerprint starts with the seed and the numbers drawn to build the world.
  case started(seed: UInt64, draws: Int64)
  /// A step of the script was done.
  case step(index: Int)
  /// The run ended.
  case finished(FinishReason)

  // The link.
  /// Another of the world's links holds, with the rate that it has at that instant.
  case linkChanged(link: Int, rate: BitRate)
  /// The rate of the link changed while something flowed.
  case linkRate(BitRate)

  // Requests. What is about an item that is enqueued, and not the current one yet, names it.
  /// A player asked for a part of a file.
  case mediaRequest(transfer: Int, from: ByteCount, size: ByteCount, item: UInt16? = nil)
  /// The first byte of a response arrived.
  case mediaResponse(transfer: Int)
  /// A response arrived whole.
  case mediaRequestCompleted(transfer: Int, bytes: ByteCount)
  /// A player gave a response up.
  case mediaRequestCancelled(transfer: Int, bytes: ByteCount)
  /// A request failed; what had arrived stays.
  case mediaRequestFailed(transfer: Int, failure: TransferFailure, bytes: ByteCount)
  /// How long a part of the way to the first byte of a response took.
  case transferPhase(transfer: Int, TransferPhase, TimeSpan)
  /// A player with a full buffer stopped reading, or reads again.
  case readingSuspended(transfer: Int, isSuspended: Bool)

  // Streams.
  /// A player asked for a playlist: that of a segment list, or the multivariant playlist.
  case playlistRequest(transfer: Int, list: Int32?, size: ByteCount, item: UInt16? = nil)
  /// A player asked for a key.
  case contentKeyRequest(transfer: Int, key: Int, size: ByteCount, item: UInt16? = nil)
  /// A player asked for a segment of a list, or for an initialisation section of it.
  case segmentRequest(
    transfer: Int, size: ByteCount, list: Int32, segment: Int32?, item: UInt16? = nil)
  /// The values of an asset are loaded.
  case valuesLoaded(item: Int)
  /// An item was created and is not yet the current one.
  case itemCreated(Int)
  /// An item was put into the queue.
  case itemInserted(Int)
  /// An item was taken out of the queue, or dropped because it failed.
  case itemRemoved(Int)
  /// An item of the queue will not follow the one before without a gap: the sound differs.
  case notGapless(item: Int, JoinMismatch)
  /// `status` of a looper.
  case looperStatus(LooperStatus)
  /// `loopCount` of a looper: how often playback has started again.
  case loopCount(Int)
  /// Another variant is chosen for what is loaded from now on; the first time there was none.
  case variantSwitchStart(from: Int?, to: Int, item: UInt16? = nil)
  /// The first segment of another variant has come.
  case variantSwitch(from: Int?, to: Int, item: UInt16? = nil)
  /// A segment that was loaded only to measure the network has come, and is thrown away.
  case segmentDiscarded(transfer: Int)
  /// A request went wrong; the error log has an entry more.
  case newErrorLogEntry(transfer: Int, code: Int32)

  // The item.
  /// An item, counted from zero, or none became the current one.
  case currentItem(Int?)
  /// One of the ranges that are loaded, of so many, at an instant at which a fact changes.
  case loadedTimeRange(index: Int32, count: Int32, start: MediaTime, end: MediaTime)
  /// All buffered media has been consumed, or some is there again.
  case isPlaybackBufferEmpty(Bool)
  /// The buffer is as full as it will get, or no longer.
  case isPlaybackBufferFull(Bool)
  /// Playback would run to the end without a stall, or no longer.
  case isPlaybackLikelyToKeepUp(Bool)
  /// What is known about the item changed.
  case itemStatus(ItemStatus)

  // The player.
  /// The wished rate changed.
  case rate(PlaybackRate)
  /// The reason for waiting changed; nil when the player does not wait.
  case reasonForWaitingToPlay(WaitingReason?)
  /// The status changed.
  case timeControlStatus(TimeControlStatus)
  /// The speed of actual playback changed, at a time of the media.
  case timebaseRate(PlaybackRate, currentTime: MediaTime)
  /// A setting of the player or its item was written.
  case setting(WrittenSetting)
  /// A call raised an exception and did nothing.
  case exception(PlaybackException)
  /// A pipeline was built, counted from 1 in the run, with video if a layer was attached.
  case pipelineBuilt(count: Int, hasVideo: Bool)
  /// Another rendition of the sound or of the subtitles was selected; nil for none.
  case mediaSelection(MediaTrack, rendition: Int32?)
  /// The tracks of a kind were enabled or disabled.
  case trackEnabled(MediaTrack, Bool)
  /// The picture stands while the clock runs, since its data has not come; or it goes on.
  case pictureFrozen(Bool)
  /// What receives the pictures gets them in another color than before, if they are tagged at all.
  case videoFrames(VideoFrames)
  /// A driver answered for an external rule.
  case ruleAnswer(isLikelyToKeepUp: Bool)

  // Notifications and completions.
  /// The rate changed, for a reason if AVFoundation names one.
  case rateDidChange(RateChangeReason?)
  /// The time of the item changed other than by playing.
  case timeJumped(MediaTime)
  /// Media did not arrive in time.
  case playbackStalled
  /// The item played to its end.
  case didPlayToEndTime
  /// The item failed after it had begun to play.
  case failedToPlayToEndTime
  /// The access log has an entry more.
  case newAccessLogEntry
  /// A seek, counted over the run, was asked for.
  case seek(number: Int, to: MediaTime)
  /// A seek was done or given up.
  case seekDidComplete(number: Int, isFinished: Bool, isInBuffer: Bool)
  /// A preroll was done or given up.
  case prerollDidComplete(isFinished: Bool)
}

extension Event {
  /// The event as numbers, which are mixed into the fingerprint: a row for each case.
  ///
  /// ``init(code:_:_:)`` makes the event of them again. Inlined the row costs next to nothing where
  /// the case is known (measured).
  @inline(__always)
  var words: EventWords {
    switch self {
    case .started(let seed, let draws): EventWords(1, seed, draws)
    case .step(let index): EventWords(2, index, announces: index)
    case .finished(let reason): EventWords(3, reason, announces: reason)
    case .linkChanged(let link, let rate): EventWords(4, link, rate)
    case .linkRate(let rate): EventWords(5, rate, announces: rate)
    case .mediaRequest(let transfer, let from, let size, let item):
      EventWords(EventWords.code(6, transfer, item), from, size)
    case .mediaResponse(let transfer): EventWords(7, transfer)
    case .mediaRequestCompleted(let transfer, let bytes): EventWords(8, transfer, bytes)
    case .mediaRequestCancelled(let transfer, let bytes): EventWords(9, transfer, bytes)
    case .readingSuspended(let transfer, let isSuspended): EventWords(10, transfer, isSuspended)
    case .currentItem(let item): EventWords(11, item, announces: item)
    case .loadedTimeRange(let index, let count, let start, let end):
      EventWords(12 | index.word << 8 | count.word << 31, start, end)
    case .isPlaybackBufferEmpty(let value): EventWords(13, value, announces: value)
    case .isPlaybackBufferFull(let value): EventWords(14, value, announces: value)
    case .isPlaybackLikelyToKeepUp(let value): EventWords(15, value, announces: value)
    case .itemStatus(let status): EventWords(16, status, announces: status)
    case .rate(let rate): EventWords(17, rate, announces: rate)
    case .reasonForWaitingToPlay(let reason): EventWords(18, reason, announces: reason)
    case .timeControlStatus(let status): EventWords(19, status, announces: status)
    case .timebaseRate(let rate, let time): EventWords(20, rate, time, announces: rate)
    case .setting(let written): written.setting.words
    case .exception(let exception): EventWords(22, exception, announces: exception)
    case .ruleAnswer(let isLikely): EventWords(23, isLikely, announces: isLikely)
    case .rateDidChange(let reason): EventWords(24, reason, announces: reason)
    case .timeJumped(let time): EventWords(25, time, announces: time)
    case .playbackStalled: EventWords(26)
    case .didPlayToEndTime: EventWords(27)
    case .failedToPlayToEndTime: EventWords(28)
    case .newAccessLogEntry: EventWords(29)
    case .seek(let number, let time): EventWords(30, number, time, announces: time)
    case .seekDidComplete(let number, let isFinished, let isInBuffer):
      EventWords(31, number, isFinished.word | isInBuffer.word << 1, announces: isFinished)
    case .prerollDidComplete(let isFinished): EventWords(32, isFinished, announces: isFinished)
    case .mediaRequestFailed(let transfer, let failure, let bytes):
      EventWords(EventWords.code(33, transfer, nil), failure, bytes, announces: failure)
    case .transferPhase(let transfer, let phase, let span):
      EventWords(34 | phase.word << 8, transfer, span)
    case .playlistRequest(let transfer, let list, let size, let item):
      EventWords(EventWords.code(50, transfer, item), list, size, announces: list)
    case .contentKeyRequest(let transfer, let key, let size, let item):
      EventWords(EventWords.code(51, transfer, item), key, size, announces: key)
    case .segmentRequest(let transfer, let size, let list, let segment, let item):
      EventWords(
        EventWords.code(52, transfer, item), list.word << 32 | segment.word & 0xFFFF_FFFF, size,
        announces: segment)
    case .valuesLoaded(let item): EventWords(53, item, announces: item)
    case .itemCreated(let item): EventWords(54, item, announces: item)
    case .variantSwitchStart(let from, let to, let item):
      EventWords(EventWords.code(55, 0, item), from, to, announces: to)
    case .variantSwitch(let from, let to, let item):
      EventWords(EventWords.code(56, 0, item), from, to, announces: to)
    case .newErrorLogEntry(let transfer, let code):
      EventWords(57, transfer, code, announces: Int64(code))
    case .segmentDiscarded(let transfer): EventWords(66, transfer)
    case .pipelineBuilt(let count, let hasVideo): EventWords(70, count, hasVideo, announces: count)
    case .itemInserted(let item): EventWords(72, item, announces: item)
    case .itemRemoved(let item): EventWords(73, item, announces: item)
    case .looperStatus(let status): EventWords(74, status, announces: status)
    case .loopCount(let count): EventWords(75, count, announces: count)
    case .notGapless(let item, let mismatch):
      EventWords(76, mismatch.trait, item, announces: mismatch.trait)
    case .mediaSelection(let track, let rendition):
      EventWords(77, track, rendition, announces: rendition)
    case .trackEnabled(let track, let isEnabled):
      EventWords(78, track, isEnabled, announces: isEnabled)
    case .videoFrames(let frames):
      EventWords(
        80, frames.destination.word << 8 | frames.treatment.word, frames.color,
        announces: frames.treatment)
    case .pictureFrozen(let isFrozen): EventWords(83, isFrozen, announces: isFrozen)
    }
  }

  /// Makes the event of its numbers; the lowest byte of the code says which case it is.
  init(code: UInt64, _ a: UInt64, _ b: UInt64) {
    let (of, item) = (Int(of: code >> 8 & 0xFF_FFFF_FFFF), EventWords.item(of: code))
    defer { assert(words.code == code && words.a == a && words.b == b, "other words: \(self)") }
    switch code & 0xFF {
    case 1: self = .started(seed: a, draws: Int64(of: b))
    case 2: self = .step(index: Int(of: a))
    case 3: self = .finished(FinishReason(of: a))
    case 4: self = .linkChanged(link: Int(of: a), rate: BitRate(of: b))
    case 5: self = .linkRate(BitRate(of: a))
    case 6:
      self = .mediaRequest(
        transfer: of, from: ByteCount(of: a), size: ByteCount(of: b), item: item)
    case 7: self = .mediaResponse(transfer: Int(of: a))
    case 8: self = .mediaRequestCompleted(transfer: Int(of: a), bytes: ByteCount(of: b))
    case 9: self = .mediaRequestCancelled(transfer: Int(of: a), bytes: ByteCount(of: b))
    case 10: self = .readingSuspended(transfer: Int(of: a), isSuspended: Bool(of: b))
    case 11: self = .currentItem(Int?(of: a))
    case 12:
      self = .loadedTimeRange(
        index: Int32(of: code >> 8 & 0x7F_FFFF), count: Int32(of: code >> 31),
        start: MediaTime(of: a), end: MediaTime(of: b))
    case 13: self = .isPlaybackBufferEmpty(Bool(of: a))
    case 14: self = .isPlaybackBufferFull(Bool(of: a))
    case 15: self = .isPlaybackLikelyToKeepUp(Bool(of: a))
    case 16: self = .itemStatus(ItemStatus(of: a))
    case 17: self = .rate(PlaybackRate(of: a))
    case 18: self = .reasonForWaitingToPlay(WaitingReason?(of: a))
    case 19: self = .timeControlStatus(TimeControlStatus(of: a))
    case 20: self = .timebaseRate(PlaybackRate(of: a), currentTime: MediaTime(of: b))
    case 22: self = .exception(PlaybackException(of: a))
    case 23: self = .ruleAnswer(isLikelyToKeepUp: Bool(of: a))
    case 24: self = .rateDidChange(RateChangeReason?(of: a))
    case 25: self = .timeJumped(MediaTime(of: a))
    case 26: self = .playbackStalled
    case 27: self = .didPlayToEndTime
    case 28: self = .failedToPlayToEndTime
    case 29: self = .newAccessLogEntry
    case 30: self = .seek(number: Int(of: a), to: MediaTime(of: b))
    case 31:
      self = .seekDidComplete(
        number: Int(of: a), isFinished: Bool(of: b & 1), isInBuffer: Bool(of: b >> 1))
    case 32: self = .prerollDidComplete(isFinished: Bool(of: a))
    case 33:
      self = .mediaRequestFailed(
        transfer: of, failure: TransferFailure(of: a), bytes: ByteCount(of: b))
    case 34:
      self = .transferPhase(transfer: Int(of: a), TransferPhase(of: code >> 8), TimeSpan(of: b))
    case 50:
      self = .playlistRequest(
        transfer: of, list: Int32?(of: a), size: ByteCount(of: b), item: item)
    case 51:
      self = .contentKeyRequest(transfer: of, key: Int(of: a), size: ByteCount(of: b), item: item)
    case 52:
      let segment = a & 0xFFFF_FFFF
      self = .segmentRequest(
        transfer: of, size: ByteCount(of: b), list: Int32(of: a >> 32),
        segment: segment == 0xFFFF_FFFF ? nil : Int32(of: segment), item: item)
    case 53: self = .valuesLoaded(item: Int(of: a))
    case 54: self = .itemCreated(Int(of: a))
    case 55: self = .variantSwitchStart(from: Int?(of: a), to: Int(of: b), item: item)
    case 56: self = .variantSwitch(from: Int?(of: a), to: Int(of: b), item: item)
    case 57: self = .newErrorLogEntry(transfer: Int(of: a), code: Int32(of: b))
    case 66: self = .segmentDiscarded(transfer: Int(of: a))
    case 70: self = .pipelineBuilt(count: Int(of: a), hasVideo: Bool(of: b))
    case 72: self = .itemInserted(Int(of: a))
    case 73: self = .itemRemoved(Int(of: a))
    case 74: self = .looperStatus(LooperStatus(of: a))
    case 75: self = .loopCount(Int(of: a))
    case 76: self = .notGapless(item: Int(of: b), JoinMismatch(JoinTrait(of: a)))
    case 77: self = .mediaSelection(MediaTrack(of: a), rendition: Int32?(of: b))
    case 78: self = .trackEnabled(MediaTrack(of: a), Bool(of: b))
    case 80:
      self = .videoFrames(
        VideoFrames(
          to: VideoDestination(of: a >> 8), VideoColor?(of: b), ColorTreatment(of: a & 0xFF)))
    case 83: self = .pictureFrozen(Bool(of: a))
    default: self = .setting(WrittenSetting(PlayerSetting(code: code, a)))
    }
  }

  /// What a name in a log stands for: a case, and for some what it tells.
  var kindNumber: UInt64 {
    if case .transferPhase(_, let phase, _) = self { return 34 | phase.word << 8 }
    if case .readingSuspended(_, let isSuspended) = self { return isSuspended ? 10 : 10 | 1 << 8 }
    if case .setting = self { return 21 }
    return words.code & 0xFF
  }

  /// The value that the event announces, as a number; `max` for nil, nil if it announces none.
  ///
  /// A flag is 0 or 1, a word its place, a time its nanoseconds, a playback rate its millionths.
  package var announcement: UInt64? { words.announced }

  /// Whether it is about loading, and so told of enqueued items, too.
  var isOfLoading: Bool {
    switch self {
    case .mediaRequest, .mediaResponse, .mediaRequestCompleted, .mediaRequestCancelled,
      .mediaRequestFailed, .transferPhase, .readingSuspended, .playlistRequest, .contentKeyRequest,
      .segmentRequest, .segmentDiscarded, .variantSwitchStart, .variantSwitch, .newErrorLogEntry:
      true
    case .started, .step, .finished, .linkChanged, .linkRate, .valuesLoaded, .itemCreated,
      .itemInserted, .itemRemoved, .notGapless, .looperStatus, .loopCount, .currentItem,
      .loadedTimeRange, .isPlaybackBufferEmpty, .isPlaybackBufferFull, .isPlaybackLikelyToKeepUp,
      .itemStatus, .rate, .reasonForWaitingToPlay, .timeControlStatus, .timebaseRate, .setting,
      .exception, .pipelineBuilt, .mediaSelection, .trackEnabled, .pictureFrozen, .videoFrames,
      .ruleAnswer, .rateDidChange, .timeJumped, .playbackStalled, .didPlayToEndTime,
      .failedToPlayToEndTime, .newAccessLogEntry, .seek, .seekDidComplete, .prerollDidComplete:
      false
    }
  }
}
