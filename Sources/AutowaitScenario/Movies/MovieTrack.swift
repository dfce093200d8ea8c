import Autowait

/// A clock of a movie: how many of its units are a second.
struct MovieClock: Hashable, Sendable {
  /// The units of a second, more than 0.
  let unitsPerSecond: UInt64

  /// Returns a time in nanoseconds, rounded down; nil if it is longer than media can be.
  ///
  /// A time before the beginning is rounded towards the beginning: nobody asks how far before.
  func time(_ units: Int64) -> MediaTime? {
    let nanoseconds = Int128(units) * 1_000_000_000 / Int128(unitsPerSecond)
    guard nanoseconds <= Int128(Limits.mediaMax.nanoseconds),
      nanoseconds >= -Int128(Limits.mediaMax.nanoseconds)
    else { return nil }
    return MediaTime(nanoseconds: Int64(nanoseconds))
  }

  /// Returns the latest time in units that is no later than one in nanoseconds, which is not
  /// negative.
  func units(_ time: MediaTime) -> Int64? {
    // The units whose time rounds down to the nanosecond are those before the next nanosecond.
    let product = (Int128(time.nanoseconds) + 1) * Int128(unitsPerSecond) - 1
    return Int64(exactly: product / 1_000_000_000)
  }
}

/// A part of a track's media that is shown, and when.
struct MovieEdit: Hashable, Sendable {
  /// When it begins to be shown.
  let start: MediaTime
  /// How long it is shown; nil if to the end of the media.
  let duration: MediaTime?
  /// Where it begins in the media, in units of the media.
  let mediaStart: Int64
}

/// A track of a movie.
package struct MovieTrack: Hashable, Sendable {
  /// What a track has.
  package enum TrackContent: Hashable, Sendable {
    case video, audio, other
  }

  package let content: TrackContent
  /// Whether the track is played, unless the user wishes otherwise.
  package let isEnabled: Bool
  /// How long all of its media is.
  package let mediaDuration: MediaTime
  /// How long it is shown, by its edit list if it has one.
  package let duration: MediaTime
  /// The media before the first part that is shown: of AAC, what the decoder begins with.
  package let priming: MediaTime
  /// The media after the last part that is shown.
  package let remainder: MediaTime
  package let sampleCount: Int64
  /// The color of a picture; nil if the file does not say.
  package let color: VideoColor?

  /// The parts of the media that are shown, the first one first.
  let edits: [MovieEdit]
  let clock: MovieClock
}

extension MovieTrack {
  /// The most parts of its media that a track can show; assumed.
  private static let editsMax = 16

  /// Reads the box `trak` of a movie with a clock of its own.
  static func read(
    _ box: MovieBox, _ movieClock: MovieClock
  ) throws(MovieProblem) -> (track: MovieTrack, samples: MovieSamples) {
    let children = try box.children()
    var header = try children.required(MovieBoxType("tkhd"), in: box).fields
    let isEnabled = try header.version(upTo: 1).flags & 1 != 0
    // The rest of it says how the picture lies on the screen.
    try header.skip(80)

    let mediaBox = try children.required(.mdia, in: box)
    let media = try mediaBox.children()
    let length = try MovieLength(try media.required(MovieBoxType("mdhd"), in: mediaBox))
    var handler = try media.required(MovieBoxType("hdlr"), in: mediaBox).fields
    try handler.skip(8)
    let content: TrackContent
    switch MovieBoxType(code: UInt32(truncatingIfNeeded: try handler.number(4))) {
    case MovieBoxType("vide"): content = .video
    case MovieBoxType("soun"): content = .audio
    default: content = .other
    }

    let informationBox = try media.required(.minf, in: mediaBox)
    let tableBox = try informationBox.children().required(.stbl, in: informationBox)
    let samples = try MovieSamples(tableBox)
    let mediaUnits = length.units ?? samples.duration
    guard let mediaDuration = length.clock.time(mediaUnits),
      length.clock.time(samples.duration) != nil
    else { throw .wrong(mediaBox, Self.isTooLong) }
    let shown = try edits(children, (movieClock, length.clock), mediaDuration, box)
    let track = MovieTrack(
      content: content, isEnabled: isEnabled, mediaDuration: mediaDuration,
      duration: shown.end, priming: shown.priming, remainder: shown.remainder,
      sampleCount: samples.count, color: content == .video ? try color(tableBox) : nil,
      edits: shown.edits, clock: length.clock)
    return (track, samples)
  }

  /// What is said of a box with media that is too long.
  static let isTooLong = "with media longer than the limit of 366 d"

  /// What an edit list says, or its absence.
  private struct Shown {
    var edits: [MovieEdit] = []
    var end = MediaTime.zero
    var priming = MediaTime.zero
    var remainder = MediaTime.zero
  }

  private static func edits(
    _ children: [MovieBox], _ clocks: (movie: MovieClock, media: MovieClock),
    _ mediaDuration: MediaTime, _ track: MovieBox
  ) throws(MovieProblem) -> Shown {
    let list = try children.only(MovieBoxType("edts")).flatMap { outer throws(MovieProblem) in
      try outer.children().only(MovieBoxType("elst"))
    }
    guard let list else {
      let whole = MovieEdit(start: .zero, duration: nil, mediaStart: 0)
      return Shown(edits: [whole], end: mediaDuration)
    }
    var fields = list.fields
    let width = try fields.version(upTo: 1).version == 1 ? 8 : 4
    let count = try fields.number(4)
    _ = try fields.rows(count, of: 2 * width + 4)
    var shown = Shown()
    // Times are added up in units, so that none of them is rounded twice.
    var (units, toTheEnd) = (Int64(0), MediaTime.zero)
    for _ in 0..<count {
      let (duration, mediaStart) = (try fields.signed(width), try fields.signed(width))
      let length = width == 4 ? Int64(UInt32(truncatingIfNeeded: duration)) : duration
      let rate = try fields.number(4)
      let (sum, isOverflow) = units.addingReportingOverflow(length)
      guard length >= 0, mediaStart >= -1, !isOverflow, let start = clocks.movie.time(units),
        let end = clocks.movie.time(sum), let first = clocks.media.time(mediaStart)
      else { throw .wrong(list, "with times that cannot be") }
      units = sum
      if mediaStart == -1 { continue }
      guard rate == 1 << 16 else { throw .wrong(list, "with a rate other than 1") }
      guard shown.edits.count < editsMax else {
        throw .wrong(list, "with more than \(editsMax) edits")
      }
      let rest = max(mediaDuration - first, .zero)
      // An edit without a duration is as long as what is left of the media.
      let part = length == 0 ? rest : end - start
      shown.edits.append(
        MovieEdit(
          start: start + toTheEnd, duration: length == 0 ? nil : part, mediaStart: mediaStart))
      if length == 0 { toTheEnd = toTheEnd + rest }
      if shown.edits.count == 1 { shown.priming = first }
      shown.remainder = max(rest - part, .zero)
    }
    guard let end = clocks.movie.time(units), end + toTheEnd <= Limits.mediaMax else {
      throw .wrong(track, isTooLong)
    }
    shown.end = end + toTheEnd
    return shown
  }

  /// Returns the color that the first description of a picture has; nil if it has none.
  private static func color(_ table: MovieBox) throws(MovieProblem) -> VideoColor? {
    let descriptions = try table.children().required(MovieBoxType("stsd"), in: table)
    // A version, flags and a count; then the fields of every description, and those of a picture.
    guard let picture = try descriptions.children(after: 8).first else { return nil }
    for box in try picture.children(after: 78) where box.type == MovieBoxType("colr") {
      var fields = box.fields
      let kind = MovieBoxType(code: UInt32(truncatingIfNeeded: try fields.number(4)))
      guard [MovieBoxType("nclx"), MovieBoxType("nclc")].contains(kind) else { continue }
      return VideoColor(
        primaries: UInt16(truncatingIfNeeded: try fields.number(2)),
        transfer: UInt16(truncatingIfNeeded: try fields.number(2)),
        matrix: UInt16(truncatingIfNeeded: try fields.number(2)))
    }
    return nil
  }
}

/// A clock and a length by it, as the boxes `mvhd` and `mdhd` have them.
struct MovieLength {
  let clock: MovieClock
  /// The length; nil if it is not known.
  let units: Int64?

  init(_ box: MovieBox) throws(MovieProblem) {
    var fields = box.fields
    let width = try fields.version(upTo: 1).version == 1 ? 8 : 4
    // When the movie was made, and when it was changed.
    try fields.skip(2 * width)
    clock = MovieClock(unitsPerSecond: try fields.number(4))
    let number = try fields.number(width)
    guard clock.unitsPerSecond > 0 else {
      throw .wrong(box, "with a time scale of 0")
    }
    // All bits are set where the length is not known; 0 is what some writers leave there.
    let unknown = width == 4 ? UInt64(UInt32.max) : UInt64.max
    if number == 0 || number == unknown {
      units = nil
      return
    }
    guard let length = Int64(exactly: number) else { throw .wrong(box, MovieTrack.isTooLong) }
    units = length
  }
}
