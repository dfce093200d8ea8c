/// What the loop through segments asks of a buffer.
extension ItemBuffer {
  /// The marks of a stream that plays, if they alone tell what holds before its end.
  struct Marks {
    /// The media ahead at which the buffer is full, if it has a limit in time.
    let full: MediaTime?
    let countsData: Bool
    /// The media ahead that lets playback go on.
    let likely: MediaTime
    let endTime: MediaTime

    /// What holds of a buffer into which is read, as behind a segment that has come; nil if it
    /// reaches the end.
    @inline(__always)
    func facts(edge: MediaTime, playhead: MediaTime, fullUntil: MediaTime) -> BufferFacts? {
      if edge >= endTime { return nil }
      var result: BufferFacts = [.opened, .ready, .verdict]
      if countsData {
        if playhead <= fullUntil { result.formUnion(.full) }
      } else if let full, edge >= playhead + full {
        result.formUnion(.full)
      }
      if edge >= min(playhead + likely, endTime) { result.formUnion(.likely) }
      return result
    }
  }

  /// The time of a playhead from which on a rule that asks for media ahead alone says otherwise.
  @inline(__always)
  var unlikelyFrom: MediaTime? {
    guard let ruleResume, facts.contains(.likely), edgeBase < endPosition else { return nil }
    return MediaTime(nanoseconds: streamEdge.nanoseconds - ruleResume.nanoseconds + 1)
  }

  /// The media ahead at which loading goes on, if it is limited in time.
  var resumesAt: MediaTime? { policy.forwardBufferLimit == nil ? nil : policy.resumeMark }

  /// The marks, if the rule knows nothing else.
  @inline(always)
  var marks: Marks? {
    guard isStream, !isLive, hasBegun, ruleRate > .zero else { return nil }
    let likely: MediaTime
    switch policy.rule {
    case .buffered(_, let resume): likely = resume
    // What such a rule has said holds while it plays.
    case .conditions where buffering.isPlaying: likely = .zero
    case .linearToEnd, .conditions, .external: return nil
    }
    return Marks(
      full: policy.forwardBufferLimit, countsData: countsData,
      likely: likely, endTime: endTime)
  }
}

/// What the loop over changes of the rate asks of a buffer, in 64-bit numbers.
extension ItemBuffer.Packed {
  /// Returns whether the playhead's way to the edge, the window and the limit leave all to the rule
  /// from an instant until another, with the data that will have flowed by then; nil if not.
  @inline(__always)
  func flowed(from first: Instant, until next: Instant) -> UInt64? {
    let product = meter.rate.multipliedFullWidth(
      by: UInt64(bitPattern: next.nanoseconds &- meter.start.nanoseconds))
    let edge = self.edge &+ product.low
    guard product.high == 0, product.low < 1 << 62, edge < end,
      edge > position(of: clock.timeRoundedUp(at: next)), meter.windowEdge >= next.nanoseconds
    else { return nil }
    if limit == .max { return product.low }
    let (mark, overflow) = clock.time(at: first).addingReportingOverflow(limit)
    return overflow || mark >= duration || edge < position(of: mark) ? product.low : nil
  }

  @inline(__always)
  private func position(of time: Int64) -> UInt64 {
    origin &+ density &* UInt64(bitPattern: time)
  }

  /// The media that is left, in the parts that the clock counts.
  @inline(__always)
  private func left(at instant: Int64) -> UInt64 {
    UInt64(bitPattern: endPlace &- clock.place(at: instant))
  }

  /// What the rule sees at an instant: what the window holds, what is left to play, and by how much
  /// what is given exceeds what is needed.
  ///
  /// Each of the two is a product of less than 2⁶³ and less than 2⁶⁴. What is a time has its factor
  /// in the rule already.
  struct Look: Equatable {
    let received: UInt64
    let open: UInt64
    let left: UInt64
    let balance: Int128

    /// What the rule says.
    @inline(__always)
    var verdict: Bool { received != 0 && balance >= 0 }

    /// About how far the rule is from its turn.
    @inline(__always)
    var margin: Margin { Margin(balance) }
  }

  /// Looks at an instant by which an amount more has flowed.
  @inline(__always)
  func look(at instant: Int64, flowed: UInt64) -> Look {
    let reading = meter.reading(at: instant, flowed: flowed)
    let missing = end &- edge &- flowed
    let (open, left) = (reading.open &* need, left(at: instant) &* have)
    let given = UInt128(reading.received) &* UInt128(left)
    let needed = UInt128(missing) &* UInt128(open)
    return Look(
      received: reading.received, open: open, left: left,
      balance: Int128(truncatingIfNeeded: given &- needed))
  }

  /// Whether the rule says the same for certain from the beginning of the meter's stretch up to an
  /// instant at which it does, by when an amount has flowed: it could turn to and fro.
  ///
  /// Its balance is a parabola (``LinearRule/isSafe(_:from:to:)``), unless the window begins to
  /// slide on the way.
  @inline(__always)
  func keepsVerdict(from first: Look, to last: Look, flowed: UInt64, by instant: Int64) -> Bool {
    if meter.beginsToSlide(by: instant) { return false }
    let distance =
      isLikely ? min(first.balance, last.balance) : 0 &- max(first.balance, last.balance)
    let received =
      first.received > last.received
      ? first.received &- last.received
      : last.received &- first.received
    let curve =
      UInt128(received) &* UInt128(first.left &- last.left)
      &+ UInt128(flowed) &* UInt128(last.open &- first.open)
    return distance > Int128(truncatingIfNeeded: curve >> 2)
  }

  /// The media time up to which playback could go on at an instant.
  func loadedEnd(at instant: Instant) -> MediaTime {
    let flowed = meter.rate &* UInt64(bitPattern: (instant - meter.start).nanoseconds)
    let edge = self.edge &+ flowed
    return MediaTime(nanoseconds: edge <= origin ? 0 : Int64((edge &- origin) / density))
  }

  /// Returns the instant between two looks at which the rule says otherwise than at the first, as
  /// it does at the last.
  func turn(
    after first: Instant, _ before: Margin, notAfter last: Instant, _ behind: Margin
  ) -> Instant {
    func look(in instant: Instant) -> Look {
      let span = UInt64(bitPattern: (instant - meter.start).nanoseconds)
      return self.look(at: instant.nanoseconds, flowed: meter.rate &* span)
    }
    var search = TurnSearch(after: first, notAfter: last)
    if !search.isOver {
      let middle = look(in: search.middle).margin
      search.run(from: search.proposal(before, middle, behind)) {
        look(in: $0).verdict != isLikely
      }
    }
    return search.result
  }
}
