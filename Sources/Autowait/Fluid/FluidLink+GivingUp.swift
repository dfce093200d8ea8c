/// What becomes of a transfer that is given up before its end.
extension FluidLink {
  /// Gives a transfer up; what is in flight of it still comes.
  mutating func discard(_ index: Int, at now: Instant) {
    assert(!transfers[index].isOver, "transfer \(transfers[index].number) is given up when over")
    let flying = inFlight(of: index, at: now)
    guard let place = connectionPlace(of: index) else {
      let request = transfers.remove(at: index).request
      forgetName(for: request, at: now)
      return
    }
    if endsConnection(place, at: now) { connections[place].isClosing = true }
    transfers[index].phase = .discarded(left: flying)
    transfers[index].leap = .zero
    forgetName(for: transfers[index].request, at: now)
  }

  /// Whether a connection ends with a request that is over before its end: under HTTP/1.1, and
  /// while it is not asked for yet, or seems dead.
  func endsConnection(_ place: Int, at now: Instant) -> Bool {
    if policy.http == .http1 { return true }
    guard connections[place].phase == .opening else { return false }
    let handshake = connections[place].handshake
    return handshake.begins > now || handshake.seemsDead(at: now, policy)
  }

  /// Gives up the lookup of a name that has no answer, if nobody waits for it any longer.
  ///
  /// Who asks next begins again. A lookup that will be answered goes on, and the resolver keeps the
  /// answer.
  private mutating func forgetName(for request: TransferRequest, at now: Instant) {
    func isSame(_ owner: Int, _ host: Int) -> Bool {
      owner == request.owner && host == request.host
    }
    let isAwaited = transfers.contains {
      guard case .naming = $0.phase else { return false }
      return isSame($0.request.owner, $0.request.host)
    }
    if isAwaited { return }
    names.removeAll { isSame($0.owner, $0.host) && $0.knownAt == .never }
  }

  /// What will have left the server of a transfer that is given up now, and is neither here nor
  /// lost.
  ///
  /// The server goes on until it hears of it. One window is under way then, and with it what others
  /// have left of it that were given up before.
  private func inFlight(of index: Int, at now: Instant) -> DataAmount {
    guard let place = connectionPlace(of: index) else { return .zero }
    var flying: DataAmount
    switch connections[place].phase {
    case .opening, .idle, .gap: return .zero
    case .burst: flying = connections[place].left
    case .full: flying = window(of: place)
    }
    if let begun = transfers[index].begun, let most = underWay(place, since: begun, at: now) {
      flying = min(flying, most)
    }
    let others = discarded(on: place)
    assert(connections[place].isServed, "an idle connection has data under way")
    return min(flying - min(flying, others), outstanding(of: index))
  }

  /// What is left on a connection of what was given up.
  func discarded(on place: Int) -> DataAmount {
    var total = DataAmount.zero
    for index in transfers.indices where transfers[index].connection == connections[place].number {
      if case .discarded(let left) = transfers[index].phase { total += left }
    }
    return total
  }
}
