/// How long things may be, so that each can be read at one glance.
enum Lengths {
  static let columnsMax = 100
  static let functionLinesMax = 70
  static let fileLinesMax = 600
  static let goldenLinesMax = 200
  static let parametersMax = 5

  /// Functions that may have more parameters, as `path name`: initialisers that only store what
  /// they are given.
  static let parametersAllowed = [
    "Sources/AutowaitJSON/Findings/Finding.swift init",
    "Sources/AutowaitScenario/Vocabulary/EventRow.swift init",
  ]

  /// Functions that may have more lines, as `path name`: tables with a row for each word.
  static let tables = [
    "Sources/Autowait/Log/Event.swift words", "Sources/Autowait/Log/Event.swift init",
    "Sources/AutowaitScenario/Running/EventTopic.swift topic",
    "Sources/AutowaitScenario/Vocabulary/EventRow.swift row",
    "Sources/AutowaitScenario/Vocabulary/Metric.swift row",
    "Sources/AutowaitScenario/Vocabulary/Property.swift known",
  ]

  /// Finds tabs, trailing white space, and lines and files that are too long.
  ///
  /// A golden log is exempt but for its number of lines, since its text is not ours to break; so
  /// are the columns of data and of what Markdown cannot break, tables, addresses and
  /// what a log is headed with.
  static func checkLines(_ source: Source) -> [Violation] {
    let lines = source.lines
    let isGolden = source.name.hasSuffix(".expected.log")
    var violations: [Violation] = []
    func violate(_ line: Int, _ message: String) {
      violations.append(Violation(path: source.path, line: line, message: message))
    }

    if isGolden, lines.count > goldenLinesMax {
      violate(lines.count, "a golden of \(lines.count) lines; at most \(goldenLinesMax)")
    }
    if source.language == .swift, lines.count > fileLinesMax {
      violate(lines.count, "a file of \(lines.count) lines; at most \(fileLinesMax)")
    }
    if isGolden { return violations }
    for (index, line) in lines.enumerated() {
      if line.contains(9) { violate(index + 1, "a tab; indent with two spaces") }
      if line.last == 32 || line.last == 13 { violate(index + 1, "white space ends the line") }
      guard line.count > columnsMax, source.language != .data else { continue }
      let text = String(decoding: line, as: UTF8.self)
      let isWhole = text.hasPrefix("|") || text.hasPrefix("#Fields: ") || text.contains("//")
      if source.language == .prose, isWhole { continue }
      if text.count > columnsMax {
        violate(index + 1, "a line of \(text.count) columns; at most \(columnsMax)")
      }
    }
    return violations
  }

  /// Finds functions with too many lines or parameters.
  static func checkFunctions(_ source: Source) -> [Violation] {
    functions(in: source.tokens).flatMap { function in
      var messages: [String] = []
      let place = "\(source.path) \(function.name)"
      if function.lines > functionLinesMax, !tables.contains(place) {
        messages.append(
          "\(function.name) has \(function.lines) lines; at most \(functionLinesMax)")
      }
      if function.parameters > parametersMax,
        !parametersAllowed.contains(place)
      {
        messages.append(
          "\(function.name) has \(function.parameters) parameters; at most \(parametersMax)")
      }
      return messages.map { Violation(path: source.path, line: function.line, message: $0) }
    }
  }

  private struct Function {
    var name: String
    var line: Int
    var lines: Int
    var parameters: Int
  }

  private static let keywords: Set<String> = ["func", "init", "deinit", "subscript", "var"]

  /// The functions, initialisers, subscripts and computed properties among the tokens.
  private static func functions(in tokens: [Token]) -> [Function] {
    tokens.indices.compactMap { index in
      let token = tokens[index]
      guard token.kind == .word, keywords.contains(token.text) else { return nil }
      if index > 0, tokens[index - 1].text == "." { return nil }
      let isNamed = token.text == "func" || token.text == "var"
      let name = isNamed ? tokens[(index + 1)...].first?.text ?? "" : token.text
      var next = index + 1
      var parameters = 0
      if token.text != "var", token.text != "deinit" {
        guard let open = tokens[next...].firstIndex(where: { $0.text == "(" }),
          let close = end(of: open, in: tokens)
        else { return nil }
        parameters = parameterCount(tokens[(open + 1)..<close])
        next = close + 1
      }
      let last = body(after: next, isProperty: token.text == "var", in: tokens)
        .flatMap { end(of: $0, in: tokens) }
      let lines = last.map { tokens[$0].line - token.line + 1 } ?? 1
      return Function(name: name, line: token.line, lines: lines, parameters: parameters)
    }
  }

  /// The index of the bracket that closes the one at an index.
  private static func end(of open: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    for index in open..<tokens.count where tokens[index].kind == .symbol {
      switch tokens[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }

  /// The number of parameters in a parameter list: of `name:` and `label name:` that follow its
  /// beginning or a comma.
  private static func parameterCount(_ list: ArraySlice<Token>) -> Int {
    var count = 0
    var depth = 0
    var words = 0
    var isAtStart = true
    for token in list {
      switch token.text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "," where depth == 0:
        isAtStart = true
        words = 0
        continue
      case ":" where depth == 0 && isAtStart && words > 0: count += 1
      default: break
      }
      if token.kind == .word || token.text == "@" { words += 1 } else { isAtStart = false }
    }
    return count
  }

  /// The index of the brace that opens a body, if there is one before the next declaration.
  ///
  /// A property's body opens on the property's own line, before any value.
  private static func body(after start: Int, isProperty: Bool, in tokens: [Token]) -> Int? {
    let declarations: Set<String> = [
      "@", "#", "}", "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "enum",
      "extension", "protocol", "typealias", "associatedtype", "static", "mutating", "nonmutating",
      "public", "package", "internal", "private", "fileprivate",
    ]
    for index in start..<max(start, tokens.count) {
      let token = tokens[index]
      if token.text == "{" { return index }
      if isProperty, token.isFirst || token.text == "=" { return nil }
      if token.text == "}" || (token.isFirst && declarations.contains(token.text)) { return nil }
    }
    return nil
  }
}
