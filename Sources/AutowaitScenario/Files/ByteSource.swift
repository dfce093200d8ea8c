/// The bytes of a file, read piece by piece as they are asked for.
///
/// It is a class because what was read cannot be read again: all who hold it share the place.
package final class ByteSource {
  /// The largest file of a format that must be read as a whole.
  static let wholeMax = 1 << 26
  /// What a text in UTF-8 may begin with.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The path as the user wrote it.
  package let path: String

  /// Takes what is read, with its place in the file, and no bytes at its end.
  ///
  /// Of a file that is read in parts it takes only what is looked at.
  package var onRead: ((_ offset: Int64, _ bytes: [UInt8]) -> Void)?
  /// Whether what is read is only passed over, unless its reader tells that it looks at it.
  package var isReadInParts = false

  private let more: () -> Result<[UInt8], FileLoader.FileProblem>
  /// What was read but not taken.
  private var ahead: [UInt8] = []
  private var isAtEnd = false
  private var readCount: Int64 = 0

  /// Creates a source from a function that returns the next bytes, or none at the end.
  package init(path: String, _ more: @escaping () -> Result<[UInt8], FileLoader.FileProblem>) {
    self.path = path
    self.more = more
  }

  /// Creates a source from what is in memory already.
  package convenience init(_ source: SourceText) {
    self.init(path: source.path) { .success([]) }
    ahead = source.bytes
    isAtEnd = true
  }

  /// Returns the first bytes that were not taken, so many of them as there are up to a number.
  func peek(_ count: Int) throws(TraceError) -> ArraySlice<UInt8> {
    while ahead.count < count, !isAtEnd { try read() }
    return ahead.prefix(count)
  }

  /// Returns the next bytes; none at the end.
  func take() throws(TraceError) -> [UInt8] {
    if ahead.isEmpty, !isAtEnd { try read() }
    let taken = ahead
    ahead = []
    return taken
  }

  /// Returns all bytes of a file that is not too large to be read as a whole, as its format must.
  func all(_ title: String) throws(TraceError) -> SourceText {
    while !isAtEnd {
      try read()
      if ahead.count > Self.wholeMax {
        let limit = "\(Self.wholeMax >> 20) MiB"
        throw TraceError(
          "the file is larger than \(limit), and \(title) must be read as a whole",
          path: path)
      }
    }
    // A mark of the order of bytes at the start is no part of the text.
    let start = ahead.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    return SourceText(path: path, bytes: Array(ahead[start...]))
  }

  private func read() throws(TraceError) {
    switch more() {
    case .success(let bytes):
      if bytes.isEmpty { isAtEnd = true }
      if !isReadInParts { onRead?(readCount, bytes) }
      readCount += Int64(bytes.count)
      ahead += bytes
    case .failure(let problem):
      throw TraceError("the file \(problem.reason)", path: path)
    }
  }
}

/// What is wrong with a trace, where its reader stopped.
struct TraceError: Error {
  let findings: [Finding]

  init(_ findings: [Finding]) {
    self.findings = findings
  }

  /// Creates an error about a file as a whole.
  init(_ message: String, path: String, notes: [String] = []) {
    findings = [Finding(.error, message, path: path, notes: notes)]
  }
}
