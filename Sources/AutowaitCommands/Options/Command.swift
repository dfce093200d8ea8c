import AutowaitFiles
import AutowaitScenario

/// An option that a command has.
struct Option: Sendable {
  /// The name, with its two dashes.
  let name: String
  /// What its value is called in the help; nil if it has none.
  let value: String?
  /// Whether it may stand without a value; one is given behind an equals sign.
  let isValueOptional: Bool
  /// The only values there are, if it has few.
  let choices: [String]
  /// What it does, in a few words.
  let about: String

  /// Whether it may be given more than once.
  var isRepeatable = false
  /// Values that shells offer, though there may be others.
  private(set) var offered: @Sendable () -> [String] = { [] }

  /// Returns the same option with values that shells offer.
  func offering(_ words: @autoclosure @escaping @Sendable () -> [String]) -> Option {
    var option = self
    option.offered = words
    return option
  }

  /// Whether the value is the path of a file or a folder, and so cannot be empty.
  var takesPath: Bool { ["FILE", "DIR", "FOLDER"].contains(value) }

  init(_ name: String, value: String? = nil, choices: [String] = [], _ about: String) {
    self.name = name
    self.value = value ?? (choices.isEmpty ? nil : choices.joined(separator: "|"))
    self.choices = choices
    self.about = about
    isValueOptional = false
  }

  init(_ name: String, optionalValue: String, _ about: String) {
    self.name = name
    self.about = about
    value = optionalValue
    choices = []
    isValueOptional = true
  }

  /// The name and the value, as the help shows them.
  var usage: String {
    guard let value else { return name }
    return isValueOptional ? "\(name)[=\(value)]" : "\(name) \(value)"
  }

  static let root = Option(
    "--root", value: "DIR",
    "Lets scenarios use files in DIR; default: the nearest parent folder named Scenarios, or "
      + "else the scenario's own folder")
  static let format = Option(
    "--format", choices: TextFormat.allCases.map(\.rawValue),
    "Prints text for people, or one JSON object")
  static let eventByEvent = Option(
    "--event-by-event",
    "Recomputes everything after each event: slower, with the same results")
  static let help = Option("--help", "Prints this help")
  static let color = Option(
    Console.ColorChoice.option, choices: Console.ColorChoice.allCases.map(\.rawValue),
    "Uses color; auto: on a terminal, unless NO_COLOR is set")
}

/// The formats of a command that prints a text for people or JSON.
enum TextFormat: String, CaseIterable {
  case text, json
}

/// A command: what it is called, what it takes, what it does.
struct Command: Sendable {
  /// Why a command cannot begin.
  struct UsageError: Error, Hashable {
    let message: String
    var notes: [String] = []
  }

  /// The word that calls it.
  let name: String
  /// What it takes beside options, as the help shows it.
  let operands: String
  /// The fewest operands that it takes.
  let operandsMin: Int
  /// The most operands that it takes; nil if there is no limit.
  var operandsMax: Int?
  /// What it does, in one line.
  let summary: String
  /// What else is to be known about it.
  let about: String
  /// The options.
  let options: [Option]
  /// Calls that work, each with what it does.
  let examples: [(call: String, about: String)]
  /// What an operand may be, behind those before it; nil if each is the name of a file.
  var operandWords: (@Sendable ([String]) -> OperandWords)?
  /// Does the work.
  let run: @Sendable (Arguments, Console) throws(UsageError) -> ExitCode
}

extension Command {
  /// The options of the command, and those that all have.
  var allOptions: [Option] {
    options + (options.contains { $0.name == Option.color.name } ? [] : [.color]) + [.help]
  }
}

extension Command.UsageError {
  /// Why a word that is none of some cannot be used: the one that was meant, or the nearest and the
  /// call that shows all.
  init(
    unknown what: String, _ word: String, among words: [String], list: String,
    shownBy call: String? = nil
  ) {
    self.init(
      message: "\(what) '\(word)'",
      notes: NearestWord.notes(for: word, among: words, list: list, shownBy: call))
  }
}
