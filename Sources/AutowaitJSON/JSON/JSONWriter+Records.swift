/// The lines of a log, each begun and ended in one call: there may be a million of them a second.
extension JSONWriter {
  /// Begins a line with what every record has: when, its number, its cause and its name.
  package mutating func beginRecord(
    seconds nanoseconds: Int64, number: Int, cause: Int, event: StaticString
  ) {
    beginLine(96 + event.utf8CodeUnitCount) {
      $0.store("{\"t\":")
      $0.seconds(nanoseconds)
      $0.store(",\"n\":")
      $0.integer(Int64(number))
      $0.store(",\"cause\":")
      $0.integer(Int64(cause))
      $0.store(",\"event\":")
      $0.quote(event)
    }
  }

  /// Ends the line of a record.
  package mutating func endRecord() {
    endLine(2) { $0.store("}\n") }
  }

  /// Ends the line of a record with a last member, whose value is a whole number.
  package mutating func endRecord(_ name: StaticString, _ value: Int64) {
    endLine(name.utf8CodeUnitCount + 28) {
      $0.store(UInt8(ascii: ","))
      $0.key(name)
      $0.integer(value)
      $0.store("}\n")
    }
  }
}
