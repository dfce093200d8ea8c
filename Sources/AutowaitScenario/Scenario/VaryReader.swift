import Autowait

/// Reads what a scenario varies.
struct VaryReader {
  let findings: Findings

  /// Reads the runs; nil after having reported why there are none.
  func runs(_ vary: JSONValue) -> VariedRuns? {
    let axes: [[VariedValue]]
    switch vary.kind {
    case .object: axes = matrix(vary)
    case .array: axes = [vary.elements.compactMap { namedRun($0) }]
    case .null, .false, .true, .number, .string:
      findings.error(
        "'vary' must be an object of paths with values, or a list of runs, not "
          + vary.kind.description, at: vary)
      return nil
    }
    if findings.hasErrors { return nil }
    if vary.count == 0 {
      findings.error("'vary' has no runs", at: vary)
      return nil
    }
    var count = 1
    for axis in axes {
      let (next, overflow) = count.multipliedReportingOverflow(by: axis.count)
      if overflow || next > VariedRuns.countMax {
        findings.error(
          "there are more than \(VariedRuns.countMax) runs", at: vary.opening,
          notes: ["an experiment takes more: see 'autowait compare --help'"])
        return nil
      }
      count = next
    }
    checkPaths(axes)
    let runs = VariedRuns(axes)
    checkNames(runs)
    return findings.hasErrors ? nil : runs
  }

  // MARK: Axes

  private func matrix(_ vary: JSONValue) -> [[VariedValue]] {
    var fields = FieldReader(vary, VaryKeys.matrix, findings)
    // The seeds vary where they stand among the others.
    let seeds = fields.value(VaryKeys.seed)
    let others = fields.others()
    fields.finish()
    var axes: [[VariedValue]] = []
    for member in vary.members {
      if let seeds, member.key.isString(VaryKeys.seed.name) {
        if member.value.range == seeds.range { axes.append(self.seeds(seeds)) }
      } else if others.contains(where: { $0.key.range == member.key.range }) {
        axes.append(axis(member))
      }
    }
    return axes
  }

  private func seeds(_ value: JSONValue) -> [VariedValue] {
    guard let list = SeedList.read(value, countMax: VariedRuns.countMax, findings) else {
      return []
    }
    if list.count > VariedRuns.countMax {
      findings.error("there are more than \(VariedRuns.countMax) seeds", at: value)
      return []
    }
    return (0..<list.count).map { place in
      let seed = list[place]
      let change = ScenarioChange(
        source: value.source, steps: [(.key(ScenarioKeys.seed.name), value.range)],
        value: .given("\(seed)", value.source, value.range))
      return VariedValue(name: "seed-\(seed)", place: value, changes: [change])
    }
  }

  /// Reads the values of a path.
  private func axis(_ member: JSONMember) -> [VariedValue] {
    let key = member.key.string ?? ""
    let elements = member.value.kind == .array ? Array(member.value.elements) : [member.value]
    if elements.isEmpty {
      findings.error("'\(key.excerpt)' has no values", at: member.value)
      return []
    }
    var steps: [ScenarioChange.PlacedStep]?
    return elements.compactMap { element in
      if element.kind == .object, element.member(VariedRunKeys.set.name) != nil {
        return namedRun(element)
      }
      // A key above values that have paths of their own is only a heading.
      if steps == nil {
        guard let read = self.steps(member.key) else { return nil }
        steps = read
      }
      guard let steps, !steps.isEmpty else { return nil }
      return value(element, at: steps)
    }
  }

  /// Reads a path; nil after having reported why it is none.
  private func steps(_ key: JSONValue) -> [ScenarioChange.PlacedStep]? {
    switch ScenarioChange.steps(of: Array((key.string ?? "").utf8)) {
    case .failure(let problem):
      findings.error(problem.message, at: key, notes: ScenarioChange.pathNotes)
      return nil
    case .success(let steps):
      if case .key(let first)? = steps.first?.step,
        [ScenarioKeys.extends.name, ScenarioKeys.vary.name].contains(first)
      {
        findings.error("'\(first)' cannot vary", at: key)
        return nil
      }
      return steps.map { ($0.step, key.range) }
    }
  }

  /// Reads a value that stands by itself; it is called by its text or by its own name.
  private func value(
    _ value: JSONValue, at steps: [ScenarioChange.PlacedStep]
  ) -> VariedValue? {
    guard let own = text(of: value) else {
      let what = value.kind == .array ? "a list" : "an object"
      findings.error(
        "\(what) that varies needs a name, by which its run is called", at: value.opening,
        notes: [
          value.kind == .array
            ? "as in {\"name\": \"short\", \"set\": {\"PATH\": [ … ]}}"
            : "as in {\"name\": \"short\", … }"
        ])
      return nil
    }
    guard case .key(let last)? = steps.last(where: { $0.step.isKey })?.step else { return nil }
    // What is known by a name says enough; a number says nothing without its key.
    let isName = steps.count == 1 && ["link", "heuristic", "media"].contains(last)
    let name = isName || value.kind == .object ? own : "\(last)-\(own)"
    var tree = MergedTree.value(value)
    // A link has a name of its own; of all else only the run is called so.
    if last != ScenarioKeys.link.name { tree = tree.without(VariedRunKeys.name.name) }
    let change = ScenarioChange(source: value.source, steps: steps, value: tree)
    return named(name, value, [change])
  }

  /// The text by which a value is called; nil for what has none.
  private func text(of value: JSONValue) -> String? {
    switch value.kind {
    case .string: value.string
    case .number: String(decoding: value.source.bytes[value.range], as: UTF8.self)
    case .true: "true"
    case .false: "false"
    case .null: "null"
    case .object: value.member(VariedRunKeys.name.name)?.string
    case .array: nil
    }
  }

  /// Reads a run that has a name, or a value that changes more than one path.
  private func namedRun(_ value: JSONValue) -> VariedValue? {
    var fields = FieldReader(value, VariedRunKeys.object, findings)
    let name = fields.required(VariedRunKeys.name)
    let set = fields.object(VariedRunKeys.set)
    let expected = Array(fields.elements(VariedRunKeys.expect))
    var changes: [ScenarioChange] = []
    if fields.optional(VariedRunKeys.xfail) != nil, let reason = value.member("xfail") {
      changes.append(
        ScenarioChange(
          source: reason.source, steps: [(.key(ScenarioKeys.xfail.name), reason.range)],
          value: .value(reason)))
    }
    fields.finish()
    if var set {
      for member in set.others() {
        guard let steps = steps(member.key) else { continue }
        changes.append(
          ScenarioChange(
            source: member.value.source, steps: steps, value: .value(member.value)))
      }
      set.finish()
    }
    guard let name, let named = named(name, value, changes) else { return nil }
    return VariedValue(
      name: named.name, place: named.place, changes: named.changes, expected: expected)
  }

  private func named(
    _ text: String, _ value: JSONValue, _ changes: [ScenarioChange]
  ) -> VariedValue? {
    let name = RunName.spelled(text)
    if name.isEmpty {
      findings.error(
        "this cannot be the name of a run: a name has ASCII letters or digits", at: value.start)
      return nil
    }
    return VariedValue(name: name, place: value, changes: changes)
  }

  // MARK: What cannot be

  /// Reports a path that two axes set: one of them would be for nothing.
  private func checkPaths(_ axes: [[VariedValue]]) {
    var taken: [(path: [ScenarioChange.Step], axis: Int)] = []
    for (number, axis) in axes.enumerated() {
      for change in axis.flatMap({ $0.changes }) {
        let path = change.steps.map { $0.step }
        if let other = taken.first(where: { $0.path == path }) {
          if other.axis == number { continue }
          let name = ScenarioChange.text(of: path)
          findings.error(
            "'\(name.excerpt)' varies already, above", at: change.steps[0].range)
          return
        }
        taken.append((path, number))
      }
    }
  }

  /// Reports runs that could not be told apart.
  private func checkNames(_ runs: VariedRuns) {
    for axis in runs.axes {
      var seen: [String: Int] = [:]
      for (place, value) in axis.enumerated() {
        guard seen.updateValue(place, forKey: RunName.folded(value.name)) != nil else { continue }
        return reportSame(value.name, value.place)
      }
    }
    var seen: [String: Int] = [:]
    for (number, name) in runs.names.enumerated() {
      let place = runs.values(of: number).last?.place
      if name.utf8.count > RunName.lengthMax {
        if let place {
          findings.error(
            "a run's name would have \(name.utf8.count) letters; \(RunName.lengthMax) are the most",
            at: place.start, notes: ["'\(name.excerpt)'"] + Self.nameNotes)
        }
        return
      }
      if seen.updateValue(number, forKey: RunName.folded(name)) != nil, let place {
        return reportSame(name, place)
      }
    }
  }

  private func reportSame(_ name: String, _ place: JSONValue) {
    findings.error(
      "two runs are called '\(name)'", at: place.start, notes: Self.nameNotes)
  }

  private static let nameNotes = [
    "values get names of their own as in {\"name\": \"short\", \"set\": {\"PATH\": VALUE}}"
  ]
}

extension JSONValue {
  /// Where a message about the value points: at all of what is short.
  fileprivate var start: Range<Int> { kind == .object || kind == .array ? opening : range }
}
