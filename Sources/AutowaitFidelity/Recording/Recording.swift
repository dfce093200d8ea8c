import Autowait
import AutowaitScenario

/// A session of a real player, as somebody recorded it; times are counted from the wish to play,
/// or from the first request if that came earlier.
package struct Recording: Sendable {
  /// What it is called: player, medium, shape of the link, and which repeat.
  package let name: String
  /// The player, and its version where it says so.
  package var player: String
  package let version: String?
  /// The options that the player said it had; those of its heuristic where nothing was said.
  package var options: [RecordedOption] = []
  package var medium: RecordedMedium
  package var link: RecordedLink
  /// What the player asked for, in the order in which the server heard of it.
  package let requests: [RecordedRequest]
  /// What a response takes beside what was asked for.
  package let headerSize: ByteCount
  /// What the player had, about ten times a second.
  package let samples: [RecordedSample]
  /// What the viewer saw.
  package let outcome: ViewerOutcome
  /// When the player was to play; later than the start if it loaded before.
  package var play: Instant
  /// When somebody stopped recording before the end; nil if nobody did.
  package var cut: Instant?
  /// How it is to be judged.
  package let standard: FidelityStandard
  /// The processes that waited for the machine afterwards, in hundredths; more than 600 and its
  /// times are late for reasons of their own.
  package let machineLoad: Int64

  /// The recordings of one player on one medium and link are repeats of each other.
  package var siblings: String {
    let parts = name.split(separator: "__")
    return parts.dropLast().joined(separator: "__")
  }

  /// How the rate of the link went, in the words of who recorded it; empty if the name is silent.
  package var shape: String {
    let parts = name.split(separator: "__")
    return parts.count > 3 ? String(parts[2]) : ""
  }

  /// Whether the machine was too busy for its times to be counted.
  package var isBusy: Bool { machineLoad > 600 }
}

/// A request as the server saw it.
package struct RecordedRequest: Hashable, Sendable {
  /// What was asked for; nil for what the medium does not have.
  package let resource: RequestIndex.Resource?
  package let asked: Instant
  /// When the first byte and the last were acknowledged; nil if none was.
  package let began: Instant?
  package let done: Instant?
  /// What was acknowledged, with the header of the response.
  package let size: ByteCount
  /// When the player gave it up; nil if it did not.
  package let aborted: Instant?
  /// When the next thing was asked for on its connection, of a server that saw acknowledgements.
  package var followed: Instant?

  /// When it had come whole; nil if it did not.
  ///
  /// A server looks for the last acknowledgement now and then. Nothing else is asked for on a
  /// connection before all has come, so that a request that follows earlier says it better.
  package var ended: Instant? { done.map { min($0, followed ?? $0) } }

  /// When it was over; nil if it never was.
  package var closed: Instant? { done ?? aborted }
}

/// What a player had at an instant.
package struct RecordedSample: Hashable, Sendable {
  package let instant: Instant
  package let position: MediaTime
  /// The media loaded from the position on; nil where the player does not say it.
  package let ahead: TimeSpan?
}

/// What a viewer sees of a session.
package struct ViewerOutcome: Equatable, Sendable {
  /// A time in which the clock stood though the player was to play.
  package struct Stall: Equatable, Sendable {
    package let start: Instant
    package let end: Instant

    package init(start: Instant, end: Instant) { (self.start, self.end) = (start, end) }

    package var duration: TimeSpan { end - start }
  }

  /// When the clock first ran; nil if it never did.
  package var startup: Instant?
  package var stalls: [Stall] = []
  /// The times in which the picture stood while the clock ran; nil if nobody looked.
  package var freezes: [Stall]?
  /// When it had played to the end; nil if it did not.
  package var end: Instant?

  package init() {}

  package var stalled: TimeSpan { stalls.reduce(.zero) { $0 + $1.duration } }
}

extension Recording {
  /// Creates a recording of which nothing is known but what was asked for over which link.
  package init(
    named name: String, of medium: RecordedMedium, over link: RecordedLink,
    requests: [RecordedRequest], outcome: ViewerOutcome?
  ) {
    self.init(
      name: name, player: "", version: nil, medium: medium, link: link, requests: requests,
      headerSize: .zero, samples: [], outcome: outcome ?? ViewerOutcome(), play: .start, cut: nil,
      standard: FidelityStandard(of: medium, on: link), machineLoad: 0)
  }
}

extension RecordedRequest {
  /// Creates a request that is over, because all came or because it was given up, or is not.
  package init(
    for resource: RequestIndex.Resource?, asked: Instant, began: Instant?,
    over: (instant: Instant, isAborted: Bool)?, size: ByteCount
  ) {
    (self.resource, self.asked, self.began, self.size) = (resource, asked, began, size)
    done = over?.isAborted == false ? over?.instant : nil
    aborted = over?.isAborted == true ? over?.instant : nil
  }
}
