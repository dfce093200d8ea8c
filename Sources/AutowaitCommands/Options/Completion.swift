import AutowaitScenario

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

  /// What is typed of a word: bash makes words of their own of the signs behind an option and
  /// behind the name of a link.
  private static func begun(_ word: String) -> String { ["=", "@"].contains(word) ? "" : word }

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
      return completeOperand(last, behind: operands, of: command)
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
    let words = option.choices.isEmpty ? option.offered() : option.choices
    candidates = words.reduce(into: []) { candidates, word in
      let candidate = Candidate(word: word)
      if !candidates.contains(candidate) { candidates.append(candidate) }
    }
    takesFile = option.takesPath
  }

  private mutating func completeOperand(
    _ last: String, behind before: [String], of command: Command
  ) {
    let (operands, stem) = Self.stem(of: last, behind: before)
    guard let words = command.operandWords?(operands) else {
      takesFile = true
      return
    }
    if words.areLinks, let stem {
      candidates = LinkPreset.changes.map { Candidate(word: "\(stem)\($0)=") }
      return
    }
    candidates = words.words.map { Candidate(word: $0) }
    takesFile = words.orFile
  }

  /// Returns the operands before the last one, and what of that stands before a change of a link,
  /// as in `nlc/lte@queue=bdp,loss`; nil if it has none, and nothing where bash has cut it off.
  private static func stem(
    of last: String, behind before: [String]
  ) -> (operands: [String], stem: String?) {
    if last == "@" { return (before.dropLast(), "") }
    if before.last == "@" {
      let end = last.lastIndex(of: ",").map { last[...$0] } ?? ""
      return (before.dropLast(2), String(end))
    }
    guard let at = last.firstIndex(of: "@") else { return (before, nil) }
    let end = last[at...].lastIndex(of: ",") ?? at
    return (before, String(last[...end]))
  }
}

/// What an operand may be that is not only the name of a file.
struct OperandWords {
  let words: [String]
  var orFile = false
  /// Whether the words are links, behind which changes may stand.
  var areLinks = false

  /// The links that are built in.
  static func links(orFile: Bool = false) -> OperandWords {
    OperandWords(words: LinkPreset.all.map(\.name), orFile: orFile, areLinks: true)
  }
}
