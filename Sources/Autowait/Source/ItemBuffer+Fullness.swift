/// When a buffer is full before everything is loaded, and when it is not any more.
extension ItemBuffer {
  /// The playheads of a stream at which sizes of data have it suspended.
  ///
  /// They are found again with each segment. Between two of them less and less is ahead.
  struct SizeMarks: Hashable, Sendable {
    /// Up to which playhead the buffer is full; below zero if it is not.
    var fullUntil = Self.never
    /// The playhead at which suspended reading goes on.
    var resumesAt = MediaTime.zero

    /// Before every playhead.
    static let never = MediaTime(nanoseconds: -1)
  }

  /// The media ahead with which the buffer counts as empty: none where no more is to come.
  @inline(__always)
  var starvesBelow: MediaTime { isGivenUp ? .zero : policy.starvesBelow }

  /// Whether the clock may run though the picture starves.
  var playsWithoutPicture: Bool {
    policy.pictureGrace > .zero && buffering.isPlaying && ruleRate > .zero
  }

  /// How much media passes then at most.
  var mediaWithoutPicture: MediaTime { ruleRate.media(in: policy.pictureGrace) }

  /// Whether so much is loaded ahead that reading is suspended, or stays so.
  @inline(always)
  func isFull(_ edge: DataAmount, _ playhead: Playhead) -> Bool {
    countsData ? isFullOfData(edge, playhead) : isFullOfMedia(edge, playhead)
  }

  /// The same for a player that counts media.
  @inline(always)
  func isFullOfMedia(_ edge: DataAmount, _ playhead: Playhead) -> Bool {
    guard let limit = policy.forwardBufferLimit else { return false }
    return isHeld(edge, playhead)
      ? edge > position(ahead: policy.resumeMark, of: playhead)
      : edge >= position(ahead: limit, of: playhead, roundedUp: true)
  }

  /// Whether the buffer counts as full: enough is ahead, or there is nothing to ask for.
  @inline(always)
  func readsNoFurther(isFull: Bool) -> Bool { isFull || remaining.isIdle || isGivenUp }

  /// Returns the position of some media ahead of a playhead: streams are loaded up to whole
  /// nanoseconds.
  @inline(__always)
  func position(
    ahead lead: MediaTime, of playhead: Playhead, roundedUp: Bool = false
  ) -> DataAmount {
    isStream
      ? map.position(of: playhead.time + lead)
      : map.position(ahead: lead, of: playhead, roundedUp: roundedUp)
  }

  /// Whether reading is suspended until less is ahead than what suspended it.
  ///
  /// Who starves reads on before that: no playhead would ever come to the mark.
  @inline(always)
  private func isHeld(_ edge: DataAmount, _ playhead: Playhead) -> Bool {
    isSuspended && edge > position(ahead: policy.starvesBelow, of: playhead)
  }

  /// The same for a player that counts data.
  @inline(always)
  func isFullOfData(_ edge: DataAmount, _ playhead: Playhead) -> Bool {
    let isHeld = isHeld(edge, playhead)
    if isStream {
      return isHeld
        ? playhead.time < sizeMarks.resumesAt : playhead.time <= sizeMarks.fullUntil
    }
    guard let sizes = policy.forwardBufferSizes else { return false }
    let map = map  // or the functions below would hold a copy of the buffer
    let consumed = map.position(ahead: .zero, of: playhead)
    let ahead = edge > consumed ? edge - consumed : .zero
    @inline(always)
    func reaches(_ size: ByteCount) -> Bool {
      let mark = DataAmount(size)
      return isHeld ? ahead > sizes.resume(below: mark) : ahead >= mark
    }
    @inline(always)
    func reaches(_ limit: MediaTime, goingOnAt resume: MediaTime) -> Bool {
      isHeld
        ? edge > map.position(ahead: resume, of: playhead)
        : edge >= map.position(ahead: limit, of: playhead, roundedUp: true)
    }
    if let most = sizes.sizeMax, reaches(most) { return true }
    if let beyond = sizes.sizeBeyond, let limit = policy.forwardBufferLimit {
      let slack = min(sizes.slack ?? ByteCount(bytes: beyond.bytes / 4), beyond)
      let least = isHeld ? ByteCount(bytes: beyond.bytes - slack.bytes) : beyond
      let mark = map.position(ahead: limit, of: playhead, roundedUp: !isHeld) + DataAmount(least)
      return isHeld ? edge > mark : edge >= mark
    }
    if let limit = policy.forwardBufferLimit, reaches(limit, goingOnAt: policy.resumeMark),
      sizes.sizeMin.map({ reaches($0) }) ?? true
    {
      return true
    }
    return sizes.limitMax.map { reaches($0, goingOnAt: policy.resumeMark(below: $0)) } ?? false
  }
}

extension KeepUpPolicy {
  /// The media ahead at which reading goes on that a limit above the usual one had suspended: as
  /// far below it as the usual one's is.
  @inline(always)
  func resumeMark(below limit: MediaTime) -> MediaTime {
    let step =
      forwardBufferLimit.map { $0.nanoseconds - resumeMark.nanoseconds } ?? limit.nanoseconds / 4
    return MediaTime(nanoseconds: max(0, limit.nanoseconds - max(1, step)))
  }
}

extension KeepUpPolicy {
  /// Whether so little data ahead suspends nothing, so that there are no marks to be found.
  @inline(__always)
  func readsOn(with ahead: DataAmount) -> Bool {
    guard let sizes = forwardBufferSizes, sizes.haveOnlySizeMax, forwardBufferLimit == nil else {
      return false
    }
    return sizes.sizeMax.map { ahead < DataAmount($0) } ?? false
  }

  /// Returns the playheads at which a stream that is loaded from a time up to an edge is full of
  /// data; what finds the first time from which at most some data lies before the edge is given.
  func sizeMarks(
    from start: MediaTime, to edge: MediaTime, firstTime: (DataAmount) -> MediaTime
  ) -> ItemBuffer.SizeMarks {
    guard let sizes = forwardBufferSizes, start < edge else { return ItemBuffer.SizeMarks() }
    let none = ItemBuffer.SizeMarks.never
    func last(with size: ByteCount) -> MediaTime {
      // With a nanobit less ahead the mark is not reached.
      let first = firstTime(DataAmount(nanobits: DataAmount(size).nanobits - 1))
      return first == start ? none : MediaTime(nanoseconds: first.nanoseconds - 1)
    }
    func resume(_ size: ByteCount) -> MediaTime { firstTime(sizes.resume(below: DataAmount(size))) }
    var marks = ItemBuffer.SizeMarks(fullUntil: none, resumesAt: none)
    func add(_ full: MediaTime, _ resume: MediaTime) {
      marks.fullUntil = max(marks.fullUntil, full)
      marks.resumesAt = max(marks.resumesAt, resume)
    }
    if let most = sizes.sizeMax {
      if let least = sizes.limitMin {
        let goesOn = MediaTime(nanoseconds: least.nanoseconds / 4 * 3)
        add(min(edge - least, last(with: most)), min(edge - goesOn, resume(most)))
      } else {
        add(last(with: most), resume(most))
      }
    }
    if let limit = forwardBufferLimit {
      let (full, goesOn) = (edge - limit, edge - resumeMark)
      if let least = sizes.sizeMin {
        add(min(full, last(with: least)), min(goesOn, resume(least)))
      } else {
        add(full, goesOn)
      }
    }
    if let limit = sizes.limitMax { add(edge - limit, edge - resumeMark(below: limit)) }
    return marks
  }
}
