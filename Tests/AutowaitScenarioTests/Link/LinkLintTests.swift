import AutowaitScenario
import Testing

/// A check warns of links that are valid, but probably not intended, and of no others.
@Suite struct LinkLintTests {
  /// A direction that is far from all limits, with what a row adds.
  private static func link(_ more: String, up: String = "") -> String {
    let plain = #""rate":"1 Mbit/s","delay":"50 ms""#
    return #"{"name":"x","down":{\#(plain)\#(more)},"up":{\#(plain)\#(up)}}"#
  }

  @Test(arguments: [
    // A round trip of 0.1 s holds 8.33 packets, and a second 83.3.
    (
      link(#","queue":{"packets":4}"#),
      ["the queue of 'x' down holds 4 packets, less than half of the 8 that fit into a round trip"]
    ),
    (link(#","queue":{"packets":5}"#), []),
    (
      link("", up: #","queue":{"packets":4}"#),
      ["the queue of 'x' up holds 4 packets, less than half of the 8 that fit into a round trip"]
    ),
    (link(#","queue":{"packets":83}"#), []),
    (link(#","queue":{"packets":84}"#), ["the queue of 'x' down delays 1.008 s when it is full"]),
    (link(#","queue":{"time":"1.1 s"}"#), ["the queue of 'x' down delays 1.092 s when it is full"]),
    (
      link(#","queue":{"bytes":1499}"#),
      ["the queue of 'x' down cannot hold a full packet: none gets through"]
    ),
    // 11584 · √(1.5 / p) / 0.1 is half a megabit at p = 8.05 %.
    (link(#","loss":"8 %""#), []),
    (
      link(#","loss":"8.1 %""#), ["its loss leaves a long download over 'x' 498 kbit/s of 1 Mbit/s"]
    ),
    (link(#","loss":1"#), ["'x' loses every packet down: nothing arrives"]),
    (link(#","jitter":{"deviation":"50 ms"}"#), []),
    (
      link(#","jitter":{"deviation":"51 ms"}"#),
      ["the jitter of 'x' down is more than its delay: no delay is below zero"]
    ),
    (
      link(#","jitter":{"deviation":"5 ms","keepOrder":false}"#),
      ["packets of 'x' overtake each other down, and TCP takes that for loss"]
    ),
    (
      #"{"name":"x","down":{"rate":"unlimited","queue":{"packets":5}}}"#,
      ["the queue of 'x' down never fills: its rate is unlimited"]
    ),
    (#"{"name":"x","rate":2000}"#, ["a rate of 2000 bit/s looks like a mistake"]),
    (#"{"name":"x","rate":"9.999 kbit/s"}"#, ["a rate of 9999 bit/s looks like a mistake"]),
    (#"{"name":"x","rate":"10 kbit/s"}"#, []), (#"{"name":"x","rate":0}"#, []),
    (
      #"{"name":"x","rate":"1 Mbit/s","up":{"rate":"17 kbit/s"}}"#,
      ["acknowledgements fill the way up of 'x' before data fills the way down"]
    ),
    (#"{"name":"x","rate":"1 Mbit/s","up":{"rate":"18 kbit/s"}}"#, []),
    (
      #"{"name":"x","rate":"1 Mbit/s","traceKind":"goodput","transport":{"tier":"packet"}}"#,
      ["the rates of 'x' are goodput: the packet tier takes the cost of TCP off again"]
    ),
    (#"{"name":"x","rate":"1 Mbit/s","traceKind":"goodput","transport":{"tier":"fluid"}}"#, []),
    (
      #"{"name":"x","down":{"rate":"1 Mbit/s","loss":0.5},"transport":"ideal"}"#,
      ["an ideal link has no 'loss': what 'x' says of it changes nothing"]
    ),
    (
      #"{"name":"x","rate":"1 Mbit/s","transport":{"requestTimeout":2,"tier":"ideal"}}"#,
      ["an ideal link has no 'requestTimeout': what 'transport' says of it changes nothing"]
    ),
    (
      #"{"name":"x","rate":"1 Mbit/s"},"transport":{"tier":"f0","http":"h2""# + "}",
      ["an ideal link has no 'http': what 'transport' says of it changes nothing"]
    ),
    (#"{"name":"x","rate":"1 Mbit/s"},"transport":{"tier":"ideal""# + "}", []),
    (
      link(#","overhead":{"mtu":1499}"#),
      ["a segment of 1448 bytes does not fit a packet of 'x' down"]
    ),
    (link(#","overhead":{"mtu":1500}"#), []),
    (
      #"{"name":"x","rate":"1 Mbit/s","transport":"ideal","#
        + #""events":[{"type":"conditioner","at":1,"use":"demo/fast"}]}"#,
      ["an ideal link has no 'handover' or 'drop': what 'x' says of it changes nothing"]
    ),
    (#""nlc/3g""#, ["the queue of 'nlc/3g' up delays 1.818 s when it is full"]),
    (#""nlc/wifi""#, []), (#""demo/fast""#, []), (#""chrome/3g""#, []),
    (#""nlc/lte@queue=bdp""#, []),
    (
      #""nlc/100-loss""#,
      [
        "'nlc/100-loss' loses every packet down: nothing arrives",
        "'nlc/100-loss' loses every packet up: nothing arrives",
      ]
    ),
  ])
  func warnings(_ link: String, _ messages: [String]) {
    let (scenario, findings) = LinkFixture.read(link, lints: true)
    #expect(scenario != nil)
    #expect(findings.map(\.message) == messages)
    #expect(findings.allSatisfy { $0.severity == .warning })
    // A run is not a check.
    #expect(LinkFixture.read(link).findings.isEmpty)
  }

  /// A run over an ideal link warns of it, too: it would play what never arrives.
  @Test(arguments: [
    #"{"name":"x","down":{"rate":"1 Mbit/s"},"up":{"loss":1},"transport":"ideal"}"#,
    #"{"name":"x","down":{"track":[{"at":0,"rate":1e6},{"at":9,"rate":1e6,"loss":1}]}"#
      + #","transport":"ideal"}"#,
  ])
  func lostPacketsOfAnIdealLink(link: String) {
    let message = "an ideal link loses nothing: that every packet is lost is left out"
    #expect(LinkFixture.read(link).findings.map(\.message) == [message])
    #expect(LinkFixture.read(link, lints: true).findings.map(\.message) == [message])
  }

  @Test func warningsStandWhereTheNumberDoes() {
    #expect(
      LinkFixture.messages(Self.link(#","queue":{"packets":4}"#), lints: true)
        .contains("a.json:1:71: warning: "))
    let expected = """
      a.json:1:9: warning: the queue of 'nlc/lte' down holds 50 packets, less than half of the \
      479 that fit into a round trip
      {"link":"nlc/lte",
              ^~~~~~~~~
      note: slow start overflows it before the link is full: one download does not fill it
      """
    #expect(LinkFixture.messages(#""nlc/lte""#, lints: true) == expected)
    let files = ["y.json": Self.link(#","queue":{"packets":4}"#)]
    let findings = LinkFixture.read(#""y.json""#, files: files, lints: true).findings
    #expect(findings.map { "\($0.path):\($0.column)" } == ["y.json:63"])
  }

  @Test func presetsHaveTheirWarnings() {
    #expect(LinkPreset.warnings(of: "nlc/wifi").isEmpty)
    #expect(
      LinkPreset.warnings(of: "nlc/very-bad")
        == ["its loss leaves a long download over 'nlc/very-bad' 44.8 kbit/s of 1 Mbit/s"])
  }
}
