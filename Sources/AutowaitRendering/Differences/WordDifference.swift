import AutowaitScenario

/// A place at which two scenarios say different things.
package struct WordDifference: Hashable, Sendable {
  /// Where it is, as `--set` names it: `link.rate`, `script[1].at`.
  package let path: String
  /// What the first scenario says there, as JSON; nil if it says nothing.
  package let first: String?
  /// What the second one says.
  package let second: String?

  /// Returns all places at which two values differ, in the order of the first.
  static func between(_ first: JSONValue, _ second: JSONValue) -> [WordDifference] {
    var found: [WordDifference] = []
    compare(first, second, "", &found)
    return found
  }

  private static func compare(
    _ first: JSONValue, _ second: JSONValue, _ path: String, _ found: inout [WordDifference]
  ) {
    if areEqual(first, second) { return }
    switch (first.kind, second.kind) {
    case (.object, .object):
      let prefix = path.isEmpty ? "" : path + "."
      for member in first.members {
        let key = member.key.string ?? ""
        if let other = second.member(key) {
          compare(member.value, other, prefix + key, &found)
        } else {
          found.append(
            WordDifference(path: prefix + key, first: text(member.value), second: nil))
        }
      }
      for member in second.members {
        let key = member.key.string ?? ""
        if first.member(key) != nil { continue }
        found.append(WordDifference(path: prefix + key, first: nil, second: text(member.value)))
      }
    case (.array, .array):
      compareArrays(Array(first.elements), Array(second.elements), path, &found)
    default:
      found.append(WordDifference(path: path, first: text(first), second: text(second)))
    }
  }

  /// Compares two lists.
  ///
  /// What is equal at their beginnings and ends is passed over first, so that an element that only
  /// one of them has does not move all others.
  private static func compareArrays(
    _ first: [JSONValue], _ second: [JSONValue], _ path: String, _ found: inout [WordDifference]
  ) {
    let least = min(first.count, second.count)
    var head = 0
    while head < least, areEqual(first[head], second[head]) { head += 1 }
    var tail = 0
    while tail < least - head,
      areEqual(first[first.count - 1 - tail], second[second.count - 1 - tail])
    {
      tail += 1
    }
    let shared = least - tail
    if head < shared {
      for index in head..<shared {
        compare(first[index], second[index], "\(path)[\(index)]", &found)
      }
    }
    for index in shared..<max(shared, first.count - tail) {
      let place = "\(path)[\(index)]"
      found.append(WordDifference(path: place, first: text(first[index]), second: nil))
    }
    for index in shared..<max(shared, second.count - tail) {
      let place = "\(path)[\(index)]"
      found.append(WordDifference(path: place, first: nil, second: text(second[index])))
    }
  }

  /// Whether two values mean the same: numbers are compared as numbers, and the order of keys does
  /// not count.
  private static func areEqual(_ first: JSONValue, _ second: JSONValue) -> Bool {
    guard first.kind == second.kind else { return false }
    switch first.kind {
    case .null, .true, .false: return true
    case .number: return first.decimal == second.decimal
    case .string:
      return (first.string ?? "").utf8.elementsEqual((second.string ?? "").utf8)
    case .array:
      return first.count == second.count
        && zip(first.elements, second.elements).allSatisfy { areEqual($0, $1) }
    case .object:
      return first.count == second.count
        && first.members.allSatisfy { member in
          second.member(member.key.string ?? "").map { areEqual(member.value, $0) } ?? false
        }
    }
  }

  private static func text(_ value: JSONValue) -> String { JSONWriter.text { $0.value(value) } }
}
