import Autowait
import AutowaitCommands
import AutowaitRendering
import Testing

/// What people see, to the letter.
@Suite struct TimelineRenderingTests {
  private let expectations = #"""
    {"at": "8.159375 s", "timeControlStatus": "playing", "currentTime": "1.7 s", "loaded": "7 s"},
    {"never": {"event": "playbackStalled"}},
    {"metric": "timeSpentInInitialStartup", "<=": "6.2 s"}
    """#

  @Test func waitingAndPlayingThrough() throws {
    try check(
      TimelineExamples.demo(expect: expectations), tableAt: Instant(nanoseconds: 8_159_375_000),
      """
      Slow server                                                               seed 1
      The stage demo.

               0 s         10 s         20 s        30 s         40 s
               ├───────────┬────────────┬───────────┬────────────┬───────
      state    ·wwwwwww━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━■·
      buffer   ▁▂▃▄▅▆▇███████▇▇▇▇▇▇▆▆▆▆▆▆▅▅▅▅▅▅▄▄▄▄▄▄▃▃▃▃▃▃▂▂▂▂▂▂▁▁▁▁▁▁▁
      link     █████████████████████████████████████████████████████████

               · paused   w waits   ━ plays   ■ end   buffer █ 5.54 s ahead
               link █ 3.2 Mbit/s   a column is 0.8 s
               demo/slow-server, ideal tier: a request costs a round trip

              0 s  load            39 s at 3.73 Mbit/s
       0.046625 s  ready
       0.349688 s  play → waiting  when loaded >= 0.3 s; to minimize stalls: would not
                                   keep up
       6.459375 s  playing         likely to keep up: 5.541555 s loaded of 39 s
      45.459375 s  ended           played to the end at 39 s

      at 8.159375 s
        timeControlStatus         playing
        reasonForWaitingToPlay    nil
        rate                      1.0
        timebaseRate              1.0
        currentTime               1.7 s
        loadedTimeRanges          [[0, 7]]
        isPlaybackLikelyToKeepUp  true
        isPlaybackBufferFull      false
        isPlaybackBufferEmpty     false

      metrics
        firstPlayed                    6.459375 s
        timeSpentInInitialStartup      6.109688 s
        stallCount                            0
        timeSpentRecoveringFromStall          0 s
        playbackDuration                     39 s
        mediaPlayed                          39 s
        timePaused                     0.349688 s
        wallTime                      45.459375 s
        playedToEndCount                      1
        mediaResourceRequestCount             1
        numberOfBytesTransferred       18.18375 MB
        transferDuration              45.459375 s
        observedBitrate                     3.2 Mbit/s

      ✓ line 5  at: 8.159375 s, timeControlStatus: playing, currentTime: 1.7 s, loade…
      ✓ line 6  never: {event: playbackStalled}
      ✓ line 7  metric: timeSpentInInitialStartup, <= 6.2 s
      3 expectations: 3 met                               fingerprint 32f96e882509d6cc

      """)
  }

  @Test func aStallAndMissedExpectations() throws {
    try check(
      TimelineExamples.demo("playImmediately", expect: expectations),
      """
      Slow server                                                               seed 1
      The stage demo.

               0 s         10 s         20 s        30 s         40 s
               ├───────────┬────────────┬───────────┬────────────┬───────
      state    ·━━!!!!!!!━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━■·
      buffer   ▁▁▁▁▂▃▄▅▆▇██████▇▇▇▇▇▇▆▆▆▆▆▆▅▅▅▅▅▄▄▄▄▄▄▃▃▃▃▃▃▂▂▂▂▂▂▁▁▁▁▁▁
      link     █████████████████████████████████████████████████████████

               · paused   ━ plays   ! stalled   ■ end   buffer █ 5.24 s ahead
               link █ 3.2 Mbit/s   a column is 0.8 s
               demo/slow-server, ideal tier: a request costs a round trip

              0 s  load                       39 s at 3.73 Mbit/s
       0.046625 s  ready
       0.349688 s  playImmediately → playing  when loaded >= 0.3 s; at once, whether
                                              it keeps up or not
       2.461008 s  stalled                    the buffer ran empty at 2.111321 s
       8.570696 s  playing                    likely to keep up: loaded to 7.352876 s
                                              of 39 s, after 6.109687 s
      45.459375 s  ended                      played to the end at 39 s

      metrics
        firstPlayed                    0.349688 s
        timeSpentInInitialStartup             0 s
        stallCount                            1
        timeSpentRecoveringFromStall   6.109687 s
        playbackDuration                     39 s
        mediaPlayed                          39 s
        rebufferRatio                  0.135441
        timePaused                     0.349688 s
        wallTime                      45.459375 s
        playedToEndCount                      1
        mediaResourceRequestCount             1
        numberOfBytesTransferred       18.18375 MB
        transferDuration              45.459375 s
        observedBitrate                     3.2 Mbit/s

      ✗ line 5  at: 8.159375 s, timeControlStatus: playing, currentTime: 1.7 s, loade…
                timeControlStatus: expected playing, observed
                waitingToPlayAtSpecifiedRate
                currentTime: expected 1.7 s, observed 2.111320754 s
      ✗ line 6  never: {event: playbackStalled}
                observed: playbackStalled at 2.461008255 s
      ✓ line 7  metric: timeSpentInInitialStartup, <= 6.2 s
      3 expectations: 1 met, 2 not                        fingerprint 4a4fb739842eabb6

      """)
  }

  /// An outage that ends while nothing flows is told as long as it was.
  @Test func anOutageThatNobodyNotices() throws {
    let text = """
      {"autowait": 1, "until": "20 s", "link": {"use": "demo/slow-server",
        "events": [{"type": "blackout", "at": "2 s", "for": "12 s"}]},
       "media": {"kind": "progressive", "duration": "60 s", "bitrate": "1 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
        {"at": 5, "do": "replaceCurrentItem", "item": null}]}
      """
    let timeline = try TimelineExamples.timeline(text)
    #expect(timeline.contains("2 s  link down              nothing arrives for 12 s\n"))
    // One that lasts to the end of the run has no length that anybody knows.
    let cut = try TimelineExamples.timeline(text.replacing("\"20 s\"", with: "\"9 s\""))
    #expect(cut.contains("2 s  link down              nothing arrives\n"), "\(cut)")
  }

  /// The network is back at 13 s, and is asked at 14 s: 1, 2, 4 and 5 s after it was before.
  @Test(arguments: [
    ("", "  13 s  link up", "5 Mbit/s"),
    (
      #", {"at": "13.5 s", "rate": "2 Mbit/s"}"#,
      "  13 s  link up", "5 Mbit/s, and 2 Mbit/s at 14 s"
    ),
  ])
  func anOutageOfADeviceThatKnows(_ change: String, _ up: String, _ rate: String) throws {
    let timeline = try TimelineExamples.timeline(
      """
      {"autowait": 1, "until": "60 s", "link": {
        "down": {"track": [{"at": 0, "rate": "5 Mbit/s"}\(change)]},
        "events": [{"type": "offline", "at": "2 s", "for": "11 s"}]},
       "media": {"kind": "hls", "duration": "60 s", "segmentDuration": "6 s",
        "multivariantPlaylist": 0, "mediaPlaylist": 0, "variants": [{"bandwidth": "4 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    #expect(timeline.contains("2 s  link down             nothing arrives for 11 s\n"))
    #expect(timeline.contains("\(up)               \(rate)\n"), "\(timeline)")
  }

  /// A second outage begins before anything flowed after the first; one in another one is none.
  @Test(arguments: [
    (
      [["offline", "21", "10"], ["offline", "31.5", "20"]],
      ["21 s for 10 s", "31 s up", "31.5 s for 20 s", "51.5 s up"]
    ),
    (
      [["blackout", "21", "30"], ["offline", "30", "5"]],
      ["21 s for 30 s", "51 s up"]
    ),
  ])
  func outagesCloseTogether(_ outages: [[String]], _ told: [String]) throws {
    let events = outages.map {
      "{\"type\": \"\($0[0])\", \"at\": \($0[1]), \"for\": \($0[2])}"
    }.joined(separator: ", ")
    let timeline = try TimelineExamples.timeline(
      """
      {"autowait": 1, "link": {"rate": "3 Mbit/s", "events": [\(events)]},
       "media": {"kind": "hls", "duration": 60, "segmentDuration": 6,
        "multivariantPlaylist": 0, "mediaPlaylist": 0, "variants": [{"bandwidth": "2 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    let lines = timeline.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 4, words[2] == "link" else { return nil }
      return words[3] == "up"
        ? "\(words[0]) s up" : "\(words[0]) s for \(words.suffix(2).joined(separator: " "))"
    }
    #expect(lines == told)
  }

  /// What is logged as a risk of stalls has not gone wrong: one segment of three is too large.
  @Test func aWarningIsNoError() throws {
    let timeline = try TimelineExamples.timeline(
      """
      {"autowait": 1, "link": {"rate": "8 Mbit/s"},
       "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "4 s",
        "multivariantPlaylist": 0, "mediaPlaylist": 0,
        "variants": [{"name": "a", "bandwidth": "1 Mbit/s", "sizes": [500000, 500001, 500000]},
         {"name": "b", "bandwidth": "100 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    #expect(timeline.contains("  warning"), "\(timeline)")
    #expect(timeline.contains("segment 1 of a: Segment exceeds specified"))
    #expect(!timeline.contains("✗") && !timeline.contains("  error"), "\(timeline)")
  }

  @Test func anOutageOnAWiderTerminal() throws {
    try check(
      TimelineExamples.airplaneMode, width: 92,
      """
      Airplane mode                                                                         seed 0

               0 s             20 s             40 s             60 s            80 s
               ├───────────────┬────────────────┬────────────────┬───────────────┬──────────────
      state    e━━━━━━━━━━━━━━━━!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━■·
      buffer   ▁▁▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▁                        ▁▂▃▄▅▆▇▇▇▇▇▇▇▇▇▇██████████████▇▆▅▄▃▃▂▁
      link     ████████████████▾××××××××××××××××××××××××▾██████████████████████████████████████

               · paused   e evaluates the fill rate   ━ plays   ! stalled   ■ end
               buffer █ 10 s ahead   link █ 4 Mbit/s   × down   ▾ down for a while
               a column is 1.2 s
               cafe, ideal tier: a request costs a round trip

              0 s  load, play → waiting  60 s at 3.73 Mbit/s; too little has arrived to judge the
                                         fill rate
         0.0373 s  ready
       0.131072 s  playing               likely to keep up: 0.14056 s loaded of 60 s
             20 s  link down             demo/offline: nothing arrives for 30 s
      20.848386 s  not likely            would no longer keep up: loaded to 21.447721 s of 60 s
      21.578793 s  stalled               the buffer ran empty at 21.447721 s
             50 s  link up               cafe again: 4 Mbit/s
       57.40439 s  playing               likely to keep up: loaded to 29.388086 s of 60 s, after
                                         35.825597 s
          85.95 s  all loaded
      95.956669 s  ended                 played to the end at 60 s

      metrics
        firstPlayed                    0.131072 s
        timeSpentInInitialStartup      0.131072 s
        stallCount                            1
        timeSpentRecoveringFromStall  35.825597 s
        playbackDuration                     60 s
        mediaPlayed                          60 s
        rebufferRatio                  0.373862
        wallTime                      95.956669 s
        playedToEndCount                      1
        mediaResourceRequestCount             1
        numberOfBytesTransferred         27.975 MB
        transferDuration                  55.95 s
        observedBitrate                       4 Mbit/s

      no expectations                                                 fingerprint 13c0bb135338e598

      """)
  }

  @Test func waitingForEverIsABreak() throws {
    try check(
      TimelineExamples.deadServer, width: 60,
      """
      A server that never answers                           seed 0

               0 s       2 s       4 s       6 s    756 s
               ├─────────┬─────────┬─────────┬────≈─────┤
      state    ·····eeeeewwwwwwwwwwwwwwwwwwwwwwwww≈wwwwww
      buffer                                      ≈
      link     ×××××××××××××××××××××××××××××××××××≈××××××

               · paused   e evaluates the fill rate   w waits
               ≈ 747.8 s of waiting, left out
               buffer always empty   × down   a column is 0.2 s
               dead, ideal tier: a request costs a round trip

        0 s  load            39 s at 3.73 Mbit/s
        1 s  play → waiting  too little has arrived to judge the
                             fill rate
        2 s  waiting         to minimize stalls: would not keep up
      756 s  end of run      the time of the run is up, and a
                             player still waits

      metrics
        timeSpentInInitialStartup     755 s
        stallCount                      0
        timeSpentRecoveringFromStall    0 s
        playbackDuration                0 s
        timePaused                      1 s
        wallTime                      756 s
        mediaResourceRequestCount       1

      ✓ line 4  finish: stillWaiting
      ✗ line 5  eventually: {timeControlStatus: playing}, within:…
                observed: never
      2 expectations: 1 met, 1 not    fingerprint 4a44f12418dd2e59

      """)
  }

  @Test func severalPlayersHaveTheirNames() throws {
    let timeline = try TimelineExamples.timeline(TimelineExamples.twoPlayers)
    expectSame(
      part(of: timeline, before: "metrics"),
      """
      Two players                                                               seed 0

               0 s             10 s             20 s             30 s
               ├───────────────┬────────────────┬────────────────┬────────────
      main
        state  e━━━━━━━━━━━━━━!!!!!!!!!!!!━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━■·
        buffer ▁▁▁▁▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▂▂▂▃▃▃▄▄▅▅▅▅▅▆▆▆▆▇▇▇▇██████▇▇▆▆▆▅▅▄▄▃▃▂▂▁▁▁
      picture in picture 画中画 and more words than fit
        state  ·····w━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━■························
        buffer      ▁▁▁▁▂▂▂▂▃▃▃▃▃▄▄▄▄▅▅▅▅▆▆▅▅▄▄▃▃▂▂▁▁
      link     ██████████████████████████████████████████████████████████████

               · paused   e evaluates the fill rate   w waits   ━ plays   ! stalled
               ■ end   buffer █ 10.3 s ahead   link █ 6 Mbit/s   a column is 0.6 s
               home, ideal tier: a request costs a round trip

              0 s  main           load, play → waiting  30 s at 4 Mbit/s; too little
                                                        has arrived to judge the fill
                                                        rate
       0.026667 s  main           ready
       0.087381 s  main           playing               likely to keep up: 0.131072 s
                                                        loaded of 30 s
              3 s  picture in p…  load, playImmediately → waiting
                                                        20 s at 2 Mbit/s; to minimize
                                                        stalls: would not keep up
       3.026667 s  picture in p…  ready
       3.174763 s  picture in p…  playing               likely to keep up: 0.262144 s
                                                        loaded of 20 s
       9.105782 s  main           not likely            would no longer keep up:
                                                        loaded to 9.079336 s of 30 s
       9.349525 s  main           stalled               the buffer ran empty at
                                                        9.262144 s
      16.262144 s  main           playing               likely to keep up: loaded to
                                                        14.446608 s of 30 s, after
                                                        6.912619 s
      16.333333 s  picture in p…  all loaded
      23.174763 s  picture in p…  ended                 played to the end at 20 s
      26.666667 s  main           all loaded
             37 s  main           ended                 played to the end at 30 s

      """)
  }

  @Test func everyStepIsTold() throws {
    let timeline = try TimelineExamples.timeline(TimelineExamples.seeking)
    expectSame(
      part(of: story(timeline), before: "metrics"),
      """
              0 s  load, play → waiting    100 s at 4 Mbit/s; too little has arrived
                                           to judge the fill rate
          0.176 s  ready
       0.184858 s  waiting                 to minimize stalls: would not keep up,
                                           0.051072 s loaded of 100 s
       0.395041 s  playing                 likely to keep up: 0.313802 s loaded of
                                           100 s
              8 s  seek to 9 s             it is in the buffer
             12 s  seek to 60 s → waiting  60 s is not loaded; too little has arrived
                                           to judge the fill rate
         12.112 s  seek done               at 60 s, after 0.112 s
      12.184858 s  waiting                 to minimize stalls: would not keep up,
                                           loaded to 60.131072 s of 100 s
      12.385296 s  playing                 likely to keep up: loaded to 60.38162 s of
                                           100 s
           14.1 s  seek to 3 s             it is in the buffer
             20 s  rate = 2.0              from 8.9 s on
             21 s  preroll → exception     only a paused player with a ready item can
                                           preroll
             22 s  pause                   at 12.9 s
             23 s  play → playing          likely to keep up
             24 s  seek → exception        the time to seek to is invalid
             40 s  set                     actionAtItemEnd = none
             41 s  interrupt → paused      the audio session is interrupted, at 30.9 s
             44 s  setRate → exception     rate 1.0, time 50 s, atHostTime 45 s;
                                           setRate(_:time:atHostTime:) needs
                                           automaticallyWaitsToMinimizeStalling to be
                                           false
             46 s  play → playing          likely to keep up
             50 s  failItem → failed       the item will not play any more

      """)
  }

  @Test func ofManyEventsTheFirstAndTheLastAreTold() throws {
    let story = story(try TimelineExamples.timeline(TimelineExamples.hour, width: 200))
    let lines = part(of: story, before: "metrics").split(separator: "\n")
    #expect(lines.count == 37)
    #expect(lines[36].hasSuffix(" are not shown; --format jsonl has them"))
    #expect(lines[30].hasSuffix("more are left out; --format jsonl shows all"))
    #expect(lines[35].contains("played to the end at 3600 s"))
  }

  @Test func nothingHappens() throws {
    let timeline = try TimelineExamples.timeline(TimelineExamples.idle)
    #expect(timeline.contains("\nnothing happens\n"))
    #expect(timeline.contains("\nno expectations "))
  }

  @Test func statesAreATable() throws {
    let table = StatesRendering.text(
      try TimelineExamples.run(TimelineExamples.demo()))
    let lines = table.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count == lines[0].count })
    // Here without what aligns the columns, which would not fit into a line of source.
    expectSame(
      lines.map { $0.split(separator: " ").joined(separator: " ") + "\n" }.joined(),
      """
      player from to status reason rate timebaseRate currentTime
      player 0 0.3496875 paused nil 0.0 0.0 0
      player 0.3496875 6.459375 waitingToPlayAtSpecifiedRate toMinimizeStalls 1.0 0.0 0
      player 6.459375 45.459375 playing nil 1.0 1.0 0
      player 45.459375 45.459375 paused nil 0.0 0.0 39

      """)
  }

  private func check(
    _ text: String, width: Int = 80, tableAt table: Instant? = nil, _ expected: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let timeline = try TimelineExamples.timeline(text, width: width, tableAt: table)
    expectSame(timeline, expected, location: location)
  }

  /// Compares line by line, so that a failure shows the line that differs.
  ///
  /// Fingerprints are pinned by golden logs; here any sixteen digits will do.
  private func expectSame(
    _ found: String, _ expected: String, location: SourceLocation = #_sourceLocation
  ) {
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.contains("fingerprint ") ? line.dropLast(16) + "0123456789abcdef" : String(line)
      }
    }
    let (found, expected) = (lines(found), lines(expected))
    for (one, other) in zip(found, expected) {
      #expect(one == other, sourceLocation: location)
    }
    #expect(found.count == expected.count, sourceLocation: location)
  }

  /// Returns the lines before one.
  private func part(of text: String, before line: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix { $0 != line }.dropLast().map { $0 + "\n" }.joined()
  }

  /// Returns what follows the legend of the strips.
  private func story(_ timeline: String) -> String {
    let lines = timeline.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.contains("0 s  load") }.joined(separator: "\n")
  }
}
