import Autowait

/// The requests of a log, as the model sends them.
struct ModelledLog: Sendable {
  /// More bytes in one response are no transfer that the model's whole numbers can count.
  static let sizeMax: Int64 = 2_000_000_000
  /// A log is longer than a day only if its clock is wrong.
  static let spanMax: Int64 = 86_400_000_000
  /// As many requests under way at a time are modelled; others are left out.
  static let flowsMax = 64

  /// By ascending release.
  let requests: [ModelledRequest]
  let roundTrip: Int64
  /// When the last of them was over.
  let end: Int64
  /// The mean rate while something was under way, in bits per second; zero for an empty log.
  let busyRate: Int64
  /// The stretches in which something was under way.
  let seen: [(from: Int64, to: Int64)]
  /// How many transfers of the log are not modelled.
  let leftOut: Int

  init(_ log: SessionLog, _ model: LinkModel) {
    let roundTrip = max(0, (log.roundTrip ?? .zero).nanoseconds / 1_000)
    self.roundTrip = roundTrip
    let transfers = log.requests.indices.filter { log.requests[$0].isTransfer }
    let waits = Waits(log, model.keepsWaits ? transfers : [], roundTrip: roundTrip)
    var drafts: [Draft] = []
    for number in transfers {
      if let draft = Draft(number, log.requests[number], waits) { drafts.append(draft) }
    }
    drafts.sort { ($0.release, $0.number) < ($1.release, $1.number) }
    Self.noteUnread(&drafts)
    let shared = Self.shared(drafts)
    let windows = Self.windows(drafts, log, model, roundTrip: roundTrip)
    let (_, rate) = Self.busy(
      drafts.map { ($0.release, $0.done, $0.sizeLikely * ModelledRequest.byte) })
    // What would be one too many at its time is left out.
    var (ends, requests): ([Int64], [ModelledRequest]) = ([], [])
    for (place, draft) in drafts.enumerated() {
      ends.removeAll { $0 <= draft.release }
      if ends.count == Self.flowsMax { continue }
      ends.append(draft.done)
      requests.append(
        ModelledRequest(
          number: draft.number, release: draft.release,
          size: (draft.size - min(model.firstPacket, draft.size / 2)) * ModelledRequest.byte,
          window: windows[place] * ModelledRequest.byte,
          recorded: draft.done, isTimedOut: draft.isTimedOut,
          isBounded: draft.isBounded, isUnread: draft.isUnread,
          sigma: draft.error(isShared: shared[place], at: rate),
          isShared: shared[place]))
    }
    self.requests = requests
    leftOut = transfers.count - requests.count
    end = requests.map(\.recorded).max() ?? 0
    (seen, busyRate) = Self.busy(
      requests.map { ($0.release, $0.recorded, $0.isBounded ? $0.size / 2 : $0.size) })
  }

  /// What is shared with others is known to 10 %, but to no less than 0.2 s: with more, outages
  /// would pass for noise.
  private static let sharedErrorMax: Int64 = 200_000
  /// No player and no server is better than this: 5 ms, and 2 % of what came alone.
  ///
  /// Half and twice of both gave worse predictions of recorded sessions.
  private static let errorMin: Int64 = 5_000
  /// What is not to be judged may err by this, in microseconds: nothing is farther off.
  private static let errorMax: Int64 = 1 << 29
  /// Of a response that is shorter than this, what it waited for says more than the rate (assumed).
  private static let sizeMin: Int64 = 16_000
  private static let shortError: Int64 = 100_000
  /// What has come of a response that times out is known to a few packets, and to 5 % (as measured
  /// of arrivals).
  private static let cutErrorMin: Int64 = 3_000
  /// No player gives up sooner because nothing comes: hls.js waits for 4 s and longer.
  ///
  /// What is given up sooner, as Chromium and dash.js do when they begin (recorded), takes its
  /// share of the link until then, and is not judged.
  private static let timeoutMin: Int64 = 2_000_000

  /// A request before it is known what went on beside it.
  private struct Draft {
    let number: Int
    let release: Int64
    private(set) var done: Int64
    let size: Int64
    let quantum: Int64
    private(set) var isTimedOut: Bool
    /// Whether less than its size had come by then, and nothing else is known of it.
    let isBounded: Bool
    private(set) var isUnread = false
    /// Whether it was given up too soon for what had come to say what the link carried: as much
    /// again may have been on its way.
    let isCut: Bool

    /// What came of it: of what is known to be less than all, half (assumed).
    var sizeLikely: Int64 { isBounded ? size / 2 : size }

    /// How far from what was recorded it may be, in microseconds; in bytes if it timed out.
    ///
    /// What came late because nothing came for a while has no more noise for that: a part of the
    /// time that its bytes take at the mean rate, and not of an outage in it.
    func error(isShared: Bool, at rate: Int64) -> Int64 {
      if isUnread || isCut { return ModelledLog.errorMax }
      if isTimedOut { return ModelledLog.cutErrorMin + size / 20 }
      let length = done - release
      let usual = rate > 0 ? min(length, size * ModelledRequest.byte / rate) : length
      var share = isShared ? min(length / 10, ModelledLog.sharedErrorMax) : usual * 2 / 100
      if size < ModelledLog.sizeMin { share = max(share, ModelledLog.shortError) }
      return max(ModelledLog.errorMin, quantum) + share
    }

    /// Takes it for one that the player stopped reading, of which all had come by an instant.
    mutating func stop(by instant: Int64) { (done, isTimedOut, isUnread) = (instant, false, true) }

    init?(_ number: Int, _ request: SessionRequest, _ waits: Waits) {
      guard let done = request.done, let size = request.size ?? request.wholeSize else {
        return nil
      }
      self.number = number
      self.done = (done - .start).nanoseconds / 1_000
      self.size = size.bytes
      quantum = max(0, request.quantum.nanoseconds / 1_000)
      let sent = (request.sent - .start).nanoseconds / 1_000
      release = min(sent + waits.wait(of: request), self.done)
      let isLate = self.done - sent >= ModelledLog.timeoutMin
      isBounded = request.size == nil
      isCut = request.isAborted && !isLate
      isTimedOut = request.isAborted && (isLate || size > .zero)
      if size.bytes > ModelledLog.sizeMax || release < 0 || self.done > ModelledLog.spanMax {
        return nil
      }
    }
  }

  /// Finds the requests that were given up after the player had stopped reading them.
  ///
  /// A response that was asked for later, and came whole meanwhile, had no more than its share of
  /// the link. If it is larger, the link would have carried more of this one too, had anybody
  /// wanted it: mpv asks for variants that it then leaves in the socket (recorded).
  private static func noteUnread(_ drafts: inout [Draft]) {
    for place in drafts.indices where drafts[place].isTimedOut && !drafts[place].isCut {
      let draft = drafts[place]
      // As many as may be under way with it: to look at all would take a time that grows with the
      // square of a log of nothing else.
      let later = drafts[(place + 1)...].prefix(flowsMax)
      let proof = later.filter {
        !$0.isTimedOut && !$0.isUnread && $0.done <= draft.done && $0.size > draft.size
      }
      if let first = proof.map(\.done).min() { drafts[place].stop(by: first) }
    }
  }

  /// How long requests wait for their first byte.
  ///
  /// Each wait is kept as it was recorded, for the server may have thought. What is far longer than
  /// the others is no thinking: nothing came because the link carried nothing.
  private struct Waits {
    private let keeps: Bool
    private let most: Int64
    private let usual: Int64

    init(_ log: SessionLog, _ transfers: [Int], roundTrip: Int64) {
      keeps = !transfers.isEmpty
      let waits = transfers.compactMap { number -> Int64? in
        let request = log.requests[number]
        return request.firstByte.map { ($0 - request.sent).nanoseconds / 1_000 }
      }.sorted()
      usual = waits.isEmpty ? roundTrip : max(roundTrip, waits[waits.count / 2])
      most = 2 * usual + Self.slack
    }

    /// How much longer than twice the usual a wait may be (assumed).
    private static let slack: Int64 = 100_000

    func wait(of request: SessionRequest) -> Int64 {
      guard keeps, let firstByte = request.firstByte else { return usual }
      let wait = (firstByte - request.sent).nanoseconds / 1_000
      return wait > most ? usual : max(0, wait)
    }
  }

  /// Whether each was over while others were still under way, or beside one that was cut.
  ///
  /// How a link is shared hardly moves the end of the one that is over last: by then all have come,
  /// in whichever order. But of what was cut nobody knows how much crossed the link.
  private static func shared(_ drafts: [Draft]) -> [Bool] {
    let order = drafts.indices.sorted {
      (drafts[$0].done, drafts[$0].release) < (drafts[$1].done, drafts[$1].release)
    }
    var shared = [Bool](repeating: false, count: drafts.count)
    // The earliest release of those that are over later.
    var earliest = Int64.max
    for place in order.reversed() {
      shared[place] = earliest < drafts[place].done
      earliest = min(earliest, drafts[place].release)
    }
    var latest = Int64.min
    for place in drafts.indices {
      if latest > drafts[place].release { shared[place] = true }
      if drafts[place].isCut { latest = max(latest, drafts[place].done) }
    }
    var next = Int64.max
    for place in drafts.indices.reversed() {
      if next < drafts[place].done { shared[place] = true }
      if drafts[place].isCut { next = drafts[place].release }
    }
    return shared
  }

  /// The first window of each: what its connection has kept.
  private static func windows(
    _ drafts: [Draft], _ log: SessionLog, _ model: LinkModel, roundTrip: Int64
  ) -> [Int64] {
    if model.kind == .ideal { return drafts.map { $0.isTimedOut ? sizeMax : $0.size } }
    let timeout = roundTrip + model.timeoutMin.nanoseconds / 1_000
    var kept: [Int: (window: Int64, done: Int64)] = [:]
    return drafts.map { draft in
      let connection = log.requests[draft.number].connection ?? -1 - log.requests[draft.number].host
      var window = model.windowMin
      if let last = kept[connection], draft.release - roundTrip - last.done < timeout {
        window = last.window
      }
      let grown = max(window, min(model.windowMin + draft.size, model.windowKept))
      kept[connection] = (grown, draft.done)
      return window
    }
  }

  /// The stretches in which something was under way, and the mean rate in them.
  private static func busy(
    _ transfers: [(from: Int64, to: Int64, size: Int64)]
  ) -> (seen: [(from: Int64, to: Int64)], rate: Int64) {
    var seen: [(from: Int64, to: Int64)] = []
    for transfer in transfers where transfer.to > transfer.from {
      if let last = seen.last, transfer.from <= last.to {
        seen[seen.count - 1].to = max(last.to, transfer.to)
      } else {
        seen.append((transfer.from, transfer.to))
      }
    }
    let busy = seen.reduce(Int64(0)) { $0 + $1.to - $1.from }
    let bits = transfers.reduce(Int128(0)) { $0 + Int128($1.size) }
    return (seen, busy > 0 ? Int64(clamping: bits / Int128(busy)) : 0)
  }
}
