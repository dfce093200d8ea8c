import AutowaitFigures
import Testing

/// That nothing which is left out, out of reach or crowded is drawn as something else.
struct TruthTests {
  private static let second = FigureExamples.second

  /// A player that waits from the start until the end.
  private func waiting(until end: Int64, quietSince quiet: Int64?) -> SessionChart {
    var chart = SessionChart(title: "waits", end: end * Self.second)
    chart.quietSince = quiet.map { $0 * Self.second }
    var player = SessionChart.Player()
    player.states = [.init(.waiting, "waits", from: 0, to: end * Self.second)]
    player.ahead = [.init(0, 0), .init(end * Self.second, 10 * Self.second)]
    player.mediaRates = [.init(0, 2_000_000), .init(end * Self.second, 2_000_000)]
    chart.linkRates = [.init(0, 1_000_000)]
    chart.players = [player]
    return chart
  }

  private func read(_ figure: Figure) throws -> MarkupReader.Element {
    try MarkupReader.read(figure.svg)
  }

  @Test(
    arguments: [
      (100, nil, nil), (100, 20, "63 s of waiting"), (1_000, 10, "989.006 s of waiting"),
      (23, 20, nil), (1_000_000, 10, "999989 s of waiting"),
    ] as [(Int64, Int64?, String?)])
  func `what is left out is a break that says how long it is`(
    _ end: Int64, _ quiet: Int64?, _ words: String?
  ) throws {
    let root = try read(waiting(until: end, quietSince: quiet).figure)
    let labels = root.all(ofClass: "gap-label").map(\.text)
    #expect(root.all(ofClass: "gap").count == (words == nil ? 0 : 1))
    #expect(labels.count == (words == nil ? 0 : 2))
    if let words { #expect(labels.allSatisfy { $0.hasSuffix(" s of waiting") }, "\(words)") }
    // The state is drawn to the end, and says all its time.
    let state = try #require(root.all(ofClass: "waiting").first)
    #expect(state.tenths("x") == 1_200 && state.tenths("width") == 8_640)
    #expect(state.title == "waits from 0 s to \(end) s, \(end) s")
    let ends = root.all(ofClass: "end").map(\.text)
    #expect(words == nil || ends.contains("\(end) s"))
  }

  @Test func `a lane ends where its session does`() throws {
    let chart = SessionChart.stacked(
      title: "two",
      [
        ("short", waiting(until: 50, quietSince: nil)),
        ("long", waiting(until: 100, quietSince: 20)),
      ])
    let root = try read(chart.figure)
    // Of what is left out of one alone nothing is left out: the other goes on until 50 s.
    let states = root.all(ofClass: "waiting").prefix(2)
    #expect(
      states.map { $0.title } == ["waits from 0 s to 50 s, 50 s", "waits from 0 s to 100 s, 100 s"])
    let right = states.compactMap { state in
      state.tenths("x").flatMap { x in state.tenths("width").map { x + $0 } }
    }
    #expect(right.last == 9_840 && right[0] < 9_840)
    let fields = root.all(ofClass: "field")
    #expect(fields.contains { ($0.tenths("width") ?? 0) + 1_200 == right[0] })
  }

  @Test(
    arguments: [(2_000_000, false), (4_000_000, false), (4_100_000, true), (90_000_000, true)]
      as [(Int64, Bool)])
  func `what the media needs is at its height or said to be above`(
    _ need: Int64, _ isAbove: Bool
  ) throws {
    var chart = waiting(until: 100, quietSince: nil)
    chart.players[0].mediaRates = [.init(0, need), .init(100 * Self.second, need)]
    let root = try read(chart.figure)
    let words = root.all(ofClass: "above").filter { $0.attributes["aria-hidden"] == nil }
    #expect(words.count == (isAbove ? 1 : 0))
    let paths = root.all(ofClass: "need").filter { $0.title != nil }
    #expect(paths.count == (isAbove ? 0 : 1))
    #expect(root.all("text").contains { $0.text == "what the media needs" } == !isAbove)
  }

  @Test(arguments: [1, 9, 21, 40])
  func `every point has a label, the first of them the baseline`(_ count: Int) throws {
    // As many points in a corner as there are, and one far away.
    let points = (0..<count).map { (number: Int) -> ScatterChart.Dot in
      let (x, y) = (Int64(number * number % 23), Int64(number * 7 % 19))
      return ScatterChart.Dot("a rule of the name \(number)", x: Estimate(x), y: Estimate(y))
    }
    var chart = ScatterChart(
      title: "", x: FigureAxis("", .count), y: FigureAxis("", .count),
      points: points + [ScatterChart.Dot("far", x: Estimate(900), y: Estimate(900))],
      palette: Palette(points.map(\.name)))
    chart.baseline = points[count - 1].name
    let labels = try read(chart.figure).all(ofClass: "on-plot")
    let first = try #require(labels.first)
    #expect(first.text.hasPrefix("\(points[count - 1].name) (baseline)"))
    var numbers: Set<Int> = []
    for text in labels.flatMap({ $0.text.split(separator: ", ") }) {
      let name = text.replacing(" (baseline)", with: "")
      if let place = chart.points.firstIndex(where: { $0.name == name }) {
        numbers.insert(place + 1)
      }
      let ends = text.split(separator: "–").compactMap { Int($0) }
      if let low = ends.first, let high = ends.last { numbers.formUnion(low...high) }
    }
    #expect(numbers == Set(1...count + 1))
  }

  @Test(
    arguments: [
      (.none, "p-answer", "<p>Words.</p>"), (.met, "p-answer p-good", "<p>✓ Words.</p>"),
      (.doubtful, "p-answer p-doubtful", "<p>Words.</p>"),
      (.failed, "p-answer p-bad", "<p class=\"p-verdict\">✗ Words.</p>"),
    ] as [(Page.Verdict.Kind, String, String)])
  func `a verdict is seen at first glance`(
    _ kind: Page.Verdict.Kind, _ style: String, _ words: String
  ) throws {
    var page = Page(title: "name")
    page.status = kind == .failed ? "Failed" : ""
    let missed = kind == .failed ? [Page.Check(isMet: false, "a < 1", differences: ["a is 2"])] : []
    page.blocks = [.verdict(Page.Verdict(kind, "Words.", missed: missed, sentences: ["Plays."]))]
    let html = String(decoding: page.html, as: UTF8.self)
    #expect(html.contains("<section class=\"\(style)\">") && html.contains(words))
    #expect(html.contains("<title>Failed: name</title>") == (kind == .failed))
    #expect(html.contains("a is 2") == (kind == .failed))
  }

  /// White letters on what is coloured, and warnings on a stall's shade, have a contrast of 4.5.
  @Test func `letters can be read on colours`() throws {
    let text = String(decoding: FigureExamples.report.html, as: UTF8.self)
    func values(_ name: String) -> [[Double]] {
      text.matches(of: /--([a-z0-9]+):#([0-9a-f]{6})/).filter { $0.1 == name }.map { match in
        stride(from: 0, to: 6, by: 2).map { offset in
          let start = match.2.index(match.2.startIndex, offsetBy: offset)
          return Double(Int(match.2[start...].prefix(2), radix: 16) ?? 0) / 255
        }
      }
    }
    func light(_ color: [Double]) -> Double {
      zip(color, [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
        let (value, weight) = part
        // The curve of sRGB, its power 2.4 near enough by 2 and 3.
        let line = (value + 0.055) / 1.055
        let curve = value <= 0.03928 ? value / 12.92 : line * line * (line * 0.4 + 0.6)
        return sum + curve * weight
      }
    }
    func contrast(_ left: [Double], _ right: [Double]) -> Double {
      let (high, low) = (max(light(left), light(right)), min(light(left), light(right)))
      return (high + 0.05) / (low + 0.05)
    }
    for name in ["playing", "stalled", "verdict"] {
      #expect(values(name).count == 3)
      for color in values(name) { #expect(contrast(color, [1, 1, 1]) > 4.5, "\(name)") }
    }
    for (field, (stalled, alarm)) in zip(values("field"), zip(values("stalled"), values("alarm"))) {
      let shade = zip(field, stalled).map { $0 * 0.87 + $1 * 0.13 }
      #expect(contrast(alarm, shade) > 4.5)
    }
  }
}
