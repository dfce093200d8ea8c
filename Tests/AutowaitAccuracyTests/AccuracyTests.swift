import Autowait
import AutowaitAccuracy
import AutowaitScenario
import Foundation
import Testing

/// How accurate the models are is itself held fast: what makes them worse is seen.
@Suite struct AccuracyTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Accuracy")

  /// At most sixty of our own measurements, chosen by the rule that stands in the file.
  static let cases: [MeasuredCase] = {
    let oracles = OracleFolder.oracles(folder)
    let cases = (try? MeasuredReader.cases(oracles.json("cells.json"))) ?? []
    return cases + ((try? FreshReader.cases(oracles.text("varying.jsonl"))) ?? [])
  }()

  @Test func fixtureHasEveryKindAndIsSmall() {
    #expect(1...64 ~= Self.cases.reduce(0) { $0 + $1.requests.count })
    let cells = AccuracyReport(Self.cases, by: []).cells
    for kind in AccuracyKind.allCases {
      #expect(cells.contains { $0.kind == kind }, "\(kind)")
    }
  }

  @Test func accuracyIsWhatItWas() throws {
    var text = AccuracyText(AccuracyReport(Self.cases, by: Model.all, runs: 5))
    text.writeProfiles()
    let url = Self.folder.appending(path: "accuracy.expected")
    let expected = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    if text.text == expected { return }
    let variables = ProcessInfo.processInfo.environment
    let isCI = variables["CI"].map { !$0.isEmpty && $0 != "false" } ?? false
    let records = variables["AUTOWAIT_RECORD"] == "all" && !isCI
    let file = records ? url : Self.folder.appending(path: "accuracy.actual")
    try Data(text.text.utf8).write(to: file)
    let pairs = zip(expected.split(separator: "\n"), text.text.split(separator: "\n"))
    let difference =
      pairs.first { $0 != $1 }.map { "- \($0)\n+ \($1)" } ?? "another number of lines"
    let advice = records ? "it was written again" : "to write it again: AUTOWAIT_RECORD=all"
    Issue.record("Tests/Accuracy/accuracy.expected differs\n\(difference)\n\(advice)")
  }

  // MARK: The report itself

  @Test func statisticsAreThoseOfTheBooks() {
    #expect(Statistics.median([3, 1, 2]) == 2)
    #expect(Statistics.median([4, 1, 2, 3]) == 2.5)
    let hundred = (1...100).map(Double.init)
    for (hundredths, value) in [(1, 1.0), (50, 50), (90, 90), (91, 91), (100, 100)] {
      #expect(Statistics.percentile(hundred, hundredths) == value)
    }
    let interval = Statistics.medianInterval(hundred)
    // By the binomial distribution of the rank of the median: 50.5 ± 1.96 · 5.
    #expect(abs(interval.lowerBound - 40.7) < 2 && abs(interval.upperBound - 60.3) < 2)
    #expect(Statistics.medianInterval([7]) == 7...7)
  }

  /// A request of 100 ms that was measured with a spread of 1 %, and what a model may say of it.
  @Test(
    arguments: [
      (98.9, false), (99, true), (101, true), (101.1, false), (Double.infinity, false),
    ] as [(Double, Bool)])
  func cleanCellsHaveANarrowBar(_ estimate: Double, _ isInside: Bool) throws {
    let cell = try Self.cell(totals: [99.5, 100, 100.5], estimate: estimate)
    #expect(cell.kind == .clean)
    #expect(cell.estimates[0]?.isInside == isInside)
  }

  /// The same with a spread of 10 %, from 95 to 105 ms: the bar is 90.25 to 110.25 ms.
  @Test(
    arguments: [(90.2, false), (90.3, true), (110.2, true), (110.3, false)] as [(Double, Bool)])
  func bimodalCellsHaveTheirRange(_ estimate: Double, _ isInside: Bool) throws {
    let cell = try Self.cell(totals: [95, 100, 105], estimate: estimate)
    #expect(cell.kind == .bimodal)
    #expect(cell.estimates[0]?.isInside == isInside)
  }

  /// Every other run predicts the rest: the median of 101 and 103 that of 100 and 101.
  @Test(
    arguments: [
      ([100, 101, 101, 103], 102 / 100.5 - 1, false), ([100, 100.5], 0.005, true),
      ([100, 97], -0.03, false),
    ] as [([Double], Double, Bool)])
  func halfOfTheRunsIsTheCeiling(_ totals: [Double], _ error: Double, _ isInside: Bool) throws {
    let ceiling = try #require(try Self.cell(totals: totals, estimate: 1).ceiling)
    #expect(abs(ceiling.error - error) < 1e-12)
    #expect(ceiling.isInside == isInside)
    #expect(try Self.cell(totals: [100], estimate: 1).ceiling == nil)
  }

  /// Of the second bench the fastest run counts, and the others only predict it.
  @Test func disturbedRunsPredictTheFastest() throws {
    let text = """
      profile,cc,size_bytes,connect_s,ttfb_s,total_s
      a,cubic,1000,0.1,0.1,0.5
      a,cubic,1000,0.1,0.1,0.3
      """
    let way = { (name: String) in
      #""\#(name)_bps": 1000000, "\#(name)_delay_ms": 1, "\#(name)_plr": 0, "#
        + #""\#(name)_queue_pkts": 50"#
    }
    let link = #"{"a": {\#(way("down")), \#(way("up"))}}"#
    let links = try Oracles.json(SourceText(path: "links", text: link))
    let cases = try SecondBenchReader.cases(SourceText(path: "runs", text: text), links: links)
    let cell = AccuracyCell.cells(
      of: try #require(cases.first), by: [.fixed(milliseconds: 401)], runs: 1, losses: .own)[0]
    #expect(cell.request.totals == [400])
    #expect(cell.estimates[0]?.isInside == true)
    #expect(abs((cell.ceiling?.error ?? 0) - 0.5) < 1e-12)
  }

  /// Size / rate + round trip, and for two at once twice the size.
  @Test func naiveModelIsWhatItSays() throws {
    let symmetric = try #require(Self.cases.first { $0.isParallel && $0.steps.count == 2 })
    let plain = try #require(
      Self.cases.first { !$0.isParallel && !$0.changes && !$0.isLossy && $0.steps.count > 2 })
    for measured in [symmetric, plain] {
      let share = measured.isParallel ? 2.0 : 1
      let roundTrip = Double((measured.down.delay + measured.up.delay).nanoseconds) / 1e6
      let cells = AccuracyCell.cells(of: measured, by: [.naive], runs: 1, losses: .own)
      for (step, cell) in zip(measured.steps, cells) {
        let bits = Double(step.size.bytes * 8)
        let flow = bits / Double(measured.down.rate.bitsPerSecond) * 1_000 * share
        let estimate = try #require(cell.estimates[0])
        #expect(abs(estimate.median - roundTrip - flow) < 0.001, "\(cell.name)")
        #expect(abs(estimate.error - (roundTrip + flow) / cell.request.median + 1) < 1e-6)
      }
    }
  }

  /// Equal flows are compared by rank: in each run the first to be done with the first.
  @Test func equalFlowsAreRanked() throws {
    var measured = try #require(Self.cases.first { $0.isParallel && $0.steps.count == 2 })
    measured.requests[0].totals = [1, 20, 3]
    measured.requests[1].totals = [10, 2, 30]
    let cells = AccuracyCell.cells(
      of: measured, by: [.fixed(milliseconds: 2)], runs: 1, losses: .own)
    #expect(cells.map(\.request.totals) == [[1, 2, 3], [10, 20, 30]])
    #expect(cells.map { $0.estimates[0]?.isInside } == [true, false])
  }

  /// The curve is judged by its worst tenth, against the time of the whole download.
  @Test(arguments: [(0.0, true), (4.9, true), (5.1, false)] as [(Double, Bool)])
  func curvesAreJudgedByTheirWorstTenth(_ late: Double, _ isInside: Bool) throws {
    var measured = try #require(
      Self.cases.first { !$0.isParallel && !$0.changes && !$0.isLossy && $0.steps.count > 2 })
    let exact = try #require(AccuracyCell.tenths(of: measured, by: .naive))
    let end = try #require(exact.last)
    measured.requests[0].tenths = exact
    measured.requests[0].tenths[4] += end * late / 100
    let report = AccuracyReport([measured], by: [.naive])
    #expect(abs((report.cells[0].estimates[0]?.curveError ?? 1) - late / 100) < 1e-6)
    #expect(
      (report.row(0) { $0.name.hasSuffix(measured.requests[0].label) }.curvesInside == 100)
        == isInside)
  }

  /// The slow runs are judged by themselves: a median does not see them.
  @Test func slowRunsAreJudged() throws {
    var measured = try #require(Self.cases.first { $0.isLossy && !$0.isParallel })
    measured.steps = [measured.steps[0]]
    let totals = (1...10).map { Double($0) * 10 }
    measured.requests = [MeasuredRequest(label: "new", totals: totals, tenths: [])]
    let model = Model.fixed(milliseconds: 180)
    let cells = AccuracyCell.cells(of: measured, by: [model], runs: 3, losses: .own)
    let tail = try #require(cells[0].estimates[0]?.tail)
    #expect(abs(tail.error - 1) < 1e-9)
    #expect(abs(tail.slowest - 1.8) < 1e-9)
    let clean = try Self.cell(totals: [100, 100], estimate: 100)
    #expect(clean.estimates[0]?.tail == nil)
  }

  /// The ninth tenth of a model belongs between the median and the slowest run, ± 1 % or 1 ms.
  @Test(
    arguments: [(48.9, false), (49, true), (101, true), (101.1, false)] as [(Double, Bool)])
  func slowRunsBelongInsideTheMeasuredOnes(_ estimate: Double, _ isInside: Bool) throws {
    var measured = try #require(Self.cases.first { $0.isLossy && !$0.isParallel })
    measured.steps = [measured.steps[0]]
    measured.requests = [MeasuredRequest(label: "new", totals: [20, 50, 100], tenths: [])]
    let model = Model.fixed(milliseconds: estimate)
    let cells = AccuracyCell.cells(of: measured, by: [model], runs: 3, losses: .own)
    #expect(cells[0].estimates[0]?.tail?.isInside == isInside)
  }

  /// What the lines of the newer measurements say, in the words of a link.
  @Test func newerMeasurementsAreRead() throws {
    let varying = Self.cases.filter(\.isVarying)
    #expect(varying.map(\.name) == ["reord2/cubic", "ge2/bbr"])
    #expect(varying.allSatisfy { $0.requests.count == 2 && !$0.isLossy && $0.isRandom })
    let down = varying.map(\.down)
    #expect(down[0].reordered == Probability(billionths: 20_000_000))
    #expect(down[1].bursts?.lossWhenBad == .always)
    #expect(varying.allSatisfy { !$0.up.isVarying && $0.up.delay == .milliseconds(25) })
    let text = #"{"name": "a", "p": {"rd": 1}, "cc": "cubic", "runs": [], "steps": [[1]]}"#
    #expect(throws: Oracles.OracleProblem.self) {
      try FreshReader.cases(SourceText(path: "a", text: text))
    }
  }

  /// Returns the cell of the first step of a fixture with other numbers.
  private static func cell(totals: [Double], estimate: Double) throws -> AccuracyCell {
    var measured = try #require(
      cases.first { !$0.isLossy && !$0.changes && !$0.isParallel && $0.steps.count > 1 })
    measured.steps = [measured.steps[0]]
    measured.requests = [MeasuredRequest(label: "new", totals: totals, tenths: [])]
    let model = Model.fixed(milliseconds: estimate)
    return AccuracyCell.cells(of: measured, by: [model], runs: 1, losses: .own)[0]
  }
}
