/// How a value is distributed for each of several names: the share of sessions that stay at or
/// below it.
///
/// Sessions without the value, such as those that never started, keep a curve from reaching the
/// top.
package struct CurveChart: Sendable {
  /// One name with its values.
  package struct Curve: Sendable {
    /// The name.
    package var name: String
    /// The values, in any order.
    package var values: [Int64]
    /// The sessions that have no value.
    package var missing: Int

    /// Creates a curve.
    package init(_ name: String, values: [Int64], missing: Int = 0) {
      self.name = name
      self.values = values
      self.missing = missing
    }
  }

  /// What the chart shows.
  package var title: String
  /// The axis of the values.
  package var x: FigureAxis
  /// The curves.
  package var curves: [Curve]
  /// How the names look.
  package var palette: Palette

  /// Creates a chart.
  package init(title: String, x: FigureAxis, curves: [Curve], palette: Palette) {
    self.title = title
    self.x = x
    self.curves = curves
    self.palette = palette
  }

  /// The picture, as wide as a page.
  package var figure: Figure { figure(width: nil) }

  /// Returns the picture in a width; nil for that of a page.
  package func figure(width wanted: Int?) -> Figure {
    let width = Length(pixels: wanted ?? Figure.usualWidth)
    var canvas = Canvas()
    let legend = Legend(names: curves.map { $0.name }, palette: palette, kind: .line)
    let place = LegendPlace(legend, besidePlotAt: 70, in: width)
    let box = Box(
      x: 70, y: 54, width: place.plotWidth, height: max(280, place.sideHeight - 10))
    let all = curves.flatMap { $0.values }
    let least = min(0, all.min() ?? 0)
    let plot = Plot(box, x: least...max(least + 1, all.max() ?? 1), y: 0...1_000_000)
    plot.drawAxes(x, FigureAxis("share of sessions", .share), on: &canvas)
    for curve in curves {
      let look = palette[curve.name]
      canvas.path(
        stairs(curve, plot), "line \(look.stroke) \(look.dash)", title: text(curve))
    }
    let bottom = place.draw(around: box, on: &canvas)
    return Figure(
      title: title, summary: curves.map { text($0) }.joined(separator: "; "),
      width: width, height: bottom, canvas)
  }

  /// The curve in words.
  private func text(_ curve: Curve) -> String {
    let sorted = curve.values.sorted()
    guard !sorted.isEmpty else { return "\(curve.name): no values" }
    // Without an interpolation: the value that so many do not exceed.
    func quantile(_ percent: Int) -> String {
      let rank = (sorted.count * percent + 99) / 100
      return x.measure.text(sorted[max(0, rank - 1)])
    }
    let none = curve.missing > 0 ? ", and \(curve.missing) without" : ""
    return "\(curve.name): half within \(quantile(50)), 95 of 100 within \(quantile(95))\(none)"
  }

  /// Returns the stairs of a curve: a step up at each value, one for all within a tenth of a pixel.
  private func stairs(_ curve: Curve, _ plot: Plot) -> [CanvasPoint] {
    let total = Int64(curve.values.count + curve.missing)
    if total == 0 { return [] }
    let sorted = curve.values.sorted()
    var points = [CanvasPoint(x: plot.box.x, y: plot.box.bottom)]
    var index = 0
    while index < sorted.count {
      let place = plot.x.place(sorted[index])
      while index < sorted.count, plot.x.place(sorted[index]) == place { index += 1 }
      let height = plot.y.place(Int64(Int128(index) * 1_000_000 / Int128(total)))
      if let last = points.last { points.append(CanvasPoint(x: place, y: last.y)) }
      points.append(CanvasPoint(x: place, y: height))
    }
    if let last = points.last { points.append(CanvasPoint(x: plot.box.right, y: last.y)) }
    return points
  }
}
