import Autowait
import AutowaitRendering
import AutowaitScenario

/// A scenario that is played in virtual time, with the keys that somebody hits.
///
/// Nothing of it knows a terminal or a clock.
struct LivePlay {
  /// How virtual time runs.
  enum Pace {
    case real, fourfold, fast

    /// How many times as fast as a clock.
    var factor: Int64 {
      switch self {
      case .real: 1
      case .fourfold: 4
      case .fast: 40
      }
    }
  }

  /// What somebody is writing.
  enum Entry {
    case seek, rate, preset

    /// What is asked.
    var question: String {
      switch self {
      case .seek: "seek to (seconds):"
      case .rate: "rate of the link (Mbit/s):"
      case .preset: "link (a preset, such as nlc/3g):"
      }
    }
  }

  /// What a key leads to outside.
  enum Wish {
    case nothing, save, stop, quit
  }

  /// Reads the scenario that a text is; nil, with what is wrong, if it is none.
  typealias Reading = (_ text: String) -> (scenario: Scenario?, problem: String?)

  private let reading: Reading
  private(set) var live: LiveScenario
  /// The scenario with all steps so far.
  private(set) var scenario: Scenario
  /// How far virtual time has come.
  private(set) var cursor = Instant.start
  private(set) var pace = Pace.real
  private(set) var isHeld = false
  /// The player that keys are for.
  private(set) var player = 0
  /// What is being written, and asked for.
  private(set) var entry: (kind: Entry, text: String)?
  /// What there is to say.
  private(set) var message = ""
  private(set) var showsHelp = false
  private(set) var isSaved = true
  private var asksToQuit = false

  /// Begins to play a scenario that is one text, or was put together from several.
  init(_ scenario: Scenario, writtenAs text: SourceText?, reading: @escaping Reading) {
    self.reading = reading
    self.scenario = scenario
    live = LiveScenario(scenario, writtenAs: text)
  }

  // MARK: Time

  /// The run up to now.
  var run: Scenario {
    var scenario = scenario
    scenario.world.horizon = min(cursor, scenario.world.horizon)
    return scenario
  }

  /// Lets virtual time go on, in whole milliseconds.
  mutating func advance(by nanoseconds: Int64) {
    if isHeld || entry != nil { return }
    move(by: nanoseconds / 1_000_000 * 1_000_000 * pace.factor)
  }

  private mutating func move(by nanoseconds: Int64) {
    let goal = max(0, cursor.nanoseconds + nanoseconds)
    cursor = Instant(nanoseconds: min(goal, scenario.world.horizon.nanoseconds))
    let end = ScenarioRun.summary(run).end
    if end < cursor {
      cursor = end
      hold("nothing more happens by itself")
    } else if cursor == scenario.world.horizon {
      hold("the time of the run is up; 'until' gives it more")
    }
  }

  private mutating func hold(_ why: String) {
    isHeld = true
    message = why
  }

  /// Moves to the next instant at which something happens, or to the one before.
  private mutating func moveToEvent(forwards: Bool) {
    isHeld = true
    var found = forwards ? nil : Instant.start
    for record in ScenarioRun.run(forwards ? scenario : run).records {
      if forwards, record.instant > cursor {
        found = record.instant
        break
      }
      if !forwards, record.instant < cursor { found = record.instant }
    }
    if let found { cursor = found } else { message = "nothing more happens by itself" }
  }

  // MARK: Keys

  /// Does what a key stands for.
  mutating func take(_ key: LiveKey) -> Wish {
    message = ""
    if entry != nil {
      write(key)
      return .nothing
    }
    defer { if key != .letter("q") { asksToQuit = false } }
    switch key {
    case .right: move(seconds: 1)
    case .left: move(seconds: -1)
    case .up: moveToEvent(forwards: false)
    case .down: moveToEvent(forwards: true)
    case .letter(let letter): return take(letter)
    case .enter, .erase, .escape: showsHelp = false
    }
    return .nothing
  }

  private mutating func move(seconds: Int64) {
    isHeld = true
    move(by: seconds * 1_000_000_000)
  }

  private mutating func take(_ letter: Character) -> Wish {
    switch letter {
    case " ": isHeld.toggle()
    case "1": pace = .real
    case "4": pace = .fourfold
    case "f": pace = .fast
    case "p": act("play")
    case "x": act("pause")
    case "i": act("playImmediately")
    case "s": entry = (.seek, "")
    case "o": switchLink()
    case "r": entry = (.rate, "")
    case "l": entry = (.preset, "")
    case "u": takeBack()
    case "\t": player = (player + 1) % scenario.playerNames.count
    case "?", "h": showsHelp.toggle()
    case "w": return .save
    case "\u{1A}": return .stop
    case "\u{3}", "\u{4}": return .quit
    case "q":
      if isSaved || asksToQuit { return .quit }
      asksToQuit = true
      message = "not saved: w saves, q again quits"
    default: message = "? lists the keys"
    }
    return .nothing
  }

  private mutating func write(_ key: LiveKey) {
    guard let (kind, text) = entry else { return }
    switch key {
    case .letter("\u{3}"), .escape: entry = nil
    case .letter(let letter) where letter >= " ": entry = (kind, text + String(letter))
    case .erase: entry = (kind, String(text.dropLast()))
    case .enter:
      entry = nil
      if !text.isEmpty { take(kind, text) }
    case .left, .right, .up, .down, .letter: break
    }
  }

  private mutating func take(_ kind: Entry, _ text: String) {
    switch kind {
    case .seek:
      act("seek", ", \"to\": \(Self.quantity(text, "s"))")
    case .rate:
      let value = Self.quantity(text, "Mbit/s")
      changeLink("{\"use\": \(live.link(at: cursor)), \"rate\": \(value)}")
    case .preset: changeLink(JSONWriter.text { $0.string(text: text) })
    }
  }

  /// Returns a quantity in JSON, which has a unit if nobody wrote one.
  private static func quantity(_ text: String, _ unit: String) -> String {
    JSONWriter.text { $0.string(text: text.last?.isNumber == true ? "\(text) \(unit)" : text) }
  }

  // MARK: Steps

  private mutating func act(_ what: String, _ more: String = "") {
    var members = "\"do\": \"\(what)\"\(more)"
    if scenario.playerNames.count > 1 {
      let name = scenario.playerNames[player]
      members += ", \"player\": " + JSONWriter.text { $0.string(text: name) }
    }
    add(members)
  }

  private mutating func switchLink() {
    let (link, isOff) = (live.link(at: cursor), live.isLinkOff(at: cursor))
    changeLink(isOff ? link : "{\"use\": \(link), \"rate\": 0}", turnsOff: !isOff)
  }

  private mutating func changeLink(_ link: String, turnsOff: Bool = false) {
    add("\"do\": \"link\", \"link\": \(link)", turnsOff: turnsOff)
  }

  private mutating func takeBack() {
    if live.added.isEmpty {
      message = "there is no step to take back"
      return
    }
    var shorter = live
    shorter.removeLast()
    if play(shorter) { message = "the last step is taken back" }
  }

  /// Adds a step now, if it is one.
  private mutating func add(_ members: String, turnsOff: Bool? = nil) {
    var longer = live
    longer.add(.init(instant: cursor, members: members, turnsOff: turnsOff))
    _ = play(longer)
  }

  /// Goes on with other steps, if they can be read.
  private mutating func play(_ changed: LiveScenario) -> Bool {
    let (read, problem) = reading(changed.text)
    guard let read else {
      message = problem ?? "this cannot be read"
      return false
    }
    // Another kind of link may need a closer model: all was played again with that one.
    let choice = read.world.tierChoice
    if choice.tier != scenario.world.tierChoice.tier {
      message = "played again from the start on the \(LinkText.sentence(for: choice))"
    }
    (live, scenario, isSaved) = (changed, read, changed.added.isEmpty)
    return true
  }

  /// Takes note that what was done is in a file.
  mutating func saved(as path: String) {
    isSaved = true
    message = "wrote \(path)"
  }

  /// Says why something did not work.
  mutating func tell(_ text: String) { message = text }
}
