extension PacketNetwork {
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
    transfers[number].phase = .naming(tries: TransportPolicy.nameTriesMax)
    transfers[number].retryAt = now
  }

  /// How far the lookup is that others who wait for the same name rely on: how often it was asked
  /// for, and when it is asked for again.
  struct NameLookup: Hashable, Sendable {
    let tries: Int
    let retryAt: Instant
  }

  /// The lookup that a transfer has asked for; nil if it has not, or waits for that of another.
  func lookup(of number: Int) -> NameLookup? {
    guard case .naming(let tries) = transfers[number].phase,
      transfers[number].retryAt != .never, policy.usesDNSLookup
    else { return nil }
    return NameLookup(tries: tries, retryAt: transfers[number].retryAt)
  }

  /// Lets the next who waits for a name have the lookup of one that is gone: the resolver goes on
  /// with it, and the answer to what was asked is for all.
  mutating func handOver(_ lookup: NameLookup, of number: Int) {
    transfers[number].retryAt = .never
    let request = transfers[number].request
    let next = transfers.indices.first {
      guard case .naming = transfers[$0].phase else { return false }
      let other = transfers[$0].request
      return other.owner == request.owner && other.host == request.host
    }
    guard let next else { return }
    transfers[next].phase = .naming(tries: lookup.tries)
    transfers[next].retryAt = lookup.retryAt
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
    if tries < TransportPolicy.nameTriesMax {
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
    var isKnown = request.answer != .nameNotResolved
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
      isKnown = true
      assign(number)
    }
    // The resolver keeps the answer, whether somebody still waits for it or not.
    if isKnown, links[schedule.link].names.isCached, !isNameKnown(request) {
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
