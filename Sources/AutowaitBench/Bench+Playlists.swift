import Autowait
import AutowaitScenario

/// What it costs to read and write playlists.
extension Bench {
  /// The segments of the media playlist that is read.
  private static let segmentCount = 40_000

  /// Measures a playlist as large as the largest one that is met, with plain files and with byte
  /// ranges.
  mutating func measurePlaylists(_ writer: inout JSONWriter, rounds: Int) {
    writer.object("playlists") { writer in
      writer.field("segments", Int64(Self.segmentCount))
      for (key, hasRanges) in [("plain", false), ("byteRanges", true)] {
        let source = Self.source(hasRanges: hasRanges)
        let read = Stopwatch.best(of: rounds) {
          absorb(PlaylistReader.read(source).playlist == nil ? 0 : 1)
        }
        let playlist = PlaylistReader.read(source).playlist
        let write = Stopwatch.best(of: rounds) {
          let bytes = playlist.flatMap { try? PlaylistWriter.write($0) }
          absorb(UInt64(bytes?.count ?? 0))
        }
        writer.object(text: key) { writer in
          writer.field("bytes", Int64(source.bytes.count))
          writer.field("readMicroseconds", read / 1_000)
          writer.field("writeMicroseconds", write / 1_000)
        }
      }
    }
  }

  private static func source(hasRanges: Bool) -> SourceText {
    var text = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:10\n"
    for index in 0..<segmentCount {
      text += "#EXTINF:9.\(index % 1_000),\n"
      if hasRanges { text += "#EXT-X-BYTERANGE:1000@\(1_000 * index)\n" }
      text += hasRanges ? "movie.mp4\n" : "movie\(index).ts\n"
    }
    return SourceText(path: "bench.m3u8", text: text)
  }
}
