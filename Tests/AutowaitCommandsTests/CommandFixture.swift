import Autowait
import AutowaitCommands
import AutowaitScenario
import Foundation
import Synchronization

/// A folder of its own with files in it, and the tool to be run on them.
final class CommandFixture {
  /// What a call of the tool came to; the path of the folder reads `$`.
  struct Call: Equatable {
    var code: Int32
    var output: String
    var messages: String
  }

  /// Collects what is written to a stream.
  private final class Sink {
    var bytes: [UInt8] = []
  }

  let folder: String
  var variables: [String: String] = [:]
  var isTerminal = false
  /// Whether people look at messages directly.
  var messagesAreSeen = false
  /// What the tool is sent, piece by piece.
  var input: [String] = []
  /// The end of the path of a scenario of which `autowait test` leaves out the last step the second
  /// time, as if that were a defect of autowait.
  var defective: String?
  /// Whether people write what the tool is sent.
  var isInputTerminal = false
  /// What happens when the tool waits for a moment, and what it is sent then.
  var whenWaiting: () -> CommandEnvironment.Input? = { .end }
  /// The terminal that a command takes over, if there is one.
  var screen: CommandEnvironment.Screen?
  /// By how many nanoseconds the clock goes on each time that it is looked at.
  var ticks: Int64 = 0
  var outputOutcome = CommandEnvironment.Stream.WriteOutcome.written

  init(_ files: [String: String] = [:]) throws {
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    folder = temporary.appending(path: "autowait-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    variables["TMPDIR"] = "\(folder)/temporary"
    for (path, text) in files { try write(path, text) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ name: String, _ text: String) throws {
    try write(name, Array(text.utf8))
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Lets a file be run as a program.
  func makeExecutable(_ name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// All names in the folder, also hidden ones, ordered.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  /// Calls the tool; a `$` in an argument is the path of the folder.
  @discardableResult
  func call(_ arguments: String...) -> Call { call(arguments) }

  /// Calls the tool; a `$` in an argument is the path of the folder.
  func call(_ arguments: [String]) -> Call {
    call(exactly: arguments.map { $0.replacing("$", with: folder) })
  }

  /// Calls the tool with arguments in which a `$` is only that.
  func call(exactly arguments: [String]) -> Call {
    let (output, messages) = (Sink(), Sink())
    let outcome = outputOutcome
    var environment = CommandEnvironment(
      output: .init(isTerminal: isTerminal) {
        if outcome == .written { output.bytes += $0 }
        return outcome
      },
      messages: .init(isTerminal: messagesAreSeen) {
        messages.bytes += $0
        return .written
      })
    var pieces = input.map { Array($0.utf8) }[...]
    environment.input = { pieces.popFirst().map { .bytes($0) } ?? .end }
    environment.inputWithin = { [whenWaiting] _, _ in whenWaiting() }
    environment.isInputTerminal = isInputTerminal
    environment.screen = screen
    let clock = Mutex((time: Int64(0), ticks: ticks))
    environment.nanoseconds = {
      clock.withLock { clock in
        clock.time += clock.ticks
        return clock.time
      }
    }
    let variables = variables
    environment.variable = { variables[$0] }
    environment.processorCount = 2
    environment.planted = { [defective] scenario in
      var scenario = scenario
      if let defective, scenario.path.hasSuffix(defective) { scenario.world.script.removeLast() }
      return scenario
    }
    let code = AutowaitCommand.run(arguments, in: environment)
    func text(_ sink: Sink) -> String {
      String(decoding: sink.bytes, as: UTF8.self).replacing(folder, with: "$")
    }
    return Call(code: code, output: text(output), messages: text(messages))
  }
}

/// The second act of the stage demo, and variations of it.
enum Fixture {
  /// The members by which an output in JSON says what made it.
  static let madeBy = #""autowaitVersion":"0.1.0","modelVersion":\#(model),"commit":null"#
  /// The version of the model.
  static let model = SimulationModel.version

  static let playing = scenario()

  static func scenario(
    name: String = "slow", link: String = "\"demo/slow-server\"", startupMax: String = "6.2 s",
    seed: Int = 1
  ) -> String {
    """
    {
      "autowait": 1,
      "name": "\(name)",
      "seed": \(seed),
      "link": \(link),
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [
        {"at": 0, "do": "load"},
        {"when": {"loaded": {">=": "0.3 s"}}, "do": "play"}
      ],
      "expect": [
        {"never": {"event": "playbackStalled"}},
        {"metric": "timeSpentInInitialStartup", "<=": "\(startupMax)"}
      ]
    }

    """
  }
}

/// A log's line in which an event was changed, and what is shown of it and around it.
struct TamperedLine {
  /// The number of the line, from 1.
  let number: Int
  /// The log with the line changed.
  let log: String
  /// What is shown of the difference, below two spaces for each level.
  let shown: String

  /// Changes the line that begins playback: the number of its cause becomes another.
  init?(in log: String) {
    let lines = log.split(separator: "\n").map(String.init)
    func line(_ number: Int) -> Int? {
      lines.firstIndex { $0.contains("\"n\":\(number),\"cause\"") }
    }
    func numbers(_ line: String) -> [Int] {
      line.split(separator: ",").prefix(3).dropFirst()
        .compactMap { Int($0.drop { !$0.isNumber }) }
    }
    let playing = "\"event\":\"timeControlStatus\",\"value\":\"playing\"}"
    guard let index = lines.firstIndex(where: { $0.hasSuffix(playing) }),
      let cause = numbers(lines[index]).last, let first = line(cause), let other = line(cause - 1)
    else { return nil }
    let changed = lines[index].replacing("\"cause\":\(cause),", with: "\"cause\":\(cause - 1),")
    number = index + 1
    self.log = log.replacing(lines[index], with: changed)
    func row(_ index: Int) -> String { "\(index + 1) | \(lines[index])" }
    shown = """
        \(row(index - 2))
        \(row(index - 1))
      - \(index + 1) | \(changed)
      + \(row(index))
        \(row(index + 1))
        \(row(index + 2))
      cause: \(row(first))
      cause: \(row(other))
      """
  }

  /// What is shown, moved to the right.
  func shown(indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return shown.split(separator: "\n").map { margin + $0 }.joined(separator: "\n")
  }
}
