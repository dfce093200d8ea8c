import Autowait

/// Puts a scenario together from the files that it extends and the changes that a command makes.
struct ScenarioMerging {
  let findings: Findings
  let loader: FileLoader

  /// Returns the whole; nil after having reported why there is none.
  func merged(_ root: JSONValue, _ changes: [ScenarioChange]) -> MergedText? {
    let own = Path.name(of: findings.source.path)
    guard var tree = extended(root, findings, chain: [own]) else { return nil }
    for change in changes {
      switch change.applied(to: tree) {
      case .success(let changed): tree = changed
      case .failure(let finding):
        findings.adopt(finding)
        return nil
      }
    }
    return MergedText(tree, path: findings.source.path)
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
        inner.error("the file '\(path.excerpt)' is no scenario", at: value)
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
