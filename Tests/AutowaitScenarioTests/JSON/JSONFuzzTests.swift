import AutowaitScenario
import Testing

/// No bytes crash the reader, and what is wrong is inside the text.
@Suite struct JSONFuzzTests {
  static let valid = """
    {"name": "a \\"b\\" \\u00e9 \\ud834\\udd1e €", "link": [1, -2.5e-3, 0, true, false, null],
     "nested": {"a": [[], {}, [{"b": "c"}]], "time": "39 s"}, "last": 1e400}
    """

  @Test(arguments: 0..<8)
  func mutationsNeverCrash(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<250 {
      var bytes = Array(JSONFuzzTests.valid.utf8)
      for _ in 0...random.next() % 4 { mutate(&bytes, &random) }
      check(bytes)
    }
  }

  @Test func everyPrefixIsAnErrorAtItsEnd() {
    let bytes = Array(JSONFuzzTests.valid.utf8)
    for count in 0..<bytes.count {
      let error = check(Array(bytes[..<count]))
      #expect(error != nil, "a prefix of \(count) bytes")
    }
    #expect(check(bytes) == nil)
  }

  @Test func noiseNeverCrashes() {
    var random = SplitMix64(seed: 99)
    let letters = Array("[]{},:\"\\u0d8-+.eE tfn\n\u{7F}é".utf8)
    for _ in 0..<1_000 {
      let count = Int(random.next() % 24)
      check((0..<count).map { _ in letters.randomElement(using: &random) ?? 0 })
      check((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let place = Int(random.next() % UInt64(bytes.count))
    let other = Int(random.next() % UInt64(bytes.count))
    switch random.next() % 6 {
    case 0: bytes.remove(at: place)
    case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.insert(bytes[other], at: place)
    case 3: bytes.swapAt(place, other)
    case 4: bytes.removeSubrange(min(place, other)..<max(place, other))
    default: bytes[place] ^= 1 << (random.next() % 8)
    }
  }

  /// Reads everything in a text that is JSON; returns what is wrong with one that is not.
  @discardableResult
  private func check(_ bytes: [UInt8]) -> JSONError? {
    let source = SourceText(path: "fuzz.json", bytes: bytes)
    do throws(JSONError) {
      let document = try JSONDocument(source)
      #expect(String(validating: bytes, as: UTF8.self) != nil)
      var writer = JSONWriter()
      writer.value(document.root)
      #expect(throws: Never.self) {
        try JSONDocument(SourceText(path: "copy.json", bytes: writer.bytes))
      }
      return nil
    } catch {
      #expect(error.offset >= 0 && error.length >= 0)
      #expect(error.offset + error.length <= bytes.count, "\(error)")
      #expect((0...error.offset + error.length).contains(error.note?.offset ?? 0))
      let findings = Findings(source)
      findings.report(error)
      #expect(findings.sorted.count == 1 && !findings.sorted[0].rendered.isEmpty)
      return error
    }
  }
}
