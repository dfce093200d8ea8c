/// A stream of pseudo-random numbers that belongs to one component and one purpose.
///
/// Every stream of a run is derived from the run's seed, the name of the component and the name of
/// the purpose. A new draw in one place therefore moves nothing elsewhere, and two rules that are
/// compared under one seed meet the same network.
///
/// The generator is xoshiro256\*\* (Blackman and Vigna, 2018), its four words of state filled by
/// SplitMix64 (Steele, Lea and Flood, 2014). The start value of SplitMix64 is the 64-bit FNV-1a
/// hash of the bytes: seed as eight bytes, least significant first; component; a zero byte;
/// purpose. The article <doc:keeping-runs-repeatable> has test vectors.
@usableFromInline
package struct RandomStream: Equatable, Sendable {
  @usableFromInline
  var state: (UInt64, UInt64, UInt64, UInt64)

  /// The numbers drawn so far.
  @usableFromInline
  package internal(set) var draws: Int64 = 0

  /// Creates the stream of a component's purpose under a seed.
  package init(seed: UInt64, component: String, purpose: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func absorb(_ byte: UInt8) {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      absorb(UInt8(truncatingIfNeeded: seed >> shift))
    }
    for byte in component.utf8 { absorb(byte) }
    absorb(0)
    for byte in purpose.utf8 { absorb(byte) }
    self.init(splitMixSeed: hash)
  }

  /// Creates a stream whose state is four consecutive outputs of SplitMix64.
  package init(splitMixSeed seed: UInt64) {
    var counter = seed
    func next() -> UInt64 {
      counter &+= 0x9E37_79B9_7F4A_7C15
      var mixed = counter
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
    state = (next(), next(), next(), next())
    assert(state != (0, 0, 0, 0), "a generator of zeros stays at zero")
  }

  /// Creates a stream from the generator's own state, which must not be all zero.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) {
    precondition(state != (0, 0, 0, 0), "a generator whose state is all zeros returns only zeros")
    self.state = state
  }

  /// Returns the next 64 random bits.
  @inlinable @inline(__always)
  package mutating func next() -> UInt64 {
    let scrambled = state.1 &* 5
    let result = (scrambled << 7 | scrambled >> 57) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3 << 45 | state.3 >> 19
    draws += 1
    return result
  }

  /// Returns a number from zero up to, not including, a bound, each with equal chance.
  ///
  /// Lemire's multiplication (2019): the draws that would favour small results are repeated. A loop
  /// of draws keeps the state at hand (measured: a third of the instructions of a draw).
  @inlinable @inline(__always)
  package mutating func next(below bound: UInt64) -> UInt64 {
    precondition(bound > 0, "the bound of a draw must be above 0")
    var product = next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold {
        product = next().multipliedFullWidth(by: bound)
      }
    }
    assert(product.high < bound, "\(product.high) was drawn below \(bound)")
    return product.high
  }

  /// Returns whether two streams would go on alike.
  @usableFromInline
  package static func == (left: RandomStream, right: RandomStream) -> Bool {
    left.state == right.state && left.draws == right.draws
  }
}
