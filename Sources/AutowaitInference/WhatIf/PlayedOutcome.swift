import Autowait
import AutowaitFidelity
import AutowaitScenario

/// What a viewer would have seen of a session, as far as the log of it reaches.
package struct PlayedOutcome: Hashable, Sendable {
  /// A time in which playback waited for media.
  package struct PlayedStall: Hashable, Sendable {
    package let start: Instant
    /// When it went on; the end of the log if it had not by then.
    package let end: Instant
    /// Where in the media it stood.
    package let position: TimeSpan
  }

  /// When it began to play; nil if it had not by the end of the log.
  package private(set) var startup: Instant?
  package private(set) var stalls: [PlayedStall] = []
  /// What was asked for, and when it had come.
  package private(set) var requests: [PlayedRequest] = []

  /// A request of the simulated player.
  package struct PlayedRequest: Hashable, Sendable {
    package let resource: RequestIndex.Resource
    package let asked: Instant
    package fileprivate(set) var done: Instant?
  }

  package var stalled: TimeSpan { stalls.reduce(.zero) { $0 + ($1.end - $1.start) } }

  /// Takes what was recorded as played; nothing if the log does not say it.
  package init(_ seen: ViewerOutcome, until horizon: Instant) {
    guard let began = seen.startup, began <= horizon else { return }
    startup = began
    var stood = TimeSpan.zero
    for stall in seen.stalls where stall.start < horizon {
      let end = min(stall.end, horizon)
      stalls.append(
        PlayedStall(start: stall.start, end: end, position: stall.start - began + (.zero - stood)))
      stood = stood + (end - stall.start)
    }
  }

  /// Takes a run; `shift` is by how much its clock is ahead of the log's.
  init(_ result: RunResult, shift: TimeSpan, until horizon: Instant) {
    func logged(_ instant: Instant) -> Instant { instant + (.zero - shift) }
    var (stoodAt, place): (Instant?, TimeSpan) = (nil, .zero)
    var (index, places) = (RequestIndex(), [Int: Int]())
    for record in result.records {
      if let transfer = index.take(record), let request = index[transfer] {
        places[transfer] = requests.count
        requests.append(
          PlayedRequest(resource: request.resource, asked: logged(request.opened)))
      }
      let now = logged(record.instant)
      if case .mediaRequestCompleted(let transfer, _) = record.event,
        let place = places[transfer]
      {
        requests[place].done = now
      }
      if now > horizon { continue }
      if case .timebaseRate(let rate, let time) = record.event {
        if rate == .zero {
          if startup != nil { stoodAt = now }
          place = TimeSpan(nanoseconds: time.nanoseconds)
        } else {
          if startup == nil { startup = now }
          if let start = stoodAt {
            stalls.append(PlayedStall(start: start, end: now, position: place))
          }
          stoodAt = nil
        }
      }
      if case .didPlayToEndTime = record.event {
        // What stands at its end waits for nothing.
        stoodAt = nil
        break
      }
    }
    if let start = stoodAt, start < horizon, !hasEnded(result, by: horizon + shift) {
      stalls.append(PlayedStall(start: start, end: horizon, position: place))
    }
  }

  private func hasEnded(_ result: RunResult, by instant: Instant) -> Bool {
    for record in result.records where record.instant <= instant {
      if case .didPlayToEndTime = record.event { return true }
    }
    return false
  }
}
