/// That a scenario is known to fail: a bug that is kept until it is mended.
package struct ExpectedFailure: Hashable, Sendable {
  /// Why it fails, in the words of the file.
  package let reason: String
  /// The line of the file that says so, from 1.
  package let line: Int
}

extension FieldKind where Value == String {
  /// A word by which scenarios are chosen, which can stand in a filter as it is.
  static var tag: FieldKind {
    FieldKind("a word without blanks, quotes or parentheses", .string) { value in
      guard let text = value.string, !text.isEmpty else { return nil }
      let isWord = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x00...0x20, 0x22, 0x27...0x29, 0x7F: false
        default: true
        }
      }
      return isWord ? text : nil
    }
  }

  /// Why something is so, which cannot be empty.
  static var reason: FieldKind {
    FieldKind(.string) { value, label, findings in
      guard let text = value.string else {
        findings.errorWrongType(value, label, "a reason")
        return nil
      }
      if text.isEmpty { findings.error("\(label) must not be empty", at: value) }
      return text.isEmpty ? nil : text
    }
  }
}
