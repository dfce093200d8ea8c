import Autowait

/// Reading what numbers are compared with: bounds, and ranges in their place.
extension FieldReader {
  package static let comparisonsNote =
    "the comparisons are: '==', '!=', '<', '<=', '>' and '>=', 'between' and 'approximately'"

  /// Reads all bounds of a number.
  package mutating func bounds(_ read: (JSONValue, FieldLabel) -> Int64?) -> [Bound] {
    var bounds: [Bound] = []
    for comparison in Condition.Comparison.allCases {
      guard let limit = value("\(comparison.word)") else { continue }
      if let limit = read(limit, FieldLabel(key: "\(comparison.word)")) {
        bounds.append(Bound(comparison: comparison, limit: limit))
      }
    }
    if let range = range(read) {
      bounds.append(Bound(comparison: .atLeast, limit: range.lowerBound))
      bounds.append(Bound(comparison: .atMost, limit: range.upperBound))
    }
    return bounds
  }

  /// Reads `between`, or `approximately` with its tolerance; nil if neither is there, or it is
  /// wrong, which was reported.
  mutating func range(_ read: (JSONValue, FieldLabel) -> Int64?) -> ClosedRange<Int64>? {
    let between = value(RangeKeys.between)
    let middle = value(RangeKeys.approximately)
    let tolerance = value(RangeKeys.tolerance)
    if let between, middle != nil {
      findings.error("'between' cannot be combined with 'approximately'", at: between)
      return nil
    }
    if let tolerance, middle == nil {
      findings.error("'tolerance' belongs to 'approximately'", at: tolerance)
      return nil
    }
    if let between { return ends(between, read) }
    guard let middle else { return nil }
    guard let tolerance else {
      findings.error(
        "'approximately' needs the key 'tolerance'", at: middle,
        notes: [#"as in "approximately": "7 s", "tolerance": "0.5 s", or "tolerance": "5 %""#])
      return nil
    }
    guard let middle = read(middle, FieldLabel(key: RangeKeys.approximately)) else { return nil }
    var distance: Int64?
    if let text = tolerance.string, text.hasSuffix("%"),
      let share = try? Quantity.probability.parse(text, in: 0...1_000_000_000)
    {
      distance = Int64(Int128(middle.magnitude) * Int128(share) / 1_000_000_000)
    } else {
      distance = read(tolerance, FieldLabel(key: RangeKeys.tolerance))
    }
    guard let distance else { return nil }
    if distance < 0 {
      findings.error("'tolerance' must not be negative", at: tolerance)
      return nil
    }
    return middle - distance...middle + distance
  }

  private func ends(
    _ value: JSONValue, _ read: (JSONValue, FieldLabel) -> Int64?
  ) -> ClosedRange<Int64>? {
    let ends = Array(value.elements)
    guard ends.count == 2 else {
      findings.error("'between' must be a list of the least and the most", at: value)
      return nil
    }
    let label = FieldLabel(key: RangeKeys.between).element
    guard let least = read(ends[0], label), let most = read(ends[1], label) else { return nil }
    if least > most {
      findings.error("nothing is 'between' these two: the smaller one comes first", at: value)
      return nil
    }
    return least...most
  }
}

extension ScenarioReader {
  /// Reads a range of a property.
  func range(
    _ fields: inout FieldReader, of property: Property, _ label: FieldLabel
  ) -> [StatePattern.Test] {
    var sample: PropertyValue?
    let range = fields.range { value, _ in
      guard let read = property.kind.read(value, label, findings) else { return nil }
      guard read.isOrdered else {
        findings.error("\(label) has no order: only == and != make sense", at: value)
        return nil
      }
      sample = read
      return read.number
    }
    guard let range, let sample else { return [] }
    return [
      StatePattern.Test(
        property: property, comparison: .atLeast, expected: sample.with(range.lowerBound)),
      StatePattern.Test(
        property: property, comparison: .atMost, expected: sample.with(range.upperBound)),
    ]
  }
}

extension PropertyValue {
  /// Returns a value of the same kind at another place on the number line.
  fileprivate func with(_ number: Int64) -> PropertyValue {
    switch self {
    case .time: .time(MediaTime(nanoseconds: number))
    case .rate: .rate(PlaybackRate(millionths: number))
    case .count: .count(number)
    case .null, .word, .flag, .ranges: self
    }
  }
}
