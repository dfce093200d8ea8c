import Autowait
import AutowaitScenario

/// Looks for the network on which a contestant does worst: a few stretches that a person can read.
///
/// It climbs from networks that are drawn, change by change, and then leaves out what matters
/// little. Only networks count that carry the media on the whole: on others no rule does well. What
/// is lost is the waiting beyond the best that was possible, and the time in stalls,
/// which the best is without. The draws are from a stream of its own, so that the search ends alike
/// everywhere.
package struct WorstNetwork: Sendable {
  /// A stretch of the network.
  package struct RateStretch: Hashable, Sendable {
    /// How long it lasts, in seconds.
    package var seconds: Int64
    /// Its rate, in kbit/s.
    package var kilobits: Int64
  }

  /// The stretches; behind the last one the first one follows again.
  package let stretches: [RateStretch]
  /// The startup, in nanoseconds.
  package let startup: Int64
  /// Whether the media played to its end.
  package let isEnded: Bool
  /// How much longer the contestant waits than it had to, in nanoseconds.
  package let excessWait: Int64
  /// The stalls.
  package let stallCount: Int64
  /// The time spent in them, in nanoseconds.
  package let stalled: Int64
  /// What the search tried.
  package let trialCount: Int

  private static let stretchesMax = 6
  /// The climbs, each from a network of its own.
  package static let climbCount = 8
  private static let stepsPerClimb = 150
  /// The networks that a climb tries.
  package static let trialsPerClimb = stepsPerClimb + 1
  private static let lengths: [Int64] = [1, 2, 3, 5, 8, 10, 15, 20, 30]
  /// The rates that are tried, in quarters of the media's.
  private static let quarters: [Int64] = [0, 1, 2, 3, 4, 5, 6, 8, 12, 16]

  /// The worst network that one of the climbs came to.
  package struct Climb: Sendable {
    fileprivate let stretches: [RateStretch]
    /// What is lost on it; less than nothing if no network carried the media.
    fileprivate let loss: Int64
    fileprivate let trialCount: Int
  }

  private static let unknown = RowError(
    "the script does more than play one item: the best possible start is unknown")

  /// Climbs from a network that is drawn: each climb has draws of its own, so that threads can take
  /// them in any order.
  package static func climb(
    _ number: Int, _ contestant: Int, of plan: ExperimentPlan, files: ExperimentFiles
  ) throws(RowError) -> Climb {
    var search = Search(contestant, plan, files)
    guard search.kilobits > 0 else { throw unknown }
    var stream = RandomStream(seed: 1, component: "experiment", purpose: "search \(number)")
    var here = search.drawn(&stream)
    var loss = try search.loss(here)
    for _ in 0..<stepsPerClimb {
      let next = search.changed(here, &stream)
      let other = try search.loss(next)
      if other >= loss { (here, loss) = (next, other) }
    }
    return Climb(stretches: here, loss: loss, trialCount: search.trialCount)
  }

  /// Returns the worst network that any of the climbs came to, without what matters little; throws
  /// if nothing is known of the best that was possible, or if the contestant cannot be run.
  package static func worst(
    of climbs: [Climb], _ contestant: Int, of plan: ExperimentPlan, files: ExperimentFiles
  ) throws(RowError) -> WorstNetwork {
    var search = Search(contestant, plan, files)
    var best: Climb?
    for climb in climbs {
      search.trialCount += climb.trialCount
      if climb.loss > best?.loss ?? -1 { best = climb }
    }
    guard let best else { throw unknown }
    let simple = try search.simplified(best.stretches, loss: best.loss)
    guard let row = try search.row(simple) else { throw unknown }
    return WorstNetwork(
      stretches: simple, startup: row.startup, isEnded: row.outcome == .ended,
      excessWait: row.excessWait ?? 0, stallCount: row.stallCount,
      stalled: row.stalled, trialCount: search.trialCount)
  }

  /// Searches for the worst network of a contestant, one climb after another.
  package static func find(
    _ contestant: Int, of plan: ExperimentPlan, files: ExperimentFiles
  ) throws(RowError) -> WorstNetwork {
    var climbs: [Climb] = []
    for number in 0..<climbCount {
      climbs.append(try climb(number, contestant, of: plan, files: files))
    }
    return try worst(of: climbs, contestant, of: plan, files: files)
  }

  private struct Search {
    let contestant: Int
    let plan: ExperimentPlan
    let files: ExperimentFiles
    let loader: FileLoader
    /// The rate of the media, in kbit/s, and how long it plays.
    var kilobits: Int64 = 0
    var seconds: Int64 = 0
    var trialCount = 0

    init(_ contestant: Int, _ plan: ExperimentPlan, _ files: ExperimentFiles) {
      self.contestant = contestant
      self.plan = plan
      self.files = files
      loader = files.loader(of: plan)
      let scenario = read(plan.composition(contestant: contestant, world: 0).source)
      kilobits = scenario.flatMap { Self.kilobits($0.world) } ?? 0
      let media = scenario?.world.players[0].media.first
      seconds = (media?.duration.nanoseconds ?? 0) / 1_000_000_000
    }

    private func read(_ source: SourceText) -> Scenario? {
      ScenarioReader.read(
        source, loader: loader, seed: plan.seeds[0], programs: files.acceptance
      ).scenario
    }

    private static func kilobits(_ world: World) -> Int64? {
      guard PlainScript(world) != nil, let media = world.players.first?.media.first,
        media.duration > .zero
      else { return nil }
      if let streamMedia = media.streamMedia {
        let rates = streamMedia.variants.map { ($0.averageBandwidth ?? $0.bandwidth).bitsPerSecond }
        return (rates.max() ?? 0) / 1_000
      }
      let perSecond =
        media.size.nanobits / UInt128(media.duration.nanoseconds) * 1_000_000_000
      return Int64(clamping: perSecond / 1_000_000_000 / 1_000)
    }

    func drawn(_ stream: inout RandomStream) -> [RateStretch] {
      (0..<2 + stream.next(below: UInt64(stretchesMax - 1))).map { _ in stretch(&stream) }
    }

    private func stretch(_ stream: inout RandomStream) -> RateStretch {
      let quarter = quarters[Int(stream.next(below: UInt64(quarters.count)))]
      return RateStretch(
        seconds: lengths[Int(stream.next(below: UInt64(lengths.count)))],
        kilobits: rounded(kilobits * quarter / 4))
    }

    /// A rate that a person would write: with two digits that are no zeros.
    private func rounded(_ rate: Int64) -> Int64 {
      var unit: Int64 = 1
      while rate / unit >= 100 { unit *= 10 }
      return (rate + unit / 2) / unit * unit
    }

    func changed(_ stretches: [RateStretch], _ stream: inout RandomStream) -> [RateStretch] {
      var result = stretches
      let place = Int(stream.next(below: UInt64(result.count)))
      let other = stretch(&stream)
      switch stream.next(below: 5) {
      case 0: result[place].seconds = other.seconds
      case 1: result[place].kilobits = other.kilobits
      case 2: result[place] = other
      case 3 where result.count < stretchesMax: result.insert(other, at: place)
      default: if result.count > 2 { result.remove(at: place) } else { result[place] = other }
      }
      return result
    }

    /// Leaves out what matters little: as long as nine tenths of the loss stay.
    mutating func simplified(
      _ stretches: [RateStretch], loss: Int64
    ) throws(RowError) -> [RateStretch] {
      var result = stretches
      let enough = loss / 10 * 9
      var place = 0
      while place < result.count, result.count > 1 {
        var shorter = result
        shorter.remove(at: place)
        if try self.loss(shorter) >= enough { result = shorter } else { place += 1 }
      }
      return result
    }

    /// What the contestant loses on a network; less than nothing if that is not known.
    mutating func loss(_ stretches: [RateStretch]) throws(RowError) -> Int64 {
      guard let row = try row(stretches), let excess = row.excessWait else { return -1 }
      return excess + row.stalled
    }

    /// Whether a network carries the media while it plays, over all of its stretches.
    private func isEnough(_ stretches: [RateStretch]) -> Bool {
      let length = stretches.reduce(0) { $0 + $1.seconds }
      let carried = stretches.reduce(0) { $0 + $1.seconds * $1.kilobits }
      return length <= seconds && carried >= length * kilobits
    }

    /// Runs the contestant on a network.
    mutating func row(_ stretches: [RateStretch]) throws(RowError) -> SessionRow? {
      trialCount += 1
      guard isEnough(stretches) else { return nil }
      guard let source = plan.source(contestant, on: stretches) else { return nil }
      guard let scenario = read(source) else { return nil }
      return try UnitRunner.row(of: scenario, plan, files)
    }
  }

  /// Returns the scenario in which the contestant meets the network, for people to run and keep: it
  /// expects what the search has found.
  ///
  /// What it names is named as it is in the experiment, or in its base; a function may turn the
  /// paths into those from where the scenario is to lie.
  package func scenario(
    _ contestant: Int, of plan: ExperimentPlan,
    path: (_ path: String, _ file: String) -> String = { path, _ in path }
  ) -> [UInt8] {
    guard let source = plan.source(contestant, on: stretches),
      let root = Findings(source).parseJSON()
    else { return [] }
    return JSONWriter.line(.pretty) { writer in
      writer.field("autowait", Scenario.formatVersion)
      writer.field("name", text: "The worst network for \(plan.contestantName(contestant))")
      writer.field(
        "about",
        text: "Found by a search over \(trialCount) networks that can carry the media overall.")
      let own = ["autowait", "name", "about", "$schema", "seed", "expect"]
      if plan.seeds[0] != 0 { writer.field("seed", plan.seeds[0]) }
      for member in root.members {
        guard let key = member.key.string, !own.contains(key) else { continue }
        writer.key(text: key)
        Self.copy(member.value, under: key, into: &writer) {
          path($0, plan.origin(of: $0, namedIn: plan.path))
        }
      }
      writeExpectations(into: &writer)
    }
  }

  /// The metrics that the scenario expects to be as they were found.
  package static let expected: [Metric] = [
    .timeSpentInInitialStartup, .stallCount, .timeSpentRecoveringFromStall, .playedToEndCount,
  ]

  private func writeExpectations(into writer: inout JSONWriter) {
    let numbers = zip(Self.expected, [startup, stallCount, stalled, isEnded ? 1 : 0])
      .map { (metric: $0, value: $1) }
    writer.objects("expect", numbers) { writer, number in
      writer.field("metric", text: number.metric.rawValue)
      if number.metric.unit == .time {
        writer.field("==", text: "\(number.value.fixedPoint(1_000_000_000)) s")
      } else {
        writer.field("==", number.value)
      }
    }
  }

  /// The keys whose values are paths; a program's first word is one.
  private static let pathKeys = ["file", "movie", "playlist", "program", "trace"]

  private static func copy(
    _ value: JSONValue, under key: String?, into writer: inout JSONWriter,
    _ path: (String) -> String
  ) {
    switch value.kind {
    case .object:
      writer.object { writer in
        for member in value.members {
          let key = member.key.string ?? ""
          writer.key(text: key)
          copy(member.value, under: key, into: &writer, path)
        }
      }
    case .array:
      writer.array(value.elements.enumerated()) { writer, element in
        let isPath = key == "program" && element.offset == 0
        copy(element.element, under: isPath ? key : nil, into: &writer, path)
      }
    case .null, .false, .true, .number, .string:
      if let text = value.string, let key, pathKeys.contains(key) {
        writer.string(text: path(text))
      } else {
        writer.value(value)
      }
    }
  }
}

extension ExperimentPlan {
  /// Returns the scenario of a contestant on a network of a few stretches.
  fileprivate func source(
    _ contestant: Int, on stretches: [WorstNetwork.RateStretch]
  ) -> SourceText? {
    // What the search has put beside each other at one rate is one stretch for who reads it.
    var joined: [WorstNetwork.RateStretch] = []
    for stretch in stretches {
      if let last = joined.last, last.kilobits == stretch.kilobits {
        joined[joined.count - 1].seconds += stretch.seconds
      } else {
        joined.append(stretch)
      }
    }
    let text = JSONWriter.text { writer in
      writer.object { writer in
        writer.field("name", "worst")
        writer.object("down") { writer in
          writer.objects("track", joined) { writer, stretch in
            writer.field("for", text: "\(stretch.seconds) s")
            writer.field("rate", text: "\(stretch.kilobits) kbit/s")
          }
          writer.field("trackEnd", "loop")
        }
      }
    }
    guard let piece = ScenarioPiece(text, for: base) else { return nil }
    return composition(contestant: contestant, world: 0, with: [(["link"], piece)]).source
  }
}
