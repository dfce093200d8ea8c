import Autowait

/// Reads movies: their boxes one after the other, and of those only `moov` into memory.
///
/// Source: ISO/IEC 14496-12, and the QuickTime File Format for what is older.
package struct MovieReader {
  /// The largest box `moov`; assumed.
  static let indexMax: Int64 = 64 << 20
  /// The most tracks of a movie; assumed.
  static let tracksMax = 32

  private var stream: MovieByteStream
  private let size: Int64
  /// The box `moov`, as soon as it was read.
  private var index: MovieBox?
  private var indexSize: Int64 = 0
  /// Where the media begins; nil before it was found.
  private var contentStart: Int64?

  private init(_ source: ByteSource, size: Int64) {
    stream = MovieByteStream(source)
    self.size = size
  }

  /// Reads a movie that a scenario names; nil after having reported why there is none.
  package static func read(
    _ path: String, at value: JSONValue, _ findings: Findings, _ loader: FileLoader
  ) -> Movie? {
    let base = findings.source.path
    let opened = loader.size(path, base).flatMap { size in
      loader.open(path, base).map { (source: $0, size: size) }
    }
    switch opened {
    case .failure(let problem):
      findings.error("the file '\(path.excerpt)' \(problem.reason)", at: value)
      return nil
    case .success(let file):
      switch read(file.source, size: file.size) {
      case .success(let movie): return movie
      case .failure(let problem):
        findings.error("the movie '\(path.excerpt)' \(problem.reason)", at: value)
        return nil
      }
    }
  }

  /// Reads a movie from the bytes of a file of a size, as far as they are needed.
  package static func read(_ source: ByteSource, size: ByteCount) -> Result<Movie, MovieProblem> {
    var reader = MovieReader(source, size: size.bytes)
    do throws(MovieProblem) {
      return .success(try reader.movie())
    } catch {
      return .failure(error)
    }
  }

  private mutating func movie() throws(MovieProblem) -> Movie {
    guard size <= Limits.bytesMax.bytes else {
      throw MovieProblem("is larger than the limit of 1 TB")
    }
    var placement = Media.IndexPlacement.front
    while index == nil || contentStart == nil, stream.offset < size {
      let had = index != nil
      try readBox()
      if index != nil, !had { placement = contentStart == nil ? .front : .back }
    }
    guard let index else { throw MovieProblem("has no box 'moov'") }
    guard let contentStart else { throw MovieProblem("has no box 'mdat' with media") }
    return try movie(
      index, placement, headerSize: placement == .front ? contentStart : indexSize)
  }

  /// Reads a box of the file.
  private mutating func readBox() throws(MovieProblem) {
    let start = stream.offset
    var bytes = try stream.take(8)
    if bytes.count == 8 {
      bytes += try stream.take(MovieBoxHeader.size(of: bytes[...]) - 8)
    }
    guard bytes.count >= 8, bytes.count == MovieBoxHeader.size(of: bytes[...]) else {
      throw MovieProblem("ends in the header of a box at byte \(stream.offset)")
    }
    guard let header = MovieBoxHeader(bytes[...]) else {
      throw MovieProblem("has a box at byte \(start) whose size cannot be")
    }
    if start == 0, !header.type.isFirst {
      throw MovieProblem("is not a movie: it begins with '\(header.type.name)'")
    }
    let content = (header.boxSize ?? size - start) - header.headerSize
    // A file may be shorter than it was when its size was asked for.
    let isCut = content > size - stream.offset
    switch header.type {
    case .moov:
      if index != nil { throw MovieProblem("has a second box 'moov' at byte \(start)") }
      guard content <= Self.indexMax else {
        throw MovieProblem("has a box 'moov' of \(content) bytes, more than 64 MiB")
      }
      let bytes = try stream.take(Int(content))
      guard !isCut, Int64(bytes.count) == content else {
        throw .ends(in: MovieBox.typeAtEnd(of: bytes, in: .moov), at: stream.offset)
      }
      index = MovieBox(header, at: start, bytes, 0..<bytes.count)
      indexSize = content + header.headerSize
    case .moof: throw MovieProblem("is in fragments, which are not read")
    default:
      if isCut { throw .ends(in: header.type, at: size) }
      if header.type == .mdat, content > 0, contentStart == nil {
        contentStart = stream.offset
        if index != nil { return }
      }
      let end = stream.offset + content
      try stream.skip(content)
      if stream.offset < end { throw .ends(in: header.type, at: stream.offset) }
    }
  }

  private func movie(
    _ index: MovieBox, _ placement: Media.IndexPlacement, headerSize: Int64
  ) throws(MovieProblem) -> Movie {
    let children = try index.children()
    if try children.only(MovieBoxType("cmov")) != nil {
      throw .wrong(index, "that is compressed")
    }
    if try children.only(MovieBoxType("mvex")) != nil {
      throw MovieProblem("is in fragments, which are not read")
    }
    let length = try MovieLength(try children.required(MovieBoxType("mvhd"), in: index))
    let boxes = children.filter { $0.type == .trak }
    guard !boxes.isEmpty, boxes.count <= Self.tracksMax else {
      throw .wrong(index, "with \(boxes.count) tracks, where 1 to \(Self.tracksMax) can be")
    }
    var tracks: [(track: MovieTrack, samples: MovieSamples)] = []
    for box in boxes { tracks.append(try MovieTrack.read(box, length.clock)) }
    let longest = tracks.map { $0.track.duration }.max() ?? .zero
    var positions = MoviePositions(duration: longest)
    for (track, samples) in tracks {
      try samples.forEachRun(fileSize: size) { run in positions.enter(run, of: track) }
    }
    positions.finish()
    var duration = longest
    if let units = length.units {
      guard let time = length.clock.time(units) else { throw .wrong(index, MovieTrack.isTooLong) }
      duration = time
    }
    return Movie(
      size: ByteCount(bytes: size), indexPlacement: placement,
      headerSize: ByteCount(bytes: headerSize), duration: duration, tracks: tracks.map { $0.track },
      positions: positions)
  }
}
