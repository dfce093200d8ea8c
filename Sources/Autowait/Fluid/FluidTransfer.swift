/// A request and its response in the fluid tier.
struct FluidTransfer: Hashable, Sendable {
  /// How far a request has come.
  enum Phase: Hashable, Sendable {
    /// It waits until a connection can carry it.
    case queued
    /// The name of its host is looked up without success; when that is known.
    case naming(until: Instant)
    /// Its connection is being made.
    case connecting(until: Instant)
    /// It is under way, or the server delays; at the instant the response reaches the link.
    case asked(until: Instant)
    /// The response waits behind what others have in the queue.
    case delayed(until: Instant)
    /// The first packet is on the link, or waits there; the rest of it.
    case beginning(left: DataAmount)
    /// Data arrives.
    case flowing
    /// The data is no longer read.
    case suspended
    /// Nobody wants what is still in flight; the rest of it.
    case discarded(left: DataAmount)
    /// The body has arrived whole.
    case completed
    /// The request is over without it.
    case failed(TransferFailure)
  }

  /// When a response began, and what was under way then of others that had been given up.
  struct Beginning: Hashable, Sendable {
    let at: Instant
    let ahead: DataAmount
  }

  /// The number of the transfer, counted over the run.
  let number: Int
  /// What was asked for.
  let request: TransferRequest
  /// The size of the body.
  let size: DataAmount
  /// When its steps were over.
  var times: TransferTimes
  /// How far it has come.
  var phase = Phase.queued
  /// The number of the connection that carries it; zero for none.
  var connection = 0
  /// The part of the body that had arrived at the link's last change.
  var delivered = DataAmount.zero
  /// How the response began, if it has.
  var begun: Beginning?
  /// What of the body arrives with its first packet.
  var leap = DataAmount.zero
  /// Its part of the link since then, in data of the body.
  var share = FlowShare.none
  /// Its part of the link in bits of packets.
  var wire = FlowShare.none
  /// When the last byte came, or the last step was taken.
  var heardAt: Instant
  /// The time in which its first packet was on the link, and nothing else came for its player:
  /// no share tells of it.
  var active = TimeSpan.zero
  /// Whether the response is not read; one that has not begun stops behind its first packet.
  var isHeld = false
  /// How often it may still be tried again.
  var triesLeft: Int

  /// Creates a request that was just made.
  init(number: Int, _ request: TransferRequest, triesMax: Int, at now: Instant) {
    self.number = number
    self.request = request
    size = DataAmount(request.size)
    times = TransferTimes(opened: now)
    heardAt = now
    triesLeft = triesMax
  }

  /// What of the body had not arrived at the link's last change.
  var missing: DataAmount { size - delivered }

  /// Whether it takes a part of the link.
  var isServed: Bool {
    switch phase {
    case .beginning, .flowing, .discarded: true
    case .queued, .naming, .connecting, .asked, .delayed, .suspended, .completed, .failed: false
    }
  }

  /// Whether it is over, and waits to be closed.
  var isOver: Bool {
    switch phase {
    case .completed, .failed: true
    case .queued, .naming, .connecting, .asked, .delayed, .beginning, .flowing, .suspended,
      .discarded:
      false
    }
  }

  /// Returns the data of the body that has arrived by an instant before the next change.
  func delivered(for span: TimeSpan) -> DataAmount {
    phase == .flowing ? min(size, delivered + share.data(in: span)) : delivered
  }
}
