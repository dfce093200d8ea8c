import Autowait
import AutowaitScenario
import Testing

/// What is written in a format and read again is the same, as far as the format goes.
@Suite struct TraceLawTests {
  /// Draws a track that loops, with pieces of whole units.
  private func track(
    _ random: inout SplitMix64, unit: Int64, rate: Int64, delays: Bool = false
  ) -> LinkTrack {
    var samples: [LinkTrack.Sample] = []
    var end: Int64 = 0
    for _ in 0...random.next() % 12 {
      let isDown = random.next() % 5 == 0
      samples.append(
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: end * unit),
          rate: BitRate(bitsPerSecond: isDown ? 0 : Int64(random.next() % 9_000) * rate),
          delay: delays ? TimeSpan(nanoseconds: Int64(random.next() % 300_000)) : .zero))
      end += Int64(random.next() % 40) + 1
    }
    return LinkTrack(samples, ending: .loop(after: TimeSpan(nanoseconds: end * unit)))
  }

  private func read(_ bytes: [UInt8], _ format: TraceFormat) throws -> LinkProfile {
    var options = TraceOptions()
    options.format = format
    let reading = TraceReader.read(TraceSample.source(bytes), options)
    return try #require(reading.link, "\(reading.findings.map(\.rendered))").profile
  }

  @Test(arguments: 0..<40)
  func sabre(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let profile = LinkProfile(track(&random, unit: 1, rate: 1, delays: seed % 2 == 0))
    let link = ConvertedLink(name: "x", profile)
    let written = try TraceWriter.write(link, .sabre)
    let again = try read(written.bytes, .sabre)
    let rewritten = try TraceWriter.write(ConvertedLink(name: "x", again), .sabre)
    #expect(again.down.track.ending == profile.down.track.ending)
    #expect(again.down.track.samples.map(\.rate) == profile.down.track.samples.map(\.rate))
    #expect(rewritten.bytes == written.bytes)
    for index in profile.down.track.samples.indices {
      let delay = again.down.track.samples[index].delay + again.up.track.samples[0].delay
      #expect(delay == profile.down.track.samples[index].delay)
    }
  }

  @Test(arguments: 0..<40)
  func pensieve(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let profile = LinkProfile(track(&random, unit: 1, rate: 1))
    let written = try TraceWriter.write(ConvertedLink(name: "x", profile), .pensieve)
    #expect(try read(written.bytes, .pensieve) == profile)
  }

  @Test(arguments: 0..<40)
  func mahimahiBringsTheSameBytesByEachMillisecond(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Some with periods that are no whole milliseconds: then the end moves, and nothing else.
    let unit: Int64 = seed % 4 == 0 ? 1_001 : 1_000_000
    let down = track(&random, unit: unit, rate: 7_919)
    let profile = LinkProfile(down: LinkDirection(down), up: LinkDirection(down))
    let written = try TraceWriter.write(ConvertedLink(name: "x", profile), .mahimahi)
    #expect(written.bytes == written.up)
    let again = try read(written.bytes, .mahimahi).down.track
    let (end, endAgain) = (Self.end(down), Self.end(again))
    #expect(endAgain.nanoseconds == (end.nanoseconds + 999_999) / 1_000_000 * 1_000_000)
    let packet = DataAmount(ByteCount(bytes: 1_500))
    var wrong: [Int64] = []
    for time in stride(from: 0, through: endAgain.nanoseconds, by: 1_000_000) {
      let before = Self.amount(down, by: min(time, end.nanoseconds))
      let after = Self.amount(again, by: time)
      if after > before + packet || before > after + packet { wrong.append(time) }
      // But for the end, which must have a line, whole packets leave when they have arrived.
      if time < endAgain.nanoseconds - 1_000_000, after > before { wrong.append(time) }
    }
    #expect(wrong == [])
  }

  @Test(arguments: 0..<20)
  func mahimahiLinesStayTheSame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var times: [Int] = []
    var time = 1
    for _ in 0...random.next() % 200 {
      times.append(time)
      time += random.next() % 3 == 0 ? Int(random.next() % 40) : 0
    }
    let text = times.map { "\($0)\n" }.joined()
    let profile = try read(Array(text.utf8), .mahimahi)
    let written = try TraceWriter.write(ConvertedLink(name: "x", profile), .mahimahi)
    #expect(String(decoding: written.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [1, 12_000, 780_000, 3_200_000, 12_000_000, 999_983] as [Int64])
  func aConstantRateStaysOneInMahimahi(_ rate: Int64) throws {
    let track = LinkTrack(rate: BitRate(bitsPerSecond: rate))
    let written = try TraceWriter.write(ConvertedLink(name: "x", LinkProfile(track)), .mahimahi)
    #expect(written.warnings == [])
    let again = try read(written.bytes, .mahimahi).down.track
    let period = Self.end(again)
    let difference =
      Int128(Self.amount(again, by: period.nanoseconds).nanobits)
      - Int128(DataAmount(BitRate(bitsPerSecond: rate), for: period).nanobits)
    #expect(difference.magnitude <= DataAmount(ByteCount(bytes: 1_500)).nanobits)
    if 12_000_000 % rate == 0 || rate % 1_000 == 0 { #expect(difference == 0) }
  }

  @Test(arguments: 0..<40)
  func theConditioner(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func direction() -> LinkDirection {
      let rate = random.next() % 4 == 0 ? .unlimited : Int64(random.next() % 1_000_000) + 1
      let delay = Int64(random.next() % 900)
      var direction = LinkDirection(
        LinkTrack(
          rate: rate == .unlimited ? .unlimited : BitRate(bitsPerSecond: rate),
          delay: .milliseconds(delay)))
      direction.queue = .packets(50)
      let loss = Int64(random.next() % 1_000_000_000)
      if loss % 2 == 0 { direction.loss = .bernoulli(Probability(billionths: loss)) }
      return direction
    }
    var profile = LinkProfile(down: direction(), up: direction())
    profile.names.delay = .milliseconds(Int64(random.next() % 4) * 1_000)
    let written = try TraceWriter.write(ConvertedLink(name: "<a & \"b\">", profile), .nlc)
    #expect(written.warnings == [])
    let reading = TraceReader.read(TraceSample.source(written.bytes))
    let link = try #require(reading.link)
    #expect(link.name == "<a & \"b\">")
    #expect(link.profile == profile)
  }

  private static func end(_ track: LinkTrack) -> TimeSpan {
    if case .loop(let end) = track.ending { return end }
    return .zero
  }

  /// What a track has carried by a time of its first round.
  private static func amount(_ track: LinkTrack, by time: Int64) -> DataAmount {
    let ends = track.samples.dropFirst().map(\.start) + [end(track)]
    var amount = DataAmount.zero
    for (sample, end) in zip(track.samples, ends) where sample.start.nanoseconds < time {
      let span = min(end.nanoseconds, time) - sample.start.nanoseconds
      amount += DataAmount(sample.rate, for: TimeSpan(nanoseconds: span))
    }
    return amount
  }
}

extension Int64 {
  fileprivate static let unlimited: Int64 = -1
}
