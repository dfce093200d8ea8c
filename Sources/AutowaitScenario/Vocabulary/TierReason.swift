import Autowait

extension TierChoice.Reason: NamedCase {
  /// A word for the reason.
  package var word: StaticString { row.word }

  /// The reason, as a sentence about the tier goes on.
  package var clause: StaticString { row.clause }

  /// Whether the fluid tier would leave out something that is said of the link or the sender.
  package var leavesOutInFluid: Bool { row.leavesOut }

  private var row: (word: StaticString, clause: StaticString, leavesOut: Bool) {
    switch self {
    case .asked: ("asked", "it was asked for", false)
    case .noTransport: ("noTransport", "a request costs a round trip", false)
    case .responsesFitQueue:
      ("responsesFitQueue", "every response fits into the queue, nothing is dropped", false)
    case .queueKeepsPathFull:
      ("queueKeepsPathFull", "the queue keeps the link busy whatever it drops", false)
    case .loss: ("loss", "packets are lost by chance", true)
    case .jitter: ("jitter", "the delay varies from packet to packet", true)
    case .reordering: ("reordering", "packets overtake others", true)
    case .duplication: ("duplication", "packets arrive twice", true)
    case .droppingOutage: ("droppingOutage", "an outage drops packets", true)
    case .stoppingRate: ("stoppingRate", "nothing passes for a while", false)
    case .varyingDelay: ("varyingDelay", "the delay changes with the rate", false)
    case .slowAnswers: ("slowAnswers", "timers run out before answers come", false)
    case .bbrSender: ("measuringSender", "BBR measures the path by its packets", true)
    case .queueInServer: ("queueInServer", "the server's own host has the queue in it", true)
    case .parallelFlows:
      ("parallelFlows", "several responses share a queue, and not equally", false)
    case .narrowUplink: ("narrowUplink", "acknowledgements fill the way up", false)
    case .shallowQueue: ("shallowQueue", "the queue overflows before the link is busy", false)
    case .unpacedBursts: ("unpacedBursts", "an unpaced sender fills the queue with a burst", false)
    case .visibleOverflow:
      (
        "visibleOverflow", "the queue may overflow, and a response is too short to make up for it",
        false
      )
    case .largeUpload: ("largeUpload", "an upload does not fit into the queue of the way up", false)
    case .smallWindow:
      ("smallWindow", "a window is so small that single acknowledgements decide", false)
    case .closeCall:
      ("closeCall", "whether one packet more fits decides how long a request takes", false)
    }
  }
}
