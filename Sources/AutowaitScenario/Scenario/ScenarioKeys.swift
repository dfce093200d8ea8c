import Autowait

/// The keys of a scenario.
package enum ScenarioKeys {
  static let schema = Key("$schema", .string, "the schema by which an editor checks the file")
  static let autowait = Key(
    "autowait", .integer(in: 1...Int64.max).described(as: .integer(1...1)), .standard("1"),
    "the version of the format")
  static let name = Key("name", .string, "what the scenario is called; its path")
  static let about = Key("about", .string, "what it shows, for readers")
  static let tags = Key(
    "tags", .list(of: .tag), "words by which 'autowait test --filter' chooses the scenario")
  static let xfail = Key(
    "xfail", .reason,
    "why it is known to fail; 'autowait test' then fails as soon as it does not")
  static let extends = Key(
    "extends", .string, "the scenario that this one is based on; keys next to it change it")
  static let vary = Key(
    "vary", .any(VaryKeys.forms),
    "what makes several runs of the file: paths and their values, or a list of runs")
  static let seed = Key(
    "seed", .integer(in: 0...Int64.max), .standard("0"),
    "the number from which all random numbers come")
  package static let link = Key(
    "link", .any(.either([LinkKeys.anywhere, .list(.object { LinkChangeKeys.object }, least: 1)])),
    .required, "the network: a link, or a list of links over time")
  static let transport = Key(
    "transport", .transport(from: nil),
    "how requests are carried; what the links say, or what suits them")
  static let traffic = Key(
    "traffic", .array(of: TrafficKeys.object), "what others do on the link")
  static let media = Key(
    "media", .any(MediaKeys.oneOrMore),
    "what is played: an item, or a list of items that the script loads by number")
  static let player = Key(
    "player", .object(of: PlayerKeys.object), .standard("{}"), "the settings of the only player")
  static let players = Key(
    "players", .array(of: PlayerKeys.named, least: 1),
    "several players on one network, instead of 'player'")
  static let heuristic = Key(
    "heuristic", .any(HeuristicKeys.nameOrObject), .standard("avfoundation"),
    "the rule that says whether playback keeps up, and its numbers")
  package static let script = Key(
    "script", .array(of: StepKeys.object), "what the user, the app and the system do")
  static let expect = Key(
    "expect", .array(of: ExpectationKeys.forms), "what the run must show to pass")
  static let until = Key(
    "until", .positiveTime,
    "when a run ends at the latest; 10 min after four times the media")
  static let eventsMax = Key(
    "eventsMax", .integer(in: 1...1_000_000_000), .standard("10000000"),
    "the number of events after which a run is stopped")
  private static let rows = [
    schema.row, autowait.row, name.row, about.row, tags.row, xfail.row, extends.row, vary.row,
    seed.row, transport.row, traffic.row, media.row, players.row, heuristic.row, script.row,
    expect.row, until.row, eventsMax.row,
  ]
  /// Not beside `players`.
  private static let onlyPlayer = ObjectKind.Case(.absent("players"), player.row)
  package static let object: ObjectKind = ObjectKind(
    "scenario", "a scenario", rows: [link.optional] + rows,
    cases: [
      onlyPlayer, ObjectKind.Case(.noneOf(["extends", "vary"]), link.row),
      ObjectKind.Case(.noneOf(["extends", "vary", "players"]), media.required),
    ])
  /// A scenario that others complete.
  package static let part: Schema = Schema.object { object }.partial
  /// A file with a scenario: one that extends or varies another can leave out anything.
  package static let file: Schema = .forms([
    Form(.key("extends"), object.partial), Form(.key("vary"), object.partial),
    Form(.otherwise, object),
  ])
}

/// The words for what others do on a link.
enum TrafficWord: String, CaseIterable, Sendable { case constant, download, poll }

/// The keys of traffic of others.
enum TrafficKeys {
  static let kind = Key("kind", FieldKind<TrafficWord>.word(), .required, "what kind of flow it is")
  static let from = Key("from", .instant, .standard("0"), "when it begins")
  static let to = Key("to", .instant, "when it ends at the latest")
  static let rate = Key(
    "rate", .positiveBitRate, .required, "what it takes off the link, without ever yielding")
  static let download = Key("size", .positiveSize, "how much is loaded; without it there is no end")
  static let size = Key("size", .positiveSize, .required, "how much is loaded each time")
  static let every = Key("every", .positiveTime, .required, "from one download to the next")
  static let object: ObjectKind = ObjectKind(
    "traffic", "traffic of others", kind.row, from.row, to.row,
    cases: [
      ObjectKind.Case(.word("constant", of: "kind"), rate.row),
      ObjectKind.Case(.word("download", of: "kind"), download.row),
      ObjectKind.Case(.word("poll", of: "kind"), size.row, every.row),
    ])
}
