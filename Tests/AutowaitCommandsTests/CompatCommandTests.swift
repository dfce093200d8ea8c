import AutowaitCommands
import Foundation
import Testing

/// `autowait run --compat`: a scenario's stream as another simulator plays it.
@Suite struct CompatCommandTests {
  /// Four segments of two seconds of 1 Mbit/s, over as much and 100 ms.
  static func scenario(_ rule: String) -> String {
    """
    {"autowait":1,"name":"four","link":{"down":{"rate":"1 Mbit/s","delay":"100 ms"}},
    "media":{"kind":"hls","duration":"8 s","segmentDuration":"2 s",
    "variants":[{"bandwidth":"500 kbit/s"},{"bandwidth":"1 Mbit/s"}]},
    "player":{"streaming":{"rule":\(rule)}},
    "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
    """
  }

  static let text = """
    four, as sabre plays it by scripted

    startup           2.1 s
    stalled           0.3 s in 3 stalls
    total             10.4 s
    switches          0
    given up          0 downloads
    mean bit rate     1000 kbit/s

    segment  variant   asked at   took  first byte  before  after
          0  1 Mbit/s       0 s  2.1 s       0.1 s     0 s    2 s
          1  1 Mbit/s     2.1 s  2.1 s       0.1 s     2 s    2 s
          2  1 Mbit/s     4.2 s  2.1 s       0.1 s     2 s    2 s
          3  1 Mbit/s     6.3 s  2.1 s       0.1 s     2 s    2 s

    """

  @Test func textIsForPeople() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(#"{"scripted":[1]}"#)])
    let outcome = fixture.call("run", "$/a.json", "--compat", "sabre")
    #expect(outcome.code == 0 && outcome.messages == "")
    #expect(outcome.output == Self.text, "\(outcome.output)")
  }

  @Test func defectsAreToldByName() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(#"{"scripted":[1]}"#)])
    let outcome = fixture.call("run", "$/a.json", "--compat", "pensieve,defects")
    // 2,000 ÷ 0.95 + 80 ms is startup to nobody there, but a stall.
    #expect(outcome.output.contains("\nits own count     4 stalls, 2.741052 s\n"))
    #expect(outcome.messages.contains("warning: left out: the delay of the link"))
    let plain = fixture.call("run", "$/a.json", "--compat", "pensieve")
    #expect(!plain.output.contains("its own"))
    #expect(plain.output.contains("\nstalled           0.555789 s in 3 stalls\n"))
  }

  @Test func jsonIsOneObjectInALine() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario("\"bola\"")])
    let outcome = fixture.call("run", "$/a.json", "--compat", "sabre,defects", "--format", "json")
    #expect(outcome.output.split(separator: "\n").count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let fields = try #require(object as? [String: Any])
    #expect(fields["compat"] as? String == "sabre,defects" && fields["rule"] as? String == "bola")
    #expect(fields["ownStallCount"] as? Int == 0)
    #expect((fields["downloads"] as? [[String: Any]])?.count == 4)
  }

  @Test func whatCannotBePlayedIsTold() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario("\"avfoundation\"")])
    let outcome = fixture.call("run", "$/a.json", "--compat", "sabre")
    #expect(outcome.code == 2 && outcome.output == "")
    #expect(
      outcome.messages.hasPrefix(
        "$/a.json: error: the rule 'avfoundation' cannot be played by Sabre\n"))
    #expect(fixture.call("run", "$/a.json", "--compat", "sabr").code == 2)
    #expect(
      fixture.call("run", "$/a.json", "--compat", "sabre", "--format", "states").code == 2)
  }

  /// Four segments of 1 Mbit at 5 kbit/s up to 700 s: the run would end at 632 s, Sabre goes on.
  @Test func tracesAreReadBehindTheEndOfARun() throws {
    let link = #"{"down":{"rate":"1 Mbit/s","delay":"100 ms"}}"#
    let scenario = Self.scenario("\"fixed\"")
      .replacingOccurrences(of: link, with: #"{"trace":"slow.json"}"#)
    let trace = """
      [{"duration_ms":700000,"bandwidth_kbps":5,"latency_ms":0},
      {"duration_ms":700000,"bandwidth_kbps":10000,"latency_ms":0}]
      """
    let fixture = try CommandFixture(["a.json": scenario, "slow.json": trace])
    let outcome = fixture.call("run", "$/a.json", "--compat", "sabre")
    #expect(outcome.output.contains("\ntotal             702.05 s\n"), "\(outcome.output)")
    let other = fixture.call("run", "$/a.json", "--compat", "pensieve")
    #expect(other.output.contains("\nlast download     700.391052 s\n"), "\(other.output)")
  }

  @Test func nothingIsGivenUpIfThePlayerWouldNot() throws {
    let link = """
      {"down":{"track":[{"for":"250 ms","rate":"9 Mbit/s"},{"for":"60 s","rate":"90 kbit/s"}],
      "trackEnd":"loop"}}
      """
    let scenario = Self.scenario("\"bola\"").replacingOccurrences(
      of: #"{"down":{"rate":"1 Mbit/s","delay":"100 ms"}}"#, with: link)
    let patient = scenario.replacingOccurrences(
      of: #""rule":"bola""#, with: #""rule":"bola","abandonedAfter":null"#)
    let fixture = try CommandFixture(["a.json": scenario, "b.json": patient])
    let given = fixture.call("run", "$/a.json", "--compat", "sabre").output
    #expect(given.contains("given up for"), "\(given)")
    let kept = fixture.call("run", "$/b.json", "--compat", "sabre").output
    #expect(kept.contains("given up          0 downloads"), "\(kept)")
  }
}
