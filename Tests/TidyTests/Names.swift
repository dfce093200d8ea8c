/// One word for each notion: types whose names differ, and a glossary that has their words.
enum Names {
  /// A type and where it is declared.
  struct Declared {
    let name: String
    /// The types around it, from the outermost one, joined by dots; empty at the top of a file.
    let owner: String
    let path: String
    let line: Int

    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var fullName: String { owner.isEmpty ? name : "\(owner).\(name)" }
  }

  /// Names of nested types that say what their owner's name leaves open, and may so occur again.
  static let conventional: Set<String> = ["Iterator", "Kind", "Packed", "Phase"]

  private static let typeKeywords: Set<String> = ["struct", "enum", "protocol", "class", "actor"]
  private static let modifiers: Set<String> = ["final", "indirect", "private", "fileprivate"]

  /// Finds types that share a name: at the top of any two files, or anywhere in one module.
  ///
  /// Private types, which only their own file sees, may be called as they like; so may the types
  /// inside the suites of tests.
  static func checkTypes(_ sources: [Source]) -> [Violation] {
    let types = sources.filter { $0.language == .swift }.flatMap(declared)
    var (tops, nested) = ([String: Declared](), [String: Declared]())
    var violations: [Violation] = []
    for type in types {
      let isSource = type.path.hasPrefix("Sources/")
      let key = "\(type.module).\(type.name)"
      let first =
        type.owner.isEmpty && tops[type.name] != nil
        ? tops[type.name] : isSource && !conventional.contains(type.name) ? nested[key] : nil
      if let first {
        let place = first.path == type.path ? "in line \(first.line)" : "in \(first.path)"
        violations.append(
          Violation(
            path: type.path, line: type.line,
            message: "\(type.fullName) has the name of \(first.fullName) \(place)"))
      }
      if type.owner.isEmpty { tops[type.name] = tops[type.name] ?? type }
      if isSource { nested[key] = nested[key] ?? type }
    }
    return violations
  }

  /// Finds rows of a glossary whose type does not exist, or has another word, or that are out of
  /// order.
  static func checkGlossary(_ sources: [Source]) -> [Violation] {
    let types = Set(
      sources.filter { $0.path.hasPrefix("Sources/") }.flatMap(declared).map(\.name))
    return sources.filter { $0.name == "glossary.md" }.flatMap { glossary in
      var violations: [Violation] = []
      var last = ""
      for (index, line) in glossary.text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated() where line.hasPrefix("| ") && !line.hasPrefix("| word |")
      {
        func report(_ message: String) {
          violations.append(Violation(path: glossary.path, line: index + 1, message: message))
        }
        let cells = line.split(separator: "|").map { $0.trimming(" ") }
        let word = cells[0].lowercased()
        if word <= last { report("'\(cells[0])' does not stand in the order of the alphabet") }
        last = word
        guard cells.count == 3, !cells[2].isEmpty else { continue }
        let type = cells[2].trimming("`")
        if !types.contains(type) { report("no type is called \(type)") }
        if !type.lowercased().contains(word.filter { $0 != " " }) {
          report("\(type) does not have the word '\(cells[0])'")
        }
      }
      return violations
    }
  }

  /// The types of a file that other files can see.
  static func declared(_ source: Source) -> [Declared] {
    let tokens = source.tokens
    var types: [Declared] = []
    // What each open brace belongs to: the name of a type, and whether it is private; nil for code.
    var scopes: [(name: String, isPrivate: Bool)?] = []
    var pending: (name: String, isPrivate: Bool)?
    for index in tokens.indices {
      let token = tokens[index]
      if token.kind == .symbol, token.text == "{" {
        scopes.append(pending)
        pending = nil
      } else if token.kind == .symbol, token.text == "}" {
        _ = scopes.popLast()
      }
      guard token.kind == .word, index + 1 < tokens.count, tokens[index + 1].kind == .word else {
        continue
      }
      let name = tokens[index + 1].text
      if token.text == "extension" {
        pending = (name: extendedName(tokens, after: index), isPrivate: false)
      } else if typeKeywords.contains(token.text), name.first?.isUppercase == true {
        let outer = scopes.compactMap { $0 }
        let isPrivate = outer.contains(where: \.isPrivate) || hasPrivate(tokens, before: index)
        pending = (name: name, isPrivate: isPrivate)
        if isPrivate || outer.count < scopes.count { continue }
        types.append(
          Declared(
            name: name, owner: outer.map(\.name).joined(separator: "."), path: source.path,
            line: token.line))
      }
    }
    return types
  }

  private static func extendedName(_ tokens: [Token], after keyword: Int) -> String {
    var (name, index) = (tokens[keyword + 1].text, keyword + 2)
    while index + 1 < tokens.count, tokens[index].text == "." {
      name += ".\(tokens[index + 1].text)"
      index += 2
    }
    return name
  }

  private static func hasPrivate(_ tokens: [Token], before keyword: Int) -> Bool {
    var index = keyword - 1
    while index >= 0, modifiers.contains(tokens[index].text) {
      if tokens[index].text.hasSuffix("private") { return true }
      index -= 1
    }
    return false
  }
}

extension StringProtocol {
  /// The text without some characters at its beginning and end.
  fileprivate func trimming(_ characters: String) -> String {
    var text = Substring(self)
    while let first = text.first, characters.contains(first) { text.removeFirst() }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return String(text)
  }
}
