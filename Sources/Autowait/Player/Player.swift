/// A player: the state machine with the things it decides about, driven by the simulation.
///
/// The state machine decides, this driver acts: it evaluates facts, enters the new phase, moves the
/// timebase, and records what an application would observe, in the order of the contract in
/// <doc:how-waiting-is-decided>.
struct Player: Sendable {
  /// A seek that has not completed.
  struct Seek: Hashable, Sendable {
    let number: Int
    /// When it was called.
    let called: Instant
    var target: MediaTime
    /// How far the playhead may come to stand before the target and behind it.
    var toleranceBefore = MediaTime.zero
    var toleranceAfter = MediaTime.zero
    /// Whether the playhead has moved and only the data is missing.
    var awaitsData = false
    /// Whether what is loaded stays though playback has not begun: a time was mapped to a host
    /// time, for which media is loaded in advance, or the item was sought before it was given to
    /// the player.
    var keepsLoaded = false
  }

  /// When it next does something by itself, beside the link's next change.
  struct Turn: Sendable {
    /// Whether something is due just when the link changes, and so is planned for neither.
    var isTied = false
    /// That instant, if what is due is more than a look at the buffer; else `never`.
    var tiedAt = Instant.never
    /// When the player turns however its transfers go on; nil if that depends on them.
    var own: Instant?
    /// The same but for a time-out, which the first byte of a response moves.
    var besideTimeout = Instant.never
    /// Whether it comes no sooner if data comes that changes nothing.
    var isKept = false
    /// Up to when nothing that the link does can change that.
    var certainUntil = Instant.never
    /// The data that may come until then, if more could change it.
    var dataMax: DataAmount?

    /// When the player is to be looked at, if nothing that the link does can change that.
    var certain: Instant? { isTied || tiedAt != .never ? nil : own }

    /// Whether it is certain, whatever comes, that the player does not turn up to an instant.
    @inline(__always)
    func isBehind(_ now: Instant) -> Bool {
      guard let certain, dataMax == nil else { return false }
      return certain > now && certainUntil >= now
    }
  }

  /// The edge of the buffer at an instant.
  struct SeenEdge: Hashable, Sendable {
    let instant: Instant
    let edge: DataAmount

    init(_ instant: Instant, _ edge: DataAmount) { (self.instant, self.edge) = (instant, edge) }
  }

  let index: Int
  /// What it was made of, in an array of one: a player that is copied for a fork must be small.
  private let configurations: [PlayerConfiguration]
  var phase = PlaybackPhase.paused
  /// The clock; what was found for its way as it was holds no more when it goes another one.
  var timebase = Timebase(time: .zero, at: .start) {
    didSet { (bookedUntil, source.played.until) = (nil, nil) }
  }
  /// How far what was played since the timebase last changed is booked.
  var bookedUntil: MediaTime?
  var waitsAutomatically: Bool
  /// Whether it waits for streams and not for files: the application has said nothing of it.
  var waitsByItem: Bool
  var defaultRate: PlaybackRate
  /// The rate at which the queue plays of which this player holds an item; nil of any other player.
  var rateOfQueue: PlaybackRate?
  var actionAtItemEnd: ActionAtItemEnd
  var isInterstitialActive = false
  var isHeldByCoordinator = false
  /// What the current item is played from; without one nothing ever holds of it.
  var source: ItemSource
  /// The sources of assets and items that were asked for and are not the current one.
  var prepared: [ItemSource] = []
  /// What is behind the current item, if the player has a queue.
  let hasQueue: Bool
  var queue = ItemQueue()
  /// Whether an item may have something of what was loaded for another one, or before.
  let sharesAssets: Bool
  /// How its application plays an item again and again; nil if it does not.
  var loop: LoopState?
  /// Whether the next item is to become the current one as soon as the player looks at itself.
  var isAdvancing = false
  /// The variant by which the item is to follow another one without a gap, until it is entered.
  var joinedBy: Int?
  var seek: Seek?
  /// What may be chosen of the variants of streams.
  var limits: VariantLimits
  /// `automaticallyPreservesTimeOffsetFromLive`.
  var automaticallyPreservesTimeOffsetFromLive: Bool
  /// `preferredForwardBufferDuration`.
  var preferredForwardBufferDuration: MediaTime
  /// `networkResourcePriority`, and whether another player of higher priority loads.
  var networkResourcePriority: NetworkResourcePriority
  var yields = false
  /// What is counted of streams, from the first one on.
  var streamMeter: StreamMeter?
  /// When an external rule was last answered, and when it is asked again while the player waits.
  var answered = Instant(nanoseconds: -1)
  var askAt = Instant.start
  var meter: PlaybackMeter
  var accessLog = AccessLog()
  /// The host time at which a player that plays lets its timebase run.
  var hostTime: Instant?
  /// The record of what asked for it, which is the cause of what begins there.
  var hostTimeRecord = 0
  /// A time of the item that is to be mapped to a host time when the item is ready, while the
  /// player waits for that.
  var awaitedMapping: HostTimeMapping?
  /// What holds the timebase back while the player plays.
  var hold: TimebaseHold?
  /// The pipeline of the current item; nil if nobody cares for pipelines.
  var pipeline: Pipeline?
  /// What the compositor and the video output were last said to receive.
  var toldFrames: [ColoredFrames?] = []
  /// The number of the last event that moved something: the cause of what follows from it.
  var cause = 0
  /// The number of the last event from which the buffer follows.
  ///
  /// It is the link's, a request's, a jump's, or the timebase's. What turns by itself has this
  /// cause, and not the user's last step.
  var flowCause = 0
  /// When something last happened to the player.
  ///
  /// What happens next is found from there, and not from when it is asked for: between two numbers
  /// that are rounded a rule may turn more than once, and the turn that is found must not depend on
  /// what others do meanwhile.
  var touched = Instant.start
  /// When it was seen last that nothing differs, if nothing was done to the player since.
  var restedAt = Instant.never
  /// Whether something was done to the player of which it has not made anything yet.
  var isStirred = false
  /// What held of the buffer when the machine was last told of it, and when it last decided, of
  /// which observers may not have heard: two steps of one instant can change it and change it back.
  var (judged, decidedOn) = (BufferFacts(), BufferFacts())
  /// How what it does next by itself lies to what the link does.
  var turn = Turn()
  /// Whether others use the link: what they do changes it at any time.
  var sharesLink = false
  /// Whether its turns may be kept as packets come: it is alone on their link, and asks no program.
  var mayKeepTurns = false
  /// Where the buffer's edge was foreseen to be, with nothing changed, if what holds depends on
  /// places alone.
  var foreseen = SeenEdge(.never, .zero)
  /// For how long it is tried to foresee that nothing changes what holds of a file; zero for a
  /// player that foresees nothing.
  var foresight = TimeSpan.zero
  /// What its flow is certain to get in spite of them.
  var leastFlow = LeastFlow.none
  var seekCount = 0
  /// What was received, and the time in which it came, for items that are gone.
  var receivedBefore = DataAmount.zero
  var activeBefore = TimeSpan.zero

  /// Makes a player without an item.
  init(index: Int, configuration: PlayerConfiguration, sharesAssets: Bool? = nil) {
    self.index = index
    waitsAutomatically = configuration.waitsAtFirst
    waitsByItem = configuration.waitsByItem
    defaultRate = configuration.defaultRate
    hasQueue = configuration.hasQueue
    self.sharesAssets =
      sharesAssets ?? (configuration.hasQueue || !configuration.spans.isEmpty)
    actionAtItemEnd = configuration.actionAtItemEnd
    limits = configuration.limits
    automaticallyPreservesTimeOffsetFromLive =
      configuration.automaticallyPreservesTimeOffsetFromLive
    preferredForwardBufferDuration = configuration.preferredForwardBufferDuration
    networkResourcePriority = configuration.networkResourcePriority
    meter = PlaybackMeter(at: .start)
    source = ItemSource(noItemAt: .start, policy: configuration.keepUp)
    configurations = [configuration]
  }

  /// Gives it what only a player of the application has: its loop, and its pipeline.
  ///
  /// An initializer that gives an optional property a value does so twice, and copies all of the
  /// player at its end.
  mutating func attachLoopAndPipeline() {
    loop = configuration.loop.map { LoopState($0) }
    pipeline = configuration.pipeline.map { Pipeline($0) }
  }

  /// What it was made of.
  @inline(__always)
  var configuration: PlayerConfiguration { configurations[0] }

  /// Takes note of the link's last event.
  @inline(__always)
  mutating func followLink(_ number: Int) {
    (cause, flowCause) = (number, number)
  }

  /// The playhead at an instant; a function of the timebase alone.
  @inline(__always)
  func currentTime(at instant: Instant) -> MediaTime {
    timebase.time(at: instant)
  }

  /// What holds of the buffer at an instant.
  @inline(__always)
  mutating func facts(at instant: Instant) -> BufferFacts {
    source.facts(at: instant, timebase.playhead(at: instant))
  }

  /// Whether whatever comes is for the current item.
  @inline(__always)
  var hasOneSource: Bool { !hasQueue && prepared.isEmpty }

  /// Whether no more than one flow brings anything, and that for the current stream.
  @inline(__always)
  var hasOneFlow: Bool {
    hasOneSource && source.buffer.isStream && source.stream.requests.count <= 1
  }

  /// The rate of `play()`.
  @inline(__always)
  var playRate: PlaybackRate {
    configuration.contract.hasDefaultRate ? defaultRate : .normal
  }

  /// The rate for which the rule is evaluated: the wish, or what `play()` would wish for.
  @inline(__always)
  var evaluationRate: PlaybackRate {
    phase.wish?.rate ?? (playRate == .zero ? .normal : playRate)
  }

  /// The rate at which what is loaded is to play: of an enqueued item, that of its queue.
  var loadingRate: PlaybackRate { rateOfQueue ?? evaluationRate }

  /// Tells the rule that chooses variants at which rate they are to play.
  @inline(__always)
  mutating func tellRate() {
    if source.buffer.isStream { source.stream.setRate(loadingRate) }
  }

  /// Whether what is to be shown is being made ready: the player plays, and nothing moves yet.
  @inline(__always)
  var isPrerolling: Bool {
    if case .preroll = hold { true } else { false }
  }

  /// When an external rule is asked next: while the player waits and not all is loaded.
  @inline(__always)
  var nextQuestion: Instant {
    guard source.buffer.asksExternalRule, source.buffer.facts.contains(.opened),
      case .waiting = phase,
      !source.buffer.facts.contains(.likely)
    else { return .never }
    return askAt
  }

  /// Returns the facts for a decision at an instant and a rate.
  mutating func playbackFacts(at now: Instant, rate: PlaybackRate) -> PlaybackFacts {
    var facts = PlaybackFacts()
    facts.waitsAutomatically = waitsAutomatically
    facts.actionAtItemEnd = actionAtItemEnd
    facts.hasQueue = hasQueue
    facts.isInterstitialActive = isInterstitialActive
    facts.isHeldByCoordinator = isHeldByCoordinator
    facts.contract = configuration.contract
    facts.linkedContract = configuration.linkedContract
    guard let status = source.item?.status else { return facts }
    source.buffer.prepareRule(for: rate)
    switch status {
    case .unknown: facts.item = .unknown
    case .readyToPlay: facts.item = .ready
    case .failed: facts.item = .failed
    }
    let held = self.facts(at: now)
    judged = held
    facts.isSeeking = seek?.awaitsData ?? source.isJumping
    facts.isLikelyToKeepUp = held.contains(.likely)
    facts.isBufferFull = held.contains(.full)
    facts.isBufferEmpty = held.contains(.empty)
    // Who waits no time for a verdict has one as the waiting begins.
    facts.hasVerdict = held.contains(.verdict) || source.buffer.policy.verdictTime == .zero
    // Where a seek is to lead that has not moved the playhead, it need not be at its end.
    facts.isAtEnd = held.contains(.atEnd) && seek?.awaitsData != false
    facts.isAtStart = facts.isAtEnd && endsAtStart(at: rate)
    facts.isAtLiveEdge = source.isLive && isAtLiveEdge(at: now)
    facts.hasBegun = source.item?.hasBegun == true
    facts.isPrerolling = isPrerolling
    facts.supportsRate = source.media.supports(rate)
    return facts
  }
}
