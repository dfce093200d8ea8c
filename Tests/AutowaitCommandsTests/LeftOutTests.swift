import Autowait
import AutowaitScenario
import Foundation
import Testing

/// What a file leaves out is what it would say.
@Suite struct LeftOutTests {
  /// A scenario that says all that it left out runs as it did.
  @Test(arguments: ["demo", "hls", "players", "link", "network", "wait", "heuristics", "outages"])
  func whatIsSpelledOutChangesNothing(_ folder: String) throws {
    var count = 0
    let path = MarkdownDocument.url("Scenarios/\(folder)")
    for name in try FileManager.default.contentsOfDirectory(atPath: path.path).sorted() {
      let url = path.appending(path: name)
      if url.pathExtension != "json" { continue }
      let source = SourceText(path: url.path, bytes: [UInt8](try Data(contentsOf: url)))
      guard ScenarioReader.isScenario(source) else { continue }
      let root = try #require(Findings(source).parseJSON())
      guard let scenario = ScenarioReader.read(source, loader: Self.loader).scenario,
        scenario.programs.allSatisfy({ $0 == nil })
      else { continue }
      let keys = scenario.leftOut(in: root).filter { !$0.path.contains("heuristic.") }
      #expect(!keys.isEmpty)
      let text = JSONWriter.text { SpelledOut(keys: keys).write(root, "", into: &$0) }
      let spelledOut = SourceText(path: url.path, bytes: Array(text.utf8))
      let (other, findings) = ScenarioReader.read(spelledOut, loader: Self.loader)
      let errors = findings.filter { $0.severity == .error }
      #expect(errors.isEmpty, "\(name): \(errors.map(\.message))")
      guard let other, let all = Findings(spelledOut).parseJSON() else { continue }
      let (said, spelled) = (scenario.world, other.world)
      #expect(said.players.map(\.settled) == spelled.players.map(\.settled), "\(name)")
      #expect(said.links == spelled.links && said.transport == spelled.transport, "\(name)")
      #expect(said.script == spelled.script && said.traffic == spelled.traffic, "\(name)")
      #expect(said.horizon == spelled.horizon && said.tier == spelled.tier, "\(name)")
      let (before, after) = (ScenarioRun.run(scenario), ScenarioRun.run(other))
      #expect(before.fingerprint == after.fingerprint, "\(name)")
      let rest = other.leftOut(in: all).filter { !$0.path.contains("heuristic.") }
      #expect(rest.isEmpty, "\(name): \(rest.map(\.path))")
      count += 1
    }
    #expect(count > 1)
  }

  private static var loader: FileLoader {
    FileLoader { file, base in
      let url = URL(fileURLWithPath: base).deletingLastPathComponent().appending(path: file)
      guard let data = try? Data(contentsOf: url) else {
        return .failure(FileLoader.FileProblem("does not exist"))
      }
      return .success(SourceText(path: url.path, bytes: [UInt8](data)))
    }
  }

  /// What a link says of its transport the scenario need not say, and an ideal one has nothing to
  /// say.
  @Test(arguments: [
    (#""transport": {"tls": "none"}"#, ["link.transport"]),
    (#""transport": {"tier": "ideal"}"#, []), (#""transport": "ideal""#, []),
    (#""name": "x""#, []), (#""down": {"rate": 2000000, "loss": "1 %"}"#, ["transport"]),
  ])
  func transportIsLeftOutOnce(_ member: String, _ places: [String]) throws {
    let rate = member.contains("down") ? "" : #""rate": "2 Mbit/s", "#
    let text = """
      {"link": {\(rate)\(member)},
       "media": {"kind": "progressive", "duration": 9, "bitrate": 900000},
       "script": [{"at": 0, "do": "load"}]}
      """
    let source = SourceText(path: "a.json", bytes: Array(text.utf8))
    let root = try #require(Findings(source).parseJSON())
    let scenario = try #require(ScenarioReader.read(source, loader: .none).scenario)
    let found = scenario.leftOut(in: root).map(\.path).filter { $0.contains("transport.") }
    #expect(
      Set(found.map { $0.split(separator: ".").dropLast().joined(separator: ".") })
        == Set(places))
  }

  /// A rule has numbers of its own, whether its name stands alone or in an object.
  @Test(arguments: [#""mpv""#, #"{"rule": "mpv"}"#, #"{"rule": "mpv", "analyzed": "1 s"}"#])
  func numbersOfARuleAreExplained(_ heuristic: String) throws {
    let text = """
      {"link": "demo/fast", "heuristic": \(heuristic),
       "media": {"kind": "progressive", "duration": 9, "bitrate": 900000},
       "script": [{"at": 0, "do": "load"}]}
      """
    let source = SourceText(path: "a.json", bytes: Array(text.utf8))
    let root = try #require(Findings(source).parseJSON())
    let scenario = try #require(ScenarioReader.read(source, loader: .none).scenario)
    let found = scenario.leftOut(in: root)
    func value(_ key: String) -> String? {
      found.first { $0.path == "heuristic.\(key)" }.map { key in
        JSONWriter.text { $0.value(key.value) }
      }
    }
    #expect(value("resume") == "\"1 s\"")
    #expect(value("analyzed") == (heuristic.contains("analyzed") ? nil : "null"))
  }

  @Test func checkExplains() throws {
    let fixture = try CommandFixture([
      "a.json": """
      {"link": "demo/fast", "player": {"preset": "avfoundation-observed-26"},
       "media": {"kind": "progressive", "duration": 9, "bitrate": 900000},
       "script": [{"at": 0, "do": "load"}]}
      """
    ])
    let outcome = fixture.call("check", "--explain", "$/a.json")
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n")
    func value(_ key: String) -> Substring? {
      lines.first { $0.drop { $0 == " " }.hasPrefix(key + " ") }?
        .split(separator: " ").dropFirst().first
    }
    #expect(value("seed") == "0")
    // Four times nine seconds, and ten minutes.
    #expect(value("until") == "\"636")
    // What the preset says, and not what holds without it.
    #expect(value("failuresMax") == "3")
    #expect(value("postsStallFirst") == "true")
    let json = fixture.call("check", "--explain", "--format", "json", "$/a.json").output
    #expect(json.contains(#"{"path":"media.header","value":"0 B","about":"#))
    #expect(!fixture.call("check", "--format", "json", "$/a.json").output.contains("leftOut"))
  }

  /// What keys say is broken where a line ends, beside the values or below them.
  @Test(arguments: [80, 120, 200])
  func anExplanationIsAsWideAsItsTerminal(_ width: Int) throws {
    let fixture = try CommandFixture([
      "a.json": """
      {"link": "demo/fast", "media": {"kind": "progressive", "duration": 9, "bitrate": 900000},
       "script": [{"at": 0, "do": "load"}]}
      """
    ])
    func words() -> [Substring] {
      fixture.call("check", "--explain", "$/a.json").output.split { $0 == " " || $0 == "\n" }
    }
    let all = words()
    fixture.variables["COLUMNS"] = "\(width)"
    let lines = fixture.call("check", "--explain", "$/a.json").output.split(separator: "\n")
    #expect(lines.dropFirst().allSatisfy { $0.count <= width })
    #expect(words() == all, "no word is lost")
    // The longest key leaves no room beside its value but in a wide terminal.
    let long = try #require(lines.first { $0.contains("LiveStreamingWhilePaused") })
    #expect(long.contains("whether") == (width >= 120))
  }

  /// Returns the lines of an explanation, without what the values say.
  private func explained(_ link: String, _ further: String = "") throws -> [String] {
    let fixture = try CommandFixture([
      "a.json": """
      {"link": \(link), "media": [
        {"kind": "hls", "duration": 9, "variants": [{"bandwidth": 900000, "bitrate": 800000}]},
        {"kind": "progressive", "duration": 9, "bitrate": 900000}
      ], "heuristic": {"verdictSize": 1}, "script": [{"at": 0, "do": "load"}]\(further)}
      """
    ])
    fixture.variables["COLUMNS"] = "400"
    let outcome = fixture.call("check", "--explain", "$/a.json")
    #expect(outcome.code == 0, "\(outcome.messages)")
    return outcome.output.split(separator: "\n").map { String($0) }
  }

  @Test func aLinkThatIsWrittenOutHasDefaults() throws {
    let link = #"{"down": {"rate": "3 Mbit/s", "loss": "1 %"}, "up": {"delay": "20 ms"}}"#
    let real = try explained(link)
    let objects: [(String, Set<String>)] = [
      ("link.down", ["delay", "queue", "jitter", "reorder", "duplicate"]),
      ("link.up", ["rate", "queue", "loss", "jitter", "reorder", "duplicate"]),
    ]
    for (object, own) in objects {
      let start = try #require(real.firstIndex(of: "  \(object)"))
      let rows = real[(start + 1)...].prefix { $0.hasPrefix("    ") }
      let names = rows.compactMap { $0.split(separator: " ").first.map(String.init) }
      #expect(Set(names) == own, "\(object)")
    }
    for object in ["link.down.overhead", "link.up.overhead", "link.dns"] {
      #expect(real.contains("  \(object)"))
    }
    #expect(real.contains { $0.hasPrefix("    mtu        \"1.5 kB\"") })
    // On an ideal link none of that is there.
    let ideal = try explained(#"{"down": {"rate": "3 Mbit/s"}}"#)
    #expect(ideal.contains("  link.up") && !ideal.contains("  link.dns"))
    #expect(!ideal.contains { $0.hasPrefix("    queue") })
  }

  @Test func valuesHaveTheirUnits() throws {
    let lines = try explained(#"{"rate": "3 Mbit/s"}"#)
    for (key, value) in [
      ("until", "\"672 s\""), ("verdictTime", "\"1 s\""), ("fillRateWindow", "\"10 s\""),
      ("forwardBufferSize", "\"41.94304 MB\""), ("preferredPeakBitRate", "\"0 bit/s\""),
    ] {
      let line = lines.first { $0.drop { $0 == " " }.hasPrefix(key + " ") } ?? ""
      #expect(line.contains("  \(value)  "), "\(key): \(line)")
    }
  }

  /// Each object has one section, though it may have parts, and others may be between.
  @Test func anObjectHasOneSection() throws {
    let lines = try explained(#"{"rate": "3 Mbit/s"}"#)
    let heads = lines.filter { $0.hasPrefix("  ") && !$0.dropFirst(2).contains(" ") }
    #expect(Set(heads).count == heads.count)
    #expect(heads.contains("  media[]") && heads.contains("  media[].variants[]"))
  }

  @Test func checkCorrects() throws {
    let text =
      #"{"lnk": "demo/fast", "media": {"kind": "progresive", "duration": 9, "#
      + #""bitrat": 900000}, "script": [{"at": 0, "do": "lod", "itm": 0}]}"#
    let fixture = try CommandFixture(["a.json": text])
    let outcome = fixture.call("check", "--fix", "$/a.json")
    #expect(outcome.code == 0, "\(outcome.messages)")
    #expect(outcome.messages.contains("a.json:1:2: is \"link\" now"))
    let corrected = text.replacing("lnk", with: "link").replacing("progresive", with: "progressive")
      .replacing("bitrat\"", with: "bitrate\"").replacing("lod", with: "load")
      .replacing("itm", with: "item")
    #expect(try fixture.read("a.json") == corrected)
    // One of two is as good a guess as the other, but both are none.
    let two = try CommandFixture(["a.json": #"{"lnk": "demo/fast", "lnik": "demo/fast"}"#])
    #expect(two.call("check", "--fix", "$/a.json").code == 2)
    #expect(try two.read("a.json") == #"{"link": "demo/fast", "lnik": "demo/fast"}"#)
    // Nothing is left to do, and what is not near is not guessed.
    #expect(fixture.call("check", "--fix", "$/a.json").messages == "")
    let other = try CommandFixture(["a.json": #"{"link": "demo/fast", "zzzzzzzz": 1}"#])
    #expect(other.call("check", "--fix", "$/a.json").code == 2)
    #expect(try other.read("a.json") == #"{"link": "demo/fast", "zzzzzzzz": 1}"#)
  }
}

/// Words that others use for keys and values.
@Suite struct OtherWordTests {
  private static func scenario(_ transport: String, _ further: String = "") -> String {
    """
    {"link": {"rate": "3 Mbit/s"}, "transport": {\(transport)}, \(further)
     "media": {"kind": "progressive", "duration": 9, "bitrate": 900000},
     "script": [{"at": 0, "do": "load"}]}
    """
  }

  @Test(arguments: [
    (#""serverTime": "1 s""#, #""serverThink": "1 s""#),
    (#""serverDelay": "1 s""#, #""serverThink": "1 s""#),
    (#""congestionControl": "newReno""#, #""cc": "reno""#),
    (#""isPaced": true"#, #""paced": true"#),
    (#""usesDNSLookup": false"#, #""dnsLookup": false"#),
    (#""connectTimeout": "3 s""#, #""synTimeout": "3 s""#),
    (#""http": "http2""#, #""http": "h2""#), (#""http": "HTTP/3""#, #""http": "h3""#),
    (#""http": "http1.1""#, #""http": "h1""#), (#""tls": "TLSv1.3""#, #""tls": "1.3""#),
    (#""httpVersion": "http2", "maxRetries": 2"#, #""http": "h2", "retriesMax": 2"#),
  ])
  func otherWordsAreMended(_ written: String, _ meant: String) throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(written)])
    let outcome = fixture.call("check", "--fix", "$/a.json")
    #expect(outcome.code == 0, "\(outcome.messages)")
    #expect(try fixture.read("a.json") == Self.scenario(meant))
  }

  @Test func wordsForKindAndRateAreMended() throws {
    let meant = Self.scenario(#""http": "h2""#)
    let text = meant.replacing("\"kind\"", with: "\"type\"")
      .replacing("\"rate\"", with: "\"bandwidth\"")
    let fixture = try CommandFixture(["a.json": text])
    #expect(fixture.call("check", "--fix", "$/a.json").code == 0)
    #expect(try fixture.read("a.json") == meant)
  }

  @Test func theErrorNamesTheRightWord() throws {
    let text = Self.scenario(#""serverTime": 1, "http": "http2""#)
    let messages = try CommandFixture(["a.json": text]).call("check", "$/a.json").messages
    #expect(
      messages.contains(
        "error: unknown key 'serverTime'\n"
          + "{\"link\": {\"rate\": \"3 Mbit/s\"}, \"transport\": {\"serverTime\": 1, \"http\": "))
    #expect(messages.contains("note: did you mean 'serverThink'?\n"))
    #expect(messages.contains("error: 'http' has the unknown value 'http2'\n"))
    #expect(messages.contains("note: did you mean 'h2'?\n"))
  }

  /// Each row stands for a word that there is, and is none itself where that one can stand.
  @Test func theRowsAreOfWords() throws {
    let printed = try CommandFixture().call("list", "keys", "--format", "json").output
    #expect(Set(OtherWord.all.map { $0.other.lowercased() }).count == OtherWord.all.count)
    for row in OtherWord.all {
      #expect(!row.words.isEmpty)
      for word in row.words {
        let isKey = printed.contains("{\"name\":\"\(word)\",")
        let isValue = ["", ","].contains { printed.contains("\($0) \(word)") }
        #expect(isKey || isValue || printed.contains("\"\(word)"), "\(word)")
      }
    }
  }
}

/// Writes a file with the keys that it leaves out.
private struct SpelledOut {
  let keys: [LeftOutKey]

  func write(_ value: JSONValue, _ path: String, into json: inout JSONWriter) {
    switch value.kind {
    case .array:
      json.array(Array(value.elements.enumerated())) { json, element in
        write(element.element, "\(path)[\(element.offset)]", into: &json)
      }
    case .object:
      json.object { json in
        for member in value.members {
          let name = member.key.string ?? ""
          json.key(text: name)
          write(member.value, place(path, name), into: &json)
        }
        writeRest(of: path, without: value.members.map { $0.key.string ?? "" }, into: &json)
      }
    default: json.value(value)
    }
  }

  /// Writes the members that an object does not have.
  private func writeRest(
    of path: String, without names: [String], into json: inout JSONWriter
  ) {
    var written = names
    for key in keys where path.isEmpty || key.path.hasPrefix(path + ".") {
      let rest = path.isEmpty ? key.path[...] : key.path.dropFirst(path.count + 1)
      let name = String(rest.prefix { $0 != "." })
      if written.contains(name) || name.contains("[") { continue }
      written.append(name)
      json.key(text: name)
      if rest.count == name.count {
        json.value(key.value)
      } else {
        json.object { writeRest(of: place(path, name), without: [], into: &$0) }
      }
    }
  }

  private func place(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}

extension PlayerConfiguration {
  /// The configuration with what the contract says of it.
  fileprivate var settled: PlayerConfiguration {
    var configuration = self
    configuration.automaticallyWaitsToMinimizeStalling = waitsAtFirst
    configuration.actionAtItemEnd = actionAtItemEnd
    return configuration
  }
}
