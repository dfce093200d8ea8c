/// The requests of a session, a row each, with the parts that their time went to, over the axis of
/// time that the lanes of the session have.
package struct RequestChart: Sendable {
  /// The most rows: more are looked up in a table.
  package static let rowsMax = 200
  /// The height of a row, and of the bar in it.
  private static let pitch: Length = 15
  private static let barHeight: Length = 11
  private static let top: Length = 58

  private let session: SessionChart
  private let players: ArraySlice<SessionChart.Player>

  /// Creates the chart of the requests of a session.
  package init(_ session: SessionChart) {
    self.session = session
    players = session.players.prefix(SessionChart.playersMax)
  }

  /// How many requests there are.
  package var count: Int { players.reduce(0) { $0 + $1.requests.count } }

  /// The picture.
  package var figure: Figure {
    let time = TimeAxis(
      from: session.start, to: session.end, quietSince: session.quietSince,
      left: SessionDrawing.left, width: Length(pixels: SessionChart.laneWidth))
    let names = players.count { !$0.name.isEmpty }
    let bottom = Self.top + Self.pitch * (min(count, Self.rowsMax) + names) + 4
    var canvas = Canvas()
    canvas.beginGroup(["class": "behind"])
    canvas.box(
      Box(x: time.left, y: Self.top, width: time.right - time.left, height: bottom - Self.top),
      "field")
    canvas.endGroup()
    SessionDrawing.drawTimeAxis(time, from: Self.top, to: bottom, on: &canvas)
    drawRows(time, on: &canvas)
    if let gap = time.gap {
      canvas.beginGroup(["class": "break"])
      canvas.box(
        Box(x: gap.from, y: Self.top, width: gap.to - gap.from, height: bottom - Self.top),
        "paper gap", title: "nothing happens")
      canvas.endGroup()
    }
    drawLegend(below: bottom, on: &canvas)
    let shown = count > Self.rowsMax ? "the first \(Self.rowsMax) of \(count)" : "\(count)"
    return Figure(
      title: "Requests", summary: "\(shown) requests, each with the parts of its time",
      width: Length(pixels: Figure.usualWidth), height: bottom + 64, canvas)
  }

  // MARK: - Rows

  private func drawRows(_ time: TimeAxis, on canvas: inout Canvas) {
    var (y, row) = (Self.top + 4, 0)
    for player in players {
      if !player.name.isEmpty {
        canvas.beginGroup([
          "class": "lane", "data-kind": "name", "data-place": "\(y.text) \(Self.pitch.text)",
        ])
        canvas.text(
          TextWidth.shortened(player.name, to: 800), at: CanvasPoint(x: 16, y: y + 10), "name")
        canvas.endGroup()
        y += Self.pitch
      }
      for request in player.requests where row < Self.rowsMax {
        // Only one of them is reached by Tab; from there the arrow keys lead on.
        canvas.beginGroup([
          "class": "lane request", "data-kind": "request", "role": "img",
          "tabindex": row == 0 ? "0" : "-1", "data-place": "\(y.text) \(Self.pitch.text)",
        ])
        canvas.title(SessionDrawing.text(request))
        let isBad = !request.outcome.isGood
        canvas.text(
          TextWidth.shortened(request.shortText, to: 98, size: 10),
          at: CanvasPoint(x: 16, y: y + 9), isBad ? "small alarm" : "small")
        draw(
          request, of: player, in: Box(x: 0, y: y, width: 0, height: Self.barHeight), time, &canvas)
        canvas.endGroup()
        row += 1
        y += Self.pitch
      }
    }
  }

  private func draw(
    _ request: SessionChart.ChartRequest, of player: SessionChart.Player, in row: Box,
    _ time: TimeAxis, _ canvas: inout Canvas
  ) {
    func bar(_ start: Int64, _ end: Int64, _ style: String, fill: String = "") {
      let (from, to) = (time.place(start), time.place(end))
      if end <= start { return }
      canvas.box(
        Box(x: from, y: row.y, width: max(to - from, Length(tenths: 5)), height: row.height), style,
        fill: fill)
    }
    let end = request.end
    let first = min(request.response ?? end, end)
    var start = request.start
    for step in request.steps {
      let next = min(start + step.length, first)
      bar(start, next, step.kind.style)
      start = next
    }
    bar(start, first, "neutral-fill soft")
    switch request.lane {
    case .level(let level):
      bar(first, end, "", fill: LevelColor.of(level, among: player.levels.count))
    case .playlist: bar(first, end, "f6")
    case .key: bar(first, end, "f7")
    case .rendition: bar(first, end, "f5")
    case .file: bar(first, end, "neutral-fill")
    }
    if request.outcome.isGood { return }
    let from = time.place(request.start)
    let width = max(time.place(end) - from, 2)
    canvas.box(
      Box(x: from, y: row.y, width: width, height: row.height),
      request.outcome == .failed ? "failed" : "given-up")
  }

  // MARK: - The legend

  private func drawLegend(below bottom: Length, on canvas: inout Canvas) {
    let all = players.flatMap { $0.requests }.prefix(Self.rowsMax)
    var entries: [(String, String)] = []
    for kind in SessionChart.ChartRequest.RequestStep.Kind.allCases
    where all.contains(where: { $0.steps.contains { $0.kind == kind && $0.length > 0 } }) {
      entries.append((kind.style, kind.meaning))
    }
    entries.append(("neutral-fill soft", "until the first byte"))
    if all.contains(where: { $0.lane == .playlist }) { entries.append(("f6", "playlist")) }
    if all.contains(where: { $0.lane == .key }) { entries.append(("f7", "key")) }
    if all.contains(where: { $0.lane == .rendition }) { entries.append(("f5", "other track")) }
    if all.contains(where: { $0.outcome == .givenUp }) { entries.append(("given-up", "given up")) }
    if all.contains(where: { $0.outcome == .failed }) { entries.append(("failed", "went wrong")) }
    canvas.beginGroup(["class": "legend"])
    var point = CanvasPoint(x: SessionDrawing.left, y: bottom + 36)
    for (style, text) in entries {
      canvas.box(Box(x: point.x, y: point.y - 9, width: 14, height: 10), style)
      canvas.text(text, at: CanvasPoint(x: point.x + 19, y: point.y), "muted")
      point.x += TextWidth.of(text) + 34
    }
    canvas.text(
      "media has the color of its variant", at: CanvasPoint(x: point.x, y: point.y), "muted")
    canvas.endGroup()
  }
}

extension SessionChart.ChartRequest.RequestStep.Kind {
  /// The class of the colour.
  var style: String {
    switch self {
    case .lookup: "f2"
    case .connect: "f4"
    case .secure: "f3"
    }
  }

  /// The meaning, for the legend.
  var meaning: String {
    switch self {
    case .lookup: "name lookup"
    case .connect: "connecting"
    case .secure: "securing the connection"
    }
  }
}
