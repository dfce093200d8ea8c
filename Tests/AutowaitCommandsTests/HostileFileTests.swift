import AutowaitCommands
import Foundation
import Testing

/// A hostile text at every place of shipped files at which a text can stand, through every command
/// that reads them.
@Suite struct HostileFileTests {
  /// Commands, each with the file behind it.
  private static let commands = [
    ["check"], ["run"], ["run", "--format", "states"], ["test", "--github"], ["convert"],
    ["convert", "--to", "ladder"], ["link"], ["replay"], ["check", "--format", "json"],
  ]

  private func bytes(_ path: String) throws -> String {
    try #require(MarkdownDocument.read(path))
  }

  /// The ranges of the texts between quotation marks.
  private static func strings(in text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        index += 1
      } else if text[index] == 0x22 {
        if let open = start {
          ranges.append(open..<index)
          start = nil
        } else {
          start = index + 1
        }
      }
      index += 1
    }
    return ranges
  }

  /// Returns the text once for each of its strings, with a hostile one in its place or behind it.
  private static func mutants(of text: String, _ hostile: String) -> [String] {
    let bytes = Array(text.utf8)
    return strings(in: bytes).enumerated().map { number, range in
      let kept = number % 3 == 0 ? [] : Array(bytes[range])
      let all = bytes[..<range.lowerBound] + kept + Array(hostile.utf8) + bytes[range.upperBound...]
      return String(decoding: all, as: UTF8.self)
    }
  }

  private func check(_ fixture: CommandFixture, _ calls: [[String]], _ text: String) {
    for arguments in calls {
      let call = fixture.call(arguments)
      #expect(call.code != 3, "\(arguments) \(call) \(text)")
      HostileText.check(call, annotates: arguments.contains("--github"), "\(arguments) \(text)")
    }
  }

  @Test(arguments: [
    "demo/play-immediately.json", "players/three-players.json", "hls/key-preloaded.json",
    "heuristics/rule-as-data.json", "heuristics/rule-in-the-shell.json", "link/track-file.json",
    "link/files/stepped.json", "network/download-beside-a-movie.json", "hls/tree/plays.json",
  ])
  func scenarios(_ name: String) throws {
    let text = try bytes("Scenarios/\(name)")
    let folder = try FileManager.default.contentsOfDirectory(
      atPath: MarkdownDocument.url("Scenarios/link/files").path)
    let fixture = try CommandFixture(["two-seconds.sh": "#!/bin/sh\n", "show/master.m3u8": ""])
    for file in folder {
      try fixture.write("files/\(file)", try bytes("Scenarios/link/files/\(file)"))
    }
    for file in ["master.m3u8", "audio/en.m3u8", "video/low.m3u8", "video/high.m3u8"] {
      try fixture.write("show/\(file)", try bytes("Scenarios/hls/tree/show/\(file)"))
    }
    let mutants = Self.mutants(of: text, HostileText.json)
    #expect(mutants.count > 5)
    for mutant in MarkdownDocument.part(of: mutants) {
      try fixture.write("x.json", mutant)
      check(fixture, Self.commands.map { $0 + ["$/x.json"] }, mutant)
      fixture.input = [
        mutant.replacing("\n", with: " ") + "\n",
        "{\"scenario\": \(mutant.replacing("\n", with: " "))}\n",
      ]
      check(fixture, [["work"]], mutant)
    }
  }

  @Test func experiments() throws {
    let text = try bytes("Scenarios/experiments/rate-and-length.json")
      .replacing("\"*\"", with: "[{\"name\": \"a\", \"start\": \"1 s\"}, \"mpv\"]")
      .replacing("3 min", with: "9 s").replacing("30 min", with: "12 s")
      .replacing("\"count\": 900", with: "\"count\": 9")
    let fixture = try CommandFixture()
    for (number, mutant) in Self.mutants(of: text, HostileText.json).enumerated() {
      try fixture.write("x.json", mutant)
      let formats = [["--csv"], ["--ndjson"], ["--markdown"], ["--json"], ["--worst", "mpv"], []]
      let format = formats[number % formats.count]
      check(
        fixture,
        [
          ["check", "$/x.json"], ["compare", "$/x.json", "--seeds", "1"] + format,
          ["recipe", "dask", "$/x.json", "--shards", "2"],
        ], mutant)
    }
  }

  /// In all formats, with names that stay valid.
  @Test func comparisons() throws {
    let j = HostileText.json
    let text = CompareCommandTests.experiment
      .replacing("Two links", with: "::" + j).replacing("\"mpv\"", with: "{\"name\": \"::\(j)\"}")
      .replacing("\"demo/fast\"", with: "{\"name\": \"=\(j)\", \"down\": {\"rate\": \"9 Mbit/s\"}}")
      .replacing("\"seed\": 3", with: "\"seed\": 1")
      .replacing(
        "\"margin\"", with: "\"about\": \"::\(j)\", \"metrics\": [\"stallCount\"], \"margin\"")
    let fixture = try CommandFixture(["x.json": text])
    for format in [
      ["--json"], ["--csv"], ["--ndjson"], ["--markdown"], ["--color", "never"],
      ["--color", "always"],
      ["--search"], ["--html", "$/x.html"],
    ] {
      var call = fixture.call(["compare", "$/x.json"] + format)
      #expect(call.code == 0 || format == ["--search"], "\(call)")
      if format == ["--color", "always"] {
        for code in ["0", "1", "2", "31", "32", "33"] {
          call.output.replace("\u{1B}[\(code)m", with: "")
        }
      }
      HostileText.check(call, "\(format)")
    }
    #expect(HostileText.problem(in: try fixture.read("x.html")) == nil)
  }

  /// Every line, and every word of one, of playlists and of traces.
  @Test(arguments: [
    ("a.m3u8", "Scenarios/hls/tree/show/master.m3u8"),
    ("a.m3u8", "Scenarios/hls/tree/show/audio/en.m3u8"),
    ("a.trace", "1\n2\n5\n9\n"), ("a.csv", "time,throughput\n0,1.5\n1,2.5\n"),
    ("a.sh", "#!/bin/sh\ntc qdisc add dev eth0 root netem delay 20ms rate 2mbit\n"),
    ("a.json", "[{\"duration_ms\": 1000, \"bandwidth_kbps\": 500, \"latency_ms\": 20}]"),
    ("a.txt", "\"profiles\", \"name\", 3\n"),
  ])
  func linesAndWords(_ name: String, _ source: String) throws {
    let text = source.hasPrefix("Scenarios/") ? try bytes(source) : source
    let fixture = try CommandFixture()
    let lines = text.split(separator: "\n").map(String.init)
    var mutants = Self.mutants(of: text, HostileText.inline)
    for index in lines.indices {
      for line in [
        HostileText.inline, "::x", lines[index] + HostileText.inline, "#" + HostileText.inline,
      ] {
        var changed = lines
        changed.insert(line, at: index)
        mutants.append(changed.joined(separator: "\n") + "\n")
      }
      let words = lines[index].split(separator: ",", omittingEmptySubsequences: false).map(
        String.init)
      for place in words.indices {
        var changed = words
        changed[place] += HostileText.inline
        var all = lines
        all[index] = changed.joined(separator: ",")
        mutants.append(all.joined(separator: "\n") + "\n")
      }
    }
    for mutant in mutants {
      try fixture.write(name, mutant)
      check(
        fixture,
        [["check"], ["convert"], ["convert", "--to", "tc"], ["link"], ["run"]].map {
          $0 + ["$/\(name)"]
        },
        mutant)
    }
  }

  /// Every string of a golden log's header.
  @Test func logs() throws {
    let golden = try bytes("Scenarios/demo/play-immediately.expected.log")
    let fixture = try CommandFixture()
    let lines = golden.split(separator: "\n").map(String.init)
    for index in [0, 1, lines.count - 1] {
      for mutant in Self.mutants(of: lines[index], HostileText.json) {
        var changed = lines
        changed[index] = mutant
        try fixture.write("x.log", changed.joined(separator: "\n") + "\n")
        check(fixture, [["replay", "$/x.log"]], mutant)
      }
    }
  }
}
