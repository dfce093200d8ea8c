import Autowait

extension FieldKind where Value == String {
  /// The name of an event.
  static var eventName: FieldKind {
    let words: FieldKind = .word(Event.names.map { ($0, $0) }, shownBy: "autowait list events")
    return FieldKind(.words(Event.names)) { value, label, findings in
      if let word = value.string, let note = noteOnEvent(word) {
        findings.error(
          "\(label) has the unknown value '\(word.excerpt)'", at: value, notes: [note],
          choices: Event.names)
        return nil
      }
      return words.read(value, label, findings)
    }
  }

  /// Says how something is written that happens, but is not the name of an event.
  private static func noteOnEvent(_ word: String) -> String? {
    if Event.names.contains(word) { return nil }
    let status = word == "waiting" ? "waitingToPlayAtSpecifiedRate" : word
    if TimeControlStatus.words.contains(status) {
      return "that is \"event\": \"timeControlStatus\", \"value\": \"\(status)\""
    }
    if ["ended", "end"].contains(word) { return "did you mean 'didPlayToEndTime'?" }
    if ActionWord(rawValue: word) != nil {
      return "a step of the script is \"event\": \"step\", and its name the \"value\""
    }
    return nil
  }
}
