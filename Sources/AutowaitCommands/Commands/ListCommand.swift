import Autowait
import AutowaitFidelity
import AutowaitRendering
import AutowaitScenario

/// `autowait list`: what is built in, with values and sources.
enum ListCommand {
  /// What can be listed.
  private enum Kind: String, CaseIterable {
    case profiles, heuristics, metrics, events, keys, scenarios
  }

  /// The version of the format of the JSON output.
  private static let formatVersion: Int64 = 1

  private static let width = Option("--width", value: "N", "Makes tables N columns wide")

  private static let root = Option(
    Option.root.name, value: "DIR",
    "Lists the scenarios in DIR; default: the folder \(ScenarioList.folder)")

  static let command = Command(
    name: "list", operands: "KIND [NAME…]", operandsMin: 1,
    summary: "Lists built-in links and rules, and finds scenarios",
    about: """
      KIND is profiles, heuristics, metrics, events or keys. NAME selects one of them, or a \
      family of profiles such as nlc. A single profile or heuristic is described in full; a \
      profile can have changes, such as nlc/lte@queue=bdp. Keys are those of files: NAME is an \
      object, such as link or step, or a key.

      KIND can also be scenarios. Then each NAME is a word, and the command lists the scenarios \
      and experiments that contain all words in their path, name, description or tags. It shows \
      the tags of each scenario, and the runs of one that varies.
      """,
    options: [.format, root, width],
    examples: [
      ("autowait list profiles", "Shows the built-in links and their properties."),
      ("autowait list profiles nlc/lte", "Describes one link, with the source of its numbers."),
      (
        "autowait list heuristics media3",
        "Describes a startup rule, with its numbers."
      ),
      ("autowait list metrics", "Shows the definition of each metric."),
      ("autowait list events seek", "Shows what an event means."),
      ("autowait list keys step", "Shows the keys of a step of a script."),
      ("autowait list scenarios live stall", "Finds scenarios of live streams that stall."),
    ],
    operandWords: { before in
      let areLinks = before.first == Kind.profiles.rawValue
      return OperandWords(words: names(behind: before), areLinks: areLinks)
    },
    run: run)

  /// What may stand behind a kind, or the kinds.
  private static func names(behind operands: [String]) -> [String] {
    guard let word = operands.first else { return Kind.allCases.map(\.rawValue) }
    switch Kind(rawValue: word) {
    case nil: return []
    case .profiles: return LinkPreset.families + LinkPreset.all.map(\.name)
    case .heuristics: return heuristicNames
    case .metrics: return Metric.allCases.map(\.rawValue)
    case .events: return Event.names
    case .keys: return KeyReference.names
    case .scenarios: return []
    }
  }

  /// The rules by which players start, and then those that only choose.
  static var heuristicNames: [String] {
    let names = Heuristic.all.map(\.name)
    return names + AdaptationRules.all.map(\.name).filter { !names.contains($0) }
  }

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let word = arguments.operands[0]
    let kinds = Kind.allCases.map(\.rawValue)
    guard let kind = Kind(rawValue: word) else {
      throw Command.UsageError(
        unknown: "there is no list of", word, among: kinds, list: "the kinds are: ")
    }
    let names = Array(arguments.operands.dropFirst())
    if kind != .scenarios, arguments.has(root) {
      throw Command.UsageError(message: "'\(root.name)' belongs to 'autowait list scenarios'")
    }
    let width = try arguments.count(width, in: 40...400) ?? console.width
    let format: TextFormat = arguments.choice(.format, default: .text)
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("version", formatVersion)
    ToolVersion.write(into: &writer)
    writer.key(text: word)
    writer.beginArray()
    let text: String
    var code = ExitCode.fine
    switch kind {
    case .profiles:
      let presets = try self.presets(names)
      for preset in presets { ProfileRendering.write(preset, into: &writer) }
      let isOne = presets.count == 1 && names == [presets[0].name]
      text =
        isOne
        ? ProfileRendering.page(presets[0], width: width)
        : ProfileRendering.table(presets, width: width)
    case .heuristics: text = try heuristics(names, &writer, width: width)
    case .metrics: text = try metrics(names, &writer, width: width)
    case .events: text = try events(names, &writer, width: width)
    case .keys: text = try keys(names, &writer, width: width)
    case .scenarios:
      let list = try ScenarioList(below: try arguments.root(), words: names, console)
      list.write(into: &writer)
      text = list.text(width: width)
      code = list.code
    }
    writer.endArray()
    writer.endObject()
    writer.endLine()
    if format == .json { console.write(data: writer.bytes) } else { console.write(text) }
    return code
  }

  /// Returns the presets that names and families stand for; all without one.
  private static func presets(_ names: [String]) throws(Command.UsageError) -> [LinkPreset] {
    if names.isEmpty { return LinkPreset.all }
    var presets: [LinkPreset] = []
    for name in names {
      let family = name.hasSuffix("/") ? String(name.dropLast()) : name
      let members = LinkPreset.all.filter { $0.family == family }
      if !members.isEmpty {
        presets += members
        continue
      }
      do throws(LinkPreset.PresetProblem) {
        presets.append(try LinkPreset.named(name))
      } catch {
        throw usageError(error, family)
      }
    }
    return presets
  }

  /// Turns the problem with a name, which may also be a family's, into that of a call.
  private static func usageError(
    _ problem: LinkPreset.PresetProblem, _ family: String
  ) -> Command.UsageError {
    if LinkPreset.all.contains(where: { family.hasPrefix($0.name + "@") }) {
      return Command.UsageError(message: problem.message, notes: problem.notes)
    }
    let hints = problem.notes.filter { $0.hasPrefix("did you mean") }
    let families = NearestWord.notes(
      for: family, among: LinkPreset.families, list: "the families are: ",
      shownBy: "autowait list profiles")
    return Command.UsageError(message: problem.message, notes: hints.isEmpty ? families : hints)
  }

  private static func heuristics(
    _ names: [String], _ writer: inout JSONWriter, width: Int
  ) throws(Command.UsageError) -> String {
    let known = heuristicNames
    for name in names where !known.contains(name) {
      throw Command.UsageError(
        unknown: "there is no heuristic", name, among: known, list: "the heuristics are: ",
        shownBy: "autowait list heuristics")
    }
    let chosen = Heuristic.all.filter { names.isEmpty || names.contains($0.name) }
    let choosing = AdaptationRules.all.filter { names.isEmpty || names.contains($0.name) }
    for heuristic in chosen { HeuristicRendering.write(heuristic, into: &writer) }
    for rule in choosing { HeuristicRendering.write(rule, into: &writer) }
    if chosen.count + choosing.count > 2 {
      return HeuristicRendering.table(chosen, choosing, width: width)
    }
    let pages =
      chosen.map { heuristic in
        HeuristicRendering.page(
          heuristic, measured: RecordedPlayer.measured(heuristic.name), width: width)
      }
      + choosing.map { HeuristicRendering.page($0, width: width) }
    return pages.joined(separator: "\n")
  }

  private static func metrics(
    _ names: [String], _ writer: inout JSONWriter, width: Int
  ) throws(Command.UsageError) -> String {
    for name in names where Metric(rawValue: name) == nil {
      let metrics = Metric.allCases.map(\.rawValue)
      throw Command.UsageError(
        unknown: "there is no metric", name, among: metrics, list: "the metrics are: ",
        shownBy: "autowait list metrics")
    }
    var page = TextPage(TextStyle(width: width, usesColor: false))
    for metric in Metric.allCases where names.isEmpty || names.contains(metric.rawValue) {
      writer.object { writer in
        writer.field("name", text: metric.rawValue)
        writer.field("definition", text: metric.definition)
      }
      let head = TerminalText.padded(metric.rawValue, columns: 30)
      page.paragraph([PaintedText(head)], metric.definition)
    }
    return page.text
  }

  private static func keys(
    _ names: [String], _ writer: inout JSONWriter, width: Int
  ) throws(Command.UsageError) -> String {
    var sections: [KeyReference.KeyedObject] = []
    for name in names {
      let found = KeyReference.sections(named: name) + KeyReference.sections(withKey: name)
      if found.isEmpty {
        throw Command.UsageError(
          unknown: "there is no object and no key", name, among: KeyReference.names,
          list: "the names are: ", shownBy: "autowait list keys")
      }
      sections += found
    }
    for section in names.isEmpty ? KeyReference.sections : sections {
      KeyReference.write(section, into: &writer)
    }
    return names.isEmpty
      ? KeyReference.overview(width: width) : KeyReference.text(sections, width: width)
  }

  private static func events(
    _ names: [String], _ writer: inout JSONWriter, width: Int
  ) throws(Command.UsageError) -> String {
    for name in names where !Event.names.contains(name) {
      throw Command.UsageError(
        unknown: "there is no event", name, among: Event.names, list: "the events are: ",
        shownBy: "autowait list events")
    }
    var page = TextPage(TextStyle(width: width, usesColor: false))
    for name in Event.names where names.isEmpty || names.contains(name) {
      let meaning = Event.meaning(of: name).map { "\($0)" } ?? ""
      writer.object { writer in
        writer.field("name", text: name)
        writer.field("meaning", text: meaning)
      }
      page.paragraph([PaintedText(TerminalText.padded(name, columns: 30))], meaning)
    }
    return page.text
  }
}
