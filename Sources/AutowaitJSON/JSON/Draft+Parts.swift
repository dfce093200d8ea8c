/// Values in values, by their places.
extension Draft {
  /// The values that this one is made of, in the order of the text.
  package var parts: [Draft] {
    switch self {
    case .plain, .string: []
    case .array(let elements): elements
    case .object(let members): members.map { $0.value }
    }
  }

  /// The key of a part; nil in an array.
  func key(of index: Int) -> String? {
    guard case .object(let members) = self, index < members.count else { return nil }
    return members[index].key
  }

  /// The part at a place: the number of each part on the way to it.
  package func part(at place: [Int]) -> Draft? {
    var part = self
    for index in place {
      let parts = part.parts
      if index >= parts.count { return nil }
      part = parts[index]
    }
    return part
  }

  /// Returns the value with another one at a place.
  package func replacing(at place: [Int], with other: Draft) -> Draft {
    changing(place[...]) { _ in other }
  }

  /// Returns the value without some parts of the value at a place.
  package func removing(_ range: Range<Int>, at place: [Int]) -> Draft {
    changing(place[...]) { part in
      switch part {
      case .plain, .string: return part
      case .array(var elements):
        elements.removeSubrange(range)
        return .array(elements)
      case .object(var members):
        members.removeSubrange(range)
        return .object(members)
      }
    }
  }

  private func changing(_ place: ArraySlice<Int>, _ change: (Draft) -> Draft) -> Draft {
    guard let index = place.first else { return change(self) }
    switch self {
    case .plain, .string: return self
    case .array(var elements):
      elements[index] = elements[index].changing(place.dropFirst(), change)
      return .array(elements)
    case .object(var members):
      members[index].value = members[index].value.changing(place.dropFirst(), change)
      return .object(members)
    }
  }

  /// Returns the value with each array in it changed.
  package func changingArrays(_ change: ([Draft]) -> [Draft]) -> Draft {
    switch self {
    case .plain, .string: self
    case .array(let elements): .array(change(elements).map { $0.changingArrays(change) })
    case .object(let members):
      .object(
        members.map { KeyedDraft(key: $0.key, value: $0.value.changingArrays(change)) })
    }
  }
}
