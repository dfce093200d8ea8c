import Autowait

/// Another simulator whose session is played instead of a player's, and how true to it.
package enum CompatMode: String, CaseIterable, Sendable {
  /// As UMass-LIDS/sabre plays it; stalls are counted right.
  case sabre
  /// With its own counts too: residues of sums as stalls, and no stall that goes on.
  case sabreDefects = "sabre,defects"
  /// As it was meant: what a download was given up for is asked for next.
  case sabreRepaired = "sabre,repaired"
  /// As hongzimao/pensieve plays it; the startup is no stall.
  case pensieve
  /// With its own counts too: the startup as a stall, and a clock that loses sleeps.
  case pensieveDefects = "pensieve,defects"
  /// As it was meant: the network's time passes during latencies too.
  case pensieveRepaired = "pensieve,repaired"

  /// Whether it is Sabre.
  package var isSabre: Bool { rawValue.hasPrefix("sabre") }
  /// Whether the other simulator's own counts are told.
  package var tellsDefects: Bool { self == .sabreDefects || self == .pensieveDefects }
  /// Whether defects that change a session are repaired.
  package var isRepaired: Bool { self == .sabreRepaired || self == .pensieveRepaired }
}

/// A world's stream as another simulator plays it.
package struct CompatSession: Sendable {
  /// Why a world has no such session.
  package struct CompatProblem: Error, Hashable, Sendable {
    /// The reason.
    package let message: String
    /// What would help.
    package let notes: [String]

    /// Creates a problem.
    package init(_ message: String, notes: [String] = []) {
      (self.message, self.notes) = (message, notes)
    }
  }

  /// Whose session it is.
  package let mode: CompatMode
  /// The rule, in terms of qualities.
  package let rule: SegmentRulePolicy
  /// The number of the variant of each quality.
  package let variants: [Int]
  /// What it came to.
  package let outcome: PeerOutcome
  /// What was downloaded.
  package let downloads: [PeerDownload]
  /// What of the world the other simulator does not know, and so was left out.
  package let leftOut: [String]

  /// Plays the stream of a world's first player.
  package init(_ world: World, as mode: CompatMode) throws(CompatProblem) {
    guard let player = world.players.first,
      let stream = player.media.lazy.compactMap(\.streamMedia).first
    else { throw CompatProblem("'--compat' needs a stream: media of the kind 'hls'") }
    self.mode = mode
    variants = stream.variants.indices.sorted {
      (stream.variants[$0].bandwidth, $0) < (stream.variants[$1].bandwidth, $1)
    }
    let ladder = try Self.ladder(stream, variants)
    rule = try Self.policy(player.streaming.adaptation.rule, variants, mode)
    leftOut = Self.leftOut(world, mode)
    let asked = player.preferredForwardBufferDuration
    let bufferMax = asked > .zero ? Double(asked.nanoseconds) / 1e6 : nil
    if let bufferMax, bufferMax < ladder.segmentDuration {
      throw CompatProblem(
        "'preferredForwardBufferDuration' is less than a segment, which never fits")
    }
    let track = world.links[0].down.track
    if case .offline = track.ending {
      throw CompatProblem("the link ends, and the networks of Sabre and Pensieve never do")
    }
    let abandons = player.streaming.adaptation.abandonedAfter != nil
    let session =
      mode.isSabre
      ? Self.sabre(world.links[0], ladder, rule, (bufferMax, mode.isRepaired, abandons))
      : Self.pensieve(track, ladder, rule, (bufferMax, mode.isRepaired))
    (outcome, downloads) = session
    if outcome.isEndless {
      throw CompatProblem("the session never ends: the link brings too little")
    }
  }

  private typealias Played = (outcome: PeerOutcome, downloads: [PeerDownload])

  private static func sabre(
    _ link: LinkProfile, _ ladder: RuleLadder, _ policy: SegmentRulePolicy,
    _ options: (bufferMax: Double?, isRepaired: Bool, abandons: Bool)
  ) -> Played {
    let up = milliseconds(link.up.track.samples[0].delay)
    let rows = spans(link.down.track).map { sample, span in
      SabreRow(
        duration: span, bandwidth: Double(sample.rate.bitsPerSecond) / 1_000,
        latency: milliseconds(sample.delay) + up)
    }
    var setup = SabreSetup(ladder, over: rows, rule: policy)
    setup.estimator = policy.estimatorInUse
    if let bufferMax = options.bufferMax { setup.bufferMax = bufferMax }
    setup.honoursAbandonment = options.isRepaired
    setup.abandons = options.abandons
    var session = SabreSession(setup, keepsDownloads: true)
    return (session.run(), session.downloads)
  }

  private static func pensieve(
    _ track: LinkTrack, _ ladder: RuleLadder, _ policy: SegmentRulePolicy,
    _ options: (bufferMax: Double?, isRepaired: Bool)
  ) -> Played {
    var rows = [PensieveSetup.RateRow(time: 0, megabits: 0)]
    var end = 0.0
    for (sample, span) in spans(track) {
      end += span / 1_000
      rows.append(
        PensieveSetup.RateRow(time: end, megabits: Double(sample.rate.bitsPerSecond) / 1_000_000))
    }
    var setup = PensieveSetup(ladder, over: rows, rule: policy)
    if let estimator = policy.estimator { setup.estimator = estimator }
    if let bufferMax = options.bufferMax { setup.bufferMax = bufferMax }
    setup.spendsLatency = options.isRepaired
    var session = PensieveSession(setup, keepsDownloads: true)
    return (session.run(), session.downloads)
  }

  /// The samples of a track with their lengths in milliseconds; one that holds lasts thirty years.
  private static func spans(_ track: LinkTrack) -> [(LinkTrack.Sample, Double)] {
    let starts = track.samples.map(\.start)
    let end: TimeSpan? = if case .loop(let period) = track.ending { period } else { nil }
    return track.samples.indices.map { index in
      let next = index + 1 < starts.count ? starts[index + 1] : end
      return (track.samples[index], next.map { milliseconds($0 - starts[index]) } ?? 1e12)
    }
  }

  private static func milliseconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e6 }

  /// The stream as the others know it: segments of one length, and a size for each quality.
  private static func ladder(
    _ stream: StreamMedia, _ variants: [Int]
  ) throws(CompatProblem) -> RuleLadder {
    if stream.live != nil { throw CompatProblem("'--compat' cannot play a live stream") }
    let lists = variants.map { stream.lists[stream.variants[$0].list] }
    guard let first = lists.first, first.count > 0 else {
      throw CompatProblem("the stream is empty")
    }
    let duration = first.end(of: 0)
    for list in lists {
      let isEven = (0..<max(0, list.count - 1)).allSatisfy {
        list.end(of: $0).nanoseconds == Int64($0 + 1) * duration.nanoseconds
      }
      if list.count != first.count || !isEven {
        throw CompatProblem("the segments of a stream must be of one length for Sabre and Pensieve")
      }
    }
    let sizes = (0..<first.count).flatMap { segment in
      lists.map { Double($0.size(of: segment).bytes) * 8 }
    }
    let rates = variants.map { Double(stream.variants[$0].bandwidth.bitsPerSecond) / 1_000 }
    guard sizes.allSatisfy({ $0 > 0 }), rates.allSatisfy({ $0 > 0 }) else {
      throw CompatProblem("a segment or a variant of nothing has no throughput")
    }
    return RuleLadder(
      segmentDuration: Double(duration.nanoseconds) / 1e6, bitRates: rates, count: first.count,
      sizes: sizes + RuleLadder.sizesAfterEnd(of: lists))
  }

  /// The rule, in terms of qualities; what only a player of streams has is refused.
  private static func policy(
    _ rule: AdaptationPolicy.AdaptationRule, _ variants: [Int], _ mode: CompatMode
  ) throws(CompatProblem) -> SegmentRulePolicy {
    switch rule {
    case .modelled(let policy): return policy
    case .throughput: return SegmentRulePolicy(.throughput)
    case .fixed: return SegmentRulePolicy(.fixed(variants.firstIndex(of: 0) ?? 0))
    case .scripted(let script):
      return SegmentRulePolicy(.scripted(script.variants.map { variants.firstIndex(of: $0) ?? 0 }))
    case .avfoundation:
      let word = mode.isSabre ? "bola-e" : "bba"
      throw CompatProblem(
        "the rule 'avfoundation' cannot be played by \(mode.isSabre ? "Sabre" : "Pensieve")",
        notes: ["another one is chosen with \"streaming\": {\"rule\": \"\(word)\"} of the player"])
    }
  }

  /// What of a world the others do not know.
  private static func leftOut(_ world: World, _ mode: CompatMode) -> [String] {
    var words: [String] = []
    if world.transport != nil { words.append("the transport") }
    if !world.traffic.isEmpty { words.append("the traffic of others") }
    if !world.linkChanges.isEmpty || world.links.contains(where: { !$0.events.isEmpty }) {
      words.append("changes of the link")
    }
    let streams = world.players.first?.media.compactMap(\.streamMedia) ?? []
    if streams.contains(where: { $0.renditions.contains { $0.list != nil } }) {
      words.append("renditions")
    }
    if world.players.count > 1 { words.append("all players but the first") }
    let down = world.links[0].down
    if down.loss != .none || down.jitter != nil || down.reorder != nil {
      words.append("losses and jitter")
    }
    if !mode.isSabre, down.track.samples.contains(where: { $0.delay > .zero }) {
      words.append("the delay of the link, for which Pensieve has 80 ms")
    }
    return words
  }
}
