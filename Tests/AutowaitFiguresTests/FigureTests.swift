import AutowaitFigures
import Testing

/// What must hold of every figure, alone and in a page.
struct FigureTests {
  @Test(arguments: FigureExamples.all.map(\.name))
  func `a figure is a picture by itself`(_ name: String) throws {
    let figure = try #require(FigureExamples.all.first { $0.name == name }).figure
    let root = try MarkupReader.read(figure.svg)
    #expect(root.name == "svg")
    #expect(root.attributes["viewBox"] == "0 0 \(figure.width) \(figure.height)")
    #expect(root.title == figure.title)
    #expect(root.all("style").isEmpty)
    #expect(root.all("script").isEmpty)
    checkNothingOutside(figure.svg, allowing: "http://www.w3.org/2000/svg")
    checkPlaces(root, figure)
  }

  /// Figures are drawn again each time, and never differently.
  @Test func `equal data gives equal bytes`() {
    #expect(FigureExamples.scatter.figure.svg == FigureExamples.scatter.figure.svg)
    #expect(FigureExamples.session.figure.svg == FigureExamples.session.figure.svg)
    #expect(FigureExamples.report.html == FigureExamples.report.html)
  }

  @Test func `colours have a light and a dark value`() {
    let text = String(decoding: FigureExamples.report.html, as: UTF8.self)
    #expect(text.contains("@media (prefers-color-scheme:dark){:root{--paper:#"))
    // A program that knows no custom properties takes what stands before them.
    #expect(text.contains(".f0{fill:#626da1;fill:var(--c0)}"))
  }

  @Test func `a small figure is this one`() {
    let chart = WinLossChart(title: "A & B", rows: [.init("A", wins: 3, ties: 0, losses: 1)])
    let text = String(decoding: chart.figure(width: 544).svg, as: UTF8.self)
    let drawing = text.split(separator: "class=\"paper\" fill=\"#ffffff\"/>\n", maxSplits: 1).last
    #expect(
      drawing == """
        <text x="16" y="22" class="heading" fill="#1b2027" font-size="15" font-weight="600">\
        A &amp; B</text>
        <text x="30" y="80" class="end" fill="#1b2027" text-anchor="end">A</text>
        <rect x="40" y="66" width="360" height="20" class="f0" fill="#626da1">\
        <title>A: better in 3 of 4</title></rect>
        <text x="220" y="80" class="paper middle" text-anchor="middle" fill="#ffffff">3</text>
        <rect x="400" y="66" width="120" height="20" class="f1" fill="#af3f00">\
        <title>A: worse in 1 of 4</title></rect>
        <text x="460" y="80" class="paper middle" text-anchor="middle" fill="#ffffff">1</text>
        <line x1="280" y1="64" x2="280" y2="88" class="axis" fill="none" stroke-width="1" \
        stroke="#b9c2cc"/>
        <rect x="40" y="38" width="11" height="11" class="f0" fill="#626da1"/>
        <text x="56" y="48" fill="#1b2027">better</text>
        <rect x="106.4" y="38" width="11" height="11" class="idle" fill="#cfd6dd"/>
        <text x="122.4" y="48" fill="#1b2027">as good</text>
        <rect x="184.2" y="38" width="11" height="11" class="f1" fill="#af3f00"/>
        <text x="200.2" y="48" fill="#1b2027">worse</text>
        </svg>

        """)
  }

  @Test(
    arguments: [
      ("Startup against stalling", "startup-against-stalling"), ("../a/B c.svg", "a-b-c-svg"),
      ("", "figure"), ("…", "figure"), ("--rf 2--", "rf-2"),
    ])
  func `a file is called as its figure`(_ title: String, _ stem: String) {
    #expect(WinLossChart(title: title, rows: []).figure.stem == stem)
  }

  /// Texts of others stay texts wherever they are written.
  @Test func `every text is escaped`() throws {
    let hostile = FigureExamples.hostile
    var session = FigureExamples.session
    session.title = hostile
    session.subtitle = hostile
    session.players[0].name = hostile
    session.players[0].levels = [hostile, hostile]
    session.players[0].states[0].text = hostile
    session.players[0].marks[0].label = hostile
    session.players[0].marks[0].text = hostile
    session.players[0].requests[1].text = hostile
    session.changes[0].label = hostile
    let scatter = ScatterChart(
      title: hostile, x: FigureAxis(hostile, .count), y: FigureAxis(hostile, .ratio),
      points: [.init(hostile, x: Estimate(1), y: Estimate(1))], palette: Palette([hostile]))
    let curves = CurveChart(
      title: hostile, x: FigureAxis(hostile, .bytes), curves: [.init(hostile, values: [1])],
      palette: Palette([hostile]))
    var map = HeatMap(
      title: hostile, columnTitle: hostile, rowTitle: hostile, axis: FigureAxis(hostile, .count))
    (map.columns, map.rows, map.cells) = ([hostile], [hostile], [[1]])
    let bars = BarChart(
      title: hostile, parts: [hostile], rows: [.init(hostile, values: [1])],
      axis: FigureAxis(hostile, .count))
    let tally = WinLossChart(title: hostile, rows: [.init(hostile, wins: 1, ties: 1, losses: 1)])
    let figures = [
      session.figure, scatter.figure, curves.figure, map.figure, bars.figure, tally.figure,
    ]
    for figure in figures {
      let root = try MarkupReader.read(figure.svg)
      #expect(root.all("script").isEmpty)
      #expect(root.title == FigureExamples.hostileAsRead)
    }
    var page = FigureExamples.report
    page.title = hostile
    page.subtitle = hostile
    page.answer = [hostile]
    page.table.rows[0].cells[0].text = hostile
    page.table.columns[1].about = hostile
    page.figures = figures
    page.sessions[0].title = hostile
    page.notes = [hostile]
    page.footer = hostile
    let root = try MarkupReader.read(page.html)
    #expect(root.all("script").count == 1)
    #expect(root.all("h1").map(\.text) == [FigureExamples.hostileAsRead])
    let summaries = root.all("summary").map(\.text)
    #expect(summaries.contains(FigureExamples.hostileAsRead))
    #expect(root.all("dd").contains { $0.text == FigureExamples.hostileAsRead })
  }

  /// Nothing, one thing and numbers at their limits are drawn as well.
  @Test func `figures of nothing and of the largest numbers are drawn`() throws {
    let empty = Palette([])
    let most = Int64.max
    var map = HeatMap(
      title: "", columnTitle: "", rowTitle: "", axis: FigureAxis("", .bytes))
    map.columns = ["a", "b"]
    map.rows = ["a", "b", "c"]
    map.cells = [[Int64.min, most], [], [0, nil, 5]]
    var session = SessionChart(title: "", end: most)
    var player = SessionChart.Player(name: "a")
    player.states = [.init(.stalled, "", from: 0, to: most)]
    player.ahead = [.init(0, most), .init(most, most)]
    player.fillRates = [.init(0, most)]
    session.players = [player]
    let figures = [
      ScatterChart(
        title: "", x: FigureAxis("", .time), y: FigureAxis("", .time), points: [], palette: empty
      )
      .figure,
      ScatterChart(
        title: "", x: FigureAxis("", .time), y: FigureAxis("", .share),
        points: [.init("a", x: Estimate(most), y: Estimate(Int64.min))], palette: empty
      ).figure,
      CurveChart(
        title: "", x: FigureAxis("", .time), curves: [.init("a", values: [])], palette: empty
      )
      .figure,
      CurveChart(
        title: "", x: FigureAxis("", .time), curves: [.init("a", values: [most, 0, Int64.min])],
        palette: empty
      ).figure,
      map.figure,
      BarChart(
        title: "", parts: ["a"], rows: [.init("a", values: [most, most])],
        axis: FigureAxis("", .time)
      ).figure,
      BarChart(title: "", parts: [], rows: [], axis: FigureAxis("", .time)).figure,
      WinLossChart(title: "", rows: [.init("a", wins: .max, ties: .max, losses: .max)]).figure,
      SessionChart(title: "", end: 0).figure, session.figure,
    ]
    for figure in figures { checkPlaces(try MarkupReader.read(figure.svg), figure) }
  }

  /// Checks that nothing is fetched from anywhere.
  private func checkNothingOutside(_ bytes: [UInt8], allowing: String) {
    let text = String(decoding: bytes, as: UTF8.self).replacing(allowing, with: "")
    for word in ["http", "src=", "href", "@import", "url("] { #expect(!text.contains(word)) }
  }

  /// Checks that all shapes have numbers for places, and lie within the picture.
  private func checkPlaces(_ root: MarkupReader.Element, _ figure: Figure) {
    for rectangle in root.all("rect").dropFirst() {
      guard let x = rectangle.tenths("x"), let y = rectangle.tenths("y"),
        let width = rectangle.tenths("width"), let height = rectangle.tenths("height")
      else {
        Issue.record("a rectangle without numbers: \(rectangle.attributes)")
        continue
      }
      #expect(x >= 0 && y >= 0 && width >= 0 && height >= 0)
      // What is shorter than a pixel is drawn as one, also at the right edge.
      #expect(x + width <= figure.width * 10 && y + height <= figure.height * 10)
    }
  }

  @Test func `a page needs nothing beside itself`() throws {
    let bytes = FigureExamples.report.html
    let root = try MarkupReader.read(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("<!DOCTYPE html>\n"))
    for word in ["http:", "https:", "//", "src=", "href", "@import", "url("] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(root.all("svg").allSatisfy { $0.attributes["xmlns"] == nil })
    #expect(root.all("title").first?.text == "Which rule starts best?")
    let policy = root.all("meta").compactMap { $0.attributes["content"] }
    #expect(policy.contains { $0.hasPrefix("default-src 'none'") })
  }

  @Test func `a report says all without its script`() throws {
    let root = try MarkupReader.read(FigureExamples.report.html)
    let main = try #require(root.all("main").first)
    #expect(main.all("script").isEmpty)
    #expect(main.all(ofClass: "p-answer").first?.children.map(\.text).count == 2)
    let (help, sessions) = (
      main.all(ofClass: "p-help"), main.all("details").filter { $0.attributes["class"] == nil }
    )
    #expect(sessions.count == 2)
    #expect(sessions.allSatisfy { $0.all("svg").count == 1 })
    // What its columns hold stands below each table for which there is something to be said.
    #expect(help.allSatisfy { $0.all("dt").count == $0.all("dd").count && !$0.all("dd").isEmpty })
    #expect(main.all("svg").count == 6)
    let table = try #require(main.all("table").first)
    #expect(table.all("th").prefix(3).map(\.text) == ["rule", "startup", "stalled"])
    #expect(table.all("tr").count == 4)
    #expect(table.all(ofClass: "p-best").map(\.text) == ["1 s"])
    #expect(table.all(ofClass: "p-reference").count == 1)
    // Rows can be ordered by numbers that are not what stands in the cells.
    #expect(table.all("td").first?.attributes["data-order"] == "1000000000")
  }
}
