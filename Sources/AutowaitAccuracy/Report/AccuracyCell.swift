import Autowait

/// What a model may err in a kind of cell, and how often.
package enum AccuracyKind: String, CaseIterable, Sendable {
  /// No loss, and all runs within 5 %: within 1 % or 1 ms.
  case clean
  /// No loss, and yet the runs differ: inside of them, give or take 5 %.
  case bimodal
  /// Losses by chance: the median of many runs inside the 95 % interval of the measured one,
  /// give or take what a clean cell may err: where most runs lost nothing, all medians are equal.
  case loss
  /// Side by side: within 5 %; runs of equal flows by rank.
  case parallel
  /// Side by side with losses: as with losses.
  case parallelLoss = "parallel, loss"
  /// Jitter, reordering, or losses in bursts: as with losses.
  case varying = "jitter, order, bursts"
  /// Outages and steps of the rate: within 5 %.
  case changing = "outages, steps"

  /// The kind of a request of a case.
  init(_ measured: MeasuredCase, _ request: MeasuredRequest) {
    if measured.isParallel {
      self = measured.isLossy ? .parallelLoss : .parallel
    } else if measured.isVarying {
      self = .varying
    } else if measured.changes {
      self = .changing
    } else if measured.isLossy {
      self = .loss
    } else {
      self = request.spread < measured.cleanSpread ? .clean : .bimodal
    }
  }
}

/// A request that was measured, and what the models say of it; times are in milliseconds.
package struct AccuracyCell: Sendable {
  /// What a model says.
  package struct Estimate: Sendable {
    /// The median of its runs; infinite if most of them failed.
    package var median: Double
    /// The difference from the measured median, as a part of it.
    package var error: Double
    /// Whether that is inside what the kind allows.
    package var isInside: Bool
    /// Whether the median is inside of the interval alone.
    package var isInInterval: Bool
    /// The largest difference of a tenth of the body, as a part of the measured download; nil if
    /// there is nothing to compare.
    package var curveError: Double?
    /// The slow end of runs that differ by chance; nil for others.
    package var tail: Tail?
  }

  /// How the slow runs of a model compare with the slow ones that were measured.
  package struct Tail: Sendable {
    /// The difference of the ninth tenths, as a part of the measured one.
    package var error: Double
    /// The slowest run, as a multiple of the slowest measured one.
    package var slowest: Double
    /// Whether the ninth tenth of the model lies between the median and the slowest run that were
    /// measured, give or take what a clean cell may err.
    package var isInside: Bool

    init(_ modelled: [Double], _ measured: [Double]) {
      let ninth = Statistics.percentile(modelled, 90)
      let (median, most) = (Statistics.median(measured), measured.max() ?? 0)
      error = ninth / Statistics.percentile(measured, 90) - 1
      slowest = (modelled.max() ?? 0) / most
      isInside =
        median - max(1, median / 100)...most + max(1, most / 100) ~= ninth
    }
  }

  /// The part of the measurements.
  package var group: String
  /// The case and the request.
  package var name: String
  /// The name of the link.
  package var profile: String
  /// What decided how fast the server sent.
  package var sender: MeasuredCase.Sender
  /// What the request was like.
  package var kind: AccuracyKind
  /// The body.
  package var size: ByteCount
  /// What was measured.
  package var request: MeasuredRequest
  /// The 95 % interval of the measured median, if runs differ by chance.
  package var interval: ClosedRange<Double>?
  /// What each model says; nil for one that does not cover the case.
  package var estimates: [Estimate?] = []
  /// What one half of the runs says of the other; nil if it was run once.
  ///
  /// No model can be expected to do better.
  package var ceiling: Estimate?
}

extension AccuracyCell {
  /// Returns the cells of a case as the models see it; one with losses they run so many times.
  package static func cells(
    of measured: MeasuredCase, by models: [Model], runs: Int, losses: MeasuredCase.Losses
  ) -> [AccuracyCell] {
    let requests = measured.ranked
    var cells = zip(measured.steps, requests).map { step, request in
      let kind = AccuracyKind(measured, request)
      let hasInterval = measured.isRandom && !measured.changes
      func cell(_ request: MeasuredRequest) -> AccuracyCell {
        AccuracyCell(
          group: measured.group, name: "\(measured.name) \(request.label)",
          profile: measured.profile, sender: measured.sender, kind: kind, size: step.size,
          request: request, interval: hasInterval ? Statistics.medianInterval(request.totals) : nil)
      }
      var whole = cell(request)
      if let (half, other) = request.halves { whole.ceiling = cell(other).estimate(half) }
      return whole
    }
    for model in models {
      let estimates = measured.estimates(of: model, runs: runs, losses: losses)
      for index in cells.indices {
        let estimate = estimates.map { cells[index].estimate($0[index]) }
        cells[index].estimates.append(estimate)
      }
    }
    return cells
  }

  /// Returns when a model says that the tenths of a case's first body arrive, in milliseconds.
  package static func tenths(of measured: MeasuredCase, by model: Model) -> [Double]? {
    measured.estimates(of: model, runs: 1, losses: .own)?.first?.tenths
  }

  private func estimate(_ modelled: MeasuredRequest) -> Estimate {
    let median = modelled.median
    let error = median / request.median - 1
    let isInside: Bool
    // A host takes its time, and clocks tick: 1 ms, or 1 % of a longer time.
    let leeway = max(1, request.median / 100)
    switch kind {
    case .clean: isInside = abs(median - request.median) <= leeway
    case .bimodal:
      isInside = request.range.lowerBound * 0.95...request.range.upperBound * 1.05 ~= median
    case .loss, .parallelLoss, .varying:
      let interval = interval ?? request.range
      isInside = interval.lowerBound - leeway...interval.upperBound + leeway ~= median
    case .parallel, .changing: isInside = abs(error) <= 0.05
    }
    var curveError: Double?
    if let end = request.tenths.last, modelled.tenths.count == request.tenths.count {
      curveError = zip(request.tenths, modelled.tenths).map { abs($0 - $1) }.max().map { $0 / end }
    }
    return Estimate(
      median: median, error: error, isInside: isInside,
      isInInterval: interval?.contains(median) ?? isInside, curveError: curveError,
      tail: interval.map { _ in Tail(modelled.totals, request.totals) })
  }
}

extension MeasuredCase {
  /// Whether all requests ran side by side under equal conditions, so that only ranks count.
  private var isSymmetric: Bool {
    isParallel && steps.allSatisfy { $0.size == steps[0].size && $0.start == steps[0].start }
  }

  /// What was measured; equal flows by rank in each run, because which of them is first is chance.
  var ranked: [MeasuredRequest] { isSymmetric ? Self.ranked(requests) : requests }

  private static func ranked(_ requests: [MeasuredRequest]) -> [MeasuredRequest] {
    let runs = requests.map(\.totals.count).min() ?? 0
    let sorted = (0..<runs).map { run in requests.map { $0.totals[run] }.sorted() }
    return requests.indices.map { rank in
      MeasuredRequest(label: "rank\(rank + 1)", totals: sorted.map { $0[rank] }, tenths: [])
    }
  }

  /// How often a model runs a case that only the noise of hosts makes differ.
  private static let noisyRuns = 21

  /// What a model says of each request, as if it had been measured; nil if it cannot.
  func estimates(of model: Model, runs: Int, losses: Losses) -> [MeasuredRequest]? {
    if let covers = model.covers, !covers(self) { return nil }
    var seeds = seeds
    if isRandom {
      // With the measured losses the runs are those that were measured, and no others.
      while losses == .own, seeds.count < runs { seeds.append((seeds.last ?? 0) + 1) }
    } else {
      // What is not left to chance differs by the noise of hosts, here as there.
      seeds = (0..<UInt64(max(1, min(runs, Self.noisyRuns)))).map { $0 }
    }
    let outcomes = seeds.map { seed in
      var setup = setup(seed: seed, losses: losses)
      setup.hasHostNoise = true
      let flows = model.run(setup)
      let all = flows.flatMap { $0 }
      precondition(all.count == steps.count, "\(model.name) does not end \(name)")
      return all
    }
    let modelled = requests.indices.map { index in
      let ofRequest = outcomes.map { $0[index] }
      return MeasuredRequest(
        label: requests[index].label, totals: ofRequest.map(Self.total),
        tenths: Self.tenths(ofRequest))
    }
    return isSymmetric ? Self.ranked(modelled) : modelled
  }

  private static func total(_ outcome: TransferOutcome) -> Double {
    outcome.total.map { Double($0.nanoseconds) / 1e6 } ?? .infinity
  }

  /// The medians of the times from the request to each tenth.
  private static func tenths(_ outcomes: [TransferOutcome]) -> [Double] {
    guard outcomes.allSatisfy({ $0.tenths.count == 10 && $0.times.sent != nil }) else { return [] }
    return (0..<10).map { tenth in
      Statistics.median(
        outcomes.map { outcome in
          Double((outcome.tenths[tenth] - (outcome.times.sent ?? .start)).nanoseconds) / 1e6
        })
    }
  }
}
