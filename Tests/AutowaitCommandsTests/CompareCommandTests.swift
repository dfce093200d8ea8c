import Foundation
import Testing

/// `autowait compare`: the answer, the tables, and the same bytes however the work is split.
@Suite struct CompareCommandTests {
  static let experiment = """
    {
      "experiment": 1,
      "name": "Two links",
      "base": {
        "link": "demo/slow-server",
        "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      },
      "vary": {
        "heuristic": ["avfoundation", "mpv", "fixed"],
        "link": ["demo/fast", "demo/slow-server"],
        "seed": 3
      },
      "baseline": "avfoundation",
      "margin": "50 ms"
    }
    """

  @Test func theAnswerComesFirst() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let outcome = fixture.call("compare", "$/x.json")
    #expect(outcome.code == 0)
    #expect(outcome.messages == "")
    let expected = """
      Two links
      3 contestants on 2 worlds under 3 seeds: 18 sessions

      choose            avfoundation or fixed for viewers who leave when playback
                        starts late; avfoundation for viewers who hate stalls and
                        where at most 5 % of the sessions may stall
      late starts       avfoundation: 12.93 % of the viewing is lost; fixed differs by
                        +20.32 points (0.00 … +40.65), which can be chance
      hated stalls      avfoundation: 3.23 s, with each second of stall counted as 10;
                        next is fixed, +21.99 s (+0.18 … +43.79)
      few stalls        avfoundation: starts after 3.23 s, and 0 % of the sessions
                        stall
      starts soonest    mpv: half of the sessions that start within 0.00 s
      stalls least      avfoundation: 0 % of the time watched
      """
    #expect(outcome.output.hasPrefix(expected))
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // Of 39.00 and 46.04 s that were watched 6.99 s were stalls: one sum by the other.
    let mpv = outcome.output.split(separator: "\n").first { $0.hasPrefix("mpv ") }
    #expect(mpv?.contains("8.22 %") == true)
  }

  /// Nobody is told that rules differ by nothing.
  @Test func aDifferenceTooSmallToShow() throws {
    let text = Self.experiment.replacing(
      #"["avfoundation", "mpv", "fixed"]"#,
      with: #"""
        [{"name": "one", "rule": "buffered", "start": "7 s"},
         {"name": "two", "rule": "buffered", "start": "7.001 s"}, "fixed"]
        """#
    ).replacing(#""baseline": "avfoundation","#, with: "")
    let output = try CommandFixture(["x.json": text]).call("compare", "$/x.json").output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      output.contains("each second of stall counted as 10; next is two, less than 0.01 s"),
      "\(output)")
    #expect(output.contains("stall; next is two, less than 0.01 s"), "\(output)")
  }

  /// A trace that is not what it seems does not go into a comparison without a word.
  @Test func tracesOfAFolderAreReadByTheirNamesOrRefused() throws {
    let text = Self.experiment.replacing(
      #""link": ["demo/fast", "demo/slow-server"]"#, with: #""link": ["traces/"]"#)
    let fixture = try CommandFixture([
      "x.json": text, "traces/a.csv": "time_s,bandwidth_kbps\n0,8000\n1,9000\n",
    ])
    let named = fixture.call("compare", "$/x.json")
    #expect(named.code == 0)
    #expect(
      named.messages
        == "note: $/traces/a.csv (rates): 2 s, mean 8.5 Mbit/s, 8 to 9 Mbit/s |████████████|\n")
    try fixture.write("traces/b.csv", "0,100000\n1,900000\n")
    for command in ["compare", "check"] {
      let nameless = fixture.call(command, "$/x.json")
      #expect(nameless.code == 2)
      #expect(nameless.messages.contains("b.csv:1:1: error: the columns have no names"))
    }
    try fixture.write("traces/c.csv", "time_s,temperature_c\n0,21\n1,22\n")
    for command in ["compare", "check"] {
      let refused = fixture.call(command, "$/x.json")
      #expect(refused.code == 2)
      #expect(refused.messages.contains("c.csv:1:1: error: the columns 'time_s' and 'temperat"))
    }
    let scenario = Fixture.playing.replacing(#""demo/slow-server""#, with: #""traces/b.csv""#)
    try fixture.write("a.json", scenario)
    #expect(
      fixture.call("run", "$/a.json").messages.contains(
        #"note: if they are a time and a rate: the key "columns": "time:s,rate:kbit/s" next to"#))
  }

  /// Others are spoken of where there are some, and several rules in the plural.
  @Test func theAnswerCountsWhomItNames() throws {
    func answer(_ rules: String) throws -> String {
      let text = Self.experiment.replacing(
        #""avfoundation", "mpv", "fixed""#, with: "\"avfoundation\", \(rules)")
      let output = try CommandFixture(["x.json": text]).call("compare", "$/x.json").output
      return output.replacing(/\s+/, with: " ")
    }
    let two = try answer(#""mpv""#)
    #expect(two.contains("hard to choose mpv and avfoundation: among these, faster startup means"))
    #expect(!two.contains("all others"))
    let others = try answer(
      #""mpv", "firefox-play", {"rule": "fixed", "name": "late", "start": "20 s"}"#)
    #expect(others.contains("starts soonest mpv and firefox-play: half of the sessions"))
    #expect(others.contains("and all others lose at both"))
  }

  @Test func aWideTerminalHasOneTable() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    fixture.variables["COLUMNS"] = "120"
    let output = fixture.call("compare", "$/x.json").output
    let head = output.split(separator: "\n").filter { $0.hasPrefix("contestant  ") }
    #expect(head.count == 1)
    #expect(head.first?.contains("won/even/lost") == true)
    #expect(output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  /// The movie takes 1.4547 s to come over the fast link and 45.459375 s from the slow server.
  @Test func metricsThatAreAskedForHaveATableOfMeans() throws {
    let text = Self.experiment.replacing(
      "\"margin\"",
      with: "\"metrics\": [\"mediaResourceRequestCount\", \"transferDuration\"], \"margin\"")
    let fixture = try CommandFixture(["x.json": text])
    let lines = fixture.call("compare", "$/x.json").output.split(separator: "\n").map(String.init)
    let head = lines.firstIndex { $0.hasSuffix("mediaResourceRequestCount  transferDuration s") }
    let rows = lines[try #require(head)...].prefix(5)
    #expect(rows.contains { $0.hasPrefix("mpv ") && $0.hasSuffix(" 1.00               23.46") })
  }

  /// Two stalls on one of three links.
  @Test func meansOfStallsAreNoWholeNumbers() throws {
    let text = Self.experiment
      .replacing("\"fixed\"", with: #"{"name":"two","rule":"fixed","start":"2 s","resume":"3 s"}"#)
      .replacing("\"demo/fast\",", with: "\"demo/fast\", {\"rate\": \"8 Mbit/s\"},")
    let fixture = try CommandFixture(["x.json": text])
    let lines = fixture.call("compare", "$/x.json").output.split(separator: "\n").map(String.init)
    let rows = lines.filter { $0.hasPrefix("two ") }
    #expect(rows.first?.contains("  0.67  ") == true, "\(rows)")
    let json = fixture.call("compare", "$/x.json", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let all = try #require(object?["contestants"] as? [[String: Any]])
    let two = try #require(all.first { $0["name"] as? String == "two" })
    let paired = (two["difference"] as? [String: Any])?["stallCount"] as? [String: Any]
    #expect(paired?["mean"] as? Double == 0.666_667)
  }

  /// The page and the pictures need nothing beside them, and the page has what was asked for.
  @Test func pagesAndPicturesAreWritten() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let outcome = fixture.call(
      "compare", "$/x.json", "--html", "$/x.html", "--svg", "$/pictures", "--sessions", "2")
    #expect(outcome.code == 0)
    let page = try fixture.read("x.html")
    #expect(page.contains("starts soonest") && page.contains("won/even/lost"))
    #expect(page.components(separatedBy: "<details").count == 3)
    #expect(!page.contains("src=") && !page.contains("@import"))
    #expect(!page.contains("The curves are those of"))
    let scatter = try fixture.read("pictures/startup-against-stalling.svg")
    #expect(scatter.contains("fixed: mean startup 3.01 s"))
    // Once at its point and once in the list beside the picture.
    let named = scatter.split(separator: "\n").filter {
      $0.contains("avfoundation (baseline)") && !$0.contains("aria-hidden")
    }
    #expect(named.count == 2)
    #expect(scatter.contains("mean time in stalls 2.22 s"))
    #expect(scatter.contains("mpv: mean startup 24.1 ms (0 s to 3.23 s)"))
    let map = try fixture.read("pictures/who-waits-where.svg")
    #expect(map.contains("≥ 0.8: 3.811 s") && map.contains("≥ 4: 0.187 s"))
    let same = fixture.call("compare", "$/x.json", "--html", "$/x.json")
    #expect(same.code == 2)
  }

  /// Of two texts in one file only the last would be left.
  @Test(arguments: [["compare", "$/x.json", "--csv"], ["merge", "$/d"]])
  func oneFileIsWrittenOnce(_ call: [String]) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let shard = fixture.call("compare", "$/x.json", "--shard", "1/1", "--out", "$/d")
    #expect(shard.code == 0)
    let outcome = fixture.call(call + ["--output", "$/q", "--html", "$/q"])
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains("'--output' and '--html' name one file, '$/q'"))
    #expect(throws: (any Error).self) { try fixture.read("q") }
  }

  /// A page says whom its curves leave out.
  @Test func curvesOfManyContestantsAreCounted() throws {
    let many = Self.experiment.replacing("[\"avfoundation\", \"mpv\", \"fixed\"]", with: "\"*\"")
    let fixture = try CommandFixture(["x.json": many])
    _ = fixture.call("compare", "$/x.json", "--html", "$/x.html", "--sessions", "0")
    #expect(try fixture.read("x.html").contains("The curves are those of 8 contestants"))
  }

  /// From the slow server `fixed` waits 10.27 s in all, `avfoundation` 6.46 s, and `mpv` 7.04 s.
  ///
  /// Over the fast link none of them waits a second. All seeds are alike, so the first come first.
  @Test func theSessionsThatDifferMostAreShown() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    _ = fixture.call("compare", "$/x.json", "--html", "$/x.html", "--sessions", "4")
    let parts = try fixture.read("x.html").components(separatedBy: "<summary>").dropFirst()
    let titles = parts.map { $0.prefix { $0 != "<" } }
    let slow = (1...3).map { "fixed on demo/slow-server, seed \($0)" }
    #expect(titles.map(String.init) == slow + ["fixed on demo/fast, seed 1"])
    #expect(parts.first?.contains("+3.81 s") == true)
  }

  @Test(
    arguments: MarkdownDocument.part(
      of: ["--json", "--csv", "--ndjson", "--markdown", "--color=never"]))
  func threadsChangeNothing(_ format: String) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let one = fixture.call("compare", format, "--jobs", "1", "--seeds", "40", "$/x.json")
    #expect(one.code == 0)
    #expect(!one.output.isEmpty)
    for jobs in ["2", "3", "7"] {
      let many = fixture.call("compare", format, "--jobs", jobs, "--seeds", "40", "$/x.json")
      #expect(many.output == one.output)
    }
  }

  /// One unit, units that are no multiple of the threads, worlds that are left whole, and worlds
  /// that are divided: no matter who runs what, and however many, the bytes are the same.
  @Test(
    arguments: MarkdownDocument.part(
      of: [(5, 1), (1, 1), (1, 3), (2, 1), (40, 3), (70, 1), (2, 90)]))
  func howTheWorkIsDividedChangesNothing(_ links: Int, _ seeds: Int) throws {
    let names = (0..<links).map { number in
      #"{"name": "l\#(number)", "down": {"random": {"from": "3 Mbit/s", "to": "5 Mbit/s", "#
        + #""every": "\#(number + 1) s", "count": 9}}}"#
    }
    let text = Self.experiment
      .replacing(#""demo/fast", "demo/slow-server"]"#, with: names.joined(separator: ", ") + "]")
      .replacing(#""seed": 3"#, with: #""seed": \#(seeds)"#)
    let fixture = try CommandFixture(["x.json": text])
    let one = fixture.call("compare", "--ndjson", "--jobs", "1", "$/x.json")
    #expect(one.code == 0)
    #expect(one.output.split(separator: "\n").count == links * seeds * 3)
    for jobs in ["2", "3", "8"] {
      #expect(fixture.call("compare", "--ndjson", "--jobs", jobs, "$/x.json").output == one.output)
    }
  }

  @Test func everySessionIsALine() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let lines = fixture.call("compare", "--ndjson", "$/x.json").output.split(separator: "\n")
    #expect(lines.count == 18)
    let first =
      #"{"key":0,"contestant":"avfoundation","link":"demo/fast","seed":1,"outcome":"ended","#
    #expect(lines.first?.hasPrefix(first) == true)
    let csv = fixture.call("compare", "--csv", "$/x.json").output.split(separator: "\n")
    #expect(csv.count == 19)
    #expect(csv.first?.hasPrefix("key,contestant,link,seed,outcome,timeSpentInInitial") == true)
  }

  @Test func theClairvoyantIsInEveryTable() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    for format in ["--json", "--markdown", "--color=never"] {
      #expect(fixture.call("compare", format, "$/x.json").output.contains("clairvoyant"))
    }
  }

  @Test func aRuleToStopAddsSeedsUntilItIsSatisfied() throws {
    // Nothing is left to chance here, so that the first block is enough.
    let text = Self.experiment.replacing("\"seed\": 3", with: "\"seed\": 1000")
      .replacing(
        "\"margin\":", with: "\"stop\": {\"halfWidth\": \"1 h\", \"every\": 5}, \"margin\":")
    let fixture = try CommandFixture(["x.json": text])
    let output = fixture.call("compare", "$/x.json").output.replacing("\n", with: " ")
    #expect(output.contains("under 5 seeds: 30 sessions; the intervals were narrow enough then"))
    let narrow = try CommandFixture([
      "x.json": text.replacing("1000", with: "12")
        .replacing("1 h", with: "1 ns")
    ])
    #expect(
      narrow.call("compare", "$/x.json").output.replacing("\n", with: " ")
        .contains("under 12 seeds: 72 sessions; the intervals are still too wide"))
  }

  @Test func whereItStopsDoesNotDependOnThreads() throws {
    // Chance makes the intervals narrower block by block.
    let link =
      #"{"down": {"random": {"from": "2 Mbit/s", "to": "6 Mbit/s", "every": "1 s", "#
      + #""count": 90}}}"#
    let text = Self.experiment.replacing(#"["demo/fast", "demo/slow-server"]"#, with: "[\(link)]")
      .replacing("\"seed\": 3", with: "\"seed\": 400")
      .replacing(
        "\"margin\":", with: "\"stop\": {\"halfWidth\": \"300 ms\", \"every\": 10}, \"margin\":")
    let fixture = try CommandFixture(["x.json": text])
    let one = fixture.call("compare", "--jobs", "1", "$/x.json").output
    let line = one.replacing("\n", with: " ")
    #expect(line.contains("the intervals were narrow enough then"))
    #expect(!line.contains("under 10 seeds") && !line.contains("under 400 seeds"))
    #expect(fixture.call("compare", "--jobs", "3", "$/x.json").output == one)
  }

  @Test func aFolderOfTracesIsALinkEach() throws {
    let text = Self.experiment.replacing(
      #"["demo/fast", "demo/slow-server"]"#, with: #""traces/""#)
    let fixture = try CommandFixture(["x.json": text])
    try fixture.write("traces/b.csv", "0.0\t2.0\n60.0\t4.0\n")
    try fixture.write("traces/a.csv", "0.0\t5.0\n60.0\t4.0\n")
    try fixture.write("traces/README.md", "Traces.\n")
    let outcome = fixture.call("compare", "--ndjson", "$/x.json")
    let lines = outcome.output.split(separator: "\n")
    #expect(
      outcome.messages == """
        note: $/traces/a.csv (pensieve): 60 s, 4 Mbit/s throughout
        note: $/traces/b.csv (pensieve): 60 s, 4 Mbit/s throughout

        """)
    #expect(lines.count == 18)
    #expect(lines.first?.contains("\"link\":\"traces/a.csv\"") == true)
    #expect(lines.last?.contains("\"link\":\"traces/b.csv\"") == true)
  }

  /// A column that does not fit is in another table, and no line is too long.
  @Test(arguments: [40, 60, 80, 112, 120])
  func noColumnIsCutOff(_ columns: Int) throws {
    let metrics = [
      "observedBitrate", "rebufferRatio", "numberOfBytesTransferred",
      "startupMultivariantPlaylist", "firstPlayed", "startupSegments",
    ]
    let list = metrics.map { "\"\($0)\"" }.joined(separator: ", ")
    let fixture = try CommandFixture([
      "x.json": Self.experiment.replacing("\"margin\"", with: "\"metrics\": [\(list)], \"margin\"")
    ])
    fixture.variables["COLUMNS"] = "\(columns)"
    let lines = fixture.call("compare", "$/x.json").output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    let heads = lines.filter { $0.hasPrefix("contestant ") }.joined(separator: " ")
    let titles = ["p95 s", "excess s", "won/even/lost", "same", "startupSegments s", "Playli… s"]
    for title in titles { #expect(heads.contains(title), "\(title): \(heads)") }
    #expect(lines.contains { $0.hasPrefix("avfoun") && $0.contains(" (baseline)  ") })
    // Each table has a row for the baseline, and all but the narrowest have room to say so.
    if columns == 40 { return }
    #expect(
      lines.count { $0.contains(" (baseline)  ") } == lines.count { $0.hasPrefix("contestant  ") })
  }

  /// One that never plays never stalls, and that is no merit.
  @Test func whoNeverPlaysDoesNotStallLeast() throws {
    let text = Self.experiment.replacing(
      "\"link\": \"demo/slow-server\",",
      with: """
        "link": "demo/slow-server", "until": "1 s",
        """
    ).replacing("[\"demo/fast\", \"demo/slow-server\"]", with: "[\"demo/slow-server\"]")
    let output = try CommandFixture(["x.json": text]).call("compare", "$/x.json").output
    #expect(output.contains("\nstalls least      mpv: "), "\(output)")
  }

  @Test func markdownIsOnlyItsOwn() throws {
    let name = "<b>*a*</b> | _b_ & `c` &amp; ~~d~~ [x](y) #1"
    let text = Self.experiment
      .replacing("\"mpv\"", with: "{\"name\": \"\(name)\", \"rule\": \"mpv\"}")
      .replacing("\"baseline\": \"avfoundation\"", with: "\"baseline\": \"\(name)\"")
    let output = try CommandFixture(["x.json": text]).call("compare", "--markdown", "$/x.json")
      .output
    let escaped = ##"\<b\>\*a\*\</b\> \| \_b\_ \& \`c\` \&amp; \~\~d\~\~ \[x\](y) \#1"##
    // In the answer, the table, and the notes.
    #expect(output.components(separatedBy: escaped).count >= 4, "\(output)")
    #expect(!output.contains(name))
  }

  /// A baseline that starts at once has no startup to divide by.
  @Test func aStartupOfNothingHasNoMultiple() throws {
    let text = Self.experiment.replacing(
      #""kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s""#,
      with: #""kind": "local", "duration": "39 s""#)
    let output = try CommandFixture(["x.json": text]).call("compare", "$/x.json", "--markdown")
      .output
    #expect(output.split(separator: "\n").count { $0.hasSuffix(" | — |") } >= 3, "\(output)")
  }

  /// Rules, the first of which is the baseline, links and seeds, and the last cells of the rows of
  /// the table: the startups as multiples of the baseline's.
  @Test(arguments: [
    // 6.109688 s of one and 0.0441 s of the other: by the slower one, and by the faster one.
    ("avfoundation mpv", #"["demo/slow-server"]"#, 3, ["1.00 ± 0.00", "1.00", "0.01 ± 0.00"]),
    ("mpv avfoundation", #"["demo/slow-server"]"#, 3, ["138.54 ± 0.00", "138.54 ± 0.00", "1.00"]),
    // Networks that differ leave room for others, and a single session for none.
    ("avfoundation mpv", #"["nlc/dsl", "nlc/lte"]"#, 1, ["0.99 ± 0.01", "1.00", "0.02 ± 0.96"]),
    ("avfoundation mpv", #"["demo/slow-server"]"#, 1, ["1.00", "1.00", "0.01"]),
    // Where the baseline never starts, there is nothing to divide by.
    ("avfoundation fixed", #"[{"name": "none", "rate": "0 bit/s"}]"#, 1, ["—", "—"]),
  ])
  func markdownHasMultiplesOfTheStartup(
    _ rules: String, _ links: String, _ seeds: Int, _ expected: [String]
  ) throws {
    let names = rules.split(separator: " ").map { "\"\($0)\"" }
    let text = Self.experiment
      .replacing(#""avfoundation", "mpv", "fixed""#, with: names.joined(separator: ", "))
      .replacing(#"["demo/fast", "demo/slow-server"]"#, with: links)
      .replacing(#""baseline": "avfoundation""#, with: "\"baseline\": \(names[0])")
      .replacing(#""seed": 3"#, with: "\"seed\": \(seeds)")
    let fixture = try CommandFixture(["x.json": text])
    let output = fixture.call("compare", "$/x.json", "--markdown").output
    let rows = output.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let cells = rows.compactMap { row in
      row.split(separator: "|").last?.trimmingCharacters(in: .whitespaces)
    }
    #expect(cells == ["× startup"] + expected, "\(output)")
    #expect(output.contains("'× startup' is the mean startup as a multiple of that of "))
  }

  @Test func intervalsSayWhatTheyAreDrawnBy() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    func note(_ text: String) throws -> String {
      try fixture.write("y.json", text)
      return fixture.call("compare", "$/y.json").output.replacing("\n", with: " ")
    }
    let links = #"["demo/fast", "demo/slow-server"]"#
    #expect(try note(Self.experiment).contains("it is drawn by network, not by session."))
    let one = Self.experiment.replacing(links, with: "[\"demo/fast\"]")
    #expect(
      try note(one).contains(
        "speaks only of other seeds, of which these would be a sample; it is drawn by seed."))
    let worlds = Self.experiment.replacing(
      "\"link\": \(links)", with: #""media.duration": ["9 s", "19 s"]"#)
    #expect(try note(worlds).contains("it is drawn by world, not by session."))
  }

  @Test func namesAreNotEmpty() throws {
    let text = Self.experiment.replacing("\"mpv\"", with: #"{"name": " ", "rule": "mpv"}"#)
    let call = try CommandFixture(["x.json": text]).call("compare", "$/x.json")
    #expect(call.code == 2)
    #expect(
      call.messages.hasPrefix("$/x.json:10:35: error: 'heuristic' has a value with an empty name"),
      "\(call.messages)")
  }

  /// What a search has found can be put into a scenario as it is printed.
  @Test func whatIsFoundIsPrintedAsScenariosHaveIt() throws {
    let text = Self.experiment.replacing(
      #""heuristic": ["avfoundation", "mpv", "fixed"],"#,
      with: #""heuristic": [{"name": "b", "rule": "buffered"}], "heuristic.start": ["1 s", "9 s"],"#
        + #""player.defaultRate": [1],"#
    ).replacing("\"baseline\": \"avfoundation\",", with: "")
    let fixture = try CommandFixture(["x.json": text])
    let output = fixture.call("compare", "--search", "$/x.json").output
    let parts = output.components(separatedBy: "\nOn the front, as a scenario has it:\n")
    #expect(parts.count == 2)
    let found = try #require(parts.last).split(separator: "\n")
    #expect(
      found.first == #""heuristic": {"rule":"buffered","start":"1 s"}, "player": {"defaultRate":1}"#
    )
    let scenario = Self.experiment.split(separator: "\n")[4...6].joined(separator: "\n")
    for members in found {
      try fixture.write("a.json", "{\(scenario), \(members)}")
      #expect(fixture.call("check", "$/a.json").code == 0)
    }
    #expect(!fixture.call("compare", "$/x.json").output.contains("as a scenario has it"))
  }

  @Test func wrongUsage() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    #expect(fixture.call("compare", "--json", "--csv", "$/x.json").code == 2)
    #expect(fixture.call("compare", "$/x.json", "$/x.json").code == 2)
    #expect(fixture.call("compare", "$/none.json").code == 2)
    #expect(fixture.call("compare", "--seeds", "0", "$/x.json").code == 2)
  }

  @Test func checkKnowsExperiments() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment,
      "y.json": Self.experiment.replacing("\"mpv\"", with: "\"mvp\""),
    ])
    #expect(
      fixture.call("check", "$/x.json").output
        == "$/x.json: an experiment\n1 file: 0 invalid, 0 errors, 0 warnings\n")
    let outcome = fixture.call("check", "$/y.json")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages.hasPrefix("$/y.json:10:35: error: unknown rule 'mvp'\n"), "\(outcome)")
  }
}
