/// Bars of parts laid end to end, such as where the time of a startup went.
package struct BarChart: Sendable {
  /// A bar.
  package struct BarRow: Sendable {
    /// What the bar is of.
    package var name: String
    /// The parts, in the order of `parts`.
    package var values: [Int64]

    /// Creates a bar.
    package init(_ name: String, values: [Int64]) {
      self.name = name
      self.values = values
    }
  }

  /// What the chart shows.
  package var title: String
  /// What the parts are called; in all bars they have the same colours.
  package var parts: [String]
  /// The bars, from top to bottom.
  package var rows: [BarRow]
  /// What is counted.
  package var axis: FigureAxis

  /// Creates a chart.
  package init(title: String, parts: [String], rows: [BarRow], axis: FigureAxis) {
    self.title = title
    self.parts = parts
    self.rows = rows
    self.axis = axis
  }

  /// The picture, as wide as a page.
  package var figure: Figure { figure(width: nil) }

  /// Returns the picture in a width; nil for that of a page.
  package func figure(width wanted: Int?) -> Figure {
    let width = Length(pixels: wanted ?? Figure.usualWidth)
    var canvas = Canvas()
    let names = min(200, rows.map { TextWidth.of(MarkupText.plain($0.name)) }.max() ?? 0)
    let left = max(40, names + 28)
    let box = Box(
      x: left, y: 42, width: max(120, width - left - 90),
      height: Length(pixels: 28) * max(1, rows.count))
    let totals = rows.map {
      Int64(clamping: $0.values.reduce(Int128(0)) { $0 + Int128(max(0, $1)) })
    }
    let most = max(1, totals.max() ?? 1)
    let scale = Scale(0, most, from: box.x, to: box.right)
    drawAxis(box, scale, on: &canvas)
    for (number, row) in rows.enumerated() {
      let y = box.y + 28 * number
      canvas.text(
        TextWidth.shortened(row.name, to: 200), at: CanvasPoint(x: left - 10, y: y + 18),
        anchor: .end)
      var passed: Int64 = 0
      for (part, value) in row.values.enumerated() where value > 0 && part < parts.count {
        let start = scale.place(passed)
        passed = Int64(clamping: Int128(passed) + Int128(value))
        let piece = Box(x: start, y: y + 4, width: scale.place(passed) - start, height: 20)
        canvas.box(
          piece, "f\(part % StyleSheet.seriesCount)",
          title: "\(row.name), \(parts[part]): \(axis.measure.text(value))")
      }
      canvas.text(
        axis.measure.text(totals[number]), at: CanvasPoint(x: scale.place(passed) + 7, y: y + 18),
        "muted")
    }
    let bottom = drawParts(box, on: &canvas)
    return Figure(
      title: title,
      summary: zip(rows, totals).map { "\($0.name) \(axis.measure.text($1))" }
        .joined(separator: ", "),
      width: box.right + 90, height: bottom + 12, canvas)
  }

  private func drawAxis(_ box: Box, _ scale: Scale, on canvas: inout Canvas) {
    let ticks = Ticks(axis.measure, from: 0, to: scale.most, about: 6)
    for (value, label) in zip(ticks.values, ticks.labels) {
      let place = scale.place(value)
      canvas.line(CanvasPoint(x: place, y: box.y), CanvasPoint(x: place, y: box.bottom), "grid")
      canvas.text(label, at: CanvasPoint(x: place, y: box.bottom + 16), "muted", anchor: .middle)
    }
    canvas.line(CanvasPoint(x: box.x, y: box.y), CanvasPoint(x: box.x, y: box.bottom), "axis")
    canvas.breakLine()
  }

  /// Names the parts that appear below the bars; returns where the last row of names ends.
  private func drawParts(_ box: Box, on canvas: inout Canvas) -> Length {
    var point = CanvasPoint(x: box.x, y: box.bottom + 28)
    for (number, part) in parts.enumerated() {
      guard rows.contains(where: { number < $0.values.count && $0.values[number] > 0 }) else {
        continue
      }
      let width = TextWidth.of(MarkupText.plain(part)) + 30
      if point.x + width > box.right + 80, point.x > box.x {
        point = CanvasPoint(x: box.x, y: point.y + 18)
      }
      canvas.box(
        Box(x: point.x, y: point.y, width: 11, height: 11), "f\(number % StyleSheet.seriesCount)")
      canvas.text(MarkupText.plain(part), at: CanvasPoint(x: point.x + 16, y: point.y + 10))
      point.x += width
    }
    return point.y + 14
  }
}

/// How often each of several names was better, as good, or worse than what it is held against.
package struct WinLossChart: Sendable {
  /// One name with its three counts.
  package struct WinLossCount: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The sessions in which it was better.
    package var wins: Int
    /// The sessions in which it was practically equal.
    package var ties: Int
    /// The sessions in which it was worse.
    package var losses: Int

    /// Creates a row.
    package init(_ name: String, wins: Int, ties: Int, losses: Int) {
      self.name = name
      self.wins = wins
      self.ties = ties
      self.losses = losses
    }
  }

  /// What the chart shows.
  package var title: String
  /// The names, from top to bottom.
  package var rows: [WinLossCount]

  /// Creates a chart.
  package init(title: String, rows: [WinLossCount]) {
    self.title = title
    self.rows = rows
  }

  /// The picture, as wide as a page.
  package var figure: Figure { figure(width: nil) }

  /// Returns the picture in a width; nil for that of a page.
  package func figure(width wanted: Int?) -> Figure {
    let width = Length(pixels: wanted ?? Figure.usualWidth)
    var canvas = Canvas()
    let names = min(200, rows.map { TextWidth.of(MarkupText.plain($0.name)) }.max() ?? 0)
    let left = max(40, names + 28)
    let lane = max(120, width - left - 24)
    for (number, row) in rows.enumerated() {
      let y = Length(pixels: 64) + 26 * number
      canvas.text(
        TextWidth.shortened(row.name, to: 200), at: CanvasPoint(x: left - 10, y: y + 16),
        anchor: .end)
      draw(row, in: Box(x: left, y: y + 2, width: lane, height: 20), on: &canvas)
    }
    var x = left
    for (word, style) in [("better", "f0"), ("as good", "idle"), ("worse", "f1")] {
      canvas.box(Box(x: x, y: 38, width: 11, height: 11), style)
      canvas.text(word, at: CanvasPoint(x: x + 16, y: 48))
      x += TextWidth.of(word) + 34
    }
    let summary = rows.map { "\($0.name) \($0.wins) to \($0.losses)" }.joined(separator: ", ")
    return Figure(
      title: title, summary: summary, width: left + lane + 24,
      height: Length(pixels: 76) + 26 * rows.count, canvas)
  }

  private func draw(_ row: WinLossCount, in box: Box, on canvas: inout Canvas) {
    // A third of all numbers, so that their sum is one.
    let counts = [row.wins, row.ties, row.losses].map {
      min(Int64(max(0, $0)), Int64.max / 3)
    }
    let total = counts.reduce(0, +)
    if total == 0 { return }
    let scale = Scale(0, total, from: box.x, to: box.right)
    let kinds = [("better", "f0", "paper"), ("as good", "idle", ""), ("worse", "f1", "paper")]
    var passed: Int64 = 0
    for (count, kind) in zip(counts, kinds) where count > 0 {
      let start = scale.place(passed)
      passed += count
      let piece = Box(x: start, y: box.y, width: scale.place(passed) - start, height: box.height)
      canvas.box(piece, kind.1, title: "\(row.name): \(kind.0) in \(count) of \(total)")
      let label = "\(count)"
      if TextWidth.of(label) + 6 <= piece.width {
        canvas.text(
          label, at: CanvasPoint(x: piece.x + piece.width / 2, y: piece.middle + 4), kind.2,
          anchor: .middle)
      }
    }
    let half = box.x + box.width / 2
    canvas.line(CanvasPoint(x: half, y: box.y - 2), CanvasPoint(x: half, y: box.bottom + 2), "axis")
  }
}
