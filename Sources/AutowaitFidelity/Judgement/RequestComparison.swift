import Autowait
import AutowaitScenario

/// The requests of a simulated player beside those of a recorded one: what is wrong here cannot be
/// made good by another error.
package struct RequestComparison: Sendable {
  /// How far apart two recorded requests must be for their order to count.
  static let orderSpan = TimeSpan.milliseconds(50)
  /// How far from the recorded instant a request may be made, and may have come.
  static let (askedSpan, doneSpan) = (TimeSpan.milliseconds(150), TimeSpan.milliseconds(200))

  /// A recorded request, and the simulated one for the same; nil if there is none.
  package struct Pair: Sendable {
    package let recorded: RecordedRequest
    package let simulated: ReplayedSession.Request?
    /// The place of that one among all: two that a player makes at the same instant reach a server
    /// one after the other.
    let simulatedPlace: Int?
  }

  /// The recorded requests, in their order; without those for what the medium does not have.
  package private(set) var pairs: [Pair] = []
  /// The simulated requests that nobody recorded.
  package private(set) var invented: [ReplayedSession.Request] = []
  /// The pairs of neighbours whose order counts, and in how many it is the same.
  package private(set) var order = Score()
  /// The requests that are made when they were recorded, and those that have come then.
  package private(set) var asked = Score()
  package private(set) var done = Score()

  /// Compares the requests of a session; each is matched with the next one for the same.
  ///
  /// A request is under way for some time until the server has it, which recorded it.
  package init(
    _ simulated: [ReplayedSession.Request], against recorded: [RecordedRequest], way: TimeSpan
  ) {
    var rest = Array(simulated.enumerated())
    for request in recorded where request.resource != nil {
      let place = rest.firstIndex { $0.element.resource == request.resource }
      let match = place.map { rest.remove(at: $0) }
      pairs.append(
        Pair(recorded: request, simulated: match?.element, simulatedPlace: match?.offset))
    }
    invented = rest.map { $0.element }
    for (pair, next) in zip(pairs, pairs.dropFirst())
    where next.recorded.asked - pair.recorded.asked >= Self.orderSpan {
      guard let one = pair.simulatedPlace, let other = next.simulatedPlace else {
        order.add(false)
        continue
      }
      order.add(one < other)
    }
    for pair in pairs {
      let arrived = pair.simulated.map { $0.asked + way }
      asked.add(Self.isNear(arrived, pair.recorded.asked, within: Self.askedSpan))
      // What the player gave up never came.
      if let done = pair.recorded.ended {
        self.done.add(Self.isNear(pair.simulated?.done, done, within: Self.doneSpan))
      }
    }
  }

  private static func isNear(
    _ instant: Instant?, _ recorded: Instant, within span: TimeSpan
  ) -> Bool {
    guard let instant else { return false }
    return abs((instant - recorded).nanoseconds) <= span.nanoseconds
  }
}
