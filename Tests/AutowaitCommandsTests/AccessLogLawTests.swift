import Autowait
import AutowaitScenario
import Foundation
import Testing

/// What Apple reckons from an access log is what the metrics of the same run say.
@Suite struct AccessLogLawTests {
  /// WWDC18 502: the sum of `indicatedBitrate` times `durationWatched` over that of the latter, of
  /// the entries in which both are positive.
  @Test func theLogTellsTheTimeWeightedBitRateOfEveryScenario() throws {
    var (streamCount, switchCount) = (0, 0)
    for result in try Self.runs.get() {
      let scenario = result.scenario
      for metrics in result.metrics {
        let log = metrics.accessLog
        var (bits, watched, all) = (Int128(0), Int128(0), Int128(0))
        for event in log {
          let rate = Int128(event.segments?.indicatedBitrate?.bitsPerSecond ?? -1)
          let span = Int128(event.durationWatched.nanoseconds)
          all += span
          if rate > 0, span > 0 { (bits, watched) = (bits + rate * span, watched + span) }
        }
        #expect(all == Int128(metrics.mediaPlayed.nanoseconds), "\(scenario.name)")
        let told = watched == 0 ? nil : Int64(bits / watched)
        let metric = metrics.streaming?.timeWeightedPeakBitrate?.bitsPerSecond
        #expect(told == metric, "\(scenario.name)")
        if told != nil { streamCount += 1 }
        switchCount += log.count { $0.reason == .variantSwitch }
      }
    }
    // Enough of them that the law says something.
    #expect(streamCount > 20 && switchCount > 0, "\(streamCount) streams, \(switchCount) switches")
  }

  /// An entry begins as often as it is told, and only for the reasons that it can have: a variant
  /// that is another one, or a seek that moved the playhead.
  @Test func entriesBeginForNoOtherReason() throws {
    for result in try Self.runs.get() {
      let scenario = result.scenario
      for (player, metrics) in result.metrics.enumerated() {
        let log = metrics.accessLog
        let told = result.records.filter { $0.player == player && $0.event == .newAccessLogEntry }
        #expect(told.map(\.instant) == log.map(\.playbackStartDate), "\(scenario.name)")
        for (before, event) in zip(log, log.dropFirst()) where event.item == before.item {
          if event.reason == .start { continue }  // the item was made once more
          let isOther = event.reason == .variantSwitch && before.variant != event.variant
          let hasJumped = result.records.contains {
            $0.player == player && $0.event.isSeek && $0.instant <= event.playbackStartDate
          }
          #expect(isOther || (event.reason == .seek && hasJumped), "\(scenario.name)")
        }
      }
    }
  }

  /// The runs of all scenarios that are shipped.
  private static let runs = Result { try scenarios().map { ScenarioRun.run($0) } }

  private static func scenarios() throws -> [Scenario] {
    let root = MarkdownDocument.url("Scenarios").path
    let names = (FileManager.default.enumerator(atPath: root)?.allObjects ?? [])
      .compactMap { $0 as? String }
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix("experiments/") }.sorted()
    let loader = FileLoader { file, _ in
      (try? String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
        .map { .success(SourceText(path: file, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
    return try MarkdownDocument.part(of: names).compactMap { name -> Scenario? in
      let text = try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
      let source = SourceText(path: "\(root)/\(name)", text: text)
      guard ScenarioReader.isScenario(source) else { return nil }
      return ScenarioReader.read(source, loader: loader).scenario
    }
  }
}

extension Event {
  fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }
}
