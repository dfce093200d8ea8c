import Autowait
import AutowaitScenario
import Testing

/// What a version of iOS does not have is not observed there, and a file that names it is warned
/// of.
///
/// `timeControlStatus`, `reasonForWaitingToPlay` and `automaticallyWaitsToMinimizeStalling` came
/// with iOS 10, the notification that the rate changed with 15, and `defaultRate` with 16
/// (`AVPlayer.h`).
@Suite struct ContractTests {
  private static func read(
    _ contract: Int, script: String = "", expect: String = ""
  ) throws -> (scenario: Scenario, warnings: [String]) {
    let text = """
      {"link":{"rate":"3 Mbit/s"},"player":{"contract":\(contract)},
       "media":{"kind":"progressive","duration":20,"bitrate":"2 Mbit/s"},
       "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}\(script)],"expect":[\(expect)]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    return (try #require(scenario, "\(findings)"), findings.map(\.message))
  }

  @Test(
    arguments: [
      (.timeControlStatus, 10), (.reasonForWaitingToPlay, 10),
      (.automaticallyWaitsToMinimizeStalling, 10), (.defaultRate, 16), (.rate, 9),
    ] as [(Property, Int)])
  func aPropertyHasNoValueBeforeItsVersion(_ property: Property, _ first: Int) throws {
    // After a millisecond playback waits for its first data.
    for version in [first - 1, first] where version >= 9 {
      let instant = Instant.start + .milliseconds(1)
      let result = ScenarioRun.run(try Self.read(version).scenario, samplesAt: [instant])
      let value = property.value(in: try #require(result.samples.first).players[0])
      #expect((value == .null) == (version < first), "iOS \(version): \(value)")
    }
  }

  @Test(arguments: [("timeControlStatus", 10), ("rateDidChange", 15)])
  func anEventDoesNotComeBeforeItsVersion(_ name: String, _ first: Int) throws {
    for version in [first - 1, first] {
      let records = ScenarioRun.run(try Self.read(version).scenario).records
      #expect(records.contains { "\($0.event.name)" == name } == (version == first))
    }
  }

  @Test(arguments: [
    (#"{"at":5,"timeControlStatus":"playing"}"#, "hold", "timeControlStatus", 10),
    (#"{"always":{"timeControlStatus":"playing"}}"#, "hold", "timeControlStatus", 10),
    (#"{"eventually":{"event":"timeControlStatus"}}"#, "hold", "timeControlStatus", 10),
    (#"{"never":{"event":"timeControlStatus"}}"#, "fail", "timeControlStatus", 10),
    (
      #"{"never":{"reasonForWaitingToPlay":"toMinimizeStalls"}}"#, "fail",
      "reasonForWaitingToPlay", 10
    ),
    (#"{"eventually":{"event":"rateDidChange"}}"#, "hold", "rateDidChange", 15),
    (#"{"at":1,"defaultRate":1}"#, "hold", "defaultRate", 16),
  ])
  func anExpectationSaysSo(
    _ expectation: String, _ verb: String, _ name: String, _ first: Int
  ) throws {
    let warning = "this can never \(verb): '\(name)' does not exist before iOS \(first)"
    #expect(try Self.read(first - 1, expect: expectation).warnings == [warning])
    #expect(try Self.read(first, expect: expectation).warnings == [])
  }

  /// What holds of a property that is not there holds of nothing.
  @Test(arguments: [
    #"{"at":5,"timeControlStatus":{"!=":"paused"},"rate":1}"#,
    #"{"at":5,"timeControlStatus":{"!=":"paused"}}"#,
  ])
  func anEmptyTestSaysSo(_ expectation: String) throws {
    let warning = "this says nothing: 'timeControlStatus' does not exist before iOS 10"
    #expect(try Self.read(9, expect: expectation).warnings == [warning])
    #expect(try Self.read(10, expect: expectation).warnings == [])
  }

  @Test(arguments: [
    #"{"on":"timeControlStatus","do":"pause"}"#,
    #"{"on":{"event":"timeControlStatus","value":"playing"},"do":"pause"}"#,
    #"{"when":{"timeControlStatus":"playing"},"do":"pause"}"#,
    #"{"when":{"timeControlStatus":"paused"},"do":"pause"}"#,
  ])
  func aStepSaysSoAndNeverComes(_ step: String) throws {
    let read = try Self.read(9, script: "," + step)
    #expect(
      read.warnings == ["this step never comes: 'timeControlStatus' does not exist before iOS 10"])
    let records = ScenarioRun.run(read.scenario).records
    #expect(!records.contains { $0.event == .step(index: 2) })
    let modern = try Self.read(10, script: "," + step)
    #expect(modern.warnings == [])
  }

  @Test(arguments: [
    #"{"when":{"timeControlStatus":{"!=":"paused"}},"do":"pause"}"#,
    #"{"when":{"reasonForWaitingToPlay":null},"do":"pause"}"#,
  ])
  func aStepThatComesAtOnceSaysSo(_ step: String) throws {
    let read = try Self.read(9, script: "," + step)
    #expect(read.warnings.count == 1)
    #expect(read.warnings.allSatisfy { $0.hasPrefix("this says nothing: '") })
    #expect(ScenarioRun.run(read.scenario).records.contains { $0.event == .step(index: 2) })
  }

  /// What else never happens does not start a step either.
  @Test func aStepThatWaitsForWhatAStreamHas() throws {
    let read = try Self.read(26, script: #",{"on":"segmentRequest","do":"pause"}"#)
    #expect(
      read.warnings == [
        "this step never comes: only streams have the event 'segmentRequest', but this is not a "
          + "stream"
      ])
  }
}
