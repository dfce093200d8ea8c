import Autowait
import AutowaitFidelity
import Foundation
import Testing

/// The recorders that the article on recording a session shows.
@Suite struct RecorderTests {
  private static let article = MarkdownDocument.article("recording-a-session")
  private static let node = program("node")
  private static let compiler = program("swiftc")

  private static func block(_ info: [String]) -> MarkdownDocument.Block? {
    article.blocks.first { $0.info == info }
  }

  /// Returns where a program lies; nil if it is not on the path.
  private static func program(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func run(_ path: String, _ arguments: [String]) throws -> (code: Int32, Data) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  /// Runs the recorder on the scripted page, and returns the recording that it makes.
  private static func record(_ session: String, as player: String = "hlsjs") throws -> String {
    let fixture = try CommandFixture()
    let lines = try #require(block(["js", "recorder"])).lines
    try fixture.write(
      "recorder.js", lines.joined(separator: "\n").replacing("'hlsjs'", with: "'\(player)'"))
    let page = MarkdownDocument.url("Tests/Recorder/page.mjs").path
    let (code, output) = try run(
      try #require(node), [page, fixture.path("recorder.js"), session])
    let text = String(decoding: output, as: UTF8.self)
    #expect(code == 0, "\(text)")
    return text
  }

  private static func judged(_ text: String) throws -> FidelityReport.Row {
    let reader = RecordingReader { _ throws(RecordingProblem) in Array(text.utf8) }
    var report = FidelityReport()
    report.add(try reader.recording("r.json", casePath: nil))
    return try #require(report.rows.first)
  }

  @Test(arguments: [(["js", "recorder"], 30), (["swift", "exporter"], 40)])
  func recordersAreShort(_ info: [String], _ countMax: Int) throws {
    let blocks = Self.article.blocks.filter { $0.info == info }
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(block.lines.count <= countMax)
      #expect(block.lines.allSatisfy { $0.count <= 100 })
    }
  }

  /// The committed recording is what the recorder writes now; `node` has the last word on it.
  @Test(.enabled(if: node != nil, "node is not on the path"))
  func theRecorderWritesARecording() throws {
    let name = "Tests/Recorder/hlsjs__master.m3u8__r1.json"
    let text = try Self.record("stream")
    if DocumentTests.records { try Data(text.utf8).write(to: MarkdownDocument.url(name)) }
    #expect(text == MarkdownDocument.read(name))
    let row = try Self.judged(text)
    let recording = row.recording
    #expect(recording.name == "hlsjs__master.m3u8__r1" && recording.link.schedule.isEmpty)
    // The page asks for its script as well, which is no media.
    #expect(recording.requests.count == 5 && recording.requests.allSatisfy { $0.resource != nil })
    #expect(recording.requests.map(\.size.bytes) == [120, 150, 200_000, 200_000, 200_000])
    #expect(recording.outcome.startup == .start + .milliseconds(2_290))
    let stall = try #require(recording.outcome.stalls.first)
    #expect(recording.outcome.stalls.count == 1)
    #expect(stall.start == .start + .milliseconds(10_290))
    #expect(stall.end == .start + .milliseconds(11_500))
    #expect(recording.outcome.end == .start + .milliseconds(15_510))
    let attempt = try #require(row.judged)
    #expect(row.column == .arrivals && row.attempts[.planned] == nil)
    #expect(attempt.verdict.isTrue, "\(attempt.verdict.misses)")
    #expect(try #require(attempt.requests).done == Score(met: 5, count: 5))
  }

  /// A recording that is stopped ends where it was stopped, and so does what is simulated.
  @Test(.enabled(if: node != nil, "node is not on the path"))
  func theRecorderCanBeStopped() throws {
    let row = try Self.judged(try Self.record("stream-stopped"))
    #expect(row.recording.outcome.end == nil && row.recording.requests.count == 4)
    #expect(row.recording.cut == .start + .seconds(8))
    #expect(row.judged?.verdict.isTrue == true && row.judged?.session.outcome.end == nil)
  }

  @Test(.enabled(if: node != nil, "node is not on the path"))
  func theRecorderRecordsFiles() throws {
    let row = try Self.judged(try Self.record("file", as: "chromium-play"))
    #expect(row.recording.outcome.startup == .start + .milliseconds(1_290))
    #expect(row.recording.outcome.stalls.isEmpty && row.recording.requests.count == 1)
    #expect(row.judged?.verdict.isTrue == true)
  }

  @Test(.enabled(if: node != nil, "node is not on the path"))
  func aPauseIsRecordedAndRefused() throws {
    let text = try Self.record("stream-paused")
    #expect(throws: RecordingProblem.self) { try Self.judged(text) }
  }

  @Test(.enabled(if: compiler != nil, "swiftc is not on the path"))
  func theExporterCompiles() throws {
    let blocks = Self.article.blocks.filter { $0.info == ["swift", "exporter"] }
    // One for metric events, and one for access logs.
    #expect(blocks.count == 2)
    for block in blocks {
      let fixture = try CommandFixture()
      try fixture.write("exporter.swift", block.lines.joined(separator: "\n") + "\n")
      var arguments = ["-swift-version", "6", fixture.path("exporter.swift")]
      #if canImport(AVFoundation)
      arguments.insert(contentsOf: ["-typecheck", "-target", "arm64-apple-macosx15.0"], at: 0)
      #else
      // Without Apple's SDK nobody knows the names: the grammar is all that can be checked.
      arguments = ["-frontend", "-parse", fixture.path("exporter.swift")]
      #endif
      let (code, output) = try Self.run(try #require(Self.compiler), arguments)
      #expect(code == 0, "\(String(decoding: output, as: UTF8.self))")
    }
  }
}
