/// How text for a terminal is laid out.
public struct TextStyle: Hashable, Sendable {
  /// The columns of the terminal.
  public var width: Int
  /// Whether colours may be used.
  public var usesColor: Bool

  /// Creates a style.
  public init(width: Int, usesColor: Bool) {
    self.width = width
    self.usesColor = usesColor
  }
}
