import Autowait
import AutowaitScenario
import Testing

/// Heuristics by name, with other numbers, as data and as programs: what is read, and what is told.
@Suite struct RuleReaderTests {
  private static func read(
    _ heuristic: String, _ rest: String = ""
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"link":"demo/fast","media":{"kind":"progressive","duration":"20 s","bitrate":1000000},
       "heuristic":\(heuristic),"script":[{"at":0,"do":"load"}]\(rest)}
      """
    let loader = FileLoader { path, _ in
      path == "./rule.sh"
        ? .success(SourceText(path: path, text: "x")) : .failure(.init("does not exist"))
    }
    return ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: loader, programs: .accepted)
  }

  private static func policy(_ heuristic: String) throws -> KeepUpPolicy {
    let (scenario, findings) = read(heuristic)
    #expect(findings.isEmpty, "\(heuristic): \(findings.map(\.message))")
    return try #require(scenario).world.players[0].keepUp
  }

  /// Every name means its policy, and the log's spelling of it means the same.
  @Test(arguments: Heuristic.all.map(\.name))
  func names(_ name: String) throws {
    let heuristic = try #require(Heuristic.named(name))
    let policy = heuristic.policy()
    #expect(try Self.policy("\"\(name)\"") == policy)
    #expect(try Self.policy("{\"rule\": \"\(name)\"}") == policy)
    var writer = JSONWriter()
    heuristic.write(into: &writer)
    let spelled = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try Self.policy(spelled) == policy, "\(spelled)")
    let resolved = try #require(Self.read("\"\(name)\"").scenario).resolved
    let source = SourceText(path: "b.json", bytes: resolved)
    let again = try #require(ScenarioReader.read(source, loader: .none).scenario)
    #expect(again.world.players[0].keepUp == policy)
    #expect(again.resolved == resolved)
    #expect(policy.forwardBufferLimit.map { $0 > policy.starvesBelow } ?? true)
  }

  /// Each parameter changes the policy, and can be read as `null` where it is optional.
  @Test(arguments: Heuristic.all.map(\.name))
  func parameters(_ name: String) throws {
    let heuristic = try #require(Heuristic.named(name))
    for parameter in heuristic.parameters {
      let (value, number): (String, Int64?) =
        switch parameter.kind {
        case .time, .optionalTime: ("\"7 s\"", 7_000_000_000)
        case .size, .optionalSize: ("\"7 kB\"", 7_000)
        case .ratio: ("0.07", 70_000)
        }
      let given = [HeuristicValue(parameter.name, number)]
      let read = Self.read("{\"rule\": \"\(name)\", \"\(parameter.name)\": \(value)}")
      if let policy = read.scenario?.world.players[0].keepUp {
        #expect(policy == heuristic.policy(given), "\(parameter.name)")
        #expect(policy != heuristic.policy(), "\(parameter.name)")
      } else {
        // The only thing that can be wrong is a mark above its limit.
        #expect(parameter.name == "forwardBufferResume")
      }
      let null = Self.read("{\"rule\": \"\(name)\", \"\(parameter.name)\": null}")
      let isOptional = parameter.kind == .optionalTime || parameter.kind == .optionalSize
      #expect(null.findings.isEmpty == isOptional, "\(parameter.name) \(null.findings)")
    }
  }

  @Test func conditions() throws {
    func rule(_ text: String) throws -> ConditionRule? {
      if case .conditions(let rule) = try Self.policy("{\"rule\": \(text)}").rule {
        rule
      } else {
        nil
      }
    }
    let one = BufferCondition.atLeast(.buffered, 2_000_000_000)
    let plain = try rule(#"{"start": {"buffered": {">=": "2 s"}}}"#)
    #expect(plain == ConditionRule(start: BufferConditions(allOf: one)))
    let rows: [(String, [[BufferCondition]])] = [
      (#""always""#, [[]]), (#""never""#, []), (#""keepsUp""#, [[.isKeepingUp]]),
      (#""loaded""#, [[.isLoaded]]), (#""networkIdle""#, [[.isNetworkIdle]]),
      (#""networkBusy""#, [[.isNetworkBusy]]),
      (#"{"playout": {">": 1}}"#, [[.atLeast(.playout, 1_000_000_001)]]),
      (#"{"missing": {"<": "1 kB"}}"#, [[.below(.missingBytes, 1_000)]]),
      (#"{"received": {"<=": 7}}"#, [[.below(.receivedBytes, 8)]]),
      (#"{"bufferedBytes": {">=": 7}}"#, [[.atLeast(.bufferedBytes, 7)]]),
      (#"{"fillRate": {">=": "1 Mbit/s"}}"#, [[.atLeast(.fillRate, 1_000_000)]]),
      (#"{"speed": {"<": 1.5}}"#, [[.below(.speed, 1_500_000)]]),
      (#"{"stalls": {">": 2}}"#, [[.atLeast(.stalls, 3)]]),
      (
        #"{"waited": {">=": 1, "<": 3}, "waitedPerSpeed": {">": 0}}"#,
        [
          [
            .atLeast(.waited, 1_000_000_000), .below(.waited, 3_000_000_000),
            .atLeast(.waitedPerSpeed, 1),
          ]
        ]
      ),
      (#"{"any": ["keepsUp", "loaded"]}"#, [[.isKeepingUp], [.isLoaded]]),
      (#"{"all": ["keepsUp", "loaded"]}"#, [[.isKeepingUp, .isLoaded]]),
      (#"{"all": []}"#, [[]]),
      (
        #"{"all": [{"any": ["keepsUp", "loaded"]}, {"any": ["networkIdle", "always"]}]}"#,
        [
          [.isKeepingUp, .isNetworkIdle], [.isKeepingUp], [.isLoaded, .isNetworkIdle],
          [.isLoaded],
        ]
      ),
    ]
    for (text, alternatives) in rows {
      #expect(try rule("{\"start\": \(text)}")?.start.alternatives == alternatives, "\(text)")
    }
  }

  @Test func numbersOfARule() throws {
    let policy = try Self.policy(
      #"{"rule": {"start": "always", "resume": "never", "afterSeek": "keepsUp","#
        + #""starvesBelow": "0.5 s", "checkEvery": "1 s"}, "forwardBufferLimit": "9 s"}"#)
    #expect(policy.starvesBelow.nanoseconds == 500_000_000)
    #expect(policy.forwardBufferLimit == .seconds(9))
    guard case .conditions(let rule) = policy.rule else { throw Missing() }
    #expect(rule.checkInterval == .seconds(1))
    #expect(rule.conditions(.start) == .none)
    #expect(rule.conditions(.resume).alternatives.isEmpty)
    #expect(rule.conditions(.afterSeek) == BufferConditions(allOf: .isKeepingUp))
  }

  private struct Missing: Error {}

  /// A player's own heuristic takes the place of the scenario's, with all its numbers.
  @Test func inheritance() throws {
    func policies(_ shared: String, _ own: String) throws -> KeepUpPolicy {
      let players = #","players":[{"name":"a","heuristic":\#(own)}]"#
      let (scenario, findings) = Self.read(shared, players)
      #expect(findings.isEmpty, "\(findings.map(\.message))")
      return try #require(scenario).world.players[0].keepUp
    }
    let media3 = try #require(Heuristic.named("media3"))
    #expect(try policies(#""mpv""#, #""media3""#) == media3.policy())
    #expect(try policies(#""media3""#, #""avfoundation""#) == KeepUpPolicy())
    var changed = media3.policy()
    changed.safetyMargin = 100_000
    #expect(try policies(#""media3""#, #"{"safetyMargin": 0.1}"#) == changed)
    var framed = media3.policy()
    framed.frameDuration = .seconds(1)
    #expect(try policies(#"{"frameDuration": "1 s"}"#, #""media3""#) == framed)
    let lowered = try policies(#""mpv""#, #"{"rule": "media3", "forwardBufferLimit": "20 s"}"#)
    #expect(lowered.forwardBufferLimit == .seconds(20))
    #expect(lowered.forwardBufferResume == nil)
    let small = try policies(#""mpv""#, #"{"rule": "mpv", "forwardBufferSizeMax": "1 MB"}"#)
    #expect(small.forwardBufferSizes?.sizeMax?.bytes == 1_000_000)
    #expect(small.forwardBufferSizes?.slack == nil)
    let unlimited = try policies(#""mpv""#, #"{"rule": "mpv", "forwardBufferSizeMax": null}"#)
    #expect(unlimited.forwardBufferSizes == nil)
    let freed = try policies(#""mpv""#, #"{"rule": "media3", "forwardBufferLimit": null}"#)
    #expect(freed.forwardBufferLimit == nil)
  }

  @Test(arguments: [
    (#""medai3""#, "'heuristic' has the unknown value 'medai3'", "did you mean 'media3'?"),
    (#"{"rule": "mvp"}"#, "'rule' has the unknown value 'mvp'", "did you mean 'mpv'?"),
    (#"{"rule": "media3", "resum": 1}"#, "unknown key 'resum'", "did you mean 'resume'?"),
    (#"{"rule": "mpv", "start": 1}"#, "unknown key 'start'", nil),
    (#"{"rule": 7}"#, "'rule' must be a word, not a number", nil),
    (#"{"rule": {}}"#, "a rule needs the key 'start'", nil),
    (
      #"{"rule": {"start": "alwys"}}"#,
      #"'start' must be "always", "never", "keepsUp", "loaded", "networkIdle", "networkBusy""#
        + " or an object of conditions, not 'alwys'", "did you mean 'always'?"
    ),
    (#"{"rule": {"start": 7}}"#, "'start' must be a word or an object, not a number", nil),
    (#"{"rule": {"start": {}}}"#, "a condition of a rule needs a measure, 'all' or 'any'", nil),
    (
      #"{"rule": {"start": {"bufered": {">=": 1}}}}"#, "unknown key 'bufered'",
      "did you mean 'buffered'?"
    ),
    (#"{"rule": {"start": {"buffered": "2 s"}}}"#, "'buffered' needs a comparison", nil),
    (#"{"rule": {"start": {"buffered": {}}}}"#, "'buffered' needs a comparison", nil),
    (#"{"rule": {"start": {"buffered": {"==": 1}}}}"#, "unknown key '=='", nil),
    (#"{"rule": {"start": {"stalls": {">": 1.5}}}}"#, "'stalls' must be a whole number", nil),
    (#"{"rule": {"start": {"any": []}}}"#, "'any' has no conditions", nil),
    (#"{"rule": {"start": "always", "checkEvery": 0}}"#, "'checkEvery' must be more than 0", nil),
    (
      #"{"rule": "shaka-4.12", "forwardBufferLimit": "0.5 s"}"#,
      "with a 'forwardBufferLimit' below 'starvesBelow' and a frame playback never begins", nil
    ),
    (
      #"{"rule": "avfoundation", "forwardBufferSizeSlack": "1 MB"}"#,
      "'forwardBufferSizeSlack' needs 'forwardBufferSizeMax' or 'forwardBufferSizeMin'", nil
    ),
    (
      #"{"rule": "mpv", "forwardBufferSizeMax": 1000, "forwardBufferSizeSlack": 1000}"#,
      "'forwardBufferSizeSlack' must be less than the sizes", nil
    ),
    (
      #"{"rule": "mpv", "forwardBufferSizeMax": 0}"#, "'forwardBufferSizeMax' must be", nil
    ),
    (#"{"program": []}"#, "'program' needs the path of a program", nil),
    (#"{"program": "x"}"#, "'program' must be an array, not a string", nil),
    (#"{"program": ["./no.sh"]}"#, "the program './no.sh' does not exist", nil),
    (
      #"{"program": ["./rule.sh"], "rule": "mpv"}"#, "'rule' cannot be combined with 'program'", nil
    ),
    (#"{"program": ["./rule.sh"], "timeout": 0}"#, "'timeout' must be more than 0", nil),
  ])
  func findings(_ heuristic: String, _ message: String, _ note: String?) {
    let findings = Self.read(heuristic).findings
    #expect(
      findings.first?.message.hasPrefix(message) == true, "\(findings.map(\.message))")
    if let note { #expect(findings.first?.notes.contains(note) == true, "\(findings)") }
  }

  /// Conditions that multiply, or nest, have a bound, and reading them takes no time.
  @Test func boundsOnConditions() {
    let pair = #"{"any": ["keepsUp", "loaded"]}"#
    let many = Array(repeating: pair, count: 40).joined(separator: ",")
    let product = Self.read(#"{"rule": {"start": {"all": [\#(many)]}}}"#)
    #expect(product.findings.first?.message == "the conditions of 'start' are too many")
    let long = Array(repeating: "\"keepsUp\"", count: 65).joined(separator: ",")
    let list = Self.read(#"{"rule": {"start": {"any": [\#(long)]}}}"#)
    #expect(list.findings.first?.message == "the conditions of 'start' are too many")
    let deep =
      String(repeating: #"{"all": ["#, count: 40) + "\"always\""
      + String(repeating: "]}", count: 40)
    let nested = Self.read(#"{"rule": {"start": \#(deep)}}"#)
    #expect(nested.findings.first?.message == "the conditions of 'start' are too deep")
  }

  @Test func programs() throws {
    let (scenario, findings) = Self.read(
      #"{"program": ["./rule.sh", "7"], "timeout": "2 s", "askEvery": "0.1 s"}"#)
    #expect(findings.isEmpty)
    let program = try #require(scenario?.programs.first ?? nil)
    #expect(program.words == ["./rule.sh", "7"])
    #expect(program.timeout == .seconds(2))
    #expect(scenario?.inputs.map(\.path) == ["./rule.sh"])
    let policy = try #require(scenario?.world.players[0].keepUp)
    #expect(policy.rule == .external)
    #expect(policy.externalRuleInterval == .milliseconds(100))
    #expect(Self.read("\"mpv\"").scenario?.programs.count == 1)
    let refused = ScenarioReader.read(
      SourceText(
        path: "a.json",
        text: #"{"link":"demo/fast","media":[],"heuristic":{"program":["./rule.sh"]}}"#),
      loader: .none)
    #expect(
      refused.findings.contains { $0.message == "a rule that is a program cannot be started here" })
  }
}
