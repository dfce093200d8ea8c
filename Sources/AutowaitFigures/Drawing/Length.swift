/// A length on a figure in tenths of a pixel: a whole number, so that equal data gives equal bytes.
///
/// A literal counts pixels.
struct Length: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The tenths of a pixel.
  var tenths: Int

  init(tenths: Int) { self.tenths = tenths }

  init(integerLiteral pixels: Int) { tenths = pixels * 10 }

  /// Creates a length of some pixels.
  init(pixels: Int) { tenths = pixels * 10 }

  static func < (left: Length, right: Length) -> Bool { left.tenths < right.tenths }
  static func + (left: Length, right: Length) -> Length {
    Length(tenths: left.tenths + right.tenths)
  }
  static func - (left: Length, right: Length) -> Length {
    Length(tenths: left.tenths - right.tenths)
  }
  static func * (left: Length, right: Int) -> Length { Length(tenths: left.tenths * right) }
  static func / (left: Length, right: Int) -> Length { Length(tenths: left.tenths / right) }
  static func += (left: inout Length, right: Length) { left.tenths += right.tenths }

  /// The length as an attribute spells it.
  var text: String {
    let whole = tenths.magnitude / 10
    let part = tenths.magnitude % 10
    return (tenths < 0 ? "-" : "") + (part == 0 ? "\(whole)" : "\(whole).\(part)")
  }

  /// The whole pixels that hold the length.
  var pixels: Int { (tenths + 9) / 10 }
}

/// A point of a figure; `y` grows downwards.
struct CanvasPoint: Hashable, Sendable {
  var x: Length
  var y: Length
}

/// A rectangle of a figure.
struct Box: Hashable, Sendable {
  var x: Length
  var y: Length
  var width: Length
  var height: Length

  var right: Length { x + width }
  var bottom: Length { y + height }
  var middle: Length { y + height / 2 }

  /// Returns whether two rectangles have more than an edge in common.
  func overlaps(_ other: Box) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }

  /// Returns whether a rectangle lies within this one.
  func holds(_ other: Box) -> Bool {
    x <= other.x && other.right <= right && y <= other.y && other.bottom <= bottom
  }
}
