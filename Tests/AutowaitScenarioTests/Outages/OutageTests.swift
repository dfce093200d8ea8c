import Autowait
import AutowaitScenario
import Testing

/// When the network goes away, to the millisecond, in numbers that anybody can reckon.
@Suite struct OutageTests {
  /// Segments of 6 s at 2 Mbit/s; playlists take no time.
  private static func stream(
    _ variants: String, duration: Int64 = 60, more: String = ""
  ) -> String {
    #"{"kind":"hls","duration":\#(duration),"segmentDuration":"6 s","multivariantPlaylist":0,"#
      + #""mediaPlaylist":0,"variants":[\#(variants)]\#(more)}"#
  }

  private static let one = #"{"name":"only","bandwidth":"2 Mbit/s"}"#

  private static func run(
    _ link: String, _ media: String, player: String = "", steps: String = "", until: Int64? = nil
  ) throws -> RunResult {
    ScenarioRun.run(
      try OutageFixture.scenario(
        link: link, media: media, player: player, steps: steps,
        more: until.map { #""until":\#($0),"# } ?? ""))
  }

  /// On 3 Mbit/s, of which nothing comes from 21 s on for a minute.
  private static func away(
    _ kind: OutageFixture.Kind, _ variants: String, player: String = "", until: Int64? = nil
  ) throws -> RunResult {
    try run(
      OutageFixture.link("3 Mbit/s", kind, at: 21, for: 60), stream(variants), player: player,
      until: until)
  }

  // MARK: Dead paths

  /// A segment takes 4 s on 3 Mbit/s.
  ///
  /// That which is asked for at 20 s has a quarter at 21 s, when
  /// nothing comes any more, and is given up at 32 s.
  @Test func aDeadPathIsTriedAgainLaterAndLater() throws {
    let run = try Self.away(.blackout, Self.one)
    // 1, 2, 4, 5 and 5 s later it is asked for again, and nothing comes for 6 s.
    #expect(
      run.errors == [
        "32000 -16830", "32000 -12880", "39000 -12889", "47000 -12889", "57000 -12889",
        "68000 -12889", "79000 -12889",
      ])
    #expect(
      run.times { $0.isRequest }.filter { $0 >= 20_000 && $0 <= 84_000 }
        == [20_000, 33_000, 41_000, 51_000, 62_000, 73_000, 84_000])
    #expect(run.stops.first?.at == 34_000 && run.stops.first?.time == 30_000)
    // The segment comes at 88 s, and is played as soon as the rule allows.
    #expect(run.starts.count == 2 && run.starts[1] >= 88_000 && run.starts[1] < 92_000)
    #expect(!run.hasFailed)
    #expect(run.metrics[0].mediaPlayed == .seconds(60))
  }

  /// The other variant is tried: its playlist is waited for for 10 s.
  @Test func aVariantIsLeftForAnotherOne() throws {
    let run = try Self.away(.blackout, Self.two)
    #expect(
      run.errors == [
        "32000 -16830", "42000 -12889", "42000 -12880", "53000 -12889", "65000 -12889",
      ])
    // The high one, left until 62 s, has its turn at 69 s, and is given up as it comes too late.
    #expect(run.times { $0 == .variantSwitchStart(from: 0, to: 1) } == [32_000, 71_000])
    #expect(!run.hasFailed)
  }

  private static let two =
    #"{"name":"high","bandwidth":"2 Mbit/s"},{"name":"low","bandwidth":"1 Mbit/s"}"#

  /// Bytes that still come keep a slow segment alive; `cutsSlowSegments` does not ask for them.
  ///
  /// 12 Mbit/s for 4 s, then a tenth of what the variant needs: the next one takes 60 s.
  @Test(arguments: [(false, [String]()), (true, ["16000 -16830", "16000 -12880"])])
  func slowSegmentsAreCutIfAskedFor(_ cuts: Bool, _ errors: [String]) throws {
    let run = try Self.run(
      #"{"down":{"track":[{"for":4,"rate":"3 Mbit/s"},{"for":500,"rate":"200 kbit/s"}]}}"#,
      Self.stream(Self.one, duration: 18), player: #""streaming":{"cutsSlowSegments":\#(cuts)}"#,
      until: 28)
    #expect(run.errors == errors)
  }

  /// A third variant has the rate of the first: it is tried before one of less.
  @Test func oneOfTheSameRateIsFirst() throws {
    let run = try Self.run(
      #"{"rate":"3 Mbit/s"}"#,
      Self.stream(
        Self.two + #",{"name":"backup","bandwidth":"2 Mbit/s"}"#,
        more: #","failures":[{"of":"segment","variant":"high","number":2,"status":404}]"#),
      player: #""streaming":{"rule":"fixed"}"#)
    #expect(run.times { $0 == .variantSwitchStart(from: 0, to: 2) } == [8_000])
    #expect(run.errors == ["8000 -12938"])
  }

  /// What has the same rate as another variant is its backup: nothing else leads there.
  ///
  /// The first segment of the first one is 500 kB, the link carries ten times its rate.
  @Test(arguments: ["avfoundation", "throughput", "fixed", "hls.js"])
  func aBackupIsNotChosen(_ rule: String) throws {
    let twice = #"{"name":"a","bandwidth":"2 Mbit/s"},{"name":"b","bandwidth":"2 Mbit/s"}"#
    let run = try Self.run(
      #"{"rate":"20 Mbit/s"}"#, Self.stream(twice),
      player: #""streaming":{"rule":"\#(rule)"}"#)
    #expect(run.times { $0.isSwitch } == [0])
    #expect(run.metrics[0].mediaPlayed == .seconds(60))
    // It would begin with the lowest one.
    if rule == "hls.js" { return }
    // Both fail: 404 for the third segment of either.
    let failing = try Self.run(
      #"{"rate":"3 Mbit/s"}"#,
      Self.stream(
        twice + #",{"name":"low","bandwidth":"1 Mbit/s"},{"name":"less","bandwidth":"1 Mbit/s"}"#,
        more: #","failures":[{"of":"segment","variant":"a","number":2,"status":404},"#
          + #"{"of":"segment","variant":"b","number":2,"status":404}]"#),
      player: #""streaming":{"rule":"\#(rule)"}"#)
    #expect(
      failing.times { $0 == .variantSwitchStart(from: 0, to: 1) } == [8_000]
        && failing.times { $0 == .variantSwitchStart(from: 1, to: 2) } == [8_000])
    #expect(!failing.records.contains { $0.event.leads(to: 3) })
  }

  /// The better variant fails once, at 8 s, and may be chosen again when its time is over.
  @Test(arguments: [4, 12])
  func aVariantComesBack(_ penalty: Int64) throws {
    let run = try Self.run(
      #"{"rate":"3 Mbit/s"}"#,
      Self.stream(
        Self.two, duration: 120,
        more: #","failures":[{"of":"segment","variant":"high","number":2,"status":404}]"#),
      player: #""streaming":{"penaltyTime":\#(penalty)}"#)
    #expect(run.times { $0 == .variantSwitchStart(from: 0, to: 1) } == [8_000])
    let back = try #require(run.times { $0 == .variantSwitchStart(from: 1, to: 0) }.first)
    // A segment of the other one takes 2 s.
    #expect(back >= 8_000 + penalty * 1_000 && back <= 8_000 + penalty * 1_000 + 2_000)
    #expect(!run.hasFailed)
  }

  // MARK: No network

  /// Asking fails at once, so the times between attempts are all that passes.
  @Test func aDeviceWithoutANetworkAsksInVain() throws {
    let run = try Self.away(.offline, Self.two)
    let attempts: [Int64] = [21, 22, 24, 28] + (0..<10).map { 33 + 5 * $0 }
    #expect(run.errors == attempts.map { "\($0 * 1_000) -1009" })
    #expect(run.times { $0.isRequest }.first { $0 >= 81_000 } == 83_000)
    // No variant is to blame; what is requested behind a stall is less, as ever.
    #expect(run.times { $0 == .variantSwitchStart(from: 0, to: 1) } == [38_000])
    #expect(!run.errors.contains { $0.hasSuffix("-12880") })
    #expect(run.stops.first?.at == 34_000 && run.stops.first?.time == 30_000)
    #expect(!run.hasFailed)
  }

  /// A file has 63 Mbit at 21 s, and goes on from there.
  @Test func aFileGoesOnFromWhatItHas() throws {
    let run = try Self.run(
      OutageFixture.link("3 Mbit/s", .offline, at: 21, for: 60),
      #"{"kind":"progressive","duration":60,"bitrate":"2 Mbit/s"}"#)
    let last = run.records.last { $0.event.isRequest }
    guard case .mediaRequest(_, let from, let size, _)? = last?.event else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(from == ByteCount(bytes: 7_875_000) && size == ByteCount(bytes: 7_125_000))
    #expect(last?.instant == .start + .seconds(83))
    #expect(run.metrics[0].numberOfBytesTransferred == ByteCount(bytes: 15_000_000))
    #expect(!run.hasFailed)
  }

  /// Nothing is there yet: the playlist is asked for until the network is back.
  @Test func aStartWaitsForTheNetwork() throws {
    let run = try Self.run(
      OutageFixture.link("3 Mbit/s", .offline, at: 0, for: 20), Self.stream(Self.one))
    #expect(run.times { $0.isRequest }.first { $0 >= 20_000 }.map { $0 <= 25_000 } == true)
    #expect(run.starts.count == 1)
    #expect(!run.hasFailed)
    #expect(run.metrics[0].mediaPlayed == .seconds(60))
  }

  /// A live stream whose first segment is lost with the network begins where it would without it.
  ///
  /// The playlist, asked for again at 123 s, ends at 240 s of the programme: three segments before
  /// that comes first, in 3 s.
  @Test(arguments: [true, false])
  func aStartIsFoundAgain(_ waits: Bool) throws {
    let run = try Self.run(
      OutageFixture.link("1200 kbit/s", .offline, at: 1, for: 120),
      OutageFixture.Content.live.media,
      player: #""automaticallyWaitsToMinimizeStalling":\#(waits)"#, until: 200)
    let start = try #require(run.starts.first)
    #expect(start >= 126_000 && start < 126_100)
    #expect(run.starts.count == 1 && run.stops.isEmpty)
    #expect(
      run.records.contains {
        guard case .timebaseRate(_, let time) = $0.event else { return false }
        return time == MediaTime.seconds(222)
      })
  }

  /// A seek to where nothing is loaded is complete as soon as something is.
  @Test func aSeekWaitsForTheNetwork() throws {
    let run = try Self.run(
      OutageFixture.link("3 Mbit/s", .offline, at: 21, for: 10), Self.stream(Self.one),
      steps: #",{"at":25,"do":"seek","to":48}"#)
    let ends = run.records.filter {
      if case .seekDidComplete(_, true, _) = $0.event { true } else { false }
    }
    #expect(ends.count == 1 && ends.allSatisfy { $0.instant >= .start + .seconds(31) })
    #expect(!run.hasFailed)
    #expect(run.metrics[0].playedToEndCount == 1)
  }

  /// What is prepared meanwhile is asked for when it is its turn.
  @Test func whatIsPreparedMeanwhilePlaysLater() throws {
    let stream = Self.stream(Self.one, duration: 24)
    let run = try Self.run(
      OutageFixture.link("3 Mbit/s", .offline, at: 21, for: 10), "[\(stream),\(stream)]",
      steps: #",{"at":22,"do":"createItem","item":1},{"at":40,"do":"load","item":1},"#
        + #"{"at":40,"do":"play"}"#)
    #expect(!run.hasFailed)
    #expect(run.metrics[0].playedToEndCount == 2)
  }

  /// Two players share the link, and both go on.
  @Test(arguments: OutageFixture.Kind.allCases)
  func twoPlayersGoOn(_ kind: OutageFixture.Kind) throws {
    let link = OutageFixture.link("6 Mbit/s", kind, at: 21, for: 60)
    let media = Self.stream(Self.one)
    let text =
      #"{"link":\#(link),"players":[{"name":"a","media":\#(media)},"#
      + #"{"name":"b","media":\#(media)}],"script":["#
      + ["a", "b"].map {
        #"{"at":0,"do":"load","player":"\#($0)"},{"at":0,"do":"play","player":"\#($0)"}"#
      }.joined(separator: ",") + "]}"
    let (scenario, _) = ScenarioReader.read(
      SourceText(path: "two.json", text: text), loader: .none)
    let run = ScenarioRun.run(try #require(scenario))
    #expect(run.metrics.map(\.playedToEndCount) == [1, 1])
    #expect(!run.hasFailed)
    let plain = ScenarioRun.run(try #require(scenario), pace: .eventByEvent)
    #expect(plain.fingerprint == run.fingerprint)
  }

  /// A request that was given up on a dead path is not answered behind it.
  ///
  /// On a connection of HTTP/2 nothing comes for ten minutes, in which some ninety requests are
  /// given up. Linux asks again two minutes later at most; a segment takes 2 s.
  @Test(arguments: [
    stream(one, duration: 400), #"{"kind":"progressive","duration":400,"bitrate":2000000}"#,
  ])
  func whatWasGivenUpIsNotSent(_ media: String) throws {
    let run = try Self.run(
      #"{"down":{"rate":"6 Mbit/s","delay":"20 ms"},"transport":{"http":"h2","tier":"packet"},"#
        + #""events":[{"type":"blackout","at":20,"for":600,"drop":"both"}]}"#,
      media, until: 1_400)
    #expect(run.starts.count == 2 && run.starts[1] < 620_000 + 130_000, "\(run.starts)")
    #expect(run.metrics[0].playedToEndCount == 1 && !run.hasFailed)
    // All of it once, and what was under way when the path died.
    #expect(run.metrics[0].numberOfBytesTransferred < ByteCount(bytes: 106_000_000))
  }

  // MARK: What ends

  /// From the fourth segment on there is none: 18 s are loaded at 12 s, and played by 22 s.
  @Test func whatIsLoadedPlaysBeforeTheItemFails() throws {
    let run = try Self.run(#"{"rate":"3 Mbit/s"}"#, Self.missing)
    #expect(run.errors == ["12000 -12938", "12000 -12880", "13000 -12938"])
    #expect(run.times { $0 == .itemStatus(.failed) } == [22_000])
    #expect(run.times { $0 == .failedToPlayToEndTime } == [22_000])
    #expect(run.stops.first?.time == 18_000)
    #expect(run.metrics[0].mediaPlayed == .seconds(18))
    let plain = ScenarioRun.run(run.scenario, pace: .eventByEvent)
    #expect(plain.fingerprint == run.fingerprint)
  }

  private static let missing = stream(
    one, more: #","failures":[{"of":"segment","number":3,"status":404}]"#)

  /// The same, of a player that rather waits.
  @Test func whoDoesNotFailWaits() throws {
    let run = try Self.run(
      #"{"rate":"3 Mbit/s"}"#, Self.missing, player: #""streaming":{"failsWhenPlayedOut":false}"#,
      until: 100)
    #expect(!run.hasFailed)
    #expect(run.finish == .stillWaiting)
    #expect(run.metrics[0].mediaPlayed == .seconds(18))
    #expect(!run.times { $0.isRequest }.contains { $0 > 13_000 })
  }

  /// A limit that the scenario sets: the third failure in a row is the last, at 47 s.
  @Test(arguments: [false, true])
  func failuresMayBeLimited(_ fails: Bool) throws {
    let run = try Self.away(
      .blackout, Self.one, player: #""streaming":{"failuresMax":3,"failsWhenPlayedOut":\#(fails)}"#,
      until: 200)
    #expect(
      run.errors == ["32000 -16830", "32000 -12880", "39000 -12889", "47000 -12889"])
    // All was played at 34 s.
    #expect(run.times { $0 == .itemStatus(.failed) } == (fails ? [47_000] : []))
    #expect(run.metrics[0].mediaPlayed == .seconds(30))
  }

  /// A server that cannot now may be able to later: it is asked again and again.
  @Test func whatAServerCannotNowIsAskedForAgain() throws {
    let run = try Self.run(
      #"{"rate":"3 Mbit/s"}"#,
      Self.stream(
        Self.one, more: #","failures":[{"of":"segment","number":3,"status":503,"count":8}]"#))
    #expect(run.errors.filter { $0.hasSuffix("-12661") }.count == 8)
    #expect(!run.hasFailed)
    #expect(run.metrics[0].playedToEndCount == 1)
  }

  /// A multivariant playlist that is not there is asked for once.
  @Test func aMissingMultivariantPlaylistIsAskedForOnce() throws {
    let run = try Self.run(
      #"{"rate":"3 Mbit/s"}"#,
      Self.stream(Self.one, more: #","failures":[{"of":"multivariantPlaylist","status":404}]"#))
    #expect(run.times { $0.isRequest } == [0])
    #expect(run.times { $0 == .itemStatus(.failed) } == [0])
  }

  /// Without automaticallyWaitsToMinimizeStalling a stall pauses, and nothing resumes by itself.
  @Test(arguments: OutageFixture.Kind.allCases)
  func whoDoesNotWaitStaysPaused(_ kind: OutageFixture.Kind) throws {
    let run = try Self.away(
      kind, Self.one, player: #""automaticallyWaitsToMinimizeStalling":false"#, until: 300)
    #expect(run.stops.map(\.at).last == run.stops.first?.at)
    #expect(run.stops.first?.time == 30_000)
    #expect(run.times { $0 == .timeControlStatus(.paused) }.count == 1)
    #expect(run.metrics[0].mediaPlayed == .seconds(30))
    #expect(!run.hasFailed)
  }

  // MARK: Live playlists that stay the same

  /// Segments of 6 s whose playlist says that none is longer than 2 s.
  ///
  /// It is loaded 2 s after a change and then each second. From 3 s after the change on each load
  /// is an entry.
  @Test(arguments: [nil, 2])
  func aPlaylistThatStaysTheSameIsTold(_ most: Int?) throws {
    func list(_ element: String) -> String {
      "[" + Array(repeating: element, count: 40).joined(separator: ",") + "]"
    }
    let run = try Self.run(
      #"{"rate":"8 Mbit/s"}"#,
      #"{"kind":"hls","variants":[{"bandwidth":"1 Mbit/s","list":0}],"multivariantPlaylist":0,"#
        + #""lists":[{"targetDuration":2,"durations":\#(list("6")),"sizes":\#(list("750000"))}],"#
        + #""live":{"elapsed":60,"window":30}}"#,
      player: #""contract":"ios12","streaming":{"stalePollsMax":"#
        + (most.map { "\($0)" } ?? "null") + "}",
      until: 59)
    var stale: [String] = []
    for second in 0..<60 where second % 6 >= 3 { stale.append("\(second)000 -12888") }
    let told = run.errors.filter { $0.hasSuffix("-12888") }
    #expect(told == Array(stale.prefix(most ?? 30)))
    #expect(!run.hasFailed)
    if most == nil { return }
    #expect(!run.times { $0.isRequest }.contains { $0 > 4_000 })
    #expect(run.finish == .stillWaiting)
  }

  /// Two variants in segments of 6 s, of which the better one has nothing new from 12 s on.
  ///
  /// Its playlist is loaded at 12, 18 and 21 s, which is one and a half target durations later: it
  /// is left for the other one until 51 s, is taken again then, and has still nothing new.
  @Test func aVariantWhosePlaylistStaysTheSameIsLeft() throws {
    let run = try Self.frozen(Self.twelve, Array(repeating: "6", count: 40), until: 90)
    #expect(run.errors == ["21000 -12888", "51000 -12888", "81000 -12888"])
    #expect(
      run.times { $0 == .variantSwitchStart(from: 0, to: 1) } == [21_000, 51_000, 81_000])
    #expect(run.times { $0 == .variantSwitchStart(from: 1, to: 0) } == [51_000, 81_000])
    // 18 s behind the end are enough for all of it.
    #expect(run.stops.isEmpty && !run.hasFailed)
    let plain = ScenarioRun.run(run.scenario, pace: .eventByEvent)
    #expect(plain.fingerprint == run.fingerprint)
  }

  /// Both have nothing new: the other one is loaded at 21, 27 and 30 s, and every 3 s from there.
  ///
  /// At 30 s none is left. The first one may be taken again at 51 s, the other one at 81 s.
  @Test(arguments: [nil, 3])
  func whereAllStayTheSameTheyAreLoadedOnAndOn(_ most: Int?) throws {
    let run = try Self.frozen(Self.twelve, Self.twelve, stalePollsMax: most, until: 90)
    let told = [21] + stride(from: 30, through: 51, by: 3) + stride(from: 51, through: 81, by: 3)
    let errors = most == nil ? told + [81, 84, 87, 90] : [21, 30, 33, 36]
    var expected = errors.map { "\($0)000 -12888" }
    expected.insert("30000 -12880", at: 2)
    #expect(run.errors == expected)
    #expect(
      run.times { $0 == .variantSwitchStart(from: 0, to: 1) }
        == (most == nil ? [21_000, 81_000] : [21_000]))
    #expect(
      run.times { $0 == .variantSwitchStart(from: 1, to: 0) } == (most == nil ? [51_000] : []))
    // 72 s of it are all there is; playback began at 42 s.
    #expect(run.stops.first?.time == 72_000 && !run.hasFailed)
  }

  private static let twelve = Array(repeating: "6", count: 12) + ["1000"]

  private static func frozen(
    _ high: [String], _ low: [String], stalePollsMax: Int? = nil, until: Int64
  ) throws -> RunResult {
    let lists = [high, low].map { durations in
      let sizes = durations.map { _ in "\"100 kB\"" }.joined(separator: ",")
      return #"{"targetDuration":6,"durations":[\#(durations.joined(separator: ","))],"#
        + #""sizes":[\#(sizes)]}"#
    }
    return try run(
      #"{"rate":"8 Mbit/s"}"#,
      #"{"kind":"hls","multivariantPlaylist":0,"#
        + #""variants":[{"name":"high","bandwidth":"1 Mbit/s","list":0},"#
        + #"{"name":"low","bandwidth":"500 kbit/s","list":1}],"#
        + #""lists":[\#(lists.joined(separator: ","))],"live":{"elapsed":60}}"#,
      player: #""contract":"ios12","streaming":{"stalePollsMax":"#
        + (stalePollsMax.map { "\($0)" } ?? "null") + "}",
      until: until)
  }
}
