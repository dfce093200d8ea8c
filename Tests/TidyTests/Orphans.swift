/// Files that nothing leads to.
enum Orphans {
  /// What may stand at the top of the repository, besides files whose name begins with a dot.
  static let topLevel = ["Package.swift", "Sources", "Tests", "Scenarios", "README.md"]

  /// Finds entries that do not belong at the top of the repository.
  static func checkTopLevel(_ paths: [String]) -> [Violation] {
    let entries = Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    return entries.filter { !$0.hasPrefix(".") && !topLevel.contains($0) }.sorted().map {
      let message = "the top level holds only \(topLevel.joined(separator: ", ")) and dotfiles"
      return Violation(path: $0, line: 1, message: message)
    }
  }

  /// Finds Swift files of which no other file names a thing.
  ///
  /// A file where a program or a test begins needs no other, and neither does one that extends a
  /// type of another file.
  static func checkSwift(_ sources: [Source]) -> [Violation] {
    let files = sources.filter { $0.language == .swift }.map { ($0, Declarations(of: $0)) }
    let offered = files.map { $1.types.union($1.extensionTypes).union($1.values) }
    let candidates = offered.reduce(into: Set<String>()) { $0.formUnion($1) }
    var users: [String: Int] = [:]
    for (source, _) in files {
      var named: Set<String> = []
      for token in source.tokens where token.kind == .word && candidates.contains(token.text) {
        named.insert(token.text)
      }
      for name in named { users[name, default: 0] += 1 }
    }
    return zip(files, offered).compactMap { file, names in
      let (source, declarations) = file
      if declarations.isEntry { return nil }
      if !declarations.extended.subtracting(declarations.types).isEmpty { return nil }
      if names.contains(where: { users[$0, default: 0] > 1 }) { return nil }
      let message =
        names.isEmpty
        ? "the file declares nothing that another file could name"
        : "no other file names \(names.sorted().joined(separator: ", "))"
      return Violation(path: source.path, line: 1, message: message)
    }
  }

  /// Finds golden logs without their scenario, and scenarios without their golden log.
  ///
  /// A scenario that varies has one for each run: `x.RUN.expected.log`.
  static func checkScenarios(_ sources: [Source]) -> [Violation] {
    let (scenario, golden) = (".json", ".expected.log")
    let files = sources.filter { $0.components.first == "Scenarios" }
    let paths = Set(files.map(\.path))
    let varied = Set(
      files.filter { $0.path.hasSuffix(scenario) && varies($0) }.map {
        String($0.path.dropLast(scenario.count))
      })
    var withRuns: Set<String> = []
    for file in files where file.path.hasSuffix(golden) {
      let stem = file.path.dropLast(golden.count)
      withRuns.formUnion(varied.filter { stem.hasPrefix("\($0).") })
    }
    return files.compactMap { source in
      if source.path.hasSuffix(golden) {
        let stem = source.path.dropLast(golden.count)
        let wanted = stem + scenario
        let isOfRun = varied.contains { stem.hasPrefix("\($0).") }
        let isAlone = paths.contains(String(wanted)) && !varied.contains(String(stem))
        if isOfRun || isAlone { return nil }
        return Violation(path: source.path, line: 1, message: "its scenario \(wanted) is missing")
      }
      guard source.path.hasSuffix(scenario), isScenario(source) else { return nil }
      let stem = String(source.path.dropLast(scenario.count))
      if varied.contains(stem) && withRuns.contains(stem) { return nil }
      // What a known bug does is never recorded.
      if source.text.contains("\"xfail\"") && !varied.contains(stem) { return nil }
      let wanted = stem + (varied.contains(stem) ? ".RUN" : "") + golden
      if paths.contains(wanted) { return nil }
      return Violation(path: source.path, line: 1, message: "its golden log \(wanted) is missing")
    }
  }

  /// Whether a scenario has several runs.
  private static func varies(_ source: Source) -> Bool {
    isScenario(source) && source.text.contains("\"vary\"")
  }

  /// Whether a JSON file says `"autowait": 1`.
  private static func isScenario(_ source: Source) -> Bool {
    let marks = source.bytes.filter { $0 != 32 && $0 != 10 && $0 != 13 && $0 != 9 }
    let text = String(decoding: marks, as: UTF8.self)
    return text.contains("\"autowait\":1,") || text.contains("\"autowait\":1}")
  }

  /// Finds articles that no other page links to.
  ///
  /// A page whose title is a symbol, such as the module's own page, is reached through the symbol.
  static func checkArticles(_ sources: [Source]) -> [Violation] {
    let pages = sources.filter { $0.path.contains(".docc/") && $0.name.hasSuffix(".md") }
    return pages.compactMap { page in
      if page.text.hasPrefix("# ``") { return nil }
      let article = String(page.name.dropLast(".md".count))
      let others = pages.filter { $0.path != page.path }
      if others.contains(where: { links(in: $0).contains(article) }) { return nil }
      return Violation(path: page.path, line: 1, message: "no other page links <doc:\(article)>")
    }
  }

  /// The last path component of each `doc:` link on a page.
  private static func links(in page: Source) -> Set<String> {
    let parts = page.text.split(separator: "doc:", omittingEmptySubsequences: false).dropFirst()
    return Set(
      parts.compactMap { part in
        let address = part.prefix { !">)# \n".contains($0) }
        return address.split(separator: "/").last.map(String.init)
      })
  }
}
