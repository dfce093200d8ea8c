extension Sender {
  /// Asserts what holds of a sender between two calls.
  @inline(__always)
  func assertInvariants() {
    let count = segments.count
    assert(0...count ~= received, "\(received) of \(count) segments came ahead of a missing one")
    assert(0...count ~= lost, "\(lost) of \(count) segments are lost")
    assert(received + lost <= count, "a segment is lost that was received")
    assert(0...lost ~= waiting, "\(waiting) segments wait for a copy, and \(lost) are lost")
    assert(0...count ~= copies, "\(copies) copies of \(count) segments are under way")
    assert(inFlight >= 0, "\(inFlight) packets are under way")
    assert((alarm == .none) == (alarmAt == .never), "a timer without an instant, or for nothing")
    assert(sentBytes <= windowEdge, "\(sentBytes) bytes were sent, and \(windowEdge) allowed")
    assert(window.size > 0, "a window of \(window.size) packets")
    assert(0...Sender.timeoutsMax + 1 ~= timeouts, "\(timeouts) timeouts in a row")
    assert(0...Sender.timeoutsMax + 1 ~= backoff, "the timeout was doubled \(backoff) times")
    assert(losses.judged <= next, "segment \(losses.judged) is judged, and \(next) is the next")
    assert(recoveryPoint <= next, "a recovery until segment \(recoveryPoint), before \(next)")
    assert((probePoint ?? 0) <= next, "a probe of segment \(probePoint ?? 0), before \(next)")
    assert(
      runs.allSatisfy { acknowledged <= $0.start && $0.start < $0.end && $0.end <= next },
      "a run of segments is not between \(acknowledged) and \(next)")
  }
}
