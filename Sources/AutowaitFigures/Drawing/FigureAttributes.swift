/// Says the rules of the style sheet as attributes of elements, for programs that know no style
/// sheets or no custom properties.
///
/// The sheet stays the only place that says how a figure looks: the attributes are read from it.
struct FigureAttributes {
  /// A rule: a class, or nothing for every text, with what it sets.
  private struct Rule {
    let name: Substring?
    let settings: [(property: Substring, value: String)]
  }

  private let rules: [Rule]
  /// The attributes of what was asked for before.
  private var known: [String: [UInt8]] = [:]

  /// Properties that are no attributes, or that the root has for all.
  private static let leftOut: [Substring] = ["font", "font-variant-numeric"]

  init(isDark: Bool) {
    var rules: [Rule] = []
    for rule in StyleSheet.figureRules.split(whereSeparator: { $0 == "}" || $0 == "\n" }) {
      let parts = rule.split(separator: "{")
      guard parts.count == 2 else { preconditionFailure("a rule without settings: \(rule)") }
      let settings = Self.settings(parts[1], isDark: isDark)
      for selector in parts[0].split(separator: ",") where !selector.contains(where: { $0 == ":" })
      {
        let word = selector.split(separator: " ").last ?? ""
        rules.append(Rule(name: word == "text" ? nil : word.dropFirst(), settings: settings))
      }
    }
    // What holds for every text gives way to what holds for some.
    self.rules = rules.filter { $0.name == nil } + rules.filter { $0.name != nil }
  }

  private static func settings(
    _ text: Substring, isDark: Bool
  ) -> [(property: Substring, value: String)] {
    var settings: [(property: Substring, value: String)] = []
    for setting in text.split(separator: ";") {
      let parts = setting.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, !leftOut.contains(parts[0]) else { continue }
      settings.append((parts[0], value(parts[1], isDark: isDark)))
    }
    return settings
  }

  /// Returns a value as an attribute has it: a colour as its digits, a length without its unit.
  private static func value(_ text: Substring, isDark: Bool) -> String {
    let variable = "var(--"
    if text.hasPrefix(variable) {
      let name = text.dropFirst(variable.count).dropLast()
      guard let color = StyleSheet.color(name, isDark: isDark) else {
        preconditionFailure("there is no colour \(name)")
      }
      return color
    }
    if text.hasSuffix("px") { return String(text.dropLast(2)) }
    return text.hasPrefix(".") ? "0" + text : String(text)
  }

  /// Returns the attributes of an element with some classes, each with a space before it.
  mutating func attributes(of element: String, _ classes: String) -> [UInt8] {
    let key = element == "text" ? "text " + classes : classes
    if let bytes = known[key] { return bytes }
    let names = classes.split(separator: " ")
    var found: [(property: Substring, value: String)] = []
    for rule in rules {
      if let name = rule.name { if !names.contains(name) { continue } }
      if rule.name == nil, element != "text" { continue }
      for setting in rule.settings {
        found.removeAll { $0.property == setting.property }
        found.append(setting)
      }
    }
    let bytes = found.flatMap { Array(" \($0.property)=\"\($0.value)\"".utf8) }
    known[key] = bytes
    return bytes
  }
}
