import Autowait

/// The sizes of segments that a file of its own lists: by address, as playlists write it, or by
/// path.
struct SizeList {
  /// The most sizes that are listed.
  static let sizesMax = 1_000_000

  private var sizes: [String: ByteCount] = [:]

  /// Returns the size of an address or of a path.
  func size(of uri: String, _ path: String?) -> ByteCount? {
    sizes[uri] ?? path.flatMap { sizes[$0] }
  }

  /// Reads `{"seg0.m4s": 1234}` or lines such as `seg0.m4s,1234`.
  static func read(_ source: SourceText) -> (list: SizeList, findings: [Finding], isValid: Bool) {
    let findings = Findings(source)
    var list = SizeList()
    let start = source.bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if start == UInt8(ascii: "{") {
      list.readJSON(findings)
    } else {
      list.readLines(findings)
    }
    return (list, findings.sorted, !findings.hasErrors)
  }

  private mutating func readJSON(_ findings: Findings) {
    guard let root = findings.parseJSON() else { return }
    add(root, findings)
  }

  /// Adds the members of an object.
  mutating func add(_ object: JSONValue, _ findings: Findings) {
    if object.count > Self.sizesMax {
      findings.error("there are more than \(Self.sizesMax) sizes", at: object)
      return
    }
    for member in object.members {
      guard let name = member.key.string else { continue }
      let label = FieldLabel(key: name.excerpt)
      if let size = FieldKind<ByteCount>.size.read(member.value, label, findings) {
        add(name, size, member.key.range, findings)
      }
    }
  }

  private mutating func readLines(_ findings: Findings) {
    let bytes = findings.source.bytes
    var start = 0
    var isFirst = true
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      defer { start = end + 1 }
      if start == end { continue }
      if sizes.count >= Self.sizesMax {
        findings.error("there are more than \(Self.sizesMax) sizes", at: start..<end)
        return
      }
      let line = start..<end
      let comma = bytes[line].lastIndex(of: UInt8(ascii: ","))
      let digits = bytes[((comma ?? end - 1) + 1)..<end].filter { $0 != 0x20 }
      let size =
        digits.count <= 13 && !digits.isEmpty && digits.allSatisfy { 48...57 ~= $0 }
        ? Int64(String(decoding: digits, as: UTF8.self)) : nil
      if let comma, let size, size <= Limits.bytesMax.bytes {
        let name = String(decoding: bytes[start..<comma], as: UTF8.self)
        add(name, ByteCount(bytes: size), line, findings)
      } else if !isFirst {
        findings.error("a line must be an address, a comma and a size in bytes", at: line)
      }
      isFirst = false
    }
  }

  private mutating func add(
    _ name: String, _ size: ByteCount, _ place: Range<Int>, _ findings: Findings
  ) {
    if sizes.updateValue(size, forKey: name) != nil {
      findings.error("'\(name.excerpt)' has two sizes", at: place)
    }
  }
}

/// Rates and sizes of stretches of media.
enum StretchRate {
  /// What a rate amounts to in some time, rounded up to a byte.
  static func size(_ rate: BitRate, in time: MediaTime) -> ByteCount {
    let bits = UInt128(UInt64(time.nanoseconds)) * UInt128(UInt64(rate.bitsPerSecond))
    return ByteCount(bytes: Int64(clamping: (bits + 7_999_999_999) / 8_000_000_000))
  }

  /// The rate of some bytes in some time above zero, rounded up, and within the limits.
  static func rate(_ bytes: Int64, in time: MediaTime) -> BitRate {
    let bits = UInt128(UInt64(bytes)) * 8_000_000_000
    let nanoseconds = UInt128(UInt64(time.nanoseconds))
    let rate = Int64(clamping: (bits + nanoseconds - 1) / nanoseconds)
    return BitRate(bitsPerSecond: min(rate, Limits.bitRateMax.bitsPerSecond))
  }
}
