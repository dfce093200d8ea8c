import Autowait

/// The keys of a player.
enum PlayerKeys {
  static let name = Key("name", .string, .required, "what steps and expectations call the player")
  static let media = Key(
    "media", .any(MediaKeys.oneOrMore), "what it plays, if not what the scenario says")
  static let heuristic = Key(
    "heuristic", .any(HeuristicKeys.nameOrObject), "its rule, if not that of the scenario")
  static let contract = Key(
    "contract", .contract, .standard("ios26"),
    "the version of iOS that the app runs on and was built for")
  static let linkedOn = Key(
    "linkedOn", .contract, "the version of iOS that the app was built for, if it is an older one")
  static let usesAVKit = Key(
    "usesAVKit", .bool, .standard("false"),
    "whether AVKit or MediaPlayer drives it: then it waits on iOS 9, too")
  static let waits = Key(
    "automaticallyWaitsToMinimizeStalling", .bool,
    "whether it waits rather than plays into a stall; true"
  )
  .since(iOS: 10)
  static let defaultRate = Key("defaultRate", .playbackRate, .standard("1"), "the rate of play()")
    .since(iOS: 16)
  static let actionAtItemEnd = Key(
    "actionAtItemEnd", FieldKind<ActionAtItemEnd>.named,
    "what happens at the end of an item: 'advance' with a queue, else 'pause'")
  static let queue = Key(
    "queue", .array(of: ItemNames.schema),
    "the items that a queue player is made with, by their names or numbers")
  static let items = Key(
    "items", .array(of: ItemKeys.object),
    "the items, if they are parts of assets or share one; without them each medium is an item")
  static let loop = Key(
    "loop", .object(of: LoopKeys.object), "how the application plays an item again and again")
  static let forwardPlaybackEndTime = Key(
    "forwardPlaybackEndTime", .positiveMediaTime, "where each item ends when it plays forwards")
  static let latency = Key(
    "latency", .object(of: LatencyKeys.record.kind),
    "latencies of the app and the player")
  static let pipelineRebuild = Key(
    "pipelineRebuild", .positiveTime, .standard("0.3 s"),
    "how long the picture freezes on iOS 9 when tracks change (assumed)")
  static let pipelineBuild = Key(
    "pipelineBuild", .time, "how long it takes to build the pipeline of an item")
  static let snapsToKeyFrame = Key(
    "snapsToKeyFrame", .bool, .standard("false"),
    "whether playback goes on from the last key frame when it does (it may, on iOS 9)")
  static let videoOutput = Key(
    "videoOutput", .object(of: FrameKeys.output), "a video output that takes the pictures")
  static let composition = Key(
    "composition", .object(of: CompositionKeys.object), "a video composition of its items")
  static let eligibleForHDRPlayback = Key(
    "eligibleForHDRPlayback", .bool, .standard("true"),
    "whether its display shows a high dynamic range: else variants of PQ and HLG are left out"
  )
  .since(iOS: 14)
  static let hasLayer = Key("hasLayer", .bool, "whether a layer shows the player at the start")

  static let preferredForwardBufferDuration = Key(
    "preferredForwardBufferDuration", .mediaTime, .standard("0"),
    "how far ahead of the playhead a stream is loaded; 0 leaves it to the player"
  )
  .since(iOS: 10)
  static let preferredPeakBitRate = Key(
    "preferredPeakBitRate", .bitRate, .standard("0"),
    "the bandwidth that no variant may exceed; 0 for none")
  static let preferredPeakBitRateForExpensiveNetworks = Key(
    "preferredPeakBitRateForExpensiveNetworks", .bitRate, .standard("0"),
    "the same for expensive networks only"
  )
  .since(iOS: 15)
  static let preferredMaximumResolution = Key(
    "preferredMaximumResolution", .resolution, "the resolution that no variant may exceed"
  )
  .since(iOS: 11)
  static let preferredMaximumResolutionForExpensiveNetworks = Key(
    "preferredMaximumResolutionForExpensiveNetworks", .resolution,
    "the same for expensive networks only"
  )
  .since(iOS: 15)
  static let layer = Key(
    "layer", .layer, "the size of the layer that shows the player: no larger variant is needed")
  static let networkResourcePriority = Key(
    "networkResourcePriority", FieldKind<NetworkResourcePriority>.named, .standard("default"),
    "how much it needs the network, compared with other players of the app"
  )
  .since(iOS: 26)
  static let expensiveNetwork = Key(
    "expensiveNetwork", .bool, .standard("false"), "whether the network is expensive")
  static let codecs = Key("codecs", .families, "the kinds of codecs that the device decodes; all")
  static let preloadsEligibleContentKeys = Key(
    "preloadsEligibleContentKeys", .bool, .standard("false"),
    "whether keys that the multivariant playlist names are loaded with it")
  static let preservesOffset = Key(
    "automaticallyPreservesTimeOffsetFromLive", .bool, .standard("false"),
    "whether a live stream skips what it missed while it waited"
  )
  .since(iOS: 13)
  static let usesNetworkWhilePaused = Key(
    "canUseNetworkResourcesForLiveStreamingWhilePaused", .bool, .standard("false"),
    "whether the playlists of a live stream are loaded again while it is paused")
  static let preset = Key(
    "preset", .playerPreset, .standard("avfoundation"),
    "the numbers that other keys replace: what is documented, or what logs of iOS 26 show too")
  static let postsStallFirst = Key(
    "postsStallFirst", .bool, "whether playbackStalled is posted before the status changes")
  static let rangeProbe = Key(
    "rangeProbe", FieldKind<ByteCount?>.nullable(.positiveSize),
    "the first bytes of a file that are asked for before all else; null for none")
  static let showsSubtitles = Key(
    "showsSubtitles", .bool, .standard("false"), "whether subtitles are shown, and so loaded")
  static let audioLanguages = Key(
    "audioLanguages", .array(of: FieldKind<LanguageTag>.language.schema),
    "the languages that the user wants to hear, the best one first")
  static let subtitleLanguages = Key(
    "subtitleLanguages", .array(of: FieldKind<LanguageTag>.language.schema),
    "the languages that the user wants to read, the best one first")
  static let audioChannels = Key(
    "audioChannels", .count(in: 1...64), "how many channels can be heard; any number")
  static let startsOnFirstEligibleVariant = Key(
    "startsOnFirstEligibleVariant", .bool,
    "whether the first variant that may be played plays first; true before iOS 13"
  )
  .since(iOS: 14)
  static let observedBitrate = Key(
    "observedBitrate", .positiveBitRate,
    "what the last access log observed, by which the first variant is chosen")
  static let acceptableResolution = Key(
    "acceptableResolution", .resolution,
    "the smallest picture that the app starts with when it goes by 'observedBitrate'")
  static let history = Key(
    "history", FieldKind<BitRate?>.nullable(.positiveBitRate), .standard("null"),
    "the throughput that the device remembers of the network; null for a cold start")
  static let streaming = Key(
    "streaming", .object(of: StreamingKeys.object), .standard("{}"), "how streams are loaded")

  private static let rows = [
    items.row, queue.row, loop.row, contract.row, linkedOn.row,
    usesAVKit.row, waits.row, defaultRate.row, actionAtItemEnd.row,
    forwardPlaybackEndTime.row,
    latency.row,
    pipelineRebuild.row, snapsToKeyFrame.row, pipelineBuild.row, hasLayer.row, videoOutput.row,
    composition.row, eligibleForHDRPlayback.row,
    preferredForwardBufferDuration.row,
    preferredPeakBitRate.row,
    preferredPeakBitRateForExpensiveNetworks.row, preferredMaximumResolution.row,
    preferredMaximumResolutionForExpensiveNetworks.row, layer.row, networkResourcePriority.row,
    expensiveNetwork.row, codecs.row,
    preloadsEligibleContentKeys.row, preservesOffset.row, usesNetworkWhilePaused.row, preset.row,
    postsStallFirst.row,
    rangeProbe.row, showsSubtitles.row, audioLanguages.row, subtitleLanguages.row,
    audioChannels.row,
    startsOnFirstEligibleVariant.row, observedBitrate.row,
    acceptableResolution.row,
    history.row, streaming.row,
  ]
  /// The only player.
  static let object: ObjectKind = ObjectKind("player", "a player", rows: rows)
  /// One of several players.
  static let named: ObjectKind = ObjectKind(
    "namedPlayer", "a player", rows: [name.row, media.row, heuristic.row] + rows)
}

/// The keys of how streams are loaded.
enum StreamingKeys {
  static let rule = Key(
    "rule", .adaptationRule, .standard("avfoundation"), "what chooses among variants")
  static let forwardBufferSizeSlack = Key(
    "forwardBufferSizeSlack", .positiveSize,
    "how much less must be ahead for loading to go on; 16 MiB, or two fifths of less")

  /// All but these, in the order in which they are read.
  static let all = choice + buffer + failure + live

  static let object: ObjectKind = ObjectKind(
    "streaming", "a way to load streams",
    rows: [rule.row] + all.map { $0.row } + [forwardBufferSizeSlack.row])

  /// How variants are chosen.
  private static let choice: [Member<StreamPolicy>] = [
    key(
      "climb", part, "the part of the fill rate that a variant may need to be climbed to",
      { $0.adaptation.climb * 1_000 }, { $0.adaptation.climb = max(1, $1 / 1_000) }),
    key(
      "startupClimb", .nullable(part), "the same at the start; null for no difference",
      { $0.adaptation.startupClimb.map { $0 * 1_000 } },
      { $0.adaptation.startupClimb = $1.map { max(1, $0 / 1_000) } }),
    key(
      "startupSpan", .time, "how long requests must have been open for the start to be over",
      { $0.adaptation.startupSpan }, { $0.adaptation.startupSpan = $1 }),
    key(
      "climbRungs", .nullable(.count(in: 1...1_000)),
      "the most variants of one climb; null for any number",
      { $0.adaptation.climbRungsMax }, { $0.adaptation.climbRungsMax = $1 }),
    key(
      "climbInterval", .time, "how long after another change of the variant a climb may follow",
      { $0.adaptation.climbInterval }, { $0.adaptation.climbInterval = $1 }),
    key(
      "dropsWhenSeeking", .bool,
      "whether a seek to where nothing is loaded throws away what is loaded elsewhere",
      { $0.dropsWhenSeeking }, { $0.dropsWhenSeeking = $1 }),
    key(
      "safety", part, "the part of the mean throughput that a variant may need by 'throughput'",
      { $0.adaptation.safety * 1_000 }, { $0.adaptation.safety = max(1, $1 / 1_000) }),
    key(
      "segments", .count(in: 1...1_000), "how many segments the throughput is averaged over",
      { $0.adaptation.segmentsMax }, { $0.adaptation.segmentsMax = $1 }),
    key(
      "rungsAfterStall", .count(in: 0...1_000), "how many variants to step down after a stall",
      { $0.adaptation.rungsAfterStall }, { $0.adaptation.rungsAfterStall = $1 }),
    key(
      "abandonedAfter",
      .nullable(.time(in: TimeSpan(nanoseconds: -Limits.timeMax.nanoseconds)...Limits.timeMax)),
      "when a segment is given up, from the end of the buffer on; null for never",
      { $0.adaptation.abandonedAfter }, { $0.adaptation.abandonedAfter = $1 }),
  ]

  /// How far ahead is loaded.
  private static let buffer: [Member<StreamPolicy>] = [
    key(
      "forwardBufferDefault", .nullable(.positiveMediaTime),
      "how far ahead a stream is loaded, in time; null to count data",
      { $0.forwardBufferDefault }, { $0.forwardBufferDefault = $1 }),
    key(
      "forwardBufferSize", .positiveSize, "the data ahead at which loading stops",
      { $0.forwardBufferSize }, { $0.forwardBufferSize = $1 }),
    key(
      "forwardBufferSegments", .count(in: 0...1_000),
      "the target durations that may be ahead however much data they are",
      { $0.forwardBufferSegmentsMin }, { $0.forwardBufferSegmentsMin = $1 }),
  ]

  /// What is done when requests fail.
  private static let failure: [Member<StreamPolicy>] = [
    key(
      "responseTimeout", .nullable(.positiveTime),
      "how long a request may go without an answer; null for a target duration",
      { $0.responseTimeout }, { $0.responseTimeout = $1 }),
    key(
      "cutsSlowSegments", .bool,
      "whether a segment that is incomplete after two target durations is given up",
      { $0.cutsSlowSegments }, { $0.cutsSlowSegments = $1 }),
    key(
      "retries", .count(in: 0...1_000), "how often a refused request is retried",
      { $0.retriesMax }, { $0.retriesMax = $1 }),
    key(
      "retryDelay", .time, "delay before retrying a failed request",
      { $0.retryDelay }, { $0.retryDelay = $1 }),
    key(
      "retryDelayMax", .positiveTime, "the longest of these delays; each is twice the one before",
      { $0.retryDelayMax }, { $0.retryDelayMax = $1 }),
    key(
      "penaltyTime", .time, "how long a variant that failed is left alone",
      { $0.penaltyTime }, { $0.penaltyTime = $1 }),
    key(
      "failuresMax", .nullable(.count(in: 1...1_000)),
      "the failures in a row after which nothing more is asked for; null for any number",
      { $0.failuresMax }, { $0.failuresMax = $1 }),
    key(
      "failsWhenPlayedOut", .bool,
      "whether an item for which nothing more is asked fails when it has played what it has",
      { $0.failsWhenPlayedOut }, { $0.failsWhenPlayedOut = $1 }),
    key(
      "reconnects", .bool,
      "whether a stream goes on when a request has lost its connection for good",
      { $0.reconnects }, { $0.reconnects = $1 }),
    key(
      "knowsPlaylists", .bool,
      "whether media playlists are known from the start, as what an MPD says is",
      { $0.knowsPlaylists }, { $0.knowsPlaylists = $1 }),
    key(
      "waitsForMissingEnd", .bool, "whether the player waits for what 'realDuration' leaves out",
      { $0.waitsForMissingEnd }, { $0.waitsForMissingEnd = $1 }),
  ]

  /// How live streams are followed.
  private static let live: [Member<StreamPolicy>] = [
    key(
      "stalePollsMax", .nullable(.count(in: 1...1_000)),
      "the loads of a live playlist that stays the same after which it is given up; null for never",
      { $0.stalePollsMax }, { $0.stalePollsMax = $1 }),
    key(
      "restartsShortWindows", .bool,
      "whether a live stream starts over whose playlist lists too little to start",
      { $0.restartsShortWindows }, { $0.restartsShortWindows = $1 }),
    key(
      "rejoinsAfterStall", .bool, "whether a live stream joins again after a stall",
      { $0.rejoinsAfterStall }, { $0.rejoinsAfterStall = $1 }),
    key(
      "freezesWhenPaused", .bool, "whether a live stream that was paused loads nothing more",
      { $0.freezesWhenPaused }, { $0.freezesWhenPaused = $1 }),
  ]

  private static var part: FieldKind<Int64> { .part(in: 1...10_000_000_000) }

  private static func key<Value: Equatable & Sendable & SendableMetatype>(
    _ name: String, _ kind: FieldKind<Value>, _ about: String,
    _ get: @escaping @Sendable (StreamPolicy) -> Value,
    _ set: @escaping @Sendable (inout StreamPolicy, Value) -> Void
  ) -> Member<StreamPolicy> {
    Member(Key(name, kind, .standard(kind.text(of: get(StreamPolicy()))), about), get, set)
  }
}
