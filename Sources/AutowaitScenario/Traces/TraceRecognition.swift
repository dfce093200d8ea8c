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
    let isCut = bytes.count == peekedMax
    if bytes.starts(with: ByteSource.byteOrderMark) { bytes = bytes.dropFirst(3) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw TraceError("the text is UTF-16, and must be UTF-8", path: source.path)
    }
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw TraceError("the file is packed: unpack it first", path: source.path)
    }
    if let columns = options.columns { return columns.hasBytes ? .bytes : .rates }
    // The last line may be cut in two.
    if isCut, let end = bytes.lastIndex(of: 0x0A) { bytes = bytes[..<end] }
    let text = String(decoding: bytes, as: UTF8.self)
    if let error = ownFile(text, source.path) { throw error }
    if let format = document(text) { return format }
    if bytes.contains(0) { throw TraceError("the file is not a text", path: source.path) }
    if let format = try table(text, source.path, options) { return format }
    throw TraceError(
      "the format of the file is not recognized", path: source.path,
      notes: [
        "say what it is with \(options.place.formatMeans); \(TraceFormat.listNote)",
        "or what the columns of a table are: "
          + options.place.columnsMeans("time:s,rate:kbit/s"),
      ])
  }

  /// Returns whether a text begins as JSON does.
  static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D] + ByteSource.byteOrderMark
    let first = bytes.first { !space.contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Says what a file of ours is, if it is no link: words of its expectations are those of logs.
  private static func ownFile(_ text: String, _ path: String) -> TraceError? {
    let start = text.drop { $0.isWhitespace }
    guard start.hasPrefix("{") else { return nil }
    if start.prefix(200).holds("\"player-timeline/") {
      return TraceError(
        "this is a recording of a player, not a link", path: path,
        notes: [
          "'autowait convert --to scenario' makes a scenario of it, and 'autowait fidelity' "
            + "compares it with a simulation"
        ])
    }
    let isScenario = text.holds("\"autowait\"")
    guard isScenario || text.holds("\"experiment\"") else { return nil }
    let findings = Findings(SourceText(path: path, bytes: Array(text.utf8)))
    guard let root = findings.parseJSON() else { return nil }
    if isScenario, root.member("autowait") != nil {
      return TraceError(
        "this is a scenario, not a link", path: path,
        notes: [
          "'autowait run' runs it; if it has a stream, 'autowait convert --to hls' writes its "
            + "playlists"
        ])
    }
    guard root.member("experiment") != nil else { return nil }
    return TraceError(
      "this is an experiment, not a link", path: path, notes: ["'autowait compare' runs it"])
  }

  /// Recognizes what has brackets; the words of later formats are the rarer ones.
  private static func document(_ text: String) -> TraceFormat? {
    let start = TraceStart(text)
    let format = TraceFormat.allCases.last { $0.row.isMet?(start) ?? false }
    // What has rows is a table of somebody's own, and what has not one of our links.
    return format ?? (start.isArray ? .rates : start.isObject ? .link : nil)
  }

  /// Recognizes what has lines of equal parts.
  ///
  /// Throws the question that must be answered where such lines may be several things.
  private static func table(
    _ text: String, _ path: String, _ options: TraceOptions
  ) throws(TraceError) -> TraceFormat? {
    let lines = text.split(whereSeparator: { $0.isNewline })
    guard let first = lines.first(where: { !$0.allSatisfy({ $0.isWhitespace }) }) else {
      return nil
    }
    // Of those that have names of their own only an access log may have two columns.
    let name = named(first.lowercased())
    if name == .accesslog { return name }
    let reader = LineReader(ByteSource(SourceText(path: path, bytes: Array(text.utf8))))
    guard try reader.advanceToText() else { return nil }
    let line = try TableHeader.split(reader)
    if TableHeader.isHeader(line, reader) {
      // Names that say nothing of a link are recognized too: who reads them says why they are
      // refused.
      let meanings = line.cells.map { TableHeader.meaning(reader.text($0)) }
      if line.cells.count == 2 { return meanings.contains { $0.isBytes } ? .bytes : .rates }
      if let name { return name }
      if meanings.contains(where: { $0.isTime || $0.isValue }) {
        return meanings.contains { $0.isBytes } ? .bytes : .rates
      }
      return nil
    }
    if line.separator == 0x09 || line.separator == nil {
      switch line.cells.count {
      case 1: return try single(reader, options)
      case 2: return .pensieve
      // Seconds since 1970 have ten digits, milliseconds thirteen.
      case 6: return line.cells[0].count >= 13 ? .ghent : .hsdpa
      default: break
      }
    }
    throw try TableQuestion.error(reader, options)
  }

  /// Recognizes lines of one number: mahimahi's rise and are whole, and all others are a question.
  ///
  /// What is no number at all is for the reader of mahimahi to point at.
  private static func single(
    _ lines: LineReader, _ options: TraceOptions
  ) throws(TraceError) -> TraceFormat {
    let question = TableQuestion.single(lines, options)
    var last: Int64 = -1
    repeat {
      guard let number = ExactDecimal(lines.text(lines.line)) else { break }
      switch number.integer(scaledBy: 1) {
      case .exact(let value) where value >= last: last = value
      case .tooLarge: return .mahimahi
      case .exact, .notWhole, .negative: throw question
      }
    } while try lines.advance()
    return .mahimahi
  }

  /// Recognizes a line that names columns; Irish 5G has those of 4G, too.
  private static func named(_ line: String) -> TraceFormat? {
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return TraceFormat.allCases.last { format in
      words.contains { String($0) == format.row.column }
    }
  }
}
