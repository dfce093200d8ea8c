import Autowait

/// The words for what media is.
enum MediaWord: String, CaseIterable, Sendable { case progressive, local, hls }

/// The keys of an item.
package enum MediaKeys {
  static let kind = Key(
    "kind", FieldKind<MediaWord>.word(), .required,
    "what it is: one file over HTTP, a file on the device, or a stream")
  static let kindOfStream = Key("kind", streamWord, .standard("hls"), "what it is: a stream")
  static let kindOfSpelledStream = Key("kind", streamWord, .required, "what it is: a stream")
  private static var streamWord: FieldKind<MediaWord> { .word().described(as: .words(["hls"])) }
  static let duration = Key("duration", .positiveMediaTime, .required, "how long it plays")
  static let bitrate = Key("bitrate", .positiveBitRate, "the rate of the content, constant")
  static let size = Key("size", .positiveSize, "the size of the whole file, with its header")
  static let header = Key(
    "header", .size, .standard("0"), "the size of the index without which nothing can play")
  static let index = Key(
    "index", FieldKind<Media.IndexPlacement>.word([("front", .front), ("back", .back)]),
    "where the index is; at the front")

  static let videoDuration = Key(
    "videoDuration", .positiveMediaTime, "how long the picture is, if it is shorter")
  static let audioDuration = Key(
    "audioDuration", .positiveMediaTime, "how long the sound is, if it is shorter")
  static let keyFrameInterval = Key(
    "keyFrameInterval", .positiveMediaTime, "how far apart its key frames are")
  static let color = Key("color", .color, "the color of its picture, if it is tagged")
  static let canPlayFastForward = Key(
    "canPlayFastForward", .bool, .standard("true"), "whether it plays at more than twice its speed")
  static let canPlayReverse = Key(
    "canPlayReverse", .bool, .standard("true"), "whether it plays backwards")
  static let resourceLoader = Key(
    "resourceLoader", .bool, .standard("false"),
    "whether the resource loader delegate of the app hands the media over")
  static let host = Key("host", .string, "the host that has it; 'match' of a link names hosts")
  static let name = Key("name", .name, "what queues, steps and expectations call it")
  /// What items of all kinds have.
  static let common = [
    canPlayFastForward.row, canPlayReverse.row, resourceLoader.row, host.row, name.row,
  ]

  static let file: ObjectKind = ObjectKind(
    "file", "an item",
    rows: [kind.row, duration.row, bitrate.row, size.row, header.row, index.row]
      + [videoDuration.row, audioDuration.row, keyFrameInterval.row, color.row] + common)
  /// A file that a link carries, and so has a size.
  private static let progressive: ObjectKind = file.needing(
    only: ["bitrate", "size"], as: "fileOverHTTP")

  /// The forms of an item.
  static let item: Schema = .forms([
    Form(.key("playlist"), HLSFolderKeys.object), Form(.key("movie"), MovieKeys.object),
    Form(.key("file"), MovieFileKeys.object), Form(.key("lists"), ExplicitStreamKeys.object),
    Form(.word("hls", of: "kind"), HLSKeys.object),
    Form(.word("progressive", of: "kind"), progressive), Form(.otherwise, file),
  ])
  /// The form of an item.
  package static func kind(of value: JSONValue) -> ObjectKind {
    guard case .forms(let forms) = item else { return file }
    return forms.first { value.has($0.mark) }?.object() ?? file
  }

  /// An item, or a list of them.
  static let oneOrMore: Schema = .either([item, .list(item, least: 1)])
}

/// The keys of a stream that is spelled out.
enum HLSKeys {
  static let segmentDuration = Key(
    "segmentDuration", .positiveMediaTime, .standard("6 s"),
    "how long the segments are; the last one has what is left")
  static let variants = Key(
    "variants", .array(of: VariantKeys.object, least: 1), .required,
    "the ways in which it can be played, in the order of the playlist")
  static let audio = Key(
    "audio", .array(of: RenditionKeys.audio), "alternative sound, in groups that variants name")
  static let subtitles = Key(
    "subtitles", .array(of: RenditionKeys.subtitles), "subtitles, in groups that variants name")
  static let keys = Key(
    "keys", .object(of: ContentKeyKeys.object), "the keys without which segments cannot be played")
  static let multivariantPlaylist = Key(
    "multivariantPlaylist", FieldKind<ByteCount?>.nullable(.size),
    "its size; null if the only variant is named directly")
  static let mediaPlaylist = Key("mediaPlaylist", .size, "the size of each media playlist")
  static let gzip = Key(
    "gzip", .any(.either([.bool, .quantity(.part, 1...1_000_000_000)])), .standard("false"),
    "whether playlists are compressed, or the part that is left of them")
  static let realDuration = Key(
    "realDuration", .positiveMediaTime, "where the media ends, before the playlist says so")
  static let startOffset = Key(
    "startOffset", .startOffset, "where playback starts; from the end if it is negative")
  static let rewrite = Key(
    "rewrite", .object(of: RewriteKeys.object), "what the app changes in the multivariant playlist")
  static let failures = Key(
    "failures", .array(of: FailureKeys.object), "what goes wrong with requests")
  static let live = Key("live", .object(of: LiveKeys.object), "what makes the stream live")
  static let object: ObjectKind = ObjectKind(
    "stream", "an item",
    rows: [
      MediaKeys.kindOfSpelledStream.row, MediaKeys.duration.row, segmentDuration.row, variants.row,
      audio.row,
      subtitles.row, keys.row,
      multivariantPlaylist.row, mediaPlaylist.row, gzip.row, realDuration.row, startOffset.row,
      rewrite.row, failures.row,
      live.row,
    ] + MediaKeys.common)
}

/// The keys of a stream whose playlists are on disk.
enum HLSFolderKeys {
  static let playlist = Key("playlist", .string, .required, "the path of the playlist")
  static let sizes = Key(
    "sizes", .any(.either([.string, .object { sizesOfFiles }])),
    "the sizes of files by their addresses, or a file that has them")
  static let bitrate = Key(
    "bitrate", .positiveBitRate, "the rate of segments whose size is not given otherwise")
  static let keys = Key("keys", .object(of: diskKeys), "what the playlists do not say of the keys")
  static let keySize = Key("size", .size, "the size of the response")
  static let live = Key(
    "live", .object(of: HLSFolderLiveKeys.object), "how a stream goes on whose playlist has no end")
  static let object: ObjectKind = ObjectKind(
    "streamOnDisk", "an item",
    rows: [
      MediaKeys.kindOfStream.row, playlist.row, sizes.row, bitrate.row, HLSKeys.gzip.row, keys.row,
      HLSKeys.startOffset.row,
      live.row, HLSKeys.rewrite.row, HLSKeys.failures.row,
    ] + MediaKeys.common)
  private static let diskKeys: ObjectKind = ObjectKind(
    "keysOnDisk", "the keys of a stream on disk", keySize.row, ContentKeyKeys.serverTime.row,
    ContentKeyKeys.host.row)
  private static let sizesOfFiles: ObjectKind = ObjectKind(
    "sizesOfFiles", "sizes of files", rows: [],
    others: .quantity(.size, 0...Limits.bytesMax.bytes))
}

/// The keys of a stream on disk that is live.
enum HLSFolderLiveKeys {
  static let continues = Key(
    "continues", .mediaTime, "how long it goes on, with the same segments; 5 min (assumed)")
  static let object: ObjectKind = ObjectKind(
    "liveOnDisk", "a live stream on disk", continues.row, LiveKeys.publishDelay.row)
}

/// The keys of a movie file on disk.
enum MovieFileKeys {
  static let kind = Key(
    "kind", FieldKind<MediaWord>.word([("progressive", .progressive), ("local", .local)]),
    .standard("progressive"), "what it is: one file over HTTP, or a file on the device")
  static let file = Key("file", .string, .required, "the path of the movie: QuickTime or MPEG-4")
  static let object: ObjectKind = ObjectKind(
    "fileOnDisk", "an item", rows: [kind.row, file.row] + MediaKeys.common)
}

/// The keys of a film in the format of Sabre.
enum MovieKeys {
  static let movie = Key("movie", .string, .required, "the path of the film")
  static let object: ObjectKind = ObjectKind(
    "movie", "an item",
    rows: [MediaKeys.kindOfStream.row, movie.row, HLSKeys.rewrite.row, HLSKeys.failures.row]
      + MediaKeys.common)
}

/// The keys of a variant.
enum VariantKeys {
  static let name = Key("name", .string, "what it is called; its resolution and bandwidth")
  static let bandwidth = Key(
    "bandwidth", .positiveBitRate, .required,
    "the peak rate of all that is needed to play it (BANDWIDTH)")
  static let averageBandwidth = Key(
    "averageBandwidth", .positiveBitRate, "the mean rate of that (AVERAGE-BANDWIDTH)")
  static let resolution = Key("resolution", .resolution, "the size of the picture (RESOLUTION)")
  static let codecs = Key("codecs", .codecs, "the codecs, as a playlist names them (CODECS)")
  static let frameRate = Key("frameRate", .frameRate, "the frames per second (FRAME-RATE)")
  static let videoRange = Key(
    "videoRange", .videoRange, .standard("SDR"), "the range of brightness (VIDEO-RANGE)")
  static let audio = Key("audio", .string, "the name of its group of sound")
  static let color = Key("color", .color, "the color of its picture, if it is tagged")
  static let subtitles = Key("subtitles", .string, "the name of its group of subtitles")
  /// What every description of a variant has besides bandwidth and segments.
  static let common = [
    averageBandwidth.row, resolution.row, codecs.row, frameRate.row, videoRange.row, color.row,
    audio.row,
    subtitles.row,
  ]
  static let object: ObjectKind = ObjectKind(
    "variant", "a variant",
    rows: [name.row, bandwidth.row] + common + SegmentKeys.rows + [SegmentKeys.sizeAfterEnd.row])
}

/// The keys of how large segments are.
enum SegmentKeys {
  static let bitrate = Key("bitrate", .positiveBitRate, "the rate of its own segments")
  static let sizes = Key(
    "sizes", .list(of: .size), "the sizes of all segments, instead of 'bitrate'")
  static let variation = Key(
    "variation", .part(in: 0...1_000_000_000), "how much segments differ from their mean at most")
  static let initialization = Key("init", .size, "the size of the initialization section")
  static let sizeAfterEnd = Key(
    "sizeAfterEnd", .positiveSize,
    "the size of a segment after the last one, which is never played: 'mpc' looks at it")
  static let rows = [bitrate.row, sizes.row, variation.row, initialization.row]
}

/// The keys of a rendition.
enum RenditionKeys {
  static let group = Key("group", .string, .required, "the name of its group")
  static let name = Key("name", .string, "what it is called; its group and language")
  static let language = Key("language", .string, "its language")
  static let isDefault = Key(
    "default", .bool, .standard("false"), "whether it is played unless the user chooses another")
  static let autoselect = Key(
    "autoselect", .bool, "whether it may be chosen without the user; as 'default'")
  static let channels = Key("channels", .count(in: 1...64), "how many channels the sound has")
  static let sampleRate = Key(
    "sampleRate", .count(in: 1...1_000_000), "the samples of the sound per second (SAMPLE-RATE)")
  static let bitDepth = Key(
    "bitDepth", .count(in: 1...64), "the bits of a sample of the sound (BIT-DEPTH)")
  static let list = Key(
    "list", FieldKind<Int>.count(in: 0...StreamReader.listsMax), "the number of its list")

  static let audio: ObjectKind = ObjectKind(
    "audioRendition", "an audio rendition",
    rows: [group.row, name.row, language.row, isDefault.row, autoselect.row, channels.row]
      + [sampleRate.row, bitDepth.row]
      + SegmentKeys.rows)
  static let subtitles: ObjectKind = ObjectKind(
    "subtitleRendition", "a rendition of subtitles",
    rows: [group.row, name.row, language.row, isDefault.row, autoselect.row] + SegmentKeys.rows)
  static let audioOfList: ObjectKind = ObjectKind(
    "audioRenditionOfList", "a rendition", group.row, name.row, language.row, isDefault.row,
    autoselect.row,
    channels.row, sampleRate.row, bitDepth.row, list.row)
  static let subtitlesOfList: ObjectKind = ObjectKind(
    "subtitleRenditionOfList", "a rendition", group.row, name.row, language.row, isDefault.row,
    autoselect.row, list.row)
}

/// The keys of the keys of a stream.
enum ContentKeyKeys {
  static let method = Key(
    "method", .word(StreamKeys.methods), .standard("SAMPLE-AES"), "the method of EXT-X-KEY")
  static let size = Key("size", .size, "the size of the response; what the method needs")
  static let serverTime = Key(
    "serverTime", .time, .standard("0"), "how long the key server thinks")
  static let sessionKey = Key(
    "sessionKey", .bool, .standard("false"), "whether the multivariant playlist names the first one"
  )
  static let host = Key("host", .string, "the host of the key server; that of the media")
  static let rotateEvery = Key(
    "rotateEvery", .count(in: 1...1_000_000), "after how many segments there is another key")
  static let object: ObjectKind = ObjectKind(
    "keys", "the keys of a stream", method.row, size.row, serverTime.row, sessionKey.row, host.row,
    rotateEvery.row)
}

/// The keys of what an app changes in a playlist.
enum RewriteKeys {
  static let preferredFirst = Key(
    "preferredFirst", .any(.either([.string, .number])), .required,
    "the variant that goes to the front: its name, or the rate that it has at most")
  static let object: ObjectKind = ObjectKind("rewrite", "a rewritten playlist", preferredFirst.row)
}

/// The keys of a live stream.
enum LiveKeys {
  static let elapsed = Key(
    "elapsed", .mediaTime, .standard("0"), "how much of it is over when the run starts")
  static let window = Key(
    "window", FieldKind<MediaTime?>.nullable(.positiveMediaTime), .standard("null"),
    "how much of it a playlist lists; null for all")
  static let holdBack = Key(
    "holdBack", .mediaTime, "how far from the end playback starts (HOLD-BACK)")
  static let publishDelay = Key(
    "publishDelay", .time, .standard("0"), "how long after its end a segment is listed")
  static let partDuration = Key(
    "partDuration", .positiveMediaTime, "how long parts are, if there are any (PART-TARGET)")
  static let partHoldBack = Key(
    "partHoldBack", .mediaTime, "how far from the end playback starts with parts (PART-HOLD-BACK)")
  static let canBlockReload = Key(
    "canBlockReload", .bool, .standard("false"),
    "whether the server answers a reload when there is something new")
  static let targetDuration = Key(
    "targetDuration", .positiveMediaTime, "how long a segment may be (EXT-X-TARGETDURATION)")
  static let object: ObjectKind = ObjectKind(
    "live", "a live stream", elapsed.row, window.row, holdBack.row, publishDelay.row,
    partDuration.row, partHoldBack.row,
    canBlockReload.row, targetDuration.row)
}

/// The words for the requests that fail.
enum FailureWord: String, CaseIterable, Sendable {
  case multivariantPlaylist, mediaPlaylist, segment
  case initialization = "init"
  case key
}

/// The keys of what goes wrong with requests.
enum FailureKeys {
  static let of = Key("of", FieldKind<FailureWord>.word(), .required, "what is requested")
  static let status = Key(
    "status", .outcome, .required, "what happens: a status of HTTP, or a word")
  static let count = Key(
    "count", .integer(in: 1...1_000_000_000), "how many requests are met; all")
  static let variant = Key(
    "variant", .any(.either([.string, .integer(0...Int64(StreamReader.listsMax))])),
    "the variant it belongs to, by its name or number; any")
  static let rendition = Key(
    "rendition", .any(.string), "the rendition it belongs to, by its name; any")
  static let number = Key("number", .integer(in: 0...1_000_000), "which one; any")
  static let object: ObjectKind = ObjectKind(
    "failure", "a failure", of.row, status.row, count.row,
    cases: [
      ObjectKind.Case(.word("key", of: "of"), number.row),
      ObjectKind.Case(.word("mediaPlaylist", of: "of"), variant.row, rendition.row),
      ObjectKind.Case(.word("segment", of: "of"), variant.row, rendition.row, number.row),
      ObjectKind.Case(.word("init", of: "of"), variant.row, rendition.row),
    ])
}

/// The keys of a stream whose segments are spelled out one by one.
enum ExplicitStreamKeys {
  static let keys = Key("keys", .array(of: key), "the keys, by number")
  static let keySize = Key("size", .size, .required, "the size of the response")
  static let keyHost = Key("keyHost", .string, "the host of the key server; that of the media")
  static let sessionKeys = Key(
    "sessionKeys", .any(.list(.integer(0...Int64(StreamReader.keysMax)))),
    "the numbers of the keys that the multivariant playlist names")
  static let lists = Key(
    "lists", .array(of: SegmentListKeys.object, least: 1), .required,
    "the lists of segments, by number")
  static let audio = Key("audio", .array(of: RenditionKeys.audioOfList), "alternative sound")
  static let subtitles = Key("subtitles", .array(of: RenditionKeys.subtitlesOfList), "subtitles")
  static let variants = Key(
    "variants", .array(of: variant, least: 1), .required, HLSKeys.variants.row.about)
  static let list = Key(
    "list", FieldKind<Int>.count(in: 0...StreamReader.listsMax), .required,
    "the number of its list")
  static let object: ObjectKind = ObjectKind(
    "explicitStream", "an item",
    rows: [
      MediaKeys.kindOfSpelledStream.row, HLSKeys.multivariantPlaylist.row, keys.row, keyHost.row,
      sessionKeys.row,
      HLSKeys.startOffset.row, lists.row, audio.row, subtitles.row, variants.row, HLSKeys.live.row,
      HLSKeys.rewrite.row,
      HLSKeys.failures.row,
    ] + MediaKeys.common)
  static let key: ObjectKind = ObjectKind(
    "key", "a key", keySize.row, ContentKeyKeys.serverTime.row)
  static let variant: ObjectKind = ObjectKind(
    "variantOfList", "a variant",
    rows: [VariantKeys.name.row, VariantKeys.bandwidth.row, list.row] + VariantKeys.common)
}

/// The keys of a list of segments that are spelled out one by one.
enum SegmentListKeys {
  static let name = Key("name", .string, "what it is called")
  static let playlistSize = Key("playlistSize", .size, .standard("0"), "the size of its playlist")
  static let livePlaylist = Key(
    "livePlaylist", .object(of: playlistText), "what the playlist of a live stream is made of")
  static let targetDuration = Key("targetDuration", .mediaTime, "how long a segment may be")
  static let inits = Key("inits", .list(of: .size), "the sizes of the initialization sections")
  static let durations = Key(
    "durations", .list(of: .mediaTime), .required, "how long each segment is")
  static let sizes = Key("sizes", .list(of: .size), .required, "how large each segment is")
  static let gaps = Key(
    "gaps", .any(.list(.integer(0...Int64(StreamReader.segmentsMax)))),
    "the numbers of the segments that are missing (EXT-X-GAP)")
  static let needs = Key(
    "needs", .array(of: need), "what segments need to be played, from the first of them on")
  static let object: ObjectKind = ObjectKind(
    "segmentList", "a list of segments", name.row, playlistSize.row, livePlaylist.row,
    targetDuration.row, inits.row,
    durations.row, sizes.row, SegmentKeys.sizeAfterEnd.row, gaps.row, needs.row)

  static let head = Key("head", .size, .required, "the size of what is there in any case")
  static let entries = Key("entries", .size, .required, "the size of the entries of segments")
  static let entryCount = Key(
    "of", .integer(in: 1...Int64(StreamReader.segmentsMax)), .standard("1"),
    "of how many segments that is")
  static let key = Key("key", .size, .standard("0"), "the size of the entry of a key")
  static let section = Key(
    "init", .size, .standard("0"), "the size of the entry of an initialization section")
  static let playlistText: ObjectKind = ObjectKind(
    "livePlaylist", "the text of a live playlist", head.row, entries.row, entryCount.row, key.row,
    section.row,
    HLSKeys.gzip.row)

  static let first = Key("first", number, .required, "the number of the first segment")
  static let neededSection = Key("init", number, "the number of the initialization section")
  static let neededKey = Key("key", number, "the number of the key")
  static let need: ObjectKind = ObjectKind(
    "need", "what segments need", first.row, neededSection.row, neededKey.row)
  private static var number: FieldKind<Int> { .count(in: 0...StreamReader.segmentsMax) }
}
