import Autowait
import AutowaitScenario
import Testing

/// The tables of the articles about streams are what runs come to.
@Suite struct StreamArticleTests {
  /// A run of a row's scenario, and what is told of it.
  struct Run {
    let result: RunResult

    /// Runs the text of a scenario in which some words were put in the place of others.
    init(_ text: String, _ changes: [(String, String)], path: String) throws {
      var text = text
      for (old, new) in changes {
        #expect(text.contains(old), "\(path) does not say '\(old)'")
        text = text.replacing(old, with: new)
      }
      let (scenario, findings) = ScenarioReader.read(
        SourceText(path: path, text: text), loader: .none)
      let messages = findings.filter { $0.severity == .error }.map(\.message)
      #expect(messages.isEmpty, "\(messages)")
      result = ScenarioRun.run(try #require(scenario))
    }

    var metrics: PlayerMetrics { result.metrics[0] }

    /// The variants in the order in which their first segments came, with the instants.
    var variants: [(variant: Int, instant: Instant)] {
      result.records.compactMap {
        if case .variantSwitch(_, let variant, _) = $0.event { (variant, $0.instant) } else { nil }
      }
    }

    var errorCodes: [Int32] {
      result.records.compactMap {
        if case .newErrorLogEntry(_, let code) = $0.event { code } else { nil }
      }
    }

    /// What became of a stream of which something was missing.
    var outcome: String {
      let isFailed = result.records.contains { $0.event == .itemStatus(.failed) }
      if isFailed { return "the item fails" }
      let isOther = variants.contains { $0.variant != 0 }
      if isOther { return "another variant" }
      return errorCodes.isEmpty ? "nothing" : "asked for again"
    }
  }

  /// Returns the scenario of an article's block.
  private func scenario(_ name: String, of article: String) throws -> String {
    let document = MarkdownDocument.article(article)
    let block = try #require(document.blocks.first { $0.info.contains(name) })
    return block.lines.joined(separator: "\n")
  }

  /// Checks that an article has the rows of a table, one below the other, as runs give them.
  private func check(_ rows: [String], in article: String) {
    let prose = MarkdownDocument.article(article).prose
    let stands = prose.indices.contains { prose[$0...].prefix(rows.count).elementsEqual(rows) }
    #expect(stands, "\(article) has another table than this:\n\(rows.joined(separator: "\n"))")
  }

  /// A time in seconds, with so many decimals, the nearest.
  private func text(_ nanoseconds: Int64, decimals: Int = 3) -> String {
    var unit: Int64 = 1_000_000_000
    for _ in 0..<decimals { unit /= 10 }
    let digits = String((nanoseconds + unit / 2) / unit)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  // MARK: - How a stream starts

  @Test func whatEachTechniqueGains() throws {
    let article = "how-a-stream-starts"
    let base = try scenario("title-card.json", of: article)
    func startup(_ changes: [(String, String)]) throws -> Int64 {
      let run = try Run(base, changes, path: "title-card.json")
      return run.metrics.timeSpentInInitialStartup.nanoseconds
    }
    let values = ("10 s\", \"do\": \"loadValues\"", "0 s\", \"do\": \"loadValues\"")
    let keys = ("\"preloadsEligibleContentKeys\": false", "\"preloadsEligibleContentKeys\": true")
    let gzip = ("\"gzip\": false", "\"gzip\": true")
    let load = ("10 s\", \"do\": \"load\"", "0 s\", \"do\": \"load\"")
    let ideal = ("{ \"tls\": \"1.3\" }", "\"ideal\"")
    let techniques = [("values", values), ("keys", keys), ("`gzip`", gzip)]
    var rows: [String] = []
    for mask in 0..<8 {
      let chosen = techniques.indices.filter { mask & (1 << $0) != 0 }
      let changes = chosen.map { techniques[$0].1 }
      let name =
        chosen.isEmpty ? "nothing" : chosen.map { techniques[$0].0 }.joined(separator: ", ")
      let early = changes.filter { $0.0 != values.0 } + [values, load]
      let cells = try [changes, changes + [ideal], early, early + [ideal]].map(startup)
      rows.append("| \(name) | " + cells.map { text($0) }.joined(separator: " | ") + " |")
    }
    check(rows, in: article)
  }

  /// On an ideal link each gain is the round trips and bytes that it saves, to the nanosecond.
  @Test func gainsAreRoundTripsAndBytes() throws {
    let base = try scenario("title-card.json", of: "how-a-stream-starts")
    func startup(_ changes: (String, String)...) throws -> Int64 {
      let ideal = ("{ \"tls\": \"1.3\" }", "\"ideal\"")
      let run = try Run(base, changes + [ideal], path: "title-card.json")
      return run.metrics.timeSpentInInitialStartup.nanoseconds
    }
    let values = ("10 s\", \"do\": \"loadValues\"", "0 s\", \"do\": \"loadValues\"")
    let gzip = ("\"gzip\": false", "\"gzip\": true")
    let whole = try startup()
    // 0.2 s, and 20,000 bytes at 780 kbit/s; a fifth of 60,000 bytes is left.
    expectNear(whole - (try startup(values)), 200_000_000 + 160_000_000_000 / 780)
    expectNear(whole - (try startup(gzip)), 384_000_000_000 / 780)
    expectNear(whole - (try startup(values, gzip)), 200_000_000 + 416_000_000_000 / 780)
  }

  /// A stage ends at a whole nanosecond, so that a sum of two may be one off for each.
  private func expectNear(
    _ actual: Int64, _ wanted: Int64, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(abs(actual - wanted) <= 4, "\(actual), not \(wanted)", sourceLocation: sourceLocation)
  }

  @Test func whatBecomesOfFailures() throws {
    let article = "how-a-stream-starts"
    let base = try scenario("failure.json", of: article)
    let old = "{ \"of\": \"segment\", \"variant\": \"high\", \"status\": 404 }"
    let targets = [
      ("`multivariantPlaylist`", "\"of\": \"multivariantPlaylist\""),
      ("`mediaPlaylist` of a variant", "\"of\": \"mediaPlaylist\", \"variant\": \"high\""),
      ("`mediaPlaylist` of all", "\"of\": \"mediaPlaylist\""),
      ("`mediaPlaylist` of audio", "\"of\": \"mediaPlaylist\", \"rendition\": \"English\""),
      ("`key`", "\"of\": \"key\""),
      ("`init` of a variant", "\"of\": \"init\", \"variant\": \"high\""),
      ("`segment` of a variant", "\"of\": \"segment\", \"variant\": \"high\""),
      ("`segment` of audio", "\"of\": \"segment\", \"rendition\": \"English\""),
    ]
    var rows: [String] = []
    for (name, target) in targets {
      let outcomes = try [", \"count\": 1", ""].map { count in
        let new = "{ \(target), \"status\": 404\(count) }"
        return try Run(base, [(old, new)], path: "failure.json").outcome
      }
      rows.append("| \(name) | \(outcomes[0]) | \(outcomes[1]) |")
    }
    check(rows, in: article)
  }

  @Test(arguments: [
    ("404", "segment"), ("403", "segment"), ("500", "segment"), ("noResponse", "segment"),
    ("nameNotResolved", "segment"), ("wrongKey", "key"), ("redirect", "segment"),
  ])
  func whichCodeAFailureHas(_ status: String, _ target: String) throws {
    let article = "how-a-stream-starts"
    let base = try scenario("failure.json", of: article)
    let word = Int(status) == nil ? "\"\(status)\"" : status
    let run = try Run(
      base,
      [
        (
          "{ \"of\": \"segment\", \"variant\": \"high\", \"status\": 404 }",
          "{ \"of\": \"\(target)\", \"status\": \(word), \"count\": 1 }"
        )
      ], path: "failure.json")
    let row = try #require(MarkdownDocument.article(article).rows.first { $0.key == status })
    #expect(row.cells.first == (run.errorCodes.first.map { "\($0)" } ?? "no entry"))
    #expect((run.outcome == "the item fails") == (status == "wrongKey"))
  }

  // MARK: - Which quality plays first

  /// A row of the table of first variants: what the playlist and the app say.
  struct First: Sendable {
    let name: String
    var isHighFirst = false
    var stream: [(String, String)] = []
    var player = ""
  }

  static let firsts = [
    First(name: "low to high"),
    First(name: "high to low", isHighFirst: true),
    First(
      name: "high to low, `preferredPeakBitRate` 2,000,000: Option A", isHighFirst: true,
      player: "\"preferredPeakBitRate\": 2000000"),
    First(
      name: "high to low, `preferredPeakBitRate` 2,000", isHighFirst: true,
      player: "\"preferredPeakBitRate\": 2000"),
    First(
      name: "low to high, 4,500 kbit/s moved to the front: Option B",
      stream: [
        ("\"variants\":", "\"rewrite\": { \"preferredFirst\": \"4500 kbit/s\" }, \"variants\":")
      ]),
    First(
      name: "high to low, `preferredMaximumResolution` 1280×720", isHighFirst: true,
      player: "\"preferredMaximumResolution\": \"1280x720\""),
    First(
      name: "high to low, layer of 375×211 points at scale 2", isHighFirst: true,
      player: "\"layer\": \"375x211@2x\""),
    First(
      name: "high to low, the same layer with its scale forgotten", isHighFirst: true,
      player: "\"layer\": \"375x211@1x\""),
    First(
      name: "high to low, `preferredPeakBitRateForExpensiveNetworks` 500,000, on Wi-Fi",
      isHighFirst: true, player: "\"preferredPeakBitRateForExpensiveNetworks\": 500000"),
    First(
      name: "high to low, the same, on a cellular network", isHighFirst: true,
      player: "\"preferredPeakBitRateForExpensiveNetworks\": 500000, \"expensiveNetwork\": true"),
    First(
      name: "high to low, 1920×1080 in HEVC, which the device cannot decode", isHighFirst: true,
      stream: [("\"1920x1080\"", "\"1920x1080\", \"codecs\": \"hvc1.2.4.L123.B0\"")],
      player: "\"codecs\": [\"avc\", \"aac\"]"),
    First(name: "low to high, `observedBitrate` 2,000,000", player: "\"observedBitrate\": 2000000"),
    First(
      name: "low to high, the same, with `startsOnFirstEligibleVariant`",
      player: "\"observedBitrate\": 2000000, \"startsOnFirstEligibleVariant\": true"),
    First(
      name: "low to high, the same, on iOS 12",
      player: "\"observedBitrate\": 2000000, \"contract\": \"ios12\""),
  ]

  @Test func whichVariantIsFirst() throws {
    let rates = [110, 400, 600, 1_800, 4_500, 11_000]
    var rows: [String] = []
    for first in Self.firsts {
      let path = "Scenarios/hls/\(first.isHighFirst ? "option-a" : "first-eligible").json"
      let text = try #require(MarkdownDocument.read(path))
      let expect = text.firstRange(of: ",\n  \"expect\"").map {
        String(text[..<$0.lowerBound]) + "\n}"
      }
      let old = first.isHighFirst ? "\"player\": { \"preferredPeakBitRate\": 2000000 }," : ""
      let script = "\(old)\(old.isEmpty ? "" : "\n  ")\"script\""
      let new = "\"player\": { \(first.player) }, \"script\""
      let run = try Run(try #require(expect), first.stream + [(script, new)], path: path)
      let (variant, instant) = try #require(run.variants.first)
      var order = first.isHighFirst ? rates.reversed() : rates
      if first.name.contains("Option B") { order = [4_500] + order.filter { $0 != 4_500 } }
      let seconds = short(instant.nanoseconds)
      rows.append("| \(first.name) | \(order[variant]) | \(seconds) |")
    }
    check(rows, in: "which-quality-plays-first")
  }

  /// What players guess before the first segment; from their source, as the article says.
  static let guesses: [(name: String, guess: String, rate: Int)] = [
    ("media3 3.11, unknown network", "1 Mbit/s, 70 %", 700_000),
    ("media3 3.11, 4G, best group of countries", "2.5 Mbit/s, 70 %", 1_750_000),
    ("media3 3.11, Wi-Fi, best group of countries", "4.3 Mbit/s, 70 %", 3_010_000),
    ("Shaka 5.2", "1 Mbit/s, 95 %", 950_000),
    ("dash.js 5.1", "1 Mbit/s, 90 %", 900_000),
    ("video.js http-streaming 3.17", "4.194304 Mbit/s, 1 / 1.2", 3_495_253),
  ]

  @Test func whatOthersBeginWith() throws {
    let rates = [110, 400, 600, 1_800, 4_500, 11_000]
    let path = "Scenarios/hls/first-eligible.json"
    let text = try #require(MarkdownDocument.read(path))
    let rows = try Self.guesses.map { name, guess, rate in
      let player = "\"player\": { \"observedBitrate\": \(rate) }, \"script\""
      let run = try Run(text, [("\"script\"", player)], path: path)
      let (variant, instant) = try #require(run.variants.first)
      let seconds = short(instant.nanoseconds)
      return "| \(name) | \(guess) | \(rate) | \(rates[variant]) | \(seconds) |"
    }
    check(rows, in: "which-quality-plays-first")
  }

  /// A time in seconds, with two decimals at most.
  private func short(_ nanoseconds: Int64) -> String {
    var text = text(nanoseconds, decimals: 2)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  @Test func whatRulesDoDuringPlay() throws {
    let article = "which-quality-plays-first"
    let base = try scenario("tram.json", of: article)
    let rules = [
      ("`avfoundation`", "\"avfoundation\""), ("`throughput`", "\"throughput\""),
      ("`fixed`", "\"fixed\""), ("`scripted`", "{ \"scripted\": [2, 1, 0] }"),
    ]
    var rows: [String] = []
    for (name, rule) in rules {
      let change = ("\"rule\": \"avfoundation\"", "\"rule\": \(rule)")
      let run = try Run(base, [change], path: "tram.json")
      let switches = run.variants.map { "\($0.variant) at \(short($0.instant.nanoseconds))" }
      let metrics = run.metrics
      let stalled = short(metrics.time(.stalled).nanoseconds)
      let peak = (metrics.streaming?.timeWeightedPeakBitrate?.bitsPerSecond ?? 0) / 1_000
      rows.append(
        "| \(name) | \(switches.joined(separator: ", ")) | \(metrics.stallCount) | \(stalled) "
          + "| \(peak) |")
    }
    check(rows, in: article)
  }
}
