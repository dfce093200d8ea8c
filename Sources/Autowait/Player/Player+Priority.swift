/// How players of lower priority leave the network to others.
///
/// The header says that a player of higher priority is preferred, and not how. Assumed: a player
/// asks for no segment, and reads no more of a file, while one of higher priority has a request
/// under way; what it has asked for already goes on.
extension Player {
  /// Whether something is under way for the current item that is being read.
  var isLoading: Bool {
    if source.buffer.isStream { return !source.stream.requests.isEmpty }
    return source.file?.request != nil && !source.buffer.isSuspended && !yields
  }

  /// Begins or ceases to leave the network to others.
  mutating func yield(_ yields: Bool, in moment: inout Moment) {
    assert(self.yields != yields, "player \(index) does already")
    self.yields = yields
    isStirred = true
    guard let request = source.file?.request, !source.buffer.isSuspended else { return }
    suspend(yields, request.transfer, in: &moment)
  }

  /// Stops or resumes the reading of a transfer.
  mutating func suspend(_ suspends: Bool, _ transfer: Int, in moment: inout Moment) {
    let suspended = moment.network.setSuspended(suspends, transfer, at: moment.now)
    assert(suspended.isHeld == suspends, "transfer \(transfer) is read, and ought not to be")
    follow(suspended, at: moment.now)
    moment.record(.readingSuspended(transfer: transfer, isSuspended: suspends))
  }
}
