/// The rules of style that figures and pages bear within themselves.
///
/// Each colour has a light and a dark value, and readers get the one that they prefer. A rule says
/// a colour twice: programs that know no custom properties take the light one.
struct StyleSheet: Sendable {
  let text: String

  /// The number of colours that set names apart.
  static let seriesCount = 8

  /// A colour by its name, in both values.
  private struct Color {
    let name: String
    let light: String
    let dark: String
  }

  /// The colours, light and dark.
  ///
  /// Those of names are at least 20 apart in CIE L*a*b*, as they are and with each of the three
  /// common kinds of colour blindness. They began as the set that Okabe and Ito recommend, and are
  /// dark enough for lines on white and light enough for lines on black.
  private static let colors: [Color] = [
    Color(name: "paper", light: "#ffffff", dark: "#12161c"),
    Color(name: "ink", light: "#1b2027", dark: "#e7ebf0"),
    Color(name: "muted", light: "#5a6572", dark: "#a0acb9"),
    Color(name: "grid", light: "#e4e8ed", dark: "#272e37"),
    Color(name: "frame", light: "#b9c2cc", dark: "#49545f"),
    Color(name: "field", light: "#f5f7f9", dark: "#191f27"),
    Color(name: "neutral", light: "#7a8591", dark: "#9aa6b2"),
    Color(name: "c0", light: "#626da1", dark: "#73b0e3"),
    Color(name: "c1", light: "#af3f00", dark: "#f3823c"),
    Color(name: "c2", light: "#057e57", dark: "#52e2af"),
    Color(name: "c3", light: "#921967", dark: "#d178a2"),
    Color(name: "c4", light: "#c48603", dark: "#f9bb25"),
    Color(name: "c5", light: "#079ae3", dark: "#b5e0ff"),
    Color(name: "c6", light: "#503494", dark: "#9291fb"),
    Color(name: "c7", light: "#8f8a48", dark: "#eee470"),
    Color(name: "playing", light: "#15805f", dark: "#178263"),
    Color(name: "waiting", light: "#f0b429", dark: "#c98f12"),
    Color(name: "evaluating", light: "#f7dd8c", dark: "#cbb26a"),
    Color(name: "stalled", light: "#c8321f", dark: "#cf3f2b"),
    Color(name: "alarm", light: "#b02815", dark: "#ff8a78"),
    Color(name: "warning", light: "#8a5a00", dark: "#e9b44c"),
    Color(name: "verdict", light: "#b3261e", dark: "#b3261e"),
    Color(name: "bad", light: "#fdecea", dark: "#33191a"),
    Color(name: "idle", light: "#cfd6dd", dark: "#3b444e"),
    Color(name: "held", light: "#9db4cc", dark: "#4f6b88"),
    Color(name: "buffer", light: "#9cc3e6", dark: "#2f5f8c"),
    Color(name: "edge", light: "#2b6ca3", dark: "#7ab8ea"),
    Color(name: "link", light: "#d3dae1", dark: "#38424d"),
  ]

  /// A rule: a selector, and a property that is a colour.
  private static func rule(_ selector: String, _ property: String, _ color: String) -> String {
    let light = colors.first { $0.name == color }?.light ?? "#000000"
    return "\(selector){\(property):\(light);\(property):var(--\(color))}\n"
  }

  private static func values(_ value: (Color) -> String) -> String {
    colors.map { "--\($0.name):\(value($0))" }.joined(separator: ";")
  }

  /// The colours, light and dark, and on paper always light.
  static let properties =
    ":root{color-scheme:light dark;\(values { $0.light })}\n"
    + "@media (prefers-color-scheme:dark){:root{\(values { $0.dark })}}\n"
    + "@media print{:root{\(values { $0.light })}}\n"

  /// What figures need, alone or in a page.
  static let figure = StyleSheet(text: properties + shapes + series + states)

  private static let shapes =
    "svg text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    + "sans-serif;font-variant-numeric:tabular-nums}\n"
    + rule("svg text", "fill", "ink")
    + "svg .heading{font-size:15px;font-weight:600}\n"
    + "svg .name{font-size:12px;font-weight:600}\n"
    + "svg .small{font-size:10px}\n"
    + "svg .start{text-anchor:start}\nsvg .middle{text-anchor:middle}\nsvg .end{text-anchor:end}\n"
    + rule("svg .muted", "fill", "muted") + rule("svg .alarm", "fill", "alarm")
    + "svg .white{fill:#ffffff}\nsvg .black{fill:#14181e}\n"
    + rule(".paper", "fill", "paper") + rule(".field", "fill", "field")
    + ".grid,.axis,.frame,.rule,.leader,.front{fill:none;stroke-width:1px}\n"
    + rule(".grid", "stroke", "grid") + rule(".axis,.frame,.rule", "stroke", "frame")
    + rule(".leader", "stroke", "muted")
    + rule(".front", "stroke", "muted") + ".front{stroke-width:1.5px;stroke-dasharray:2 4}\n"
    + ".rule{stroke-dasharray:3 3}\n"

  /// What says how a figure looks, as attributes of its elements are made of it.
  static var figureRules: String { shapes + series + states }

  /// Returns a colour in one of its two values; nil if it has no such name.
  static func color(_ name: Substring, isDark: Bool) -> String? {
    colors.first { $0.name == name }.map { isDark ? $0.dark : $0.light }
  }

  private static var series: String {
    var text = ".line{fill:none;stroke-width:1.8px;stroke-linejoin:round}\n"
    for number in 0..<seriesCount {
      text += rule(".f\(number)", "fill", "c\(number)")
      text += rule(".l\(number)", "stroke", "c\(number)")
    }
    text += rule(".fn", "fill", "neutral") + rule(".ln", "stroke", "neutral")
    text += ".d1{stroke-dasharray:6 3}\n.d2{stroke-dasharray:2 3}\n.d3{stroke-dasharray:9 3 2 3}\n"
    text += ".d4{stroke-dasharray:15 4}\n.d5{stroke-dasharray:8 3 2 3 2 3}\n"
    return text + rule(".marker", "stroke", "paper") + ".marker{stroke-width:1px}\n"
      + ".cross{stroke-width:1.2px;opacity:.55}\n"
      + ".line:hover{stroke-width:4px}\n"
      + rule("svg .halo", "stroke", "field") + rule("svg .halo", "fill", "field")
      + "svg .halo{stroke-width:3px;stroke-linejoin:round}\n"
  }

  private static var states: String {
    var text = ""
    for word in ["playing", "waiting", "evaluating", "stalled", "idle", "held", "link"] {
      text += rule(".\(word)", "fill", word)
    }
    return text + rule(".tear", "stroke", "muted") + ".tear{fill:none;stroke-width:1px}\n"
      + ".gap{opacity:.88}\nsvg .gap-label{font-weight:600}\n"
      + ".band{opacity:.13}\n.soft{opacity:.4}\n"
      + rule(".area", "fill", "buffer") + ".area{opacity:.75}\n"
      + rule(".edge", "stroke", "edge") + ".edge{fill:none;stroke-width:1.2px}\n"
      + rule(".limit", "stroke", "edge") + ".limit{stroke-dasharray:5 3}\n"
      + rule(".neutral-fill", "fill", "neutral")
      + rule(".link-edge", "stroke", "neutral") + ".link-edge{fill:none;stroke-width:1px}\n"
      + rule(".rate", "stroke", "c1") + ".rate{fill:none;stroke-width:1.6px}\n"
      + rule(".need", "stroke", "ink")
      + ".need{fill:none;stroke-width:1.2px;stroke-dasharray:4 3;opacity:.7}\n"
      + rule(".given-up", "stroke", "alarm")
      + ".given-up{fill:none;stroke-width:1.4px;stroke-dasharray:3 2}\n"
      + rule(".failed", "fill", "alarm") + rule(".tap", "fill", "ink")
      + rule(".change", "fill", "c6") + rule(".note", "fill", "muted")
  }
}
