import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// Rows are read back as they were written, byte for byte.
@Suite struct RowTests {
  @Test func everyFieldComesBack() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    var row = SessionRow(plan.key(unit: 1, contestant: 1))
    row.outcome = .unfinished
    row.startup = 1_165_625_000
    row.stallCount = 3
    row.stalled = 6_990_000_001
    row.played = 39_000_000_000
    row.mediaPlayed = 38_999_999_999
    row.watched = 47_000_000_000
    row.excessWait = 0
    row.qualitySum = 12_000_000
    row.mediaDuration = 39_000_000_000
    row.linkToMedia = 857_908
    row.fingerprint = 0x00AB_CDEF_0123_4567
    row.metrics = [nil, 143_121]
    try check(row, plan)
    row.yardstick = 1
    row.avoidableStalls = 2
    row.qualityChange = 0
    row.metrics = [7, 0]
    row.outcome = .error
    row.problem = "a \"program\", it is, that died"
    try check(row, plan)
  }

  /// A spreadsheet takes no cell for a formula, and a terminal none for a command; a number stays
  /// one.
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+x", "'+x"), ("-x", "'-x"), ("@SUM(1)", "'@SUM(1)"),
    ("\t=1", "' =1"), ("\r=1", "'\u{FFFD}=1"), ("\n=1", "\u{FFFD}=1"), ("＝1+1", "'＝1+1"),
    ("-2+3", "'-2+3"), ("=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"), ("-", "'-"),
    ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""), ("-1,=2", "\"'-1,=2\""),
    ("-5", "-5"), ("+5", "+5"), ("-0.5", "-0.5"), ("-1e3", "-1e3"), ("5", "5"), ("a=1", "a=1"),
    ("'=1", "'=1"), ("\u{1B}[2J\u{202E}", "\u{FFFD}[2J\u{FFFD}"), ("a\n::x", "a\u{FFFD}::x"),
    ("##[error]", "\u{FFFD}#[error]"), ("数", "数"), (" =1", " =1"),
  ])
  func cellsAreNoFormulas(_ name: String, _ cell: String) throws {
    var writer = JSONWriter()
    writer.string(text: name)
    let spelled = String(decoding: writer.bytes, as: UTF8.self)
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(
        #""heuristic": [{"name": \#(spelled)}], "#
          + #""link": [{"name": \#(spelled), "down": {"rate": "1 Mbit/s"}}]"#
      ))
    var row = SessionRow(plan.key(unit: 0, contestant: 0))
    row.outcome = .error
    row.problem = name
    row.metrics = plan.metrics.map { _ in nil }
    var rows = SessionRowWriter(plan)
    let csv = rows.csv(row)
    let text = String(decoding: csv, as: UTF8.self)
    #expect(text.hasPrefix("0,\(cell),\(cell),1,error,"), "\(text)")
    #expect(text.hasSuffix(",\(cell)\n"), "\(text)")
    #expect(rows.csv(try SessionRowReader(plan).row(csv: csv)) == csv)
  }

  private func check(_ row: SessionRow, _ plan: ExperimentPlan) throws {
    var writer = SessionRowWriter(plan)
    let reader = SessionRowReader(plan)
    let json = writer.json(row)
    #expect(try reader.row(json: json) == row)
    let csv = writer.csv(row)
    #expect(try reader.row(csv: csv) == row)
    #expect(writer.json(try reader.row(json: json)) == json)
    #expect(writer.csv(try reader.row(csv: csv)) == csv)
  }

  @Test func aLineShowsTheSession() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    var writer = SessionRowWriter(plan)
    var row = SessionRow(plan.key(unit: 1, contestant: 1))
    row.metrics = [nil, nil]
    let line = String(decoding: writer.json(row), as: UTF8.self)
    let start = #"{"key":3,"contestant":"vlc","link":"demo/slow-server","seed":2,"outcome""#
    #expect(line.hasPrefix(start))
    #expect(line.hasSuffix("\"fingerprint\":\"0000000000000000\"}\n"))
  }

  @Test(arguments: [
    ("\"key\":3", "\"key\":99999999", "'key' is not the number of a session"),
    ("\"key\":3", "\"key\":2", "session 2 is one of 'avfoundation'"),
    ("\"seed\":2", "\"seed\":3", "session 3 has the seed 2"),
    ("\"outcome\":\"error\"", "\"outcome\":\"x\"", "'outcome' is unknown"),
    ("\"stallCount\":0", "\"stallCount\":null", "'stallCount' must be a number"),
    ("\"stallCount\":0", "\"stallCount\":0.5", "'stallCount' must be a number"),
    ("0000000000000000", "000000000000000g", "'fingerprint' must be sixteen digits"),
    ("{", "[", "the line is not a JSON object"),
  ])
  func aDamagedLineIsRefused(_ old: String, _ new: String, _ reason: String) throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    var writer = SessionRowWriter(plan)
    var row = SessionRow(plan.key(unit: 1, contestant: 1))
    row.metrics = [nil, nil]
    let line = String(decoding: writer.json(row), as: UTF8.self)
    let damaged = Array(line.replacing(old, with: new).utf8)
    #expect(throws: RowError(reason)) { try SessionRowReader(plan).row(json: damaged) }
  }
}
