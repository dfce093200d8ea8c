import Autowait
import AutowaitScenario

/// All that is wrong with a file; it prints itself as a compiler would.
public struct FileError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, in the order of the file.
  public let findings: [Finding]

  /// Creates an error of some findings.
  package init(_ findings: [Finding]) { self.findings = findings }

  /// The findings, one below the other.
  public var description: String { findings.map(\.rendered).joined(separator: "\n") }
}

extension Scenario {
  /// Reads a scenario and the files that it names.
  ///
  /// Those lie in the nearest parent folder named `Scenarios`, or else in the scenario's own. A
  /// rule that is a program is an error: nobody starts it here. Of a file that varies, `run` names
  /// the run.
  public init(
    contentsOf path: String, run: String? = nil, seed: UInt64? = nil
  ) throws(FileError) {
    let source: SourceText
    do throws(Files.SystemProblem) {
      source = SourceText(path: path, bytes: try Files.read(path))
    } catch {
      throw FileError([Finding(.error, "the file \(error.reason)", path: path)])
    }
    let (scenario, findings) = ScenarioReader.read(
      source, ScenarioReader.Variation(run: run, seed: seed), loader: .files(),
      programs: .nobodyStarts)
    guard let scenario else { throw FileError(findings.filter { $0.severity == .error }) }
    self = scenario
  }

  /// Runs the scenario to its end.
  public func run() -> RunResult { ScenarioRun.run(self) }
}
