import Autowait
import Testing

/// Tracks that are opened one after the other, and what waits for what is under way.
@Suite struct TrackOpeningTests {
  private static let (count, rate) = (6, Int64(1_000_000))

  private static let stream = Media.pictureAndSound(
    count: count, seconds: 2, picture: 100_000, sound: 20_000)

  private static func run(
    _ media: Media = stream, _ change: (inout PlayerConfiguration) -> Void
  ) -> Simulation {
    .onePlayer(media, bitsPerSecond: rate, [.at(0, .play)]) {
      $0.keepUp.requestOrder = .independent
      $0.streaming.adaptation.rule = .fixed
      change(&$0)
    }
  }

  /// How long some bytes take, in nanoseconds.
  private static func span(_ bytes: Int64) -> Int64 { bytes * 8_000_000_000 / rate }

  @Test(
    arguments: [1_000, 12_345, 20_000, 90_000] as [Int64],
    [TrackOpening.Order.pictureFirst, .soundFirst])
  func theNextTrackWaitsForSoMuch(_ size: Int64, _ order: TrackOpening.Order) {
    let log = TrackLog(
      Self.run { $0.keepUp.opening = TrackOpening(size: ByteCount(bytes: size), order: order) })
    let (first, second) = order == .pictureFirst ? (0, 1) : (1, 0)
    let own = order == .pictureFirst ? Int64(100_000) : 20_000
    let begin = log.asked[first][0].at
    let opened = log.asked[second][0].at
    if size < own {
      #expect(opened == begin + Self.span(size))
    } else {
      // A segment that is shorter opens the next track when it has come.
      #expect(opened == log.came[first][0].at)
    }
    #expect(log.came.map(\.count) == [Self.count, Self.count])
  }

  /// All at once without it.
  @Test func withoutItNothingWaits() {
    let log = TrackLog(Self.run { $0.keepUp.opening = nil })
    #expect(log.asked[0][0].at == log.asked[1][0].at)
  }

  /// A ladder of three variants and sound.
  private static var ladder: Media {
    func list(_ size: Int64) -> SegmentList {
      SegmentList((0..<count).map { _ in (.seconds(2), ByteCount(bytes: size)) })
    }
    var parts = StreamMedia(
      variants: [(300_000, 1), (600_000, 2), (900_000, 3)].map {
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: $0), list: $1)
      }, lists: [list(20_000), list(40_000), list(60_000), list(80_000)])
    for variant in parts.variants.indices { parts.variants[variant].audioGroup = 0 }
    parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 0)]
    parts.renditions[0].isDefault = true
    return Media(parts)
  }

  /// The lists and the numbers of the segments that are asked for, and which come.
  private static func segments(
    _ run: Simulation
  ) -> (asked: [(list: Int, number: Int)], came: [(list: Int, number: Int)]) {
    var (asked, came): ([(list: Int, number: Int)], [(list: Int, number: Int)]) = ([], [])
    var places: [Int: Int] = [:]
    for record in run.log.records {
      switch record.event {
      case .segmentRequest(let transfer, _, let list, let number?, _):
        places[transfer] = asked.count
        asked.append((Int(list), Int(number)))
      case .mediaRequestCompleted(let transfer, _):
        if let place = places[transfer] { came.append(asked[place]) }
      default: continue
      }
    }
    return (asked, came)
  }

  /// Of variants that are not played the first segment comes, and of the second no more than the
  /// connection holds.
  @Test func everyVariantIsLookedInto() throws {
    let run = Self.run(Self.ladder) {
      $0.keepUp.opening = TrackOpening(size: ByteCount(bytes: 5_000), order: .everyVariant)
      $0.keepUp.readStep = MediaTime(nanoseconds: 100_000_000)
      $0.keepUp.readAhead = ByteCount(bytes: 15_000)
      $0.streaming.adaptation.rule = .scripted(VariantScript([2]))
    }
    let (asked, came) = Self.segments(run)
    let begun = asked.filter { $0.number == 0 }.map { $0.list }
    #expect(begun == [0, 1, 2, 3], "the sound, the others as they are listed, the picture")
    for other in [1, 2] {
      #expect(asked.filter { $0.list == other }.map { $0.number } == [0, 1])
      #expect(came.filter { $0.list == other }.map { $0.number } == [0])
    }
    for played in [0, 3] {
      #expect(came.filter { $0.list == played }.map { $0.number } == Array(0..<Self.count))
    }
    #expect(hasEnded(run))
  }

  /// What waited on a connection is read at once, and from then on it takes all that comes.
  @Test(arguments: [300_000, 700_000] as [Int64])
  func aConnectionThatWasReadTakesAll(_ bitsPerSecond: Int64) {
    let run = Simulation.onePlayer(
      .pictureAndSound(count: 8, seconds: 2, picture: 100_000, sound: 4_000),
      bitsPerSecond: bitsPerSecond, [.at(0, .play)]
    ) {
      $0.keepUp.readStep = MediaTime(nanoseconds: 100_000_000)
      $0.keepUp.readAhead = ByteCount(bytes: 30_000)
      $0.streaming.adaptation.rule = .fixed
    }
    var (segments, suspended): ([Int: Int32], [Int32]) = ([:], [])
    for record in run.log.records {
      switch record.event {
      case .segmentRequest(let transfer, _, 0, let number?, _): segments[transfer] = number
      case .readingSuspended(let transfer, true):
        if let number = segments[transfer] { suspended.append(number) }
      default: continue
      }
    }
    // The second segment is the first on its connection; the third is the second on the other.
    #expect(suspended == [1, 2])
  }

  /// An answer that is asked for while a picture comes waits for what lies in the queue before it.
  @Test(arguments: [1_000, 20_000] as [Int64])
  func anAnswerWaitsInTheQueue(_ queued: Int64) {
    func answers(_ queued: Int64?) -> [Int64] {
      let run = Self.run {
        $0.keepUp.opening = TrackOpening(size: ByteCount(bytes: 50_000), order: .pictureFirst)
        $0.keepUp.queuedAhead = queued.map { ByteCount(bytes: $0) }
      }
      var (first, times): (Int?, [Int64]) = (nil, [])
      for record in run.log.records {
        switch record.event {
        case .segmentRequest(let transfer, _, 1, 0, _):
          (first, times) = (transfer, [record.instant.nanoseconds])
        case .mediaResponse(let transfer) where transfer == first:
          times.append(record.instant.nanoseconds)
        default: continue
        }
      }
      return times
    }
    let (with, without) = (answers(queued), answers(nil))
    #expect(without[1] == without[0])
    #expect(with[1] == with[0] + Self.span(queued))
  }
}

/// Whether the item was played to its end.
private func hasEnded(_ run: Simulation) -> Bool {
  run.log.records.contains {
    if case .didPlayToEndTime = $0.event { true } else { false }
  }
}
