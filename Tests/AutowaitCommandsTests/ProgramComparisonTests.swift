import AutowaitCommands
import Foundation
import Testing

/// Programs that compete with other rules: `autowait compare`, its shards, and `autowait work`.
@Suite struct ProgramComparisonTests {
  /// Two seconds ahead are enough.
  private static let patient = """
    #!/bin/sh
    while read -r question; do
      ahead=${question#*\\"buffered\\":}
      ahead=${ahead%%[.,]*}
      if [ "$ahead" -ge 2 ]; then echo true; else echo '{"keepsUp": false, "askAgain": 0.05}'; fi
    done

    """

  private static func experiment(
    _ rules: String, base: String = "", links: String = #"["demo/fast", "demo/slow-server"]"#
  ) -> String {
    """
    {
      "experiment": 1,
      "base": {
        "link": "demo/slow-server",
        "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]\(base)
      },
      "vary": {
        "heuristic": [\(rules)],
        "link": \(links),
        "seed": 3
      }
    }
    """
  }

  private static let two = #""avfoundation", {"program": ["./two.sh"], "timeout": "60 s"}"#

  private func fixture(_ text: String, _ scripts: [String: String] = [:]) throws -> CommandFixture {
    let fixture = try CommandFixture(["x.json": text, "two.sh": Self.patient])
    try fixture.makeExecutable("two.sh")
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    for (name, script) in scripts {
      try fixture.write(name, "#!/bin/sh\n" + script + "\n")
      try fixture.makeExecutable(name)
    }
    return fixture
  }

  /// The program gives what it gives in `autowait run` of the article on rules.
  @Test func programsCompete() throws {
    let fixture = try fixture(Self.experiment(Self.two))
    let call = fixture.call("compare", "--ndjson", "$/x.json")
    #expect(call.code == 0)
    #expect(call.messages == "")
    let rows = call.output.split(separator: "\n")
    #expect(rows.count == 12)
    let slow = rows.filter { $0.contains("./two.sh timeout 60 s") && $0.contains("slow-server") }
    #expect(slow.count == 3)
    let expected =
      #""outcome":"ended","timeSpentInInitialStartup":2.35,"stallCount":2,"#
      + #""timeSpentRecoveringFromStall":4.7,"#
    #expect(slow.allSatisfy { $0.contains(expected) })
    #expect(fixture.call("check", "$/x.json").code == 0)
  }

  @Test(arguments: ["--json", "--csv", "--ndjson", "--markdown", "--color=never"])
  func threadsChangeNothing(_ format: String) throws {
    let dying = #", {"name": "dies", "program": ["./dies.sh"], "timeout": "60 s"}"#
    let fixture = try fixture(
      Self.experiment(Self.two + dying), ["dies.sh": "read -r q; exit 3"])
    let one = fixture.call("compare", format, "--jobs", "1", "$/x.json")
    #expect(one.code == 1)
    for jobs in ["2", "7"] {
      #expect(fixture.call("compare", format, "--jobs", jobs, "$/x.json") == one)
    }
  }

  @Test func aPageShowsSessionsOfPrograms() throws {
    let fixture = try fixture(Self.experiment(Self.two))
    _ = fixture.call("compare", "$/x.json", "--html", "$/x.html", "--sessions", "1")
    let page = try fixture.read("x.html")
    #expect(page.contains("<summary>./two.sh timeout 60 s on demo/slow-server, seed 1"))
  }

  /// A rule that fails where it is hard would be the best of all by the rest.
  @Test func whoFailsCannotBeBest() throws {
    let rules =
      #""avfoundation", "mpv", {"name": "dies", "program": ["./dies.sh"], "timeout": "60 s"}"#
    let fixture = try fixture(
      Self.experiment(rules),
      [
        // It plays at once over the fast link, and dies when it is asked a second time.
        "dies.sh": "read -r q; echo true; read -r q || exit 0; exit 3"
      ])
    let call = fixture.call("compare", "$/x.json")
    #expect(call.code == 1)
    let lines = call.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("could not be run  3 sessions of dies, left out of this answer"))
    #expect(lines.contains { $0.hasPrefix("starts soonest    mpv: ") }, "\(call.output)")
    #expect(lines.contains { $0.hasPrefix("best for whom     avfoundation, if ") })
    let head = try #require(lines.firstIndex { $0.contains("never  errors  stalled") })
    let names = lines[(head + 1)...].prefix(4).map { $0.prefix { $0 != " " } }
    #expect(names == ["clairvoyant", "avfoundation", "mpv", "dies"])
    #expect(
      call.messages.hasPrefix(
        "$/x.json: error: session 11, 'dies' on demo/slow-server, seed 1: the rule './dies.sh' "
          + "ended with the code 3, at question 2\n"), "\(call.messages)")
    // Without it there is no such column.
    let sound = try self.fixture(Self.experiment(#""avfoundation", "mpv""#))
    #expect(!sound.call("compare", "$/x.json").output.contains("errors"))
  }

  /// Of many sessions that could not be run some are told, and how many there are.
  @Test func failuresAreCounted() throws {
    let text = Self.experiment(#"{"program": ["./mute.sh"], "timeout": "60 s"}"#)
      .replacing("\"seed\": 3", with: "\"seed\": 12")
    let fixture = try fixture(text, ["mute.sh": "read -r q; echo perhaps"])
    let call = fixture.call("compare", "$/x.json")
    #expect(call.code == 1)
    #expect(call.messages.contains("gave an invalid answer, at question 1; it wrote 'per"))
    #expect(call.messages.hasSuffix("note: so could 4 more sessions not\n"), "\(call.messages)")
    #expect(!call.output.contains("starts soonest"))
    let csv = fixture.call("compare", "--csv", "$/x.json").output.split(separator: "\n")
    #expect(csv.count == 25)
    #expect(csv[1].contains(",error,") && csv[1].contains("at question 1; it wrote 'perhaps'"))
  }

  /// Whatever a program does, it is gone when the comparison is over, with what it has started.
  @Test(arguments: [
    "echo true; trap '' TERM HUP INT; while :; do sleep 0.1; done", "sleep 600 & cat > /dev/null",
    "echo true; sleep 600", "sleep 600",
  ])
  func nothingIsLeftBehind(_ rest: String) throws {
    let rules = #"{"program": ["./stays.sh"], "timeout": "1.5 s"}"#
    let note = "echo $$ >> \"${0%/*}/numbers\"; read -r q; "
    let fixture = try fixture(Self.experiment(rules), ["stays.sh": note + rest])
    _ = fixture.call("compare", "--jobs", "3", "$/x.json")
    let numbers = try fixture.read("numbers").split(separator: "\n").compactMap { pid_t($0) }
    #expect(numbers.count == 6)
    for number in numbers { #expect(kill(number, 0) == -1 && errno == ESRCH) }
  }

  #if !canImport(Darwin)
  /// A signal ends programs too that do not listen, while they are asked; one that is ignored does
  /// not.
  @Test(arguments: ["INT", "TERM", "HUP"])
  func signalsEndPrograms(_ signal: String) throws {
    let rules = #"{"program": ["./stays.sh"], "timeout": "60 s"}"#
    let script = "trap '' TERM HUP INT; echo $$ >> \"${0%/*}/numbers\"; while :; do sleep 0.1; done"
    let fixture = try fixture(Self.experiment(rules), ["stays.sh": script])
    let line = """
      exec 2>/dev/null
      (until [ "$(cat numbers | wc -l)" -ge 2 ]; do sleep 0.02; done; kill -\(signal) $$) &
      exec "$0" compare x.json --allow-programs --jobs 2 > /dev/null
      """
    let status = try Self.shell(fixture, line)
    #expect(status == ["INT": SIGINT, "TERM": SIGTERM, "HUP": SIGHUP][signal])
    let programs = try fixture.read("numbers").split(separator: "\n").compactMap { pid_t($0) }
    #expect(programs.count == 2)
    for program in programs { #expect(Self.isGone(program)) }
  }

  /// Whether a process ends, or has ended and was taken over by somebody who does not look; on a
  /// busy machine it may take a while to die.
  private static func isGone(_ process: pid_t) -> Bool {
    for _ in 0..<1_000 {
      let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      if state == nil || state?.contains(") Z ") == true { return true }
      _ = poll(nil, 0, 10)
    }
    return false
  }

  /// Runs a line of the shell in which `$0` is the tool; returns the signal that ends it.
  ///
  /// Signals come through, which the threads of tests block.
  private static func shell(_ fixture: CommandFixture, _ line: String) throws -> Int32 {
    var (attributes, signals) = (posix_spawnattr_t(), sigset_t())
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ["sh", "-c", "cd '\(fixture.folder)'\n" + line, try #require(ProcessTests.tool)]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    try #require(
      posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, &variables) == 0)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F
  }
  #endif

  @Test func shardsWithProgramsComeToTheSame() throws {
    let fixture = try fixture(Self.experiment(Self.two))
    for shard in ["1/2", "2/2"] {
      let call = fixture.call("compare", "$/x.json", "--shard", shard, "--out", "$/shards")
      #expect(call.code == 0, "\(call)")
    }
    let merged = fixture.call("merge", "$/shards")
    #expect(merged.code == 0, "\(merged)")
    #expect(merged.output == fixture.call("compare", "$/x.json").output)
    // Another program is another experiment.
    try fixture.write("two.sh", Self.patient + "# changed\n")
    let other = fixture.call("compare", "$/x.json", "--shard", "1/2", "--out", "$/shards")
    #expect(other.code == 2)
    #expect(other.messages.contains("was made from another version of"))
  }

  @Test func workersAskPrograms() throws {
    let fixture = try fixture(Self.experiment(Self.two))
    let scenario = Self.experiment(Self.two).split(separator: "\n")[3...5].joined()
    try fixture.write(
      "a.json", "{" + scenario + #", "heuristic": {"program": ["./two.sh"], "timeout": "60 s"}}"#)
    try fixture.write(
      "b.json", "{" + scenario + #", "heuristic": {"program": ["./none.sh"]}}"#)
    fixture.input = [
      "{\"units\": [0, 1]}\n", "{\"scenario\": \"\(fixture.path("a.json"))\"}\n",
      "{\"scenario\": \"\(fixture.path("b.json"))\"}\n",
    ]
    let call = fixture.call("work", "$/x.json")
    let lines = call.output.split(separator: "\n")
    #expect(lines.count == 6, "\(call)")
    #expect(lines[1].contains("\"contestant\":\"./two.sh timeout 60 s\""))
    #expect(lines[3].contains("\"timeSpentRecoveringFromStall\":4.7,"))
    #expect(lines[4].contains("the program './none.sh' does not exist"))
  }

  /// What the base names lies beside the base, and what the experiment names beside the experiment.
  @Test func programsLieBesideWhoNamesThem() throws {
    let base = """
      {
        "link": "demo/slow-server",
        "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
        "heuristic": {"program": ["./two.sh"], "timeout": "60 s"},
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      }
      """
    let fixture = try CommandFixture([
      "Scenarios/a/base.json": base, "Scenarios/a/two.sh": Self.patient,
      "Scenarios/b/dies.sh": "#!/bin/sh\nexit 3\n",
      "Scenarios/b/x.json": #"{"experiment": 1, "base": "../a/base.json"}"#,
      "Scenarios/b/y.json": #"{"experiment": 1, "base": "../a/base.json", "vary": "#
        + #"{"heuristic.program": [["./dies.sh", "-f"]]}}"#,
    ])
    try fixture.makeExecutable("Scenarios/a/two.sh")
    try fixture.makeExecutable("Scenarios/b/dies.sh")
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    let call = fixture.call("compare", "--ndjson", "$/Scenarios/b/x.json")
    #expect(call.output.contains("\"timeSpentRecoveringFromStall\":4.7,"), "\(call)")
    let other = fixture.call("compare", "--ndjson", "$/Scenarios/b/y.json")
    #expect(other.output.contains("\"contestant\":\"program ./dies.sh -f\""), "\(other)")
    #expect(other.messages.contains("the rule './dies.sh' ended with the code 3, at question 1"))
  }
}
