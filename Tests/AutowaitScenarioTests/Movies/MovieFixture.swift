/// Writes movies box by box, as small as they can be: their media is zeros.
struct MovieFixture {
  /// How the sizes of samples are written.
  enum SizeTable: Equatable {
    case each, equal
    case compact(bits: Int)
  }

  /// A track and its samples.
  struct TrackFixture {
    var handler = "vide"
    var isEnabled = true
    var scale: UInt64 = 1000
    /// How many samples last so long, in units of the track.
    var durations: [(count: Int, delta: Int)] = []
    /// The bytes of each sample; the last one stands for all that follow.
    var sizes = [10]
    var sizeTable = SizeTable.each
    var samplesPerChunk = 1
    /// The edits, with durations in units of the movie; nil for no edit list.
    var edits: [(duration: Int64, mediaTime: Int64)]?
    /// How much later than they are decoded samples are shown.
    var delays: [(count: Int, units: Int)] = []
    /// The type of a box of color and its numbers.
    var color: (kind: String, numbers: [Int])?
    /// What the header says of the length, if that is not the sum of the samples.
    var statedDuration: UInt64?

    var sampleCount: Int { durations.reduce(0) { $0 + $1.count } }
    var duration: UInt64 { durations.reduce(0) { $0 + UInt64($1.count * $1.delta) } }
    func size(_ sample: Int) -> Int { sizes[min(sample, sizes.count - 1)] }

    /// The bytes of each chunk.
    var chunks: [Int] {
      stride(from: 0, to: sampleCount, by: samplesPerChunk).map { first in
        (first..<min(first + samplesPerChunk, sampleCount)).reduce(0) { $0 + size($1) }
      }
    }
  }

  var tracks: [TrackFixture] = []
  var scale: UInt64 = 1000
  /// The length that the movie states, in its own units.
  var duration: UInt64 = 0
  /// The version of all boxes that have two.
  var version = 0
  var hasIndexAtBack = false
  var hasLargeOffsets = false
  /// Whether the size of the media has 64 bits, and whether it is left out at the end of the file.
  var hasLargeMedia = false
  var hasOpenMedia = false
  /// The bytes of a box between the others.
  var free = 0

  /// The bytes of the file.
  func bytes() -> [UInt8] {
    let type = Self.box("ftyp", Array("isom".utf8) + Self.number(512, 4) + Array("isom".utf8))
    let gap = free > 0 ? Self.box("free", Array(repeating: 0, count: free - 8)) : []
    let mediaHeader = hasLargeMedia ? 16 : 8
    let size = tracks.reduce(0) { $0 + $1.chunks.reduce(0, +) }
    var before = type.count + gap.count + mediaHeader
    if !hasIndexAtBack { before += index(mediaAt: 0).count }
    let index = index(mediaAt: before)
    var media: [UInt8]
    if hasLargeMedia {
      media = Self.number(1, 4) + Array("mdat".utf8) + Self.number(UInt64(size + 16), 8)
    } else {
      media = Self.number(hasOpenMedia ? 0 : UInt64(size + 8), 4) + Array("mdat".utf8)
    }
    media += Array(repeating: 0, count: size)
    return hasIndexAtBack ? type + gap + media + index : type + index + gap + media
  }

  private func index(mediaAt start: Int) -> [UInt8] {
    let header = Self.full(
      "mvhd", version,
      times(scale, duration) + Self.number(0x10000, 4) + Array(repeating: 0, count: 76))
    let offsets = chunkOffsets(start)
    return Self.box(
      "moov",
      header
        + tracks.indices.flatMap { number in track(number, tracks[number], offsets[number]) })
  }

  /// Where the chunks of all tracks lie, which take turns.
  private func chunkOffsets(_ start: Int) -> [[Int]] {
    var offsets: [[Int]] = tracks.map { _ in [] }
    var place = start
    for chunk in 0..<(tracks.map { $0.chunks.count }.max() ?? 0) {
      for (number, track) in tracks.enumerated() where chunk < track.chunks.count {
        offsets[number].append(place)
        place += track.chunks[chunk]
      }
    }
    return offsets
  }

  private func track(_ number: Int, _ track: TrackFixture, _ offsets: [Int]) -> [UInt8] {
    let width = version == 1 ? 8 : 4
    let header = Self.full(
      "tkhd", version, flags: track.isEnabled ? 3 : 2,
      Self.number(0, 2 * width) + Self.number(UInt64(number + 1), 4) + Self.number(0, 4)
        + Self.number(duration, width) + Array(repeating: 0, count: 60))
    let edits = track.edits.map { edits in
      let rows = edits.flatMap { edit in
        Self.number(UInt64(bitPattern: edit.duration), width)
          + Self.number(UInt64(bitPattern: edit.mediaTime), width) + Self.number(0x10000, 4)
      }
      return Self.box(
        "edts", Self.full("elst", version, Self.number(UInt64(edits.count), 4) + rows))
    }
    let handler = Self.full(
      "hdlr", 0,
      Self.number(0, 4) + Array(track.handler.utf8) + Array(repeating: 0, count: 13))
    let media = Self.box(
      "mdia",
      Self.full(
        "mdhd", version,
        times(track.scale, track.statedDuration ?? track.duration) + Self.number(0, 4))
        + handler + Self.box("minf", Self.box("stbl", tables(track, offsets))))
    return Self.box("trak", header + (edits ?? []) + media)
  }

  /// When something was made and changed, its clock and how long it is.
  private func times(_ scale: UInt64, _ duration: UInt64) -> [UInt8] {
    let width = version == 1 ? 8 : 4
    return Self.number(0, 2 * width) + Self.number(scale, 4) + Self.number(duration, width)
  }

  private func tables(_ track: TrackFixture, _ offsets: [Int]) -> [UInt8] {
    let runs = track.durations.map { ($0.count, $0.delta) }
    let count = track.sampleCount
    // The last chunk may have fewer samples than the others.
    let rest = count % track.samplesPerChunk
    var chunks = [[1, track.samplesPerChunk, 1]]
    if rest > 0 {
      if offsets.count == 1 { chunks = [] }
      chunks.append([offsets.count, rest, 1])
    }
    let delays = track.delays.map { [$0.count, $0.units] }
    return description(track) + Self.table("stts", runs.map { [$0.0, $0.1] })
      + (delays.isEmpty ? [] : Self.table("ctts", delays, version: 1))
      + sizes(track) + Self.table("stsc", chunks)
      + Self.table(
        hasLargeOffsets ? "co64" : "stco", offsets.map { [$0] }, width: hasLargeOffsets ? 8 : 4)
  }

  private func sizes(_ track: TrackFixture) -> [UInt8] {
    let count = Self.number(UInt64(track.sampleCount), 4)
    let sizes = (0..<track.sampleCount).map { track.size($0) }
    switch track.sizeTable {
    case .equal: return Self.full("stsz", 0, Self.number(UInt64(sizes[0]), 4) + count)
    case .each:
      return Self.full(
        "stsz", 0, Self.number(0, 4) + count + sizes.flatMap { Self.number(UInt64($0), 4) })
    case .compact(let bits):
      let bytes: [UInt8]
      if bits == 4 {
        bytes = stride(from: 0, to: sizes.count, by: 2).map {
          UInt8(sizes[$0] << 4 | ($0 + 1 < sizes.count ? sizes[$0 + 1] : 0))
        }
      } else {
        bytes = sizes.flatMap { Self.number(UInt64($0), bits / 8) }
      }
      return Self.full("stz2", 0, Self.number(UInt64(bits), 4) + count + bytes)
    }
  }

  private func description(_ track: TrackFixture) -> [UInt8] {
    let common = Self.number(0, 6) + Self.number(1, 2)
    guard track.handler == "vide" else {
      return Self.full("stsd", 0, Self.number(1, 4) + Self.box("mp4a", common))
    }
    let color = track.color.map { color in
      Self.box(
        "colr",
        Array(color.kind.utf8) + color.numbers.flatMap { Self.number(UInt64($0), 2) }
          + (color.kind == "nclx" ? [0] : []))
    }
    let picture = Self.box("avc1", common + Array(repeating: 0, count: 70) + (color ?? []))
    return Self.full("stsd", 0, Self.number(1, 4) + picture)
  }

  // MARK: - Boxes

  /// Returns a box.
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt64(content.count + 8), 4) + Array(type.utf8) + content
  }

  /// Returns a box with a version and flags.
  static func full(
    _ type: String, _ version: Int, flags: UInt64 = 0, _ content: [UInt8]
  ) -> [UInt8] {
    box(type, number(UInt64(version), 1) + number(flags, 3) + content)
  }

  /// Returns a box with rows of numbers.
  static func table(
    _ type: String, _ rows: [[Int]], version: Int = 0, width: Int = 4
  ) -> [UInt8] {
    full(
      type, version,
      number(UInt64(rows.count), 4)
        + rows.flatMap { $0.flatMap { number(UInt64(bitPattern: Int64($0)), width) } })
  }

  /// Returns the last bytes of a number, the largest part first.
  static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { place in
      place < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * place)) : 0
    }
  }
}

extension MovieFixture {
  /// Sound of 53.000 s and a picture of 52.967 s, a sample a second.
  static var clip: MovieFixture {
    let picture = TrackFixture(
      durations: [(52, 1000), (1, 967)], sizes: [40, 20], edits: [(52_967, 0)],
      color: ("nclx", [9, 16, 9]))
    let sound = TrackFixture(
      handler: "soun", scale: 48_000, durations: [(53, 48_000)], sizes: [16], sizeTable: .equal,
      edits: [(53_000, 0)])
    return MovieFixture(tracks: [picture, sound], duration: 53_000)
  }
}
