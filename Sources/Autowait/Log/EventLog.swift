/// One event of a run, with its place in time and in the chain of causes.
///
/// It is packed into 48 bytes: a log of a thousand records then stays below the size from which
/// memory comes in fresh pages, whose faults cost more than the records (measured).
public struct EventRecord: Hashable, Sendable {
  /// What happened.
  public let event: Event
  private let playerNumber: Int16
  private let recordNumber: UInt32
  private let causeNumber: UInt32
  /// When it happened.
  public let instant: Instant

  /// Creates a record.
  package init(instant: Instant, number: Int, cause: Int, player: Int?, event: Event) {
    self.event = event
    assert(cause < number, "record \(number) has the later record \(cause) as its cause")
    playerNumber = Int16(player ?? -1)
    recordNumber = UInt32(number)
    causeNumber = UInt32(cause)
    self.instant = instant
  }

  /// Its number, counted from 1.
  public var number: Int { Int(recordNumber) }

  /// The number of the event that led to it; 0 for the first.
  public var cause: Int { Int(causeNumber) }

  /// The player that it belongs to; nil for the link, the script and the world.
  public var player: Int? { playerNumber < 0 ? nil : Int(playerNumber) }
}

/// What happened in a run, in order: always its fingerprint, and the records if they are kept.
package struct EventLog: Sendable {
  /// The digest of all records so far, kept or not.
  public private(set) var fingerprint = Fingerprint()
  /// The number of records so far, kept or not.
  public private(set) var count = 0
  /// The records, if they are kept.
  public private(set) var records = EventRecords()
  /// Whether the records are kept.
  public let keepsRecords: Bool
  /// Whether they are, or somebody waits for events.
  private var isRead: Bool
  /// The events that somebody waits for, each with a number of its own.
  private var watches: [(filter: EventFilter, number: Int)] = []
  /// The ones that were met since they were last taken.
  private var sightings: [Sighting] = []

  /// A record that somebody has waited for.
  struct Sighting: Sendable {
    /// The number of the watch.
    let watch: Int
    /// The number of the record, and when it was made.
    let record: Int
    let instant: Instant
    /// The player whose event it is; nil for one of the link.
    let player: Int?
  }

  /// Creates an empty log.
  init(keepsRecords: Bool) {
    self.keepsRecords = keepsRecords
    isRead = keepsRecords
  }

  /// Records an event and returns its number.
  ///
  /// Where the case is known, which is nearly everywhere, no event is made but for those who read
  /// it.
  @inline(always)
  @discardableResult
  mutating func record(
    _ event: Event, at instant: Instant, cause: Int, player: Int? = nil, isInLoop: Bool = false
  ) -> Int {
    assert(0...count ~= cause, "record \(count + 1) is caused by record \(cause)")
    assert(player.map { $0 < Limits.playersMax } ?? true, "a record of player \(player ?? -1)")
    let words = event.words
    assert(words.code < 1 << 54, "a record's code reaches into its player")
    let owner = UInt64(player.map { $0 + 1 } ?? 0)
    let code = words.code | owner << 54
    if player == nil || isInLoop {
      mix(code, words.a, words.b, at: instant, cause: cause)
    } else {
      mixApart(code, words.a, words.b, at: instant, cause: cause)
    }
    if isRead { read(event, at: instant, cause: cause, player: player) }
    return count
  }

  /// Counts a record, and mixes it into the fingerprint.
  @inline(__always)
  private mutating func mix(
    _ code: UInt64, _ a: UInt64, _ b: UInt64, at instant: Instant, cause: Int
  ) {
    count += 1
    assert(UInt64(count) < 1 << 32, "the number \(count) of a record needs more than 32 bits")
    let place = (UInt64(count) | UInt64(cause) << 32) &* 0x9E37_79B9_7F4A_7C15
    fingerprint.mix(UInt64(bitPattern: instant.nanoseconds) &+ place, code, a, b)
  }

  /// Does the same for a record of a player, of which many are made in many places; those of the
  /// link, and some others, are made in loops.
  @inline(never)
  private mutating func mixApart(
    _ code: UInt64, _ a: UInt64, _ b: UInt64, at instant: Instant, cause: Int
  ) {
    mix(code, a, b, at: instant, cause: cause)
  }

  /// Hands the latest record to those who read it; apart from where it is made, which is
  /// everywhere.
  @inline(never)
  private mutating func read(_ event: Event, at instant: Instant, cause: Int, player: Int?) {
    if keepsRecords { keep(event, at: instant, cause: cause, player: player) }
    if !watches.isEmpty { look(at: event, instant, player: player) }
  }

  /// Looks out for events from here on.
  mutating func watch(_ filter: EventFilter, as number: Int) {
    watches.append((filter, number))
    isRead = true
  }

  /// Takes note of who has waited for the latest record.
  private mutating func look(at event: Event, _ instant: Instant, player: Int?) {
    for watch in watches where watch.filter.includes(event, of: player) {
      sightings.append(
        Sighting(watch: watch.number, record: count, instant: instant, player: player))
    }
  }

  /// Removes and returns what was met.
  mutating func takeSightings() -> [Sighting] {
    if sightings.isEmpty { return [] }
    assert(sightings.allSatisfy { 1...count ~= $0.record }, "a record that was never made")
    defer { sightings = [] }
    return sightings
  }

  /// Keeps the latest record.
  private mutating func keep(_ event: Event, at instant: Instant, cause: Int, player: Int?) {
    assert(
      records.latest.map { $0.instant <= instant } ?? true,
      "record \(count) at \(instant.nanoseconds) ns is before the one that came first")
    records.append(
      EventRecord(instant: instant, number: count, cause: cause, player: player, event: event))
  }

  /// Removes and returns the records kept so far, so that a driver may write them as they come.
  public mutating func takeRecords() -> EventRecords {
    let taken = records
    records = EventRecords()
    return taken
  }
}
