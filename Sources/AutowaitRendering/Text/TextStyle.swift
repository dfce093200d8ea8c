/// How text for a terminal is laid out.
package struct TextStyle: Hashable, Sendable {
  /// The columns of the terminal.
  package var width: Int
  /// Whether colours may be used.
  package var usesColor: Bool

  /// Creates a style.
  package init(width: Int, usesColor: Bool) {
    self.width = width
    self.usesColor = usesColor
  }
}
