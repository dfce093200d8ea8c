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
    "index", FieldKind<Media.IndexPlacement>.words([("front", .front), ("back", .back)]),
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
  static let live = Key("live", .object(of: LiveKeys.record.kind), "what makes the stream live")
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

private typealias VariantMember = Member<StreamMedia.Variant>

/// The keys of a variant.
enum VariantKeys {
  static let name = Key("name", .string, "what it is called; its resolution and bandwidth")
  static let bandwidth = Key(
    "bandwidth", .positiveBitRate, .required,
    "the peak rate of all that is needed to play it (BANDWIDTH)")
  static let audio = Key("audio", .string, "the name of its group of sound")
  static let subtitles = Key("subtitles", .string, "the name of its group of subtitles")
  private static let rates = [
    VariantMember(
      optional: "averageBandwidth", .positiveBitRate, "the mean rate of that (AVERAGE-BANDWIDTH)",
      { $0.averageBandwidth }, { $0.averageBandwidth = $1 }),
    VariantMember(
      optional: "resolution", .resolution, "the size of the picture (RESOLUTION)",
      { $0.resolution }, { $0.resolution = $1 }),
  ]
  private static let codecs = VariantMember(
    "codecs", .codecs, "the codecs, as a playlist names them (CODECS)",
    { $0.codecs }, { $0.codecs = $1 })
  private static let picture = [
    VariantMember(
      optional: "frameRate", .frameRate, "the frames per second (FRAME-RATE)",
      { $0.frameRate }, { $0.frameRate = $1 }),
    VariantMember(
      Key("videoRange", .videoRange, .standard("SDR"), "the range of brightness (VIDEO-RANGE)"),
      { $0.videoRange }, { $0.videoRange = $1 }),
    VariantMember(
      optional: "color", .color, "the color of its picture, if it is tagged",
      { $0.color }, { $0.color = $1 }),
  ]
  /// What every description of a variant has besides bandwidth, groups and segments.
  static let members: [Member<StreamMedia.Variant>] = rates + [codecs] + picture
  /// The same, in the order in which logs have it.
  static let written: [Member<StreamMedia.Variant>] = rates + picture + [codecs]
  /// What every description of a variant has besides bandwidth and segments.
  static let common = members.map { $0.row } + [audio.row, subtitles.row]
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

private typealias RenditionMember = Member<StreamMedia.Rendition>

/// The keys of a rendition.
enum RenditionKeys {
  static let group = Key("group", .string, .required, "the name of its group")
  static let name = Key("name", .string, "what it is called; its group and language")
  static let language = Key("language", .string, "its language")
  static let list = Key(
    "list", FieldKind<Int>.count(in: 0...StreamReader.listsMax), "the number of its list")

  /// How it is chosen.
  private static let choice = [
    RenditionMember(
      Key(
        "default", .bool, .standard("false"),
        "whether it is played unless the user chooses another"),
      { $0.isDefault },
      {
        $0.isDefault = $1
        $0.isAutoselected = $1
      }),
    RenditionMember(
      optional: "autoselect", .bool, "whether it may be chosen without the user; as 'default'",
      { $0.isAutoselected == $0.isDefault ? nil : $0.isAutoselected }, { $0.isAutoselected = $1 }),
  ]
  /// How it sounds.
  private static let sound = [
    RenditionMember(
      optional: "channels", .count(in: 1...64), "how many channels the sound has",
      { $0.channels }, { $0.channels = $1 }),
    RenditionMember(
      optional: "sampleRate", .count(in: 1...1_000_000),
      "the samples of the sound per second (SAMPLE-RATE)",
      { $0.sampleRate }, { $0.sampleRate = $1 }),
    RenditionMember(
      optional: "bitDepth", .count(in: 1...64), "the bits of a sample of the sound (BIT-DEPTH)",
      { $0.bitDepth }, { $0.bitDepth = $1 }),
  ]
  /// What renditions have besides a group, a name, a language and segments.
  static func members(_ kind: StreamMedia.Rendition.Kind) -> [Member<StreamMedia.Rendition>] {
    kind == .audio ? choice + sound : choice
  }
  private static func rows(_ kind: StreamMedia.Rendition.Kind) -> [KeyRow] {
    [group.row, name.row, language.row] + members(kind).map { $0.row }
  }

  static let audio: ObjectKind = ObjectKind(
    "audioRendition", "an audio rendition", rows: rows(.audio) + SegmentKeys.rows)
  static let subtitles: ObjectKind = ObjectKind(
    "subtitleRendition", "a rendition of subtitles", rows: rows(.subtitles) + SegmentKeys.rows)
  static let audioOfList: ObjectKind = ObjectKind(
    "audioRenditionOfList", "a rendition", rows: rows(.audio) + [list.row])
  static let subtitlesOfList: ObjectKind = ObjectKind(
    "subtitleRenditionOfList", "a rendition", rows: rows(.subtitles) + [list.row])
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

private typealias LiveMember = Member<LiveWindow>

/// The keys of a live stream.
enum LiveKeys {
  static let publishDelay = Key(
    "publishDelay", .time, .standard("0"), "how long after its end a segment is listed")
  static let targetDuration = Key(
    "targetDuration", .positiveMediaTime, "how long a segment may be (EXT-X-TARGETDURATION)")
  static let record = Record(
    "live", "a live stream", LiveWindow(elapsed: .zero, window: nil),
    [
      LiveMember(
        Key("elapsed", .mediaTime, .standard("0"), "how much of it is over when the run starts"),
        { $0.elapsed }, { $0.elapsed = $1 }, isSpelled: true),
      LiveMember(
        Key(
          "window", FieldKind<MediaTime?>.nullable(.positiveMediaTime), .standard("null"),
          "how much of it a playlist lists; null for all"),
        { $0.window }, { $0.window = $1 }),
      LiveMember(
        optional: "holdBack", .mediaTime, "how far from the end playback starts (HOLD-BACK)",
        { $0.holdBack }, { $0.holdBack = $1 }),
      LiveMember(publishDelay, { $0.publishDelay }, { $0.publishDelay = $1 }),
      LiveMember(
        optional: "partDuration", .positiveMediaTime,
        "how long parts are, if there are any (PART-TARGET)",
        { $0.partDuration }, { $0.partDuration = $1 }),
      LiveMember(
        optional: "partHoldBack", .mediaTime,
        "how far from the end playback starts with parts (PART-HOLD-BACK)",
        { $0.partHoldBack }, { $0.partHoldBack = $1 }),
      LiveMember(
        Key(
          "canBlockReload", .bool, .standard("false"),
          "whether the server answers a reload when there is something new"),
        { $0.canBlockReload }, { $0.canBlockReload = $1 }),
    ], besides: [targetDuration.row])
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
  static let keys = Key("keys", .array(of: key.kind), "the keys, by number")
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
  static let key = Record(
    "key", "a key", StreamMedia.ContentKey(size: .zero),
    [
      Member(
        Key("size", .size, .required, "the size of the response"),
        { $0.size }, { $0.size = $1 }),
      Member(ContentKeyKeys.serverTime, { $0.serverDelay }, { $0.serverDelay = $1 }),
    ])
  static let variant: ObjectKind = ObjectKind(
    "variantOfList", "a variant",
    rows: [VariantKeys.name.row, VariantKeys.bandwidth.row, list.row] + VariantKeys.common)
}

/// The keys of a list of segments that are spelled out one by one.
enum SegmentListKeys {
  static let name = Key("name", .string, "what it is called")
  static let playlistSize = Key("playlistSize", .size, .standard("0"), "the size of its playlist")
  static let livePlaylist = Key(
    "livePlaylist", .object(of: playlistText.kind), "what the playlist of a live stream is made of")
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

  static let playlistText = Record(
    "livePlaylist", "the text of a live playlist",
    PlaylistText(head: .zero, entries: .zero, of: 1),
    [
      Member(
        Key("head", .size, .required, "the size of what is there in any case"),
        { $0.head }, { $0.head = $1 }),
      Member(
        Key("entries", .size, .required, "the size of the entries of segments"),
        { $0.entries }, { $0.entries = $1 }),
      Member(
        Key(
          "of", .count(in: 1...StreamReader.segmentsMax), .standard("1"),
          "of how many segments that is"),
        { $0.entryCount }, { $0.entryCount = $1 }),
      Member(
        Key("key", .size, .standard("0"), "the size of the entry of a key"),
        { $0.key }, { $0.key = $1 }),
      Member(
        Key("init", .size, .standard("0"), "the size of the entry of an initialization section"),
        { $0.initialization }, { $0.initialization = $1 }),
    ], besides: [HLSKeys.gzip.row])

  static let first = Key("first", number, .required, "the number of the first segment")
  static let neededSection = Key("init", number, "the number of the initialization section")
  static let neededKey = Key("key", number, "the number of the key")
  static let need: ObjectKind = ObjectKind(
    "need", "what segments need", first.row, neededSection.row, neededKey.row)
  private static var number: FieldKind<Int> { .count(in: 0...StreamReader.segmentsMax) }
}
