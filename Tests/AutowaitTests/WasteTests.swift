import Autowait
import Testing

/// What came and was not played, against what a list of the segments and of the media played says.
@Suite struct WasteTests {
  private static func wasted(
    _ media: Media, _ steps: [ScriptStep], on bitsPerSecond: Int64 = 80_000_000,
    until end: Int64 = 100, _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> Int64 {
    let run = Simulation.onePlayer(
      media, media, bitsPerSecond: bitsPerSecond, steps, until: end
    ) {
      $0.keepUp.rule = .buffered(
        start: MediaTime(nanoseconds: 1_000_000), resume: MediaTime(nanoseconds: 1_000_000))
      change(&$0)
    }
    return run.metrics(of: 0).wastedBytes.bytes
  }

  private static let file = Media(
    .progressive, duration: .seconds(10), contentSize: ByteCount(bytes: 1_000_000),
    headerSize: ByteCount(bytes: 5_000))

  private static let stream = Media(
    StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
      lists: [
        SegmentList((0..<10).map { (MediaTime.seconds(1), ByteCount(bytes: 100_000 + $0)) })
      ]))

  /// Nothing is wasted of what is played whole, however often; all of what is not played at all.
  @Test(arguments: [file, stream])
  func allOrNothing(_ media: Media) {
    let again: [ScriptStep] = [
      .at(0, .play), .at(3_000, .seek(.zero)), .at(5_000, .seek(.seconds(1))),
    ]
    #expect(Self.wasted(media, again) == 0)
    #expect(Self.wasted(media, []) == (media.streamMedia == nil ? 1_005_000 : 1_000_045))
    // The second item is another asset, and comes for itself.
    let both: [ScriptStep] = [
      .at(0, .play), .at(20_000, .replaceCurrentItem(1)), .at(20_000, .play),
    ]
    #expect(Self.wasted(media, both) == 0)
  }

  /// What lies between two places that are played is wasted, to the byte.
  @Test func whatIsLeftOut() {
    // A stream's first segment takes 10.0001 ms; the playhead is 3 s further at the seek.
    let leap = ScriptStep(
      .when(Condition([.init(.currentTime, .atLeast, 3_250_000_000)])),
      .player(0, .seek(MediaTime(nanoseconds: 7_500_000_000))))
    let steps = [.at(0, .play), leap]
    #expect(Self.wasted(Self.file, steps) == 425_000)
    // Three quarters of 100,003 bytes, three whole segments and half of 100,007: 425,020.75.
    #expect(
      Self.wasted(Self.stream, steps) == 425_020)
  }

  /// The end of a run leaves over what is ahead.
  @Test func whatIsAheadAtTheEnd() {
    let start = ScriptStep.at(1_000, .play)
    #expect(Self.wasted(Self.file, [start], until: 5) == 600_000)
    #expect(Self.wasted(Self.stream, [start], until: 5) == 600_039)
  }

  /// What is thrown away and comes again is paid for twice.
  @Test func whatComesTwice() {
    let steps = [
      .at(0, .play),
      ScriptStep(
        .when(Condition([.init(.currentTime, .atLeast, 5_500_000_000)])),
        .player(0, .seek(.zero))),
    ]
    // Playback has begun, so that a seek keeps what is loaded: nothing comes again.
    #expect(Self.wasted(Self.stream, steps) == 0)
    // Before it begins, a seek throws away what there is (WWDC18 502).
    let early: [ScriptStep] = [.at(2_000, .seek(.seconds(5))), .at(3_000, .play)]
    #expect(Self.wasted(Self.stream, early) == 1_000_045)
  }

  /// Items of one asset share what has come: it counts once, no matter which item plays it, and
  /// which one is prepared meanwhile.
  @Test(arguments: [(file, file), (stream, stream), (file, stream), (stream, file)])
  func itemsOfOneAsset(_ shared: Media, _ other: Media) {
    for bitsPerSecond: Int64 in [80_000_000, 1_000_000] {
      for pause: Int64 in [0, 500, 2_000, 9_000] {
        let steps = [
          ScriptStep.at(0, .play), .at(pause, .pause), .at(pause + 100, .play),
          .at(15_000, .pause),
        ]
        let wasted = Self.wasted(shared, steps, on: bitsPerSecond) {
          $0.media.append(other)
          $0.queue = [0, 1, 2]
          $0.spans = [ItemSpan(asset: 0), ItemSpan(asset: 0), ItemSpan(asset: 2)]
        }
        #expect(wasted == (other.streamMedia == nil ? 1_005_000 : 1_000_045))
      }
    }
  }
}
