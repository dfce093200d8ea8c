import AutowaitScenario

/// What a scenario or an experiment says of itself: what it is called, and what it shows.
struct FileSummary {
  /// What a file is, by the key that it has.
  enum FileForm: String {
    case scenario, experiment
  }

  /// Where the file lies.
  let path: String
  let form: FileForm
  /// The name, or the path of a file without one.
  let name: String
  /// What it shows; empty if it does not say.
  let about: String

  /// Reads what a file says of itself; nil for what is neither a scenario nor an experiment.
  ///
  /// Only what has the key `autowait` or `experiment` counts, as in `autowait test`. Mistakes in
  /// the rest of the file do not matter here.
  init?(_ source: SourceText) {
    guard let root = Findings(source).parseJSON(), root.kind == .object else { return nil }
    if root.member("experiment") != nil {
      form = .experiment
    } else if root.member("autowait") != nil {
      form = .scenario
    } else {
      return nil
    }
    path = source.path
    name = root.member("name")?.string ?? source.path
    about = root.member("about")?.string ?? ""
  }

  /// The text up to the first full stop, question mark or exclamation mark with a space after it.
  var firstSentence: String {
    var last: Character = " "
    for index in about.indices {
      if about[index] == " ", [".", "?", "!"].contains(last) { return String(about[..<index]) }
      last = about[index]
    }
    return about
  }

  /// The command that takes the file.
  var command: String {
    switch form {
    case .scenario: "run"
    case .experiment: "compare"
    }
  }

  /// Returns whether a word that somebody looks for begins a word of the path, the name or the
  /// text, in upper or lower case, with hyphens or without.
  func answers(_ word: String) -> Bool {
    [path, name, about].contains { Self.holds(word, in: $0) }
  }

  /// The words of the path and the name, by which a mistyped word is found.
  var words: [String] {
    (path + " " + name).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func holds(_ word: String, in text: String) -> Bool {
    let looked = Array(word.lowercased())
    let letters = Array(text.lowercased())
    return begins(looked, in: letters)
      || begins(looked.filter { $0 != "-" }, in: letters.filter { $0 != "-" })
  }

  private static func begins(_ word: [Character], in text: [Character]) -> Bool {
    text.indices.contains { start in
      guard text[start...].starts(with: word) else { return false }
      return start == 0 || !text[start - 1].isLetter && !text[start - 1].isNumber
    }
  }
}
