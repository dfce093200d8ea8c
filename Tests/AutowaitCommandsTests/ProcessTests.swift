import Foundation
import Testing

/// The tool as a process: what only a real one can show.
@Suite struct ProcessTests {
  /// Runs a line of the shell in which `$TOOL` is the tool; returns its code and its messages.
  func shell(_ fixture: CommandFixture, _ line: String) throws -> (code: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = URL(filePath: fixture.folder)
    process.environment = ["TOOL": try #require(Self.tool), "PATH": "/usr/bin:/bin"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test func nothingIsLeftOfAFileThatMayNotBeSoLarge() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let line = "ulimit -f 1; \"$TOOL\" run a.json --format jsonl --output x.log"
    let outcome = try shell(fixture, line)
    #expect(outcome.code == 2)
    #expect(outcome.text.hasPrefix("x.log: error: the file cannot be written: "), "\(outcome.text)")
    #expect(try fixture.names() == ["a.json"])
  }

  /// The tool lies beside what runs the tests.
  static var tool: String? {
    let candidates = [CommandLine.arguments.first ?? ""] + Bundle.allBundles.map(\.bundlePath)
    for candidate in candidates {
      let folder = URL(filePath: candidate).deletingLastPathComponent()
      let path = folder.appending(path: "autowait").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    return nil
  }

  /// Calls, what they end with, and how their output begins.
  @Test(arguments: [
    ("\"$TOOL\" run a.json --format states", 0, "player"),
    ("\"$TOOL\" run a.json --format jsonl | head -c 1", 0, "{"),
    ("\"$TOOL\" run a.json >&-", 2, "autowait: error: the results cannot be written: "),
    ("\"$TOOL\" run a.json <&- >&- 2>&-", 2, ""),
    ("\"$TOOL\" run a.json --output x.log --format jsonl >&- && cat x.log", 0, "{\"autowaitLog\":"),
    ("cat a.json | \"$TOOL\" check /dev/stdin", 0, "1 file: 0 invalid, 0 errors, 0 warnings\n"),
    ("\"$TOOL\" test", 1, "✗ Scenarios/b.json: slow\n"),
    ("\"$TOOL\" test .", 1, "✗ Scenarios/b.json: slow\n"),
    ("cd Scenarios && \"$TOOL\" test", 1, "✗ b.json: slow\n"),
    ("\"$TOOL\" zonk", 2, "autowait: error: unknown command 'zonk'\n"),
    ("NO_COLOR=1 COLUMNS=40 \"$TOOL\" --version", 0, "autowait "),
  ])
  func calls(_ line: String, _ code: Int32, _ beginning: String) throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.playing, "Scenarios/b.json": Fixture.scenario(startupMax: "6.1 s"),
    ])
    let outcome = try shell(fixture, line)
    #expect(outcome.code == code)
    #expect(outcome.text.hasPrefix(beginning), "\(outcome.text)")
  }
}
