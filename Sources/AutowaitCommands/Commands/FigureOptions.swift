import AutowaitFigures
import AutowaitScenario

/// The option that says how pictures that are files of their own look.
enum FigureOptions {
  /// What can be said of a picture.
  private enum Key: String, CaseIterable {
    case width, font, theme, title, caption
    case fontSize = "font-size"
  }

  static let option: Option = {
    var option = Option(
      "--figure", value: "KEY=VALUE",
      "Sets how '--svg' draws: width=85mm, font=Times, font-size=8pt, title=TEXT, caption=TEXT or "
        + "theme=dark; can be repeated"
    ).offering(offered)
    option.isRepeatable = true
    return option
  }()

  /// The keys, and the values of those that have few.
  private static let offered = Key.allCases.flatMap { key in
    key == .theme
      ? FigureStyle.Theme.allCases.map { "\(key.rawValue)=\($0.rawValue)" } : ["\(key.rawValue)="]
  }

  /// Reads what is wished for; throws if there is no picture to be drawn.
  static func style(
    _ arguments: Arguments, for pictures: Option
  ) throws(Command.UsageError) -> FigureStyle {
    var style = FigureStyle()
    let wishes = arguments.values(option)
    if !wishes.isEmpty, !arguments.has(pictures) {
      throw Command.UsageError(message: "'\(option.name)' needs '\(pictures.name)'")
    }
    var taken: [Key] = []
    for wish in wishes {
      let parts = wish.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw Command.UsageError(
          message: "'\(option.name) \(wish)' has no '='", notes: ["as in \(option.name) width=85mm"]
        )
      }
      guard let key = Key(rawValue: String(parts[0])) else {
        throw Command.UsageError(
          unknown: "'\(option.name)' has the unknown key", String(parts[0]),
          among: Key.allCases.map(\.rawValue), list: "the keys are: ")
      }
      if taken.contains(key) {
        throw Command.UsageError(message: "'\(option.name)' sets '\(key.rawValue)' twice")
      }
      taken.append(key)
      try set(key, String(parts[1]), in: &style)
    }
    return style
  }

  private static func set(
    _ key: Key, _ value: String, in style: inout FigureStyle
  ) throws(Command.UsageError) {
    switch key {
    case .width: style.width = try size(key, value, from: 50, to: 10_000)
    case .fontSize: style.letters = try size(key, value, from: 4, to: 100)
    case .title: style.title = value
    case .caption: style.caption = value
    case .font:
      if value.isEmpty {
        throw Command.UsageError(message: "'\(option.name) \(key.rawValue)=' names no font")
      }
      style.font = value
    case .theme:
      guard let theme = FigureStyle.Theme(rawValue: value) else {
        throw Command.UsageError(
          unknown: "'\(option.name) \(key.rawValue)' has the unknown value", value,
          among: FigureStyle.Theme.allCases.map(\.rawValue), list: "the values are: ")
      }
      style.theme = theme
    }
  }

  /// Reads a length such as 85mm or 8.5 cm; a number alone counts pixels.
  ///
  /// The bounds are pixels.
  private static func size(
    _ key: Key, _ value: String, from least: Int, to most: Int
  ) throws(Command.UsageError) -> FigureStyle.Size {
    let digits = value.prefix { ("0"..."9").contains($0) || $0 == "." }
    let word = value.dropFirst(digits.count).drop { $0 == " " }
    let units = FigureStyle.Size.Unit.allCases
    guard !digits.isEmpty, let thousandths = thousandths(digits) else {
      throw Command.UsageError(
        message: "'\(option.name) \(key.rawValue)' needs a length, not '\(value)'",
        notes: ["as in 85mm, 3.3in, 240pt or 700px"])
    }
    guard let unit = word.isEmpty ? .px : FigureStyle.Size.Unit(rawValue: String(word)) else {
      throw Command.UsageError(
        unknown: "'\(option.name) \(key.rawValue)' has the unknown unit", String(word),
        among: units.map(\.rawValue), list: "the units are: ")
    }
    let size = FigureStyle.Size(thousandths: thousandths, unit)
    guard (least * 1_000...most * 1_000).contains(size.millipixels) else {
      throw Command.UsageError(
        message: "'\(option.name) \(key.rawValue)' must be from \(least) to \(most) pixels, not "
          + "'\(value)'")
    }
    return size
  }

  /// Returns a decimal number in thousandths; nil if it is none, or larger than any picture.
  private static func thousandths(_ digits: Substring) -> Int? {
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Int(parts[0]), whole < 1_000_000 else { return nil }
    guard parts.count == 2 else { return whole * 1_000 }
    guard parts[1].count <= 3, let part = Int(parts[1]) else { return nil }
    let scale = [1_000, 100, 10, 1][parts[1].count]
    return whole * 1_000 + part * scale
  }
}
