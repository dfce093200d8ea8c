import Autowait
import AutowaitRendering
import AutowaitScenario

/// What a reader asked for and did not get.
final class Wanted {
  private(set) var paths: [String] = []

  /// Notes a path, once.
  func note(_ path: String) {
    if !paths.contains(path) { paths.append(path) }
  }
}

/// A scenario among embedded files, run; of one that varies all runs, one after the other.
package struct EmbeddedRun {
  /// The digest of all that happened in the last run; nil if the scenario could not be read.
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
    let loader = files.loader { wanted.note($0) }
    let source = SourceText(path: path, bytes: bytes)
    var names: [String?] = []
    if let runs = ScenarioReader.runNames(source, loader: loader) {
      for run in runs { names.append(run) }
    } else {
      names.append(nil)
    }
    var last: UInt64?
    var logs: [UInt8] = []
    for name in names {
      let (scenario, findings) = ScenarioReader.read(
        source, ScenarioReader.Variation(run: name), loader: loader, programs: .nobodyStarts)
      guard let scenario else {
        last = nil
        logs = findings.flatMap { Array($0.rendered.utf8) + [UInt8(ascii: "\n")] }
        break
      }
      let run = ScenarioRun.run(scenario)
      last = run.fingerprint
      logs += LogRendering.log(run)
    }
    (fingerprint, text, missing) = (last, logs, wanted.paths)
  }
}
