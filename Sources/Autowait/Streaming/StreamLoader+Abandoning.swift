/// Segments that are given up because they come too late.
extension StreamLoader {
  /// The request for a segment of the variant, if one is under way that may be given up.
  private var abandonable: Int? {
    mutating get {
      guard let variant, !choice.isLowest(variant) else { return nil }
      return requests.firstIndex {
        if case .segment = $0.resource { $0.track == 0 && !$0.isKept } else { false }
      }
    }
  }

  /// When it is looked at whether a segment is to be given up, if the buffer ends at an instant.
  mutating func abandonment(bufferEnd: Instant?) -> Instant {
    guard policy.adaptation.rule.readsFillRate, let bufferEnd, let variant, let index = abandonable
    else { return .never }
    return policy.adaptation.abandonment(
      opened: requests[index].opened, bufferEnd: bufferEnd, of: variant, choice)
  }

  /// Returns the transfer of a segment that is to be given up now; it is looked at once only.
  ///
  /// Before the end of the buffer it must be expected to come too late, at the rate at which it has
  /// come so far. It is kept if less of it is missing than what would be asked for instead.
  mutating func abandoned(at now: Instant, bufferEnd: Instant) -> Int? {
    guard let variant, let index = abandonable,
      case .segment(_, let number) = requests[index].resource
    else { return nil }
    requests[index].isKept = true
    let request = requests[index]
    let missing = request.size - min(request.size, request.delivered)
    if now < bufferEnd {
      let isInTime = ExactProduct.isAtMost(
        missing.nanobits, UInt128(UInt64((now - request.opened).nanoseconds)),
        request.delivered.nanobits, UInt128(UInt64((bufferEnd - now).nanoseconds)))
      if isInTime { return nil }
    }
    let other = choice.below(variant, by: policy.adaptation.rungsAfterStall)
    // What costs no less would be given up again at once.
    guard ladder.variants[other].bandwidth < ladder.variants[variant].bandwidth else { return nil }
    let list = ladder.lists[ladder.variants[other].list]
    guard number < list.count, Work(list.size(of: number)) < missing else { return nil }
    return request.transfer
  }
}

extension AdaptationPolicy {
  /// When it is looked at whether a segment of a variant is to be given up.
  @inline(__always)
  func abandonment(
    opened: Instant, bufferEnd: Instant, of variant: Int, _ choice: VariantChoice
  ) -> Instant {
    guard rungsAfterStall > 0, let after = abandonedAfter, bufferEnd != .never,
      !choice.isLowest(variant)
    else { return .never }
    if opened < bufferEnd {
      return Instant(nanoseconds: max(0, bufferEnd.nanoseconds + after.nanoseconds))
    }
    // What is asked for when it is too late already has as long; it can prevent no stall.
    return after > .zero ? opened + after : .never
  }
}
