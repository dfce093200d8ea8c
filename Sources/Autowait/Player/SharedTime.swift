/// Counts the time in which several items of a queue bring media at once.
///
/// The meter of each item counts such a time, and the player's own account has it once.
struct SharedTime: Hashable, Sendable {
  private var counted = TimeSpan.zero
  /// The items that bring media, and since when it is so many.
  private var itemCount = 0
  private var since = Instant.start

  /// Takes note of how many items bring media from an instant on.
  mutating func note(_ count: Int, at now: Instant) {
    if count == itemCount { return }
    assert(now >= since, "the time that items share goes back")
    counted = time(at: now)
    (itemCount, since) = (count, now)
  }

  /// Returns what the meters of all items together have counted too much by an instant.
  func time(at now: Instant) -> TimeSpan {
    let more = Int64(max(0, itemCount - 1))
    return counted + TimeSpan(nanoseconds: (now - since).nanoseconds * more)
  }
}
