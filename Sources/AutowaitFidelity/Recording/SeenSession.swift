import Autowait
import AutowaitScenario

/// What a viewer saw, worked out of the events and the clock of a player where no summary says it.
///
/// Events have the names of those of a media element. The clock counts where both are known: a
/// player says that it plays some time before it does.
struct SeenSession {
  /// The clock stands if it falls behind by this much: less is how coarse recorded clocks are.
  static let stallMin = TimeSpan.milliseconds(250)

  private struct Event {
    let instant: Instant
    let name: String
    let row: JSONValue
  }

  private let events: [Event]
  private let samples: [RecordedSample]

  /// Where playback may be when recording begins; more is a recorder that came too late.
  static let positionMax = MediaTime(nanoseconds: 500_000_000)
  /// The longest session; more is a clock that counts from something else.
  static let spanMax = TimeSpan.seconds(1_000_000)

  /// Reads the events of a recording.
  init(_ file: JSONValue, _ samples: [RecordedSample]) throws(RecordingProblem) {
    self.samples = samples
    guard let list = file.member("events") else {
      throw file.problem("has no 'summary', and no 'events' to work one out of")
    }
    var events: [Event] = []
    for element in list.elements {
      let row = Array(element.elements)
      if row.count < 2 { throw element.problem("has less than a time and a name") }
      let instant = Instant(nanoseconds: try row[0].nanoseconds(allowingNegative: true))
      if let last = events.last, instant < last.instant {
        throw row[0].problem("is a time before that of the row above")
      }
      events.append(Event(instant: instant, name: try row[1].text(), row: element))
    }
    self.events = events
    let positions = samples.map { TimeSpan(nanoseconds: $0.position.nanoseconds) }
    let times = [samples.last?.instant, events.last?.instant].compactMap { $0 }
    if (positions + times.map { $0 - .start }).contains(where: { $0 > Self.spanMax }) {
      throw list.problem("belong to a session of more than a million seconds")
    }
    if let first = samples.first, first.position > Self.positionMax {
      throw list.problem("begin when something had been played; record from the beginning")
    }
    try refuseTouches()
  }

  /// When the player was to play.
  var play: Instant { first("play") ?? .start }

  /// The last that was recorded, if it was not the end.
  var cut: Instant? {
    first("ended") == nil ? max(events.last?.instant, samples.last?.instant) : nil
  }

  /// What was seen.
  var outcome: ViewerOutcome {
    var outcome = ViewerOutcome()
    outcome.end = first("ended")
    let clock = samples.filter { $0.instant <= outcome.end ?? .never }
    outcome.startup = startup(clock) ?? first("playing")
    guard let startup = outcome.startup else { return outcome }
    let stood = stalls(clock.filter { $0.instant >= startup })
    let waits = waits(after: startup).filter { wait in
      !stood.contains { $0.start <= wait.end && wait.start <= $0.end }
    }
    outcome.stalls = (stood + waits).sorted { $0.start < $1.start }
    return outcome
  }

  private func first(_ name: String) -> Instant? { events.first { $0.name == name }?.instant }

  private func max(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return Swift.max(one, other)
  }

  /// Throws if the viewer paused, sought or changed the rate: nothing of that is played again.
  private func refuseTouches() throws(RecordingProblem) {
    let advice = "only a session without user actions can be played again"
    let began = first("playing") ?? .never
    for (number, event) in events.enumerated() {
      switch event.name {
      case "pause":
        // An element pauses at its end, and says so first.
        let next = events[(number + 1)...].first { $0.name != "timeupdate" }
        if next?.name != "ended" { throw event.row.problem("is a pause: \(advice)") }
      case "seeking" where event.instant > began: throw event.row.problem("is a seek: \(advice)")
      case "ratechange":
        let rate = Array(event.row.elements).dropFirst(2).first?.decimal
        if let rate, rate.integer(scaledBy: 1) != .exact(1) {
          throw event.row.problem("is another rate: \(advice)")
        }
      default: continue
      }
    }
  }

  /// When the clock left its first value.
  private func startup(_ clock: [RecordedSample]) -> Instant? {
    guard let place = clock.firstIndex(where: { $0.position > clock[0].position }) else {
      return nil
    }
    let moved = (clock[place].position - clock[0].position).nanoseconds
    return Swift.max(
      clock[place - 1].instant, clock[place].instant + TimeSpan(nanoseconds: -moved))
  }

  /// The times in which the clock stood, or fell behind by more than its samples are coarse.
  private func stalls(_ clock: [RecordedSample]) -> [ViewerOutcome.Stall] {
    var stalls: [ViewerOutcome.Stall] = []
    var open: (start: Instant, end: Instant, lost: TimeSpan)?
    func close() {
      if let open, open.lost >= Self.stallMin {
        stalls.append(ViewerOutcome.Stall(start: open.start, end: open.end))
      }
      open = nil
    }
    for (sample, next) in zip(clock, clock.dropFirst()) {
      let span = next.instant - sample.instant
      let moved = TimeSpan(nanoseconds: (next.position - sample.position).nanoseconds)
      let lost = span - moved
      if lost.nanoseconds * 4 <= span.nanoseconds {
        close()
        continue
      }
      // It ran at first where it began to stand, and at last where it went on.
      let start = open?.start ?? sample.instant + moved
      let end = open == nil ? next.instant : next.instant + (.zero - moved)
      open = (start, end, (open?.lost ?? .zero) + lost)
    }
    // What was never over is no stall that anything could be held against.
    return stalls
  }

  /// The times between a wait and the next time that it plays, after the startup.
  private func waits(after startup: Instant) -> [ViewerOutcome.Stall] {
    var waits: [ViewerOutcome.Stall] = []
    var start: Instant?
    for event in events where event.instant > startup {
      switch event.name {
      case "waiting": start = start ?? event.instant
      case "playing":
        if let start, start < event.instant {
          waits.append(ViewerOutcome.Stall(start: start, end: event.instant))
        }
        start = nil
      case "ended", "error": start = nil
      default: continue
      }
    }
    return waits
  }
}
