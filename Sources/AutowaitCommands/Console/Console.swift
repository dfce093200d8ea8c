import AutowaitFidelity
import AutowaitRendering
import AutowaitScenario

/// Writes results and messages, in order, without a call to the system for each.
///
/// It is a class because all parts of one command write to the same two streams; it stays on the
/// thread of the command.
final class Console {
  /// When colour is used.
  enum ColorChoice: String, CaseIterable {
    case auto, always, never

    /// The name of the option that makes the choice.
    static let option = "--color"

    /// Reads the choice of a call whose other words may be wrong.
    init(in arguments: [String]) {
      self = .auto
      let words = arguments.prefix { $0 != "--" }
      for (word, next) in zip(words, words.dropFirst() + [""]) {
        if word == Self.option {
          self = ColorChoice(rawValue: next) ?? self
        } else if word.hasPrefix("\(Self.option)=") {
          self = ColorChoice(rawValue: String(word.dropFirst(Self.option.count + 1))) ?? self
        }
      }
    }
  }

  /// The surroundings of the command.
  let environment: CommandEnvironment
  /// When messages are coloured; results are as their command says.
  var messageColor = ColorChoice.auto
  /// Why results could not be written, once they could not.
  private(set) var outputProblem: String?

  /// So many bytes are kept before they are written.
  private static let bufferedMax = 1 << 16

  private var results: [UInt8] = []
  /// Whether nobody takes results any more.
  private(set) var isOutputClosed = false
  private var progressLength = 0

  init(_ environment: CommandEnvironment) {
    self.environment = environment
  }

  /// Writes results for people, line by line, which may have colours; of what files say, nothing
  /// that is no text reaches them.
  func write(_ text: String, keepsPaint: Bool = false) {
    write(data: shown(text, keepsPaint: keepsPaint))
  }

  /// Writes results in a format that people read and programs too, such as Markdown: it is UTF-8 in
  /// every locale.
  func write(document text: String) {
    write(data: Array(text.printableLines().utf8))
  }

  /// Returns what people are shown of a text of several lines.
  func shown(_ text: String, keepsPaint: Bool = false) -> [UInt8] {
    Array(spelled(text.printableLines(keepsPaint: keepsPaint)).utf8)
  }

  /// Writes results in a format that says itself how it spells what is no text, such as JSON.
  func write(data bytes: [UInt8]) {
    if results.isEmpty, bytes.count >= Self.bufferedMax {
      emit(bytes)
      return
    }
    results += bytes
    if results.count >= Self.bufferedMax { flush() }
  }

  /// Writes a line of results for people.
  func line(_ text: String) {
    write(data: Array((spelled(text.printableLine) + "\n").utf8))
  }

  /// Writes a message, which is one line, after all results before it.
  func message(_ text: String) {
    send(spelled(text.printableLine))
  }

  /// Writes a message that helps, or says what was understood.
  func note(_ text: String) {
    send(MessageText.note(text, messageStyle))
  }

  /// Reports what is wrong with recordings, each with its place.
  func report(_ problems: [RecordingProblem]) {
    report(problems.map { Finding(.error, $0.reason, path: $0.path) })
  }

  /// Writes commands to the runner of GitHub, which are the only lines that are such.
  func send(_ commands: [GitHubAnnotation], asMessages: Bool) {
    for command in commands {
      if asMessages { send(command.line) } else { write(data: Array((command.line + "\n").utf8)) }
    }
  }

  private func send(_ line: String) {
    flush()
    clearProgress()
    _ = environment.messages.write(Array((line + "\n").utf8))
  }

  private func send(_ lines: [String]) {
    for line in lines { send(spelled(line)) }
  }

  /// Writes why a command cannot go on, and what helps.
  func refuse(_ message: String, notes: [String] = []) {
    send([MessageText.error(message, by: "autowait", messageStyle)])
    for note in notes { self.note(note) }
  }

  /// Writes findings as messages.
  func report(_ findings: [Finding]) {
    for finding in findings { send(MessageText.lines(finding, messageStyle)) }
  }

  /// Shows how far a long command is, in a line that the next message replaces; where nobody looks
  /// at messages directly there is no such line.
  func progress(_ text: String) {
    if !environment.messages.isTerminal { return }
    clearProgress()
    let line = spelled(text.printableLine)
    progressLength = line.utf8.count
    _ = environment.messages.write(Array(line.utf8))
  }

  /// Removes the line that shows progress.
  func clearProgress() {
    if progressLength == 0 { return }
    let blank = String(repeating: " ", count: progressLength)
    progressLength = 0
    _ = environment.messages.write(Array("\r\(blank)\r".utf8))
  }

  /// Writes what is still kept.
  func flush() {
    if results.isEmpty { return }
    emit(results)
    results.removeAll(keepingCapacity: true)
  }

  /// Whether results are coloured.
  func usesColor(_ choice: ColorChoice) -> Bool { usesColor(choice, on: environment.output) }

  private func usesColor(_ choice: ColorChoice, on stream: CommandEnvironment.Stream) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      stream.isTerminal && environment.variable("NO_COLOR") == nil
        && environment.variable("TERM") != "dumb"
    }
  }

  /// How messages are laid out: no wider than the terminal; elsewhere a message is one line.
  private var messageStyle: TextStyle {
    let isSeen = environment.messages.isTerminal
    return TextStyle(
      width: isSeen ? max(40, terminalWidth) : .max,
      usesColor: usesColor(messageColor, on: environment.messages))
  }

  /// Returns a text in the letters that the user's locale knows.
  func spelled(_ text: String) -> String { isPlain ? ASCIIText.of(text) : text }

  /// Whether nothing but ASCII is to be drawn, as the user's locale asks; one that is not set asks
  /// for nothing.
  private lazy var isPlain: Bool = {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let values = names.compactMap { environment.variable($0) }
    guard let locale = values.first(where: { !$0.isEmpty })?.lowercased() else { return false }
    // As in `de_DE.UTF-8@euro`: a language, a set of letters, and what else is special.
    let letters = locale.prefix { $0 != "@" }
    return !letters.hasSuffix("utf-8") && !letters.hasSuffix("utf8")
  }()

  /// The columns that results may take.
  var width: Int { hasWidth ? terminalWidth : 80 }

  /// The columns that lines may take which lose nothing where nobody looks: as many as they need.
  var lineWidth: Int { hasWidth ? terminalWidth : .max }

  private var hasWidth: Bool {
    environment.output.isTerminal || environment.variable("COLUMNS") != nil
  }

  private var terminalWidth: Int {
    if let text = environment.variable("COLUMNS"), let width = Int(text), width > 0 {
      return width
    }
    return environment.terminalWidth() ?? 80
  }

  private func emit(_ bytes: [UInt8]) {
    if isOutputClosed { return }
    clearProgress()
    switch environment.output.write(bytes) {
    case .written: break
    case .closed: isOutputClosed = true
    case .failed(let reason):
      isOutputClosed = true
      outputProblem = reason
    }
  }
}
