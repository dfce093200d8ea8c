/// Finds out from its first bytes what format a file has.
enum TraceRecognition {
  /// As many bytes are looked at.
  static let peekedMax = 4_096

  /// Returns the format of a file, or throws what makes it none.
  static func format(
    of source: ByteSource, _ options: TraceOptions
  ) throws(TraceError) -> TraceFormat {
    var bytes = try source.peek(peekedMax)
    if bytes.isEmpty { throw TraceError("the file is empty", path: source.path) }
    if bytes.starts(with: ByteSource.byteOrderMark) { bytes = bytes.dropFirst(3) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw TraceError("the text is UTF-16, and must be UTF-8", path: source.path)
    }
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw TraceError("the file is packed: unpack it first", path: source.path)
    }
    // The last word may be cut in two.
    let text = String(decoding: bytes, as: UTF8.self)
    if let format = document(text) { return format }
    if let format = try table(text, source.path) { return format }
    throw TraceError(
      "the format of the file is not recognized", path: source.path,
      notes: [
        "say what it is with \(options.place.formatMeans): "
          + NearestWord.quotedList(TraceFormat.readable)
      ])
  }

  /// Returns whether a text begins as JSON does.
  static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D] + ByteSource.byteOrderMark
    let first = bytes.first { !space.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Recognizes what has brackets.
  private static func document(_ text: String) -> TraceFormat? {
    let start = text.drop { $0.isWhitespace }
    func has(_ words: String...) -> Bool { words.contains { text.holds("\"\($0)\"") } }
    if start.hasPrefix("<") || start.hasPrefix("bplist") { return .nlc }
    // A section is a name in brackets, alone in its line; an array of JSON has no name in it.
    let isSection = text.split(whereSeparator: { $0.isNewline }).contains { line in
      line.hasPrefix("[") && line.hasSuffix("]") && !line.contains { "\"{,".contains($0) }
    }
    if isSection, text.contains("=") { return .wpt }
    guard start.hasPrefix("{") || start.hasPrefix("[") else { return nil }
    if has("transferDuration", "numberOfBytesTransferred") { return .accesslog }
    if start.hasPrefix("[") { return .sabre }
    if has("log"), has("entries", "version", "creator") { return .har }
    if has("percentage", "iptables_options", "shaping") { return .atc }
    return .link
  }

  /// Recognizes what has lines of equal parts.
  private static func table(_ text: String, _ path: String) throws(TraceError) -> TraceFormat? {
    let lines = text.split(whereSeparator: { $0.isNewline })
    guard let first = lines.first(where: { !$0.allSatisfy({ $0.isWhitespace }) }) else {
      return nil
    }
    let (name, pair) = (named(first.lowercased()), try twoColumns(first, path))
    // Of those that have names of their own only an access log may have two columns.
    if let format = name == .accesslog ? name : pair ?? name { return format }
    let words = first.split { $0 == " " || $0 == "\t" }
    if first.contains(",") || first.contains(";") { return nil }
    switch words.count {
    case 1: return .mahimahi
    case 2: return .pensieve
    // Seconds since 1970 have ten digits, milliseconds thirteen.
    case 6: return (words.first?.count ?? 0) >= 13 ? .ghent : .hsdpa
    default: return nil
    }
  }

  /// Recognizes two columns that have names, or a comma between them.
  ///
  /// Names that say nothing of a link are recognized too: who reads them says why they are refused.
  private static func twoColumns(
    _ first: Substring, _ path: String
  ) throws(TraceError) -> TraceFormat? {
    let lines = LineReader(ByteSource(SourceText(path: path, bytes: Array(first.utf8))))
    guard try lines.advance(), let line = try TableHeader.split(lines) else { return nil }
    if !TableHeader.isHeader(line, lines) {
      return line.separator == UInt8(ascii: ",") ? .bytes : nil
    }
    let isBytes = line.cells.contains { TableHeader.meaning(lines.text($0)) == .bytes }
    return isBytes ? .bytes : .rates
  }

  /// Recognizes a line that names columns.
  private static func named(_ line: String) -> TraceFormat? {
    let marks: [(mark: String, format: TraceFormat)] = [
      ("pingavg", .irish5g), ("dl_bitrate", .irish4g), ("unit_id", .fcc), ("operator", .errant),
      ("numberofbytestransferred", .accesslog),
    ]
    return marks.first { line.holds($0.mark) }?.format
  }
}
