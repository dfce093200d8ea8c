import Autowait
import AutowaitScenario
import Testing

/// A table is read by the names of its columns, or refused; it is never guessed what it holds.
@Suite struct NamedTableTests {
  /// How the first line names the columns, and the separator.
  static let rates: [(header: String, separator: String, factor: Int64)] = [
    ("time_s,bandwidth_kbps", ",", 1), ("timestamp,bandwidth_kbps", ",", 1),
    ("t,kbps", ",", 1), ("seconds,throughput_kbit/s", ",", 1), ("Time (s),Rate (kbit/s)", ",", 1),
    ("time [s], bandwidth [kbps]", ",", 1), ("# time,rate_kbps", ",", 1),
    ("\"time\",\"DL_bitrate_kbps\"", ",", 1), ("elapsed_sec;capacity_kbits", ";", 1),
    ("time\tkbps", "\t", 1), ("Time (s)\tThroughput in kbit/s", "\t", 1), ("time kbps", " ", 1),
    ("timeSeconds,throughputKbps", ",", 1), ("TIME,BANDWIDTH_KBPS", ",", 1),
    ("time_s,throughput_mbps", ",", 1_000), ("time_s,bw Mbit/s", ",", 1_000),
    ("t,Mbps", ",", 1_000), ("t,rate_gbps", ",", 1_000_000),
    ("t,kB/s", ",", 8), ("t,kBps", ",", 8), ("t,MB/s", ",", 8_000),
    ("t,throughput_MBps", ",", 8_000),
  ]

  @Test(arguments: rates.indices)
  func ratesAreReadByTheirNames(_ index: Int) throws {
    let row = Self.rates[index]
    let lines = [(10, 1), (12, 2), (13, 4)].map { "\($0)\(row.separator)\($1)" }
    let reading = Self.read(([row.header] + lines).joined(separator: "\n"))
    #expect(reading.findings.map(\.rendered) == [], "\(row.header)")
    #expect(reading.format == .rates)
    let rates = [1, 2, 4].map { $0 * row.factor }
    #expect(
      TraceSample.text(try #require(reading.link).profile)
        == "2000 \(rates[0]), 1000 \(rates[1]), 1000 \(rates[2]), loop", "\(row.header)")
  }

  static let others: [(text: String, expected: String)] = [
    ("kbps,time_ms\n1,0\n2,500\n", "500 1, 500 2, loop"),
    ("time_us,bps\n0,1000\n500000,2000\n", "500 1, 500 2, loop"),
    ("timestamp_ms,kbps\n1700000000000,1\n1700000000500,2\n", "500 1, 500 2, loop"),
    ("timestamp,kbps\n1700000000.5,1\n1700000001,2\n", "500 1, 500 2, loop"),
    ("time,bytes_per_second\n0,125\n1,250\n", "1000 1, 1000 2, loop"),
    ("time,B/s\n0,125\n1,250\n", "1000 1, 1000 2, loop"),
    ("t_s,bytes\n0.1,100\n0.2,200\n", "100 8, 100 16, offline"),
    ("time_ms,bytes_received\n100,100\n200,200\n", "100 8, 100 16, offline"),
    ("bytes;time\n100;0.1\n200;0.2\n", "100 8, 100 16, offline"),
    // A counter that is read every ten seconds: its bytes came evenly, up to the time of the row,
    // or from it on if the first row is at 0 and has some.
    ("t,bytes\n10,1250\n20,2500\n", "10000 1, 10000 2, offline"),
    ("t,bytes\n0,0\n10,1250\n20,2500\n", "10000 1, 10000 2, offline"),
    ("t,bytes\n0,1250\n10,2500\n", "10000 1, 10000 2, offline"),
    ("t,bytes\n5,625\n15,2500\n25,0\n", "5000 1, 10000 2, 10000 0, offline"),
    ("timestamp,bytes\n1700000000,1250\n1700000010,2500\n", "10000 1, 10000 2, offline"),
    ("t,bytes\n10,1000\n10,250\n20,2500\n", "10000 1, 10000 2, offline"),
    // The usual distance decides, not one pause.
    ("t,bytes\n0.02,100\n0.04,100\n0.5,50\n", "100 16, 300 0, 100 4, offline"),
    ("t,bytes\n1,125\n2,125\n3,125\n9,750\n", "9000 1, offline"),
    // Of sums the first only says where they begin.
    ("t,total_bytes\n0,0\n10,1250\n20,3750\n", "10000 1, 10000 2, offline"),
    ("t,cumulative bytes\n7,900\n17,2150\n27,2150\n", "10000 1, 10000 0, offline"),
    ("time_ms,bytes_total\n100,5\n200,105\n300,305\n", "100 8, 100 16, offline"),
    // Lengths: rows that last no time bring no rate, and their bytes come with the next one.
    ("duration_ms,kbps\n500,1\n0,9\n250,2\n", "500 1, 250 2, loop"),
    ("kbps;duration (s)\n1;2\n2;1\n", "2000 1, 1000 2, loop"),
    ("dur_ms,bytes\n100,100\n0,50\n200,350\n", "100 8, 200 16, offline"),
    ("duration_s,total_bytes\n1,5\n1,130\n2,130\n", "1000 0, 1000 1, 2000 0, offline"),
    ("# time_s kbps\n0 1\n1 2\n", "1000 1, 1000 2, loop"),
    ("ts_us,bps\n0,1000\n500000,2000\n", "500 1, 500 2, loop"),
    ("time_s,bits/s\n0,1000\n1,2000\n", "1000 1, 1000 2, loop"),
    ("time_s,rate_bits\n0,1000\n1,2000\n", "1000 1, 1000 2, loop"),
  ]

  @Test(arguments: others.indices)
  func unitsAndOrdersAreThoseOfTheNames(_ index: Int) throws {
    let row = Self.others[index]
    let reading = Self.read(row.text)
    #expect(reading.findings.map(\.rendered) == [])
    #expect(TraceSample.text(try #require(reading.link).profile) == row.expected, "\(row.text)")
  }

  /// Headers that are refused, and what else is said of them.
  static let refused: [(header: String, note: String?)] = [
    ("time_s,temperature_c", nil), ("time,value", nil), ("a,b", nil), ("kbps,mbps", nil),
    ("time_s,time_ms", nil), ("time,rtt_ms", nil), ("time,packets", nil), ("lat,lon", nil),
    ("2019-01-01,500", nil), ("time,5", nil), ("time,bandwidth_furlongs", nil),
    ("temperature time", nil), ("time;signal_dbm", nil),
    ("time_s,bits", "'bits' does not say whether it is per second or since the line before"),
    ("t,Mbits", "'Mbits' does not say whether it is per second or since the line before"),
    ("time_s,signal", "'signal' names neither a rate with its unit nor bytes"),
    ("minute,kbps", "no column names a time"), ("kbps,lat,lon", "no column names a time"),
    ("duration,kbps", "'duration' names no unit, as 'duration_ms' would"),
    ("time_s,duration_s,kbps", "'time_s' and 'duration_s' are both times"),
    ("time,bandwidth", "'bandwidth' names no unit, as 'bandwidth_kbps' would"),
    ("t,rate", "'rate' names no unit, as 'rate_kbps' would"),
  ]

  @Test(arguments: refused.indices)
  func otherNamesAreRefused(_ index: Int) throws {
    let row = Self.refused[index]
    let reading = Self.read(row.header + "\n0,1\n1,2\n")
    #expect(reading.link == nil, "\(row.header)")
    let finding = try #require(reading.findings.first)
    #expect(finding.line == 1)
    #expect(finding.message.hasPrefix("the columns '"))
    #expect(finding.message.hasSuffix("' are not a time and a rate or bytes"))
    #expect(finding.notes.count >= (row.note == nil ? 4 : 5))
    #expect(finding.notes.last?.hasPrefix("or whatever the names: '--columns ") == true)
    #expect(row.note == nil || finding.notes.first == row.note)
  }

  static let wrong: [(format: TraceFormat?, text: String, message: String)] = [
    (nil, "time_s,kbps\n0,1\n1\n", "3:1: error: a line must be two numbers, as the first names"),
    (nil, "time_s,kbps\n0,1\n1,x\n", "3:3: error: the rate must be a number of kbit/s"),
    (nil, "time_s;kbps\n0,5;1\n", "2:1: error: the time must be a number of seconds"),
    (nil, "time_s,kbps\n1,1\n0,2\n", "3:1: error: the times go back"),
    (nil, "time_s,kbps\n1,-1\n", "2:3: error: the rate must not be negative"),
    (nil, "time_s,kbps\n1,1\n", "0:0: error: the table has no length"),
    (nil, "time_s,kbps\n", "0:0: error: the table has no length"),
    (
      nil, "timestamp,kbps\n1700000000000,1\n",
      "2:1: error: the time is not a number of seconds, the assumed unit of 'timestamp'"
    ),
    (.rates, "0,1\n1,2\n", "1:1: error: the first line must name a time and a rate with its unit"),
    (.bytes, "time_s,kbps\n0,1\n", "1:1: error: the columns name rates, not bytes that arrived"),
    (.rates, "t,bytes\n0,1\n", "1:1: error: the first line must name a time and a rate"),
    (nil, "t,total_bytes\n1,5\n2,9\n3,8\n", "4:3: error: the total goes back"),
    (
      nil, "t,bytes\n1,5\n2,9\n3,12\n4,12\n5,20\n",
      "2:3: error: the bytes rise from row to row: they may be a running total"
    ),
    (nil, "t,bytes\n10,100\n", "2:1: error: one row does not say how long the bytes took"),
    (nil, "t,total_bytes\n10,100\n", "2:1: error: one row does not say how long the bytes took"),
    (
      nil, "t,bytes\n10,100\n10,9\n",
      "2:1: error: rows of one time do not say how long the bytes took"
    ),
    (nil, "duration_s,kbps\n0,1\n0,2\n", "0:0: error: the table has no row that lasts"),
    (nil, "duration_s,kbps\n1,1\n-1,2\n", "3:1: error: the length must not be negative"),
    (nil, "0;1\n1;2\n", "1:1: error: the columns have no names: what they count, and in what, "),
  ]

  @Test(arguments: wrong.indices)
  func whatIsWrongIsSaidWithItsPlace(_ index: Int) throws {
    let row = Self.wrong[index]
    let reading = Self.read(row.text, row.format)
    #expect(reading.link == nil)
    let finding = try #require(reading.findings.first)
    let text = "\(finding.line):\(finding.column): \(finding.severity): \(finding.message)"
    #expect(text.hasPrefix(row.message), "\(text)")
  }

  /// Columns without names are read only if somebody says what they are.
  @Test func columnsWithoutNamesAreAskedAbout() throws {
    let text = "0.1,100\n0.2,200\n"
    let reading = Self.read(text)
    #expect(reading.link == nil)
    #expect(
      reading.findings.first?.notes.first
        == "if they are a time and a rate: '--columns time:s,rate:kbit/s'")
    #expect(Self.read(text, .bytes).findings.isEmpty)
    #expect(Self.read(text, .bytes).format == .bytes)
    #expect(Self.read("0 1\n1 2\n").format == .pensieve)
    #expect(Self.read("0\t1\n1\t2\n").format == .pensieve)
  }

  @Test func theNameSaysWhatWasMeasured() {
    let kinds = ["throughput", "goodput", "bandwidth", "capacity", "rate"].map {
      Self.read("t,\($0)_kbps\n0,1\n1,1\n").link?.kind
    }
    #expect(kinds == [.goodput, .goodput, .capacity, .capacity, nil])
  }

  /// What looks like a running total is asked about, and both answers are taken.
  @Test func risingBytesAreAskedAbout() throws {
    let text = "time_ms,bytes,x\n1000,125,0\n2000,250,0\n3000,375,0\n4000,500,0\n5000,625,0\n"
    let notes = Self.read(text).findings.last?.notes ?? []
    #expect(
      notes == [
        "if they are: '--columns time:ms,total,-'",
        "if they arrived since the row before: '--columns time:ms,bytes,-'",
      ])
    var options = TraceOptions()
    var read: [String] = []
    for columns in ["time:ms,total,-", "time:ms,bytes,-"] {
      options.columns = try TableColumns(columns)
      let link = TraceReader.read(TraceSample.source(Array(text.utf8)), options).link
      read.append(TraceSample.text(try #require(link).profile))
    }
    #expect(read == ["4000 1, offline", "1000 1, 1000 2, 1000 3, 1000 4, 1000 5, offline"])
    // A total that is reset, or often stands, is one, too, whatever its name says.
    let reset = (1...40).map { "\($0),\($0 % 21 * 1_000)\n" }.joined()
    let steps = (1...20).map { "\($0),\($0 / 2 * 1_000)\n" }.joined()
    for format in [nil, TraceFormat.bytes] {
      for text in [reset, steps] { #expect(Self.read("t,bytes\n" + text, format).link == nil) }
    }
    // Packets of one size do not rise, nor do four rows tell.
    let even = (1...9).map { "\($0),1500\n" }.joined()
    #expect(Self.read("t,bytes\n" + even).link != nil)
    #expect(Self.read("t,bytes\n1,1\n2,2\n3,3\n4,4\n").link != nil)
  }

  /// Bytes at one time are a burst where somebody says how long one is.
  @Test func oneRowIsABurstOfANamedLength() throws {
    var options = TraceOptions()
    options.bin = .seconds(2)
    let source = TraceSample.source(Array("t,bytes\n10,1000\n".utf8))
    let link = try #require(TraceReader.read(source, options).link)
    #expect(TraceSample.text(link.profile) == "8000 0, 2000 4, offline")
  }

  /// What cells without a number are answered with.
  @Test(arguments: [
    (#""1,500""#, "write numbers with a decimal point, and without commas: 1.5, 1500"),
    ("NaN", "leave out rows without a value; where nothing flowed, write 0"),
    ("", "leave out rows without a value; where nothing flowed, write 0"),
    ("x", nil),
  ])
  func cellsWithoutANumberAreExplained(_ cell: String, _ note: String?) {
    for header in ["t,kbps", "t,bytes"] {
      let finding = Self.read("\(header)\n0,5\n1,\(cell)\n2,7\n").findings.first
      #expect(finding?.line == 3 && finding?.severity == .error)
      #expect(finding?.notes == (note.map { [$0] } ?? []), "\(header) \(cell)")
    }
  }

  @Test func rowsOfOneTimeAreWarnedOf() {
    let reading = Self.read("t,kbps\n0,1\n0,2\n5,3\n5,4\n9,1\n")
    #expect(
      reading.findings.map { "\($0.line):\($0.column): \($0.message)" } == [
        "3:1: the row before has the same time: its rate lasts no time"
      ])
    #expect(reading.link != nil)
  }

  /// Whatever the distances, a link carries what the table counts, and totals are what they add.
  @Test(arguments: 0..<40)
  func countersAreCarriedWhole(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows: [(step: Int64, bytes: Int64)] =
      (0..<(2 + random.next() % 400)).map { _ in
        // A row in four has the time of the one before.
        let step = random.next() % 4 == 0 ? 0 : 100 + Int64(random.next() % 9_000)
        return (step: step, bytes: Int64(random.next() % 5_000_000))
      } + [(step: 1_000, bytes: 1)]
    var (counter, totals) = ("time_ms,bytes\n0,0\n", "time_ms,total_bytes\n0,77\n")
    var (time, sum) = (Int64(0), Int64(77))
    for row in rows {
      time += row.step
      sum += row.bytes
      counter += "\(time),\(row.bytes)\n"
      totals += "\(time),\(sum)\n"
    }
    let tracks = try [counter, totals].map { try #require(Self.read($0).link).profile.down.track }
    #expect(tracks[0] == tracks[1])
    let samples = Array(tracks[0].samples)
    let ends = samples.dropFirst().map(\.start.nanoseconds) + [time * 1_000_000]
    let carried = zip(samples, ends).reduce(Int128(0)) { carried, part in
      carried + Int128(part.0.rate.bitsPerSecond) * Int128(part.1 - part.0.start.nanoseconds)
    }
    // A bit per second makes no more of the longest row.
    let missing = Int128(sum - 77) * 8_000_000_000 - carried
    #expect(abs(missing) <= 10_000_000_000, "\(missing)")
  }

  private static func read(_ text: String, _ format: TraceFormat? = nil) -> TraceReading {
    var options = TraceOptions()
    options.format = format
    return TraceReader.read(TraceSample.source(Array(text.utf8)), options)
  }
}
