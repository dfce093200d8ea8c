/// What the traffic of others has come to.
///
/// A constant flow takes its rate off the link: for each sum of such flows there is a variant of
/// every link with what they leave. Downloads and polls make requests as players do, each as a user
/// of the network of its own, numbered behind all players that there could be.
struct TrafficState: Sendable {
  private let all: [CrossTraffic]
  private let linkCount: Int
  /// The sums of constant flows that ever hold together, but zero.
  private let sums: [Int64]
  /// The instants at which the sum changes, ascending, with the sum from then on.
  private let changes: [(instant: Instant, sum: Int64)]
  private var changesMade = 0
  private var scheduledSum: Int64 = 0
  /// Whether others stand still, for an application that asks for something more important.
  private var isSuspended = false
  /// When each makes its next request; `never` for one that makes none more.
  private var next: [Instant]
  /// Whether a request of each is under way.
  private var isBusy: [Bool]
  /// Whether a download of each is to begin when others go on.
  private var isHeld: [Bool]

  init(_ traffic: [CrossTraffic], linkCount: Int) {
    all = traffic
    self.linkCount = linkCount
    var instants: [Instant] = []
    for other in traffic {
      guard case .constant = other.kind else { continue }
      instants += [other.start, other.end]
    }
    var changes: [(instant: Instant, sum: Int64)] = []
    var sums: [Int64] = []
    for instant in instants.sorted() where instant != .never && changes.last?.instant != instant {
      let sum = traffic.reduce(Int64(0)) { $0 + $1.rate(at: instant) }
      if sum != 0, !sums.contains(sum) { sums.append(sum) }
      changes.append((instant, sum))
    }
    assert(linkCount > 0, "others share no link")
    assert(
      zip(changes, changes.dropFirst()).allSatisfy { $0.instant < $1.instant },
      "the changes of constant flows do not ascend")
    self.changes = changes
    self.sums = sums
    next = traffic.map { $0.isConstant ? .never : $0.start }
    isBusy = traffic.map { _ in false }
    isHeld = isBusy
    _ = takeRateChange(at: .start)
  }

  /// Whether there are no others.
  @inline(__always)
  var isEmpty: Bool { all.isEmpty }

  /// The next instant at which others do something.
  var nextInstant: Instant {
    let change = changesMade < changes.count ? changes[changesMade].instant : .never
    return all.indices.reduce(change) { min($0, next[$1], isBusy[$1] ? all[$1].end : .never) }
  }

  /// Returns the links, and behind them their variants for each sum of constant flows.
  func variants(of links: [LinkProfile]) -> [LinkProfile] {
    var result = links
    for (index, sum) in sums.enumerated() {
      result += links.map { $0.reduced(by: sum, handoversMovedBy: (index + 1) * linkCount) }
    }
    return result
  }

  /// Returns the variant of a link that holds now.
  func variant(of link: Int) -> Int {
    assert(link < linkCount, "link \(link) of \(linkCount) is a variant itself")
    guard let index = sums.firstIndex(of: sum) else { return link }
    return link + (index + 1) * linkCount
  }

  /// Takes note of a change of the constant flows; returns whether there is one.
  mutating func takeRateChange(at now: Instant) -> Bool {
    let before = sum
    while changesMade < changes.count, changes[changesMade].instant <= now {
      scheduledSum = changes[changesMade].sum
      changesMade += 1
    }
    return sum != before
  }

  /// What constant flows take off the link now.
  private var sum: Int64 { isSuspended ? 0 : scheduledSum }

  /// Lets others stand still, or go on; returns whether that is new.
  ///
  /// What polls would have asked for meanwhile is left out, and downloads that were to begin begin
  /// then.
  mutating func setSuspended(_ isSuspended: Bool, at now: Instant) -> Bool {
    if isSuspended == self.isSuspended { return false }
    self.isSuspended = isSuspended
    for index in all.indices where isHeld[index] && !isSuspended {
      (isHeld[index], next[index]) = (false, now)
    }
    return true
  }

  /// Whether constant flows take something off the link.
  var takesRate: Bool { sum != 0 }

  /// Returns a request that is due, if any is.
  mutating func takeRequest(at now: Instant) -> TransferRequest? {
    while let index = next.firstIndex(where: { $0 <= now }) {
      let other = all[index]
      if other.end <= now {
        next[index] = .never
        continue
      }
      next[index] = .never
      var size = Limits.bytesMax
      switch other.kind {
      case .constant: continue
      case .download(let given):
        size = given ?? size
        if isSuspended {
          isHeld[index] = true
          continue
        }
      case .poll(let given, let every):
        size = given
        if now + every < other.end { next[index] = now + every }
        if isBusy[index] || isSuspended { continue }
      }
      isBusy[index] = true
      return TransferRequest(owner: Limits.playersMax + index, size: size)
    }
    return nil
  }

  /// Returns a user of the network whose request is to be given up, if any is.
  func ownerToEnd(at now: Instant) -> Int? {
    all.indices.first { isBusy[$0] && all[$0].end <= now }.map { Limits.playersMax + $0 }
  }

  /// Whether a user of the network is none of the players.
  @inline(__always)
  func isTraffic(_ owner: Int) -> Bool { owner >= Limits.playersMax }

  /// Takes note that a request is over.
  mutating func end(_ owner: Int) {
    assert(isBusy[owner - Limits.playersMax], "others end a request that they did not make")
    isBusy[owner - Limits.playersMax] = false
  }
}

extension CrossTraffic {
  var isConstant: Bool {
    if case .constant = kind { true } else { false }
  }

  /// What a constant flow takes at an instant, in bit/s.
  fileprivate func rate(at instant: Instant) -> Int64 {
    guard case .constant(let rate) = kind, start <= instant, instant < end else { return 0 }
    return rate.bitsPerSecond
  }
}

extension LinkProfile {
  /// Returns the link with less of a rate downwards, whose handovers lead to links further back.
  fileprivate func reduced(by sum: Int64, handoversMovedBy offset: Int) -> LinkProfile {
    assert(sum > 0 && offset > 0, "\(sum) bit/s taken off a link make no variant")
    var result = self
    let samples = down.track.samples.lazy.map { sample in
      var less = sample
      less.rate.bitsPerSecond = max(0, sample.rate.bitsPerSecond - sum)
      return less
    }
    result.down.track = LinkTrack(TrackSamples(samples), ending: down.track.ending)
    result.events = events.map { event in
      guard case .handover(var handover) = event.kind, let link = handover.link else {
        return event
      }
      handover.link = link + offset
      return LinkEvent(at: event.start, .handover(handover))
    }
    return result
  }
}
