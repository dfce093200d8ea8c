/// Draws shapes and texts of classes that `StyleSheet.figure` knows.
struct Canvas: Sendable {
  /// Where a text is in relation to the point that it is written at.
  enum Anchor: String, Sendable {
    case start, middle, end

    /// The class that says so; none for what is usual.
    fileprivate var classes: [String] { self == .start ? [] : [rawValue] }
  }

  private(set) var markup = Markup()

  /// Draws a rectangle; a title is shown while the pointer is on it.
  mutating func box(_ box: Box, _ style: String, title: String = "", fill: String = "") {
    let attributes: KeyValuePairs<String, String> = [
      "x": box.x.text, "y": box.y.text, "width": box.width.text, "height": box.height.text,
      "class": style, "fill": fill,
    ]
    titled("rect", attributes, title)
  }

  /// Draws a straight line.
  mutating func line(_ from: CanvasPoint, _ to: CanvasPoint, _ style: String) {
    markup.empty(
      "line",
      [
        "x1": from.x.text, "y1": from.y.text, "x2": to.x.text, "y2": to.y.text, "class": style,
      ])
    markup.breakLine()
  }

  /// Draws a line through points.
  mutating func path(_ points: [CanvasPoint], _ style: String, title: String = "") {
    if points.isEmpty { return }
    titled("path", ["d": Self.data(points), "class": style], title)
  }

  /// Draws the area between a line through points and a horizontal line.
  mutating func area(_ points: [CanvasPoint], down to: Length, _ style: String) {
    guard let first = points.first, let last = points.last else { return }
    let outline = [CanvasPoint(x: first.x, y: to)] + points + [CanvasPoint(x: last.x, y: to)]
    markup.empty("path", ["d": Self.data(outline) + "Z", "class": style])
  }

  /// Writes a text; its point is on the line that the letters stand on.
  mutating func text(
    _ text: String, at point: CanvasPoint, _ style: String = "", anchor: Anchor = .start,
    title: String = ""
  ) {
    if text.isEmpty { return }
    if style.split(separator: " ").contains("on-plot") {
      // A ring in the colour of the plot, which many programs do not draw below the letters.
      let others = style.split(separator: " ").map { String($0) }
        .filter { $0 != "on-plot" && $0 != "muted" }
      write(text, at: point, others + ["halo"] + anchor.classes, isShadow: true)
    }
    write(text, at: point, [style] + anchor.classes, title: title)
  }

  private mutating func write(
    _ text: String, at point: CanvasPoint, _ styles: [String], title: String = "",
    isShadow: Bool = false
  ) {
    let classes = styles.filter { !$0.isEmpty }.joined(separator: " ")
    markup.begin(
      "text",
      [
        "x": point.x.text, "y": point.y.text, "class": classes,
        "aria-hidden": isShadow ? "true" : "",
      ])
    if !title.isEmpty { markup.leaf("title", title) }
    markup.text(text)
    markup.end()
    markup.breakLine()
  }

  /// Draws one of the shapes that set names apart: a circle, a square, a diamond, a triangle on its
  /// side or on its point, or a cross.
  mutating func marker(_ shape: Int, at point: CanvasPoint, _ style: String, title: String = "") {
    let classes = "marker " + style
    let (x, y) = (point.x, point.y)
    switch shape % Appearance.shapeCount {
    case 0:
      titled("circle", ["cx": x.text, "cy": y.text, "r": "5", "class": classes], title)
    case 1:
      box(Box(x: x - 5, y: y - 5, width: 10, height: 10), classes, title: title)
    case 2:
      let points = [
        CanvasPoint(x: x, y: y - 6), CanvasPoint(x: x + 6, y: y), CanvasPoint(x: x, y: y + 6),
        CanvasPoint(x: x - 6, y: y),
      ]
      titled("path", ["d": Self.data(points) + "Z", "class": classes], title)
    case 3:
      let points = [
        CanvasPoint(x: x, y: y - 6), CanvasPoint(x: x + 6, y: y + 5),
        CanvasPoint(x: x - 6, y: y + 5),
      ]
      titled("path", ["d": Self.data(points) + "Z", "class": classes], title)
    case 4:
      let points = [
        CanvasPoint(x: x - 6, y: y - 5), CanvasPoint(x: x + 6, y: y - 5),
        CanvasPoint(x: x, y: y + 6),
      ]
      titled("path", ["d": Self.data(points) + "Z", "class": classes], title)
    default:
      let corners: [(Int, Int)] = [
        (-2, -6), (2, -6), (2, -2), (6, -2), (6, 2), (2, 2), (2, 6), (-2, 6), (-2, 2), (-6, 2),
        (-6, -2), (-2, -2),
      ]
      let points = corners.map {
        CanvasPoint(x: x + Length(pixels: $0.0), y: y + Length(pixels: $0.1))
      }
      titled("path", ["d": Self.data(points) + "Z", "class": classes], title)
    }
  }

  /// Begins what belongs together, such as a lane, so that a page can find it.
  mutating func beginGroup(_ attributes: KeyValuePairs<String, String>) {
    markup.begin("g", attributes)
    markup.breakLine()
  }

  /// Ends the group that was begun last.
  mutating func endGroup() {
    markup.end()
    markup.breakLine()
  }

  /// Names the group that was begun, for those who cannot see it or point at it.
  mutating func title(_ text: String) { markup.leaf("title", text) }

  /// Ends the line of the source.
  mutating func breakLine() { markup.breakLine() }

  private mutating func titled(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ title: String
  ) {
    if title.isEmpty {
      markup.empty(name, attributes)
    } else {
      markup.begin(name, attributes)
      markup.leaf("title", title)
      markup.end()
    }
    markup.breakLine()
  }

  /// Returns the commands of a path, horizontal and vertical ones in short.
  private static func data(_ points: [CanvasPoint]) -> String {
    var text = ""
    var last: CanvasPoint?
    for (index, point) in points.enumerated() {
      // What lies on the way straight to the right need not be named.
      if let last, index + 1 < points.count, last.y == point.y, point.y == points[index + 1].y,
        last.x <= point.x, point.x <= points[index + 1].x
      {
        continue
      }
      if let last {
        if point == last { continue }
        if point.y == last.y {
          text += "H" + point.x.text
        } else if point.x == last.x {
          text += "V" + point.y.text
        } else {
          text += "L\(point.x.text) \(point.y.text)"
        }
      } else {
        text += "M\(point.x.text) \(point.y.text)"
      }
      last = point
    }
    return text
  }
}

extension Markup {
  /// Writes an element that holds a text, without attributes.
  mutating func leaf(_ name: String, _ text: String) { leaf(name, [:], text) }
}
