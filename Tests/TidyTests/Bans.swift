/// A piece of code that the project does without, and why.
struct Ban: Sendable {
  /// Where a ban holds.
  enum Place: Sendable {
    /// The code of the core.
    case core
    /// The code of every Swift file.
    case everywhere
    /// The comments of every Swift file, and every article and script.
    case comments
  }

  /// The code, spaced as the formatter would; see ``Bans`` for its wildcards.
  var code: String
  var place: Place
  /// The reason, or what to write instead.
  var reason: String
  /// Paths where the code is allowed; a folder ends in a slash.
  var allowed: [String] = []
  /// Whether the code counts only where no dot and no `func` precedes it.
  var isUnqualified = false
}

/// The table of bans, and how they are found.
///
/// A ban's code is matched token by token, so that neither strings nor longer names trigger it.
/// `$word` stands for any name, `$Type` for a name with a capital, `$string` and `$float` for a
/// literal.
enum Bans {
  static let table: [Ban] =
    clocks + randomness + hashing + dynamics + floats + marks + tests
    + functions("sleep", "usleep", "nanosleep", in: .everywhere, "nothing here waits for a clock")

  private static let clocks = [
    Ban("Foundation", "the core stands on the standard library alone"),
    Ban("Date", "time is an Instant of the simulation"),
    Ban("ContinuousClock", "time is an Instant of the simulation"),
    Ban("SuspendingClock", "time is an Instant of the simulation"),
    Ban("clock_gettime", "time is an Instant of the simulation"),
    Ban("ProcessInfo", "the core reads nothing from outside"),
    Ban("CommandLine", "the core reads nothing from outside"),
    Ban("getenv", "the core reads nothing from outside"),
    Ban("readLine", "the core reads nothing from outside"),
    Ban("print(", "the core writes nothing; the log is its output"),
    Ban("os(", "a run is the same on every platform"),
    Ban("arch(", "a run is the same on every platform"),
    Ban("canImport(", "a run is the same on every platform"),
  ]

  private static let randomness = [
    Ban(".random(", "draw from the component's own random stream"),
    Ban(".randomElement(", "draw from the component's own random stream"),
    Ban(".shuffled(", "draw from the component's own random stream"),
    Ban(".shuffle(", "draw from the component's own random stream"),
    Ban("SystemRandomNumberGenerator", "draw from the component's own random stream"),
  ]

  private static let hashing =
    [
      Ban("Hasher", "its seed differs from run to run"),
      Ban("hashValue", "its seed differs from run to run"),
      Ban("ObjectIdentifier", "an address differs from run to run"),
      Ban("Dictionary", "its order differs from run to run; use an array with a stated order"),
      Ban("Set", "its order differs from run to run; use an array with a stated order"),
    ]
    + ["[:]", "[$Type:", "[$Type.$Type:", "[$string:", "[.$word:"].map {
      Ban($0, "a dictionary's order differs from run to run; use an array with a stated order")
    }

  private static let dynamics = [
    Ban("any $Type", "an existential allocates and Embedded Swift has none; use an enum"),
    Ban("Any", "an existential allocates and Embedded Swift has none; use an enum"),
    Ban("AnyObject", "the simulation is a value"),
    Ban("Mirror", "Embedded Swift has no reflection"),
    Ban("String(describing:", "Embedded Swift has no reflection; spell the text out"),
    Ban("String(reflecting:", "Embedded Swift has no reflection; spell the text out"),
    Ban(
      code: "class $word", place: .core, reason: "the simulation is a value; use a struct",
      // What is written there stays as it is: copies of a simulation share it like a value.
      allowed: ["Sources/Autowait/Link/FlowRoom.swift"], isUnqualified: true),
    Ban(
      code: "actor $word", place: .core,
      reason: "the core is synchronous; whole runs go in parallel", isUnqualified: true),
    Ban("async", "the core is synchronous; whole runs go in parallel"),
    Ban("await", "the core is synchronous; whole runs go in parallel"),
    Ban("Task", "the core is synchronous; whole runs go in parallel"),
    Ban("nonisolated(unsafe)", "the core has no shared state"),
    Ban("fatalError(", "say what was violated with preconditionFailure"),
    Ban("try!", "handle the error or let it pass"),
    Ban("as!", "the type can be known without asking at run time"),
  ]

  private static let floats =
    ["Double", "Float", "Float16", "Float32", "Float64", "Float80", "$float"].map {
      Ban(
        code: $0, place: .core, reason: "the trajectory is counted in whole numbers",
        allowed: [
          "Sources/Autowait/KeepUp/", "Sources/Autowait/Numbers/Elementary.swift",
          "Sources/Autowait/Variants/Rules/",
        ])
    }
    + functions(
      "log", "log2", "log10", "log1p", "exp", "exp2", "exp10", "expm1", "pow", "sin", "cos", "tan",
      "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt",
      "hypot", "fmod", "remainder", "erf", "erfc", "tgamma", "lgamma", in: .core,
      "libm's last digit differs between machines; build it from + − × ÷ √")
    + functions(
      "sqrt", "floor", "ceil", "round", "trunc", "squareRoot", "rounded", in: .core,
      "libm is not linked, and an outside package's build would fail; use + − × ÷")

  private static let marks = ["FIXME", "TODO", "XXX", "HACK"].map {
    Ban(code: $0, place: .comments, reason: "do it now, or open an issue")
  }

  private static let tests = [
    Ban(code: "@testable", place: .everywhere, reason: "test through the public interface"),
    Ban(
      code: ".disabled(", place: .everywhere,
      reason: "assert what happens today and note why it is wrong"),
    Ban(
      code: "@unchecked Sendable", place: .everywhere,
      reason: "let the compiler prove it, or add the file to the row in Bans",
      allowed: ["Sources/Autowait/Link/FlowRoom.swift"]),
  ]

  private static func functions(
    _ names: String..., in place: Ban.Place, _ reason: String
  ) -> [Ban] {
    names.map { Ban(code: "\($0)(", place: place, reason: reason, isUnqualified: true) }
  }

  /// Finds banned code in a file.
  static func check(_ source: Source) -> [Violation] {
    let isCore = source.path.hasPrefix("Sources/Autowait/")
    return find(in: source.tokens, of: source) { $0 == .everywhere || ($0 == .core && isCore) }
      + find(in: source.commentWords, of: source) { $0 == .comments }
  }

  private static func find(
    in tokens: [Token], of source: Source, where holds: (Ban.Place) -> Bool
  ) -> [Violation] {
    var violations: [Violation] = []
    for index in tokens.indices {
      for (ban, pattern) in patterns[key(of: tokens[index]), default: []] {
        guard holds(ban.place), matches(pattern, tokens, at: index) else { continue }
        if ban.isUnqualified, index > 0, [".", "func"].contains(tokens[index - 1].text) {
          continue
        }
        if ban.allowed.contains(where: { source.path.hasPrefix($0) }) { continue }
        violations.append(
          Violation(
            path: source.path, line: tokens[index].line,
            message: "`\(ban.code)` is banned here: \(ban.reason)"))
      }
    }
    return violations
  }

  /// The rows of the table by the first token of their code.
  private static let patterns: [String: [(ban: Ban, pattern: [Token])]] = {
    var patterns: [String: [(ban: Ban, pattern: [Token])]] = [:]
    for ban in table {
      let pattern = Tokenizer(swift: Array(ban.code.utf8)).tokens
      guard let first = pattern.first else { preconditionFailure("a ban without code") }
      patterns[first.text, default: []].append((ban, pattern))
    }
    return patterns
  }()

  private static func key(of token: Token) -> String {
    token.kind == .float ? "$float" : token.text
  }

  private static func matches(_ pattern: [Token], _ tokens: [Token], at start: Int) -> Bool {
    guard start + pattern.count <= tokens.count else { return false }
    for offset in pattern.indices {
      let (wanted, found) = (pattern[offset], tokens[start + offset])
      if offset > 0, wanted.isSpaced != found.isSpaced { return false }
      switch wanted.text {
      case "$word": if found.kind != .word { return false }
      case "$Type":
        guard found.kind == .word, found.text.first?.isUppercase == true else { return false }
      case "$string": if found.kind != .string { return false }
      case "$float": if found.kind != .float { return false }
      default: if found.text != wanted.text { return false }
      }
    }
    return true
  }
}

extension Ban {
  /// Creates a ban of the core.
  fileprivate init(_ code: String, _ reason: String) {
    self.init(code: code, place: .core, reason: reason)
  }
}
