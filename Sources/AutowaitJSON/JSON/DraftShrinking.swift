/// Takes a value apart for as long as a condition holds of what is left: members and elements go,
/// values take the place of what holds nothing but them, and numbers become rounder.
///
/// At its end no single member or element can go any more, unless the tries were spent before. The
/// order of the tries is that of the text, so that the end is the same everywhere.
package struct DraftShrinking {
  /// Where a part is: the number of each part on the way to it.
  typealias Place = [Int]

  /// The smallest value so far of which the condition holds.
  package private(set) var best: Draft
  /// How many values were tried.
  package private(set) var tryCount = 0
  /// Other values that might do in the place of a whole, each of them simpler.
  package var moves: (Draft) -> [Draft] = { _ in [] }

  private let triesMax: Int
  private let holds: (Draft) -> Bool

  /// Whether no further value may be tried.
  package var isSpent: Bool { tryCount >= triesMax }

  /// Begins with a value of which a condition holds; at most so many others are tried.
  package init(_ draft: Draft, triesMax: Int, while holds: @escaping (Draft) -> Bool) {
    (best, self.triesMax, self.holds) = (draft, triesMax, holds)
  }

  /// Tries until nothing can be made smaller.
  package mutating func run() {
    var isSmaller = true
    while isSmaller, !isSpent {
      isSmaller = cutAll()
      if moveAll() { isSmaller = true }
      if simplify(at: [], key: nil) { isSmaller = true }
    }
  }

  /// Takes a value instead of the best one if the condition holds of it.
  mutating func takes(_ draft: Draft) -> Bool {
    if isSpent || draft == best { return false }
    tryCount += 1
    guard holds(draft) else { return false }
    best = draft
    return true
  }

  // MARK: - Leaving out

  /// Leaves out what can be, large parts before what is in them.
  private mutating func cutAll() -> Bool {
    var isSmaller = false
    var places: [Place] = [[]]
    var next = 0
    while next < places.count, !isSpent {
      let place = places[next]
      next += 1
      if cut(at: place) { isSmaller = true }
      let count = best.part(at: place)?.parts.count ?? 0
      for index in 0..<count { places.append(place + [index]) }
    }
    return isSmaller
  }

  /// Leaves out parts of the value at a place, many at once at first, from the last one on: what
  /// comes later depends on what comes before.
  private mutating func cut(at place: Place) -> Bool {
    var isSmaller = false
    var size = best.part(at: place)?.parts.count ?? 0
    while size > 0, !isSpent {
      var end = best.part(at: place)?.parts.count ?? 0
      while end > 0, !isSpent {
        let start = max(0, end - size)
        if takes(best.removing(start..<end, at: place)) { isSmaller = true }
        end = start
      }
      size /= 2
    }
    return isSmaller
  }

  private mutating func moveAll() -> Bool {
    var isSmaller = false
    var isMoving = true
    while isMoving, !isSpent {
      isMoving = false
      for other in moves(best) where !isMoving && takes(other) { isMoving = true }
      if isMoving { isSmaller = true }
    }
    return isSmaller
  }

  // MARK: - Making simpler

  /// Makes the value at a place simpler, and then those in it.
  private mutating func simplify(at place: Place, key: String?) -> Bool {
    var isSmaller = false
    var isChanging = true
    while isChanging, !isSpent {
      isChanging = false
      guard let part = best.part(at: place) else { return isSmaller }
      // The whole stays what it is.
      let others = place.isEmpty ? part.unpackedMembers : part.simpler(key: key)
      for other in others where !isChanging && takes(best.replacing(at: place, with: other)) {
        isChanging = true
      }
      if !isChanging, join(at: place) { isChanging = true }
      if isChanging { isSmaller = true }
    }
    let count = best.part(at: place)?.parts.count ?? 0
    for index in 0..<count where !isSpent {
      let key = best.part(at: place)?.key(of: index)
      if simplify(at: place + [index], key: key) { isSmaller = true }
    }
    return isSmaller
  }

  /// Makes one sample of several that follow each other, many at once at first.
  private mutating func join(at place: Place) -> Bool {
    guard case .array(let all)? = best.part(at: place), all.count > 1,
      all.allSatisfy({ $0["for"] != nil })
    else { return false }
    var isSmaller = false
    var size = all.count
    while size > 1, !isSpent {
      var start = 0
      while case .array(let samples)? = best.part(at: place), start + 1 < samples.count, !isSpent {
        let end = min(samples.count, start + size)
        var isJoined = false
        for sample in Draft.joined(Array(samples[start..<end])) where !isJoined {
          let others = Array(samples[..<start]) + [sample] + Array(samples[end...])
          isJoined = takes(best.replacing(at: place, with: .array(others)))
        }
        if isJoined { isSmaller = true }
        start = isJoined ? start + 1 : end
      }
      size = size == 3 ? 2 : size / 2
    }
    return isSmaller
  }
}

extension Draft {
  /// Returns the smallest value that can be had from this one and of which a condition still holds.
  ///
  /// At most so many others are tried.
  package func shrunk(triesMax: Int, while holds: @escaping (Draft) -> Bool) -> Draft {
    var shrinking = DraftShrinking(self, triesMax: triesMax, while: holds)
    shrinking.run()
    return shrinking.best
  }
}
