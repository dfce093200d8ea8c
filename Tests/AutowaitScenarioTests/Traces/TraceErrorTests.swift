import Autowait
import AutowaitScenario
import Testing

/// What is wrong with a trace is told with its place and with what was expected.
@Suite struct TraceErrorTests {
  /// A file that is wrong, and what is said about it.
  struct Row: Sendable, CustomTestStringConvertible {
    let format: TraceFormat?
    let text: String
    let message: String

    init(_ format: TraceFormat?, _ text: String, _ message: String) {
      self.format = format
      self.text = text
      self.message = message
    }

    var testDescription: String { message }
  }

  private static let milliseconds = "a line must be a whole number of milliseconds"

  static let lines: [Row] = [
    Row(.mahimahi, "1\nx\n", "a/x.trace:2:1: error: \(milliseconds)\nx\n^"),
    Row(.mahimahi, "1\n2 \n", "a/x.trace:2:1: error: \(milliseconds)\n2 \n^~"),
    Row(.mahimahi, "1\n-2\n", "a/x.trace:2:1: error: \(milliseconds)\n-2\n^~"),
    Row(.mahimahi, "1\n2\0\n", "a/x.trace:2:1: error: \(milliseconds)\n2\u{FFFD}\n^~"),
    Row(
      .mahimahi, "1\n\n3\n",
      """
      a/x.trace:2:1: error: \(milliseconds)

      ^
      note: mahimahi does not accept empty lines
      """),
    Row(
      .mahimahi, "10\n9\n", "a/x.trace:2:1: error: the times go back: the line before is 10\n9\n^"),
    Row(
      .mahimahi, "0\n0\n",
      "a/x.trace:2:1: error: the last time, which is the period, must not be 0\n0\n^"),
    Row(
      .mahimahi, "1\n1000000000000000000000000000000\n",
      """
      a/x.trace:2:1: error: the time is above the limit of 366 d
      1000000000000000000000000000000
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """),
    Row(
      .mahimahi, "1\n99999999999\n",
      """
      a/x.trace:2:1: error: the trace is longer than the limit of 366 d
      99999999999
      ^~~~~~~~~~~
      note: only a part of a trace is read with '--until'
      """),
    Row(
      .pensieve, "0 1\n1 2 3\n",
      "a/x.trace:2:1: error: a line must be two numbers, seconds and Mbit/s\n1 2 3\n^~~~~"),
    Row(
      .pensieve, "0 1\n1 1e30\n",
      "a/x.trace:2:3: error: the rate is above the limit of 1 Tbit/s\n1 1e30\n  ^~~~"),
    Row(
      .pensieve, "0 1\n1 -1\n", "a/x.trace:2:3: error: the rate must not be negative\n1 -1\n  ^~"),
    Row(
      .pensieve, "0 1\n1\tnan\n",
      "a/x.trace:2:3: error: the rate must be a number of Mbit/s\n1 nan\n  ^~~"),
    Row(.pensieve, "0 1\n2 1\n1 1\n", "a/x.trace:3:1: error: the times go back\n1 1\n^"),
    Row(
      .pensieve, "0 1\n",
      "a/x.trace: error: the trace has no length: it needs two lines, "
        + "and the first one's rate is not used"),
    Row(
      .hsdpa, "1 2 3\n",
      """
      a/x.trace:1:1: error: a line must be six numbers: two times, two coordinates, bytes, \
      milliseconds
      1 2 3
      ^~~~~
      """),
    Row(
      .hsdpa, "1 9 0 0 5 1000\n1 8 0 0 5 1000\n",
      "a/x.trace:2:3: error: the times go back\n1 8 0 0 5 1000\n  ^"),
    Row(
      .hsdpa, "1 9 0 0 1000000000001 1000\n",
      """
      a/x.trace:1:9: error: the number of bytes is above the limit of 1 TB
      1 9 0 0 1000000000001 1000
              ^~~~~~~~~~~~~
      """),
    Row(
      .bytes, "0.1,5,6\n",
      "a/x.trace:1:1: error: a line must be a time in seconds, a comma and bytes\n"
        + "0.1,5,6\n^~~~~~~"),
    Row(
      .bytes, "1700000000.5,5\n1700000000.55,5\n",
      """
      a/x.trace:1:1: error: the time is above the limit of 366 d
      1700000000.5,5
      ^~~~~~~~~~~~
      """),
    Row(
      .irish4g, "Timestamp,State\n1,D\n",
      """
      a/x.trace:1:1: error: the column 'DL_bitrate' is missing
      Timestamp,State
      ^~~~~~~~~~~~~~~
      note: the columns are: 'Timestamp', 'State'
      """),
    Row(
      .irish4g,
      """
      Timestamp,DL_bitrate,State
      2018.10.28_01.59.59,5,D
      2018.10.28_01.59.59,7,D
      2018.10.28_01.00.00,5,D

      """,
      """
      a/x.trace:4:1: error: the times go back: the line before is 2018.10.28_01.59.59
      2018.10.28_01.00.00,5,D
      ^~~~~~~~~~~~~~~~~~~
      note: where a clock was set back, cut the log in two
      """),
    // In a second without a download the clock goes on.
    Row(
      .irish5g,
      """
      Timestamp,DL_bitrate,State,PINGAVG
      2019.12.31_23.59.58,5,D,9
      2019.12.31_23.59.59,0,I,-
      2019.12.31_23.59.58,5,D,9

      """,
      """
      a/x.trace:4:1: error: the times go back: the line before is 2019.12.31_23.59.59
      2019.12.31_23.59.58,5,D,9
      ^~~~~~~~~~~~~~~~~~~
      note: where a clock was set back, cut the log in two
      """),
    Row(
      .irish4g, "Timestamp,DL_bitrate,State\n2018.02.12_23.59,5,D\n",
      """
      a/x.trace:2:1: error: the time must be spelled as 2019.11.28_07.05.12
      2018.02.12_23.59,5,D
      ^~~~~~~~~~~~~~~~
      """),
    Row(
      .irish4g, "Timestamp,DL_bitrate,State\n2018.02.12_23.59.00,5\n",
      """
      a/x.trace:2:1: error: the line has 2 cells, and the first line names 3
      2018.02.12_23.59.00,5
      ^~~~~~~~~~~~~~~~~~~~~
      """),
    Row(
      .irish4g, "Timestamp,DL_bitrate,State\n\"2018,5,D\n",
      """
      a/x.trace:2:1: error: the quotation marks are not closed in this line
      "2018,5,D
      ^~~~~~~~~
      """),
    Row(
      .errant, "operator,country,rat,quality,duration,period\ntelia,norway,3g,good,5,-\n",
      """
      a/x.trace:1:1: error: a scenario of ERRANT names profiles, and no rates
      operator,country,rat,quality,duration,period
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      note: run it with 'errant -l FILE': that log has the rates
      """),
    Row(
      .wpt, "[Cable]\nbwIn=5x\n",
      "a/x.trace:2:6: error: 'bwIn' must be a number of bits per second\nbwIn=5x\n     ^~"),
    Row(
      .wpt, "[Cable]\nbwIn=5\n",
      "a/x.trace: error: the profile 'Cable' needs the key 'latency'"),
    Row(
      .wpt, "[A]\nplr=101\n",
      "a/x.trace:2:5: error: 'plr' must be a percentage from 0 to 100\nplr=101\n    ^~~"),
    Row(
      .wpt, "bwIn=5\n",
      "a/x.trace:1:1: error: a key must stand in a section\nbwIn=5\n^~~~~~"),
  ]

  static let documents: [Row] = [
    Row(
      .sabre, "[{\"duration_ms\": 5, \"bandwidth_kbps\": 1e30}]",
      """
      a/x.trace:1:2: error: a row of the network needs the key 'latency_ms'
      [{"duration_ms": 5, "bandwidth_kbps": 1e30}]
       ^
      a/x.trace:1:39: error: 'bandwidth_kbps' is above the limit of 1 Tbit/s
      [{"duration_ms": 5, "bandwidth_kbps": 1e30}]
                                            ^~~~
      """),
    Row(
      .sabre, "[]", "a/x.trace:1:1: error: the network has no rows\n[]\n^~"),
    Row(
      .sabre, "[1",
      """
      a/x.trace:1:3: error: the text ends too early
      [1
        ^
      note: the array begins at 1:1
      """),
    Row(
      .har, "{\"log\": {\"entries\": []}}",
      """
      a/x.trace:1:21: error: no entry says how long a response took and how large it was
      {"log": {"entries": []}}
                          ^~
      """),
    Row(
      .nlc, "<plist><dict><key>NSWindow</key><string/></dict></plist>",
      """
      a/x.trace:1:8: error: this is a property list of something else: it has no dictionary \
      'Profiles'
      <plist><dict><key>NSWindow</key><string/></dict></plist>
             ^~~~~~
      note: its keys are: 'NSWindow'
      note: the conditioner's list is com.apple.network.prefPaneSimulate.plist
      """),
    Row(
      .nlc, "bplist00\u{1}",
      """
      a/x.trace:1:1: error: this is a binary property list
      bplist00\u{FFFD}
      ^~~~~~
      note: 'plutil -convert xml1 FILE' makes it one of XML
      """),
    Row(
      .nlc, "<plist>\n<dict><key>a</dict></plist>",
      """
      a/x.trace:2:13: error: '</dict>' does not close '<key>'
      <dict><key>a</dict></plist>
                  ^~~~~~~
      """),
    Row(
      .nlc, "<plist><dict>\n",
      """
      a/x.trace:1:8: error: the tag 'dict' is not closed
      <plist><dict>
             ^~~~~~
      """),
    Row(
      .nlc, "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>",
      """
      a/x.trace:1:1: error: a property list has no declarations of its own
      <!DOCTYPE plist [<!ENTITY a "b">]><plist/>
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
      """),
    Row(
      .nlc,
      "<plist><dict><key>Profiles</key><dict><key>a</key><dict>"
        + "\n<key>UplinkDelay</key><integer>1e30</integer></dict></dict></dict></plist>",
      """
      a/x.trace:2:23: error: 'UplinkDelay' is above the limit of 366 d
      <key>UplinkDelay</key><integer>1e30</integer></dict></dict></dict></plist>
                            ^~~~~~~~~~~~~~~~~~~~~~~
      """),
    Row(
      .nlc,
      "<plist><dict><key>Profiles</key><dict><key>LTE</key><dict/><key>3G</key><dict/></dict>"
        + "</dict></plist>",
      """
      a/x.trace: error: the file has 2 profiles: choose one with '--profile'
      note: the profiles are: 'LTE', '3G'
      """),
  ]

  static let others: [Row] = [
    Row(
      .atc, #"{"up": {"rate": 1}, "down": {"rate": 1, "loss": {"percentage": 101}}}"#,
      """
      a/x.trace:1:64: error: 'percentage' must be a percentage from 0 to 100
      {"up": {"rate": 1}, "down": {"rate": 1, "loss": {"percentage": 101}}}
                                                                     ^~~
      """),
    Row(
      .atc, #"{"up": {"rate": "fast"}, "down": {"rate": "1"}}"#,
      """
      a/x.trace:1:17: error: 'rate' must be a number of kbit/s, not a string
      {"up": {"rate": "fast"}, "down": {"rate": "1"}}
                      ^~~~~~
      """),
    Row(
      .atc, #"{"up": {"rate": "1"}, "down": {"rate": "1", "reorder": {"gap": "5.5"}}}"#,
      """
      a/x.trace:1:64: error: 'gap' must be a whole number of packets
      {"up": {"rate": "1"}, "down": {"rate": "1", "reorder": {"gap": "5.5"}}}
                                                                     ^~~~~
      """),
    Row(nil, "", "a/x.trace: error: the file is empty"),
    Row(.mahimahi, "", "a/x.trace: error: the file is empty"),
    Row(.pensieve, "", "a/x.trace: error: the file is empty"),
    Row(.irish4g, "", "a/x.trace: error: the file is empty"),
    Row(.wpt, "", "a/x.trace: error: the file has no profiles"),
    Row(.tc, "x", "a/x.trace: error: the format 'tc' is written, not read\nnote: \(formats)"),
    Row(
      nil, "one two three\n",
      """
      a/x.trace: error: the format of the file is not recognized
      note: say what it is with '--from'; 'autowait convert --list-formats' shows the formats
      note: or what the columns of a table are: '--columns time:s,rate:kbit/s'
      """),
  ]

  private static let formats = "'autowait convert --list-formats' shows the formats"

  @Test(arguments: lines + documents + others)
  func isRefused(_ row: Row) {
    var options = TraceOptions()
    options.format = row.format
    let reading = TraceReader.read(TraceSample.source(Array(row.text.utf8)), options)
    #expect(reading.link == nil)
    #expect(reading.findings.map(\.rendered).joined(separator: "\n") == row.message)
  }

  /// Files without an end, and where they are given up.
  @Test(
    arguments: [
      ("1\n", .seconds(1)), ("0\n", nil),
    ] as [(String, TimeSpan?)])
  func aMillisecondWithoutAnEnd(_ line: String, _ until: TimeSpan?) {
    let piece = Array(String(repeating: line, count: 1_000).utf8)
    var given = 0
    let source = ByteSource(path: "x") {
      given += 1
      return .success(piece)
    }
    var options = TraceOptions()
    options.until = until
    let reading = TraceReader.read(source, options)
    #expect(
      reading.findings.map(\.message) == [
        "the rate is above the limit of 1 Tbit/s: more than 83333 chances in 1 ms"
      ])
    #expect(reading.findings.first?.line == 83_334)
    #expect(given < 100)
  }

  @Test(arguments: [(TraceFormat.pensieve, "1 2\n"), (.hsdpa, "\n")])
  func aTimeThatStandsStill(_ format: TraceFormat, _ line: String) {
    let piece = Array(String(repeating: line, count: 10_000).utf8)
    var options = TraceOptions()
    options.format = format
    options.until = .seconds(1)
    let reading = TraceReader.read(ByteSource(path: "x") { .success(piece) }, options)
    #expect(
      reading.findings.filter { $0.severity == .error }.map(\.message) == [
        "the time has not moved for 100000 lines"
      ])
  }

  @Test(arguments: [
    (
      TraceFormat.nlc,
      "<plist><dict><key>Profiles</key><dict><key>a</key><dict>"
        + "<key>DownlinkBandwith</key><integer>5</integer>"
        + "<key>Colour</key><string>red</string><key>name</key><string>n</string></dict></dict>"
        + "</dict></plist>",
      [
        "warning: the unknown key 'DownlinkBandwith' is not read | "
          + "did you mean 'DownlinkBandwidth'?",
        "warning: the unknown key 'Colour' is not read | ",
      ]
    ),
    (
      .sabre,
      #"[{"duration_ms": 1, "bandwidth_kbps": 1, "latency_ms": 1, "latency": 2, "q": 1},"#
        + #"{"duration_ms": 1, "bandwidth_kbps": 1, "latency_ms": 1, "q": 3}]"#,
      [
        "warning: the unknown key 'latency' is not read | did you mean 'latency_ms'?",
        "warning: the unknown key 'q' is not read | ",
      ]
    ),
  ])
  func unknownKeys(_ format: TraceFormat, _ text: String, _ warnings: [String]) {
    let reading = TraceReader.read(TraceSample.source(Array(text.utf8)))
    #expect(reading.format == format)
    #expect(reading.link != nil)
    #expect(
      reading.findings.map { "\($0.severity): \($0.message) | \($0.notes.joined())" } == warnings)
  }

  @Test func bytesThatAreNoText() {
    for (bytes, word) in [([0xFF, 0xFE, 0x31, 0], "UTF-16"), ([0x1F, 0x8B, 8, 0], "packed")] {
      let reading = TraceReader.read(TraceSample.source(bytes.map { UInt8($0) }))
      #expect(reading.findings.first?.message.contains(word) == true)
    }
  }

  @Test func aProfileThatIsNotThere() throws {
    let sample = try #require(TraceSample.documents.first { $0.format == .wpt })
    let reading = sample.read { $0.profileName = "Cabel" }
    #expect(
      reading.findings.map(\.rendered) == [
        """
        a/x.trace: error: there is no profile 'Cabel'
        note: did you mean 'Cable'?
        """
      ])
  }

  @Test func whatThePreferencesRoundIsToldOf() throws {
    let text = """
      <plist><dict><key>Profiles</key><dict><key>a</key><dict>
      <key>UplinkDelay</key><real>2.7</real></dict></dict></dict></plist>
      """
    let reading = TraceReader.read(TraceSample.source(Array(text.utf8)))
    #expect(
      reading.findings.map(\.message) == [
        "'UplinkDelay' is cut to whole milliseconds, as the conditioner does"
      ])
    let link = try #require(reading.link)
    #expect(link.profile.up.track.samples[0].delay == .milliseconds(2))
  }

  @Test func timesOfAPensieveTraceThatBeginLate() throws {
    let reading = TraceReader.read(TraceSample.source(Array("5 1\n6.5 2\n".utf8)))
    #expect(reading.findings.map(\.severity) == [.warning])
    let link = try #require(reading.link)
    #expect(TraceSample.text(link.profile) == "1500 2000, loop")
  }

  @Test func aLineWithoutAnEnd() {
    var given = 0
    let source = ByteSource(path: "x") {
      given += 1
      return .success(Array(repeating: UInt8(ascii: "1"), count: 10_000))
    }
    var options = TraceOptions()
    options.format = .mahimahi
    let reading = TraceReader.read(source, options)
    #expect(reading.findings.map(\.message) == ["the line is longer than 65536 bytes"])
    #expect(reading.findings.first?.line == 1)
    #expect(given < 10)
  }

  @Test func aDocumentWithoutAnEnd() {
    let source = ByteSource(path: "x") {
      .success(Array(repeating: UInt8(ascii: "["), count: 1 << 24))
    }
    var options = TraceOptions()
    options.format = .har
    #expect(
      TraceReader.read(source, options).findings.map(\.rendered) == [
        "x: error: the file is larger than 64 MiB, and an HTTP archive must be read as a whole"
      ])
  }

  @Test func aFileThatCannotBeRead() {
    let source = ByteSource(path: "x") { .failure(FileLoader.FileProblem("cannot be read: why")) }
    #expect(
      TraceReader.read(source).findings.map(\.rendered) == [
        "x: error: the file cannot be read: why"
      ]
    )
  }
}
