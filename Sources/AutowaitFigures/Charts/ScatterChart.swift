/// A value and how far off it may be.
package struct Estimate: Hashable, Sendable {
  /// The value.
  package var value: Int64
  /// The interval around it; nil if nothing is known of it.
  package var interval: ClosedRange<Int64>?

  /// Creates an estimate.
  package init(_ value: Int64, interval: ClosedRange<Int64>? = nil) {
    self.value = value
    self.interval = interval
  }
}

/// Two costs of each of several names, such as startup against stalling: nearer to the lower left
/// is better.
///
/// Crosses show the intervals; a dotted line leads along the names that no other beats in both.
package struct ScatterChart: Sendable {
  /// One name with its two costs.
  package struct Dot: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The cost to the right.
    package var x: Estimate
    /// The cost upwards.
    package var y: Estimate

    /// Creates a point.
    package init(_ name: String, x: Estimate, y: Estimate) {
      self.name = name
      self.x = x
      self.y = y
    }
  }

  /// What the chart shows.
  package var title: String
  /// The axis of the cost to the right.
  package var x: FigureAxis
  /// The axis of the cost upwards.
  package var y: FigureAxis
  /// The points.
  package var points: [Dot]
  /// How the names look.
  package var palette: Palette
  /// Of what the points are means, in a sentence; nothing if there is no more to say.
  package var caption: String = ""
  /// The name that others are held against, which has its label before all others; nil if there is
  /// none.
  package var baseline: String?
  /// Names that are shown and are not part of the front, such as what nobody can reach.
  package var references: [String] = []

  /// Creates a chart.
  package init(title: String, x: FigureAxis, y: FigureAxis, points: [Dot], palette: Palette) {
    self.title = title
    self.x = x
    self.y = y
    self.points = points
    self.palette = palette
  }

  /// The points of which no other is better in one cost and no worse in the other, by the first
  /// cost.
  package var front: [Dot] {
    let candidates = points.filter { !references.contains($0.name) }
    return candidates.filter { point in
      !candidates.contains { other in
        other.x.value <= point.x.value && other.y.value <= point.y.value
          && (other.x.value < point.x.value || other.y.value < point.y.value)
      }
    }.sorted { ($0.x.value, $1.y.value) < ($1.x.value, $0.y.value) }
  }

  /// The picture, as wide as a page.
  package var figure: Figure { figure(width: nil) }

  /// Returns the picture in a width; nil for that of a page.
  package func figure(width wanted: Int?) -> Figure {
    let width = Length(pixels: wanted ?? Figure.usualWidth)
    var canvas = Canvas()
    let legend = Legend(
      names: points.indices.map { "\($0 + 1)  \(shownName(points[$0]))" },
      looks: points.map { $0.name },
      palette: palette, kind: .marker)
    let place = LegendPlace(legend, besidePlotAt: 70, in: width)
    // Many points need room to be told apart.
    let box = Box(
      x: 70, y: 74, width: place.plotWidth,
      height: max(points.count > 8 ? 400 : 330, place.sideHeight - 10))
    let plot = Plot(box, x: range { $0.x }, y: range { $0.y })
    canvas.text(
      TextWidth.shortened(caption, to: width - 32), at: CanvasPoint(x: 16, y: 40), "muted")
    plot.drawAxes(x, y, on: &canvas)
    drawFront(plot, on: &canvas)
    for point in points { drawCross(point, plot, on: &canvas) }
    for point in points {
      let look = palette[point.name]
      canvas.marker(look.shape, at: position(point, plot), look.fill, title: text(point))
    }
    canvas.breakLine()
    drawLabels(plot, on: &canvas)
    let bottom = place.draw(around: box, on: &canvas)
    let best = front.map { $0.name }.joined(separator: ", ")
    let summary = "\(caption.isEmpty ? "" : caption + " ")On the front are \(best)"
    return Figure(
      title: title, summary: summary, width: width, height: bottom, canvas)
  }

  /// A point's name, and whether it is the one that others are held against.
  func shownName(_ point: Dot) -> String {
    MarkupText.plain(point.name) + (point.name == baseline ? " (baseline)" : "")
  }

  private func text(_ point: Dot) -> String {
    func text(_ estimate: Estimate, _ axis: FigureAxis) -> String {
      var text = "\(axis.title) \(axis.measure.text(estimate.value))"
      if let interval = estimate.interval {
        text += " (\(axis.measure.text(interval.lowerBound)) to "
        text += "\(axis.measure.text(interval.upperBound)))"
      }
      return text
    }
    return "\(point.name): \(text(point.x, x)), \(text(point.y, y))"
  }

  /// The values that an axis spans: from zero, unless some are below, to a little above the most.
  private func range(_ cost: (Dot) -> Estimate) -> ClosedRange<Int64> {
    let bounds = points.flatMap { point in
      let estimate = cost(point)
      return [
        estimate.value, estimate.interval?.lowerBound ?? estimate.value,
        estimate.interval?.upperBound ?? estimate.value,
      ]
    }
    let least = min(0, bounds.min() ?? 0)
    let most = max(1, bounds.max() ?? 1)
    let margin = Int64(clamping: (Int128(most) - Int128(least)) / 16 + 1)
    return least...(most > .max - margin ? .max : most + margin)
  }

  func position(_ point: Dot, _ plot: Plot) -> CanvasPoint {
    plot.position(point.x.value, point.y.value)
  }

  private func drawCross(_ point: Dot, _ plot: Plot, on canvas: inout Canvas) {
    let style = "cross \(palette[point.name].stroke)"
    let center = position(point, plot)
    if let interval = point.x.interval {
      canvas.line(
        CanvasPoint(x: plot.x.place(interval.lowerBound), y: center.y),
        CanvasPoint(x: plot.x.place(interval.upperBound), y: center.y), style)
    }
    if let interval = point.y.interval {
      canvas.line(
        CanvasPoint(x: center.x, y: plot.y.place(interval.lowerBound)),
        CanvasPoint(x: center.x, y: plot.y.place(interval.upperBound)), style)
    }
  }

  /// Draws the front as the stairs that bound what none of the points can be beaten in.
  private func drawFront(_ plot: Plot, on canvas: inout Canvas) {
    let front = front
    guard let first = front.first, let last = front.last else { return }
    var stairs = [CanvasPoint(x: plot.x.place(first.x.value), y: plot.box.y)]
    for (number, point) in front.enumerated() {
      let here = position(point, plot)
      if number > 0, let before = stairs.last { stairs.append(CanvasPoint(x: here.x, y: before.y)) }
      stairs.append(here)
    }
    stairs.append(CanvasPoint(x: plot.box.right, y: position(last, plot).y))
    canvas.path(stairs, "front")
  }
}
