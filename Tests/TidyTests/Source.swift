/// A text file of the repository, read and split once for all checks.
struct Source: Sendable {
  /// What the file is written in.
  enum Language: Hashable, Sendable {
    case swift
    /// Articles and scripts, for people to read from top to bottom.
    case prose
    /// Scenarios, golden logs and the like.
    case data
  }

  /// The path from the package root, with slashes.
  let path: String
  let language: Language
  let bytes: [UInt8]
  let tokens: [Token]
  let commentWords: [Token]

  /// Creates a file from its path, which tells the language, and its text.
  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    if path.hasSuffix(".swift") {
      language = .swift
    } else if path.hasSuffix(".md") || path.hasPrefix(".ci/") {
      language = .prose
    } else {
      language = .data
    }
    switch language {
    case .swift:
      let split = Tokenizer(swift: bytes)
      (tokens, commentWords) = (split.tokens, split.commentWords)
    case .prose:
      (tokens, commentWords) = ([], Tokenizer(prose: bytes).commentWords)
    case .data:
      (tokens, commentWords) = ([], [])
    }
  }

  /// Creates a file from its path and its text.
  init(path: String, _ text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The folders and the name that the path is made of.
  var components: [String] {
    path.split(separator: "/").map(String.init)
  }

  var name: String {
    components.last ?? path
  }

  /// The bytes of each line without its end.
  var lines: [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in 0..<bytes.count where bytes[index] == 10 {
      lines.append(bytes[start..<index])
      start = index + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }
}

/// A place where the repository breaks one of its own rules.
struct Violation: Hashable, CustomStringConvertible {
  var path: String
  var line: Int
  /// What is wrong and what to do instead, in lower case and without a full stop.
  var message: String

  var description: String {
    "\(path):\(line): error: \(message)"
  }
}
