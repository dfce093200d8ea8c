import Foundation

/// What sentences of pages say, and what pictures show, as numbers.
enum PageFacts {
  /// What a sentence says of a player.
  struct Said {
    /// The wait before playback; zero if it plays at once.
    var startup: Double?
    var neverPlays = false
    var stalls: Int?
    var stalled: Double?

    init(_ text: Substring) {
      if let match = text.firstMatch(of: /never plays, and waits ([\d.]+) s/.ignoresCase()) {
        startup = Double(match.1)
      } else if let match = text.firstMatch(of: /waits ([\d.]+) s and never starts/) {
        startup = Double(match.1)
      } else if let match = text.firstMatch(of: /plays after ([\d.]+) s/.ignoresCase()) {
        startup = Double(match.1)
      } else if let match = text.firstMatch(of: /waits ([\d.]+) s to start/) {
        startup = Double(match.1)
      } else if text.lowercased().contains("plays at once") {
        startup = 0
      }
      neverPlays = text.contains("ever plays") || text.contains("never starts")
      if text.contains("never stalls") { stalls = 0 }
      if let match = text.firstMatch(of: /stalls once, for ([\d.]+) s/) {
        (stalls, stalled) = (1, Double(match.1))
      } else if let match = text.firstMatch(of: /stalls (\d+) times, for ([\d.]+) s/) {
        (stalls, stalled) = (Int(match.1), Double(match.2))
      } else if let match = text.firstMatch(of: /and ([\d.]+) s in (\d+) stalls?/) {
        (stalls, stalled) = (Int(match.2), Double(match.1))
      }
    }
  }

  /// A state as it is drawn, and what it says of itself.
  struct State {
    let kind: Substring
    let y: Substring
    let left: Double
    let right: Double
    let from: Double
    let to: Double
  }

  /// A time that is left out.
  struct Break {
    let words: Double
    let from: Double
    let to: Double
    let left: Double
    let right: Double
  }

  /// A picture of lanes over time.
  struct Lanes {
    /// The states of each player, from top to bottom.
    var players: [[State]] = []
    /// The marks of the axis, in seconds by their places.
    var marks: [(x: Double, value: Double)] = []
    var gap: Break?
    /// The seconds of a pixel.
    var pixel: Double = 0

    /// Where lanes begin and end.
    static let left = 120.0
    static let right = 984.0

    init?(_ figure: Substring) {
      var axis: Substring?
      for line in figure.split(separator: "\n") {
        if let state = State(line) {
          if players.last?.last?.y == state.y {
            players[players.count - 1].append(state)
          } else {
            players.append([state])
          }
        } else if players.isEmpty, line.hasPrefix("<text"), line.contains("class=\"muted "),
          let match = line.firstMatch(
            of: /x="([\d.]+)" y="([\d.]+)" class="muted (middle|end)">([^<]+)</),
          axis == nil || axis == match.2, let x = Double(match.1),
          let value = PageFacts.seconds(match.4)
        {
          axis = match.2
          marks.append((match.3 == "end" ? Self.right : x, value))
        } else if line.hasPrefix("<rect"), line.contains("paper gap") {
          gap = Break(line)
        }
      }
      // A mark whose letters were moved to the left is not where they are.
      guard let scale = marks.last(where: { $0.x < (gap?.left ?? Self.right) }),
        scale.x > Self.left
      else { return nil }
      pixel = scale.value / (scale.x - Self.left)
    }

    /// Returns the instant at a place.
    func seconds(at x: Double) -> Double {
      guard let gap, x > gap.left else { return (x - Self.left) * pixel }
      func between(_ left: Double, _ right: Double, _ from: Double, _ to: Double) -> Double {
        from + (x - left) / (right - left) * (to - from)
      }
      if x <= gap.right { return between(gap.left, gap.right, gap.from, gap.to) }
      return between(gap.right, Self.right, gap.to, marks.last?.value ?? 0)
    }

    func length(_ state: State) -> Double { seconds(at: state.right) - seconds(at: state.left) }
  }

  /// Returns a time of an axis in seconds.
  static func seconds(_ text: Substring) -> Double? {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "\u{A0}" })
    let units: [Substring: Double] = [
      "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3_600, "d": 86_400,
    ]
    guard parts.count == 2, let number = Double(parts[0]), let unit = units[parts[1]] else {
      return nil
    }
    return number * unit
  }

  /// Returns a rate in bits per second.
  static func rate(_ text: Substring) -> Double? {
    let parts = text.split(separator: " ")
    let units: [Substring: Double] = ["bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9]
    guard parts.count == 2, let number = Double(parts[0]), let unit = units[parts[1]] else {
      return nil
    }
    return number * unit
  }

  /// Returns what a page says at its top.
  static func head(_ page: String) -> Substring {
    guard let start = page.range(of: "<section class=\"p-answer"),
      let end = page.range(of: "</section>", range: start.upperBound..<page.endIndex)
    else { return "" }
    return page[start.lowerBound..<end.lowerBound]
  }

  /// Returns the pictures of a page, each with what stands between it and the one before.
  static func figures(_ page: String) -> [(before: Substring, figure: Substring)] {
    var figures: [(before: Substring, figure: Substring)] = []
    var rest = page[...]
    while let start = rest.range(of: "<svg "), let end = rest.range(of: "</svg>") {
      figures.append(
        (rest[..<start.lowerBound], rest[start.lowerBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return figures
  }
}

extension PageFacts.State {
  fileprivate init?(_ line: Substring) {
    guard line.hasPrefix("<rect"), line.contains(" height=\"24\" ") else { return nil }
    let box = #/x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="24" class="(\w+)">/#
    let words = #/<title>.* from ([\d.]+) s to ([\d.]+) s, /#
    guard let match = line.firstMatch(of: box), let said = line.firstMatch(of: words),
      let x = Double(match.1), let width = Double(match.3), let from = Double(said.1),
      let to = Double(said.2)
    else { return nil }
    self.init(kind: match.4, y: match.2, left: x, right: x + width, from: from, to: to)
  }
}

extension PageFacts.Break {
  fileprivate init?(_ line: Substring) {
    let box = #/x="([\d.]+)" .* width="([\d.]+)" /#
    let left = #/<title>([\d.]+) s .*, from ([\d.]+) s to ([\d.]+) s, is not drawn/#
    guard let match = line.firstMatch(of: box), let said = line.firstMatch(of: left),
      let x = Double(match.1), let width = Double(match.2), let words = Double(said.1),
      let from = Double(said.2), let to = Double(said.3)
    else { return nil }
    self.init(words: words, from: from, to: to, left: x, right: x + width)
  }
}
