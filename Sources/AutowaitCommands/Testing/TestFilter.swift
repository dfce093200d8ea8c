import AutowaitScenario

/// What must hold of a scenario so that it is tested: `tag(slow) and not path(hls)`.
indirect enum TestFilter: Hashable, Sendable {
  /// A part of the path, the name or the run.
  case text(String)
  /// A part of the name, or all of it.
  case name(String, isWhole: Bool)
  /// A part of the path, or all of it.
  case path(String, isWhole: Bool)
  /// A part of the name of a run, of a scenario that varies, or all of it.
  case run(String, isWhole: Bool)
  /// One of the tags.
  case tag(String)
  case not(TestFilter)
  case both(TestFilter, TestFilter)
  case either(TestFilter, TestFilter)

  /// Why a text is no filter.
  struct FilterError: Error, Hashable {
    let message: String
    /// The bytes of the text before the place at which it goes wrong.
    let offset: Int
    var notes: [String] = []
  }

  /// Reads a filter.
  init(_ text: String) throws(FilterError) {
    var reader = TestFilterReader(text)
    self = try reader.filter()
  }

  /// Whether the filter lets a scenario pass; a file that cannot be read has no name.
  func holds(of path: String, _ name: String?, run: String?, _ tags: [String]) -> Bool {
    switch self {
    case .text(let text):
      [path, name, run].contains { $0.map { Self.mentions($0, text) } ?? false }
    case .name(let text, let isWhole): name.map { Self.matches($0, text, isWhole) } ?? false
    case .path(let text, let isWhole): Self.matches(path, text, isWhole)
    case .tag(let word): tags.contains { Self.matches($0, word, true) }
    case .run(let text, let isWhole): run.map { Self.matches($0, text, isWhole) } ?? false
    case .not(let filter): !filter.holds(of: path, name, run: run, tags)
    case .both(let one, let other):
      one.holds(of: path, name, run: run, tags) && other.holds(of: path, name, run: run, tags)
    case .either(let one, let other):
      one.holds(of: path, name, run: run, tags) || other.holds(of: path, name, run: run, tags)
    }
  }

  /// By bytes: two names that Unicode calls equivalent are two files.
  private static func matches(_ text: String, _ part: String, _ isWhole: Bool) -> Bool {
    isWhole
      ? text.utf8.elementsEqual(part.utf8) : Bytes.contains(Array(text.utf8), Array(part.utf8))
  }

  /// A word that people look for is found whatever the case of its letters from A to Z.
  private static func mentions(_ text: String, _ word: String) -> Bool {
    Bytes.contains(lowercased(text), lowercased(word))
  }

  private static func lowercased(_ text: String) -> [UInt8] {
    text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }
}

extension TestFilter.FilterError {
  /// The error as one of a call, with the filter and a mark below the place.
  func usage(_ option: String, _ text: String) -> Command.UsageError {
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self).printableLine
    let mark = String(repeating: " ", count: before.unicodeScalars.count) + "^"
    return Command.UsageError(
      message: "'\(option)' \(message)", notes: [text.printableLine, mark] + notes)
  }
}

/// Reads a filter from the left to the right: `or` binds loosest, then `and`, then `not`.
private struct TestFilterReader {
  /// A word, a quoted text, or a parenthesis, with the place where it begins.
  private enum Token: Hashable {
    case word(String)
    case quoted(String)
    case opening
    case closing
    case end
  }

  /// More parentheses than anybody writes; what is nested deeper would only fill the stack.
  private static let depthMax = 64

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0
  /// The next token, where it begins and where it ends.
  private var next = (token: Token.end, start: 0, end: 0)

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func filter() throws(TestFilter.FilterError) -> TestFilter {
    try advance()
    let filter = try either()
    switch next.token {
    case .end: return filter
    case .closing: throw error("has a ')' without a '('")
    case .word, .quoted, .opening:
      throw error(
        "lacks 'and' or 'or' between two conditions",
        notes: ["a text with blanks is written in quotes: '\"two words\"'"])
    }
  }

  private mutating func either() throws(TestFilter.FilterError) -> TestFilter {
    var filter = try both()
    while isWord("or") {
      try advance()
      filter = .either(filter, try both())
    }
    return filter
  }

  private mutating func both() throws(TestFilter.FilterError) -> TestFilter {
    var filter = try single()
    while isWord("and") {
      try advance()
      filter = .both(filter, try single())
    }
    return filter
  }

  private mutating func single() throws(TestFilter.FilterError) -> TestFilter {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthMax { throw error("is nested more than \(Self.depthMax) times") }
    if isWord("not") {
      try advance()
      return .not(try single())
    }
    switch next.token {
    case .opening:
      let start = next.start
      try advance()
      let filter = try either()
      if next.token != .closing { throw error("lacks the ')' of this '('", at: start) }
      try advance()
      return filter
    case .quoted(let text):
      try advance()
      return .text(text)
    case .word(let word):
      if word == "and" || word == "or" { throw error("lacks a condition before '\(word)'") }
      if next.end < bytes.count, bytes[next.end] == UInt8(ascii: "(") { return try call(word) }
      try advance()
      return .text(word)
    case .closing: throw error("lacks a condition before ')'")
    case .end: throw error("lacks a condition")
    }
  }

  /// Reads `name(…)`, of which everything up to the parenthesis is the text, unless it is quoted.
  private mutating func call(_ word: String) throws(TestFilter.FilterError) -> TestFilter {
    let words = ["name", "path", "run", "tag"]
    guard words.contains(word) else {
      throw error(
        "has the unknown condition '\(word)(…)'",
        notes: NearestWord.hint(
          for: word, among: words,
          orElse: "the conditions are: \(NearestWord.quotedList(words)), "
            + "or a part of a path or a name"))
    }
    let opening = next.end
    guard let closing = bytes[opening...].firstIndex(of: UInt8(ascii: ")")) else {
      throw error("lacks the ')' of this '('", at: opening)
    }
    var text = Self.trimmed(bytes[(opening + 1)..<closing])
    let isWhole = text.first == UInt8(ascii: "=")
    if isWhole { text = Self.trimmed(text.dropFirst()) }
    if text.isEmpty { throw error("has nothing in the parentheses of '\(word)'", at: opening) }
    let part = String(decoding: text, as: UTF8.self)
    place = closing + 1
    try advance()
    switch word {
    case "name": return .name(part, isWhole: isWhole)
    case "path": return .path(part, isWhole: isWhole)
    case "run": return .run(part, isWhole: isWhole)
    default: return .tag(part)
    }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    return bytes
  }

  private func isWord(_ word: String) -> Bool { next.token == .word(word) }

  private func error(
    _ message: String, at offset: Int? = nil, notes: [String] = []
  ) -> TestFilter.FilterError {
    TestFilter.FilterError(message: message, offset: offset ?? next.start, notes: notes)
  }

  /// Reads the next token.
  private mutating func advance() throws(TestFilter.FilterError) {
    while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    let start = place
    guard start < bytes.count else {
      next = (.end, start, start)
      return
    }
    switch bytes[start] {
    case UInt8(ascii: "("): (place, next) = (start + 1, (.opening, start, start + 1))
    case UInt8(ascii: ")"): (place, next) = (start + 1, (.closing, start, start + 1))
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let end = bytes[(start + 1)...].firstIndex(of: bytes[start]) else {
        next = (.end, start, start)
        throw error("lacks the end of this quoted text")
      }
      let text = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
      (place, next) = (end + 1, (.quoted(text), start, end + 1))
    default:
      let isPart = { (byte: UInt8) in ![0x20, 0x28, 0x29].contains(byte) }
      let end = bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
      let word = String(decoding: bytes[start..<end], as: UTF8.self)
      (place, next) = (end, (.word(word), start, end))
    }
  }
}
