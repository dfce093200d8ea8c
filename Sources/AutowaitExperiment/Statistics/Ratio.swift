/// Parts of sums.
package enum Ratio {
  /// Returns a part of a sum in millionths, rounded to the nearest; nil of nothing.
  package static func millionths(_ part: Int128, of whole: Int128) -> Int64? {
    whole == 0 ? nil : Int64(clamping: (part * 2_000_000 + whole) / (2 * whole))
  }
}
