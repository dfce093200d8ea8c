/// A chance between never and always, in parts of 2⁵³.
///
/// A draw is 53 random bits, and the chance comes true if they are fewer: what a uniform Double
/// below the chance would decide, without a Double.
public struct Probability: Comparable, Hashable, Sendable {
  /// The parts of 2⁵³.
  package let parts: UInt64

  /// Creates a chance of so many parts of 2⁵³.
  package init(parts: UInt64) {
    precondition(parts <= 1 << 53, "a chance above certainty")
    self.parts = parts
  }

  /// Creates the chance of some cases in a billion, rounded up to a part.
  public init(billionths: Int64) {
    precondition(
      0...1_000_000_000 ~= billionths, "billionths must be from 0 to 1000000000, is \(billionths)")
    self.init(parts: UInt64((UInt128(UInt64(billionths)) << 53 + 999_999_999) / 1_000_000_000))
  }

  /// What does not happen.
  public static let never = Probability(parts: 0)

  /// What happens without fail.
  public static let always = Probability(parts: 1 << 53)

  /// Returns whether the left chance is the smaller one.
  public static func < (left: Probability, right: Probability) -> Bool {
    left.parts < right.parts
  }

  /// Returns whether the chance comes true for 64 random bits.
  @inline(__always)
  package func comesTrue(_ draw: UInt64) -> Bool { draw >> 11 < parts }
}
