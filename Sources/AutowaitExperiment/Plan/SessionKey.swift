/// The number of a session in its experiment, from zero; the same wherever the session is run.
package struct SessionKey: Hashable, Comparable, Sendable {
  /// The number.
  package let number: Int

  /// Creates the key of a number.
  package init(_ number: Int) {
    self.number = number
  }

  /// Returns whether the left session comes first.
  package static func < (left: SessionKey, right: SessionKey) -> Bool { left.number < right.number }
}
