/// The labels of points: each point has one, whatever is in the way.
extension ScatterChart {
  /// Points that lie on one another, and have one label.
  private struct Group {
    var points: [Int]
    let center: CanvasPoint
  }

  /// A text that a group may bear, from the one that says most to the one that needs least room.
  private struct Text {
    let words: String
    let width: Length
    /// How far from the point it may be, with a line to it.
    let reach: Length

    init(_ words: String, reach: Length) {
      self.words = words
      self.reach = reach
      width = TextWidth.of(words)
    }
  }

  /// The widest label with names; others have the numbers of the list.
  private static let wordsMax: Length = 230
  private static let lineHeight: Length = 14

  /// Writes names at their points or, where they are crowded, in the neighbourhood with a line, or
  /// their numbers in the list.
  func drawLabels(_ plot: Plot, on canvas: inout Canvas) {
    var taken = points.map { point in
      let center = position(point, plot)
      return Box(x: center.x - 6, y: center.y - 6, width: 12, height: 12)
    }
    for group in groups(plot) {
      let texts = texts(of: group)
      let placed = texts.lazy.compactMap { text in
        place(text, at: group.center, plot, taken).map { (text, $0) }
      }.first
      guard let text = placed?.0 ?? texts.last else { continue }
      // Where there is no room at all it lies upon others, and is there all the same.
      let box =
        placed?.1
        ?? Box(
          x: group.center.x + 8, y: group.center.y - 7, width: text.width, height: Self.lineHeight)
      taken.append(box)
      drawLeader(from: group.center, to: box, on: &canvas)
      let isFirst = group.points.contains { points[$0].name == baseline }
      canvas.text(
        text.words, at: CanvasPoint(x: box.x, y: box.y + 11), isFirst ? "on-plot name" : "on-plot")
    }
  }

  /// The points, those that lie on one another together: the baseline's first, then the front's.
  private func groups(_ plot: Plot) -> [Group] {
    let front = front.map { $0.name }
    func rank(_ index: Int) -> Int {
      if points[index].name == baseline { return 0 }
      return front.contains(points[index].name) ? 1 : 2
    }
    var groups: [Group] = []
    for index in points.indices.sorted(by: { (rank($0), $0) < (rank($1), $1) }) {
      let center = position(points[index], plot)
      let near = groups.firstIndex { group in
        abs(group.center.x.tenths - center.x.tenths) <= 40
          && abs(group.center.y.tenths - center.y.tenths) <= 40
      }
      if let near {
        groups[near].points.append(index)
      } else {
        groups.append(Group(points: [index], center: center))
      }
    }
    return groups
  }

  private func texts(of group: Group) -> [Text] {
    let names = group.points.map { shownName(points[$0]) }
    let named = Text(names.joined(separator: ", "), reach: 90)
    let numbered = Text(Self.numbers(group.points.map { $0 + 1 }.sorted()), reach: 400)
    if names.count == 1 { return [named, numbered] }
    let others = Self.numbers(group.points.dropFirst().map { $0 + 1 }.sorted())
    // Who others are held against has its name, whatever room it takes.
    let isBaseline = points[group.points[0]].name == baseline
    let mixed = Text("\(names[0]), \(others)", reach: isBaseline ? 400 : 90)
    let isShort = mixed.width <= (isBaseline ? 560 : Self.wordsMax)
    return (named.width <= Self.wordsMax ? [named] : []) + (isShort ? [mixed] : []) + [numbered]
  }

  /// Returns numbers with those in a row as a range.
  private static func numbers(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }.joined(separator: ", ")
  }

  /// The directions in which room is looked for, in hundredths.
  private static let directions: [(x: Int, y: Int)] = [
    (100, -40), (-100, -40), (0, -100), (0, 100), (70, -70), (-70, -70), (70, 70), (-70, 70),
    (100, 0), (-100, 0), (100, 40), (-100, 40), (38, -92), (-38, -92), (38, 92), (-38, 92),
  ]

  /// Returns the nearest free place for a text; nil if there is none within its reach.
  private func place(_ text: Text, at center: CanvasPoint, _ plot: Plot, _ taken: [Box]) -> Box? {
    var distance: Length = 9
    while distance <= text.reach {
      for direction in Self.directions {
        let x = center.x + distance * direction.x / 100
        let y = center.y + distance * direction.y / 100
        let side =
          direction.x > 50 ? x : direction.x < -50 ? x - text.width : x - text.width / 2
        let box = Box(x: side, y: y - 7, width: text.width, height: Self.lineHeight)
        if plot.box.holds(box), !taken.contains(where: { $0.overlaps(box) }) { return box }
      }
      distance += 11
    }
    return nil
  }

  /// Draws a line to a label that is not next to its point.
  private func drawLeader(from center: CanvasPoint, to box: Box, on canvas: inout Canvas) {
    let near = CanvasPoint(
      x: min(max(center.x, box.x), box.right), y: min(max(center.y, box.y + 2), box.bottom - 2))
    let (x, y) = (near.x - center.x, near.y - center.y)
    let isNear = abs(x.tenths) < 140 && abs(y.tenths) < 140
    if !isNear { canvas.line(center, near, "leader") }
  }
}
