import Autowait

/// Reading what is named.
extension ScenarioReader {
  /// Returns the names of a player's items; of the one that has a name, or of the one with most
  /// items, if no player is known.
  private func names(of player: Int?, for name: String?) -> ItemNames {
    if let player { return player < itemNames.count ? itemNames[player] : ItemNames() }
    return itemNames.first { name != nil && $0.names.contains(name) }
      ?? itemNames.max { $0.names.count < $1.names.count } ?? ItemNames()
  }

  /// Reads the value of a property or an event, which may be the name of an item or a step.
  func propertyValue(
    _ value: JSONValue, _ kind: FieldKind<PropertyValue>, named: NamedValue?, _ label: FieldLabel,
    of player: Int?
  ) -> PropertyValue? {
    let name = value.string
    switch named {
    case .item? where name != nil || value.kind == .number:
      let number = names(of: player, for: name).currentItem(value, label, findings)
      return number.map { .count(Int64($0)) }
    case .step?:
      guard let name else { return kind.read(value, label, findings) }
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
    case .item?, nil: return kind.read(value, label, findings)
    }
  }
}
