/// The type of a box: four characters.
struct MovieBoxType: Hashable, Sendable {
  let code: UInt32

  init(code: UInt32) {
    self.code = code
  }

  /// Creates the type of four ASCII characters.
  init(_ name: StaticString) {
    precondition(name.utf8CodeUnitCount == 4, "a box type has four characters")
    code = name.withUTF8Buffer { buffer in
      var code: UInt32 = 0
      for byte in buffer { code = code << 8 | UInt32(byte) }
      return code
    }
  }

  /// The characters; a question mark stands for what is no ASCII character that prints.
  var name: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    let isShown = { (byte: UInt8) in 0x20..<0x7F ~= byte && byte != 0x27 }
    return String(decoding: bytes.map { isShown($0) ? $0 : 0x3F }, as: UTF8.self)
  }

  static let mdat = MovieBoxType("mdat")
  static let moof = MovieBoxType("moof")
  static let moov = MovieBoxType("moov")
  static let mdia = MovieBoxType("mdia")
  static let minf = MovieBoxType("minf")
  static let stbl = MovieBoxType("stbl")
  static let trak = MovieBoxType("trak")

  /// The boxes that hold nothing but boxes, as far as they are read.
  var isContainer: Bool {
    [.moov, .trak, .mdia, .minf, .stbl, MovieBoxType("edts")].contains(self)
  }

  /// The boxes with which a movie can begin (QuickTime File Format, ISO/IEC 14496-12).
  var isFirst: Bool {
    [
      .moov, .mdat, MovieBoxType("ftyp"), MovieBoxType("free"), MovieBoxType("skip"),
      MovieBoxType("wide"), MovieBoxType("pnot"), MovieBoxType("uuid"),
    ].contains(self)
  }
}

/// The size and the type with which a box begins.
struct MovieBoxHeader {
  /// The bytes of a header with a size of 64 bits.
  static let sizeMax = 16

  let type: MovieBoxType
  /// The bytes of the header itself.
  let headerSize: Int64
  /// The bytes of the whole box; nil if it reaches to the end of what holds it.
  let boxSize: Int64?

  /// Returns how many bytes the header has whose first eight bytes these are.
  static func size(of bytes: ArraySlice<UInt8>) -> Int {
    bytes.number(at: bytes.startIndex, bytes: 4) == 1 ? sizeMax : 8
  }

  /// Reads a header, all of which is there; nil if its size is less than its own or too large.
  init?(_ bytes: ArraySlice<UInt8>) {
    let start = bytes.startIndex
    type = MovieBoxType(code: UInt32(truncatingIfNeeded: bytes.number(at: start + 4, bytes: 4)))
    let short = bytes.number(at: start, bytes: 4)
    headerSize = short == 1 ? 16 : 8
    if short == 0 {
      boxSize = nil
      return
    }
    let size = short == 1 ? bytes.number(at: start + 8, bytes: 8) : short
    guard let size = Int64(exactly: size), size >= headerSize else { return nil }
    boxSize = size
  }
}

/// A box inside the box `moov`, which is in memory as a whole.
struct MovieBox {
  let type: MovieBoxType
  /// Where the box begins in the file.
  let offset: Int64
  /// The bytes of `moov`, and which of them are the content of this box.
  let bytes: [UInt8]
  let content: Range<Int>

  /// Where the file has the first of the bytes.
  var base: Int64 { offset + headerSize - Int64(content.lowerBound) }
  private let headerSize: Int64

  /// Creates a box whose header was read already.
  init(_ header: MovieBoxHeader, at offset: Int64, _ bytes: [UInt8], _ content: Range<Int>) {
    type = header.type
    headerSize = header.headerSize
    self.offset = offset
    self.bytes = bytes
    self.content = content
  }

  /// The most boxes that a box can hold; assumed.
  private static let childrenMax = 10_000

  /// Returns the boxes that it holds, after some bytes of its own.
  ///
  /// QuickTime ends a list of boxes with 32 bits of zero, which are no box: so may what is too
  /// short for one.
  func children(after skipped: Int = 0) throws(MovieProblem) -> [MovieBox] {
    guard skipped <= content.count else { throw .wrong(self, "that is too short") }
    var children: [MovieBox] = []
    var at = content.lowerBound + skipped
    while content.upperBound - at >= 8 {
      let rest = bytes[at..<content.upperBound]
      let place = base + Int64(at)
      guard MovieBoxHeader.size(of: rest) <= rest.count, let header = MovieBoxHeader(rest) else {
        throw MovieProblem("has a box at byte \(place) whose size cannot be")
      }
      let size = header.boxSize ?? Int64(rest.count)
      guard size <= Int64(rest.count) else {
        throw MovieProblem(
          "has a box '\(header.type.name)' at byte \(place) that does not end with the box "
            + "'\(type.name)' around it")
      }
      guard children.count < Self.childrenMax else {
        throw .wrong(self, "that holds more than \(Self.childrenMax) boxes")
      }
      let end = at + Int(size)
      children.append(MovieBox(header, at: place, bytes, at + Int(header.headerSize)..<end))
      at = end
    }
    return children
  }

  /// Returns the type of the innermost box in which the bytes end, if they end too early.
  static func typeAtEnd(of bytes: [UInt8], in type: MovieBoxType) -> MovieBoxType {
    var (type, at) = (type, 0)
    while type.isContainer, bytes.count - at >= MovieBoxHeader.sizeMax {
      guard let header = MovieBoxHeader(bytes[at...]) else { break }
      let end = header.boxSize.map { Int64(at) + $0 } ?? Int64(bytes.count)
      if end < Int64(bytes.count) {
        at = Int(end)
      } else {
        type = header.type
        at += Int(header.headerSize)
      }
    }
    return type
  }

  /// Returns its fields from the first one on.
  var fields: MovieFields { MovieFields(self) }
}

extension [MovieBox] {
  /// Returns the box of a type; nil if there is none, and a second one is an error.
  func only(_ type: MovieBoxType) throws(MovieProblem) -> MovieBox? {
    var found: MovieBox?
    for box in self where box.type == type {
      if let found {
        throw .wrong(box, "in addition to the one at byte \(found.offset)")
      }
      found = box
    }
    return found
  }

  /// Returns the box of a type that must be in another one.
  func required(_ type: MovieBoxType, in outer: MovieBox) throws(MovieProblem) -> MovieBox {
    if let box = try only(type) { return box }
    throw .wrong(outer, "without a box '\(type.name)'")
  }
}

/// The fields of a box, read one after the other.
struct MovieFields {
  private let box: MovieBox
  private var at: Int

  init(_ box: MovieBox) {
    self.box = box
    at = box.content.lowerBound
  }

  /// Passes over some bytes.
  mutating func skip(_ count: Int) throws(MovieProblem) {
    guard count <= box.content.upperBound - at else { throw .wrong(box, "that is too short") }
    at += count
  }

  /// Returns the next number of so many bytes.
  mutating func number(_ count: Int) throws(MovieProblem) -> UInt64 {
    let start = at
    try skip(count)
    return box.bytes.number(at: start, bytes: count)
  }

  /// Returns the next number of four or eight bytes, which has a sign.
  mutating func signed(_ count: Int) throws(MovieProblem) -> Int64 {
    let number = try number(count)
    return count == 4
      ? Int64(Int32(truncatingIfNeeded: number)) : Int64(truncatingIfNeeded: number)
  }

  /// Returns the version of the box, the first of its fields, and passes over its flags.
  mutating func version(upTo last: UInt64) throws(MovieProblem) -> (version: UInt64, flags: UInt64)
  {
    let (version, flags) = (try number(1), try number(3))
    guard version <= last else {
      throw .wrong(box, "of the unknown version \(version)")
    }
    return (version, flags)
  }

  /// Returns the rows that follow after their number.
  mutating func rows(of size: Int) throws(MovieProblem) -> MovieRows {
    let count = try number(4)
    return try rows(count, of: size)
  }

  /// Returns the rows that follow, of which the box must hold so many.
  ///
  /// They stay where they are, so a count costs no memory.
  func rows(_ count: UInt64, of size: Int) throws(MovieProblem) -> MovieRows {
    let room = box.content.upperBound - at
    guard count <= UInt64(room / size) else {
      throw .wrong(box, "that says it has \(count) entries, and has room for \(room / size)")
    }
    return MovieRows(bytes: box.bytes, start: at, rowSize: size, count: Int(count))
  }
}

/// The rows of a table in a box, all of which are there.
struct MovieRows {
  let bytes: [UInt8]
  /// Where the first row begins.
  let start: Int
  /// The bytes of a row.
  let rowSize: Int
  let count: Int

  /// Returns a number of a row.
  func number(_ row: Int, at place: Int = 0, bytes width: Int = 4) -> Int64 {
    Int64(truncatingIfNeeded: bytes.number(at: start + row * rowSize + place, bytes: width))
  }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// Returns a number whose first byte is its largest part.
  fileprivate func number(at start: Int, bytes count: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in start..<start + count { number = number << 8 | UInt64(self[index]) }
    return number
  }
}
