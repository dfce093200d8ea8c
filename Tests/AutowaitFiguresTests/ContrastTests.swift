import AutowaitFigures
import Foundation
import Testing

/// Letters can be read on what they stand on: at least 4.5 to 1, as WCAG asks at level AA.
struct ContrastTests {
  /// Colours of letters and of what is behind them, by name or as they are.
  static let pairs = [
    ("ink", "paper"), ("ink", "field"), ("muted", "paper"), ("muted", "field"), ("alarm", "paper"),
    ("alarm", "field"), ("alarm", "bad"), ("ink", "bad"), ("muted", "bad"), ("warning", "paper"),
    ("c2", "paper"), ("#ffffff", "playing"), ("#ffffff", "stalled"), ("#ffffff", "verdict"),
    ("#14181e", "waiting"), ("#14181e", "evaluating"), ("ink", "idle"), ("ink", "held"),
    ("paper", "c0"), ("paper", "c1"),
  ]

  @Test(arguments: [0, 1]) func `letters can be read in light and in dark`(_ mode: Int) throws {
    let text = String(decoding: FigureExamples.report.html, as: UTF8.self)
    let rules = text.components(separatedBy: ":root{").dropFirst()
    let own = try #require(Array(rules)[mode].components(separatedBy: "}").first)
    var colors: [String: String] = [:]
    for rule in own.components(separatedBy: ";") where rule.hasPrefix("--") {
      let parts = rule.dropFirst(2).components(separatedBy: ":")
      colors[parts[0]] = parts[1]
    }
    for (letters, ground) in Self.pairs {
      let (front, back) = (colors[letters] ?? letters, colors[ground] ?? ground)
      let (one, other) = (try light(front), try light(back))
      let contrast = (max(one, other) + 0.05) / (min(one, other) + 0.05)
      #expect(contrast >= 4.5, "\(letters) on \(ground): \(contrast)")
    }
  }

  /// The relative luminance of a colour, as WCAG 2.2 defines it.
  private func light(_ color: String) throws -> Double {
    let value = try #require(Int(color.dropFirst(), radix: 16))
    let parts = [value >> 16, value >> 8 & 255, value & 255].map { part in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
