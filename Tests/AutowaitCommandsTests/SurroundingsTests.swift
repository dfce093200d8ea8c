import Foundation
import Testing

/// Odd surroundings: locales, folders that cannot be written to, full disks, unexpected names.
///
/// The tool says what is wrong, ends with its code, and
/// leaves no half of a file.
@Suite struct SurroundingsTests {
  private static let scenario = Fixture.scenario(name: "Grüße – „ab“ 日本")
  private static let experiment = CompareCommandTests.experiment

  // MARK: Locales

  /// Calls that print texts for people.
  static let calls = [
    "--help", "--version", "run $/é.json", "run $/é.json --at 8", "run $/é.json --format states",
    "run $/h.json", "run $/h.json --format access-log", "run $/h.json --format error-log",
    "run $/t.json", "test $", "test $/é.json --update", "check $/é.json $/w.json --explain",
    "check $/nöthing.json", "compare $/e.json", "link nlc/lte", "link $/e.csv", "list profiles",
    "list profiles nlc/lte", "list heuristics", "list heuristics mpv", "list metrics",
    "list events", "list keys", "list keys media", "init", "convert --list-formats",
    "convert $/e.csv",
    "completions bash", "manual", "schema zzz", "zonk é", "merge $/none",
    "recipe xargs $/e.json --shards 2",
  ]

  /// `C` means ASCII, whatever stands in files and their names; so does any set of letters that is
  /// not UTF-8.
  @Test(arguments: MarkdownDocument.part(of: calls))
  func aLocaleWithoutLettersHasASCII(_ line: String) throws {
    let fixture = try CommandFixture([
      "é.json": Self.scenario, "e.json": Self.experiment, "e.csv": "t,kbps\n0,500\n9,900\n",
      "w.json": Self.scenario.replacing("3.73 Mbit/s", with: "2000"),
      "t.json": Self.scenario.replacing(
        #""demo/slow-server""#,
        with: #"{"use": "nlc/lte", "events": [{"type": "blackout", "at": 3, "for": 9}]}"#),
      "h.json": Self.scenario.replacing(
        #""kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s""#,
        with: #""kind": "hls", "duration": "60 s", "segmentDuration": "6 s", "variants": "#
          + #"[{"bandwidth": "1 Mbit/s"}, {"bandwidth": "3 Mbit/s"}]"#),
    ])
    for locale in [["LC_ALL": "C", "LANG": "en_US.UTF-8"], ["LANG": "de_DE.ISO-8859-1@euro"]] {
      fixture.variables = locale
      let arguments = line.split(separator: " ").map(String.init)
      for options in [[], ["--color", "always"]] where line.first != "-" {
        let outcome = fixture.call(arguments + options)
        #expect(!(outcome.output + outcome.messages).isEmpty)
        for text in [outcome.output, outcome.messages] {
          let odd = text.split(separator: "\n").first { !$0.utf8.allSatisfy { $0 < 0x80 } }
          #expect(odd == nil)
        }
      }
    }
  }

  /// Columns stay columns: what is spelled with more letters takes them from a gap.
  @Test func aTimelineInASCIIHasItsShape() throws {
    let fixture = try CommandFixture(["x.json": Fixture.playing])
    let text = fixture.call("run", "$/x.json").output
    fixture.variables = ["LANG": "C"]
    let plain = fixture.call("run", "$/x.json").output
    let (lines, plainLines) = (text.split(separator: "\n"), plain.split(separator: "\n"))
    #expect(lines.count == plainLines.count)
    for (line, plainLine) in zip(lines, plainLines) {
      #expect(plainLine.count <= max(line.count, 80), "\(plainLine)")
    }
    for row in [
      "         |-----------+------------+-----------+------------+-------",
      "state    .wwwwwww================================================#.",
      "         . paused   w waits   = plays   # end   buffer @ 5.54 s ahead",
      " 0.349688 s  play -> waiting when loaded >= 0.3 s; to minimize stalls: would not",
      "+ line 12  never: {event: playbackStalled}",
    ] {
      #expect(plainLines.contains { $0 == row }, "\(plain)")
    }
  }

  /// What programs read is the same in every locale.
  @Test(arguments: [
    "run $/x.json --format json", "run $/x.json --format jsonl", "compare $/e.json --csv",
    "compare $/e.json --markdown", "test $ --format tap", "test $ --format json",
    "run $/x.json --html -", "run $/x.json --svg -", "schema", "init train --output -",
  ])
  func whatProgramsReadIsUTF8Everywhere(_ line: String) throws {
    let fixture = try CommandFixture([
      "x.json": Self.scenario.replacing("playbackStalled", with: "seek"), "e.json": Self.experiment,
    ])
    let arguments = line.split(separator: " ").map(String.init)
    let output = fixture.call(arguments).output
    fixture.variables["LC_ALL"] = "C"
    #expect(output != "")
    #expect(fixture.call(arguments).output == output)
  }

  // MARK: Folders and disks

  /// Calls that write a file `x`, and what else they print is of no matter.
  static let writers = [
    "run a.json --output x", "run a.json --html x", "run a.json --svg x", "test a.json --junit x",
    "compare e.json --html x", "compare e.json --csv --output x", "convert e.csv --output x",
    "compare e.json --svg x", "compare e.json --shard 1/2 --out x", "init train --output x",
    "test a.json --update",
  ]

  /// A process of somebody who may write nothing here; the administrator may write everywhere.
  private static let nobody = """
    nobody() {
      if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
      else "$@"; fi
    }

    """

  /// A shard that could not be written may be tried again, which is what 1 says to engines.
  private static func code(_ call: String) -> Int32 { call.contains("--shard") ? 1 : 2 }

  private func fixture() throws -> CommandFixture {
    try CommandFixture([
      "d/a.json": Fixture.playing, "d/e.json": Self.experiment,
      "d/e.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
    ])
  }

  #if os(Linux)
  @Test(arguments: writers)
  func aFolderThatCannotBeWrittenTo(_ call: String) throws {
    let fixture = try fixture()
    let line = """
      \(Self.nobody)cd d && chmod 555 . && nobody "$TOOL" \(call) >/dev/null
      code=$?; chmod 755 .; ls -A; exit $code
      """
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == Self.code(call), "\(outcome.text)")
    #expect(outcome.text.contains(": Permission denied\n"), "\(outcome.text)")
    #expect(outcome.text.hasSuffix("\na.json\ne.csv\ne.json\n"), "\(outcome.text)")
    #expect(!outcome.text.contains(".tmp"), "\(outcome.text)")
  }

  /// A file may not grow, as where the disk is full; and the full device itself.
  @Test(arguments: writers)
  func aFullDisk(_ call: String) throws {
    let fixture = try fixture()
    let line = """
      cd d && (ulimit -f 0; exec "$TOOL" \(call) >/dev/null)
      code=$?; find . -type f | sort; exit $code
      """
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == Self.code(call), "\(outcome.text)")
    #expect(outcome.text.contains("error: "), "\(outcome.text)")
    #expect(outcome.text.hasSuffix("\n./a.json\n./e.csv\n./e.json\n"), "\(outcome.text)")
    #expect(!outcome.text.contains(".tmp"), "\(outcome.text)")
  }

  @Test(arguments: [
    "run a.json > /dev/full", "test a.json > /dev/full", "compare e.json > /dev/full",
    "list metrics > /dev/full", "run a.json --output /dev/full", "run a.json --html /dev/full",
    "test a.json --junit /dev/full", "manual > /dev/full",
  ])
  func aDeviceThatIsFull(_ call: String) throws {
    let fixture = try fixture()
    let outcome = try ProcessTests().shell(fixture, "cd d && \"$TOOL\" \(call)")
    #expect(outcome.code == 2, "\(outcome.text)")
    #expect(outcome.text.contains("No space left on device\n"), "\(outcome.text)")
  }

  /// A signal by the user ends a long command at once, with nothing left of what it wrote.
  ///
  /// What a shell runs in the background, or `nohup`, ignores some signals; here none is ignored.
  @Test(arguments: ["INT", "TERM", "HUP"])
  func anInterruptLeavesNothing(_ signal: String) throws {
    let fixture = try fixture()
    let line = """
      cd d
      env --default-signal "$TOOL" compare e.json --seeds 100000000 --csv --output rows.csv \
        2> /dev/null & tool=$!
      until ls .*.tmp > /dev/null 2>&1; do kill -0 $tool || exit 9; done
      kill -\(signal) $tool
      wait $tool; code=$?; ls -A; exit $code
      """
    let outcome = try ProcessTests().shell(fixture, line)
    let number: Int32 = ["INT": 2, "TERM": 15, "HUP": 1][signal] ?? 0
    #expect(outcome.code == 128 + number)
    #expect(outcome.text.hasSuffix("a.json\ne.csv\ne.json\n"), "\(outcome.text)")
    #expect(!outcome.text.contains(".tmp"), "\(outcome.text)")
  }
  #endif

  /// Who reads no further ends a command quietly, with the code of what was done.
  @Test(arguments: [
    ("run a.json", 0), ("list metrics", 0), ("test b.json", 1), ("manual", 0),
    ("run b.json", 1),
  ])
  func aReaderThatGoesAway(_ call: String, _ code: Int32) throws {
    let fixture = try fixture()
    try fixture.write("d/b.json", Fixture.scenario(startupMax: "1 s"))
    let line = """
      cd d; mkfifo p; head -c 1 < p > /dev/null & "$TOOL" \(call) > p
      """
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == code)
    #expect(outcome.text == "")
  }

  // MARK: Names

  static let names = [
    "a b.json", "it's \"so\".json", "new\nline.json", "\u{1B}[31mred\u{1B}]0;t\u{7}.json",
    "-x.json", "--help.json", "$(reboot).json", "*.json", "ü日本.json",
    String(repeating: "n", count: 250) + ".json",
  ]

  /// A file of any name can be run and tested, written beside itself, and run again by the line
  /// that says how.
  @Test(arguments: names)
  func aNameThatNobodyExpects(_ name: String) throws {
    let fixture = try CommandFixture(["d/\(name)": Fixture.scenario(startupMax: "1 s")])
    let path = fixture.path("d/\(name)")
    HostileText.check(fixture.call(exactly: ["run", path]))
    #expect(fixture.call(exactly: ["run", path]).code == 1)
    let test = fixture.call(exactly: ["test", fixture.path("d")])
    #expect(test.code == 1)
    HostileText.check(test)
    let line = test.output.split(separator: "\n").first { $0.contains("reproduce with: ") }
    let call = try #require(line).split(separator: ": ", maxSplits: 1)[1]
    let again =
      "autowait() { \"$TOOL\" \"$@\"; }; "
      + call.replacing("$/", with: "\(fixture.folder)/")
    // What is quoted by numbers needs a shell that knows them.
    try fixture.write("again", again)
    #expect(try ProcessTests().shell(fixture, "bash again").code == 1, "\(again)")
    let update = fixture.call(exactly: ["test", path, "--update"])
    HostileText.check(update)
    #expect(try fixture.names().contains { $0.hasSuffix(".expected.log") } == (name.count < 240))
  }

  /// A path that begins with a dash is a file behind `--`, and an option before it.
  @Test func aNameThatLooksLikeAnOption() throws {
    let fixture = try fixture()
    try fixture.write("d/-x.json", Fixture.playing)
    let line = "cd d; \"$TOOL\" run -- -x.json | head -n 1; \"$TOOL\" run -x.json"
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == 2)
    #expect(outcome.text.hasPrefix("slow "), "\(outcome.text)")
    #expect(
      outcome.text.contains(
        "error: unknown option '-x.json' of 'autowait run'\n"
          + "note: a file of this name is './-x.json'\n"
      ), "\(outcome.text)")
  }

  /// A name that is no text is refused, and shown as bytes.
  @Test func aNameThatIsNoText() throws {
    let fixture = try CommandFixture()
    let line = #"name=$(printf 'a\377.json'); "$TOOL" run "$name""#
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(outcome.code == 2)
    #expect(
      outcome.text.hasPrefix("autowait: error: the argument $'a\\xFF.json' is not UTF-8\n"),
      "\(outcome.text)")
  }
}
