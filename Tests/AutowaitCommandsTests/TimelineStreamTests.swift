import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario
import Testing

/// What a timeline shows of streams.
@Suite struct TimelineStreamTests {
  @Test(arguments: [40, 80, 120, 400])
  func whatIsLoadedIsWhatWasAskedFor(_ width: Int) throws {
    let result = try TimelineExamples.run(TimelineExamples.stream)
    // The variants in the order of the playlist are these rungs.
    let rungs = ["2", "1", "3"]
    var asked: [String] = []
    for record in result.records {
      guard case .variantSwitchStart(_, let variant, _) = record.event else { continue }
      asked.append(rungs[variant])
    }
    // While nothing comes each variant is tried.
    #expect(asked == ["2", "3", "2", "1", "2", "3", "1", "2", "3"])
    let loads = try strip("loads", TimelineExamples.stream, width)
    let plays = try strip("plays", TimelineExamples.stream, width)
    // Where a column is long a variant may be seen nowhere.
    let isFine = width >= 120
    for shown in [changes(loads.filter(\.isNumber)), changes(plays.filter(\.isNumber))] {
      let isSeen = shown.prefix(4) == asked.prefix(4) && shown.suffix(2) == asked.suffix(2)
      #expect(isFine ? isSeen : shown.last == "3" && shown.contains("1"), "\(shown)")
    }
    #expect(loads.count { $0 == "✗" } == (width < 80 ? 5 : 6))
  }

  @Test func playsFollowsTheStateAndShowsTheMediaAtThePlayhead() throws {
    let state = Array(try strip("state", TimelineExamples.stream, 200))
    let plays = Array(try strip("plays", TimelineExamples.stream, 200))
    for (column, sign) in state.enumerated() where "ew!".contains(sign) && column > 0 {
      let isShort = state[column - 1] != sign || state[column + 1] != sign
      #expect(isShort || column >= plays.count || plays[column] == " ", "\(column)")
    }
    let result = try TimelineExamples.run(TimelineExamples.stream)
    // The second variant arrives long before it is played.
    let arrived = try #require(
      result.records.first {
        if case .variantSwitch(from: 0, to: 2, _) = $0.event { true } else { false }
      })
    let seconds = Double(arrived.instant.nanoseconds) / 1_000_000_000
    let first = try #require(plays.firstIndex(of: "3"))
    #expect(Double(first) * result.end.secondsOfRun / Double(state.count) > seconds)
  }

  @Test func thePartsOfTheStartupFollowOneAnother() throws {
    for width in [40, 80, 120, 400] {
      let lines = try block("startup", TimelineExamples.stream, width)
      let bars = lines.dropFirst().map { line in
        let cells = Array(line)
        return (cells.firstIndex(of: "█") ?? 0, cells.lastIndex(of: "█") ?? 0)
      }
      #expect(bars.count == 5)
      for (one, next) in zip(bars, bars.dropFirst()) {
        #expect(one.0 <= one.1 && next.0 <= one.1 + 1 && next.1 >= one.1, "\(width)")
      }
      #expect(bars.last.map { $0.1 } == width - 1)
    }
    let lines = try block("startup", TimelineExamples.stream, 80)
    let microseconds = lines.map { line in
      Int64(
        ((Double(line.split(separator: " ").last { $0.first?.isNumber == true } ?? "") ?? 0)
          * 1_000_000)
          .rounded())
    }
    let sum = microseconds.dropFirst().reduce(0, +)
    #expect(abs(sum - microseconds[0]) <= 3, "\(lines)")
  }

  @Test func aStartupThatIsNotOverSaysSo() throws {
    let text = TimelineExamples.brokenStream.replacing("\"number\": 3", with: "\"number\": 0")
    #expect(try block("startup", text, 80).first?.hasSuffix("and not over") == true)
  }

  @Test func whatGoesWrongIsToldBeforeWhatIsDoneAboutIt() throws {
    let timeline = try TimelineExamples.timeline(TimelineExamples.brokenStream, width: 200)
    let lines = timeline.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    let missing = "HTTP 404: File Not Found (-12938)"
    let starts = ["7.20312 s", "8.20312 s", "19.20202 s"]
    #expect(
      lines.filter { line in starts.contains { line.hasPrefix($0) } } == [
        "7.20312 s error segment 3 of 2 Mbit/s: \(missing)",
        "7.20312 s down 2 ↘ 1 800 kbit/s from 18 s on",
        "7.20312 s error segment 3 of 800 kbit/s: \(missing)",
        "7.20312 s error segment 3 of 800 kbit/s: Can not proceed after removing variants (-12880)",
        "7.20312 s up 1 ↗ 2 2 Mbit/s",
        "8.20312 s error segment 3 of 2 Mbit/s: \(missing)",
        "8.20312 s buffer full loaded to 18 s of 60 s",
        "19.20202 s failed the item will not play any more",
      ])
  }

  @Test func theTableOfTheAccessLogHasARowForEachEntry() throws {
    for width in [60, 80, 120, 200] {
      let lines = try block("access log", TimelineExamples.stream, width)
      #expect(lines.count == 8, "\(width)")
      #expect(Set(lines.dropFirst().map(\.count)).count == 1)
      #expect(lines[1].contains("switched at") == (width >= 120))
    }
    let rows = try block("access log", TimelineExamples.stream, 80).dropFirst(2)
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      rows == [
        "2.455253 s 0 s 12 s 0 1.8 Mbit/s 6 Mbit/s 10",
        "14.455253 s 12 s 48 s 0 4.5 Mbit/s 3.61 Mbit/s 14",
        "62.455253 s 60 s 6 s 0 1.8 Mbit/s 900 kbit/s 3",
        "68.455253 s 66 s 96 s 1 600 kbit/s 4.94 Mbit/s 53",
        "187.798475 s 162 s 18 s 0 1.8 Mbit/s - 0",
        "205.798475 s 180 s 60 s 0 4.5 Mbit/s - 0",
      ])
  }

  @Test func propertiesNameTheVariant() throws {
    let timeline = try TimelineExamples.timeline(
      TimelineExamples.stream, tableAt: Instant(nanoseconds: 30_000_000_000))
    let variant = "2: best (1920x1080, 4.5 Mbit/s), 3 in the chart"
    #expect(timeline.contains("\n  variant                   \(variant)\n"))
    #expect(timeline.contains("\n  indicatedBitrate          4.5 Mbit/s\n"))
    #expect(timeline.contains("\n  errorCount                1\n"))
  }

  @Test func statesOfStreamsSayWhichVariantCame() throws {
    let text = StatesRendering.text(try TimelineExamples.run(TimelineExamples.stream))
    let rows = text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows[0].suffix(2) == ["variant", "indicatedBitrate"])
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    let variants = rows.dropFirst().map { $0.suffix(2).joined(separator: " ") }
    #expect(variants.first == "nil nil")
    #expect(variants.contains("0 1800000") && variants.last == "2 4500000")
    let file = StatesRendering.text(try TimelineExamples.run(TimelineExamples.demo()))
    #expect(!file.contains("variant"))
  }

  @Test func equalSignsOfSeveralPlayersAreToldApart() throws {
    let timeline = try TimelineExamples.timeline(TimelineExamples.manyVariants, width: 120)
    #expect(timeline.contains("a 1: 100 kbit/s"))
    #expect(timeline.contains("c 画 1: "))
    #expect(timeline.split(separator: "\n").count { $0.hasPrefix("  plays") } == 2)
  }

  @Test func aSingleVariantHasNoStrip() throws {
    let timeline = try TimelineExamples.timeline(AccessLogRenderingTests.stream)
    #expect(!timeline.contains("\nplays") && !timeline.contains("begin with"))
    #expect(timeline.contains("error"))
  }

  // MARK: -

  private func strip(_ name: String, _ text: String, _ width: Int) throws -> Substring {
    let timeline = try TimelineExamples.timeline(text, width: width)
    let line = timeline.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return try #require(line).dropFirst(9)
  }

  /// Returns the lines from a heading to the next empty line.
  private func block(_ heading: String, _ text: String, _ width: Int) throws -> [Substring] {
    let lines = try TimelineExamples.timeline(text, width: width)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return Array(lines.drop { !$0.hasPrefix(heading) }.prefix { !$0.isEmpty })
  }

  /// Returns the signs without repetitions.
  private func changes(_ signs: some Sequence<Character>) -> [String] {
    var result: [String] = []
    for sign in signs where result.last != String(sign) { result.append(String(sign)) }
    return result
  }
}

extension Instant {
  fileprivate var secondsOfRun: Double { Double(nanoseconds) / 1_000_000_000 }
}
