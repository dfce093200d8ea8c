import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// What stood behind the name of a command: operands, and options with their values.
struct Arguments {
  /// The arguments that are no options.
  private(set) var operands: [String] = []
  /// Whether help was asked for.
  private(set) var asksForHelp = false

  private let command: Command
  private var given: [(option: Option, value: String)] = []

  /// Reads the arguments of a command.
  init(_ arguments: [String], of command: Command) throws(Command.UsageError) {
    self.command = command
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      if argument == "-h" || argument == Option.help.name {
        asksForHelp = true
        return
      }
      if argument.utf8.first == UInt8(ascii: "-"), argument != "-" {
        try read(argument, &rest)
      } else {
        operands.append(argument)
      }
    }
    if operands.count < command.operandsMin {
      throw Command.UsageError(
        message: "'autowait \(command.name)' needs \(command.operands)",
        notes: command.operandNotes + [command.seeHelp])
    }
    if operands.contains("") {
      throw Command.UsageError(
        message: "'autowait \(command.name)' was given an empty path",
        notes: ["a variable of the shell that is not set gives one"])
    }
    if let most = command.operandsMax, operands.count > most {
      throw Command.UsageError(
        message: "'autowait \(command.name)' takes \(command.operands), but was given "
          + Plural.text(operands.count, "argument"),
        notes: [most == 1 ? "for several, call it once for each" : command.seeHelp])
    }
  }

  private mutating func read(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(Command.UsageError) {
    let equals = argument.utf8.firstIndex(of: UInt8(ascii: "="))
    let name = equals.map { String(Substring(argument.utf8[..<$0])) } ?? argument
    guard let option = command.allOptions.first(where: { $0.name == name }) else {
      let known = command.allOptions.map(\.name)
      throw Command.UsageError(
        message: "unknown option '\(name)' of 'autowait \(command.name)'",
        notes: Files.kind(of: argument) != nil
          ? ["a file of this name is './\(argument)'"]
          : NearestWord.hint(for: name, among: known) + [command.seeHelp])
    }
    if !option.isRepeatable, given.contains(where: { $0.option.name == name }) {
      throw Command.UsageError(message: "'\(name)' is given twice")
    }
    var value = equals.map { String(Substring(argument.utf8[argument.utf8.index(after: $0)...])) }
    if option.isValueOptional {
      given.append((option, value ?? ""))
    } else if let kind = option.value {
      value = value ?? rest.popFirst()
      guard let value, !value.isEmpty || !option.takesPath else {
        throw Command.UsageError(
          message: "'\(name)' needs a value: \(kind)", notes: [command.seeHelp])
      }
      given.append((option, value))
      if !option.choices.isEmpty { try check(value, option) }
    } else if let value {
      throw Command.UsageError(message: "'\(name)' takes no value, but was given '\(value)'")
    } else {
      given.append((option, ""))
    }
  }

  private func check(_ value: String, _ option: Option) throws(Command.UsageError) {
    if option.choices.contains(value) { return }
    throw Command.UsageError(
      unknown: "'\(option.name)' has the unknown value", value, among: option.choices,
      list: "the values are: ", shownBy: "autowait \(command.name) --help")
  }

  /// Returns whether an option was given.
  func has(_ option: Option) -> Bool { value(option) != nil }

  /// Returns the value of an option, if it was given.
  func value(_ option: Option) -> String? {
    given.first { $0.option.name == option.name }?.value
  }

  /// Returns the values of an option that may be given more than once, in their order.
  func values(_ option: Option) -> [String] {
    given.filter { $0.option.name == option.name }.map { $0.value }
  }

  /// Returns the file that an option names for results; nil where they are printed, which `-` says
  /// too.
  func output(_ option: Option) -> String? { value(option).flatMap { $0 == "-" ? nil : $0 } }

  /// Returns the value of an option that has few, or its default.
  func choice<Choice: RawRepresentable<String>>(_ option: Option, default choice: Choice) -> Choice
  {
    value(option).flatMap { Choice(rawValue: $0) } ?? choice
  }

  /// Returns the value of an option that is the word of a case, if it was given.
  func named<Case: NamedCase>(_ option: Option) -> Case? {
    value(option).flatMap { Case(word: $0) }
  }

  /// Returns the value of an option that is a whole number.
  func number(
    _ option: Option, in limits: ClosedRange<Int64>
  ) throws(Command.UsageError) -> Int64? {
    guard let text = value(option) else { return nil }
    guard let number = Int64(text), limits.contains(number) else {
      throw Command.UsageError(
        message: "'\(option.name)' must be a whole number from \(limits.lowerBound) to "
          + "\(limits.upperBound), not '\(text)'")
    }
    return number
  }

  /// Returns the value of an option that is a number of things.
  func count(_ option: Option, in limits: ClosedRange<Int>) throws(Command.UsageError) -> Int? {
    try number(option, in: Int64(limits.lowerBound)...Int64(limits.upperBound)).map { Int($0) }
  }

  /// Returns the value of an option that is an instant of a run.
  func instant(_ option: Option) throws(Command.UsageError) -> Instant? {
    try time(option).map { .start + $0 }
  }

  /// Returns the value of an option that is a time.
  func time(_ option: Option) throws(Command.UsageError) -> TimeSpan? {
    try quantity(option, .time, in: 0...Limits.timeMax.nanoseconds).map(TimeSpan.init(nanoseconds:))
  }

  /// Returns the value of an option that is an amount of data.
  func size(_ option: Option) throws(Command.UsageError) -> ByteCount? {
    try quantity(option, .size, in: 0...Limits.bytesMax.bytes).map(ByteCount.init(bytes:))
  }

  private func quantity(
    _ option: Option, _ kind: Quantity, in limits: ClosedRange<Int64>
  ) throws(Command.UsageError) -> Int64? {
    guard let text = value(option) else { return nil }
    do throws(Quantity.QuantityProblem) {
      return try kind.parse(text, in: limits, needsUnit: false)
    } catch {
      let (message, notes) = kind.explain(error)
      // Only what says what the value must be leaves open what it was.
      let found = error == .malformed || error == .missingUnit ? ", not '\(text)'" : ""
      throw Command.UsageError(message: "'\(option.name)' \(message)\(found)", notes: notes)
    }
  }

  /// How runs get from event to event.
  var pace: Simulation.Pace { has(.eventByEvent) ? .eventByEvent : .fast }

  /// Returns the folder given with `--root`, which must exist.
  func root() throws(Command.UsageError) -> String? {
    guard let root = value(.root) else { return nil }
    if Files.kind(of: root) != .folder {
      throw Command.UsageError(message: "the root '\(root)' is not a folder")
    }
    return root
  }
}

extension Command {
  /// So many words are listed that an operand may be.
  private static let operandWordsMax = 10

  /// What the first operand may be, if it is one of a few words.
  fileprivate var operandNotes: [String] {
    guard let words = operandWords?([]), !words.orFile,
      1...Self.operandWordsMax ~= words.words.count
    else { return [] }
    let name = operands.prefix { $0 != " " }
    return ["\(name) is one of \(NearestWord.quotedList(words.words))"]
  }

  /// Where more is told about the command.
  var seeHelp: String { "see 'autowait \(name) --help'" }
}
