import Autowait

/// A way to predict a transfer.
package struct Model: Sendable {
  /// What the report calls it.
  package var name: String
  /// Whether it is meant for a case; nil if it is meant for all.
  package var covers: (@Sendable (MeasuredCase) -> Bool)?
  /// Predicts the requests of each flow.
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
}
