import AutowaitScenario
import Testing

/// Scenarios that vary: one file, several runs, each with a name.
@Suite struct VariedRunTests {
  /// A scenario in which some parts are spelled by who asks.
  static func scenario(
    _ vary: String = "", rate: String = "\"2 Mbit/s\"", heuristic: String = "\"fixed\"",
    seed: String = "0", start: String = "0"
  ) -> String {
    """
    {"autowait": 1, "name": "base", "seed": \(seed),
     "link": {"name": "l", "up": {"delay": "50 ms"},
              "down": {"rate": \(rate), "delay": "50 ms", "jitter": {"deviation": "20 ms"}}},
     "media": {"kind": "progressive", "duration": "10 s", "bitrate": "1 Mbit/s"},
     "heuristic": \(heuristic),
     "script": [{"at": 0, "do": "load"}, {"at": \(start), "do": "play"}],
     "expect": [{"metric": "stallCount", "==": 0}]\(vary.isEmpty ? "" : ",\n \"vary\": \(vary)")}
    """
  }

  /// The lines of a log behind its header, and those of the next logs.
  private static func events(_ log: String) -> [String] {
    log.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("{\"autowaitLog\"") }
  }

  /// Each combination is the run of a file in which the values are written by hand, in the order of
  /// the matrix: the first axis varies slowest.
  @Test func runsAreThoseOfFilesWrittenByHand() throws {
    let vary = """
      {"link.down.rate": ["2 Mbit/s", 900000], "heuristic": ["fixed", "vlc"],
       "seed": {"from": 3, "to": 4}, "script[1].at": [0, "1.5 s"]}
      """
    let fixture = try CommandFixture(["a.json": Self.scenario(vary)])
    var byHand: [(name: String, text: String)] = []
    for (rate, rateName) in [("\"2 Mbit/s\"", "rate-2-Mbit-s"), ("900000", "rate-900000")] {
      for heuristic in ["fixed", "vlc"] {
        for seed in ["3", "4"] {
          for (start, startName) in [("0", "at-0"), ("\"1.5 s\"", "at-1.5-s")] {
            byHand.append(
              (
                [rateName, heuristic, "seed-\(seed)", startName].joined(separator: "_"),
                Self.scenario(
                  rate: rate, heuristic: "\"\(heuristic)\"", seed: seed, start: start)
              ))
          }
        }
      }
    }
    var all: [String] = []
    var distinct: Set<String> = []
    for (name, text) in byHand {
      try fixture.write("hand/x.json", text)
      let expected = fixture.call("run", "$/hand/x.json", "--format", "jsonl").output
      let run = fixture.call("run", "$/a.json", "--run", name, "--format", "jsonl")
      #expect(run.code <= 1 && run.messages == "", "\(name): \(run.messages)")
      #expect(Self.events(run.output) == Self.events(expected), "\(name)")
      // Nothing of what varies is left, so that even the headers are equal.
      #expect(run.output == expected, "\(name)")
      all += Self.events(run.output)
      distinct.insert(run.output)
    }
    #expect(distinct.count == byHand.count)
    #expect(Self.events(fixture.call("run", "$/a.json", "--format", "jsonl").output) == all)
    let lines = fixture.call("run", "$/a.json", "--format", "json").output.split(separator: "\n")
    let names = lines.compactMap { line in
      line.split(separator: "\"run\":\"").last?.split(separator: "\"").first.map(String.init)
    }
    #expect(names == byHand.map(\.name))
  }

  /// What varies, and how the runs are called.
  @Test(arguments: [
    (#"{"link": ["demo/fast", "nlc/3g"]}"#, ["demo-fast", "nlc-3g"]),
    (#"{"link": [{"name": "Hotel Wi-Fi!", "rate": "1 Mbit/s"}]}"#, ["Hotel-Wi-Fi"]),
    (#"{"heuristic": [{"name": "at once", "rule": "fixed"}, "vlc"]}"#, ["at-once", "vlc"]),
    (#"{"until": [60, "1.5 s"]}"#, ["until-60", "until-1.5-s"]),
    (#"{"seed": 3}"#, ["seed-1", "seed-2", "seed-3"]), (#"{"seed": [9]}"#, ["seed-9"]),
    (#"{"seed": {"from": 5, "to": 6}}"#, ["seed-5", "seed-6"]),
    (
      #"{"player.automaticallyWaitsToMinimizeStalling": [true, false]}"#,
      [
        "automaticallyWaitsToMinimizeStalling-true",
        "automaticallyWaitsToMinimizeStalling-false",
      ]
    ),
    (#"{"seed": [1, 2], "link": ["demo/fast"]}"#, ["seed-1_demo-fast", "seed-2_demo-fast"]),
    (
      #"[{"name": "tunnel", "set": {"link": "demo/fast"}}, {"name": "as it is"}]"#,
      ["tunnel", "as-it-is"]
    ),
    (
      #"{"network": [{"name": "a", "set": {"link": "demo/fast", "until": 9}}], "seed": 2}"#,
      ["a_seed-1", "a_seed-2"]
    ),
    (
      #"{"link": [{"name": "cut", "set": {"link.down.rate": 9e5}}, "demo/fast"]}"#,
      ["cut", "demo-fast"]
    ),
    (#"{"link.down.rate": [1e6], "link": ["nlc/3g"]}"#, ["rate-1e6_nlc-3g"]),
  ])
  func runsHaveNames(_ vary: String, _ names: [String]) {
    let source = SourceText(path: "a.json", text: Self.scenario(vary))
    #expect(ScenarioReader.runNames(source, loader: .none) == names)
    for name in names {
      let (scenario, findings) = ScenarioReader.read(
        source, ScenarioReader.Variation(run: name), loader: .none, programs: .nobodyStarts)
      #expect(scenario?.runName == name && findings == [], "\(findings.map(\.rendered))")
    }
  }

  /// What cannot vary, and what is said of it.
  @Test(arguments: [
    ("{}", "8:10: error: 'vary' has no runs"), ("[]", "8:10: error: 'vary' has no runs"),
    ("3", "8:10: error: 'vary' must be an object of paths with values, or a list of runs, not a "),
    (#"{"link": []}"#, "8:19: error: 'link' has no values"),
    (#"{"lnik": ["demo/fast"]}"#, "8:11: error: unknown key 'lnik'"),
    (#"{"link": ["demo/fst"]}"#, "8:20: error: unknown link 'demo/fst'"),
    (#"{"until": [1, 1]}"#, "8:24: error: two runs are called 'until-1'"),
    (#"{"link": ["nlc/3g", "NLC 3G"]}"#, "8:30: error: two runs are called 'NLC-3G'"),
    (#"[{"name": "a"}, {"name": "A"}]"#, "8:26: error: two runs are called 'A'"),
    (#"[{"set": {"until": 1}}]"#, "8:11: error: a run needs the key 'name'"),
    (#"[{"name": "a", "sett": {}}]"#, "8:25: error: unknown key 'sett'"),
    (#"[{"name": "日本"}]"#, "8:11: error: this cannot be the name of a run"),
    (#"[7]"#, "8:11: error: a run must be an object, not a number"),
    (#"{"player": [{}]}"#, "8:22: error: an object that varies needs a name"),
    (#"{"script": [[]]}"#, "8:22: error: a list that varies needs a name"),
    (#"{"a..b": [1]}"#, "8:11: error: the path has a key without a name"),
    (#"{"script[9].at": [1]}"#, "8:11: error: there is no element 9"),
    (#"{"extends": ["b.json"]}"#, "8:11: error: 'extends' cannot vary"),
    (#"{"vary.seed": [1]}"#, "8:11: error: 'vary' cannot vary"),
    (#"{"seed": {"from": 1, "to": 1001}}"#, "8:19: error: 'to' must be 'from' or a little more"),
    (#"{"seed": 0}"#, "8:19: error: 'seed' must be a list of seeds"),
    (#"{"seed": 100, "until": [1,2,3,4,5,6,7,8,9,10,11]}"#, "8:10: error: there are more than 1"),
    (#"{"seed": 2, "seed": 3}"#, "8:22: error: duplicate key 'seed'"),
    (
      #"{"until": [1], "x": [{"name": "y", "set": {"until": 2}}]}"#,
      "8:53: error: 'until' varies already, above"
    ),
    (
      #"[{"name": "a", "expect": [{"metric": "stalCount", "==": 0}]}]"#,
      "8:47: error: 'metric' has the unknown value 'stalCount'"
    ),
  ])
  func whatCannotVary(_ vary: String, _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(vary)])
    let call = fixture.call("check", "$/a.json")
    #expect(call.code == 2)
    #expect(call.messages.contains("$/a.json:\(message)"), "\(call.messages)")
    #expect(fixture.call("run", "$/a.json").code == 2)
    let test = fixture.call("test", "$")
    #expect(test.code == 2, "\(test)")
  }

  /// What is wrong with all runs is told once.
  @Test func findingsAreToldOnce() throws {
    let text = Self.scenario(#"{"seed": 20}"#).replacing(
      "\"autowait\": 1", with: "\"autowait\": 1, \"untill\": 3")
    let fixture = try CommandFixture(["a.json": text])
    for command in ["check", "run"] {
      let call = fixture.call(command, "$/a.json")
      #expect(call.code == 2)
      #expect(call.messages.split(separator: "unknown key 'untill'").count == 2)
    }
    // Even with what varies a mistyped key can be corrected where it stands.
    let fixed = fixture.call("check", "--fix", "$/a.json")
    #expect(fixed.code == 0, "\(fixed)")
    #expect(try fixture.read("a.json") == text.replacing("untill", with: "until"))
  }

  @Test func aRunIsChosenByItsName() throws {
    let vary = #"[{"name": "Train tunnel"}, {"name": "lift"}]"#
    let fixture = try CommandFixture(["a.json": Self.scenario(vary), "b.json": Self.scenario()])
    for name in ["Train tunnel", "Train-tunnel", "train-tunnel"] {
      let call = fixture.call("run", "$/a.json", "--run", name)
      #expect(call.code == 0 && call.output.hasPrefix("base [Train-tunnel] "), "\(call)")
    }
    let both = fixture.call("run", "$/a.json").output
    #expect(both.contains("base [Train-tunnel] ") && both.contains("\nbase [lift] "))
    #expect(
      fixture.call("run", "$/a.json", "--run", "lift", "--run", "Train-tunnel").output.hasPrefix(
        "base [lift] "))
    let unknown = fixture.call("run", "$/a.json", "--run", "lfit")
    #expect(unknown.code == 2)
    #expect(unknown.messages.contains("there is no run 'lfit'"), "\(unknown.messages)")
    #expect(unknown.messages.contains("note: did you mean 'lift'?"))
    let none = fixture.call("run", "$/b.json", "--run", "lift")
    #expect(none.code == 2 && none.messages.contains("it has no 'vary'"), "\(none.messages)")
    let picture = fixture.call("run", "$/a.json", "--svg", "-")
    #expect(picture.code == 2 && picture.messages.contains("'--svg' takes one run, but"))
    #expect(fixture.call("run", "$/a.json", "--html", "-").code == 0, "two runs make a page")
    #expect(fixture.call("run", "$/a.json", "--run", "lift", "--html", "-").code == 0)
    for format in ["states", "access-log", "error-log", "avmetrics", "har", "cmcd", "perfetto"] {
      let call = fixture.call("run", "$/a.json", "--format", format)
      #expect(call.code == 2 && call.messages.contains("'--format \(format)' takes one run, but"))
      #expect(fixture.call("run", "$/a.json", "--run", "lift", "--format", format).code == 0)
    }
    // A library has one scenario for each reading.
    let source = SourceText(path: "a.json", text: Self.scenario(vary))
    let (scenario, findings) = ScenarioReader.read(source, loader: .none)
    #expect(scenario == nil)
    #expect(
      findings.map(\.message) == ["this scenario varies: one of its 2 runs must be chosen"])
    #expect(findings.first?.notes == ["its runs are: 'Train-tunnel', 'lift'"])
  }

  /// A run can expect more than its file, and be known to fail by itself.
  @Test func runsExpectWhatTheirFileDoesAndMore() throws {
    let vary = """
      [{"name": "slow", "set": {"link.down.rate": "500 kbit/s", "heuristic": "vlc"}},
       {"name": "known", "set": {"link.down.rate": "500 kbit/s", "heuristic": "vlc"},
        "xfail": "It is slow."},
       {"name": "more", "expect": [{"metric": "stallCount", "==": 7}]}, {"name": "fine"}]
      """
    let fixture = try CommandFixture(["a.json": Self.scenario(vary)])
    let output = fixture.call("test", "$").output
    #expect(
      output.contains(
        "✗ $/a.json [slow]: base\n  $/a.json:7: expected metric: stallCount, == 0\n"))
    #expect(
      output.contains(
        "✗ $/a.json [more]: base\n  $/a.json:11: expected metric: stallCount, == 7\n"))
    #expect(output.hasSuffix("4 scenarios: 1 passed, 2 failed, 1 known to fail\n"), "\(output)")
    #expect(
      output.contains(
        "  reproduce with: autowait run $/a.json --run slow --seed 0\n"), "\(output)")
  }

  @Test func whatVariesIsExtended() throws {
    let fixture = try CommandFixture([
      "networks.json": #"{"vary": {"link": ["demo/fast", "nlc/3g"]}}"#,
      "base.json": Self.scenario(),
      "a.json": #"{"autowait": 1, "extends": "b.json", "vary": {"seed": 2}}"#,
      "b.json": Self.scenario(#"{"link": ["demo/fast", "nlc/3g"]}"#),
      "c.json": #"{"autowait": 1, "extends": "b.json", "vary": null}"#,
      "d.json": #"{"autowait": 1, "extends": "b.json", "vary": [{"name": "one"}]}"#,
    ])
    func names(_ path: String, _ options: String...) -> [String] {
      fixture.call(["run", path, "--format", "json"] + options).output.split(separator: "\n").map {
        line in
        line.split(separator: "\"run\":\"").dropFirst().first?.split(separator: "\"").first
          .map(String.init) ?? "-"
      }
    }
    #expect(
      names("$/a.json") == [
        "demo-fast_seed-1", "demo-fast_seed-2", "nlc-3g_seed-1", "nlc-3g_seed-2",
      ])
    #expect(names("$/c.json") == ["-"])
    #expect(names("$/d.json") == ["one"])
    // A call can change what varies, and what all runs are.
    #expect(names("$/b.json", "--set", "vary.link=[\"demo/fast\"]") == ["demo-fast"])
    #expect(names("$/b.json", "--set", "vary=null") == ["-"])
    let changed = fixture.call("run", "$/b.json", "--set", "link=demo/fast", "--format", "jsonl")
    let fingerprints = Set(
      changed.output.split(separator: "\n").filter { $0.contains("\"fingerprint\"") })
    #expect(fingerprints.count == 1)
  }

  /// An experiment has its own way to vary, and says so.
  @Test func anExperimentNeedsABaseThatDoesNotVary() throws {
    let fixture = try CommandFixture([
      "b.json": Self.scenario(#"{"seed": 2}"#),
      "x.json": #"{"experiment": 1, "base": "b.json", "vary": {"seed": 2}}"#,
    ])
    let call = fixture.call("check", "$/x.json")
    #expect(call.code == 2)
    #expect(
      call.messages.contains("$/b.json:8:10: error: the base of an experiment cannot vary"),
      "\(call.messages)")
  }

  /// Whatever stands there, the reader says what is wrong, or there are runs that it can read.
  @Test func piecesOfVaryAreReadOrRefused() {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"link\"", "\"seed\"", "\"name\"", "\"set\"", "\"a\"", "1",
      "-1", "null", "true", "\"demo/fast\"", "\"from\"", "\"to\"", "\"until\"", "\"\"",
      "\"expect\"",
      "{\"name\": \"x\"}", "[1, 2]", "\"script[0].at\"", "\"xfail\"",
    ]
    var state: UInt64 = 42
    func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var (read, refused) = (0, 0)
    for round in 0..<1_500 {
      var vary = (0...draw(7)).map { _ in pieces[draw(pieces.count)] }.joined()
      if round % 2 == 0 { vary = "{\(pieces[6 + draw(12)]): [\(vary)]}" }
      if round % 3 == 0 { vary = "[{\"name\": \"x\", \(pieces[6 + draw(12)]): \(vary)}]" }
      let source = SourceText(path: "a.json", text: Self.scenario(vary))
      let names: [String?] = ScenarioReader.runNames(source, loader: .none) ?? [nil]
      for name in names.prefix(3) {
        let (scenario, findings) = ScenarioReader.read(
          source, ScenarioReader.Variation(run: name), loader: .none, programs: .nobodyStarts)
        #expect((scenario == nil) == findings.contains { $0.severity == .error }, "\(vary)")
        #expect(findings.allSatisfy { $0.line <= 8 + vary.count }, "\(vary)")
        if scenario != nil { read += 1 } else { refused += 1 }
      }
    }
    #expect(read > 5 && refused > 500, "\(read) \(refused)")
  }
}
