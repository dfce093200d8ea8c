import Autowait
import AutowaitScenario
import Testing

/// Links are written as other tools expect them, and what is lost is told.
@Suite struct TraceWriterTests {
  /// The conditioner's LTE, as far as a link can say it.
  static let lte = ConvertedLink(name: "lte", source: "a source", kind: .capacity, lteProfile)

  private static var lteProfile: LinkProfile {
    var down = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 50_000_000), delay: .milliseconds(50)))
    down.queue = .packets(50)
    var up = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 9_999_500), delay: .milliseconds(65)))
    up.queue = .packets(50)
    up.loss = .bernoulli(Probability(billionths: 15_000_000))
    return LinkProfile(down: down, up: up)
  }

  /// A link that is down for a while, again and again.
  static let changing = ConvertedLink(
    name: "changing",
    LinkProfile(
      down: LinkDirection(
        LinkTrack(
          [
            LinkTrack.Sample(rate: BitRate(bitsPerSecond: 4_000_000), delay: .milliseconds(20)),
            LinkTrack.Sample(
              start: .milliseconds(12_000), rate: .zero, delay: .milliseconds(20)),
          ], ending: .loop(after: .milliseconds(17_500)))),
      up: LinkDirection(LinkTrack(rate: .unlimited, delay: .milliseconds(20)))))

  /// A link with all that happens to packets.
  private static var messy: ConvertedLink {
    var down = LinkDirection(LinkTrack(rate: BitRate(bitsPerSecond: 1_000_000)))
    down.queue = .time(.milliseconds(300))
    down.loss = .gilbertElliott(
      BurstLoss(
        fromGoodToBad: Probability(billionths: 10_000_000),
        fromBadToGood: Probability(billionths: 300_000_000)))
    down.jitter = Jitter(deviation: .milliseconds(5), distribution: .normal)
    down.reorder = Reordering(chance: Probability(billionths: 250_000_000), gap: 5)
    down.duplicate = Probability(billionths: 1_000_000)
    down.overheadPerPacket = ByteCount(bytes: 18)
    var profile = LinkProfile(down: down)
    profile.names.delay = .seconds(3)
    profile.events = [LinkEvent(at: .seconds(1), .blackout(.seconds(2), drops: .both))]
    return ConvertedLink(name: "messy", profile)
  }

  private func write(_ link: ConvertedLink, _ format: TraceFormat) throws -> (String, [String]) {
    let written = try TraceWriter.write(link, format)
    return (String(decoding: written.bytes, as: UTF8.self), written.warnings)
  }

  /// The lines of a script that begin one of its commands.
  private func commands(_ text: String, _ words: [String] = ["down ", "up "]) -> [String] {
    text.split(separator: "\n").map(String.init).filter { line in
      words.contains { line.drop { $0 == " " }.hasPrefix($0) }
    }
  }

  @Test func aLinkOfOurOwn() throws {
    let (text, warnings) = try write(Self.lte, .link)
    #expect(warnings == [])
    #expect(
      text == """
        {
          "schema": "link/1",
          "name": "lte",
          "source": "a source",
          "traceKind": "capacity",
          "down": {
            "rate": "50 Mbit/s",
            "delay": "50 ms",
            "queue": {"packets": 50}
          },
          "up": {
            "rate": "9.9995 Mbit/s",
            "delay": "65 ms",
            "queue": {"packets": 50},
            "loss": 0.015
          }
        }

        """)
  }

  @Test func aTrack() throws {
    let (text, _) = try write(Self.changing, .link)
    #expect(
      text == """
        {
          "schema": "link/1",
          "name": "changing",
          "down": {
            "delay": "20 ms",
            "track": [
              {"for": "12 s", "rate": "4 Mbit/s"},
              {"for": "5.5 s", "rate": "0 bit/s"}
            ],
            "trackEnd": "loop"
          },
          "up": {
            "delay": "20 ms"
          }
        }

        """)
  }

  @Test func packets() throws {
    let (text, warnings) = try write(Self.messy, .link)
    #expect(warnings == [])
    #expect(
      text == """
        {
          "schema": "link/1",
          "name": "messy",
          "down": {
            "rate": "1 Mbit/s",
            "queue": {"time": "300 ms"},
            "loss": {"gilbertElliott": {"pGB": 0.01, "pBG": 0.3, "lossGood": 0, "lossBad": 1}},
            "jitter": {"deviation": "5 ms", "distribution": "normal"},
            "reorder": {"probability": 0.25, "gap": 5},
            "duplicate": 0.001,
            "overhead": {"mtu": 1500, "perPacket": 18}
          },
          "dns": {"delay": "3 s"},
          "events": [{"type": "blackout", "at": "1 s", "for": "2 s", "drop": "both"}]
        }

        """)
  }

  @Test func sabre() throws {
    let (text, warnings) = try write(Self.changing, .sabre)
    #expect(warnings == [])
    #expect(
      text == """
        [
          {"duration_ms":12000,"bandwidth_kbps":4000,"latency_ms":40},
          {"duration_ms":5500,"bandwidth_kbps":0,"latency_ms":40}
        ]

        """)
    let (_, losses) = try write(Self.lte, .sabre)
    #expect(losses == ["'sabre' has no place for the upward rate, losses, the queue"])
  }

  @Test(
    arguments: [
      // The last line is the period: the last packet waits for it, or a part of one fills it.
      (12_000_000, 2, 3, "1\n3\n"), (12_000_000, 1, 3, "3\n"), (15_000_000, 2, 3, "1\n2\n3\n"),
      (0, 1, 2, "2\n"),
    ] as [(Int64, Int64, Int64, String)])
  func endsOfMahimahi(_ rate: Int64, _ on: Int64, _ period: Int64, _ lines: String) throws {
    var samples = [LinkTrack.Sample(rate: BitRate(bitsPerSecond: rate))]
    if on < period { samples.append(LinkTrack.Sample(start: .milliseconds(on), rate: .zero)) }
    let track = LinkTrack(samples, ending: .loop(after: .milliseconds(period)))
    let link = ConvertedLink(name: "x", LinkProfile(track))
    #expect(try write(link, .mahimahi).0 == lines)
  }

  @Test func pensieve() throws {
    let (text, warnings) = try write(Self.changing, .pensieve)
    #expect(text == "0\t4\n12\t4\n17.5\t0\n")
    #expect(warnings == ["'pensieve' has no place for delays"])
  }

  @Test(arguments: [
    (LinkTrack.Ending.hold, "the last rate holds forever: what is written starts again at 72 s"),
    (
      .offline(after: .seconds(15)),
      "the link is down after its track: what is written starts again at 15 s"
    ),
  ])
  func endings(_ ending: LinkTrack.Ending, _ warning: String) throws {
    var link = Self.changing
    link.profile = LinkProfile(LinkTrack(link.profile.down.track.samples, ending: ending))
    #expect(try write(link, .mahimahi).1.last == warning)
    #expect(try write(link, .tc).1 == [])
  }

  @Test func trafficControl() throws {
    // The queue and what is under way: 50 + 50 Mbit/s · 50 ms / 12000 bit, rounded up.
    #expect(
      commands(try write(Self.lte, .tc).0) == [
        "down limit 259 delay 50000us rate 50000000bit -14",
        "up limit 105 delay 65000us loss random 1.5% rate 9999500bit -14",
      ])
    #expect(
      commands(try write(Self.changing, .tc).0, ["down ", "up ", "pause ", "while", "done"]) == [
        "while :; do",
        "  down limit 107 delay 20000us rate 4000000bit -14",
        "  up limit 1000000 delay 20000us",
        "  pause 12",
        "  down limit 100 delay 20000us loss random 100%",
        "  pause 5.5",
        "done",
      ])
    let (text, warnings) = try write(Self.messy, .tc)
    #expect(
      commands(text) == [
        "down limit 24 delay 1us 5000us distribution normal loss gemodel 1% 30% 100% 0% "
          + "duplicate 0.1% reorder 25% gap 5 rate 1000000bit 4"
      ])
    #expect(warnings == ["'tc' has no place for the delay of names, blackouts"])
  }

  @Test func dummynet() throws {
    #expect(
      commands(try write(Self.lte, .dnctl).0, ["down ", "up ", "rules"]) == [
        "rules() {",
        "down bw 50000Kbit/s delay 50 queue 50 noerror",
        "up bw 9999500bit/s delay 65 plr 0.015 queue 50 noerror",
        "rules",
      ])
    #expect(
      commands(try write(Self.changing, .dnctl).0, ["down ", "up ", "pause ", "while", "done"]) == [
        "down bw 4000Kbit/s delay 20 queue 100 noerror",
        "up delay 20 queue 100 noerror",
        "while :; do",
        "  down bw 4000Kbit/s delay 20 queue 100 noerror",
        "  up delay 20 queue 100 noerror",
        "  pause 12",
        "  down delay 20 plr 1 queue 100 noerror",
        "  pause 5.5",
        "done",
      ])
    #expect(
      try write(Self.messy, .dnctl).1 == [
        "'dnctl' has no place for losses that depend on each other, jitter, reordering, "
          + "duplicates, the overhead of packets, the delay of names, blackouts"
      ])
  }

  @Test(arguments: [
    (LinkTrack.Ending.hold, ["down limit 100 rate 8bit -14"]),
    (
      .offline(after: .milliseconds(2_500)),
      ["down limit 100 rate 8bit -14", "pause 2.5", "down limit 100 loss random 100%"]
    ),
    (
      .loop(after: .milliseconds(2_500)), ["down limit 100 rate 8bit -14"]
    ),
  ])
  func endsOfScripts(_ ending: LinkTrack.Ending, _ lines: [String]) throws {
    let track = LinkTrack([.init(rate: BitRate(bitsPerSecond: 8))], ending: ending)
    let text = try write(ConvertedLink(name: "x", LinkProfile(track)), .tc).0
    #expect(commands(text, ["down ", "up ", "pause ", "while", "done"]) == lines)
  }

  @Test func theConditionerHasNoTracks() {
    #expect {
      try TraceWriter.write(Self.changing, .nlc)
    } throws: { error in
      (error as? TraceWriter.TraceProblem)?.message == "the conditioner has no rates that change"
    }
  }

  @Test func aLinkThatIsDownLosesEverything() throws {
    let down = ConvertedLink(name: "x", LinkProfile(LinkTrack(rate: .zero)))
    #expect(try write(down, .nlc).0.contains("LossRatio</key>\n      <integer>100</integer>"))
  }

  @Test func goodputIsNotCapacity() throws {
    var link = Self.changing
    link.kind = .goodput
    for format in [TraceFormat.tc, .dnctl, .mahimahi] {
      #expect(try write(link, format).1.contains { $0.hasPrefix("the rates are goodput") })
    }
    #expect(try write(link, .sabre).1 == [])
  }

  @Test func namesCannotBecomeCommands() throws {
    let link = ConvertedLink(name: "x\nrm -r /", source: "\r:", LinkProfile(LinkTrack(rate: .zero)))
    let lines = try write(link, .tc).0.split(separator: "\n")
    #expect(lines[1] == "# x\u{FFFD}rm -r /")
    #expect(lines[2] == "# \u{FFFD}:")
  }

  @Test func aTrackThatIsTooFastForLines() {
    let link = ConvertedLink(
      name: "x",
      LinkProfile(
        LinkTrack(
          [.init(rate: BitRate(bitsPerSecond: 999_000_000_000))], ending: .loop(after: .seconds(1)))
      ))
    #expect(throws: TraceWriter.TraceProblem.self) { try TraceWriter.write(link, .mahimahi) }
  }

  private func unlimited(_ ending: LinkTrack.Ending = .loop(after: .seconds(10))) -> ConvertedLink {
    ConvertedLink(
      name: "x",
      LinkProfile(
        LinkTrack(
          [
            .init(rate: BitRate(bitsPerSecond: 8_000)), .init(start: .seconds(5), rate: .unlimited),
          ], ending: ending)))
  }

  /// One queue for the whole link, as in a run: what its fastest second carries in a round trip,
  /// over both directions, and what is under way.
  @Test func aScriptHasTheQueueOfARun() throws {
    var profile = LinkProfile(
      LinkTrack([
        .init(rate: BitRate(bitsPerSecond: 1_200_000), delay: .milliseconds(10)),
        .init(
          start: .seconds(5), rate: BitRate(bitsPerSecond: 48_000_000), delay: .milliseconds(10)),
      ]))
    profile.up = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 48_000_000), delay: .milliseconds(190)))
    // 48 Mbit/s · 0.2 s are 800 packets of 1,500 bytes; 1 and 40 are under way, and 760 upwards.
    #expect(
      commands(try write(ConvertedLink(name: "x", profile), .tc).0).map {
        String($0.split(separator: " ").prefix(3).joined(separator: " "))
      } == ["down limit 801", "up limit 1560", "down limit 840"])
  }

  @Test func aRateWithoutALimitTakesTheOneBeforeItAway() throws {
    let text = try write(unlimited(), .tc).0
    #expect(
      commands(text) == [
        "  down limit 1000000 rate 8000bit -14", "  down limit 1000000 rate 0bit",
      ])
    let plain = ConvertedLink(
      name: "x", LinkProfile(LinkTrack(rate: .unlimited, delay: .seconds(1))))
    #expect(commands(try write(plain, .tc).0) == ["down limit 1000000 delay 1000000us"])
  }

  @Test func unlimitedIsAWord() throws {
    let plain = ConvertedLink(name: "x", LinkProfile(LinkTrack(rate: .unlimited)))
    #expect(try write(plain, .link).0.contains(#""rate": "unlimited""#))
    #expect(try write(unlimited(), .link).0.contains(#""for": "5 s", "rate": "unlimited""#))
    for format in ["sabre", "pensieve"] {
      let warning = "'\(format)' has no word for unlimited: 1 Tbit/s stands for it"
      #expect(
        try write(unlimited(), try #require(TraceFormat(rawValue: format))).1 == [warning])
    }
    #expect(
      try write(plain, .mahimahi).1 == [
        "'mahimahi' has no word for unlimited: 12 Gbit/s stand for it"
      ])
    #expect {
      try TraceWriter.write(unlimited(), .mahimahi)
    } throws: { error in
      (error as? TraceWriter.TraceProblem)?.message
        == "mahimahi has no word for unlimited, and no track with it"
    }
  }

  @Test(
    arguments: [
      (TraceFormat.nlc, 50_000_001, "'nlc' has delays cut to whole milliseconds"),
      (.nlc, 50_000_000, nil), (.dnctl, 50_000_000, nil), (.tc, 50_001_000, nil),
      (.dnctl, 49_999_999, "'dnctl' has delays rounded to whole milliseconds"),
      (.tc, 50_000_500, "'tc' has delays rounded to whole microseconds"), (.link, 50_000_001, nil),
    ] as [(TraceFormat, Int64, String?)])
  func grains(_ format: TraceFormat, _ nanoseconds: Int64, _ warning: String?) throws {
    let delay = TimeSpan(nanoseconds: nanoseconds)
    var up = LinkDirection(LinkTrack(rate: .unlimited, delay: delay))
    up.queue = .packets(50)
    var profile = LinkProfile(down: LinkDirection(), up: up)
    profile.down.queue = .packets(50)
    let written = try write(ConvertedLink(name: "x", profile), format)
    #expect(written.1 == (warning.map { [$0] } ?? []))
  }

  @Test(
    arguments: [
      (10_000_000, 4_000_000, 5, []), (10_000_000, 4_000_000, 0, [downWarning]),
      (10_000_001, 4_000_000, 5, [lateWarning]), (9_999_999, 4_000_000, 5, [earlyWarning]),
      (10_000_001, 4_000_000, 0, [lateWarning, downWarning]),
    ] as [(Int64, Int64, Int64, [String])])
  func driftsOfMahimahi(
    _ period: Int64, _ start: Int64, _ megabits: Int64, _ warnings: [String]
  ) throws {
    let track = LinkTrack(
      [
        .init(rate: BitRate(bitsPerSecond: 3_000_000)),
        .init(
          start: TimeSpan(nanoseconds: start), rate: BitRate(bitsPerSecond: megabits * 1_000_000)),
      ], ending: .loop(after: TimeSpan(nanoseconds: period)))
    let link = ConvertedLink(name: "x", LinkProfile(track))
    #expect(try write(link, .mahimahi).1 == warnings)
    #expect(try write(link, .sabre).1 == [])
  }

  static let lateWarning =
    "the way down starts again after whole milliseconds: 999.999 us later each time"
  static let earlyWarning =
    "the way down starts again after whole milliseconds: 1 ns later each time"
  static let downWarning =
    "the way down is down at its end, where its last line is a packet"

  @Test func scriptsEndAsTheySay() throws {
    for format in [TraceFormat.tc, .dnctl] {
      let constant = try write(Self.lte, format).0
      #expect(constant.hasSuffix("\ntrap - EXIT\n"))
      #expect(!constant.contains("pause"))
      let loop = try write(Self.changing, format).0
      #expect(loop.contains("# It changes the link as long as it runs; Ctrl-C ends it, too.\n"))
      #expect(loop.hasSuffix("done\n"))
      var once = Self.changing
      once.profile.down.track = LinkTrack(once.profile.down.track.samples)
      #expect(try write(once, format).0.hasSuffix("\nrm -f \"$running\"\ntrap - EXIT\n"))
      for text in [constant, loop] {
        #expect(text.contains("\ntrap stop EXIT\ntrap 'exit 130' HUP INT TERM\n"))
      }
    }
  }

  @Test(arguments: TraceFormat.allCases.filter { !$0.isWritten })
  func someFormatsAreOnlyRead(_ format: TraceFormat) {
    #expect(throws: TraceWriter.TraceProblem.self) { try TraceWriter.write(Self.lte, format) }
  }
}
