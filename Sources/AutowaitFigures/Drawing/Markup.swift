/// Writes XML that is HTML as well: elements that are closed, attributes in quotes, texts escaped.
///
/// There is no way to write a text that is not escaped, but for what this module itself says.
struct Markup: Sendable {
  /// What was written.
  private(set) var bytes: [UInt8] = []
  /// Where classes were given, or could be: a picture by itself has attributes there.
  private(set) var styled: [StyledPlace] = []
  /// The elements that are not closed yet.
  private var open: [String] = []

  /// A place behind the classes of an element, at which further attributes may stand.
  struct StyledPlace: Sendable {
    let offset: Int
    let element: String
    let classes: String
  }

  /// Begins an element.
  mutating func begin(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    tag(name, attributes)
    bytes.append(UInt8(ascii: ">"))
    open.append(name)
  }

  /// Ends the element that was begun last.
  mutating func end() {
    guard let name = open.popLast() else { preconditionFailure("an end without a beginning") }
    bytes += "</\(name)>".utf8
  }

  /// Writes an element without content.
  mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    tag(name, attributes)
    bytes += "/>".utf8
  }

  /// Writes an element that holds a text.
  mutating func leaf(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String
  ) {
    begin(name, attributes)
    self.text(text)
    end()
  }

  /// Writes a text.
  mutating func text(_ text: String) { bytes += MarkupText.escaped(text) }

  /// Ends the line, which nobody sees but who reads the source.
  mutating func breakLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Writes what other markup holds.
  mutating func append(_ markup: Markup) {
    precondition(markup.open.isEmpty, "markup with an element that is not closed")
    bytes += markup.bytes
  }

  /// Writes what other markup holds, with more attributes behind the classes of its elements.
  mutating func append(_ markup: Markup, attributes: (StyledPlace) -> [UInt8]) {
    precondition(markup.open.isEmpty, "markup with an element that is not closed")
    var copied = 0
    for place in markup.styled {
      bytes += markup.bytes[copied..<place.offset]
      bytes += attributes(place)
      copied = place.offset
    }
    bytes += markup.bytes[copied...]
  }

  /// Writes what this module itself says and knows to be well formed.
  mutating func verbatim(_ text: StaticString) { bytes += "\(text)".utf8 }

  /// Writes data, which hold no character of markup: those have other spellings there.
  mutating func data(_ json: [UInt8]) {
    precondition(!json.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") })
    bytes += json
  }

  /// Writes a style sheet of this module.
  mutating func style(_ sheet: StyleSheet) {
    begin("style")
    bytes += sheet.text.utf8
    end()
  }

  private mutating func tag(_ name: String, _ attributes: KeyValuePairs<String, String>) {
    bytes.append(UInt8(ascii: "<"))
    bytes += name.utf8
    for (key, value) in attributes {
      defer {
        if key == "class" {
          styled.append(StyledPlace(offset: bytes.count, element: name, classes: value))
        }
      }
      if value.isEmpty { continue }
      bytes.append(UInt8(ascii: " "))
      bytes += key.utf8
      bytes += "=\"".utf8
      bytes += MarkupText.escaped(value)
      bytes.append(UInt8(ascii: "\""))
    }
  }
}

/// What text does to a page: what must be escaped, and what must not reach it.
enum MarkupText {
  /// Returns the text with the characters of markup escaped, line ends as spaces, and without what
  /// XML cannot hold, controls, and marks that turn the direction of writing or that nobody sees.
  static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      switch scalar.value {
      // CI servers look for commands that begin with ## in all that is printed.
      case 0x23 where last == "#": bytes += "&#35;".utf8
      case 0x26: bytes += "&amp;".utf8
      case 0x3C: bytes += "&lt;".utf8
      case 0x3E: bytes += "&gt;".utf8
      case 0x22: bytes += "&quot;".utf8
      case 0x27: bytes += "&#39;".utf8
      case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: bytes.append(0x20)
      case 0x20...0x7E: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      case _ where isShown(scalar): bytes += String(scalar).utf8
      default: break
      }
    }
    return bytes
  }

  /// Returns the text as `escaped` lets it through, on one line.
  static func plain(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
      case _ where isShown(scalar): scalars.append(scalar)
      default: break
      }
    }
    return String(scalars)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: true
    case 0x00...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF: false
    default: scalar.properties.generalCategory != .format && scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
