/// The variants of segments as somebody wrote them down, or recorded them.
package struct VariantScript: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// A request for a segment that is given up unless it has come by then.
  package struct GivenUp: Hashable, Sendable {
    package var segment: Int
    /// The variant that is asked for, in the place of that in the list.
    package var variant: Int
    /// How long after it was asked for it is given up.
    package var after: TimeSpan

    /// Creates such a request.
    package init(segment: Int, variant: Int, after: TimeSpan) {
      precondition(
        segment >= 0 && after > .zero,
        "segment must not be negative and after must be above 0 s, are \(segment) and \(after)")
      (self.segment, self.variant, self.after) = (segment, variant, after)
    }
  }

  /// The variant of each segment; the last one goes on.
  package var variants: [Int]
  /// What is given up, by ascending segments; of those for one segment the first is made first.
  package var givenUp: [GivenUp]

  /// Creates a script.
  package init(_ variants: [Int], givenUp: [GivenUp] = []) {
    precondition(
      zip(givenUp, givenUp.dropFirst()).allSatisfy { $0.segment <= $1.segment },
      "what is given up must be in order, is of segments \(givenUp.map { $0.segment })")
    (self.variants, self.givenUp) = (variants, givenUp)
  }

  /// Creates a script that gives nothing up.
  package init(arrayLiteral elements: Int...) { self.init(elements) }

  /// All variants that are asked for.
  package var all: [Int] { variants + givenUp.map { $0.variant } }

  /// The variant of a segment of which nothing is given up; nil if there is none.
  func variant(of segment: Int) -> Int? {
    variants.isEmpty ? nil : variants[min(segment, variants.count - 1)]
  }

  /// The first request from a place on that is given up and is for a segment; nil if there is none.
  func place(of segment: Int, from place: Int) -> Int? {
    var place = place
    while place < givenUp.count, givenUp[place].segment < segment { place += 1 }
    return place < givenUp.count && givenUp[place].segment == segment ? place : nil
  }
}

/// How far a stream has come in a script.
struct VariantScriptState: Sendable {
  let script: VariantScript
  /// The first request that may still be given up.
  private var next = 0

  /// Begins with the script of a policy; nil if that has none.
  init?(_ policy: AdaptationPolicy) {
    guard case .scripted(let script) = policy.rule else { return nil }
    self.script = script
  }

  /// Whether nothing is given up any more.
  var isThrough: Bool { next >= script.givenUp.count }

  /// The variant of which a segment is asked for next; nil if the script names none.
  func variant(of segment: Int) -> Int? {
    script.place(of: segment, from: next).map { script.givenUp[$0].variant }
      ?? script.variant(of: segment)
  }

  /// When a request for a segment is given up; nil if it is waited for.
  func abandonment(of segment: Int, in variant: Int, opened: Instant) -> Instant? {
    guard let place = script.place(of: segment, from: next),
      script.givenUp[place].variant == variant
    else { return nil }
    return opened + script.givenUp[place].after
  }

  /// Takes note of a request for a segment that is given up.
  mutating func giveUp(_ segment: Int) {
    if let place = script.place(of: segment, from: next) { next = place + 1 }
  }
}
