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
  /// The words by which tests choose it.
  let tags: [String]
  /// The names of its runs; none if it does not vary.
  let runs: [String]

  /// Reads what a file says of itself; nil for what is neither a scenario nor an experiment.
  ///
  /// Only what has the key `autowait` or `experiment` counts, as in `autowait test`. Mistakes in
  /// the rest of the file do not matter here. Tags and runs may stand in a file that this one
  /// extends.
  init?(_ source: SourceText, loader: FileLoader = .none) {
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
    if form == .experiment {
      tags = []
      runs = []
      return
    }
    let whole = Self.whole(root, loader) ?? root
    tags = whole.member("tags")?.elements.compactMap { $0.string } ?? []
    runs = ScenarioReader.runNames(source, loader: loader) ?? []
  }

  /// Returns a scenario with what it extends; nil for one that extends nothing, or nothing that can
  /// be read.
  private static func whole(_ root: JSONValue, _ loader: FileLoader) -> JSONValue? {
    if root.member("extends") == nil { return nil }
    let text = ScenarioReader.changed(root, [], Findings(root.source), loader: loader)
    return text.flatMap { Findings($0).parseJSON() }
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

  /// Returns whether a word that somebody looks for begins a word of the path, the name, the text
  /// or a tag, in upper or lower case, with hyphens or without.
  func answers(_ word: String) -> Bool {
    ([path, name, about] + tags).contains { Self.holds(word, in: $0) }
  }

  /// The words of the path, the name and the tags, by which a mistyped word is found.
  var words: [String] {
    ([path, name] + tags).joined(separator: " ").lowercased().split { !$0.isLetter && !$0.isNumber }
      .map(String.init)
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
