/// Segments that are given up because they come too late.
extension StreamSource {
  /// What it depends on whether a segment is given up.
  struct Lateness {
    let now: Instant
    /// When the playhead comes, or came, to the end of what is loaded; nil while it stands.
    let bufferEnd: Instant?
    let playhead: MediaTime
  }

  /// Whether a modelled rule is asked while a segment comes: it may measure, or give it up.
  @inline(__always)
  var asksToAbandon: Bool { !drivers.isEmpty && drivers[0].asks }

  /// Whether a modelled rule is to hear of a request.
  func isAsked(about request: StreamRequest) -> Bool {
    !drivers.isEmpty && request.track == 0 && request.resource.isSegment
  }

  /// Tells a modelled rule of a request that is made, and asks when it wants to look at it.
  mutating func beginAsking(about request: inout StreamRequest) {
    guard isAsked(about: request), let number = request.resource.segment else { return }
    request.asksAt = drivers[0].begin(
      number, of: variant ?? 0, request.size, at: request.opened, isToMeasure: isMeasuring)
  }

  /// Whether segments may be given up because they come too late: a modelled rule may say so.
  @inline(always)
  var givesUp: Bool { plan.patience != nil || !drivers.isEmpty || givesUpByScript }

  /// The request for a segment of the variant, if one is under way that may be given up.
  private var abandonable: Int? {
    @inline(always) get {
      guard let variant, !isMeasuring else { return nil }
      let asksOfLowest = !drivers.isEmpty && drivers[0].asksOfLowest
      if !asksOfLowest, choice.isLowest(variant) { return nil }
      return requests.abandonable(of: 0)
    }
  }

  /// When it is looked at whether a segment is to be given up, if the buffer ends at an instant.
  @inline(always)
  func abandonment(bufferEnd: Instant?) -> Instant {
    if asksToAbandon {
      guard let index = abandonable else { return .never }
      return requests[index].asksAt ?? .never
    }
    if givesUpByScript { return abandonmentByScript ?? .never }
    guard let patience = plan.patience, let bufferEnd, let index = abandonable else {
      return .never
    }
    return patience.abandonment(opened: requests[index].opened, bufferEnd: bufferEnd)
  }

  /// Returns the transfer of a segment that is to be given up now; without a modelled rule it is
  /// looked at once only.
  ///
  /// Before the end of the buffer it must be expected to come too late, at the rate at which it has
  /// come so far. It is kept if less of it is missing than what would be asked for instead, or if
  /// that is not there.
  mutating func abandoned(in context: Lateness, delivered: (Int) -> DataAmount) -> Int? {
    if givesUpByScript { return abandonedByScript(at: context.now) }
    guard let variant, let index = abandonable,
      case .segment(_, let number) = requests[index].resource
    else { return nil }
    let (request, now) = (requests[index], context.now)
    let delivered = min(request.size, delivered(request.transfer))
    if asksToAbandon {
      return abandonedByRule(index, delivered, of: number, playhead: context.playhead, at: now)
    }
    guard let bufferEnd = context.bufferEnd else { return nil }
    requests[index].isKept = true
    let missing = request.size - delivered
    if now < bufferEnd {
      let isInTime = ExactProduct.isAtMost(
        missing.nanobits, UInt128(UInt64((now - request.opened).nanoseconds)),
        delivered.nanobits, UInt128(UInt64((bufferEnd - now).nanoseconds)))
      if isInTime { return nil }
    }
    let other = choice.below(variant, by: policy.adaptation.rungsAfterStall)
    if turns.isDenied(other, at: now) { return nil }
    // What costs no less would be given up again at once.
    guard streamMedia.variants[other].bandwidth < streamMedia.variants[variant].bandwidth else {
      return nil
    }
    let list = streamMedia.lists[streamMedia.variants[other].list]
    guard number < list.count, !list.isGap(number), DataAmount(list.size(of: number)) < missing
    else { return nil }
    return request.transfer
  }

  /// Asks the rule; what it chooses instead is asked for next.
  private mutating func abandonedByRule(
    _ index: Int, _ delivered: DataAmount, of number: Int, playhead: MediaTime, at now: Instant
  ) -> Int? {
    guard let variant else { return nil }
    let request = requests[index]
    let edge = tracks[0].edge(from: playhead)
    let progress = RuleDriver.Progress(
      variant: variant, size: request.size, delivered: delivered, opened: request.opened,
      responded: request.responded ?? now)
    let answer = drivers[0].abandonment(
      progress, level: edge - playhead, playhead: playhead, at: now)
    requests[index].asksAt = answer.again
    if let wanted = answer.variant, wanted != variant {
      mayChoose(wanted, besides: variant, at: now)
    }
    guard
      let other = choice.replacement(
        answer.variant, for: variant, isOfPlayer: drivers[0].asksOfLowest)
    else {
      return nil
    }
    load(other, insteadOf: number, at: now)
    return request.transfer
  }

  /// Lets a variant be chosen that was left if nothing but the present one could be chosen instead:
  /// what is given up would be asked for again at once.
  private mutating func mayChoose(_ wanted: Int, besides present: Int, at now: Instant) {
    if penalties.isEmpty { return }
    liftPenalties(at: now)
    if choice.allowed(wanted) != present { return }
    penalties.removeAll()
    liftPenalties(at: now)
  }

  /// When the request for a segment is given up that is under way, if a script says so.
  private var abandonmentByScript: Instant? {
    @inline(always) get {
      guard let variant, let index = requests.abandonable(of: 0),
        case .segment(_, let number) = requests[index].resource
      else { return nil }
      return scripts[0].abandonment(of: number, in: variant, opened: requests[index].opened)
    }
  }

  /// Gives up what a script says; the next request is for what it names then.
  private mutating func abandonedByScript(at now: Instant) -> Int? {
    guard let index = requests.abandonable(of: 0),
      case .segment(_, let number) = requests[index].resource
    else { return nil }
    scripts[0].giveUp(number)
    givesUpByScript = !scripts[0].isThrough
    load(scripts[0].variant(of: number) ?? variant ?? 0, insteadOf: number, at: now)
    return requests[index].transfer
  }

  /// Lets a segment that is given up be loaded in another variant.
  mutating func load(_ other: Int, insteadOf number: Int, at now: Instant) {
    change(to: other, at: now)
    chosenFor = number
  }
}

/// How long a player waits for a segment that may be given up.
struct AbandonmentPatience: Sendable {
  /// How long after the end of the buffer; negative for before it.
  private let after: TimeSpan

  /// Takes the patience of a policy; nil if it gives nothing up, or a modelled rule decides.
  init?(_ policy: AdaptationPolicy) {
    guard policy.rule.readsFillRate, policy.rungsAfterStall > 0, let after = policy.abandonedAfter
    else { return nil }
    self.after = after
  }

  /// When it is looked at whether a segment is to be given up.
  @inline(__always)
  func abandonment(opened: Instant, bufferEnd: Instant) -> Instant {
    if bufferEnd == .never { return .never }
    if opened < bufferEnd {
      return Instant(nanoseconds: max(0, bufferEnd.nanoseconds + after.nanoseconds))
    }
    // What is asked for when it is too late already has as long; it can prevent no stall.
    return after > .zero ? opened + after : .never
  }
}
