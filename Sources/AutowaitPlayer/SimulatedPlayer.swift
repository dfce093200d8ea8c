import Autowait

/// A player on a link, driven as an application drives an `AVPlayer`.
///
/// Time is virtual. It stands still while the application acts, and passes only in
/// ``advance(by:)``, ``advance(until:)`` and ``run()``. A copy is a fork: it goes on as the
/// original would, and leaves the original alone.
public struct SimulatedPlayer: Sendable {
  /// The run, for all that has no name here.
  package private(set) var simulation: Simulation
  /// What has happened so far.
  public private(set) var records: [EventRecord] = []
  private var observers: [@Sendable (EventRecord) -> Void] = []

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
      horizon: .start + .seconds(86_400))
    world.transport = transport
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
      for observer in observers { observer(record) }
    }
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

  /// Tells a handler of everything that happens from here on, in order.
  ///
  /// A copy of the player tells it too.
  public mutating func observe(_ observer: @escaping @Sendable (EventRecord) -> Void) {
    observers.append(observer)
  }
}

// MARK: - What an application reads, and sets

extension SimulatedPlayer {
  /// All that can be read at once.
  package var snapshot: PlayerSnapshot { simulation.snapshot(of: 0) }

  /// What the run has come to so far: times, stalls, the access log.
  public var metrics: PlayerMetrics { simulation.metrics(of: 0) }

  /// Whether the player is paused, waits or plays.
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

  /// What is loaded of the current item.
  public var loadedTimeRanges: [LoadedTimeRange] { snapshot.loadedTimeRanges }

  /// Whether playback is expected to go on without a stall.
  public var isPlaybackLikelyToKeepUp: Bool { snapshot.isPlaybackLikelyToKeepUp }

  /// Whether nothing is left to play.
  public var isPlaybackBufferEmpty: Bool { snapshot.isPlaybackBufferEmpty }

  /// Whether no more is loaded for now.
  public var isPlaybackBufferFull: Bool { snapshot.isPlaybackBufferFull }
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

  /// Lets a span of time pass.
  public mutating func advance(by span: TimeSpan) {
    precondition(span >= .zero, "time does not go back by \(span.nanoseconds) ns")
    if case .needsDecision = simulation.advance(to: now + span) { Self.refuseRule() }
    takeRecords()
  }

  /// Lets one event after another happen until something holds; returns whether it does.
  ///
  /// It is looked at behind each event, and does not hold if the run ends before. What moves
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
    guard case .finished(let reason) = simulation.run() else { Self.refuseRule() }
    takeRecords()
    return reason
  }

  /// Lets the next event happen; returns false if there is none.
  fileprivate mutating func step() -> Bool {
    let result = simulation.step()
    takeRecords()
    switch result {
    case .advanced: return true
    case .finished: return false
    case .needsDecision: Self.refuseRule()
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
  public var events: Events { Events(player: self) }

  /// Events in virtual time: the next one is there as soon as it is asked for.
  public struct Events: AsyncSequence, Sendable {
    fileprivate let player: SimulatedPlayer

    /// Begins with the next event.
    public func makeAsyncIterator() -> Iterator {
      var copy = player
      copy.observers = []
      copy.records = []
      return Iterator(player: copy)
    }

    /// A copy of the player, and how many of its records were handed out.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var player: SimulatedPlayer
      private var count = 0

      fileprivate init(player: SimulatedPlayer) { self.player = player }

      /// Returns the next event; nil behind the last one.
      public mutating func next() async -> EventRecord? {
        while count == player.records.count {
          player.records = []
          count = 0
          let goesOn = player.step()
          if !goesOn, player.records.isEmpty { return nil }
        }
        count += 1
        return player.records[count - 1]
      }
    }
  }
}
