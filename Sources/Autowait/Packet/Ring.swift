/// A queue in a ring of slots whose elements keep the numbers under which they came in.
///
/// The ring grows by doubling and keeps its storage, so that a steady flow allocates nothing, and
/// its size follows what is under way and not what has passed.
struct Ring<Element: Sendable>: Sendable {
  /// The number of the first element.
  private(set) var first = 0
  /// The number that the next element will get.
  private(set) var end = 0
  private var slots: [Element]
  private var mask: Int
  private let filler: Element

  /// Creates an empty ring; the filler stands in slots that hold nothing.
  init(filler: Element, capacity: Int = 16) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring has 2ⁿ slots")
    slots = Array(repeating: filler, count: capacity)
    mask = capacity - 1
    self.filler = filler
  }

  /// The number of elements.
  @inline(__always)
  var count: Int { end &- first }

  /// Whether there is none.
  @inline(__always)
  var isEmpty: Bool { end == first }

  /// The element of a number.
  @inline(__always)
  subscript(number: Int) -> Element {
    get {
      assert(number < end, "element \(number) of a ring that ends before \(end)")
      return slots[number & mask]
    }
    set { slots[number & mask] = newValue }
    _modify { yield &slots[number & mask] }
  }

  /// Adds an element at the end.
  @inline(__always)
  mutating func append(_ element: Element) {
    if count > mask { grow() }
    slots[end & mask] = element
    end &+= 1
  }

  /// Adds an element before the one of a number, and moves the rest.
  mutating func insert(_ element: Element, at number: Int) {
    assert(first...end ~= number, "element \(number) is not between \(first) and \(end)")
    append(element)
    var place = end - 1
    while place > number {
      self[place] = self[place - 1]
      place -= 1
    }
    self[number] = element
  }

  /// Takes the first element away.
  @inline(__always)
  mutating func removeFirst() -> Element {
    precondition(end > first, "nothing waits in the ring")
    let element = slots[first & mask]
    first &+= 1
    return element
  }

  /// Drops the first element.
  @inline(__always)
  mutating func dropFirst() {
    assert(end > first, "nothing waits in the ring")
    first &+= 1
  }

  /// Takes all elements away.
  mutating func removeAll() {
    first = end
  }

  /// Gives the storage back; what was in it is lost.
  mutating func release() {
    first = end
    slots = [filler]
    mask = 0
  }

  private mutating func grow() {
    let capacity = slots.count * 2
    var wider = Array(repeating: filler, count: capacity)
    for number in first..<end {
      wider[number & (capacity - 1)] = slots[number & mask]
    }
    slots = wider
    mask = capacity - 1
  }
}
