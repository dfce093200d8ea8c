import Autowait

/// A heuristic that is named, as logs spell it out: a later version may change its numbers.
struct ResolvedHeuristic {
  /// Where the scenario names it.
  let place: Int
  let name: String
  /// What it amounts to with the numbers beside the name.
  var policy: KeepUpPolicy
  var latency: LatencyPolicy
  /// What it stands over: the scenario's, where a player has its own.
  let inherited: KeepUpPolicy
}

/// Writes policies as scenarios spell them, with every number.
enum HeuristicWriter {
  /// Writes a policy as the value of the key `heuristic`; a rule as data has a name.
  ///
  /// A policy with the default rule inherits limits; those that it does not have are written as
  /// null.
  static func write(
    _ policy: KeepUpPolicy, _ name: String, _ latency: LatencyPolicy,
    over inherited: KeepUpPolicy = KeepUpPolicy(), into writer: inout JSONWriter
  ) {
    writer.beginObject()
    switch policy.rule {
    case .conditions(let rule):
      writer.object("rule") { writer in
        writer.field("name", text: name)
        writeRule(rule, starvesBelow: policy.starvesBelow, into: &writer)
      }
    case .buffered(let start, let resume):
      writer.field("rule", "buffered")
      writer.field("start", seconds: start.nanoseconds)
      writer.field("resume", seconds: resume.nanoseconds)
    case .linearToEnd, .external: writer.field("rule", "avfoundation")
    }
    writeNumbers(policy, into: &writer)
    if case .linearToEnd = policy.rule {
      clearLimits(of: inherited, absentIn: policy, into: &writer)
    }
    writer.field("frameDuration", seconds: policy.frameDuration.nanoseconds)
    if latency != LatencyPolicy() { write(latency, into: &writer) }
    writer.endObject()
  }

  /// Writes the numbers that policies have whatever their rule, but for the length of a frame.
  static func writeNumbers(_ policy: KeepUpPolicy, into writer: inout JSONWriter) {
    writer.field("verdictSize", policy.verdictSize.bytes)
    writer.field("verdictTime", seconds: policy.verdictTime.nanoseconds)
    writer.field("fillRateWindow", seconds: policy.fillRateWindow.nanoseconds)
    writer.field("safetyMargin", millionths: policy.safetyMargin)
    if let limit = policy.forwardBufferLimit {
      writer.field("forwardBufferLimit", seconds: limit.nanoseconds)
    }
    if let resume = policy.forwardBufferResume {
      writer.field("forwardBufferResume", seconds: resume.nanoseconds)
    }
    if let sizes = policy.forwardBufferSizes { write(sizes, into: &writer) }
    if policy.requestOrder != .furthestBehind {
      writer.field("requestOrder", policy.requestOrder.word)
    }
    if let interval = policy.requestInterval {
      writer.field("requestInterval", seconds: interval.nanoseconds)
    }
    if let step = policy.readStep { writer.field("readStep", seconds: step.nanoseconds) }
    if let ahead = policy.readAhead { writer.field("readAhead", ahead.bytes) }
    if let block = policy.followingBlock { writer.field("followingBlock", block.bytes) }
    if let size = policy.droppedSize { writer.field("droppedSize", size.bytes) }
    if let probe = policy.probe {
      writer.field("probeSize", probe.size.bytes)
      writer.field("probeDropped", probe.dropped.bytes)
    }
    if policy.pictureGrace > .zero {
      writer.field("pictureGrace", seconds: policy.pictureGrace.nanoseconds)
    }
  }

  /// Writes the latencies that are not zero.
  private static func write(_ latency: LatencyPolicy, into writer: inout JSONWriter) {
    writer.object("latency") { writer in
      for row in LatencyKeys.all where row.get(latency) != .zero {
        writer.key(text: row.key.name)
        writer.seconds(nanoseconds: row.get(latency).nanoseconds)
      }
    }
  }

  /// Writes null for the limits that are inherited and do not hold.
  private static func clearLimits(
    of inherited: KeepUpPolicy, absentIn policy: KeepUpPolicy, into writer: inout JSONWriter
  ) {
    func isCleared<Limit>(_ limit: (KeepUpPolicy) -> Limit?) -> Bool {
      limit(inherited) != nil && limit(policy) == nil
    }
    if isCleared({ $0.forwardBufferLimit }) { writer.nullField("forwardBufferLimit") }
    if isCleared({ $0.forwardBufferResume }) { writer.nullField("forwardBufferResume") }
    if isCleared({ $0.forwardBufferSizes?.sizeMax }) { writer.nullField("forwardBufferSizeMax") }
    if isCleared({ $0.forwardBufferSizes?.sizeMin }) { writer.nullField("forwardBufferSizeMin") }
    if isCleared({ $0.forwardBufferSizes?.sizeBeyond }) {
      writer.nullField("forwardBufferSizeBeyond")
    }
    if isCleared({ $0.forwardBufferSizes?.limitMax }) { writer.nullField("forwardBufferLimitMax") }
    if isCleared({ $0.forwardBufferSizes?.slack }) { writer.nullField("forwardBufferSizeSlack") }
    if inherited.forwardBufferSizes?.appliesToFiles == true,
      policy.forwardBufferSizes?.appliesToFiles == false
    {
      writer.field("forwardBufferSizesOfFiles", false)
    }
    if isCleared({ $0.requestInterval }) { writer.nullField("requestInterval") }
    if isCleared({ $0.readStep }) { writer.nullField("readStep") }
    if isCleared({ $0.readAhead }) { writer.nullField("readAhead") }
    if isCleared({ $0.followingBlock }) { writer.nullField("followingBlock") }
    if isCleared({ $0.droppedSize }) { writer.nullField("droppedSize") }
    if isCleared({ $0.probe }) { writer.nullField("probeSize") }
    if inherited.pictureGrace > .zero, policy.pictureGrace == .zero {
      writer.field("pictureGrace", seconds: 0)
    }
    if inherited.requestOrder != policy.requestOrder, policy.requestOrder == .furthestBehind {
      writer.field("requestOrder", policy.requestOrder.word)
    }
  }

  private static func write(_ sizes: ForwardBufferSizes, into writer: inout JSONWriter) {
    if let most = sizes.sizeMax { writer.field("forwardBufferSizeMax", most.bytes) }
    if let least = sizes.sizeMin { writer.field("forwardBufferSizeMin", least.bytes) }
    if let beyond = sizes.sizeBeyond { writer.field("forwardBufferSizeBeyond", beyond.bytes) }
    if let limit = sizes.limitMax {
      writer.field("forwardBufferLimitMax", seconds: limit.nanoseconds)
    }
    if let slack = sizes.slack { writer.field("forwardBufferSizeSlack", slack.bytes) }
    if sizes.appliesToFiles { writer.field("forwardBufferSizesOfFiles", true) }
  }

  /// Writes the members of a rule.
  static func writeRule(
    _ rule: ConditionRule, starvesBelow: MediaTime, into writer: inout JSONWriter
  ) {
    let situations: [(StaticString, BufferConditions)] = [
      ("start", rule.start), ("resume", rule.resume), ("afterSeek", rule.afterSeek),
    ]
    for (key, conditions) in situations {
      writer.key(key)
      write(conditions, into: &writer)
    }
    if starvesBelow > .zero { writer.field("starvesBelow", seconds: starvesBelow.nanoseconds) }
    if let interval = rule.checkInterval {
      writer.field("checkEvery", seconds: interval.nanoseconds)
    }
  }

  private static func write(_ conditions: BufferConditions, into writer: inout JSONWriter) {
    combine(conditions.alternatives, "any", none: "never", into: &writer) { writer, alternative in
      combine(alternative, "all", none: "always", into: &writer) { write($1, into: &$0) }
    }
  }

  /// Writes some elements under the word that joins them; one stands for itself, and none has a
  /// word of its own.
  private static func combine<Element>(
    _ elements: [Element], _ joined: StaticString, none: StaticString,
    into writer: inout JSONWriter, _ write: (inout JSONWriter, Element) -> Void
  ) {
    switch elements.count {
    case 0: writer.string(none)
    case 1: write(&writer, elements[0])
    default: writer.object { $0.array(joined, elements, write) }
    }
  }

  private static func write(_ condition: BufferCondition, into writer: inout JSONWriter) {
    switch condition {
    case .atLeast(let measure, let value): write(measure, ">=", value, into: &writer)
    case .below(let measure, let value): write(measure, "<", value, into: &writer)
    case .isKeepingUp: writer.string("keepsUp")
    case .isLoaded: writer.string("loaded")
    case .isNetworkIdle: writer.string("networkIdle")
    case .isNetworkBusy: writer.string("networkBusy")
    }
  }

  private static func write(
    _ measure: BufferMeasure, _ comparison: StaticString, _ value: Int64,
    into writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.object(text: measure.word) { writer in
      writer.key(comparison)
      switch measure {
      case .buffered, .playout, .waited, .waitedPerSpeed: writer.seconds(nanoseconds: value)
      case .speed: writer.millionths(value)
      case .bufferedBytes, .missingBytes, .receivedBytes, .fillRate, .stalls: writer.integer(value)
      }
    }
    writer.endObject()
  }
}
