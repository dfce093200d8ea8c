/// The number of a session in its experiment, from zero; the same wherever the session is run.
public struct SessionKey: Hashable, Comparable, Sendable {
  /// The number.
  public let number: Int

  /// Creates the key of a number.
  public init(_ number: Int) {
    self.number = number
  }

  /// Returns whether the left session comes first.
  public static func < (left: SessionKey, right: SessionKey) -> Bool { left.number < right.number }
}
