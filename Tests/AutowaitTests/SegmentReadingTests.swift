import Autowait
import Testing

/// Segments that are read while they come, against exact fractions of what a link carries.
@Suite struct SegmentReadingTests {
  /// A stream whose segments come one after the other, and what is asked of it.
  private struct Case: CustomTestStringConvertible {
    let number: UInt64
    /// The length of a segment and of a step, and how much media is enough, in nanoseconds.
    let (segment, step, enough): (Int64, Int64, Int64)
    /// The sizes of the segments, in bytes, and the rate of each half second, in bit/s.
    let sizes: [Int64]
    let rates: [Int64]
    var testDescription: String { "case \(number)" }

    init(_ number: UInt64) {
      self.number = number
      var random = RandomStream(seed: number, component: "stream", purpose: "reading")
      func draw(_ least: Int64, _ most: Int64) -> Int64 {
        least + Int64(random.next(below: UInt64(most - least + 1)))
      }
      segment = draw(500, 6_000) * 1_000_000
      step = draw(10, 2_500) * 1_000_000 + draw(0, 999_999)
      enough = draw(100, 9_000) * 1_000_000
      sizes = (0..<4).map { _ in draw(1, 900_000) }
      rates = (0..<200).map { _ in draw(0, 3) == 0 ? 0 : draw(1, 4_000_000) }
    }

    /// When enough media has come: whole segments, and whole steps of the one that comes.
    var start: Int64? {
      var before: Int128 = 0
      for (number, size) in sizes.enumerated() {
        let (begun, end) = (Int64(number) * segment, Int64(number + 1) * segment)
        let all = Int128(size) * 8_000_000_000
        if min(enough, Int64(sizes.count) * segment) <= end {
          // A segment ends before its last step does.
          let media = min((enough - begun + step - 1) / step * step, segment)
          let needed = (all * Int128(media) + Int128(segment) - 1) / Int128(segment)
          return instant(of: before + needed)
        }
        before += all
      }
      return nil
    }

    /// The first nanosecond by which the link has carried so many nanobits.
    private func instant(of bits: Int128) -> Int64? {
      var (left, now) = (bits, Int64(0))
      for (number, rate) in rates.enumerated() {
        let (rate, end) = (Int128(rate), Int64(number + 1) * 500_000_000)
        let whole = rate * Int128(end - now)
        if left <= whole, rate > 0 { return now + Int64((left + rate - 1) / rate) }
        (left, now) = (left - whole, end)
      }
      return nil
    }

    func run(_ readStep: MediaTime?) -> Simulation {
      let list = SegmentList(
        sizes.map { (MediaTime(nanoseconds: segment), ByteCount(bytes: $0)) })
      let media = Media(
        StreamMedia(
          variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
          lists: [list]))
      var player = PlayerConfiguration(media: [media])
      player.keepUp.rule = .conditions(
        ConditionRule(start: BufferConditions(allOf: .atLeast(.buffered, enough))))
      player.keepUp.readStep = readStep
      player.streaming.knowsPlaylists = true
      player.streaming.adaptation.rule = .fixed
      player.streaming.responseTimeout = .seconds(1_000)
      let samples = rates.enumerated().map {
        LinkTrack.Sample(
          start: .milliseconds(500 * Int64($0)), rate: BitRate(bitsPerSecond: $1))
      }
      return Simulation.run(
        of: World(
          links: [LinkProfile(LinkTrack(samples))], players: [player],
          script: [.at(0, .replaceCurrentItem(0)), .at(0, .play)],
          horizon: .start + .seconds(100)))
    }
  }

  /// When the clock first runs.
  private static func start(of run: Simulation) -> Int64? {
    TrackLog(run).clock.first { $0.rate > 0 }?.since
  }

  @Test func playbackBeginsWithWholeSteps() {
    var (begun, sooner) = (0, 0)
    for number in 0..<200 as Range<UInt64> {
      let wanted = Case(number)
      let run = wanted.run(MediaTime(nanoseconds: wanted.step))
      let start = Self.start(of: run)
      let expected = wanted.start.flatMap { $0 < 100_000_000_000 ? $0 : nil }
      #expect(start == expected, "case \(number)")
      if expected != nil { begun += 1 }
      if start ?? 0 < Self.start(of: wanted.run(nil)) ?? .max { sooner += 1 }
    }
    #expect(begun > 150, "too few cases start: \(begun)")
    #expect(sooner > 100, "whole segments are as soon in too many cases")
  }

  // MARK: - Two segments at once

  private static let count = 8

  /// A picture and sound of a tenth of its data, in segments of two seconds.
  private static let stream = Media.pictureAndSound(
    count: count, seconds: 2, picture: 200_000, sound: 20_000)

  /// Both tracks are read in step: the next segment is opened as the reading reaches the one before
  /// it, and goes on when the reading reaches it.
  @Test(arguments: [400_000, 1_000_000, 5_000_000] as [Int64], [10_000, 60_000] as [Int64])
  func theNextSegmentIsOpenedEarly(_ bitsPerSecond: Int64, _ readAhead: Int64) {
    let run = Simulation.onePlayer(
      Self.stream, bitsPerSecond: bitsPerSecond, [.at(0, .play)]
    ) {
      let some = BufferConditions(allOf: .atLeast(.buffered, 200_000_000))
      $0.keepUp.rule = .conditions(ConditionRule(start: some))
      $0.keepUp.readStep = MediaTime(nanoseconds: 100_000_000)
      $0.keepUp.readAhead = ByteCount(bytes: readAhead)
      $0.streaming.adaptation.rule = .fixed
    }
    let log = TrackLog(run)
    var suspended: [Int: Int64] = [:]
    var resumed: [Int64] = []
    for record in run.log.records {
      guard case .readingSuspended(let transfer, let isSuspended) = record.event else { continue }
      if isSuspended {
        #expect(suspended.updateValue(record.instant.nanoseconds, forKey: transfer) == nil)
      } else {
        #expect(suspended.removeValue(forKey: transfer) != nil)
        resumed.append(record.instant.nanoseconds)
      }
    }
    #expect(suspended.isEmpty, "what was suspended goes on")
    for list in 0...1 {
      #expect(log.asked[list].map { $0.segment } == Array(0..<Self.count))
      #expect(log.asked[list][1].at == log.asked[list][0].at, "with the first answer")
      for number in 2..<Self.count {
        let read = max(log.came[0][number - 2].at, log.came[1][number - 2].at)
        #expect(log.asked[list][number].at == read, "list \(list), segment \(number)")
      }
    }
    // What goes on does so as the reading reaches it: when the one behind it is opened.
    let reads = Set((0..<Self.count - 1).map { max(log.came[0][$0].at, log.came[1][$0].at) })
    #expect(reads.isSuperset(of: resumed))
    // Each connection waits for its turn the first time.
    #expect(resumed.count >= 2, "no picture waits")
  }

  /// It is opened with the answer for the present one, and not with the request.
  @Test(arguments: [20, 300] as [Int64])
  func theAnswerOpensTheNextSegment(_ delay: Int64) {
    var player = PlayerConfiguration(media: [Self.stream])
    let some = BufferConditions(allOf: .atLeast(.buffered, 200_000_000))
    player.keepUp.rule = .conditions(ConditionRule(start: some))
    player.keepUp.readAhead = ByteCount(bytes: 60_000)
    player.streaming.adaptation.rule = .fixed
    let rate = BitRate(bitsPerSecond: 1_000_000)
    let run = Simulation.run(
      of: World(
        links: [LinkProfile(LinkTrack(rate: rate, delay: .milliseconds(delay)))],
        players: [player], script: [.at(0, .replaceCurrentItem(0)), .at(0, .play)],
        horizon: .start + .seconds(100)))
    var segments: [Int: (list: Int32, number: Int32)] = [:]
    var (asked, answered) = ([[Int64]](repeating: [], count: 2), [[Int64]](repeating: [], count: 2))
    for record in run.log.records {
      switch record.event {
      case .segmentRequest(let transfer, _, let list, let number?, _):
        segments[transfer] = (list, number)
        asked[Int(list)].append(record.instant.nanoseconds)
      case .mediaResponse(let transfer):
        if let segment = segments[transfer], segment.number == 0 {
          answered[Int(segment.list)].append(record.instant.nanoseconds)
        }
      default: continue
      }
    }
    for list in 0...1 {
      #expect(asked[list].count == Self.count)
      #expect(answered[list] == [asked[list][1]], "list \(list)")
      #expect(asked[list][1] > asked[list][0])
    }
  }
}
