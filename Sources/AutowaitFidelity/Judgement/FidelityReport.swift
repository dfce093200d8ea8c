import Autowait

/// What became of the recordings of a folder.
package struct FidelityReport: Sendable {
  /// A prediction of a recording, and what is wrong with it.
  package struct Attempt: Sendable {
    package let session: ReplayedSession
    package let verdict: FidelityVerdict
    /// The requests beside the recorded ones; nil for a file, of which players ask for any part.
    package let requests: RequestComparison?
  }

  /// One recording, and what was made of it.
  package struct Row: Sendable {
    package let recording: Recording
    /// What came of each prediction; those are missing that nobody could make.
    package fileprivate(set) var attempts: [RecordingScenario.Column: Attempt] = [:]

    /// When it may go on after an outage; nil if the recording has no stall that lasts so long.
    package fileprivate(set) var outage: OutageRange?

    /// The column by which the recording is judged: a file by what arrived, if that is known, and
    /// so everything whose link nobody planned.
    package var column: RecordingScenario.Column {
      recording.standard.kind == .traces && attempts[.arrivals] != nil
        ? .arrivals : RecordingScenario.rates(of: recording)
    }

    /// The prediction whose requests and pictures are compared.
    package var detailed: Attempt? { attempts[RecordingScenario.rates(of: recording)] }

    /// The prediction whose freezes of pictures are compared: after an outage timers of TCP decide
    /// when the link is back, so that sessions over one are held against what arrived.
    package var frozen: Attempt? {
      recording.standard.kind == .outages ? attempts[.arrivals] ?? detailed : detailed
    }

    /// The prediction that is judged; nil if nobody knows the player.
    package var judged: Attempt? { attempts[column] }
  }

  package private(set) var rows: [Row] = []
  /// What could not be read or played.
  package private(set) var problems: [RecordingProblem] = []

  package init() {}

  package mutating func note(_ problem: RecordingProblem) { problems.append(problem) }

  /// Plays a recording, and holds what comes of it against it.
  package mutating func add(_ recording: Recording) {
    var row = Row(recording: recording)
    do throws(RecordingProblem) {
      for column in RecordingScenario.Column.allCases {
        guard let text = RecordingScenario.text(of: recording, column) else { continue }
        let session = try ReplayedSession(text, name: recording.name)
        row.attempts[column] = Attempt(
          session: session,
          verdict: FidelityVerdict(
            session.outcome, against: recording.outcome, by: recording.standard),
          requests: recording.medium.isStream
            ? RequestComparison(
              session.requests, against: recording.requests,
              way: TimeSpan(nanoseconds: recording.link.roundTrip.nanoseconds / 2)) : nil)
      }
      if recording.standard.kind == .outages { row.outage = OutageRange(recording) }
      rows.append(row)
    } catch {
      problems.append(error)
    }
  }

  /// The rows that count, of those that are wanted.
  private func counted(_ isWanted: (Recording) -> Bool) -> [Row] {
    rows.filter { !$0.recording.isBusy && isWanted($0.recording) }
  }

  /// How many of the recordings that count are met by a prediction, of those that are wanted; by
  /// the one that is judged if none is named.
  package func score(
    _ column: RecordingScenario.Column? = nil, where isWanted: (Recording) -> Bool
  ) -> Score {
    counted(isWanted).reduce(into: Score()) { score, row in
      if let attempt = row.attempts[column ?? row.column] { score.add(attempt.verdict.isTrue) }
    }
  }

  /// How many of the requests are in order, made in time and there in time.
  package func requests(
    where isWanted: (Recording) -> Bool
  ) -> (order: Score, asked: Score, done: Score) {
    counted(isWanted).reduce(into: (order: Score(), asked: Score(), done: Score())) { sum, row in
      guard let requests = row.detailed?.requests else { return }
      sum.order = sum.order + requests.order
      sum.asked = sum.asked + requests.asked
      sum.done = sum.done + requests.done
    }
  }

  /// How many segments of streams play in the variant that was recorded, where the player's own
  /// rule chooses.
  package func variants(where isWanted: (Recording) -> Bool) -> Score {
    counted(isWanted).reduce(into: Score()) { score, row in
      guard let session = row.attempts[.adapting]?.session else { return }
      let recorded = row.recording.medium.variants
      for (one, other) in zip(session.variants(of: row.recording), recorded) {
        score.add(one == other)
      }
    }
  }

  /// How many requests of the recordings would pass if one repeat were a simulation of another.
  package func requestCeiling(where isWanted: (Recording) -> Bool) -> (asked: Score, done: Score) {
    siblings(isWanted).reduce(into: (asked: Score(), done: Score())) { sum, pair in
      let requests = RequestComparison(
        pair.0.requests.compactMap { ReplayedSession.Request($0) }, against: pair.1.requests,
        way: .zero)
      if !pair.1.medium.isStream { return }
      sum.asked = sum.asked + requests.asked
      sum.done = sum.done + requests.done
    }
  }

  /// How many of the wanted requests would pass at most if each player were as true to its
  /// recordings as their repeats are to each other, and a player without repeats were perfect.
  ///
  /// Repeats exist of some players only, and of the noisiest most: the sum of all of them says
  /// little of requests of which other players made most.
  package func requestBound(where isWanted: (Recording) -> Bool) -> (asked: Score, done: Score) {
    var bound = (asked: Score(), done: Score())
    for player in Set(rows.map(\.recording.player)).sorted() {
      let made = requests { $0.player == player && isWanted($0) }
      let repeats = requestCeiling { $0.player == player && isWanted($0) }
      bound.asked = bound.asked + repeats.asked.scaled(to: made.asked.count)
      bound.done = bound.done + repeats.done.scaled(to: made.done.count)
    }
    return bound
  }

  /// How many of the recorded freezes of pictures are found, and how many more are simulated, where
  /// somebody looked for them.
  package func freezes(where isWanted: (Recording) -> Bool) -> (found: Score, invented: Int) {
    counted(isWanted).reduce(into: (found: Score(), invented: 0)) { sum, row in
      let simulated = row.frozen?.session.outcome.freezes
      let compared = Self.compare(simulated, with: row.recording.outcome.freezes)
      sum = (sum.found + compared.found, sum.invented + compared.invented)
    }
  }

  /// How many freezes of pictures would be found, and how many invented, if one repeat were a
  /// simulation of another.
  package func freezeCeiling(where isWanted: (Recording) -> Bool) -> (found: Score, invented: Int) {
    siblings(isWanted).reduce(into: (found: Score(), invented: 0)) { sum, pair in
      let compared = Self.compare(pair.0.outcome.freezes, with: pair.1.outcome.freezes)
      sum = (sum.found + compared.found, sum.invented + compared.invented)
    }
  }

  private static func compare(
    _ some: [ViewerOutcome.Stall]?, with recorded: [ViewerOutcome.Stall]?
  ) -> (found: Score, invented: Int) {
    guard var some, let recorded else { return (Score(), 0) }
    var found = Score()
    for freeze in recorded {
      let place = some.firstIndex { $0.isNear(freeze, within: .milliseconds(500)) }
      found.add(place != nil)
      if let place { some.remove(at: place) }
    }
    return (found, some.count)
  }

  /// The rows of which it is known when a player went on after an outage.
  package var outages: [Row] { counted { _ in true }.filter { $0.outage != nil } }

  /// How often a repeat of a recording would pass for a simulation of its sibling: no model can do
  /// much better.
  package func ceiling(where isWanted: (Recording) -> Bool) -> Score {
    siblings(isWanted).reduce(into: Score()) { score, pair in
      score.add(
        FidelityVerdict(pair.0.outcome, against: pair.1.outcome, by: pair.1.standard).isTrue)
    }
  }

  /// Each pair of repeats of a recording.
  private func siblings(_ isWanted: (Recording) -> Bool) -> [(Recording, Recording)] {
    let recordings = counted(isWanted).map(\.recording)
    return recordings.indices.flatMap { number in
      recordings[(number + 1)...].filter { $0.siblings == recordings[number].siblings }
        .map { (recordings[number], $0) }
    }
  }
}

extension ViewerOutcome.Stall {
  /// Whether its start and its length are those of another one, or not far from them.
  fileprivate func isNear(_ other: ViewerOutcome.Stall, within span: TimeSpan) -> Bool {
    abs((start - other.start).nanoseconds) <= span.nanoseconds
      && abs(duration.nanoseconds - other.duration.nanoseconds) <= span.nanoseconds
  }
}
