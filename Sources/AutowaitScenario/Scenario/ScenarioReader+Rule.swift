import Autowait

/// The most that the conditions of a rule may come to when they are written out.
private let alternativesMax = 64
private let conditionsMax = 64
private let depthMax = 16

/// Reading rules that are written as data.
extension ScenarioReader {
  /// Reads a rule of one's own.
  func ownRule(_ value: JSONValue) -> KeepUpPolicy {
    var policy = KeepUpPolicy()
    var fields = FieldReader(value, RuleKeys.object, findings)
    _ = fields.optional(RuleKeys.name)
    let start = fields.value(RuleKeys.start).flatMap { conditions($0, "start") }
    if fields.object != nil, !fields.contains(RuleKeys.start) {
      findings.error(
        "a rule needs the key 'start'", missing: ["start"], in: value,
        notes: [#"as in {"start": {"buffered": {">=": "2 s"}}}"#])
    }
    let resume = fields.value(RuleKeys.resume).flatMap { conditions($0, "resume") }
    let afterSeek = fields.value(RuleKeys.afterSeek).flatMap { conditions($0, "afterSeek") }
    fields.read(RuleKeys.starvesBelow, into: &policy.starvesBelow)
    let interval = fields.value(of: RuleKeys.checkEvery)
    fields.finish()
    policy.rule = .conditions(
      ConditionRule(
        start: BufferConditions(anyOf: start ?? [[]]),
        resume: resume.map { BufferConditions(anyOf: $0) },
        afterSeek: afterSeek.map { BufferConditions(anyOf: $0) }, checkInterval: interval))
    return policy
  }

  /// Reads conditions as alternatives, each of which is a list; nil if they are wrong.
  private func conditions(
    _ value: JSONValue, _ key: String, depth: Int = 0
  ) -> [[BufferCondition]]? {
    if depth == depthMax {
      findings.error("the conditions of '\(key)' are too deep", at: value)
      return nil
    }
    if value.kind != .object {
      guard let text = value.string else {
        findings.errorWrongType(value, FieldLabel(key: key), "a word or an object")
        return nil
      }
      if let word = ConditionWord.allCases.first(where: { $0.rawValue == text }) {
        return word.alternatives
      }
      findings.errorWrongWord(
        value, FieldLabel(key: key), ConditionWord.allCases.map { $0.rawValue },
        otherwise: "an object of conditions")
      return nil
    }
    var fields = FieldReader(value, ConditionKeys.object, findings)
    var all: [[BufferCondition]] = [[]]
    var isEmpty = true
    func join(_ other: [[BufferCondition]]?) {
      isEmpty = false
      all = other.flatMap { Self.product(all, $0) } ?? []
      if other != nil, all.count > alternativesMax || all.contains(where: { $0.isTooLong }) {
        findings.error("the conditions of '\(key)' are too many", at: value)
        all = []
      }
    }
    for measure in BufferMeasure.allCases {
      guard let limits = fields.value(measure.key) else { continue }
      join(comparisons(limits, measure).map { [$0] })
    }
    if let list = fields.optional(ConditionKeys.all) {
      for element in list.elements { join(conditions(element, key, depth: depth + 1)) }
      isEmpty = false
    }
    if let list = fields.optional(ConditionKeys.any) {
      var any: [[BufferCondition]] = []
      for element in list.elements where any.count <= alternativesMax {
        any += conditions(element, key, depth: depth + 1) ?? []
      }
      if list.count == 0 { findings.error("'any' has no conditions", at: list) }
      join(any)
    }
    fields.finish()
    if isEmpty, fields.object?.count == 0 {
      findings.error("a condition of a rule needs a measure, 'all' or 'any'", at: value.opening)
    }
    return all
  }

  /// Returns the alternatives that two lists of alternatives come to together.
  private static func product(
    _ left: [[BufferCondition]], _ right: [[BufferCondition]]
  ) -> [[BufferCondition]]? {
    if left.count * right.count > alternativesMax * alternativesMax { return nil }
    return left.flatMap { one in right.map { one + $0 } }
  }

  /// Reads what a measure is compared with.
  private func comparisons(_ value: JSONValue, _ measure: BufferMeasure) -> [BufferCondition]? {
    let label = FieldLabel(key: measure.word)
    guard value.kind == .object else {
      findings.error(
        "\(label) needs a comparison", at: value,
        notes: [#"as in {"\#(measure.word)": {">=": \#(measure.example)}}"#])
      return nil
    }
    var fields = FieldReader(value, measure.comparison, findings)
    var conditions: [BufferCondition] = []
    for comparison in BufferComparison.allCases {
      let key = measure.key(of: comparison)
      guard let limit = fields.value(key), let number = key.kind.read(limit, label, findings)
      else { continue }
      switch comparison {
      case .atLeast: conditions.append(.atLeast(measure, number))
      case .above: conditions.append(.atLeast(measure, number + 1))
      case .below: conditions.append(.below(measure, number))
      case .atMost: conditions.append(.below(measure, number + 1))
      }
    }
    fields.finish()
    if conditions.isEmpty, value.count == 0 {
      findings.error(
        "\(label) needs a comparison", at: value.opening,
        notes: ["the comparisons are: '>=', '>', '<' and '<='"])
    }
    return conditions
  }
}

extension [BufferCondition] {
  fileprivate var isTooLong: Bool { count > conditionsMax }
}

/// The conditions that are a word.
enum ConditionWord: String, CaseIterable {
  case always, never, keepsUp, loaded, networkIdle, networkBusy

  /// What the word stands for.
  fileprivate var alternatives: [[BufferCondition]] {
    switch self {
    case .always: [[]]
    case .never: []
    case .keepsUp: [[.isKeepingUp]]
    case .loaded: [[.isLoaded]]
    case .networkIdle: [[.isNetworkIdle]]
    case .networkBusy: [[.isNetworkBusy]]
    }
  }
}

/// How a measure is compared with a number, in the order in which comparisons are read.
enum BufferComparison: String, CaseIterable {
  case atLeast = ">="
  case above = ">"
  case below = "<"
  case atMost = "<="

  fileprivate var about: String {
    switch self {
    case .atLeast: "at least this much"
    case .above: "more than this much"
    case .below: "less"
    case .atMost: "at most"
    }
  }
}

extension BufferMeasure {
  /// The key in scenarios.
  package var word: String { row.word }

  /// What is measured, a value as a note shows it, and how one is read and written.
  private var row: (word: String, about: String, example: String, kind: FieldKind<Int64>) {
    switch self {
    case .buffered: ("buffered", "the media ahead of the playhead", #""2 s""#, .media)
    case .playout: ("playout", "how long that takes to play", #""2 s""#, .media)
    case .bufferedBytes: ("bufferedBytes", "the data ahead of the playhead", #""2 MB""#, .data)
    case .missingBytes: ("missing", "the data that is not there yet", #""2 MB""#, .data)
    case .receivedBytes: ("received", "the data that has come", #""2 MB""#, .data)
    case .fillRate: ("fillRate", "how fast data comes", #""2 Mbit/s""#, .rate)
    case .waited: ("waited", "how long the player has waited", #""2 s""#, .wall)
    case .waitedPerSpeed:
      ("waitedPerSpeed", "how long it has waited, over its speed", #""2 s""#, .wall)
    case .speed: ("speed", "the requested rate", "1.5", .speed)
    case .stalls: ("stalls", "the stalls so far", "2", .integer(in: 0...1_000_000))
    }
  }

  /// A value as a note shows it.
  fileprivate var example: String { row.example }

  /// The key, at which comparisons stand.
  var key: Key<JSONValue> { Key(word, .object(of: comparison), row.about) }

  /// The key of a comparison.
  func key(of comparison: BufferComparison) -> Key<Int64> {
    Key(comparison.rawValue, row.kind, comparison.about)
  }

  /// An object of comparisons.
  var comparison: ObjectKind {
    ObjectKind(
      "comparisonOf_\(word)", "a comparison of a rule",
      rows: BufferComparison.allCases.map { key(of: $0).row })
  }
}

/// Quantities as the core compares them: in nanoseconds, bytes, bits per second and millionths.
extension FieldKind where Value == Int64 {
  fileprivate static var media: FieldKind {
    .converted(from: .mediaTime, { $0.nanoseconds }, back: { MediaTime(nanoseconds: $0) })
  }
  fileprivate static var wall: FieldKind {
    .converted(from: .time, { $0.nanoseconds }, back: { TimeSpan(nanoseconds: $0) })
  }
  fileprivate static var data: FieldKind {
    .converted(from: .size, { $0.bytes }, back: { ByteCount(bytes: $0) })
  }
  fileprivate static var rate: FieldKind {
    .converted(from: .bitRate, { $0.bitsPerSecond }, back: { BitRate(bitsPerSecond: $0) })
  }
  fileprivate static var speed: FieldKind {
    .converted(
      from: .playbackRate(in: .zero...Limits.playbackRateMax), { $0.millionths },
      back: { PlaybackRate(millionths: $0) })
  }
}
