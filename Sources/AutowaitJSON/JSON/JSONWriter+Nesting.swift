/// Objects and arrays that end with the closures that write their contents.
extension JSONWriter {
  /// Returns an object in a line, or lines, of its own.
  package static func line(
    _ style: Style = .compact, capacity: Int = 128, _ members: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(style, capacity: capacity)
    writer.object(members)
    writer.endLine()
    return writer.bytes
  }

  /// Returns what a function writes as a text of one line, without its end.
  package static func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes an object.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes a member whose value is a number of parts, so many of which make one.
  package mutating func field(_ name: StaticString, _ parts: Int64, of unit: Int64) {
    key(name)
    fixedPoint(parts, unit: unit)
  }

  /// Writes a member whose value is an object.
  package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    key(name)
    object(members)
  }

  /// Writes an object of a document again, without the members of one key.
  package mutating func object(_ value: JSONValue, without key: String) {
    object { writer in
      for member in value.members where !member.key.isString(key) {
        writer.key(text: member.key.string ?? "")
        writer.value(member.value)
      }
    }
  }

  /// Writes a member whose value is an object.
  package mutating func object(text name: String, _ members: (inout JSONWriter) -> Void) {
    key(text: name)
    object(members)
  }

  /// Writes a member whose value is an array of what a function writes.
  package mutating func array(_ name: StaticString, _ elements: (inout JSONWriter) -> Void) {
    key(name)
    beginArray()
    elements(&self)
    endArray()
  }

  /// Writes an array of what a function writes of each element.
  package mutating func array<Elements: Sequence>(
    _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Writes a member whose value is an array of what a function writes of each element.
  package mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements,
    _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    key(name)
    array(elements, write)
  }

  /// Writes a member whose value is an array of objects, one for each element.
  package mutating func objects<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements,
    _ members: (inout JSONWriter, Elements.Element) -> Void
  ) {
    array(name, elements) { writer, element in writer.object { members(&$0, element) } }
  }

  /// Writes a member whose value is an array of strings.
  package mutating func strings(_ name: StaticString, _ texts: some Sequence<String>) {
    array(name, texts) { $0.string(text: $1) }
  }
}
