import Autowait
import AutowaitScenario
import Testing

/// Each format is recognized and read as it is meant.
@Suite struct TraceReaderTests {
  @Test(arguments: TraceSample.all)
  func isRead(_ sample: TraceSample) throws {
    let reading = sample.read()
    #expect(reading.findings.map(\.message) == (sample.warning.map { [$0] } ?? []))
    #expect(reading.format == sample.format)
    let link = try #require(reading.link)
    #expect(TraceSample.text(link.profile) == sample.expected)
    #expect(link.kind == sample.format.kind)
  }

  @Test func everyFormatHasASample() {
    for format in TraceFormat.allCases where format.isRead {
      #expect(TraceSample.all.contains { $0.format == format }, "\(format)")
    }
  }

  @Test(arguments: TraceSample.all)
  func theSizeOfPiecesDoesNotMatter(_ sample: TraceSample) {
    let link = sample.read().link
    for chunk in [1, 2, 7, 64] {
      #expect(sample.read(chunk: chunk, recognizing: false).link == link, "\(chunk)")
    }
  }

  @Test(arguments: TraceSample.tables)
  func lineEndsDoNotMatter(_ sample: TraceSample) {
    let link = sample.read().link
    var other = sample.text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    if !other.hasPrefix("\u{FEFF}") { other = "\u{FEFF}" + other }
    let changed = TraceSample(
      format: sample.format, text: other, expected: "", profileName: sample.profileName)
    #expect(changed.read().link == link)
  }

  @Test func aLinkThatSaysItsKind() throws {
    let text = #"{"name": "x", "source": "y", "traceKind": "goodput", "rate": 5}"#
    let reading = TraceReader.read(ByteSource(SourceText(path: "x.json", text: text)))
    let link = try #require(reading.link)
    #expect(link.kind == .goodput)
    #expect(link.name == "x" && link.source == "y")
  }

  @Test func namesOfTraces() throws {
    let link = try #require(TraceSample.tables[0].read().link)
    #expect(link.name == "x.trace")
    #expect(link.source == "a mahimahi trace: x.trace")
    let section = try #require(TraceSample.documents.first { $0.format == .wpt }?.read().link)
    #expect(section.name == "3G")
  }

  @Test(arguments: [
    (TraceEnding.hold, "1 12000, hold"), (.offline, "1 12000, offline"), (.loop, "1 12000, loop"),
  ])
  func endings(_ ending: TraceEnding, _ expected: String) throws {
    let reading = TraceSample.tables[1].read { $0.ending = ending }
    let text = TraceSample.text(try #require(reading.link).profile)
    #expect(text == (ending == .hold ? "12000, hold" : expected))
  }

  @Test func onlyWhatIsNeededIsRead() throws {
    var given = 0
    // A source that never ends: it must not be read to its end.
    let source = ByteSource(path: "x") {
      given += 1
      return .success(Array("\(10 * given)\n".utf8))
    }
    var options = TraceOptions()
    options.format = .mahimahi
    options.until = .milliseconds(95)
    let link = try #require(TraceReader.read(source, options).link)
    #expect(given < 12)
    #expect(link.profile.down.track.ending == .loop(after: .milliseconds(95)))
    #expect(link.profile.down.track.samples.count == 19)
  }

  @Test(arguments: TraceSample.tables)
  func aTraceCutIsThePrefixOfTheWhole(_ sample: TraceSample) throws {
    let whole = try #require(sample.read().link).profile.down.track
    if whole.ending == .hold { return }
    for milliseconds in [1, 2, 700, 1_500] as [Int64] {
      let until = TimeSpan.milliseconds(milliseconds)
      let cut = try #require(sample.read { $0.until = until }.link).profile.down.track
      #expect(Array(cut.samples) == whole.samples.filter { $0.start < until }, "\(milliseconds)")
    }
  }

  @Test(arguments: [
    ("1 ms", "1 12000, 1 24000, 2 0, 1 12000, loop"), ("2 ms", "2 18000, 2 0, 1 12000, loop"),
    ("5 ms", "5 9600, loop"), ("7 ms", "5 9600, loop"),
  ])
  func chancesAreTakenTogether(_ bin: String, _ expected: String) throws {
    let span = try Quantity.time.parse(bin, in: 0...Int64.max)
    let reading = TraceSample.tables[0].read { $0.bin = TimeSpan(nanoseconds: span) }
    #expect(TraceSample.text(try #require(reading.link).profile) == expected)
  }

  @Test func aPair() throws {
    let reading = TraceReader.readPair(
      down: TraceSample.source(Array("1\n".utf8), path: "d/x.down"),
      up: TraceSample.source(Array("2\n".utf8), path: "d/x.up"))
    let link = try #require(reading.link)
    #expect(TraceSample.text(link.profile) == "1 12000, loop | 1 0, 1 12000, loop")
    #expect(link.name == "x")
    #expect(link.source == "a mahimahi trace: x.down, x.up")
    #expect(link.kind == .capacity)
  }

  @Test(
    arguments: [
      ("0.5", 1, 1), ("0.4999999999999999999999999", 1, 0), ("1.5", 1, 2), ("2.5", 1, 3),
      ("773050.543826", 1, 773_051), ("1.86999988556", 1_000_000_000, 1_869_999_886),
      ("0.0000000000000000000000001", 1_000, 0), ("1e-999999999999999", 1_000, 0),
      ("123456789012345678901234567890e-30", 1_000_000_000, 123_456_789),
      ("9223372036854775807", 1, Int64.max),
    ] as [(String, Int64, Int64)])
  func nearest(_ text: String, _ unit: Int64, _ expected: Int64) {
    #expect(ExactDecimal(text)?.nearestInteger(scaledBy: unit) == .exact(expected))
  }

  @Test(arguments: ["9223372036854775808", "1e30", "1e999999999999999999", "99999999999999999999"])
  func tooLargeIsNotRounded(_ text: String) {
    #expect(ExactDecimal(text)?.nearestInteger(scaledBy: 1_000) == .tooLarge)
  }
}
