import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario
import Testing

/// What holds for the timeline of every scenario.
@Suite struct TimelineLawTests {
  private let table = Instant(nanoseconds: 8_159_375_000)

  @Test func noLineIsWiderThanTheTerminal() throws {
    var random: UInt64 = 1
    for text in MarkdownDocument.part(of: TimelineExamples.all) {
      var widths = [40, 79, 80, 81, 120, 400]
      for _ in 0..<5 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        widths.append(40 + Int(random >> 33) % 361)
      }
      for width in widths {
        for line in try TimelineExamples.timeline(text, width: width, tableAt: table)
          .split(separator: "\n")
        {
          #expect(columns(line) <= width, "\(width): \(line)")
          #expect(!line.hasSuffix(" "), "\(line)")
        }
      }
    }
  }

  @Test func widthsOutOfRangeAreBroughtIntoIt() throws {
    let text = TimelineExamples.demo()
    for (width, nearest) in [(-1, 40), (0, 40), (39, 40), (401, 400), (Int.max, 400)] {
      #expect(
        try TimelineExamples.timeline(text, width: width)
          == TimelineExamples.timeline(text, width: nearest))
    }
  }

  @Test func coloursChangeNothingButColours() throws {
    for text in TimelineExamples.all {
      let plain = try TimelineExamples.timeline(text, tableAt: table)
      let coloured = try TimelineExamples.timeline(text, usesColor: true, tableAt: table)
      #expect(!plain.unicodeScalars.contains("\u{1B}"))
      #expect(coloured.unicodeScalars.contains("\u{1B}"))
      #expect(withoutColours(coloured) == plain)
    }
  }

  @Test func nothingMovesTheCursor() throws {
    for text in TimelineExamples.all {
      let timeline = try TimelineExamples.timeline(text, tableAt: table)
      let states = StatesRendering.text(try TimelineExamples.run(text))
      for scalar in (timeline + states).unicodeScalars where scalar != "\n" {
        let category = scalar.properties.generalCategory
        #expect(category != .control && category != .format, "\(scalar.value)")
      }
    }
  }

  @Test func aShortStallIsSeenAtEveryWidth() throws {
    let stalls = try TimelineExamples.run(TimelineExamples.shortStall).records.count {
      $0.event == .playbackStalled
    }
    #expect(stalls == 1)
    for width in stride(from: 40, through: 400, by: 9) {
      let strip = try line("state", TimelineExamples.shortStall, width)
      #expect(strip.count { $0 == "!" } == 1, "\(width): \(strip)")
    }
  }

  @Test func everyStallStartAndEndIsSeen() throws {
    let text = TimelineExamples.hour
    let result = try TimelineExamples.run(text)
    for width in [60, 80, 120, 200] {
      let strip = try line("state", text, width)
      let link = try line("link", text, width)
      #expect(strip.count { $0 == "■" } == 1)
      #expect(link.contains { $0 == "▾" || $0 == "×" })
      // Stalls that are further apart than two columns cannot share one.
      let stalls = result.records.filter { $0.event == .playbackStalled }.map(\.instant.nanoseconds)
      let column = result.end.nanoseconds / Int64(strip.count - 2)
      let groups = zip(stalls, stalls.dropFirst()).count { $1 - $0 > 2 * column } + 1
      let seen = strip.split(whereSeparator: { $0 != "!" }).count
      #expect(seen >= min(groups, 2), "\(width): \(strip)")
    }
  }

  @Test func stripInstantsAscendWithinTheRun() throws {
    for text in TimelineExamples.all {
      let result = try TimelineExamples.run(text)
      let instants = TimelineRendering.stripInstants(result, width: 80)
      #expect(instants == instants.sorted())
      #expect((instants.last ?? .start) <= result.end)
    }
  }

  @Test func stripsEndWithARunThatIsCutOff() throws {
    for width in [40, 69, 80, 123] {
      let text = TimelineExamples.cutOff
      #expect(try line("state", text, width).count == line("link", text, width).count)
      #expect(try line("state", text, width).hasSuffix("━"))
    }
  }

  @Test func aStateThatIsBrieflySomewhereIsSeenSomewhere() throws {
    // Some seconds of play between a stall and a pause, and then an hour of nothing.
    let text = #"""
      {"autowait": 1, "name": "A little play", "until": 4000,
       "link": [{"at": 0, "use": {"name": "before", "rate": "4.2 Mbit/s"}},
                {"at": 10, "use": "demo/offline"},
                {"at": 40, "use": {"name": "behind", "rate": "4.2 Mbit/s"}}],
       "media": {"kind": "progressive", "duration": 3600, "bitrate": "4 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"},
                  {"when": {"stallCount": {">=": 1}}, "do": "pause"}, {"at": 3900, "do": "load"}]}
      """#
    for width in [40, 60, 80, 120, 400] {
      let timeline = try TimelineExamples.timeline(text, width: width)
      let strip = try line("state", text, width)
      #expect(strip.contains("━") && strip.contains("!") && strip.contains("·"), "\(strip)")
      #expect(timeline.contains("━ plays"))
    }
  }

  @Test func theFullestBufferIsTheSameAtEveryWidth() throws {
    for text in TimelineExamples.all {
      var peaks: Set<String> = []
      for width in [60, 80, 81, 123, 400] {
        let words = try TimelineExamples.timeline(text, width: width).split(whereSeparator: {
          $0 == " " || $0 == "\n"
        })
        let place = words.indices.first { words[$0] == "ahead" }
        peaks.insert(place.map { "\(words[$0 - 2])" } ?? "always empty")
      }
      #expect(peaks.count == 1, "\(peaks)")
    }
  }

  @Test func whatIsBufferedJustBeforeASeekCounts() throws {
    let text = #"""
      {"autowait": 1, "name": "Fast, then away", "link": {"name": "fast", "rate": "80 Mbit/s"},
       "media": {"kind": "progressive", "duration": 600, "bitrate": "4 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": "1.7 s", "do": "seek", "to": 590},
                  {"at": 300, "do": "pause"}]}
      """#
    #expect(try TimelineExamples.timeline(text).contains("buffer █ 34 s ahead"))
  }

  @Test func aRerunIsTheSameRunWithoutItsRecords() throws {
    for text in TimelineExamples.all {
      let source = SourceText(path: "example.json", text: text)
      let scenario = try #require(ScenarioReader.read(source, loader: .none).scenario)
      let first = ScenarioRun.run(scenario)
      let instants = TimelineRendering.stripInstants(first, width: 80)
      let samples = ScenarioRun.run(scenario, samplesAt: instants).samples
      let again = ScenarioRun.rerun(scenario, samplesAt: instants)
      #expect(again.records.isEmpty && again.outcomes.isEmpty)
      #expect((again.fingerprint, again.end) == (first.fingerprint, first.end))
      #expect(again.samples.count == instants.count)
      for (left, right) in zip(again.samples, samples) {
        #expect(left.instant == right.instant && left.linkRate == right.linkRate)
        #expect(left.players.map(\.currentTime) == right.players.map(\.currentTime))
        #expect(left.players.map(\.loadedEnd) == right.players.map(\.loadedEnd))
      }
    }
  }

  @Test func withoutSamplesThereAreStillStates() throws {
    let result = try TimelineExamples.run(TimelineExamples.demo())
    let text = TimelineRendering.text(
      result, strip: [], table: nil, style: TextStyle(width: 80, usesColor: false))
    #expect(text.contains("\nstate    ·wwwwwww━"))
  }

  /// Returns the strip of a name, without what leads it.
  private func line(_ name: String, _ text: String, _ width: Int) throws -> String {
    let lines = try TimelineExamples.timeline(text, width: width).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(name + " ") })
    return String(line.dropFirst(9))
  }

  /// Counts the columns of a line; what terminals show in two is counted as two.
  private func columns(_ line: Substring) -> Int {
    line.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar.value {
      case 0x2E80...0xD7FF, 0xFF00...0xFF60, 0x1F300...0x1FAFF: sum + 2
      default: sum + 1
      }
    }
  }

  private func withoutColours(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscape = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{1B}" { isEscape = true }
      if !isEscape { result.append(scalar) }
      if isEscape, scalar == "m" { isEscape = false }
    }
    return String(result)
  }
}
