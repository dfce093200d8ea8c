/// How a picture by itself is to look: its size, letters, colours and words.
package struct FigureStyle: Hashable, Sendable {
  /// The colours of a picture.
  package enum Theme: String, CaseIterable, Sendable {
    /// Dark on white, as paper has it.
    case light
    /// Light on black.
    case dark
  }

  /// A length with its unit, as a file says how large a picture is.
  package struct Size: Hashable, Sendable {
    /// A unit of length.
    package enum Unit: String, CaseIterable, Sendable {
      /// Pixels of CSS, 96 to an inch.
      case px
      /// Points, 72 to an inch.
      case pt
      /// Millimetres.
      case mm
      /// Centimetres.
      case cm
      /// Inches.
      case `in`

      /// The millionths of a pixel in a unit.
      var micropixels: Int64 {
        switch self {
        case .px: 1_000_000
        case .pt: 1_333_333
        case .mm: 3_779_528
        case .cm: 37_795_276
        case .in: 96_000_000
        }
      }
    }

    /// The thousandths of a unit.
    package var thousandths: Int
    /// The unit.
    package var unit: Unit

    /// Creates a length.
    package init(thousandths: Int, _ unit: Unit) {
      self.thousandths = thousandths
      self.unit = unit
    }

    /// The length in thousandths of a pixel.
    package var millipixels: Int { Int(Int64(thousandths) * unit.micropixels / 1_000_000) }

    /// The length as an attribute spells it.
    package var text: String { "\(number)\(unit.rawValue)" }

    /// The number without its unit.
    var number: String { FigureDecimal.text(Int64(thousandths), digits: 3) }
  }

  /// The width of the picture; nil for the one that it has in a page.
  package var width: Size?
  /// The size of its letters.
  package var letters = Size(thousandths: TextWidth.size * 1_000, .px)
  /// The names of fonts, the one that is wanted most first.
  package var font = "Helvetica, Arial, sans-serif"
  /// The colours.
  package var theme = Theme.light
  /// What stands above the picture; nil for its own title, nothing for no title.
  package var title: String?
  /// What stands below the picture.
  package var caption = ""

  /// Creates the style that pictures have unless others are asked for.
  package init() {}

  /// The least width in which things are laid out; a picture below is made smaller as a whole.
  private static let layoutMin = 320

  /// The width, counted in pixels at letters of the usual size, in which a picture is laid out; nil
  /// for its own.
  package var layoutWidth: Int? {
    width.map { max(Self.layoutMin, $0.millipixels * TextWidth.size / max(1, letters.millipixels)) }
  }

  /// Returns the width and the height of a picture that is laid out in so many pixels.
  func size(width: Int, height: Int) -> (width: String, height: String) {
    let wanted =
      self.width
      ?? Size(thousandths: width * letters.millipixels / TextWidth.size, .px)
    // An Int of 32 bits does not hold the product.
    let scaledHeight = Int64(wanted.thousandths) * Int64(height) / Int64(max(1, width))
    let scaled = Size(thousandths: Int(scaledHeight), wanted.unit)
    // Pixels are what a number without a unit counts.
    return wanted.unit == .px ? (wanted.number, scaled.number) : (wanted.text, scaled.text)
  }
}
