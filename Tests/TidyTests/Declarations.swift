/// The names that a Swift file declares, as far as another file could use them.
struct Declarations {
  /// Types at the top of the file.
  private(set) var types: Set<String> = []
  /// Types directly inside an extension at the top of the file.
  private(set) var extensionTypes: Set<String> = []
  /// Types at any depth, private ones too.
  private(set) var allTypes: Set<String> = []
  /// Functions, constants and variables at the top of the file.
  private(set) var values: Set<String> = []
  /// The types that the file extends; of `A.B`, only `A`.
  private(set) var extended: Set<String> = []
  /// Whether the program or a test begins in this file.
  private(set) var isEntry = false

  private enum Scope {
    case typeExtension, other
  }

  private static let typeKeywords: Set<String> = [
    "struct", "enum", "protocol", "typealias", "class", "actor",
  ]
  private static let valueKeywords: Set<String> = ["func", "let", "var"]
  private static let modifiers: Set<String> = [
    "public", "package", "internal", "final", "indirect", "static", "private", "fileprivate",
  ]

  init(of source: Source) {
    let tokens = source.tokens
    isEntry =
      ["main.swift", "Package.swift"].contains(source.name)
      || zip(tokens, tokens.dropFirst()).contains {
        $0.text == "@" && ["Test", "main", "_cdecl"].contains($1.text)
      }
    var scopes: [Scope] = []
    var isExtensionPending = false
    for index in tokens.indices {
      let token = tokens[index]
      if token.kind == .symbol {
        if token.text == "{" {
          scopes.append(isExtensionPending && scopes.isEmpty ? .typeExtension : .other)
          isExtensionPending = false
        } else if token.text == "}" {
          _ = scopes.popLast()
        }
        continue
      }
      guard token.kind == .word, index + 1 < tokens.count, tokens[index + 1].kind == .word else {
        continue
      }
      let next = tokens[index + 1].text
      if token.text == "extension" {
        isExtensionPending = true
        extended.insert(next)
      } else if Self.typeKeywords.contains(token.text), !Self.valueKeywords.contains(next) {
        allTypes.insert(next)
        if Self.isPrivate(tokens, index) { continue }
        if scopes.isEmpty { types.insert(next) }
        if case [.typeExtension] = scopes { extensionTypes.insert(next) }
      } else if Self.valueKeywords.contains(token.text), scopes.isEmpty {
        if !Self.isPrivate(tokens, index) { values.insert(next) }
      }
    }
  }

  private static func isPrivate(_ tokens: [Token], _ keyword: Int) -> Bool {
    var index = keyword - 1
    while index >= 0, modifiers.contains(tokens[index].text) {
      if tokens[index].text == "private" || tokens[index].text == "fileprivate" { return true }
      index -= 1
    }
    return false
  }
}
