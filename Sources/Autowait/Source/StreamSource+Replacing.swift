/// How a better variant is loaded over what is there of the one before, for players that do so.
extension StreamSource {
  /// Where the picture goes on after its variant has been chosen: where it was going to, or, if it
  /// has climbed and something is loaded ahead, with the segment in which the playhead is.
  ///
  /// What is loaded stays and plays until something better has come.
  mutating func edgeAfterClimb(
    from before: Int?, at edge: MediaTime, in context: LoadContext
  ) -> MediaTime {
    guard let before, let variant, before != variant, streamMedia.live == nil,
      streamMedia.variants[before].bandwidth < streamMedia.variants[variant].bandwidth,
      edge > context.playhead,
      tracks[0].loaded.range(holding: context.playhead) != nil
    else { return edge }
    let list = streamMedia.lists[tracks[0].list]
    let present = list.segment(at: context.playhead)
    let end = min(chosenFor, list.count)
    // What the better variant lacks stays as it is, with all behind it.
    guard present < end, !(present..<end).contains(where: { list.isGap($0) }) else { return edge }
    assert(replacement == nil, "a variant is chosen while another one is being replaced")
    replacement = (list.start(of: present), chosenFor)
    return list.start(of: present)
  }

  /// Where the picture goes on while a better variant is loaded over what is there; nil if none is.
  ///
  /// What the playhead has passed meanwhile is left out.
  mutating func edgeOfReplacement(before edge: MediaTime, in context: LoadContext) -> MediaTime? {
    guard let again = replacement else { return nil }
    let list = streamMedia.lists[tracks[0].list]
    let segment = max(list.segment(at: again.edge), list.segment(at: context.playhead))
    if segment >= min(again.chosenFor, list.count) || list.start(of: segment) >= edge {
      replacement = nil
      return nil
    }
    return list.start(of: segment)
  }

  /// Takes note of a segment of the picture that has come.
  mutating func noteReplacement(_ request: StreamRequest) {
    guard let again = replacement, request.track == 0, let span = request.span,
      span.start >= again.edge, span.start < span.end
    else { return }
    assert(plan.requests.replacesOnClimb, "a player replaces what it keeps")
    replacement?.edge = span.end
  }
}
