import AutowaitScenario

/// A value that stands in a scenario which is put together, and the place that findings about it
/// are told at.
package struct ScenarioPiece: Sendable {
  /// The value.
  let value: JSONValue
  /// The value of the experiment that stands for it, if it is not spelled there itself.
  let origin: JSONValue?

  /// A value that stands in a file as it is.
  init(_ value: JSONValue) {
    self.value = value
    origin = nil
  }

  /// A value that stands for another one; nil if the text is no JSON.
  init?(_ text: String, for origin: JSONValue) {
    let source = SourceText(path: origin.source.path, text: text)
    guard let root = Findings(source).parseJSON() else { return nil }
    value = root
    self.origin = origin
  }

  /// The value as it is spelled.
  var text: ArraySlice<UInt8> { value.source.bytes[value.range] }
}

/// One value that a key of the base is given, with the name that tables call it by.
package struct AxisValue: Sendable {
  /// What tables, rows and messages call it.
  package let name: String
  let piece: ScenarioPiece

  init(_ name: String, _ piece: ScenarioPiece) {
    self.name = name
    self.piece = piece
  }
}

/// A key of the base and the values that it is given, one after another.
package struct Axis: Sendable {
  /// The key, with dots between its parts: `player.preferredForwardBufferDuration`.
  package let key: String
  /// The values; never none.
  package let values: [AxisValue]
  /// Where the key stands in the experiment, if it does.
  var place: JSONValue?

  /// The parts of the key.
  var path: [String] { key.split(separator: ".").map(String.init) }

  /// Whether its values are compared with each other, and not only met by all that are.
  ///
  /// What belongs to the player and its rule is compared. The network, the media and the script are
  /// what all of them meet alike.
  var isCompared: Bool { ["heuristic", "player"].contains(path.first) }
}
