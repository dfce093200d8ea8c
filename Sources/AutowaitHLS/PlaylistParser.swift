import AutowaitJSON

/// Goes through the lines of a playlist once, and builds what they say.
///
/// It works on bytes, and makes a string only of what is kept.
struct PlaylistParser {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  let bytes: [UInt8]
  let context: PlaylistContext
  let findings: PlaylistFindings

  /// The number of the line, from 1.
  var lineNumber = 0
  /// Where the line stands, without its end and white space around it.
  var line = 0..<0
  /// Whether nothing behind the line is to be read.
  var isStopped = false

  /// The values of the variables that are defined so far.
  var variables: [String: String] = [:]
  /// The same in the order of their definitions.
  var definitions: [PlaylistVariable] = []
  /// Where the first variable stands that is imported.
  var firstImport: Range<Int>?
  /// The bytes that variables were replaced with.
  var substituted = 0

  var shared = Shared()
  var multivariant = MultivariantBuilder()
  var media = MediaBuilder()
  var rules = PlaylistRules()

  /// Which playlist it is, by the first tag that only one of the two may have.
  private(set) var scope = PlaylistTag.Scope.any
  private var scopeStart = 0
  private var firsts: [PlaylistTag: TextPosition] = [:]
  private var isHeaderRead = false
  /// Whether `#EXTM3U` was met, be it where it must stand or not.
  private var hasHeader = false
  /// The first line that is not empty.
  private var header = 0..<0
  private var unknown: [PlaylistTagCount] = []
  private var unknownIndices: [String: Int] = [:]
  /// Attributes that are known to be unknown.
  var unknownAttributes: Set<String> = []

  /// What both playlists may say.
  struct Shared {
    var version: Int64 = 1
    var hasIndependentSegments = false
    var start: PlaylistStart?
  }

  init(_ source: SourceText, _ context: PlaylistContext, _ findings: PlaylistFindings) {
    bytes = source.bytes
    self.context = context
    self.findings = findings
  }

  /// Goes through all lines.
  mutating func parse() {
    let bytes = self.bytes
    var at = 0
    if bytes.starts(with: Self.byteOrderMark) {
      at = Self.byteOrderMark.count
      findings.warning("a playlist must not begin with a byte order mark", at: 0..<at)
    }
    while at < bytes.count, !isStopped {
      let start = at
      let limit = min(bytes.count, start + PlaylistReader.lineMax + 1)
      var isPlain = true
      while at < limit, bytes[at] != 0x0A, bytes[at] != 0x0D {
        isPlain = isPlain && bytes[at] &- 0x20 < 0x5F
        at += 1
      }
      lineNumber += 1
      if at - start > PlaylistReader.lineMax {
        findings.error("the line is longer than \(PlaylistReader.lineMax) bytes", at: start..<at)
        isStopped = true
        return
      }
      if !isPlain { checkText(start..<at) }
      if at > start { read(start..<at) }
      if at + 1 < bytes.count, bytes[at] == 0x0D, bytes[at + 1] == 0x0A { at += 1 }
      at += 1
    }
  }

  /// Reports what must not stand in a text at all.
  private func checkText(_ range: Range<Int>) {
    do throws(JSONError) {
      var at = range.lowerBound
      while at < range.upperBound {
        at += bytes[at] < 0x80 ? 1 : try JSONParser.scalarLength(bytes.span, at)
      }
    } catch {
      return findings.error(error.message, at: error.offset..<error.offset + 1)
    }
    // rfc8216bis-20, 4.1: clients should refuse control characters. A tab is white space.
    for index in range {
      let (byte, next) = (bytes[index], index + 1 < range.upperBound ? bytes[index + 1] : 0)
      let isControl =
        (byte < 0x20 && byte != 0x09) || byte == 0x7F || (byte == 0xC2 && next < 0xA0)
      if isControl { return findings.error("a control character", at: index..<index + 1) }
    }
  }

  private mutating func read(_ whole: Range<Int>) {
    line = trimmed(whole)
    if line.isEmpty { return }
    if !isHeaderRead { return readHeader(whole) }
    // Behind the comma of a duration white space is a title.
    if line != whole, line.lowerBound != whole.lowerBound || !starts("#EXTINF") {
      findings.warning("white space around the line", at: line)
    }
    if bytes[line.lowerBound] != UInt8(ascii: "#") { return readAddress() }
    if starts("#EXT") { readTag() }
  }

  /// Reads the first line that is not empty.
  private mutating func readHeader(_ whole: Range<Int>) {
    isHeaderRead = true
    header = line
    let name = "#EXTM3U"
    let isHeader =
      starts(name)
      && (line.count == name.utf8.count || Self.isSpace(bytes[line.lowerBound + name.utf8.count]))
    guard isHeader else {
      findings.error("the first line must be '\(name)'", at: line)
      if bytes[line.lowerBound] != UInt8(ascii: "#") { isStopped = true }
      if starts("#EXT") { readTag() }
      return
    }
    hasHeader = true
    // media3 skips white space before it, and players take what IPTV writes behind it.
    if lineNumber > 1 {
      findings.warning("'\(name)' must be the first line", at: line)
    } else if line.count > name.utf8.count || line != whole {
      findings.warning("'\(name)' must be alone on its line", at: line)
    }
  }

  private mutating func readTag() {
    var colon = line.lowerBound
    while colon < line.upperBound, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
    let name = String(decoding: bytes[line.lowerBound + 1..<colon], as: UTF8.self)
    let value = trimmed(min(colon + 1, line.upperBound)..<line.upperBound)
    guard let tag = PlaylistTag.named(name) else { return countUnknown(name) }
    if value.lowerBound > min(colon + 1, line.upperBound) {
      findings.warning("white space before the value", at: line)
    }
    if tag.isUnique {
      if let first = firsts[tag] {
        return findings.error(
          "the tag '\(name)' must not repeat", at: line, notes: ["the first one is at \(first)"])
      }
      // To find a place later would be to look for it from the beginning each time.
      firsts[tag] = findings.position(of: line.lowerBound)
    }
    checkRules(tag, value)
    if tag.scope != .any, !enter(tag.scope) { return }
    if tag.scope == .multivariant, !countEntry() { return }
    tag.read(value, by: &self)
  }

  /// Decides which playlist it is; reports, once, a tag of the other one.
  private mutating func enter(_ wanted: PlaylistTag.Scope) -> Bool {
    if scope == .any {
      scope = wanted
      scopeStart = line.lowerBound
    }
    if scope == wanted { return true }
    let place = findings.position(of: scopeStart)
    findings.error(
      "a tag of \(wanted.article) playlist in \(scope.article) playlist", at: line,
      notes: ["the tag at \(place) makes it \(scope.article) playlist"])
    isStopped = true
    return false
  }

  private mutating func readAddress() {
    switch scope {
    case .any:
      findings.warning("the address belongs to no tag and is skipped", at: line)
    case .multivariant: addVariant()
    case .media: addSegment()
    }
  }

  mutating func readHeaderAgain() {
    if hasHeader { findings.warning("'#EXTM3U' again", at: line) }
    hasHeader = true
  }

  mutating func readIndependence(_: Range<Int>) { shared.hasIndependentSegments = true }

  mutating func readStart(_ list: AttributeList) {
    guard let offset = time(list, "TIME-OFFSET", .required, isSigned: true) else { return }
    shared.start = PlaylistStart(timeOffset: offset, isPrecise: flag(list, "PRECISE"))
  }

  mutating func readVersion(_ value: Range<Int>) {
    guard let version = wholeNumber(value, 1...Int64.max) else { return }
    shared.version = version
    // The version that rfc8216bis-20 describes.
    if version > 13 { findings.warning("the version is above 13, the highest known", at: value) }
  }

  private mutating func countUnknown(_ name: String) {
    if let index = unknownIndices[name] {
      unknown[index].count += 1
      return
    }
    guard unknown.count < PlaylistReader.unknownNamesMax else { return }
    unknownIndices[name] = unknown.count
    unknown.append(PlaylistTagCount(name: name, count: 1))
    // Without what all have in common, by which any two would be near.
    let prefix = "EXT-X-"
    guard name.hasPrefix(prefix), !findings.isFull else { return }
    let known = PlaylistTag.allCases.map { $0.name }.filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
    if let nearest = NearestWord.nearest(to: String(name.dropFirst(prefix.count)), among: known) {
      findings.warning(
        "unknown tag", " '\(name.excerpt)'", at: line,
        notes: ["did you mean '\(prefix)\(nearest)'?"])
    }
  }

  /// Stops with an error if there are more than a limit; returns whether there are.
  mutating func isTooMany(_ count: Int, _ max: Int, _ what: String) -> Bool {
    if count <= max { return false }
    findings.error("more than \(max) \(what)", at: line)
    isStopped = true
    return true
  }

  /// Ends the playlist; returns it unless something is missing.
  mutating func finish() -> Playlist? {
    if !isHeaderRead {
      findings.error("the playlist is empty", at: 0..<0)
      return nil
    }
    if isStopped { return nil }
    switch scope {
    case .any:
      findings.error(
        "no tag says what kind of playlist it is", at: header,
        notes: [
          "one with segments has 'EXT-X-TARGETDURATION', one with variants 'EXT-X-STREAM-INF'"
        ])
      return nil
    case .multivariant:
      finishMultivariant(header)
      finishRules(header)
      var playlist = multivariant.playlist
      playlist.version = shared.version
      playlist.hasIndependentSegments = shared.hasIndependentSegments
      playlist.start = shared.start
      playlist.variables = definitions
      playlist.unknownTags = unknown
      return .multivariant(playlist)
    case .media:
      finishMedia(header)
      finishRules(header)
      var playlist = media.playlist
      playlist.version = shared.version
      playlist.hasIndependentSegments = shared.hasIndependentSegments
      playlist.start = shared.start
      playlist.variables = definitions
      playlist.unknownTags = unknown
      return .media(playlist)
    }
  }
}

extension PlaylistTag.Scope {
  fileprivate var article: String { self == .media ? "a media" : "a multivariant" }
}

/// Looking at bytes.
extension PlaylistParser {
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Returns a range without white space at its ends.
  @inline(__always)
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isSpace(bytes[start]) { start += 1 }
    while start < end, Self.isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// Returns whether the line begins with some letters.
  func starts(_ text: String) -> Bool { bytes[line].starts(with: text.utf8) }

  /// Returns whether some letters stand in a range.
  func isText(_ range: Range<Int>, _ text: String) -> Bool {
    range.count == text.utf8.count && bytes[range].elementsEqual(text.utf8)
  }

  /// Returns what stands in a range, for a message.
  func shown(_ range: Range<Int>) -> String {
    "'\(String(decoding: bytes[range].prefix(200), as: UTF8.self).excerpt)'"
  }
}
