import AutowaitWeb
import Testing

/// What wasm32 calculates with, held against the numbers of the standard library.
struct WideIntegerTests {
  /// Numbers at the edges of words and digits, and others that are drawn.
  private static let numbers: [UInt128] = {
    let words: [UInt64] = [
      0, 1, 2, 3, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF,
      0x8000_0000_0000_0000, 0x8000_0000_0000_0001, 0xFFFF_FFFF_0000_0000, .max - 1, .max,
      0x8000_0000_FFFF_FFFE, 0x8000_0000_FFFF_FFFF,  // guesses of a digit that are two too large
    ]
    var numbers = words.flatMap { high in words.map { UInt128(high) << 64 | UInt128($0) } }
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func word() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> (state >> 58)
    }
    for _ in 0..<300 { numbers.append(UInt128(word()) << 64 | UInt128(word())) }
    return numbers
  }()

  private static func wide(_ number: UInt128) -> WideInteger {
    WideInteger(
      low: UInt64(truncatingIfNeeded: number), high: UInt64(truncatingIfNeeded: number >> 64))
  }

  private static func number(_ wide: WideInteger) -> UInt128 {
    UInt128(wide.high) << 64 | UInt128(wide.low)
  }

  @Test func productsAndQuotientsAreThoseOfTheStandardLibrary() {
    for left in Self.numbers {
      for right in Self.numbers {
        let (a, b) = (Self.wide(left), Self.wide(right))
        #expect(Self.number(a &* b) == left &* right, "\(left) times \(right)")
        guard right != 0 else { continue }
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        #expect(Self.number(quotient) == left / right, "\(left) divided by \(right)")
        #expect(Self.number(remainder) == left % right, "\(left) modulo \(right)")
      }
    }
  }

  @Test func signedQuotientsAreThoseOfTheStandardLibrary() {
    for left in Self.numbers {
      for right in Self.numbers where right != 0 {
        let (signedLeft, signedRight) = (
          Int128(truncatingIfNeeded: left), Int128(truncatingIfNeeded: right)
        )
        if signedLeft == .min && signedRight == -1 { continue }  // does not fit, and is not asked
        let (a, b) = (Self.wide(left), Self.wide(right))
        #expect(
          Int128(truncatingIfNeeded: Self.number(a.signedQuotient(dividingBy: b)))
            == signedLeft / signedRight, "\(signedLeft) divided by \(signedRight)")
        #expect(
          Int128(truncatingIfNeeded: Self.number(a.signedRemainder(dividingBy: b)))
            == signedLeft % signedRight, "\(signedLeft) modulo \(signedRight)")
      }
    }
  }

  @Test func shiftsAreThoseOfTheStandardLibrary() {
    for number in Self.numbers {
      for bits in 0..<UInt64(128) {
        let wide = Self.wide(number)
        #expect(Self.number(wide &<< bits) == number << bits, "\(number) << \(bits)")
        #expect(Self.number(wide.shiftedRight(bits)) == number >> bits, "\(number) >> \(bits)")
        let signed = Int128(truncatingIfNeeded: number) >> bits
        #expect(
          Self.number(wide.shiftedRight(bits, keepsSign: true))
            == UInt128(truncatingIfNeeded: signed), "\(number) >> \(bits) with its sign")
      }
    }
  }
}
