/// A key and its value in one call, which checks for room once.
extension JSONWriter {
  /// Writes a member whose value is a string that needs no escape.
  package mutating func field(_ name: StaticString, _ value: StaticString) {
    write(name.utf8CodeUnitCount + value.utf8CodeUnitCount + 6) {
      $0.key(name)
      $0.quote(value)
    }
  }

  /// Writes a member whose value is a string.
  package mutating func field(_ name: StaticString, text value: String) {
    write(name.utf8CodeUnitCount + 6 * value.utf8.count + 6) {
      $0.key(name)
      $0.quoteEscaping(value)
    }
  }

  /// Writes a member whose value is a whole number.
  package mutating func field(_ name: StaticString, _ value: Int64) {
    write(name.utf8CodeUnitCount + 24) {
      $0.key(name)
      $0.integer(value)
    }
  }

  /// Writes a member whose value is a whole number.
  package mutating func field(_ name: StaticString, _ value: UInt64) {
    write(name.utf8CodeUnitCount + 24) {
      $0.key(name)
      $0.digits(value)
    }
  }

  /// Writes a member whose value is true or false.
  package mutating func field(_ name: StaticString, _ value: Bool) {
    write(name.utf8CodeUnitCount + 9) {
      $0.key(name)
      $0.store(value ? "true" : "false")
    }
  }

  /// Writes a member whose value is a time in nanoseconds, written as seconds.
  package mutating func field(_ name: StaticString, seconds nanoseconds: Int64) {
    write(name.utf8CodeUnitCount + 25) {
      $0.key(name)
      $0.seconds(nanoseconds)
    }
  }

  /// Writes a member whose value counts millionths.
  package mutating func field(_ name: StaticString, millionths value: Int64) {
    write(name.utf8CodeUnitCount + 26) {
      $0.key(name)
      $0.fixedPoint(value, unit: 1_000_000)
    }
  }

  /// Writes a member whose value is a whole number, or null.
  package mutating func field(_ name: StaticString, _ value: Int64?) {
    if let value { field(name, value) } else { nullField(name) }
  }

  /// Writes a member whose value is a time in nanoseconds, written as seconds, or null.
  package mutating func field(_ name: StaticString, seconds nanoseconds: Int64?) {
    if let nanoseconds { field(name, seconds: nanoseconds) } else { nullField(name) }
  }

  /// Writes a member whose value is null.
  package mutating func nullField(_ name: StaticString) {
    write(name.utf8CodeUnitCount + 8) {
      $0.key(name)
      $0.store("null")
    }
  }
}
