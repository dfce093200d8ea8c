import AutowaitCommands
import Foundation
import Testing

/// `autowait compare --histogram`, held against the sessions themselves.
@Suite struct HistogramTests {
  private static let experiment = """
    {"experiment": 1, "base": {"link": "demo/slow-server",
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
      "vary": {"heuristic": ["avfoundation", "media3", "mpv"],
        "link": ["demo/*", "chrome/*"]}}
    """

  @Test func sharesAreThoseOfTheSessions() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let lines = fixture.call("compare", "$/x.json", "--csv").output.split(separator: "\n")
    let head = try #require(lines.first).split(separator: ",").map(String.init)
    let (name, startup, outcome) = (
      try #require(head.firstIndex(of: "contestant")),
      try #require(head.firstIndex(of: "timeSpentInInitialStartup")),
      try #require(head.firstIndex(of: "outcome"))
    )
    var counts: [String: [Int]] = [:]
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let seconds = try #require(Double(cells[startup]))
      let place = [1, 2, 4, 8, 16, 32].firstIndex { seconds <= $0 } ?? 6
      let hasStarted = cells[outcome] != "neverStarted"
      counts[cells[name], default: Array(repeating: 0, count: 8)][hasStarted ? place : 7] += 1
    }
    #expect(counts.count == 3)
    let text = fixture.call("compare", "$/x.json", "--histogram", "--markdown").output
    let table = text.components(separatedBy: "\nStartup: ").last ?? ""
    for (contestant, counts) in counts {
      let all = counts.reduce(0, +)
      let cells = counts.map { count in
        count == 0 ? "·" : String(format: "%.1f", 100 * Double(count) / Double(all))
      }
      let row = table.split(separator: "\n").first { $0.hasPrefix("| \(contestant) ") }
      #expect(try #require(row).hasSuffix(" | \(cells.joined(separator: " | ")) |"))
    }
    let terminal = fixture.call("compare", "$/x.json", "--histogram").output
    #expect(terminal.contains("\nStartup: percent of the sessions in each range of times\n"))
  }

  @Test(arguments: ["--json", "--csv", "--ndjson"])
  func otherFormatsHaveNoHistogram(_ format: String) throws {
    let outcome = try CommandFixture(["x.json": Self.experiment])
      .call("compare", "$/x.json", "--histogram", format)
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains("'--histogram' cannot be combined with '\(format)'"))
  }
}
