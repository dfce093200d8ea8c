import Autowait
import Testing

/// A world for a strip: its players load their first item at the start.
struct Story {
  var world: World
  private let delay: TimeSpan

  /// Creates a story of a player with some items, over a link with a delay in milliseconds.
  init(
    _ media: Media..., delay: Int64 = 0,
    _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) {
    var player = PlayerConfiguration(media: media)
    change(&player)
    self.delay = .milliseconds(delay)
    world = World(
      links: [LinkProfile(LinkTrack(rate: .zero))], players: [player], script: [],
      horizon: .start + .seconds(600))
  }

  /// Expects a world to have its strip; a failure prints both.
  ///
  /// The letters of the user that are not those of all strips are the test's own.
  func tells(
    _ strip: String, _ acts: [Character: PlayerAction] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if let difference = difference(from: strip, acts) {
      Issue.record("\(difference)", sourceLocation: sourceLocation)
    }
  }

  /// Returns how the world differs from a strip; nil if it does not.
  func difference(from text: String, _ acts: [Character: PlayerAction] = [:]) -> String? {
    do throws(Strip.Malformed) {
      let strip = try Strip(text)
      var world = world
      for row in strip.rows + strip.user where !world.players.indices.contains(row.player) {
        return "the world has no player \(row.player + 1)"
      }
      world.script =
        world.players.indices.map {
          ScriptStep(.at(.start), .player($0, .replaceCurrentItem(0)))
        } + world.script
      try strip.write(into: &world, delay: delay, acts: acts)
      return Self.difference(strip, strip.rows(of: world))
    } catch {
      return error.message
    }
  }

  private static func difference(_ strip: Strip, _ actual: [Strip.Row]) -> String? {
    let places = zip(strip.rows, actual).map { expected, actual in
      zip(expected.cells, actual.cells).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    }
    guard let first = places.compactMap(\.self).min(), let row = places.firstIndex(of: first)
    else { return nil }
    let milliseconds = (strip.instant(first) - .start).nanoseconds / 1_000_000
    let caret = String(repeating: " ", count: 9 + first) + "^"
    return """
      '\(strip.rows[row].name)' is first different at \(milliseconds) ms: \
      '\(strip.rows[row].cells[first])' was expected, and it was '\(actual[row].cells[first])'
      expected
      \(text(strip.rows))
      as it was
      \(text(Array(actual[...row])))
      \(caret)\(row + 1 < actual.count ? "\n" + text(Array(actual[(row + 1)...])) : "")
      """
  }

  private static func text(_ rows: [Strip.Row]) -> String {
    rows.map { row in
      let name = row.player == 0 ? row.name : "\(row.name) \(row.player + 1)"
      return name + String(repeating: " ", count: max(1, 9 - name.count)) + String(row.cells)
    }.joined(separator: "\n")
  }
}
