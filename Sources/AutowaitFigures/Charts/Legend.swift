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
  /// The width of the sign before a name; dashes need some length to be told apart.
  private var sign: Length { kind == .line ? 44 : 24 }

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
    min(most, (names.map { TextWidth.of(MarkupText.plain($0)) }.max() ?? 0) + sign)
  }

  /// Returns some of the rows.
  func part(_ rows: Range<Int>) -> Legend {
    Legend(
      names: Array(names[rows]), looks: Array(looks[rows]), palette: palette, kind: kind)
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
        let ends = [CanvasPoint(x: corner.x, y: middle), CanvasPoint(x: corner.x + 38, y: middle)]
        canvas.path(ends, "line \(look.stroke) \(look.dash)")
      }
      let shown = TextWidth.shortened(name, to: width - sign)
      canvas.text(
        shown, at: CanvasPoint(x: corner.x + sign, y: middle + 4),
        title: shown == MarkupText.plain(name) ? "" : name)
    }
    canvas.breakLine()
  }
}

/// Where the names of a plot stand in a picture of some width: beside the plot or, in a narrow one,
/// below it in columns.
struct LegendPlace: Sendable {
  private let legend: Legend
  private let isBelow: Bool
  private let side: Length
  private let columns: Int
  /// How wide the plot is.
  let plotWidth: Length

  init(_ legend: Legend, besidePlotAt left: Length, in width: Length) {
    self.legend = legend
    isBelow = width < Length(pixels: Figure.narrowWidth)
    if isBelow {
      plotWidth = width - left - 16
      let wish = legend.width(atMost: plotWidth)
      columns = max(1, min(legend.names.count, plotWidth.tenths / max(1, (wish + 14).tenths)))
      side = plotWidth / columns - 4
    } else {
      side = legend.width(atMost: 220)
      columns = 1
      plotWidth = width - left - 22 - side - 16
    }
  }

  /// The height that names beside a plot need.
  var sideHeight: Length { isBelow ? 0 : legend.height }

  /// Draws the names of a plot; returns where the picture ends.
  func draw(around plot: Box, on canvas: inout Canvas) -> Length {
    if !isBelow {
      legend.draw(at: CanvasPoint(x: plot.right + 22, y: plot.y), width: side, on: &canvas)
      return plot.bottom + 50
    }
    let top = plot.bottom + 52
    let rows = (legend.names.count + columns - 1) / columns
    for column in 0..<columns {
      let first = column * rows
      if first >= legend.names.count { break }
      legend.part(first..<min(first + rows, legend.names.count)).draw(
        at: CanvasPoint(x: plot.x + (side + 4) * column, y: top), width: side, on: &canvas)
    }
    return top + Legend.row * rows + 10
  }
}
