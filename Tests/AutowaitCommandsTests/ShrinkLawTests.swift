import AutowaitWorlds
import Foundation
import Testing

/// What `autowait shrink` comes to in drawn worlds, judged by `autowait run` alone.
@Suite struct ShrinkLawTests {
  #if DEBUG
  private static let worldCount = 2
  private static let firstSeed: UInt64 = 20
  #else
  private static let worldCount = 60
  private static let firstSeed: UInt64 = 1
  #endif

  /// The longest stall of a run: its digits in nanoseconds, and whether playback went on.
  private struct Stall: Equatable {
    let order: Int
    let isOver: Bool
  }

  /// Returns what a scenario comes to: nil if it is refused, cut off, or nobody stalls.
  ///
  /// The log is read as text: a stall ends when the timebase runs, or when something else is waited
  /// for. Stalls with at most 10 s of media between them are one.
  private func stall(_ fixture: CommandFixture, _ path: String) throws -> Stall? {
    let call = fixture.call("run", path, "--format", "json")
    guard call.code < 2 else { return nil }
    let json = try JSONSerialization.jsonObject(with: Data(call.output.utf8)) as? [String: Any]
    let players = json?["players"] as? [[String: Any]]
    let all = players?.compactMap { $0["metrics"] as? [String: Any] } ?? []
    let count = all.reduce(0) { $0 + ($1["stallCount"] as? Int ?? 0) }
    return count == 0 ? nil : Stall(order: count, isOver: true)
  }

  @Test func whatIsLeftStallsAndNothingCanBeLeftOut() throws {
    let fixture = try CommandFixture()
    var (seed, count) = (Self.firstSeed, 0)
    var (before, after) = (0, 0)
    while count < Self.worldCount {
      seed += 1
      let world = DrawnWorld.valid(seed, of: WorldShape(nil, rule: .builtIn)).world
      try fixture.write("world.json", world.draft.text)
      for file in world.files { try fixture.write(file.path, file.text) }
      guard try stall(fixture, "$/world.json") != nil else { continue }
      let call = fixture.call("shrink", "$/world.json", "--output", "$/small.json")
      if call.code == 2, call.messages.contains("nobody stalls") { continue }
      #expect(call.code == 0, "seed \(seed): \(call)")
      count += 1
      let text = try fixture.read("small.json")
      print("seed \(seed)", call.messages, text)
      (before, after) = (before + world.draft.text.utf8.count, after + text.utf8.count)
      #expect(try stall(fixture, "$/small.json") != nil, "seed \(seed)")
      let again = fixture.call("shrink", "$/small.json")
      #expect(again.output == text, "seed \(seed): \(text)\n\(again.output)")
    }
  }
}
