import AutowaitFigures
import Foundation
import Testing

/// That names can be told apart, also by those who see fewer colours.
///
/// The simulation is that of Machado, Oliveira and Fernandes (2009) at full severity, the distance
/// that of CIE 1976 in L*a*b*; both stand here and nowhere in what draws.
struct PaletteTests {
  private typealias Matrix = [[Double]]

  private static let visions: [Matrix] = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [
      [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
    [
      [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
      [-0.011820, 0.042940, 0.968881],
    ],
    [
      [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.303900],
    ],
  ]

  /// The rules of a comparison of all that is built in.
  private static let rules = [
    "avfoundation", "ios9", "webkit", "chromium-canplaythrough", "chromium-play", "chromium-hls",
    "firefox", "firefox-play", "media3", "exoplayer", "hls.js", "shaka", "dash.js", "videojs",
    "vlc", "mpv", "gstreamer", "ffplay", "kodi", "fixed", "linear",
  ]

  private struct Look {
    let name: String
    let color: String
    let shape: String
  }

  private func looks(_ style: FigureStyle) throws -> [Look] {
    let points = Self.rules.map { ScatterChart.Dot($0, x: Estimate(1), y: Estimate(1)) }
    let chart = ScatterChart(
      title: "", x: FigureAxis("", .count), y: FigureAxis("", .count), points: points,
      palette: Palette(Self.rules))
    let root = try MarkupReader.read(chart.figure.svg(style))
    return root.all(ofClass: "marker").compactMap { marker in
      guard let title = marker.title, let name = title.split(separator: ":").first,
        let color = marker.attributes["fill"]
      else { return nil }
      let commands = (marker.attributes["d"] ?? "").filter { $0.isLetter }
      return Look(name: String(name), color: color, shape: marker.name + commands)
    }
  }

  @Test(arguments: FigureStyle.Theme.allCases)
  func `names differ in a colour that all can see, or in their shape`(
    _ theme: FigureStyle.Theme
  ) throws {
    var style = FigureStyle()
    style.theme = theme
    let looks = try looks(style)
    #expect(looks.count == 21)
    #expect(Set(looks.map(\.color)).count == 8)
    // No color has more than its share.
    for color in Set(looks.map(\.color)) { #expect(looks.count { $0.color == color } <= 3) }
    for shape in Set(looks.map(\.shape)) { #expect(looks.count { $0.shape == shape } <= 5) }
    for (index, look) in looks.enumerated() {
      for other in looks[..<index] {
        if look.color == other.color {
          #expect(look.shape != other.shape, "\(look) and \(other)")
          continue
        }
        let distance = Self.visions.map { Self.distance(look.color, other.color, $0) }.min() ?? 0
        #expect(distance >= 20, "\(look) and \(other) are \(distance) apart")
      }
    }
  }

  /// The pair that no test may take for different: orange and olive of one lightness, which are the
  /// same to those who see no red.
  @Test func `the distance knows colours that some cannot tell apart`() {
    let distances = Self.visions.map { Self.distance("#c25400", "#756b00", $0) }
    #expect(distances[0] > 40 && (distances.min() ?? 99) < 2)
    #expect(Self.distance("#000000", "#ffffff", Self.visions[0]) > 99)
  }

  /// Dashes go with shapes, so that lines differ as markers do.
  @Test func `lines of one colour have other dashes`() throws {
    let chart = CurveChart(
      title: "", x: FigureAxis("", .count), curves: Self.rules.map { .init($0, values: [1]) },
      palette: Palette(Self.rules))
    let root = try MarkupReader.read(chart.figure.svg)
    let lines = root.all(ofClass: "line").filter { $0.title != nil }
    let looks = lines.map {
      "\($0.attributes["stroke"] ?? "") \($0.attributes["stroke-dasharray"] ?? "")"
    }
    #expect(looks.count == 21 && Set(looks).count == 21)
  }

  @Test func `those that choose first have colours of their own`() throws {
    let first = Array(Self.rules.suffix(8))
    let chart = CurveChart(
      title: "", x: FigureAxis("", .count), curves: first.map { .init($0, values: [1]) },
      palette: Palette(Self.rules, first: first))
    let lines = try MarkupReader.read(chart.figure.svg).all(ofClass: "line").filter {
      $0.title != nil
    }
    #expect(Set(lines.compactMap { $0.attributes["stroke"] }).count == 8)
  }

  // MARK: - Colours as they are seen

  private static func distance(_ one: String, _ other: String, _ vision: Matrix) -> Double {
    let (first, second) = (lab(seen(one, vision)), lab(seen(other, vision)))
    return zip(first, second).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  private static func seen(_ color: String, _ vision: Matrix) -> [Double] {
    let digits = Array(color.dropFirst())
    let linear = [0, 2, 4].map { place -> Double in
      let value = Double(Int(String(digits[place...place + 1]), radix: 16) ?? 0) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return vision.map { row in
      min(1, max(0, zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }))
    }
  }

  private static func lab(_ rgb: [Double]) -> [Double] {
    func curve(_ value: Double) -> Double {
      value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116
    }
    let x = curve((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047)
    let y = curve(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2])
    let z = curve((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }
}
