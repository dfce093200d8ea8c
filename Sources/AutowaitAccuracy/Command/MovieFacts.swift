import Autowait
import AutowaitScenario

/// What is read of a movie, for a comparison with what other tools read of it.
package enum MovieFacts {
  /// Returns a line of JSON about a movie; times are in nanoseconds.
  package static func line(_ name: String, _ movie: Movie) -> [UInt8] {
    JSONWriter.line { writer in
      writer.field("file", text: name)
      writer.field("size", movie.size.bytes)
      writer.field("index", movie.indexPlacement == .front ? "front" : "back")
      writer.field("header", movie.headerSize.bytes)
      writer.field("duration", movie.duration.nanoseconds)
      writer.objects("tracks", movie.tracks) { writer, track in
        switch track.content {
        case .video: writer.field("content", "video")
        case .audio: writer.field("content", "audio")
        case .other: writer.field("content", "other")
        }
        writer.field("mediaDuration", track.mediaDuration.nanoseconds)
        writer.field("duration", track.duration.nanoseconds)
        writer.field("priming", track.priming.nanoseconds)
        writer.field("remainder", track.remainder.nanoseconds)
        writer.field("samples", track.sampleCount)
        if let color = track.color {
          writer.array("color", [color.primaries, color.transfer, color.matrix]) {
            $0.integer(Int64($1))
          }
        }
      }
      writer.field("step", movie.positions.step.nanoseconds)
      writer.array("ends", movie.positions.ends) { $0.integer($1.bytes) }
    }
  }
}
