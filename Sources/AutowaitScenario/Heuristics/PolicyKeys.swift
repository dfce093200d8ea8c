import Autowait

/// The numbers of a policy whatever its rule, but for the length of a frame: a row for each, from
/// which it is read and written.
///
/// The first four are always written, the others if they are not what they are without a word.
enum PolicyKeys {
  private typealias PolicyMember = Member<KeepUpPolicy>

  /// All of them, in the order in which they are read and written.
  static let all: [Member<KeepUpPolicy>] = verdict + limits + sizes + [order, sharing] + loading

  private static let verdict = [
    PolicyMember(
      Key("verdictSize", .size, "how much must have come before the fill rate is believed"),
      { $0.verdictSize }, { $0.verdictSize = $1 }, isSpelled: true),
    PolicyMember(
      Key("verdictTime", .time, "how long data must have come before the fill rate is believed"),
      { $0.verdictTime }, { $0.verdictTime = $1 }, isSpelled: true),
    PolicyMember(
      Key("fillRateWindow", .positiveTime, "over how long the fill rate is measured"),
      { $0.fillRateWindow }, { $0.fillRateWindow = $1 }, isSpelled: true),
    PolicyMember(
      Key(
        "safetyMargin", .ratio(upTo: 10),
        "how much faster than needed the fill rate must be: 0.1 is a tenth"),
      { $0.safetyMargin }, { $0.safetyMargin = $1 }, isSpelled: true),
  ]

  /// How far ahead is loaded, in time.
  private static let limits = [
    PolicyMember(
      "forwardBufferLimit", .nullable(.positiveMediaTime),
      "how far ahead is loaded, in time; null for no limit",
      { $0.forwardBufferLimit },
      {
        $0.forwardBufferLimit = $1
        // A mark that came with a higher limit, or with one at all, goes with it.
        let limit = $1 ?? .zero
        if $0.forwardBufferResume.map({ $0 >= limit }) ?? false { $0.forwardBufferResume = nil }
      }),
    PolicyMember(
      "forwardBufferResume", .nullable(.mediaTime),
      "to what the buffer must have fallen before loading goes on; null for less than the limit",
      { $0.forwardBufferResume }, { $0.forwardBufferResume = $1 }),
  ]

  /// How far ahead is loaded, in data.
  private static let sizes = [
    size(
      "forwardBufferSizeMax", "how much data is loaded ahead at most; null for no limit",
      { $0.sizeMax }, { $0.sizeMax = $1 }),
    size(
      "forwardBufferSizeMin", "how much data is loaded ahead whatever the time limit says",
      { $0.sizeMin }, { $0.sizeMin = $1 }),
    size(
      "forwardBufferSizeBeyond",
      "how much data of a file is loaded beyond the time limit; null for none",
      { $0.sizeBeyond }, { $0.sizeBeyond = $1 }),
    PolicyMember(
      "forwardBufferLimitMax", .nullable(.positiveMediaTime),
      "how far ahead is loaded at most while there is too little data",
      { $0.sizes.limitMax }, { $0.sizes.limitMax = $1 }),
    size(
      "forwardBufferSizeSlack", "how much less data must be ahead for loading to go on",
      { $0.slack }, { $0.slack = $1 }),
    PolicyMember(
      "forwardBufferSizesOfFiles", .bool, "whether these sizes hold for files, too",
      { $0.sizes.appliesToFiles }, { $0.sizes.appliesToFiles = $1 }),
  ]

  /// What is requested when.
  private static let order = PolicyMember(
    "requestOrder", .named, "in which order the tracks of a stream load",
    { $0.requestOrder }, { $0.requestOrder = $1 })
  private static let sharing = PolicyMember(
    "soundShare",
    .quantity(
      .probability, in: 1_000_000...1_000_000_000, { UInt32($0 / 1_000_000) },
      count: { Int64($0) * 1_000_000 }),
    "what a response with sound gets of an ideal link that it shares, in parts of what another one "
      + "gets",
    { $0.soundShare }, { $0.soundShare = $1 })
  private static let loading = [
    PolicyMember(
      "requestInterval", .nullable(.positiveTime),
      "how often a track that has enough looks again; null for as soon as it has not",
      { $0.requestInterval }, { $0.requestInterval = $1 }),
    PolicyMember(
      "readStep", .nullable(.positiveMediaTime),
      "how much media of a segment is read at a time while the segment comes; null for all at "
        + "once",
      { $0.readStep }, { $0.readStep = $1 }),
    PolicyMember(
      "readAhead", .nullable(.positiveSize),
      "how much comes of a segment while the one before it is read; null for nothing",
      { $0.readAhead }, { $0.readAhead = $1 }),
    PolicyMember(
      "followingBlock", .nullable(.positiveSize),
      "how much must have come behind a segment for it to be played; null for nothing",
      { $0.followingBlock }, { $0.followingBlock = $1 }),
    PolicyMember(
      "droppedSize", .nullable(.positiveSize),
      "how much more crosses an ideal link of a request that is given up; null for nothing",
      { $0.droppedSize }, { $0.droppedSize = $1 }),
    PolicyMember(
      "queuedAhead", .nullable(.positiveSize),
      "how much of the picture under way comes before an answer that is asked for meanwhile, on an "
        + "ideal link; null for nothing",
      { $0.queuedAhead }, { $0.queuedAhead = $1 }),
    PolicyMember(
      "bolaBuffer", .nullable(.positiveMediaTime),
      "the buffer that BOLA plans with, beyond whose level for a variant tracks that look in "
        + "intervals load nothing of it; null for the limit alone",
      { $0.bolaBuffer }, { $0.bolaBuffer = $1 }),
    PolicyMember(
      "replacesOnClimb", .bool,
      "whether a better variant is loaded from the playhead on, over what is there of the old one",
      { $0.replacesOnClimb }, { $0.replacesOnClimb = $1 }),
    PolicyMember(
      "connectsTracksApart", .bool,
      "whether each track of a stream has connections of its own for its segments",
      { $0.connectsTracksApart }, { $0.connectsTracksApart = $1 }),
    PolicyMember(
      "ownTimeouts", .bool,
      "whether the next six keys say how long requests are waited for, and no target duration",
      { $0.timeouts != nil }, { $0.timeouts = $1 ? $0.timeouts ?? RequestTimeouts() : nil }),
    timeout(
      "answerTimeout", "how long an answer may take to begin; null for no limit",
      { $0.answer }, { $0.answer = $1 }),
    timeout(
      "silenceTimeout", "how long an answer that has begun may bring nothing; null for no limit",
      { $0.silence }, { $0.silence = $1 }),
    timeout(
      "wholeTimeout", "how long a segment may take in all; null for no limit",
      { $0.whole }, { $0.whole = $1 }),
    PolicyMember(
      "timeoutRetries", .count(in: 0...1_000),
      "how often the same is asked for again before another variant is loaded instead",
      { $0.timeouts?.retriesMax ?? 0 }, { $0.timeouts?.retriesMax = $1 }),
    PolicyMember(
      "timeoutRetryDelay", .time, "how long that waits: twice as long each further time",
      { $0.timeouts?.retryDelay ?? .zero }, { $0.timeouts?.retryDelay = $1 }),
    PolicyMember(
      "timeoutKeepsData", .bool,
      "whether only the rest is asked for of a segment that was given up",
      { $0.timeouts?.keepsData ?? false }, { $0.timeouts?.keepsData = $1 }),
    PolicyMember(
      "openingSize", .nullable(.positiveSize),
      "how much of a track's first segment must have come for the next track to be opened; null "
        + "for all tracks at once",
      { $0.opening?.size },
      { policy, size in
        let order = policy.opening?.order ?? .pictureFirst
        policy.opening = size.map { TrackOpening(size: $0, order: order) }
      }),
    PolicyMember(
      optional: Key(
        "openingOrder", .named, .standard("pictureFirst"), "which track is opened first"),
      { $0.opening?.order }, { $0.opening?.order = $1 }),
    PolicyMember(
      "probeSize", .nullable(.positiveSize),
      "how much is read of each track's first segment before any is loaded whole, one request "
        + "at a time; null for nothing",
      { $0.probe?.size },
      { policy, size in
        let dropped = policy.probe?.dropped ?? .zero
        policy.probe = size.map { SegmentProbe(size: $0, dropped: dropped) }
      }),
    PolicyMember(
      optional: Key(
        "probeDropped", .size, .standard("0"),
        "how much more of it crosses the link when that connection is dropped"),
      { $0.probe?.dropped }, { $0.probe?.dropped = $1 }),
    PolicyMember(
      "pictureGrace", .time, "how long the clock runs on without a picture while there is sound",
      { $0.pictureGrace }, { $0.pictureGrace = $1 }),
  ]

  private static func timeout(
    _ name: String, _ about: String,
    _ get: @escaping @Sendable (RequestTimeouts) -> TimeSpan?,
    _ set: @escaping @Sendable (inout RequestTimeouts, TimeSpan?) -> Void
  ) -> PolicyMember {
    PolicyMember(
      name, .nullable(.positiveTime), about, { $0.timeouts.flatMap(get) },
      { policy, span in
        guard span != nil || policy.timeouts != nil else { return }
        var timeouts = policy.timeouts ?? RequestTimeouts()
        set(&timeouts, span)
        policy.timeouts = timeouts
      })
  }

  private static func size(
    _ name: String, _ about: String,
    _ get: @escaping @Sendable (ForwardBufferSizes) -> ByteCount?,
    _ set: @escaping @Sendable (inout ForwardBufferSizes, ByteCount?) -> Void
  ) -> PolicyMember {
    PolicyMember(name, .nullable(.positiveSize), about, { get($0.sizes) }, { set(&$0.sizes, $1) })
  }

  /// Writes the numbers of a policy.
  static func write(_ policy: KeepUpPolicy, into writer: inout JSONWriter) {
    all.write(policy, over: KeepUpPolicy(), into: &writer, .bare)
  }

  /// Writes what a policy does not have of the numbers that another one has over which it stands.
  static func clear(
    _ policy: KeepUpPolicy, over inherited: KeepUpPolicy, into writer: inout JSONWriter
  ) {
    let plain = KeepUpPolicy()
    for member in limits + sizes + loading + [order, sharing]
    where member.isSame(policy, plain) && !member.isSame(inherited, plain) {
      member.write(&writer, policy, .bare)
    }
  }
}

extension KeepUpPolicy {
  /// How much data is loaded ahead; sizes of nothing while they are read.
  fileprivate var sizes: ForwardBufferSizes {
    get { forwardBufferSizes ?? ForwardBufferSizes() }
    set { forwardBufferSizes = newValue }
  }
}
