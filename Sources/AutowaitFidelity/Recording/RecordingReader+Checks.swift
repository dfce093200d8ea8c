import Autowait
import AutowaitScenario

/// What cannot have been, though each number by itself could.
extension RecordingReader {
  /// How far apart two recorded times may be that are one: they are rounded, to 1 ms at most.
  private static let roundingSpan = TimeSpan.milliseconds(1)

  /// How far a clock may run back without a seek: players work out where they are between two
  /// frames.
  private static let clockSpan = MediaTime(nanoseconds: 100_000_000)

  /// Throws if a response begins before it was asked for, or after it was over.
  func checkBegin(of request: RecordedRequest, _ entry: JSONValue) throws(RecordingProblem) {
    guard let began = request.began, let value = entry.member("t_first") else { return }
    if began + Self.roundingSpan < request.asked {
      throw value.problem("is a time before the request was made")
    }
    // One that was aborted nobody knows when is over when it was made.
    let isKnown = request.done != nil || entry.member("t_abort")?.kind == .number
    if isKnown, let closed = request.closed, closed + Self.roundingSpan < began {
      throw value.problem("is a time after the request was over")
    }
  }

  /// Throws if a request of which something came has no end.
  ///
  /// One that was aborted may have none, and one that was still under way when somebody stopped
  /// recording: nothing was asked for after it on its connection, or, where no connections are
  /// named, of the same list.
  func checkEnds(
    of requests: [RecordedRequest], in file: JSONValue, isOver: Bool
  ) throws(RecordingProblem) {
    let entries = Array(try file.required("requests").elements)
    for (place, request) in requests.enumerated() {
      if request.resource == nil || request.closed != nil { continue }
      // What was refused, or never answered, took nothing from others.
      if request.size == .zero, request.began == nil { continue }
      let entry = entries[place]
      if isOver {
        throw entry.problem("has no 't_done', and was not aborted")
      }
      let connection = connection(entry)
      for (later, other) in zip(requests, entries).dropFirst(place + 1) {
        let isNext =
          if let connection {
            self.connection(other) == connection
          } else {
            later.isOfList(of: request)
          }
        if isNext { throw entry.problem("has no 't_done', but others were made after it") }
      }
    }
  }

  /// The connection of a request; nil if it has no number.
  func connection(_ entry: JSONValue) -> Int64? {
    guard let value = entry.member("conn"), value.kind == .number,
      case .exact(let number)? = value.decimal?.integer(scaledBy: 1)
    else { return nil }
    return number
  }

  /// When a player sought: its clock may run back then.
  func seeks(_ file: JSONValue) throws(RecordingProblem) -> [Instant] {
    var seeks: [Instant] = []
    for row in file.member("events")?.elements ?? JSONElements() {
      let row = Array(row.elements)
      if row.count > 1, row[0].kind == .number,
        row[1].isString("seeking") || row[1].isString("seek")
      {
        seeks.append(Instant(nanoseconds: try row[0].nanoseconds(allowingNegative: true)))
      }
    }
    return seeks
  }

  /// Whether a clock ran back between two samples though nobody sought.
  func isBack(_ last: RecordedSample, _ next: RecordedSample, _ seeks: [Instant]) -> Bool {
    if next.position + Self.clockSpan >= last.position { return false }
    // An element says that it seeks when it has moved its clock, or a little later.
    let span = last.instant...(next.instant + .milliseconds(500))
    return !seeks.contains { span.contains($0) }
  }

  /// The last instant of which a recording says something; nil if it has neither samples nor
  /// events.
  func last(
    _ file: JSONValue, _ samples: [RecordedSample]
  ) throws(RecordingProblem) -> Instant? {
    var last = samples.last?.instant
    for event in file.member("events")?.elements ?? JSONElements() {
      guard let time = event.elements.first(where: { _ in true }), time.kind == .number else {
        continue
      }
      let instant = Instant(nanoseconds: try time.nanoseconds(allowingNegative: true))
      last = max(last ?? instant, instant)
    }
    return last
  }
}

extension RecordedRequest {
  /// Whether it is for the same as another one, or for a segment of the same list.
  fileprivate func isOfList(of other: RecordedRequest) -> Bool {
    if case (.segment(let list, _)?, .segment(let otherList, _)?) = (resource, other.resource) {
      return list == otherList
    }
    return resource == other.resource
  }
}
