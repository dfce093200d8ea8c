import Autowait

/// The seeds under which something runs: some that are named, or so many in a row.
package enum SeedList: Hashable, Sendable {
  /// Seeds that are named.
  case listed([UInt64])
  /// Seeds in a row.
  case row(first: UInt64, count: Int)

  /// The number of seeds.
  package var count: Int {
    switch self {
    case .listed(let seeds): seeds.count
    case .row(_, let count): count
    }
  }

  /// Returns the seed at a place.
  package subscript(index: Int) -> UInt64 {
    switch self {
    case .listed(let seeds): seeds[index]
    case .row(let first, _): first + UInt64(index)
    }
  }

  /// Reads a list of seeds, a number of them, or the first and the last; nil after having reported
  /// why there are none.
  package static func read(
    _ value: JSONValue, countMax: Int, _ findings: Findings
  ) -> SeedList? {
    switch value.kind {
    case .array: listed(value, findings)
    case .object: row(value, countMax, findings)
    case .null, .false, .true, .number, .string: number(value, countMax, findings)
    }
  }

  private static func listed(_ value: JSONValue, _ findings: Findings) -> SeedList? {
    var seeds: [UInt64] = []
    for element in value.elements {
      guard let decimal = element.decimal,
        case .exact(let seed) = decimal.integer(scaledBy: 1, allowingNegative: false)
      else {
        findings.error("a seed must be a whole number", at: element)
        continue
      }
      seeds.append(UInt64(seed))
    }
    if value.count == 0 { findings.error("'seed' has no seeds", at: value) }
    return seeds.isEmpty ? nil : .listed(seeds)
  }

  private static func row(
    _ value: JSONValue, _ countMax: Int, _ findings: Findings
  ) -> SeedList? {
    var fields = FieldReader(value, SeedRangeKeys.object, findings)
    let first = fields.required(SeedRangeKeys.from)
    let last = fields.required(SeedRangeKeys.to)
    fields.finish()
    guard let first, let last else { return nil }
    if last < first || last - first >= Int64(countMax) {
      findings.error("'to' must be 'from' or a little more", at: value)
      return nil
    }
    return .row(first: UInt64(first), count: Int(last - first) + 1)
  }

  private static func number(
    _ value: JSONValue, _ countMax: Int, _ findings: Findings
  ) -> SeedList? {
    guard let decimal = value.decimal,
      case .exact(let count) = decimal.integer(scaledBy: 1, allowingNegative: false),
      1...Int64(countMax) ~= count
    else {
      findings.error(
        "'seed' must be a list of seeds, a number of them, or an object with 'from' and 'to'",
        at: value)
      return nil
    }
    return .row(first: 1, count: Int(count))
  }
}
