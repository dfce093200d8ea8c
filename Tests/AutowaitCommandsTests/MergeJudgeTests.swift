import Testing

/// What judges shards: whatever is done to them, `merge` prints what a single run would, or nothing
/// at all.
@Suite struct MergeJudgeTests {
  private static let experiment = CompareCommandTests.experiment

  /// A folder with an experiment that was run in two shards, and what a single run prints.
  private func fixture() throws -> (fixture: CommandFixture, single: CommandFixture.Call) {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    for number in 1...2 {
      fixture.call("compare", "$/x.json", "--shard", "\(number)/2", "--out", "$/d")
    }
    let single = fixture.call("compare", "$/x.json", "--ndjson")
    #expect(single.code == 0 && fixture.call("merge", "$/d", "--ndjson") == single)
    return (fixture, single)
  }

  private func expectRefused(
    _ fixture: CommandFixture, _ single: CommandFixture.Call, _ what: String, orEqual: Bool = false
  ) {
    let call = fixture.call("merge", "$/d", "--ndjson")
    if orEqual, call.code == 0 {
      #expect(call.output == single.output, "\(what)")
      return
    }
    #expect([1, 2].contains(call.code), "\(what): \(call)")
    #expect(call.output == "", "\(what)")
    #expect(call.messages.contains("error: "), "\(what)")
  }

  /// Of a trailer some bytes only say where the experiment lay, or how it is spelled.
  @Test func noByteOfAShardChangesTheResult() throws {
    let (fixture, single) = try fixture()
    let name = "d/x.2-of-2.ndjson"
    let bytes = Array(try fixture.read(name).utf8)
    let rowsEnd = bytes.dropLast().lastIndex(of: 0x0A) ?? 0
    for place in bytes.indices where place % 97 == 0 || bytes[place] == 0x0A {
      var changed = bytes
      changed[place] ^= bytes[place] > 0x40 ? 0x20 : bytes[place] == 0x0A ? 0x03 : 0x01
      try fixture.write(name, changed)
      expectRefused(fixture, single, "byte \(place) is another", orEqual: place > rowsEnd)
      changed = bytes
      changed.remove(at: place)
      try fixture.write(name, changed)
      expectRefused(fixture, single, "byte \(place) is missing", orEqual: place > rowsEnd)
    }
  }

  @Test func rowsAreAllThereOnceAndInOrder() throws {
    let (fixture, single) = try fixture()
    let name = "d/x.1-of-2.ndjson"
    let lines = try fixture.read(name).split(separator: "\n").map(String.init)
    let trailer = lines.count - 1
    let deeds: [(String, [String])] = [
      ("without the first row", Array(lines.dropFirst())),
      ("without the last row", lines[..<(trailer - 1)] + [lines[trailer]]),
      ("with a row twice", [lines[0]] + lines),
      ("with two rows in another order", [lines[1], lines[0]] + lines.dropFirst(2)),
      ("without its trailer", Array(lines.dropLast())),
      ("with its trailer twice", lines + [lines[trailer]]),
      ("with its trailer first", [lines[trailer]] + lines.dropLast()),
      ("with a row behind its trailer", lines + [lines[0]]),
      (
        "with a row of the other one",
        [try fixture.read("d/x.2-of-2.ndjson").split(separator: "\n")[0]]
          .map(String.init) + lines.dropFirst()
      ),
    ]
    for (what, changed) in deeds {
      try fixture.write(name, changed.map { $0 + "\n" }.joined())
      expectRefused(fixture, single, what)
    }
    // The same twice, in one file or in two, is no mistake.
    try fixture.write(name, (lines + lines).map { $0 + "\n" }.joined())
    #expect(fixture.call("merge", "$/d", "--ndjson") == single)
  }

  /// Units that workers made, of which some overlap, some are missing, and some are there twice.
  @Test(arguments: [
    ([[0, 3], [3, 6]], ""), ([[0, 3], [0, 3], [3, 6]], ""), ([[0, 6]], ""),
    ([[0, 3], [2, 6]], "share some sessions, but not all"), ([[0, 6], [2, 3]], "share some"),
    ([[0, 2], [3, 6]], "missing: units 2 to 2"), ([[1, 6]], "missing: units 0 to 0"),
    ([[0, 5]], "missing: units 5 to 5"),
  ])
  func unitsCoverTheExperimentOnce(_ jobs: [[Int]], _ problem: String) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    for (number, units) in jobs.enumerated() {
      fixture.input = ["{\"units\": [\(units[0]), \(units[1])]}\n"]
      let rows = fixture.call("work", "$/x.json").output
      try fixture.write("d/part-\(number)", rows.replacing("$", with: fixture.folder))
    }
    let call = fixture.call("merge", "$/d", "--ndjson")
    if problem.isEmpty {
      #expect(call == fixture.call("compare", "$/x.json", "--ndjson"))
    } else {
      #expect(call.code == 1 && call.output == "")
      #expect(call.messages.contains(problem), "\(call.messages)")
    }
  }

  /// What is done to a shard after it was held against its trailer, and before it is added up.
  ///
  /// The experiment is read between the two, here out of a pipe; who writes into it does the deed
  /// first. One who opens the pipe too late finds it read as empty: once the writer has ended, all
  /// is done again, with more time for it to begin.
  @Test(arguments: [
    ("true", "0\nerr:\n"),
    (
      "sed 's/\"stallCount\":[0-9]*/\"stallCount\":7/' $S > y; mv y $S",
      "1\nerr:\nautowait: error: the file d/x.2-of-2.ndjson was changed while it was read\n"
    ),
    (
      "head -c 500 $S > y; cat y > $S",
      """
      1
      err:
      autowait: error: the file d/x.2-of-2.ndjson was changed while it was read: the last line is \
      cut off

      """
    ),
    (
      "head -n 2 $S > y; cat y > $S",
      "1\nerr:\nautowait: error: the file d/x.2-of-2.ndjson was changed while it was read\n"
    ),
    (
      "sed 's/$/ /' $S > y; cat y > $S",
      "1\nerr:\nautowait: error: the file d/x.2-of-2.ndjson was changed while it was read\n"
    ),
    ("cat d/x.1-of-2.ndjson > $S", "1\nerr:\nautowait: error: "),
    ("rm $S", "1\nerr:\nautowait: error: the file d/x.2-of-2.ndjson does not exist\n"),
  ])
  func aShardThatChangesMeanwhileIsNotAddedUp(_ deed: String, _ outcome: String) throws {
    let (fixture, single) = try fixture()
    let script = """
      S=d/x.2-of-2.ndjson; cp $S whole; mkfifo pipe
      for try in 1 2 3 4 5 6 7 8 9; do
        cp whole $S
        (exec 3>pipe; \(deed); cat x.json >&3) 2> /dev/null & writer=$!
        sleep 0.$((try - 1))
        "$TOOL" merge d --experiment pipe --ndjson > out 2> err; code=$?
        exec 4<>pipe; wait $writer; exec 4>&-
        grep -q 'the file is empty' err || break
      done
      echo $code; echo err:; cat err
      """
    let call = try ProcessTests().shell(fixture, script)
    #expect(call.text.hasPrefix(outcome), "\(call.text)")
    #expect(try fixture.read("out") == (deed == "true" ? single.output : ""))
  }
}
