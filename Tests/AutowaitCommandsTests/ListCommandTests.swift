import Autowait
import AutowaitScenario
import Foundation
import Testing

/// `autowait list`: what is built in, in tables that fit, and as JSON.
@Suite struct ListCommandTests {
  private func call(_ arguments: String..., columns: String? = nil) throws -> CommandFixture.Call {
    let fixture = try CommandFixture()
    if let columns { fixture.variables["COLUMNS"] = columns }
    return fixture.call(["list"] + arguments)
  }

  @Test func conditioner() throws {
    let expected = """
                           kbit/s          ms     loss queue   BDP  full confi-
      name                   down     up down  up    %  pkts  pkts     s dence
      nlc/100-loss              ∞      ∞    0   0  100     ∞     ∞     - high
      nlc/3g                  780    330  100 100    0    50    13 0.769 high
      nlc/dsl                2000    256    5   5    0    50   1.7   0.3 high
      nlc/edge                240    200  400 440    0    50  16.8   2.5 high
      nlc/high-latency-dns      ∞      ∞    0   0    0     ∞     ∞     - medium
      nlc/lte               50000  10000   50  65    0    50 479.2 0.012 medium
      nlc/very-bad           1000   1000  500 500   10    50  83.3   0.6 high
      nlc/wifi              40000  33000    1   1    0    50   6.7 0.015 high
      nlc/wifi-ac          250000 100000    1   1    0    50  41.7 0.002 medium


      """
    let outcome = try call("profiles", "nlc")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix(expected))
    #expect(try call("profiles", "nlc/").output == outcome.output)
  }

  @Test(arguments: ["80", "110", "200"])
  func tablesFit(_ columns: String) throws {
    let lines = try call("profiles", columns: columns).output.split(separator: "\n")
    #expect(lines.count > LinkPreset.all.count)
    for line in lines { #expect(line.count <= Int(columns) ?? 0, "too wide: \(line)") }
    for preset in LinkPreset.all {
      let row = lines.first { $0.hasPrefix(preset.name + " ") }
      #expect(row?.contains(" \(preset.confidence.rawValue)") == true, "\(preset.name)")
    }
    #expect(lines[0].contains("full up") == (columns != "80"))
  }

  @Test func oneInFull() throws {
    let output = try call("profiles", "nlc/lte@queue=bdp").output
    #expect(
      output.hasPrefix(
        """
        nlc/lte@queue=bdp: A fourth-generation mobile network, whose queue starves it

        down          50 Mbit/s, delay 50 ms, queue of 480 packets
        up            10 Mbit/s, delay 65 ms, queue of 96 packets
        round trip    115 ms
        it holds      479.2 packets down, 95.8 up
        full queue    115 ms down, 115 ms up
        requests      go over HTTP and TCP
        source
        """))
    #expect(!output.contains("warning"))
    #expect(try call("profiles", "nlc/lte").output.contains("\nwarning: the queue of 'nlc/lte'"))
  }

  @Test func everyPresetHasAPage() throws {
    for preset in LinkPreset.all {
      let outcome = try call("profiles", preset.name)
      #expect(outcome.code == 0)
      for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func json() throws {
    let output = try call("profiles", "nlc/3g", "--format", "json").output
    let (head, tail) = (
      #"{"version":1,"# + Fixture.madeBy
        + #","profiles":[{"name":"nlc/3g","about":"A third-generation mobile network","#,
      #""confidence":"high","ideal":false,"roundTrip":0.2,"dnsDelay":0,"#
        + #""down":{"rate":780000,"delay":0.1,"jitter":0,"loss":0,"queuePackets":50,"#
        + #""bandwidthDelayProductPackets":13,"queueDelay":0.769230769,"lossCeiling":null},"#
        + #""up":{"rate":330000,"delay":0.1,"jitter":0,"loss":0,"queuePackets":50,"#
        + #""bandwidthDelayProductPackets":5.5,"queueDelay":1.818181818,"lossCeiling":null},"#
        + #""link":{"name":"nlc/3g","about":"A third-generation mobile network","source":"a "#
    )
    #expect(output.hasPrefix(head))
    #expect(output.contains(tail))
    #expect(
      output.hasSuffix(
        #""confidence":"high","down":{"rate":"780 kbit/s","delay":"100 ms","#
          + #""queue":{"packets":50}},"up":{"rate":"330 kbit/s","delay":"100 ms","#
          + #""queue":{"packets":50}}}}]}"# + "\n"))
    let all = SourceText(path: "", text: try call("profiles", "--format=json").output)
    #expect(
      try JSONDocument(all).root.member("profiles")?.elements.map { $0.member("name")?.string }
        == LinkPreset.all.map(\.name))
  }

  /// Names of parameters, their values and what they are stand apart.
  @Test func everyHeuristicHasColumns() throws {
    for heuristic in Heuristic.all {
      let lines = try call("heuristics", heuristic.name).output.split(separator: "\n")
      for parameter in heuristic.parameters {
        #expect(lines.contains { $0.hasPrefix(parameter.name + " ") }, "\(heuristic.name)")
      }
      for line in lines { #expect(line.count <= 80, "\(line)") }
    }
  }

  /// The example of a rule that chooses variants names its options with their defaults.
  @Test func examplesOfRulesAreTheirDefaults() throws {
    func adaptation(_ player: String) -> AdaptationPolicy? {
      let text = """
        {"link": "demo/fast", "media": {"kind": "hls", "duration": "6 s",
          "variants": [{"bandwidth": "1 Mbit/s"}]}, "script": [], \(player)}
        """
      let (scenario, findings) = ScenarioReader.read(
        SourceText(path: "x.json", text: text), loader: .none)
      #expect(!findings.contains { $0.severity == .error }, "\(player)")
      return scenario?.world.players[0].streaming.adaptation
    }
    for rule in AdaptationRules.all {
      let words = try call("heuristics", rule.name).output.split { $0 == " " || $0 == "\n" }
      let player = words.joined(separator: " ").components(separatedBy: "In a scenario: ").last
      let plain = adaptation("\"player\": {\"streaming\": {\"rule\": \"\(rule.name)\"}}")
      #expect(plain != nil)
      #expect(adaptation(player ?? "") == plain)
    }
    #expect(try call("heuristics", "throughput").output.contains("\"safety\": \"90 %\""))
  }

  @Test func metricsAndEvents() throws {
    let metrics = try call("metrics").output
    for metric in Metric.allCases { #expect(metrics.contains(metric.rawValue)) }
    #expect(
      try call("metrics", "stallCount").output
        == """
        stallCount                    unintended stops of playback; waiting at startup
                                      and after seeks does not count

        """)
    #expect(
      try call("events", "seek", "rate", "--format", "json").output
        == """
        {"version":1,\(Fixture.madeBy),"events":[{"name":"rate",\
        "meaning":"the requested rate changed"},\
        {"name":"seek","meaning":"a seek was requested"}]}

        """)
    #expect(
      try call("events", "seek", "isPlaybackBufferFull").output
        == """
        isPlaybackBufferFull          whether the buffer is full changed (F)
        seek                          a seek was requested

        """)
    #expect(try call("events").output.split(separator: "\n").count > 55)
  }

  @Test(arguments: [
    (
      ["profils"], "there is no list of 'profils'",
      "did you mean 'profiles'?\n"
    ),
    (["profiles", "nlcc"], "unknown link 'nlcc'", "did you mean 'nlc'?\n"),
    (
      ["profiles", "nlc/lt"], "unknown link 'nlc/lt'",
      "did you mean 'nlc/lte'?\n"
    ),
    (["profiles", "lte"], "unknown link 'lte'", "did you mean 'nlc/lte'?\n"),
    (
      ["profiles", "nlc/lte@quue=1"], "'nlc/lte@quue=1' changes the unknown key 'quue'",
      "did you mean 'queue'?\n"
    ),
    (["metrics", "stalCount"], "there is no metric 'stalCount'", "did you mean 'stallCount'?\n"),
    (["events", "sek"], "there is no event 'sek'", "did you mean 'seek'?\n"),
  ])
  func wrongNames(_ arguments: [String], _ message: String, _ notes: String) throws {
    let outcome = try CommandFixture().call(["list"] + arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("autowait: error: \(message)\nnote: \(notes)"))
  }

  /// A check warns where a run does not.
  @Test func checksWarnOfLinks() throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(link: "\"nlc/lte\"")])
    let outcome = fixture.call("check", "$/a.json")
    #expect(outcome.code == 0)
    #expect(outcome.output == "1 file: 0 invalid, 0 errors, 1 warning\n")
    #expect(outcome.messages.hasPrefix("$/a.json:5:11: warning: the queue of 'nlc/lte' down holds"))
    #expect(!fixture.call("run", "$/a.json").messages.contains("queue"))
  }

  /// However long a name is, it does not run into what is said of it.
  @Test func namesOfKeysStandApart() throws {
    let outcome = try CommandFixture().call("list", "keys", "automaticallyWaitsToMinimizeStalling")
    let lines = outcome.output.split(separator: "\n").filter { $0.contains("automatically") }
    #expect(lines.count > 1)
    for line in lines {
      #expect(line.contains("automaticallyWaitsToMinimizeStalling  "), "\(line)")
    }
  }
}
