/// Which of several profiles in a file is meant: the one that is named, or the only one.
struct ProfileChoice {
  /// No message lists more names than that, and no nearest one is looked for behind them.
  private static let namesMax = 100

  private let wanted: String?
  /// What chooses a profile.
  private let means: String
  /// What the profiles are called in messages: `profile`.
  private let word: String
  /// The first names.
  private var names: [String] = []
  private var count = 0
  private var isFound = false

  init(_ options: TraceOptions, _ word: String) {
    wanted = options.profileName
    means = options.place.profileMeans
    self.word = word
  }

  /// Takes note of a profile; returns whether it is meant.
  mutating func offers(_ name: String) -> Bool {
    count += 1
    if names.count < Self.namesMax { names.append(name) }
    let isMeant = wanted.map { $0 == name } ?? true
    if isMeant { isFound = true }
    return isMeant
  }

  /// Throws if none, or more than one, is meant.
  func check(_ path: String) throws(TraceError) {
    let list = "the \(word)s are: "
    let shown = names.map { $0.excerpt }
    if count == 0 { throw TraceError("the file has no \(word)s", path: path) }
    if let wanted {
      if isFound { return }
      throw TraceError(
        "there is no \(word) '\(wanted.excerpt)'", path: path,
        notes: NearestWord.notes(for: wanted, among: shown, list: list))
    }
    if count > 1 {
      throw TraceError(
        "the file has \(count) \(word)s: choose one with \(means)", path: path,
        notes: NearestWord.notes(for: nil, among: shown, list: list))
    }
  }
}
