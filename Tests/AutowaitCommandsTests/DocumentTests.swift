import AutowaitCommands
import AutowaitScenario
import Foundation
import Testing

/// What the README and the articles show is what happens.
///
/// A fenced block says by its first line how it is held against the truth:
/// - `console`: each line that begins with `$` is a command that is run in the root of the
///   repository, with 80 columns and without colour; the lines below it are all that it prints.
///   `swift run -c release autowait` stands for `autowait`, `| grep TEXT`, `| grep -A N TEXT`,
///   `| head -n N`, `| cut -c 1-N`, `2>&1` and `2>/dev/null` do what they do in a shell, and
///   `echo $?` prints what the command before it ended with. `cat FILE` prints a file of the
///   document's own. `autowait init` writes to where the document's own files are.
/// - `console release`: what takes too long where nothing is optimized; `.ci/run` checks it.
/// - `console oracles`: what needs measurements that are no part of the project; `.ci/run` checks
///   it where they are.
/// - `json scenario`: a scenario without a mistake, whose expectations are met. With a file name
///   behind it, the commands of the document find it under that name; with `unmet` behind that, its
///   expectations are not met.
/// - `json file NAME`, `text file NAME`: a file that the document's commands find under its name.
/// - `json template NAME`: what `autowait init NAME` writes, whole, which the document's commands
///   find as `NAME.json`.
/// - `json PATH`, `sh PATH`, `yaml PATH`, `groovy PATH`: the file of the repository, whole.
///   `swift PATH`: lines that stand in the file.
/// - `js recorder`, `swift exporter`: what `RecorderTests` run, or compile.
/// - `sh`: commands that are not run, but whose options exist.
///
/// A comment such as `picture demo: run demo.json` calls for a picture, light and dark. Those of
/// the README are kept, because it is read where nothing is made.
///
/// With `AUTOWAIT_RECORD=all` in the environment, and without `CI`, the blocks and the pictures are
/// written again, and the tests fail: look at the difference.
@Suite struct DocumentTests {
  static let records: Bool = {
    let variables = ProcessInfo.processInfo.environment
    let isCI = variables["CI"].map { !$0.isEmpty && $0 != "false" } ?? false
    return variables["AUTOWAIT_RECORD"] == "all" && !isCI
  }()

  @Test(arguments: MarkdownDocument.part(of: MarkdownDocument.all.map(\.path)))
  func blocksShowWhatHappens(_ path: String) throws {
    let document = try #require(MarkdownDocument.all.first { $0.path == path })
    #expect(document.openFence == nil, "\(path): a fenced block is not closed")
    var revised = document
    let runner = try DocumentRunner()
    for (number, block) in document.blocks.enumerated() {
      let actual = try lines(of: block, runner)
      guard let actual, actual != block.lines else { continue }
      revised.replace(number, actual)
      Issue.record(Comment(rawValue: Self.difference(block, actual, path)))
    }
    if Self.records, revised.text != document.text {
      try Data(revised.text.utf8).write(to: MarkdownDocument.url(path))
    }
    for (name, call) in document.pictures {
      for theme in ["light", "dark"] {
        try holdPicture(".github/pictures/\(name)-\(theme).svg", call, theme, runner)
      }
    }
  }

  /// Holds a picture that is kept, if there is one, against what the tool draws.
  private func holdPicture(
    _ path: String, _ call: String, _ theme: String, _ runner: DocumentRunner
  ) throws {
    guard let kept = MarkdownDocument.read(path) else { return }
    let drawn = try runner.picture(call, theme: theme)
    if drawn == kept { return }
    if Self.records { try Data(drawn.utf8).write(to: MarkdownDocument.url(path)) }
    Issue.record("\(path) is another picture than '\(call)' draws; \(Self.advice)")
  }

  /// Returns what a block ought to show; nil if that is nobody's business.
  private func lines(of block: MarkdownDocument.Block, _ runner: DocumentRunner) throws -> [String]?
  {
    switch (block.info.first, block.info.count > 1 ? block.info[1] : nil) {
    case ("console", nil): return runner.console(block.lines)
    case ("js", "recorder"), ("swift", "exporter"): return nil
    case ("json", "scenario"):
      try runner.scenario(block)
      return nil
    case ("json", "file"), ("text", "file"):
      try runner.file(block)
      return nil
    case ("json", "template"): return try runner.template(block)
    case ("json", let file?), ("sh", let file?), ("yaml", let file?), ("groovy", let file?):
      let text = MarkdownDocument.read(file)
      #expect(text != nil, "line \(block.line): there is no file \(file)")
      return text?.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map(String.init)
    case ("swift", let file?):
      let text = MarkdownDocument.read(file) ?? ""
      #expect(
        Self.contains(text, block.lines), "line \(block.line): this code does not stand in \(file)")
      return nil
    case ("sh", nil):
      for line in block.lines { runner.checkOptions(line, at: block.line) }
      return nil
    case ("text", nil), ("console", "oracles"), ("console", "release"): return nil
    default:
      Issue.record("line \(block.line): no test knows a block of '\(block.info)'")
      return nil
    }
  }

  /// Returns whether lines stand in a text one below the other, however far they are indented.
  private static func contains(_ text: String, _ lines: [String]) -> Bool {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { return false }
    return all.indices.contains { start in
      guard all[start].hasSuffix(first), start + lines.count <= all.count else { return false }
      let indent = all[start].dropLast(first.count)
      guard indent.allSatisfy({ $0 == " " }) else { return false }
      return zip(all[start...], lines).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
    }
  }

  private static let advice =
    records ? "it was written again" : "to write it again: AUTOWAIT_RECORD=all"

  private static func difference(
    _ block: MarkdownDocument.Block, _ actual: [String], _ path: String
  ) -> String {
    let count = zip(block.lines, actual).prefix { $0 == $1 }.count
    func line(_ lines: [String]) -> String { count < lines.count ? lines[count] : "(the end)" }
    return """
      \(path):\(block.line + 1 + count): the block does not show what happens
      - \(line(block.lines))
      + \(line(actual))
      \(advice)
      """
  }
}

/// Runs the commands of one document, in order.
private final class DocumentRunner {
  /// Collects what a command prints, on whichever stream, and what of it are messages.
  private final class Sink {
    var bytes: [UInt8] = []
    var messages: [UInt8] = []
  }

  private let fixture: CommandFixture
  private var code: Int32 = 0

  init() throws {
    fixture = try CommandFixture()
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    // Paths in documents are those of the repository, wherever the tests are started.
    let root = MarkdownDocument.repository.path
    try #require(FileManager.default.changeCurrentDirectoryPath(root))
  }

  /// Returns a console block with what its commands print now.
  func console(_ lines: [String]) -> [String] {
    var result: [String] = []
    for line in lines where line.hasPrefix("$ ") {
      result.append(line)
      let parts = line.dropFirst(2).split(separator: " | ")
      let isPiped = parts.count > 1
      var output = run(Self.words(String(parts.first ?? "")), isPiped: isPiped)
      for part in parts.dropFirst() {
        output = Self.filtered(output, by: Self.words(String(part)))
      }
      result += output
    }
    return result
  }

  /// Returns what a command behind a pipe leaves of lines.
  private static func filtered(_ lines: [String], by command: [String]) -> [String] {
    let count = command.count > 2 ? Int(command[2].split(separator: "-").last ?? "") ?? 0 : 0
    switch (command.first, command.count) {
    case ("grep", 2) where !command[1].hasPrefix("-"):
      return lines.filter { $0.contains(command[1]) }
    case ("grep", 4) where command[1] == "-A":
      guard let first = lines.firstIndex(where: { $0.contains(command[3]) }) else { return [] }
      return Array(lines[first...].prefix(1 + count))
    case ("head", 3) where command[1] == "-n": return Array(lines.prefix(count))
    case ("cut", 3) where command[1] == "-c" && command[2].hasPrefix("1-"):
      return lines.map { String($0.prefix(count)) }
    default: return unknown(command)
    }
  }

  /// Fails, since a document shows a command that is not known here.
  private static func unknown(_ command: [String]) -> [String] {
    Issue.record("no test can run '\(command.joined(separator: " "))'")
    return []
  }

  /// Runs a command.
  ///
  /// What is piped must say what becomes of its messages, if it has any.
  private func run(_ command: [String], isPiped: Bool) -> [String] {
    let redirection = command.last.flatMap { $0.hasPrefix("2>") ? $0 : nil }
    let words = redirection == nil ? command : command.dropLast()
    if words == ["echo", "$?"] { return ["\(code)"] }
    if words.first == "cat", words.count == 2, let text = try? fixture.read(words[1]) {
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map(String.init)
    }
    let rest = Self.command(words)
    guard rest.first == "autowait" else { return Self.unknown(words) }
    let sink = Sink()
    let stream = CommandEnvironment.Stream {
      sink.bytes += $0
      return .written
    }
    let messages = CommandEnvironment.Stream {
      if redirection != "2>/dev/null" { sink.bytes += $0 }
      sink.messages += $0
      return .written
    }
    let environment = CommandEnvironment(output: stream, messages: messages)
    var arguments = rest.dropFirst().map(placed)
    if arguments.count == 2, arguments[0] == "init" {
      arguments += ["--output", fixture.path("\(arguments[1]).json")]
    }
    for index in arguments.indices.dropFirst() where arguments[index - 1] == "--extract" {
      arguments[index] = fixture.path(arguments[index])
    }
    code = AutowaitCommand.run(arguments, in: environment)
    if isPiped, redirection == nil, !sink.messages.isEmpty {
      let text = String(decoding: sink.messages, as: UTF8.self)
      Issue.record("'\(words.joined(separator: " "))' has messages that no pipe takes: \(text)")
    }
    let text = String(decoding: sink.bytes, as: UTF8.self).replacing(fixture.folder + "/", with: "")
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// Returns an argument; a file without a folder lies where the document's own files do.
  private func placed(_ word: String) -> String {
    if word.contains("/") { return word }
    let endings = [
      ".json", ".log", ".xml", ".svg", ".html", ".shards", ".recording", ".baseline",
      ".csv", ".prom", ".har", ".cmcd",
    ]
    let isFile = endings.contains { word.hasSuffix($0) } || fixture.exists(word)
    return isFile ? fixture.path(word) : word
  }

  /// Checks that a block is a scenario, and keeps it under its name.
  func scenario(_ block: MarkdownDocument.Block) throws {
    let name = block.info.count > 2 ? block.info[2] : "line-\(block.line).json"
    let text = block.lines.joined(separator: "\n") + "\n"
    try fixture.write(name, text)
    let call = fixture.call("run", "$/\(name)")
    #expect(call.messages == "", "line \(block.line)")
    #expect(call.code == (block.info.last == "unmet" ? 1 : 0), "line \(block.line): \(call.output)")
  }

  /// Keeps a block under its name.
  func file(_ block: MarkdownDocument.Block) throws {
    let name = try #require(block.info.count == 3 ? block.info[2] : nil, "line \(block.line)")
    try fixture.write(name, block.lines.joined(separator: "\n") + "\n")
    if name.hasSuffix(".sh") { try fixture.makeExecutable(name) }
  }

  /// Returns a template, and keeps it under its name.
  func template(_ block: MarkdownDocument.Block) throws -> [String] {
    let name = try #require(block.info.count == 3 ? block.info[2] : nil, "line \(block.line)")
    let outcome = fixture.call("init", name, "--output", "-")
    #expect(outcome.code == 0, "line \(block.line): \(outcome.messages)")
    try fixture.write("\(name).json", outcome.output)
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// Returns the picture that a command draws.
  func picture(_ call: String, theme: String) throws -> String {
    let more = " --svg picture.svg --figure theme=\(theme) --output nothing.log"
    _ = run(Self.words("autowait \(call)\(more)"), isPiped: false)
    return try fixture.read("picture.svg")
  }

  /// Checks that a command that is not run has the options that it is given.
  func checkOptions(_ line: String, at number: Int) {
    let words = Self.command(Self.words(line))
    guard words.first == "autowait", words.count > 1 else { return }
    let help = fixture.call("help", words[1])
    #expect(help.code == 0, "line \(number): there is no command '\(words[1])'")
    for word in words where word.hasPrefix("--") {
      #expect(help.output.contains("  \(word) "), "line \(number): there is no option '\(word)'")
    }
  }

  /// Returns a command as it is called once it is built.
  private static func command(_ words: [String]) -> [String] {
    let unbuilt = ["swift", "run", "-c", "release"]
    return words.starts(with: unbuilt) ? Array(words.dropFirst(unbuilt.count)) : words
  }

  /// Splits a line into words, as a shell does it.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
