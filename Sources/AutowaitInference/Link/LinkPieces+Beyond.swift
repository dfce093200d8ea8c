import Autowait

extension LinkPieces {
  /// How far beyond the log a link goes on to change; then its last rate holds.
  private static let beyondMax: Int64 = 120_000_000

  /// Returns the link with what may follow the last byte of the log: it goes on to change, as often
  /// as it did and as links are taken to, to pieces that it had, each for as long as that lasted.
  ///
  /// What a session did not see is a guess, and a wide one; to hold the rate of the last response,
  /// which may have been a poor one, would be a guess as well, and a narrow one. A piece comes
  /// whole: a short dip is no more than a short dip the next time.
  /// Rates that it never had count as one piece more, or else a link that was seen to have one rate
  /// could have no other (Pólya's urn).
  func continued(
    beyond log: ModelledLog, _ prior: RatePrior, _ random: inout RandomStream
  ) -> LinkPieces {
    var link = self
    let last = (log.end + Self.slot - 1) / Self.slot * Self.slot
    var now = max(last, starts[count - 1])
    let end = now + Self.beyondMax
    // What is expected of links counts as one change in its mean time (Gamma's prior of shape one).
    let mean = (Int64(RatePrior.changeSpan) + now) / Int64(count)
    // The first piece and the last may have begun earlier and gone on.
    now += Self.span(mean, &random)
    while now < end, link.count < Self.countMax {
      let piece = Int(random.next(below: UInt64(count + 1)))
      if piece == count {
        link.insert(after: link.count - 1, start: now, level: prior.draw(&random))
        now += Self.span(mean, &random)
        continue
      }
      link.insert(after: link.count - 1, start: now, level: levels[piece])
      now += (piece + 1 < count ? starts[piece + 1] : last) - starts[piece]
      if piece == 0 || piece == count - 1 { now += Self.span(mean, &random) }
    }
    return link
  }

  /// Draws a time with a mean, in whole slots.
  private static func span(_ mean: Int64, _ random: inout RandomStream) -> Int64 {
    let span = random.nextExponential(mean: TimeSpan(nanoseconds: mean * 1_000))
    return max(1, span.nanoseconds / (slot * 1_000)) * slot
  }
}
