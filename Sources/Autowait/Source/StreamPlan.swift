/// What a loader is given and never changes.
struct StreamPlan: Sendable {
  let shared: SharedStreamMedia
  /// The policy, in an array of one for the loader to be small.
  private let policies: [StreamPolicy]
  /// How a variant is chosen, in an array of one for the loader to be small.
  let adaptations: [AdaptationPolicy]
  /// The segments of which the throughput rule takes the mean.
  let segmentsMax: Int
  // What every event asks of the policy has a place of its own: read from there, all of the policy
  // would be copied (measured: a tenth of the time of 300 players of streams).
  /// When the tracks ask for more.
  let requests: RequestPacing
  /// How far ahead the picture of each variant is loaded; none where that is limited alike.
  let limits: [MediaTime]
  /// How long a segment is waited for; nil if none is given up but by a modelled rule.
  let patience: AbandonmentPatience?
  /// How long requests are waited for.
  let timers: RequestTimers
  /// Whether variants are chosen by the fill rate.
  let choosesByFillRate: Bool
  /// Whether the error log has an entry for each segment that is too large for its variant.
  let notesExcess: Bool
  /// The part of the last segments' throughput that a variant may need, if it is chosen by that.
  let throughputSafety: Int64?

  /// Takes a stream and how it is to be loaded.
  init(_ shared: SharedStreamMedia, _ policy: StreamPolicy, _ requests: RequestPacing) {
    self.shared = shared
    // The end of a live stream is never followed by anything yet.
    self.requests = shared.parts.live == nil ? requests : requests.withoutHolding
    policies = [policy]
    (adaptations, segmentsMax) = ([policy.adaptation], policy.adaptation.segmentsMax)
    choosesByFillRate = policy.adaptation.rule.readsFillRate
    notesExcess = choosesByFillRate && shared.exceedsRates
    let isByThroughput = policy.adaptation.rule == .throughput
    throughputSafety = isByThroughput ? policy.adaptation.safety : nil
    limits = requests.bolaBuffer.map { shared.parts.bolaLimits(planning: $0) } ?? []
    patience = AbandonmentPatience(policy.adaptation)
    // Assumed of players whose rules are modelled: 10 seconds, as for what has no target duration.
    let other: TimeSpan? = policy.adaptation.rule.isModelled ? .seconds(10) : nil
    let own = requests.timeouts.map { $0.answer ?? Limits.timeMax }
    timers = RequestTimers(
      responseTimeout: policy.responseTimeout ?? own ?? other, timeouts: requests.timeouts,
      cutsSlowSegments: policy.cutsSlowSegments)
  }

  @inline(__always)
  var policy: StreamPolicy { policies[0] }
}

/// How long the requests of a stream are waited for.
struct RequestTimers: Sendable {
  /// How long one may go without an answer; nil for a target duration.
  let responseTimeout: TimeSpan?
  /// How long requests are waited for; nil for as long as target durations say.
  let timeouts: RequestTimeouts?
  /// Whether segments are given up that are slow to come.
  let cutsSlowSegments: Bool

  /// How long a request may go without an answer.
  @inline(__always)
  func responseTimeout(of request: StreamRequest, _ shared: SharedStreamMedia) -> TimeSpan {
    if let responseTimeout { return responseTimeout }
    return request.listKnown.map { shared.parts.lists[$0].wholeTargetDuration } ?? .seconds(10)
  }

  /// How long a segment of a list may go without an answer.
  @inline(__always)
  func responseTimeout(of list: Int, _ shared: SharedStreamMedia) -> TimeSpan {
    responseTimeout ?? shared.parts.lists[list].wholeTargetDuration
  }

  /// How long a request for media may bring nothing, after which it is looked at again.
  @inline(__always)
  func patience(with list: Int, _ shared: SharedStreamMedia) -> TimeSpan {
    let target = shared.parts.lists[list].wholeTargetDuration
    return cutsSlowSegments ? target : max(target, responseTimeout ?? target)
  }

  /// When a request for a playlist or a key is looked at, whether its data comes.
  ///
  /// Assumed: it has the times of a segment, or one that falls silent would be waited for without
  /// end.
  func firstLook(
    atPlaylistOrKey request: StreamRequest, _ shared: SharedStreamMedia
  ) -> Instant {
    assert(!request.resource.isMedia, "media has times of its own")
    let opened = request.opened + request.hold
    if let timeouts { return timeouts.deadline(opened: opened, last: opened) }
    let patience = responseTimeout(of: request, shared)
    return opened + patience + patience
  }

  /// When a request for media that is made at an instant is looked at, whether its data comes.
  @inline(__always)
  func firstLook(at opened: Instant, list: Int, _ shared: SharedStreamMedia) -> Instant {
    if let timeouts { return timeouts.deadline(opened: opened, last: opened) }
    let patience = patience(with: list, shared)
    return opened + patience + patience
  }
}
