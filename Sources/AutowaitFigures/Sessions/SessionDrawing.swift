/// Draws a session: first all lanes are laid out, then what lies behind them, then each lane.
struct SessionDrawing: Sendable {
  /// What a lane shows of a player.
  enum Content: Hashable, Sendable {
    case name, marks, states, ahead, plays, rates
    case requests(SessionChart.ChartRequest.Lane)

    /// The word by which a page knows lanes that are shown and hidden together.
    var word: String {
      switch self {
      case .name: "name"
      case .marks: "events"
      case .states: "state"
      case .ahead: "buffer"
      case .plays: "plays"
      case .rates: "link"
      case .requests: "requests"
      }
    }
  }

  /// A lane of a player; without one, of the link.
  struct DrawnLane: Sendable {
    let content: Content
    let player: Int?
    let label: String
    let box: Box
  }

  /// The place of the lanes from left to right.
  static let left: Length = 120
  let width: Length
  /// The width of the picture.
  let pictureWidth: Length
  /// Where the legend begins: below the lanes, if there is room for it.
  private var legendLeft: Length {
    pictureWidth < Length(pixels: Figure.narrowWidth) ? 16 : Self.left
  }

  let chart: SessionChart
  let time: TimeAxis
  var canvas = Canvas()
  private(set) var lanes: [DrawnLane] = []
  private(set) var height: Length = 0
  /// Whether what some media needs is drawn, and not above all lanes.
  var drawsNeed = false
  private var bottom: Length = 0
  private let top: Length

  init(_ chart: SessionChart, width pixels: Int) {
    self.chart = chart
    pictureWidth = Length(pixels: pixels)
    width = Length(pixels: pixels - SessionChart.besideLanes)
    time = TimeAxis(
      from: chart.start, to: chart.end, quietSince: chart.quietSince, left: Self.left,
      width: width)
    top = chart.subtitle.isEmpty ? 58 : 74
    layOut()
  }

  private var shown: ArraySlice<SessionChart.Player> {
    chart.players.prefix(SessionChart.playersMax)
  }

  // MARK: - The layout

  private mutating func layOut() {
    var y = top
    func lane(_ content: Content, _ player: Int?, _ label: String, height: Length) -> DrawnLane {
      // A lane ends where the session does.
      let end = player.flatMap { chart.players[$0].end }.map { time.place($0) } ?? time.right
      let box = Box(x: Self.left, y: y, width: max(1, end - Self.left), height: height)
      y = box.bottom + 6
      return DrawnLane(content: content, player: player, label: label, box: box)
    }
    if !chart.changes.isEmpty {
      lanes.append(lane(.marks, nil, "network", height: height(of: chart.changes)))
    }
    for (number, player) in shown.enumerated() {
      if !player.name.isEmpty { lanes.append(lane(.name, number, player.name, height: 18)) }
      if !player.marks.isEmpty {
        lanes.append(lane(.marks, number, "events", height: height(of: player.marks)))
      }
      lanes.append(lane(.states, number, "state", height: 24))
      if !player.ahead.isEmpty { lanes.append(lane(.ahead, number, "buffer", height: 76)) }
      for (content, label) in Self.requestLanes(player) {
        let height: Length = player.levels.count > 8 ? 9 : 13
        lanes.append(lane(.requests(content), number, label, height: height))
        y = y - 4
      }
      if !player.requests.isEmpty { y += 4 }
      if !player.plays.isEmpty, player.levels.count > 1 {
        lanes.append(lane(.plays, number, "plays", height: 18))
      }
      if !chart.linkRates.isEmpty || !player.linkRates.isEmpty || !player.fillRates.isEmpty {
        lanes.append(lane(.rates, number, "link", height: 76))
      }
      y += 8
    }
    bottom = y - 8
    height = bottom + 64
  }

  /// One row of marks, or two if that lets more of them say what they are.
  private func height(of marks: [SessionChart.Mark]) -> Length {
    place(marks, rows: 1).allSatisfy { $0.row != nil } ? 20 : 34
  }

  /// The lanes of a player's requests, from top to bottom: the highest variant above the lowest.
  private static func requestLanes(
    _ player: SessionChart.Player
  ) -> [(SessionChart.ChartRequest.Lane, String)] {
    func has(_ lane: SessionChart.ChartRequest.Lane) -> Bool {
      player.requests.contains { $0.lane == lane }
    }
    var lanes: [(SessionChart.ChartRequest.Lane, String)] = []
    if has(.playlist) { lanes.append((.playlist, "playlists")) }
    if has(.key) { lanes.append((.key, "keys")) }
    for level in player.levels.indices.reversed() {
      lanes.append((.level(level), player.levels[level]))
    }
    if has(.rendition) { lanes.append((.rendition, "other tracks")) }
    if has(.file) { lanes.append((.file, "file")) }
    return lanes
  }

  // MARK: - Drawing

  mutating func draw() {
    canvas.text(
      TextWidth.shortened(chart.subtitle, to: pictureWidth - 40), at: CanvasPoint(x: 16, y: 46),
      "muted")
    drawBackground()
    for lane in lanes {
      canvas.beginGroup([
        "class": "lane", "data-kind": lane.content.word,
        "data-place": "\(lane.box.y.text) \(lane.box.height.text)",
      ])
      draw(lane)
      canvas.endGroup()
    }
    drawBreak()
    drawLegend()
    if chart.players.count > shown.count {
      canvas.text(
        "\(chart.players.count - shown.count) more players are not drawn",
        at: CanvasPoint(x: Self.left, y: height - 6), "muted")
    }
  }

  private mutating func drawBackground() {
    canvas.beginGroup(["class": "behind"])
    for lane in lanes where lane.content != .name { canvas.box(lane.box, "field") }
    canvas.endGroup()
    Self.drawTimeAxis(time, from: top, to: bottom, on: &canvas)
    canvas.beginGroup(["class": "behind"])
    // Changes that come by the dozen would make a fence.
    if chart.changes.count <= 24 {
      for change in chart.changes {
        let x = time.place(change.instant)
        canvas.line(CanvasPoint(x: x, y: top), CanvasPoint(x: x, y: bottom), "rule")
      }
    }
    for (number, player) in shown.enumerated() {
      let own = lanes.filter { $0.player == number && $0.content != .name }
      guard let first = own.first, let last = own.last else { continue }
      let stalls = player.states.filter { $0.kind == .stalled }.map {
        (start: $0.start, end: $0.end)
      }
      for bar in PixelBars(stalls, on: time).bars {
        let width = max(bar.end - bar.start, 1)
        canvas.box(
          Box(
            x: bar.start, y: first.box.y, width: width, height: last.box.bottom - first.box.y),
          "stalled band")
      }
    }
    canvas.endGroup()
  }

  /// Draws the marks of an axis of time with their labels above and below, in a group that tells
  /// pages what lies where.
  static func drawTimeAxis(
    _ time: TimeAxis, from top: Length, to bottom: Length, on canvas: inout Canvas
  ) {
    let gap = time.gap.map { "\($0.start) \($0.end) \($0.from.text) \($0.to.text)" }
    canvas.beginGroup([
      "class": "time-axis", "data-span": "\(time.start) \(time.end)", "data-gap": gap ?? "",
      "data-place": "\(top.text) \(bottom.text)",
    ])
    for (instant, label) in time.marks {
      let x = time.place(instant)
      // A mark at the end of the axis may have no room to its right.
      let right = time.right + Length(pixels: SessionChart.besideLanes) - left - 4
      let isEnd = x + TextWidth.of(label) / 2 > right
      canvas.line(CanvasPoint(x: x, y: top), CanvasPoint(x: x, y: bottom), "grid")
      for y in [top - 7, bottom + 15] {
        canvas.text(
          label, at: CanvasPoint(x: isEnd ? right : x, y: y), "muted",
          anchor: isEnd ? .end : .middle)
      }
    }
    canvas.endGroup()
  }

  /// Draws what is left out as a gap with torn edges through all lanes, and says how long it is.
  private mutating func drawBreak() {
    guard let gap = time.gap else { return }
    canvas.beginGroup(["class": "break"])
    defer { canvas.endGroup() }
    let words = "\(Self.moment(gap.end - gap.start)) \(lasting(gap))"
    let title =
      "\(words), from \(Self.moment(gap.start)) to \(Self.moment(gap.end)), is not drawn"
    canvas.box(
      Box(x: gap.from, y: top, width: gap.to - gap.from, height: bottom - top), "paper gap",
      title: title)
    for x in [gap.from, gap.to] {
      var points = [CanvasPoint(x: x, y: top)]
      var side: Length = 3
      while let last = points.last, last.y < bottom {
        points.append(CanvasPoint(x: x + side, y: min(last.y + 6, bottom)))
        side = 0 - side
      }
      canvas.path(points, "tear")
    }
    for y in [top - 7, bottom + 15] {
      canvas.text(words, at: CanvasPoint(x: gap.middle, y: y), "gap-label", anchor: .middle)
    }
  }

  /// Says what players did in the time that is left out.
  private func lasting(_ gap: TimeAxis.Break) -> String {
    let states = shown.compactMap { player in
      player.states.last { $0.start <= gap.start && gap.end <= $0.end }?.kind.lasting
    }
    guard let first = states.first, states.allSatisfy({ $0 == first }) else { return "left out" }
    return first
  }

  private mutating func draw(_ lane: DrawnLane) {
    if lane.content == .name {
      canvas.text(
        TextWidth.shortened(lane.label, to: pictureWidth - 200),
        at: CanvasPoint(x: 16, y: lane.box.y + 13), "name"
      )
      return
    }
    drawLabel(lane)
    guard let number = lane.player else {
      draw(chart.changes, in: lane.box)
      return
    }
    let player = chart.players[number]
    switch lane.content {
    case .name: break
    case .marks: draw(player.marks, in: lane.box)
    case .states: drawStates(player.states, in: lane.box)
    case .ahead: drawAhead(player, in: lane.box)
    case .requests(let kind): drawRequests(player, kind, in: lane.box)
    case .plays: drawPlays(player, in: lane.box)
    case .rates: drawRates(player, in: lane.box)
    }
  }

  /// Names a lane at its left; one with an axis has the numbers of that below.
  private mutating func drawLabel(_ lane: DrawnLane) {
    let isTall = lane.box.height > 40
    let y = isTall ? lane.box.y + 11 : lane.box.middle + 4
    let style = lane.box.height < 12 ? "small" : ""
    let shown = TextWidth.shortened(lane.label, to: 98)
    canvas.text(
      shown, at: CanvasPoint(x: 16, y: y), style,
      title: shown == MarkupText.plain(lane.label) ? "" : lane.label)
  }

  /// Draws the marks of a lane's own axis; returns where values lie.
  mutating func drawAxis(
    _ measure: Measure, most: Int64, in box: Box, headroom: Length = 5
  ) -> Scale {
    let scale = Scale(0, max(1, most), from: box.bottom, to: box.y + headroom)
    let ticks = Ticks(measure, from: 0, to: scale.most, about: 3)
    for (value, label) in zip(ticks.values, ticks.labels) {
      let y = scale.place(value)
      canvas.line(CanvasPoint(x: box.x, y: y), CanvasPoint(x: box.right, y: y), "grid")
      if value == 0 { continue }
      // The lane's name stands in the first line.
      canvas.text(label, at: CanvasPoint(x: box.x - 6, y: y + 4), "small muted", anchor: .end)
    }
    return scale
  }

  // MARK: - The legend

  private mutating func drawLegend() {
    canvas.beginGroup(["class": "legend"])
    defer { canvas.endGroup() }
    var point = CanvasPoint(x: legendLeft, y: bottom + 36)
    let players = shown
    for kind in SessionChart.State.Kind.allCases
    where players.contains(where: { $0.states.contains { $0.kind == kind } }) {
      drawEntry(kind.style, kind.meaning, at: &point)
    }
    if players.contains(where: { !$0.ahead.isEmpty }) {
      drawEntry("area", "media ahead of the playhead", at: &point)
    }
    let isLate = players.contains { player in
      player.requests.contains { $0.outcome.isGood && showsWaiting($0) }
    }
    if isLate {
      drawEntry("neutral-fill soft", "until the first byte", at: &point)
    }
    if players.contains(where: { $0.requests.contains { $0.outcome == .givenUp } }) {
      drawEntry("given-up", "given up", at: &point)
    }
    if players.contains(where: { $0.requests.contains { $0.outcome == .failed } }) {
      drawEntry("failed", "went wrong", at: &point)
    }
    if !chart.linkRates.isEmpty { drawEntry("link", "link rate", at: &point) }
    if players.contains(where: { !$0.fillRates.isEmpty }) {
      drawEntry("rate", "fill rate", at: &point, isLine: true)
    }
    if drawsNeed {
      drawEntry("need", "what the media needs", at: &point, isLine: true)
    }
    // A narrow picture has a legend of many rows.
    height = max(height, point.y + 11)
  }

  /// Writes an entry of the legend, and moves on to where the next one is.
  private mutating func drawEntry(
    _ style: String, _ text: String, at point: inout CanvasPoint, isLine: Bool = false
  ) {
    let room = TextWidth.of(text) + 34
    if point.x + room > Self.left + width {
      point = CanvasPoint(x: legendLeft, y: point.y + 17)
    }
    if isLine {
      let y = point.y - 4
      canvas.path([CanvasPoint(x: point.x, y: y), CanvasPoint(x: point.x + 14, y: y)], style)
    } else {
      canvas.box(Box(x: point.x, y: point.y - 9, width: 14, height: 10), style)
    }
    canvas.text(text, at: CanvasPoint(x: point.x + 19, y: point.y), "muted")
    point.x += room
  }
}
