/// The segment that is under way while a stream plays smoothly.
struct SmoothSegment {
  let list: Int
  let number: Int
  let size: ByteCount
  var opened = Instant.start
  var responseRecord = 0
}

/// What the loader of a single track does with a segment when nothing else is to be done.
///
/// It comes to what `take` and `next` come to. The functions are `mutating`, some in name only, so
/// that a large value is not copied for a look (measured).
extension StreamLoader {
  /// The only request under way, if it is for a segment of the only track, and none like it.
  var smoothSegment: SmoothSegment? {
    mutating get {
      guard isReady, drivers.isEmpty, tracks.count == 1, requests.count == 1,
        requests[0].fault == nil,
        ladder.faults.isEmpty, ladder.live == nil, ladder.renditions.isEmpty,
        tracks[0].loaded.ranges.count == 1,
        case .segment(let list, let number) = requests[0].resource, requests[0].track == 0,
        MediaTime(place: tracks[0].loaded.ranges[0].end) == ladder.lists[list].start(of: number)
      else { return nil }
      return SmoothSegment(
        list: list, number: number, size: ladder.lists[list].size(of: number),
        opened: requests[0].opened, responseRecord: requests[0].responseRecord)
    }
  }

  /// Whether a segment is followed by another one.
  mutating func isFollowed(_ segment: SmoothSegment) -> Bool {
    segment.number + 1 < ladder.lists[segment.list].count
  }

  /// Whether the choice among variants depends on the fill rate.
  var needsFillRate: Bool {
    mutating get { if case .avfoundation = policy.adaptation.rule { true } else { false } }
  }

  private var chosenByThroughput: Bool {
    mutating get { if case .throughput = policy.adaptation.rule { true } else { false } }
  }

  /// Takes note of a segment that has come, and returns where what is loaded ends.
  mutating func takeSmooth(_ segment: SmoothSegment, at now: Instant) -> MediaTime {
    requests.removeLast()
    let start = ladder.lists[segment.list].start(of: segment.number)
    let end = ladder.lists[segment.list].end(of: segment.number)
    tracks[0].failures = 0
    tracks[0].loaded.extendLast(to: Work(placeOf: end))
    tracks[0].guess = segment.number + 1
    pieces.add(start, end, of: variant ?? 0)
    throughput.note(
      Work(segment.size), in: now - segment.opened, segmentsMax: policy.adaptation.segmentsMax)
    tally.noteVideo(
      segment.size, plays: MediaTime(nanoseconds: end.nanoseconds - start.nanoseconds),
      in: now - segment.opened)
    return end
  }

  /// Returns the next segment, if no more than it is needed; what was chosen stays chosen.
  mutating func nextSmooth(_ estimate: VariantEstimate?, at now: Instant) -> SmoothSegment? {
    guard let present = variant, rungsToFall == 0, tracks[0].retriesAt <= now else { return nil }
    let time = MediaTime(place: tracks[0].loaded.ranges[0].end)
    let number = ladder.lists[tracks[0].list].segment(at: time, near: tracks[0].guess)
    guard number < ladder.lists[tracks[0].list].count, !ladder.lists[tracks[0].list].isGap(number)
    else { return nil }
    if chosenFor != number {
      chosenFor = number
      let next = choice.next(
        number, after: present, chosenByThroughput ? throughput.estimate : estimate,
        policy.adaptation)
      if next != present {
        variant = next
        tracks[0].list = ladder.variants[next].list
      }
    }
    let list = tracks[0].list
    guard hasPlaylist[list], number < ladder.lists[list].count,
      ladder.lists[list].start(of: number) == time, ladder.lists[list].needsNothing
    else { return nil }
    return SmoothSegment(list: list, number: number, size: ladder.lists[list].size(of: number))
  }

  /// Takes note of the request for a segment.
  mutating func beginSmooth(_ segment: SmoothSegment, transfer: Int) {
    requests.append(
      StreamRequest(
        transfer: transfer, resource: .segment(list: segment.list, number: segment.number),
        track: 0, size: Work(segment.size), opened: segment.opened, fault: nil))
  }
}
