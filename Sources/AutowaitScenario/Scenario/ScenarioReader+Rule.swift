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
    var fields = FieldReader(value, "a rule", findings)
    _ = fields.optional("name", .string)
    let start = fields.value("start").flatMap { conditions($0, "start") }
    if fields.object != nil, !fields.contains("start") {
      findings.error(
        "a rule needs the key 'start'", at: value.opening,
        notes: [#"as in {"start": {"buffered": {">=": "2 s"}}}"#])
    }
    let resume = fields.value("resume").flatMap { conditions($0, "resume") }
    let afterSeek = fields.value("afterSeek").flatMap { conditions($0, "afterSeek") }
    fields.read("starvesBelow", .mediaTime, into: &policy.starvesBelow)
    let interval = fields.optional("checkEvery", .nullable(.positiveTime)) ?? nil
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
        value, FieldLabel(key: key), ConditionWord.allCases.map(\.rawValue),
        otherwise: "an object of conditions")
      return nil
    }
    var fields = FieldReader(value, "a condition of a rule", findings)
    var all: [[BufferCondition]] = [[]]
    var isEmpty = true
    func join(_ other: [[BufferCondition]]?) {
      isEmpty = false
      all = other.flatMap { Self.product(all, $0) } ?? []
      if other != nil, all.count > alternativesMax || all.contains(where: \.isTooLong) {
        findings.error("the conditions of '\(key)' are too many", at: value)
        all = []
      }
    }
    for measure in BufferMeasure.allCases {
      guard let limits = fields.value(measure.word) else { continue }
      join(comparisons(limits, measure).map { [$0] })
    }
    if let list = fields.optional("all", .array) {
      for element in list.elements { join(conditions(element, key, depth: depth + 1)) }
      isEmpty = false
    }
    if let list = fields.optional("any", .array) {
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
    var fields = FieldReader(value, "a comparison of a rule", findings)
    var conditions: [BufferCondition] = []
    for word in [">=", ">", "<", "<="] {
      guard let limit = fields.value(word),
        let number = measure.kind.read(limit, label, findings)
      else { continue }
      switch word {
      case ">=": conditions.append(.atLeast(measure, number))
      case ">": conditions.append(.atLeast(measure, number + 1))
      case "<": conditions.append(.below(measure, number))
      default: conditions.append(.below(measure, number + 1))
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

extension BufferMeasure {
  /// The key in scenarios.
  public var word: String {
    switch self {
    case .buffered: "buffered"
    case .playout: "playout"
    case .bufferedBytes: "bufferedBytes"
    case .missingBytes: "missing"
    case .receivedBytes: "received"
    case .fillRate: "fillRate"
    case .waited: "waited"
    case .waitedPerSpeed: "waitedPerSpeed"
    case .speed: "speed"
    case .stalls: "stalls"
    }
  }

  /// A value as a note shows it.
  fileprivate var example: String {
    switch self {
    case .buffered, .playout, .waited, .waitedPerSpeed: #""2 s""#
    case .bufferedBytes, .missingBytes, .receivedBytes: #""2 MB""#
    case .fillRate: #""2 Mbit/s""#
    case .speed: "1.5"
    case .stalls: "2"
    }
  }

  /// How a value that it is compared with is read.
  fileprivate var kind: FieldKind<Int64> {
    switch self {
    case .buffered, .playout: .converted(from: .mediaTime) { $0.nanoseconds }
    case .waited, .waitedPerSpeed: .converted(from: .time) { $0.nanoseconds }
    case .bufferedBytes, .missingBytes, .receivedBytes: .converted(from: .size) { $0.bytes }
    case .fillRate: .converted(from: .bitRate) { $0.bitsPerSecond }
    case .speed:
      .converted(from: .playbackRate(in: .zero...Limits.playbackRateMax)) { $0.millionths }
    case .stalls: .integer(in: 0...1_000_000)
    }
  }
}
