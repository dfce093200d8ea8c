import Autowait

/// The forward model: when each request of a log is over on a link of a few rates.
///
/// Requests are sent when they were recorded, so that nothing before a moment without any matters
/// after it: a change of the link is followed from the last such moment before it to the first one
/// after it.
struct TransferModel: Sendable {
  let requests: [ModelledRequest]
  private let rates: [Int64]
  private let roundTrip: Int64
  private let recovers: Bool
  private let timeout: Int64
  /// What never comes is over then.
  let horizon: Int64

  /// When each request is over on the link at hand.
  private(set) var done: [Int64]
  /// When all before a request are over, and in the end when all are.
  private var latest: [Int64]
  /// The same on the link that is tried.
  private(set) var triedDone: [Int64]
  /// What has come by then of each that times out, in bytes.
  private var triedBytes: [Int64]
  /// By how much each may be later than that, because its sender waits for a timer: a part of the
  /// longest wait.
  private(set) var triedLateness: [(span: Int64, rest: Int64)]
  /// When the outage at hand began, or the last one; and until when its senders may be late.
  private var outage: (start: Int64, lag: Int64, until: Int64) = (0, 0, 0)
  private var flows: [Flow] = []

  /// A request that is under way.
  private struct Flow {
    let request: Int
    /// What is left of the present burst, and what follows it.
    var left: Int64
    var rest: Int64
    var window: Int64
    /// When the next burst is due.
    var roundEnd: Int64
    /// Until when nothing is sent; zero while something is.
    var wakes: Int64 = 0
    /// Since when nothing has come; negative while something does.
    var silentSince: Int64 = -1
  }

  init(_ log: ModelledLog, _ model: LinkModel, _ grid: RateGrid) {
    requests = log.requests
    rates = grid.rates
    roundTrip = model.kind == .ideal ? 0 : log.roundTrip
    recovers = model.recoversByTimer
    timeout = log.roundTrip + model.timeoutMin.nanoseconds / 1_000
    horizon = log.end + 1_000_000_000
    done = [Int64](repeating: 0, count: requests.count)
    triedDone = done
    triedBytes = done
    triedLateness = [(span: Int64, rest: Int64)](repeating: (0, 0), count: requests.count)
    latest = [Int64](repeating: 0, count: requests.count + 1)
    flows.reserveCapacity(ModelledLog.flowsMax * 2)
  }

  /// The first request that a change from an instant on may concern.
  func first(changedFrom instant: Int64) -> Int {
    var (low, high) = (0, requests.count)
    while low < high {
      let middle = (low + high) / 2
      if requests[middle].release <= instant { low = middle + 1 } else { high = middle }
    }
    if latest[low] <= instant { return low }
    var place = low - 1
    while place > 0, latest[place] > requests[place].release { place -= 1 }
    return place
  }

  /// Follows the requests from one on that finds the link at rest, and returns the first one that
  /// a change until an instant does not concern; what was tried is in `triedDone`.
  mutating func run(_ link: borrowing LinkPieces, from first: Int, until changed: Int64) -> Int {
    if first == requests.count { return first }
    flows.removeAll(keepingCapacity: true)
    var next = first
    var now = requests[first].release
    var piece = link.piece(at: now)
    var pieceEnd = link.end(piece)
    if !recovers { recall(link, before: piece) }
    while true {
      while next < requests.count, requests[next].release <= now {
        admit(next, at: now, isOut: rates[link.levels[piece]] == 0)
        next += 1
      }
      if flows.isEmpty {
        if next == requests.count { return next }
        let release = requests[next].release
        if release >= changed, latest[next] <= release { return next }
        now = release
      } else {
        let rate = rates[link.levels[piece]]
        let (to, isServed) = step(from: now, rate: rate, until: pieceEnd, next)
        if to == .max {
          giveUp(next)
          return requests.count
        }
        if isServed { drain(rate, now, to) }
        settle(at: to)
        now = to
      }
      while pieceEnd <= now {
        let wasOut = rates[link.levels[piece]] == 0
        piece += 1
        pieceEnd = link.end(piece)
        let isOut = rates[link.levels[piece]] == 0
        if recovers {
          turn(wasOut, isOut, at: now)
        } else if isOut, !wasOut {
          outage.start = now
        } else if wasOut, !isOut {
          note(outageUntil: now)
        }
      }
    }
  }

  /// Finds the last outage before a piece.
  private mutating func recall(_ link: borrowing LinkPieces, before piece: Int) {
    outage = (link.starts[piece], 0, 0)
    guard let (first, last) = link.outage(upTo: piece) else { return }
    outage.start = link.starts[first]
    if last < piece { note(outageUntil: link.end(last)) }
  }

  /// Notes that the link carries something again.
  ///
  /// A sender that heard nothing tries again after a time that doubles: when the link is back, it
  /// may wait for as long again as it has been away, and what is sent next on its connection waits
  /// with it.
  private mutating func note(outageUntil now: Int64) {
    let length = now - outage.start
    if length < timeout { return }
    (outage.lag, outage.until) = (length, now + length)
  }

  private mutating func admit(_ request: Int, at now: Int64, isOut: Bool) {
    let asked = requests[request]
    var flow = Flow(
      request: request, left: min(asked.wholeSize, asked.window), rest: 0, window: asked.window,
      roundEnd: now + roundTrip)
    flow.rest = asked.wholeSize - flow.left
    if recovers, isOut { flow.silentSince = now }
    flows.append(flow)
  }

  /// When something happens next, and whether anything is sent until then.
  private func step(
    from now: Int64, rate: Int64, until pieceEnd: Int64, _ next: Int
  ) -> (to: Int64, isServed: Bool) {
    var to = pieceEnd
    if next < requests.count { to = min(to, requests[next].release) }
    var (served, least): (Int64, Int64) = (0, .max)
    for place in 0..<flows.count {
      let asked = requests[flows[place].request]
      if asked.isTimedOut { to = min(to, asked.recorded) }
      if flows[place].wakes > 0 {
        to = min(to, flows[place].wakes)
      } else {
        served += 1
        least = min(least, flows[place].left)
      }
    }
    if served == 0 || rate == 0 { return (to, false) }
    let finish = now &+ (least &* served &+ rate &- 1) / rate
    return (min(to, finish), true)
  }

  /// Sends at a rate that flows share equally.
  private mutating func drain(_ rate: Int64, _ now: Int64, _ to: Int64) {
    var served: Int64 = 0
    for place in 0..<flows.count where flows[place].wakes == 0 { served += 1 }
    let amount = served == 1 ? rate &* (to &- now) : rate &* (to &- now) / served
    for place in 0..<flows.count where flows[place].wakes == 0 {
      flows[place].left &-= amount
    }
  }

  /// Ends what has come, and lets the next bursts go.
  private mutating func settle(at now: Int64) {
    var place = 0
    while place < flows.count {
      let asked = requests[flows[place].request]
      if asked.isTimedOut, asked.recorded <= now {
        end(place, at: now)
        continue
      }
      if flows[place].wakes > 0 {
        if flows[place].wakes <= now { wake(place, at: now) }
      } else if flows[place].left <= 0 {
        if flows[place].rest == 0 {
          end(place, at: now)
          continue
        }
        if now >= flows[place].roundEnd {
          // The next burst was due before this one had passed: the path is full.
          flows[place].left = flows[place].rest
          flows[place].rest = 0
        } else {
          flows[place].wakes = flows[place].roundEnd
        }
      }
      place += 1
    }
  }

  private mutating func wake(_ place: Int, at now: Int64) {
    flows[place].wakes = 0
    if flows[place].left > 0 { return }
    flows[place].window = flows[place].window &* 2
    flows[place].left = min(flows[place].rest, flows[place].window)
    flows[place].rest -= flows[place].left
    flows[place].roundEnd = now + roundTrip
  }

  /// Notes that nothing comes from now on, or finds when the timers let senders go on.
  private mutating func turn(_ wasOut: Bool, _ isOut: Bool, at now: Int64) {
    if wasOut == isOut { return }
    for place in 0..<flows.count {
      if isOut {
        if flows[place].wakes == 0 { flows[place].silentSince = now }
        continue
      }
      let since = flows[place].silentSince
      flows[place].silentSince = -1
      if since < 0 || now - since < timeout { continue }
      var (wait, next) = (timeout, since + timeout)
      while next < now {
        wait = min(wait * 2, Self.timeoutMax)
        next += wait
      }
      if next > now { flows[place].wakes = max(flows[place].wakes, next) }
    }
  }

  /// The longest time between two tries (RFC 6298, 2.5).
  private static let timeoutMax: Int64 = 60_000_000

  /// Notes that a request is over, whole or not.
  private mutating func end(_ place: Int, at now: Int64) {
    let flow = flows[place]
    triedDone[flow.request] = now
    triedBytes[flow.request] =
      (requests[flow.request].wholeSize - flow.left - flow.rest) / ModelledRequest.byte
    let rest = outage.until - requests[flow.request].release
    triedLateness[flow.request] = rest > 0 ? (outage.lag, min(rest, outage.lag)) : (0, 0)
    flows.swapAt(place, flows.count - 1)
    flows.removeLast()
  }

  /// How far a request is from what was recorded on the link that is tried: in microseconds or, if
  /// it timed out, in bytes.
  @inline(__always)
  func triedError(of place: Int) -> Int64 {
    let request = requests[place]
    if request.isTimedOut {
      let more = triedBytes[place] - request.size / ModelledRequest.byte
      return request.isBounded ? max(0, more) : abs(more)
    }
    return abs(triedDone[place] - request.recorded)
  }

  /// Nothing is sent any more.
  private mutating func giveUp(_ next: Int) {
    for flow in flows {
      (triedDone[flow.request], triedLateness[flow.request]) = (horizon, (0, 0))
    }
    for request in next..<requests.count {
      (triedDone[request], triedLateness[request]) = (horizon, (0, 0))
    }
    flows.removeAll(keepingCapacity: true)
  }

  /// Takes what was tried for some requests.
  mutating func take(_ range: Range<Int>) {
    var most = latest[range.lowerBound]
    for place in range {
      latest[place] = most
      done[place] = triedDone[place]
      most = max(most, done[place])
    }
    // Those that follow began when all of these were over, before as now.
    latest[range.upperBound] = most
  }
}
