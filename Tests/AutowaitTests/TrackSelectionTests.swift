import Autowait
import Testing

/// What is loaded and dropped when somebody selects another language, shows subtitles, or disables
/// tracks, and that playback goes on meanwhile.
@Suite struct TrackSelectionTests {
  private static let english = LanguageTag("en")
  private static let french = LanguageTag("fr")

  /// A picture of a second and 100,000 bytes a segment, sound in two languages whose segments last
  /// 0.7 s, and subtitles in two: lists 0, 1 and 2, 3 and 4.
  private static func stream(hasSoundBeside: Bool = true) -> Media {
    func list(_ count: Int64, _ milliseconds: Int64, _ size: Int64) -> SegmentList {
      SegmentList(
        (0..<count).map { _ in
          (MediaTime(nanoseconds: milliseconds * 1_000_000), ByteCount(bytes: size))
        })
    }
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 900_000), list: 0)],
      lists: [
        list(21, 1_000, 100_000), list(30, 700, 7_000), list(30, 700, 7_000),
        list(21, 1_000, 100), list(21, 1_000, 100),
      ])
    parts.variants[0].audioGroup = 0
    parts.variants[0].subtitleGroup = 0
    for (kind, first) in [(StreamMedia.Rendition.Kind.audio, 1), (.subtitles, 3)] {
      for (place, language) in [english, french].enumerated() {
        let isMuxed = kind == .audio && place == 0 && !hasSoundBeside
        var rendition = StreamMedia.Rendition(kind, group: 0, list: isMuxed ? nil : first + place)
        rendition.language = language
        rendition.isDefault = place == 0
        parts.renditions.append(rendition)
      }
    }
    return Media(parts)
  }

  private static func run(
    _ steps: [ScriptStep], _ media: Media = stream(), bitsPerSecond: Int64 = 8_000_000,
    _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> Simulation {
    .onePlayer(media, bitsPerSecond: bitsPerSecond, [.at(0, .play)] + steps, change)
  }

  private static func isRunning(_ run: Simulation) -> Bool {
    run.log.records.filter { if case .timebaseRate = $0.event { true } else { false } }.count == 2
  }

  /// The other language is loaded from the segment on in which the playhead is, the old one no
  /// more, the picture not again; and the clock runs on.
  @Test(arguments: [4_000, 4_321, 7_200, 20_500] as [Int64])
  func anotherLanguage(_ instant: Int64) throws {
    let run = Self.run([.at(instant, .select(.audio, Self.french))])
    let started = try #require(run.metrics(of: 0).firstPlayed)
    let first = Int32((instant - started.nanoseconds / 1_000_000) / 700)
    #expect(run.segments(ofList: 2, from: instant) == Array(first..<30))
    #expect(run.segments(ofList: 2, to: instant) == [])
    #expect(run.segments(ofList: 1, from: instant) == [])
    #expect(run.segments(ofList: 0) == Array(0..<21))
    #expect(run.events().contains(.mediaSelection(.audio, rendition: 1)))
    #expect(Self.isRunning(run))
    // The language that plays already changes nothing.
    let same = Self.run([.at(instant, .select(.audio, Self.english))])
    #expect(same.segments(ofList: 2) == [])
    #expect(same.segments(ofList: 1) == Array(0..<30))
  }

  /// What plays of the old language plays to the end of its segment; if the new one is not there by
  /// then, playback stalls there, to the nanosecond.
  @Test func anotherLanguageThatComesTooLate() throws {
    // The link stands from the switch on.
    let switchAt: Int64 = 10_000
    var world = World(
      links: [
        LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000))),
        LinkProfile(LinkTrack(rate: .zero)),
        LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000))),
      ],
      players: [PlayerConfiguration(media: [Self.stream()])],
      script: [.at(0, .replaceCurrentItem(0)), .at(0, .play)],
      horizon: Instant(nanoseconds: 200_000_000_000))
    world.script += [
      .at(switchAt, .select(.audio, Self.french)),
      ScriptStep(.at(Instant(nanoseconds: switchAt * 1_000_000)), .useLink(track: 1)),
      ScriptStep(.at(Instant(nanoseconds: 30_000_000_000)), .useLink(track: 2)),
    ]
    let run = Simulation.run(of: world)
    let started = try #require(run.metrics(of: 0).firstPlayed).nanoseconds
    let playhead = switchAt * 1_000_000 - started
    let end = (playhead / 700_000_000 + 1) * 700_000_000
    #expect(run.times(of: .playbackStalled) == [started + end])
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }

  /// Subtitles are loaded from the playhead on while they are shown, and nothing waits for them.
  @Test func subtitlesAreLoadedWhileTheyAreShown() {
    let run = Self.run([
      .at(5_000, .select(.subtitles, Self.french)), .at(9_000, .select(.subtitles, nil)),
      .at(12_000, .enable(.subtitles, true)), .at(13_000, .enable(.subtitles, false)),
    ])
    #expect(run.segments(ofList: 4, to: 5_000) == [])
    #expect(run.segments(ofList: 4, from: 5_000, to: 9_000) == Array(4..<21))
    // What was shown last is shown again.
    #expect(run.segments(ofList: 4, from: 12_000, to: 13_000) == Array(11..<21))
    #expect(run.segments(ofList: 4, from: 13_000) == [])
    #expect(run.segments(ofList: 3) == [])
    #expect(Self.isRunning(run))
  }

  /// Sound that is disabled is not loaded, nor is a picture whose sound lies beside it; sound that
  /// lies in the picture's segments costs the same in any case.
  @Test(arguments: [MediaTrack.video, .audio], [true, false])
  func whatIsDisabledIsNotLoaded(_ track: MediaTrack, _ hasSoundBeside: Bool) {
    let steps: [ScriptStep] = [
      .at(6_000, .enable(track, false)), .at(12_000, .enable(track, true)),
    ]
    let run = Self.run(steps, Self.stream(hasSoundBeside: hasSoundBeside)) {
      $0.preferredForwardBufferDuration = .seconds(2)
    }
    let list: Int32 = track == .video ? 0 : 1
    let (before, while_, after) = (
      run.segments(ofList: list, to: 6_000),
      run.segments(ofList: list, from: 6_000, to: 12_000),
      run.segments(ofList: list, from: 12_000)
    )
    #expect(run.metrics(of: 0).stallCount == 0)
    #expect(run.metrics(of: 0).playedToEndCount == 1)
    guard hasSoundBeside else {
      let all = Array(Int32(0)..<21)
      return #expect(run.segments(ofList: 0) == all)
    }
    #expect(!before.isEmpty)
    #expect(while_ == [])
    #expect(after.first == (track == .video ? 11 : 16))
    #expect(after.last == (track == .video ? 20 : 29))
    let other = run.segments(ofList: track == .video ? 1 : 0)
    #expect(other == Array(0..<(track == .video ? 30 : 21)))
  }

  /// Sound that lay in the picture's segments may be exchanged for sound beside them, and back.
  @Test func soundFromBesideThePicture() {
    let run = Self.run(
      [
        .at(5_000, .select(.audio, Self.french)),
        .at(9_000, .select(.audio, Self.english)),
      ], Self.stream(hasSoundBeside: false))
    #expect(run.segments(ofList: 2, from: 5_000).first == 7)
    #expect(run.segments(ofList: 0) == Array(0..<21))
    #expect(Self.isRunning(run))
  }

  /// Before iOS 10 the pipeline is built again, and playback may go back to a key frame: that of a
  /// segment, or of an interval that the media has.
  @Test(arguments: [(nil, 5_000), (300, 5_100), (5_300, 0)] as [(Int64?, Int64)])
  func beforeTen(_ interval: Int64?, _ frame: Int64) throws {
    var media = Self.stream()
    media.keyFrameInterval = interval.map { MediaTime(nanoseconds: $0 * 1_000_000) }
    let select = ScriptStep(
      .when(Condition([.init(.currentTime, .atLeast, 5_250_000_000)])),
      .player(0, .select(.audio, Self.french)))
    let run = Self.run([select], media) {
      $0.contract = APIContract(iOS: 9) ?? .newest
      $0.snapsToKeyFrame = true
    }
    let metrics = run.metrics(of: 0)
    #expect(run.events().contains(.timeJumped(MediaTime(nanoseconds: frame * 1_000_000))))
    #expect(metrics.time(.gap) == .milliseconds(300))
    #expect(
      metrics.mediaPlayed == MediaTime(nanoseconds: (21_000 + 5_250 - frame) * 1_000_000))
  }

  /// The best language that is there plays; the default one if none is.
  @Test(
    arguments: [
      (["fr"], 2), (["de", "FR-ca"], 2), (["en-GB"], 1), (["de"], 1), ([], 1), (["en", "fr"], 1),
    ] as [([String], Int32)])
  func theFirstChoice(_ wishes: [String], _ list: Int32) {
    let run = Self.run([]) {
      $0.streaming.selection.audioLanguages = wishes.compactMap { LanguageTag($0) }
    }
    #expect(run.segments(ofList: list) == Array(0..<30))
    #expect(run.segments(ofList: 3 - list) == [])
  }

  /// The examples of RFC 4647, 3.3.1 and 3.4.
  @Test(
    arguments: [
      ("de-de", ["de-DE-1996", "de-DE"], ["de-Deva", "de-Latn-DE"]),
      ("zh-Hant-CN", ["zh-Hant", "zh"], ["zh-Hans", "en"]),
      ("en", ["en-US", "EN"], ["eng", "fr-en"]),
    ] as [(String, [String], [String])])
  func languages(_ wish: String, _ good: [String], _ bad: [String]) throws {
    let wish = try #require(LanguageTag(wish))
    for text in good { #expect(try #require(LanguageTag(text)).meets(wish), "\(text)") }
    // What says less than the wish is its language still; another script or region is not.
    for text in bad { #expect(try !#require(LanguageTag(text)).meets(wish), "\(text)") }
    for text in ["", "-", "en-", "e", "en--us", "en_US", "français", "abcdefghi", "12"] {
      #expect(LanguageTag(text) == nil, "\(text)")
    }
  }

  /// What is selected is the item's own: another one of the asset has the picture, and loads the
  /// sound that it plays itself.
  @Test func anotherItemOfTheAsset() {
    let run = Simulation.onePlayer(
      Self.stream(), Self.stream(), bitsPerSecond: 1_000_000,
      [.at(0, .play), .at(4_000, .select(.audio, Self.french))]
    ) {
      $0.queue = [0, 1]
      $0.spans = [ItemSpan(asset: 0), ItemSpan(asset: 0)]
    }
    #expect(run.segments(ofList: 0) == Array(0..<21))
    #expect(run.segments(ofList: 1, from: 4_000) == Array(0..<30))
    #expect(run.segments(ofList: 2, from: 0).last == 29)
    #expect(run.metrics(of: 0).playedToEndCount == 2)
  }
}
