/// The rule that answers whether playback is likely to keep up.
package enum StartupRule: Hashable, Sendable {
  /// AVFoundation's rule as a talk describes it: with the fill rate observed so far, starting now
  /// would play to the end without stalling.
  ///
  /// Source: WWDC16 503, "Advances in AVFoundation Playback". How much must be observed first is
  /// not stated; ``KeepUpPolicy`` holds what is assumed.
  case linearToEnd
  /// So much media is buffered: one amount before playback has begun, another to go on after that.
  case buffered(start: MediaTime, resume: MediaTime)
  /// Conditions hold: a rule as data.
  case conditions(ConditionRule)
  /// An external rule: the simulation stops and asks the driver.
  case external

  /// Whether the rule looks at how fast media arrives.
  var readsFillRate: Bool {
    switch self {
    case .linearToEnd, .external: true
    case .buffered: false
    case .conditions(let rule): rule.readsFillRate
    }
  }

  /// Whether the rule looks at how long the player has waited, or only now and then.
  var readsWaiting: Bool {
    switch self {
    case .linearToEnd, .buffered: false
    case .external: true
    case .conditions(let rule): rule.readsWaiting
    }
  }
}

extension StartupRule {
  /// Whether the rule is AVFoundation's; cheaper than a comparison of rules that may be long.
  @inline(__always)
  var isLinear: Bool {
    if case .linearToEnd = self { true } else { false }
  }

  /// Whether the rule looks at what is still to come.
  var readsRemaining: Bool {
    switch self {
    case .linearToEnd, .external: true
    case .conditions(let rule): rule.readsRemaining
    case .buffered: false
    }
  }

  /// Whether the rule is data.
  @inline(__always)
  var usesConditions: Bool {
    if case .conditions = self { true } else { false }
  }

  /// Whether the rule is external.
  @inline(__always)
  var isExternal: Bool {
    if case .external = self { true } else { false }
  }
}

/// The numbers that the keep-up rule and the buffer's marks depend on.
public struct KeepUpPolicy: Hashable, Sendable {
  /// The rule that is asked.
  package var rule = StartupRule.linearToEnd
  /// The data that must have been received before the rule may give a verdict.
  ///
  /// Until then the player waits with ``WaitingReason/evaluatingBufferingRate``. Assumed; players
  /// with published gates use 83,220 (Firefox) to 524,288 bytes (media3).
  public var verdictSize = ByteCount(bytes: 65_536)
  /// How long a player waits for that data before it has a verdict without it.
  ///
  /// The period of evaluating is "brief" (header of
  /// `AVPlayerWaitingWhileEvaluatingBufferingRateReason`). Observed: tunes of live streams turn to
  /// minimizing stalls about a second before any media has come (AetherEngine issue 440). Assumed:
  /// one second.
  package var verdictTime = TimeSpan.seconds(1)
  /// How far back the fill rate looks.
  ///
  /// Assumed: 10 seconds.
  public var fillRateWindow = TimeSpan.seconds(10)
  /// How much faster than needed, in millionths, the fill rate must be.
  ///
  /// Assumed: nothing.
  public var safetyMargin: Int64 = 0
  /// How far ahead of the playhead media is loaded before reading is suspended.
  ///
  /// A progressive file has no limit in time (observed: just_audio issue 877).
  public var forwardBufferLimit: MediaTime?
  /// The media ahead at which suspended reading resumes.
  ///
  /// Assumed: three quarters of the limit.
  public var forwardBufferResume: MediaTime?
  /// How much data is loaded ahead, for players that count it; nil for others.
  package var forwardBufferSizes: ForwardBufferSizes?
  /// In which order the tracks of a stream are loaded.
  package var requestOrder = RequestOrder.furthestBehind
  /// How often a track that has enough looks again; nil for as soon as it has not.
  ///
  /// The looks count from when its last segment came. It holds where tracks are loaded side by
  /// side: each of them has enough for itself then.
  package var requestInterval: TimeSpan?
  /// The media ahead that ends an empty buffer: one frame, so that something can be shown.
  ///
  /// Assumed: 0.04 seconds, one frame of the stage demo.
  package var frameDuration = MediaTime(nanoseconds: 40_000_000)
  /// The media ahead with which the buffer still counts as empty, so that playback stalls.
  ///
  /// Nothing for most players. Shaka before 4.13 starves below half a second (`BufferingObserver`),
  /// GStreamer at a hundredth of its five seconds (`gsturisourcebin.c`).
  package var starvesBelow = MediaTime.zero
  /// How long the clock runs on without a picture while there is sound; zero for not at all.
  ///
  /// Chromium ignores that the picture starves for three seconds while sound plays
  /// (`renderer_impl.cc`, kDefaultVideoUnderflowThresholdMs); then the clock stops, too.
  package var pictureGrace = TimeSpan.zero
  /// Whether applications are told that a buffer is empty (`isPlaybackBufferEmpty`) while less than
  /// ``starvesBelow`` is left in it.
  ///
  /// By the header it means that playback has consumed all media. Observed: stalls with 0.4 and
  /// 2.0 s ahead at which it stayed false (AetherEngine issues 342 and 405).
  package var isEmptyWhenStarved = true
  /// How often an external rule is asked while a player waits for its answer.
  ///
  /// Assumed: 250 ms.
  package var externalRuleInterval = TimeSpan.milliseconds(250)

  /// Creates the policy with its defaults.
  public init() {}

  /// Takes the numbers that single logs of tvOS 26 show and Apple does not give.
  ///
  /// It waits to minimize stalls before a byte of media has come, and stalls with 0.4 s ahead in a
  /// buffer that is not told to be empty (AetherEngine issues 440 and 405).
  package mutating func followLogs26() {
    verdictSize = .zero
    starvesBelow = MediaTime(nanoseconds: 400_000_000)
    isEmptyWhenStarved = false
  }

  /// The media ahead at which suspended reading resumes.
  @inline(always)
  var resumeMark: MediaTime {
    if let forwardBufferResume { return forwardBufferResume }
    let limit = forwardBufferLimit ?? .zero
    return MediaTime(nanoseconds: limit.nanoseconds / 4 * 3)
  }

  /// How the first segment of each track is looked into, of a player that loads one thing at a
  /// time; nil if it is loaded at once.
  package var probe: SegmentProbe?

  /// How much media of a segment is read at a time while the segment comes; nil if it can be
  /// played only when all of it has come.
  ///
  /// Libraries that hand media to an element append whole segments. A player that demuxes what it
  /// reads plays the first frames of a segment while the rest is on its way: recorded of mpv 0.35.1
  /// and of GStreamer 1.22.
  package var readStep: MediaTime?
  /// How much comes of a segment while the one before it is being read; nil if it is asked for when
  /// all of that has come.
  ///
  /// It is what a connection holds that nobody reads. Where it is set, picture and sound are read
  /// in step, and each has at most two segments under way: libavformat opens the next segment with
  /// the answer for the present one (`hls.c`, `http_multiple`).
  package var readAhead: ByteCount?
  /// How much must have come behind a segment of a stream that is not live for it to be played; nil
  /// for nothing.
  ///
  /// The first segment of a track is played with so much of the second, another one when the next
  /// has come whole, and so much of what was asked for then; the last two wait for no more.
  /// Recorded of VLC 3.0.24, which reads 32 KiB at a time, all tracks in turn. Who reads segments
  /// while they come waits for nothing behind them.
  package var followingBlock: ByteCount?
  /// How much more crosses an ideal link of a request that is given up, and is thrown away; nil for
  /// nothing.
  ///
  /// It lies in the queue of the link when the connection is dropped. Of three recorded sessions of
  /// dash.js over a link with a queue of 32,000 B, 15,000 to 30,000 B are missing from what came
  /// next.
  package var droppedSize: ByteCount?

  /// What a response with sound weighs, in thousandths, where it shares an ideal link with others.
  ///
  /// Equal parts for most players. Where sound is asked for without a pause on a connection of its
  /// own while the picture fills the queue, its connection never gets a window of packets that is
  /// as large: seventeen answers of two recorded sessions of GStreamer 1.22 had 0.276 of the link
  /// from their first bytes on beside one of the picture, which is 0.38 of what that had.
  package var soundShare: UInt32 = 1_000
  /// How much of the picture that is under way comes before an answer to what is asked for
  /// meanwhile, on an ideal link; nil for nothing.
  ///
  /// It lies in the queue of the link, which a response that lasts keeps filled. In recorded
  /// sessions over a queue of 32,000 B 155 answers of dash.js, GStreamer and Shaka came 19,600 B
  /// behind, half of them 15,500 to 24,500 B.
  package var queuedAhead: ByteCount?
  /// The buffer that BOLA plans with, which loads a variant of the picture no further ahead than up
  /// to where waiting for a better one is worth more; nil for the limit alone.
  ///
  /// It needs ``requestInterval``. `BolaRule.js` of dash.js: in three recorded sessions the lowest
  /// of three variants was loaded 13.84 s ahead, as its formula says for 18 s, looked at each half
  /// second: twelve requests of thirteen to a tenth of a second.
  package var bolaBuffer: MediaTime?
  /// Whether a better variant is loaded from the segment on in which the playhead is, over what is
  /// loaded in the old one, which plays until then.
  ///
  /// Recorded of dash.js 5.1.1 each time that it climbed while it played, three times.
  package var replacesOnClimb = false
  /// Whether each track of a stream has connections of its own for its segments.
  ///
  /// Recorded of VLC 3.0.24: all segments with sound came over one connection, and all with
  /// pictures over another, one request at a time.
  package var connectsTracksApart = false
  /// How long requests of a stream are waited for; nil for as long as target durations say, as
  /// AVFoundation does.
  package var timeouts: RequestTimeouts?
  /// How the tracks of a stream are opened one after the other; nil for all at once.
  package var opening: TrackOpening?

  /// When the tracks of a stream ask for more.
  func requests(besideModelledRule isModelled: Bool) -> RequestPacing {
    RequestPacing(
      order: requestOrder, interval: requestInterval,
      probe: requestOrder == .serial ? probe : nil, readStep: readStep,
      readAhead: readsAhead(besideModelledRule: isModelled) ? readAhead : nil,
      followingBlock: readStep == nil && readAhead == nil ? followingBlock : nil,
      droppedSize: droppedSize, opening: opening, soundWeight: soundShare,
      queuedAhead: queuedAhead, bolaBuffer: bolaBuffer, replacesOnClimb: replacesOnClimb,
      connectsTracksApart: connectsTracksApart, timeouts: timeouts)
  }

  /// Whether the next segment is opened early: one request at a time leaves no room for it, and a
  /// modelled rule follows one segment of the picture.
  package func readsAhead(besideModelledRule isModelled: Bool) -> Bool {
    readAhead != nil && !requestOrder.isSerial && !isModelled
  }

  /// Refuses numbers with which no player comes to rest.
  func check() {
    precondition(verdictSize >= .zero, "verdictSize must not be negative, is \(verdictSize)")
    precondition(verdictTime >= .zero, "verdictTime must not be negative, is \(verdictTime)")
    precondition(fillRateWindow > .zero, "fillRateWindow must be above 0 s, is \(fillRateWindow)")
    precondition(safetyMargin >= 0, "safetyMargin must not be negative, is \(safetyMargin)")
    precondition(frameDuration > .zero, "frameDuration must be above 0 s, is \(frameDuration)")
    precondition(starvesBelow >= .zero, "starvesBelow must not be negative, is \(starvesBelow)")
    precondition(
      requestInterval.map { $0 > .zero } ?? true,
      "requestInterval must be above 0 s, is \(requestInterval ?? .zero)")
    precondition(
      probe.map { $0.size > .zero && $0.dropped >= .zero } ?? true,
      "the size of a probe must be above 0 B, is \(probe?.size ?? .zero), and what it drops not "
        + "negative, is \(probe?.dropped ?? .zero)")
    precondition(
      readStep.map { $0 > .zero } ?? true, "readStep must be above 0 s, is \(readStep ?? .zero)")
    precondition(
      readAhead.map { $0 > .zero } ?? true, "readAhead must be above 0 B, is \(readAhead ?? .zero)")
    precondition(
      followingBlock.map { $0 > .zero } ?? true,
      "followingBlock must be above 0 B, is \(followingBlock ?? .zero)")
    precondition(
      droppedSize.map { $0 > .zero } ?? true,
      "droppedSize must be above 0 B, is \(droppedSize ?? .zero)")
    precondition(
      (1...1_000).contains(soundShare), "soundShare must be 1 to 1000, is \(soundShare)")
    precondition(
      queuedAhead.map { $0 > .zero } ?? true,
      "queuedAhead must be above 0 B, is \(queuedAhead ?? .zero)")
    precondition(
      bolaBuffer.map { $0 > .zero } ?? true,
      "bolaBuffer must be above 0 s, is \(bolaBuffer ?? .zero)")
    precondition(
      opening.map { $0.size > .zero } ?? true,
      "the size of an opening must be above 0 B, is \(opening?.size ?? .zero)")
    precondition(pictureGrace >= .zero, "pictureGrace must not be negative, is \(pictureGrace)")
    if case .conditions(let rule) = rule { rule.check() }
    forwardBufferSizes?.check()
    if let forwardBufferLimit {
      precondition(
        forwardBufferLimit > .zero,
        "forwardBufferLimit must be above 0 s, is \(forwardBufferLimit)")
      precondition(
        resumeMark < forwardBufferLimit,
        "forwardBufferResume must be below forwardBufferLimit, \(forwardBufferLimit), is "
          + "\(resumeMark)")
    }
  }
}
