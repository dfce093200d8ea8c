import Autowait
import AutowaitScenario
import Testing

/// Links are read as they are meant, and read again from a resolved scenario as the same.
@Suite struct LinkReaderTests {
  private static let files = [
    "plain.json": #"{"rate":"1 Mbit/s"}"#,
    "named.json": #"{"name":"named","rate":"5 Mbit/s"}"#,
    "drawn.json": #"{"down":{"random":{"from":1,"to":900000,"every":"1 s","count":9}}}"#,
    "large.json":
      #"{"name":"large","rate":2000000,"about":"\#(String(repeating: "-", count: 65_536))"}"#,
  ]

  private static let drawn = #"{"down":{"random":{"from":1,"to":900000,"every":"1 s","count":9}}}"#

  private static var loader: FileLoader {
    FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
  }

  private func read(
    links: [String], media: String = #"{"kind":"local","duration":1}"#
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let changes = links.enumerated().map { #"{"at":\#($0),"use":\#($1)}"# }
    let text = """
      {"link":[\(changes.joined(separator: ","))],"media":\(media),"script":[{"at":0,"do":"load"}]}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: Self.loader)
  }

  @Test(arguments: [
    [#""demo/fast""#, #""demo/offline""#, #""demo/fast""#, drawn],
    [#""plain.json""#, #""plain.json""#, #"{"rate":3}"#, #""plain.json""#],
    [#""named.json""#, #"{"name":"named.json","rate":7}"#, #""named.json""#, #""named""#],
    [#"{"name":"demo/fast","rate":7}"#, #""demo/fast""#, drawn, #""demo/fast""#],
    [#""drawn.json""#, drawn, #""drawn.json""#, #""demo/slow-server""#, drawn],
    [#""large.json""#, #""large""#, #""large.json""#, drawn],
    [#"{"name":"x","rate":7}"#, #"{"name":"x","rate":8}"#, #""x""#],
  ])
  func aResolvedScenarioIsTheSame(_ links: [String]) throws {
    let scenario = try #require(read(links: links).scenario)
    let (again, findings) = ScenarioReader.read(
      SourceText(path: "a.json", bytes: scenario.resolved), loader: Self.loader)
    #expect(findings.isEmpty)
    let replayed = try #require(again)
    #expect(replayed.world.links == scenario.world.links)
    #expect(replayed.world.linkChanges == scenario.world.linkChanges)
    #expect(replayed.world.draws == scenario.world.draws)
    #expect(replayed.linkNames == scenario.linkNames)
    #expect(replayed.resolved == scenario.resolved)
  }

  @Test func theSameStringIsTheSameLink() throws {
    for name in ["plain", "named", "drawn", "large"] {
      let links = ["\"\(name).json\"", #""demo/fast""#, "\"\(name).json\""]
      let world = try #require(read(links: links).scenario).world
      #expect(world.links.count == 2)
      #expect(world.linkChanges.map(\.link) == [1, 0])
    }
  }

  @Test func aNameThatIsTakenIsNoNameForALinkThatComesAgain() throws {
    let links = [#"{"name":"named","rate":7}"#, #""named.json""#, #""named.json""#]
    let (scenario, findings) = read(links: links)
    #expect(scenario == nil)
    #expect(
      findings.map(\.message)
        == ["the link 'named.json' is called 'named', as another link is"])
  }

  /// Behind an outage holds what would hold without it, and nothing once the track is over.
  @Test(arguments: 0..<500)
  func outagesCutWhatHolds(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var starts = [0]
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      starts.append(starts[starts.count - 1] + Int.random(in: 1...6, using: &random))
    }
    let rates = starts.map { _ in Int.random(in: 0...9, using: &random) }
    let isOffline = Bool.random(using: &random)
    let length = starts[starts.count - 1] + Int.random(in: 1...6, using: &random)
    let outages = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      (Int.random(in: 0...40, using: &random), Int.random(in: 1...8, using: &random))
    }
    let track = zip(starts, rates).map { #"{"at":\#($0),"rate":\#($1)}"# }
    let events = outages.map { #"{"type":"blackout","at":\#($0),"for":\#($1)}"# }
    let ending = isOffline ? #""trackEnd":"offline","length":\#(length),"# : ""
    let text = """
      {"down":{\(ending)"track":[\(track.joined(separator: ","))]},\
      "events":[\(events.joined(separator: ","))]}
      """
    let read = try #require(read(links: [text]).scenario).world.links[0].down.track
    for second in 0..<60 {
      let isOut =
        isOffline && second >= length
        || outages.contains { ($0.0..<$0.0 + $0.1).contains(second) }
      let expected = isOut ? 0 : rates[(starts.lastIndex { $0 <= second } ?? 0)]
      let isOver =
        if case .offline(let end) = read.ending { end <= .seconds(Int64(second)) } else { false }
      let found = read.samples.last { $0.start <= .seconds(Int64(second)) }?.rate.bitsPerSecond
      #expect((isOver ? 0 : found) == Int64(expected), "at \(second) s of \(text)")
    }
  }

  @Test func manyOutagesAreReadAtOnce() throws {
    let events = (0..<50_000).map { #"{"type":"blackout","at":\#(3 * $0),"for":1}"# }
    let (scenario, _) = read(links: [#"{"rate":5,"events":[\#(events.joined(separator: ","))]}"#])
    #expect(try #require(scenario).world.links[0].down.track.samples.count == 100_000)
  }

  #if !DEBUG  // where it takes half a minute
  @Test func drawsAreBounded() {
    let link = #"{"down":{"random":{"from":1,"to":9,"every":"1 ms","count":1000000}}}"#
    #expect(read(links: [link, link, link, link]).scenario != nil)
    #expect(
      read(links: [link, link, link, link, Self.drawn]).findings.map(\.message)
        == ["the links of a scenario draw at most 4000000 numbers"])
  }
  #endif

  /// Media as long as the limits allow, and as many, are within them.
  @Test(arguments: [1, 291, 292, 1000])
  func longMedia(_ count: Int) throws {
    let items = (0..<count).map { _ in #"{"kind":"local","duration":"366 d"}"# }
    let media = "[\(items.joined(separator: ","))]"
    let (scenario, findings) = read(links: [#""demo/fast""#], media: media)
    #expect(findings.isEmpty)
    #expect(try #require(scenario).world.horizon == .start + Limits.timeMax)
  }
}
