import Autowait

/// Writes a stream as scenarios spell it out, with every list of segments.
///
/// To read it gives the same stream again, but for what goes wrong with requests, which a scenario
/// says beside it.
package enum StreamMediaWriter {
  /// Returns a scenario's medium in lines that people can read.
  package static func text(
    _ streamMedia: StreamMedia, _ names: StreamNames, keyHost: String? = nil
  ) -> [UInt8] {
    StreamMediaText.lines(write(streamMedia, names, keyHost: keyHost))
  }

  /// Returns a scenario's medium, as one line of JSON.
  package static func write(
    _ streamMedia: StreamMedia, _ names: StreamNames, keyHost: String? = nil
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 4_096)
    writer.beginObject()
    writer.field("kind", "hls")
    write(streamMedia, names, keyHost: keyHost, into: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// Writes the members of a medium that say what the stream is.
  static func write(
    _ streamMedia: StreamMedia, _ names: StreamNames, keyHost: String?,
    into writer: inout JSONWriter
  ) {
    if let size = streamMedia.playlistSize { writer.field("multivariantPlaylist", size.bytes) }
    writer.objects("variants", streamMedia.variants.indices) { writer, number in
      write(streamMedia.variants[number], name: names.variants[number], into: &writer)
    }
    let kinds: [(StaticString, StreamMedia.Rendition.Kind)] = [
      ("audio", .audio), ("subtitles", .subtitles),
    ]
    for (key, kind) in kinds {
      let members = streamMedia.renditions.filter { $0.kind == kind }
      if members.isEmpty { continue }
      writer.objects(key, members) { writer, rendition in
        writer.field("group", text: group(kind, rendition.group))
        if let language = rendition.language { writer.field("language", text: language.text) }
        if rendition.isDefault { writer.field("default", true) }
        if rendition.isAutoselected != rendition.isDefault {
          writer.field("autoselect", rendition.isAutoselected)
        }
        if let channels = rendition.channels { writer.field("channels", Int64(channels)) }
        if let rate = rendition.sampleRate { writer.field("sampleRate", Int64(rate)) }
        if let bits = rendition.bitDepth { writer.field("bitDepth", Int64(bits)) }
        if let list = rendition.list { writer.field("list", Int64(list)) }
      }
    }
    if !streamMedia.keys.isEmpty {
      writer.objects("keys", streamMedia.keys) { writer, key in
        writer.field("size", key.size.bytes)
        if key.serverDelay > .zero {
          writer.field("serverTime", seconds: key.serverDelay.nanoseconds)
        }
      }
    }
    if let keyHost { writer.field("keyHost", text: keyHost) }
    if !streamMedia.sessionKeys.isEmpty {
      writer.array("sessionKeys", streamMedia.sessionKeys) { $0.integer(Int64($1)) }
    }
    if let start = streamMedia.startOffset {
      writer.field("startOffset", seconds: start.nanoseconds)
    }
    if let live = streamMedia.live { write(live, into: &writer) }
    writer.objects("lists", streamMedia.lists.indices) { writer, number in
      write(streamMedia.lists[number], name: names.lists[number], into: &writer)
    }
  }

  /// What a group is called, of which the core knows only the number.
  static func group(_ kind: StreamMedia.Rendition.Kind, _ number: Int) -> String {
    (kind == .audio ? "audio" : "subtitles") + "-\(number)"
  }

  private static func write(
    _ variant: StreamMedia.Variant, name: String, into writer: inout JSONWriter
  ) {
    writer.field("name", text: name)
    writer.field("bandwidth", variant.bandwidth.bitsPerSecond)
    if let rate = variant.averageBandwidth { writer.field("averageBandwidth", rate.bitsPerSecond) }
    if let size = variant.resolution {
      writer.field("resolution", text: "\(size.width)x\(size.height)")
    }
    if let rate = variant.frameRate {
      writer.field("frameRate", Int64(rate), of: 1_000)
    }
    if variant.videoRange != .sdr {
      writer.field("videoRange", text: variant.videoRange == .hlg ? "HLG" : "PQ")
    }
    if let color = variant.color { writer.field("color", color) }
    if !variant.codecs.isEmpty {
      writer.field("codecs", text: variant.codecs.names.joined(separator: ","))
    }
    if let number = variant.audioGroup { writer.field("audio", text: group(.audio, number)) }
    if let number = variant.subtitleGroup {
      writer.field("subtitles", text: group(.subtitles, number))
    }
    writer.field("list", Int64(variant.list))
  }

  private static func write(_ live: LiveWindow, into writer: inout JSONWriter) {
    writer.object("live") { writer in
      writer.field("elapsed", seconds: live.elapsed.nanoseconds)
      if let window = live.window { writer.field("window", seconds: window.nanoseconds) }
      if let time = live.holdBack { writer.field("holdBack", seconds: time.nanoseconds) }
      if live.publishDelay > .zero {
        writer.field("publishDelay", seconds: live.publishDelay.nanoseconds)
      }
      if let time = live.partDuration { writer.field("partDuration", seconds: time.nanoseconds) }
      if let time = live.partHoldBack { writer.field("partHoldBack", seconds: time.nanoseconds) }
      if live.canBlockReload { writer.field("canBlockReload", true) }
    }
  }

  private static func write(_ text: PlaylistText, into writer: inout JSONWriter) {
    writer.object("livePlaylist") { writer in
      writer.field("head", text.head.bytes)
      writer.field("entries", text.entries.bytes)
      if text.entryCount > 1 { writer.field("of", Int64(text.entryCount)) }
      if text.key > .zero { writer.field("key", text.key.bytes) }
      if text.initialization > .zero { writer.field("init", text.initialization.bytes) }
      if text.sentPart < 1_000_000_000 {
        writer.field("gzip", text.sentPart, of: 1_000_000_000)
      }
    }
  }

  private static func write(_ list: SegmentList, name: String, into writer: inout JSONWriter) {
    writer.field("name", text: name)
    writer.field("playlistSize", list.playlistSize.bytes)
    if let text = list.playlistText { write(text, into: &writer) }
    writer.field("targetDuration", seconds: list.targetDuration.nanoseconds)
    if !list.initializations.isEmpty {
      writer.array("inits", list.initializations) { $0.integer($1.bytes) }
    }
    let needsNothing = list.stretches == [SegmentList.SegmentStretch(first: 0)]
    if !needsNothing {
      writer.objects("needs", list.stretches) { writer, stretch in
        writer.field("first", Int64(stretch.first))
        if let section = stretch.initialization { writer.field("init", Int64(section)) }
        if let key = stretch.key { writer.field("key", Int64(key)) }
      }
    }
    if !list.gaps.isEmpty { writer.array("gaps", list.gaps) { $0.integer(Int64($1)) } }
    writer.array("durations", 0..<list.count) {
      $0.seconds(nanoseconds: (list.end(of: $1) - list.start(of: $1)).nanoseconds)
    }
    writer.array("sizes", 0..<list.count) { $0.integer(list.size(of: $1).bytes) }
    if list.sizeAfterEnd > .zero { writer.field("sizeAfterEnd", list.sizeAfterEnd.bytes) }
  }
}

extension CodecFamilies {
  /// A codec of each kind, as playlists name them.
  package var names: [String] {
    let all: [(CodecFamilies, String)] = [
      (.avc, "avc1"), (.hevc, "hvc1"), (.dolbyVision, "dvh1"), (.av1, "av01"), (.vp9, "vp09"),
      (.aac, "mp4a.40.2"), (.heAAC, "mp4a.40.5"), (.ac3, "ac-3"), (.ec3, "ec-3"),
      (.mp3, "mp4a.40.34"), (.flac, "fLaC"), (.alac, "alac"), (.opus, "Opus"),
      (.other, "other"),
    ]
    return all.filter { contains($0.0) }.map { $0.1 }
  }
}

extension JSONWriter {
  /// Writes a color, by its code points.
  mutating func field(_ key: StaticString, _ color: VideoColor) {
    object(key) { writer in
      writer.field("primaries", Int64(color.primaries))
      writer.field("transfer", Int64(color.transfer))
      writer.field("matrix", Int64(color.matrix))
    }
  }
}
