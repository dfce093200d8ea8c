/// What may stand where a call ends, for a shell that completes it.
///
/// It follows from the rows of the commands, so that what a shell offers is what this very tool
/// takes.
struct Completion: Hashable {
  /// A word that may stand there, and what it means if that is not plain.
  struct Candidate: Hashable {
    var word: String
    var about = ""

    /// A line as the scripts read it.
    var line: String { about.isEmpty ? "\(word)\n" : "\(word)\t\(about)\n" }
  }

  private(set) var candidates: [Candidate] = []
  /// Whether the name of a file may stand there.
  private(set) var takesFile = false

  /// Completes a call by the words behind the tool's name, of which the last may have begun.
  init(_ words: [String]) {
    guard let last = words.last else { return }
    let first = words[0]
    if words.count == 1 {
      let options = [
        Candidate(word: Option.help.name, about: "Prints the help"),
        Candidate(word: "--version", about: "Prints the version"),
      ]
      candidates = Self.commands + (last.utf8.first == UInt8(ascii: "-") ? options : [])
    } else if first == "help" {
      candidates = words.count == 2 ? Self.commands : []
    } else if let command = Command.all.first(where: { $0.name == first }) {
      complete(Array(words[1..<words.count - 1]), last, of: command)
    }
    candidates.removeAll { !$0.word.hasPrefix(Self.begun(last)) }
  }

  /// The lines that the scripts read: words, each with a tab before what it means, and `:files`.
  var lines: String {
    candidates.map(\.line).joined() + (takesFile ? ":files\n" : "")
  }

  private static var commands: [Candidate] {
    Command.all.map { Candidate(word: $0.name, about: $0.summary) }
      + [Candidate(word: "help", about: "Explains a command")]
  }

  /// What is typed of a word: bash makes a word of its own of the sign behind an option.
  private static func begun(_ word: String) -> String { word == "=" ? "" : word }

  private mutating func complete(_ before: [String], _ last: String, of command: Command) {
    var operands: [String] = []
    var given: Set<String> = []
    var rest = before[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if word == "--", !areOptionsOver {
        areOptionsOver = true
      } else if areOptionsOver || word == "-" || word.utf8.first != UInt8(ascii: "-") {
        operands.append(word)
      } else {
        let option = command.allOptions.first { $0.name == word }
        given.insert(String(word.prefix { $0 != "=" }))
        guard let option, option.value != nil, !option.isValueOptional else { continue }
        if rest.first == "=" { rest.removeFirst() }
        if rest.popFirst() == nil { return complete(valueOf: option) }
      }
    }
    if areOptionsOver || last.utf8.first != UInt8(ascii: "-") {
      return complete(operands, of: command)
    }
    if let option = command.allOptions.first(where: { last.hasPrefix("\($0.name)=") }) {
      complete(valueOf: option)
      // The whole word is what a shell replaces.
      candidates = candidates.map { Candidate(word: "\(option.name)=\($0.word)") }
      return
    }
    for option in command.allOptions where option.isRepeatable || !given.contains(option.name) {
      candidates.append(Candidate(word: option.name, about: option.about))
    }
  }

  private mutating func complete(valueOf option: Option) {
    candidates = option.choices.map { Candidate(word: $0) }
    takesFile = option.takesPath
  }

  private mutating func complete(_ operands: [String], of command: Command) {
    guard let words = command.operandWords?(operands) else {
      takesFile = true
      return
    }
    candidates = words.words.map { Candidate(word: $0) }
    takesFile = words.orFile
  }
}

/// What an operand may be that is not only the name of a file.
struct OperandWords {
  let words: [String]
  var orFile = false
}
