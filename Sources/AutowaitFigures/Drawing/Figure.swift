/// A picture: whole as a file by itself, or a part of a page.
package struct Figure: Sendable {
  /// What it shows, in a few words.
  package let title: String
  /// What there is to be seen, in a sentence, for those who cannot see it.
  package let summary: String
  /// The width in pixels at which its letters have the size of text.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  private let drawing: Markup

  /// The width of a figure that has no reason for another: that of a page.
  package static let usualWidth = 1_000
  /// Below this width lists of names stand below a plot and not beside it.
  static let narrowWidth = 640
  /// The line on which the title of a figure stands.
  private static let headingLine: Length = 22
  /// Where the title begins.
  private static let margin: Length = 16

  init(
    title: String, summary: String, width: Length, height: Length, _ canvas: Canvas
  ) {
    self.title = MarkupText.plain(title)
    self.summary = MarkupText.plain(summary)
    self.width = width.pixels
    self.height = height.pixels
    drawing = canvas.markup
  }

  /// A name for a file of the figure, made of its title: letters, digits and dashes.
  package var stem: String {
    var stem = ""
    for byte in title.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        stem.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        stem.unicodeScalars.append(Unicode.Scalar(byte + 32))
      default: if !stem.isEmpty, !stem.hasSuffix("-") { stem += "-" }
      }
    }
    while stem.hasSuffix("-") { stem.removeLast() }
    return stem.isEmpty ? "figure" : stem
  }

  /// The figure as an SVG file, as it looks unless anything else is asked for.
  package var svg: [UInt8] { svg(FigureStyle()) }

  /// Returns the figure as an SVG file, which needs nothing beside itself: no script, and no style
  /// sheet, which many programs do not know.
  package func svg(_ style: FigureStyle) -> [UInt8] {
    let title = style.title ?? self.title
    let heading = title.isEmpty ? Markup() : heading(title)
    // Without a title its room is not needed.
    let top = title.isEmpty ? Self.headingLine.pixels - 2 : 0
    let (caption, below) = self.caption(style.caption)
    let bottom = height + below
    var markup = Markup()
    let size = style.size(width: width, height: bottom - top)
    markup.begin(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 \(top) \(width) \(bottom - top)",
        "width": size.width, "height": size.height, "font-family": style.font,
        "font-size": "\(TextWidth.size)", "role": "img", "aria-label": label(title),
      ])
    markup.breakLine()
    markup.leaf("title", title.isEmpty ? self.title : title)
    markup.breakLine()
    markup.leaf("desc", style.caption.isEmpty ? summary : MarkupText.plain(style.caption))
    markup.breakLine()
    var paper = Markup()
    paper.empty(
      "rect",
      [
        "x": top == 0 ? "" : "0", "y": top == 0 ? "" : "\(top)", "width": "\(width)",
        "height": "\(bottom - top)", "class": "paper",
      ])
    paper.breakLine()
    var attributes = FigureAttributes(isDark: style.theme == .dark)
    for part in [paper, heading, drawing, caption] {
      markup.append(part) { attributes.attributes(of: $0.element, $0.classes) }
    }
    markup.end()
    markup.breakLine()
    return markup.bytes
  }

  /// Writes the figure into a page that has the style sheet.
  func write(into markup: inout Markup) {
    markup.begin(
      "svg",
      [
        "viewBox": "0 0 \(width) \(height)", "width": "\(width)", "height": "\(height)",
        "role": "img", "aria-label": label(title),
      ])
    markup.breakLine()
    markup.append(heading(title))
    markup.append(drawing)
    markup.end()
    markup.breakLine()
  }

  private func label(_ title: String) -> String {
    if title.isEmpty { return summary.isEmpty ? self.title : summary }
    return summary.isEmpty ? title : "\(title): \(summary)"
  }

  private func heading(_ title: String) -> Markup {
    var canvas = Canvas()
    let room = Length(pixels: width) - Self.margin - Self.margin
    canvas.text(
      TextWidth.shortened(title, to: room, size: 15),
      at: CanvasPoint(x: Self.margin, y: Self.headingLine), "heading")
    return canvas.markup
  }

  /// Returns a caption in lines that fit below the picture, and the height that they need.
  private func caption(_ text: String) -> (markup: Markup, height: Int) {
    var canvas = Canvas()
    let lines = TextWidth.lines(
      MarkupText.plain(text), within: Length(pixels: width) - Self.margin - Self.margin)
    for (number, line) in lines.enumerated() {
      let y = Length(pixels: height + 6 + 15 * number)
      canvas.text(line, at: CanvasPoint(x: Self.margin, y: y))
    }
    return (canvas.markup, lines.isEmpty ? 0 : 15 * lines.count + 4)
  }
}

/// The part of a figure in which values are drawn, between axes.
struct Plot: Sendable {
  let box: Box
  let x: Scale
  let y: Scale

  /// Makes a plot with values growing to the right and upwards.
  init(_ box: Box, x: ClosedRange<Int64>, y: ClosedRange<Int64>) {
    self.box = box
    self.x = Scale(x.lowerBound, x.upperBound, from: box.x, to: box.right)
    self.y = Scale(y.lowerBound, y.upperBound, from: box.bottom, to: box.y)
  }

  /// Returns where a pair of values is drawn.
  func position(_ x: Int64, _ y: Int64) -> CanvasPoint {
    CanvasPoint(x: self.x.place(x), y: self.y.place(y))
  }

  /// Draws the grid with its labels, and what the axes count.
  func drawAxes(_ xAxis: FigureAxis, _ yAxis: FigureAxis, on canvas: inout Canvas) {
    canvas.box(box, "field")
    canvas.breakLine()
    let across = Ticks(xAxis.measure, from: x.least, to: x.most, about: box.width.pixels / 90)
    for (value, label) in zip(across.values, across.labels) {
      let place = x.place(value)
      canvas.line(CanvasPoint(x: place, y: box.y), CanvasPoint(x: place, y: box.bottom), "grid")
      canvas.text(label, at: CanvasPoint(x: place, y: box.bottom + 16), "muted", anchor: .middle)
    }
    let up = Ticks(yAxis.measure, from: y.least, to: y.most, about: box.height.pixels / 45)
    for (value, label) in zip(up.values, up.labels) {
      let place = y.place(value)
      canvas.line(CanvasPoint(x: box.x, y: place), CanvasPoint(x: box.right, y: place), "grid")
      canvas.text(label, at: CanvasPoint(x: box.x - 7, y: place + 4), "muted", anchor: .end)
    }
    canvas.line(
      CanvasPoint(x: box.x, y: box.bottom), CanvasPoint(x: box.right, y: box.bottom), "axis")
    canvas.line(CanvasPoint(x: box.x, y: box.y), CanvasPoint(x: box.x, y: box.bottom), "axis")
    canvas.text(
      xAxis.title, at: CanvasPoint(x: box.x + box.width / 2, y: box.bottom + 35), anchor: .middle)
    canvas.text(yAxis.title, at: CanvasPoint(x: box.x - 50, y: box.y - 12))
    canvas.breakLine()
  }
}

/// What an axis of a figure counts.
package struct FigureAxis: Hashable, Sendable {
  /// What is counted, in words.
  package var title: String
  /// The unit in which it is given.
  package var measure: Measure

  /// Creates an axis.
  package init(_ title: String, _ measure: Measure) {
    self.title = title
    self.measure = measure
  }
}
