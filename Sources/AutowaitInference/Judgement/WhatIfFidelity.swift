import Autowait
import AutowaitFidelity

/// How well one player's session says what another player would have met on the same link.
///
/// Recordings of different players over one schedule are taken as ordered pairs: a link is guessed
/// from the requests of the first, and the second is played on it and compared with what it did.
package struct WhatIfFidelity: Sendable {
  /// What came of a guess, over all pairs.
  package struct Column: Sendable {
    package fileprivate(set) var downloads: [Double] = []
    package fileprivate(set) var startups: [Double] = []
    package fileprivate(set) var totals: [Double] = []
    package fileprivate(set) var counts = Score()
    package fileprivate(set) var decisions = Score()
    package fileprivate(set) var covered = Score()
    /// The mean square of how far the chance to stall was from what happened.
    package fileprivate(set) var squares: [Double] = []

    package static func quantile(_ values: [Double], _ part: Double) -> Double {
      if values.isEmpty { return 0 }
      let sorted = values.sorted()
      return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
  }

  package private(set) var columns: [LinkGuess: Column] = [:]
  package private(set) var pairs = 0
  /// The sessions that links were inferred from, and those of which the chains did not agree.
  package private(set) var inferences = 0
  package private(set) var disagreements = 0

  package init() {}

  /// What links are inferred with: a recorded link has no round trip to speak of, and predictions
  /// are made without a transport.
  package static var model: LinkModel {
    var model = LinkModel(.ideal)
    model.keepsWaits = false
    return model
  }

  /// Infers the links of a recording; nil if its requests do not carry the question.
  ///
  /// A file is one request, of which a log knows the mean.
  package static func inferred(
    _ recording: Recording, seed: UInt64, samples: Int = 32 * Misfit.drawnPerKept
  ) -> InferredLinks? {
    if !recording.medium.isStream || recording.link.schedule.isEmpty { return nil }
    var options = LinkInference.Options(model)
    (options.seed, options.samples) = (seed, samples)
    return LinkInference(TimelineLog.session(recording, recording.name), options).run()
  }

  /// Those of drawn links on which the recorded player does best what it did; some of them, if
  /// nobody knows that player.
  private static func kept(_ links: [LinkTrack], of recording: Recording) -> [LinkTrack] {
    let recorded = PlayedOutcome(recording.outcome, until: .never)
    let session = WhatIfSession(recording)
    let misfits = links.map { link in
      session.map {
        Misfit(PlayedOutcome($0.outcome(on: link), until: .never), stalledLike: recorded)
      } ?? Misfit()
    }
    let kept = Misfit.best(misfits, keeping: links.count / Misfit.drawnPerKept)
    return kept.map { links[$0] }
  }

  /// Whether the second of two recordings is predicted from the first.
  package static func isPair(_ one: Recording, _ other: Recording) -> Bool {
    one.player != other.player && one.medium.isStream
      && one.link.schedule == other.link.schedule && !one.link.schedule.isEmpty
  }

  /// Takes the predictions of all sessions that a recording says something of.
  package mutating func add(
    _ recording: Recording, _ inferred: InferredLinks?, predicting others: [WhatIfSession]
  ) {
    guard let inferred else { return }
    inferences += 1
    if !inferred.chainsAgree { disagreements += 1 }
    let guesses = LinkGuess.allCases.map { guess in
      let links = guess.links(of: recording, inferred)
      return (guess, links, guess == .inferred ? Self.kept(links, of: recording) : links)
    }
    for other in others where Self.isPair(recording, other.recording) {
      pairs += 1
      for (guess, links, kept) in guesses where !links.isEmpty {
        columns[guess, default: Column()].add(other, links, kept)
      }
    }
  }
}

extension WhatIfFidelity.Column {
  /// Takes one prediction: of download times on all links, of what a viewer sees on those that were
  /// kept.
  fileprivate mutating func add(
    _ session: WhatIfSession, _ links: [LinkTrack], _ kept: [LinkTrack]
  ) {
    let recorded = session.recording.outcome
    addDownloads(session.recording, links)
    let prediction = ViewerPrediction(session, on: kept)
    if let startup = recorded.startup {
      let seen = (startup - .start).nanoseconds
      startups.append(Self.seconds(ViewerPrediction.middle(prediction.startups) - seen))
    }
    let seen = recorded.stalled.nanoseconds
    totals.append(Self.seconds(ViewerPrediction.middle(prediction.totals) - seen))
    counts.add(ViewerPrediction.middle(prediction.counts) == recorded.stalls.count)
    let stalled = !recorded.stalls.isEmpty
    decisions.add((prediction.smooth < 0.5) == stalled)
    let away = prediction.smooth - (stalled ? 0 : 1)
    squares.append(away * away)
    if stalled { covered.add(prediction.interval.contains(seen)) }
  }

  /// The error of each response, in the middle of all links.
  private mutating func addDownloads(_ recording: Recording, _ links: [LinkTrack]) {
    let times = links.map { DownloadTimes(of: recording, on: $0).lengths }
    for (number, request) in recording.requests.enumerated() {
      guard let length = DownloadTimes.length(of: request) else { continue }
      let row = times.compactMap { $0[number] }.sorted()
      if row.isEmpty { continue }
      downloads.append(abs(row[row.count / 2] - length) / length)
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { abs(Double(nanoseconds)) / 1e9 }
}
