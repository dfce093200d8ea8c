import Autowait

/// The hidden link of a recorded session: what it may have been, given when requests were over.
///
/// Links of a few rates are drawn whose simulated requests are over when the recorded ones were.
/// Replaying what each request got as if it were the link would be wrong wherever a player had not
/// asked for more, and an exact inversion takes noise for changes of the rate.
package struct LinkInference: Sendable {
  /// How links are drawn.
  package struct Options: Hashable, Sendable {
    package var seed: UInt64 = 0
    /// The chains, which must agree in the end.
    package var chains = 2
    /// The steps of each chain while it cools, and those from which links are drawn.
    package var steps = 60_000
    /// The links that are drawn, of all chains together.
    package var samples = 32
    /// How often the chains go on if they do not agree.
    package var roundsMax = 4
    package var model: LinkModel

    package init(_ model: LinkModel = LinkModel(.transport)) {
      self.model = model
    }
  }

  /// Which links are drawn of a log, and which of them predictions are made with: answers of one
  /// version are not put together with those of another.
  package static let version = 2

  private let log: SessionLog
  private let options: Options

  /// Prepares the inference of a session.
  package init(_ log: SessionLog, _ options: Options = Options()) {
    (self.log, self.options) = (log, options)
    precondition(options.chains > 0, "at least one chain is needed, not \(options.chains)")
    precondition(options.samples > 0, "at least one link must be drawn, not \(options.samples)")
  }

  /// Draws links; nil if the log has no transfer with a size and an end.
  package func run() -> InferredLinks? {
    let modelled = ModelledLog(log, options.model)
    if modelled.requests.isEmpty || modelled.busyRate <= 0 { return nil }
    let setting = LinkChain.Setting(modelled, options.model)
    let mean = LinkPieces(level: max(1, setting.grid.level(of: modelled.busyRate)))
    let exact = ExactInversion.link(setting, mean)
    var runs = (0..<options.chains).map { number in
      ChainRun(
        LinkChain(
          setting, from: number % 2 == 0 ? exact : mean, seed: options.seed, number: number))
    }
    for place in runs.indices { runs[place].chain.burnIn(options.steps) }
    // The first chains draw one more where the samples do not divide evenly.
    let shares = runs.indices.map { options.samples * ($0 + 1) / runs.count }
    var rounds = 0
    repeat {
      for place in runs.indices {
        let share = shares[place] - (place == 0 ? 0 : shares[place - 1])
        runs[place].sample(share, steps: options.steps << rounds)
      }
      rounds += 1
    } while rounds < options.roundsMax && !ChainRun.agree(runs)
    return InferredLinks(runs, log: log, setting: setting, seed: options.seed)
  }
}
