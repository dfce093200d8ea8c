import Testing

/// A crash of the tool, as a real process: it is called a defect, with what to report, and leaves
/// no half of a file.
@Suite struct CrashTests {
  /// A worker that has answered a job, and so has begun in earnest, is sent a signal of a crash.
  @Test(arguments: ["ILL", "TRAP", "SEGV", "BUS", "FPE", "ABRT"])
  func itIsCalledADefect(_ signal: String) throws {
    let fixture = try CommandFixture(["x y.json": CompareCommandTests.experiment])
    let line = """
      mkfifo in out
      "$TOOL" work 'x y.json' < in > out 2> err & worker=$!
      exec 3> in 4< out
      echo job >&3; read -r line <&4
      kill -\(signal) $worker
      wait $worker; echo $?
      cat err
      """
    let outcome = try ProcessTests().shell(fixture, line)
    let tool = try #require(ProcessTests.tool)
    #expect(
      outcome.text == """
        3
        autowait: error: this is a defect of autowait 0.1.0; please report it with the files and \
        this call
        note: \(tool) work 'x y.json'

        """)
  }

  /// The file that grows beside its place goes with the process that wrote it.
  @Test(arguments: ["--csv --output rows.csv", "--shard 1/1 --out ."])
  func nothingIsLeftOfAFile(_ options: String) throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let line = """
      "$TOOL" compare x.json --seeds 100000000 \(options) 2> /dev/null & worker=$!
      until ls .*.tmp > /dev/null 2>&1; do kill -0 $worker || exit 9; done
      kill -SEGV $worker
      wait $worker; echo $?
      ls -A
      """
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == 0)
    #expect(outcome.text == "3\nx.json\n")
  }

  /// A signal that somebody sends to end the tool is no crash.
  @Test func anEndThatIsWantedIsNone() throws {
    let fixture = try CommandFixture()
    let line = """
      exec 2> /dev/null
      mkfifo in; "$TOOL" work < in 2> err & worker=$!
      exec 3> in; kill -TERM $worker; wait $worker; echo $?; cat err
      """
    #expect(try ProcessTests().shell(fixture, line).text == "143\n")
  }
}
