/// What a media playlist lists: the segments of a variant or a rendition.
///
/// The tables are flat and never written while a run goes on; a copy shares them.
public struct SegmentList: Hashable, Sendable {
  /// A stretch of segments that need the same initialisation section and key.
  public struct Stretch: Hashable, Sendable {
    /// The first segment of the stretch; the next stretch ends it.
    public var first: Int
    /// The number of the initialisation section in the list's own; nil if none is needed.
    public var initialization: Int?
    /// The number of the key among the ladder's; nil if the segments are not encrypted.
    public var key: Int?

    /// Creates a stretch.
    public init(first: Int, initialization: Int? = nil, key: Int? = nil) {
      self.first = first
      self.initialization = initialization
      self.key = key
    }
  }

  /// The bytes of the playlist itself, as they are sent.
  public var playlistSize = ByteCount.zero
  /// The bytes of each initialisation section.
  public var initializations: [ByteCount] = []
  /// What the segments need, in stretches by ascending first segment; the first one begins at 0.
  public private(set) var stretches = [Stretch(first: 0)]
  /// The segments that are missing on purpose (`EXT-X-GAP`), by ascending number.
  public var gaps: [Int] = []
  /// The longest segment as the playlist declares it; live playlists are reloaded by it.
  public var targetDuration = MediaTime.zero
  /// The way to the host, as in ``Media/route``.
  public var route = 0

  /// Where each segment starts, and where the last one ends, in nanoseconds of media.
  private var starts: [Int64] = [0]
  /// The bytes before each segment, and of all.
  private var bytesBefore: [Int64] = [0]

  /// Creates a list of segments with their durations and sizes.
  public init(_ segments: [(duration: MediaTime, size: ByteCount)]) {
    starts.reserveCapacity(segments.count + 1)
    bytesBefore.reserveCapacity(segments.count + 1)
    for segment in segments { append(segment.duration, segment.size) }
  }

  /// Adds a segment behind the last one.
  public mutating func append(_ duration: MediaTime, _ size: ByteCount) {
    precondition(duration >= .zero && size >= .zero, "a segment that takes something away")
    starts.append(starts[starts.count - 1] + duration.nanoseconds)
    bytesBefore.append(bytesBefore[bytesBefore.count - 1] + size.bytes)
    targetDuration = max(targetDuration, duration)
  }

  /// Says what the segments from one on need.
  public mutating func need(_ stretch: Stretch) {
    precondition(stretch.first >= stretches[stretches.count - 1].first, "stretches out of order")
    if stretches[stretches.count - 1].first == stretch.first { stretches.removeLast() }
    stretches.append(stretch)
  }

  /// Gives the keys other numbers.
  public mutating func renumberKeys(_ number: (Int) -> Int) {
    for index in stretches.indices { stretches[index].key = stretches[index].key.map(number) }
  }

  /// The number of segments.
  @inline(__always)
  public var count: Int { starts.count - 1 }

  /// Where the last segment ends.
  @inline(__always)
  public var end: MediaTime { MediaTime(nanoseconds: starts[starts.count - 1]) }

  /// Where the last segment starts.
  var lastStart: MediaTime { count == 0 ? .zero : start(of: count - 1) }

  /// Returns where a segment starts.
  @inline(__always)
  public func start(of segment: Int) -> MediaTime { MediaTime(nanoseconds: starts[segment]) }

  /// Returns where a segment ends.
  @inline(__always)
  public func end(of segment: Int) -> MediaTime { MediaTime(nanoseconds: starts[segment + 1]) }

  /// Returns the bytes of a segment.
  @inline(__always)
  public func size(of segment: Int) -> ByteCount {
    ByteCount(bytes: bytesBefore[segment + 1] - bytesBefore[segment])
  }

  /// Returns the bytes of all segments from one up to, and without, another.
  @inline(__always)
  func size(from first: Int, to end: Int) -> ByteCount {
    ByteCount(bytes: bytesBefore[end] - bytesBefore[first])
  }

  /// Returns the first segment that ends behind a time, looked for near a guess; `count` if none.
  @inline(__always)
  func segment(at time: MediaTime, near guess: Int = 0) -> Int {
    let place = time.nanoseconds
    if guess < count, starts[guess] <= place {
      if place < starts[guess + 1] { return guess }
      if guess + 1 < count, place < starts[guess + 2] { return guess + 1 }
    }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle + 1] > place { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns what a segment needs.
  @inline(__always)
  func stretch(of segment: Int) -> Stretch {
    if stretches.count == 1 { return stretches[0] }
    var (low, high) = (1, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].first > segment { high = middle } else { low = middle + 1 }
    }
    return stretches[low - 1]
  }

  /// Whether no segment needs an initialisation section or a key.
  var needsNothing: Bool {
    stretches.count == 1 && stretches[0].initialization == nil && stretches[0].key == nil
  }

  /// Returns whether a segment is missing on purpose.
  @inline(__always)
  func isGap(_ segment: Int) -> Bool {
    if gaps.isEmpty { return false }
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle] < segment { low = middle + 1 } else { high = middle }
    }
    return low < gaps.count && gaps[low] == segment
  }

  /// The largest segment or initialisation section.
  var largest: ByteCount {
    var largest = initializations.reduce(playlistSize) { max($0, $1) }
    for segment in 0..<count { largest = max(largest, size(of: segment)) }
    return largest
  }
}
