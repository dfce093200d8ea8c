import AutowaitCommands
import AutowaitScenario
import Testing

/// `autowait convert` prints or writes the whole of what was asked for, or nothing.
@Suite struct ConvertCommandTests {
  /// Sabre calls a column so, too, and has durations beside it.
  @Test func aTableInJSONIsOneWhateverItsColumnIsCalled() throws {
    let table = #"[{"time_s": 0, "bandwidth_kbps": 100}, {"time_s": 1, "bandwidth_kbps": 200}]"#
    let fixture = try CommandFixture(["a.json": table])
    let call = fixture.call("convert", "$/a.json")
    #expect(call.code == 0 && call.output.contains("200"), "\(call)")
  }

  private static let sabre = """
    [
      {"duration_ms": 12000, "bandwidth_kbps": 4000, "latency_ms": 40},
      {"duration_ms": 5000, "bandwidth_kbps": 0, "latency_ms": 40}
    ]
    """

  private static let link = """
    {
      "schema": "link/1",
      "name": "outage.json",
      "source": "a Sabre network: outage.json",
      "traceKind": "goodput",
      "down": {
        "delay": "20 ms",
        "track": [
          {"for": "12 s", "rate": "4 Mbit/s"},
          {"for": "5 s", "rate": "0 bit/s"}
        ],
        "trackEnd": "loop"
      },
      "up": {
        "delay": "20 ms"
      }
    }

    """

  @Test func aTraceBecomesALink() throws {
    let fixture = try CommandFixture(["outage.json": Self.sabre])
    let outcome = fixture.call("convert", "$/outage.json")
    #expect(outcome.code == 0)
    #expect(outcome.output == Self.link)
    #expect(
      outcome.messages
        == """
        note: $/outage.json was read as a Sabre network; its rates are goodput
        note: $/outage.json (sabre): 17 s, mean 2.82 Mbit/s, 0 to 4 Mbit/s |████████▄   |

        """)
  }

  /// Standard input is a link, and once.
  @Test func standardInputIsALink() throws {
    let fixture = try CommandFixture(["s.m3u8": "#EXTM3U\n"])
    fixture.input = [Self.sabre]
    let outcome = fixture.call("convert", "-")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == Self.link.replacing("outage.json", with: "-"))
    fixture.input = ["0,1\n"]
    let asked = fixture.call("convert", "-")
    #expect(asked.code == 2 && asked.messages.hasPrefix("-:1:1: error: "), "\(asked.messages)")
    let twice = fixture.call("convert", "--down", "-", "--up", "-")
    #expect(twice.code == 2 && twice.messages.contains("can be read only once"))
    for target in ["ladder", "scenario"] {
      let other = fixture.call("convert", "-", "--to", target)
      #expect(other.code == 2 && other.messages.contains("reads a link from standard input"))
    }
  }

  /// A link that begins with a file is written whole, wherever it is written to.
  @Test func aLinkMayBeginWithAFile() throws {
    let base = #"{"name": "base", "down": {"rate": "2 Mbit/s", "delay": "20 ms"}}"#
    let own = #"{"name": "own", "use": "links/base.json", "up": {"delay": "30 ms"}}"#
    let moved = """
      {"use": "links/base.json",
       "events": [{"type": "handover", "at": "3 s", "gap": "1 s", "to": "links/base.json"}]}
      """
    let fixture = try CommandFixture([
      "links/base.json": base, "own.json": own, "moved.json": moved,
    ])
    let call = fixture.call("convert", "$/own.json")
    #expect(call.code == 0, "\(call)")
    for text in ["\"name\": \"own\"", "2 Mbit/s", "20 ms", "30 ms"] {
      #expect(call.output.contains(text), "\(text): \(call.output)")
    }
    #expect(!call.output.contains("use"), "\(call.output)")
    let handover = fixture.call("convert", "$/moved.json")
    #expect(handover.code == 0 && handover.output.contains("links/base.json"), "\(handover)")
    #expect(handover.messages.contains("must lie in the same folder"), "\(handover)")
  }

  @Test func aScenarioRunsOverIt() throws {
    let fixture = try CommandFixture([
      "outage.json": Self.sabre, "s.json": Fixture.scenario(link: "\"link.json\""),
    ])
    #expect(fixture.call("convert", "$/outage.json", "--output", "$/link.json").code == 0)
    #expect(try fixture.read("link.json") == Self.link)
    let outcome = fixture.call("run", "$/s.json")
    #expect(outcome.messages == "")
    #expect(outcome.code != 2)
  }

  @Test func aLinkBecomesATraceAgain() throws {
    let fixture = try CommandFixture(["outage.json": Self.link])
    let outcome = fixture.call("convert", "$/outage.json", "--from", "link", "--to", "sabre")
    #expect(outcome.messages == "")
    #expect(
      outcome.output == """
        [
          {"duration_ms":12000,"bandwidth_kbps":4000,"latency_ms":40},
          {"duration_ms":5000,"bandwidth_kbps":0,"latency_ms":40}
        ]

        """)
  }

  @Test func bothDirectionsOfMahimahi() throws {
    let fixture = try CommandFixture(["x.down": "1\n2\n", "x.up": "3\n"])
    let outcome = fixture.call(
      "convert", "$/x.up", "$/x.down", "--to", "mahimahi", "--output", "$/y")
    #expect(outcome == .init(code: 0, output: "", messages: Self.pairNote))
    #expect(try fixture.read("y.down") == "1\n2\n")
    #expect(try fixture.read("y.up") == "3\n")
    let named = fixture.call("convert", "--down", "$/x.down", "--up=$/x.up", "--to", "mahimahi")
    #expect(named.output == "1\n2\n")
    #expect(
      named.messages == Self.pairNote
        + "note: this is the downlink only; '--output FILE' writes both\n")
  }

  private static let pairNote =
    "note: $/x.down was read as a mahimahi trace; its rates are capacity\n"
    + "note: $/x.down (mahimahi): 0.002 s, 12 Mbit/s throughout\n"

  @Test func aLinkThatIsBuiltIn() throws {
    let outcome = try CommandFixture().call("convert", "demo/slow-server", "--to", "mahimahi")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("4\n8\n12\n15\n"))
  }

  @Test func whatIsLostIsTold() throws {
    let fixture = try CommandFixture(["outage.json": Self.sabre])
    let outcome = fixture.call("convert", "$/outage.json", "--from", "sabre", "--to", "mahimahi")
    #expect(
      outcome.messages == """
        $/outage.json: warning: 'mahimahi' has no place for delays
        $/outage.json: warning: the way down is down at its end, where its last line is a packet
        $/outage.json: warning: the rates are goodput: TCP over what is written brings less
        note: this is the downlink only; '--output FILE' writes both

        """)
  }

  @Test func nothingIsWrittenOfWhatIsWrong() throws {
    let fixture = try CommandFixture(["bad.trace": "1\n2\nx\n"])
    let outcome = fixture.call("convert", "$/bad.trace", "--output", "$/link.json")
    #expect(
      outcome
        == .init(
          code: 2, output: "",
          messages: """
            $/bad.trace:3:1: error: a line must be a whole number of milliseconds
            x
            ^

            """))
    #expect(try fixture.names() == ["bad.trace"])
  }

  @Test func nothingIsWrittenThatTheFormatCannotSay() throws {
    let fixture = try CommandFixture(["outage.json": Self.sabre])
    let outcome = fixture.call(
      "convert", "$/outage.json", "--from", "sabre", "--to", "nlc", "--output", "$/x.plist")
    #expect(
      outcome
        == .init(
          code: 2, output: "",
          messages: """
            $/outage.json: error: the conditioner has no rates that change
            note: '--to dnctl' and '--to tc' write scripts that change them

            """))
    #expect(try fixture.names() == ["outage.json"])
  }

  @Test(arguments: [
    ["$/x.down"], ["$/x.down", "$/x.up"], ["--down", "$/x.down", "--up", "$/x.up"],
  ])
  func whatIsReadIsNotReplaced(_ inputs: [String]) throws {
    let fixture = try CommandFixture(["x.down": "1\n", "x.up": "1\n"])
    let outcome = fixture.call(
      ["convert"] + inputs + ["--to", "mahimahi", "--output", "$/x"])
    let message = "'--output' is one of the files that are read, '$/x.down'"
    #expect(outcome == .init(code: 2, output: "", messages: "autowait: error: \(message)\n"))
    #expect(try fixture.read("x.down") == "1\n")
  }

  @Test(arguments: [("down", "up"), ("up", "down")])
  func oneDirectionThatCannotBeWritten(_ folder: String, _ file: String) throws {
    let fixture = try CommandFixture(["x": "1\n", "y.\(folder)/z": "", "y.\(file)": "precious"])
    let outcome = fixture.call("convert", "$/x", "--to", "mahimahi", "--output", "$/y")
    #expect(outcome.code == 2)
    #expect(outcome.messages.hasSuffix("$/y.\(folder): error: the file is a folder\n"))
    #expect(try fixture.names() == ["x", "y.\(folder)", "y.\(folder)/z", "y.\(file)"].sorted())
    #expect(try fixture.read("y.\(file)") == "precious")
  }

  @Test(arguments: ["$/d/", "$/d/.", "$/d/..", "."])
  func filesWithoutNames(_ output: String) throws {
    let fixture = try CommandFixture(["x": "1\n", "d/y": ""])
    let message = "'--output' must end in a name, to which .down and .up are added"
    #expect(
      fixture.call("convert", "$/x", "--to", "mahimahi", "--output", output)
        == .init(code: 2, output: "", messages: "autowait: error: \(message)\n"))
    #expect(try fixture.names() == ["d", "d/y", "x"])
  }

  @Test func options() throws {
    let fixture = try CommandFixture(["x": "1\n2\n2\n5\n"])
    let outcome = fixture.call(
      "convert", "$/x", "--name", "mine", "--until", "4 ms", "--end", "hold", "--bin", "2 ms")
    #expect(
      outcome.output == """
        {
          "schema": "link/1",
          "name": "mine",
          "source": "a mahimahi trace: x",
          "traceKind": "capacity",
          "down": {
            "track": [
              {"at": "0 s", "rate": "18 Mbit/s"},
              {"at": "2 ms", "rate": "0 bit/s"}
            ],
            "trackEnd": "hold"
          }
        }

        """)
  }

  @Test func endsOfLinks() throws {
    let fixture = try CommandFixture(["link.json": Self.link])
    let outcome = fixture.call(
      "convert", "$/link.json", "--from=link", "--until", "5 s", "--end", "offline")
    #expect(outcome.output.contains(#""for": "5 s", "rate": "4 Mbit/s""#))
    #expect(outcome.output.contains(#""trackEnd": "offline""#))
    #expect(!outcome.output.contains("0 bit/s"))
  }

  @Test(arguments: [
    ("--bin=1 ms", "'--bin' belongs to mahimahi and bytes, not to 'sabre'"),
    ("--profile=x", "'--profile' belongs to files with several, not to 'sabre'"),
  ])
  func optionsThatDoNotBelong(_ option: String, _ message: String) throws {
    let fixture = try CommandFixture(["outage.json": Self.sabre])
    #expect(
      fixture.call("convert", "$/outage.json", option)
        == .init(code: 2, output: "", messages: "autowait: error: \(message)\n"))
  }

  @Test func formatsAreListed() throws {
    let outcome = try CommandFixture().call("convert", "--list-formats")
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines[2] == "mahimahi   yes  yes   capacity  a line: ms at which 1500 bytes may pass")
    for line in lines { #expect(line.count <= 80, "too wide: \(line)") }
  }

  @Test func everyFormatThatIsReadHasARow() {
    let rows = MarkdownDocument.article("converting-traces").rows.map(\.key)
    #expect(rows == TraceFormat.readable)
  }

  @Test(arguments: [
    (["convert"], "'autowait convert' needs FILE…\nnote: see 'autowait convert --help'"),
    (
      ["convert", "a", "b"],
      "with two files, it must be clear which is the downlink\n"
        + "note: name them with '--down' and '--up', or let them end in .down and .up"
    ),
    (
      ["convert", "a", "b", "c"],
      "'autowait convert' reads one trace at a time\nnote: see 'autowait convert --help'"
    ),
    (
      ["convert", "a", "--to", "sbare"],
      "'--to' has the unknown value 'sbare'\nnote: did you mean 'sabre'?"
    ),
    (
      ["convert", "--down", "a"],
      "'--down' and '--up' belong together, without a FILE\n"
        + "note: see 'autowait convert --help'"
    ),
    (["convert", "a", "--bin", "0.5 ms"], "'--bin' must be whole milliseconds"),
    (["convert", "a", "--until", "0"], "'--until' must be more than 0"),
    (["convert", "a", "--name", ""], "'--name' must not be empty"),
    (
      ["convert", "a.up", "b.down", "--from", "sabre"],
      "only mahimahi has a file for each direction, not 'sabre'"
    ),
  ])
  func wrongCalls(_ arguments: [String], _ message: String) throws {
    #expect(
      try CommandFixture().call(arguments)
        == .init(code: 2, output: "", messages: "autowait: error: \(message)\n"))
  }

  /// A trace is a link to anyone who asks what a download over it takes.
  @Test(arguments: ["bus.txt", "net.json"])
  func aTraceIsMeasured(_ name: String) throws {
    let fixture = try CommandFixture([
      "bus.txt": "0 0.77\n5 1.55\n9 4.5\n", "net.json": Self.sabre, "link.json": Self.link,
    ])
    let outcome = fixture.call("link", "$/\(name)", "--bytes", "50kB")
    #expect(outcome.messages == "")
    #expect(outcome.code == 0)
    #expect(fixture.call("convert", "$/\(name)", "--output", "$/other.json").code == 0)
    // The link is called by its name, which is the file's.
    #expect(outcome == fixture.call("link", "$/other.json", "--bytes", "50kB"))
  }

  @Test func aTraceThatIsNoneIsNotMeasured() throws {
    let fixture = try CommandFixture([
      "all.ini": "[A]\nbwIn=8\nbwOut=8\nlatency=2\n[B]\nbwIn=9\nbwOut=8\nlatency=2\n"
    ])
    let outcome = fixture.call("link", "$/all.ini")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages == """
        $/all.ini: error: the file has 2 profiles: choose one with 'autowait convert --profile'
        note: the profiles are: 'A', 'B'

        """)
    #expect(fixture.call("link", "no.txt").messages.contains("unknown link 'no.txt'"))
  }

  @Test func filesThatAreNotThere() throws {
    #expect(
      try CommandFixture().call("convert", "$/no")
        == .init(code: 2, output: "", messages: "$/no: error: the file does not exist\n"))
    #expect(
      try CommandFixture().call("convert", "$")
        == .init(code: 2, output: "", messages: "$: error: the file is a folder\n"))
  }
}
