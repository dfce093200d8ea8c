import Foundation
import Testing

/// When a stall is over: the metric and whatever else tells it say the same.
struct StallOutputTests {
  private typealias Object = [String: Any]

  /// Playback begins at 1 s and stalls at 5 s, when the 4 s that had come by 2 s are played; by
  /// itself it goes on at 7.5 s.
  private static func text(_ steps: String) -> String {
    let file = #"{"kind": "progressive", "duration": "10 s", "bitrate": "1 Mbit/s"}"#
    return """
      {"autowait": 1, "link": {"down": {"track": [{"for": "2 s", "rate": "2 Mbit/s"},
        {"for": "5 s", "rate": 0}, {"for": "100 s", "rate": "2 Mbit/s"}]}},
       "media": [\(file), \(file)], "player": {"queue": [0, 1]},
       "heuristic": {"rule": "fixed", "start": "2 s", "resume": "1 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}, \(steps)]}
      """
  }

  /// What happens in the stall, and when the stall is over.
  @Test(
    arguments: [
      (#"{"at": 6, "do": "set", "preferredForwardBufferDuration": "9 s"}"#, 7.5),
      (#"{"at": 6, "do": "advanceToNextItem"}"#, 6),
      (#"{"at": 6, "do": "seek", "to": "9 s"}"#, 6),
      (#"{"at": 6, "do": "seek", "to": "50 s"}"#, 7.5),
      (#"{"at": 6, "do": "seek", "to": "9 s"}, {"at": 6, "do": "seek", "to": "50 s"}"#, 7.5),
      (#"{"at": 6, "do": "seek", "to": "9 s"}, {"at": 6.5, "do": "seek", "to": "50 s"}"#, 6),
      (#"{"at": 6, "do": "pause"}, {"at": 9, "do": "play"}"#, 6),
      (#"{"at": 6, "do": "failItem"}"#, 6),
    ])
  func `all outputs end a stall where the metric does`(_ steps: String, _ end: Double) throws {
    let fixture = try CommandFixture(["a.json": Self.text(steps)])
    func run(_ arguments: String...) throws -> String {
      let call = fixture.call(arguments)
      #expect(call.code == 0, "\(call.messages)")
      return call.output
    }
    let session = try object(try run("run", "$/a.json", "--format", "json"))
    let metrics = try #require(session["metrics"] as? Object)
    #expect(metrics["stallCount"] as? Int == 1)
    #expect(metrics["timeSpentRecoveringFromStall"] as? Double == end - 5)
    let table = session["stalls"] as? [[String: Double]]
    #expect(table == [["start": 5, "end": end, "position": 4]])
    let trace = try run("run", "$/a.json", "--format", "perfetto")
    #expect(try slices(trace) == [5e6, (end - 5) * 1e6])
    let events = try run("run", "$/a.json", "--format", "cmcd")
    let milliseconds = Int((end - 5) * 1_000)
    #expect(events.contains("bsd=(\(milliseconds)),bsda=(\(milliseconds)),"), "\(events)")
    let explained = try object(try run("explain", "$/a.json", "--format", "json"))
    let player = try #require((explained["players"] as? [Object])?.first)
    let stall = try #require((player["stalls"] as? [Object])?.first)
    #expect(stall["stalled"] as? Double == end - 5 && stall["end"] as? Double == end)
    let story = try run("run", "$/a.json", "--width", "200")
    #expect(story.contains(", after 2.5 s") == (end == 7.5), "\(story)")
  }

  /// Where others are waited for, the metric has another name for the time.
  @Test func `a stall is interrupted by a wait for others`() throws {
    let steps = #"{"at": 6, "do": "beginCoordination"}, {"at": 6.5, "do": "endCoordination"}"#
    let fixture = try CommandFixture(["a.json": Self.text(steps)])
    let trace = fixture.call("run", "$/a.json", "--format", "perfetto").output
    #expect(try slices(trace) == [5e6, 1e6, 6.5e6, 1e6])
    let session = try object(fixture.call("run", "$/a.json", "--format", "json").output)
    let metrics = try #require(session["metrics"] as? Object)
    #expect(metrics["timeSpentRecoveringFromStall"] as? Double == 2)
    #expect(metrics["timeSpentCoordinating"] as? Double == 0.5)
  }

  private func object(_ text: String) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
  }

  /// The starts and lengths of the slices `stalled`, in microseconds.
  private func slices(_ trace: String) throws -> [Double] {
    let events = try #require(try object(trace)["traceEvents"] as? [Object])
    return try events.filter { $0["ph"] as? String == "X" && $0["name"] as? String == "stalled" }
      .flatMap { event in
        try ["ts", "dur"].map { try #require(event[$0] as? NSNumber).doubleValue }
      }
  }
}
