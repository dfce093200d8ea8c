import Autowait
import AutowaitScenario

/// The state of the players at an instant, as far as the events of a log tell it.
///
/// It takes the place of the state itself where a log is that of another build.
struct LoggedState {
  /// A property of a player, by its name in the log; nil where there is only one player.
  struct Said {
    let player: String?
    let property: String
    var value: String
  }

  private(set) var entries: [Said] = []

  /// Reads the events up to an instant and with it, in nanoseconds.
  init(_ side: RunSide, upTo instant: Int64) {
    guard let events = side.events else { return }
    for line in side.log[events].split(separator: 0x0A) {
      let root = Findings(SourceText(path: "", bytes: Array(line))).parseJSON()
      guard let root, let time = Self.nanoseconds(root.member("t")), time <= instant else { return }
      guard let event = root.member("event")?.string else { continue }
      let player = root.member("player")?.string
      let isProperty = Property(rawValue: event) != nil
      if isProperty, let value = root.member("value") { set(player, event, value) }
      if let position = root.member("currentTime") { set(player, "currentTime", position) }
      if event == "variantSwitch", let value = root.member("value") {
        set(player, Property.variant.rawValue, value)
      }
    }
  }

  private mutating func set(_ player: String?, _ property: String, _ value: JSONValue) {
    let text =
      value.kind == .null ? "nil" : value.string ?? JSONWriter.text { $0.value(value) }
    let place = entries.firstIndex { $0.player == player && $0.property == property }
    if let place {
      entries[place].value = text
    } else {
      entries.append(Said(player: player, property: property, value: text))
    }
  }

  /// Returns a time of a log in nanoseconds.
  static func nanoseconds(_ value: JSONValue?) -> Int64? {
    let scaled = value?.decimal?.integer(scaledBy: 1_000_000_000, allowingNegative: true)
    guard case .exact(let nanoseconds)? = scaled else { return nil }
    return nanoseconds
  }
}
