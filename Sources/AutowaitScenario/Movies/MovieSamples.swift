/// Samples of a track that lie one after the other in the file, of one size and one duration each.
struct MovieRun {
  /// When the first one begins to be shown, in units of the media, and how long each lasts.
  let start: Int64
  let delta: Int64
  let count: Int64
  /// Where the first one lies in the file, and the bytes of each.
  let offset: Int64
  let size: Int64
}

/// The samples of a track: when each is shown and where it lies.
///
/// All stays in the tables of the box `stbl`; nothing is kept for each sample.
struct MovieSamples {
  /// How the size of each sample is written.
  private enum Sizes {
    /// All have one size.
    case equal(Int64)
    /// Each has a number of 4, 8, 16 or 32 bits.
    case rows(MovieRows, bits: Int)
  }

  private let box: MovieBox
  private let durations: MovieRows
  private let delays: (rows: MovieRows, isSigned: Bool)?
  private let sizes: Sizes
  private let chunks: MovieRows
  private let offsets: MovieRows

  /// The number of samples.
  let count: Int64
  /// How long all of them last, in units of the media.
  let duration: Int64

  /// Reads the box `stbl`.
  init(_ box: MovieBox) throws(MovieProblem) {
    self.box = box
    let children = try box.children()
    durations = try Self.rows(children, "stts", in: box, size: 8)
    chunks = try Self.rows(children, "stsc", in: box, size: 12)
    if let box = try children.only(MovieBoxType("ctts")) {
      var fields = box.fields
      let isSigned = try fields.version(upTo: 1).version == 1
      delays = (rows: try fields.rows(of: 8), isSigned: isSigned)
    } else {
      delays = nil
    }
    if try children.only(MovieBoxType("co64")) != nil {
      offsets = try Self.rows(children, "co64", in: box, size: 8)
    } else {
      offsets = try Self.rows(children, "stco", in: box, size: 4)
    }
    (count, sizes) = try Self.sizes(children, in: box)
    duration = try Self.duration(durations, count: count, in: box)
  }

  /// Reads a table that is a count and as many rows.
  private static func rows(
    _ children: [MovieBox], _ name: StaticString, in outer: MovieBox, size: Int
  ) throws(MovieProblem) -> MovieRows {
    var fields = try children.required(MovieBoxType(name), in: outer).fields
    _ = try fields.version(upTo: 0)
    return try fields.rows(of: size)
  }

  private static func sizes(
    _ children: [MovieBox], in outer: MovieBox
  ) throws(MovieProblem) -> (Int64, Sizes) {
    if let box = try children.only(MovieBoxType("stz2")) {
      var fields = box.fields
      _ = try fields.version(upTo: 0)
      try fields.skip(3)
      let (bits, count) = (Int(try fields.number(1)), try fields.number(4))
      guard [4, 8, 16].contains(bits) else { throw .wrong(box, "with sizes of \(bits) bits") }
      // Two sizes of four bits are a byte.
      let rows = bits == 4 ? (count + 1) / 2 : count
      return (Int64(count), .rows(try fields.rows(rows, of: max(bits / 8, 1)), bits: bits))
    }
    var fields = try children.required(MovieBoxType("stsz"), in: outer).fields
    _ = try fields.version(upTo: 0)
    let (size, count) = (try fields.number(4), try fields.number(4))
    if size > 0 { return (Int64(count), .equal(Int64(size))) }
    return (Int64(count), .rows(try fields.rows(count, of: 4), bits: 32))
  }

  /// Adds up how long all samples last.
  private static func duration(
    _ durations: MovieRows, count: Int64, in box: MovieBox
  ) throws(MovieProblem) -> Int64 {
    var (samples, total) = (Int64(0), Int64(0))
    for row in 0..<durations.count {
      let (part, isTooLong) = durations.number(row).multipliedReportingOverflow(
        by: durations.number(row, at: 4))
      let (sum, isOverflow) = total.addingReportingOverflow(part)
      if isTooLong || isOverflow { throw .wrong(box, "with samples that last too long") }
      total = sum
      samples += durations.number(row)
    }
    guard samples == count else {
      throw .wrong(box, "with \(count) samples, and durations of \(samples)")
    }
    return total
  }

  /// Returns the bytes of a sample.
  private func size(of sample: Int64) -> Int64 {
    switch sizes {
    case .equal(let size): return size
    case .rows(let rows, let bits):
      let sample = Int(sample)
      if bits >= 8 { return rows.number(sample, bytes: rows.rowSize) }
      let pair = rows.number(sample / 2, bytes: 1)
      return sample % 2 == 0 ? pair >> 4 : pair & 0xF
    }
  }

  /// Calls a function with all samples, in the order of the table; every run lies in the file.
  func forEachRun(
    fileSize: Int64, _ body: (MovieRun) throws(MovieProblem) -> Void
  ) throws(MovieProblem) {
    var (sample, time) = (Int64(0), Int64(0))
    var duration = MovieRowCursor(durations)
    var delay = delays.map { MovieRowCursor($0.rows) }
    var row = 0
    for chunk in 0..<offsets.count {
      if row + 1 < chunks.count, chunks.number(row + 1) == Int64(chunk) + 1 { row += 1 }
      // Rows must ascend from the first chunk: one that does not is never reached.
      guard row < chunks.count, chunks.number(0) == 1 else {
        throw .wrong(box, "whose chunks do not begin with the first one")
      }
      var left = chunks.number(row, at: 4)
      var offset = offsets.number(chunk, bytes: offsets.rowSize)
      while left > 0 {
        guard sample < count else {
          throw .wrong(box, "with \(count) samples, and chunks of more")
        }
        duration.advance()
        delay?.advance()
        var part = min(left, duration.left, count - sample)
        if let delay, delay.left > 0 { part = min(part, delay.left) }
        if case .rows = sizes { part = 1 }
        let run = MovieRun(
          start: try shown(time, delay), delta: durations.number(duration.row, at: 4), count: part,
          offset: offset, size: size(of: sample))
        offset = try end(of: run, fileSize)
        try body(run)
        time += part * run.delta
        sample += part
        left -= part
        duration.left -= part
        delay?.left -= part
      }
    }
    guard sample == count else {
      throw .wrong(box, "with \(count) samples, and chunks of \(sample)")
    }
    guard row + 1 >= chunks.count else {
      throw .wrong(box, "whose table of chunks is out of order")
    }
  }

  /// Returns when a sample is shown that is decoded at a time.
  private func shown(_ time: Int64, _ delay: MovieRowCursor?) throws(MovieProblem) -> Int64 {
    guard let delays, let delay, delay.left > 0 else { return time }
    let number = delays.rows.number(delay.row, at: 4)
    let units = delays.isSigned ? Int64(Int32(truncatingIfNeeded: number)) : number
    let (sum, isOverflow) = time.addingReportingOverflow(units)
    if isOverflow { throw .wrong(box, "with samples that last too long") }
    return sum
  }

  /// Returns where a run of samples ends, which must be in the file.
  private func end(of run: MovieRun, _ fileSize: Int64) throws(MovieProblem) -> Int64 {
    // Both factors have 32 bits, so their product has 64 and no sign.
    let bytes = UInt64(run.size) * UInt64(run.count)
    guard run.offset >= 0, run.offset <= fileSize, bytes <= UInt64(fileSize - run.offset) else {
      throw .wrong(box, "with samples after byte \(fileSize), the end of the file")
    }
    return run.offset + Int64(bytes)
  }
}

/// A place in a table whose rows each stand for a number of samples.
struct MovieRowCursor {
  private let rows: MovieRows
  private(set) var row = 0
  /// The samples of the row that are left; 0 after the last row.
  var left: Int64

  init(_ rows: MovieRows) {
    self.rows = rows
    left = rows.count > 0 ? rows.number(0) : 0
  }

  /// Goes on to the next row that has samples, if none are left.
  mutating func advance() {
    while left <= 0, row + 1 < rows.count {
      row += 1
      left = rows.number(row)
    }
  }
}
