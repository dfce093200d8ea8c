import Autowait

/// A way to foretell a transfer.
package struct Model: Sendable {
  /// What the report calls it.
  package var name: String
  /// Whether it is meant for a case; nil if it is meant for all.
  package var covers: (@Sendable (MeasuredCase) -> Bool)?
  /// Foretells the requests of each flow.
  package var run: @Sendable (Setup) -> [[TransferOutcome]]

  package init(
    name: String, covers: (@Sendable (MeasuredCase) -> Bool)? = nil,
    run: @escaping @Sendable (Setup) -> [[TransferOutcome]]
  ) {
    self.name = name
    self.covers = covers
    self.run = run
  }

  /// Whether it is meant for all cases.
  package var coversAll: Bool { covers == nil }
}

extension Model {
  /// A model that says of each request that it takes so long; infinite for one that never ends.
  package static func fixed(milliseconds: Double) -> Model {
    Model(name: "fixed") { setup in
      setup.plan.flows.map { flow in
        flow.steps.map { _ in
          var outcome = TransferOutcome(times: TransferTimes(opened: flow.start))
          if milliseconds.isFinite {
            let span = TimeSpan(nanoseconds: Int64((milliseconds * 1e6).rounded()))
            outcome.times.completed = flow.start + span
          }
          return outcome
        }
      }
    }
  }

  /// What everybody computes first: size / rate + round trip, flows sharing the link equally.
  ///
  /// A link that changes is integrated. Bytes of headers, the handshake of a new connection, the
  /// window of the sender, queues and losses do not exist.
  package static let naive = Model(name: "size/rate + RTT") { setup in
    setup.plan.flows.count == 1 ? sequence(setup) : sideBySide(setup)
  }

  private static func ideal(_ profile: LinkProfile) -> ReferenceLink {
    let up = profile.up.track.samples[0].delay
    let samples = profile.down.track.samples.map { sample in
      LinkTrack.Sample(start: sample.start, rate: sample.rate, delay: sample.delay + up)
    }
    return ReferenceLink(LinkTrack(samples))
  }

  private static func sequence(_ setup: Setup) -> [[TransferOutcome]] {
    var link = ideal(setup.links[0])
    var origin = Instant.start
    let outcomes = setup.plan.flows[0].steps.map { step in
      link.wait(step.idle)
      if let number = step.link {
        origin = origin + (link.now - .start)
        link = ideal(setup.links[number])
      }
      let opened = origin + (link.now - .start)
      var outcome = TransferOutcome(times: TransferTimes(opened: opened))
      outcome.times.sent = opened
      outcome.tenths = (1...10 as ClosedRange<Int64>).map { tenth in
        var part = link
        let bytes = ByteCount(bytes: step.request.size.bytes * tenth / 10)
        return opened + part.transfer(DataAmount(bytes)).duration
      }
      outcome.times.completed = opened + link.transfer(DataAmount(step.request.size)).duration
      return outcome
    }
    return [outcomes]
  }

  /// Flows of one request each, which share a constant rate.
  private static func sideBySide(_ setup: Setup) -> [[TransferOutcome]] {
    let link = setup.links[0]
    let sample = link.down.track.samples[0]
    let latency = sample.delay + link.up.track.samples[0].delay
    let rate = Double(sample.rate.bitsPerSecond) / 1e9
    var flows = setup.plan.flows.map { flow in
      (
        start: Double((flow.start + latency).nanoseconds),
        bits: Double(flow.steps[0].request.size.bytes * 8), end: 0.0
      )
    }
    var now = 0.0
    while flows.contains(where: { $0.bits > 0 }) {
      let active = flows.indices.filter { flows[$0].start <= now && flows[$0].bits > 0 }
      let share = rate / Double(max(1, active.count))
      let arrival = flows.filter { $0.start > now }.map(\.start).min() ?? .infinity
      let finish = active.map { now + flows[$0].bits / share }.min() ?? .infinity
      let next = min(arrival, finish)
      for index in active {
        // The first to finish has nothing left, whatever the rounding says.
        let isDone = now + flows[index].bits / share <= next
        flows[index].bits = isDone ? 0 : flows[index].bits - (next - now) * share
        if isDone { flows[index].end = next }
      }
      now = next
    }
    return zip(setup.plan.flows, flows).map { flow, end in
      var outcome = TransferOutcome(times: TransferTimes(opened: flow.start))
      outcome.times.sent = flow.start
      outcome.times.completed = Instant(nanoseconds: Int64(end.end.rounded()))
      return [outcome]
    }
  }
}
