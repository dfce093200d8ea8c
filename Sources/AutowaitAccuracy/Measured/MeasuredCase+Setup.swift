import Autowait

/// What a model needs to repeat a measured run.
package struct Setup: Sendable {
  /// The links; the second one holds from a step of the plan on, if there is one.
  package var links: [LinkProfile]
  /// How the requests are carried.
  package var policy: TransportPolicy
  /// The requests.
  package var plan: TransferPlan
  /// The seed of all that is random.
  package var seed: UInt64
  /// Whether the hosts are as noisy as those that were measured.
  package var hasHostNoise = false
}

extension MeasuredCase {
  /// Which losses a model meets.
  package enum Losses: Sendable {
    /// Those of its own generator: another sample of the same chances.
    case own
    /// Those of the measured runs, packet by packet.
    case measured
  }

  /// Returns what a model needs to repeat a run.
  package func setup(seed: UInt64, losses: Losses) -> Setup {
    var links = [LinkProfile(down: link(down, seed, losses), up: link(up, seed, losses))]
    if changes {
      var changed = links[0]
      changed.down.track = Self.track(down)
      changed.up.track = Self.track(up)
      links.append(changed)
    }
    return Setup(links: links, policy: policy, plan: plan, seed: seed)
  }

  private func link(_ direction: Direction, _ seed: UInt64, _ losses: Losses) -> LinkDirection {
    var link = LinkDirection(LinkTrack(rate: direction.rate, delay: direction.delay))
    link.queue = .packets(direction.queue)
    link.jitter = direction.jitter
    if direction.reordered > .never { link.reorder = Reordering(chance: direction.reordered) }
    if let bursts = direction.bursts { link.loss = .gilbertElliott(bursts) }
    if direction.losesAtExit { link.lossPlace = .afterQueue }
    if direction.loss > .never {
      switch losses {
      case .own: link.loss = .bernoulli(direction.loss)
      case .measured: link.loss = .measured(direction.loss, seed: seed)
      }
    }
    return link
  }

  /// The track of a direction from the step on at which its changes start.
  private static func track(_ direction: Direction) -> LinkTrack {
    if direction.changes.isEmpty {
      return LinkTrack(rate: direction.rate, delay: direction.delay)
    }
    return LinkTrack(
      direction.changes.map {
        LinkTrack.Sample(start: $0.start, rate: $0.rate, delay: direction.delay, loss: $0.loss)
      })
  }

  /// The bench: HTTP/1.1 without TLS and names, patient, on Linux.
  private var policy: TransportPolicy {
    var policy = TransportPolicy()
    policy.usesDNSLookup = false
    policy.requestTimeout = nil
    policy.requestSize = requestSize
    policy.responseHeaderSize = responseHeaderSize
    // The hosts of the bench take 0.3 to 0.5 ms for a request (measured).
    policy.serverDelay = TimeSpan(nanoseconds: 300_000)
    policy.isPaced = sender == .pacedCubic
    switch sender {
    case .cubic, .pacedCubic: policy.congestionControl = .cubic
    case .reno: policy.congestionControl = .reno
    case .bbr: policy.congestionControl = .bbr
    }
    return policy
  }

  private var plan: TransferPlan {
    let steps = steps.enumerated().map { index, step in
      var request = TransferRequest(size: step.size)
      request.connection = step.isNew ? .new : .pooled
      let link = changes && index == changesAtStep ? 1 : nil
      return TransferPlan.Step(request, idle: step.idle, link: link)
    }
    if !isParallel { return TransferPlan(flows: [TransferPlan.Flow(steps: steps)]) }
    return TransferPlan(
      flows: zip(self.steps, steps).map {
        TransferPlan.Flow(start: .start + $0.start, steps: [$1])
      })
  }
}
