import Foundation
import Testing

/// The table of the article on devices has every scenario of `Scenarios/devices`, and says which
/// are met.
///
/// The expectations of a scenario hold what is met. What is not met is asserted here as such: when
/// the simulator meets it, this test fails, and the table must follow.
@Suite struct DevicesTableTests {
  /// A row of the table.
  private struct Row {
    let number: String
    let scenario: String
    let verdict: String
  }

  private static let rows: [Row] =
    MarkdownDocument.article("what-devices-did").prose.compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 6, cells[0].hasPrefix("T"),
        let path = cells[0].split(separator: "`").last
      else { return nil }
      return Row(
        number: String(cells[0].prefix { $0 != "," }), scenario: String(path), verdict: cells[4])
    }

  /// What devices did and the simulator does not: scenarios, and expectations that are not met.
  private static let unmet: [(scenario: String, expectation: String)] = [
    ("cold-start", #"{"eventually":{"event":"newAccessLogEntry"},"count":3,"within":"4 s"}"#),
    ("warm-start", #"{"metric":"startupSegments","<=":"0.2 s"}"#),
    ("depth", #"{"metric":"stallCount","==":1}"#),
    ("seek-back", #"{"metric":"timeSpentResuming",">=":"2 s"}"#),
    ("slow-but-alive", #"{"eventually":{"event":"newErrorLogEntry","value":-16830}}"#),
    ("live-freeze", #"{"eventually":{"event":"playlistRequest"},"count":9,"within":"26.7 s"}"#),
    ("short-live-window", #"{"metric":"mediaPlayed","<":"30 s"}"#),
    (
      "last-segment-reload",
      #"{"sequence":[{"event":"playbackStalled"},{"event":"variantSwitchStart","value":1}]}"#
    ),
    ("segment-of-two-variants", #"{"eventually":{"event":"playbackStalled"}}"#),
    ("live-join", #"{"at":"2.5 s","reasonForWaitingToPlay":"evaluatingBufferingRate"}"#),
  ]

  @Test func theTableHasAllScenariosOfDevices() throws {
    let folder = MarkdownDocument.url("Scenarios/devices").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let scenarios = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    #expect(Self.rows.map(\.scenario).sorted() == scenarios.sorted())
    for row in Self.rows {
      let text = MarkdownDocument.read("Scenarios/devices/\(row.scenario).json") ?? ""
      #expect(text.contains("\"name\": \"\(row.number)"), "\(row.scenario)")
      #expect(text.contains("Source: ") && text.contains("Strength: "), "\(row.scenario)")
      let isUnmet = Self.unmet.contains { $0.scenario == row.scenario }
      #expect(["met", "in part", "not met"].contains(row.verdict), "\(row.scenario)")
      #expect((row.verdict == "met") == !isUnmet, "\(row.scenario)")
    }
  }

  @Test func whatIsExpectedIsMet() throws {
    let fixture = try CommandFixture()
    for row in Self.rows {
      let call = fixture.call("run", MarkdownDocument.url(Self.path(row.scenario)).path)
      #expect(call.code == 0, "\(row.scenario): \(call.output)")
    }
  }

  @Test func whatIsNotMetIsNotExpected() throws {
    let fixture = try CommandFixture()
    for (scenario, expectation) in Self.unmet {
      let text = try #require(MarkdownDocument.read(Self.path(scenario)), "\(scenario)")
      let start = "\"expect\": ["
      try fixture.write("x.json", text.replacing(start, with: start + expectation + ","))
      let call = fixture.call("run", "$/x.json")
      #expect(call.code == 1, "\(scenario): \(expectation) is met now")
    }
  }

  private static func path(_ scenario: String) -> String { "Scenarios/devices/\(scenario).json" }
}
