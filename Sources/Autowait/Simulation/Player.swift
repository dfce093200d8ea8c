/// A player: the state machine with the things it decides about, driven by the simulation.
///
/// The state machine decides, this driver acts: it evaluates facts, enters the new phase, moves the
/// timebase, and records what an application would observe, in the order of the contract in
/// <doc:how-waiting-is-decided>.
struct Player: Sendable {
  let index: Int
  let configuration: PlayerConfiguration
  var phase = PlaybackPhase.paused
  var timebase = Timebase(time: .zero, at: .start)
  var waitsAutomatically: Bool
  var defaultRate: PlaybackRate
  var actionAtItemEnd: ActionAtItemEnd
  var isInterstitialActive = false
  var isHeldByCoordinator = false
  var item: PlayerItem?
  var meter: PlaybackMeter
  var accessLog = AccessLog()
  /// The instant until which a pipeline is being rebuilt.
  var rebuiltAt: Instant?
  /// The number of the last event that moved something: the cause of what follows from it.
  var cause = 0
  /// The loaded ranges' last recorded form, as number and last edge.
  var recordedEdge = MediaTime(nanoseconds: -1)
  var seekCount = 0
  /// What was received, and how long requests were open, for items that are gone.
  var receivedBefore = Work.zero
  var openBefore = TimeSpan.zero

  /// Makes a player without an item.
  init(index: Int, configuration: PlayerConfiguration) {
    self.index = index
    self.configuration = configuration
    waitsAutomatically = configuration.waitsAtFirst
    defaultRate = configuration.defaultRate
    actionAtItemEnd = configuration.actionAtItemEnd
    meter = PlaybackMeter(at: .start)
  }

  /// The playhead at an instant; a function of the timebase alone.
  @inline(__always)
  func currentTime(at instant: Instant) -> MediaTime {
    timebase.time(at: instant)
  }

  /// The rate of `play()`.
  var playRate: PlaybackRate {
    configuration.contract.hasDefaultRate ? defaultRate : .normal
  }

  /// The rate for which the buffer is judged: the wish, or what `play()` would wish for.
  var judgedRate: PlaybackRate {
    phase.wish?.rate ?? (playRate == .zero ? .normal : playRate)
  }

  /// Whether the playhead moves at an instant or will without further ado.
  var timebaseRuns: Bool { timebase.rate != .zero }

  /// Lets the item judge its buffer for a rate.
  @inline(__always)
  mutating func prepareRule(for rate: PlaybackRate) {
    item?.prepareRule(for: rate)
  }

  /// Returns the facts for a decision at an instant and a rate.
  mutating func playbackFacts(at now: Instant, rate: PlaybackRate) -> PlaybackFacts {
    var facts = PlaybackFacts()
    facts.waitsAutomatically = waitsAutomatically
    facts.actionAtItemEnd = actionAtItemEnd
    facts.isInterstitialActive = isInterstitialActive
    facts.isHeldByCoordinator = isHeldByCoordinator
    facts.contract = configuration.contract
    guard item != nil else { return facts }
    item?.prepareRule(for: rate)
    guard let item else { return facts }
    switch item.status {
    case .unknown: facts.item = .unknown
    case .readyToPlay: facts.item = .ready
    case .failed: facts.item = .failed
    }
    let playhead = currentTime(at: now)
    let buffer = item.facts(at: now, playhead: playhead)
    facts.isSeeking = item.seek?.awaitsData ?? false
    facts.isLikelyToKeepUp = buffer.contains(.likely)
    facts.isBufferFull = buffer.contains(.full)
    facts.isBufferEmpty = buffer.contains(.empty)
    facts.hasVerdict = buffer.contains(.verdict)
    facts.isAtEnd = buffer.contains(.atEnd)
    facts.hasBegun = item.hasBegun
    facts.supportsRate = item.media.supports(rate)
    return facts
  }

  /// The counters from which the access log reckons.
  func counters(at now: Instant) -> AccessLog.Counters {
    AccessLog.Counters(
      received: receivedBefore + (item?.meter.received(at: now) ?? .zero),
      open: openBefore + (item?.meter.open(at: now) ?? .zero),
      requests: meter.mediaRequestCount, watched: meter.time(.playing, at: now))
  }
}

extension Media {
  /// Returns whether the media can play at a rate.
  ///
  /// Ready items play up to twice their speed; beyond, and backwards, only where the media allows.
  func supports(_ rate: PlaybackRate) -> Bool {
    if rate < .zero { return canPlayReverse }
    return rate.millionths <= 2_000_000 || canPlayFastForward
  }
}
