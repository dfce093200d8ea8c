import Autowait

/// What people call the parts of a stream, which the core knows by their numbers.
package struct StreamNames: Hashable, Sendable {
  /// The variants, by number: their own names, or picture and rate, as in `960x540 1800 kbit/s`.
  package var variants: [String]
  /// The segment lists, by number: the names of the variants and renditions that have them.
  package var lists: [String]
  /// The keys, by number.
  package var keys: [String]

  /// Creates names.
  package init(variants: [String], lists: [String], keys: [String]) {
    self.variants = variants
    self.lists = lists
    self.keys = keys
  }
}

extension StreamNames {
  /// The name of a segment list; nil for a number that the stream does not have.
  package func list(_ number: Int) -> String? {
    lists.indices.contains(number) ? lists[number] : nil
  }

  /// The name of a key; nil for a number that the stream does not have.
  package func key(_ number: Int) -> String? {
    keys.indices.contains(number) ? keys[number] : nil
  }

  /// Creates names of which none stands twice, and numbers the keys.
  init(variants: [String], lists: [String], keyCount: Int) {
    self.init(
      variants: Self.distinct(variants), lists: Self.distinct(lists),
      keys: (0..<keyCount).map { "key \($0)" })
  }

  /// Returns names of which none stands twice: the second of a name has a number behind it.
  private static func distinct(_ names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    return names.map { name in
      counts[name, default: 0] += 1
      return counts[name] == 1 ? name : "\(name) (\(counts[name] ?? 0))"
    }
  }
}

extension StreamMedia.Variant {
  /// What a variant is called that has no name of its own.
  var defaultName: String {
    let rate = Quantity.bitRate.text(Int64(bandwidth.bitsPerSecond))
    return resolution.map { "\($0.width)x\($0.height) \(rate)" } ?? rate
  }
}
