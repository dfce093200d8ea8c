/// Draws shapes and texts of classes that `StyleSheet.figure` knows.
struct Canvas: Sendable {
  /// Where a text is in relation to the spot that it is written at.
  enum Anchor: String, Sendable {
    case start, middle, end
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
  mutating func line(_ from: Spot, _ to: Spot, _ style: String) {
    markup.empty(
      "line",
      [
        "x1": from.x.text, "y1": from.y.text, "x2": to.x.text, "y2": to.y.text, "class": style,
      ])
    markup.breakLine()
  }

  /// Draws a line through spots.
  mutating func path(_ spots: [Spot], _ style: String, title: String = "") {
    if spots.isEmpty { return }
    titled("path", ["d": Self.data(spots), "class": style], title)
  }

  /// Draws the area between a line through spots and a horizontal line.
  mutating func area(_ spots: [Spot], down to: Length, _ style: String) {
    guard let first = spots.first, let last = spots.last else { return }
    let outline = [Spot(x: first.x, y: to)] + spots + [Spot(x: last.x, y: to)]
    markup.empty("path", ["d": Self.data(outline) + "Z", "class": style])
  }

  /// Writes a text; its spot is on the line that the letters stand on.
  mutating func text(
    _ text: String, at spot: Spot, _ style: String = "", anchor: Anchor = .start, title: String = ""
  ) {
    if text.isEmpty { return }
    let anchored = anchor == .start ? "" : anchor.rawValue
    let classes = [style, anchored].filter { !$0.isEmpty }.joined(separator: " ")
    markup.begin("text", ["x": spot.x.text, "y": spot.y.text, "class": classes])
    if !title.isEmpty { markup.leaf("title", title) }
    markup.text(text)
    markup.end()
    markup.breakLine()
  }

  /// Draws one of the shapes that set names apart: a circle, a square, a diamond or a triangle.
  mutating func marker(_ shape: Int, at spot: Spot, _ style: String, title: String = "") {
    let classes = "marker " + style
    let (x, y) = (spot.x, spot.y)
    switch shape % Appearance.shapeCount {
    case 0:
      titled("circle", ["cx": x.text, "cy": y.text, "r": "5", "class": classes], title)
    case 1:
      box(Box(x: x - 5, y: y - 5, width: 10, height: 10), classes, title: title)
    case 2:
      let spots = [
        Spot(x: x, y: y - 6), Spot(x: x + 6, y: y), Spot(x: x, y: y + 6), Spot(x: x - 6, y: y),
      ]
      titled("path", ["d": Self.data(spots) + "Z", "class": classes], title)
    default:
      let spots = [
        Spot(x: x, y: y - 6), Spot(x: x + 6, y: y + 5), Spot(x: x - 6, y: y + 5),
      ]
      titled("path", ["d": Self.data(spots) + "Z", "class": classes], title)
    }
  }

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
  private static func data(_ spots: [Spot]) -> String {
    var text = ""
    var last: Spot?
    for (index, spot) in spots.enumerated() {
      // What lies on the way straight to the right need not be named.
      if let last, index + 1 < spots.count, last.y == spot.y, spot.y == spots[index + 1].y,
        last.x <= spot.x, spot.x <= spots[index + 1].x
      {
        continue
      }
      if let last {
        if spot == last { continue }
        if spot.y == last.y {
          text += "H" + spot.x.text
        } else if spot.x == last.x {
          text += "V" + spot.y.text
        } else {
          text += "L\(spot.x.text) \(spot.y.text)"
        }
      } else {
        text += "M\(spot.x.text) \(spot.y.text)"
      }
      last = spot
    }
    return text
  }
}

extension Markup {
  /// Writes an element that holds a text, without attributes.
  mutating func leaf(_ name: String, _ text: String) { leaf(name, [:], text) }
}
