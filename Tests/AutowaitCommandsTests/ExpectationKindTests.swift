import Autowait
import AutowaitCommands
import AutowaitScenario
import Testing

/// Expectations of every kind that must hold, and beside each of them such that must not.
@Suite struct ExpectationKindTests {
  private typealias Fixture = ExpectationFixture

  /// The kinds of expectations.
  enum Kind: CaseIterable {
    case snapshot, snapshotAtEvent, neverEvent, neverState, always, eventuallyEvent,
      eventuallyState, sequence
    case metric, finish

    /// The kind of an expectation; a new one does not compile before it is here, and fails before
    /// it has rows.
    init(_ kind: AutowaitScenario.Expectation.Kind) {
      switch kind {
      case .snapshot: self = .snapshot
      case .snapshotAtEvent: self = .snapshotAtEvent
      case .never(.event): self = .neverEvent
      case .never(.state): self = .neverState
      case .always: self = .always
      case .eventually(.event, _, _): self = .eventuallyEvent
      case .eventually(.state, _, _): self = .eventuallyState
      case .sequence: self = .sequence
      case .metric: self = .metric
      case .finish: self = .finish
      }
    }
  }

  /// An expectation, whether it is met, and what is said to have been observed.
  struct Row: Sendable, CustomTestStringConvertible {
    let expectation: String
    let isMet: Bool
    let observed: String
    let world: ExpectationFixture.World

    init(
      _ isMet: Bool, _ expectation: String, _ observed: String,
      in world: ExpectationFixture.World = ExpectationFixture.stalling
    ) {
      (self.isMet, self.observed, self.world) = (isMet, observed, world)
      // Most rows are about the player that stalls.
      self.expectation = expectation.replacing("@", with: "\"player\": \"a\"")
        .replacing("STALL", with: "\"event\": \"playbackStalled\"")
        .replacing("PLAYS", with: "\"event\": \"timeControlStatus\", \"value\": \"playing\"")
    }

    var testDescription: String { expectation }
  }

  /// At 3 s playback has gone on for 2 s, and stalls at 5.
  static let snapshots: [Row] = [
    Row(true, #"{"at": "3 s", @, "currentTime": "2 s", "rate": 1}"#, "rate 1, currentTime 2 s"),
    Row(false, #"{"at": "3 s", @, "currentTime": "2 s", "rate": 2}"#, "rate 1"),
    Row(false, #"{"at": "3 s", @, "rate": 0, "stallCount": 1}"#, "rate 1, stallCount 0"),
    // Times may be off by a microsecond, and by a tolerance if there is one.
    Row(true, #"{"at": "3 s", @, "currentTime": "2.000001 s"}"#, "currentTime 2 s"),
    Row(false, #"{"at": "3 s", @, "currentTime": "2.000001001 s"}"#, "currentTime 2 s"),
    Row(true, #"{"at": "3 s", @, "currentTime": "1.999999 s"}"#, "currentTime 2 s"),
    Row(false, #"{"at": "3 s", @, "currentTime": "1.999998999 s"}"#, "currentTime 2 s"),
    Row(
      true, #"{"at": "3 s", @, "currentTime": "2.5 s", "tolerance": "500 ms"}"#, "currentTime 2 s"),
    Row(
      false, #"{"at": "3 s", @, "currentTime": "2.500000001 s", "tolerance": "500 ms"}"#,
      "currentTime 2 s"),
    Row(
      false, #"{"at": "3 s", @, "currentTime": {"!=": "2.000001 s"}}"#, "currentTime 2 s"),
    Row(true, #"{"at": "3 s", @, "currentTime": {"!=": "2.000001001 s"}}"#, "currentTime 2 s"),
    // Less and greater know no tolerance.
    Row(
      false, #"{"at": "3 s", @, "currentTime": {"<=": "1.999999999 s"}, "tolerance": "1 s"}"#,
      "currentTime 2 s"),
    Row(
      false, #"{"at": "3 s", @, "currentTime": {">": "2 s"}, "tolerance": "1 s"}"#,
      "currentTime 2 s"),
    // The first instant, with all that happens then, the last one, and what is behind it.
    Row(true, #"{"at": 0, @, "rate": 1}"#, "rate 1"),
    Row(false, #"{"at": 0, @, "rate": 0}"#, "rate 1"),
    Row(true, #"{"at": "4.999999999 s", @, "stallCount": 0}"#, "stallCount 0"),
    Row(false, #"{"at": "5 s", @, "stallCount": 0}"#, "stallCount 1"),
    Row(true, #"{"at": "13.5 s", @, "playedToEndCount": 1}"#, "playedToEndCount 1"),
    Row(false, #"{"at": "13.499999999 s", @, "playedToEndCount": 1}"#, "playedToEndCount 0"),
    Row(true, #"{"at": "99 s", @, "playedToEndCount": 1}"#, "playedToEndCount 1"),
    Row(false, #"{"at": "99 s", @, "playedToEndCount": 0}"#, "playedToEndCount 1"),
    Row(true, #"{"at": "8 s", @, "rate": 1}"#, "rate 1", in: Fixture.cut),
    Row(
      false, #"{"at": "8.000000001 s", @, "rate": 1}"#, "the run ended before, at 8 s",
      in: Fixture.cut),
    // The other player.
    Row(false, #"{"at": "3 s", "player": "idle", "rate": 1}"#, "rate 0"),
    Row(true, #"{"at": "3 s", "player": "idle", "rate": 0}"#, "rate 0"),
  ]

  /// It stalls at 5 s with 4 s played, and goes on at 7.5 s.
  static let snapshotsAtEvents: [Row] = [
    Row(true, #"{"at": {STALL}, @, "currentTime": "4 s"}"#, "currentTime 4 s"),
    Row(false, #"{"at": {STALL}, @, "currentTime": "4.1 s"}"#, "currentTime 4 s"),
    // After all that happens at the instant: the count of the stalls, and the second start.
    Row(true, #"{"at": {STALL}, @, "stallCount": 1}"#, "stallCount 1"),
    Row(true, #"{"at": {PLAYS, "number": 2}, @, "stallCount": 1}"#, "stallCount 1"),
    Row(true, #"{"at": {PLAYS}, @, "stallCount": 0}"#, "stallCount 0"),
    Row(
      false, #"{"at": {PLAYS, "number": 3}, @, "stallCount": 1}"#,
      "timeControlStatus at 1 s, 2 times in all"),
    Row(false, #"{"at": {"event": "seek"}, @, "stallCount": 0}"#, "no such event"),
    Row(true, #"{"at": {"event": "finished"}, @, "playedToEndCount": 1}"#, "playedToEndCount 1"),
    Row(true, #"{"at": {STALL}, "player": "idle", "rate": 0}"#, "rate 0"),
  ]

  static let ranges: [Row] = [
    Row(
      true, #"{"at": "3 s", @, "currentTime": {"between": ["2 s", "3 s"]}}"#,
      "currentTime 2 s, currentTime 2 s"),
    Row(
      false, #"{"at": "3 s", @, "currentTime": {"between": ["2.000000001 s", "3 s"]}}"#,
      "currentTime 2 s"),
    Row(
      false, #"{"at": "3 s", @, "currentTime": {"approximately": 3, "tolerance": 0.5}}"#,
      "currentTime 2 s"),
    Row(true, #"{"metric": "firstPlayed", "between": ["1 s", "2 s"], @}"#, "1 s"),
    Row(false, #"{"metric": "firstPlayed", "between": ["1.000000001 s", "2 s"], @}"#, "1 s"),
    Row(
      true, #"{"metric": "firstPlayed", "approximately": "1.1 s", "tolerance": "0.1 s", @}"#,
      "1 s"),
    Row(
      false, #"{"metric": "firstPlayed", "approximately": "1.1 s", "tolerance": "99 ms", @}"#,
      "1 s"),
    Row(
      false, #"{"metric": "firstPlayed", "approximately": "0.9 s", "tolerance": "99999999 ns", @}"#,
      "1 s"),
    Row(
      true, #"{"metric": "firstPlayed", "approximately": "0.8 s", "tolerance": "25 %", @}"#, "1 s"),
    Row(
      false, #"{"metric": "firstPlayed", "approximately": "0.8 s", "tolerance": "24.9 %", @}"#,
      "1 s"),
  ]

  /// Nobody knows what would have happened after the end of the run.
  static let afterTheEnd: [Row] = [
    Row(
      false, #"{"never": {STALL, "at": "9 s"}}"#, "the run ended before, at 8 s", in: Fixture.cut),
    Row(true, #"{"never": {STALL, "at": "8 s"}}"#, "no such event", in: Fixture.cut),
    Row(true, #"{"never": {STALL, "at": "99 s"}}"#, "no such event"),
    Row(
      false, #"{"eventually": {"event": "seek"}, "count": 0, "within": "9 s"}"#,
      "the run ended before, at 8 s", in: Fixture.cut),
    Row(
      true, #"{"eventually": {"event": "seek"}, "count": 0, "within": "8 s"}"#, "no such event",
      in: Fixture.cut),
  ]

  static let nevers: [Row] = [
    Row(false, #"{"never": {"event": "playbackStalled"}}"#, "playbackStalled at 5 s"),
    Row(true, #"{"never": {"event": "playbackStalled", "player": "idle"}}"#, "no such event"),
    Row(false, #"{"never": {"event": "playbackStalled", @}}"#, "playbackStalled at 5 s"),
    Row(
      false, #"{"never": {"event": "timeControlStatus", "value": "playing"}}"#,
      "timeControlStatus at 1 s, 2 times in all"),
    Row(true, #"{"never": {"event": "seek"}}"#, "no such event"),
    Row(true, #"{"never": {"event": "rate", "value": 2}}"#, "no such event"),
    Row(
      true, #"{"never": {"event": "rate", "value": 0, "at": 0}}"#, "no such event"),
    Row(false, #"{"never": {"event": "rate", "value": 0}}"#, "rate at 13.5 s"),
    Row(false, #"{"never": {"event": "exception"}}"#, "exception at 1 s", in: late),
    Row(
      false,
      #"{"never": {"event": "exception", "value": "setRateAtHostTimeWhileWaitingAutomatically"}}"#,
      "exception at 1 s", in: late),
    Row(
      true, #"{"never": {"event": "exception", "value": "seekToInvalidTime"}}"#, "no such event",
      in: late),
    Row(true, #"{"never": {"event": "exception"}}"#, "no such event"),
    // The first event and the last one.
    Row(false, #"{"never": {"event": "started"}}"#, "started at 0 s"),
    Row(false, #"{"never": {"event": "finished"}}"#, "finished at 13.5 s"),
    // An event at a time, and a nanosecond beyond its tolerance on either side.
    Row(
      false, #"{"never": {"event": "playbackStalled", "at": "5.000001 s"}}"#,
      "playbackStalled at 5 s"),
    Row(true, #"{"never": {"event": "playbackStalled", "at": "5.000001001 s"}}"#, "no such event"),
    Row(
      false, #"{"never": {"event": "playbackStalled", "at": "4.999999 s"}}"#,
      "playbackStalled at 5 s"),
    Row(true, #"{"never": {"event": "playbackStalled", "at": "4.999998999 s"}}"#, "no such event"),
    // States: after the first event alone, after the last one alone, after none.
    Row(false, #"{"never": {"currentItem": 0, "rate": 0}}"#, "at 0 s", in: late),
    Row(true, #"{"never": {"currentItem": 0, "rate": 2}}"#, "never", in: late),
    Row(false, #"{"never": {@, "playedToEndCount": 1}}"#, "at 13.5 s"),
    Row(true, #"{"never": {@, "playedToEndCount": 2}}"#, "never"),
    Row(true, #"{"never": {@, "timeControlStatus": "paused", "rate": 1}}"#, "never"),
    Row(false, #"{"never": {@, "stallCount": 1}}"#, "at 5 s"),
    Row(true, #"{"never": {"player": "idle", "stallCount": 1}}"#, "never"),
    Row(true, #"{"never": {@, "rate": {">": 1}}}"#, "never"),
    Row(false, #"{"never": {@, "rate": {">=": 1}}}"#, "at 0 s"),
  ]

  static let always: [Row] = [
    Row(true, #"{"always": {@, "stallCount": {"<=": 1}}}"#, "never"),
    Row(false, #"{"always": {@, "stallCount": {"<": 1}}}"#, "at 5 s"),
    Row(true, #"{"always": {"player": "idle", "stallCount": {"<": 1}}}"#, "never"),
    // After the first event alone it does not hold, after the last one alone, after all.
    Row(false, #"{"always": {"rate": 1}}"#, "at 0 s", in: late),
    Row(false, #"{"always": {@, "playedToEndCount": 0}}"#, "at 13.5 s"),
    Row(false, #"{"always": {@, "defaultRate": 2}}"#, "at 0 s"),
    Row(true, #"{"always": {@, "defaultRate": 1, "currentItem": 0}}"#, "never"),
    Row(false, #"{"always": {@, "defaultRate": 1, "currentItem": null}}"#, "at 0 s"),
  ]

  static let eventuallyEvents: [Row] = [
    Row(true, #"{"eventually": {"event": "playbackStalled"}}"#, "playbackStalled at 5 s"),
    Row(false, #"{"eventually": {"event": "seek"}}"#, "no such event"),
    Row(false, #"{"eventually": {"event": "playbackStalled", "player": "idle"}}"#, "no such event"),
    // Too early by a nanosecond, in time, and with one to spare.
    Row(
      false, #"{"eventually": {"event": "playbackStalled"}, "within": "4.999999999 s"}"#,
      "no such event then; playbackStalled at 5 s"),
    Row(
      true, #"{"eventually": {"event": "playbackStalled"}, "within": "5 s"}"#,
      "playbackStalled at 5 s"),
    Row(
      true, #"{"eventually": {"event": "playbackStalled"}, "within": "5.000000001 s"}"#,
      "playbackStalled at 5 s"),
    Row(true, #"{"eventually": {"event": "started"}, "within": 0}"#, "started at 0 s"),
    Row(
      false, #"{"eventually": {"event": "playbackStalled"}, "within": 0}"#,
      "no such event then; playbackStalled at 5 s"),
    Row(
      false, #"{"eventually": {"event": "playbackStalled", "at": "6 s"}}"#,
      "no such event then; playbackStalled at 5 s"),
    Row(true, #"{"eventually": {"event": "finished"}}"#, "finished at 13.5 s"),
    Row(
      false, #"{"eventually": {"event": "finished"}, "within": "13.499999999 s"}"#,
      "no such event then; finished at 13.5 s"),
    // One too few, as many, and one too many.
    Row(
      false, #"{"eventually": {"event": "timeControlStatus", "value": "playing"}, "count": 1}"#,
      "timeControlStatus at 1 s, 2 times in all"),
    Row(
      true, #"{"eventually": {"event": "timeControlStatus", "value": "playing"}, "count": 2}"#,
      "timeControlStatus at 1 s, 2 times in all"),
    Row(
      false, #"{"eventually": {"event": "timeControlStatus", "value": "playing"}, "count": 3}"#,
      "timeControlStatus at 1 s, 2 times in all"),
    Row(true, #"{"eventually": {"event": "seek"}, "count": 0}"#, "no such event"),
    Row(
      false, #"{"eventually": {STALL}, "count": 0}"#, "playbackStalled at 5 s"),
    // By a time only those before it count.
    Row(
      true,
      #"{"eventually": {PLAYS}, "count": 1, "within": "7.499999999 s"}"#,
      "timeControlStatus at 1 s"),
    Row(
      false,
      #"{"eventually": {PLAYS}, "count": 1, "within": "7.5 s"}"#,
      "timeControlStatus at 1 s, 2 times in all"),
    Row(
      true, #"{"eventually": {"event": "playbackStalled"}, "count": 0, "within": "4.999999999 s"}"#,
      "no such event"),
    // At a time, and a nanosecond beyond a tolerance.
    Row(
      true, #"{"eventually": {"event": "playbackStalled", "at": "5.1 s", "tolerance": "100 ms"}}"#,
      "playbackStalled at 5 s"),
    Row(
      false,
      #"{"eventually": {STALL, "at": "5.100000001 s", "tolerance": "100 ms"}}"#,
      "no such event then; playbackStalled at 5 s"),
    Row(
      true, #"{"eventually": {"event": "playbackStalled", "at": "4.9 s", "tolerance": "100 ms"}}"#,
      "playbackStalled at 5 s"),
    Row(
      false,
      #"{"eventually": {STALL, "at": "4.899999999 s", "tolerance": "100 ms"}}"#,
      "no such event then; playbackStalled at 5 s"),
    Row(
      true, #"{"eventually": {"event": "playbackStalled", "at": "5 s", "tolerance": 0}}"#,
      "playbackStalled at 5 s"),
    Row(
      false,
      #"{"eventually": {"event": "playbackStalled", "at": "5.000000001 s", "tolerance": 0}}"#,
      "no such event then; playbackStalled at 5 s"),
  ]

  static let eventuallyStates: [Row] = [
    Row(true, #"{"eventually": {@, "stallCount": 1}}"#, "at 5 s"),
    Row(false, #"{"eventually": {@, "stallCount": 2}}"#, "never"),
    Row(false, #"{"eventually": {"player": "idle", "stallCount": 1}}"#, "never"),
    Row(false, #"{"eventually": {@, "stallCount": 1}, "within": "4.999999999 s"}"#, "at 5 s"),
    Row(true, #"{"eventually": {@, "stallCount": 1}, "within": "5 s"}"#, "at 5 s"),
    Row(true, #"{"eventually": {@, "stallCount": 1}, "within": "5.000000001 s"}"#, "at 5 s"),
    // After the first event alone, and after the last one alone.
    Row(true, #"{"eventually": {"currentItem": 0, "rate": 0}}"#, "at 0 s", in: late),
    Row(true, #"{"eventually": {@, "playedToEndCount": 1}, "within": "13.5 s"}"#, "at 13.5 s"),
    Row(
      false, #"{"eventually": {@, "playedToEndCount": 1}, "within": "13.499999999 s"}"#,
      "at 13.5 s"),
    Row(false, #"{"eventually": {@, "timeControlStatus": "paused", "rate": 1}}"#, "never"),
  ]

  private static let stall = #"{"event": "playbackStalled"}"#
  private static let plays = #"{"event": "timeControlStatus", "value": "playing"}"#
  private static let ends = #"{"event": "didPlayToEndTime"}"#

  private static func sequence(_ isMet: Bool, _ events: [String], _ observed: String) -> Row {
    Row(isMet, "{\"sequence\": [\(events.joined(separator: ", "))]}", observed)
  }

  static let sequences: [Row] = [
    sequence(true, [plays, stall, plays, ends], "all 4 events, in order"),
    sequence(true, [stall], "all 1 events, in order"),
    sequence(
      true, [#"{"event": "started"}"#, #"{"event": "finished"}"#], "all 2 events, in order"),
    sequence(
      false, [stall, stall], "1 of 2 events in order; missed playbackStalled"),
    sequence(false, [ends, stall], "1 of 2 events in order; missed playbackStalled"),
    sequence(
      false, [plays, plays, plays], "2 of 3 events in order; missed timeControlStatus playing"),
    sequence(
      false, [#"{"event": "finished"}"#, #"{"event": "started"}"#],
      "1 of 2 events in order; missed started"),
    sequence(
      false, [#"{"event": "seek"}"#, stall, ends], "0 of 3 events in order; missed seek"),
    sequence(
      false, [#"{"event": "playbackStalled", "player": "idle"}"#],
      "0 of 1 events in order; missed playbackStalled"),
    sequence(
      true, [#"{"event": "playbackStalled", "at": "5.000001 s"}"#], "all 1 events, in order"),
    sequence(
      false, [#"{"event": "playbackStalled", "at": "5.000001001 s"}"#],
      "0 of 1 events in order; missed playbackStalled at 5.000001001 s"),
    sequence(
      false, [plays, #"{"event": "timeControlStatus", "value": "playing", "at": "1 s"}"#],
      "1 of 2 events in order; missed timeControlStatus playing at 1 s"),
  ]

  /// It plays from 1 s, stalls at 5 s, goes on at 7.5 s and ends at 13.5 s.
  private static func gap(_ event: String, _ gap: String) -> String {
    event.dropLast() + ", \"gap\": {\(gap)}}"
  }

  static let gaps: [Row] = [
    sequence(true, [stall, gap(plays, #""<=": "2.5 s""#)], "all 2 events, in order"),
    sequence(
      false, [stall, gap(plays, #""<": "2.5 s""#)],
      "1 of 2 events in order; missed timeControlStatus playing in that gap"),
    sequence(true, [stall, gap(ends, #""between": ["8 s", "9 s"]"#)], "all 2 events, in order"),
    sequence(
      false, [stall, gap(ends, #""between": ["8 s", "8.4 s"]"#)],
      "1 of 2 events in order; missed didPlayToEndTime in that gap"),
    // The first gap counts from the start of the run.
    sequence(true, [gap(plays, #""==": "1 s""#)], "all 1 events, in order"),
    // The first start is too early for the end, and the second one is not.
    sequence(true, [plays, gap(ends, #""<=": "6 s""#)], "all 2 events, in order"),
    sequence(
      false, [plays, stall, gap(ends, #""<=": "6 s""#)],
      "2 of 3 events in order; missed didPlayToEndTime in that gap"),
  ]

  static let metrics: [Row] = [
    Row(true, #"{"metric": "stallCount", "==": 1, @}"#, "1"),
    Row(false, #"{"metric": "stallCount", "==": 1, "player": "idle"}"#, "0"),
    Row(
      false, #"{"metric": "stallCount", ">=": 1, "<=": 0, @}"#,
      "1: no figure is within these bounds"),
    Row(
      false, #"{"metric": "firstPlayed", "<=": "5 s", "player": "idle"}"#,
      "nothing was measured: \(unplayed("firstPlayed"))"),
  ]

  /// Why a metric of playback is never measured.
  private static func unplayed(_ metric: String) -> String {
    "no step of the script plays this player, and '\(metric)' is of playback"
  }

  /// Runs that end for each reason.
  static let finishes: [(reason: FinishReason, world: ExpectationFixture.World)] = [
    (.settled, Fixture.stalling), (.horizon, Fixture.cut), (.stillWaiting, Fixture.offline),
    (.eventLimit, World(text: Fixture.streaming.text + #", "eventsMax": 5"#)),
  ]

  private typealias World = ExpectationFixture.World

  /// A file on the device that is loaded at once, played from 1 s on, and watched until 3 s; and a
  /// call at 1 s that raises an exception.
  private static let late = World(
    text: #"""
      {"link": "demo/fast", "media": {"kind": "local", "duration": "9 s"}, "until": "3 s",
       "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"},
         {"at": 1, "do": "setRate", "rate": 1, "hostTime": "2 s"}]
      """#)

  static let rows =
    snapshots + snapshotsAtEvents + ranges + afterTheEnd + gaps + nevers + always + eventuallyEvents
    + eventuallyStates + sequences + metrics
    + finishes.flatMap { finish in
      FinishReason.allCases.map {
        Row(
          $0 == finish.reason, "{\"finish\": \"\($0.word)\"}", "\(finish.reason.word)",
          in: finish.world)
      }
    }

  @Test(arguments: rows)
  func judgements(_ row: Row) throws {
    let judgement = try Fixture.judgements(of: [row.expectation], in: row.world)
    #expect(judgement == [Fixture.Judgement(isMet: row.isMet, observed: row.observed)])
  }

  @Test func everyKindIsMetAndMissed() throws {
    var seen: [Bool: Set<Kind>] = [:]
    for row in Self.rows {
      let text = "\(row.world.text), \"expect\": [\(row.expectation)]}"
      let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
      let kind = try #require(scenario?.expectations.first).kind
      seen[row.isMet, default: []].insert(Kind(kind))
    }
    #expect(seen == [true: Set(Kind.allCases), false: Set(Kind.allCases)])
    #expect(Set(Self.finishes.map(\.reason)) == Set(FinishReason.allCases))
  }

  /// Each event, as often as the log of a run has it, once less and once more.
  @Test(arguments: [Fixture.stalling, Fixture.streaming, Fixture.acting, Fixture.live])
  func everyEventIsCounted(_ world: ExpectationFixture.World) throws {
    let fixture = try CommandFixture(["a.json": world.text + "}"])
    let log = fixture.call("run", "$/a.json", "--format", "jsonl").output
    var expectations: [String] = []
    var expected: [Bool] = []
    for name in Event.names {
      let count = log.split(separator: "\n").count { $0.contains("\"event\":\"\(name)\"") }
      for (text, isMet) in [
        ("{\"never\": {\"event\": \"\(name)\"}}", count == 0),
        ("{\"eventually\": {\"event\": \"\(name)\"}}", count > 0),
      ] {
        expectations.append(text)
        expected.append(isMet)
      }
      for wanted in count - 1...count + 1 where wanted >= 0 {
        expectations.append("{\"eventually\": {\"event\": \"\(name)\"}, \"count\": \(wanted)}")
        expected.append(wanted == count)
      }
    }
    let judgements = try Fixture.judgements(of: expectations, in: world)
    for (index, judgement) in judgements.enumerated() {
      #expect(judgement.isMet == expected[index], "\(expectations[index]): \(judgement)")
    }
    #expect(judgements.count == expected.count)
  }

  /// Files as users have them, of which each must fail: `run` and `test` end with 1, and say why.
  @Test(arguments: [
    (
      // Two stretches of play where one is expected.
      #"""
      {"autowait":1,"link":"demo/fast","media":{"kind":"local","duration":"5 s"},"script":[
      {"at":0,"do":"load"},{"at":0,"do":"play"},{"at":1,"do":"pause"},{"at":2,"do":"play"},
      {"at":3,"do":"pause"}],"until":"10 s","expect":[
      {"eventually":{"event":"timeControlStatus","value":"playing"},"count":1}]}
      """#, 4, "timeControlStatus at 0 s, 2 times in all"
    ),
    (
      // A player that is loaded and never played.
      #"""
      {"autowait":1,"link":"demo/offline",
      "media":{"kind":"progressive","duration":"30 s","bitrate":"1 Mbit/s"},
      "script":[{"at":0,"do":"load"}],"until":"10 s","expect":[
      {"metric":"firstPlayed","<=":"5 s"}]}
      """#, 4, "nothing was measured: \(unplayed("firstPlayed"))"
    ),
    (
      #"""
      {"autowait":1,"link":"demo/fast","media":{"kind":"local","duration":"5 s"},
      "script":[{"at":0,"do":"pause"}],"until":"10 s","expect":[
      {"metric":"rebufferRatio","<=":0.1}]}
      """#, 3, "nothing was measured: \(unplayed("rebufferRatio"))"
    ),
  ])
  func theseFail(_ scenario: String, _ line: Int, _ observed: String) throws {
    let fixture = try CommandFixture(["a.json": scenario])
    #expect(fixture.call("run", "$/a.json").code == 1)
    fixture.call("test", "$/a.json", "--update")
    let call = fixture.call("test", "$/a.json")
    #expect(call.code == 1)
    #expect(call.output.contains("  $/a.json:\(line): expected "), "\(call.output)")
    #expect(call.output.contains("    observed \(observed)\n"), "\(call.output)")
  }

  /// An event of the link or of the run is none of a player's: to wait for it, or to forbid it,
  /// would mean nothing.
  @Test(arguments: ["started", "step", "finished", "linkChanged", "linkRate"])
  func someEventsBelongToNoPlayer(_ name: String) throws {
    let text =
      "\(Fixture.stalling.text), \"expect\": "
      + "[{\"never\": {\"event\": \"\(name)\", \"player\": \"a\"}}]}"
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(scenario == nil)
    #expect(findings.map(\.message) == ["the event '\(name)' belongs to no player"])
  }

  /// Which they are: no record of another name is without a player.
  @Test(arguments: [Fixture.stalling, Fixture.streaming, Fixture.acting, Fixture.live])
  func allOthersBelongToOne(_ world: ExpectationFixture.World) throws {
    let text = "\(world.text)}"
    let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    let names = ScenarioRun.run(try #require(scenario)).records.filter { $0.player == nil }
      .map { "\($0.event.name)" }
    #expect(
      Set(names).isSubset(of: ["started", "step", "finished", "linkChanged", "linkRate"]))
  }
}
