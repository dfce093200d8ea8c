import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// Renders what tests came to as JUnit XML.
///
/// The dialect is the one that GitLab, Jenkins and the actions of GitHub all read: the `xunit1`
/// family, with `file` and `line`, and at most one failure a case, because GitLab reads one. Times
/// are real, since servers show which tests are slow; they alone differ between equal runs. The
/// simulated time of a run is one of its properties.
enum JUnitRendering {
  /// Returns the file.
  static func bytes(_ summary: TestSummary) -> [UInt8] {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"autowait \(ToolVersion.text)\"\(counts(summary.reports[...]))>\n"
    // Within a folder, ordered by path, may come the files of a folder inside it.
    var folders: [String] = []
    for report in summary.reports {
      let folder = Path.folder(of: report.path)
      if !folders.contains(folder) { folders.append(folder) }
    }
    for folder in folders {
      let reports = summary.reports.filter { Path.folder(of: $0.path) == folder }
      text += "  <testsuite name=\"\(escaped(folder))\"\(counts(reports[...]))>\n"
      text += versions
      for report in reports { text += testCase(report, folder, summary.root) }
      text += "  </testsuite>\n"
    }
    text += "</testsuites>\n"
    return Array(text.utf8)
  }

  /// What made the report, as properties of each suite.
  private static var versions: String {
    properties(
      [
        ("autowaitVersion", ToolVersion.text), ("modelVersion", "\(SimulationModel.version)"),
        ("commit", ToolCommit.text ?? "development"),
      ], indent: "    ")
  }

  private static func counts(_ reports: ArraySlice<TestReport>) -> String {
    let errors = reports.count { [.invalid, .cutOff, .defect].contains($0.status) }
    let failures = reports.count { $0.status == .failed }
    let time = reports.reduce(Int64(0)) { $0 &+ $1.duration }
    let skipped = reports.count { $0.status == .skipped || $0.status == .known }
    return " tests=\"\(reports.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + " skipped=\"\(skipped)\" time=\"\(seconds(time))\""
  }

  private static func testCase(_ report: TestReport, _ folder: String, _ root: String?) -> String {
    let file = Path.name(of: report.path)
    let name =
      GoldenPath.bare(file) + (report.runName.map { "[\($0)]" } ?? "")
    let time = seconds(report.duration)
    let line = report.failures.first { $0.path == report.path }?.line ?? 1
    var text = "    <testcase classname=\"\(escaped(folder))\" name=\"\(escaped(name))\""
    text += " file=\"\(escaped(report.path))\" line=\"\(line)\" time=\"\(time)\""
    let properties = properties(report)
    if let reason = report.reason, !report.isWrong {
      let known = report.status == .known ? "known to fail: " : ""
      return text + ">\n\(properties)      <skipped message=\"\(escaped(known + reason))\"/>\n"
        + "    </testcase>\n"
    }
    let warnings = warnings(report)
    guard let first = report.failures.first else {
      let inside = properties + warnings
      return text + (inside.isEmpty ? "/>\n" : ">\n\(inside)    </testcase>\n")
    }
    let others = report.failures.count - 1
    let more = others > 0 ? " (and \(others) more)" : ""
    let element = report.status == .failed ? "failure" : "error"
    text += ">\n\(properties)      <\(element) message=\"\(escaped(first.message + more))\""
    text += " type=\"\(first.kind.rawValue)\">"
    var body = ""
    for failure in report.failures {
      body += "\(failure.path):\(failure.line): \(failure.message)".printable + "\n"
      for detail in failure.details { body += "  \(detail.printable)\n" }
    }
    if report.run != nil { body += "reproduce with: \(report.reproduction(root: root))\n" }
    for line in report.replays { body += "\(line)\n" }
    text += "\(escaped(body, keepsLines: true))</\(element)>\n"
    // GitLab shows a file of the job beside a test that failed, and reads its name here.
    for log in report.kept {
      text += "      <system-out>[[ATTACHMENT|\(escaped(log))]]</system-out>\n"
    }
    return text + warnings + "    </testcase>\n"
  }

  /// The expectations that are not met and only warn, as what the test wrote.
  private static func warnings(_ report: TestReport) -> String {
    if report.warnings.isEmpty { return "" }
    let lines = report.warnings.map(TestTextRendering.line).joined(separator: "\n")
    return "      <system-out>\(escaped(lines, keepsLines: true))</system-out>\n"
  }

  /// What identifies the run, for those who read it.
  private static func properties(_ report: TestReport) -> String {
    guard let run = report.run else { return "" }
    let rows = [
      ("simulatedTime", OutcomeRendering.seconds(run.end)), ("seed", "\(run.seed)"),
      ("fingerprint", LogRendering.hexadecimal(run.fingerprint)),
    ]
    return properties(rows, indent: "      ")
  }

  private static func properties(_ rows: [(String, String)], indent: String) -> String {
    var text = "\(indent)<properties>\n"
    for (name, value) in rows {
      text += "\(indent)  <property name=\"\(name)\" value=\"\(escaped(value))\"/>\n"
    }
    return text + "\(indent)</properties>\n"
  }

  /// A time of the clock on the wall in seconds, rounded down to the microsecond, with all six
  /// decimals.
  static func seconds(_ nanoseconds: Int64) -> String {
    let microseconds = max(nanoseconds, 0) / 1_000
    let decimals = "\(1_000_000 + microseconds % 1_000_000)".dropFirst()
    return "\(microseconds / 1_000_000).\(decimals)"
  }

  /// Returns a text that is printable with the characters of XML escaped and those that XML cannot
  /// hold left out.
  static func escaped(_ text: String, keepsLines: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    let shown = keepsLines ? text.printableLines() : text.printableLine
    for scalar in shown.unicodeScalars {
      switch scalar.value {
      case 0x26: result.append(contentsOf: "&amp;".unicodeScalars)
      case 0x3C: result.append(contentsOf: "&lt;".unicodeScalars)
      case 0x3E: result.append(contentsOf: "&gt;".unicodeScalars)
      case 0x22: result.append(contentsOf: "&quot;".unicodeScalars)
      case 0x09, 0x0A, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: result.append(scalar)
      default: break
      }
    }
    return String(result)
  }
}
