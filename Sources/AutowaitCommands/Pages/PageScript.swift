/// The script of the page in which scenarios run: plain JavaScript, in parts that are one text in
/// the end.
///
/// A part uses only what is declared in those before it, but for functions that are called later.
enum PageScript {
  /// What a worker needs, too.
  static var shared: String { [engine, unpack].joined(separator: "\n") }

  /// All else.
  static var rest: String {
    [model, picture, app, hands, controls, trial, start].joined(separator: "\n")
  }
}
