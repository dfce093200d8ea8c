import Autowait

extension LinkPieces {
  /// How far beyond the log a link goes on to change; then its last rate holds.
  private static let beyondMax: Int64 = 120_000_000

  /// Returns the link with what may follow the last byte of the log: it goes on to change as often
  /// as links are taken to, to rates that it had.
  ///
  /// What a session did not see is a guess, and a wide one; to hold the rate of the last response,
  /// which may have been a poor one, would be a guess as well, and a narrow one.
  func continued(beyond log: ModelledLog, _ random: inout RandomStream) -> LinkPieces {
    var link = self
    let last = (log.end + Self.slot - 1) / Self.slot * Self.slot
    var now = max(last, starts[count - 1])
    let end = now + Self.beyondMax
    while link.count < Self.countMax {
      let span = TimeSpan(nanoseconds: Int64(RatePrior.changeSpan) * 1_000)
      let slots = random.nextExponential(mean: span).nanoseconds / (Self.slot * 1_000)
      now += max(1, slots) * Self.slot
      if now >= end { break }
      let instant = Int64(random.next(below: UInt64(max(1, log.end))))
      link.insert(after: link.count - 1, start: now, level: levels[piece(at: instant)])
    }
    return link
  }
}
