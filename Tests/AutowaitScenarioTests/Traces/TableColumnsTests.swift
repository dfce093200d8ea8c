import Autowait
import AutowaitScenario
import Testing

/// A table without names is read as somebody describes its columns, or its reader asks.
@Suite struct TableColumnsTests {
  static let rows: [(columns: String, text: String, expected: String)] = [
    ("time:s,rate:kbit/s", "0,1\n2,2\n3,4\n", "2000 1, 1000 2, 1000 4, loop"),
    ("time:s,rate:kbit/s", "a,b\n0,1\n2,2\n", "2000 1, 2000 2, loop"),
    ("rate:Mbit/s,time:ms", "1;0\n2;500\n", "500 1000, 500 2000, loop"),
    ("time:s, rate:kB/s", "0\t1\n1\t2\n", "1000 8, 1000 16, loop"),
    ("time:s,rate:kbit/s", "0 1\n1 2\n", "1000 1, 1000 2, loop"),
    ("time:s,-,rate:kbit/s,-", "a,x,b,y\n0,9,1,9\n1,9,2,9\n", "1000 1, 1000 2, loop"),
    // A word in a column that is not read makes no line of names.
    ("time:s,-,rate:kbit/s", "0,cell,1\n2,cell,2\n3,,4\n", "2000 1, 1000 2, 1000 4, loop"),
    ("time:ms,bytes", "100,100\n200,200\n", "100 8, 100 16, offline"),
    ("every:1s,rate:kbit/s", "5\n0\n7\n", "1000 5, 1000 0, 1000 7, loop"),
    ("every:500ms,rate:Mbit/s", "kbps\n1.5\n2\n", "500 1500, 500 2000, loop"),
    ("every:100ms,bytes", "100\n200\n", "100 8, 100 16, offline"),
    ("every:1s,total", "5\n130\n380\n", "1000 0, 1000 1, 1000 2, offline"),
    ("rate:kbit/s,every:2s", "1\n2\n", "2000 1, 2000 2, loop"),
    ("time:s,rate:kbit/s", "[[0,1],[1,2]]", "1000 1, 1000 2, loop"),
    ("time:s,rate:kbit/s", #"[["t","r"],["0","1"],["1","2"]]"#, "1000 1, 1000 2, loop"),
    ("every:1s,rate:kbit/s", "[1, 2.5]", "1000 1, 1000 2.5, loop"),
    ("time:s,rate:kbit/s", #"[{"a":0,"b":1},{"b":2,"a":1}]"#, "1000 1, 1000 2, loop"),
    ("time:ms,bytes", "[[100,100],[200,200]]", "100 8, 100 16, offline"),
    ("for:ms,rate:kbit/s", "500,1\n250,2\n", "500 1, 250 2, loop"),
    ("rate:Mbits,-,for:s", "1,x,2\n2,y,1\n", "2000 1000, 1000 2000, loop"),
    ("for:ms,bytes", "[[100,100],[200,400]]", "100 8, 200 16, offline"),
  ]

  @Test(arguments: rows.indices)
  func aTableIsReadAsItIsDescribed(_ index: Int) throws {
    let row = Self.rows[index]
    let reading = try Self.read(row.text, row.columns)
    #expect(reading.findings.map(\.rendered) == [], "\(row)")
    #expect(TraceSample.text(try #require(reading.link).profile) == row.expected, "\(row)")
  }

  /// JSON and wide tables say by their names what they are.
  static let named: [(text: String, expected: String, warnings: [String])] = [
    (#"[{"time_s":0,"kbps":1},{"time_s":1,"kbps":2}]"#, "1000 1, 1000 2, loop", []),
    (#"[["time","Mbps"],[0,1],[1,2]]"#, "1000 1000, 1000 2000, loop", []),
    (
      #"[{"t":0,"rtt":9,"kbps":1},{"t":1,"kbps":2}]"#, "1000 1, 1000 2, loop",
      ["the column 'rtt' is not read"]
    ),
    (
      "time,cell,kbps,rtt_ms\n0,a,1,20\n1,b,2,30\n", "1000 1, 1000 2, loop",
      ["the columns 'cell', 'rtt_ms' are not read"]
    ),
  ]

  @Test(arguments: named.indices)
  func namesAreReadWhereverTheyStand(_ index: Int) throws {
    let row = Self.named[index]
    let reading = try Self.read(row.text)
    #expect(reading.findings.map(\.message) == row.warnings)
    #expect(TraceSample.text(try #require(reading.link).profile) == row.expected, "\(row)")
  }

  /// What cannot be told apart, the message, and the columns that answer the question.
  static let asked: [(text: String, message: String, columns: String)] = [
    ("0,1500\n1,1400\n", "the columns have no names", "time:s,rate:kbit/s"),
    ("0;1500\n", "the columns have no names", "time:s,rate:kbit/s"),
    ("1700000000000,5\n", "the columns have no names", "time:ms,rate:kbit/s"),
    ("0,1,2\n", "the columns have no names", "time:s,rate:kbit/s,-"),
    ("1 2 3 4\n", "the columns have no names", "time:s,rate:kbit/s,-,-"),
    ("1.5\n2.5\n", "one number a line", "every:1s,rate:kbit/s"),
    ("1500\n1400\n", "one number a line", "every:1s,rate:kbit/s"),
    ("1\n-2\n", "one number a line", "every:1s,rate:kbit/s"),
    ("[[0,1500],[1,1400]]", "the rows have no names", "time:s,rate:kbit/s"),
    ("[1500,1400]", "the rows have no names", "every:1s,rate:kbit/s"),
    ("kbps\n1500\n", "the column 'kbps' is not", "every:1s,rate:kbit/s"),
    ("time,dl_kbps,kbps\n0,1,2\n", "the columns 'time', 'dl_kbps',", "time:s,rate:kbit/s,-"),
    (#"[{"time":0,"bw":1500}]"#, "the columns 'time' and 'bw' are not", "time:s,rate:kbit/s"),
    (#"[{"duration":9,"bw":1}]"#, "the columns 'duration' and 'bw' are", "for:ms,rate:kbit/s"),
    ("t_ms,Mbits\n0,1\n1,2\n", "the columns 't_ms' and 'Mbits' are", "time:ms,rate:Mbit/s"),
  ]

  @Test(arguments: asked.indices)
  func theQuestionNamesItsAnswer(_ index: Int) throws {
    let row = Self.asked[index]
    let reading = try Self.read(row.text)
    #expect(reading.link == nil)
    let finding = try #require(reading.findings.first)
    #expect(finding.message.hasPrefix(row.message), "\(finding.rendered)")
    #expect(
      finding.notes.contains { $0.hasSuffix(": '--columns \(row.columns)'") },
      "\(finding.rendered)")
  }

  /// The answer that a question names is one.
  @Test func theAnswersAreColumns() throws {
    for row in Self.asked { _ = try TableColumns(row.columns) }
  }

  /// mahimahi's times rise and are whole, however far its text is looked at.
  @Test func risingWholeNumbersAreMahimahi() throws {
    let long = (1...3_000).map { "\($0)" }.joined(separator: "\n")
    for text in ["1\n", "0\n5\n5\n", "1\nx\n", "1\n\n2\n", long] {
      #expect(try Self.read(text).format == .mahimahi, "\(text.prefix(20))")
    }
  }

  static let wrong: [(columns: String, message: String)] = [
    ("", "has the unknown column ''"), ("time:s", "must have one column 'rate', "),
    ("time:s,rate", "has no unit for 'rate'"), ("time,rate:kbps", "has no unit for 'time'"),
    ("time:s,rate:furlongs", "has the unknown unit 'furlongs' of 'rate'"),
    ("time:kbps,rate:kbps", "has the unknown unit 'kbps' of 'time'"),
    ("time:s,rate:s", "has the unknown unit 's' of 'rate'"),
    ("time:s,bandwidth:kbps", "has the unknown column 'bandwidth:kbps'"),
    ("rate:kbps", "has no times"), ("time:s,every:1s,rate:kbps", "has both 'time' and 'every'"),
    ("time:s,time:ms,rate:kbps", "has 2 columns of times"),
    ("time:s,for:ms,rate:kbps", "has 2 columns of times"),
    ("for,rate:kbps", "has no unit for 'for'"),
    ("for:s,every:1s,rate:kbps", "has both 'for' and 'every'"),
    ("for:kbps,rate:kbps", "has the unknown unit 'kbps' of 'for'"),
    ("time:s,rate:kbps,bytes", "must have one column 'rate', 'bytes' or 'total', and has 2"),
    ("every:0s,rate:kbps", "has a wrong 'every'"), ("every:x,rate:kbps", "has a wrong 'every'"),
  ]

  @Test(arguments: wrong.indices)
  func whatDescribesNoColumnsIsRefused(_ index: Int) {
    let row = Self.wrong[index]
    do throws(TableColumns.ColumnsProblem) {
      _ = try TableColumns(row.columns)
      Issue.record("\(row.columns) was read")
    } catch {
      #expect(error.message.hasPrefix(row.message), "\(error.message)")
    }
  }

  static let misfits: [(columns: String, text: String, message: String)] = [
    ("time:s,rate:kbps", "0,1,2\n", "1:1: the row has 3 columns, and 2 were named"),
    ("time:s,rate:kbps", "0,1\n1,x\n", "2:3: the rate must be a number of kbit/s"),
    ("time:s,rate:kbps", "[[0,1],[1]]", "1:8: the row has 1 column, and 2 were named"),
    ("time:s,rate:kbps", "[[0,1],[1,null]]", "1:11: the rate must be a number of kbit/s"),
    ("time:s,rate:kbps", #"[{"a":0,"b":1},{"a":1}]"#, "1:16: the row needs the key 'b'"),
    ("time:s,rate:kbps", #"[{"a":0}]"#, "1:2: the row has 1 key, and 2 were named"),
    ("time:s,rate:kbps", "{}", "1:1: a table must be an array of rows"),
    ("time:s,rate:kbps", "[]", "1:1: a table must be an array of rows"),
    ("time:s,rate:kbps", "0,NaN\n1,1\n2,1\n", "1:3: the rate must be a number of kbit/s"),
    ("time:s,rate:kbps", "x,1\n1,1\n2,1\n", "1:1: the time must be a number of seconds"),
    ("every:1s,rate:kbps", "-\n1\n", "1:1: the rate must be a number of kbit/s"),
    ("every:1s,rate:kbps", "1,2\n", "1:1: the row has 2 columns, and 1 was named"),
    ("every:1s,rate:kbps", "kbps\n", "0:0: the table has no length"),
  ]

  @Test(arguments: misfits.indices)
  func aTableThatIsNotAsDescribedIsRefused(_ index: Int) throws {
    let row = Self.misfits[index]
    let reading = try Self.read(row.text, row.columns)
    #expect(reading.link == nil)
    let finding = try #require(reading.findings.first)
    let text = "\(finding.line):\(finding.column): \(finding.message)"
    #expect(text.hasPrefix(row.message), "\(text)")
  }

  @Test func otherFormatsHaveNoColumns() throws {
    var options = TraceOptions()
    options.columns = try TableColumns("time:s,rate:kbps")
    options.format = .mahimahi
    let reading = TraceReader.read(TraceSample.source(Array("1\n".utf8)), options)
    #expect(
      reading.findings.map(\.message) == ["'mahimahi' is not a table, whose columns could be named"]
    )
  }

  private static func read(_ text: String, _ columns: String? = nil) throws -> TraceReading {
    var options = TraceOptions()
    options.columns = try columns.map { try TableColumns($0) }
    return TraceReader.read(TraceSample.source(Array(text.utf8)), options)
  }
}
