import Autowait
import AutowaitScenario
import Testing

/// What is wrong with a link is told where it stands, with the word that would be right.
@Suite struct LinkErrorTests {
  @Test(arguments: [
    (
      #"{"down":{"rate_kbps":780,"track":[{"at_ms":0,"rate":1,"for":1}]}}"#,
      """
      a.json:1:18: error: unknown key 'rate_kbps'
      {"link":{"down":{"rate_kbps":780,"track":[{"at_ms":0,"rate":1,"for":1}]}},
                       ^~~~~~~~~~~
      note: did you mean 'rate'? its unit is part of the value, as in "780 kbit/s"
      a.json:1:44: error: unknown key 'at_ms'
      {"link":{"down":{"rate_kbps":780,"track":[{"at_ms":0,"rate":1,"for":1}]}},
                                                 ^~~~~~~
      note: did you mean 'at'? its unit is part of the value, as in "780 kbit/s"
      """
    ),
    (
      #"{"down":{"rate":"unlimted"}}"#,
      """
      a.json:1:25: error: 'rate' must be "unlimited" or a rate such as "3.2 Mbit/s", not 'unlimted'
      {"link":{"down":{"rate":"unlimted"}},
                              ^~~~~~~~~~
      note: did you mean 'unlimited'?
      """
    ),
    (
      #"{"down":{"rate":1,"loss":5}}"#,
      """
      a.json:1:34: error: 'loss' is above the limit of 1
      {"link":{"down":{"rate":1,"loss":5}},
                                       ^
      """
    ),
    (
      #"{"down":{"rate":1,"queue":{"packets":50,"bytes":1}}}"#,
      """
      a.json:1:49: error: 'bytes' cannot be combined with 'packets'
      {"link":{"down":{"rate":1,"queue":{"packets":50,"bytes":1}}},
                                                      ^~~~~~~
      """
    ),
    (
      #"{"rate":1,"queue":{"packets":50}}"#,
      """
      a.json:1:27: error: a link has a queue in each direction
      {"link":{"rate":1,"queue":{"packets":50}},
                                ^~~~~~~~~~~~~~
      note: write "down": {"rate": …, "queue": …} and "up": {"queue": …}
      """
    ),
    (
      #"{"rate":1,"events":[{"type":"handovr","at":1}]}"#,
      """
      a.json:1:37: error: 'type' has the unknown value 'handovr'
      {"link":{"rate":1,"events":[{"type":"handovr","at":1}]},
                                          ^~~~~~~~~
      note: did you mean 'handover'?
      """
    ),
    (
      #""nlc/lt""#,
      """
      a.json:1:9: error: unknown link 'nlc/lt'
      {"link":"nlc/lt",
              ^~~~~~~~
      note: did you mean 'nlc/lte'?
      """
    ),
    (
      #""nlc/lte@quue=bdp""#,
      """
      a.json:1:9: error: 'nlc/lte@quue=bdp' changes the unknown key 'quue'
      {"link":"nlc/lte@quue=bdp",
              ^~~~~~~~~~~~~~~~~~
      note: did you mean 'queue'?
      """
    ),
    (
      #"{"rate":1,"transport":{"http":"h4"}}"#,
      """
      a.json:1:39: error: 'http' has the unknown value 'h4'
      {"link":{"rate":1,"transport":{"http":"h4"}},
                                            ^~~~
      note: the values are: 'h1', 'h2', 'h3'
      """
    ),
    (
      #"[{"at":0,"use":"chrome/3g"},{"at":1,"use":"nlc/3g"}]"#,
      """
      a.json:1:9: error: the links of this scenario carry requests in different ways
      {"link":[{"at":0,"use":"chrome/3g"},{"at":1,"use":"nlc/3g"}],
              ^
      note: a request costs a round trip and no more on 'chrome/3g', and goes over TCP on 'nlc/3g'
      note: write "transport": {} in the scenario, and all go over HTTP and TCP
      note: or "transport": "ideal", and a request costs a round trip and no more on all of them
      """
    ),
  ])
  func messages(_ link: String, _ expected: String) {
    #expect(LinkFixture.messages(link) == expected)
  }

  @Test(arguments: [
    (
      #"{"down":{"rate":1,"queue":50}}"#,
      #"'queue' must be "unlimited", "automatic" or an object such as {"packets": 50}, "#
        + "not a number"
    ),
    (#"{"down":{"rate":1,"loss":{"packets":[2,2]}}}"#, "the numbers of lost packets must ascend"),
    (
      #"{"down":{"rate":1,"jitter":{"deviation":1,"distribution":[3,2]}}}"#,
      "'distribution' must have from 1 to 65536 quantiles that ascend"
    ),
    (#"{"rate":1,"transport":{"tls":"none","http":"h3","tls":"none"}}"#, "duplicate key 'tls'"),
    (#"{"rate":1,"transport":{"http":"h3","tls":"1.2"}}"#, "h3 needs TLS 1.3"),
    (
      #"{"rate":1,"transport":"idael"}"#,
      #"'transport' must be "ideal" or an object such as {"http": "h2"}, not 'idael'"#
    ),
    (
      #"{"rate":1,"outage":{"on":1,"off":1},"events":[]}"#,
      "'outage' cannot be combined with 'events'"
    ),
    (#"{"rate":1,"outage":{"on":1}}"#, "an outage needs the key 'off'"),
    (#"{"rate":1,"outage":{"onMean":1,"off":1}}"#, "an outage needs the key 'offMean'"),
    (
      #"{"rate":1,"outage":{"on":"1 ns","off":"1 ns"}}"#,
      "the link 'link 1' has more than 1000000 outages before the run ends"
    ),
    (
      #"{"rate":1,"events":[{"type":"blackout","at":1,"for":3,"drop":"new"},"#
        + #"{"type":"blackout","at":2,"for":3}]}"#,
      "blackouts that overlap must drop the same"
    ),
    (
      #"{"rate":1,"events":[{"type":"conditioner","at":1}]}"#,
      "an event of a link needs the key 'use'"
    ),
    (
      #"{"rate":1,"match":[{"host":"a*b","profile":"demo/fast"}]}"#,
      "'host' is a name, or '*' and the end of one"
    ),
    (
      #"{"transport":"ideal","down":{"track":[{"for":5,"rate":5}],"trackEnd":"loop"},"#
        + #""events":[{"type":"blackout","at":1,"for":1}]}"#,
      "a track that loops cannot have events"
    ),
    (
      #"[{"at":0,"use":{"rate":1,"transport":{"http":"h2"}}},"#
        + #"{"at":1,"use":{"rate":1,"transport":{"http":"h1"}}}]"#,
      "the links of this scenario carry requests in different ways"
    ),
    (#"{"dns":{"delay":1}}"#, "a link needs the key 'down', or 'rate' for one that never changes"),
    (#"{"rate":1,"events":[{"type":"handover","at":1,"to":"nlc/zz"}]}"#, "unknown link 'nlc/zz'"),
    (#""demo/fast@""#, "'demo/fast@' changes the unknown key ''"),
    (#""nlc/lte@queue=""#, "'nlc/lte@queue=' needs a value after 'queue'"),
    (#""nlc/lte@queue=0""#, "'queue' in 'nlc/lte@queue=0' cannot be '0'"),
    (#""nlc/lte@loss=2""#, "'loss' in 'nlc/lte@loss=2' is above the limit of 1"),
    (
      #""nlc/lte@delay=5""#,
      #"'delay' in 'nlc/lte@delay=5' needs a unit: it must be a time such as "39 s""#
    ),
    (#""x.json@queue=5""#, "unknown link 'x.json@queue=5'"),
  ])
  func errors(_ link: String, _ message: String) {
    let (scenario, findings) = LinkFixture.read(link)
    #expect(scenario == nil)
    #expect(findings.contains { $0.severity == .error && $0.message == message }, "\(findings)")
  }

  @Test func allMistakesAreToldAtOnce() {
    let text = """
      {"down":{"queue":{"packets":0},"loss":2},"up":{"rate":-1,"dely":1},"dns":{"dlay":1},
       "events":[{"type":"blackout","at":-1},{"type":"handover","to":5}],"outage":{"off":0}}
      """
    #expect(
      LinkFixture.read(text).findings.map(\.message) == [
        "a direction of a link needs one of the keys 'rate', 'track', 'random'",
        "'packets' must be more than 0", "'loss' is above the limit of 1",
        "'rate' must not be negative", "unknown key 'dely'", "unknown key 'dlay'",
        "an event of a link needs the key 'for'", "'at' must not be negative",
        "an event of a link needs the key 'at'",
        "a link must be a name, a file or an object, not a number",
        "an outage needs the key 'on'", "'outage' cannot be combined with 'events'",
        "'off' must be more than 0",
      ])
  }

  @Test func mistakesInFilesAreToldThere() {
    let files = [
      "a.json": #"{"rate":1,"events":[{"type":"handover","at":1,"to":"b.json"}]}"#,
      "b.json": #"{"rate":"1 q"}"#,
    ]
    let findings = LinkFixture.read(#""a.json""#, files: files).findings
    #expect(
      findings.map { "\($0.path):\($0.column) \($0.message)" } == [
        "b.json:9 'rate' has the unknown unit 'q'"
      ])
  }
}
