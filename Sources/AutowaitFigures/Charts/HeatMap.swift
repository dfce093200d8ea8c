/// A number for each pair of two conditions: darker is more, and the number stands in its cell.
package struct HeatMap: Sendable {
  /// What the map shows.
  package var title: String
  /// What the columns are.
  package var columnTitle: String
  /// What the rows are.
  package var rowTitle: String
  /// The conditions from left to right.
  package var columns: [String]
  /// The conditions from top to bottom.
  package var rows: [String]
  /// The numbers, row by row; nil where nothing was measured.
  package var cells: [[Int64?]]
  /// What the numbers count.
  package var axis: FigureAxis

  /// Creates a map without cells.
  package init(title: String, columnTitle: String, rowTitle: String, axis: FigureAxis) {
    self.title = title
    self.columnTitle = columnTitle
    self.rowTitle = rowTitle
    self.axis = axis
    (columns, rows, cells) = ([], [], [])
  }

  /// The colours from the least to the most: from light to dark in one direction, so that order is
  /// seen without colours as well.
  static let ramp: [(red: Int, green: Int, blue: Int)] = [
    (247, 244, 233), (207, 225, 212), (143, 191, 201), (79, 143, 184), (43, 90, 150), (27, 47, 94),
  ]

  /// The picture, as wide as a page.
  package var figure: Figure { figure(width: nil) }

  /// Returns the picture in a width, or a wider one that its numbers need; nil for that of a page.
  package func figure(width wanted: Int?) -> Figure {
    let width = Length(pixels: wanted ?? Figure.usualWidth)
    var canvas = Canvas()
    let values = cells.flatMap { $0 }.compactMap { $0 }
    let range = (values.min() ?? 0)...(values.max() ?? 0)
    let names = min(180, (rows.map { TextWidth.of(MarkupText.plain($0)) }.max() ?? 0))
    let left = max(70, names + 24)
    // One unit for all: what is more must not have the smaller number.
    let form = axis.measure.form(of: values)
    let texts = cells.map { $0.map { $0.map { form.text($0) } ?? "–" } }
    let widest = (texts.flatMap { $0 } + columns).map { TextWidth.of(MarkupText.plain($0)) }.max()
    let need = min(120, max(52, (widest ?? 0) + 14))
    // Cells have all the width there is, but for what would tear them apart.
    let room = (width - left - 16) / max(1, columns.count)
    let cell = (width: min(180, max(need, room)), height: Length(pixels: 30))
    let origin = CanvasPoint(x: left, y: 72)
    canvas.text(MarkupText.plain(columnTitle), at: CanvasPoint(x: left, y: 46), "muted")
    canvas.text(MarkupText.plain(rowTitle), at: CanvasPoint(x: 16, y: 64), "muted")
    for (number, name) in columns.enumerated() {
      let point = CanvasPoint(x: origin.x + cell.width * number + cell.width / 2, y: origin.y - 8)
      canvas.text(
        TextWidth.shortened(name, to: cell.width - 4), at: point, anchor: .middle, title: name)
    }
    for (row, name) in rows.enumerated() {
      let y = origin.y + cell.height * row
      canvas.text(
        TextWidth.shortened(name, to: 180), at: CanvasPoint(x: left - 8, y: y + 19), anchor: .end)
      guard row < cells.count else { continue }
      for (column, value) in cells[row].enumerated() where column < columns.count {
        let box = Box(
          x: origin.x + cell.width * column, y: y, width: cell.width - 1, height: cell.height - 1)
        let place = "\(rowTitle) \(name), \(columnTitle) \(columns[column])"
        let cell = DrawnCell(box: box, text: texts[row][column], place: place)
        draw(value, in: cell, range, on: &canvas)
      }
    }
    let bottom = origin.y + cell.height * rows.count
    drawLegend(range, at: CanvasPoint(x: left, y: bottom + 16), on: &canvas)
    let legend = left + 256 + TextWidth.of(MarkupText.plain(axis.title))
    let right = max(origin.x + cell.width * columns.count, legend)
    return Figure(
      title: title, summary: summary(range), width: max(right + 16, width), height: bottom + 62,
      canvas)
  }

  /// A cell as it is drawn: where, with what number, and the conditions that it stands for.
  private struct DrawnCell {
    let box: Box
    let text: String
    let place: String
  }

  private func summary(_ range: ClosedRange<Int64>) -> String {
    "\(axis.title) from \(axis.measure.text(range.lowerBound)) to "
      + axis.measure.text(range.upperBound)
  }

  private func draw(
    _ value: Int64?, in cell: DrawnCell, _ range: ClosedRange<Int64>, on canvas: inout Canvas
  ) {
    let (box, title) = (cell.box, "\(cell.place): \(cell.text)")
    let point = CanvasPoint(x: box.x + box.width / 2, y: box.middle + 4)
    guard let value else {
      canvas.box(box, "field", title: title)
      canvas.text("–", at: point, "muted", anchor: .middle)
      return
    }
    let color = Self.color(of: value, in: range)
    canvas.box(box, "", title: title, fill: color.text)
    canvas.text(
      TextWidth.shortened(cell.text, to: box.width - 2), at: point,
      color.isDark ? "white" : "black", anchor: .middle)
  }

  /// Draws the ramp with the values at its ends.
  private func drawLegend(
    _ range: ClosedRange<Int64>, at corner: CanvasPoint, on canvas: inout Canvas
  ) {
    let steps = 24
    for step in 0..<steps {
      let span = Int128(range.upperBound) - Int128(range.lowerBound)
      let part = span * Int128(step) / Int128(steps - 1)
      let value = Int64(clamping: Int128(range.lowerBound) + part)
      // They overlap, so that no line is seen between them.
      let width: Length = step < steps - 1 ? 11 : 10
      let box = Box(x: corner.x + 10 * step, y: corner.y, width: width, height: 12)
      canvas.box(box, "", fill: Self.color(of: value, in: range).text)
    }
    let y = corner.y + 26
    canvas.text(axis.measure.text(range.lowerBound), at: CanvasPoint(x: corner.x, y: y), "muted")
    canvas.text(
      axis.measure.text(range.upperBound), at: CanvasPoint(x: corner.x + 240, y: y), "muted",
      anchor: .end)
    canvas.text(
      MarkupText.plain(axis.title), at: CanvasPoint(x: corner.x + 252, y: corner.y + 10), "muted")
  }

  /// Returns the colour of a value, and whether letters on it must be light.
  static func color(
    of value: Int64, in range: ClosedRange<Int64>
  ) -> (text: String, isDark: Bool) {
    let span = Int128(range.upperBound) - Int128(range.lowerBound)
    let whole = Int128(ramp.count - 1)
    let offset = span == 0 ? 0 : (Int128(value) - Int128(range.lowerBound)) * whole * 1_000 / span
    let index = min(ramp.count - 2, Int(offset / 1_000))
    let part = Int(offset) - index * 1_000
    let (low, high) = (ramp[index], ramp[index + 1])
    func mixed(_ from: Int, _ to: Int) -> Int { (from * (1_000 - part) + to * part + 500) / 1_000 }
    let red = mixed(low.red, high.red)
    let green = mixed(low.green, high.green)
    let blue = mixed(low.blue, high.blue)
    // The weights of perceived lightness, in thousandths (ITU-R BT.601).
    let isDark = 299 * red + 587 * green + 114 * blue < 145_000
    return ("#" + hexadecimal(red) + hexadecimal(green) + hexadecimal(blue), isDark)
  }

  private static func hexadecimal(_ byte: Int) -> String {
    let digits = String(byte, radix: 16)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }
}
