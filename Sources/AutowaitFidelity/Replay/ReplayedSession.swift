import Autowait
import AutowaitScenario

/// What a simulation makes of a recording.
package struct ReplayedSession: Sendable {
  /// A request of the simulated player.
  package struct Request: Hashable, Sendable {
    package let resource: RequestIndex.Resource
    package let asked: Instant
    /// When it had come whole; nil if it did not.
    package fileprivate(set) var done: Instant?

    fileprivate init(resource: RequestIndex.Resource, asked: Instant) {
      (self.resource, self.asked) = (resource, asked)
    }

    /// Takes a recorded request for a simulated one; nil if it was for something else.
    package init?(_ recorded: RecordedRequest) {
      guard let resource = recorded.resource else { return nil }
      (self.resource, asked, done) = (resource, recorded.asked, recorded.ended)
    }
  }

  /// The scenario that was played.
  package let scenario: Scenario
  package let outcome: ViewerOutcome
  /// What was asked for, in order.
  package let requests: [Request]

  /// Plays the scenario of a recording.
  package init(_ text: String, name: String) throws(RecordingProblem) {
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "\(name).json", text: text), loader: .none)
    guard let scenario else {
      let first = findings.first { $0.severity == .error }
      throw RecordingProblem(name, "makes no scenario: \(first?.message ?? "unknown reason")")
    }
    self.scenario = scenario
    let result = ScenarioRun.run(scenario)
    outcome = ViewerOutcome(result)
    requests = Self.requests(result)
  }

  /// The variant in which each segment of the picture came last; nil for those that did not.
  func variants(of recording: Recording) -> [Int?] {
    var variants = [Int?](repeating: nil, count: recording.medium.variants.count)
    for request in requests where request.done != nil {
      guard let (variant, segment) = recording.medium.picture(request.resource),
        variants.indices.contains(segment)
      else { continue }
      variants[segment] = variant
    }
    return variants
  }

  private static func requests(_ result: RunResult) -> [Request] {
    var (index, requests, places) = (RequestIndex(), [Request](), [Int: Int]())
    for record in result.records {
      if let transfer = index.take(record), let request = index[transfer] {
        places[transfer] = requests.count
        requests.append(Request(resource: request.resource, asked: request.opened))
      }
      if case .mediaRequestCompleted(let transfer, _) = record.event,
        let place = places[transfer]
      {
        requests[place].done = record.instant
      }
    }
    return requests
  }
}

extension ViewerOutcome {
  /// What a viewer sees of a run: the clock runs, stands, and has come to the end.
  package init(_ result: RunResult) {
    self.init()
    var (stoodAt, frozeAt): (Instant?, Instant?)
    var freezes: [Stall] = []
    for record in result.records {
      guard case .playback(let news) = record.event.topic else { continue }
      switch news {
      case .timebaseRate(let rate, _) where rate == .zero: stoodAt = record.instant
      case .timebaseRate:
        if startup == nil {
          startup = record.instant
        } else if let start = stoodAt {
          stalls.append(Stall(start: start, end: record.instant))
        }
        stoodAt = nil
      case .pictureFrozen(true): frozeAt = record.instant
      case .pictureFrozen(false):
        if let start = frozeAt { freezes.append(Stall(start: start, end: record.instant)) }
        frozeAt = nil
      case .didPlayToEndTime: end = record.instant
      case .currentItem, .itemStatus, .rate, .reasonForWaitingToPlay, .timeControlStatus,
        .timeJumped, .stalled, .seek, .seekDidComplete, .exception:
        break
      }
    }
    self.freezes = freezes
  }
}
