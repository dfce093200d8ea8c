extension FluidLink {
  /// Divides the link again among the connections that have something to send, and each one's part
  /// among its transfers.
  mutating func divide(at now: Instant) {
    share()
    var isSettled = true
    for index in connections.indices {
      if connections[index].phase == .full {
        isSettled = !reopenRound(index, at: now) && isSettled
      } else if connections[index].phase == .burst {
        fill(index, at: now)
      }
    }
    if !isSettled { share() }
  }

  private mutating func share() {
    for index in connections.indices { connections[index].share = .none }
    for index in transfers.indices {
      transfers[index].share = .none
      transfers[index].wire = .none
    }
    if rate == .zero { return }
    var open = connections.indices.filter {
      guard connections[$0].isServed else { return false }
      let rest = outstanding(on: $0)
      return rest > .zero
        && (connections[$0].phase == .full || connections[$0].left > .zero || rest <= slack)
    }
    // Water fills the low vessels first: who sends at less than an equal part has what it sends.
    var left = rate.bitsPerSecond
    while let place = open.firstIndex(where: {
      guard let pace = connections[$0].pace else { return false }
      return pace.bitsPerSecond <= left / Int64(open.count)
    }) {
      let index = open.remove(at: place)
      guard let pace = connections[index].pace else { break }
      left -= pace.bitsPerSecond
      assert(left >= 0, "the senders have \(-left) bit/s more than the link")
      setShare(index, FlowShare(rate: pace, flows: 1, place: 0))
    }
    for (place, index) in open.enumerated() {
      setShare(
        index,
        FlowShare(
          rate: BitRate(bitsPerSecond: left), flows: UInt32(open.count), place: UInt32(place)))
    }
  }

  /// Gives a connection its part, and divides it among its transfers: what was given up and is in
  /// flight goes first, then what has the highest priority.
  private mutating func setShare(_ index: Int, _ share: FlowShare) {
    connections[index].share = share
    connections[index].spacing = share.span(for: packet.size)
    let number = connections[index].number
    var (highest, count) = (Int.min, UInt32(0))
    for transfer in transfers.indices where isServed(transfer, on: number) {
      let rank = rank(of: transfer)
      if rank > highest { (highest, count) = (rank, 0) }
      if rank == highest { count += 1 }
    }
    let (all, piece) = (UInt32(packet.segment + packet.header), packet.payload)
    let flows = share.flows * count
    var place = share.place * count
    for transfer in transfers.indices
    where isServed(transfer, on: number) && rank(of: transfer) == highest {
      defer { place += 1 }
      transfers[transfer].wire = FlowShare(rate: share.rate, flows: flows, place: place)
      if transfers[transfer].phase == .flowing {
        transfers[transfer].share = FlowShare(
          rate: BitRate(bitsPerSecond: share.rate.bitsPerSecond * piece), flows: flows * all,
          place: place)
      }
    }
  }

  private func isServed(_ index: Int, on number: Int) -> Bool {
    transfers[index].connection == number && transfers[index].isServed
  }

  private func rank(of index: Int) -> Int {
    if case .discarded = transfers[index].phase { .max } else { transfers[index].request.priority }
  }
}
