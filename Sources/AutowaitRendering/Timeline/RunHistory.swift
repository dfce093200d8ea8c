import Autowait
import AutowaitScenario

/// What all pictures of a run have in common, in letters or drawn.
extension RunResult {
  /// The least time that is shown after the last event.
  private static let quietMin = TimeSpan.seconds(5)

  /// Returns from when on nothing happens until the end of the run, so that a picture may leave
  /// most of it out; nil if players play to the end, or if the rest is short.
  ///
  /// Before that a quarter of the time until the last event is shown, or a little if there were
  /// none: enough to see that it goes on as it is.
  func quietSince(_ histories: [PlayerHistory]) -> Instant? {
    if finish != .settled, histories.contains(where: { $0.isPlaying }) { return nil }
    let last = records.last { $0.event.isOfInterest }?.instant ?? .start
    let shown = TimeSpan(nanoseconds: (last - .start).nanoseconds / 4)
    let quiet = last + max(Self.quietMin, shown)
    // What is left out must be worth a break in the picture.
    return (end - quiet).nanoseconds > (quiet - .start).nanoseconds / 2 ? quiet : nil
  }

  /// Returns the records at whose instants a picture looks at the run: all of them, or of more
  /// than a number an even choice of those that may move the buffer.
  func records(max: Int) -> [EventRecord] {
    if records.count <= max { return Array(records) }
    let step = records.count { $0.event.movesBuffer } / max + 1
    var (chosen, place): ([EventRecord], Int) = ([], 0)
    for record in records where record.event.movesBuffer {
      if place.isMultiple(of: step) { chosen.append(record) }
      place += 1
    }
    return chosen
  }

  /// Returns the instants of the run that are among some, ascending, each once.
  func distinct(_ instants: [Instant]) -> [Instant] {
    Set(instants.filter { $0 <= end }).sorted()
  }

  /// The times in which the link was down.
  ///
  /// That it is up again is recorded where something flows; where nothing did, its track says it.
  var outages: [(start: Instant, end: Instant)] {
    var outages: [(start: Instant, end: Instant)] = []
    var (link, origin) = (0, Instant.start)
    let first = scenario.world.links[0].shown.down.track.samples[0].rate
    var down: (start: Instant, end: Instant)?
    if first == .zero { down = (.start, comesBack(0, from: origin, after: .start)) }
    for record in records {
      let (rate, before): (BitRate, (link: Int, origin: Instant))
      before = (link, origin)
      if case .linkChanged(let new, let newRate) = record.event {
        let change = scenario.world.linkChanges.last {
          $0.instant == record.instant && $0.link == new
        }
        let elapsed = change?.elapsed ?? .zero
        origin = Instant(nanoseconds: record.instant.nanoseconds - elapsed.nanoseconds)
        (link, rate) = (new, newRate)
      } else if case .linkRate(let new) = record.event {
        rate = new
      } else {
        continue
      }
      if let last = down, rate > .zero || last.end <= record.instant {
        outages.append((last.start, min(last.end, record.instant)))
        outages += unseen(before.link, from: before.origin, after: last.end, until: record.instant)
        down = nil
      }
      if rate == .zero, down == nil {
        down = (record.instant, comesBack(link, from: origin, after: record.instant))
      }
    }
    if let down { outages.append((down.start, min(down.end, end))) }
    return outages
  }

  /// Returns the outages of a link between two instants by its track: nothing flowed before them.
  private func unseen(
    _ link: Int, from origin: Instant, after start: Instant, until end: Instant
  ) -> [(start: Instant, end: Instant)] {
    var outages: [(start: Instant, end: Instant)] = []
    var down: Instant?
    for sample in scenario.world.links[link].shown.down.track.samples {
      let instant = origin + sample.start
      if instant <= start || instant >= end { continue }
      if sample.rate == .zero { down = down ?? instant }
      if let begun = down, sample.rate > .zero {
        outages.append((begun, instant))
        down = nil
      }
    }
    if let down { outages.append((down, end)) }
    return outages
  }

  /// Returns when a link is up again by its track, which began at an origin; the end of the run if
  /// that is not before it, or if the track repeats.
  private func comesBack(_ link: Int, from origin: Instant, after instant: Instant) -> Instant {
    let track = scenario.world.links[link].shown.down.track
    if case .loop = track.ending { return end }
    let elapsed = instant - origin
    let next = track.samples.first { $0.start > elapsed && $0.rate > .zero }
    return next.map { min(end, origin + $0.start) } ?? end
  }
}
