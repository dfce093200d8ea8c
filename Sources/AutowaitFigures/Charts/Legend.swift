/// A list of names with their appearances, beside a plot.
struct Legend: Sendable {
  /// What stands before a name.
  enum Sign: Sendable {
    /// The shape of the name, filled.
    case marker
    /// A piece of line with the dashes of the name.
    case line
  }

  /// The height of a row.
  static let row: Length = 18
  /// The width of the sign before a name.
  private static let sign: Length = 26

  /// What is written.
  let names: [String]
  /// The names by which the palette knows them.
  let looks: [String]
  let palette: Palette
  let kind: Sign

  init(names: [String], looks: [String]? = nil, palette: Palette, kind: Sign) {
    self.names = names
    self.looks = looks ?? names
    self.palette = palette
    self.kind = kind
  }

  /// The height of all rows.
  var height: Length { Self.row * names.count }

  /// Returns the width that the names need, at most so much.
  func width(atMost most: Length) -> Length {
    min(most, (names.map { TextWidth.of(MarkupText.plain($0)) }.max() ?? 0) + Self.sign)
  }

  /// Draws the list from a corner downwards.
  func draw(at corner: CanvasPoint, width: Length, on canvas: inout Canvas) {
    for (number, name) in names.enumerated() {
      let middle = corner.y + Self.row * number + Self.row / 2
      let look = palette[looks[number]]
      switch kind {
      case .marker:
        canvas.marker(look.shape, at: CanvasPoint(x: corner.x + 9, y: middle), look.fill)
      case .line:
        let ends = [CanvasPoint(x: corner.x, y: middle), CanvasPoint(x: corner.x + 20, y: middle)]
        canvas.path(ends, "line \(look.stroke) \(look.dash)")
      }
      let shown = TextWidth.shortened(name, to: width - Self.sign)
      canvas.text(
        shown, at: CanvasPoint(x: corner.x + Self.sign, y: middle + 4),
        title: shown == MarkupText.plain(name) ? "" : name)
    }
    canvas.breakLine()
  }
}
