/// A 64-bit digest of everything that happened in a run, in order.
///
/// It mixes the typed records and never their text, costs about a nanosecond a record, and is
/// computed in every run, with a log or without. Four words are folded into one before the chained
/// step, so that only one multiplication per record waits for the one before it. It detects
/// accidents, not attacks.
package struct Fingerprint: Hashable, Sendable {
  /// The digest so far.
  package private(set) var value: UInt64

  /// Creates the digest of nothing.
  package init() {
    value = 0x9E37_79B9_7F4A_7C15
  }

  /// Mixes four words into the digest.
  @inline(__always)
  package mutating func mix(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
    let first = (a ^ 0xA076_1D64_78BD_642F) &* 0xE703_7ED1_A0B4_28DB
    let second = (b ^ 0x8EBC_6AF0_9C88_C6E3) &* 0x5899_65CC_7537_4CC3
    let third = (c ^ 0x1D8E_4E27_C47D_124F) &* 0xEB44_ACCA_B455_D165
    let fourth = (d ^ 0x2D35_8DCC_AA6C_78A5) &* 0x8BB8_4B93_962E_ACC9
    // The second is turned by 17 places, the third by 31 and the fourth by 47: each with those that
    // go further.
    var folded = third ^ (fourth << 16 | fourth >> 48)
    folded = second ^ (folded << 14 | folded >> 50)
    folded = first ^ (folded << 17 | folded >> 47)
    var state = (value ^ folded) &* 0x9FB2_1C65_1E98_DF25
    state ^= state >> 32
    value = state
  }

  /// Mixes bytes into the digest, eight at a time, with their number last.
  package mutating func mix(bytes: [UInt8]) {
    var digest = ByteDigest(self)
    digest.add(bytes)
    self = digest.fingerprint
  }
}

/// The digest of bytes that come piece by piece; how they are cut makes no difference.
package struct ByteDigest: Sendable {
  private var mixed: Fingerprint
  private var word: UInt64 = 0
  private var count: UInt64 = 0

  /// Begins the digest of no bytes yet.
  package init(_ begun: Fingerprint = Fingerprint()) { mixed = begun }

  /// Adds the next bytes.
  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count % 8 == 0 {
        mixed.mix(word, count, 0, 0)
        word = 0
      }
    }
  }

  /// The digest of the bytes so far, with their number.
  package var fingerprint: Fingerprint {
    var whole = mixed
    whole.mix(word, count, 1, 0)
    return whole
  }
}
