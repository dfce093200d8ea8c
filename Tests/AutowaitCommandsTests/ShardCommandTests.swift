import Testing

/// `autowait compare --shard` and `autowait merge`: any split gives the bytes of a single run,
/// and what is not whole is refused with a list.
@Suite struct ShardCommandTests {
  static let experiment = CompareCommandTests.experiment

  /// A folder with an experiment that was run in shards.
  private func fixture(_ count: Int, _ experiment: String = experiment) throws -> CommandFixture {
    let fixture = try CommandFixture(["x.json": experiment])
    for number in 1...count {
      let call = fixture.call(
        "compare", "$/x.json", "--shard", "\(number)/\(count)", "--out", "$/d")
      try #require(call.code == 0, "\(call.messages)")
      #expect(call.output == "")
    }
    return fixture
  }

  @Test(arguments: [1, 2, 3, 5, 7])
  func anySplitComesToTheBytesOfASingleRun(_ count: Int) throws {
    let fixture = try fixture(count)
    #expect(try fixture.names().count == count + 2)
    for format in ["--color=never", "--json", "--csv", "--ndjson", "--markdown"] {
      let single = fixture.call("compare", "$/x.json", format)
      let merged = fixture.call("merge", "$/d", format)
      #expect(merged.messages == "")
      #expect(merged == single)
      #expect(fixture.call("merge", "$/d", format, "--output", "$/m").output == "")
      #expect(try fixture.read("m").replacing(fixture.folder, with: "$") == single.output)
    }
  }

  /// Experiments with a rule to stop, early or never, and one with seeds that are given beside it.
  @Test func rulesThatStopAndSeedsAreMergedAlike() throws {
    let stop = Self.experiment.replacing(
      "\"seed\": 3", with: "\"seed\": 20"
    ).replacing("\"margin\"", with: "\"stop\": {\"halfWidth\": \"2 s\", \"every\": 4}, \"margin\"")
    for text in [stop, stop.replacing("2 s\", \"every", with: "1 ns\", \"every")] {
      let fixture = try fixture(3, text)
      let single = fixture.call("compare", "$/x.json", "--ndjson")
      let merged = fixture.call("merge", "$/d", "--ndjson")
      #expect(merged.output == single.output)
      #expect(merged.code == 0)
      let whole = fixture.call("compare", "$/x.json", "--json").output
      #expect(fixture.call("merge", "$/d", "--json").output == whole)
    }
    let fixture = try CommandFixture(["x.json": Self.experiment])
    for number in 1...2 {
      fixture.call("compare", "$/x.json", "--seeds", "5", "--shard", "\(number)/2", "--out", "$/d")
    }
    #expect(fixture.call("merge", "$/d") == fixture.call("compare", "$/x.json", "--seeds", "5"))
  }

  @Test func whatIsThereIsNotMadeAgain() throws {
    let fixture = try fixture(2)
    let name = "d/x.2-of-2.ndjson"
    let before = try fixture.read(name)
    let call = ["compare", "$/x.json", "--shard", "2/2", "--out", "$/d"]
    #expect(fixture.call(call).messages == "$/\(name): is there already, with 9 rows\n")
    // What was cut off, changed or is another shard is made again.
    let damages = [
      String(before.dropLast()), String(before.dropLast(200)), "",
      before.replacing("\"stallCount\":0", with: "\"stallCount\":1"),
      try fixture.read("d/x.1-of-2.ndjson"), before + before, "\u{0}" + before,
    ]
    for damage in damages {
      try fixture.write(name, damage)
      let outcome = fixture.call(call)
      #expect(outcome.code == 0)
      #expect(outcome.messages.hasPrefix("$/\(name): is made again: "), "\(outcome.messages)")
      #expect(outcome.messages.hasSuffix("$/\(name): 9 rows\n"))
      #expect(try fixture.read(name) == before)
    }
    // One of another experiment may be somebody's.
    try fixture.write("x.json", Self.experiment.replacing("50 ms", with: "60 ms"))
    let outcome = fixture.call(call)
    #expect(outcome.code == 2)
    #expect(
      outcome.messages == """
        $/\(name): error: the file was made from another version of '$/x.json', or of a file \
        that it reads
        note: it may be a result of yours: choose another folder, or remove the file

        """)
    #expect(try fixture.read(name) == before)
  }

  /// A worker that ends with 1 may be tried again; a file in the way stays there.
  @Test func aFileInTheWayOfTheFolderIsNoMatterOfChance() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment, "d": ""])
    #expect(fixture.call("compare", "$/x.json", "--shard", "1/2", "--out", "$/d").code == 2)
  }

  @Test func otherFilesMakeAnotherExperiment() throws {
    let text = Self.experiment.replacing("\"demo/fast\"", with: "\"t.csv\"")
    let fixture = try CommandFixture([
      "x.json": text, "t.csv": "time_s,bytes\n0,5000000\n10,4000000\n",
    ])
    let call = ["compare", "$/x.json", "--shard", "1/1", "--out", "$/d"]
    let first = fixture.call(call)
    guard first.code == 0 else {
      Issue.record("\(first.messages)")
      return
    }
    try fixture.write("t.csv", "time_s,bytes\n0,5000000\n10,4000001\n")
    #expect(fixture.call(call).code == 2)
    let outcome = fixture.call("merge", "$/d")
    #expect(outcome.code == 1)
    #expect(
      outcome.messages == """
        autowait: error: the only shard was made from another version of '$/x.json', or of a file \
        that it reads
        note: put that version back, or make the shards again in another folder

        """)
  }

  /// What is done to the folder of four shards, and what is said then.
  @Test(arguments: [
    ("remove", "", ["2/4"]),
    ("cut", "the last line is cut off", ["2/4"]),
    ("empty", "the trailer is missing", ["2/4"]),
    ("flip", "the rows do not match the trailer", ["2/4"]),
    ("foreign", "x.2-of-4.ndjson: error: the file was made from another version of", ["2/4"]),
    (
      "model",
      "x.2-of-4.ndjson: error: the file is of version \(Fixture.model + 1) of the model, "
        + "not \(Fixture.model)", ["2/4"]
    ),
    ("extra", "it does not have the rows that belong to its shard", ["2/4"]),
    ("longer", "the line is longer than 1 MiB", ["2/4"]),
  ])
  func whatIsNotWholeIsRefused(_ deed: String, _ reason: String, _ missing: [String]) throws {
    let fixture = try fixture(4)
    let name = "d/x.2-of-4.ndjson"
    let text = try fixture.read(name)
    let trailer = try #require(text.split(separator: "\n").last)
    switch deed {
    case "remove": try fixture.remove(name)
    case "cut": try fixture.write(name, String(text.dropLast(10)))
    case "empty": try fixture.write(name, "")
    case "flip": try fixture.write(name, text.replacing("\"seed\":2", with: "\"seed\":3"))
    case "model":
      let model = Fixture.model
      let other = text.replacing(
        "\"modelVersion\":\(model)", with: "\"modelVersion\":\(model + 1)")
      try fixture.write(name, other)
    case "extra":
      let other = trailer.replacing("\"shard\":2", with: "\"shard\":3")
      try fixture.write(name, text.replacing(trailer, with: other))
    case "longer": try fixture.write(name, String(repeating: "x", count: 1 << 20) + "\n" + text)
    default:
      try fixture.write("x.json", Self.experiment.replacing("50 ms", with: "60 ms"))
      try fixture.remove(name)
      fixture.call("compare", "$/x.json", "--shard", "2/4", "--out", "$/d")
      try fixture.write("x.json", Self.experiment)
    }
    let outcome = fixture.call("merge", "$/d")
    #expect(outcome.code == 1)
    #expect(outcome.output == "")
    #expect(outcome.messages.contains(reason), "\(outcome.messages)")
    for shard in missing {
      let call = "autowait compare '$/x.json' --shard \(shard) --out '$/d'"
      #expect(
        outcome.messages.replacing("'", with: "").contains(
          "missing: shard \(shard): \(call.replacing("'", with: ""))\n"))
    }
    let last = "\(missing.count) of 4 shards missing or damaged"
    #expect(outcome.messages.contains(last), "\(outcome.messages)")
    // The call that it names makes what is missing, if what is damaged is gone.
    try? fixture.remove(name)
    #expect(fixture.call("compare", "$/x.json", "--shard", "2/4", "--out", "$/d").code == 0)
    #expect(fixture.call("merge", "$/d") == fixture.call("compare", "$/x.json"))
  }

  @Test func missingShardsAreNumbersForEngines() throws {
    let fixture = try fixture(6)
    for number in [1, 3, 4, 5] { try fixture.remove("d/x.\(number)-of-6.ndjson") }
    let messages = fixture.call("merge", "$/d").messages
    #expect(messages.hasSuffix("note: their numbers, as arrays of tasks take them: 1,3-5\n"))
    for number in [2, 6] { try fixture.remove("d/x.\(number)-of-6.ndjson") }
    let outcome = fixture.call("merge", "$/d")
    #expect(outcome.code == 4)
    #expect(outcome.messages.hasPrefix("autowait: error: no complete shards in $/d"))
    let nowhere = fixture.call("merge", "$/nowhere")
    #expect(nowhere.code == 2)
    #expect(nowhere.messages == "$/nowhere: error: the folder does not exist\n")
  }

  @Test func twiceTheSameIsNoMistake() throws {
    let fixture = try fixture(3)
    let text = try fixture.read("d/x.2-of-3.ndjson")
    try fixture.write("d/again/x.2-of-3.ndjson", text)
    #expect(fixture.call("merge", "$/d") == fixture.call("compare", "$/x.json"))
    // The same sessions in other words are: the digest is right, the rows are not.
    let other = try CommandFixture(["x.json": Self.experiment])
    other.call("compare", "$/x.json", "--shard", "1/2", "--out", "$/d")
    try fixture.write("d/again/x.1-of-2.ndjson", try other.read("d/x.1-of-2.ndjson"))
    let outcome = fixture.call("merge", "$/d")
    #expect(outcome.code == 1)
    #expect(outcome.messages.contains("these are shards of two splits"), "\(outcome.messages)")
  }

  /// Calls that are wrong, with the environment, and what is said.
  @Test(
    arguments: [
      (["--shard", "1/2"], [:], "'--shard' needs a folder to write to"),
      (
        ["--shard", "3/2", "--out", "$/d"], [:], "'--shard' must be a number and how many there are"
      ),
      (
        ["--shard", "1/2", "--out", "$/d", "--json"], [:],
        "'--json' cannot be combined with '--out'"
      ),
      (["--out", "$/d"], [:], "the environment does not say which shard this is"),
      (
        ["--out", "$/d"], ["JOB_COMPLETION_INDEX": "0"],
        "JOB_COMPLETION_INDEX does not say how many shards there are"
      ),
      (
        ["--out", "$/d"], ["JOB_COMPLETION_INDEX": "0", "CI_NODE_INDEX": "1"],
        "both JOB_COMPLETION_INDEX and CI_NODE_INDEX say which shard this is"
      ),
      (
        ["--out", "$/d", "--shard", "auto/2"], ["JOB_COMPLETION_INDEX": "2"],
        "JOB_COMPLETION_INDEX asks for shard 3 of 2"
      ),
      (
        ["--out", "$/d", "--shard", "auto/2"], ["SLURM_ARRAY_TASK_ID": "0"],
        "SLURM_ARRAY_TASK_ID asks for shard 0 of 2"
      ),
      (
        ["--out", "$/d"], ["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "2"],
        "CI_NODE_INDEX must be a whole number, not 'x'"
      ),
      (
        ["--out", "$/d"],
        [
          "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "7",
          "SLURM_ARRAY_TASK_COUNT": "2",
        ], "the array of Slurm has gaps"
      ),
    ] as [([String], [String: String], String)])
  func wrongCallsSayWhatIsRight(
    _ arguments: [String], _ variables: [String: String], _ message: String
  ) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    fixture.variables = variables
    let outcome = fixture.call(["compare", "$/x.json"] + arguments)
    #expect(outcome.code == 2)
    #expect(outcome.messages.hasPrefix("autowait: error: \(message)"), "\(outcome.messages)")
    #expect(try fixture.names() == ["x.json"])
  }

  /// What engines say, and the file that is made.
  @Test(
    arguments: [
      ("auto/3", ["SLURM_ARRAY_TASK_ID": "1"], "1-of-3"),
      ("auto/3", ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "1"], "3-of-3"),
      (
        "auto",
        [
          "SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "5",
          "SLURM_ARRAY_TASK_COUNT": "6",
        ], "5-of-6"
      ),
      ("auto/3", ["JOB_COMPLETION_INDEX": "0"], "1-of-3"),
      ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "3"], "3-of-3"),
      ("auto", ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"], "2-of-3"),
      ("2/3", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "9"], "2-of-3"),
    ] as [(String, [String: String], String)])
  func enginesNumberTheirTasks(
    _ shard: String, _ variables: [String: String], _ name: String
  ) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    fixture.variables = variables
    #expect(fixture.call("compare", "$/x.json", "--shard", shard, "--out", "$/d").code == 0)
    #expect(try fixture.names() == ["d", "d/x.\(name).ndjson", "x.json"])
    if shard == "auto" {
      #expect(
        fixture.call("compare", "$/x.json", "--out", "$/d").messages.contains("is there already"))
    }
  }
}
