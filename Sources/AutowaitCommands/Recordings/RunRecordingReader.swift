import Autowait
import AutowaitRendering
import AutowaitScenario

/// Reads recordings, which may have been cut off, changed or made up on their way.
struct RunRecordingReader {
  /// The largest file that a scenario may name.
  private static let sizeMax = Limits.bytesMax.bytes

  private let source: SourceText
  /// The lines without their ends, each with its place in the bytes.
  private let lines: [Range<Int>]

  /// Whether a text calls itself a recording.
  static func isRecording(_ source: SourceText) -> Bool {
    source.bytes.starts(with: Array("{\"autowaitRecording\":".utf8))
  }

  /// Reads a recording, or says what is wrong with it.
  static func read(_ source: SourceText) -> Result<RunRecording, Finding> {
    Result { () throws(Finding) in try RunRecordingReader(source).recording() }
  }

  private init(_ source: SourceText) {
    self.source = source
    var lines: [Range<Int>] = []
    var start = 0
    while start < source.bytes.count {
      let end = source.bytes[start...].firstIndex(of: 0x0A) ?? source.bytes.count
      lines.append(start..<end)
      start = end + 1
    }
    self.lines = lines
  }

  private func recording() throws(Finding) -> RunRecording {
    let header = try object(0)
    guard let version = header.member("autowaitRecording") else {
      throw error("this is not a recording of autowait", 0)
    }
    if version.decimal != ExactDecimal(RunRecording.formatVersion) {
      throw error(
        "this version of the recording's format is unknown; autowait replays version "
          + "\(RunRecording.formatVersion)", 0, version,
        notes: LogVersion(header).tool.map {
          ["autowait \($0) made it, and this is \(ToolVersion.text)"]
        } ?? [])
    }
    try checkDigest()
    guard let scenario = header.member("scenario")?.string else {
      throw error("a recording must name its 'scenario'", 0)
    }
    let (fileCount, logCount) = (try count("files", header), try count("lines", header))
    guard fileCount + logCount + 2 == lines.count else {
      throw error("the recording does not have as many lines as its first one says", 0)
    }
    var files: [RunRecording.File] = []
    for line in 1..<(1 + fileCount) {
      let file = try self.file(line)
      if let last = files.last, !last.name.utf8.lexicographicallyPrecedes(file.name.utf8) {
        throw error("the files of a recording must be ordered by their names", line)
      }
      files.append(file)
    }
    let logStart = lines[1 + fileCount].lowerBound
    let log = Array(source.bytes[logStart..<lines[lines.count - 1].lowerBound])
    var recording = RunRecording(scenario: scenario, files: files, log: log)
    recording.run = try header.member("run").map { value throws(Finding) in
      guard let run = value.string else { throw error("'run' must be a string", 0, value) }
      return run
    }
    recording.seed = try header.member("seed").map { value throws(Finding) in
      guard case .exact(let seed)? = value.decimal?.integer(scaledBy: 1), seed >= 0 else {
        throw error("'seed' must be a whole number", 0, value)
      }
      return UInt64(seed)
    }
    if let set = header.member("set") {
      for change in set.elements {
        guard let text = change.string else {
          throw error("'set' must be a list of strings", 0, change)
        }
        recording.changes.append(text)
      }
    }
    if recording.scenarioSource == nil {
      throw error("the recording lacks its scenario '\(scenario.printable)'", 0)
    }
    return recording
  }

  /// Throws unless all is as it was written.
  private func checkDigest() throws(Finding) {
    let last = lines[lines.count - 1]
    let cut = error("the recording is cut off: its last line is not its digest", lines.count - 1)
    guard source.bytes.last == 0x0A, lines.count > 1 else { throw cut }
    let text = Array(source.bytes[last])
    let root = Findings(SourceText(path: "", bytes: text)).parseJSON()
    guard let said = root?.member("digest")?.string, root?.count == 1 else { throw cut }
    let actual = RunRecording.digest(of: source.bytes[..<last.lowerBound])
    if said != actual {
      throw error(
        "the recording was changed: its digest is \(actual), not this one", lines.count - 1,
        notes: ["what '--extract' writes can be edited, and run again"])
    }
  }

  private func file(_ line: Int) throws(Finding) -> RunRecording.File {
    let root = try object(line)
    guard let name = root.member("file")?.string else {
      throw error("a file of a recording must have a name, 'file'", line)
    }
    if !Self.isSafe(name) {
      throw error("'\(name.printable)' is not a path inside the folder", line)
    }
    var file = RunRecording.File(name: name)
    if let bytes = try self.bytes(root, line) {
      file.size = Int64(bytes.count)
      if !bytes.isEmpty { file.pieces = [RunRecording.File.Piece(offset: 0, bytes: bytes)] }
      return file
    }
    if let size = root.member("size"), size.kind != .null { file.size = try number(size, line) }
    for value in root.member("pieces")?.elements ?? JSONElements() {
      guard let place = value.member("at"), let bytes = try self.bytes(value, line), !bytes.isEmpty
      else { throw error("a piece of a file must have a place, 'at', and bytes", line) }
      let piece = RunRecording.File.Piece(offset: try number(place, line), bytes: bytes)
      if piece.offset < file.pieces.last?.end ?? 0 || piece.end > file.size ?? Self.sizeMax {
        throw error("the pieces of a file must lie in it, one after the other", line, value)
      }
      file.pieces.append(piece)
    }
    return file
  }

  /// Whether a name is that of a file in a folder, and leads nowhere else.
  private static func isSafe(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return !name.utf8.contains(0)
      && parts.allSatisfy { part in
        !part.isEmpty && part.count < 256 && !part.elementsEqual(".".utf8)
          && !part.elementsEqual("..".utf8)
      }
  }

  private func bytes(_ value: JSONValue, _ line: Int) throws(Finding) -> [UInt8]? {
    if let text = value.member("text") {
      guard let string = text.string else { throw error("'text' must be a string", line, text) }
      return Array(string.utf8)
    }
    guard let text = value.member("base64") else { return nil }
    guard let bytes = text.string.flatMap({ Base64.bytes($0) }) else {
      throw error("'base64' must be bytes in base64", line, text)
    }
    return bytes
  }

  private func count(_ key: String, _ header: JSONValue) throws(Finding) -> Int {
    guard let value = header.member(key) else {
      throw error("the first line of a recording needs the key '\(key)'", 0)
    }
    let count = try number(value, 0)
    guard count <= lines.count else {
      throw error("the recording does not have as many lines as its first one says", 0, value)
    }
    return Int(count)
  }

  private func number(_ value: JSONValue, _ line: Int) throws(Finding) -> Int64 {
    guard case .exact(let number)? = value.decimal?.integer(scaledBy: 1), number <= Self.sizeMax
    else { throw error("this must be a whole number up to \(Self.sizeMax)", line, value) }
    return number
  }

  /// Reads a line as an object.
  private func object(_ line: Int) throws(Finding) -> JSONValue {
    let text = SourceText(path: source.path, bytes: Array(source.bytes[lines[line]]))
    guard let root = Findings(text).parseJSON(), root.kind == .object else {
      throw error("this line of the recording is not JSON object", line)
    }
    return root
  }

  /// Returns an error about a line, or about a value in it.
  private func error(
    _ message: String, _ line: Int, _ value: JSONValue? = nil, notes: [String] = []
  ) -> Finding {
    let start = lines.isEmpty ? 0 : lines[line].lowerBound
    let range = value?.range ?? 0..<min(1, source.bytes.count)
    return Finding(
      .error, message, at: start + range.lowerBound..<start + range.upperBound, in: source,
      notes: notes)
  }
}
