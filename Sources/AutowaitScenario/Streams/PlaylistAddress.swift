import Autowait

/// An address in a playlist, as far as it says where on disk to look.
enum PlaylistAddress {
  /// A path relative to the playlist's own folder.
  case relative(path: String)
  /// A path on a host, from its root; which part of it lies on disk is not known.
  case host(path: String)
  /// Data that is the address itself, of some size (RFC 2397).
  case data(ByteCount)
  /// What only an application can load, such as `skd:`.
  case other

  /// Takes an address apart; queries and fragments say nothing about files.
  init(_ text: String) {
    let bytes = text.utf8
    if let colon = Self.schemeEnd(text) {
      switch text[..<colon].lowercased() {
      case "http", "https":
        let rest = bytes[bytes.index(after: colon)...].drop { $0 == UInt8(ascii: "/") }
        self = .host(path: Self.path(rest.drop { $0 != UInt8(ascii: "/") }))
      case "file": self = .host(path: Self.path(bytes[bytes.index(after: colon)...]))
      case "data": self = .data(Self.dataSize(bytes[bytes.index(after: colon)...]))
      default: self = .other
      }
    } else if text.hasPrefix("//") {
      self = .host(path: Self.path(bytes.dropFirst(2).drop { $0 != UInt8(ascii: "/") }))
    } else if text.hasPrefix("/") {
      self = .host(path: Self.path(bytes[...]))
    } else {
      self = .relative(path: Self.path(bytes[...]))
    }
  }

  /// The query of an address, without its question mark.
  static func query(of text: String) -> String? {
    let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = whole.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return String(decoding: whole[whole.index(after: mark)...], as: UTF8.self)
  }

  /// Returns the colon behind a scheme (RFC 3986, 3.1), if there is one.
  private static func schemeEnd(_ text: String) -> String.Index? {
    let bytes = text.utf8
    guard let end = bytes.firstIndex(where: { !isOfScheme($0) }), end > bytes.startIndex,
      bytes[end] == UInt8(ascii: ":"), bytes.first.map(isLetter) == true
    else { return nil }
    return end
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 97...122 ~= byte | 0x20 }

  private static func isOfScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || 48...57 ~= byte || [43, 45, 46].contains(byte)
  }

  /// Returns a path without query and fragment, with `%20` and the like decoded.
  ///
  /// What would become a slash or a NUL stays as it is: no file can have it in its name.
  private static func path(_ bytes: Substring.UTF8View) -> String {
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    var rest = bytes[..<(end ?? bytes.endIndex)]
    var decoded: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ $0 < 0x80 }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
        value != 0, value != UInt8(ascii: "/")
      {
        decoded.append(value)
        rest.removeFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The bytes that a data address stands for.
  private static func dataSize(_ bytes: Substring.UTF8View) -> ByteCount {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return .zero }
    let data = bytes[bytes.index(after: comma)...]
    if String(decoding: bytes[..<comma], as: UTF8.self).lowercased().hasSuffix(";base64") {
      return ByteCount(bytes: Int64(data.count { $0 != UInt8(ascii: "=") }) * 3 / 4)
    }
    let escapes = data.count { $0 == UInt8(ascii: "%") }
    return ByteCount(bytes: max(0, Int64(data.count) - 2 * Int64(escapes)))
  }
}

/// Paths of files by names alone, whatever lies on disk.
enum FilePath {
  /// Returns the folder of a path, with the slash at its end, and the file's own name.
  static func split(_ path: String) -> (folder: String, name: String) {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) }
    let (folder, name) = (
      bytes[..<(start ?? bytes.startIndex)], bytes[(start ?? bytes.startIndex)...]
    )
    return (String(decoding: folder, as: UTF8.self), String(decoding: name, as: UTF8.self))
  }

  /// The folder of a path, with the slash at its end; empty if it names none.
  static func folder(of path: String) -> String { split(path).folder }

  /// Returns a path without `.` and, as far as names go, without `..`.
  static func normalized(_ path: String) -> String {
    var kept: [String] = []
    for component in path.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: component, as: UTF8.self)
      if name == "." { continue }
      if name == "..", let last = kept.last, last != ".." {
        kept.removeLast()
      } else {
        kept.append(name)
      }
    }
    return (path.utf8.first == UInt8(ascii: "/") ? "/" : "") + kept.joined(separator: "/")
  }
}
