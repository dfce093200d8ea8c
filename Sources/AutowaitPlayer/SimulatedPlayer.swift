import Autowait
import AutowaitScenario

/// A player on a link, driven as an application drives an `AVPlayer`.
///
/// Time is virtual. It stands still while the application acts, and passes only in
/// ``advance(by:)``, ``advance(until:)`` and ``run()``. A copy is a fork: it goes on as the
/// original would, and leaves the original alone. Since observers may be anything, a player stays
/// where it was made, as an `AVPlayer` does.
public struct SimulatedPlayer {
  /// The run, for all that has no name here.
  package private(set) var simulation: Simulation
  /// What has happened so far.
  public private(set) var records: [EventRecord] = []
  private var observations: [Observation] = []
  /// How many items there are.
  private let itemCount: Int

  /// The end of all time that can be simulated: a day.
  private static let horizon = Instant.start + .seconds(86_400)

  /// Creates a player without a current item.
  ///
  /// Requests are carried as `transport` says; without one each costs a round trip and no more.
  /// After a day nothing can be done any more. A rule that asks a program is for scenarios alone.
  public init(
    _ configuration: PlayerConfiguration, over link: LinkProfile,
    transport: TransportPolicy? = nil, seed: UInt64 = 0
  ) {
    var world = World(
      seed: seed, links: [link], players: [configuration], script: [],
      horizon: Self.horizon)
    world.transport = transport
    itemCount = configuration.media.count
    simulation = Simulation(world)
    takeRecords()
  }

  /// Creates a player with a current item.
  public init(playing media: Media, over link: LinkProfile) {
    self.init(PlayerConfiguration(media: [media]), over: link)
    replaceCurrentItem(with: 0)
  }

  private mutating func takeRecords() {
    for record in simulation.takeRecords() {
      records.append(record)
      for observation in observations { observation.handler?(record) }
    }
  }

  /// Refuses the number of an item that the player does not have.
  func check(_ item: Int) {
    precondition(
      0..<itemCount ~= item,
      "there is no item \(item): the player has \(itemCount), counted from 0")
  }

  mutating func perform(_ action: PlayerAction) {
    simulation.perform(.player(0, action))
    takeRecords()
  }
}

// MARK: - What an application does

extension SimulatedPlayer {
  /// Makes an item the current one, by its number in the configuration; nil for none.
  public mutating func replaceCurrentItem(with number: Int?) {
    if let number { check(number) }
    perform(.replaceCurrentItem(number))
  }

  /// Plays at the default rate as soon as playback can keep up.
  public mutating func play() { perform(.play) }

  /// Pauses.
  public mutating func pause() { perform(.pause) }

  /// Plays with what there is, and does not wait.
  public mutating func playImmediately(atRate rate: PlaybackRate = .normal) {
    perform(.playImmediately(rate))
  }

  /// Seeks to a time of the current item.
  public mutating func seek(to time: MediaTime) { perform(.seek(time)) }

  /// Sets the rate, and when and where playback begins with it; nil is what suits the player.
  ///
  /// A player that waits by itself raises an exception.
  public mutating func setRate(
    _ rate: PlaybackRate, time: MediaTime?, atHostTime hostTime: Instant?
  ) {
    perform(.setRateAtHostTime(rate, time: time, hostTime: hostTime))
  }

  /// Prepares for playback without a wait; raises an exception where that is not possible.
  public mutating func preroll() { perform(.preroll) }

  /// Selects a language of the sound or of the subtitles, by its tag; nil for no subtitles, or for
  /// the sound that plays unless somebody chooses.
  public mutating func select(_ language: String?, in kind: MediaTrack) {
    precondition(kind != .video, "a language is selected of audio or subtitles, not of video")
    let tag = language.map { LanguageTag(checking: $0) }
    perform(.select(kind == .audio ? .audio : .subtitles, tag))
  }

  /// Enables or disables the tracks of a kind, as `isEnabled` of an `AVPlayerItemTrack` does.
  public mutating func setTracks(_ kind: MediaTrack, isEnabled: Bool) {
    perform(.enable(kind, isEnabled))
  }
}

// MARK: - Who observes it

extension SimulatedPlayer {
  /// Calls a handler with everything that happens from here on, in order.
  ///
  /// It does so until the observation is invalidated, whether that is kept or not. A copy of the
  /// player calls it too.
  @discardableResult
  public mutating func observe(_ handler: @escaping (EventRecord) -> Void) -> Observation {
    let observation = Observation(handler)
    observations.removeAll { $0.handler == nil }
    observations.append(observation)
    return observation
  }

  /// A handler that is called with what happens, as an `NSKeyValueObservation` is of changes.
  public final class Observation {
    fileprivate private(set) var handler: ((EventRecord) -> Void)?

    fileprivate init(_ handler: @escaping (EventRecord) -> Void) { self.handler = handler }

    /// Ends the observation, of the player and of its copies.
    public func invalidate() { handler = nil }
  }
}

// MARK: - What an application reads, and sets

extension SimulatedPlayer {
  /// All that can be read at once.
  package var snapshot: PlayerSnapshot { simulation.snapshot(of: 0) }

  /// What the run has come to so far: times, stalls, the access log.
  public var metrics: PlayerMetrics { simulation.metrics(of: 0) }

  /// Whether the player is paused, waits or plays.
  ///
  /// Before iOS 10, which has no such property, it says what the player does.
  public var timeControlStatus: TimeControlStatus { snapshot.timeControlStatus }

  /// Why it waits; nil unless it does.
  public var reasonForWaitingToPlay: WaitingReason? { snapshot.reasonForWaitingToPlay }

  /// The requested rate; zero is a pause.
  public var rate: PlaybackRate {
    get { snapshot.rate }
    set { perform(.setRate(newValue)) }
  }

  /// The rate that ``play()`` wishes for.
  public var defaultRate: PlaybackRate {
    get { snapshot.defaultRate }
    set { perform(.set(.defaultRate(newValue))) }
  }

  /// The rate of the timebase: what is done.
  public var timebaseRate: PlaybackRate { snapshot.timebaseRate }

  /// Whether the player waits rather than stall.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get { snapshot.automaticallyWaitsToMinimizeStalling }
    set { perform(.set(.automaticallyWaitsToMinimizeStalling(newValue))) }
  }

  /// What the player does where its item ends.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { snapshot.actionAtItemEnd }
    set { perform(.set(.actionAtItemEnd(newValue))) }
  }

  /// The current time of the current item.
  public func currentTime() -> MediaTime { snapshot.currentTime }

  /// The status of the current item; nil without one.
  public var status: ItemStatus? { snapshot.status }

  /// How long the current item is; nil until that is known.
  public var duration: MediaTime? { snapshot.duration }

  /// Where the current item can be sought; none before that is known.
  public var seekableTimeRanges: [LoadedTimeRange] { snapshot.seekableTimeRanges }

  /// What is loaded of the current item.
  public var loadedTimeRanges: [LoadedTimeRange] { snapshot.loadedTimeRanges }

  /// Whether playback is expected to go on without a stall.
  public var isPlaybackLikelyToKeepUp: Bool { snapshot.isPlaybackLikelyToKeepUp }

  /// Whether nothing is left to play.
  public var isPlaybackBufferEmpty: Bool { snapshot.isPlaybackBufferEmpty }

  /// Whether no more is loaded for now.
  public var isPlaybackBufferFull: Bool { snapshot.isPlaybackBufferFull }

  /// The entries of the access logs of all items so far; each names its item.
  public func accessLog() -> [AccessLogEvent] { metrics.accessLog }

  /// The entries of the error logs of all items so far: requests of streams that went wrong.
  public func errorLog() -> [ErrorLogEvent] {
    ErrorLogEvent.logs(of: records, playerCount: 1)[0]
  }
}

// MARK: - Exceptions

extension PlaybackException: Error {}

extension SimulatedPlayer {
  /// Does something for which AVFoundation may raise an exception, and throws it.
  ///
  /// Without this an exception is recorded and changes nothing, as if the application had caught
  /// it. The first one is thrown; what was done before it stays done.
  public mutating func throwing<Result>(
    _ act: (inout SimulatedPlayer) -> Result
  ) throws(PlaybackException) -> Result {
    let count = records.count
    let result = act(&self)
    for record in records[count...] {
      if case .exception(let exception) = record.event { throw exception }
    }
    return result
  }
}

// MARK: - How time passes

extension SimulatedPlayer {
  /// The present instant.
  public var now: Instant { simulation.now }

  /// Lets a span of time pass, also if nothing more happens in it.
  ///
  /// After a day there is no more time.
  public mutating func advance(by span: TimeSpan) {
    precondition(span >= .zero, "time does not go back by \(TimeSpan.zero - span)")
    let target = now + span
    precondition(
      target <= Self.horizon, "\(span) after \(now) is after \(Self.horizon), where time ends")
    let result = simulation.advance(to: target)
    takeRecords()
    switch result {
    case .advanced: break
    case .finished(let reason):
      precondition(now == target, "the run ended at \(now) by '\(reason.word)', before \(target)")
    case .needsDecision: Self.refuseRule()
    }
  }

  /// Lets one event after another happen until something holds; returns whether it does.
  ///
  /// It is looked at after each event, and does not hold if the run ends before. What moves
  /// between events, as the current time does, may have passed a mark by then.
  @discardableResult
  public mutating func advance(until holds: (SimulatedPlayer) -> Bool) -> Bool {
    while !holds(self) {
      if !step() { return holds(self) }
    }
    return true
  }

  /// Lets everything happen that will; returns why nothing more does.
  @discardableResult
  public mutating func run() -> FinishReason {
    let before = now
    guard case .finished(let reason) = simulation.run() else { Self.refuseRule() }
    keepTime(before)
    takeRecords()
    return reason
  }

  /// Goes on to where the application has been: a run that settles ends with its last event.
  private mutating func keepTime(_ before: Instant) {
    if now < before { _ = simulation.advance(to: before) }
  }

  /// Lets the next event happen; returns false if there is none.
  private mutating func step() -> Bool {
    let before = now
    let goesOn = Self.step(&simulation)
    keepTime(before)
    takeRecords()
    return goesOn
  }

  fileprivate static func step(_ simulation: inout Simulation) -> Bool {
    switch simulation.step() {
    case .advanced: true
    case .finished: false
    case .needsDecision: refuseRule()
    }
  }

  private static func refuseRule() -> Never {
    preconditionFailure("a rule that asks a program is answered by a Simulation alone")
  }
}

// MARK: - Events, one after another

extension SimulatedPlayer {
  /// What will happen if the application does nothing more.
  ///
  /// The player itself stays where it is: what is waited for happens to a copy.
  public var events: Events { Events(simulation: simulation) }

  /// Events in virtual time: the next one is there as soon as it is asked for.
  public struct Events: AsyncSequence, Sendable {
    fileprivate let simulation: Simulation

    /// Begins with the next event.
    public func makeAsyncIterator() -> Iterator { Iterator(simulation: simulation) }

    /// A copy of the run, and how many of its latest records were handed out.
    public struct Iterator: AsyncIteratorProtocol {
      private var simulation: Simulation
      private var records: [EventRecord] = []
      private var count = 0

      fileprivate init(simulation: Simulation) { self.simulation = simulation }

      /// Returns the next event; nil after the last one.
      public mutating func next() async -> EventRecord? {
        while count == records.count {
          count = 0
          let goesOn = SimulatedPlayer.step(&simulation)
          records = Array(simulation.takeRecords())
          if !goesOn, records.isEmpty { return nil }
        }
        count += 1
        return records[count - 1]
      }
    }
  }
}
