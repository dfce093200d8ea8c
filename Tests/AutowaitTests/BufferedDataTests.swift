import Autowait
import Testing

/// How much data is held at most, against what the log says of segments and of the playhead.
@Suite struct BufferedDataTests {
  /// Segments of a second, of 100,000 bytes and some more each, and sound of 0.7 s beside them.
  private static func stream(_ more: Int64, hasSound: Bool) -> Media {
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
      lists: [
        SegmentList((0..<20).map { (MediaTime.seconds(1), ByteCount(bytes: 100_000 + more * $0)) }),
        SegmentList(
          (0..<28).map { (MediaTime(nanoseconds: 700_000_000), ByteCount(bytes: 7_000 + $0)) }),
      ])
    if hasSound {
      parts.variants[0].audioGroup = 0
      parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
      parts.renditions[0].isDefault = true
    }
    return Media(parts)
  }

  /// What a run would say that knew only its log: whenever something happens, the data of all
  /// segments that have come, for the part of them that lies ahead.
  private static func judged(_ run: Simulation, _ media: [Media]) -> Int64 {
    var asked: [Int: (item: Int, list: Int, segment: Int)] = [:]
    var loaded: [(item: Int, list: Int, segment: Int)] = []
    var (item, time, rate, since, most) = (0, Int64(0), Int64(0), Int64(0), 0.0)
    for record in run.log.records {
      let now = record.instant.nanoseconds
      switch record.event {
      case .segmentRequest(let transfer, _, let list, let segment?, let of):
        asked[transfer] = (of.map { Int($0) } ?? item, Int(list), Int(segment))
      case .mediaRequestCompleted(let transfer, _):
        if let segment = asked[transfer] { loaded.append(segment) }
      case .timebaseRate(let new, let at):
        (time, rate, since) = (at.nanoseconds, new == .zero ? 0 : 1, now)
      case .timeJumped(let to): (time, since) = (to.nanoseconds, now)
      case .currentItem(let number):
        loaded.removeAll { $0.item < number ?? .max }
        (item, time, since) = (number ?? item, 0, now)
      default: continue
      }
      let playhead = time + rate * (now - since)
      let data = loaded.reduce(0.0) { sum, part in
        let list = media[part.item].streamMedia?.lists[part.list] ?? SegmentList([])
        let (start, end) = (
          list.start(of: part.segment).nanoseconds, list.end(of: part.segment).nanoseconds
        )
        let ahead = part.item == item ? max(0, end - max(start, playhead)) : end - start
        let size = Double(list.size(of: part.segment).bytes)
        return sum + size * Double(ahead) / Double(end - start)
      }
      most = max(most, data)
    }
    return Int64(most)
  }

  @Test(arguments: [false, true], [1_000_000, 2_345_678, 40_000_000] as [Int64])
  func theHighestAmountIsHeld(_ hasSound: Bool, _ bitsPerSecond: Int64) {
    let media = [Self.stream(0, hasSound: hasSound), Self.stream(1_234, hasSound: hasSound)]
    let scripts: [[ScriptStep]] = [
      [.at(0, .play)], [.at(9_000, .play)], [.at(0, .play), .at(5_000, .pause)],
      [.at(0, .play), .at(6_000, .seek(.seconds(1))), .at(8_000, .seek(.seconds(15)))],
    ]
    for (script, steps) in scripts.enumerated() {
      for isQueue in [false, true] {
        for ahead in [MediaTime.zero, .seconds(4)] {
          let run = Simulation.onePlayer(
            media[0], media[1], bitsPerSecond: bitsPerSecond, steps, until: 60
          ) {
            $0.measuresBufferedData = true
            $0.preferredForwardBufferDuration = ahead
            if isQueue { $0.queue = [0, 1] }
          }
          let measured = run.metrics(of: 0).streaming?.peakBufferedBytes?.bytes ?? -1
          let judged = Self.judged(run, media)
          #expect(
            abs(measured - judged) <= 1,
            "script \(script), \(isQueue), \(ahead): \(measured), \(judged)")
          #expect(judged > 100_000)
        }
      }
    }
  }

  /// Nobody who does not ask pays for it, and a file has no segments.
  @Test func whoDoesNotAsk() {
    let media = Self.stream(0, hasSound: false)
    let silent = Simulation.onePlayer(media, bitsPerSecond: 8_000_000, [.at(0, .play)])
    let asked = Simulation.onePlayer(media, bitsPerSecond: 8_000_000, [.at(0, .play)]) {
      $0.measuresBufferedData = true
    }
    #expect(silent.metrics(of: 0).streaming?.peakBufferedBytes == nil)
    #expect(silent.fingerprint == asked.fingerprint)
    let file = Simulation.onePlayer(LinkLawTests.media, bitsPerSecond: 8_000_000, []) {
      $0.measuresBufferedData = true
    }
    #expect(file.metrics(of: 0).streaming == nil)
  }
}
