/// What may stand in a place of a file, as far as JSON Schema can say it.
///
/// It never forbids what a reader accepts. A reader may refuse more: that two values fit together
/// is its affair.
package indirect enum Schema: Sendable {
  /// Any value.
  case any
  case null
  case bool
  case string
  /// A string that a regular expression matches.
  case pattern(String)
  case number
  case integer(ClosedRange<Int64>)
  /// A number, or a string with a unit, inside limits that count the smallest units.
  case quantity(Quantity, ClosedRange<Int64>)
  /// One of some strings.
  case words([String])
  /// Any string; some that are known stand in a definition of a name, for editors to offer.
  case suggested(as: String, @Sendable () -> [String])
  /// Any number of values, but no fewer than so many.
  case list(Schema, least: Int)
  /// An object; its description is only asked for where it is needed, for some contain themselves.
  case object(@Sendable () -> ObjectKind)
  /// One of several objects: the first whose mark is met, or else the last.
  case forms([Form])
  /// What one of several schemas allows.
  case either([Schema])

  /// Any number of values.
  package static func list(_ element: Schema) -> Schema { .list(element, least: 0) }

  /// Whether an object that is allowed may have a key.
  func takes(_ name: String) -> Bool {
    switch self {
    case .object(let kind): kind().contains(name)
    case .forms(let forms): forms.contains { $0.object().contains(name) }
    case .either(let schemas): schemas.contains { $0.takes(name) }
    case .any, .null, .bool, .string, .pattern, .number, .integer, .quantity, .words, .suggested,
      .list:
      false
    }
  }

  /// Whether the values have an order, so that one can be less than another.
  var isOrdered: Bool {
    switch self {
    case .number, .integer, .quantity: true
    case .either(let schemas): schemas.contains { $0.isOrdered }
    case .any, .null, .bool, .string, .pattern, .words, .suggested, .list, .object, .forms: false
    }
  }

  /// Whether an object can be a part of a value.
  var hasObjects: Bool {
    switch self {
    case .object, .forms: true
    case .either(let schemas): schemas.contains { $0.hasObjects }
    case .list(let element, _): element.hasObjects
    case .any, .null, .bool, .string, .pattern, .number, .integer, .quantity, .words, .suggested:
      false
    }
  }

  /// The same where others complete what an object says, and nothing must be there.
  package var partial: Schema {
    switch self {
    case .object(let kind): .object { kind().partial }
    case .forms(let forms): .either(forms.map { form in .object { form.object().partial } })
    case .either(let schemas): .either(schemas.map { $0.partial })
    case .list(let element, let least): .list(element.partial, least: least)
    case .any, .null, .bool, .string, .pattern, .number, .integer, .quantity, .words, .suggested:
      self
    }
  }

  /// A value, or `null`.
  package static func nullable(_ schema: Schema) -> Schema { .either([schema, .null]) }
}

/// One of several forms that an object can have.
package struct Form: Sendable {
  package let mark: ObjectMark
  package let object: @Sendable () -> ObjectKind

  package init(
    _ mark: ObjectMark, _ object: @autoclosure @escaping @Sendable () -> ObjectKind
  ) {
    self.mark = mark
    self.object = object
  }
}

/// By what an object of a form is known.
package enum ObjectMark: Hashable, Sendable {
  /// A key that is there.
  case key(String)
  /// Some keys, none of which is there.
  case noneOf([String])
  /// A key that has one of some words.
  case words([String], of: String)
  /// Nothing: what is left.
  case otherwise

  /// A key that is not there.
  package static func absent(_ key: String) -> ObjectMark { .noneOf([key]) }

  /// A key that has a certain word.
  package static func word(_ word: String, of key: String) -> ObjectMark {
    .words([word], of: key)
  }
}

extension JSONValue {
  /// Whether the value is an object with a mark.
  package func has(_ mark: ObjectMark) -> Bool {
    switch mark {
    case .key(let key): member(key) != nil
    case .noneOf(let keys): keys.allSatisfy { member($0) == nil }
    case .words(let words, let key): words.contains { member(key)?.isString($0) ?? false }
    case .otherwise: true
    }
  }
}
