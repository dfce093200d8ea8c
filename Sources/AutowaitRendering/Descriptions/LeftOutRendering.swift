import AutowaitScenario

/// Renders the keys that a file leaves out.
package enum LeftOutRendering {
  /// A key of one object, or of all elements of a list that leave it out.
  fileprivate struct Row {
    /// The object, without the numbers of elements.
    let object: Substring
    let key: Substring
    let value: String
    let about: String
  }

  /// With fewer columns left beside keys and values, what they say has lines of its own.
  private static let columnsMin = 28

  /// Returns a line for each key, below its object: what it stands for, and what that says.
  package static func text(_ path: String, _ keys: [LeftOutKey], width: Int) -> String {
    var rows: [Row] = []
    for key in keys {
      let row = Row(key)
      let isThere = rows.contains {
        $0.object == row.object && $0.key == row.key && $0.value == row.value
      }
      if !isThere { rows.append(row) }
    }
    var text = "\(path) leaves out:\n"
    // The scenario itself comes first, though its objects stand between its keys, as parts of one
    // item stand between its keys and those of the next one.
    rows = rows.filter { $0.object.isEmpty } + rows.filter { !$0.object.isEmpty }
    var objects: [Substring] = []
    for row in rows where !objects.contains(row.object) { objects.append(row.object) }
    for object in objects {
      let own = rows.filter { $0.object == object }
      if !object.isEmpty { text += "  \(object)\n" }
      let keyWidth = own.map { $0.key.count }.max() ?? 0
      let valueWidth = own.map { $0.value.count }.max() ?? 0
      let indent = object.isEmpty ? "  " : "    "
      let lead = indent.count + keyWidth + 2 + valueWidth + 2
      for row in own {
        text += indent + TerminalText.padded(String(row.key), columns: keyWidth) + "  "
        let isBeside = width - lead >= columnsMin
        let start = isBeside ? lead : indent.count + 2
        let about = TerminalText.wrapped(row.about, columns: width - start)
          .joined(separator: "\n" + String(repeating: " ", count: start))
        text +=
          isBeside
          ? TerminalText.padded(row.value, columns: valueWidth) + "  \(about)\n"
          : "\(row.value)\n" + String(repeating: " ", count: start) + "\(about)\n"
      }
    }
    return text
  }

  package static func write(
    _ name: StaticString, _ keys: [LeftOutKey], into writer: inout JSONWriter
  ) {
    writer.objects(name, keys) { writer, key in
      writer.field("path", text: key.path)
      writer.key("value")
      writer.value(key.value)
      writer.field("about", text: key.about)
    }
  }
}

extension LeftOutRendering.Row {
  fileprivate init(_ key: LeftOutKey) {
    var path = ""
    var isNumber = false
    for character in key.path {
      if character == "]" { isNumber = false }
      if !isNumber { path.append(character) }
      if character == "[" { isNumber = true }
    }
    let dot = path.lastIndex(of: ".")
    object = dot.map { path[..<$0] } ?? ""
    self.key = dot.map { path[path.index(after: $0)...] } ?? path[...]
    value = JSONWriter.text { $0.value(key.value) }
    about = key.about
  }
}
