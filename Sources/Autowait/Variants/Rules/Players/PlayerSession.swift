/// The rule of a player at work: what it is told in the course of a session, and what it answers.
///
/// It is told the same by a simulation and by a recorded session of the player's own code. All
/// times are in milliseconds, and what is between a rule and the rest is whole: a quality, and a
/// time at which it is asked again.
package struct PlayerSession: Sendable {
  /// The player.
  package let player: PlayerRule
  // One of them is there; an enumeration would have to be taken apart for each question.
  private var hls: HLSJSRule?
  private var dash: DashJSRule?
  private var shaka: ShakaRule?
  private var media3: Media3Rule?
  private var vhs: VHSRule?
  private var chromium: ChromiumHLSRule?
  /// The request under way.
  private var request: PlayerRequest?

  /// Begins a session; what the player expects at first is in bit/s, nil for its own default.
  package init(
    _ player: PlayerRule, _ ladder: PlayerLadder, first: Double? = nil, decay: Double? = nil
  ) {
    self.player = player
    let first = first ?? player.firstThroughput(ladder)
    assert(first >= 0, "less than nothing is expected, \(first) bit/s")
    switch player {
    case .hlsJS: hls = HLSJSRule(ladder, first: first)
    case .dashJS: dash = DashJSRule(ladder, first: first)
    case .shaka: shaka = ShakaRule(ladder, first: first, waitsForBytes: true)
    case .shaka4: shaka = ShakaRule(ladder, first: first, waitsForBytes: false)
    case .media3: media3 = Media3Rule(ladder, first: first)
    case .vhs: vhs = VHSRule(ladder, first: first, decay: decay)
    case .chromiumHLS: chromium = ChromiumHLSRule(ladder, first: first)
    }
  }

  /// What is expected of the network, in bit/s; nil if the player does not say.
  package var estimate: Double? {
    hls?.estimator.throughput ?? dash?.estimate ?? shaka?.estimate ?? media3?.estimate
      ?? vhs?.estimate ?? chromium?.estimate
  }

  /// Returns the quality of the next segment, and how long to wait for it.
  ///
  /// An estimate, in bit/s, is what is to be expected of the network instead.
  package mutating func choose(_ moment: PlayerMoment, estimate: Double? = nil) -> RuleDecision {
    if let decision = dash?.choose(moment, estimate: estimate) { return decision }
    var quality = hls?.choose(moment, estimate: estimate)
    quality = quality ?? shaka?.choose(moment, estimate: estimate)
    quality = quality ?? vhs?.choose(moment, estimate: estimate)
    let expected = estimate ?? media3?.estimate ?? chromium?.estimate ?? 0
    quality = quality ?? media3?.choose(moment, estimate: expected)
    return RuleDecision(quality: quality ?? chromium?.choose(estimate: expected) ?? 0)
  }

  /// Takes note of a playlist that has come, and of how long it took from its first byte on.
  package mutating func notePlaylist(of quality: Int, in span: Double) {
    assert(span >= 0, "a playlist in less than no time")
    hls?.notePlaylist(of: quality, in: span)
  }

  /// Takes note of a request for a segment.
  package mutating func begin(_ request: PlayerRequest) {
    self.request = request
    hls?.begin(request)
    dash?.begin(request)
    shaka?.begin(request)
    media3?.begin(request)
    vhs?.begin(request)
  }

  /// Takes note of the first byte of the response.
  package mutating func noteResponse(at time: Double) {
    assert((request?.opened ?? 0) <= time, "a response before its request")
    guard request?.responded == nil else { return }
    request?.responded = time
    // Its body is read as soon as there is one.
    shaka?.look(0, at: time)
  }

  /// When the request under way is looked at next; infinite if it is not before something comes.
  package func nextLook(after time: Double) -> Double {
    guard let request else { return .infinity }
    let next =
      hls?.nextLook(request, after: time) ?? dash?.nextLook(request, after: time)
      ?? shaka?.nextLook(request, after: time) ?? vhs?.nextLook(request, after: time)
    return next ?? .infinity
  }

  /// Looks at the request under way, of which so many bytes have come; returns the quality for
  /// which it is given up, and nil to go on.
  package mutating func look(_ loaded: Double, _ moment: PlayerMoment) -> Int? {
    guard let request else { return nil }
    assert(loaded <= request.size, "more has come than there is")
    shaka?.look(loaded, moment)
    if let quality = hls?.look(request, loaded, moment) { return quality }
    if let quality = dash?.look(request, loaded, moment) { return quality }
    return vhs?.look(request, loaded, moment)
  }

  /// Takes note that the request under way was given up for another quality.
  package mutating func giveUp(for quality: Int, _ loaded: Double, _ moment: PlayerMoment) {
    guard let request else { return }
    hls?.giveUp(for: quality)
    dash?.giveUp(request, for: quality, loaded, moment)
    vhs?.giveUp(for: quality)
    self.request = nil
  }

  /// Takes note that the request under way has come; the level is that before it.
  package mutating func end(_ moment: PlayerMoment) {
    guard let request else { return }
    hls?.end(request, at: moment.time)
    dash?.end(request, moment)
    shaka?.end(request.size, moment)
    let span = moment.time - (request.responded ?? request.opened)
    media3?.end(request.size, in: span)
    vhs?.end(request, moment)
    chromium?.end(request.size, in: span)
    self.request = nil
  }

  /// Takes note of reads beside those for segments of the picture, for a player that looks at them.
  mutating func noteReads(_ count: Int, of size: Double, in span: Double) {
    assert(count >= 0 && span >= 0, "\(count) reads in \(span) ms")
    for _ in 0..<count { chromium?.end(size, in: span) }
  }

  /// Takes note of a sample in bit/s, for a player that takes what it is given.
  package mutating func note(sample: Double) { chromium?.note(sample) }
}
