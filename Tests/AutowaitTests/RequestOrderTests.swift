import Autowait
import Testing

/// When each track asks for its segments, against what the words of the orders say of the instants
/// at which segments were asked for and came.
@Suite struct RequestOrderTests {
  private static let count = 12

  /// A picture and sound of ten times less data, both in segments of a second.
  private static let stream = Media.pictureAndSound(
    count: count, seconds: 1, picture: 100_000, sound: 10_000)

  /// When the segments of both lists were asked for and had come, in nanoseconds.
  private struct Times {
    var asked = [[Int64]](repeating: [], count: 2)
    var came = [[Int64]](repeating: [], count: 2)
    private var lists: [Int: Int] = [:]

    init(_ run: Simulation) {
      for record in run.log.records {
        let now = record.instant.nanoseconds
        switch record.event {
        case .segmentRequest(let transfer, _, let list, .some, _):
          lists[transfer] = Int(list)
          asked[Int(list)].append(now)
        case .mediaRequestCompleted(let transfer, _):
          if let list = lists[transfer] { came[list].append(now) }
        default: continue
        }
      }
    }
  }

  private static func times(
    _ order: RequestOrder, _ bitsPerSecond: Int64, appending: Int64 = 0, opening: Int64 = 0,
    _ reads: (inout KeepUpPolicy) -> Void = { _ in }
  ) -> Times {
    Times(
      .onePlayer(stream, bitsPerSecond: bitsPerSecond, [.at(0, .play)]) {
        $0.keepUp.requestOrder = order
        $0.latency.appending = .milliseconds(appending)
        $0.latency.opening = .milliseconds(opening)
        reads(&$0.keepUp)
        $0.streaming.adaptation.rule = .fixed
      })
  }

  @Test(arguments: RequestOrder.allCases, [300_000, 1_000_000, 7_654_321] as [Int64])
  func eachAsksWhenItsOrderSays(_ order: RequestOrder, _ bitsPerSecond: Int64) {
    let times = Self.times(order, bitsPerSecond)
    #expect(times.asked.map(\.count) == [Self.count, Self.count])
    for list in 0...1 {
      let (own, other) = (times.came[list], times.came[1 - list])
      for segment in 1..<Self.count {
        let expected: Int64? =
          switch order {
          case .furthestBehind: max(own[segment - 1], times.asked[1 - list][segment - 1])
          case .together: max(own[segment - 1], other[segment - 1])
          case .segmentAhead: max(own[segment - 1], segment > 1 ? other[segment - 2] : 0)
          case .independent: own[segment - 1]
          // Segments of a second: a second ahead is a segment ahead, and the playhead is behind.
          case .soundFollows:
            max(own[segment - 1], list == 1 && segment > 1 ? other[segment - 2] : 0)
          case .serial, .soundFirst: nil
          }
        if let expected {
          #expect(times.asked[list][segment] == expected, "\(order) \(list) \(segment)")
        }
      }
    }
  }

  /// One request at a time: the next begins when the one before it has come, in turns.
  @Test func oneAtATime() {
    let times = Self.times(.serial, 1_000_000)
    let turns = (0..<Self.count).flatMap { [times.asked[0][$0], times.asked[1][$0]] }
    let ends = (0..<Self.count).flatMap { [times.came[0][$0], times.came[1][$0]] }
    #expect(Array(turns.dropFirst()) == Array(ends.dropLast()))
  }

  /// One request at a time, sound a segment ahead until there is a picture, and first from then on.
  @Test func soundFirst() {
    let times = Self.times(.soundFirst, 1_000_000)
    // The list and the number of each segment, in the order of the words.
    var turns = [(1, 0), (1, 1), (0, 0), (0, 1)]
    for number in 2..<Self.count { turns += [(1, number), (0, number)] }
    for (before, next) in zip(turns, turns.dropFirst()) {
      #expect(
        times.asked[next.0][next.1] == times.came[before.0][before.1], "\(next) behind \(before)")
    }
  }

  /// A picture that is held back is none yet: sound asks a third time before the second picture.
  @Test func soundFirstUntilThereIsAPicture() {
    let times = Self.times(.soundFirst, 1_000_000) {
      $0.followingBlock = ByteCount(bytes: 5_000)
    }
    let turns = [(1, 0), (1, 1), (0, 0), (1, 2), (0, 1), (0, 2), (1, 3), (0, 3), (1, 4)]
    for (before, next) in zip(turns, turns.dropFirst()) {
      #expect(
        times.asked[next.0][next.1] == times.came[before.0][before.1], "\(next) behind \(before)")
    }
  }

  /// What is being appended has not come for any order.
  @Test func whatIsAppendedHasNotCome() {
    let span: Int64 = 5_000_000
    let times = Self.times(.together, 1_000_000, appending: 5)
    for segment in 1..<Self.count {
      let last = max(times.came[0][segment - 1], times.came[1][segment - 1]) + span
      #expect(times.asked.map { $0[segment] } == [last, last])
    }
  }

  /// The first segments take longer to append, and no others do.
  @Test func theFirstSegmentsAreAppendedLater() {
    let times = Self.times(.together, 1_000_000, appending: 5, opening: 70)
    for segment in 1..<Self.count {
      let span: Int64 = segment == 1 ? 75_000_000 : 5_000_000
      let last = max(times.came[0][segment - 1], times.came[1][segment - 1]) + span
      #expect(times.asked.map { $0[segment] } == [last, last], "segment \(segment)")
    }
  }

  /// Who reads segments while they come appends none.
  @Test func whatIsReadIsNotAppended() {
    let step = MediaTime(nanoseconds: 100_000_000)
    let times = Self.times(.together, 1_000_000, appending: 5, opening: 70) { $0.readStep = step }
    for segment in 1..<Self.count {
      let last = max(times.came[0][segment - 1], times.came[1][segment - 1])
      #expect(times.asked.map { $0[segment] } == [last, last], "segment \(segment)")
    }
  }
}
