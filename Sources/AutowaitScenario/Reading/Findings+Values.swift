import Autowait

/// How a message names the value that it is about; its text is only built when there is one.
package struct FieldLabel: Sendable, CustomStringConvertible {
  fileprivate let name: String
  fileprivate let isQuoted: Bool
  private var isElement = false

  /// Creates the label of the value of a key.
  package init(key: String) {
    name = key
    isQuoted = true
  }

  /// Creates a label from words that describe the value, such as `a link`.
  package init(subject: String) {
    name = subject
    isQuoted = false
  }

  /// The label of the elements of this value.
  package var element: FieldLabel {
    var label = self
    label.isElement = true
    return label
  }

  /// The words of the message.
  package var description: String {
    (isElement ? "an element of " : "") + (isQuoted ? "'\(name)'" : name)
  }
}

/// Reading single values, and reporting those that are wrong.
extension Findings {
  /// Reports a value whose type is not the expected one.
  func errorWrongType(_ value: JSONValue, _ label: FieldLabel, _ expected: String) {
    error("\(label) must be \(expected), not \(value.kind.description)", at: value)
  }

  /// Reports a value that is none of some words, all of which a call shows.
  func errorWrongWord(
    _ value: JSONValue, _ label: FieldLabel, _ words: [String], shownBy call: String? = nil
  ) {
    let call = call ?? (label.isQuoted ? "autowait list keys \(label.name)" : nil)
    guard let word = value.string else {
      error(
        "\(label) must be a word, not \(value.kind.description)", at: value,
        notes: NearestWord.notes(for: nil, among: words, list: "the values are: ", shownBy: call),
        choices: words)
      return
    }
    let other = OtherWord.meant(by: word, among: words)
    error(
      "\(label) has the unknown value '\(word.excerpt)'", at: value,
      notes: other.map { ["did you mean '\($0)'?"] }
        ?? NearestWord.notes(for: word, among: words, list: "the values are: ", shownBy: call),
      meant: other ?? NearestWord.nearest(to: word, among: words), choices: words)
  }

  /// Reports a value that is neither one of some words nor what else it may be.
  func errorWrongWord(
    _ value: JSONValue, _ label: FieldLabel, _ words: [String], otherwise: String
  ) {
    let expected = words.map { "\"\($0)\"" }.joined(separator: ", ") + " or " + otherwise
    let found = value.string.map { "'\($0.excerpt)'" } ?? value.kind.description
    error(
      "\(label) must be \(expected), not \(found)", at: value,
      notes: value.string.map { NearestWord.hint(for: $0, among: words) } ?? [],
      meant: value.string.flatMap { NearestWord.nearest(to: $0, among: words) }, choices: words)
  }

  /// Reads a quantity inside limits, or reports why the value is none.
  func quantity(
    _ quantity: Quantity, _ value: JSONValue, _ label: FieldLabel, _ limits: ClosedRange<Int64>
  ) -> Int64? {
    do throws(Quantity.QuantityProblem) {
      if let number = value.decimal { return try quantity.convert(number, in: limits) }
      if !quantity.units.isEmpty, value.kind == .string {
        return try value.withText { text throws(Quantity.QuantityProblem) in
          try quantity.parse(text, in: limits)
        }
      }
      errorWrongType(value, label, quantity.description)
    } catch {
      let (message, notes) = quantity.explain(error)
      self.error("\(label) \(message)", at: value, notes: notes)
    }
    return nil
  }
}
