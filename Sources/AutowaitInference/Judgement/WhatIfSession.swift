import Autowait
import AutowaitFidelity
import AutowaitScenario

/// A recorded session that is predicted from the links of another one.
package struct WhatIfSession: Sendable {
  package let recording: Recording
  private var scenario: Scenario

  /// Prepares a recording; nil if nobody knows its player, or its player does not say when it
  /// stalls.
  package init?(_ recording: Recording) {
    if recording.standard.kind == .finish || recording.link.schedule.isEmpty { return nil }
    if recording.medium.isStream, !RecordedPlayer.isMeasuredOnStreams(recording.player) {
      return nil
    }
    guard let text = RecordingScenario.text(of: recording, .planned) else { return nil }
    let source = SourceText(path: "\(recording.name).json", text: text)
    guard let scenario = ScenarioReader.read(source, loader: .none).scenario else { return nil }
    (self.recording, self.scenario) = (recording, scenario)
  }

  /// Returns what a viewer would see on a link.
  package func outcome(on track: LinkTrack) -> ViewerOutcome {
    var scenario = scenario
    let delay = scenario.world.links[0].down.track.samples[0].delay
    let samples = track.samples.map { sample in
      var sample = sample
      sample.delay = delay
      return sample
    }
    let link = PredictionLink(LinkTrack(samples, ending: track.ending))
    scenario.world.links[0].down.track = link.track
    scenario.world.tier = link.tier
    if link.tier == .packet, scenario.world.transport == nil {
      scenario.world.transport = TransportPolicy()
    }
    return ViewerOutcome(ScenarioRun.run(scenario))
  }
}

/// What links predict of a session: the distribution of what a viewer would see.
package struct ViewerPrediction: Sendable {
  /// When it begins to play, how often it stalls and for how long in all; each ascending.
  let startups: [Int64]
  let counts: [Int]
  let totals: [Int64]

  init(_ session: WhatIfSession, on links: [LinkTrack]) {
    let outcomes = links.map { session.outcome(on: $0) }
    startups = outcomes.map { ($0.startup ?? .never) - .start }.map(\.nanoseconds).sorted()
    counts = outcomes.map(\.stalls.count).sorted()
    totals = outcomes.map(\.stalled.nanoseconds).sorted()
  }

  /// The value in the middle.
  static func middle<Value>(_ values: [Value]) -> Value { values[values.count / 2] }

  /// How likely it is not to stall.
  var smooth: Double { Double(counts.filter { $0 == 0 }.count) / Double(counts.count) }

  /// The interval in which four of five lie, with the error of the model on top.
  ///
  /// What the planned schedule itself misses by is no uncertainty of links: 0.12 s in the middle of
  /// all pairs, and 3 % of what playback stands still.
  var interval: ClosedRange<Int64> {
    let (low, high) = (totals[totals.count / 10], totals[totals.count * 9 / 10])
    func more(_ value: Int64) -> Int64 { Self.errorMin + value * 4 / 100 }
    return low - more(low)...high + more(high)
  }

  /// The time by which a prediction misses on the very link (measured).
  private static let errorMin: Int64 = 100_000_000
}
