/// Which rule chooses the quality of each segment, and with which options.
///
/// The first rules are those of simulators of streaming, decision for decision; the last ones are
/// those of players, as far as they depend on what such a simulator knows.
package struct SegmentRulePolicy: Hashable, Sendable {
  /// A rule.
  package enum Rule: Hashable, Sendable {
    /// The same quality forever; the best one where there are fewer.
    case fixed(Int)
    /// The qualities of a list, segment by segment; the last one from there on.
    case scripted([Int])
    /// Sabre's throughput rule.
    case throughput
    /// BOLA for a finite buffer.
    case bola
    /// BOLA-E.
    case bolaE
    /// The throughput rule while the buffer is low, and BOLA above ten seconds.
    case dynamic
    /// The throughput rule and BOLA-E, with 5 and 10 seconds between them.
    case dynamicDash
    /// A straight line from the lowest quality to the best one (BBA, in Pensieve's form).
    case bufferBased
    /// The best of all plans for five segments, at the throughput of the last five (MPC).
    case predictive
    /// The same, at a throughput that allows for the worst of the last five errors (RobustMPC).
    case robustPredictive
    /// A player's rule.
    case player(PlayerRule)
  }

  /// The rule.
  package var rule: Rule
  /// How much BOLA prefers a full buffer to quality, in seconds for a unit of utility (`-gp`).
  package var gammaP = 5.0
  /// Whether BOLA plans with a full buffer from the first segment on, and gives up no download
  /// (`-ab`).
  package var isBasic = false
  /// Whether BOLA would rather wait than go to and fro between two qualities (`-ao`).
  package var avoidsOscillation = false
  /// Whether a quality must be affordable by what is buffered; not with `-noibr`.
  package var checksBuffer = true
  /// Whether a player loads a segment of the lowest variant first, only to measure the network, and
  /// throws it away; simulators, which have no such segments, do not.
  package var measuresFirst = false
  /// Whether a player gives segments up as the rule says; simulators say by themselves whether they
  /// do.
  package var abandons = false
  /// How throughput is predicted; nil as the rule does it of its own.
  package var estimator: EstimatorPolicy?

  /// Creates a policy with Sabre's options.
  package init(_ rule: Rule) {
    self.rule = rule
  }

  /// How throughput is predicted: as asked, or as Sabre does it; a player has its own way.
  package var estimatorInUse: EstimatorPolicy {
    estimator ?? .sabre
  }
}

/// A rule with what it remembers of a session.
package struct SegmentRule: Sendable {
  /// The level above which the dynamic rule may turn to BOLA, in milliseconds.
  static let dynamicLevel = 10_000.0
  /// The levels below which the dynamic rule of dash.js leaves BOLA, and above which it takes it.
  static let dynamicDashLevels = (low: 5_000.0, high: 10_000.0)
  /// How segments are chosen.
  package let policy: SegmentRulePolicy
  /// The milliseconds for which no download is given up, so that the rule need not be asked;
  /// infinite if it gives none up.
  package let patienceMin: Double
  private let kind: Kind
  private let script: [Int]
  private var throughput = ThroughputRule()
  private var bola: BolaRule
  private var bolaE: BolaERule
  private var usesBola = false
  private var prediction = PredictiveRule()
  private var player: PlayerSession?

  /// The rules without what they hold, for a choice of one to copy nothing.
  private enum Kind {
    case scripted, throughput, bola, bolaE, dynamic, dynamicDash, bufferBased, predictive, player
  }

  /// Creates a rule for a stream, and for a buffer of so many milliseconds.
  package init(_ policy: SegmentRulePolicy, for ladder: RuleLadder, bufferMax: Double) {
    self.policy = policy
    var script: [Int] = []
    switch policy.rule {
    case .fixed(let quality): (kind, script) = (.scripted, [quality])
    case .scripted(let qualities): (kind, script) = (.scripted, qualities)
    case .throughput: kind = .throughput
    case .bola: kind = .bola
    case .bolaE: kind = .bolaE
    case .dynamic: kind = .dynamic
    case .dynamicDash: kind = .dynamicDash
    case .bufferBased: kind = .bufferBased
    case .predictive, .robustPredictive: kind = .predictive
    case .player: kind = .player
    }
    self.script = script
    patienceMin =
      switch kind {
      case .throughput, .dynamic: ThroughputRule.grace
      case .bola, .bolaE, .dynamicDash: 0
      case .scripted, .bufferBased, .predictive, .player: .infinity
      }
    bola = BolaRule(ladder, gammaP: policy.gammaP, bufferMax: bufferMax)
    bolaE = BolaERule(ladder, policy, bufferMax: bufferMax)
    if case .player(let player) = policy.rule { self.player = PlayerSession(player, ladder) }
  }

  /// Returns the quality of the first segment, of which no rule knows anything yet.
  package func firstQuality(_ ladder: RuleLadder) -> Int {
    switch kind {
    case .scripted: min(script.first ?? 0, ladder.best)
    // Pensieve's simulators begin with the second quality (`DEFAULT_QUALITY`).
    case .bufferBased, .predictive: min(1, ladder.best)
    case .player: player?.first() ?? 0
    case .throughput, .bola, .bolaE, .dynamic, .dynamicDash: 0
    }
  }

  /// Returns the quality that it would decide for, without remembering it.
  func decided(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    var rule = self
    return rule.decide(view, ladder).quality
  }

  /// Returns the quality of a segment, and how long to wait before it is asked for.
  package mutating func decide(_ view: RuleView, _ ladder: RuleLadder) -> RuleDecision {
    switch kind {
    case .throughput:
      return RuleDecision(
        quality: throughput.quality(view, ladder, checksBuffer: policy.checksBuffer))
    case .bola: return bola.decide(view, ladder, policy)
    case .bolaE: return bolaE.decide(view, ladder, policy)
    case .dynamic: return dynamic(view, ladder)
    case .dynamicDash: return dynamicDash(view, ladder)
    case .bufferBased:
      return RuleDecision(quality: BufferBasedRule.quality(at: view.level, best: ladder.best))
    case .predictive:
      return RuleDecision(
        quality: prediction.quality(view, ladder, isRobust: policy.rule == .robustPredictive))
    case .player: return RuleDecision(quality: player?.next(view, ladder) ?? 0)
    case .scripted:
      let quality = script.isEmpty ? 0 : script[min(view.segment, script.count - 1)]
      return RuleDecision(quality: min(quality, ladder.best))
    }
  }

  private mutating func dynamic(_ view: RuleView, _ ladder: RuleLadder) -> RuleDecision {
    let byBuffer = bola.decide(view, ladder, policy)
    let byNetwork = throughput.quality(view, ladder, checksBuffer: policy.checksBuffer)
    if usesBola {
      if view.level < Self.dynamicLevel, byBuffer.quality < byNetwork { usesBola = false }
    } else if view.level > Self.dynamicLevel, byBuffer.quality >= byNetwork {
      usesBola = true
    }
    return usesBola ? byBuffer : RuleDecision(quality: byNetwork)
  }

  private mutating func dynamicDash(_ view: RuleView, _ ladder: RuleLadder) -> RuleDecision {
    if usesBola, view.level < Self.dynamicDashLevels.low {
      usesBola = false
    } else if !usesBola, view.level > Self.dynamicDashLevels.high {
      usesBola = true
    }
    if usesBola { return bolaE.decide(view, ladder, policy) }
    return RuleDecision(
      quality: throughput.quality(view, ladder, checksBuffer: policy.checksBuffer))
  }

  /// Takes note of a wait that a full buffer imposed.
  @inline(__always)
  package mutating func noteDelay(_ delay: Double) {
    if kind == .bolaE || kind == .dynamicDash { bolaE.noteDelay(delay) }
  }

  /// Takes note of a jump to a time in milliseconds; the rules made of two do not hear of it.
  package mutating func noteSeek(to time: Double, _ ladder: RuleLadder) {
    if kind == .bola { bola.noteSeek(to: time, ladder) }
    if kind == .bolaE { bolaE.noteSeek() }
  }

  /// Takes note of a download that is over; `level` is what is buffered after it.
  @inline(__always)
  package mutating func noteDownload(_ download: RuleDownload, level: Double, _ ladder: RuleLadder)
  {
    if kind == .bolaE || kind == .dynamicDash {
      bolaE.noteDownload(download, level: level, ladder)
    } else if kind == .dynamic, download.isReplacement {
      usesBola = false
    }
  }

  /// Takes note of what a segment showed of the network: bytes, and how long all of it took.
  package mutating func noteTransfer(bytes: Double, in time: Double) {
    if kind == .predictive { prediction.note(bytes: bytes, in: time) }
  }

  /// Whether the rule may give a download up.
  var abandons: Bool { patienceMin < .infinity }

  /// Whether the rule may give a download up in a player.
  var abandonsInPlayers: Bool { policy.abandons && abandons }

  /// Asks whether to give a download up: returns for which quality, and if for none and `solves`,
  /// the time before which the answer stays the same.
  ///
  /// It is one call, since it is what a simulator in another module asks most often.
  package mutating func ask(
    _ progress: RuleProgress, level: Double, latency: Double, _ ladder: RuleLadder, solves: Bool
  ) -> (quality: Int?, patientUntil: Double) {
    let quality = abandonment(progress, level: level, latency: latency, ladder)
    guard quality == nil, solves else { return (quality, 0) }
    return (nil, progress.time + patience(progress, level: level, ladder))
  }

  /// Returns the quality for which a download is given up; nil to go on.
  @inline(__always)
  mutating func abandonment(
    _ progress: RuleProgress, level: Double, latency: Double, _ ladder: RuleLadder
  ) -> Int? {
    switch kind {
    case .throughput, .dynamic:
      return ThroughputRule.abandonment(progress, ladder, latency: latency)
    case .dynamicDash where !usesBola:
      return ThroughputRule.abandonment(progress, ladder, latency: latency)
    case .bola:
      return bola.abandonment(progress, level: level, ladder, isBasic: policy.isBasic)
    case .bolaE, .dynamicDash: return bolaE.abandonment(progress, level: level, ladder)
    case .scripted, .bufferBased, .predictive, .player: return nil
    }
  }

  /// Returns for how many milliseconds it is certain that a download is not given up, whatever the
  /// network does meanwhile: until then the rule need not be asked.
  ///
  /// It is short by a nanosecond and a billionth, which is more than all rounding.
  @inline(__always)
  func patience(_ progress: RuleProgress, level: Double, _ ladder: RuleLadder) -> Double {
    let patience =
      switch kind {
      case .bola: policy.isBasic ? .infinity : bola.patience(progress, level: level, ladder)
      case .bolaE: bolaE.patience(progress, level: level, ladder)
      case .dynamicDash where usesBola: bolaE.patience(progress, level: level, ladder)
      case .throughput, .dynamic, .dynamicDash, .scripted, .bufferBased, .predictive, .player:
        ThroughputRule.patience(progress, ladder)
      }
    return patience * (1 - 1e-9) - 1e-6
  }
}
