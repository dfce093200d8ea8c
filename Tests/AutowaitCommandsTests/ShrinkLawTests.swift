import AutowaitScenario
import AutowaitWorlds
import Foundation
import Testing

/// What `autowait shrink` leaves of drawn worlds, judged by the logs of `autowait run` alone.
@Suite struct ShrinkLawTests {
  #if DEBUG
  private static let worldCount = 1
  #else
  private static let worldCount = 3
  #endif

  @Test func whatIsLeftStallsAndNothingCanBeLeftOut() throws {
    let fixture = try CommandFixture()
    var (seed, count): (UInt64, Int) = (0, 0)
    var (before, after) = (0, 0)
    while count < Self.worldCount {
      seed += 1
      let world = DrawnWorld.valid(seed, of: WorldShape(nil, rule: .builtIn)).world
      for file in world.files { try fixture.write(file.path, file.text) }
      guard let whole = try run(fixture, world.draft.text), whole.stall != nil else { continue }
      try fixture.write("world.json", world.draft.text)
      let call = fixture.call("shrink", "$/world.json", "--output", "$/small.json")
      try #require(call.code == 0, "seed \(seed): \(call)")
      count += 1
      let text = try fixture.read("small.json")
      (before, after) = (before + world.draft.text.utf8.count, after + text.utf8.count)
      let small = try #require(try run(fixture, text), "seed \(seed)")
      #expect(small.shows(whole), "seed \(seed): \(small), not \(whole)\n\(text)")
      let again = fixture.call("shrink", "$/small.json")
      #expect(again.output == text, "seed \(seed)")
      let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
      for rest in JSONParts.without(object) {
        let data = try JSONSerialization.data(withJSONObject: rest, options: .sortedKeys)
        let candidate = String(decoding: data, as: UTF8.self)
        guard candidate.contains("\"autowait\""), let other = try run(fixture, candidate) else {
          continue
        }
        #expect(!other.shows(whole), "seed \(seed): \(candidate) shows it too")
      }
    }
    // A world is of some thousand bytes, and a stall needs some hundred.
    #expect(after * 4 < before, "\(after) of \(before) bytes")
  }

  /// What a log tells of the stalls of a run.
  private struct Ran {
    /// The longest one: its digits in nanoseconds, and whether playback went on.
    var stall: (order: Int, isOver: Bool)?
    var warningCount: Int

    /// Whether a stall is there of the order of magnitude that another run has, and that ends if
    /// that one does, and no more is warned of.
    func shows(_ other: Ran) -> Bool {
      guard let stall, let wanted = other.stall, warningCount <= other.warningCount else {
        return false
      }
      return stall.order >= wanted.order && stall.isOver == wanted.isOver
    }
  }

  /// Runs a scenario; nil if it is refused, varies, or is cut off.
  private func run(_ fixture: CommandFixture, _ text: String) throws -> Ran? {
    try fixture.write("x.json", text)
    let call = fixture.call("run", "$/x.json", "--format", "jsonl")
    guard call.code < 2 else { return nil }
    var longest: (span: Double, isOver: Bool)?
    for stall in try LogStalls.all(call.output) where stall.span > longest?.span ?? 0 {
      longest = stall
    }
    let stall = longest.map { stall in
      (order: "\(Int((stall.span * 1e9).rounded()))".utf8.count, isOver: stall.isOver)
    }
    let warnings = call.messages.split(separator: "\n").count { $0.contains(": warning: ") }
    return Ran(stall: stall, warningCount: warnings)
  }
}

/// The stalls that a log tells of: those with at most 10 s of media between them are one.
private enum LogStalls {
  typealias Stall = (span: Double, isOver: Bool)

  private struct Watched {
    var rate = 0.0
    var since = 0.0
    var played = 0.0
    var lastPlayed = -100.0
    var open: Double?
    var stalls: [Stall] = []

    mutating func move(to time: Double) {
      played += (time - since) * abs(rate)
      since = time
    }

    mutating func end(at time: Double, isOver: Bool) {
      guard let start = open else { return }
      open = nil
      if played - lastPlayed > 10.000_001 || stalls.isEmpty { stalls.append((0, false)) }
      stalls[stalls.count - 1].span += time - start
      stalls[stalls.count - 1].isOver = isOver
      lastPlayed = played
    }
  }

  static func all(_ log: String) throws -> [Stall] {
    var players: [String: Watched] = [:]
    var end = 0.0
    for line in log.split(separator: "\n").dropFirst() {
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      guard let time = record["t"] as? Double else { continue }
      end = time
      guard let event = record["event"] as? String else { continue }
      let name = record["player"] as? String ?? ""
      var player = players[name] ?? Watched()
      switch event {
      case "timebaseRate":
        player.move(to: time)
        player.rate = record["value"] as? Double ?? 0
        if player.rate != 0 { player.end(at: time, isOver: true) }
      case "playbackStalled":
        player.move(to: time)
        player.end(at: time, isOver: false)
        player.open = time
      case "seek", "currentItem": player.end(at: time, isOver: false)
      case "itemStatus":
        if record["value"] as? String == "failed" { player.end(at: time, isOver: false) }
      case "timeControlStatus":
        if record["value"] as? String == "paused", let start = player.open, start < time {
          player.end(at: time, isOver: false)
        }
      default: break
      }
      players[name] = player
    }
    return players.keys.sorted().flatMap { name -> [Stall] in
      var player = players[name] ?? Watched()
      player.move(to: end)
      player.end(at: end, isOver: false)
      return player.stalls
    }
  }
}

/// Values of JSON without their parts.
enum JSONParts {
  /// Returns a value without each of its members and elements in turn, however deep they are.
  static func without(_ value: Any) -> [Any] {
    if let object = value as? [String: Any] {
      return object.keys.sorted().flatMap { key -> [Any] in
        var rest = object
        rest[key] = nil
        return [rest]
          + without(object[key] ?? 0).map { part -> Any in
            var copy = object
            copy[key] = part
            return copy
          }
      }
    }
    guard let list = value as? [Any] else { return [] }
    return list.indices.flatMap { index -> [Any] in
      var rest = list
      rest.remove(at: index)
      return [rest]
        + without(list[index]).map { part -> Any in
          var copy = list
          copy[index] = part
          return copy
        }
    }
  }
}
