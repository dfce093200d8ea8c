import Autowait
import Testing

/// A player that loads no more of a variant than BOLA would, and loads again what it has not played
/// when it climbs: dash.js, as it was recorded.
@Suite struct ReplacementTests {
  private static let count = 15

  /// The recorded ladder, in segments of four seconds.
  private static var ladder: Media {
    func list(_ size: Int64) -> SegmentList {
      SegmentList((0..<count).map { _ in (.seconds(4), ByteCount(bytes: size)) })
    }
    let rates: [Int64] = [312_112, 918_218, 2_439_550]
    var parts = StreamMedia(
      variants: rates.enumerated().map {
        StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: $1), list: $0 + 1)
      }, lists: [list(48_000)] + rates.map { list($0 / 2) })
    for variant in parts.variants.indices { parts.variants[variant].audioGroup = 0 }
    parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 0)]
    parts.renditions[0].isDefault = true
    return Media(parts)
  }

  private struct Asked {
    let (list, number): (Int, Int)
    let at: Int64
    /// Where the playhead is.
    let place: Int64
  }

  private static func run(
    _ script: [Int], _ change: (inout KeepUpPolicy) -> Void
  ) -> (asked: [Asked], run: Simulation) {
    let run = Simulation.onePlayer(ladder, bitsPerSecond: 1_500_000, [.at(0, .play)]) {
      $0.keepUp.requestOrder = .soundFollows
      $0.keepUp.requestInterval = .milliseconds(500)
      $0.keepUp.forwardBufferLimit = .seconds(18)
      $0.keepUp.forwardBufferResume = .seconds(17)
      $0.streaming.adaptation.rule = .scripted(VariantScript(script))
      change(&$0.keepUp)
    }
    var (asked, since, place, rate): ([Asked], Int64, Int64, Int64) = ([], 0, 0, 0)
    for record in run.log.records {
      let now = record.instant.nanoseconds
      switch record.event {
      case .timebaseRate(let new, let from):
        (since, place, rate) = (now, from.nanoseconds, new.millionths)
      case .segmentRequest(_, _, let list, let number?, _) where list > 0:
        asked.append(
          Asked(
            list: Int(list), number: Int(number), at: now,
            place: place + (now - since) * rate / 1_000_000))
      default: continue
      }
    }
    return (asked, run)
  }

  /// By the formula of `BolaRule.js` and a table of logarithms, the lowest variant is loaded up to
  /// 13.8906 s ahead, the second up to 18.0889 s: more than the limit.
  @Test(arguments: [(0, 13_890_600_000), (1, 18_000_000_000)] as [(Int, Int64)])
  func aVariantIsLoadedAsFarAsBolaWould(_ variant: Int, _ most: Int64) {
    let (asked, _) = Self.run([variant]) { $0.bolaBuffer = .seconds(18) }
    #expect(asked.map(\.number) == Array(0..<Self.count))
    var waited = 0
    for (before, next) in zip(asked, asked.dropFirst()) where next.place > 0 {
      let ahead = Int64(next.number) * 4_000_000_000 - next.place
      #expect(ahead < most + 1_000_000, "segment \(next.number)")
      if next.at - before.at > 2_500_000_000, ahead > most - 500_000_000 { waited += 1 }
    }
    #expect(variant > 0 || waited > 3, "it looks each half second, and waits")
  }

  /// What is ahead is loaded again from the segment of the playhead on, each once, and plays.
  @Test func aBetterVariantReplacesWhatIsAhead() throws {
    let script = [0, 0, 0, 0, 0, 0, 1]
    let (asked, run) = Self.run(script) { $0.replacesOnClimb = true }
    let climb = try #require(asked.firstIndex { $0.list == 2 })
    #expect(asked[..<climb].map(\.number) == Array(0..<6))
    let present = Int(asked[climb].place / 4_000_000_000)
    #expect(asked[climb...].allSatisfy { $0.list == 2 })
    let again = asked[climb...].map(\.number)
    #expect(again.first == present)
    // The playhead may pass a segment that is not there yet: that is left out.
    #expect(zip(again, again.dropFirst()).allSatisfy { $0 < $1 })
    #expect(again.count > Self.count - 6 + 2, "segments are loaded again")
    #expect(hasEnded(run))
    let (kept, _) = Self.run(script) { _ in }
    #expect(kept.map(\.number) == Array(0..<Self.count), "without it, each is loaded once")
  }

  /// Nothing is loaded again for a worse variant.
  @Test func aWorseVariantReplacesNothing() {
    let (asked, _) = Self.run([1, 1, 1, 0]) { $0.replacesOnClimb = true }
    #expect(asked.map(\.number) == Array(0..<Self.count))
  }
}

/// Whether the item was played to its end.
private func hasEnded(_ run: Simulation) -> Bool {
  run.log.records.contains {
    if case .didPlayToEndTime = $0.event { true } else { false }
  }
}
