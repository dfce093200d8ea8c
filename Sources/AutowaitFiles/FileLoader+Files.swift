import Autowait
import AutowaitScenario

/// Finding the files that a scenario names, none of which may lie outside of its root: a folder
/// that is given, the nearest parent folder named `Scenarios`, or the scenario's own.
extension FileLoader {
  /// A loader for the files that a scenario names: all lie in its root.
  package static func files(
    root given: String? = nil, _ onLoad: @escaping (String) -> Void = { _ in }
  ) -> FileLoader {
    func found<Value>(
      _ path: String, _ base: String, _ read: (String, String) throws(Files.SystemProblem) -> Value
    ) -> Result<Value, Files.SystemProblem> {
      Result { () throws(Files.SystemProblem) in
        let place = try Self.locate(path, from: base, root: given)
        onLoad(place)
        return try read(place, Path.normalized(Path.join(Path.folder(of: base), path)))
      }
    }
    return FileLoader(
      open: { path, base in
        found(path, base) { place, shown throws(Files.SystemProblem) in
          try Files.stream(place, shownAs: shown)
        }
      },
      size: { path, base in
        found(path, base) { place, _ throws(Files.SystemProblem) in
          ByteCount(bytes: try Files.size(of: place))
        }
      },
      { path, base in
        found(path, base) { place, shown throws(Files.SystemProblem) in
          SourceText(path: shown, bytes: try Files.read(place))
        }
      })
  }

  /// Returns the real path of a file that a scenario names.
  package static func locate(
    _ path: String, from base: String, root given: String?
  ) throws(Files.SystemProblem) -> String {
    if Path.isAbsolute(path) {
      throw .isAbsolute
    }
    guard let own = Files.realPath(Path.folder(of: base)) else {
      throw .doesNotExist
    }
    var folder = own
    let root: String
    if let given {
      guard let real = Files.realPath(given) else {
        throw Files.SystemProblem("cannot be found: the root '\(given)' does not exist")
      }
      root = real
      // What does not lie in the root, such as a log from elsewhere, looks its files up from there.
      if !Path.isInside(own, real) { folder = real }
    } else {
      root = nearestScenarios(own) ?? own
    }
    let leaves = Files.SystemProblem("lies outside of the scenario's root, '\(given ?? root)'")
    let wanted = Path.normalized(Path.join(folder, path))
    if !Path.isInside(wanted, root) { throw leaves }
    guard let real = Files.realPath(wanted) else { throw .doesNotExist }
    if !Path.isInside(real, root) { throw leaves }
    return real
  }

  /// Returns the nearest parent folder that is named `Scenarios`.
  private static func nearestScenarios(_ folder: String) -> String? {
    let components = Path.components(folder)
    guard let last = components.lastIndex(of: "Scenarios") else { return nil }
    return "/" + components[...last].joined(separator: "/")
  }
}
