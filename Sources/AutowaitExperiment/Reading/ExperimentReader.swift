import Autowait
import AutowaitScenario

/// Reads experiments: one pass, all findings, a plan only if there is no error.
package struct ExperimentReader {
  let findings: Findings
  let files: ExperimentFiles
  /// The paths among the values.
  var variedPaths: [String] = []
  /// What is changed in the base before anything is read.
  let changes: [ScenarioChange]
  /// The base with the changes in it, if there are some.
  private var changedBase: MergedText?

  private init(_ source: SourceText, files: ExperimentFiles, changes: [ScenarioChange]) {
    findings = Findings(source)
    self.files = files
    self.changes = changes
  }

  /// Reads an experiment; with an error among the findings there is no plan.
  ///
  /// The seeds can be replaced by so many in a row, from 1 on, and the base can be changed.
  package static func read(
    _ source: SourceText, files: ExperimentFiles, seedCount: Int? = nil,
    changes: [ScenarioChange] = []
  ) -> (plan: ExperimentPlan?, findings: [Finding]) {
    var reader = ExperimentReader(source, files: files, changes: changes)
    let plan = reader.findings.parseJSON().flatMap { reader.plan($0, seedCount: seedCount) }
    var all = reader.findings.sorted
    if var plan, !reader.findings.hasErrors {
      // The scenarios are read as runs will read them, a value of each axis after the other.
      let trial = ScenarioTrial.read(plan, files: files)
      all += trial.findings
      if all.contains(where: { $0.severity == .error }) { return (nil, all) }
      plan.expect(trial.expectations)
      return (plan, all)
    }
    return (nil, all)
  }

  /// Returns whether a text is a JSON object that calls itself an experiment.
  package static func isExperiment(_ source: SourceText) -> Bool {
    guard let root = Findings(source).parseJSON(), root.kind == .object else { return false }
    return root.member("experiment") != nil
  }

  private mutating func plan(_ root: JSONValue, seedCount: Int?) -> ExperimentPlan? {
    if let mark = root.member("autowait"), root.member("experiment") == nil {
      findings.error(
        "this is a scenario, not an experiment", at: mark,
        notes: ["'autowait run' plays scenarios; an experiment names one as its 'base'"])
      return nil
    }
    var fields = FieldReader(root, ExperimentKeys.object, findings)
    _ = fields.optional(ExperimentKeys.schema)
    if let version = fields.required(ExperimentKeys.experiment),
      version != ExperimentPlan.formatVersion
    {
      fields.error(
        "this is version \(version) of the format; the simulator reads version 1",
        at: "experiment")
    }
    let name = fields.optional(ExperimentKeys.name) ?? findings.source.path
    let about = fields.optional(ExperimentKeys.about) ?? ""
    let base = fields.value(ExperimentKeys.base).flatMap { self.base($0) }
    if fields.object != nil, root.member("base") == nil {
      findings.error("an experiment needs the key 'base', a scenario", missing: ["base"], in: root)
    }
    var axes: [Axis] = []
    var listed: SeedList?
    if let value = fields.value(ExperimentKeys.vary) {
      axes = self.axes(value, base, seeds: &listed)
    }
    let named = fields.optional(ExperimentKeys.metrics) ?? []
    let margin = fields.value(of: ExperimentKeys.margin)
    let stop = fields.object(ExperimentKeys.stop).flatMap { self.stop($0) }
    let yardstick = self.yardstick(&fields)
    let baselineName = fields.optional(ExperimentKeys.baseline)
    let drafts = thresholds(fields.elements(ExperimentKeys.thresholds))
    fields.finish()
    checkChanges(axes, hasSeeds: listed != nil || seedCount != nil)
    guard let base, !findings.hasErrors else { return nil }
    let seeds = seedCount.map { SeedList.row(first: 1, count: $0) } ?? listed ?? self.seed(of: base)
    var digest = Fingerprint()
    digest.mix(bytes: findings.source.bytes)
    digest.mix(bytes: Array(base.source.bytes[base.range]))
    digest.mix(UInt64(seeds.count), seeds[0], UInt64(seedCount ?? 0), 0)
    var plan = ExperimentPlan(
      path: findings.source.path, name: name, about: about,
      contestantAxes: axes.filter { $0.isCompared }, worldAxes: axes.filter { !$0.isCompared },
      seeds: seeds, metrics: metrics(named, drafts), baseline: 0, margin: margin,
      stop: stop, yardstick: yardstick, digest: digest.value, base: base,
      variedPaths: variedPaths)
    checkSize(plan, root)
    if findings.hasErrors { return nil }
    if let baselineName {
      guard let number = contestant(baselineName, of: plan, root) else { return nil }
      plan = plan.with(baseline: number)
    }
    plan.seedCount = seedCount
    plan.changedBase = changedBase
    plan.changes = changes.map { $0.text }
    plan.thresholds = resolved(drafts, plan)
    return findings.hasErrors ? nil : plan
  }

  /// The metrics that rows have besides those that all have: those asked for, and those that
  /// thresholds are about.
  private func metrics(_ named: [Metric], _ drafts: [ThresholdDraft]) -> [Metric] {
    var metrics = named.filter { !$0.isInEveryRow }
    for draft in drafts {
      guard case .metric(let metric)? = draft.threshold.figure, !metric.isInEveryRow,
        !metrics.contains(metric)
      else { continue }
      metrics.append(metric)
    }
    return metrics
  }

  /// The seed of the base, which stands for a list that is left out.
  private func seed(of base: JSONValue) -> SeedList {
    var fields = FieldReader(base, "a scenario", Findings(base.source))
    let number = fields.optional("seed", .integer()) ?? 0
    return .listed([UInt64(number)])
  }

  /// Reads the scenario that all sessions begin with: an object, or the path of a file.
  private mutating func base(_ value: JSONValue) -> JSONValue? {
    if value.kind == .object { return changed(value, findings) }
    guard let path = value.string else {
      findings.error("'base' must be a scenario or the path of one", at: value)
      return nil
    }
    switch files.loader.load(path, findings.source.path) {
    case .failure(let problem):
      findings.error("the base '\(path)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      let inner = Findings(source)
      guard let root = inner.parseJSON(), root.kind == .object else {
        findings.error(
          "the base '\(path)' is not a JSON object", at: value,
          notes: inner.sorted.prefix(1).map { "\($0.path):\($0.line):\($0.column): \($0.message)" })
        return nil
      }
      let base = changed(root, inner)
      for finding in inner.sorted { findings.adopt(finding) }
      return base
    }
  }

  /// Returns the base with the changes in it; nil after having reported what has no place there.
  private mutating func changed(_ base: JSONValue, _ findings: Findings) -> JSONValue? {
    if changes.isEmpty {
      refuseVary(in: base, findings)
      return base
    }
    // What the base extends is put in its place first: a change may lead into it.
    let text = ScenarioReader.changed(base, changes, findings, loader: files.loader)
    guard let text else { return nil }
    let whole = Findings(text)
    let root = whole.parseJSON()
    if let root { refuseVary(in: root, whole) }
    for finding in whole.sorted { findings.adopt(finding) }
    changedBase = text
    return root
  }

  /// Refuses changes in the place of which the experiment puts something else: they would change
  /// nothing.
  private func checkChanges(_ axes: [Axis], hasSeeds: Bool) {
    var varied = axes.map { (path: $0.path, key: $0.key) }
    if hasSeeds { varied.append((path: ["seed"], key: "seed")) }
    for change in changes {
      let keys = change.keys
      guard let axis = varied.first(where: { keys.starts(with: $0.path) })
      else { continue }
      findings.adopt(
        change.pathError(
          "this has no effect: the experiment varies '\(axis.key)'",
          notes: ["a change sets a value of the base, and what varies replaces that value"]))
    }
  }

  /// An experiment runs one scenario with what it varies itself.
  private func refuseVary(in base: JSONValue, _ findings: Findings) {
    guard let vary = base.member("vary"), vary.kind != .null else { return }
    findings.error(
      "the base of an experiment cannot vary", at: vary.opening,
      notes: ["what varies belongs in the 'vary' of the experiment"])
  }

  private func stop(_ fields: FieldReader) -> StopRule? {
    var fields = fields
    let width = fields.required(StopKeys.halfWidth)
    let block = fields.value(of: StopKeys.every)
    fields.finish()
    return width.map { StopRule(halfWidth: $0.nanoseconds, block: Int(block)) }
  }

  private func yardstick(_ fields: inout FieldReader) -> YardstickKind? {
    guard let value = fields.value(ExperimentKeys.yardstick) else { return .unlimited }
    if value.bool == false { return nil }
    if value.bool == true { return .unlimited }
    return fields.optional("yardstick", .word(of: YardstickKind.self))
  }

  /// Refuses what could not be kept, and counts that no number holds.
  private func checkSize(_ plan: ExperimentPlan, _ root: JSONValue) {
    let place = root.member("vary") ?? root
    func product(_ counts: [Int], _ limit: Int, _ what: String) {
      var total = 1
      for count in counts {
        let (next, overflow) = total.multipliedReportingOverflow(by: count)
        if overflow || next > limit {
          findings.error("there are more than \(limit) \(what)", at: place.opening)
          return
        }
        total = next
      }
    }
    let contestants = plan.contestantAxes.map { $0.values.count }
    let worlds = plan.worldAxes.map { $0.values.count }
    product(contestants, ExperimentPlan.contestantsMax, "contestants")
    product(worlds, ExperimentPlan.worldsMax, "worlds")
    let links = plan.worldAxes.filter { $0.key == "link" }.map { $0.values.count }
    if findings.hasErrors { return }
    product(contestants + links, ExperimentPlan.pairsMax, "pairs of a contestant and a link")
    if findings.hasErrors { return }
    product(contestants + worlds + [plan.seeds.count], ExperimentPlan.sessionsMax, "sessions")
  }

  private func contestant(_ name: String, of plan: ExperimentPlan, _ root: JSONValue) -> Int? {
    let names = plan.contestantNames
    if let number = names.firstIndex(of: name) { return number }
    guard let value = root.member("baseline") else { return nil }
    findings.error(
      "there is no contestant '\(name)'", at: value,
      notes: NearestWord.notes(for: name, among: names, list: "the contestants are: "))
    return nil
  }
}

extension ExperimentPlan {
  /// Takes over what the base expects, with the places where that stands.
  fileprivate mutating func expect(_ expectations: [Expectation]) {
    let elements = base.member("expect").map { Array($0.elements) } ?? []
    let places = elements.count == expectations.count ? elements : []
    for (number, expectation) in expectations.enumerated() where expectation.level == .error {
      var place: BaseExpectation.Place?
      if !places.isEmpty {
        let value = places[number]
        place = changedBase?.origin(of: value.opening) ?? (value.source, value.opening)
      }
      expected.append(BaseExpectation(text: expectation.text, place: place))
    }
  }

  /// Returns the plan with another baseline.
  func with(baseline: Int) -> ExperimentPlan {
    var plan = self
    plan.baseline = baseline
    return plan
  }

  /// Returns the plan with other contestants, the first of which is the baseline.
  func with(contestantAxes: [Axis]) -> ExperimentPlan {
    var plan = self
    plan.contestantAxes = contestantAxes
    plan.baseline = 0
    return plan
  }
}
