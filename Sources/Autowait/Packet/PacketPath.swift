/// A path on which packets travel, or on which it is known what they bring.
///
/// Where a tape no longer tells what comes, the network does again what was asked of it until then,
/// and packets travel from there on.
struct PacketPath: Sendable {
  private(set) var network: PacketNetwork
  /// The reader of the tape that tells what comes, or none; in an array it is read in its place.
  private var playback: [PacketPlayback] = []

  /// Makes the path over a network that nothing was asked of; an empty tape is written, and that
  /// of an equal network is read.
  init(_ network: PacketNetwork, tape: PacketTape? = nil) {
    self.network = network
    guard var tape else { return }
    let origin = PacketTape.Origin(network)
    if tape.origin == nil {
      tape.origin = origin
      self.network.tape = tape
    } else if tape.origin == origin {
      playback = [PacketPlayback(tape)]
    }
  }

  /// What was asked, and what came of it, if it was to be written.
  var tape: PacketTape? { network.tape }

  /// Whether the tape tells what comes.
  @inline(__always)
  var isPlaying: Bool { !playback.isEmpty }

  // MARK: - Requests

  mutating func open(_ request: TransferRequest, at now: Instant) -> Int {
    if play(.open(request), at: now) { return playback[0].lastTransfer }
    defer { noteTold() }
    return network.open(request, at: now)
  }

  mutating func cancel(_ number: Int, at now: Instant) {
    if play(.cancel(number), at: now) { return }
    network.cancel(number, at: now)
    noteTold()
  }

  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {
    if play(.setSuspended(isSuspended, number), at: now) { return }
    network.setSuspended(isSuspended, number, at: now)
    noteTold()
  }

  mutating func use(link: Int, elapsed: TimeSpan, at now: Instant) {
    if play(.use(link: link, elapsed: elapsed), at: now) { return }
    network.use(link: link, elapsed: elapsed, at: now)
    noteTold()
  }

  mutating func vary(link: Int, at now: Instant) {
    if play(.vary(link: link), at: now) { return }
    network.vary(link: link, at: now)
    noteTold()
  }

  private mutating func noteTold() {
    if network.tape == nil { return }
    let next = network.nextInstant
    network.tape?.noteTold(before: next)
  }

  /// Returns whether the tape says what comes of something that is asked; else packets travel now,
  /// and it is taken note of where that is wanted.
  private mutating func play(_ request: PacketTape.Request, at now: Instant) -> Bool {
    if isPlaying {
      if playback[0].take(request, at: now) { return true }
      travelAgain()
    }
    network.tape?.note(request, at: now)
    return false
  }

  /// Lets packets travel as they did on the tape, and from here on by themselves.
  private mutating func travelAgain() {
    let playback = playback.removeLast()
    for entry in playback.past {
      drain(notAfter: entry.reached)
      switch entry.request {
      case .open(let request): _ = network.open(request, at: entry.instant)
      case .cancel(let number): network.cancel(number, at: entry.instant)
      case .setSuspended(let isSuspended, let number):
        network.setSuspended(isSuspended, number, at: entry.instant)
      case .use(let link, let elapsed):
        network.use(link: link, elapsed: elapsed, at: entry.instant)
      case .vary(let link): network.vary(link: link, at: entry.instant)
      }
    }
    drain(notAfter: playback.reached)
    network.notices = playback.notices
    for (number, bytes) in playback.watches.enumerated() {
      assert(network.delivered(number) == playback.delivered(number), "a tape of other packets")
      network.watch(number, for: ByteCount(bytes: bytes))
    }
  }

  private mutating func drain(notAfter limit: Instant) {
    repeat {
      network.notices.removeAll()
    } while network.advance(notAfter: limit) != nil
  }

  // MARK: - What comes of them

  /// When a packet does something next, where packets take their turn between those of other paths;
  /// with other paths no tape is read.
  var nextInstant: Instant {
    assert(!isPlaying, "a tape does not tell what each packet does")
    return network.nextInstant
  }

  mutating func advance(notAfter limit: Instant) -> Instant? {
    if isPlaying {
      switch playback[0].advance(notAfter: limit) {
      case .news(let instant): return instant
      case .nothing: return nil
      case .unknown: travelAgain()
      }
    }
    let instant = network.advance(notAfter: limit)
    if network.tape != nil {
      // Where nothing is under way nothing comes, however long one waits.
      let isQuiet = instant == nil && network.nextInstant == .never
      network.tape?.noteReached(isQuiet ? .never : instant ?? limit)
    }
    return instant
  }

  @inline(__always)
  mutating func popNotice() -> TransferNotice? {
    isPlaying ? playback[0].notices.popFirst() : network.notices.popFirst()
  }

  @inline(__always)
  mutating func watch(_ number: Int, for bytes: ByteCount) {
    if isPlaying {
      playback[0].watch(number, for: bytes)
    } else {
      network.watch(number, for: bytes)
    }
  }

  @inline(__always)
  func delivered(_ number: Int) -> ByteCount {
    isPlaying ? playback[0].delivered(number) : network.delivered(number)
  }

  /// The time in which a transfer brought anything.
  @inline(__always)
  func active(_ number: Int) -> TimeSpan {
    isPlaying ? playback[0].active(number) : network.transfers[number].active
  }

  /// When the last bytes of a response came.
  func lastByte(of number: Int) -> Instant {
    isPlaying ? playback[0].lastByte(of: number) : network.transfers[number].lastByte
  }

  @inline(__always)
  func times(_ number: Int) -> TransferTimes {
    isPlaying ? playback[0].times(number) : network.times(number)
  }
}
