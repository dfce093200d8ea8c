/// A command to the runner of GitHub that makes an annotation; nothing else can make one.
struct GitHubAnnotation {
  /// The line that is the command.
  let line: String

  /// How serious it is, in the words of the runner.
  enum Kind: String {
    case error, warning
  }

  /// Creates an annotation at a line of a file.
  init(_ kind: Kind = .error, path: String, line: Int, title: String, message: String) {
    self.line =
      "::\(kind.rawValue) file=\(Self.property(path)),line=\(line),"
      + "title=\(Self.property(title))::\(Self.data(message))"
  }

  /// Escapes the text of a command to the runner.
  private static func data(_ text: String) -> String {
    escaped(text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")])
  }

  /// Escapes a property of a command to the runner.
  private static func property(_ text: String) -> String {
    escaped(
      text, [("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")])
  }

  /// Replaces characters of a text.
  static func escaped(
    _ text: String, _ table: [(from: Unicode.Scalar, to: String)]
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let row = table.first(where: { $0.from == scalar }) {
        result.append(contentsOf: row.to.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
