/// The commit that the tool was built from.
package enum ToolCommit {
  /// The name of the commit, in git's digits; nil in a build for development.
  ///
  /// `.ci/sources` writes this file again in the copy of the sources that is built to be handed
  /// out, so that nothing is generated in a checkout.
  package static let text: String? = nil
}
