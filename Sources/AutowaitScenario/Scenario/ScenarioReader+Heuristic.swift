import Autowait

/// Reading heuristics: by name, with other numbers, or as data.
extension ScenarioReader {
  /// Returns what is to be said of a file that is a heuristic.
  package static func checkHeuristic(
    _ source: SourceText, loader: FileLoader, programs: ProgramAcceptance
  ) -> [Finding] {
    let findings = Findings(source)
    guard let root = findings.parseJSON() else { return findings.sorted }
    var reader = ScenarioReader(findings, loader: loader)
    reader.acceptance = programs
    _ = reader.heuristic(root, KeepUpPolicy())
    return findings.sorted
  }

  /// Reads a heuristic: its name, or an object with its parameters.
  mutating func heuristic(_ value: JSONValue?, _ inherited: KeepUpPolicy) -> KeepUpPolicy {
    guard let value else { return inherited }
    if value.kind == .string { return heuristicName(value, inherited) }
    var fields = FieldReader(value, HeuristicKeys.object, findings)
    _ = fields.optional(HeuristicKeys.editorSchema)
    var policy = inherited
    // Those of another player are not kept with another rule.
    if value.member("rule") != nil || value.member("program") != nil { latency = LatencyPolicy() }
    switch (fields.value(HeuristicKeys.rule), fields.value(HeuristicKeys.program)) {
    case (_, let program?): policy = self.program(program, &fields)
    case (let rule?, nil) where rule.kind == .object:
      policy = ownRule(rule)
      policy.frameDuration = inherited.frameDuration
    case (let rule?, nil): policy = named(rule, &fields, inherited)
    case (nil, nil): readMarks(&fields, into: &policy.rule, isNamed: false)
    }
    readNumbers(&fields, into: &policy)
    readLatency(fields.object(HeuristicKeys.latency), into: &latency)
    // Numbers that the named rule has no parameters for are spelled out with it.
    if let last = resolvedHeuristics.indices.last,
      resolvedHeuristics[last].place == value.range.lowerBound
    {
      resolvedHeuristics[last].policy = policy
      resolvedHeuristics[last].latency = latency
    }
    fields.finish()
    checkTarget(policy, fields, value)
    return policy
  }

  /// Reads a name by itself.
  private mutating func heuristicName(
    _ value: JSONValue, _ inherited: KeepUpPolicy
  ) -> KeepUpPolicy {
    if value.isString("buffered") {
      findings.error(
        "the rule 'buffered' needs an object with the key 'start'", at: value,
        notes: [#"as in {"rule": "buffered", "start": "2 s"}"#])
      return inherited
    }
    guard let heuristic = catalogued(value, FieldLabel(key: "heuristic")) else { return inherited }
    latency = heuristic.latency
    if heuristic.isDefault { return inherited.withDefaultRule }
    var policy = heuristic.policy()
    policy.frameDuration = inherited.frameDuration
    noteResolved(heuristic, policy, over: inherited, at: value)
    return policy
  }

  /// Reads a name in an object, with the parameters that stand beside it.
  private mutating func named(
    _ rule: JSONValue, _ fields: inout FieldReader, _ inherited: KeepUpPolicy
  ) -> KeepUpPolicy {
    var policy = inherited
    if rule.isString("buffered") {
      policy.rule = .buffered(start: .zero, resume: .zero)
      readMarks(&fields, into: &policy.rule, isNamed: true)
      return policy
    }
    guard let heuristic = catalogued(rule, FieldLabel(key: "rule")) else {
      // Nobody knows which parameters an unknown rule would have.
      _ = fields.others()
      return inherited
    }
    latency = heuristic.latency
    if heuristic.isDefault { return inherited.withDefaultRule }
    var given: [HeuristicValue] = []
    for parameter in heuristic.parameters {
      guard let value = fields.optional(parameter.key) else { continue }
      given.append(HeuristicValue(parameter.name, value))
    }
    policy = heuristic.policy(given)
    policy.frameDuration = inherited.frameDuration
    if let object = fields.object { noteResolved(heuristic, policy, over: inherited, at: object) }
    return policy
  }

  private func catalogued(_ value: JSONValue, _ label: FieldLabel) -> Heuristic? {
    FieldKind<Heuristic>.word(
      Heuristic.all.map { ($0.name, $0) }, shownBy: "autowait list heuristics"
    ).read(value, label, findings)
  }

  /// Remembers how logs are to spell a heuristic whose numbers a later version may change.
  private mutating func noteResolved(
    _ heuristic: Heuristic, _ policy: KeepUpPolicy, over inherited: KeepUpPolicy,
    at value: JSONValue
  ) {
    resolvedHeuristics.append(
      ResolvedHeuristic(
        place: value.range.lowerBound, name: heuristic.name, policy: policy,
        latency: heuristic.latency, inherited: inherited))
  }

  /// Reads the numbers that all rules have, and replaces what is there.
  private func readNumbers(_ fields: inout FieldReader, into policy: inout KeepUpPolicy) {
    _ = PolicyKeys.all.read(&fields, into: &policy)
    // A slack that came with a higher mark goes with it; one that is given here is an error.
    let sizes = policy.forwardBufferSizes
    policy.forwardBufferSizes = sizes?.normalized
    let key = "forwardBufferSizeSlack"
    if let sizes, sizes.slack != nil, let slack = fields.object?.member(key), slack.kind != .null {
      if sizes.isEmpty {
        fields.error("'\(key)' needs 'forwardBufferSizeMax' or 'forwardBufferSizeMin'", at: key)
      } else if sizes.normalized?.slack == nil {
        fields.error("'\(key)' must be less than the sizes", at: key)
      }
    }
    fields.read(HeuristicKeys.frameDuration, into: &policy.frameDuration)
  }

  /// Reads what passes where nothing is waited for, and replaces what is there.
  func readLatency(_ fields: FieldReader?, into latency: inout LatencyPolicy) {
    guard var spans = fields else { return }
    _ = LatencyKeys.record.members.read(&spans, into: &latency)
    spans.finish()
  }

  /// Tells of numbers with which a player never plays, or that change nothing.
  private func checkTarget(_ policy: KeepUpPolicy, _ fields: FieldReader, _ value: JSONValue) {
    let order = policy.requestOrder
    if order.isSerial, let value = value.member("readAhead"), value.kind != .null {
      findings.warning(
        "'readAhead' changes nothing: with '\(order.word)' there is one request at a time",
        at: value)
    }
    if policy.followingBlock != nil, policy.readStep != nil || policy.readAhead != nil,
      let value = value.member("followingBlock")
    {
      findings.warning(
        "'followingBlock' changes nothing: with 'readStep' or 'readAhead' a segment is read while "
          + "it comes", at: value)
    }
    if let limit = policy.forwardBufferLimit, limit < policy.frameDuration,
      let value = value.member("forwardBufferLimit") ?? value.member("frameDuration")
    {
      findings.warning(
        "with a 'forwardBufferLimit' below 'frameDuration' playback never begins",
        at: value, notes: ["a buffer of less than a frame counts as empty"])
    } else if let limit = policy.forwardBufferLimit,
      limit < policy.starvesBelow + policy.frameDuration
    {
      findings.warning(
        "with a 'forwardBufferLimit' below 'starvesBelow' and a frame playback never begins",
        at: (value.member("forwardBufferLimit") ?? value.member("rule") ?? value).range,
        notes: ["a buffer that starves counts as empty"])
    }
    if let resume = policy.forwardBufferResume {
      if policy.forwardBufferLimit == nil {
        fields.error("'forwardBufferResume' needs 'forwardBufferLimit'", at: "forwardBufferResume")
      } else if let limit = policy.forwardBufferLimit, resume >= limit {
        fields.error(
          "'forwardBufferResume' must be less than 'forwardBufferLimit'",
          at: "forwardBufferResume")
      }
    }
  }

  /// Reads how much media the rule `buffered` asks for.
  private func readMarks(
    _ fields: inout FieldReader, into rule: inout StartupRule, isNamed: Bool
  ) {
    guard case .buffered(let start, let resume) = rule else { return }
    let own =
      isNamed
      ? fields.required(HeuristicKeys.start) : fields.optional(HeuristicKeys.otherStart) ?? start
    let other = fields.optional(HeuristicKeys.resume) ?? (isNamed ? own : resume)
    rule = .buffered(start: own ?? start, resume: other ?? resume)
  }
}

extension Heuristic {
  /// Whether this is the rule that players have without a heuristic.
  fileprivate var isDefault: Bool { name == "avfoundation" }
}

extension KeepUpPolicy {
  /// The policy with the default rule; the numbers of another player's rule are not kept.
  fileprivate var withDefaultRule: KeepUpPolicy {
    switch rule {
    case .linearToEnd: return self
    case .buffered:
      var policy = self
      policy.rule = .linearToEnd
      return policy
    case .conditions, .external:
      var policy = KeepUpPolicy()
      policy.frameDuration = frameDuration
      return policy
    }
  }
}

extension HeuristicParameter {
  /// The key, and how a value is read.
  var key: Key<Int64?> {
    if value == nil, !kind.isOptional { return Key(name, kind.field, about) }
    return Key(name, kind.field, .standard(kind.field.text(of: value)), about)
  }
}

extension HeuristicParameter.Kind {
  /// Whether there may be none.
  fileprivate var isOptional: Bool { self == .optionalTime || self == .optionalSize }

  /// How a value is read and written; nil for none.
  var field: FieldKind<Int64?> {
    switch self {
    case .time:
      .converted(
        from: .positiveMediaTime, { $0.nanoseconds }, back: { MediaTime(nanoseconds: $0 ?? 0) })
    case .optionalTime:
      .converted(
        from: .nullable(.positiveMediaTime), { $0?.nanoseconds },
        back: { $0.map { MediaTime(nanoseconds: $0) } })
    case .size:
      .converted(from: .size, { $0.bytes }, back: { ByteCount(bytes: $0 ?? 0) })
    case .optionalSize:
      .converted(
        from: .nullable(.positiveSize), { $0?.bytes },
        back: { $0.map { ByteCount(bytes: $0) } })
    case .ratio: .converted(from: .ratio(upTo: 10), { $0 }, back: { $0 ?? 0 })
    }
  }
}
