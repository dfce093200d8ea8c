/// The stretches between the one in which a meter's window begins and the one that lasts.
///
/// There are hundreds of them on any network that there is. Of a link that changes with every
/// nanosecond there are millions: those in the middle are packed then.
struct FillHistory: Sendable {
  /// The most stretches that are at hand, and the number that is packed together.
  private static let blockCount = 16_384

  /// The first stretches, of which those before a place have been removed; where others follow
  /// them there is always one.
  private var stretches: [FillMeter.FillStretch] = []
  private var start = 0
  /// What follows them if they are many; in an array of one for the history to be small.
  private var behind: [Behind] = []
  /// How many of the first there may be: none before there are any, and none with others behind.
  private var roomMax = 0

  /// The stretches behind the first: some packed, then the latest.
  private struct Behind: Sendable {
    var blocks: [PackedStretches] = []
    var latest: [FillMeter.FillStretch] = []
  }

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
    if behind.isEmpty { behind = [Behind()] }
    roomMax = 0
    behind[0].latest.append(stretch)
    if behind[0].latest.count == Self.blockCount {
      behind[0].blocks.append(PackedStretches(behind[0].latest))
      behind[0].latest.removeAll(keepingCapacity: true)
    }
  }

  /// Returns the last stretch that began when a request had been open for so long or less, and the
  /// one behind it; there is one.
  func stretch(at open: TimeSpan) -> (FillMeter.FillStretch, next: FillMeter.FillStretch?) {
    assert(!isEmpty && first.open <= open, "the window has not left its first stretch")
    var (low, high) = (start + 1, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].open > open { high = middle } else { low = middle + 1 }
    }
    if low < stretches.count { return (stretches[low - 1], stretches[low]) }
    var found = stretches[low - 1]
    for behind in behind {
      for block in behind.blocks {
        for stretch in block.stretches {
          if stretch.open > open { return (found, stretch) }
          found = stretch
        }
      }
      for stretch in behind.latest {
        if stretch.open > open { return (found, stretch) }
        found = stretch
      }
    }
    return (found, nil)
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
      // Before the last ones go, this place is passed with some of them left.
      if stretches.count < 64, !behind.isEmpty { refill() }
    }
    return first
  }

  /// Takes what follows at hand.
  @inline(never)
  private mutating func refill() {
    if behind[0].blocks.isEmpty {
      stretches += behind[0].latest
      behind = []
      roomMax = Self.blockCount
    } else {
      stretches += behind[0].blocks.removeFirst().stretches
    }
  }

  /// Removes all stretches.
  mutating func removeAll() {
    stretches.removeAll(keepingCapacity: true)
    start = 0
    behind = []
    roomMax = Self.blockCount
  }
}

/// Some stretches as bytes: how each differs from the one before it.
private struct PackedStretches: Sendable {
  private let bytes: [UInt8]

  /// What a stretch has that most have not, as bits.
  private enum Part {
    static let longReceived: UInt8 = 1
    static let sharedFlow: UInt8 = 2
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
        byte: (high == 0 ? 0 : Part.longReceived) | (isShared ? Part.sharedFlow : 0))
      writer.append(UInt64(truncatingIfNeeded: more))
      if high != 0 { writer.append(high) }
      writer.append(UInt64(bitPattern: stretch.open.nanoseconds &- open))
      writer.append(UInt64(bitPattern: share.rate.bitsPerSecond))
      if isShared {
        writer.append(UInt64(share.flows))
        writer.append(UInt64(share.place))
      }
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
      stretches.append(
        FillMeter.FillStretch(
          received: DataAmount(nanobits: received), open: TimeSpan(nanoseconds: open),
          share: FlowShare(rate: rate, flows: flows, place: place)))
    }
    return stretches
  }
}
