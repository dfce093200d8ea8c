import Autowait
import AutowaitRendering
import AutowaitScenario

/// A scenario among embedded files, run.
package struct EmbeddedRun {
  /// The digest of everything that happened; nil if the scenario could not be read.
  package let fingerprint: UInt64?
  /// The log of the run, or the findings that speak against it, a line each.
  package let text: [UInt8]

  /// Runs the scenario at a path.
  package init(_ path: String, in files: EmbeddedFiles) {
    let source = SourceText(path: path, bytes: files.bytes(at: path) ?? [])
    let (scenario, findings) = ScenarioReader.read(source, loader: files.loader)
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
