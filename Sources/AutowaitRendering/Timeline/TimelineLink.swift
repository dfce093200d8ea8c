import Autowait
import AutowaitScenario

/// Tells what happens to the link.
struct LinkStory {
  private let scenario: Scenario
  let tellsRates: Bool
  /// The numbers of the records next to stalls, which are told in any case.
  private let nearStalls: Set<Int>
  /// When nothing got through, by the tracks: records tell that it does again where it did.
  private let outages: [(start: Instant, end: Instant)]
  private var downSince: Instant?
  private var track = 0
  /// The instant that is zero on the track.
  private var origin = Instant.start
  /// The rate that the records told last.
  private var rate: BitRate

  init(_ result: RunResult, tellsRates: Bool, nearStalls: Set<Int>) {
    scenario = result.scenario
    outages = result.outages
    self.tellsRates = tellsRates
    self.nearStalls = nearStalls
    rate = scenario.world.links.first?.shown.down.track.samples.first?.rate ?? .zero
    if rate == .zero { downSince = .start }
  }

  /// Tells the changes of the condition, all outages, and of the rate few changes or those that
  /// are next to a stall.
  mutating func tell(_ moment: ArraySlice<EventRecord>) -> [TimelineEvents.StoryLine] {
    moment.flatMap { record -> [TimelineEvents.StoryLine] in
      guard case .world(let news) = record.event.topic else { return [] }
      switch news {
      case .linkChanged(let new, let newRate):
        track = new
        rate = newRate
        let change = scenario.world.linkChanges.last {
          $0.instant == record.instant && $0.link == new
        }
        let elapsed = change?.elapsed ?? .zero
        origin = Instant(nanoseconds: record.instant.nanoseconds - elapsed.nanoseconds)
        let name = TerminalText.safe(scenario.linkNames[track])
        let samples = scenario.world.links[track].shown.down.track.samples
        let text = samples.count > 1 ? "\(TimelineNumbers.text(rate)) at first" : nil
        return lines(record, rate, "\(name): ", text)
      case .linkRate(let new):
        let old = rate
        rate = new
        let isNear = nearStalls.contains(record.number)
        if !tellsRates, !isNear, new != .zero, downSince == nil { return [] }
        // A request that is made meanwhile meets the same outage.
        if new == .zero, downSince != nil { return [] }
        let before = unseen(before: record.instant, told: old)
        let text = before.flatMap { before in
          before == new ? nil : "\(TimelineNumbers.text(new)) (after \(Self.text(before)))"
        }
        return lines(record, new, "", text)
      case .step(let index):
        return step(scenario.world.script[index], index, record).map { [$0] } ?? []
      case .started, .finished: return []
      }
    }
  }

  /// Tells what a step does to the traffic of others.
  private func step(
    _ step: ScriptStep, _ index: Int, _ record: EventRecord
  ) -> TimelineEvents.StoryLine? {
    guard case .suspendTraffic(let isSuspended) = step.action else { return nil }
    return TimelineEvents.StoryLine(
      instant: record.instant, player: nil, what: scenario.stepNames[index],
      why: step.trigger.condition ?? "others \(isSuspended ? "stand still" : "go on")")
  }

  /// Returns the rate that held just before a change, if no record tells of it: the link also
  /// changes while nothing flows.
  private func unseen(before instant: Instant, told rate: BitRate) -> BitRate? {
    let elapsed = (instant - origin).nanoseconds
    if elapsed < 1 { return nil }
    let before = trackRate(at: Instant(nanoseconds: instant.nanoseconds - 1))
    return before == rate ? nil : before
  }

  private func trackRate(at instant: Instant) -> BitRate {
    scenario.world.links[track].shown.down.track.rate(at: instant - origin)
  }

  private static func text(_ before: BitRate) -> String {
    before == .zero ? "being down" : TimelineNumbers.text(before)
  }

  private mutating func lines(
    _ record: EventRecord, _ rate: BitRate, _ prefix: String, _ text: String?
  ) -> [TimelineEvents.StoryLine] {
    var line = TimelineEvents.StoryLine(
      instant: record.instant, player: nil, what: "link", why: prefix)
    line.isAside = !tellsRates && !nearStalls.contains(record.number)
    line.changes = 1
    if rate == .zero {
      line.what = "link down"
      line.why += "nothing arrives"
      line.paint = .red
      line.isOutage = true
      downSince = downSince ?? record.instant
      return [line]
    }
    line.why += text ?? TimelineNumbers.text(rate)
    if let downSince {
      let end = outages.first { $0.start == downSince }.map { min($0.end, record.instant) }
      line.what = "link up"
      line.outage = (end ?? record.instant) - downSince
      if let end, end < record.instant {
        // Nothing flowed when it came back.
        line.instant = end
        line.why = prefix + TimelineNumbers.text(trackRate(at: end))
        let unseen = outages.filter { $0.start > end && $0.start < record.instant }
        if unseen.isEmpty, trackRate(at: end) != rate {
          line.why +=
            ", and \(TimelineNumbers.text(rate)) at \(TimelineNumbers.text(record.instant))"
        }
        self.downSince = nil
        return [line] + unseen.flatMap { self.lines(ofUnseen: $0, like: line) }
      }
      self.downSince = nil
    }
    return [line]
  }

  /// Tells of an outage before which nothing flowed.
  private func lines(
    ofUnseen outage: (start: Instant, end: Instant), like last: TimelineEvents.StoryLine
  ) -> [TimelineEvents.StoryLine] {
    var (down, up) = (last, last)
    (down.instant, down.what, down.why) = (outage.start, "link down", "nothing arrives")
    (down.paint, down.isOutage, down.outage) = (.red, true, nil)
    (down.changes, up.changes) = (0, 0)
    (up.instant, up.outage) = (outage.end, outage.end - outage.start)
    up.why = TimelineNumbers.text(trackRate(at: outage.end))
    return [down, up]
  }
}

extension LinkTrack {
  /// Returns the rate at a time from the start of the track.
  fileprivate func rate(at time: TimeSpan) -> BitRate {
    var time = time
    switch ending {
    case .hold: break
    case .offline(let end): if time >= end { return .zero }
    case .loop(let period): time = TimeSpan(nanoseconds: time.nanoseconds % period.nanoseconds)
    }
    return samples.last { $0.start <= time }?.rate ?? .zero
  }
}
