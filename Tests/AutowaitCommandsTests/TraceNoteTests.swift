import AutowaitCommands
import Testing

/// Commands say in a line what they understood of a trace, and nothing of it in their results.
@Suite struct TraceNoteTests {
  private static let table = "time_s,kbps\n0,1000\n10,0\n20,3000\n30,2000\n"
  private static let note =
    "note: $/own.csv (rates): 40 s, mean 1.5 Mbit/s, 0 to 3 Mbit/s |▃▃▃   ███▆▆▆|\n"

  private func fixture() throws -> CommandFixture {
    try CommandFixture([
      "own.csv": Self.table, "s.json": Fixture.scenario(link: "\"own.csv\""),
      "x.json": CompareCommandTests.experiment.replacing(
        #"["demo/fast", "demo/slow-server"]"#, with: #"["own.csv"]"#),
    ])
  }

  @Test func everyCommandThatReadsATraceSaysIt() throws {
    let fixture = try fixture()
    for call in [
      ["run", "$/s.json"], ["run", "$/s.json", "--format", "json"], ["check", "$/s.json"],
      ["check", "$/x.json"], ["check", "--format", "json", "$/s.json"], ["compare", "$/x.json"],
      ["compare", "$/x.json", "--json"], ["compare", "$/x.json", "--csv"],
    ] {
      let outcome = fixture.call(call)
      #expect(outcome.messages.contains(Self.note), "\(call): \(outcome.messages)")
      #expect(outcome.messages.components(of: "own.csv (rates)") == 1, "\(call)")
      #expect(!outcome.output.contains("own.csv (rates)"), "\(call)")
    }
    #expect(!fixture.call("test", "$/s.json").messages.contains("(rates)"))
  }

  @Test func aTraceOfTwoScenariosIsToldOfOnce() throws {
    let outcome = try fixture().call("run", "$/s.json", "$/s.json")
    #expect(outcome.messages.components(of: "own.csv (rates)") == 1)
  }

  @Test(arguments: [
    ("C", true), ("POSIX", true), ("de_DE.ISO-8859-1", true), ("en_US.UTF-8", false),
    ("C.utf8", false),
  ])
  func theLocaleSaysWhatIsDrawn(_ locale: String, _ isPlain: Bool) throws {
    let fixture = try fixture()
    fixture.variables = ["LANG": locale]
    let outcome = fixture.call("run", "$/s.json")
    let plain = "note: $/own.csv (rates): 40 s, mean 1.5 Mbit/s, 0 to 3 Mbit/s |---   @@@***|\n"
    #expect(outcome.messages.contains(isPlain ? plain : Self.note), "\(outcome.messages)")
  }

  /// Only what a run can need is read, and then no more is claimed.
  @Test func aBeginningIsCalledSo() throws {
    let outcome = try fixture().call("convert", "$/own.csv", "--until", "20 s")
    #expect(
      outcome.messages.contains(
        "(rates): the first 20 s, mean 500 kbit/s, 0 to 1 Mbit/s |██████      |"))
  }

  @Test func manyTracesAreCounted() throws {
    let fixture = try fixture()
    for index in 10..<23 { try fixture.write("traces/\(index).csv", "t,kbps\n0,\(index)\n1,1\n") }
    let text = CompareCommandTests.experiment.replacing(
      #"["demo/fast", "demo/slow-server"]"#, with: #"["traces/"]"#)
    try fixture.write("y.json", text)
    let messages = fixture.call("check", "$/y.json").messages
    #expect(messages.components(of: "(rates)") == 10)
    #expect(messages.contains("note: 3 more traces: mean 10.5 to 11.5 kbit/s\n"), "\(messages)")
  }

  /// What a file cannot say is said when it is converted.
  @Test func limitsAreTold() throws {
    let fixture = try fixture()
    try fixture.write(
      "a.json", #"[{"numberOfBytesTransferred": 1000000, "transferDuration": 2}]"#)
    #expect(
      fixture.call("convert", "$/a.json").messages.contains(
        "note: an access log has only the time in which data came: outages and pauses are not"))
    try fixture.write(
      "b.har",
      """
      {"log": {"entries": [
        {"startedDateTime": "2026-01-01T00:00:00Z", "timings": {"wait": 0, "receive": 1000},
          "response": {"bodySize": 1000}},
        {"startedDateTime": "2026-01-01T00:00:04Z", "timings": {"wait": 0, "receive": 1000},
          "response": {"bodySize": 1000}}]}}
      """)
    let messages = fixture.call("convert", "$/b.har").messages
    #expect(messages.contains("warning: 3 s of 5 s are silent, and have the rate before them"))
    #expect(messages.contains("note: an HTTP archive has only what was asked for"))
  }

  /// A Pensieve trace in kbit/s is one of terabits, which nobody measured.
  @Test func ratesThatNobodyMeasuredAreWarnedOf() throws {
    let fixture = try fixture()
    try fixture.write("p.txt", "0\t1500\n1\t1400\n")
    #expect(
      fixture.call("convert", "$/p.txt").messages.contains(
        """
        warning: the rates are taken for Mbit/s, and some are above 1 Gbit/s
        note: if they are others: '--columns time:s,rate:kbit/s'
        """))
    #expect(!fixture.call("convert", "$/p.txt", "--from", "pensieve").messages.contains("warning"))
  }
}

extension String {
  /// How often a text stands in this one.
  fileprivate func components(of text: String) -> Int { split(separator: text).count - 1 }
}
