/// Which version of the tool this is.
package enum ToolVersion {
  /// The number that `autowait --version` prints.
  package static let text = "0.1.0"
}
