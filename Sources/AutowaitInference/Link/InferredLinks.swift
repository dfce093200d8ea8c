import Autowait

/// Links that a recorded session may have had.
package struct InferredLinks: Sendable {
  /// When a request was over in the log, and on the most likely link.
  package struct Fit: Hashable, Sendable {
    /// The number of the request in the log.
    package let request: Int
    package let sent: Instant
    package let recorded: Instant
    package let simulated: Instant
    /// How far apart the two may be for reasons of the log's own.
    package let tolerance: TimeSpan
  }

  /// The most likely link that was come by.
  package let best: LinkTrack
  /// Links as frequent as they are likely.
  package let samples: [LinkTrack]
  /// What they were inferred with, and a prediction must be made with.
  package let model: LinkModel
  package let roundTrip: TimeSpan
  /// When something was under way: of the rest nothing is known.
  package let seen: [(from: Instant, to: Instant)]
  /// How well each request fits, in the order of the log.
  package let fits: [Fit]
  /// Whether the chains agree; if not, the links are less sure than they look.
  package let chainsAgree: Bool
  /// The steps that were taken, by all chains.
  package let steps: Int
  /// The transfers of the log that were too large, too long or too many at a time.
  package let leftOut: Int

  init(
    _ runs: [ChainRun], log: SessionLog, setting: LinkChain.Setting, seed: UInt64
  ) {
    let modelled = setting.log
    let delay = TimeSpan(nanoseconds: modelled.roundTrip * 1_000 / 2)
    var best = runs[0].best
    for run in runs.dropFirst() where run.best.likely > best.likely { best = run.best }
    self.best = Self.track(best.link, setting, delay)
    var random = RandomStream(seed: seed, component: "inference", purpose: "beyond the log")
    // By turns, so that any first few are of all chains.
    var samples: [LinkTrack] = []
    let most = runs.map(\.samples.count).max() ?? 0
    for place in 0..<most {
      for run in runs where place < run.samples.count {
        let link = run.samples[place].continued(beyond: modelled, setting.prior, &random)
        samples.append(Self.track(link, setting, delay))
      }
    }
    self.samples = samples
    model = setting.model
    roundTrip = TimeSpan(nanoseconds: modelled.roundTrip * 1_000)
    seen = modelled.seen.map { (Self.instant($0.from), Self.instant($0.to)) }
    var transfers = TransferModel(modelled, setting.model, setting.grid)
    _ = transfers.run(best.link, from: 0, until: .max)
    // One that timed out ends when it did, whatever the link; of one that nobody read it is not
    // known when it did.
    let whole = modelled.requests.indices.filter {
      !modelled.requests[$0].isTimedOut && !modelled.requests[$0].isUnread
    }
    fits = whole.map { place in
      let request = modelled.requests[place]
      return Fit(
        request: request.number, sent: log.requests[request.number].sent,
        recorded: Self.instant(request.recorded),
        simulated: Self.instant(transfers.triedDone[place]),
        tolerance: TimeSpan(nanoseconds: request.sigma * 1_000))
    }.sorted { $0.request < $1.request }
    chainsAgree = ChainRun.agree(runs)
    steps = runs.reduce(0) { $0 + $1.chain.steps }
    leftOut = modelled.leftOut
  }

  private static func instant(_ microseconds: Int64) -> Instant {
    Instant(nanoseconds: microseconds * 1_000)
  }

  /// The link as a track, in which equal neighbours are one.
  private static func track(
    _ pieces: LinkPieces, _ setting: LinkChain.Setting, _ delay: TimeSpan
  ) -> LinkTrack {
    var samples: [LinkTrack.Sample] = []
    for piece in 0..<pieces.count {
      let rate = BitRate(bitsPerSecond: setting.grid.rates[pieces.levels[piece]])
      if samples.last?.rate == rate { continue }
      samples.append(
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: pieces.starts[piece] * 1_000), rate: rate, delay: delay))
    }
    return LinkTrack(samples)
  }
}
