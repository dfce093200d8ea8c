extension FluidLink {
  /// Asserts what holds of a link that has come to rest.
  @inline(__always)
  func assertInvariants() {
    assert(
      zip(transfers, transfers.dropFirst()).allSatisfy { $0.number < $1.number },
      "the transfers of a link must ascend")
    assert(
      zip(connections, connections.dropFirst()).allSatisfy { $0.number < $1.number },
      "the connections of a link must ascend")
    assert(
      zip(handovers, handovers.dropFirst()).allSatisfy { $0.end <= $1.end },
      "the gaps of handovers must ascend")
    assert(rate >= .zero, "a link that takes \(-rate.bitsPerSecond) bit/s back")
    // Loops in which nothing is asserted may still cost something in a release build.
    #if DEBUG
    for transfer in transfers {
      assertInvariants(of: transfer)
      let isToldOf = notices.contains { $0.transfer == transfer.number }
      assert(!transfer.isOver || isToldOf, "transfer \(transfer.number) is over, and still here")
    }
    for connection in connections { assertInvariants(of: connection) }
    #endif
  }

  private func assertInvariants(of transfer: FluidTransfer) {
    let number = transfer.number
    assert(transfer.delivered + transfer.leap <= transfer.size, "transfer \(number) has too much")
    assert(transfer.triesLeft >= 0, "transfer \(number) has \(transfer.triesLeft) tries left")
    assert(transfer.isServed || transfer.wire == .none, "transfer \(number) rests, and flows")
    assert(
      transfer.phase != .completed || transfer.delivered == transfer.size,
      "transfer \(number) is over before all has come")
  }

  private func assertInvariants(of connection: FluidConnection) {
    let number = connection.number
    assert(
      connection.servedAtRoundBefore <= connection.servedAtRound
        && connection.servedAtRound <= connection.served,
      "the rounds of connection \(number) are out of order")
    assert(connection.roundsAlike >= 1, "\(connection.roundsAlike) rounds of connection \(number)")
    assert(
      connection.isServed || connection.share == .none, "connection \(number) rests, and sends")
    assert(
      connection.phase != .full || connection.pace == nil,
      "connection \(number) is held back by its pace, and fills the path")
    assert(connection.window.packets > 0, "connection \(number) may send nothing")
    assert(connection.window.threshold > 0, "connection \(number) has no threshold")
  }
}
