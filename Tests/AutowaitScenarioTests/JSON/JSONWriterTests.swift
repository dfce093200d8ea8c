import AutowaitScenario
import Testing

/// The writer's text, byte for byte.
@Suite struct JSONWriterTests {
  @Test func recordOfALog() {
    check(
      """
      {"t":0.3496875,"n":12,"event":"playbackStalled","loaded":[[0,0.3]],"rate":1.5,"likely":false,\
      "reason":null,"name":"a\\"b"}

      """
    ) { writer in
      writer.beginObject()
      writer.field("t", seconds: 349_687_500)
      writer.field("n", 12 as Int64)
      writer.field("event", "playbackStalled")
      writer.key("loaded")
      writer.beginArray()
      writer.beginArray()
      writer.seconds(nanoseconds: 0)
      writer.seconds(nanoseconds: 300_000_000)
      writer.endArray()
      writer.endArray()
      writer.field("rate", millionths: 1_500_000)
      writer.field("likely", false)
      writer.nullField("reason")
      writer.field("name", text: "a\"b")
      writer.endObject()
      writer.endLine()
    }
  }

  @Test func linesOfALog() {
    check("{}\n[]\n1\n\"x\"\n") { writer in
      writer.beginObject()
      writer.endObject()
      writer.endLine()
      writer.beginArray()
      writer.endArray()
      writer.endLine()
      writer.integer(1 as Int64)
      writer.endLine()
      writer.string("x")
      writer.endLine()
    }
  }

  @Test func prettyText() {
    let text = """
      {
        "a": 1,
        "b": [],
        "c": {},
        "d": [
          true,
          {
            "e": null
          }
        ],
        "é": "x"
      }

      """
    check(text, .pretty) { writer in
      writer.beginObject()
      writer.field("a", 1 as UInt64)
      writer.key("b")
      writer.beginArray()
      writer.endArray()
      writer.key(text: "c")
      writer.beginObject()
      writer.endObject()
      writer.key("d")
      writer.beginArray()
      writer.bool(true)
      writer.beginObject()
      writer.nullField("e")
      writer.endObject()
      writer.endArray()
      writer.key(text: "é")
      writer.string(text: "x")
      writer.endObject()
      writer.endLine()
    }
  }

  @Test(arguments: [
    ("", "\"\""), ("abc", "\"abc\""), ("\"\\", "\"\\\"\\\\\""), ("/", "\"/\""),
    ("\u{8}\u{9}\u{A}\u{C}\u{D}", "\"\\b\\t\\n\\f\\r\""),
    ("\0\u{1}\u{F}\u{10}\u{1F}", "\"\\u0000\\u0001\\u000f\\u0010\\u001f\""),
    ("~ \u{7F}\u{80}\u{9F}\u{A0}", "\"~ \\u007f\\u0080\\u009f\u{A0}\""),
    ("é€𝄞\u{2028}\u{202F}", "\"é€𝄞\\u2028\u{202F}\""),
    ("\u{AD}\u{61C}\u{200A}\u{200B}\u{FEFF}", "\"\\u00ad\\u061c\u{200A}\\u200b\\ufeff\""),
    ("\u{202A}\u{202E}\u{2066}\u{2069}", "\"\\u202a\\u202e\\u2066\\u2069\""),
    ("# ## ##[a] ##vso[b]", "\"# ## \\u0023#[a] \\u0023#vso[b]\""), ("##\u{2066}", "\"##\\u2066\""),
  ])
  func escapes(_ text: String, _ expected: String) {
    check(expected) { $0.string(text: text) }
    check("{" + expected + ":0}") { writer in
      writer.beginObject()
      writer.key(text: text)
      writer.integer(0 as Int64)
      writer.endObject()
    }
  }

  @Test(
    arguments: [
      (0, "0"), (1, "0.000000001"), (10, "0.00000001"), (999_999_999, "0.999999999"),
      (1_000_000_000, "1"), (1_000_000_001, "1.000000001"), (6_000_000_000, "6"),
      (349_687_500, "0.3496875"), (100_000_000, "0.1"), (10_000, "0.00001"), (100_000, "0.0001"),
      (6_459_375_000, "6.459375"), (45_459_375_000, "45.459375"), (12_345_678_900, "12.3456789"),
      (31_622_400_000_000_000, "31622400"), (-1, "-0.000000001"), (-1_500_000_000, "-1.5"),
      (.max, "9223372036.854775807"), (.min, "-9223372036.854775808"),
    ] as [(Int64, String)])
  func seconds(_ nanoseconds: Int64, _ expected: String) {
    check(expected) { $0.seconds(nanoseconds: nanoseconds) }
    check("{\"t\":" + expected + "}") { writer in
      writer.beginObject()
      writer.field("t", seconds: nanoseconds)
      writer.endObject()
    }
  }

  @Test(
    arguments: [
      (0, "0"), (1, "0.000001"), (1_000_000, "1"), (1_500_000, "1.5"), (-2_000_000, "-2"),
      (-333_333, "-0.333333"), (64_000_000, "64"), (.min, "-9223372036854.775808"),
    ] as [(Int64, String)])
  func millionths(_ value: Int64, _ expected: String) {
    check(expected) { $0.millionths(value) }
  }

  @Test func integers() {
    var values: [Int64] = [0, .min, .max]
    for places in 0..<19 {
      let power = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
      values += [power - 1, power, power + 1, -power]
    }
    for value in values { check(String(value)) { $0.integer(value) } }
    check("18446744073709551615") { $0.integer(UInt64.max) }
  }

  @Test func exactDecimals() throws {
    for text in ["0", "-1.5", "1e400", "123456789012345678901234567890.5"] {
      let number = try #require(ExactDecimal(text))
      check(text) { $0.decimal(number) }
    }
  }

  /// What is written as seconds is read as the same nanoseconds.
  @Test func timesSurviveARoundTrip() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<3_000 {
      // Of every size, and with every number of zeros at the end.
      let size = random.next() >> (random.next() % 63 + 1)
      let step = (0..<random.next() % 10).reduce(UInt64(1)) { product, _ in product * 10 }
      let nanoseconds = Int64(bitPattern: size / step * step)
      var writer = JSONWriter()
      writer.seconds(nanoseconds: nanoseconds)
      let text = String(decoding: writer.bytes, as: UTF8.self)
      #expect(ExactDecimal(text)?.integer(scaledBy: 1_000_000_000) == .exact(nanoseconds))
      #expect(!text.contains(".") || (text.last != "0" && text.last != "."), "\(text)")
    }
  }

  /// Strings of any scalars are read back as they were.
  @Test func stringsSurviveARoundTrip() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<random.next() % 24 {
        let bound: UInt32 = [0x20, 0x80, 0x800, 0x11_0000].randomElement(using: &random) ?? 1
        let value = UInt32(truncatingIfNeeded: random.next() % UInt64(bound))
        scalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      }
      let text = String(scalars)
      var writer = JSONWriter()
      writer.string(text: text)
      let document = try JSONDocument(SourceText(path: "", bytes: writer.bytes))
      #expect(document.root.string.map { Array($0.utf8) } == Array(text.utf8))
    }
  }

  @Test func aWriterIsUsedAgain() {
    var writer = JSONWriter(capacity: 1)
    for round in 0..<3 {
      writer.beginArray()
      for value in 0..<Int64(round * 100) { writer.integer(value) }
      writer.endArray()
      writer.endLine()
      #expect(writer.count == writer.bytes.count)
      writer.withBytes { #expect($0.last == 0x0A) }
      writer.removeAll()
      #expect(writer.bytes.isEmpty)
    }
  }

  @Test func misuseIsFoundOut() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.endObject()
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("a")
      writer.endObject()
    }
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter()
      writer.beginArray()
      writer.endLine()
    }
  }

  private func check(
    _ expected: String, _ style: JSONWriter.Style = .compact,
    _ write: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter(style)
    write(&writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }
}
