/// The records of a run, in order; where they are many they are packed.
///
/// A record takes 48 bytes, and one of a run of millions 7 to 20: what is near the one before it,
/// such as its instant and its cause, is kept as the difference. Records are packed a thousand at
/// a time, and unpacked as they are read, one after another.
package struct EventRecords: Sequence, Hashable, Sendable {
  /// As many records are packed together; fewer stay as they are.
  fileprivate static let blockCount = 1_024

  /// The first records, packed.
  private var blocks: [PackedRecords] = []
  /// The latest ones.
  private var recent: [EventRecord] = []

  /// Creates an empty log.
  package init() {}

  /// Creates a log of some records.
  package init(_ records: some Sequence<EventRecord>) {
    for record in records { append(record) }
  }

  /// Adds a record.
  package mutating func append(_ record: EventRecord) {
    recent.append(record)
    if recent.count == Self.blockCount { pack() }
  }

  /// The last record, if it is not packed.
  var latest: EventRecord? { recent.last }

  private mutating func pack() {
    assert(recent.count == Self.blockCount, "\(recent.count) records are packed together")
    blocks.append(PackedRecords(recent))
    recent.removeAll(keepingCapacity: true)
  }

  /// The number of records.
  package var count: Int { blocks.count * Self.blockCount + recent.count }

  /// Whether there are no records.
  package var isEmpty: Bool { recent.isEmpty && blocks.isEmpty }

  /// The first record.
  package var first: EventRecord? { first { _ in true } }

  /// The last record.
  package var last: EventRecord? { last { _ in true } }

  /// Returns the last record for which something holds, looked for from the end.
  package func last(where holds: (EventRecord) -> Bool) -> EventRecord? {
    if let found = recent.last(where: holds) { return found }
    for block in blocks.reversed() {
      if let found = block.records.last(where: holds) { return found }
    }
    return nil
  }

  /// Calls a function with each record from a place on, which was the number of records once.
  package func forEach(from first: Int, _ body: (EventRecord) -> Void) {
    precondition(first >= 0 && first <= count, "there is no record \(first) of \(count)")
    let packedCount = blocks.count * Self.blockCount
    for number in Swift.min(first / Self.blockCount, blocks.count)..<blocks.count {
      let skipped = Swift.max(0, first - number * Self.blockCount)
      for record in blocks[number].records.dropFirst(skipped) { body(record) }
    }
    for record in recent.dropFirst(Swift.max(0, first - packedCount)) { body(record) }
  }

  /// Returns an iterator, which unpacks the records as they are asked for.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// About as many records as there are.
  package var underestimatedCount: Int { count }

  /// Unpacks records one after another.
  package struct Iterator: IteratorProtocol {
    private let all: EventRecords
    private var current: [EventRecord] = []
    private var place = 0
    private var nextBlock = 0

    fileprivate init(_ all: EventRecords) { self.all = all }

    /// Returns the next record.
    package mutating func next() -> EventRecord? {
      if place == current.count, !advance() { return nil }
      place += 1
      return current[place - 1]
    }

    /// Moves on to the records that are packed next, or are not packed.
    private mutating func advance() -> Bool {
      if nextBlock > all.blocks.count { return false }
      place = 0
      current =
        nextBlock < all.blocks.count ? all.blocks[nextBlock].records : all.recent
      nextBlock += 1
      return !current.isEmpty
    }
  }
}

extension EventRecords: ExpressibleByArrayLiteral {
  /// Creates a log of some records.
  package init(arrayLiteral records: EventRecord...) { self.init(records) }
}

/// Some records as bytes: of each what it is about, and how it differs from the one before it.
private struct PackedRecords: Hashable, Sendable {
  private let bytes: [UInt8]

  /// What a record has that most have not, as bits.
  private enum Part {
    static let player: UInt8 = 1
    static let number: UInt8 = 2
    static let a: UInt8 = 4
    static let b: UInt8 = 8
  }

  init(_ records: [EventRecord]) {
    var writer = VariableLength()
    var (instant, number): (UInt64, UInt64) = (0, 0)
    for record in records {
      let words = record.event.words
      let own = UInt64(truncatingIfNeeded: record.number)
      let parts =
        (record.player == nil ? 0 : Part.player) | (own == number &+ 1 ? 0 : Part.number)
        | (words.a == 0 ? 0 : Part.a) | (words.b == 0 ? 0 : Part.b)
      writer.append(byte: parts)
      let now = UInt64(bitPattern: record.instant.nanoseconds)
      writer.append(now &- instant)
      writer.append(words.code)
      if own != number &+ 1 { writer.append(own) }
      writer.append(own &- UInt64(truncatingIfNeeded: record.cause))
      if let player = record.player { writer.append(UInt64(player)) }
      if words.a != 0 { writer.append(words.a) }
      if words.b != 0 { writer.append(words.b) }
      (instant, number) = (now, own)
    }
    bytes = writer.exactBytes
    assert(self.records == records, "packed records are not those that were packed")
  }

  /// The records.
  var records: [EventRecord] {
    var records: [EventRecord] = []
    records.reserveCapacity(EventRecords.blockCount)
    var reader = VariableLength(bytes: bytes)
    var (instant, number): (UInt64, UInt64) = (0, 0)
    while !reader.isAtEnd {
      let parts = reader.nextByte()
      instant &+= reader.next()
      let code = reader.next()
      number = parts & Part.number == 0 ? number &+ 1 : reader.next()
      let cause = number &- reader.next()
      let player = parts & Part.player == 0 ? nil : Int(reader.next())
      let a = parts & Part.a == 0 ? 0 : reader.next()
      let b = parts & Part.b == 0 ? 0 : reader.next()
      records.append(
        EventRecord(
          instant: Instant(nanoseconds: Int64(bitPattern: instant)), number: Int(number),
          cause: Int(truncatingIfNeeded: cause), player: player,
          event: Event(code: code, a, b)))
    }
    return records
  }
}
