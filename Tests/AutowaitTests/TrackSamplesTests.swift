import Autowait
import Testing

/// A track of many samples is packed, and nobody who reads it can tell.
@Suite struct TrackSamplesTests {
  /// How the samples of a track follow each other.
  enum Shape: CaseIterable {
    case even, uneven, finest, wild, slow, lossy, constant

    func sample(_ index: Int, _ stream: inout RandomStream) -> LinkTrack.Sample {
      let number = Int64(index)
      let chance = Int64(stream.next(below: 1 << 40))
      switch self {
      case .even: return sample(number * 10_000_000, 1_000_000 + chance % 5_000_000)
      case .uneven:
        let late = index == 0 ? 0 : chance % 9_999_999
        return sample(number * 10_000_000 + late, chance % 7 * 1_000)
      case .finest: return sample(number, number % 2 * 1_000_000)
      // The widest numbers that there are.
      case .wild: return sample(number * 86_400_000_000_000, index.isMultiple(of: 2) ? 0 : 1 << 40)
      case .slow:
        return LinkTrack.Sample(
          start: TimeSpan(nanoseconds: number * 10_000_000), rate: .unlimited,
          delay: TimeSpan(nanoseconds: chance % 1_000_000_007))
      case .lossy:
        let loss = index.isMultiple(of: 3) ? nil : Probability(parts: UInt64(chance) << 12)
        return LinkTrack.Sample(
          start: TimeSpan(nanoseconds: number * 3), rate: BitRate(bitsPerSecond: 5), loss: loss)
      case .constant: return sample(number * 1_000_000, 2_000_000)
      }
    }

    private func sample(_ start: Int64, _ rate: Int64) -> LinkTrack.Sample {
      LinkTrack.Sample(
        start: TimeSpan(nanoseconds: start), rate: BitRate(bitsPerSecond: rate),
        delay: .milliseconds(20))
    }

    func samples(_ count: Int) -> [LinkTrack.Sample] {
      var stream = RandomStream(seed: 7, component: "samples", purpose: "\(self)")
      return (0..<count).map { sample($0, &stream) }
    }
  }

  /// Numbers of samples around those at which they are packed.
  @Test(arguments: Shape.allCases, [0, 1, 4_095, 4_096, 4_097, 8_192, 8_193, 20_000])
  func samplesAreWhatTheyWere(_ shape: Shape, _ count: Int) {
    let samples = shape.samples(count)
    var packed = TrackSamples()
    for sample in samples { packed.append(sample) }
    #expect(Array(packed) == samples)
    #expect(packed.count == count)
    #expect(packed.isPacked == (count > 4_096))
    #expect(packed.indices.allSatisfy { packed[$0] == samples[$0] })
    #expect(packed == TrackSamples(samples))
    if count == 0 { return }
    var other = samples
    other[count / 2].rate.bitsPerSecond += 1
    #expect(packed != TrackSamples(other))
    #expect(packed != TrackSamples(samples.dropLast()))
  }

  @Test(arguments: Shape.allCases)
  func tracksAscend(_ shape: Shape) {
    let samples = shape.samples(10_000)
    #expect(Array(LinkTrack(samples).samples) == samples)
  }

  /// A film over a long track, and over tracks that hold the same in pieces of a few samples.
  @Test(arguments: [0, 1, 2])
  func aPackedTrackIsTheSameLink(_ ending: Int) throws {
    let count = 9_000
    let samples = (0..<count).map { index in
      LinkTrack.Sample(
        start: .milliseconds(Int64(index) * 10),
        rate: BitRate(bitsPerSecond: Int64(index * 7_919 % 5_000_000)), delay: .milliseconds(5))
    }
    let end = TimeSpan.seconds(90)
    let endings: [LinkTrack.Ending] = [.hold, .offline(after: end), .loop(after: end)]
    let media = Media(
      .progressive, duration: .seconds(600), bitRate: BitRate(bitsPerSecond: 1_500_000))
    let whole = Demo.world(
      Demo.at(seconds: 1, .play), on: LinkTrack(samples, ending: endings[ending]), of: media,
      horizon: 1_000)
    // The same link as conditions that follow each other, none of which is packed.
    var pieces = whole
    let piece = 3_000
    pieces.links = stride(from: 0, to: count, by: piece).map { first in
      let start = samples[first].start
      let part = samples[first..<min(first + piece, count)].map { sample in
        LinkTrack.Sample(start: sample.start - start, rate: sample.rate, delay: sample.delay)
      }
      return LinkProfile(LinkTrack(part))
    }
    func rates(_ world: World) -> [Int64] {
      var simulation = Simulation(world, keepsRecords: false)
      return (0..<88_000).map { millisecond in
        let instant = Instant(nanoseconds: Int64(millisecond) * 1_000_000)
        if millisecond % 1_000 == 0 { _ = simulation.advance(to: instant) }
        return simulation.linkRate(at: instant).bitsPerSecond
      }
    }
    pieces.linkChanges = (1..<count / piece).map { number in
      LinkChange(at: .start + samples[number * piece].start, link: number)
    }
    #expect(rates(whole) == rates(pieces))
    var (one, many) = (Simulation(whole), Simulation(pieces))
    _ = one.advance(to: Demo.seconds(88))
    _ = many.advance(to: Demo.seconds(88))
    #expect(one.snapshot(of: 0) == many.snapshot(of: 0))
    #expect(one.log.count > 8_000)
    // Behind its end the track starts again, from its first sample on, or does not.
    for millisecond in stride(from: Int64(90_000), to: 200_000, by: 7) {
      let instant = Instant(nanoseconds: millisecond * 1_000_000)
      if millisecond % 5 == 0 { _ = one.advance(to: instant) }
      let expected =
        switch endings[ending] {
        case .hold: samples[count - 1].rate
        case .offline: BitRate.zero
        case .loop: samples[Int(millisecond % 90_000 / 10)].rate
        }
      #expect(one.linkRate(at: instant) == expected)
    }
    // In one go, or looked at again and again.
    _ = one.run()
    var looked = Simulation(whole)
    while case .advanced = looked.step() {}
    #expect(looked.fingerprint == one.fingerprint)
    #expect(looked.now == one.now)
  }

  /// A track is as it was after outages were cut into it, and none.
  @Test func outagesAreCutIntoLongTracks() {
    let samples = Shape.even.samples(9_000)
    let track = LinkTrack(samples)
    #expect(track.withOutages([]) == track)
    let cut = track.withOutages([.milliseconds(45_000)...(.milliseconds(46_000))])
    #expect(cut.samples.count == 9_000 - 99)
    #expect(cut.samples[4_500].rate == .zero)
    #expect(cut.samples[4_501] == samples[4_600])
  }
}
