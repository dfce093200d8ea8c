import Autowait
import AutowaitScenario

/// A session of another simulator: what it was given, and what came out of it.
package struct ParityCase {
  /// A request of the session.
  package struct Attempt {
    /// The segment.
    package var index: Int
    /// The quality that was asked for.
    package var quality: Int
    /// What was asked for.
    package var request: SegmentRequest
    /// When it was made, in the player's time, if the log says it.
    package var requestedAt: Milliseconds?
    /// How long it took.
    package var duration: Milliseconds
    /// The stalls until then, if the log says it.
    package var stalledBefore: Milliseconds?
  }

  /// A number of a log, in milliseconds.
  package typealias Milliseconds = Double

  /// What came out in the end.
  package struct Outcome {
    /// From the first request to the last byte of the first segment.
    package var startup: Milliseconds
    /// The sum of the stalls.
    package var stalled: Milliseconds
    /// The time of the session; to the end of the last download for Pensieve.
    package var total: Milliseconds
    /// The stalls of a microsecond and more.
    package var stalls: Int
  }

  /// The name of the session.
  package var name: String
  /// How the player fetches.
  package var policy: SegmentPolicy
  /// The rates and latencies of what it fetches over.
  package var track: LinkTrack
  /// What it fetches over.
  package var link: ReferenceLink
  /// The requests, in order.
  package var attempts: [Attempt]
  /// What came out.
  package var outcome: Outcome
  /// Whether the total counts the playing out of the buffer.
  package var playsOut: Bool
}

/// How far a replay is from the session that it replays.
package struct ParityResult {
  /// The name of the session.
  package var name: String
  /// What the replay came to.
  package var replay: ParityCase.Outcome
  /// The largest difference of startup, stalls, total, and the length of each request.
  package var startup = 0.0
  package var stalled = 0.0
  package var total = 0.0
  package var request = 0.0
  /// The difference of the number of stalls.
  package var stalls = 0

  /// Whether nothing differs by more than the bar: 0.2 ms, and no stall.
  package var isInside: Bool {
    stalls == 0 && max(startup, stalled, total, request) <= ParityResult.bar
  }

  /// What a replay may err, in milliseconds.
  package static let bar = 0.2

  /// Lists results, with the differences in microseconds.
  package static func table(_ results: [ParityResult]) -> String {
    var lines = ["session            startup   stalled     total  a request  stalls"]
    for result in results {
      let differences = [result.startup, result.stalled, result.total, result.request]
      let cells = differences.map { AccuracyText.right(AccuracyText.fixed($0 * 1_000, 3), 10) }
      let stalls = "\(result.replay.stalls)" + (result.stalls == 0 ? "" : " (\(result.stalls))")
      lines.append(
        AccuracyText.left(result.name, 16) + cells.joined() + AccuracyText.right(stalls, 8)
          + (result.isInside ? "" : " !"))
    }
    lines.append("\(results.count { $0.isInside }) of \(results.count) sessions alike")
    return lines.map { $0 + "\n" }.joined()
  }
}

extension ParityCase {
  /// The shortest stall that counts; Sabre's own count contains rounding errors of its floats.
  package static let stallMin = TimeSpan(nanoseconds: 1_000)

  /// Replays the requests and compares.
  package func replay() -> ParityResult {
    var player = SegmentReplay(policy, over: link)
    var request = 0.0
    for attempt in attempts {
      var next = attempt.request
      if let requestedAt = attempt.requestedAt {
        next.pause = ownPause(before: requestedAt, player)
      }
      guard let fetch = player.fetch(next) else {
        preconditionFailure("\(name): segment \(attempt.index) never arrives")
      }
      request = max(request, abs(Self.milliseconds(fetch.transfer.duration) - attempt.duration))
      if let requestedAt = attempt.requestedAt {
        let made = Self.milliseconds(fetch.requestedAt - .start)
        request = max(request, abs(made - requestedAt))
      }
    }
    if playsOut { player.playOut() }
    let replay = Outcome(
      startup: Self.milliseconds(player.startup ?? .zero),
      stalled: Self.milliseconds(player.stalled), total: Self.milliseconds(player.now - .start),
      stalls: player.stalls.count { $0.length >= Self.stallMin })
    return ParityResult(
      name: name, replay: replay, startup: abs(replay.startup - outcome.startup),
      stalled: abs(replay.stalled - outcome.stalled), total: abs(replay.total - outcome.total),
      request: request, stalls: replay.stalls - outcome.stalls)
  }

  /// The pause that the session's rule made before a request, beyond what a full buffer imposed.
  ///
  /// A rule's pauses are not in the log; they show as requests that are later than they need be.
  private func ownPause(before requestedAt: Milliseconds, _ player: SegmentReplay) -> TimeSpan {
    let full = max(.zero, player.level + policy.segmentDuration - policy.bufferMax)
    let pause = requestedAt - Self.milliseconds(player.now + full - .start)
    return pause > ParityResult.bar ? TimeSpan(nanoseconds: Int64(pause * 1e6 + 0.5)) : .zero
  }

  /// A span in milliseconds.
  package static func milliseconds(_ span: TimeSpan) -> Milliseconds {
    Double(span.nanoseconds) / 1e6
  }
}
