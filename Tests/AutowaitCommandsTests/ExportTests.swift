import Foundation
import Testing

/// What is written for other programs, held against what the tool says elsewhere.
///
/// `.ci/exports` opens the same with programs of others.
struct ExportTests {
  private typealias Object = [String: Any]

  /// A stall and a seek in a file; a ladder that is climbed, with keys, audio, a missing segment
  /// and a connection that is made; a file that is still coming at the end; two players that share
  /// a link, of which one pauses in its stall and the other gives up a download.
  static let scenarios = [
    """
    {"autowait": 1, "link": {"rate": "3.2 Mbit/s"},
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "playImmediately"},
       {"at": 20, "do": "seek", "to": "30 s"}, {"at": 21, "do": "seek", "to": "2 s"}]}
    """,
    """
    {"autowait": 1, "link": "nlc/3g", "transport": {},
     "media": [{"kind": "hls", "duration": "20 s", "segmentDuration": "2 s", "keys": {},
       "variants": [{"bandwidth": "300 kbit/s", "init": 700, "audio": "a"},
         {"bandwidth": "600 kbit/s", "init": 700, "audio": "a"}],
       "audio": [{"group": "a", "bitrate": "96 kbit/s", "init": 500}],
       "failures": [{"of": "segment", "number": 4, "status": 404, "count": 1}]}],
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "playImmediately"}]}
    """,
    """
    {"autowait": 1, "link": {"rate": "1 Mbit/s"}, "until": 20,
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "playImmediately"}]}
    """,
    """
    {"autowait": 1, "link": {"rate": "2 Mbit/s"},
     "media": {"kind": "progressive", "duration": "20 s", "bitrate": "1.5 Mbit/s"},
     "players": [{"name": "one", "automaticallyWaitsToMinimizeStalling": false},
       {"name": "other", "media": {"kind": "progressive", "duration": "9 s",
         "bitrate": "3 Mbit/s"}}],
     "script": [{"at": 0, "do": "load", "player": "one"}, {"at": 0, "do": "load",
       "player": "other"}, {"at": 1, "do": "play", "player": "one"},
       {"at": 2, "do": "playImmediately", "player": "other"},
       {"at": 6, "do": "seek", "to": "8 s", "player": "other"},
       {"at": 9, "do": "play", "player": "one"},
       {"at": 12, "do": "seek", "to": "19 s", "player": "one"}]}
    """,
  ]

  private func run(_ text: String, _ format: String) throws -> String {
    let fixture = try CommandFixture(["a.json": text])
    let call = fixture.call("run", "$/a.json", "--format", format)
    #expect([0, 1].contains(call.code), "\(call.messages)")
    return call.output
  }

  private func object(_ text: String) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
  }

  /// The metrics of each player, in the order of the scenario.
  private func metrics(_ text: String) throws -> [Object] {
    let metrics = try #require(try object(try run(text, "json"))["metrics"] as? Object)
    if metrics["stallCount"] != nil { return [metrics] }
    return try ["one", "other"].map { try #require(metrics[$0] as? Object) }
  }

  private func number(_ value: Any?) throws -> Double {
    try #require(value as? NSNumber).doubleValue
  }

  // MARK: - Traces

  @Test(arguments: scenarios) func `a trace has the stalls and the requests`(
    _ text: String
  ) throws {
    let metrics = try metrics(text)
    let trace = try object(try run(text, "perfetto"))
    let events = try #require(trace["traceEvents"] as? [Object])
    var (stalled, free, open) = ([Int: Double](), [String: Double](), [String: [String]]())
    for event in events {
      let (phase, name) = (event["ph"] as? String, try #require(event["name"] as? String))
      let (now, process) = (try number(event["ts"]), try #require(event["pid"] as? Int))
      switch phase {
      case "X":
        let thread = try #require(event["tid"] as? Int)
        let length = try number(event["dur"])
        // Slices of a thread may not overlap.
        #expect(length > 0 && now >= free["\(process) \(thread)", default: 0] - 0.000_5)
        free["\(process) \(thread)"] = now + length
        if thread == 1, name == "stalled" { stalled[process, default: 0] += length }
      case "b":
        open["\(process) \(try #require(event["id"] as? String))", default: []].append(name)
      case "e":
        let id = try #require(event["id"] as? String)
        #expect(open["\(process) \(id)"]?.popLast() == name)
      default: #expect(["C", "M", "i"].contains(phase))
      }
    }
    #expect(open.values.allSatisfy { $0.isEmpty })
    for (player, metrics) in metrics.enumerated() {
      let process = player + 2
      let asked = open.keys.count { $0.hasPrefix("\(process) ") }
      #expect(asked == (metrics["mediaResourceRequestCount"] as? Int))
      let want = try number(metrics["timeSpentRecoveringFromStall"]) * 1e6
      #expect(abs(stalled[process, default: 0] - want) < 0.001)
    }
    let counters = Set(events.filter { $0["ph"] as? String == "C" }.map { $0["name"] as? String })
    #expect(counters.isSuperset(of: ["buffer", "link", "fill rate", "media rate"]))
  }

  // MARK: - Archives

  @Test(arguments: scenarios) func `an archive has all bytes and all time`(_ text: String) throws {
    let metrics = try metrics(text)
    let archive = try #require(try object(try run(text, "har"))["log"] as? Object)
    let entries = try #require(archive["entries"] as? [Object])
    let starts = try entries.map { try number($0["_started"]) }
    #expect(starts == starts.sorted())
    var ends: [String] = []
    for entry in entries {
      let timings = try #require(entry["timings"] as? Object)
      let parts = try ["blocked", "dns", "connect", "send", "wait", "receive"].map {
        max(0, try number(timings[$0]))
      }
      #expect(abs(parts.reduce(0, +) - (try number(entry["time"]))) < 0.000_01)
      #expect(try number(timings["ssl"]) <= number(timings["connect"]))
      let response = try #require(entry["response"] as? Object)
      ends.append("\(response["status"] ?? "") \(entry["_error"] ?? "")")
    }
    for (player, metrics) in metrics.enumerated() {
      let own = entries.filter { $0["pageref"] as? String == "player_\(player)" }
      #expect(own.count == (metrics["mediaResourceRequestCount"] as? Int))
      #expect(try bytes(own) == metrics["numberOfBytesTransferred"] as? Int)
    }
    switch text {
    case Self.scenarios[1]:
      #expect(ends.contains("404 HTTP 404: File Not Found"), "\(ends)")
      #expect(entries.contains { (($0["timings"] as? Object)?["dns"] as? Double ?? 0) > 0 })
    case Self.scenarios[2]:
      #expect(ends == ["200 still coming at the end of the run"])
      // 20 s at 1 Mbit/s, which no metric is needed for.
      #expect(try bytes(entries) == 2_500_000)
    default: #expect(ends.contains("200 cancelled") && ends.contains("206 "), "\(ends)")
    }
  }

  /// The second entry of such a request in the error log says that no variant is left.
  @Test(
    arguments: [
      (404, "404 HTTP 404: File Not Found"), (410, "410 Unrecognized HTTP response"),
      (407, "407 HTTP 401: Unauthorized"),
    ])
  func `a refused request has the status that it was refused with`(
    _ status: Int, _ end: String
  ) throws {
    let failure = #"{"of": "segment", "number": 1, "status": \#(status)}"#
    let ends = try ends(Self.one.replacing("[]", with: "[\(failure)]"))
    #expect(Set(ends) == ["200 ", end])
  }

  /// Nobody knows which of two statuses with one code it was.
  @Test func `a code of two statuses has none`() throws {
    let failures = #"""
      [{"of": "segment", "number": 1, "status": 500, "count": 1},
       {"of": "segment", "number": 1, "status": 502}]
      """#
    let ends = try ends(Self.one.replacing("[]", with: failures))
    #expect(Set(ends) == ["200 ", "0 Unrecognized HTTP response"])
  }

  /// Of the first segment a part has come when the device goes offline, of what is asked for then
  /// nothing.
  @Test func `what came of a response that is cut has its status`() throws {
    let event = #"{"type": "offline", "at": 1, "for": 9}"#
    let link = #"{"name": "l", "rate": "2 Mbit/s", "events": [\#(event)]}"#
    let ends = try ends(Self.one.replacing(#"{"rate": "8 Mbit/s"}"#, with: link))
    let offline = "The Internet connection appears to be offline"
    #expect(ends.contains("200 \(offline)") && ends.contains("0 \(offline)"), "\(ends)")
  }

  /// A segment above the bandwidth of its variant is whole: a warning is no failure.
  @Test func `a warning leaves a response as it is`() throws {
    let sizes = #""sizes": ["900 kB", "500 kB", "500 kB"]"#
    let text = Self.one.replacing(#""name": "only""#, with: sizes)
    #expect(try run(text, "error-log").contains(" -12318 "))
    #expect(Set(try ends(text)) == ["200 "])
    let responses = try run(text, "cmcd").split(separator: "\n").filter { $0.contains("e=rr") }
    #expect(responses.allSatisfy { $0.contains(",rc=200,") }, "\(responses)")
  }

  /// What is redirected has no bytes, and a playlist may have none either.
  @Test func `a redirection is no response`() throws {
    let failures = #"""
      [{"of": "multivariantPlaylist", "status": "redirect"},
       {"of": "mediaPlaylist", "status": "redirect"}, {"of": "mediaPlaylist", "status": 503,
       "count": 1}, {"of": "segment", "number": 1, "status": "redirect"}]
      """#
    let none = #""multivariantPlaylist": 0, "mediaPlaylist": 0, "failures": "#
    for sizes in [#""failures": "#, none] {
      let text = Self.one.replacing(#""failures": []"#, with: sizes + failures)
      #expect(
        try ends(text) == [
          "302 ", "200 ", "302 ", "503 HTTP 503: Service Unavailable", "200 ", "200 ", "302 ",
          "200 ", "200 ",
        ])
      let rows = try #require(try object(try run(text, "json"))["requests"] as? [Object])
      #expect(
        rows.map { $0["outcome"] as? String } == [
          "redirected", "whole", "redirected", "failed", "whole", "whole", "redirected", "whole",
          "whole",
        ])
    }
  }

  /// Two responses that share 3 Mbit/s are cut when a part of a byte of each has come.
  @Test func `parts of bytes are carried`() throws {
    let text = """
      {"autowait": 1, "link": {"name": "l", "down": {"rate": "3 Mbit/s"},
        "events": [{"type": "offline", "at": 3.001, "for": 9}]},
       "media": {"kind": "hls", "duration": 20, "segmentDuration": 10,
         "multivariantPlaylist": 0, "mediaPlaylist": 0,
         "variants": [{"bandwidth": "3.4 Mbit/s", "audio": "a"}],
         "audio": [{"group": "a", "bitrate": "256 kbit/s", "init": 600}]},
       "script": [{"at": 0, "do": "load"}, {"at": 2, "do": "play"}]}
      """
    let whole = try #require(try metrics(text).first?["numberOfBytesTransferred"] as? Int)
    let archive = try #require(try object(try run(text, "har"))["log"] as? Object)
    #expect(try bytes(try #require(archive["entries"] as? [Object])) == whole)
    let told = try #require(try object(try run(text, "json"))["requests"] as? [Object])
    let media = told.filter { ["segment", "initialization"].contains($0["of"] as? String) }
    #expect(media.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == whole - 1)
  }

  /// Three segments of 4 s in one variant.
  private static let one = """
    {"autowait": 1, "link": {"rate": "8 Mbit/s"},
     "media": {"kind": "hls", "duration": 12, "segmentDuration": 4,
       "variants": [{"bandwidth": "1 Mbit/s", "name": "only"}], "failures": []},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """

  /// The status of each request in an archive, with what went wrong.
  private func ends(_ text: String) throws -> [String] {
    let archive = try #require(try object(try run(text, "har"))["log"] as? Object)
    return try (try #require(archive["entries"] as? [Object])).map { entry in
      let response = try #require(entry["response"] as? Object)
      return "\(response["status"] ?? "") \(entry["_error"] ?? "")"
    }
  }

  /// The bytes of media in entries.
  private func bytes(_ entries: [Object]) throws -> Int {
    try entries.filter { $0["_resourceType"] as? String == "media" }.reduce(0) { sum, entry in
      let response = try #require(entry["response"] as? Object)
      return sum + (try #require(response["bodySize"] as? Int))
    }
  }

  // MARK: - CMCD

  @Test(arguments: scenarios) func `events of CMCD say what the metrics say`(
    _ text: String
  ) throws {
    let metrics = try metrics(text)
    let events = try run(text, "cmcd").split(separator: "\n").map { line in
      let fields = Self.fields(line)
      #expect(fields.map(\.key) == fields.map(\.key).sorted(), "\(line)")
      return Dictionary(uniqueKeysWithValues: fields)
    }
    for event in events {
      #expect(event["v"] == "2" && event["ts"].flatMap { Int($0) } != nil, "\(event)")
      #expect((event["e"] == "rr") == (event["url"] != nil), "\(event)")
      #expect(event["e"] != "e" || event["ec"] != nil, "\(event)")
      #expect(event["e"] != "bc" || event["br"] != nil, "\(event)")
    }
    // Each player and item is a session of its own.
    let sessions = events.reduce(into: [String]()) { ids, event in
      if let id = event["sid"], !ids.contains(id) { ids.append(id) }
    }
    try #require(sessions.count == metrics.count)
    for (id, metrics) in zip(sessions, metrics) {
      let own = events.filter { $0["sid"] == id }
      let stalls = try #require(metrics["stallCount"] as? Int)
      #expect(own.last?["bsa"] == "(\(stalls))")
      // How long a stall was is reported when it is over.
      if own.last?["sta"] != "r" {
        let lengths = own.compactMap { $0["bsd"] }.compactMap { Int($0.dropFirst().dropLast()) }
        let stalled = try number(metrics["timeSpentRecoveringFromStall"]) * 1_000
        #expect(abs(Double(lengths.reduce(0, +)) - stalled) <= Double(max(1, stalls)))
      }
      let delays = own.compactMap { $0["msd"] }
      let startup = try number(metrics["timeSpentInInitialStartup"]) * 1_000
      #expect(delays.count == 1 && abs((Double(delays[0]) ?? -9) - startup) <= 1, "\(delays)")
    }
    #expect(events.contains { $0["e"] == "rr" } == (text != Self.scenarios[2]))
  }

  /// Before the first item and after the last one, events belong to the session of that item.
  @Test func `events without an item have a session`() throws {
    let file = #"{"kind": "progressive", "duration": "2 s", "bitrate": "1 Mbit/s"}"#
    let text = """
      {"autowait": 1, "link": {"rate": "4 Mbit/s"}, "until": 40, "media": [\(file), \(file)],
       "players": [{"name": "one", "queue": [1, 0]}, {"name": "other"}],
       "script": [{"at": 1, "do": "play", "player": "one"},
         {"at": 5, "do": "load", "player": "other"}]}
      """
    let events = try run(text, "cmcd").split(separator: "\n").map { line in
      Dictionary(uniqueKeysWithValues: Self.fields(line))
    }
    #expect(events.allSatisfy { $0["sid"] != nil }, "\(events)")
    let ids = Set(events.compactMap { $0["sid"] })
    for id in ids {
      let items = Set(events.filter { $0["sid"] == id }.compactMap { $0["cid"] })
      #expect(items.count == 1, "\(events)")
    }
    #expect(ids.count == 3 && events.contains { $0["cid"] == nil }, "\(events)")
  }

  /// Splits a line at the commas outside of quotes and brackets.
  private static func fields(_ line: Substring) -> [(key: String, value: String)] {
    var (parts, part, isQuoted) = ([String](), "", false)
    for character in line {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts + [part]).map { text in
      let words = text.split(separator: "=", maxSplits: 1).map(String.init)
      return (words[0], words.count > 1 ? words[1] : "?1")
    }
  }

  @Test func `a document is about one run`() throws {
    let fixture = try CommandFixture(["a.json": Self.scenarios[0], "b.json": Self.scenarios[2]])
    for format in ["perfetto", "har"] {
      let call = fixture.call("run", "$/a.json", "$/b.json", "--format", format)
      #expect(call.code == 2)
      #expect(
        call.messages == """
          autowait: error: '--format \(format)' takes one scenario, but there are 2
          note: run each by itself, with '--output' and a FILE of its own

          """)
    }
    #expect(fixture.call("run", "$/a.json", "$/b.json", "--format", "cmcd").code == 0)
  }

  // MARK: - OpenMetrics

  @Test func `figures for monitoring are those of the report`() throws {
    let fixture = try CommandFixture([
      "x.json": #"""
      {"experiment": 1, "name": "a \"b\" \\ c", "metrics": ["stallsPerHour", "firstPlayed"],
       "base": {"link": "demo/slow-server",
         "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
         "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
       "vary": {"heuristic": ["avfoundation", "mpv"], "link": ["demo/slow-server", "nlc/lte"]}}
      """#
    ])
    let call = fixture.call("compare", "$/x.json", "--json", "--openmetrics", "$/x.prom")
    #expect(call.code == 0, "\(call.messages)")
    let text = try fixture.read("x.prom")
    #expect(text.hasSuffix("# EOF\n"))
    let lines = text.split(separator: "\n").map(String.init)
    func value(_ name: String, _ labels: String) -> String? {
      let start = "\(name){experiment=\"a \\\"b\\\" \\\\ c\",\(labels)} "
      return lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
    let contestants = try #require(try object(call.output)["contestants"] as? [Object])
    for contestant in contestants {
      let name = "contestant=\"\(contestant["name"] ?? "")\""
      #expect(value("autowait_stalls_total", name) == "\(contestant["stallCount"] ?? "")")
      let startup = try #require(contestant["startup"] as? Object)
      let median = try number(startup["median"])
      #expect(
        Double(value("autowait_startup_seconds", name + ",quantile=\"0.5\"") ?? "") == median)
      #expect(value("autowait_startup_seconds_count", name) == "\(startup["sessions"] ?? "")")
      let outcomes = try #require(contestant["outcomes"] as? Object)
      #expect(
        value("autowait_sessions_total", name + ",outcome=\"ended\"")
          == "\(outcomes["ended"] ?? "")")
      #expect(value("autowait_metric_firstPlayed_seconds_count", name) != nil)
    }
    let difference = try #require(contestants[1]["difference"] as? Object)
    let startup = try #require(difference["startup"] as? Object)
    let labels = "contestant=\"mpv\",baseline=\"avfoundation\",bound=\"mean\""
    #expect(
      Double(value("autowait_difference_startup_seconds", labels) ?? "")
        == (try number(startup["mean"])))
    // A family has its type before its samples, once.
    let types = lines.filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(types).count == types.count && types.count > 8)
    let same = fixture.call("compare", "$/x.json", "--openmetrics", "$/x.json")
    #expect(same.code == 2 && same.messages.contains("'--openmetrics'"))
  }

  // MARK: - Pictures

  @Test(
    arguments: [
      (["--figure", "width=85mm"], "'--figure' needs '--svg'"),
      (["--svg", "-", "--figure", "width"], "'--figure width' has no '='\nnote: as in"),
      (["--svg", "-", "--figure", "widht=5"], "unknown key 'widht'\nnote: did you mean 'width'?"),
      (["--svg", "-", "--figure", "width=wide"], "needs a length, not 'wide'\nnote: as in 85mm"),
      (["--svg", "-", "--figure", "width=5ms"], "unknown unit 'ms'\nnote: did you mean 'mm'?"),
      (["--svg", "-", "--figure", "width=5mm"], "must be from 50 to 10000 pixels, not '5mm'"),
      (["--svg", "-", "--figure", "font-size=0"], "must be from 4 to 100 pixels, not '0'"),
      (["--svg", "-", "--figure", "font="], "'--figure font=' names no font"),
      (["--svg", "-", "--figure", "theme=drak"], "value 'drak'\nnote: did you mean 'dark'?"),
      (["--svg", "-", "--figure", "title=a", "--figure", "title=b"], "sets 'title' twice"),
    ])
  func `a wrong wish for a picture is refused`(_ options: [String], _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Self.scenarios[2]])
    let call = fixture.call(["run", "$/a.json"] + options)
    #expect(call.code == 2 && call.messages.contains(message), "\(call.messages)")
  }

  @Test func `pictures look as they are wished for`() throws {
    let fixture = try CommandFixture(["a.json": Self.scenarios[2]])
    let call = fixture.call(
      "run", "$/a.json", "--svg", "-", "--figure", "width=8.5 cm", "--figure", "font=Times",
      "--figure", "theme=dark", "--figure", "title=A & B", "--figure", "caption=Below.")
    #expect(call.code == 0, "\(call.messages)")
    for word in [
      "width=\"8.5cm\"", "font-family=\"Times\"", ">A &amp; B</text>", ">Below.</text>", "#12161c",
    ] {
      #expect(call.output.contains(word), "\(word)")
    }
  }
}
