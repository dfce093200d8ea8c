/// Works on paths as texts; it walks bytes, as the file system does.
package enum Path {
  private static let slash = UInt8(ascii: "/")

  /// Returns whether a path begins at the root of the file system.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Returns the folder that a path names a file in: `.` if it names none.
  package static func folder(of path: String) -> String {
    guard let index = path.utf8.lastIndex(of: slash) else { return "." }
    return index == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<index]))
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    guard let index = path.utf8.lastIndex(of: slash) else { return path }
    return String(Substring(path.utf8[path.utf8.index(after: index)...]))
  }

  /// Returns the path of a file in a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    if folder == "." || folder.isEmpty || isAbsolute(name) { return name }
    return folder.utf8.last == slash ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the components of a path, without empty ones.
  package static func components(_ path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// Returns a path without `.` and without empty components; it names the same file.
  package static func tidied(_ path: String) -> String {
    let joined = components(path).filter { $0 != "." }.joined(separator: "/")
    if isAbsolute(path) { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Returns a path without `.`, without empty components, and with `..` taken at its word.
  package static func normalized(_ path: String) -> String {
    var kept: [String] = []
    for component in components(path) where component != "." {
      if component == "..", let last = kept.last, last != ".." {
        kept.removeLast()
      } else if component != ".." || !isAbsolute(path) {
        kept.append(component)
      }
    }
    let joined = kept.joined(separator: "/")
    if isAbsolute(path) { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Returns the innermost folder that two tidied folders have in common.
  package static func common(_ first: String, _ second: String) -> String {
    if isAbsolute(first) != isAbsolute(second) { return "." }
    let shared = zip(components(first), components(second)).prefix {
      Array($0.utf8) == Array($1.utf8)
    }
    let joined = shared.map { $0.0 }.joined(separator: "/")
    if isAbsolute(first) { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }

  /// Returns an absolute path as it reads from a folder that is absolute too.
  package static func relative(_ path: String, from folder: String) -> String {
    let (target, start) = (components(normalized(path)), components(normalized(folder)))
    let shared = zip(target, start).prefix { Array($0.utf8) == Array($1.utf8) }.count
    let up = start.dropFirst(shared).map { _ in ".." }
    return (up + target.dropFirst(shared)).joined(separator: "/")
  }

  /// Returns whether a normalized absolute path is a folder or lies in it.
  package static func isInside(_ path: String, _ folder: String) -> Bool {
    let (inner, outer) = (components(path), components(folder))
    return inner.count >= outer.count
      && zip(inner, outer).allSatisfy { Array($0.utf8) == Array($1.utf8) }
  }

  /// Returns a path as a shell reads it in one word, and as people may see it.
  package static func quoted(_ path: String) -> String {
    if path.printableLine != path { return ansiQuoted(path) }
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        true
      default: "/._-+,:=@%".utf8.contains(byte)
      }
    }
    let safe = path.utf8.first == UInt8(ascii: "-") ? "./" + path : path
    if isPlain, !path.isEmpty { return safe }
    var text = "'"
    for scalar in safe.unicodeScalars {
      if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
    }
    return text + "'"
  }

  /// Returns a path that need not be UTF-8 as a shell reads it in one word.
  package static func quoted(_ path: [UInt8]) -> String {
    if let text = String(validating: path, as: UTF8.self) { return quoted(text) }
    let parts = path.map { byte in
      0x20..<0x7F ~= byte && !"'\\#".utf8.contains(byte)
        ? String(UnicodeScalar(byte)) : numbered(byte)
    }
    return "$'\(parts.joined())'"
  }

  /// Returns a path in the quotes in which a shell reads bytes by their numbers: `$'a\x0Ab'`.
  private static func ansiQuoted(_ path: String) -> String {
    let safe = path.utf8.first == UInt8(ascii: "-") ? "./" + path : path
    var text = "$'"
    for scalar in safe.unicodeScalars {
      // Where two of them stand together, a runner of a CI server may see a command.
      if scalar == "#" || String(scalar).printable != String(scalar) {
        text += String(scalar).utf8.map(numbered).joined()
      } else {
        if scalar == "'" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }

  private static func numbered(_ byte: UInt8) -> String {
    "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
