import Autowait
import AutowaitScenario

/// Renders what a player would report of itself in the event mode of Common Media Client Data,
/// version 2 (CTA-5004-B): one event a line, as a report of the type `application/cmcd` has them.
///
/// The events are changes of the state, of the bit rate and of the playback rate, responses, errors
/// and, every 30 s, the time. Dates count from the beginning of 1970, as in the other exports.
package enum CMCDRendering {
  /// How often the time is reported, as the standard has it unless anything else is agreed.
  private static let interval = TimeSpan.seconds(30)

  /// Returns the instants at which a run must be sampled, ascending.
  package static func instants(_ result: RunResult) -> [Instant] {
    let players = CMCDReport.all(result, every: interval)
    return result.distinct(players.flatMap { $0.map { $0.instant } })
  }

  /// Returns the events of a run that was sampled at `instants(_:)`, one player after another.
  package static func log(_ result: RunResult, samples: [RunResult.Sample]) -> [UInt8] {
    let reports = CMCDReport.all(result, every: interval)
    return reports.indices.flatMap { player -> [UInt8] in
      var session = CMCDSession(result, player)
      var place = 0
      return reports[player].flatMap { report -> [UInt8] in
        while place + 1 < samples.count, samples[place].instant < report.instant { place += 1 }
        let line = session.line(report, samples.isEmpty ? nil : samples[place])
        return Array(line.utf8) + [0x0A]
      }
    }
  }
}

/// A report: when it is made, and about what.
private struct CMCDReport {
  /// What a report is about.
  enum Subject {
    case state(String)
    case bitRate
    case playbackRate(PlaybackRate)
    case response(ExportedRequest)
    case error(ErrorLogEvent)
    case time
  }

  let instant: Instant
  let subject: Subject

  /// Returns the reports of all players, each in the order of time.
  static func all(_ result: RunResult, every interval: TimeSpan) -> [[CMCDReport]] {
    let histories = PlayerHistory.all(result)
    let requests = ExportedRequest.all(result)
    let errors = ErrorLogEvent.logs(of: result)
    return result.scenario.playerNames.indices.map { player in
      var reports = states(histories[player], until: result.end)
      var rate = PlaybackRate.normal
      var nextErrors = errors[player][...]
      for record in result.records where record.player == player {
        if case .timebaseRate(let new, _) = record.event, new != .zero, new != rate {
          rate = new
          reports.append(CMCDReport(instant: record.instant, subject: .playbackRate(new)))
        } else if case .variantSwitch(_?, _, nil) = record.event {
          reports.append(CMCDReport(instant: record.instant, subject: .bitRate))
        } else if case .newErrorLogEntry = record.event, let error = nextErrors.popFirst() {
          reports.append(CMCDReport(instant: error.date, subject: .error(error)))
        }
      }
      for request in requests[player] where request.story.outcome != .open {
        reports.append(CMCDReport(instant: request.story.end, subject: .response(request)))
      }
      var next = Instant.start + interval
      while next <= result.end {
        reports.append(CMCDReport(instant: next, subject: .time))
        next = next + interval
      }
      // Of one instant the order is that above.
      return reports.enumerated()
        .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
        .map { $0.element }
    }
  }

  /// Returns the changes of the state: `d` while media is loaded before anything is to be played,
  /// `s` until it first plays, `k` for what a seek waits for, `r` for stalls.
  private static func states(_ history: PlayerHistory, until end: Instant) -> [CMCDReport] {
    var reports: [CMCDReport] = []
    var (last, hasPlayed, hasBegun) = ("", false, false)
    func report(_ state: String, at instant: Instant) {
      if state == last { return }
      last = state
      reports.append(CMCDReport(instant: instant, subject: .state(state)))
    }
    for run in history.runs {
      let marks = history.marks.filter { $0.start == run.start }.map { $0.state }
      if run.state != .paused { hasBegun = true }
      switch run.state {
      case .playing:
        hasPlayed = true
        report("p", at: run.start)
      case .stalled: report("r", at: run.start)
      case .evaluating, .waiting:
        report(hasPlayed && marks.contains(.seek) ? "k" : "s", at: run.start)
      case .noItem, .coordinated, .interstitial: report("w", at: run.start)
      case .standing:
        // A clock that is yet to start belongs to what it was waited for.
        if !["s", "r", "k"].contains(last) { report(hasPlayed ? "w" : "s", at: run.start) }
      case .paused, .ended, .seek, .failed:
        if marks.contains(.failed) {
          report("f", at: run.start)
        } else if marks.contains(.ended) {
          report("e", at: run.start)
        } else {
          report(hasBegun ? "a" : "d", at: run.start)
        }
      }
    }
    for mark in history.marks where mark.state == .failed && last != "f" {
      report("f", at: mark.start)
    }
    return reports
  }
}

/// What one player has reported so far.
private struct CMCDSession {
  private typealias Field = (key: String, value: String)

  private let result: RunResult
  private let player: Int
  private let addresses: LogAddresses
  /// The item that the player has or had last; before the first one, that one.
  private var item: Int
  private var state = "d"
  private var rate = PlaybackRate.normal
  /// The stalls that are yet to come, the last of them first.
  private var nextStalls: [Instant]
  private var stallCount = 0
  private var stalledSince: Instant?
  private var stalled = TimeSpan.zero
  private var wasStarved = false
  private var hasToldDelay = false

  init(_ result: RunResult, _ player: Int) {
    (self.result, self.player) = (result, player)
    addresses = LogAddresses(result.scenario)
    let items = result.records.lazy.compactMap { record -> Int? in
      guard record.player == player, case .currentItem(let item) = record.event else { return nil }
      return item
    }
    item = items.first { _ in true } ?? 0
    nextStalls = result.records.reversed().compactMap { record in
      record.player == player && record.event == .playbackStalled ? record.instant : nil
    }
  }

  /// Returns a report in a line, with its keys in order.
  mutating func line(_ report: CMCDReport, _ sample: RunResult.Sample?) -> String {
    var fields: [Field] = []
    var instant = report.instant
    // A player that does not wait by itself pauses in a stall, which counts all the same.
    while let next = nextStalls.last, next <= instant {
      nextStalls.removeLast()
      stallCount += 1
      wasStarved = true
    }
    switch report.subject {
    case .state(let new):
      fields += enter(new, at: report.instant)
      fields.append(("e", "ps"))
    case .bitRate: fields.append(("e", "bc"))
    case .playbackRate(let new):
      rate = new
      fields.append(("e", "pr"))
    case .error(let error): fields += [("e", "e"), ("ec", "(\"\(error.errorStatusCode)\")")]
    case .time: fields.append(("e", "t"))
    case .response(let request):
      // A response is dated by its request.
      instant = request.story.request.opened
      fields += self.fields(of: request)
    }
    if wasStarved {
      fields.append(("bs", ""))
      wasStarved = state == "r"
    }
    if rate != .normal || isPlaybackRate(report) { fields.append(("pr", decimal(rate))) }
    let snapshot = sample?.players[player]
    switch report.subject {
    case .response(let request): fields += self.fields(of: snapshot, answering: request)
    // What goes wrong of an item that only waits in the queue belongs to its own session.
    case .error(let error) where error.item != snapshot?.currentItem:
      fields += self.fields(ofItem: error.item, playing: snapshot)
    case .error, .state, .bitRate, .playbackRate, .time: fields += self.fields(of: snapshot)
    }
    // Where there is no item, the session is that of the item before it, or of the first one.
    item = snapshot?.currentItem ?? item
    if !fields.contains(where: { $0.key == "sid" }) { fields.append(sessionID(item)) }
    if let fill = sample?.fillRates[player], fill.bitsPerSecond >= 50_000 {
      fields.append(("mtp", "(\((fill.bitsPerSecond + 50_000) / 100_000 * 100))"))
    }
    fields += [("bsa", "(\(stallCount))"), ("sta", state), ("v", "2")]
    fields.append(("ts", "\(milliseconds(instant - .start))"))
    fields.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return fields.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
      .joined(separator: ",")
  }

  /// Goes to another state; returns what is said once of what has ended with it.
  private mutating func enter(_ new: String, at now: Instant) -> [Field] {
    var fields: [Field] = []
    if let since = stalledSince {
      stalledSince = nil
      stalled = stalled + (now - since)
      fields.append(("bsd", "(\(milliseconds(now - since)))"))
      fields.append(("bsda", "(\(milliseconds(stalled)))"))
    }
    if new == "r" {
      stalledSince = now
      wasStarved = true
    }
    if new == "p", !hasToldDelay {
      hasToldDelay = true
      let delay = result.metrics[player].timeSpentInInitialStartup
      fields.append(("msd", "\(milliseconds(delay))"))
    }
    state = new
    return fields
  }

  private func isPlaybackRate(_ report: CMCDReport) -> Bool {
    if case .playbackRate = report.subject { true } else { false }
  }

  // MARK: What is known of the player

  /// Returns the fields of what the player has and plays.
  private func fields(of snapshot: PlayerSnapshot?) -> [Field] {
    guard let snapshot, let item = snapshot.currentItem else { return [] }
    let fields = self.fields(ofItem: item, playing: snapshot)
    guard let media = streamMedia(item) else { return fields }
    let rates = self.fields(ofRates: media, token: Self.token(media))
    guard let variant = snapshot.variant else { return fields + rates }
    return fields + rates + [("br", kilobits(media.variants[variant].bandwidth, Self.token(media)))]
  }

  /// Returns the fields of a response, which may be about an item that is not played yet.
  private func fields(
    of snapshot: PlayerSnapshot?, answering request: ExportedRequest
  ) -> [Field] {
    guard let item = request.story.request.item ?? snapshot?.currentItem else { return [] }
    let fields = self.fields(ofItem: item, playing: snapshot)
    // Bit rates are those of what was asked for, and others have none.
    guard case .segment(let list, _) = request.story.request.resource,
      let media = streamMedia(item),
      let variant = media.variants.first(where: { $0.list == list })
    else { return fields }
    let token = Self.token(media)
    return fields + self.fields(ofRates: media, token: token)
      + [("br", kilobits(variant.bandwidth, token))]
  }

  private func sessionID(_ item: Int) -> Field {
    ("sid", "\"\(addresses.playbackSessionID(player, item))\"")
  }

  /// Returns the fields of an item, and of the player if that is the one that it plays.
  private func fields(ofItem item: Int, playing snapshot: PlayerSnapshot?) -> [Field] {
    var fields: [Field] = [("cid", "\"item\(item)\""), sessionID(item)]
    if let snapshot, snapshot.currentItem == item {
      fields += [
        ("bl", "(\((snapshot.aheadOfPlayhead + 50_000_000) / 100_000_000 * 100);av)"),
        ("pt", "\(snapshot.currentTime.nanoseconds / 1_000_000)"),
      ]
    }
    guard let media = streamMedia(item) else { return fields }
    return fields + [("sf", "h"), ("st", media.live == nil ? "v" : "l")]
  }

  /// Returns the fields of the lowest and the highest bit rate that a stream offers.
  private func fields(ofRates media: StreamMedia, token: String) -> [Field] {
    let rates = media.variants.map { $0.bandwidth }
    guard let least = rates.min(), let most = rates.max() else { return [] }
    return [("lb", kilobits(least, token)), ("tb", kilobits(most, token))]
  }

  private func streamMedia(_ item: Int) -> StreamMedia? {
    result.scenario.world.players[player].media[item].streamMedia
  }

  /// The type of the segments of a stream's variants: video alone where sound comes by itself.
  private static func token(_ media: StreamMedia) -> String {
    media.variants.contains { $0.audioGroup != nil } ? "v" : "av"
  }

  /// Returns the fields of how a request went.
  private func fields(of request: ExportedRequest) -> [Field] {
    let story = request.story
    var fields: [Field] = [
      ("e", "rr"), ("url", "\"\(request.url)\""), ("rc", "\(request.status)"),
      ("ot", objectType(of: request)),
    ]
    if let response = story.response {
      let first = milliseconds(response - story.request.opened)
      fields += [("ttfb", "\(first)"), ("ttfbb", "\(first)")]
    }
    if story.outcome == .whole {
      fields.append(("ttlb", "\(milliseconds(story.end - story.request.opened))"))
    }
    return fields
  }

  private func objectType(of request: ExportedRequest) -> String {
    switch request.story.request.resource {
    case .file: return "av"
    case .multivariantPlaylist, .mediaPlaylist: return "m"
    case .contentKey: return "k"
    case .initialization: return "i"
    case .segment(let list, _):
      guard let item = request.story.request.item, let media = streamMedia(item) else { return "o" }
      if media.variants.contains(where: { $0.list == list }) { return Self.token(media) }
      return media.renditions.first { $0.list == list }?.kind == .subtitles ? "tt" : "a"
    }
  }

  // MARK: Values

  private func milliseconds(_ span: TimeSpan) -> Int64 { (span.nanoseconds + 500_000) / 1_000_000 }

  private func kilobits(_ rate: BitRate, _ token: String) -> String {
    "(\((rate.bitsPerSecond + 500) / 1_000);\(token))"
  }

  /// A decimal of a structured field has at most three digits behind the point, and one at least.
  private func decimal(_ rate: PlaybackRate) -> String {
    let thousandths = (rate.millionths + (rate.millionths < 0 ? -500 : 500)) / 1_000
    let text = thousandths.fixedPoint(1_000)
    return thousandths % 1_000 == 0 ? text + ".0" : text
  }
}
