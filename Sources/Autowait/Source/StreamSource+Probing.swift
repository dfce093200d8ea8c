/// How a player looks into the first segment of each track before it loads any of them whole.
///
/// Observed: the HLS player that is built into Chromium. It reads the beginning of a segment to
/// know what is in it, drops the connection, and asks for the rest later.
extension StreamSource {
  /// The next request of a player that takes one track after the other, with its playlist, its
  /// initialisation section and the beginning of a segment; nil when all of that has come, or
  /// nothing may be asked for.
  func nextOfProbing(in context: LoadContext) -> NextRequest? {
    assert(plan.requests.order == .serial, "one track after the other, and all at once")
    for place in tracks.indices where !tracks[place].isIdle {
      let track = tracks[place]
      if track.retriesAt > context.now { return nil }
      if !hasPlaylist[track.list] { return NextRequest(.mediaPlaylist(track.list), for: place) }
      guard goal == .media, hasStartPosition else { return nil }
      let list = streamMedia.lists[track.list]
      let number = list.segment(at: context.playhead, near: track.guess)
      if number >= list.count || track.probe?.list == track.list { continue }
      let need = list.stretch(of: number)
      if let key = need.key, !hasKey[key] {
        return needs(key: key, at: context.now) ? NextRequest(.contentKey(key)) : nil
      }
      return NextRequest(
        track.section(need) ?? .segment(list: track.list, number: number), for: place)
    }
    return nil
  }

  /// Whether some track has not been looked into.
  @inline(__always)
  var isProbing: Bool {
    plan.requests.probe != nil && stage == .start
      && tracks.contains { !$0.isIdle && $0.probe?.list != $0.list }
  }

  /// What is asked for of a segment: its beginning, or the rest of it; nil for all of it.
  @inline(always)
  func probedSize(of resource: StreamResource) -> ByteCount? {
    guard let probe = plan.requests.probe, case .segment(let list, let number) = resource,
      let track = tracks.first(where: { $0.list == list })
    else { return nil }
    let size = streamMedia.lists[list].size(of: number)
    if isProbing { return min(size, probe.size) }
    guard let probed = track.probe, probed.list == list, probed.number == number else { return nil }
    return ByteCount(bytes: max(0, size.bytes - probe.size.bytes))
  }

  /// Tells the rule of what it measures besides segments of the picture: those of the sound, and
  /// each read of a segment that was looked into.
  ///
  /// Recorded: the player in Chromium climbs after the first segment of picture and sound at 1.5
  /// and at 3 Mbit/s, to the second variant of 1.02 and 2.54 Mbit/s. Its slower mean has seen seven
  /// samples then, as many as there are reads of 32 KiB; from then on each segment counts once.
  mutating func noteReads(_ request: StreamRequest, of place: Int, at now: Instant) {
    var count = place == 0 ? 0 : 1
    if isProbing {
      count = 1
    } else if let probe = plan.requests.probe,
      case .segment(let list, let number) = request.resource, let probed = tracks[place].probe,
      probed.list == list, probed.number == number
    {
      let reads = max(1, (request.size.wholeBytes.bytes - 1) / max(1, probe.size.bytes) + 1)
      count += Int(reads) - 1
    }
    if count == 0 { return }
    drivers[0].noteReads(count, of: request.size, in: now - (request.responded ?? request.opened))
  }

  /// Takes note of the beginning of a segment that has come; returns false if all of it has.
  mutating func takeProbe(_ request: StreamRequest, of place: Int, at now: Instant) -> Bool {
    guard isProbing, case .segment(let list, let number) = request.resource else { return false }
    assert(tracks[place].list == list, "a look into a segment of another track")
    tracks[place].probe = (list, number)
    waitForDropped(request, at: now)
    return true
  }

  /// Waits until the link is free of what was under way when the connection was dropped.
  ///
  /// The next request is made at once, and its round trip passes while that comes: what is left of
  /// it then holds up the response, at the rate at which the beginning came.
  private mutating func waitForDropped(_ request: StreamRequest, at now: Instant) {
    guard let probe = plan.requests.probe, case .segment(let list, let number) = request.resource
    else { return }
    let responded = request.responded ?? request.opened
    let size = streamMedia.lists[list].size(of: number).bytes
    let dropped = min(probe.dropped.bytes, max(0, size - probe.size.bytes))
    let read = max(1, request.size.wholeBytes.bytes)
    let time = Int128((now - responded).nanoseconds) * Int128(dropped) / Int128(read)
    let rest = TimeSpan(nanoseconds: Int64(clamping: time)) - (responded - request.opened)
    if rest > .zero { linkIsFreeAt = now + rest }
  }
}
