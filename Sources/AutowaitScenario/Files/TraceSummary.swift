import Autowait

/// What was understood of a trace: how long it is, and which rates it has on the way down.
package struct TraceSummary: Hashable, Sendable {
  /// The pieces of equal length that a small picture is drawn of.
  package static let pieceCount = 12

  /// The path as it was given.
  package let path: String
  /// The name of the format that the file was taken for.
  package let format: String
  /// How much of it was read; nil for one rate that holds forever.
  package let length: TimeSpan?
  /// Whether the trace goes on behind that.
  package let isCut: Bool
  /// The mean rate, by time.
  package let mean: BitRate
  /// The lowest rate.
  package let least: BitRate
  /// The highest rate.
  package let most: BitRate
  /// The mean rates of pieces of equal length.
  package let pieces: [BitRate]
}
