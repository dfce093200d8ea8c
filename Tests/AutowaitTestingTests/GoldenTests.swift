import Autowait
import AutowaitFiles
import AutowaitScenario
import AutowaitTesting
import Foundation
import Testing

@Suite struct GoldenTests {
  @Test(arguments: try Scenarios.below("Scenarios/demo"))
  func behavesAsRecorded(_ file: ScenarioFile) { expectGolden(file) }

  @Test func scenariosAreFoundByPath() throws {
    let found = try Scenarios.below("Scenarios")
    #expect(found.count > 300)
    #expect(found.map(\.testDescription) == found.map(\.testDescription).sorted())
    // Links and experiments lie there, too.
    #expect(!found.contains { $0.testDescription.hasPrefix("experiments/") })
    #expect(found.contains { $0.testDescription == "demo/fast.json" })
    #expect(throws: FileError.self) { try Scenarios.below("Scenarois") }
  }

  @Test func aScenarioIsReadWithItsFiles() throws {
    let file = try #require(
      try Scenarios.below("Scenarios/demo").first { $0.testDescription == "wait-until-likely.json" }
    )
    #expect(try Scenario(contentsOf: file.path, seed: 7).run().scenario.world.seed == 7)
    let result = try file.scenario().run()
    #expect(result.outcomes.allSatisfy { $0.isMet })
    let metrics = try #require(result.metrics.first)
    #expect("\(metrics.time(.paused))" == "6.459375 s")
  }

  @Test func aResultIsAskedByName() throws {
    let files = try Scenarios.below("Scenarios/players")
    let file = try #require(files.first { $0.testDescription == "three-players.json" })
    let result = try file.scenario().run()
    let short = try #require(result.metrics(of: "short"))
    #expect(short == result.metrics[0])
    #expect(short["firstPlayed"] == 1_656_250_000)
    #expect(result.metrics(of: "shrot") == nil)
    #expect(result.events.count == result.events.last?.number)
    let first = try #require(result.events.first { $0.event == .timeControlStatus(.playing) })
    #expect("\(first)" == "1.65625 s player 0: timeControlStatus playing")
  }

  @Test func whatIsWrongWithAFilePrintsItself() throws {
    let folder = try TestFolder()
    let path = try folder.write("x.json", #"{"autowait": 1, "lnk": "demo/fast"}"#)
    let error = try #require(throws: FileError.self) { try Scenario(contentsOf: path) }
    #expect("\(error)".contains("x.json:1:17: error: unknown key 'lnk'"))
    #expect("\(error)".contains("note: did you mean 'link'?"))
    let missing = try #require(throws: FileError.self) { try Scenario(contentsOf: path + "n") }
    #expect("\(missing)".contains("does not exist"))
  }

  /// A golden log that is not that of the run is an issue with the difference and the strips; one
  /// that is recorded is right from then on.
  @Test func aDifferenceIsShown() throws {
    let folder = try TestFolder()
    for name in ["fast.json", "fast.expected.log"] {
      let url = URL(fileURLWithPath: try Scenarios.below("Scenarios/demo")[0].path)
        .deletingLastPathComponent().appending(path: name)
      var text = try String(contentsOf: url, encoding: .utf8)
      if name.hasSuffix("log"), let header = text.firstIndex(of: "\n") {
        let run = text[header...].replacing(#""value":true"#, with: #""value":false"#)
        text = String(text[..<header] + run)
      }
      _ = try folder.write(name, text)
    }
    let file = try #require(try Scenarios.below("Scenarios", from: folder.inside).first)
    let issues = goldenIssues(of: file, isRecording: false)
    #expect(issues.count == 1)
    for part in ["fast.expected.log:11: the run differs from the golden log", "buffer", "█"] {
      #expect(issues.first?.contains(part) == true, "\(issues)")
    }
    let recorded = goldenIssues(of: file, isRecording: true)
    #expect(recorded == ["the golden log of fast.json was written"])
    #expect(
      goldenIssues(of: file, isRecording: true)
        == ["the golden log of fast.json was right already"])
    expectGolden(file)
  }
}

/// A folder of one test, with a folder `Scenarios`.
private final class TestFolder {
  private let url: URL
  /// A file that would lie beside the folder of scenarios.
  var inside: String { url.appending(path: "Test.swift").path }

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: url.appending(path: "Scenarios"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = url.appending(path: "Scenarios/\(name)")
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
