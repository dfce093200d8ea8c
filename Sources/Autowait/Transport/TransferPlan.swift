/// Requests that are made by a plan, without a player: what a measurement of a link is made of.
public struct TransferPlan: Hashable, Sendable {
  /// One request of a flow.
  public struct Step: Hashable, Sendable {
    /// What is asked for, and on which connection.
    public var request: TransferRequest
    /// How long the flow rests before this request, from the end of the step before.
    public var idle: TimeSpan
    /// Which of the links holds from the moment of this request on; nil for the one that does.
    public var link: Int?
    /// How long the flow waits before it gives the request up and goes on; nil for no limit.
    public var patience: TimeSpan?
    /// How long after the request nobody reads any more; nil for never.
    public var suspendedAfter: TimeSpan?
    /// For how long nobody reads then.
    public var suspension = TimeSpan.zero
    /// Whether the next request of the flow does not wait for this one.
    public var isConcurrent = false

    /// Creates a step that is neither given up nor suspended.
    public init(_ request: TransferRequest, idle: TimeSpan = .zero, link: Int? = nil) {
      self.request = request
      self.idle = idle
      self.link = link
    }
  }

  /// Requests that are made one after another.
  public struct Flow: Hashable, Sendable {
    /// When the first request is made, if its step has no rest.
    public var start: Instant
    /// The requests, in their order; whose they are, the flow says.
    public var steps: [Step]
    /// The user of the network who makes them; nil for one of the flow's own.
    public var owner: Int?

    /// Creates a flow.
    public init(start: Instant = .start, steps: [Step]) {
      self.start = start
      self.steps = steps
    }
  }

  /// The flows, which share the link.
  public var flows: [Flow]

  /// Creates a plan.
  public init(flows: [Flow]) {
    self.flows = flows
  }
}

/// What became of one request of a plan.
public struct TransferOutcome: Hashable, Sendable {
  /// When its steps were over.
  public var times: TransferTimes
  /// When each tenth of the body had arrived, as far as it did.
  public var tenths: [Instant] = []
  /// Why it failed, if it did.
  public var failure: TransferFailure?
  /// Whether it was given up.
  public var isCancelled = false
  /// The data of the body that arrived.
  public var delivered = ByteCount.zero

  /// Creates the outcome of a request that was just made.
  public init(times: TransferTimes) {
    self.times = times
  }

  /// The time from the request to the last byte of the body; nil if it did not come.
  public var total: TimeSpan? { times.completed.map { $0 - times.opened } }
}
