/// What is in the lanes.
extension SessionDrawing {
  // MARK: - Marks

  /// A mark, or several that are drawn as one, and where its label is.
  struct PlacedMark: Sendable {
    let kind: SessionChart.Mark.Kind
    let x: Length
    let label: String
    let title: String
    /// Whether the label ends before the mark, since there is no room behind it.
    let isBefore: Bool
    /// The row of the label; nil if there is room in none.
    let row: Int?
  }

  /// Places the labels of marks, each in the first row that has room for it.
  func place(_ marks: [SessionChart.Mark], rows: Int) -> [PlacedMark] {
    var free = Array(repeating: Length(tenths: 0), count: rows)
    let right = Self.left + width
    return PixelBars(marks.map { ($0.instant, $0.instant) }, on: time).bars.compactMap { bar in
      let own = marks[bar.first...bar.last]
      let loudest = own.first { $0.kind == .failure } ?? own.first { $0.kind != .note }
      guard let first = loudest ?? own.first else { return nil }
      let title = own.map { "\(Self.moment($0.instant)): \($0.text.isEmpty ? $0.label : $0.text)" }
      let label = TextWidth.shortened(
        own.count > 1 ? "\(first.label) +\(own.count - 1)" : first.label, to: 130)
      let width = TextWidth.of(label)
      let isBefore = bar.start + width + 10 > right
      let from = isBefore ? bar.start - width - 8 : bar.start - 5
      let row = free.indices.first { free[$0] <= from }
      if let row { free[row] = isBefore ? bar.start + 6 : bar.start + width + 14 }
      return PlacedMark(
        kind: first.kind, x: bar.start, label: label,
        title: title.prefix(12).joined(separator: "; "), isBefore: isBefore, row: row)
    }
  }

  /// Draws marks with their labels; where there is no room for one the pointer shows it.
  mutating func draw(_ marks: [SessionChart.Mark], in box: Box) {
    let rows = box.height > 20 ? 2 : 1
    let placed = place(marks, rows: rows)
    let unnamed = placed.filter { $0.row == nil }.map { $0.x }
    for mark in placed {
      let y = box.y + 10 + Length(pixels: 14) * (mark.row ?? rows - 1)
      drawSign(mark.kind, at: CanvasPoint(x: mark.x, y: y), title: mark.title)
      let start = mark.isBefore ? mark.x - 7 : mark.x + 7
      let length = TextWidth.of(mark.label)
      let other = mark.isBefore ? start - length : start + length
      // Signs without a name stand in the last row, where no letters may be below them.
      let isCovered = unnamed.contains { min(start, other) - 6 < $0 && $0 < max(start, other) + 6 }
      if mark.row == nil || (mark.row == rows - 1 && isCovered) { continue }
      canvas.text(
        mark.label, at: CanvasPoint(x: start, y: y + 4),
        mark.kind == .failure ? "small alarm" : "small", anchor: mark.isBefore ? .end : .start,
        title: mark.title)
    }
  }

  private mutating func drawSign(
    _ kind: SessionChart.Mark.Kind, at point: CanvasPoint, title: String
  ) {
    switch kind {
    case .tap: canvas.marker(0, at: point, "tap", title: title)
    case .change: canvas.marker(2, at: point, "change", title: title)
    case .failure: canvas.marker(3, at: point, "failed", title: title)
    case .note: canvas.marker(1, at: point, "note", title: title)
    }
  }

  // MARK: - States

  mutating func drawStates(_ states: [SessionChart.State], in box: Box) {
    var lastShort: (column: Int, weight: Int)?
    for state in states {
      let start = time.place(state.start)
      let width = time.place(state.end) - start
      let column = start.tenths / 10
      if width < 1 {
        // Of what is shorter than a pixel the one is seen that matters most.
        if let last = lastShort, last.column == column, last.weight >= state.kind.weight {
          continue
        }
        lastShort = (column, state.kind.weight)
      }
      let shown = Box(x: start, y: box.y, width: max(width, 1), height: box.height)
      canvas.box(shown, state.kind.style, title: text(state))
      let length = state.end - state.start
      // Sentences have no minutes.
      let span =
        length < 180_000_000_000
        ? Measure.time.text(length)
        : FigureDecimal.text(length / 10_000_000 + length % 10_000_000 / 5_000_000, digits: 2)
          + " s"
      let long = "\(state.text) \(span)"
      let room = visible(shown)
      let label = TextWidth.of(long) + 8 <= room.width ? long : state.text
      if TextWidth.of(label) + 8 <= room.width {
        canvas.text(
          MarkupText.plain(label), at: CanvasPoint(x: room.x + room.width / 2, y: box.middle + 4),
          state.kind.letters, anchor: .middle)
      }
    }
  }

  /// Returns the part of a box before a break, or after it if that is all there is.
  private func visible(_ box: Box) -> Box {
    guard let gap = time.gap, box.right > gap.from else { return box }
    var part = box
    if box.x < gap.from {
      part.width = gap.from - box.x
    } else {
      part.x = max(box.x, gap.to)
      part.width = max(0, box.right - part.x)
    }
    return part
  }

  private func text(_ state: SessionChart.State) -> String {
    "\(state.text) from \(Self.moment(state.start)) to \(Self.moment(state.end)), "
      + Self.span(state.end - state.start)
  }

  // MARK: - The buffer

  mutating func drawAhead(_ player: SessionChart.Player, in box: Box) {
    let samples = SessionChart.Sample.thinned(player.ahead, on: time)
    let most = samples.compactMap { $0.value }.max() ?? 0
    // A limit that is far away would leave no room for what there is.
    let limits = player.aheadLimits.map { sample in
      SessionChart.Sample(sample.instant, sample.value.flatMap { $0 / 3 * 2 <= most ? $0 : nil })
    }
    let scale = drawAxis(
      .time, most: max(most, limits.compactMap({ $0.value }).max() ?? 0), in: box)
    drawEmpty(player, in: box)
    for run in SessionChart.Sample.runs(samples) {
      let points = run.map { CanvasPoint(x: time.place($0.instant), y: scale.place($0.value)) }
      canvas.area(points, down: box.bottom, "area")
      canvas.path(points, "edge")
    }
    drawLimits(limits, scale, in: box)
  }

  private mutating func drawLimits(
    _ limits: [SessionChart.Sample], _ scale: Scale, in box: Box
  ) {
    for (number, limit) in limits.enumerated() {
      guard let value = limit.value else { continue }
      let start = time.place(limit.instant)
      let end = number + 1 < limits.count ? time.place(limits[number + 1].instant) : box.right
      let y = scale.place(value)
      let label = "forward buffer \(Measure.time.text(value))"
      canvas.path(
        [CanvasPoint(x: start, y: y), CanvasPoint(x: end, y: y)], "frame limit", title: label)
      if TextWidth.of(label) + 8 > end - start { continue }
      // Below the line, unless that is where the lane ends.
      let line = y + 12 < box.bottom ? y + 12 : y - 4
      canvas.text(label, at: CanvasPoint(x: end - 4, y: line), "small muted on-plot", anchor: .end)
    }
  }

  /// Shades the time in which the buffer is empty though somebody wishes to play.
  private mutating func drawEmpty(_ player: SessionChart.Player, in box: Box) {
    var empty: [(start: Int64, end: Int64)] = []
    var last: SessionChart.Sample?
    for sample in player.ahead {
      defer { last = sample }
      guard let last, last.value == 0, sample.value == 0 else { continue }
      if empty.last?.end == last.instant {
        empty[empty.count - 1].end = sample.instant
      } else {
        empty.append((last.instant, sample.instant))
      }
    }
    var wished: [(start: Int64, end: Int64)] = []
    var next = 0
    for state in player.states where state.kind != .paused {
      while next < empty.count, empty[next].end <= state.start { next += 1 }
      var place = next
      while place < empty.count, empty[place].start < state.end {
        wished.append((max(empty[place].start, state.start), min(empty[place].end, state.end)))
        place += 1
      }
    }
    for bar in PixelBars(wished, on: time).bars where bar.end > bar.start {
      canvas.box(
        Box(x: bar.start, y: box.bottom - 5, width: bar.end - bar.start, height: 5),
        "stalled soft", title: "the buffer is empty")
    }
  }

  // MARK: - Requests

  mutating func drawRequests(
    _ player: SessionChart.Player, _ lane: SessionChart.ChartRequest.Lane, in box: Box
  ) {
    let requests = player.requests.filter { $0.lane == lane }
    let fill: String
    if case .level(let level) = lane {
      fill = LevelColor.of(level, among: player.levels.count)
    } else {
      fill = ""
    }
    let style = fill.isEmpty ? "neutral-fill" : ""
    for bar in PixelBars(requests.map { ($0.start, $0.end) }, on: time).bars {
      let own = requests[bar.first...bar.last]
      guard let request = own.first else { continue }
      var shown = Box(
        x: bar.start, y: box.y, width: max(bar.end - bar.start, 1), height: box.height)
      let title = own.count == 1 ? Self.text(request) : text(own)
      if own.count == 1, request.outcome.isGood {
        // What has not begun to come by its end is all waiting.
        let first = min(time.place(request.response ?? request.end), shown.right)
        if first > shown.x {
          let before = Box(x: shown.x, y: box.y, width: first - shown.x, height: box.height)
          canvas.box(before, style.isEmpty ? "soft" : style + " soft", title: title, fill: fill)
        }
        if request.response == nil { continue }
        shown = Box(x: first, y: box.y, width: max(shown.right - first, 1), height: box.height)
        canvas.box(shown, style, title: title, fill: fill)
      } else {
        let isBad = own.contains { !$0.outcome.isGood }
        canvas.box(
          shown, isBad ? style + " soft" : style, title: isBad ? "" : title, fill: fill)
        if let worst = own.first(where: { $0.outcome == .failed })
          ?? own.first(where: { $0.outcome == .givenUp })
        {
          draw(worst.outcome, over: shown, title: title)
        }
      }
    }
  }

  /// Whether it can be seen that a request waited for its first byte.
  func showsWaiting(_ request: SessionChart.ChartRequest) -> Bool {
    time.place(request.response ?? request.end) - time.place(request.start) >= 1
  }

  /// Draws over a bar what became of it.
  private mutating func draw(
    _ outcome: SessionChart.ChartRequest.Outcome, over box: Box, title: String
  ) {
    switch outcome {
    case .whole, .open: break
    case .givenUp:
      canvas.box(
        Box(x: box.x, y: box.y + 1, width: max(box.width, 2), height: box.height - 2), "given-up",
        title: title)
    case .failed:
      canvas.box(
        Box(x: box.x, y: box.y, width: max(box.width, 2), height: box.height), "failed",
        title: title)
    }
  }

  /// Returns what there is to be said about a request.
  static func text(_ request: SessionChart.ChartRequest) -> String {
    var text = "\(request.text): asked for at \(moment(request.start))"
    if let response = request.response {
      text += ", first byte after \(span(response - request.start))"
    }
    switch request.outcome {
    case .whole: text += ", there at \(moment(request.end))"
    case .open: text += ", still coming at \(moment(request.end))"
    case .givenUp: text += ", given up at \(moment(request.end))"
    case .failed: text += ", went wrong at \(moment(request.end))"
    }
    return text
  }

  private func text(_ requests: ArraySlice<SessionChart.ChartRequest>) -> String {
    let start = requests.first?.start ?? 0
    let end = requests.map { $0.end }.max() ?? 0
    var text = "\(requests.count) requests from \(Self.moment(start)) to \(Self.moment(end))"
    let givenUp = requests.count { $0.outcome == .givenUp }
    let failed = requests.count { $0.outcome == .failed }
    if givenUp > 0 { text += ", \(givenUp) given up" }
    if failed > 0 { text += ", \(failed) went wrong" }
    return text
  }

  // MARK: - Variants

  mutating func drawPlays(_ player: SessionChart.Player, in box: Box) {
    let bars = PixelBars(player.plays.map { ($0.start, $0.end) }, on: time).bars
    for bar in bars {
      let own = player.plays[bar.first...bar.last]
      guard let play = own.max(by: { $0.end - $0.start < $1.end - $1.start }) else { continue }
      let name = play.number < player.levels.count ? player.levels[play.number] : ""
      let shown = Box(
        x: bar.start, y: box.y, width: max(bar.end - bar.start, 1), height: box.height)
      let from = Self.moment(player.plays[bar.first].start)
      let times = "from \(from) to \(Self.moment(player.plays[bar.last].end))"
      let title = bar.count == 1 ? "plays \(name) \(times)" : "\(bar.count) stretches \(times)"
      canvas.box(
        shown, "", title: title, fill: LevelColor.of(play.number, among: player.levels.count))
      if bar.count == 1, TextWidth.of(name) + 8 <= shown.width {
        canvas.text(
          MarkupText.plain(name), at: CanvasPoint(x: shown.x + shown.width / 2, y: box.middle + 4),
          "white", anchor: .middle)
      }
    }
  }

  // MARK: - Rates

  mutating func drawRates(_ player: SessionChart.Player, in box: Box) {
    let isOwn = !player.linkRates.isEmpty
    let end = player.end ?? chart.end
    let rates = (isOwn ? player.linkRates : chart.linkRates).filter { $0.instant <= end }
    let link = SessionChart.Sample.thinned(rates, on: time)
    let fill = SessionChart.Sample.thinned(player.fillRates, on: time)
    let needs = SessionChart.Sample.thinned(player.mediaRates, on: time)
    let most = (link + fill).compactMap { $0.value }.max() ?? 0
    // What the media needs may be far beyond what there is: then it is named, not drawn.
    let needed = needs.compactMap { $0.value }.filter { most == 0 || $0 / 4 <= most }.max() ?? 0
    let isAbove = needs.contains { ($0.value ?? 0) > max(most, needed) }
    let scale = drawAxis(
      .bitRate, most: max(most, needed), in: box, headroom: isAbove ? 20 : 5)
    for run in SessionChart.Sample.runs(link) {
      let points = stairs(run, scale, until: box.right)
      canvas.area(points, down: box.bottom, "link")
      canvas.path(points, "link-edge")
    }
    let outages = (isOwn ? player.outages : chart.outages).filter { $0.start < end }
    drawOutages(outages.map { .init($0.start, min($0.end, end)) }, in: box)
    for run in SessionChart.Sample.runs(fill) {
      let points = run.map { CanvasPoint(x: time.place($0.instant), y: scale.place($0.value)) }
      canvas.path(points, "rate", title: "the fill rate")
    }
    drawNeeds(needs, scale, in: box)
  }

  /// Draws what the media needs at its height; what is above the lane has its number there.
  private mutating func drawNeeds(
    _ needs: [SessionChart.Sample], _ scale: Scale, in box: Box
  ) {
    let within = needs.map { sample in
      SessionChart.Sample(sample.instant, sample.value.flatMap { $0 <= scale.most ? $0 : nil })
    }
    for run in SessionChart.Sample.runs(within) {
      drawsNeed = true
      let (least, most) = (run.map { $0.value }.min() ?? 0, run.map { $0.value }.max() ?? 0)
      let range = least == most ? "" : "\(Measure.bitRate.text(least)) to "
      canvas.path(
        stairs(run, scale, until: nil), "need",
        title: "the media needs \(range)\(Measure.bitRate.text(most))")
    }
    var free = box.x
    var last: Int64?
    for sample in needs {
      guard let need = sample.value, need > scale.most else {
        last = nil
        continue
      }
      if last == need { continue }
      last = need
      let words = "↑ needs \(Measure.bitRate.text(need)), above the lane"
      let width = TextWidth.of(words, size: 10)
      let x = min(time.place(sample.instant) + 4, box.right - width - 4)
      if x < free { continue }
      free = x + width + 8
      canvas.text(words, at: CanvasPoint(x: x, y: box.y + 13), "small on-plot above")
    }
  }

  private mutating func drawOutages(_ outages: [SessionChart.ChartStretch], in box: Box) {
    for bar in PixelBars(outages.map { ($0.start, $0.end) }, on: time).bars {
      let width = max(bar.end - bar.start, 1)
      let from = Self.moment(outages[bar.first].start)
      let to = Self.moment(outages[bar.last].end)
      canvas.box(
        Box(x: bar.start, y: box.bottom - 12, width: width, height: 12), "stalled soft",
        title: "the link is down from \(from) to \(to)")
      if width > 34 {
        canvas.text(
          "down", at: CanvasPoint(x: bar.start + width / 2, y: box.bottom - 2), "small",
          anchor: .middle)
      }
    }
  }

  /// Returns the stairs of values that hold until the next one.
  private func stairs(
    _ run: [(instant: Int64, value: Int64)], _ scale: Scale, until end: Length?
  ) -> [CanvasPoint] {
    var points: [CanvasPoint] = []
    for (instant, value) in run {
      let x = time.place(instant)
      if let last = points.last { points.append(CanvasPoint(x: x, y: last.y)) }
      points.append(CanvasPoint(x: x, y: scale.place(value)))
    }
    if let end, let last = points.last { points.append(CanvasPoint(x: end, y: last.y)) }
    return points
  }

  // MARK: - Words

  /// Returns an instant in seconds, rounded to a millisecond.
  static func moment(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds / 1_000_000 + nanoseconds % 1_000_000 / 500_000
    return FigureDecimal.text(milliseconds, digits: 3) + " s"
  }

  /// Returns a length of time, with three digits that matter or rounded to a millisecond.
  static func span(_ nanoseconds: Int64) -> String {
    nanoseconds.magnitude < 1_000_000_000
      ? Measure.time.text(nanoseconds) : moment(nanoseconds)
  }
}
