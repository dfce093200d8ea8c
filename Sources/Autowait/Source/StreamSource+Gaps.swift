/// What a player does where a segment is missing on purpose (`EXT-X-GAP`).
///
/// AVFoundation loads the segment in another variant that has it (WWDC17 514). Assumed: the one
/// that it would choose if its own had failed, but none of a higher rate than what was measured
/// carries; whether another one has it is known when its playlist is there. What no variant has is
/// passed over, as it is by other players and in renditions.
extension StreamSource {
  /// Whether another variant is looked for where a segment is missing.
  @inline(__always)
  var leavesAtGaps: Bool { shared.hasGaps && plan.choosesByFillRate }

  /// Whether a segment of a track is known to be missing.
  @inline(__always)
  func isGap(_ segment: Int, of place: Int) -> Bool {
    if !shared.hasGaps { return false }
    let list = tracks[place].list
    return hasPlaylist[list] && streamMedia.lists[list].isGap(segment)
  }

  /// Goes on with another variant if what comes at a time is missing in the present one, and may be
  /// there in the other; returns whether it did.
  mutating func leaveGap(at time: MediaTime, in context: LoadContext) -> Bool {
    guard let variant, hasGap(variant, at: time),
      let other = variantWithoutGap(at: time, context.estimate)
    else { return false }
    assert(other != variant, "variant \(variant) is left for itself")
    if variantBeforeGap == nil { variantBeforeGap = variant }
    changedAt = context.now
    change(to: other, at: context.now)
    // It is chosen for what comes there, which may have another number in its list.
    chosenFor = streamMedia.lists[tracks[0].list].segment(at: time)
    return true
  }

  /// Goes back to the variant in which a gap was met that all have.
  mutating func endGap(at now: Instant) {
    goOn(in: variantBeforeGap, at: now)
    variantBeforeGap = nil
  }

  /// Takes what is missing of a track as loaded; returns where the track goes on.
  mutating func pass(_ segment: Int, of place: Int, at edge: MediaTime) -> MediaTime {
    let list = streamMedia.lists[tracks[place].list]
    _ = releaseLast(of: place)
    insert(list.start(of: segment), list.end(of: segment), into: place)
    hasPassedGap = true
    return tracks[place].edge(from: edge)
  }

  /// Passes over what is missing on purpose behind what is loaded (EXT-X-GAP), as a request would.
  ///
  /// Else what is loaded would end there until the request that follows at once, or there would be
  /// nothing where a playhead was put.
  mutating func passGaps(at playhead: MediaTime, _ estimate: VariantEstimate?) {
    if stage != .segments { return }
    for place in tracks.indices where !tracks[place].isIdle {
      let list = tracks[place].list
      if streamMedia.lists[list].gaps.isEmpty || !hasPlaylist[list] { continue }
      var edge = tracks[place].edge(from: playhead)
      var segment = streamMedia.lists[list].segment(at: edge, near: tracks[place].guess)
      while segment < streamMedia.lists[list].count, streamMedia.lists[list].isGap(segment),
        place > 0 || !leavesAtGaps || variantWithoutGap(at: edge, estimate) == nil,
        streamMedia.live == nil || isOffered(segment, at: edge, of: tracks[place])
      {
        let end = streamMedia.lists[list].end(of: segment)
        insert(streamMedia.lists[list].start(of: segment), end, into: place)
        edge = tracks[place].edge(from: edge)
        assert(edge >= end, "segment \(segment) of list \(list) is missing, and not passed")
        segment = streamMedia.lists[list].segment(at: edge, near: segment)
      }
    }
  }

  /// The variant in which what comes at a time may be there; nil if none of them has it.
  private func variantWithoutGap(at time: MediaTime, _ estimate: VariantEstimate?) -> Int? {
    guard let variant else { return nil }
    let lost = streamMedia.variants.indices.filter { $0 == variant || !mayHave($0, at: time) }
    guard let other = choice.other(than: variant, without: lost) else { return nil }
    if shared.rates[other] <= shared.rates[variantBeforeGap ?? variant] { return other }
    let carries = estimate?.allows(shared.switchRates[other], part: 1_000_000) ?? true
    return carries ? other : nil
  }

  /// Whether a variant may have what comes at a time: it is not known to be missing, or over.
  private func mayHave(_ variant: Int, at time: MediaTime) -> Bool {
    let list = streamMedia.variants[variant].list
    return !hasPlaylist[list] || (time < streamMedia.lists[list].end && !hasGap(variant, at: time))
  }

  /// Whether what comes at a time is known to be missing in a variant.
  private func hasGap(_ variant: Int, at time: MediaTime) -> Bool {
    let list = streamMedia.variants[variant].list
    return hasPlaylist[list]
      && streamMedia.lists[list].isGap(streamMedia.lists[list].segment(at: time))
  }
}
