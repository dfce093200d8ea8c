import Foundation
import Testing

/// Holds each sentence of a page against what the pictures of the same page show.
enum PageCheck {
  /// The means of a contestant in seconds, as a comparison prints them.
  typealias Means = (startup: Double, stalled: Double)

  /// Checks a page of a run, or of a comparison with the means of its contestants.
  static func check(_ page: String, _ name: String, means: [String: Means] = [:]) {
    checkVerdict(page, name)
    let figures = PageFacts.figures(page)
    for (number, part) in figures.enumerated() {
      let (before, figure) = part
      if figure.range(of: ">mean startup<") != nil {
        checkScatter(page, figure, name, means)
      }
      guard figure.range(of: ">state<") != nil, let lanes = PageFacts.Lanes(figure) else {
        continue
      }
      let place = "\(name), picture \(number + 1)"
      checkLanes(lanes, place)
      checkNeeds(figure, place)
      if before.range(of: "<summary>") != nil, let said = sessions(before) {
        checkPlayers(lanes, said, seeks: true, place)
      } else if number == 0 {
        checkPlayers(
          lanes, players(page), seeks: page.range(of: ">timeSpentSeeking</th>") != nil, place)
        checkEnd(lanes, page, place)
      }
    }
  }

  private static func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { Issue.record(Comment(rawValue: message())) }
  }

  // MARK: - Sentences

  /// Returns what a page says of each player at its top.
  private static func players(_ page: String) -> [PageFacts.Said] {
    PageFacts.head(page).split(separator: "<p").map { $0[...] }.compactMap {
      part -> PageFacts.Said? in
      let text = part.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
      let isOfPlayer =
        text.hasSuffix(".") && text.firstMatch(of: /(N|n)ever plays|(P|p)lays (after|at)/) != nil
      return isOfPlayer ? PageFacts.Said(text) : nil
    }
  }

  /// Returns what the summary of a session says: of its contestant, then of the baseline; in the
  /// order of the lanes, which is the other way round.
  private static func sessions(_ before: Substring) -> [PageFacts.Said]? {
    guard let start = before.ranges(of: "</summary>").last else { return nil }
    let text = before[start.upperBound...].drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
    let parts = text.split(separator: "; ")
    return parts.count == 2 ? [PageFacts.Said(parts[1]), PageFacts.Said(parts[0])] : nil
  }

  private static func checkVerdict(_ page: String, _ name: String) {
    let isBad = page.contains("<section class=\"p-answer p-bad\">")
    expect(page.contains("<title>Failed: ") == isBad, "\(name): the title and the verdict differ")
    guard let list = page.range(of: "<ul class=\"p-checks\" id=\"expectations\">") else {
      return
    }
    let checks = page[list.upperBound...].prefix { $0 != "\n" }
    let missed = checks.ranges(of: "class=\"p-missed\"").count
    let count = missed + checks.ranges(of: "class=\"p-met\"").count
    if missed > 0 { expect(isBad, "\(name): \(missed) missed expectations are not red") }
    if let said = PageFacts.head(page).firstMatch(
      of: /(\d+) of (\d+) expectations (is|are) not met/)
    {
      expect(said.1 == "\(missed)" && said.2 == "\(count)", "\(name): says '\(said.0)'")
    } else if let said = PageFacts.head(page).firstMatch(of: /All (\d+) expectations are met/) {
      expect(missed == 0 && said.1 == "\(count)", "\(name): says '\(said.0)'")
    }
  }

  // MARK: - Lanes

  /// Every state is as long as it says, and lies where it says; a break leaves out what it says.
  private static func checkLanes(_ lanes: PageFacts.Lanes, _ name: String) {
    if let gap = lanes.gap {
      expect(
        abs(gap.words - (gap.to - gap.from)) < 0.002, "\(name): the break is not as it says")
      expect(
        abs(gap.from - lanes.seconds(at: gap.left)) < lanes.pixel,
        "\(name): the break begins at \(lanes.seconds(at: gap.left)) s")
    }
    let tail = lanes.gap.map { ((lanes.marks.last?.value ?? 0) - $0.to) / 70 } ?? 0
    let slack = max(lanes.pixel, tail) * 1.6 + 0.002
    for states in lanes.players {
      for state in states {
        let (from, to) = (lanes.seconds(at: state.left), lanes.seconds(at: state.right))
        // What is drawn is the part that the picture reaches.
        let start = max(0, state.from)
        let end = min(state.to, lanes.seconds(at: PageFacts.Lanes.right))
        expect(
          abs(from - start) < slack && abs(to - end) < slack,
          "\(name): \(state.kind), \(state.from) to \(state.to) s, is drawn from \(from) to \(to)"
        )
      }
    }
  }

  /// The waits and stalls of each player add up to what is said of it.
  private static func checkPlayers(
    _ lanes: PageFacts.Lanes, _ said: [PageFacts.Said], seeks: Bool, _ name: String
  ) {
    // A picture shows sixteen players, and none of a run without time.
    if lanes.players.isEmpty || said.count > 16 { return }
    expect(
      said.count == lanes.players.count,
      "\(name): \(lanes.players.count) lanes of states for \(said.count) sentences")
    for (states, said) in zip(lanes.players, said) {
      let slack = lanes.pixel * Double(states.count + 2) + 0.011
      let before = states.prefix { $0.kind != "playing" }
      func sum(_ states: some Sequence<PageFacts.State>, _ kinds: [Substring]) -> Double {
        states.filter { kinds.contains($0.kind) }.reduce(0) { $0 + lanes.length($1) }
      }
      if let startup = said.startup {
        let least = seeks ? 0 : sum(before, ["waiting", "evaluating"])
        let most = sum(before, ["waiting", "evaluating", "held"])
        expect(
          least - slack <= startup && startup <= most + slack,
          "\(name): a wait of \(startup) s is drawn as \(least) to \(most) s")
      }
      if said.neverPlays {
        expect(before.count == states.count, "\(name): who never plays is drawn as playing")
      }
      let stalls = states.filter { $0.kind == "stalled" }
      if let count = said.stalls {
        expect(
          // Without automatic waiting a stall is a pause.
          stalls.count <= count && (count == 0 || said.stalled == 0 || !stalls.isEmpty),
          "\(name): \(count) stalls are drawn as \(stalls.count)")
      }
      if let stalled = said.stalled {
        let drawn = sum(stalls, ["stalled"])
        expect(
          abs(drawn - stalled) < slack, "\(name): \(stalled) s of stalls are drawn as \(drawn) s")
      }
    }
  }

  /// Lanes end where the run ends.
  private static func checkEnd(_ lanes: PageFacts.Lanes, _ page: String, _ name: String) {
    let ends = lanes.players.compactMap(\.last)
    for end in ends {
      expect(abs(end.right - PageFacts.Lanes.right) < 1.1, "\(name): a lane ends at \(end.right)")
    }
    let wall = page.range(of: ">wallTime</th><td class=\"p-number\">").map {
      page[$0.upperBound...]
    }
    let digits = wall?.prefix { $0.isNumber || $0 == "." } ?? ""
    guard let end = ends.first?.to, let time = Double(digits) else { return }
    // A last state of less than a pixel is not drawn beside a weightier one.
    expect(
      abs(end - time) < lanes.pixel + 0.002,
      "\(name): lanes end at \(end) s, the run at \(time) s")
    if let said = PageFacts.head(page).firstMatch(of: /The time of the run was up at ([\d.]+) s/) {
      expect(
        abs((Double(said.1) ?? 0) - end) < 0.011, "\(name): says '\(said.0)', ends at \(end) s")
    }
    if lanes.gap != nil {
      expect(abs((lanes.marks.last?.value ?? 0) - end) < 0.002, "\(name): the axis has no end")
    }
  }

  /// What the media needs is drawn at its height, or said to be above the lane.
  private static func checkNeeds(_ figure: Substring, _ name: String) {
    let lines = figure.split(separator: "\n").filter { line in
      line.hasSuffix("class=\"field\"/>") || line.hasSuffix("bit/s</text>")
        || line.hasSuffix("bit/s</title></path>") || line.hasSuffix("above the lane</text>")
    }
    let fields = lines.compactMap { line -> (top: Double, bottom: Double)? in
      guard line.hasSuffix("class=\"field\"/>"),
        let match = line.firstMatch(of: /y="([\d.]+)" .*height="([\d.]+)"/),
        let top = Double(match.1), let height = Double(match.2)
      else { return nil }
      return (top, top + height)
    }
    let labels = lines.compactMap { line -> (y: Double, value: Double)? in
      guard let match = line.firstMatch(of: /y="([\d.]+)" class="small muted end">([^<]*bit\/s)</),
        let y = Double(match.1), let value = PageFacts.rate(match.2)
      else { return nil }
      return (y - 4, value)
    }
    /// The rate at a height, and that of the top of its lane.
    func rate(at y: Double) -> (value: Double, top: Double, slack: Double)? {
      guard let lane = fields.last(where: { $0.top <= y + 0.2 && y <= $0.bottom + 0.2 }),
        let label = labels.last(where: { lane.top <= $0.y && $0.y <= lane.bottom })
      else { return nil }
      let pixel = label.value / (lane.bottom - label.y)
      return ((lane.bottom - y) * pixel, (lane.bottom - lane.top - 20) * pixel, pixel)
    }
    for line in lines where line.contains("<title>the media needs") || line.contains("↑ needs") {
      if let match = line.firstMatch(
        of: /d="M[\d.]+ ([\d.]+)[^"]*".*the media needs ([\d.]+ \w+\/s)</),
        let y = Double(match.1), let need = PageFacts.rate(match.2), let drawn = rate(at: y)
      {
        expect(
          abs(drawn.value - need) <= drawn.slack + need / 100,
          "\(name): a need of \(need) bit/s is drawn at \(drawn.value)")
      } else if let match = line.firstMatch(of: /y="([\d.]+)".*↑ needs ([\d.]+ \w+\/s), above/),
        let y = Double(match.1), let need = PageFacts.rate(match.2), let lane = rate(at: y)
      {
        expect(need > lane.top, "\(name): \(need) bit/s is not above a lane of \(lane.top)")
      }
    }
  }

  // MARK: - Points

  /// A point of a scatter plot, in seconds, with the place of its marker.
  private struct Point {
    let name: String
    let (x, y): (Double, Double)
    let (startup, stalled): (Double, Double)
  }

  /// Every point lies where its numbers say and has a label, and the sentences go by the points.
  private static func checkScatter(
    _ page: String, _ figure: Substring, _ name: String, _ means: [String: Means]
  ) {
    let points = figure.split(separator: "\n").compactMap { point($0) }
    expect(points.count > 1, "\(name): the scatter has \(points.count) points")
    func axis(_ form: Regex<(Substring, Substring, Substring)>) -> [(at: Double, value: Double)] {
      figure.matches(of: form).compactMap { match in
        guard let at = Double(match.1), let value = PageFacts.seconds(match.2) else { return nil }
        return (at, value)
      }
    }
    let across = axis(/x="([\d.]+)" y="[\d.]+" class="muted middle">([^<]+)</)
    let up = axis(/y="([\d.]+)" class="muted end">([^<]+)</)
    func value(_ at: Double, _ axis: [(at: Double, value: Double)]) -> (Double, pixel: Double) {
      guard let first = axis.first, let last = axis.last, first.at != last.at else { return (0, 1) }
      let pixel = (last.value - first.value) / (last.at - first.at)
      return (first.value + (at - first.at) * pixel, abs(pixel))
    }
    for contestant in means.keys {
      expect(points.contains { $0.name == contestant }, "\(name): \(contestant) is not drawn")
    }
    for point in points {
      if let mean = means[point.name] {
        expect(
          abs(mean.startup - point.startup) <= mean.startup / 150 + 1e-6
            && abs(mean.stalled - point.stalled) <= mean.stalled / 150 + 1e-6,
          "\(name): \(point.name) is at \(point.startup) and \(point.stalled) s, not \(mean)")
      }
      let (startup, pixel) = value(point.x, across)
      expect(
        abs(startup - point.startup) < pixel * 1.5 + point.startup / 150,
        "\(name): \(point.name) starts after \(point.startup) s and lies at \(startup) s")
      let (stalled, height) = value(point.y + 4, up)
      expect(
        abs(stalled - point.stalled) < height * 1.5 + point.stalled / 150,
        "\(name): \(point.name) stalls for \(point.stalled) s and lies at \(stalled) s")
    }
    checkLabels(points.map(\.name), figure, name)
    let front = figure.firstMatch(of: /On the front are ([^"]*)"/)?.1.split(separator: ", ") ?? []
    let answer = PageFacts.head(page).firstMatch(of: /hard to choose: ([^:]*):/)?.1
    for part in (answer ?? "").replacing(" and ", with: ", ").split(separator: ", ") {
      let isCount = part.hasSuffix(" more")
      expect(isCount || front.contains(part), "\(name): '\(part)' is not on the drawn front")
    }
    if let best = PageFacts.head(page).firstMatch(of: /best for whom: ([^<]*)</)?.1 {
      let named = points.filter { best.contains($0.name) }.map { Substring($0.name) }
      expect(named.contains { front.contains($0) }, "\(name): '\(best)' names nobody on the front")
    }
  }

  private static func point(_ line: Substring) -> Point? {
    guard line.contains("class=\"marker "),
      let match = line.firstMatch(
        of: /<title>(.*): mean startup ([\d.]+ \w+)[^,]*, mean time in stalls ([\d.]+ \w+)/),
      let startup = PageFacts.seconds(match.2), let stalled = PageFacts.seconds(match.3)
    else { return nil }
    func made(_ x: Double?, _ y: Double?) -> Point? {
      guard let x, let y else { return nil }
      return Point(name: String(match.1), x: x, y: y, startup: startup, stalled: stalled)
    }
    if let circle = line.firstMatch(of: /cx="([\d.]+)" cy="([\d.]+)"/) {
      return made(Double(circle.1), Double(circle.2))
    }
    if let box = line.firstMatch(of: /rect x="([\d.]+)" y="([\d.]+)"/) {
      return made(Double(box.1).map { $0 + 5 }, Double(box.2).map { $0 + 5 })
    }
    // Other shapes lie around their point, a triangle half a pixel above or below it.
    guard let path = line.firstMatch(of: /d="([MLHVZ\d. ]+)"/) else { return nil }
    var (across, down) = ([Double](), [Double]())
    for step in path.1.matches(of: /([MLHV])([\d.]+)(?: ([\d.]+))?/) {
      let numbers = [Double(step.2), step.3.flatMap { Double($0) }].compactMap { $0 }
      if step.1 != "V" { across.append(numbers[0]) }
      if step.1 != "H" { down.append(numbers[numbers.count - 1]) }
    }
    guard let left = across.min(), let right = across.max(), let top = down.min(),
      let bottom = down.max()
    else { return nil }
    return made((left + right) / 2, (top + bottom) / 2)
  }

  /// Each point has a label on the plot, its name or its number in the list beside it.
  private static func checkLabels(_ points: [String], _ figure: Substring, _ name: String) {
    var seen: Set<String> = []
    for match in figure.matches(of: /class="on-plot[\w -]*">([^<]*)</) {
      for part in match.1.split(separator: ", ") {
        let text = part.replacing(" (baseline)", with: "")
        seen.insert(String(text))
        let ends = text.split(separator: "–").compactMap { Int($0) }
        if let first = ends.first, let last = ends.last {
          for number in first...last where points.indices.contains(number - 1) {
            seen.insert(points[number - 1])
          }
        }
      }
    }
    for point in points where !seen.contains(point) {
      Issue.record(Comment(rawValue: "\(name): \(point) has no label"))
    }
  }
}
