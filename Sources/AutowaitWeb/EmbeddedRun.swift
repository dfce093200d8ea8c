import Autowait
import AutowaitRendering
import AutowaitScenario

/// What a reader asked for in vain.
private final class Wanted {
  var paths: [String] = []
}

/// A scenario among embedded files, run.
package struct EmbeddedRun {
  /// The digest of everything that happened; nil if the scenario could not be read.
  package let fingerprint: UInt64?
  /// The log of the run, or the findings that speak against it, a line each.
  package let text: [UInt8]
  /// The paths of files that were asked for and are not there, in the order in which they were.
  package let missing: [String]

  /// Runs the scenario at a path.
  package init(_ path: String, in files: EmbeddedFiles) {
    guard let bytes = files.bytes(at: path) else {
      fingerprint = nil
      text = Array("\(path): error: the file \(FileLoader.FileProblem.doesNotExist.reason)\n".utf8)
      missing = [path]
      return
    }
    let wanted = Wanted()
    let loader = files.loader { path in
      if !wanted.paths.contains(path) { wanted.paths.append(path) }
    }
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: path, bytes: bytes), loader: loader)
    missing = wanted.paths
    if let scenario {
      let run = ScenarioRun.run(scenario)
      fingerprint = run.fingerprint
      text = LogRendering.log(run)
    } else {
      fingerprint = nil
      text = findings.flatMap { Array($0.rendered.utf8) + [UInt8(ascii: "\n")] }
    }
  }
}
