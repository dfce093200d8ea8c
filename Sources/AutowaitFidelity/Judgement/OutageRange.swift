import Autowait
import AutowaitScenario

/// When a player may go on after an outage: what many runs in packets say, beside a recording.
///
/// A sender that heard nothing tries again when its timeout says so, which doubles each time (RFC
/// 6298). Which of these instants comes first after the link is back follows from where in its
/// sending the outage began, and so from milliseconds: two repeats of a recording went on 1.6 s
/// apart. One run says nothing, the range of many does.
package struct OutageRange: Hashable, Sendable {
  /// When the recorded player went on.
  package let recorded: Instant
  /// When simulated ones did, ascending: of the runs in which one stalled.
  package let simulated: [Instant]

  /// How many runs there are.
  package static let runs = 50
  /// By how much a player may begin later: what repeats ask for at the time of the outage is 0.05
  /// to 0.14 s apart (measured of Chromium and hls.js; Shaka's up to 0.37 s).
  private static let lateMax: UInt64 = 150_000_000
  /// The recording server shaped what it sent itself, so that its TCP knew of the queue: senders of
  /// Linux 6.18 on such a device were late by 1.8 s after an outage of 8 s (median of 32), with the
  /// same queue behind a router by 3.0 s (of 24), and recorded ones by 1.7 s.
  private static let transport =
    #"{"tier": "packet", "queueInServer": true, "dnsLookup": false}"#

  /// Plays a recording in which a stall lasts until after an outage; nil if there is none, or
  /// nobody knows the player.
  package init?(_ recording: Recording) {
    guard let back = recording.link.outageEnd,
      let recorded = Self.resume(recording.outcome, after: back),
      let player = RecordedPlayer.of(recording)
    else { return nil }
    self.recorded = recorded
    let roundTrip = recording.link.roundTrip
    let steps = recording.link.schedule.map {
      RecordedLink.Step(start: $0.start, rate: $0.rate.withHeaders)
    }
    var random = RandomStream(seed: 1, component: "fidelity", purpose: "outages")
    var simulated: [Instant] = []
    for _ in 0..<Self.runs {
      let late = TimeSpan(nanoseconds: Int64(random.next(below: Self.lateMax)))
      var stage = RecordingScenario.Stage(
        heuristic: player.heuristic(), steps: steps,
        roundTrip: roundTrip, load: roundTrip + late)
      (stage.transport, stage.queue) = (Self.transport, recording.link.queue)
      guard
        let session = try? ReplayedSession(
          RecordingScenario.text(of: recording, on: stage), name: recording.name)
      else { return nil }
      if let resume = Self.resume(session.outcome, after: back) { simulated.append(resume) }
    }
    self.simulated = simulated.sorted()
  }

  /// Whether the recorded instant is one of those that are simulated, or between them.
  package var holds: Bool {
    guard let first = simulated.first, let last = simulated.last else { return false }
    return first <= recorded && recorded <= last
  }

  /// How far apart the simulated instants are.
  package var width: TimeSpan {
    guard let first = simulated.first, let last = simulated.last else { return .zero }
    return last - first
  }

  /// When the first stall ends that lasts until after an instant.
  private static func resume(_ outcome: ViewerOutcome, after back: Instant) -> Instant? {
    outcome.stalls.first { $0.end > back }?.end
  }
}
