/// Parts of sums.
package enum Ratio {
  /// Returns a part of a sum in millionths, rounded to the nearest; nil of nothing.
  package static func millionths(_ part: Int128, of whole: Int128) -> Int64? {
    whole == 0 ? nil : Int64(clamping: (part * 2_000_000 + whole) / (2 * whole))
  }

  /// Returns a difference as millionths of a sum that is not negative, rounded to the nearest; nil
  /// of nothing.
  package static func signedMillionths(_ difference: Int128, of whole: Int128) -> Int64? {
    guard let magnitude = millionths(difference < 0 ? -difference : difference, of: whole)
    else { return nil }
    return difference < 0 ? -magnitude : magnitude
  }
}
