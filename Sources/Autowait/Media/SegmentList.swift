/// What a media playlist lists: the segments of a variant or a rendition.
///
/// The tables are flat and never written while a run goes on; a copy shares them. A list of many
/// even segments has none: it reckons.
package struct SegmentList: Hashable, Sendable {
  /// A stretch of segments that need the same initialisation section and key.
  package struct SegmentStretch: Hashable, Sendable {
    /// The first segment of the stretch; the next stretch ends it.
    package var first: Int
    /// The number of the initialisation section in the list's own; nil if none is needed.
    package var initialization: Int?
    /// The number of the key among the stream's; nil if the segments are not encrypted.
    package var key: Int?

    /// Creates a stretch.
    package init(first: Int, initialization: Int? = nil, key: Int? = nil) {
      self.first = first
      self.initialization = initialization
      self.key = key
    }
  }

  /// The bytes of the playlist itself, as they are sent, with all segments listed.
  package var playlistSize = ByteCount.zero
  /// How the bytes of a live playlist follow what it lists; nil if it always has `playlistSize`.
  package var playlistText: PlaylistText? {
    get { playlistTexts.first }
    set { playlistTexts = newValue.map { [$0] } ?? [] }
  }
  /// That, in an array of one: a list of up to fifteen words is read where it lies, and a larger
  /// one is copied first (measured: a twentieth of the time of a stream).
  private var playlistTexts: [PlaylistText] = []
  /// The bytes of each initialisation section.
  package var initializations: [ByteCount] = []
  /// What the segments need, in stretches by ascending first segment; the first one begins at 0.
  package private(set) var stretches = [SegmentStretch(first: 0)]
  /// The segments that are missing on purpose (`EXT-X-GAP`), by ascending number.
  package var gaps: [Int] = []
  /// The longest segment as the playlist declares it; live playlists are reloaded by it.
  package var targetDuration = MediaTime.zero {
    didSet { noteTargetDuration() }
  }
  /// The target duration as a playlist says it: in whole seconds, of which a short segment takes
  /// one (RFC 8216, 4.3.3.1).
  private(set) var wholeTargetDuration = TimeSpan.seconds(1)
  /// The bytes of a segment that would follow the last one, of which rules know that look ahead;
  /// zero if nobody says.
  ///
  /// Pensieve's films have it: they end one segment before their sizes do.
  package var sizeAfterEnd = ByteCount.zero
  /// The way to the host, as in ``Media/route``.
  package var route = 0

  /// Where a segment starts, in nanoseconds of media, and the bytes before it.
  private struct Mark: Hashable, Sendable {
    var start: Int64
    var bytesBefore: Int64
  }

  /// Even lists with more segments have no tables.
  ///
  /// The tables of a thousand players of an hour would be 70 MB: more than a cache holds, and each
  /// look at a segment waits for memory (measured: an eighth of their time).
  private static let tableMax = 256

  /// The number of segments.
  package private(set) var count = 0
  /// What is known of the beginning of each segment, and of the end of the last one; nothing if it
  /// is reckoned.
  private var marks = [Mark(start: 0, bytesBefore: 0)]
  /// What they are reckoned from, in an array of one for the list to be small.
  private var even: [EvenSegments] = []

  /// Creates a list of segments with their durations and sizes.
  package init(_ segments: [(duration: MediaTime, size: ByteCount)]) {
    marks.reserveCapacity(segments.count + 1)
    for segment in segments { append(segment.duration, segment.size) }
  }

  /// Creates a list of even segments.
  package init(_ segments: EvenSegments) {
    even = [segments]
    count = segments.count
    targetDuration = min(segments.segment, segments.duration)
    noteTargetDuration()
    marks = []
    if count <= Self.tableMax { list() }
  }

  /// Makes tables of what is reckoned.
  private mutating func list() {
    guard let segments = even.first else { return }
    marks = (0...count).map {
      Mark(start: segments.start(of: $0), bytesBefore: segments.bytesBefore($0))
    }
    even = []
  }

  /// Whether the segments are reckoned and not listed.
  package var isReckoned: Bool { !even.isEmpty }

  /// Adds a segment behind the last one.
  package mutating func append(_ duration: MediaTime, _ size: ByteCount) {
    precondition(
      duration >= .zero && size >= .zero,
      "the duration and size of a segment must not be negative, are \(duration) and \(size)")
    if isReckoned { list() }
    count += 1
    let last = marks[marks.count - 1]
    marks.append(
      Mark(
        start: last.start + duration.nanoseconds, bytesBefore: last.bytesBefore + size.bytes))
    targetDuration = max(targetDuration, duration)
  }

  /// Says what the segments from one on need.
  package mutating func need(_ stretch: SegmentStretch) {
    precondition(
      stretch.first >= stretches[stretches.count - 1].first,
      "stretches must ascend, one from segment \(stretch.first) comes after one from segment "
        + "\(stretches[stretches.count - 1].first)")
    if stretches[stretches.count - 1].first == stretch.first { stretches.removeLast() }
    stretches.append(stretch)
  }

  /// Gives the keys other numbers.
  package mutating func renumberKeys(_ number: (Int) -> Int) {
    for index in stretches.indices { stretches[index].key = stretches[index].key.map(number) }
  }

  /// Where the last segment ends.
  @inline(__always)
  package var end: MediaTime { start(of: count) }

  private mutating func noteTargetDuration() {
    let seconds = (targetDuration.nanoseconds + 999_999_999) / 1_000_000_000
    wholeTargetDuration = .seconds(max(1, seconds))
  }

  /// Where a segment starts; the end of all for the number behind the last one.
  func time(of segment: Int) -> MediaTime {
    segment < count ? start(of: segment) : end
  }

  /// Where the last segment starts.
  var lastStart: MediaTime { count == 0 ? .zero : start(of: count - 1) }

  /// Returns where a segment starts.
  @inline(__always)
  package func start(of segment: Int) -> MediaTime {
    MediaTime(
      nanoseconds: segment < marks.count
        ? marks[segment].start : Self.reckonedStart(segment, even, count))
  }

  /// Returns where a segment ends.
  @inline(__always)
  package func end(of segment: Int) -> MediaTime { start(of: segment + 1) }

  /// Returns the bytes of a segment.
  @inline(__always)
  package func size(of segment: Int) -> ByteCount {
    size(from: segment, to: segment + 1)
  }

  /// Returns the bytes of all segments from one up to, and without, another.
  @inline(__always)
  func size(from first: Int, to end: Int) -> ByteCount {
    if end < marks.count {
      return ByteCount(bytes: marks[end].bytesBefore - marks[first].bytesBefore)
    }
    return Self.reckonedSize(first, end, even, count)
  }

  /// Whether a segment has more than a rate allows for as long as it plays; a byte that it begins
  /// is allowed.
  func exceeds(_ rate: BitRate, in segment: Int) -> Bool {
    let span = TimeSpan(nanoseconds: end(of: segment).nanoseconds - start(of: segment).nanoseconds)
    return size(of: segment) > DataAmount(rate, for: span).begunBytes
  }

  /// Whether any segment has.
  func exceeds(_ rate: BitRate) -> Bool {
    if let even = even.first, even.variation == nil { return even.bitRate > rate }
    return (0..<count).contains { exceeds(rate, in: $0) }
  }

  // What is reckoned is told apart from the list: a function that is not inlined and has the list
  // for its `self` has all of it copied first, reckoned or not (measured: 20 instructions a look).
  @inline(never)
  private static func reckonedStart(
    _ segment: Int, _ even: [EvenSegments], _ count: Int
  ) -> Int64 {
    precondition(!even.isEmpty && segment <= count, "segment \(segment) of \(count)")
    return even[0].start(of: segment)
  }

  @inline(never)
  private static func reckonedSize(
    _ first: Int, _ end: Int, _ even: [EvenSegments], _ count: Int
  ) -> ByteCount {
    precondition(!even.isEmpty && end <= count, "segment \(end) of \(count)")
    return ByteCount(bytes: even[0].bytesBefore(end) - even[0].bytesBefore(first))
  }

  @inline(never)
  private static func segment(
    at place: Int64, _ even: [EvenSegments], _ marks: [Mark], _ count: Int
  ) -> Int {
    if !even.isEmpty { return even[0].segment(at: place) }
    return (0..<count).firstPlace { marks[$0 + 1].start > place }
  }

  /// Returns the first segment that ends behind a time, looked for near a guess; `count` if none.
  @inline(__always)
  func segment(at time: MediaTime, near guess: Int = 0) -> Int {
    let place = time.nanoseconds
    if guess + 1 < marks.count, marks[guess].start <= place {
      if place < marks[guess + 1].start { return guess }
      if guess + 2 < marks.count, place < marks[guess + 2].start { return guess + 1 }
    }
    return Self.segment(at: place, even, marks, count)
  }

  /// Returns what a segment needs.
  @inline(__always)
  func stretch(of segment: Int) -> SegmentStretch {
    if stretches.count == 1 { return stretches[0] }
    return stretches[(1..<stretches.count).firstPlace { stretches[$0].first > segment } - 1]
  }

  /// Whether no segment needs an initialisation section or a key.
  var needsNothing: Bool {
    stretches.count == 1 && stretches[0].initialization == nil && stretches[0].key == nil
  }

  /// Returns whether a segment is missing on purpose.
  @inline(__always)
  func isGap(_ segment: Int) -> Bool {
    if gaps.isEmpty { return false }
    let place = gaps.indices.firstPlace { gaps[$0] >= segment }
    return place < gaps.count && gaps[place] == segment
  }

  /// Returns the bytes of all segments from one up to, and without, another that are not missing on
  /// purpose.
  @inline(__always)
  func data(from first: Int, to end: Int) -> ByteCount {
    gaps.isEmpty ? size(from: first, to: end) : dataBesideGaps(from: first, to: end)
  }

  @inline(never)
  private func dataBesideGaps(from first: Int, to end: Int) -> ByteCount {
    var bytes = size(from: first, to: end).bytes
    for gap in gaps where first <= gap && gap < end { bytes -= size(of: gap).bytes }
    return ByteCount(bytes: bytes)
  }

  /// Returns the first segment from one on that is not missing on purpose; `count` if none.
  @inline(__always)
  func segmentThere(from segment: Int) -> Int {
    if gaps.isEmpty { return segment }
    var next = segment
    while next < count, isGap(next) { next += 1 }
    return next
  }

  /// Returns the last segment before one that is not missing on purpose; −1 if none.
  @inline(__always)
  func segmentThere(before segment: Int) -> Int {
    var last = segment - 1
    if gaps.isEmpty { return last }
    while last >= 0, isGap(last) { last -= 1 }
    return last
  }

  /// The largest segment or initialisation section.
  var largest: ByteCount {
    var largest = initializations.reduce(.zero) { max($0, $1) }
    for segment in 0..<count { largest = max(largest, size(of: segment)) }
    return largest
  }
}

/// What a live playlist is made of, for its size to follow what it lists.
package struct PlaylistText: Hashable, Sendable {
  /// The bytes that it has whatever it lists.
  package var head: ByteCount
  /// The bytes of the entries of so many segments.
  package var entries: ByteCount
  /// The segments whose entries those are; at least one.
  package var entryCount: Int
  /// The bytes of the tag before each stretch of segments that needs a key.
  package var key = ByteCount.zero
  /// The bytes of the tag before each stretch of segments that needs an initialisation section.
  package var initialization = ByteCount.zero
  /// The part of it that is sent after compression, in billionths.
  package var sentPart: Int64 = 1_000_000_000

  /// Creates the text of a playlist.
  package init(head: ByteCount, entries: ByteCount, of entryCount: Int) {
    self.head = head
    self.entries = entries
    self.entryCount = entryCount
  }

  /// Refuses what no playlist has.
  func check() {
    precondition(entryCount > 0, "entryCount must be at least 1, is \(entryCount)")
    precondition(
      head >= .zero && entries >= .zero && key >= .zero && initialization >= .zero,
      "the sizes of a playlist must not be negative: head \(head), entries \(entries), key "
        + "\(key), initialization \(initialization)")
    precondition(sentPart >= 0, "sentPart must not be negative, is \(sentPart)")
  }
}

extension SegmentList {
  /// Returns the bytes of the playlist, as they are sent, when it lists some of the segments.
  package func playlistSize(listing listed: Range<Int>) -> ByteCount {
    guard let text = playlistText else { return playlistSize }
    var bytes = Int128(text.head.bytes)
    bytes += Int128(text.entries.bytes) * Int128(listed.count) / Int128(text.entryCount)
    let tags = tags(of: listed)
    bytes += Int128(text.key.bytes) * Int128(tags.keys)
    bytes += Int128(text.initialization.bytes) * Int128(tags.initializations)
    bytes = (bytes * Int128(text.sentPart) + 999_999_999) / 1_000_000_000
    return ByteCount(bytes: Int64(min(bytes, Int128(Limits.bytesMax.bytes))))
  }

  /// Counts the tags that name what some of the segments need.
  private func tags(of listed: Range<Int>) -> (keys: Int, initializations: Int) {
    var (keys, initializations) = (0, 0)
    var last: Int?
    if listed.isEmpty || stretches.isEmpty { return (0, 0) }
    let first = (1..<stretches.count).firstPlace { stretches[$0].first > listed.lowerBound } - 1
    for stretch in stretches[first...] {
      if stretch.first >= listed.upperBound { break }
      if stretch.key != nil { keys += 1 }
      let section = stretch.initialization
      if section != nil, section != last { initializations += 1 }
      last = section
    }
    return (keys, initializations)
  }
}
