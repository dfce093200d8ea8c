import AutowaitScenario

/// Simpler scenarios that more than one place of a file must change for.
enum ScenarioMoves {
  /// Returns them, those that take away most first.
  static func all(of draft: Draft) -> [Draft] {
    named(draft) + media(draft) + [onlyPlayer(draft)].compactMap { $0 } + fixed(draft)
  }

  /// The keys at which the names of other things stand.
  private static let references = ["player", "item", "after", "afterItem", "audio", "subtitles"]

  /// Without a player, a step or another thing that has a name, and all that speaks of it.
  private static func named(_ draft: Draft) -> [Draft] {
    var names: [Draft] = []
    func collect(_ part: Draft) {
      if let name = part["name"], case .string = name, !names.contains(name) { names.append(name) }
      for inner in part.parts { collect(inner) }
    }
    for part in draft.parts { collect(part) }
    return names.map { name in
      draft.changingArrays { elements in
        elements.filter { element in
          element["name"] != name && !references.contains { element[$0] == name }
        }
      }
    }.filter { $0 != draft }
  }

  /// Without an item that goes by its number, and with the numbers of the later ones.
  private static func media(_ draft: Draft) -> [Draft] {
    guard case .array(let items)? = draft["media"], items.count > 1 else { return [] }
    return items.indices.reversed().map { index in
      var copy = draft
      copy["media"] = .array(Array(items[..<index]) + Array(items[(index + 1)...]))
      return copy.changingArrays { elements in
        elements.map { element in
          var element = element
          for key in ["item", "afterItem"] {
            if case .plain(let text)? = element[key], let number = Int(text), number > index {
              element[key] = Draft(Int64(number - 1))
            }
          }
          return element
        }
      }
    }
  }

  /// The only one of a list of players as the player of the scenario.
  private static func onlyPlayer(_ draft: Draft) -> Draft? {
    guard case .array(let players)? = draft["players"], players.count == 1,
      case .object(let members) = players[0], draft["player"] == nil
    else { return nil }
    var copy = draft
    copy["players"] = nil
    var player = Draft.empty
    for member in members where member.key != "name" {
      if ["media", "heuristic"].contains(member.key) {
        copy[member.key] = member.value
      } else {
        player[member.key] = member.value
      }
    }
    if player != .empty { copy["player"] = player }
    guard let name = players[0]["name"] else { return copy }
    return copy.changingArrays { elements in
      elements.map { element in
        var element = element
        if element["player"] == name { element["player"] = nil }
        return element
      }
    }
  }

  /// A step at the start in the place of one that waits for something.
  private static func fixed(_ draft: Draft) -> [Draft] {
    guard case .array(let steps)? = draft["script"] else { return [] }
    let triggers = ["when", "on", "after", "every"]
    return steps.indices.compactMap { index in
      var step = steps[index]
      guard triggers.contains(where: { step[$0] != nil }) else { return nil }
      for key in triggers + ["delay", "skip", "count", "from"] { step[key] = nil }
      var others = steps
      others[index] = step
      var copy = draft
      copy["script"] = .array(others)
      return copy
    }
  }
}
