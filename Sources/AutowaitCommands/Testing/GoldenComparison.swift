import Autowait
import AutowaitRendering
import AutowaitScenario

/// The first thing that happened otherwise than a golden log says.
///
/// What happened is held against what happened. The first line of a log has the scenario in its
/// own words, and a scenario may get another name, or be expected to do something else, without
/// doing anything else. So that line must only be whole: as it was written, with its digest.
struct GoldenComparison {
  /// The line of the golden log, from 1.
  let line: Int
  /// What is the matter, in one line.
  let message: String
  /// The lines around it, and what led to it.
  let details: [String]

  /// Compares a golden log with that of a run; nil if the same happened.
  init?(recorded: [UInt8], actual: [UInt8]) {
    guard let difference = LogDifference(recorded: recorded, actual: actual) else { return nil }
    let shown = DifferenceRendering.lines(difference)
    let number = difference.number
    if difference.isCut || number > 1 {
      line = number
      message =
        difference.isCut
        ? "the golden log is cut off in line \(number)"
        : "the run differs from the golden log from line \(number) on"
      details = shown
      return
    }
    guard let end = recorded.firstIndex(of: 0x0A), let actualEnd = actual.firstIndex(of: 0x0A)
    else {
      (line, message, details) = (1, "not a golden log", [])
      return
    }
    if let damage = Self.damage(recorded, firstLine: recorded[..<end]) {
      (line, message, details) = (1, damage, shown)
      return
    }
    let restated = Array(actual[..<actualEnd] + recorded[end...])
    guard let difference = LogDifference(recorded: restated, actual: actual) else { return nil }
    line = difference.number
    if Self.digest(recorded[..<end]) == Self.digest(actual[..<actualEnd]) {
      // Only what made the log is another version.
      message = "the run differs from the golden log from line \(difference.number) on"
      details = DifferenceRendering.lines(difference)
      return
    }
    message =
      "the scenario has changed since its golden log was recorded; the runs differ from line "
      + "\(difference.number) on"
    details =
      DifferenceRendering.scenarioLines(
        recorded: Array(recorded[..<end]), actual: Array(actual[..<actualEnd]))
      + DifferenceRendering.lines(difference)
  }

  /// The digest of the scenario that the first line of a log names.
  private static func digest(_ firstLine: ArraySlice<UInt8>) -> String? {
    Findings(SourceText(path: "", bytes: Array(firstLine))).parseJSON()?.member("digest")?.string
  }

  /// Says what became of the first line of a golden log, if it is not as it was written.
  private static func damage(_ recorded: [UInt8], firstLine: ArraySlice<UInt8>) -> String? {
    if recorded.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "the golden log begins with a byte order mark"
    }
    if firstLine.last == 0x0D { return "the golden log's lines end in CR LF, not in LF alone" }
    let header = Findings(SourceText(path: "", bytes: Array(firstLine))).parseJSON()
    guard let header, let version = header.member("autowaitLog"),
      let scenario = header.member("scenario")
    else { return "the first line of the golden log is not the header of one" }
    if version.decimal != ExactDecimal(LogRendering.formatVersion) {
      return "the golden log has a version of the format that is unknown"
    }
    let said = firstLine[scenario.range]
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: Array(said))
    let digest = LogRendering.hexadecimal(fingerprint.value)
    let inputs = header.member("inputs").map { Array(firstLine[$0.range]) }
    var written = Array(
      "{\"autowaitLog\":\(LogRendering.formatVersion),\"digest\":\"\(digest)\""
        .utf8)
    written += Array(LogVersion(header).text.utf8)
    if let inputs { written += Array(",\"inputs\":".utf8) + inputs }
    written += Array(",\"scenario\":".utf8) + said + [UInt8(ascii: "}")]
    return written.elementsEqual(firstLine)
      ? nil : "the header of the golden log is not as it was recorded"
  }
}
