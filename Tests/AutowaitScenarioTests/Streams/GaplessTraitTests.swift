import Autowait
import AutowaitScenario
import Testing

/// What keeps one stream from following another without a gap, trait by trait (WWDC21 10142).
@Suite struct GaplessTraitTests {
  /// A stream whose sound and picture have initialization sections, unless it says otherwise.
  private static func stream(
    codecs: String = "avc1.4d401f,mp4a.40.2", sound: String = "", keys: String = "",
    section: String = "\"init\": 700,"
  ) -> String {
    """
    {"kind": "hls", "duration": "8 s", "segmentDuration": "4 s", \(keys)
     "variants": [{"bandwidth": "1 Mbit/s", \(section) "codecs": "\(codecs)", "audio": "a"}],
     "audio": [{"group": "a", \(sound) \(section) "bitrate": "64 kbit/s"}]}
    """
  }

  /// A stream with a variant for each codec of sound.
  private static func stream(sounds: [String]) -> String {
    let variants = sounds.enumerated().map { place, sound in
      """
      {"bandwidth": "\(place + 1) Mbit/s", "init": 700, "codecs": "avc1.4d401f,\(sound)"}
      """
    }
    return """
      {"kind": "hls", "duration": "8 s", "segmentDuration": "4 s",
       "variants": [\(variants.joined(separator: ", "))]}
      """
  }

  private static func scenario(_ first: String, _ second: String) -> String {
    """
    {"autowait": 1, "link": {"rate": "8 Mbit/s"}, "media": [\(first), \(second)],
     "player": {"queue": [0, 1]}, "script": [{"at": 0, "do": "play"}]}
    """
  }

  /// The first trait that a run names, or nil for none.
  private static func mismatch(_ first: String, _ second: String) throws -> JoinTrait? {
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: Self.scenario(first, second)), loader: .none)
    var mismatch: JoinTrait?
    for record in ScenarioRun.run(try #require(scenario)).records {
      if case .notGapless(item: 1, let found) = record.event { mismatch = found.trait }
    }
    // Who reads the scenario is warned of what the run then shows, and of nothing else.
    let warning = mismatch.map { "a gap before item 1: \($0.sentence)" }
    #expect(findings.map(\.message) == (warning.map { [$0] } ?? []))
    return mismatch
  }

  @Test func whatIsAlikeJoins() throws {
    #expect(try Self.mismatch(Self.stream(), Self.stream()) == nil)
    let sound = "\"channels\": 2, \"sampleRate\": 48000, \"bitDepth\": 16,"
    #expect(try Self.mismatch(Self.stream(sound: sound), Self.stream(sound: sound)) == nil)
    // What a playlist does not say is assumed to be the same.
    #expect(try Self.mismatch(Self.stream(), Self.stream(sound: sound)) == nil)
    // A picture of another profile is no matter, as long as the sound is of the same kind.
    let other = Self.stream(codecs: "avc1.640028,mp4a.40.2")
    #expect(try Self.mismatch(Self.stream(), other) == nil)
  }

  @Test(arguments: [
    (JoinTrait.channelCount, "\"channels\": 2,", "\"channels\": 6,"),
    (.sampleRate, "\"sampleRate\": 44100,", "\"sampleRate\": 48000,"),
    (.bitDepth, "\"bitDepth\": 16,", "\"bitDepth\": 24,"),
  ])
  func soundThatDiffers(_ trait: JoinTrait, _ one: String, _ other: String) throws {
    let (first, second) = (Self.stream(sound: one), Self.stream(sound: other))
    #expect(try Self.mismatch(first, second) == trait)
    #expect(try Self.mismatch(second, first) == trait)
    #expect(try Self.mismatch(first, first) == nil)
  }

  @Test func theOtherTraits() throws {
    let plain = Self.stream()
    let heAAC = Self.stream(codecs: "avc1.4d401f,mp4a.40.5")
    #expect(try Self.mismatch(plain, heAAC) == .audioCodec)
    let locked = Self.stream(keys: "\"keys\": {\"method\": \"SAMPLE-AES\"},")
    #expect(try Self.mismatch(plain, locked) == .fairPlay)
    #expect(try Self.mismatch(locked, plain) == .fairPlay)
    #expect(try Self.mismatch(locked, locked) == nil)
    let transport = Self.stream(section: "")
    #expect(try Self.mismatch(plain, transport) == .editLists)
    #expect(try Self.mismatch(transport, transport) == .editLists)
  }

  /// With which variant an item ends is not known beforehand: the warning counts those that matter.
  @Test func someVariantsMayNotJoin() throws {
    let first = Self.stream(sounds: ["mp4a.40.2", "mp4a.40.5", "mp4a.40.2"])
    let second = Self.stream(sounds: ["mp4a.40.2"])
    let (_, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: Self.scenario(first, second)), loader: .none)
    #expect(findings.map(\.message) == ["a gap before item 1: the audio codecs differ"])
    #expect(findings.map(\.notes) == [["if item 0 ends with 1 of its 3 variants"]])
  }
}
