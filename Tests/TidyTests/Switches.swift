/// Switches over enumerations: each names every case, so that the compiler points to it when there
/// is another one.
enum Switches {
  /// Switches that may have a `default`, as `path subject`: they are over pairs of which most make
  /// no sense, or over a structure with names for some of its values.
  static let allowed = [
    "Sources/AutowaitCommands/Shrinking/SpelledFiles.swift (draft,resolved)",
    "Sources/AutowaitRendering/Differences/WordDifference.swift (first.kind,second.kind)",
    "Sources/AutowaitScenario/Movies/MovieReader.swift header.type",
  ]

  /// The ends of subjects whose enumeration is not the project's.
  static let foreign = ["generalCategory"]

  private struct Scope {
    let subject: String
    var isOfEnumeration = false
    /// Where it has a `default`, or a pattern that holds of anything.
    var rest: Int?
  }

  /// Finds switches over the cases of an enumeration that have a `default`.
  ///
  /// Tests may have one: a case that they do not know of is none of theirs.
  static func check(_ source: Source) -> [Violation] {
    guard source.language == .swift, source.path.hasPrefix("Sources/") else { return [] }
    let tokens = source.tokens
    var violations: [Violation] = []
    // What each open brace belongs to: a switch, or nil for other code.
    var scopes: [Scope?] = []
    // Where the subject of a switch begins whose brace is not open yet.
    var start: Int?
    var depth = 0
    for (index, token) in tokens.enumerated() where token.kind == .word || token.kind == .symbol {
      switch token.text {
      case "switch" where index == 0 || tokens[index - 1].text != ".":
        (start, depth) = (index + 1, 0)
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{":
        if let place = start, depth == 0 {
          scopes.append(Scope(subject: tokens[place..<index].map(\.text).joined()))
          start = nil
        } else {
          scopes.append(nil)
        }
      case "}":
        guard let scope = scopes.popLast() ?? nil, let line = scope.rest else { continue }
        if scope.isOfEnumeration, !isAllowed(scope.subject, in: source.path) {
          violations.append(Violation(path: source.path, line: line, message: message))
        }
      case "default":
        // It is a name behind a dot, and a label of a subscript.
        guard !scopes.isEmpty, ![".", ",", "[", "("].contains(tokens[index - 1].text) else {
          continue
        }
        scopes[scopes.count - 1]?.rest = token.line
      case "case":
        guard !scopes.isEmpty, scopes[scopes.count - 1] != nil,
          !["if", "guard", "while", "for", ","].contains(tokens[index - 1].text)
        else { continue }
        let pattern = pattern(tokens, after: index)
        if namesCase(pattern) { scopes[scopes.count - 1]?.isOfEnumeration = true }
        if pattern.map(\.text) == ["_"], tokens.dropFirst(pattern.endIndex).first?.text == ":" {
          scopes[scopes.count - 1]?.rest = token.line
        }
      default: break
      }
    }
    return violations
  }

  private static let message =
    "a `default` over the cases of an enumeration: name the others, so that the compiler points "
    + "here when there is a new one; for a question about one or two cases write `if case`"

  private static func isAllowed(_ subject: String, in path: String) -> Bool {
    allowed.contains("\(path) \(subject)") || foreign.contains { subject.hasSuffix($0) }
  }

  /// The tokens between a `case` and its colon or its condition.
  private static func pattern(_ tokens: [Token], after keyword: Int) -> ArraySlice<Token> {
    var depth = 0
    var end = keyword + 1
    while end < tokens.count {
      let text = tokens[end].text
      if depth == 0, text == ":" || text == "where" { break }
      if text == "(" { depth += 1 }
      if text == ")" { depth -= 1 }
      end += 1
    }
    return tokens[(keyword + 1)..<end]
  }

  /// Whether a pattern has the name of a case: behind a dot, with the name of a type or nothing
  /// before it.
  private static func namesCase(_ pattern: ArraySlice<Token>) -> Bool {
    pattern.indices.dropLast().contains { index in
      guard pattern[index].text == ".", pattern[index + 1].kind == .word else { return false }
      // A property of a value is no case.
      if index + 2 < pattern.endIndex, pattern[index + 2].text == "." { return false }
      guard index > pattern.startIndex else { return true }
      let before = pattern[index - 1].text
      return ["(", ",", ":", "let", "var"].contains(before)
        || before.first?.isUppercase == true
    }
  }
}
