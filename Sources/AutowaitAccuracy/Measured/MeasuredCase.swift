import Autowait

/// Transfers over a conditioned link that were measured several times.
package struct MeasuredCase: Sendable {
  /// What decided how fast the server sent.
  package enum Sender: String, Sendable {
    case cubic
    case pacedCubic = "cubic-paced"
    case reno
    case bbr
  }

  /// One direction of the link.
  package struct Direction: Sendable {
    /// The rate in bits of IP packets per second.
    package var rate: BitRate
    /// The one-way delay.
    package var delay: TimeSpan
    /// The chance that a packet is lost.
    package var loss: Probability
    /// How many packets fit, the one in service included.
    package var queue: Int
    /// Whether packets are lost when they leave the queue, and not before it.
    package var losesAtExit = false
    /// The losses that come in bursts, if they do.
    package var bursts: BurstLoss?
    /// How the delay varies, if it does.
    package var jitter: Jitter?
    /// The share of packets that skip the delay.
    package var reordered = Probability.never
    /// The changes of rate and loss from the moment of a step on; empty if nothing changes.
    package var changes: [Change] = []
  }

  /// A change of a direction.
  package struct Change: Sendable {
    /// When, from the moment of the step.
    package var start: TimeSpan
    /// The rate from then on.
    package var rate: BitRate
    /// The loss from then on; nil for the direction's own.
    package var loss: Probability?
  }

  /// One request.
  package struct Step: Sendable {
    /// The body that was asked for.
    package var size: ByteCount
    /// Whether it opened a connection.
    package var isNew: Bool
    /// How long the connection rested before it.
    package var idle = TimeSpan.zero
    /// When it was made, if the requests ran side by side.
    package var start = TimeSpan.zero
  }

  /// Which part of the measurements it belongs to.
  package var group: String
  /// The name of the case.
  package var name: String
  /// The name of the link.
  package var profile: String
  /// What decided how fast the server sent.
  package var sender: Sender
  /// Whether the requests ran side by side, each on a connection of its own.
  package var isParallel: Bool
  /// From the server to the client.
  package var down: Direction
  /// From the client to the server.
  package var up: Direction
  /// The requests.
  package var steps: [Step]
  /// The size of a request with its header; curl's.
  package var requestSize = ByteCount(bytes: 400)
  /// The size of a response's header; that of nginx.
  package var responseHeaderSize = ByteCount(bytes: 300)
  /// The step whose moment starts the changes of the link.
  package var changesAtStep: Int
  /// The seeds of the losses, one for each run.
  package var seeds: [UInt64]
  /// What was measured, one for each step.
  package var requests: [MeasuredRequest]

  /// How far the runs of a clean request may be apart, as a part of the median.
  package var cleanSpread = 0.05

  /// Whether packets are lost by chance, each for itself.
  package var isLossy: Bool { max(down.loss, up.loss) > .never }

  /// Whether packets are delayed or overtaken by chance, or lost in bursts.
  package var isVarying: Bool { down.isVarying || up.isVarying }

  /// Whether the runs differ by chance.
  package var isRandom: Bool { isLossy || isVarying }

  /// Whether the link changes.
  package var changes: Bool { !down.changes.isEmpty || !up.changes.isEmpty }
}

extension MeasuredCase.Direction {
  /// Whether packets are delayed or overtaken by chance, or lost in bursts.
  package var isVarying: Bool { bursts != nil || jitter != nil || reordered > .never }
}

/// What was measured of one request, in milliseconds.
package struct MeasuredRequest: Sendable {
  /// The kind of connection, and the size.
  package var label: String
  /// From the start of the connection, or of the request on one that is there, to the last byte;
  /// one for each run, in their order.
  package var totals: [Double]
  /// Runs that were disturbed: they say only how well one run predicts another.
  package var disturbed: [Double] = []
  /// From the request to each tenth of the body, the median of the runs.
  package var tenths: [Double]

  package init(label: String, totals: [Double], tenths: [Double]) {
    self.label = label
    self.totals = totals
    self.tenths = tenths
  }

  /// The median of all runs.
  package var median: Double { Statistics.median(totals) }
  /// The fastest and the slowest run.
  package var range: ClosedRange<Double> { (totals.min() ?? 0)...(totals.max() ?? 0) }
  /// How far the runs are apart, as a part of the median.
  package var spread: Double { (range.upperBound - range.lowerBound) / median }

  /// Every other run, and the rest: repeats of one another; nil if there is one run alone.
  var halves: (MeasuredRequest, MeasuredRequest)? {
    if totals.count + disturbed.count < 2 { return nil }
    func half(_ totals: [Double]) -> MeasuredRequest {
      MeasuredRequest(label: label, totals: totals, tenths: [])
    }
    if !disturbed.isEmpty { return (half(disturbed), half(totals)) }
    func everyOther(from first: Int) -> MeasuredRequest {
      half(stride(from: first, to: totals.count, by: 2).map { totals[$0] })
    }
    return (everyOther(from: 1), everyOther(from: 0))
  }
}
