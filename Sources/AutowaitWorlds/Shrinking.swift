import AutowaitScenario

extension Draft {
  /// Returns the smallest scenario that can be had from this one, step by step, and of which a
  /// condition still holds: members and elements are left out, and values made simpler.
  ///
  /// At most so many candidates are tried.
  public func shrunk(triesMax: Int, while holds: (Draft) -> Bool) -> Draft {
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

  /// The number of values in this one.
  private var count: Int {
    switch self {
    case .plain, .string: 1
    case .array(let elements): elements.reduce(1) { $0 + $1.count }
    case .object(let members): members.reduce(1) { $0 + $1.value.count }
    }
  }

  /// Returns simpler versions of the whole, with the value in a place, counted from the front, cut
  /// out or made simpler; nil behind the last place.
  private func simpler(at place: Int, cutting: Bool) -> [Draft]? {
    if place >= count - 1 { return nil }
    return cutting ? without(place + 1).map { [$0] } ?? [] : replaced(place + 1)
  }

  /// Returns the value without the one in a place, in the order of the text; nil for the first.
  private func without(_ place: Int) -> Draft? {
    var next = 1
    switch self {
    case .plain, .string: return nil
    case .array(var elements):
      for index in elements.indices {
        if place == next {
          elements.remove(at: index)
          return .array(elements)
        }
        if place < next + elements[index].count {
          guard let inner = elements[index].without(place - next) else { return nil }
          elements[index] = inner
          return .array(elements)
        }
        next += elements[index].count
      }
    case .object(var members):
      for index in members.indices {
        if place == next {
          members.remove(at: index)
          return .object(members)
        }
        if place < next + members[index].value.count {
          guard let inner = members[index].value.without(place - next) else { return nil }
          members[index].value = inner
          return .object(members)
        }
        next += members[index].value.count
      }
    }
    return nil
  }

  /// Returns the value with simpler ones in a place.
  private func replaced(_ place: Int) -> [Draft] {
    if place == 0 { return plainer }
    var next = 1
    switch self {
    case .plain, .string: break
    case .array(let elements):
      for index in elements.indices {
        if place < next + elements[index].count {
          return elements[index].replaced(place - next).map {
            var copy = elements
            copy[index] = $0
            return .array(copy)
          }
        }
        next += elements[index].count
      }
    case .object(let members):
      for index in members.indices {
        if place < next + members[index].value.count {
          return members[index].value.replaced(place - next).map {
            var copy = members
            copy[index].value = $0
            return .object(copy)
          }
        }
        next += members[index].value.count
      }
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
