import AutowaitCommands
import Testing

/// `autowait work`: a line for each job, in order, whatever the lines are.
@Suite struct WorkCommandTests {
  private static let counting = #"{"worker":1,"jobs":"#

  /// Lines, and how the lines that answer them begin; `$` is the path of the folder.
  @Test(arguments: [
    (
      #"{"units": [0, 1]}"#,
      [
        #"{"key":0,"contestant":"avfoundation""#, #"{"key":1,"contestant":"mpv""#, #"{"key":2,"#,
        #"{"trailer":1,"path":"$/x.json","seeds":null,"#,
        #"{"worker":1,"jobs":1,"errors":0,"rows":3}"#,
      ]
    ),
    (
      #"{"shard": "6/6", "seeds": 2, "experiment": "$/x.json"}"#,
      [
        #"{"key":9,"#, #"{"key":10,"#, #"{"key":11,"#,
        #"{"trailer":1,"path":"$/x.json","seeds":2,"#,
        #"{"worker":1,"jobs":1,"errors":0,"rows":3}"#,
      ]
    ),
    (
      "zonk\n\n \t\r\n{\"units\": [4, 4]}\n[",
      [
        #"{"line":1,"error":"#, #"{"trailer":1,"#, #"{"line":5,"error":"#,
        #"{"worker":1,"jobs":3,"errors":2,"rows":0}"#,
      ]
    ),
    ("", [#"{"worker":1,"jobs":0,"errors":0,"rows":0}"#]),
    ("{}", [#"{"line":1,"error":"a job needs one of the keys"#, counting]),
    (#"{"units": [0]}"#, [#"{"line":1,"error":"'units' must be two numbers"#, counting]),
    (#"{"units": [2, 1]}"#, [#"{"line":1,"error":"'units' must be two numbers"#, counting]),
    (#"{"units": [0, 7]}"#, [#"{"line":1,"error":"'units' must be two numbers"#, counting]),
    (
      #"{"shard": "7/6"}"#,
      [#"{"line":1,"error":"'shard' must be a number and how many"#, counting]
    ),
    (#"{"shard": 1}"#, [#"{"line":1,"error":"'shard' must be a string"#, counting]),
    (#"{"shard": "1/6", "sedes": 1}"#, [#"{"line":1,"error":"unknown key 'sedes'"#, counting]),
    (
      #"{"shard": "1/6", "units": [0, 1]}"#,
      [#"{"line":1,"error":"'units' cannot be combined with 'shard'"#, counting]
    ),
    (
      #"{"shard": "1/6", "experiment": "$/y.json"}"#,
      [#"{"line":1,"error":"$/y.json: the file does not exist"#, counting]
    ),
    (
      #"{"scenario": {"autowait": 1}, "seeds": 4}"#,
      [#"{"line":1,"error":"a scenario belongs to no experiment"#, counting]
    ),
    (#"{"scenario": {"lnik": 1}}"#, [#"{"line":1,"error":""#, counting]),
    (
      #"{"scenario": "$/a.json", "seed": 7}"#,
      [
        #"{"line":1,"result":{"version":1,"# + Fixture.madeBy
          + #","scenario":"slow","path":"$/a.json","seed":7,"#, counting,
      ]
    ),
    (
      #"{"scenario": "$/v.json", "run": "nlc-wifi", "seed": 2}"#,
      [
        #"{"line":1,"result":{"version":1,"# + Fixture.madeBy
          + #","scenario":"v","path":"$/v.json","run":"nlc-wifi","seed":2,"#, counting,
      ]
    ),
    (
      #"{"scenario": "$/v.json"}"#,
      [
        #"{"line":1,"error":"$/v.json: this scenario varies: one of its 2 runs must be chosen; "#
          + #"its runs are: 'demo-fast', 'nlc-wifi'"}"#, counting,
      ]
    ),
    (
      #"{"scenario": "$/v.json", "run": "nlc-wfi"}"#,
      [
        #"{"line":1,"error":"$/v.json: there is no run 'nlc-wfi'; did you mean 'nlc-wifi'?"}"#,
        counting,
      ]
    ),
    (
      #"{"scenario": "$/a.json", "run": "x"}"#,
      [#"{"line":1,"error":"$/a.json: this scenario has no runs to choose from"#, counting]
    ),
    (
      #"{"units": [0, 1], "run": "x"}"#,
      [#"{"line":1,"error":"'run' belongs to a scenario; experiments have no runs"}"#, counting]
    ),
    (#"{"scenario": "$/a.json", "run": 1}"#, [#"{"line":1,"error":"'run' must be"#, counting]),
  ])
  func linesAreAnswered(_ jobs: String, _ beginnings: [String]) throws {
    let fixture = try CommandFixture([
      "x.json": CompareCommandTests.experiment, "a.json": Fixture.playing,
      "v.json": Fixture.playing.replacing(
        "\"autowait\": 1,",
        with: """
          "autowait": 1, "vary": {"link": ["demo/fast", "nlc/wifi"]},
          """
      ).replacing("\"slow\"", with: "\"v\""),
    ])
    fixture.input = [jobs.replacing("$", with: fixture.folder)]
    let outcome = fixture.call("work", "$/x.json")
    #expect(outcome.code == 0)
    #expect(outcome.messages == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == beginnings.count, "\(outcome.output)")
    for (line, beginning) in zip(lines, beginnings) {
      #expect(line.hasPrefix(beginning), "\(line)")
    }
  }

  @Test func piecesAreNoLines() throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let text = "{\"units\": [0, 2]}\nzonk\n{\"units\": [2, 6]}\n"
    fixture.input = [text]
    let whole = fixture.call("work", "$/x.json")
    fixture.input = text.map { String($0) }
    #expect(fixture.call("work", "$/x.json") == whole)
  }

  /// What workers print is what is merged, in as many files as there are workers.
  @Test func whatIsPrintedIsMerged() throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let single = fixture.call("compare", "$/x.json")
    let jobs = [
      ["{\"units\": [2, 3]}\n{\"units\": [0, 2]}\n", "{\"units\": [3, 6]}\n"],
      ["{\"shard\": \"1/3\"}\n{\"shard\": \"3/3\"}\n", "\n", "{\"shard\": \"2/3\"}\n"],
    ]
    for (number, files) in jobs.enumerated() {
      for (place, job) in files.enumerated() {
        fixture.input = [job]
        let outcome = fixture.call("work", "$/x.json", "--jobs", "2")
        let text = outcome.output.replacing("$", with: fixture.folder)
        try fixture.write("d\(number)/part-0000\(place)", text)
      }
      try fixture.write("d\(number)/_SUCCESS", "")
      #expect(fixture.call("merge", "$/d\(number)") == single)
    }
    try fixture.remove("d0/part-00001")
    let outcome = fixture.call("merge", "$/d0")
    #expect(outcome.code == 1)
    #expect(
      outcome.messages.hasPrefix(
        "missing: units 3 to 5: echo '{\"units\": [3, 6]}' | autowait work $/x.json > "
          + "$/d0/units-3-6.ndjson\n"))
  }

  @Test func aLineMayNotBeAsLongAsItLikes() throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let piece = String(repeating: "x", count: 1 << 20)
    fixture.input = Array(repeating: piece, count: 17) + ["\n{\"units\": [0, 0]}\n"]
    let lines = fixture.call("work", "$/x.json").output.split(separator: "\n")
    #expect(lines.first == #"{"line":1,"error":"the line is longer than 16 MiB"}"#)
    #expect(lines.count == 3)
    #expect(lines.last == #"{"worker":1,"jobs":2,"errors":1,"rows":0}"#)
  }

  @Test func aWorkerWhoseReaderWentAwayStops() throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    fixture.outputOutcome = .closed
    fixture.input = ["{\"units\": [0, 6]}\n", "{\"units\": [0, 6]}\n"]
    #expect(fixture.call("work", "$/x.json").code == 0)
    fixture.outputOutcome = .failed("the disk is full")
    #expect(fixture.call("work", "$/x.json").code == 2)
    #expect(fixture.call("work", "$/y.json").code == 2)
  }
}
