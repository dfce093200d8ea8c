import Autowait
import AutowaitScenario
import Testing

/// A mistake in a step is told once, and nothing that only follows from it.
@Suite struct ScriptReaderTests {
  @Test(arguments: [
    (#""do":"paly","player":"x","rate":2"#, ["'do' has the unknown value 'paly'"]),
    (
      #""dO":"play""#,
      ["unknown key 'dO'"]
    ),
    (#""do":"play","rate":2"#, ["unknown key 'rate'"]),
    (#""do":"laod""#, ["'do' has the unknown value 'laod'"]),
    (#""do":"play""#, ["the script never loads anything"]),
  ])
  func messages(_ step: String, _ messages: [String]) {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},"script":[{"at":0,\(step)}]}
      """
    let (_, findings) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.map(\.message) == messages)
  }

  /// Steps behind one that loads and is called `start`.
  @Test(arguments: [
    (#""on":"didPlayToEnd""#, ["'on' has the unknown value 'didPlayToEnd'"]),
    (#""on":"seek","at":1"#, ["'at' cannot be combined with 'on'"]),
    (#""on":"seek","every":"1 s""#, ["'every' cannot be combined with 'on'"]),
    (#""on":{"event":"seek","at":1}"#, ["unknown key 'at'"]),
    (
      #""on":{"event":"playbackStalled","value":true}"#,
      ["the event 'playbackStalled' has no value"]
    ),
    (
      #""on":{"event":"step","player":"x"}"#,
      ["there is no player 'x'", "the event 'step' belongs to no player"]
    ),
    (
      #""on":{"event":"status","value":"ready"}"#, ["'value' has the unknown value 'ready'"]
    ),
    (#""on":"seek","count":0"#, ["'count' must be more than 0"]),
    (#""on":"seek","skip":-1"#, ["'skip' must not be negative"]),
    (#""on":"seek","delay":"-1 s""#, ["'delay' must not be negative"]),
    (#""after":"strat""#, ["'after' has the unknown value 'strat'"]),
    (#""after":"me","name":"me""#, ["'after' has the unknown value 'me'"]),
    (#""after":"start","count":1"#, ["unknown key 'count'"]),
    (#""at":1,"name":"start""#, ["there is a step 'start' already"]),
    (#""every":0"#, ["'every' must be more than 0"]),
    (#""every":"1 s","skip":1"#, ["unknown key 'skip'"]),
    (#""every":"1 s","count":null"#, []),
    (#""on":"seek","count":null,"skip":2,"delay":"1 ms""#, []),
    (#""after":"start","delay":"1 ms""#, []),
  ])
  func triggers(_ step: String, _ messages: [String]) {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},
       "script":[{"name":"start","at":0,"do":"load"},{\(step),"do":"play"}]}
      """
    let (_, findings) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.map(\.message) == messages)
  }

  @Test(arguments: [
    ("beginInterstitial", "an interstitial event does not exist before iOS 15"),
    ("endInterstitial", "an interstitial event does not exist before iOS 15"),
    ("beginCoordination", "coordinated playback does not exist before iOS 15"),
    ("endCoordination", "coordinated playback does not exist before iOS 15"),
  ])
  func someHoldsCameWithIOS15(_ action: String, _ message: String) {
    for (contract, messages) in [("ios14", [message]), ("ios15", [])] {
      let text = """
        {"link":"demo/fast","media":{"kind":"local","duration":1},
         "player":{"contract":"\(contract)"},
         "script":[{"at":0,"do":"load"},{"at":0,"do":"\(action)"}]}
        """
      let (_, findings) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
      #expect(findings.map(\.message) == messages)
    }
  }

  @Test func noStepHasAName() {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},
       "script":[{"at":0,"do":"load"},{"after":"x","do":"resumeTraffic"}]}
      """
    let (_, findings) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    #expect(
      findings.map(\.message) == [
        "no step before this one has a name", "there is no traffic of others",
      ])
  }

  /// Each name of an event finds that event and no other one.
  @Test(arguments: Event.names)
  func eventsAreFoundByTheirNames(_ name: String) {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},
       "script":[{"at":0,"do":"load"},{"on":"\(name)","do":"play"}]}
      """
    let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    guard case .on(let reaction)? = scenario?.world.script.last?.trigger else {
      Issue.record("\(name) is no event of a step")
      return
    }
    #expect("\(reaction.events.kind.name)" == name)
    #expect(Event.names.count == Set(Event.names).count)
  }

  /// A step waits for each word that an event announces, and two words are two things.
  @Test func stepsWaitForTheWordsOfEvents() throws {
    var count = 0
    for name in Event.names {
      let words = Event.announcedKind(name)?.kind.schema.spelled ?? []
      let places = try words.map { word in
        let step = #"{"on":{"event":"\#(name)","value":"\#(word)"},"do":"play"}"#
        let text = """
          {"link":"demo/fast","media":{"kind":"local","duration":1},
           "script":[{"at":0,"do":"load"},\(step)]}
          """
        let source = SourceText(path: "a.json", text: text)
        let scenario = ScenarioReader.read(source, loader: .none).scenario
        guard case .on(let reaction)? = scenario?.world.script.last?.trigger else {
          Issue.record("\(name) with \(word) is no event of a step")
          return UInt64.max
        }
        return try #require(reaction.events.announcement)
      }
      #expect(places == words.indices.map { UInt64($0) }, "\(name)")
      count += words.count
    }
    #expect(count > 40)
  }

  /// The looper is ready in the log, and what is caused by it is the step.
  @Test func aStepFollowsTheWordOfAnEvent() throws {
    let text = """
      {"link":"demo/fast","media":{"kind":"local","duration":1},"player":{"loop":{"by":"looper"}},
       "script":[{"at":0,"do":"load"},
        {"on":{"event":"looperStatus","value":"ready"},"do":"play"},
        {"on":{"event":"looperStatus","value":"failed"},"do":"pause"}],"until":"500 ms"}
      """
    let scenario = try #require(
      ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none).scenario)
    let records = Array(ScenarioRun.run(scenario).records)
    let steps = records.filter { if case .step(index: 1...) = $0.event { true } else { false } }
    let ready = try #require(records.first { $0.event == .looperStatus(.ready) })
    #expect(steps.map { $0.event } == [.step(index: 1)])
    #expect(steps.first?.cause == ready.number)
  }
}

extension Schema {
  /// The words that the schema allows.
  fileprivate var spelled: [String] {
    switch self {
    case .words(let words): words
    case .either(let schemas): schemas.flatMap { $0.spelled }
    default: []
    }
  }
}
