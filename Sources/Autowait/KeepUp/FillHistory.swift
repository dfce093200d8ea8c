/// The stretches between the one in which a meter's window begins and the one that lasts.
///
/// There are hundreds of them on any network that there is. Of a link that changes with every
/// nanosecond there are millions: those in the middle are packed then. In a crowd there are
/// thousands for each player: those that a log of the link tells are not written out.
struct FillHistory: Sendable {
  /// The most stretches that are at hand, and the number that is packed together.
  private static let blockCount = 16_384

  /// The first stretches, of which those before a place have been removed; where others follow
  /// them there is always one.
  private var stretches: [FillMeter.FillStretch] = []
  private var start = 0
  /// What follows them if they are many; in an array of one for the history to be small.
  private var behind: [StretchGroups] = []
  /// How many of the first there may be: none before there are any, and none with others behind.
  private var roomMax = 0
  /// The place behind the stretch that was last looked for.
  private var found = 0

  /// Whether there are none.
  @inline(__always)
  var isEmpty: Bool { start == stretches.count }

  /// The first of them.
  @inline(__always)
  var first: FillMeter.FillStretch { stretches[start] }

  /// Adds a stretch behind all others.
  @inline(__always)
  mutating func append(_ stretch: FillMeter.FillStretch) {
    if stretches.count >= roomMax { return appendBeyond(stretch) }
    stretches.append(stretch)
  }

  /// Adds a stretch where there is no room for it as yet.
  @inline(never)
  private mutating func appendBeyond(_ stretch: FillMeter.FillStretch) {
    if behind.isEmpty, stretches.count < Self.blockCount {
      if stretches.capacity == 0 { stretches.reserveCapacity(48) }
      roomMax = Self.blockCount
      stretches.append(stretch)
      return
    }
    makeGroups()
    behind[0].append(stretch, packedAt: Self.blockCount)
  }

  /// Adds what a block of a link's log tells behind all others; most often the last stretches go
  /// on.
  mutating func append(
    _ block: borrowing FlowBlock, _ steps: Range<Int>, _ flow: FlowPlace,
    first: FillMeter.FillStretch
  ) {
    if !behind.isEmpty, behind[0].extend(block, steps, of: flow.number) { return }
    append(FollowedRun(copy block, steps, flow, first: first))
  }

  private mutating func append(_ run: FollowedRun) {
    if isEmpty {
      for stretch in run.stretches { append(stretch) }
    } else {
      makeGroups()
      behind[0].append(run)
    }
  }

  private mutating func makeGroups() {
    if behind.isEmpty { behind = [StretchGroups()] }
    roomMax = 0
  }

  /// Returns the last stretch that began when a request had been open for so long or less, and the
  /// one behind it; there is one.
  mutating func stretch(
    at open: TimeSpan
  ) -> (FillMeter.FillStretch, next: FillMeter.FillStretch?) {
    assert(!isEmpty && first.open <= open, "the window has not left its first stretch")
    let place = (start + 1..<stretches.count).firstPlace(near: found) { stretches[$0].open > open }
    found = place
    if place < stretches.count { return (stretches[place - 1], stretches[place]) }
    if behind.isEmpty { return (stretches[place - 1], nil) }
    return behind[0].stretch(at: open, after: stretches[place - 1])
  }

  /// Removes and returns the first stretch.
  ///
  /// What was removed is cleared away in bulk, so that the price per stretch stays constant.
  @inline(__always)
  mutating func removeFirst() -> FillMeter.FillStretch {
    let first = stretches[start]
    start += 1
    if start >= 32, start * 2 > stretches.count {
      stretches.removeFirst(start)
      start = 0
    }
    if roomMax == 0, isEmpty, !behind.isEmpty { refill() }
    return first
  }

  /// Removes what another group follows that began when a request had been open for so long or
  /// less.
  @inline(__always)
  mutating func skip(to open: TimeSpan) {
    if roomMax == 0 { skipGroups(to: open) }
  }

  @inline(never)
  private mutating func skipGroups(to open: TimeSpan) {
    guard !behind.isEmpty, behind[0].skip(to: open) else { return }
    refill()
  }

  /// Takes what follows at hand.
  @inline(never)
  private mutating func refill() {
    stretches.removeAll(keepingCapacity: true)
    start = 0
    behind[0].takeFirst(into: &stretches)
    if behind[0].isEmpty {
      behind = []
      roomMax = Self.blockCount
    }
    assert(!isEmpty, "nothing is at hand of what follows")
  }

  /// Removes all stretches.
  mutating func removeAll() {
    stretches.removeAll(keepingCapacity: true)
    start = 0
    behind = []
    roomMax = Self.blockCount
  }
}

/// Stretches that are not at hand: packed ones and then the latest, or else those of a log.
private struct StretchGroups: Sendable {
  private var packed: [PackedStretches] = []
  private var latest: [FillMeter.FillStretch] = []

  private var runs: [FollowedRun] = []
  /// How long a request had been open when each of them began.
  private var opens: [TimeSpan] = []
  /// How many of the runs have been removed, and the place behind the one that was last looked for.
  private var (start, found) = (0, 0)
  /// The stretch of a run that was last looked for.
  private var foundInRun = FollowedRun.Found()

  var isEmpty: Bool { packed.isEmpty && latest.isEmpty && start == runs.count }

  mutating func append(_ stretch: FillMeter.FillStretch, packedAt countMax: Int) {
    if start < runs.count { return append(FollowedRun(single: stretch)) }
    latest.append(stretch)
    if latest.count < countMax { return }
    packed.append(PackedStretches(latest))
    latest.removeAll(keepingCapacity: true)
  }

  mutating func append(_ run: FollowedRun) {
    if !packed.isEmpty || !latest.isEmpty {
      latest += run.stretches
      return
    }
    runs.append(run)
    opens.append(run.first.open)
  }

  /// Lets the last run go on; returns whether it does.
  mutating func extend(
    _ block: borrowing FlowBlock, _ steps: Range<Int>, of number: Int
  ) -> Bool {
    start < runs.count && runs[runs.count - 1].takeIn(block, steps, of: number)
  }

  /// The place behind the runs that began when a request had been open for so long or less.
  private mutating func end(upTo open: TimeSpan) -> Int {
    found = (start..<opens.count).firstPlace(near: found) { opens[$0] > open }
    return found
  }

  mutating func stretch(
    at open: TimeSpan, after last: FillMeter.FillStretch
  ) -> (FillMeter.FillStretch, next: FillMeter.FillStretch?) {
    if start < runs.count {
      let end = end(upTo: open)
      let (found, next) =
        end == start ? (last, nil) : runs[end - 1].stretch(at: open, &foundInRun)
      return (found, next ?? (end < runs.count ? runs[end].first : nil))
    }
    var found = last
    for packed in packed {
      for stretch in packed.stretches {
        if stretch.open > open { return (found, stretch) }
        found = stretch
      }
    }
    for stretch in latest {
      if stretch.open > open { return (found, stretch) }
      found = stretch
    }
    return (found, nil)
  }

  /// Removes what lies before the last stretch of a log that began when a request had been open for
  /// so long or less; returns whether there is one, and all at hand lies before it.
  mutating func skip(to open: TimeSpan) -> Bool {
    guard start < runs.count, opens[start] <= open else { return false }
    removeRuns(upTo: end(upTo: open) - 1)
    runs[start].skip(to: open)
    opens[start] = runs[start].first.open
    return true
  }

  private mutating func removeRuns(upTo place: Int) {
    start = place
    if start >= 32, start * 2 > runs.count {
      runs.removeFirst(start)
      opens.removeFirst(start)
      start = 0
    }
  }

  /// Takes the first stretches, or the first one of a log, to others at hand.
  mutating func takeFirst(into stretches: inout [FillMeter.FillStretch]) {
    if start < runs.count {
      stretches.append(runs[start].first)
      if runs[start].count == 1 { return removeRuns(upTo: start + 1) }
      runs[start].removeFirst()
      opens[start] = runs[start].first.open
    } else if packed.isEmpty {
      stretches += latest
      latest = []
    } else {
      stretches += packed.removeFirst().stretches
    }
  }
}

/// Some stretches as bytes: how each differs from the one before it.
private struct PackedStretches: Sendable {
  private let bytes: [UInt8]

  /// What a stretch has that most have not, as bits.
  private enum Part {
    static let longReceived: UInt8 = 1
    static let sharedFlow: UInt8 = 2
    static let wideFlow: UInt8 = 4
  }

  init(_ stretches: [FillMeter.FillStretch]) {
    var writer = VariableLength()
    var (received, open): (UInt128, Int64) = (0, 0)
    for stretch in stretches {
      let more = stretch.received.nanobits &- received
      let share = stretch.share
      let isShared = share.flows != 1 || share.place != 0
      let high = UInt64(truncatingIfNeeded: more >> 64)
      writer.append(
        byte: (high == 0 ? 0 : Part.longReceived) | (isShared ? Part.sharedFlow : 0)
          | (share.width != 1 ? Part.wideFlow : 0))
      writer.append(UInt64(truncatingIfNeeded: more))
      if high != 0 { writer.append(high) }
      writer.append(UInt64(bitPattern: stretch.open.nanoseconds &- open))
      writer.append(UInt64(bitPattern: share.rate.bitsPerSecond))
      if isShared {
        writer.append(UInt64(share.flows))
        writer.append(UInt64(share.place))
      }
      if share.width != 1 { writer.append(UInt64(share.width)) }
      (received, open) = (stretch.received.nanobits, stretch.open.nanoseconds)
    }
    bytes = writer.exactBytes
    assert(self.stretches == stretches, "packed stretches are not those that were packed")
  }

  /// The stretches.
  var stretches: [FillMeter.FillStretch] {
    var reader = VariableLength(bytes: bytes)
    var stretches: [FillMeter.FillStretch] = []
    var (received, open): (UInt128, Int64) = (0, 0)
    while !reader.isAtEnd {
      let parts = reader.nextByte()
      let low = UInt128(reader.next())
      let high = parts & Part.longReceived == 0 ? 0 : UInt128(reader.next())
      received &+= high << 64 | low
      open &+= Int64(bitPattern: reader.next())
      let rate = BitRate(bitsPerSecond: Int64(bitPattern: reader.next()))
      let isShared = parts & Part.sharedFlow != 0
      let flows = isShared ? UInt32(reader.next()) : 1
      let place = isShared ? UInt32(reader.next()) : 0
      let width = parts & Part.wideFlow != 0 ? UInt32(reader.next()) : 1
      stretches.append(
        FillMeter.FillStretch(
          received: DataAmount(nanobits: received), open: TimeSpan(nanoseconds: open),
          share: FlowShare(rate: rate, flows: flows, place: place, width: width)))
    }
    return stretches
  }
}
