import Autowait

/// Reads scenario files: one pass, all findings, a scenario only if there is no error.
package struct ScenarioReader {
  let findings: Findings
  let loader: FileLoader
  var links: LinkReader
  var playerNames: [String] = []
  var players: [PlayerConfiguration] = []
  /// The names that steps were given, with their numbers.
  var namedSteps: [(word: String, meaning: Int)] = []
  /// What the players' items are called.
  var itemNames: [ItemNames] = []
  /// Whether media could not be read, so that others do not have the numbers that they should.
  var hasLostMedia = false
  /// The players' items, by number.
  var items: [[ReadItem]] = []
  /// The streams on disk that are small enough for logs, with the places where they are named.
  var hlsFolders: [(place: Int, stream: StreamReading)] = []
  /// The movie files on disk, with the places where they are named.
  var movieFiles: [(place: Int, media: Media)] = []
  /// The heuristics that are named, with the places where they are, for logs to spell out.
  var resolvedHeuristics: [ResolvedHeuristic] = []
  /// The latencies of the heuristic read last, or of what it stands over.
  var latency = LatencyPolicy()
  /// The program that the heuristic read last names, and those of all players.
  var program: ExternalProgram?
  var programs: [ExternalProgram?] = []
  /// Whether rules may be programs.
  var acceptance = ProgramAcceptance.nobodyStarts
  /// The items read so far.
  var itemCount = 0
  /// The numbers drawn for media.
  var mediaDraws: Int64 = 0
  private var lints = false
  /// Whether others use the network, too.
  var hasTraffic = false
  /// The links that the log spells out so far.
  let spelled = SpelledLinks()
  /// What is expected, with the places where it stands.
  var expected: [(kind: Expectation.Kind, value: JSONValue)] = []
  /// What steps of the script wait for.
  var awaited: [AwaitedTrigger] = []
  /// The layers that the script attaches and detaches, in the order of the file.
  var layers: [(player: Int, isAttached: Bool)] = []

  init(_ findings: Findings, loader: FileLoader) {
    self.findings = findings
    self.loader = loader
    links = LinkReader(findings, loader: loader, seed: 0)
  }

  /// How a scenario is read.
  private struct Manner {
    let loader: FileLoader
    var seed: UInt64?
    var programs: ProgramAcceptance
    var lints = false
    /// What is changed before anything is read, in what the file says and in what it extends.
    var changes: [ScenarioChange] = []
    /// The name of the run, of a file that varies.
    var run: String?
  }

  /// Reads a scenario; with an error among the findings there is none.
  ///
  /// The seed of the file can be replaced, to run a scenario again under another one.
  ///
  /// Rules may only be programs where somebody is there who starts them.
  ///
  /// With lints the findings also tell of links that are valid, but probably not intended.
  package static func read(
    _ source: SourceText, loader: FileLoader, seed: UInt64? = nil, lints: Bool = false,
    programs: ProgramAcceptance = .nobodyStarts
  ) -> (scenario: Scenario?, findings: [Finding]) {
    read(source, Manner(loader: loader, seed: seed, programs: programs, lints: lints))
  }

  /// What is made of a file: one of its runs, with changes, and under another seed.
  package struct Variation: Sendable {
    /// The name of the run, of a file that varies.
    package var run: String?
    /// The changes, which come last.
    package var changes: [ScenarioChange]
    /// The seed; nil for that of the file.
    package var seed: UInt64?

    /// Creates a variation.
    package init(run: String? = nil, changes: [ScenarioChange] = [], seed: UInt64? = nil) {
      (self.run, self.changes, self.seed) = (run, changes, seed)
    }
  }

  /// Reads a run of a scenario, with changes, which are made before anything is read.
  package static func read(
    _ source: SourceText, _ variation: Variation, loader: FileLoader, lints: Bool = false,
    programs: ProgramAcceptance
  ) -> (scenario: Scenario?, findings: [Finding]) {
    read(
      source,
      Manner(
        loader: loader, seed: variation.seed, programs: programs, lints: lints,
        changes: variation.changes, run: variation.run))
  }

  /// Returns the names of the runs that a file makes; nil if it does not vary, and if it cannot be
  /// read so far.
  package static func runNames(
    _ source: SourceText, changes: [ScenarioChange] = [], loader: FileLoader
  ) -> [String]? {
    // Most files do not vary, and are told by the lack of the words alone; a key may be escaped.
    let words = [ScenarioKeys.vary.name, ScenarioKeys.extends.name, "\\u"]
    guard !changes.isEmpty || words.contains(where: { source.mentions($0) }) else { return nil }
    let findings = Findings(source)
    guard let root = findings.parseJSON(), root.kind == .object,
      root.member("experiment") == nil || root.member("autowait") != nil
    else { return nil }
    return ScenarioMerging(findings: findings, loader: loader).runNames(root, changes)
  }

  /// Returns a scenario, as the root of its file, with what it extends and with changes in it; nil
  /// after having reported what has no place in it.
  package static func changed(
    _ root: JSONValue, _ changes: [ScenarioChange], _ findings: Findings, loader: FileLoader
  ) -> MergedText? {
    ScenarioMerging(findings: findings, loader: loader).changed(root, changes)
  }

  /// Returns the text of a scenario that says all by itself: with what it extends, with changes,
  /// and as one of its runs; nil if it cannot be put together.
  package static func whole(
    _ source: SourceText, _ variation: Variation, loader: FileLoader
  ) -> SourceText? {
    let findings = Findings(source)
    guard let root = findings.parseJSON(), root.kind == .object else { return nil }
    let manner = Manner(
      loader: loader, programs: .nobodyStarts, changes: variation.changes, run: variation.run)
    if !isPutTogether(root, manner) { return source }
    return ScenarioMerging(findings: findings, loader: loader)
      .merged(root, variation.changes, run: variation.run)?.text.source
  }

  private static func read(
    _ source: SourceText, _ manner: Manner
  ) -> (scenario: Scenario?, findings: [Finding]) {
    var findings = Findings(source)
    var root = findings.parseJSON()
    var runName: String?
    if let own = root, own.kind == .object, isPutTogether(own, manner) {
      let merging = ScenarioMerging(findings: findings, loader: manner.loader)
      guard let merged = merging.merged(own, manner.changes, run: manner.run) else {
        return (nil, findings.sorted)
      }
      findings = Findings(merged.text)
      runName = merged.runName
      root = findings.parseJSON()
    }
    guard let root else { return (nil, findings.sorted) }
    var reader = ScenarioReader(findings, loader: manner.loader)
    reader.lints = manner.lints
    reader.acceptance = manner.programs
    var scenario = reader.scenario(root, seed: manner.seed)
    scenario?.runName = runName
    return (findings.hasErrors ? nil : scenario, findings.sorted)
  }

  /// Whether more than the text of a file says what its scenario is.
  private static func isPutTogether(_ root: JSONValue, _ manner: Manner) -> Bool {
    // An experiment has a key of this name too; that it is none is told below.
    let isExperiment = root.member("experiment") != nil && root.member("autowait") == nil
    let varies = root.member(ScenarioKeys.vary.name) != nil && !isExperiment
    return root.member(ScenarioKeys.extends.name) != nil || varies || manner.run != nil
      || !manner.changes.isEmpty
  }

  /// Returns whether a text is a JSON object that calls itself a scenario.
  package static func isScenario(_ source: SourceText) -> Bool {
    guard let root = Findings(source).parseJSON(), root.kind == .object else { return false }
    return root.member("autowait") != nil
  }

  /// Reports a file that is an experiment.
  ///
  /// Else each of its keys would be told as unknown, and none of that would help.
  private func isExperiment(_ root: JSONValue) -> Bool {
    guard let mark = root.member("experiment"), root.member("autowait") == nil else { return false }
    findings.error(
      "this is an experiment, not a scenario", at: mark,
      notes: [
        "'autowait compare' runs experiments, and 'autowait run' with '--session' one session"
      ])
    return true
  }

  private mutating func scenario(_ root: JSONValue, seed replaced: UInt64?) -> Scenario? {
    if isExperiment(root) { return nil }
    var fields = FieldReader(root, ScenarioKeys.object, findings)
    _ = fields.optional(ScenarioKeys.schema)
    if let version = fields.optional(ScenarioKeys.autowait), version != 1 {
      fields.error(
        "this is version \(version) of the format; the simulator reads version 1", at: "autowait")
    }
    let name = fields.optional(ScenarioKeys.name) ?? findings.source.path
    let about = fields.optional(ScenarioKeys.about) ?? ""
    // What it extends is part of it by now, and so is what this run varies.
    _ = fields.value(ScenarioKeys.extends)
    _ = fields.value(ScenarioKeys.vary)
    let own = fields.value(of: ScenarioKeys.seed)
    let seed = replaced ?? UInt64(own)
    let tags = fields.optional(ScenarioKeys.tags) ?? []
    let reason = fields.optional(ScenarioKeys.xfail)
    links = LinkReader(findings, loader: loader, seed: seed)
    let link = fields.value(ScenarioKeys.link)
    if fields.object != nil, link == nil { report(missing: "link", root) }
    readPlayers(&fields, root)
    // How much of a trace is needed depends on the players, and on what is only read below.
    var aside = FieldReader(root, ScenarioKeys.object, Findings(findings.source))
    links.traceUntil = horizon(aside.optional(ScenarioKeys.until)) - .start
    let changes = link.map { links.world($0) } ?? []
    leadToHosts()
    hasTraffic = root.member("traffic") != nil
    let steps = script(&fields)
    var expectations = self.expectations(&fields)
    let written = fields.value(ScenarioKeys.transport)
    let transport = links.transport(written, at: root.member("link"))
    let traffic = self.traffic(&fields)
    let until = fields.optional(ScenarioKeys.until)
    let eventsMax = fields.value(of: ScenarioKeys.eventsMax)
    fields.finish()
    if links.conditions.isEmpty || findings.hasErrors { return nil }
    if lints { links.lint(transport, written: written) }
    let horizon = horizon(until)
    let profiles = links.finish(horizon: horizon)
    if findings.hasErrors { return nil }
    var world = World(
      seed: seed, links: profiles, players: players, script: steps.map { $0.step }, horizon: horizon
    )
    world.linkChanges = changes
    world.transport = transport.policy
    world.tier = transport.tier
    world.draws = links.draws + mediaDraws
    world.traffic = traffic
    world.hostLinks = hostLinks
    world.eventsMax = Int(eventsMax)
    Metric.measure(expectations.lazy.compactMap { $0.kind.metric }, in: &world)
    if let link { warnOfTier(world, at: link) }
    checkTriggers(world)
    for (index, reason) in checkExpectations(world).enumerated() {
      expectations[index].impossible = reason
    }
    return Scenario(
      path: findings.source.path, name: name, about: about, world: world,
      drawing: drawing(horizon: horizon), expectations: expectations, playerNames: playerNames,
      linkNames: links.names,
      traceKinds: links.conditions.map { $0.traceKind }, hosts: links.hosts,
      itemNames: itemNames.map { $0.names },
      streamNames: items.map { $0.map { $0.names } },
      hostNames: items.map { $0.map { HostNames(media: $0.host, keys: $0.keyHost ?? $0.host) } },
      stepNames: steps.map { $0.name }, programs: programs,
      resolved: resolved(root, seed: replaced), inputs: links.inputs, tags: tags,
      expectedFailure: reason.map { ExpectedFailure(reason: $0, line: line(of: "xfail", root)) })
  }

  private func line(of key: String, _ object: JSONValue) -> Int {
    object.member(key).map { findings.position(of: $0.range.lowerBound).line } ?? 1
  }

  /// When a run ends that does not end by itself: ten minutes after four times all its media.
  private func horizon(_ until: TimeSpan?) -> Instant {
    if let until { return .start + until }
    let limit = Limits.timeMax.nanoseconds
    let longest = players.reduce(Int64(0)) { longest, player in
      max(longest, player.media.reduce(0) { min(limit, $0 + $1.duration.nanoseconds) })
    }
    let (four, overflow) = longest.multipliedReportingOverflow(by: 4)
    return Instant(nanoseconds: overflow ? limit : min(limit, four + 600_000_000_000))
  }

  func report(missing key: String, _ object: JSONValue) {
    findings.error("a scenario needs the key '\(key)'", missing: [key], in: object)
  }

  /// Returns the number of the player that a key names; the only player if none is named.
  func player(_ fields: inout FieldReader) -> Int {
    guard let value = fields.value("player") else { return 0 }
    guard let name = value.string else {
      fields.error("'player' must be the name of a player", at: "player")
      return 0
    }
    if let index = playerNames.firstIndex(of: name) { return index }
    fields.error(
      "there is no player '\(name)'", at: "player",
      notes: NearestWord.notes(for: name, among: playerNames, list: "the players are: "))
    return 0
  }
}

extension SourceText {
  /// Returns whether some bytes of the text are those of a word.
  fileprivate func mentions(_ word: String) -> Bool {
    let word = Array(word.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start + word.count <= bytes.count {
        var length = 0
        while length < word.count, bytes[start + length] == word[length] { length += 1 }
        if length == word.count { return true }
        start += 1
      }
      return false
    }
  }
}
