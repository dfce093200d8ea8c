/// A request of a stream as the network is to carry it, and what goes wrong with it.
struct OutgoingRequest {
  var carried: TransferRequest
  /// What goes wrong with it, if anything, and what it costs else.
  let fault: Fault.Outcome?
  let cost: RequestCost
  /// Whether only the whole of the response matters.
  let isWhole: Bool
}

extension ItemSource {
  /// Returns a request that a player makes now as the network is to carry it: over an ideal link of
  /// some rate, or over paths.
  ///
  /// It is one function for all that is asked of the source: the player finds it but once.
  mutating func outgoing(
    _ need: NextRequest, of player: Int, isOffline: Bool, over rate: BitRate?, at now: Instant
  ) -> OutgoingRequest {
    let (fault, cost) = stream.meet(need.resource, isOffline: isOffline, at: now)
    assert(cost.size >= .zero, "a response of \(cost.size.bytes) bytes")
    var carried = TransferRequest(owner: player, host: cost.route ?? media.route, size: cost.size)
    carried.serverDelay = cost.serverDelay
    if let rate { carried.serverDelay += stream.waitInQueue(of: rate) }
    carried.isMedia = need.resource.isMedia
    if carried.isMedia, let track = need.track, track != StreamRequest.noTrack,
      stream.plan.requests.connectsTracksApart
    {
      carried.lane = 1 + track
    }
    carried.weight = stream.weight(of: need)
    carried.apply(fault)
    return OutgoingRequest(
      carried: carried, fault: fault, cost: cost,
      isWhole: stream.plan.requests.takesWholeSegments
        && !(carried.isMedia && buffer.turnsAtPackets))
  }
}

extension TransferRequest {
  /// Comes to what a fault makes of it.
  fileprivate mutating func apply(_ fault: Fault.Outcome?) {
    switch fault {
    case nil, .wrongKey: break
    case .status, .redirect: size = .zero
    case .noResponse: serverDelay = Limits.timeMax
    case .nameNotResolved:
      size = .zero
      answer = .nameNotResolved
    }
  }
}
