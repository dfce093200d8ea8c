import AutowaitFiles

/// Keeps what is written from replacing what was read.
struct InputGuard {
  /// The option that names the file to be written.
  let option: String
  /// The path of that file; without one there is nothing to keep from.
  let output: String?

  /// Throws if the file is one of some scenarios.
  func check(scenarios: [String]) throws(Command.UsageError) {
    try check(scenarios, "one of the scenarios")
  }

  /// Throws if the file is one of some golden logs, also if that is still to be written.
  func check(goldens: [String]) throws(Command.UsageError) {
    try check(goldens, "the golden log of a scenario")
  }

  /// Throws if the file is one that a scenario names.
  func check(loaded: [String]) throws(Command.UsageError) {
    try check(loaded, "a file that a scenario names")
  }

  /// Throws if the file is one of some files that are read.
  func check(inputs: [String]) throws(Command.UsageError) {
    try check(inputs, "one of the files that are read")
  }

  /// Throws if the path is `-`, where that would be a file of this name.
  func checkIsName() throws(Command.UsageError) {
    if output != "-" { return }
    throw Command.UsageError(
      message: "'\(option)' needs a file; what it writes is not printed",
      notes: ["for a file with that name, use './-'"])
  }

  /// Throws if the path is no folder, where one is needed, and one can neither be made.
  static func check(folder path: String?, for needer: String) throws(Command.UsageError) {
    guard let path, let kind = Files.kind(of: path), kind != .folder else { return }
    throw Command.UsageError(
      message: "'\(path)' is \(kind == .file ? "a file" : "no folder"); \(needer) needs a folder")
  }

  /// Throws if two options name one file, of which only the last text would be left.
  static func check(apart outputs: [(name: String, path: String?)]) throws(Command.UsageError) {
    var taken: [(name: String, path: String)] = []
    for case (let name, let path?) in outputs {
      if let other = taken.first(where: { areSame($0.path, path) }) {
        throw Command.UsageError(message: "'\(other.name)' and '\(name)' name one file, '\(path)'")
      }
      taken.append((name, path))
    }
  }

  /// `-` is what is printed, and no file.
  private static func areSame(_ left: String, _ right: String) -> Bool {
    left == right || left != "-" && right != "-" && Files.areSame(left, right)
  }

  private func check(_ inputs: [String], _ what: String) throws(Command.UsageError) {
    guard let output, inputs.contains(where: { Files.areSame($0, output) }) else { return }
    throw Command.UsageError(message: "'\(option)' is \(what), '\(output)'")
  }
}
