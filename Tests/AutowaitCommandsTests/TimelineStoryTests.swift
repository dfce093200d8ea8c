import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario
import Testing

/// What the list of events tells, and what it says that it does not tell.
@Suite struct TimelineStoryTests {
  /// A link that is slow for a minute, on which a small buffer fills and empties all the time.
  private func drop(limit: String, script: String = "") -> String {
    #"""
    {"autowait": 1, "name": "A drop", "link": {"name": "drop", "down": {"track": [
       {"rate": "5 Mbit/s", "for": 60}, {"rate": "1 Mbit/s", "for": 60},
       {"rate": "5 Mbit/s", "for": 1}]}},
     "heuristic": {"forwardBufferLimit": "\#(limit)"},
     "media": {"kind": "progressive", "duration": 600, "bitrate": "2 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}\#(script)]}
    """#
  }

  @Test func whatLeadsToAStallIsToldAndTheRestIsCounted() throws {
    let text = drop(limit: "20 s")
    let lines = try story(text)
    let words = lines.dropLast().map { $0.split(separator: " ").dropFirst(2).prefix(2) }
    #expect(
      words.map { $0.joined(separator: " ") } == [
        "load, play", "ready", "playing likely", "buffer full", "link 1", "not likely",
        "stalled the", "link 5", "playing the", "all loaded", "ended played",
      ])
    let told: Set<Int64> = [
      0, 104_857_600, 13_263_428_267, 60_000_000_000, 67_606_120_415, 90_209_715_170,
      120_000_000_000, 122_041_943_040, 613_000_000_064, 631_937_085_464,
    ]
    let untold = try TimelineExamples.run(text).records.count { record in
      let isChange =
        switch record.event {
        case .linkRate, .linkChanged, .readingSuspended, .isPlaybackBufferFull,
          .isPlaybackLikelyToKeepUp:
          true
        default: false
        }
      return isChange && !told.contains { abs($0 - record.instant.nanoseconds) < 1_000 }
    }
    #expect(untold > 100)
    #expect(
      lines.last
        == "… \(untold) changes of reading, buffer and link are not shown; --format jsonl has them")
  }

  @Test func aChangeOfTheLinkThatNoRecordTellsIsSaid() throws {
    let lines = try story(drop(limit: "50 s"))
    #expect(lines.contains("120 s link 5 Mbit/s (after 1 Mbit/s)"))
  }

  @Test func nothingIsCountedWhereEverythingIsTold() throws {
    #expect(try story(TimelineExamples.demo()).last?.contains("ended") == true)
  }

  @Test func ofManyChangesOfTheLinkThoseNextToStallsAreTold() throws {
    let samples = (0..<20).map { #"{"rate": "\#($0 % 2 == 0 ? 5 : 4) Mbit/s", "for": 2}"# }
    let text = #"""
      {"autowait": 1, "name": "Up and down", "link": {"name": "wild", "down": {"track": [
         \#(samples.joined(separator: ", ")), {"rate": "1 Mbit/s", "for": 60},
         {"rate": "9 Mbit/s", "for": 1}]}},
       "media": {"kind": "progressive", "duration": 200, "bitrate": "3 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """#
    let lines = try story(text)
    #expect(lines.filter { $0.contains("link") && !$0.contains("…") }.count == 2)
    #expect(lines.contains { $0.hasPrefix("40 s link 1 Mbit/s") })
    #expect(lines.contains { $0.hasPrefix("100 s link 9 Mbit/s") })
  }

  @Test func aStepIsNotSaidToHaveDoneWhatWasBeforeIt() throws {
    let step = #", {"when": {"stallCount": {">=": 1}}, "do": "seek", "to": 40}"#
    let lines = try story(drop(limit: "20 s", script: step))
    let place = try #require(lines.firstIndex { $0.contains("stalled") })
    #expect(lines[place] == "90.209715 s stalled the buffer ran empty at 90.104858 s")
    #expect(
      lines[place + 1]
        == "90.209715 s seek to 40 s → playing when stallCount >= 1; "
        + "the buffer is as full as it gets")
  }

  @Test func whatIsDoneAtTheEndIsNoReasonForIt() throws {
    let text = #"""
      {"autowait": 1, "name": "Once more", "link": {"name": "home", "rate": "5 Mbit/s"},
       "media": {"kind": "local", "duration": 10},
       "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "play"},
                  {"when": {"playedToEndCount": {">=": 1}}, "do": "seek", "to": 0},
                  {"when": {"playedToEndCount": {">=": 1}}, "do": "play"}]}
      """#
    let lines = try story(text).filter { $0.hasPrefix("11 s") }
    #expect(
      lines == [
        "11 s ended played to the end at 10 s",
        "11 s seek to 0 s, play → playing when playedToEndCount >= 1; "
          + "when playedToEndCount >= 1; everything is loaded",
      ])
    // The seek has a column of its own, and takes none from an end.
    let strip = try TimelineExamples.timeline(text).split(separator: "\n")
      .first { $0.hasPrefix("state") }
    #expect(strip?.contains("■s") == true)
    #expect(strip?.count { $0 == "■" } == 2)
  }

  @Test func playAtTheEndIsToldToBeInVain() throws {
    let text = #"""
      {"autowait": 1, "name": "Once more", "link": {"name": "home", "rate": "5 Mbit/s"},
       "media": {"kind": "progressive", "duration": 20, "bitrate": "2 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}, {"at": 25, "do": "play"},
                  {"at": 26, "do": "pause"}, {"at": 27, "do": "setRate", "rate": 2},
                  {"at": 28, "do": "seek", "to": 5}, {"at": 29, "do": "play"}]}
      """#
    let lines = try story(text)
    #expect(lines.contains("25 s play at the end: nothing plays until a seek"))
    #expect(lines.contains("26 s pause"))
    #expect(lines.contains("27 s rate = 2.0 at the end: nothing plays until a seek"))
    #expect(lines.contains { $0.hasPrefix("29 s play → playing") })
  }

  /// A file on iOS 9, which has no status, and the same on iOS 10 without automatic waiting: what
  /// else is shown is the same.
  @Test func statesBeforeIOS10HaveNoStatus() throws {
    func states(_ player: String) throws -> [(status: String, others: [Substring])] {
      let text = #"""
        {"autowait": 1, "name": "Both", "link": {"name": "gap", "down": {"track": [
           {"rate": "4 Mbit/s", "for": 6}, {"rate": 0, "for": 3},
           {"rate": "4 Mbit/s", "for": 100}]}},
         "media": [{"kind": "progressive", "duration": 20, "bitrate": "2 Mbit/s"},
                   {"kind": "progressive", "duration": 9, "bitrate": "2 Mbit/s"}],
         "player": {\#(player)},
         "script": [{"at": 0, "do": "play"}, {"at": 0, "do": "load"},
           {"at": 2, "do": "seek", "to": 3}, {"at": 3, "do": "seek", "to": 15},
           {"at": 4, "do": "pause"}, {"at": "4.5 s", "do": "play"},
           {"at": 5, "do": "setRate", "rate": 2}, {"at": 7, "do": "seek", "to": 10},
           {"at": 10, "do": "play"}, {"at": 11, "do": "load", "item": 1},
           {"at": 30, "do": "seek", "to": 0}, {"at": 31, "do": "play"}]}
        """#
      let result = try TimelineExamples.run(text)
      return StatesRendering.text(result).split(separator: "\n").dropFirst().map { line in
        // Without the reason, which only the newer player has while there is no item.
        let cells = line.split(separator: " ")
        return (String(cells[3]), Array(cells[1...2] + cells[5...]))
      }
    }
    let old = try states(#""contract": "ios9""#)
    let new = try states(#""contract": "ios10", "automaticallyWaitsToMinimizeStalling": false"#)
    #expect(old.map(\.others) == new.map(\.others))
    #expect(old.allSatisfy { $0.status == "nil" })
    for status in ["paused", "waitingToPlayAtSpecifiedRate", "playing"] {
      #expect(new.count { $0.status == status } > 1, "\(status)")
    }
  }

  @Test func aPlayerBeforeIOS10HasALane() throws {
    let text = #"""
      {"autowait": 1, "name": "Two tracks", "link": {"name": "home", "rate": "1 Mbit/s"},
       "media": {"kind": "progressive", "duration": 20, "bitrate": "500 kbit/s"},
       "player": {"contract": "ios9", "pipelineRebuild": "3 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
                  {"at": 4, "do": "changeTracks"}, {"at": 9, "do": "seek", "to": 19}]}
      """#
    // A frame of 0.04 s takes 20 ms of the link, and the last second half a second.
    #expect(
      try story(text) == [
        "0 s load, play → waiting 20 s at 500 kbit/s; the first frame is not there yet",
        "0.02 s playing without waiting, whether it keeps up or not: 0.04 s loaded of 20 s",
        "0.524288 s likely would keep up from here: loaded to 1.048576 s of 20 s",
        "4 s changeTracks → standing the pipeline is built again",
        "9 s seek to 19 s → waiting 19 s is not loaded; the first frame is not there yet",
        "9.02 s playing without waiting, whether it keeps up or not: loaded to 19.04 s of 20 s",
        "9.5 s buffer full loaded to 20 s of 20 s",
        "10.02 s ended played to the end at 20 s",
      ])
    let strip = try TimelineExamples.timeline(text).split(separator: "\n")
      .first { $0.hasPrefix("state") }
    for symbol in ["w", "━", "─", "■"] { #expect(strip?.contains(symbol) == true, "\(symbol)") }
  }

  @Test func aWaitWithoutAReasonSaysWhatItIsFor() throws {
    let text = #"""
      {"autowait": 1, "name": "Late", "link": {"name": "home", "rate": "1 Mbit/s"},
       "media": {"kind": "progressive", "duration": 20, "bitrate": "500 kbit/s"},
       "player": {"automaticallyWaitsToMinimizeStalling": false},
       "script": [{"at": 0, "do": "play"}, {"at": 2, "do": "load"}]}
      """#
    let lines = try TimelineExamples.timeline(text, width: 200).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains("0 s play → waiting there is no item to play"))
    #expect(
      lines.contains("2 s load → waiting 20 s at 500 kbit/s; the first frame is not there yet"))
    #expect(
      lines.contains {
        $0.hasPrefix("2.02 s playing without waiting, whether it keeps up or not")
      })
  }

  @Test func theInstantThatWasAskedForIsExact() throws {
    for (nanoseconds, text) in [(11_884_383_914, "11.884383914"), (11_884_383_900, "11.8843839")] {
      let timeline = try TimelineExamples.timeline(
        TimelineExamples.demo(), tableAt: Instant(nanoseconds: Int64(nanoseconds)))
      #expect(timeline.contains("\nat \(text) s\n"))
    }
  }

  @Test func statesThatHeldOrDidNotSayWhen() throws {
    let expect = #"""
      {"always": {"timeControlStatus": "playing"}}, {"never": {"timeControlStatus": "playing"}},
      {"eventually": {"timeControlStatus": "playing"}, "within": "1 s"},
      {"eventually": {"stallCount": 7}}
      """#
    let lines = try TimelineExamples.timeline(TimelineExamples.demo(expect: expect))
      .split(separator: "\n")
    let places = lines.indices.filter { lines[$0].hasPrefix("✗") }
    #expect(
      places.map { lines[$0 + 1].drop { $0 == " " } } == [
        "did not hold at 0 s", "held at 6.459375 s", "held only at 6.459375 s", "observed: never",
      ])
  }

  /// Returns the lines of the list, with single spaces.
  private func story(_ text: String) throws -> [String] {
    let timeline = try TimelineExamples.timeline(text, width: 200)
    let lines = timeline.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.contains("0 s  load") }.prefix { !$0.isEmpty }
      .map { $0.split(separator: " ").joined(separator: " ") }
  }
}
