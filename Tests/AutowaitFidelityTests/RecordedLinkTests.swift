import Autowait
import AutowaitFidelity
import AutowaitScenario
import Testing

/// What is taken for a link where only is known what arrived over it.
@Suite struct RecordedLinkTests {
  private static let rate = BitRate(bitsPerSecond: 800_000)

  private static func link(_ roundTrip: Int64) -> RecordedLink {
    RecordedLink(
      schedule: [RecordedLink.Step(start: .start, rate: rate)],
      roundTrip: .milliseconds(roundTrip))
  }

  /// A request for 10,000 bytes, by when it was asked for, begun and over, in milliseconds.
  private static func request(_ asked: Int64, _ began: Int64, _ done: Int64) -> RecordedRequest {
    RecordedRequest(
      for: .mediaPlaylist(0), asked: .start + .milliseconds(asked),
      began: .start + .milliseconds(began), over: (.start + .milliseconds(done), false),
      size: ByteCount(bytes: 10_000))
  }

  /// The steps as milliseconds and bits a second.
  private static func steps(
    _ link: RecordedLink, _ requests: RecordedRequest...
  ) throws -> [[Int64]] {
    try #require(link.delivered(for: requests)).map {
      [($0.start - .start).nanoseconds / 1_000_000, $0.rate.bitsPerSecond]
    }
  }

  /// Nothing comes for a round trip before the server hears of a request, nor before the first;
  /// otherwise what is not asked for would come at the planned rate.
  @Test func nothingComesForARoundTripBeforeARequest() throws {
    let steps = try Self.steps(
      Self.link(100), Self.request(150, 200, 300), Self.request(350, 400, 500),
      Self.request(1_000, 1_050, 1_150))
    #expect(
      steps == [
        [0, 0], [50, 0], [150, 0], [200, 800_001], [250, 800_001], [300, 0], [350, 0],
        [400, 800_001], [500, 800_000], [900, 0], [1_000, 0], [1_050, 800_001], [1_150, 800_000],
      ])
  }

  /// Without a round trip the plan holds up to each request but the first.
  @Test func withoutARoundTripThePlanHolds() throws {
    let steps = try Self.steps(
      Self.link(0), Self.request(20, 20, 120), Self.request(320, 320, 420))
    #expect(
      steps == [[0, 0], [20, 800_001], [120, 800_000], [320, 800_001], [420, 800_000]])
  }

  /// What a simulation asks for over a link with a round trip, and what comes of it, is a link over
  /// which the same player sees the same.
  @Test(arguments: ["media3", "hls.js", "chromium-hls"])
  func aSimulatedSessionIsReproduced(_ player: String) throws {
    let sizes = [496_216, 307_169, 392_576, 339_177].map { ByteCount(bytes: $0) }
    let rendition = RecordedMedium.Rendition(
      "v0", .init(playlist: "v0.m3u8", segments: ["0", "1", "2", "3"]),
      sizes: (ByteCount(bytes: 700), nil), bandwidth: BitRate(bitsPerSecond: 1_000_000),
      segments: sizes.map { (MediaTime(nanoseconds: 4_000_000_000), $0) })
    var medium = RecordedMedium(
      duration: MediaTime(nanoseconds: 16_000_000_000),
      content: .stream(playlist: ByteCount(bytes: 900), variants: [rendition], sound: nil),
      isMultivariant: false)
    medium.variants = [0, 0, 0, 0]
    func recording(_ requests: [RecordedRequest], _ outcome: ViewerOutcome?) -> Recording {
      var recording = Recording(
        named: "a__b__c__r1", of: medium, over: Self.link(100), requests: requests,
        outcome: outcome)
      recording.player = player
      return recording
    }
    func replay(
      _ recording: Recording, _ column: RecordingScenario.Column
    ) throws -> ReplayedSession {
      let text = try #require(RecordingScenario.text(of: recording, column))
      return try ReplayedSession(text, name: player)
    }
    func size(_ resource: RequestIndex.Resource) -> ByteCount {
      switch resource {
      case .multivariantPlaylist: ByteCount(bytes: 900)
      case .segment(_, let number): sizes[number]
      default: ByteCount(bytes: 700)
      }
    }
    let session = try replay(recording([], nil), .planned)
    var (rest, requests): ([RequestIndex.Resource: Int64], [RecordedRequest]) = ([:], [])
    for request in session.requests {
      // The part of a segment that is a probe is followed by the rest of it.
      let isProbe = player == "chromium-hls" && request.resource == .segment(list: 0, number: 0)
      let whole = size(request.resource).bytes
      let part = isProbe && rest[request.resource] == nil ? 33_304 : whole
      let came = part - (rest[request.resource] ?? 0)
      rest[request.resource] = part
      // Of the probe 20,500 B more cross the link, for 0.205 s.
      let began = request.asked + .milliseconds(isProbe && part == whole ? 205 : 100)
      requests.append(
        RecordedRequest(
          for: request.resource, asked: request.asked + .milliseconds(50), began: began,
          over: request.done.map { ($0, false) }, size: ByteCount(bytes: came)))
    }
    let again = try replay(recording(requests, session.outcome), .arrivals)
    let one = try #require(session.outcome.startup)
    let other = try #require(again.outcome.startup)
    #expect(abs((one - other).nanoseconds) <= 5_000_000, "\(one) \(other)")
    #expect(again.outcome.stalls.count == session.outcome.stalls.count)
  }
}
