import Autowait

/// A case that a rule is taken through: whatever it answers, it is told what the player did.
struct RuleReplay {
  /// How often the rule agrees with the player.
  private(set) var score = RuleScore()
  private let recorded: RuleCase
  private var session: PlayerSession
  private var before: Int?

  init(_ recorded: RuleCase) {
    self.recorded = recorded
    session = PlayerSession(
      recorded.player, recorded.ladder, first: recorded.first, decay: recorded.decay)
  }

  /// Goes through all rows.
  mutating func run() {
    for row in recorded.rows { judge(row) }
  }

  private mutating func judge(_ row: RuleCase.Decision) {
    // It is asked, a playlist that is not there is loaded, and it is asked again.
    for list in row.playlists {
      if !row.isTest { _ = session.choose(moment(row, at: list.request)) }
      session.notePlaylist(of: list.quality, in: list.end - list.first)
    }
    let choice = row.isTest ? 0 : asked(row)
    score.note(row, choice, session.estimate, after: before)
    before = row.choice
    if let sample = row.sample { return session.note(sample: sample) }
    load(row)
  }

  private mutating func asked(_ row: RuleCase.Decision) -> Int {
    if row.waited > 0 {
      var moment = row.moment
      moment.time -= row.waited
      moment.level += row.waited
      moment.position -= row.waited
      _ = session.choose(moment)
    }
    return session.choose(row.moment).quality
  }

  /// Tells the rule of the request, and looks at it as often as it wants.
  private mutating func load(_ row: RuleCase.Decision) {
    var request = PlayerRequest(
      segment: row.segment, quality: row.loaded, size: row.size, opened: row.request)
    request.isToMeasure = row.isTest
    session.begin(request)
    let last = row.given?.time ?? row.end ?? row.request
    var (time, hasResponse, isOpen) = (row.request, false, true)
    while isOpen {
      if !hasResponse, time >= row.first {
        session.noteResponse(at: row.first)
        hasResponse = true
      }
      var next = session.nextLook(after: time)
      if !hasResponse { next = min(next, row.first) }
      // What comes at the very end is not looked at any more.
      let isOver = row.given == nil ? next >= last : next > last + 1
      if isOver { break }
      time = max(next, time)
      if !hasResponse, time >= row.first { continue }
      let before = session
      let given = session.look(loaded(row, at: time), moment(row, at: time))
      guard let given else { continue }
      score.note(given, at: time, row)
      // What only the rule has done is undone.
      if row.given.map({ abs($0.time - time) > 1 }) ?? true { session = before }
      isOpen = false
    }
    if !hasResponse, row.first <= last { session.noteResponse(at: row.first) }
    if let given = row.given {
      session.giveUp(for: given.quality, row.got, moment(row, at: given.time))
    } else if let end = row.end {
      session.end(moment(row, at: end))
    }
  }

  private func loaded(_ row: RuleCase.Decision, at time: Double) -> Double {
    time < row.first
      ? 0 : min(recorded.link.bytes(from: row.first, to: time), row.size - 1)
  }

  /// The buffer shrinks while a segment comes, and the playhead stands once it is empty.
  private func moment(_ row: RuleCase.Decision, at time: Double) -> PlayerMoment {
    let passed = min(time - row.moment.time, row.moment.level)
    return PlayerMoment(
      time: time, level: row.moment.level - passed, position: max(0, row.moment.position + passed))
  }
}
