import Autowait

/// Puts a scenario together from the files that it extends, the changes that a command makes, and
/// what one of its runs varies.
struct ScenarioMerging {
  let findings: Findings
  let loader: FileLoader

  /// What was put together.
  struct Whole {
    let text: MergedText
    /// The name of the run, if the scenario varies.
    var runName: String?
  }

  /// Returns the whole; nil after having reported why there is none.
  ///
  /// A scenario that varies is one scenario for each of its runs, so that one must be named.
  func merged(_ root: JSONValue, _ changes: [ScenarioChange], run: String?) -> Whole? {
    guard let tree = whole(root, changes) else { return nil }
    let path = findings.source.path
    let later = changes.filter { !$0.isOfVary }
    guard let (text, vary) = varied(tree) else {
      if findings.hasErrors { return nil }
      if run != nil {
        let message = "this scenario has no runs to choose from: it has no 'vary'"
        findings.adopt(Finding(.error, message, path: path))
        return nil
      }
      return changed(tree.without(ScenarioKeys.vary.name), later).map {
        Whole(text: MergedText($0, path: path))
      }
    }
    let inner = Findings(text)
    defer { for finding in inner.sorted { findings.adopt(finding) } }
    guard let runs = VaryReader(findings: inner).runs(vary.value),
      let number = number(of: run, in: runs, vary, inner)
    else { return nil }
    guard let own = applied(runs.values(of: number), to: vary.whole, inner) else { return nil }
    return changed(own, later).map {
      Whole(text: MergedText($0, path: path, from: text), runName: runs.names[number])
    }
  }

  /// Returns all that a scenario says, with what it extends and with changes, whatever it varies;
  /// nil after having reported what has no place in it.
  func changed(_ root: JSONValue, _ changes: [ScenarioChange]) -> MergedText? {
    let path = findings.source.path
    return extended(root, findings, chain: [Path.name(of: path)]).flatMap { changed($0, changes) }
      .map { MergedText($0, path: path) }
  }

  /// Returns the names of the runs; nil for a scenario that does not vary, and for one with an
  /// error in what it varies.
  func runNames(_ root: JSONValue, _ changes: [ScenarioChange]) -> [String]? {
    guard let tree = whole(root, changes), let (text, vary) = varied(tree) else { return nil }
    return VaryReader(findings: Findings(text)).runs(vary.value)?.names
  }

  /// Returns all that a scenario says, with what it extends and with what is said to vary instead.
  private func whole(_ root: JSONValue, _ changes: [ScenarioChange]) -> MergedTree? {
    let own = Path.name(of: findings.source.path)
    return extended(root, findings, chain: [own]).flatMap {
      changed($0, changes.filter { $0.isOfVary })
    }
  }

  /// What varies, and the scenario that it stands in.
  private typealias Vary = (value: JSONValue, whole: JSONValue)

  /// Returns the text of a scenario that varies, and what varies in it; nil if nothing does.
  private func varied(_ tree: MergedTree) -> (text: MergedText, vary: Vary)? {
    let key = ScenarioKeys.vary.name
    guard case .object(let members, _) = tree.opened,
      members.contains(where: { $0.key.string == key })
    else { return nil }
    let text = MergedText(tree, path: findings.source.path)
    guard let root = Findings(text).parseJSON(), let value = root.member(key),
      value.kind != .null
    else { return nil }
    return (text, (value, root))
  }

  /// Returns the number of a run; nil after having reported that there is none of the name.
  private func number(
    of run: String?, in runs: VariedRuns, _ vary: Vary, _ inner: Findings
  ) -> Int? {
    let names = runs.names
    let some = NearestWord.quotedList(Array(names.prefix(5)))
    let list = "its runs are: \(some)" + (names.count > 5 ? " and \(names.count - 5) more" : "")
    guard let run else {
      inner.error(
        "this scenario varies: one of its \(names.count) runs must be chosen",
        at: vary.value.opening, notes: [list])
      return nil
    }
    let wanted = RunName.folded(RunName.spelled(run))
    if let number = names.firstIndex(where: { RunName.folded($0) == wanted }) { return number }
    inner.error(
      "there is no run '\(run.excerpt)'", at: vary.value.opening,
      notes: NearestWord.hint(for: run, among: names, orElse: list))
    return nil
  }

  /// Returns the scenario that a run is; nil after having reported what has no place in it.
  private func applied(
    _ values: [VariedValue], to whole: JSONValue, _ inner: Findings
  ) -> MergedTree? {
    var tree = MergedTree.value(whole).without(ScenarioKeys.vary.name)
    // What is put into something comes after what takes its place.
    let changes = values.flatMap { $0.changes }.enumerated().sorted {
      ($0.element.steps.count, $0.offset) < ($1.element.steps.count, $1.offset)
    }
    for (_, change) in changes {
      switch change.applied(to: tree) {
      case .success(let changed): tree = changed
      case .failure(let problem):
        inner.error(problem.message, at: problem.range)
        return nil
      }
    }
    return tree.appending(values.flatMap { $0.expected }, at: ScenarioKeys.expect.name)
  }

  /// Returns a tree with changes of a command; nil after having reported what has no place in it.
  private func changed(_ tree: MergedTree, _ changes: [ScenarioChange]) -> MergedTree? {
    var tree = tree
    for change in changes {
      switch change.applied(to: tree) {
      case .success(let changed): tree = changed
      case .failure(let problem):
        findings.adopt(Finding(.error, problem.message, at: problem.range, in: change.source))
        return nil
      }
    }
    return tree
  }

  /// Returns a scenario merged into the one that it extends.
  ///
  /// The chain has the files that lead here, by their paths from the scenario that is run: all lie
  /// in its root.
  private func extended(
    _ root: JSONValue, _ inner: Findings, chain: [String]
  ) -> MergedTree? {
    guard let value = root.member(ScenarioKeys.extends.name) else { return .value(root) }
    guard let path = value.string else {
      inner.error(
        "'extends' must be the path of a scenario, not \(value.kind.description)", at: value)
      return nil
    }
    let wanted =
      Path.isAbsolute(path)
      ? path : Path.normalized(Path.join(Path.folder(of: chain[chain.count - 1]), path))
    switch loader.load(wanted, findings.source.path) {
    case .failure(let problem):
      inner.error("the scenario '\(path.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let source):
      if chain.contains(wanted) {
        let places = chain.drop { $0 != wanted } + [wanted]
        inner.error(
          "the scenario '\(path.excerpt)' extends itself", at: value,
          notes: ["by way of " + NearestWord.quotedList(Array(places))])
        return nil
      }
      let below = Findings(source)
      defer { for finding in below.sorted { findings.adopt(finding) } }
      guard let base = below.parseJSON() else { return nil }
      guard base.kind == .object, base.member("experiment") == nil else {
        inner.error("the file '\(path.excerpt)' is not a scenario", at: value)
        return nil
      }
      guard let tree = extended(base, below, chain: chain + [wanted]) else { return nil }
      // What an editor needs to know of a file holds for that file alone, and so does it that the
      // file is known to fail.
      return tree.without("$schema").without(ScenarioKeys.xfail.name).merged(with: root)
        .without(ScenarioKeys.extends.name)
    }
  }
}
