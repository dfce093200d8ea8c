/// The stretches that have ended since a loop over changes of the rate began, and that the window
/// still holds: behind those of the history, and apart from it so that none is written out that
/// comes and goes in the loop.
struct EndedStretches {
  /// A stretch in which a single flow had the link to itself.
  struct Stretch {
    let received: UInt64
    let open: Int64
    let rate: UInt64
  }

  /// How many there may be, which is a power of two.
  private static var room: Int { 32 }

  private var stretches = InlineArray<32, Stretch>(
    repeating: Stretch(received: 0, open: 0, rate: 0))
  /// The places of the first and of the one behind the last, modulo the room.
  private var (start, end) = (0, 0)

  @inline(__always)
  private static func place(_ number: Int) -> Int { number & (room - 1) }

  @inline(__always)
  var isEmpty: Bool { start == end }

  @inline(__always)
  var isFull: Bool { end &- start == Self.room }

  @inline(__always)
  var first: Stretch { stretches[Self.place(start)] }

  @inline(__always)
  mutating func append(_ stretch: Stretch) {
    assert(!isFull, "a stretch takes the place of another")
    stretches[Self.place(end)] = stretch
    end &+= 1
  }

  @inline(__always)
  mutating func removeFirst() -> Stretch {
    assert(!isEmpty, "there is no stretch")
    defer { start &+= 1 }
    return first
  }

  /// Writes all of them out.
  @inline(never)
  mutating func move(into history: inout FillHistory) {
    while !isEmpty {
      let stretch = removeFirst()
      history.append(.single(stretch.rate, received: stretch.received, open: stretch.open))
    }
  }
}

extension EndedStretches.Stretch {
  @inline(__always)
  init(_ stretch: FillMeter.FillStretch) {
    assert(stretch.share.flows == 1, "\(stretch.share.flows) flows shared a stretch")
    received = UInt64(truncatingIfNeeded: stretch.received.nanobits)
    open = stretch.open.nanoseconds
    rate = UInt64(bitPattern: stretch.share.rate.bitsPerSecond)
  }
}
