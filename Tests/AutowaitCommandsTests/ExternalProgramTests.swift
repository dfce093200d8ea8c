import AutowaitCommands
import Testing

/// Rules that are programs: what they are asked, and what becomes of those that fail.
@Suite struct ExternalProgramTests {
  private static let scenario = """
    {"autowait": 1, "link": "demo/slow-server",
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "heuristic": {"program": ["./rule.sh"], "timeout": "TIMEOUT"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """

  private func fixture(_ script: String, timeout: String = "30 s") throws -> CommandFixture {
    let fixture = try CommandFixture([
      "a.json": Self.scenario.replacing("TIMEOUT", with: timeout),
      "rule.sh": "#!/bin/sh\n" + script + "\n",
    ])
    try fixture.makeExecutable("rule.sh")
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    return fixture
  }

  private static let patient = """
    while read -r question; do
      case $question in
        *'"waited":0,'*|*'"waited":0.'*) echo '{"keepsUp": false, "askAgain": "0.5 s"}' ;;
        *) echo true ;;
      esac
    done
    """

  @Test func answersLeadTheRun() throws {
    let fixture = try fixture(Self.patient)
    let call = fixture.call("run", "$/a.json", "--format", "json")
    #expect(call.code == 0)
    #expect(call.messages == "")
    #expect(call.output.contains(#""firstPlayed":1,"#), "\(call.output)")
    // The timeline takes two runs, and both are the same.
    #expect(fixture.call("run", "$/a.json").code == 0)
    fixture.call("run", "$/a.json", "--format", "jsonl", "--output", "$/a.log")
    let replay = fixture.call("replay", "$/a.log")
    #expect(replay.output.hasPrefix("identical: "), "\(replay)")
    // Another program is another input.
    try fixture.write("rule.sh", "#!/bin/sh\nexit 1\n")
    let other = fixture.call("replay", "$/a.log")
    #expect(other.code == 2)
    #expect(other.messages.contains("the file './rule.sh' is not the one that was recorded"))
  }

  /// What else is asked of a run is repeated with the answers that there are, so that a program
  /// that answers otherwise each time gives one run, whatever is printed and drawn of it.
  @Test(arguments: [
    "--format json", "--format timeline", "--at 5", "--format jsonl", "--svg $/a.svg",
    "--svg $/a.svg --html $/a.html --output $/a.txt --at 5 --event-by-event",
  ])
  func aRunStartsItsProgramOnce(_ options: String) throws {
    let count = "echo x >> \"${0%/*}/starts\"; n=$(wc -l < \"${0%/*}/starts\");"
    let fixture = try fixture(
      count + """
         while read -r question; do
          case $n$question in
            [2-9]*|*'"waited":0,'*) echo '{"keepsUp": false, "askAgain": "0.5 s"}' ;;
            *) echo true ;;
          esac
        done
        """)
    let call = fixture.call(["run", "$/a.json"] + options.split(separator: " ").map(String.init))
    #expect(call.code == 0, "\(call)")
    #expect(try fixture.read("starts") == "x\n")
    #expect(call.messages == "")
  }

  /// A session that a page shows closely is run once more, for all of its pictures.
  @Test func aPageStartsAProgramOnceMoreForASession() throws {
    let fixture = try fixture("echo x >> \"${0%/*}/starts\"\n" + Self.patient)
    try fixture.write(
      "e.json",
      """
      {"experiment": 1, "base": "a.json", "baseline": "media3",
       "vary": {"heuristic": ["media3", {"name": "own", "program": ["./rule.sh"]}]}}
      """)
    func starts(_ options: String...) throws -> Int {
      try fixture.write("starts", "")
      let call = fixture.call(["compare", "$/e.json"] + options)
      #expect(call.code == 0, "\(call)")
      return try fixture.read("starts").split(separator: "\n").count
    }
    #expect(try starts() == 1)
    #expect(try starts("--html", "$/e.html") == 2)
    #expect(try starts("--html", "$/e.html", "--sessions", "0") == 1)
  }

  @Test func questionsAreLinesOfJSON() throws {
    let fixture = try fixture(
      "read -r question; printf '%s\\n' \"$question\" > \"${0%/*}/asked\"; echo true; cat >&2")
    #expect(fixture.call("run", "$/a.json", "--format", "json").code == 2)
    #expect(
      try fixture.read("asked")
        == #"{"n":1,"player":0,"t":0,"situation":"start","waiting":true,"waited":0,"speed":1,"#
        + #""currentTime":0,"buffered":0,"left":39,"missing":18183750,"received":0,"open":0,"#
        + #""fillRate":0,"full":false}"# + "\n")
  }

  @Test(arguments: [
    ("read -r q; exit 3", "ended with the code 3, at question 1", nil),
    ("exit 0", "ended with the code 0, at question 1", nil),
    ("kill -9 $$", "was ended by the signal 9, at question 1", nil),
    ("read -r q; echo true; read -r q; exit 4", "ended with the code 4, at question 2", nil),
    ("read -r q; echo perhaps; cat", "gave an invalid answer, at question 1", "'perhaps'"),
    ("read -r q; echo '{\"keepsUp\": 1}'; cat", "gave an invalid answer, at question 1", nil),
    ("read -r q; echo '{\"askAgain\": 1}'; cat", "gave an invalid answer, at question 1", nil),
    (
      "read -r q; echo '{\"keepsUp\": true, \"n\": 2}'; cat",
      "gave an invalid answer, at question 1", nil
    ),
    ("read -r q; echo; cat", "gave an invalid answer, at question 1", nil),
    ("read -r q; printf 'true\\nfalse\\n'; cat", "wrote more than one line", "'false"),
    ("exec yes true", "wrote more than one line, at question 1", nil),
    ("yes | tr -d '\\n'", "wrote a line of more than 65536 bytes, at question 1", "'yyyyyy"),
    ("read -r q; printf half; exit 5", "ended with the code 5, at question 1", "'half'"),
  ])
  func failuresAreTold(_ script: String, _ message: String, _ note: String?) throws {
    let call = try fixture(script).call("run", "$/a.json", "--format", "json")
    #expect(call.code == 2)
    #expect(call.output == "")
    let head = "$/a.json:3:27: error: the rule './rule.sh' \(message)"
    #expect(call.messages.hasPrefix(head), "\(call.messages)")
    if let note { #expect(call.messages.contains("note: it wrote \(note)"), "\(call.messages)") }
  }

  /// A program that does not answer, or does so with half a line, is stopped with what it started.
  @Test(arguments: [
    "sleep 600", "read -r q; printf half; sleep 600", "sleep 600 & cat > /dev/null",
  ])
  func slowProgramsAreStopped(_ script: String) throws {
    let fixture = try fixture(script, timeout: "0.2 s")
    let call = fixture.call("run", "$/a.json", "--format", "json")
    #expect(call.code == 2)
    #expect(call.messages.contains("' gave no answer within 0.2 s, at question 1"), "\(call)")
  }

  @Test(arguments: [
    ("../rule.sh", "the program '../rule.sh' lies outside of the scenario's root, '$'"),
    ("/bin/cat", "the program '/bin/cat' must be a path relative to the scenario"),
    ("./none.sh", "the program './none.sh' does not exist"),
  ])
  func programsLieInTheRoot(_ path: String, _ message: String) throws {
    let fixture = try CommandFixture([
      "a.json": Self.scenario.replacing("./rule.sh", with: path).replacing("TIMEOUT", with: "1 s")
    ])
    let call = fixture.call("check", "$/a.json")
    #expect(call.code == 2)
    #expect(call.messages.contains("error: \(message)\n"), "\(call.messages)")
  }

  @Test func programsThatCannotBeStarted() throws {
    let fixture = try CommandFixture([
      "a.json": Self.scenario.replacing("TIMEOUT", with: "1 s"), "rule.sh": "x",
    ])
    let call = fixture.call("test", "$/a.json", "--allow-programs")
    #expect(call.code == 2 || call.code == 1)
    #expect(
      (call.output + call.messages).contains("the rule './rule.sh' cannot be started: "), "\(call)")
  }
}
