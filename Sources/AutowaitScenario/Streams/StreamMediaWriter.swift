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
    write(streamMedia, names, keyHost: keyHost, into: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// Writes the members of a medium that say what the stream is.
  static func write(
    _ streamMedia: StreamMedia, _ names: StreamNames, keyHost: String?,
    into writer: inout JSONWriter
  ) {
    MediaKeys.kindOfStream.write(.hls, into: &writer)
    if let size = streamMedia.playlistSize {
      HLSKeys.multivariantPlaylist.write(size, into: &writer, .bare)
    }
    writer.array(ExplicitStreamKeys.variants, streamMedia.variants.indices) { writer, number in
      writer.object { write(streamMedia.variants[number], name: names.variants[number], into: &$0) }
    }
    write(streamMedia, .audio, at: ExplicitStreamKeys.audio, into: &writer)
    write(streamMedia, .subtitles, at: ExplicitStreamKeys.subtitles, into: &writer)
    if !streamMedia.keys.isEmpty {
      writer.array(ExplicitStreamKeys.keys, streamMedia.keys) {
        ExplicitStreamKeys.key.write($1, into: &$0, .bare)
      }
    }
    if let keyHost { ExplicitStreamKeys.keyHost.write(keyHost, into: &writer) }
    if !streamMedia.sessionKeys.isEmpty {
      writer.array(ExplicitStreamKeys.sessionKeys, streamMedia.sessionKeys) {
        $0.integer(Int64($1))
      }
    }
    if let start = streamMedia.startOffset {
      HLSKeys.startOffset.write(start, into: &writer, .bare)
    }
    if let live = streamMedia.live {
      writer.key(text: HLSKeys.live.name)
      LiveKeys.record.write(live, into: &writer, .bare)
    }
    writer.array(ExplicitStreamKeys.lists, streamMedia.lists.indices) { writer, number in
      writer.object { write(streamMedia.lists[number], name: names.lists[number], into: &$0) }
    }
  }

  private static func write(
    _ streamMedia: StreamMedia, _ kind: StreamMedia.Rendition.Kind, at key: Key<JSONValue>,
    into writer: inout JSONWriter
  ) {
    let renditions = streamMedia.renditions.filter { $0.kind == kind }
    if renditions.isEmpty { return }
    let plain = StreamMedia.Rendition(kind, group: 0, list: nil)
    writer.array(key, renditions) { writer, rendition in
      writer.object { writer in
        RenditionKeys.group.write(group(kind, rendition.group), into: &writer)
        if let language = rendition.language {
          RenditionKeys.language.write(language.text, into: &writer)
        }
        RenditionKeys.members(kind).write(rendition, over: plain, into: &writer, .bare)
        if let list = rendition.list { RenditionKeys.list.write(list, into: &writer) }
      }
    }
  }

  /// What a group is called, of which the core knows only the number.
  static func group(_ kind: StreamMedia.Rendition.Kind, _ number: Int) -> String {
    (kind == .audio ? "audio" : "subtitles") + "-\(number)"
  }

  private static func write(
    _ variant: StreamMedia.Variant, name: String, into writer: inout JSONWriter
  ) {
    VariantKeys.name.write(name, into: &writer)
    VariantKeys.bandwidth.write(variant.bandwidth, into: &writer, .bare)
    let plain = StreamMedia.Variant(bandwidth: .zero, list: 0)
    VariantKeys.written.write(variant, over: plain, into: &writer, .bare)
    if let number = variant.audioGroup {
      VariantKeys.audio.write(group(.audio, number), into: &writer)
    }
    if let number = variant.subtitleGroup {
      VariantKeys.subtitles.write(group(.subtitles, number), into: &writer)
    }
    ExplicitStreamKeys.list.write(variant.list, into: &writer)
  }

  private static func write(_ text: PlaylistText, into writer: inout JSONWriter) {
    writer.object(text: SegmentListKeys.livePlaylist.name) { writer in
      let record = SegmentListKeys.playlistText
      record.members.write(text, over: record.plain, into: &writer, .bare)
      if text.sentPart < 1_000_000_000 {
        writer.key(text: HLSKeys.gzip.name)
        writer.fixedPoint(text.sentPart, unit: 1_000_000_000)
      }
    }
  }

  private static func write(_ list: SegmentList, name: String, into writer: inout JSONWriter) {
    SegmentListKeys.name.write(name, into: &writer)
    SegmentListKeys.playlistSize.write(list.playlistSize, into: &writer)
    if let text = list.playlistText { write(text, into: &writer) }
    SegmentListKeys.targetDuration.write(list.targetDuration, into: &writer, .bare)
    if !list.initializations.isEmpty {
      SegmentListKeys.inits.write(list.initializations, into: &writer)
    }
    let needsNothing = list.stretches == [SegmentList.SegmentStretch(first: 0)]
    if !needsNothing {
      writer.array(SegmentListKeys.needs, list.stretches) { writer, stretch in
        writer.object { writer in
          SegmentListKeys.first.write(stretch.first, into: &writer)
          if let section = stretch.initialization {
            SegmentListKeys.neededSection.write(section, into: &writer)
          }
          if let key = stretch.key { SegmentListKeys.neededKey.write(key, into: &writer) }
        }
      }
    }
    if !list.gaps.isEmpty {
      writer.array(SegmentListKeys.gaps, list.gaps) { $0.integer(Int64($1)) }
    }
    writer.array(SegmentListKeys.durations, 0..<list.count) {
      $0.seconds(nanoseconds: (list.end(of: $1) - list.start(of: $1)).nanoseconds)
    }
    writer.array(SegmentListKeys.sizes, 0..<list.count) { $0.integer(list.size(of: $1).bytes) }
    if list.sizeAfterEnd > .zero {
      SegmentKeys.sizeAfterEnd.write(list.sizeAfterEnd, into: &writer)
    }
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
