import Autowait
import AutowaitRendering
import AutowaitScenario
import Testing

/// The metric events, counted against what the run itself has counted.
@Suite struct MetricEventTests {
  static let scenarios = [
    // A stall, and a seek to what is not loaded.
    """
    {"link": {"rate": "3.2 Mbit/s"},
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 1, "do": "playImmediately"},
       {"at": 20, "do": "seek", "to": "30 s"}, {"at": 21, "do": "seek", "to": "2 s"}]}
    """,
    // A ladder that is climbed, with keys and audio, and one that fails.
    """
    {"link": {"down": {"rate": "6 Mbit/s", "delay": "20 ms"}},
     "media": [{"kind": "hls", "duration": "20 s", "segmentDuration": "2 s", "keys": {},
       "variants": [{"bandwidth": "1 Mbit/s", "init": 700, "audio": "a"},
         {"bandwidth": "3 Mbit/s", "init": 700, "audio": "a"}],
       "audio": [{"group": "a", "bitrate": "96 kbit/s", "init": 500}],
       "failures": [{"of": "segment", "number": 4, "status": 404, "count": 1}]},
       {"kind": "hls", "duration": "6 s", "variants": [{"bandwidth": "2 Mbit/s"}]}],
     "player": {"queue": [0, 1]}, "script": [{"at": 0, "do": "play"}]}
    """,
    // A ladder that is climbed while the item before it plays, and the run ends before its turn.
    """
    {"link": {"rate": "8 Mbit/s"}, "until": 20,
     "media": [{"kind": "hls", "duration": "40 s", "segmentDuration": "4 s",
       "variants": [{"name": "one", "bandwidth": "1 Mbit/s"}]},
       {"kind": "hls", "duration": "20 s", "segmentDuration": "4 s",
       "variants": [{"name": "low", "bandwidth": "1 Mbit/s"},
         {"name": "high", "bandwidth": "3 Mbit/s"}]}],
     "player": {"queue": [0, 1]},
     "script": [{"at": 0, "do": "play"}, {"at": 19, "do": "pause"}]}
    """,
  ]

  private static func result(_ text: String) throws -> RunResult {
    let loader = FileLoader { _, _ in .failure(.doesNotExist) }
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: loader)
    return ScenarioRun.run(try #require(scenario, "\(findings)"))
  }

  private static func events(_ result: RunResult) throws -> [JSONValue] {
    let text = String(decoding: MetricEventLog.log(result), as: UTF8.self)
    return try text.split(separator: "\n").map { line in
      try #require(Findings(SourceText(path: "", text: String(line))).parseJSON())
    }
  }

  @Test(arguments: scenarios) func countsAreThoseOfTheRun(_ text: String) throws {
    let result = try Self.result(text)
    let (metrics, events) = (result.metrics[0], try Self.events(result))
    func count(_ name: String) -> Int {
      events.count { $0.member("event")?.string == "AVMetric\(name)Event" }
    }
    #expect(count("PlayerItemStall") == metrics.stallCount)
    #expect(count("PlayerItemPlaybackSummary") == 1)
    #expect(count("PlayerItemVariantSwitch") == metrics.streaming?.variantSwitchCount ?? 0)
    let requests = [
      "MediaResourceRequest", "HLSPlaylistRequest", "HLSMediaSegmentRequest", "ContentKeyRequest",
    ]
    #expect(requests.reduce(0) { $0 + count($1) } == metrics.mediaResourceRequestCount)
    let items = result.records.count {
      if case .currentItem(_?) = $0.event { true } else { false }
    }
    #expect(count("PlayerItemInitialLikelyToKeepUp") == items)
    let seeks = result.records.count { if case .seek = $0.event { true } else { false } }
    #expect(count("PlayerItemSeek") == seeks)
  }

  /// The playlists were asked for while the app prepared the item, and no item was current.
  @Test func theFirstVerdictListsWhatAPreparedItemAskedFor() throws {
    let events = try Self.events(
      Self.result(
        """
        {"link": {"rate": "8 Mbit/s"},
         "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "6 s",
           "variants": [{"bandwidth": "1 Mbit/s"}]},
         "script": [{"at": 0, "do": "createItem"}, {"at": 1, "do": "load"},
           {"at": 1, "do": "play"}]}
        """))
    let verdict = events.first {
      $0.member("event")?.string == "AVMetricPlayerItemInitialLikelyToKeepUpEvent"
    }
    #expect(verdict?.member("playlistRequestEvents")?.elements.count { _ in true } == 2)
    #expect(verdict?.member("mediaSegmentRequestEvents")?.elements.count { _ in true } == 1)
    #expect(events.allSatisfy { $0.member("sessionID") != nil })
  }

  /// Each change of the rate begins where the one before has ended, and time does not go back.
  @Test(arguments: scenarios) func ratesFollowEachOther(_ text: String) throws {
    var (rate, date) = (Int64(0), Int64(0))
    for event in try Self.events(try Self.result(text)) {
      let now = try #require(Self.number(event, "date", of: 1_000_000_000))
      #expect(now >= date)
      date = now
      guard event.member("event")?.string == "AVMetricPlayerItemRateChangeEvent" else { continue }
      #expect(Self.number(event, "previousRate", of: 1_000_000) == rate)
      rate = try #require(Self.number(event, "rate", of: 1_000_000))
    }
    #expect(rate == 0 && date > 0)
  }

  /// An item that waits in the queue switches in a session of its own.
  @Test func aQueuedItemSwitchesInItsOwnSession() throws {
    let events = try Self.events(try Self.result(Self.scenarios[2]))
    let current = try #require(events.first?.member("sessionID")?.string)
    for name in ["Start", ""] {
      let own = events.filter {
        $0.member("event")?.string == "AVMetricPlayerItemVariantSwitch\(name)Event"
      }
      #expect(own.count == 1 && own.allSatisfy { $0.member("sessionID")?.string != current })
      #expect(own.first?.member("fromVariant")?.member("name")?.string == "low")
      #expect(own.first?.member("toVariant")?.member("name")?.string == "high")
    }
  }

  /// The first segment is of the lower variant and plays from 0.51 to 4.51 s; by 3.7 s the other
  /// one has been loaded, and it plays at 6 s.
  @Test func aChangeOfRateHasTheVariantThatPlays() throws {
    let text = """
      {"link": {"rate": "8 Mbit/s"},
       "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "4 s",
         "variants": [{"name": "low", "bandwidth": "1 Mbit/s"},
           {"name": "high", "bandwidth": "4 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
         {"at": 3.7, "do": "setRate", "rate": 1.25}, {"at": 6, "do": "setRate", "rate": -1}]}
      """
    let events = try Self.events(try Self.result(text))
    let changes = events.filter {
      $0.member("event")?.string == "AVMetricPlayerItemRateChangeEvent"
    }
    let variants = changes.map { $0.member("variant")?.member("name")?.string }
    // Played backwards, it stops at the start.
    #expect(variants == ["low", "low", "high", "low"])
  }

  /// What an event says of loaded ranges is what an application would read at that instant, though
  /// no fact of the buffer changes as a segment comes.
  @Test(arguments: [
    """
    {"link": {"rate": "6 Mbit/s"}, "media": {"kind": "hls", "duration": "40 s",
       "segmentDuration": "4 s", "variants": [{"bandwidth": "1 Mbit/s"},
         {"bandwidth": "4 Mbit/s"}]},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """,
    """
    {"link": {"rate": "6 Mbit/s"},
     "media": {"kind": "hls", "duration": "60 s", "segmentDuration": "4 s",
       "variants": [{"bandwidth": "1 Mbit/s", "audio": "a"}, {"bandwidth": "3 Mbit/s",
         "audio": "a"}], "audio": [{"group": "a", "bitrate": "96 kbit/s"}]},
     "player": {"preferredForwardBufferDuration": 12},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
       {"at": 8, "do": "link", "link": {"rate": "1.5 Mbit/s"}}]}
    """,
  ]) func rangesAreThoseOfTheInstant(_ text: String) throws {
    let result = try Self.result(text)
    let events = try Self.events(result).filter { $0.member("loadedTimeRanges") != nil }
    let instants = try events.map {
      Instant(nanoseconds: try #require(Self.number($0, "date", of: 1_000_000_000)))
    }
    let read = ScenarioRun.run(result.scenario, samplesAt: instants).samples
    #expect(events.count > 2 && read.count == events.count)
    for (event, sample) in zip(events, read) {
      let told = try #require(event.member("loadedTimeRanges"))
      let times = told.elements.map { range in range.elements.compactMap { Self.seconds($0) } }
      let ranges = sample.players[0].loadedTimeRanges.map {
        [$0.start.nanoseconds, $0.end.nanoseconds]
      }
      #expect(times == ranges, "\(sample.instant)")
    }
  }

  private static func seconds(_ value: JSONValue) -> Int64? {
    guard case .exact(let whole)? = value.decimal?.integer(scaledBy: 1_000_000_000) else {
      return nil
    }
    return Int64(clamping: whole)
  }

  /// A looper makes an item the current one again and again; it is ready for the first time once.
  @Test func anItemIsLikelyToKeepUpForTheFirstTimeOnce() throws {
    let text = """
      {"link": {"rate": "8 Mbit/s"}, "until": 31,
       "media": {"name": "A", "kind": "hls", "duration": 6, "segmentDuration": 3,
         "variants": [{"bandwidth": "1 Mbit/s"}]},
       "player": {"loop": {"by": "looper", "item": "A"}}, "script": [{"at": 0, "do": "play"}]}
      """
    let events = try Self.events(try Self.result(text))
    let first = events.filter {
      $0.member("event")?.string == "AVMetricPlayerItemInitialLikelyToKeepUpEvent"
    }
    let sessions = first.compactMap { $0.member("sessionID")?.string }
    #expect(sessions.count > 1 && Set(sessions).count == sessions.count)
    #expect(events.contains { $0.member("event")?.string == Self.likelyAgain })
  }

  /// Two playlists and a first segment, of 2 or 7 Mbit/s over 6; it plays at once, later, or
  /// before it is likely to keep up, so that it stalls.
  @Test(arguments: [(2, 0, "play"), (2, 5, "play"), (7, 12, "playImmediately")])
  func startupIsOneNumber(_ rate: Int, _ start: Int, _ action: String) throws {
    let result = try Self.result(
      """
      {"link": {"down": {"rate": "6 Mbit/s", "delay": "50 ms"}, "up": {"delay": "50 ms"}},
       "media": {"kind": "hls", "duration": 60, "segmentDuration": 6,
         "variants": [{"bandwidth": "\(rate) Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": \(start), "do": "\(action)"}]}
      """)
    let asked = result.records.first {
      if case .segmentRequest = $0.event { true } else { false }
    }
    let likely = result.records.first { $0.event == .isPlaybackLikelyToKeepUp(true) }
    let span = try #require(likely).instant - (try #require(asked).instant)
    // A segment of 6 s takes 2 s and the round trip, and one is enough.
    if rate == 2 { #expect(span == .milliseconds(2_100)) }
    #expect(result.metrics[0].accessLog.first?.startupTime == span)
    let events = try Self.events(result)
    let numbers = events.compactMap {
      Self.number($0, "timeSpentInInitialStartup", of: 1_000_000_000)
        ?? ($0.member("event")?.string == Self.likelyFirst
          ? Self.number($0, "timeTaken", of: 1_000_000_000) : nil)
    }
    #expect(numbers == [span.nanoseconds, span.nanoseconds])
  }

  /// A seek before that has a time of its own in the access log.
  ///
  /// 30 s of 2 Mbit/s come at 1 Mbit/s: from 20 s on, asked for at 3 s, 20 of 60 Mbit are missing.
  /// They are there in time when 10 of them are, of which 5 s play.
  @Test func aSeekBeforeItIsLikelyToKeepUpIsNoNewStartup() throws {
    let result = try Self.result(
      """
      {"link": {"rate": "1 Mbit/s"},
       "media": {"kind": "progressive", "duration": 30, "bitrate": "2 Mbit/s"},
       "player": {"automaticallyWaitsToMinimizeStalling": false},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
         {"at": 3, "do": "seek", "to": 20}]}
      """)
    let log = result.metrics[0].accessLog
    #expect(log.map(\.startupTime) == [nil, .seconds(10)])
    let first = try Self.events(result).first { $0.member("timeTaken") != nil }
    #expect(first.map { Self.number($0, "timeTaken", of: 1_000_000_000) } == 13_000_000_000)
  }

  /// A player that waits behind a seek has an event of it, as behind a stall: the request at 5 s is
  /// answered at 5.1 s, and 6 Mbit and what else is missing take some seconds.
  @Test func aSeekThatWaitsHasAnEvent() throws {
    let result = try Self.result(
      """
      {"link": {"down": {"rate": "2 Mbit/s", "delay": "50 ms"}, "up": {"delay": "50 ms"}},
       "media": {"kind": "hls", "duration": 60, "segmentDuration": 6,
         "multivariantPlaylist": null, "variants": [{"bandwidth": "1 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
         {"at": 5, "do": "seek", "to": 40}]}
      """)
    let again = try Self.events(result).filter {
      $0.member("event")?.string == Self.likelyAgain
    }
    let taken = result.metrics[0].accessLog.last?.startupTime
    #expect(again.map { Self.number($0, "timeTaken", of: 1_000_000_000) } == [taken?.nanoseconds])
  }

  /// An item that is never likely to keep up has no such number.
  @Test func aStartupWithoutAnEndHasNoTime() throws {
    let result = try Self.result(
      """
      {"link": {"rate": "1 Mbit/s"}, "until": 5,
       "media": {"kind": "hls", "duration": 60, "variants": [{"bandwidth": "2 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    let events = try Self.events(result)
    #expect(events.last?.member("stallCount") != nil)
    #expect(events.allSatisfy { $0.member("timeSpentInInitialStartup") == nil })
  }

  /// `AVMetrics.h` came with iOS 18.
  @Test(arguments: [(9, false), (17, false), (18, true)])
  func olderVersionsHaveNone(_ version: Int, _ hasEvents: Bool) throws {
    let result = try Self.result(
      """
      {"link": {"rate": "8 Mbit/s"}, "media": {"kind": "progressive", "duration": 9,
         "bitrate": "1 Mbit/s"}, "player": {"contract": \(version)},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    #expect(try Self.events(result).isEmpty != hasEvents)
    let messages = MetricEventLog.findings(result).map(\.message)
    let none =
      "the player 'player' has no metric events: they do not exist before iOS 18, and its "
      + "'contract' is iOS \(version)"
    #expect(messages == (hasEvents ? [] : [none]))
  }

  private static let likelyFirst = "AVMetricPlayerItemInitialLikelyToKeepUpEvent"
  private static let likelyAgain = "AVMetricPlayerItemLikelyToKeepUpEvent"

  private static func number(_ event: JSONValue, _ key: String, of scale: Int64) -> Int64? {
    guard case .exact(let whole)? = event.member(key)?.decimal?.integer(scaledBy: scale) else {
      return nil
    }
    return Int64(clamping: whole)
  }
}
