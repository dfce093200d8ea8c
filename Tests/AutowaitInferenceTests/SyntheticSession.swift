import Autowait
import AutowaitFidelity
import AutowaitInference
import AutowaitRendering
import AutowaitScenario
import Testing

/// A session over a link that a seed draws, and the log that a browser would keep of it.
struct SyntheticSession {
  /// How a link is drawn.
  enum Kind: CaseIterable {
    /// A few levels, one after another, with an outage now and then.
    case levels
    /// A rate that walks a little every few seconds.
    case walk
    /// One of four rates, each left with a chance every second.
    case markov
  }

  /// Who plays what, and keeps which log of it.
  struct Page: Sendable {
    var player = "hls.js"
    var form = SessionLog.Form.har
    /// The bandwidths of the variants between which players choose.
    var kilobits = [1_000]
  }

  /// media3, but waiting for as long as it takes: it gives up what is silent for 8 s, and the log
  /// of another player does not tell silence from a link that is slow.
  static let patient = "media3:answerTimeout=1000s,silenceTimeout=1000s"

  let steps: [(at: Int64, rate: Int64)]
  let page: Page
  let tier: LinkTier
  let log: SessionLog

  /// Plays a player over a link of a tier.
  init(
    _ kind: Kind, seed: UInt64, tier: LinkTier = .ideal, page: Page = Page()
  ) throws {
    steps = Self.steps(kind, seed: seed)
    (self.tier, self.page) = (tier, page)
    let scenario = try Self.scenario(rule: page.player, steps, page.kilobits, tier)
    let plain = ScenarioRun.run(scenario)
    let text: [UInt8]
    if page.form == .har {
      text = HARRendering.archive(plain)
    } else {
      let result = ScenarioRun.run(scenario, samplesAt: CMCDRendering.instants(plain))
      text = CMCDRendering.log(result, samples: result.samples)
    }
    var options = SessionLogReader.LogOptions()
    options.media = SessionMedia(scenario)
    log = try #require(
      try SessionLogReader.read(SourceText(path: "page", bytes: text), options).first)
  }

  /// Returns what a viewer of a rule sees on the link as it was.
  func truth(rule: String) throws -> ViewerOutcome {
    ViewerOutcome(ScenarioRun.run(try Self.scenario(rule: rule, steps, page.kilobits, tier)))
  }

  /// Returns what a viewer of a rule sees on an ideal link.
  func predicted(rule: String, _ track: LinkTrack) throws -> ViewerOutcome {
    let steps = track.samples.map { sample in
      (sample.start.nanoseconds / 1_000_000, sample.rate.bitsPerSecond)
    }
    return ViewerOutcome(
      ScenarioRun.run(try Self.scenario(rule: rule, steps, page.kilobits, .ideal)))
  }

  /// Returns what `autowait whatif` says of a rule, without the text.
  func report(rule: String) throws -> WhatIfReport {
    var options = LinkInference.Options(CandidateLink.model)
    (options.seed, options.samples) = (1, 32 * Misfit.drawnPerKept)
    let links = try #require(LinkInference(log, options).run())
    let stage = try #require(SessionStage(log))
    return try WhatIfReport(
      stage, recorded: try Self.choice(page.player), rules: [try Self.choice(rule)],
      on: CandidateLink.all(links), keeping: 33)
  }

  private static func choice(_ rule: String) throws -> RuleChoice {
    try #require(RuleChoice(named: rule, isStream: true) ?? RuleChoice(spelled: rule))
  }

  private static func scenario(
    rule: String, _ steps: [(at: Int64, rate: Int64)], _ kilobits: [Int], _ tier: LinkTier
  ) throws -> Scenario {
    let variants = kilobits.map { #"{"bandwidth": "\#($0) kbit/s"}"# }.joined(separator: ", ")
    let track = steps.map { #"{"at": "\#($0.at) ms", "rate": \#($0.rate)}"# }
      .joined(separator: ", ")
    let text = """
      {"autowait": 1, "heuristic": \(try choice(rule).heuristic),
       "link": {"down": {"track": [\(track)], "delay": "20 ms"}, "up": {"delay": "20 ms"}},
       \(tier == .packet ? #""transport": {"tier": "packet"},"# : "")
       "media": {"kind": "hls", "duration": "60 s", "segmentDuration": "4 s",
                 "variants": [\(variants)]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}], "until": "300 s"}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "page.json", text: text), loader: .none)
    return try #require(scenario, "\(findings)")
  }

  private static func steps(_ kind: Kind, seed: UInt64) -> [(at: Int64, rate: Int64)] {
    var random = RandomStream(seed: seed, component: "test", purpose: "\(kind)")
    func draw(_ range: ClosedRange<Int64>) -> Int64 {
      range.lowerBound + Int64(random.next(below: UInt64(range.count)))
    }
    var (steps, now): ([(at: Int64, rate: Int64)], Int64) = ([], 0)
    var rate = draw(800_000...1_600_000)
    while now < 120_000 {
      steps.append((now, rate))
      switch kind {
      case .levels:
        now += draw(6_000...20_000)
        rate = draw(0...9) == 0 ? 0 : draw(400_000...2_400_000)
      case .walk:
        now += 3_000
        rate = max(200_000, rate * draw(75...133) / 100)
      case .markov:
        now += 1_000
        if draw(0...9) == 0 { rate = [300_000, 700_000, 1_300_000, 2_500_000][Int(draw(0...3))] }
        while let last = steps.last, last.rate == rate, now < 120_000 {
          now += 1_000
          if draw(0...9) == 0 { rate = [300_000, 700_000, 1_300_000, 2_500_000][Int(draw(0...3))] }
        }
      }
    }
    // What comes last carries what is left.
    steps.append((now + 1, 1_500_000))
    return steps
  }
}
