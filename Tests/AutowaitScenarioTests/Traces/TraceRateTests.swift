import Autowait
import AutowaitScenario
import Testing

/// Rates that are spelled finer than a link counts: what is lost in a row is made up for.
@Suite struct TraceRateTests {
  /// A row of a trace: nanoseconds, and millionths of a bit per second.
  struct Row {
    let length: Int64
    let microbits: Int64
  }

  private func read(_ text: String, _ format: TraceFormat) throws -> TrackSamples {
    var options = TraceOptions()
    options.format = format
    let reading = TraceReader.read(TraceSample.source(Array(text.utf8)), options)
    return try #require(reading.link, "\(reading.findings.map(\.rendered))").profile.down.track
      .samples
  }

  /// Spells millionths of `unit` bits per second with all their digits.
  private func decimal(_ value: Int64, digits: Int) -> String {
    let text = String(value)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return padded.dropLast(digits) + "." + padded.suffix(digits)
  }

  /// Whatever the rows, each has one of the two whole rates around its own, and up to any row no
  /// more and no less was carried than a bit per second makes of the longest one.
  @Test(arguments: 0..<60)
  func nothingIsLost(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let isSabre = seed % 2 == 0
    let longest = Int64(1 + random.next() % 5_000) * 1_000_000
    let rows = (0...random.next() % 300).map { _ in
      Row(
        length: Int64(1 + random.next() % UInt64(longest)),
        microbits: random.next() % 4 == 0
          ? Int64(random.next() % 9) * 1_000_000 : Int64(random.next() % 9_000_000_000_000))
    }
    var text = isSabre ? "[" : "0 1\n"
    var end: Int64 = 0
    for (index, row) in rows.enumerated() {
      end += row.length
      text +=
        isSabre
        ? (index > 0 ? "," : "") + "{\"duration_ms\":\(decimal(row.length, digits: 6)),"
          + "\"bandwidth_kbps\":\(decimal(row.microbits, digits: 9)),\"latency_ms\":0}"
        : "\(decimal(end, digits: 9)) \(decimal(row.microbits, digits: 12))\n"
    }
    let samples = try read(isSabre ? text + "]" : text, isSabre ? .sabre : .pensieve)
    #expect(samples.count == rows.count)
    var missing: Int128 = 0
    for (row, sample) in zip(rows, samples) {
      let rate = sample.rate.bitsPerSecond
      #expect(rate - 1 <= row.microbits / 1_000_000 && row.microbits <= rate * 1_000_000 + 999_999)
      if row.microbits % 1_000_000 == 0 { #expect(rate * 1_000_000 == row.microbits) }
      missing += (Int128(row.microbits) - Int128(rate) * 1_000_000) * Int128(row.length)
      #expect(abs(missing) <= 1_000_000 * Int128(longest))
    }
  }

  /// 0.4 bit/s too little in each of a thousand rows of a second would be 400 bits.
  @Test func aThousandRowsCarryWhatTheySay() throws {
    let text = (0...1_000).map { "\($0) 1.0000004" }.joined(separator: "\n")
    let carried = try read(text, .pensieve).reduce(Int64(0)) { $0 + $1.rate.bitsPerSecond }
    #expect(carried == 1_000_000_400)
  }

  /// A row in whole bits has its own rate, whatever was missing before: an outage stays one.
  @Test func anOutageStaysOne() throws {
    let text = "0 9\n1000000 0.0000004\n1000001 0\n1000002 0.0000015\n"
    #expect(try read(text, .pensieve).map(\.rate.bitsPerSecond) == [0, 0, 2])
  }
}
