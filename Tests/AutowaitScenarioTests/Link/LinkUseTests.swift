import Autowait
import AutowaitScenario
import Testing

/// A link that begins with another one is that one, with what stands beside `use`.
@Suite struct LinkUseTests {
  private static let files = [
    "bus.json":
      #"{"name":"bus","down":{"rate":"3 Mbit/s","delay":"20 ms"},"dns":{"delay":"9 ms"},"#
      + #""events":[{"type":"blackout","at":5,"for":2}],"#
      + #""match":[{"host":"a","profile":"nlc/3g"}]}"#,
    "late.json": #"{"use":"bus.json","events":[{"type":"blackout","at":50,"for":2}]}"#,
    "self.json": #"{"use":"self.json"}"#,
    "one.json": #"{"use":"two.json"}"#,
    "two.json": #"{"use":"one.json","rate":1}"#,
    "broken.json": #"{"use":"nlc/lte","rat":1}"#,
    "large.json":
      #"{"rate":2000000,"about":"\#(String(repeating: "-", count: 65_536))"}"#,
    "drawn.json": #"{"down":{"random":{"from":1,"to":900000,"every":"1 s","count":9}}}"#,
    "steps.csv": "time_s,throughput_kbps\n0,900\n10,500\n20,700\n",
  ]

  private func profile(_ link: String) throws -> LinkProfile {
    let (scenario, findings) = LinkFixture.read(link, files: Self.files)
    #expect(findings.filter { $0.severity == .error }.map(\.rendered) == [])
    return try #require(scenario).world.links[0]
  }

  /// A link with `use`, and the same spelled out.
  @Test(arguments: [
    (
      #"{"use":"nlc/lte","events":[{"type":"blackout","at":15,"for":45}]}"#,
      #"{"down":{"rate":"50 Mbit/s","delay":"50 ms","queue":{"packets":50}},"#
        + #""up":{"rate":"10 Mbit/s","delay":"65 ms","queue":{"packets":50}},"#
        + #""events":[{"type":"blackout","at":15,"for":45}]}"#
    ),
    // What a direction carries is replaced, and its delay and its queue stay.
    (
      #"{"use":"nlc/lte","rate":"2 Mbit/s"}"#,
      #"{"down":{"rate":"2 Mbit/s","delay":"50 ms","queue":{"packets":50}},"#
        + #""up":{"rate":"10 Mbit/s","delay":"65 ms","queue":{"packets":50}}}"#
    ),
    (
      #"{"use":"nlc/lte","down":{"track":[{"at":0,"rate":9},{"at":7,"rate":8}]},"#
        + #""up":{"queue":{"time":"1 s"}}}"#,
      #"{"down":{"track":[{"at":0,"rate":9},{"at":7,"rate":8}],"delay":"50 ms","#
        + #""queue":{"packets":50}},"up":{"rate":"10 Mbit/s","delay":"65 ms","#
        + #""queue":{"time":"1 s"}}}"#
    ),
    // Objects inside are merged, and lists are replaced.
    (
      #"{"use":"bus.json","dns":{"cache":false},"events":[{"type":"blackout","at":1,"for":1}]}"#,
      #"{"down":{"rate":"3 Mbit/s","delay":"20 ms"},"dns":{"delay":"9 ms","cache":false},"#
        + #""events":[{"type":"blackout","at":1,"for":1}]}"#
    ),
    (
      #"{"use":"bus.json","events":[]}"#,
      #"{"down":{"rate":"3 Mbit/s","delay":"20 ms"},"dns":{"delay":"9 ms"}}"#
    ),
    (
      #"{"use":"bus.json","outage":{"on":600,"off":4}}"#,
      #"{"down":{"rate":"3 Mbit/s","delay":"20 ms"},"dns":{"delay":"9 ms"},"#
        + #""outage":{"on":600,"off":4}}"#
    ),
    // Over several steps, by files, objects and changed names.
    (
      #"{"use":{"use":"late.json","down":{"delay":0}},"up":{"delay":"7 ms"}}"#,
      #"{"down":{"rate":"3 Mbit/s"},"up":{"delay":"7 ms"},"dns":{"delay":"9 ms"},"#
        + #""events":[{"type":"blackout","at":50,"for":2}]}"#
    ),
    (
      #"{"use":"nlc/lte@queue=9","up":{"rate":5}}"#,
      #"{"down":{"rate":"50 Mbit/s","delay":"50 ms","queue":{"packets":9}},"#
        + #""up":{"rate":5,"delay":"65 ms","queue":{"packets":9}}}"#
    ),
  ])
  func isTheSameSpelledOut(_ link: String, _ spelled: String) throws {
    #expect(try profile(link) == profile(spelled))
  }

  /// What is not changed stays: the events of the link that another one begins with, too.
  @Test func keepsEvents() throws {
    let changed = try profile(#"{"use":"bus.json","rate":"1 Mbit/s"}"#)
    #expect(changed.events.map(\.start) == [.seconds(5)])
    #expect(changed.down.track.samples[0].rate == BitRate(bitsPerSecond: 1_000_000))
    let later = LinkFixture.read(
      #"[{"at":0,"use":"bus.json"},{"at":9,"use":{"use":"bus","rate":"1 Mbit/s"}}]"#,
      files: Self.files)
    let world = try #require(later.scenario).world
    #expect(world.linkChanges.map(\.link) == [2])
    #expect(world.links[2] == changed)
  }

  /// A link that is changed in its own list is not led back to its own list.
  @Test func endsWhereItNamesItself() throws {
    let changed = try profile(
      #"{"name":"x","down":{"rate":9,"delay":1},"events":[{"type":"handover","at":5,"#
        + #""to":{"use":"x","down":{"delay":2}}}]}"#)
    guard case .handover(let handover)? = changed.events.first?.kind else {
      Issue.record("no handover")
      return
    }
    #expect(handover.link == 1)
  }

  @Test(arguments: [
    #"{"use":"nlc/lte","events":[{"type":"blackout","at":15,"for":45}]}"#,
    #"[{"at":0,"use":"nlc/lte"},{"at":1,"use":{"use":"nlc/lte","rate":9}},"#
      + #"{"at":2,"use":"nlc/lte"}]"#,
    #"[{"at":0,"use":{"use":"bus.json","rate":9}},{"at":1,"use":"bus.json"},{"at":2,"use":"bus"}]"#,
    #"[{"at":0,"use":"bus.json"},{"at":2,"use":{"use":"bus.json","rate":7}}]"#,
    #"[{"at":0,"use":{"name":"n","use":"late.json"}},{"at":1,"use":{"use":"n","rate":5}}]"#,
    #"{"use":"large.json","rate":9}"#, #"{"use":"drawn.json","up":{"delay":1}}"#,
    #"{"use":"steps.csv","events":[{"type":"blackout","at":15,"for":5}]}"#,
    #"[{"at":0,"use":"steps.csv"},{"at":3,"use":{"use":{"trace":"steps.csv"},"rate":9}}]"#,
    #"{"use":{"use":"nlc/3g"},"events":[{"type":"handover","at":1,"to":{"use":"nlc/lte"}}]}"#,
  ])
  func aResolvedScenarioIsTheSame(_ link: String) throws {
    let (read, findings) = LinkFixture.read(link, files: Self.files)
    #expect(findings.filter { $0.severity == .error }.map(\.rendered) == [])
    let scenario = try #require(read)
    let loader = FileLoader { path, _ in
      path == "large.json"
        ? .success(SourceText(path: path, text: Self.files[path] ?? ""))
        : .failure(FileLoader.FileProblem("is not asked for"))
    }
    let (again, errors) = ScenarioReader.read(
      SourceText(path: "a.json", bytes: scenario.resolved), loader: loader)
    #expect(errors.filter { $0.severity == .error }.map(\.rendered) == [])
    let replayed = try #require(again)
    #expect(replayed.world.links == scenario.world.links)
    #expect(replayed.world.linkChanges == scenario.world.linkChanges)
    #expect(replayed.world.draws == scenario.world.draws)
    #expect(replayed.linkNames == scenario.linkNames)
    #expect(replayed.resolved == scenario.resolved)
  }

  @Test(arguments: [
    (
      #"{"use":"nlc/ltee"}"#,
      """
      a.json:1:16: error: unknown link 'nlc/ltee'
      {"link":{"use":"nlc/ltee"},
                     ^~~~~~~~~~
      note: did you mean 'nlc/lte'?
      """
    ),
    (
      #"{"use":"self.json"}"#,
      """
      self.json:1:8: error: the link 'self.json' begins with itself
      {"use":"self.json"}
             ^~~~~~~~~~~
      """
    ),
    (
      #""one.json""#,
      """
      two.json:1:8: error: the link 'one.json' begins with itself
      {"use":"one.json","rate":1}
             ^~~~~~~~~~
      note: by way of 'one.json', 'two.json', 'one.json'
      """
    ),
    (
      #"{"use":"broken.json","rate":1}"#,
      """
      broken.json:1:18: error: unknown key 'rat'
      {"use":"nlc/lte","rat":1}
                       ^~~~~
      note: did you mean 'rate'?
      """
    ),
    (
      #"{"use":7}"#,
      """
      a.json:1:16: error: a link begins with a name, a file or an object, not a number
      {"link":{"use":7},
                     ^
      """
    ),
  ])
  func messages(_ link: String, _ expected: String) {
    #expect(LinkFixture.messages(link, files: Self.files) == expected)
  }

  /// A link on which nothing ever comes goes along with the others.
  @Test func deadLinksMix() {
    let list =
      #"[{"at":0,"use":"nlc/lte"},{"at":1,"use":"chrome/offline"},{"at":2,"use":"nlc/3g"}]"#
    #expect(LinkFixture.messages(list) == "")
    #expect(LinkFixture.read(list).scenario?.world.transport != nil)
    let ideal = #"[{"at":0,"use":"chrome/3g"},{"at":1,"use":"nlc/100-loss"}]"#
    #expect(LinkFixture.messages(ideal).contains("in different ways"))
    #expect(LinkFixture.read(#""chrome/offline""#).scenario?.world.transport == nil)
  }
}
