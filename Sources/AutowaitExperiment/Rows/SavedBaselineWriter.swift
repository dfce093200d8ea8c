import Autowait
import AutowaitScenario

/// Writes what sessions came to as a baseline for later: a line that says what follows, a line for
/// each session, and a line that says how many there were.
///
/// Equal results are equal bytes, and one session that changes is one line that does.
package struct SavedBaselineWriter {
  /// The version of the format.
  static let formatVersion: Int64 = 1
  /// The most sessions that are saved.
  ///
  /// Assumed: more are no file that somebody keeps beside an experiment.
  package static let sessionsMax = 1_000_000

  private let plan: ExperimentPlan
  private let contestants: [String]
  private let axes: [Int]
  private let figures: [SessionFigure]
  private var digest = Fingerprint()
  private var count: Int64 = 0
  private var writer = JSONWriter(capacity: 256)
  /// The lines so far.
  private var lines: [UInt8] = []

  /// Begins the baseline of an experiment.
  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    contestants = plan.contestantNames
    axes = plan.axesByKey
    figures = plan.savedFigures
    let (axes, figures) = (axes, figures)
    lines = JSONWriter.line(capacity: 256) { writer in
      writer.field("autowaitBaseline", Self.formatVersion)
      writer.field("name", text: plan.name)
      writer.field("modelVersion", SimulationModel.version)
      writer.field("base", text: SessionRowWriter.hexadecimal(plan.baseDigest))
      writer.strings("axes", axes.map { plan.worldAxes[$0].key })
      writer.strings("figures", figures.map { $0.word })
    }
  }

  /// Adds sessions.
  package mutating func add(_ rows: [SessionRow]) {
    for row in rows { add(row) }
  }

  private mutating func add(_ row: SessionRow) {
    let unit = plan.unit(of: row.key)
    let names = plan.worldNames(unit.world)
    writer.removeAll()
    writer.beginArray()
    writer.string(text: contestants[plan.contestant(of: row.key)])
    writer.array(axes) { $0.string(text: names[$1]) }
    writer.integer(Int64(clamping: unit.seed))
    writer.string(text: row.outcome.rawValue)
    for figure in figures {
      writer.number(figure.value(in: row, plan.metrics), figure.columnKind)
    }
    writer.endArray()
    writer.endLine()
    lines += writer.bytes
    digest.mix(bytes: writer.bytes)
    count += 1
  }

  /// The whole file.
  package var bytes: [UInt8] {
    lines
      + JSONWriter.line(capacity: 64) { writer in
        writer.field("sessions", count)
        writer.field("digest", text: SessionRowWriter.hexadecimal(digest.value))
      }
  }
}

extension ExperimentPlan {
  /// The figures that a baseline has of each session: those of all tables, and those of metrics and
  /// thresholds.
  var savedFigures: [SessionFigure] {
    var figures: [SessionFigure] = [
      .metric(.timeSpentInInitialStartup), .metric(.stallCount),
      .metric(.timeSpentRecoveringFromStall),
    ]
    let more = metrics.map { SessionFigure.metric($0) } + thresholds.compactMap { $0.figure }
    for figure in more where !figures.contains(figure) { figures.append(figure) }
    return figures
  }

  /// Why the experiment cannot be saved as a baseline; nil if it can.
  package var reasonAgainstSaving: String? {
    if sessionCount > SavedBaselineWriter.sessionsMax {
      return "a baseline has at most \(SavedBaselineWriter.sessionsMax) sessions"
    }
    return nil
  }
}

extension SavedBaseline {
  /// Reads a baseline; says in which line it is none.
  package init(path: String, _ bytes: [UInt8]) throws(RowError) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    guard lines.popLast()?.isEmpty == true, lines.count >= 2, let last = lines.popLast() else {
      throw RowError("it is cut off")
    }
    let head = try Self.object(lines[0], line: 1)
    guard let version = head.member("autowaitBaseline") else {
      throw RowError("line 1: it is not a baseline: the key 'autowaitBaseline' is missing")
    }
    guard version.decimal == ExactDecimal(SavedBaselineWriter.formatVersion) else {
      throw RowError("line 1: the version of the format is not 1")
    }
    guard let model = Self.number(head.member("modelVersion")),
      let axes = head.member("axes").map({ $0.elements.compactMap { $0.string } }),
      let figures = head.member("figures").map({ $0.elements.compactMap { $0.string } })
    else { throw RowError("line 1: it does not say what follows") }
    var digest = Fingerprint()
    var sessions: [SessionName: [Int64?]] = [:]
    let kinds = figures.map { word in SessionFigure.all.first { $0.word == word }?.columnKind }
    for (index, line) in lines.enumerated().dropFirst() {
      digest.mix(bytes: line + [0x0A])
      let (name, values) = try Self.session(line, number: index + 1, axes.count, kinds)
      guard sessions.updateValue(values, forKey: name) == nil else {
        throw RowError("line \(index + 1): the session is there twice")
      }
    }
    let tail = try Self.object(last, line: lines.count + 1)
    guard Self.number(tail.member("sessions")) == Int64(lines.count - 1),
      tail.member("digest")?.string == SessionRowWriter.hexadecimal(digest.value)
    else { throw RowError("its lines are not those that were saved") }
    let base = head.member("base")?.string.flatMap { UInt64($0, radix: 16) }
    self.init(
      path: path, modelVersion: model, axes: axes, figures: figures, sessions: sessions)
    baseDigest = base
  }

  private static func object(_ line: [UInt8], line number: Int) throws(RowError) -> JSONValue {
    let root = Findings(SourceText(path: "", bytes: line)).parseJSON(depthMax: 4)
    guard let root, root.kind == .object else {
      throw RowError("line \(number): it is not a JSON object")
    }
    return root
  }

  private static func number(_ value: JSONValue?) -> Int64? {
    guard let decimal = value?.decimal, case .exact(let number) = decimal.integer(scaledBy: 1)
    else { return nil }
    return number
  }

  private static func session(
    _ line: [UInt8], number: Int, _ axisCount: Int, _ kinds: [ColumnKind?]
  ) throws(RowError) -> (SessionName, [Int64?]) {
    let root = Findings(SourceText(path: "", bytes: line)).parseJSON(depthMax: 4)
    let cells = root.map { Array($0.elements) } ?? []
    guard cells.count == 4 + kinds.count, let contestant = cells[0].string,
      let seed = Self.number(cells[2]), seed >= 0
    else { throw RowError("line \(number): it is not a session") }
    let world = cells[1].elements.compactMap { $0.string }
    guard world.count == axisCount else {
      throw RowError("line \(number): the session has another kind of world")
    }
    var values: [Int64?] = []
    for (cell, kind) in zip(cells[4...], kinds) {
      // What this version does not know is nobody's to compare.
      guard let kind, cell.kind != .null else {
        values.append(nil)
        continue
      }
      guard let decimal = cell.decimal,
        case .exact(let value) = decimal.integer(scaledBy: kind.unit, allowingNegative: true),
        (0...(1 << 60)).contains(value)
      else { throw RowError("line \(number): a figure is not a number") }
      values.append(value)
    }
    return (SessionName(contestant: contestant, world: world, seed: UInt64(seed)), values)
  }
}
