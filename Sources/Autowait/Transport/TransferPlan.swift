/// Requests that are made by a plan, without a player: what a measurement of a link is made of.
package struct TransferPlan: Hashable, Sendable {
  /// One request of a flow.
  package struct Step: Hashable, Sendable {
    /// What is asked for, and on which connection.
    package var request: TransferRequest
    /// How long the flow rests before this request, from the end of the step before.
    package var idle: TimeSpan
    /// Which of the links holds from the moment of this request on; nil for the one that does.
    package var link: Int?
    /// How long the flow waits before it gives the request up and goes on; nil for no limit.
    package var patience: TimeSpan?
    /// How long after the request nobody reads any more; nil for never.
    package var suspendedAfter: TimeSpan?
    /// For how long nobody reads then.
    package var suspension = TimeSpan.zero
    /// Whether the next request of the flow does not wait for this one.
    package var isConcurrent = false

    /// Creates a step that is neither given up nor suspended.
    package init(_ request: TransferRequest, idle: TimeSpan = .zero, link: Int? = nil) {
      self.request = request
      self.idle = idle
      self.link = link
    }
  }

  /// Requests that are made one after another.
  package struct Flow: Hashable, Sendable {
    /// When the first request is made, if its step has no rest.
    package var start: Instant
    /// The requests, in their order; whose they are, the flow says.
    package var steps: [Step]
    /// The user of the network who makes them; nil for one of the flow's own.
    package var owner: Int?

    /// Creates a flow.
    package init(start: Instant = .start, steps: [Step]) {
      self.start = start
      self.steps = steps
    }
  }

  /// The flows, which share the link.
  package var flows: [Flow]

  /// Creates a plan.
  package init(flows: [Flow]) {
    self.flows = flows
  }
}

/// What became of one request of a plan.
package struct TransferOutcome: Hashable, Sendable {
  /// When its steps were over.
  package var times: TransferTimes
  /// When each tenth of the body had arrived, as far as it did.
  package var tenths: [Instant] = []
  /// Why it failed, if it did.
  package var failure: TransferFailure?
  /// Whether it was given up.
  package var isCancelled = false
  /// The data of the body that arrived.
  package var delivered = ByteCount.zero

  /// Creates the outcome of a request that was just made.
  package init(times: TransferTimes) {
    self.times = times
  }

  /// The time from the request to the last byte of the body; nil if it did not come.
  package var total: TimeSpan? { times.completed.map { $0 - times.opened } }
}
