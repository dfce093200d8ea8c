/// What a run asks of its link, as far as the choice of a tier depends on it.
public struct TransferSituation: Hashable, Sendable {
  /// The largest response; nil if none is known to be the largest.
  public var largest: ByteCount?
  /// How many responses may flow at the same time on connections of their own.
  public var flowsMax = 1
  /// Whether a connection may carry more than one response.
  public var reusesConnections = true

  /// Creates the situation of a player that asks for one thing at a time.
  public init(largest: ByteCount? = nil) {
    self.largest = largest
  }

  /// Creates the situation of a plan.
  public init(_ plan: TransferPlan) {
    flowsMax = plan.flows.count
    largest = .zero
    reusesConnections = false
    for flow in plan.flows {
      for step in flow.steps {
        largest = max(largest ?? .zero, step.request.size)
        if step.request.connection == .pooled { reusesConnections = flow.steps.count > 1 || reusesConnections }
      }
    }
  }
}

/// Which tier models a link.
public struct TierChoice: Hashable, Sendable {
  public enum Reason: Hashable, Sendable { case x }
  public let tier: LinkTier
  public let reason: Reason
  public init(_ link: LinkProfile, _ policy: TransportPolicy?, _ situation: TransferSituation) {
    tier = .fluid
    reason = .x
  }
}
