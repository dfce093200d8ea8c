import Autowait
import AutowaitScenario
import Testing

/// The fill rate that samples of a run hold.
struct FillRateTests {
  /// Runs a stream on a link of 2 Mbit/s, and looks at it every 10 ms.
  private func samples(_ stream: String, script: String = "") throws -> [RunResult.Sample] {
    let (scenario, findings) = StreamFixture.read(stream, script: script)
    #expect(findings.isEmpty)
    let instants = (0..<4_000).map { Instant(nanoseconds: $0 * 10_000_000) }
    return ScenarioRun.run(try #require(scenario), samplesAt: instants).samples
  }

  /// On a link without delay all that is asked for comes at the rate of the link, whenever one
  /// looks and however long nothing was asked for in between.
  @Test func `a constant link has one fill rate`() throws {
    for stream in [
      #""duration":"60 s","variants":[{"bandwidth":1000000}]"#,
      #""duration":"120 s","segmentDuration":"2 s","variants":[{"bandwidth":500000}]"#,
    ] {
      let samples = try samples(stream, script: #",{"at":0,"do":"play"}"#)
      let rates = samples.compactMap { $0.fillRates[0]?.bitsPerSecond }
      #expect(samples.first?.fillRates == [nil])
      #expect(rates.count > 3_900)
      #expect(Set(rates) == [2_000_000])
    }
  }
}
