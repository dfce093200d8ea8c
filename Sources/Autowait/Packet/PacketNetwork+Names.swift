extension PacketNetwork {
  /// A resolver is asked so often before a name cannot be resolved.
  private static let nameTriesMax = 3

  /// Whether the user who makes a request knows the name of its host.
  func isNameKnown(_ request: TransferRequest) -> Bool {
    knownNames.contains(ResolvedName(owner: request.owner, host: request.host))
  }

  /// Looks a name up, or waits for the answer if it was asked for.
  mutating func lookUp(_ number: Int) {
    let request = transfers[number].request
    let isAsked = transfers.indices.contains {
      guard $0 != number, case .naming = transfers[$0].phase else { return false }
      let other = transfers[$0].request
      return other.owner == request.owner && other.host == request.host
        && transfers[$0].retryAt != .never
    }
    transfers[number].phase = .naming(tries: 0)
    if !isAsked { ask(number, tries: 1) }
  }

  /// Lets a request fail whose name is known not to resolve.
  mutating func failWithoutLookup(_ number: Int) {
    transfers[number].phase = .naming(tries: PacketNetwork.nameTriesMax)
    transfers[number].retryAt = now
  }

  /// Whether a transfer is the one that others who wait for the same name rely on.
  func isAsking(_ number: Int) -> Bool {
    guard case .naming = transfers[number].phase else { return false }
    return transfers[number].retryAt != .never
  }

  /// Lets the next who waits for a name ask for it, when the one who asked is gone.
  mutating func askAgain(insteadOf number: Int) {
    transfers[number].retryAt = .never
    let request = transfers[number].request
    let next = transfers.indices.first {
      guard case .naming = transfers[$0].phase else { return false }
      let other = transfers[$0].request
      return other.owner == request.owner && other.host == request.host
    }
    guard let next, policy.usesDNSLookup else { return }
    ask(next, tries: 1)
    setTimer(ofTransfer: next)
  }

  /// Sends a query; the second waits twice as long for its answer.
  mutating func ask(_ number: Int, tries: Int) {
    transfers[number].phase = .naming(tries: tries)
    let wait = policy.nameTimeout.nanoseconds << Int64(tries - 1)
    transfers[number].retryAt = now + TimeSpan(nanoseconds: wait)
    sendName(Packet(.query, flow: number, wireBytes: WireSize.nameQuery), isUp: true)
  }

  /// Takes note that the answer to a query did not come in time.
  mutating func retryName(_ number: Int) {
    guard case .naming(let tries) = transfers[number].phase else { return }
    if tries < PacketNetwork.nameTriesMax {
      ask(number, tries: tries + 1)
    } else {
      failAll(waitingAs: number)
    }
  }

  /// Fails all who wait for a name for which there is no answer.
  private mutating func failAll(waitingAs number: Int) {
    let request = transfers[number].request
    transfers[number].retryAt = .never
    for other in transfers.indices {
      guard case .naming = transfers[other].phase, transfers[other].retryAt == .never,
        transfers[other].request.owner == request.owner,
        transfers[other].request.host == request.host
      else { continue }
      fail(other, .nameNotResolved)
    }
  }

  /// A resolver that is asked over this link may be slow; its answer is small.
  mutating func hearQuery(_ packet: Packet) {
    let number = Int(packet.flow)
    let instant = now + links[schedule.link].names.delay
    if instant < transfers[number].answerAt { transfers[number].answerAt = instant }
    setTimer(ofTransfer: number)
  }

  /// Sends the answer to a query.
  mutating func answerName(_ number: Int) {
    transfers[number].answerAt = .never
    sendName(Packet(.answer, flow: number, wireBytes: WireSize.nameAnswer), isUp: false)
  }

  /// Takes an answer: all who wait for the name go on, or fail if it does not resolve.
  mutating func hearAnswer(_ packet: Packet) {
    let request = transfers[Int(packet.flow)].request
    var hasWaited = false
    for number in transfers.indices {
      guard case .naming = transfers[number].phase else { continue }
      let other = transfers[number].request
      guard other.owner == request.owner, other.host == request.host else { continue }
      transfers[number].retryAt = .never
      if other.answer == .nameNotResolved {
        fail(number, .nameNotResolved)
        continue
      }
      transfers[number].times.nameResolved = now
      hasWaited = true
      assign(number)
    }
    if hasWaited, links[schedule.link].names.isCached {
      knownNames.append(ResolvedName(owner: request.owner, host: request.host))
    }
  }

  /// Queries are a flow of their own for each user of the network.
  private mutating func sendName(_ packet: Packet, isUp: Bool) {
    let owner = transfers[Int(packet.flow)].request.owner
    var tries = 0
    if case .naming(let count) = transfers[Int(packet.flow)].phase { tries = count }
    let key = FlowRandom.key(flowKey(owner: owner, ordinal: -1 - Int(packet.flow)), tries)
    var random: [FlowRandom] = []
    if isUp {
      if up.drawsRandom { random.append(FlowRandom(key: FlowRandom.key(key, 1))) }
      _ = up.offer(packet, at: now, &random)
    } else {
      if down.drawsRandom { random.append(FlowRandom(key: FlowRandom.key(key, 0))) }
      _ = down.offer(packet, at: now, &random)
    }
  }
}
