import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// All that is wrong with an experiment is told at once, at its place.
@Suite struct ReaderTests {
  private func check(
    _ text: String, files: ExperimentFiles = .none, _ expected: String...
  ) {
    let source = SourceText(path: "x.json", text: text)
    let (plan, findings) = ExperimentReader.read(source, files: files)
    #expect(plan == nil)
    let lines = findings.map { finding in
      let notes = finding.notes.map { " | \($0)" }.joined()
      return "\(finding.path):\(finding.line):\(finding.column): \(finding.message)\(notes)"
    }
    #expect(lines == expected)
  }

  @Test func aScenarioIsToldAsSuch() {
    check(
      "{\"autowait\": 1, \"link\": \"demo/fast\"}",
      "x.json:1:14: this is a scenario, not an experiment"
        + " | 'autowait run' plays scenarios; an experiment names one as its 'base'")
  }

  @Test func misspeltKeys() {
    check(
      "{\"experiment\": 1, \"bsae\": {}, \"vary\": {}}",
      "x.json:1:19: unknown key 'bsae' | did you mean 'base'?")
    check(
      ExperimentFixture.experiment(#""heuristc": ["vlc"], "links": ["demo/fast"]"#),
      "x.json:4:10: 'heuristc' is not a key of a scenario that can vary"
        + " | did you mean 'heuristic'?",
      "x.json:4:31: 'links' is not a key of a scenario that can vary | did you mean 'link'?")
  }

  @Test func aNumberThatIsReplacedIsRefused() {
    check(
      ExperimentFixture.experiment(#""link": ["demo/fast"]"#, base: #"{"link": 0}"#),
      "x.json:1:36: 'link' of the base must not be a number, true or false")
  }

  @Test func unknownNames() {
    check(
      ExperimentFixture.experiment(#""heuristic": ["vcl"], "link": ["demo/slow-servr", "nlx/*"]"#),
      "x.json:4:24: unknown rule 'vcl' | did you mean 'vlc'?",
      "x.json:4:60: no link that is built in is called 'nlx/*' | did you mean 'nlc/*'?")
    check(
      ExperimentFixture.experiment(#""link": ["demo/fast", "demo/slow-servr"]"#),
      "x.json:4:32: unknown link 'demo/slow-servr' | did you mean 'demo/slow-server'?")
    check(
      ExperimentFixture.experiment(#""heuristic": ["vlc", "mpv"]"#, more: #", "baseline": "vcl""#),
      "x.json:4:52: there is no contestant 'vcl' | did you mean 'vlc'?")
  }

  @Test func aMistakeInTheBaseIsToldWhereItStands() {
    check(
      ExperimentFixture.experiment(
        #""heuristic": ["vlc"]"#,
        base: ExperimentFixture.base.replacing("\"39 s\"", with: "\"39 q\"")),
      "x.json:2:48: 'duration' has the unknown unit 'q' | the units are: 'ns', 'us', 'ms', 's',"
        + " 'min', 'h', 'd'")
    let files = ExperimentFixture.files(["b.json": "{\n  \"lnik\": 3\n}"])
    check(
      ExperimentFixture.experiment(#""link": "demo/fast""#, base: "\"b.json\""), files: files,
      "b.json:1:1: a scenario needs the key 'media'",
      "b.json:1:1: a scenario without the key 'script' does nothing"
        + #" | try "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]"#,
      "b.json:2:3: unknown key 'lnik' | did you mean 'link'? that key is there already")
  }

  @Test func aMistakeInAValueIsToldWhereItStands() {
    check(
      ExperimentFixture.experiment(#""player.defaultRate": [1, "fast"], "until": ["1 h", "1 hh"]"#),
      "x.json:4:36: 'defaultRate' must be a playback rate such as 1.5",
      "x.json:4:62: 'until' has the unknown unit 'hh' | did you mean 'h'?")
    check(
      ExperimentFixture.experiment(
        #""heuristic": [{"rule": "buffered", "start": "1 s"}], "heuristic.resume": ["2 x"]"#),
      "x.json:4:84: 'resume' has the unknown unit 'x' | the units are: 'ns', 'us', 'ms', 's',"
        + " 'min', 'h', 'd'")
  }

  /// However many rules lack the key, and whatever each has instead.
  @Test func aKeyThatNoRuleHasIsToldOnceAndWhereItStands() {
    check(
      ExperimentFixture.experiment(
        #""heuristic": ["vlc", "media3", "mpv"], "heuristic.networkCashing": ["2 s"]"#),
      "x.json:4:49: unknown key 'networkCashing' | did you mean 'networkCaching'?")
  }

  @Test func twoValuesOfOneName() {
    check(
      ExperimentFixture.experiment(#""link": ["demo/*", "demo/fast"]"#),
      "x.json:4:29: 'link' has two values 'demo/fast'")
  }

  @Test(arguments: [
    ("[]", "'seed' has no seeds"), ("[1.5]", "a seed must be a whole number"),
    ("0", "'seed' must be a list of seeds, a number of them, or an object with 'from' and 'to'"),
    (#"{"from": 5, "to": 4}"#, "'to' must be 'from' or a little more"),
  ])
  func seeds(_ value: String, _ message: String) {
    let source = SourceText(
      path: "x.json", text: ExperimentFixture.experiment("\"seed\": \(value)"))
    let (plan, findings) = ExperimentReader.read(source, files: .none)
    #expect(plan == nil)
    #expect(findings.map(\.message) == [message])
  }

  @Test func whatIsTooMuchIsRefusedBeforeItIsThere() {
    let values = (0..<2_000).map { "\"\($0 + 1) s\"" }.joined(separator: ", ")
    check(
      ExperimentFixture.experiment(
        "\"heuristic.start\": [\(values)], \"heuristic.resume\": [\(values)]"),
      "x.json:4:9: there are more than 10000 contestants")
    check(
      ExperimentFixture.experiment(
        #""seed": 900000000000000, "link": ["demo/fast", "demo/slow-server"]"#),
      "x.json:4:9: there are more than 1000000000000000 sessions")
  }

  @Test func trillionsOfSessionsAreAPlanAndNoArray() throws {
    let plan = try ExperimentFixture.plan(
      ExperimentFixture.experiment(#""heuristic": "*", "link": "demo/*", "seed": 100000000000"#))
    #expect(plan.sessionCount == RuleCatalogue.all.count * 3 * 100_000_000_000)
    let last = plan.unit(plan.unitCount - 1)
    #expect(last.seed == 100_000_000_000)
    #expect(plan.worldNames(last.world) == ["demo/offline"])
  }

  @Test func filesAreFoundBesideTheFileThatNamesThem() throws {
    var asked: [String] = []
    let trace = "0,1000\n1,1000\n"
    let loader = FileLoader { path, base in
      asked.append("\(path) from \(base)")
      let text =
        path.hasSuffix(".json")
        ? ExperimentFixture.base.replacing("demo/slow-server", with: "b.csv")
        : trace
      return .success(SourceText(path: path, text: text))
    }
    let files = ExperimentFiles(loader: loader) { folder, _ in .success([folder + "1.csv"]) }
    let text = ExperimentFixture.experiment(
      #""link": ["traces/", "2.csv"]"#, base: "\"bases/base.json\"")
    _ = ExperimentReader.read(SourceText(path: "exp/x.json", text: text), files: files)
    #expect(asked.contains("bases/base.json from exp/x.json"))
    #expect(asked.contains("traces/1.csv from exp/x.json"))
    #expect(asked.contains("2.csv from exp/x.json"))
    let own = ExperimentFixture.experiment(#""heuristic": "vlc""#, base: "\"bases/base.json\"")
    _ = ExperimentReader.read(SourceText(path: "exp/x.json", text: own), files: files)
    #expect(asked.contains("b.csv from bases/base.json"))
  }

  @Test func damagedFilesNeverCrash() {
    let text = Array(
      ExperimentFixture.experiment(
        #""heuristic": ["vlc", {"rule": "buffered", "start": 1}], "link": "demo/*", "seed": 3"#,
        more: #", "margin": 1, "stop": {"halfWidth": 1}, "metrics": ["wallTime"]"#
      ).utf8)
    var stream = RandomStream(seed: 1, component: "test", purpose: "damage")
    for _ in 0..<400 {
      var bytes = text
      for _ in 0...stream.next(below: 3) {
        let place = Int(stream.next(below: UInt64(bytes.count)))
        let letters = Array("\"{}[],:0*./@x".utf8)
        bytes[place] = letters[Int(stream.next(below: UInt64(letters.count)))]
      }
      let source = SourceText(path: "x.json", bytes: bytes)
      let (plan, findings) = ExperimentReader.read(source, files: .none)
      #expect(plan != nil || !findings.isEmpty)
    }
  }
}
