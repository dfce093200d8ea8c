import AutowaitFigures
import Testing

/// That a picture by itself needs nothing but what every program that draws SVGs knows.
struct StandaloneTests {
  private static let shapes = ["rect", "path", "line", "circle", "text"]

  @Test(arguments: FigureExamples.all.map(\.name))
  func `every shape says its own colours`(_ name: String) throws {
    let figure = try #require(FigureExamples.all.first { $0.name == name }).figure
    let text = String(decoding: figure.svg, as: UTF8.self)
    for word in ["var(", "<style", "px\""] { #expect(!text.contains(word), "\(word)") }
    for shape in try MarkupReader.read(figure.svg).all where Self.shapes.contains(shape.name) {
      let paints = [shape.attributes["fill"], shape.attributes["stroke"]].compactMap { $0 }
      // What says neither is drawn black.
      #expect(paints.contains { $0.hasPrefix("#") }, "\(shape.name) \(shape.attributes)")
      for paint in paints where paint != "none" { #expect(Self.isColor(paint), "\(paint)") }
    }
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("#")
      && text.dropFirst().allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  /// The rules of the style sheet, as a browser would apply them to these elements.
  @Test func `attributes say what the style sheet says`() throws {
    let root = try MarkupReader.read(FigureExamples.session.figure.svg)
    let state = try #require(root.all(ofClass: "playing").first)
    #expect(state.attributes["fill"] == "#15805f")
    let band = try #require(root.all(ofClass: "band").first)
    #expect(band.attributes["fill"] == "#c8321f" && band.attributes["opacity"] == "0.13")
    let limit = try #require(root.all(ofClass: "limit").first)
    #expect(limit.attributes["stroke"] == "#2b6ca3" && limit.attributes["fill"] == "none")
    #expect(limit.attributes["stroke-dasharray"] == "5 3")
    let heading = try #require(root.all(ofClass: "heading").first)
    #expect(heading.attributes["font-size"] == "15" && heading.attributes["fill"] == "#1b2027")
    #expect(root.attributes["font-size"] == "11")
    let scatter = try MarkupReader.read(FigureExamples.scatter.figure.svg)
    let marker = try #require(scatter.all(ofClass: "marker").first)
    #expect(marker.attributes["stroke"] == "#ffffff" && marker.attributes["stroke-width"] == "1")
    // Letters on a plot have a ring below them, which is no part of them.
    let labels = scatter.all(ofClass: "on-plot")
    let halos = scatter.all(ofClass: "halo")
    #expect(labels.map(\.text) == halos.map(\.text) && !labels.isEmpty)
    #expect(labels.allSatisfy { $0.attributes["stroke"] == nil })
    #expect(halos.allSatisfy { $0.attributes["aria-hidden"] == "true" })
  }

  @Test func `a theme changes colours and nothing else`() throws {
    var style = FigureStyle()
    style.theme = .dark
    let light = try MarkupReader.read(FigureExamples.scatter.figure.svg).all
    let dark = try MarkupReader.read(FigureExamples.scatter.figure.svg(style)).all
    #expect(light.count == dark.count)
    for (one, other) in zip(light, dark) {
      let keys = one.attributes.keys.filter { one.attributes[$0] != other.attributes[$0] }
      #expect(keys.allSatisfy { ["fill", "stroke"].contains($0) }, "\(keys)")
    }
    #expect(dark.first { $0.attributes["class"] == "paper" }?.attributes["fill"] == "#12161c")
  }

  @Test(
    arguments: [
      (FigureStyle.Size(thousandths: 700_000, .px), 11, "700", 700),
      (.init(thousandths: 85_000, .mm), 11, "85mm", 321),
      (.init(thousandths: 170_000, .mm), 11, "170mm", 642),
      (.init(thousandths: 3_300, .in), 22, "3.3in", 320),
      (.init(thousandths: 700_000, .px), 22, "700", 350),
      (.init(thousandths: 2_000_000, .px), 11, "2000", 2_000),
    ] as [(FigureStyle.Size, Int, String, Int)])
  func `a picture is laid out for its width`(
    _ width: FigureStyle.Size, _ letters: Int, _ text: String, _ layout: Int
  ) throws {
    var style = FigureStyle()
    style.width = width
    style.letters = .init(thousandths: letters * 1_000, .px)
    #expect(style.layoutWidth == layout)
    let figures = [
      FigureExamples.session.figure(width: style.layoutWidth),
      FigureExamples.scatter.figure(width: style.layoutWidth),
      FigureExamples.curves.figure(width: style.layoutWidth),
      FigureExamples.tally.figure(width: style.layoutWidth),
    ]
    for figure in figures {
      let root = try MarkupReader.read(figure.svg(style))
      #expect(root.attributes["width"] == text)
      #expect(figure.width == layout, "\(figure.title)")
      let box = try #require(root.attributes["viewBox"]).split(separator: " ")
      #expect(box[2] == "\(layout)" && box[3] == "\(figure.height)")
      // Nothing is drawn beside the picture, and no text below it.
      for element in root.all("text") {
        let x = try #require(element.tenths("x"))
        let y = try #require(element.tenths("y"))
        #expect(x >= 0 && x <= layout * 10 && y <= figure.height * 10, "\(element.text)")
      }
    }
  }

  @Test func `words are those that were asked for`() throws {
    var style = FigureStyle()
    style.title = "Mine"
    style.caption =
      "What is to be seen here, in many words, " + String(repeating: "word ", count: 60)
    style.font = "Times"
    let figure = FigureExamples.session.figure
    let root = try MarkupReader.read(figure.svg(style))
    #expect(root.attributes["font-family"] == "Times")
    #expect(root.all(ofClass: "heading").map(\.text) == ["Mine"])
    #expect(root.title == "Mine")
    let below = root.all("text").filter { ($0.tenths("y") ?? 0) > figure.height * 10 }
    #expect(below.count > 1)
    #expect(
      below.map(\.text).joined(separator: " ").hasPrefix("What is to be seen here, in many words"))
    style.title = ""
    style.caption = ""
    let bare = try MarkupReader.read(figure.svg(style))
    #expect(bare.all(ofClass: "heading").isEmpty)
    #expect(bare.attributes["viewBox"] == "0 20 1000 \(figure.height - 20)")
    #expect(bare.title == figure.title)
  }

  @Test func `numbers of a map have one unit and as many digits`() throws {
    var map = HeatMap(
      title: "", columnTitle: "c", rowTitle: "r", axis: FigureAxis("mean wait", .time))
    map.columns = ["a", "b", "c"]
    map.rows = ["x", "y"]
    map.cells = [[35_600_000, 470_000_000, 0], [2_120_000_000, nil, 110_000_000]]
    func numbers() throws -> [String] {
      try MarkupReader.read(map.figure.svg).all("text").map(\.text).filter { $0.contains(".") }
    }
    #expect(try numbers().prefix(5) == ["0.04 s", "0.47 s", "0.00 s", "2.12 s", "0.11 s"])
    map.cells = [[600_000_000_000, 450_000_000, 61_000_000_000]]
    #expect(try numbers().prefix(3) == ["600.0 s", "0.5 s", "61.0 s"])
    map.cells = [[40_000_000, 450_000, 5_000_000]]
    #expect(try numbers().prefix(3) == ["40.0 ms", "0.5 ms", "5.0 ms"])
  }
}
