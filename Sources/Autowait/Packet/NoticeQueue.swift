/// What came of transfers and was not told yet, in the order in which it came.
struct NoticeQueue: Sendable {
  private var notices: [TransferNotice] = []
  private var taken = 0

  /// Whether there is something to tell.
  @inline(__always)
  var hasNext: Bool { notices.count > taken }

  @inline(__always)
  mutating func append(_ notice: TransferNotice) { notices.append(notice) }

  /// Takes the first notice that was not taken.
  mutating func popFirst() -> TransferNotice? {
    if !hasNext { return nil }
    taken += 1
    let notice = notices[taken - 1]
    if !hasNext { removeAll() }
    return notice
  }

  /// Forgets all that would be told.
  mutating func removeAll() {
    notices.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// Forgets what would be told of a transfer that was given up.
  mutating func forget(_ transfer: Int) {
    notices.removeSubrange(..<taken)
    taken = 0
    notices.removeAll { $0.transfer == transfer }
  }
}
