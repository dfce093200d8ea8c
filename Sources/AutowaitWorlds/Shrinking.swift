import AutowaitScenario

extension Draft {
  /// Returns the smallest scenario that can be had from this one, step by step, and of which a
  /// condition still holds: members and elements are left out, and values made simpler.
  ///
  /// At most so many candidates are tried.
  package func shrunk(triesMax: Int, while holds: (Draft) -> Bool) -> Draft {
    var (best, tries) = (self, 0)
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for cut in [true, false] {
        var place = 0
        while tries < triesMax {
          let candidates = best.simpler(at: place, cutting: cut)
          guard let candidates else { break }
          tries += candidates.count
          if let next = candidates.first(where: holds) {
            (best, isSmaller) = (next, true)
            // What stands in this place now may be made smaller too.
            if !cut { place += 1 }
          } else {
            place += 1
          }
        }
      }
    }
    return best
  }

  /// The values that this one is made of, in the order of the text.
  private var parts: [Draft] {
    switch self {
    case .plain, .string: []
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    }
  }

  /// Returns the value with another one in the place of a part, or with none.
  private func with(_ part: Draft?, at index: Int) -> Draft {
    switch self {
    case .plain, .string: return self
    case .array(var elements):
      elements.replaceSubrange(index...index, with: part.map { [$0] } ?? [])
      return .array(elements)
    case .object(var members):
      if let part { members[index].value = part } else { members.remove(at: index) }
      return .object(members)
    }
  }

  /// The number of values in this one.
  private var count: Int { parts.reduce(1) { $0 + $1.count } }

  /// Returns simpler versions of the whole, with the value in a place, counted from the front, cut
  /// out or made simpler; nil behind the last place.
  private func simpler(at place: Int, cutting: Bool) -> [Draft]? {
    if place >= count - 1 { return nil }
    return changed(at: place + 1) { cutting ? [nil] : $0.plainer }
  }

  /// Returns the versions of the value with others, or none, for the one in a place.
  private func changed(at place: Int, _ change: (Draft) -> [Draft?]) -> [Draft] {
    var next = 1
    for (index, part) in parts.enumerated() {
      if place == next { return change(part).map { with($0, at: index) } }
      if place < next + part.count {
        return part.changed(at: place - next, change).map { with($0, at: index) }
      }
      next += part.count
    }
    return []
  }

  /// Simpler values in the place of this one: rounder and smaller numbers.
  private var plainer: [Draft] {
    switch self {
    case .plain(let text):
      guard let number = Int64(text), number.magnitude > 1 else { return [] }
      return Self.rounder(number).map { Draft($0) }
    case .string(let text):
      guard let gap = text.firstIndex(of: " "), let number = Int64(text[..<gap]) else { return [] }
      let unit = text[gap...]
      var simpler = Self.rounder(number).map { Draft.string("\($0)\(unit)") }
      if unit == " ns" || unit == " ms" {
        let nanoseconds = unit == " ns" ? number : number * 1_000_000
        let seconds = (nanoseconds + 500_000_000) / 1_000_000_000
        simpler.insert(.string("\(max(1, seconds)) s"), at: 0)
        simpler.insert(.string("\(max(1, nanoseconds / 1_000_000)) ms"), at: 1)
      }
      return simpler.filter { $0 != self }
    case .array, .object: return []
    }
  }

  private static func rounder(_ number: Int64) -> [Int64] {
    var rounder: [Int64] = []
    var step: Int64 = 1
    while step <= number / 10 { step *= 10 }
    for part in [step, step / 10, step / 100] where part > 1 && number % part != 0 {
      rounder.append(number / part * part)
    }
    if number > 1, number / step > 1 { rounder.append(step) }
    return rounder
  }
}
