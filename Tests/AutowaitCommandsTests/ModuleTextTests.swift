import AutowaitCommands
import Testing

@Suite struct ModuleTextTests {
  private static let printable = (33...126).map { UInt8($0) }

  /// Bytes of any count come back from the bits of the characters, and no bit is left but zeros.
  @Test(arguments: 0..<60) func bitsAreThoseOfTheBytes(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 255 &- $0 &* 89) }
    let text = Array(ModuleText.text(bytes).utf8)
    var bits = ""
    for place in stride(from: 0, to: text.count, by: 2) {
      let digits = try text[place..<min(place + 2, text.count)].map { try #require(Self.digit($0)) }
      bits += Self.binary(digits.reduce(0) { $0 * 91 + $1 }, digits.count == 2 ? 13 : 6)
    }
    let expected = bytes.map { Self.binary(Int($0), 8) }.joined()
    #expect(bits.hasPrefix(expected))
    #expect(bits.dropFirst(expected.count).allSatisfy { $0 == "0" })
    #expect(bits.count - expected.count < 8)
  }

  private static func digit(_ character: UInt8) -> Int? {
    printable.filter { ![0x26, 0x3C, 0x5C].contains($0) }.firstIndex(of: character)
  }

  private static func binary(_ number: Int, _ width: Int) -> String {
    let digits = String(number, radix: 2)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
