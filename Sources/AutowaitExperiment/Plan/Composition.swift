import AutowaitScenario

/// A scenario that is put together from the base of an experiment and one value for each axis.
///
/// What is copied is the text, so that a finding about the whole leads back to the place in the
/// file that each part came from.
struct Composition {
  /// A part of the text, and where it came from.
  private struct Chunk {
    let start: Int
    let count: Int
    let source: SourceText
    let offset: Int
    /// The value that stands for the part, if it is not spelled where it came from.
    let origin: JSONValue?
  }

  private var bytes: [UInt8] = []
  private var chunks: [Chunk] = []
  private let base: JSONValue
  /// Where the parts of the base came from, if that was put together, too.
  private let changed: MergedText?
  private let path: String

  /// Puts a scenario together; the text bears the path of the experiment.
  init(
    base: JSONValue, path: String, changed: MergedText?,
    _ overlays: [(path: [String], piece: ScenarioPiece, key: JSONValue?)]
  ) {
    self.base = base
    self.changed = changed
    self.path = path
    bytes.reserveCapacity(base.range.count + 256)
    let rest = overlays.map { (path: $0.path[...], piece: $0.piece, key: $0.key) }
    write(ScenarioPiece(base), rest)
  }

  /// The text.
  var source: SourceText { SourceText(path: path, bytes: bytes) }

  /// A path, what stands there, and the key of the experiment that says so.
  private typealias Overlay = (path: ArraySlice<String>, piece: ScenarioPiece, key: JSONValue?)

  private mutating func write(
    _ piece: ScenarioPiece, _ overlays: [Overlay], of key: String = ""
  ) {
    guard !overlays.isEmpty else {
      copy(piece)
      return
    }
    // A rule or a link that goes by its name becomes an object that has the name and more.
    let isName = piece.value.kind == .string
    punctuation("{")
    var isFirst = true
    func separate(_ composition: inout Composition) {
      if !isFirst { composition.punctuation(",") }
      isFirst = false
    }
    if isName {
      separate(&self)
      punctuation(key == "link" ? "\"use\":" : "\"rule\":")
      copy(piece)
    }
    var done: [String] = []
    for member in piece.value.members {
      guard let key = member.key.string else { continue }
      separate(&self)
      copy(piece.part(member.key))
      punctuation(":")
      write(piece.part(member.value), overlays, under: key)
      done.append(key)
    }
    for overlay in overlays {
      guard let key = overlay.path.first, !done.contains(key) else { continue }
      separate(&self)
      name(key, overlay.key)
      write(nil, overlays, under: key)
      done.append(key)
    }
    punctuation("}")
  }

  /// Writes what stands under a key: the last whole value that an overlay gives it, with the parts
  /// that others give.
  private mutating func write(_ piece: ScenarioPiece?, _ overlays: [Overlay], under key: String) {
    let mine = overlays.filter { $0.path.first == key }
    let whole = mine.last { $0.path.count == 1 }?.piece ?? piece
    let parts = mine.filter { $0.path.count > 1 }.map {
      (path: $0.path.dropFirst(), piece: $0.piece, key: $0.key)
    }
    if let whole {
      write(whole, parts, of: key)
      return
    }
    punctuation("{")
    var done: [String] = []
    for part in parts {
      guard let key = part.path.first, !done.contains(key) else { continue }
      if !done.isEmpty { punctuation(",") }
      name(key, part.key)
      write(nil, parts, under: key)
      done.append(key)
    }
    punctuation("}")
  }

  /// Writes a key that the base does not have: what is wrong with it is so in the experiment.
  private mutating func name(_ key: String, _ origin: JSONValue?) {
    let text = "\"\(key)\""
    if let origin {
      chunks.append(
        Chunk(
          start: bytes.count, count: text.utf8.count, source: origin.source,
          offset: origin.range.lowerBound, origin: origin))
    }
    punctuation(text + ":")
  }

  private mutating func punctuation(_ text: String) {
    bytes += text.utf8
  }

  private mutating func copy(_ piece: ScenarioPiece) {
    let range = piece.value.range
    chunks.append(
      Chunk(
        start: bytes.count, count: range.count, source: piece.value.source,
        offset: range.lowerBound, origin: piece.origin))
    bytes += piece.text
  }

  /// Returns a finding about the text as one about the file that the place came from.
  func traced(_ finding: Finding) -> Finding {
    guard finding.path == path, finding.line > 0 else { return finding }
    let start = offset(of: finding)
    guard let chunk = chunks.last(where: { $0.start <= start }), start < chunk.start + chunk.count
    else {
      // What is missing from the whole is missing from the base.
      let start = base.range.lowerBound
      return traced(finding, start..<start + 1, in: base.source)
    }
    if let origin = chunk.origin {
      return Finding(
        finding.severity, finding.message, at: origin.range, in: origin.source,
        notes: finding.notes)
    }
    let place = chunk.offset + start - chunk.start
    return traced(finding, place..<place + max(1, finding.caret.count), in: chunk.source)
  }

  /// Returns a finding as one about a part of the experiment, or of what its base came from.
  private func traced(_ finding: Finding, _ range: Range<Int>, in source: SourceText) -> Finding {
    if let changed, source == changed.source {
      guard let origin = changed.origin(of: range) else {
        return Finding(finding.severity, finding.message, path: source.path, notes: finding.notes)
      }
      return Finding(
        finding.severity, finding.message, at: origin.range, in: origin.source,
        notes: finding.notes)
    }
    return Finding(
      finding.severity, finding.message, at: range, in: source, notes: finding.notes)
  }

  /// The byte that a finding begins at.
  private func offset(of finding: Finding) -> Int {
    var (line, column) = (1, 1)
    for index in bytes.indices {
      if line == finding.line, column == finding.column, bytes[index] & 0xC0 != 0x80 {
        return index
      }
      switch bytes[index] {
      case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: break
      case 0x0A, 0x0D: (line, column) = (line + 1, 1)
      default: if bytes[index] & 0xC0 != 0x80 { column += 1 }
      }
    }
    return bytes.count
  }
}

extension ScenarioPiece {
  /// A value inside of the piece.
  fileprivate func part(_ value: JSONValue) -> ScenarioPiece {
    ScenarioPiece(value, origin: origin)
  }

  fileprivate init(_ value: JSONValue, origin: JSONValue?) {
    self.value = value
    self.origin = origin
  }
}
