/// What sets a name apart from others in all figures: a colour, and a shape for those who cannot
/// tell colours or print without them.
struct Appearance: Hashable, Sendable {
  /// The number of the colour among those of `StyleSheet`; nil for the neutral one.
  let color: Int?
  /// The number of the shape, and of the dashes of a line.
  let shape: Int

  static let shapeCount = 6
  /// The appearance of what others are held against.
  static let neutral = Appearance(color: nil, shape: 3)

  /// How easily another appearance is taken for this one.
  ///
  /// Most if they are equal, then if only the shape differs, and least if only the colour does:
  /// that is enough, unless it is printed without colours.
  fileprivate func likeness(to other: Appearance) -> Int {
    if color == nil || other.color == nil { return 0 }
    return switch (color == other.color, shape == other.shape) {
    case (true, true): 10_000
    case (true, false): 100
    case (false, true): 1
    case (false, false): 0
    }
  }

  /// The class of what is filled with the colour.
  var fill: String { color.map { "f\($0)" } ?? "fn" }
  /// The class of lines in the colour.
  var stroke: String { color.map { "l\($0)" } ?? "ln" }
  /// The class of the dashes of a line.
  var dash: String { "d\(shape)" }
}

/// Gives each name its own appearance.
///
/// It is drawn from the name alone, so that a rule looks the same in every report, unless another
/// name of the same report has it already.
package struct Palette: Sendable {
  private let names: [String]
  private let appearances: [Appearance]

  /// Creates a palette for some names; those of `references` are drawn in a neutral colour.
  ///
  /// The order of the names does not matter. Those of `first`, such as the ones that have lines,
  /// choose before the others, so that as many of them as there are colours have one of their own.
  package init(_ names: [String], references: [String] = [], first: [String] = []) {
    var sorted: [String] = []
    for part in [names.filter { first.contains($0) }, names.filter { !first.contains($0) }] {
      for name in part.sorted(by: Self.precedes) where sorted.last != name { sorted.append(name) }
    }
    var taken: [Appearance] = []
    self.names = sorted
    appearances = sorted.map { name in
      if references.contains(name) { return .neutral }
      let appearance = Self.choose(name, taken)
      taken.append(appearance)
      return appearance
    }
  }

  /// Compares by bytes, which no version of Unicode reorders.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// Returns the appearance that is least like those that are taken; of equal ones the first from
  /// where the name itself points.
  private static func choose(_ name: String, _ taken: [Appearance]) -> Appearance {
    let (colors, shapes) = (StyleSheet.seriesCount, Appearance.shapeCount)
    let hash = digest(name)
    let color = Int(hash % UInt64(colors))
    let shape = Int(hash / UInt64(colors) % UInt64(shapes))
    var best: (look: Appearance, cost: Int)?
    for offset in 0..<(colors * shapes) {
      let look = Appearance(
        color: (color + offset) % colors, shape: (shape + offset / colors) % shapes)
      let cost = taken.reduce(0) { $0 + look.likeness(to: $1) }
      if cost < best?.cost ?? .max { best = (look, cost) }
    }
    return best?.look ?? Appearance(color: color, shape: shape)
  }

  /// The 64-bit hash of Fowler, Noll and Vo (1a): the same in every process and on every machine.
  private static func digest(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
    // The last bits of the product are poor; the first ones are mixed in.
    return hash ^ hash >> 32
  }

  /// Returns the appearance of a name; the neutral one for a name that the palette does not have.
  subscript(name: String) -> Appearance {
    names.firstIndex(of: name).map { appearances[$0] } ?? .neutral
  }
}
