import AutowaitFigures

/// Figures of every kind, and what must hold of all that is drawn.
enum FigureExamples {
  static let second: Int64 = 1_000_000_000

  /// A text that every page must survive.
  static let hostile = "<script>alert('&\"')</script>\u{0}\u{7}\u{1B}]\u{202E}\u{FFFF}\nend"
  /// The same text as people read it.
  static let hostileAsRead = "<script>alert('&\"')</script>] end"

  static let scatter = {
    let points: [(String, Int64, Int64)] = [
      ("fixed", 1, 40), ("linear", 4, 10), ("greedy", 2, 60), ("patient", 9, 0), ("best", 1, 0),
    ]
    var chart = ScatterChart(
      title: "Startup against stalling", x: FigureAxis("median startup", .time),
      y: FigureAxis("stalled share", .share),
      points: points.map { name, startup, stalled in
        .init(
          name,
          x: Estimate(startup * second, interval: (startup * second / 2)...(startup * second)),
          y: Estimate(stalled * 1_000, interval: stalled * 900...stalled * 1_200))
      }, palette: Palette(points.map(\.0), references: ["best"]))
    chart.references = ["best"]
    return chart
  }()

  static let curves = CurveChart(
    title: "Startup", x: FigureAxis("startup", .time),
    curves: [
      .init("fixed", values: [4, 1, 3, 2].map { $0 * second }),
      .init("linear", values: [2, 2, 2].map { $0 * second }, missing: 1),
    ], palette: Palette(["linear", "fixed"]))

  static let heatMap = {
    var map = HeatMap(
      title: "Where it stalls", columnTitle: "link : media", rowTitle: "duration",
      axis: FigureAxis("stalled share", .share))
    map.columns = ["0.5", "1", "2"]
    map.rows = ["1 min", "10 min"]
    map.cells = [[500_000, 120_000, 0], [480_000, nil, 10_000]]
    return map
  }()

  static let bars = BarChart(
    title: "Startup", parts: ["playlists", "keys", "segments"],
    rows: [
      .init("fixed", values: [1, 0, 3].map { $0 * second }),
      .init("linear", values: [1, 2, 5].map { $0 * second }),
    ], axis: FigureAxis("time", .time))

  static let tally = WinLossChart(
    title: "Against linear",
    rows: [
      .init("fixed", wins: 60, ties: 20, losses: 20), .init("greedy", wins: 0, ties: 0, losses: 3),
    ])

  /// A session in which one of everything happens.
  static let session = {
    var chart = SessionChart(title: "A session", subtitle: "one of everything", end: 100 * second)
    var player = SessionChart.Player()
    player.states = [
      .init(.paused, "paused", from: 0, to: 10 * second),
      .init(.waiting, "waits", from: 10 * second, to: 20 * second),
      .init(.playing, "plays", from: 20 * second, to: 60 * second),
      .init(.stalled, "stalled", from: 60 * second, to: 70 * second),
      .init(.playing, "plays", from: 70 * second, to: 100 * second),
    ]
    player.marks = [
      .init(.tap, at: 10 * second, "play"), .init(.failure, at: 60 * second, "stalled"),
      .init(.note, at: 100 * second, "ended", text: "played to the end"),
    ]
    player.ahead = [
      .init(0, 0), .init(10 * second, 0), .init(20 * second, 30 * second), .init(60 * second, 0),
      .init(70 * second, 0), .init(100 * second, 20 * second),
    ]
    player.aheadLimits = [.init(0, 40 * second), .init(80 * second, 900 * second)]
    var segment = SessionChart.ChartRequest(
      .level(1), "segment 0", from: 10 * second, to: 30 * second)
    segment.response = 15 * second
    var lost = SessionChart.ChartRequest(.level(1), "segment 1", from: 30 * second, to: 50 * second)
    lost.outcome = .givenUp
    var missing = SessionChart.ChartRequest(.playlist, "a list", from: 0, to: 5 * second)
    missing.outcome = .failed
    player.requests = [missing, segment, lost]
    player.levels = ["low", "high"]
    player.plays = [
      .init(20 * second, 60 * second, number: 1), .init(70 * second, 100 * second, number: 0),
    ]
    player.fillRates = [
      .init(0, nil), .init(20 * second, 3_000_000), .init(100 * second, 1_000_000),
    ]
    player.mediaRates = [.init(0, 2_000_000), .init(100 * second, 2_000_000)]
    chart.players = [player]
    chart.changes = [.init(.change, at: 50 * second, "cellular")]
    chart.linkRates = [.init(0, 4_000_000), .init(50 * second, 0), .init(60 * second, 1_000_000)]
    chart.outages = [.init(50 * second, 60 * second)]
    return chart
  }()

  static let all: [(name: String, figure: Figure)] = [
    ("scatter", scatter.figure), ("curves", curves.figure), ("heat map", heatMap.figure),
    ("bars", bars.figure), ("tally", tally.figure), ("session", session.figure),
  ]

  /// A report with all parts.
  static let report = {
    var table = Table(
      caption: "All rules",
      columns: [
        .init("rule"), .init("startup", isNumber: true, about: "median"),
        .init("stalled", isNumber: true),
      ])
    table.rows = [
      .init([
        .init("fixed"), .init("1 s", order: second, isBest: true), .init("4 %", order: 40_000),
      ]),
      .init([.init("linear"), .init("4 s", order: 4 * second), .init("1 %", order: 10_000)]),
      .init([.init("best"), .init("1 s", order: second), .init("–")], isReference: true),
    ]
    var page = ReportPage(
      title: "Which rule starts best?", subtitle: "2 rules, 10 links, 100 sessions",
      answer: ["fixed starts 3 s sooner.", "linear stalls least."], table: table)
    page.figures = [scatter.figure, curves.figure, heatMap.figure, tally.figure]
    page.sessions = [
      .init(title: "fixed on café", summary: "It stalls once.", chart: session, table: table),
      .init(title: "linear on café", summary: "It never stalls.", chart: session),
    ]
    page.notes = ["With equal seeds a difference is a difference."]
    page.footer = "autowait"
    return page
  }()
}
