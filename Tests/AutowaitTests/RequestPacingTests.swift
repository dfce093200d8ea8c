import Autowait
import Testing

/// Players that look in intervals whether a track has enough, against the looks that follow from
/// the log: counted from when the track's last segment came.
@Suite struct RequestPacingTests {
  private static let segment: Int64 = 2_000_000_000
  private static let count = 20

  private static let stream = Media.pictureAndSound(
    count: count, seconds: 2, picture: 150_000, sound: 24_000)

  private struct Pace: CustomTestStringConvertible {
    let order: RequestOrder
    let interval: Int64
    let limit: Int64
    var testDescription: String { "\(order), \(interval) ms, \(limit) s" }
  }

  private static let paces = [
    Pace(order: .segmentAhead, interval: 500, limit: 10),
    Pace(order: .segmentAhead, interval: 300, limit: 5),
    Pace(order: .soundFollows, interval: 500, limit: 18),
    Pace(order: .soundFollows, interval: 700, limit: 6),
    Pace(order: .independent, interval: 1_100, limit: 8),
  ]

  /// Whether a track that has so many segments waits at an instant, and until when.
  private static func wait(
    _ list: Int, _ count: Int, at now: Int64, _ log: TrackLog, _ pace: Pace
  ) -> Int64? {
    let (own, other) = (Int64(count) * segment, Int64(log.count(1 - list, at: now)) * segment)
    let place = log.place(at: now)
    let interval = pace.interval * 1_000_000
    if own >= place + pace.limit * 1_000_000_000 { return now + interval }
    switch pace.order {
    case .segmentAhead where own > min(own, other) + segment: return now + 2 * interval
    case .soundFollows where list == 1 && own > max(other + 1_000_000_000, place + segment):
      return now + interval
    default: return nil
    }
  }

  @Test(arguments: paces, [700_000, 1_500_000, 9_000_000] as [Int64])
  private func theyLookInIntervals(_ pace: Pace, _ bitsPerSecond: Int64) {
    let run = Simulation.onePlayer(
      Self.stream, bitsPerSecond: bitsPerSecond, [.at(0, .play)]
    ) {
      let some = BufferConditions(allOf: .atLeast(.buffered, 200_000_000))
      $0.keepUp.rule = .conditions(ConditionRule(start: some))
      $0.keepUp.forwardBufferLimit = .seconds(pace.limit)
      $0.keepUp.requestOrder = pace.order
      $0.keepUp.requestInterval = .milliseconds(pace.interval)
      $0.streaming.adaptation.rule = .fixed
    }
    let log = TrackLog(run)
    var waits = 0
    for list in 0...1 {
      #expect(log.asked[list].map { $0.segment } == Array(0..<Self.count))
      for number in 1..<Self.count {
        var look = log.came[list][number - 1].at
        while let next = Self.wait(list, number, at: look, log, pace) {
          look = next
          waits += 1
        }
        #expect(log.asked[list][number].at == look, "list \(list), segment \(number)")
      }
    }
    #expect(waits > 0, "nobody ever had enough")
  }
}
