import AutowaitFigures
import Testing

/// That what is drawn lies where its numbers say, read back from the pictures.
struct GeometryTests {
  private static let second = FigureExamples.second

  private func read(_ figure: Figure) throws -> MarkupReader.Element {
    try MarkupReader.read(figure.svg)
  }

  /// The spots of a path that begins with M and goes on by L, H and V, in tenths of a pixel.
  private func spots(_ path: MarkupReader.Element) throws -> [[Int]] {
    var spots: [[Int]] = []
    var text = Substring(try #require(path.attributes["d"]))
    func tenths(_ text: Substring) throws -> Int {
      let element = MarkupReader.Element(name: "", attributes: ["v": String(text)])
      return try #require(element.tenths("v"))
    }
    while let command = text.popFirst(), command != "Z" {
      let rest = text.prefix { !"MLHVZ".contains($0) }
      text = text.dropFirst(rest.count)
      let numbers = try rest.split(separator: " ").map { try tenths($0) }
      switch command {
      case "H": spots.append([numbers[0], try #require(spots.last)[1]])
      case "V": spots.append([try #require(spots.last)[0], numbers[0]])
      default: spots.append(numbers)
      }
    }
    return spots
  }

  // MARK: - Axes

  @Test(
    arguments: [
      (Measure.time, 4_000_000_000, ["0 s", "1 s", "2 s", "3 s", "4 s"]),
      (.time, 900_000_000, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s"]),
      (.time, 47_000_000_000, ["0 s", "10 s", "20 s", "30 s", "40 s"]),
      (.time, 400_000_000_000, ["0 min", "2 min", "4 min", "6 min"]),
      (.time, 40_000_000, ["0 ms", "10 ms", "20 ms", "30 ms", "40 ms"]),
      (.time, 90_000_000_000_000, ["0 h", "6 h", "12 h", "18 h", "24 h"]),
      (.share, 1_000_000, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]),
      (.share, 2_100, ["0 %", "0.05 %", "0.1 %", "0.15 %", "0.2 %"]),
      (.bitRate, 3_100_000, ["0 Mbit/s", "1 Mbit/s", "2 Mbit/s", "3 Mbit/s"]),
      (.bytes, 900, ["0 B", "200 B", "400 B", "600 B", "800 B"]),
      (.count, 3, ["0", "1", "2", "3"]),
      (.ratio, 2_500_000, ["0", "0.5", "1", "1.5", "2", "2.5"]),
    ] as [(Measure, Int64, [String])])
  func `axes have round numbers`(_ measure: Measure, _ most: Int64, _ expected: [String]) throws {
    let chart = CurveChart(
      title: "", x: FigureAxis("x", measure), curves: [.init("a", values: [most])],
      palette: Palette(["a"]))
    let root = try read(chart.figure(width: 640))
    let axis = root.all(ofClass: "middle").filter { $0.attributes["class"] == "muted middle" }
    let labels = axis.map {
      $0.text
    }
    #expect(labels == expected)
  }

  @Test(
    arguments: [
      (Measure.time, 3_734_000_000, "3.73 s"), (.time, 250_000, "250 µs"), (.time, 0, "0 s"),
      (.time, 71_000_000, "71 ms"), (.time, 600_000_000_000, "10 min"), (.share, 123_456, "12.3 %"),
      (.bitRate, 3_730_000, "3.73 Mbit/s"), (.bytes, 1_234_567, "1.23 MB"), (.count, 12, "12"),
      (.ratio, -1_500_000, "-1.5"), (.time, 99_960_000_000, "100 s"),
    ] as [(Measure, Int64, String)])
  func `numbers have three digits that matter`(
    _ measure: Measure, _ value: Int64, _ expected: String
  ) {
    let text = measure.text(value)
    #expect(text == expected)
  }

  // MARK: - Charts

  @Test func `the front leads along what no other beats`() throws {
    #expect(FigureExamples.scatter.front.map(\.name) == ["fixed", "linear", "patient"])
    let root = try read(FigureExamples.scatter.figure)
    let front = try spots(try #require(root.all(ofClass: "front").first))
    // Down along the first startup, then a stair at each rule of the front.
    #expect(front.count == 7)
    for (before, after) in zip(front, front.dropFirst()) {
      #expect(before[0] <= after[0] && before[1] <= after[1])
      #expect(before[0] == after[0] || before[1] == after[1])
    }
  }

  @Test(
    arguments: [
      ([(1, 5), (1, 6), (2, 5)], ["0"]), ([(1, 5), (1, 5)], ["0", "1"]),
      ([(3, 1), (2, 2), (1, 3)], ["2", "1", "0"]), ([(2, 2), (1, 1)], ["1"]), ([], []),
    ] as [([(Int64, Int64)], [String])])
  func `only what is beaten by none is on the front`(
    _ costs: [(Int64, Int64)], _ expected: [String]
  ) {
    let points = costs.enumerated().map { number, cost in
      ScatterChart.Dot("\(number)", x: Estimate(cost.0), y: Estimate(cost.1))
    }
    let chart = ScatterChart(
      title: "", x: FigureAxis("", .count), y: FigureAxis("", .count), points: points,
      palette: Palette([]))
    #expect(chart.front.map(\.name) == expected)
  }

  @Test func `a point lies within its cross`() throws {
    let root = try read(FigureExamples.scatter.figure)
    let crosses = root.all(ofClass: "cross")
    #expect(crosses.count == 10)
    let level = try #require(crosses.first)
    #expect(level.attributes["y1"] == level.attributes["y2"])
    let (from, to) = (try #require(level.tenths("x1")), try #require(level.tenths("x2")))
    // The interval of "fixed" is from half a second to its value, a second.
    #expect(abs(to - 700 - (from - 700) * 2) <= 1)
  }

  @Test func `names are drawn where they hide nothing`() throws {
    let points = (0..<30).map { ScatterChart.Dot("rule \($0)", x: Estimate(5), y: Estimate(5)) }
    let chart = ScatterChart(
      title: "", x: FigureAxis("", .count), y: FigureAxis("", .count), points: points,
      palette: Palette(points.map(\.name)))
    let root = try read(chart.figure)
    #expect(root.all("text").count { $0.text.contains(" rule") } == 30)
    // All are in the list; what lies on one spot has one label with their numbers.
    #expect(root.all(ofClass: "on-plot").map(\.text) == ["rule 0, 2–30"])
  }

  @Test func `a curve rises by a step at each value`() throws {
    let root = try read(FigureExamples.curves.figure)
    let plot = try #require(root.all(ofClass: "field").first)
    let (left, top) = (try #require(plot.tenths("x")), try #require(plot.tenths("y")))
    let (width, height) = (try #require(plot.tenths("width")), try #require(plot.tenths("height")))
    let paths = root.all("path").filter { $0.title != nil }
    let fixed = try spots(paths[0])
    #expect(fixed.last == [left + width, top])
    #expect(fixed.contains([left + width / 2, top + height / 2]))
    // One of four sessions of the other rule never started.
    let linear = try spots(paths[1])
    #expect(linear.last == [left + width, top + height / 4])
    #expect(
      paths[1].title == "linear: half within 2 s, 95 of 100 within 2 s, and 1 without")
  }

  @Test func `darker cells are more`() throws {
    let root = try read(FigureExamples.heatMap.figure)
    let cells = root.all("rect").filter { $0.title?.hasPrefix("duration") == true }
    #expect(cells.count == 6)
    #expect(cells[0].attributes["fill"] == "#1b2f5e")
    #expect(cells[2].attributes["fill"] == "#f7f4e9")
    // There is none in the fifth.
    #expect(cells[4].attributes["class"] == "field")
    #expect(cells[0].title == "duration 1 min, link : media 0.5: 50.0 %")
    let numbers = root.all("text").filter { $0.text == "50.0 %" }
    #expect(numbers.first?.attributes["class"] == "white middle")
  }

  @Test func `bars are as long as their parts`() throws {
    let root = try read(FigureExamples.bars.figure)
    let bars = root.all("rect").filter { $0.title != nil }
    let widths = try bars.map { try #require($0.tenths("width")) }
    let unit = try #require(widths.last) / 5
    #expect(widths == [1, 3, 1, 2, 5].map { $0 * unit } && unit > 700)
    let starts = try bars.map { try #require($0.tenths("x")) }
    #expect(starts[1] - starts[0] == unit && starts[4] - starts[2] == 3 * unit)
  }

  // MARK: - Sessions

  /// The place of a second on the axis of the session, in tenths of a pixel.
  private func place(_ second: Int) -> Int { 1_200 + second * 8_640 / 100 }

  private func box(_ element: MarkupReader.Element) throws -> [Int] {
    [try #require(element.tenths("x")), try #require(element.tenths("width"))]
  }

  @Test(
    arguments: [
      ("paused from 0 s", 0, 10), ("waits from 10 s", 10, 20), ("plays from 20 s", 20, 60),
      ("stalled from 60 s", 60, 70), ("plays from 70 s", 70, 100), ("plays high", 20, 60),
      ("plays low", 70, 100), ("the link is down", 50, 60), ("the buffer is empty", 10, 20),
    ])
  func `what lasts is drawn from its beginning to its end`(
    _ title: String, _ start: Int, _ end: Int
  ) throws {
    let root = try read(FigureExamples.session.figure)
    let shown = root.all("rect").filter {
      $0.title?.hasPrefix(title) == true
    }
    let boxes = try shown.map { try box($0) }
    // The buffer is empty in the wait only until media comes.
    let first = title == "the buffer is empty" ? place(60) : place(start)
    let last = title == "the buffer is empty" ? place(70) : place(end)
    #expect(boxes == [[first, last - first]])
  }

  @Test func `a request is light until its first byte`() throws {
    let root = try read(FigureExamples.session.figure)
    let segment = root.all("rect").filter { $0.title?.hasPrefix("segment 0") == true }
    #expect(segment.map { $0.attributes["class"] } == ["soft", nil])
    #expect(
      try segment.map { try box($0) } == [
        [place(10), place(15) - place(10)], [place(15), place(30) - place(15)],
      ])
    #expect(segment[0].attributes["fill"] == segment[1].attributes["fill"])
    let lost = root.all(ofClass: "given-up").filter { $0.title != nil }
    #expect(try lost.map { try box($0) } == [[place(30), place(50) - place(30)]])
    let failed = root.all(ofClass: "failed").filter { $0.title?.hasPrefix("a list") == true }
    #expect(try failed.map { try box($0) } == [[place(0), place(5) - place(0)]])
  }

  @Test func `the legend names what is drawn, and nothing else`() throws {
    var plain = SessionChart(title: "", end: Self.second)
    var player = SessionChart.Player()
    player.states = [.init(.playing, "plays", from: 0, to: Self.second)]
    plain.players = [player]
    func entries(_ chart: SessionChart) throws -> [String] {
      try read(chart.figure).all("text").filter { $0.attributes["class"] == "muted" }.map(\.text)
    }
    #expect(try entries(plain) == ["plays"])
    #expect(
      try entries(FigureExamples.session) == [
        "one of everything", "paused", "waits for media", "plays", "stalled",
        "media ahead of the playhead", "until the first byte", "given up", "went wrong",
        "link rate", "fill rate", "what the media needs",
      ])
  }

  @Test func `a stall darkens all lanes of its player`() throws {
    let root = try read(FigureExamples.session.figure)
    let bands = root.all(ofClass: "band")
    #expect(try bands.map { try box($0) } == [[place(60), place(70) - place(60)]])
  }

  @Test func `the buffer is drawn to scale`() throws {
    let root = try read(FigureExamples.session.figure)
    let line = try spots(try #require(root.all(ofClass: "edge").first))
    let (bottom, limit) = (line[0][1], try spots(try #require(root.all(ofClass: "limit").first)))
    #expect(line.map { $0[0] } == [0, 10, 20, 60, 70, 100].map { place($0) })
    // 30 of 40 seconds, to a tenth of a pixel.
    #expect(abs((bottom - line[2][1]) * 4 - (bottom - limit[0][1]) * 3) <= 4)
  }

  /// It ends where it becomes one that is far beyond what there is.
  @Test func `a limit of the buffer is drawn as long as it holds`() throws {
    let root = try read(FigureExamples.session.figure)
    let limits = try root.all(ofClass: "limit").map { try spots($0) }
    #expect(limits.map { $0.map { $0[0] } } == [[place(0), place(80)]])
    #expect(root.all("text").contains { $0.text == "forward buffer 40 s" })
  }

  /// A level line is drawn by its two ends, however often it was sampled.
  @Test func `what does not change takes no room`() throws {
    var chart = SessionChart(title: "", end: 1_000 * Self.second)
    var player = SessionChart.Player()
    player.fillRates = (0...1_000).map { .init($0 * Self.second, 5_000_000) }
    chart.players = [player]
    let rate = try spots(try #require(read(chart.figure).all(ofClass: "rate").first))
    #expect(rate.map { $0[0] } == [1_200, 9_840])
  }

  @Test func `of what is below a pixel the loudest is seen`() throws {
    var chart = SessionChart(title: "", end: 1_000 * Self.second)
    var player = SessionChart.Player()
    player.states = [
      .init(.playing, "plays", from: 0, to: 500 * Self.second),
      .init(.stalled, "stalled", from: 500 * Self.second, to: 500 * Self.second + 1),
      .init(.waiting, "waits", from: 500 * Self.second + 1, to: 500 * Self.second + 2),
      .init(.playing, "plays", from: 500 * Self.second + 2, to: 1_000 * Self.second),
    ]
    chart.players = [player]
    let states = try read(chart.figure).all("rect").filter { $0.title != nil }
    #expect(states.map { $0.attributes["class"] } == ["playing", "stalled", "playing"])
  }

  /// A hundred thousand of everything.
  @Test func `a long session has a small picture`() throws {
    let count = 100_000
    var chart = SessionChart(title: "long", end: Int64(count) * Self.second)
    var player = SessionChart.Player()
    for number in 0..<Int64(count) {
      let now = number * Self.second
      let middle = now + Self.second / 2
      player.states.append(.init(.playing, "plays", from: now, to: middle))
      player.states.append(.init(.stalled, "stalled", from: middle, to: now + Self.second))
      player.marks.append(.init(.failure, at: middle, "stalled", text: "the buffer ran empty"))
      player.ahead.append(.init(now, number % 7 * Self.second))
      player.requests.append(.init(.level(Int(number % 5)), "a segment", from: now, to: middle))
      player.fillRates.append(.init(now, number % 11 * 1_000_000))
      player.plays.append(.init(now, now + Self.second, number: Int(number % 5)))
      chart.linkRates.append(.init(now, number % 13 * 1_000_000))
    }
    player.requests[50_000].outcome = .failed
    player.levels = ["1", "2", "3", "4", "5"]
    chart.players = [player]
    let svg = chart.figure.svg
    #expect(svg.count < 1_000_000)
    // What went wrong is seen among all that went well.
    #expect(try MarkupReader.read(svg).all(ofClass: "failed").contains { $0.name == "rect" })
  }

  @Test func `a session of many players is cut and says so`() throws {
    var chart = FigureExamples.session
    chart.players = (0..<20).map { _ in chart.players[0] }
    let root = try read(chart.figure)
    #expect(root.all("text").contains { $0.text == "4 more players are not drawn" })
  }

  @Test func `an excerpt shows a part, and tells whole times`() throws {
    let chart = FigureExamples.session.excerpt(
      title: "A part", from: 15 * Self.second, to: 65 * Self.second)
    let root = try read(chart.figure)
    func place(_ second: Int) -> Int { 1_200 + (second - 15) * 8_640 / 50 }
    let states = root.all("rect").filter { $0.title?.contains(" from ") == true }
    let shown = try states.filter { $0.tenths("height") == 240 }.map { try box($0) }
    #expect(
      shown == [
        [place(15), place(20) - place(15)], [place(20), place(60) - place(20)],
        [place(60), place(65) - place(60)],
      ])
    #expect(states.first?.title == "waits from 10 s to 20 s, 10 s")
    #expect(chart.players[0].marks.map(\.label) == ["stalled"])
    // The values that held before are known at its beginning.
    #expect(chart.linkRates.first == .init(15 * Self.second, 4_000_000))
    let link = try spots(try #require(root.all(ofClass: "link-edge").first))
    #expect(link.map { $0[0] } == [15, 50, 50, 60, 60, 65].map { place($0) })
    let ticks = root.all("text").filter { $0.attributes["class"] == "muted middle" }
    #expect(ticks.map(\.text).contains("20 s") && !ticks.map(\.text).contains("10 s"))
  }

  /// The texts that stand at the left of the lanes.
  private func lanes(_ chart: SessionChart) throws -> [String] {
    try read(chart.figure).all("text").filter { $0.attributes["x"] == "16" }.map(\.text)
  }

  @Test func `lanes stand below each other in one order`() throws {
    #expect(
      try lanes(FigureExamples.session) == [
        "A session", "one of everything", "network", "events", "state", "buffer", "playlists",
        "high", "low", "plays", "link",
      ])
  }

  @Test func `sessions on one link are stacked on one axis`() throws {
    var shorter = FigureExamples.session
    shorter.end = 80 * Self.second
    let chart = SessionChart.stacked(
      title: "Two rules", [("fixed", shorter), ("linear", FigureExamples.session)])
    #expect(chart.end == 100 * Self.second)
    #expect(chart.players.map(\.name) == ["fixed", "linear"])
    // The link is drawn for both and told once.
    #expect(chart.players.allSatisfy { $0.linkRates.isEmpty })
    #expect(try lanes(chart).filter { $0 == "network" }.count == 1)
    #expect(try lanes(chart).filter { $0 == "link" }.count == 2)
  }

  @Test func `a session on another link brings its own`() throws {
    var other = FigureExamples.session
    other.linkRates[0].value = 9_000_000
    let chart = SessionChart.stacked(
      title: "Two links", [("one", FigureExamples.session), ("other", other)])
    #expect(chart.linkRates == FigureExamples.session.linkRates)
    #expect(chart.players[0].linkRates.isEmpty)
    #expect(chart.players[1].linkRates == other.linkRates)
    #expect(chart.players[1].marks.map(\.label) == ["play", "cellular", "stalled", "ended"])
    let edges = try read(chart.figure).all(ofClass: "link-edge").map { try spots($0) }
    #expect(edges.count == 2 && edges[0].map { $0[0] } == edges[1].map { $0[0] })
    #expect(SessionChart.stacked(title: "", []).players.isEmpty)
  }

  // MARK: - Names

  /// The classes of the shapes beside the names of a legend.
  private func looks(_ names: [String]) throws -> [String: String] {
    let points = names.map { ScatterChart.Dot($0, x: Estimate(1), y: Estimate(1)) }
    let chart = ScatterChart(
      title: "", x: FigureAxis("", .count), y: FigureAxis("", .count), points: points,
      palette: Palette(names))
    let root = try read(chart.figure)
    var looks: [String: String] = [:]
    for shape in root.all(ofClass: "marker") {
      guard let title = shape.title, let name = title.split(separator: ":").first else { continue }
      looks[String(name)] = shape.name + (shape.attributes["class"] ?? "")
    }
    return looks
  }

  @Test func `a name looks the same in every report`() throws {
    let few = try looks(["linear", "fixed", "greedy"])
    #expect(few == (try looks(["greedy", "linear", "fixed"])))
    let alone = try looks(["fixed"])
    #expect(alone["fixed"] == few["fixed"])
    #expect(alone == ["fixed": "pathmarker f6"])
  }

  @Test func `names are told apart as long as they can be`() throws {
    let names = (0..<8).map { "rule \($0)" }
    let colors = try looks(names).values.map { $0.split(separator: " ").last ?? "" }
    #expect(Set(colors).count == 8)
    let many = (0..<20).map { "rule number \($0)" }
    let chart = CurveChart(
      title: "", x: FigureAxis("", .count), curves: many.map { .init($0, values: [1]) },
      palette: Palette(many))
    let lines = try read(chart.figure).all(ofClass: "line").filter { $0.title != nil }
    #expect(Set(lines.compactMap { $0.attributes["class"] }).count == 20)
  }
}
