import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// A terminal on which a scenario plays: it draws, waits for keys, and saves.
struct LiveStage {
  /// How long it waits for a key before it draws again, in milliseconds: with time held, only the
  /// size of the terminal may have changed.
  private static let waits = (running: 50, held: 250)
  /// The rows of a terminal that does not say how many it has.
  private static let rowsUsual = 24
  private static let keyLines = [
    "space hold  ←→ 1 s  ↑↓ event  1 4 f pace  p play  x pause  i play now  s seek",
    "o link off/on  r rate  l preset  u take back  w save  ? help  q quit",
  ]

  private static let help = [
    ("1 4 f", "virtual time runs as a clock does, or 4 or 40 times as fast"),
    ("↓ ↑", "the next instant at which something happens, and the one before"),
    ("s r l", "ask for a time, a rate, a preset; Enter takes it, Escape does not"),
    ("Tab", "the next player, if there are several"),
    ("u", "takes the last step back; a step at an earlier time discards those after it"),
    ("w", "writes the scenario with all steps, which 'autowait run' replays"),
    ("q", "quits, as does Ctrl-C; Ctrl-Z stops for a while"),
  ]

  private var play: LivePlay
  private let screen: CommandEnvironment.Screen
  private let console: Console
  private let style: TextStyle
  private let output: String?
  /// The file that was written.
  private var written: String?
  /// What was drawn last.
  private var drawn: [UInt8] = []

  init(
    _ play: LivePlay, _ screen: CommandEnvironment.Screen, _ console: Console, _ style: TextStyle,
    output: String?
  ) {
    (self.play, self.screen, self.console) = (play, screen, console)
    (self.style, self.output) = (style, output)
  }

  /// Holds virtual time.
  mutating func hold() { _ = play.take(.letter(" ")) }

  /// Plays until somebody quits.
  mutating func run() {
    screen.enter()
    defer { screen.leave() }
    var last = console.environment.nanoseconds()
    while true {
      draw()
      let wait = play.isHeld ? Self.waits.held : Self.waits.running
      let input = console.environment.inputWithin(wait, true)
      let now = console.environment.nanoseconds()
      play.advance(by: now - last)
      last = now
      switch input {
      case .bytes(let bytes)?:
        for key in LiveKey.keys(bytes) {
          switch play.take(key) {
          case .nothing: break
          case .save: save()
          case .stop:
            screen.stop()
            drawn = []
            last = console.environment.nanoseconds()
          case .quit: return
          }
        }
      case .end?, .failed?: return
      case nil: break
      }
      if console.isOutputClosed { return }
    }
  }

  /// Says what became of it, on the screen that was there before.
  func conclude() -> ExitCode {
    guard let written else { return .fine }
    let result = ScenarioRun.summary(play.scenario)
    console.line("wrote \(written)")
    console.line("run it: autowait run \(Path.quoted(written))")
    console.line("fingerprint \(LogRendering.hexadecimal(result.fingerprint))")
    return .fine
  }

  // MARK: Saving

  private mutating func save() {
    let path = output ?? written ?? freeName()
    do throws(Files.SystemProblem) {
      try Files.write(Array(play.live.text.utf8), to: path)
      written = path
      play.saved(as: path)
    } catch {
      play.tell("\(path) \(error.reason)")
    }
  }

  /// Returns a name beside the scenario that no file has.
  private func freeName() -> String {
    let path = play.live.path
    let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    var number = 1
    while true {
      let name = "\(stem).played\(number == 1 ? "" : "-\(number)").json"
      if Files.kind(of: name) == nil { return name }
      number += 1
    }
  }

  // MARK: Drawing

  private mutating func draw() {
    let width = max(40, console.environment.terminalWidth() ?? style.width)
    let rows = max(8, console.environment.terminalHeight() ?? Self.rowsUsual)
    let style = TextStyle(width: width, usesColor: style.usesColor)
    let result = ScenarioRun.run(play.run)
    let instants = TimelineRendering.stripInstants(result, width: width) + [result.end]
    let strip = ScenarioRun.rerun(play.run, samplesAt: instants).samples
    let lines = LiveRendering.lines(result, strip: strip, frame(rows: rows), style: style)
    // From the top left corner, each line over the old one, and nothing below.
    var bytes = Array("\u{1B}[H".utf8)
    for (number, line) in lines.enumerated() {
      bytes += console.shown(line, keepsPaint: style.usesColor)
      bytes += Array((number + 1 < lines.count ? "\u{1B}[K\r\n" : "\u{1B}[K\u{1B}[J").utf8)
    }
    if bytes == drawn { return }
    drawn = bytes
    console.write(data: bytes)
    console.flush()
  }

  private func frame(rows: Int) -> LiveRendering.Frame {
    let time = OutcomeRendering.seconds(play.cursor.nanoseconds)
    let question = play.entry.map { "\($0.kind.question) \($0.text)_" }
    var frame = LiveRendering.Frame(
      clock: "\(time) s  \(play.isHeld ? "held" : "\(play.pace.factor) ×")", player: play.player,
      message: question ?? play.message, keys: Self.keyLines, rows: rows)
    if play.showsHelp { frame.help = Self.help }
    return frame
  }
}
