import Autowait
import AutowaitScenario

/// An option of a recorded player, as the player said it.
package struct RecordedOption: Hashable, Sendable {
  /// What an option is set to.
  package enum Value: Hashable, Sendable {
    /// A number, in millionths.
    case number(Int64)
    case flag(Bool)
    case text(String)
  }

  /// Its name; of one that is part of a group, without that.
  package let name: String
  package let value: Value
  /// The value as it was recorded.
  package let text: String

  /// Creates an option.
  package init(_ name: String, _ value: Value, text: String) {
    (self.name, self.value, self.text) = (name, value, text)
  }

  /// Reads the options of a player, also those in groups; what is no number, word or truth value
  /// is left out, and so is what is in lists.
  static func read(_ options: JSONValue?) -> [RecordedOption] {
    guard let options else { return [] }
    return options.members.flatMap { member -> [RecordedOption] in
      guard let name = member.key.string else { return [] }
      let value = member.value
      switch value.kind {
      case .object: return read(value)
      case .number:
        guard
          case .exact(let number)? = value.decimal?.integer(
            scaledBy: 1_000_000, allowingNegative: true)
        else { return [] }
        return [RecordedOption(name, .number(number), text: text(value))]
      case .true, .false:
        return [RecordedOption(name, .flag(value.kind == .true), text: text(value))]
      case .string:
        return value.string.map { [RecordedOption(name, .text($0), text: text(value))] } ?? []
      case .null, .array: return []
      }
    }
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.source.bytes[value.range], as: UTF8.self)
  }
}
