import Autowait
import AutowaitFidelity
import AutowaitRendering
import Foundation
import Testing

/// Rules held against decisions of players' own code.
@Suite struct RuleReportTests {
  /// The first rows of a session of VHS on 850 kbit/s: an early abort, and what follows.
  private static func vhs(choice: Int = 0, given: Int = 1_100, at: Int = 1_100) -> String {
    """
    {"player":"vhs","ladder":[1400000,2100000,2800000,3500000,4200000],"averageBandwidth":null,
    "segmentDuration":4000,"segments":22,"settings":{"initialBandwidth":4194304},
    "link":[[14000,850],[3600000,3744]],
    "columns":["segment","at","level","head","estimate","choice","loaded","request","first","end",
    "size","got","given"],"rows":[
    [0,0,0,0,4194304,2,2,0,100,-1,1400000,106250,[\(given),0,0]],
    [0,\(at),0,0,1680001,\(choice),0,1100,1200,7789,700000,700000,null],
    [1,7789,4000,0,837195,0,0,7789,7889,14109,700000,700000,null]]}
    """
  }

  private static func report(_ texts: [String]) -> RuleReport {
    var report = RuleReport()
    for text in texts {
      do throws(RecordingProblem) {
        report.add(try RuleCaseReader.read("case.json", Array(text.utf8)))
      } catch {
        report.note(error)
      }
    }
    return report
  }

  @Test func aSessionIsMet() throws {
    let report = Self.report([Self.vhs()])
    let score = try #require(report.rows.first).score
    #expect(score.decisions == Score(met: 3, count: 3))
    #expect(score.changes == Score(met: 1, count: 1))
    #expect(score.abandonments == Score(met: 1, count: 1))
    #expect(score.targets == Score(met: 1, count: 1))
    #expect(score.estimates == Score(met: 3, count: 3))
    #expect(score.invented == 0)
    let lines = RuleRendering.lines(report)
    #expect(lines.count == 2 && lines[1].hasPrefix("vhs"))
  }

  /// Another choice, and another time of an abandonment, are told.
  @Test func differencesAreTold() throws {
    let wrong = try #require(Self.report([Self.vhs(choice: 1)]).rows.first).score
    #expect(wrong.decisions == Score(met: 2, count: 3))
    #expect(wrong.changes == Score(met: 1, count: 2))
    let late = try #require(Self.report([Self.vhs(given: 1_090)]).rows.first).score
    #expect(late.abandonments == Score(met: 0, count: 1))
  }

  /// A bad file is told with its place, and the others count.
  @Test(arguments: [
    ("{", "case.json:1:2: is not JSON: "),
    ("{\"player\":\"quicktime\"}", "case.json:1:11: is not a player"),
    ("{\"player\":\"vhs\"}", "case.json:1:1: has no 'ladder'"),
    (vhs(choice: 5), "case.json:7:21: is not a variant of the 5"),
    (vhs(at: 8_000), "case.json:8:4: is a time before that of the row above"),
    (
      "{\"player\":\"vhs\",\"version\":\"9.9.9\"}",
      "case.json:1:27: is another version of vhs; the rule is that of '3.17.4'"
    ),
  ])
  func badFilesAreTold(_ text: String, _ problem: String) {
    let report = Self.report([text, Self.vhs()])
    #expect(report.rows.first?.cases == 1)
    let told = report.problems.map(\.description)
    #expect(told.count == 1 && told.first?.hasPrefix(problem) == true, "\(told)")
  }

  /// All recorded decisions of all players, if `AUTOWAIT_ORACLES` names where they lie.
  ///
  /// The bars: 99.5 % of the decisions and 98 % of the changes.
  @Test func rulesMeetTheBars() throws {
    guard let folder = ProcessInfo.processInfo.environment["AUTOWAIT_ORACLES"] else {
      print("skipped: no oracles")
      return
    }
    var report = RuleReport()
    let rules = URL(filePath: folder).appending(path: "rules")
    for name in PlayerRule.caseNames.map(\.name) {
      let player = rules.appending(path: name)
      for file in try FileManager.default.contentsOfDirectory(atPath: player.path).sorted() {
        let bytes = Array(try Data(contentsOf: player.appending(path: file)))
        report.add(try RuleCaseReader.read("\(name)/\(file)", bytes))
      }
    }
    #expect(report.rows.map(\.player) == PlayerRule.caseNames.map(\.player))
    for row in report.rows {
      let score = row.score
      #expect(score.decisions.met * 1_000 >= score.decisions.count * 995, "\(row)")
      #expect(score.changes.met * 100 >= score.changes.count * 98, "\(row)")
      #expect(score.abandonments.met * 100 >= score.abandonments.count * 98, "\(row)")
      #expect(score.targets.met * 100 >= score.targets.count * 98, "\(row)")
      #expect(score.estimates.met * 1_000 >= score.estimates.count * 995, "\(row)")
      #expect(score.invented * 100 <= score.decisions.count, "\(row)")
    }
  }
}
