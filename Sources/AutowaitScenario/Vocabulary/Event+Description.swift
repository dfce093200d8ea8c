import Autowait

// Events and metrics print themselves with the words that logs have for them.

extension Event: CustomStringConvertible {
  /// What a log has of the event, as in `timeControlStatus playing` and `seek seek 1, to 50 s`.
  ///
  /// What is a name in a scenario is a number here.
  public var description: String {
    let row = row
    var details: [String] = []
    row.forEachField { field in
      guard let text = field.value.text else { return }
      // The value of a single thing needs no name.
      let isPlain = details.isEmpty && "\(field.name)" == "value"
      details.append(isPlain ? text : "\(field.name) \(text)")
    }
    return details.isEmpty ? "\(row.name)" : "\(row.name) \(details.joined(separator: ", "))"
  }
}

extension EventRecord: CustomStringConvertible {
  /// When it happened, to which player, and what, as in `2.5 s player 0: playbackStalled`.
  public var description: String {
    let whose = player.map { " player \($0)" } ?? ""
    return "\(instant)\(whose): \(event)"
  }
}

extension EventField.Value {
  /// The value in words; nil for what a scenario alone can tell.
  fileprivate var text: String? {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .word(let word): "\(word)"
    case .count(let count): "\(count)"
    case .seed(let seed): "\(seed)"
    case .nanoseconds(let nanoseconds): "\(MediaTime(nanoseconds: nanoseconds))"
    case .rate(let rate): "\(rate)"
    case .resolution(let size): "\(size.width)x\(size.height)"
    case .videoColor(let color): color.text
    case .linkName(let index): "\(index)"
    case .stepName, .tier, .tierReason: nil
    }
  }
}

extension PlayerMetrics: CustomStringConvertible {
  /// A line for each metric that a log has of the run, as in `stallCount 1`.
  public var description: String {
    let lines = Metric.allCases.compactMap { metric -> String? in
      guard metric.isShown(in: self), let value = metric.value(in: self) else { return nil }
      return "\(metric.rawValue) \(value.text(metric.unit))"
    }
    return lines.joined(separator: "\n")
  }

  /// The names of all metrics.
  public static var names: [String] { Metric.allCases.map { $0.rawValue } }

  /// The metric of a name; nil if there is none, or if nothing was measured.
  ///
  /// It is a whole number: of nanoseconds, bytes or bits per second, a count, or millionths of a
  /// ratio.
  public subscript(name: String) -> Int64? {
    Metric.allCases.first { $0.rawValue == name }?.value(in: self)?.number
  }
}

extension MetricValue {
  /// The value in the unit that people would take.
  fileprivate func text(_ unit: Metric.NumberUnit) -> String {
    switch unit {
    case .time: "\(TimeSpan(nanoseconds: number))"
    case .count: "\(number)"
    case .bytes: "\(ByteCount(bytes: number))"
    case .bitRate: "\(BitRate(bitsPerSecond: number))"
    case .ratio: "\(PlaybackRate(millionths: number))"
    }
  }
}
