import Autowait

/// Reading what is named.
extension ScenarioReader {
  /// Returns the names of a player's items; of all that have some, if no player is known.
  private func names(of player: Int?, for name: String) -> ItemNames {
    if let player { return player < itemNames.count ? itemNames[player] : ItemNames() }
    return itemNames.first { $0.names.contains(name) } ?? itemNames.first ?? ItemNames()
  }

  /// Reads the value of a property or an event, which may be the name of an item or a step.
  func propertyValue(
    _ value: JSONValue, _ kind: FieldKind<PropertyValue>, named: NamedValue?, _ label: FieldLabel,
    of player: Int?
  ) -> PropertyValue? {
    guard let named, let name = value.string else { return kind.read(value, label, findings) }
    switch named {
    case .item:
      let number = names(of: player, for: name).number(of: value, label, findings)
      return number.map { .count(Int64($0)) }
    case .step:
      if let step = namedSteps.first(where: { $0.word == name }) {
        return .count(Int64(step.meaning))
      }
      let known = namedSteps.map { $0.word }
      let note = #"give one a name: { "name": "tap", "at": 1, "do": "play" }"#
      findings.error(
        "there is no step '\(name.excerpt)'", at: value,
        notes: known.isEmpty
          ? [note] : NearestWord.notes(for: name, among: known, list: "the steps with names are: "))
      return nil
    }
  }
}
