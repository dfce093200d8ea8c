/// Which version of the tool this is.
enum ToolVersion {
  /// The number that `autowait --version` prints.
  static let text = "0.1.0"
}
