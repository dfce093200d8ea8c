import Autowait
import AutowaitFidelity
import AutowaitScenario

/// A link that a session can have had.
package struct CandidateLink: Sendable {
  /// The rates, from the session's first request on.
  package var steps: [RecordedLink.Step]
  package var roundTrip: TimeSpan
  /// How requests are carried over it, as scenarios say it; empty for an ideal link.
  package var transport = ""
  /// The rates as they were inferred, where the link is played in packets.
  package var inferred: [RecordedLink.Step]?

  package init(steps: [RecordedLink.Step], roundTrip: TimeSpan, transport: String = "") {
    (self.steps, self.roundTrip, self.transport) = (steps, roundTrip, transport)
  }

  /// The link without packets, over which a session takes a tenth of the time.
  var withoutPackets: CandidateLink {
    inferred.map { CandidateLink(steps: $0, roundTrip: roundTrip) } ?? self
  }
}

/// A rule that is to play a recorded session, and what else is to differ.
package struct RuleChoice: Hashable, Sendable {
  /// What outputs call it.
  package var label: String
  /// The rule as JSON.
  package var heuristic: String
  /// How far ahead it loads; nil for as far as its rule does.
  package var buffer: TimeSpan?
  /// The variant of all segments; nil for those that were recorded.
  package var variant: Int?
  /// When it is to play; nil for when the recorded player was.
  package var play: Instant?

  /// Takes a rule of a name, as recordings or `autowait list heuristics` have them; nil if there is
  /// none.
  package init?(named name: String, isStream: Bool) {
    guard let player = RecordedPlayer.named(name, isStream: isStream) else { return nil }
    (label, heuristic) = (name, player.heuristic())
  }

  /// Takes a rule as scenarios spell it.
  package init(label: String, heuristic: String) {
    (self.label, self.heuristic) = (label, heuristic)
  }

  /// Takes a rule as scenarios spell it, or a name with numbers, as in `fixed:start=8s,resume=2s`;
  /// nil for what is neither.
  package init?(spelled text: String) {
    if text.hasPrefix("{") {
      self.init(label: text, heuristic: text)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let pairs = parts[1].split(separator: ",").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    guard pairs.allSatisfy({ $0.count == 2 }) else { return nil }
    let json = JSONWriter.text { writer in
      writer.object { writer in
        writer.field("rule", text: parts[0])
        for pair in pairs {
          writer.key(text: pair[0])
          if let number = ExactDecimal(pair[1]) {
            writer.decimal(number)
          } else {
            writer.string(text: pair[1])
          }
        }
      }
    }
    self.init(label: text, heuristic: json)
  }

  /// What is wrong with the rule; nil if it is one that scenarios can have.
  package var flaw: String? {
    let text = """
      {"autowait": 1, "link": {"down": {"rate": 1000000}}, "heuristic": \(heuristic),
       "media": {"kind": "progressive", "duration": 1, "bitrate": 1000},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: label, text: text), loader: .none)
    if scenario != nil { return nil }
    return findings.first { $0.severity == .error }?.message ?? "it cannot be read"
  }

  /// The rule with its buffer, as scenarios spell it.
  var spelled: String {
    guard let buffer,
      let root = try? JSONDocument(SourceText(path: label, text: heuristic)).root
    else { return heuristic }
    return JSONWriter.text { writer in
      writer.object { writer in
        for member in root.members where !member.key.isString("forwardBufferLimit") {
          writer.key(text: member.key.string ?? "")
          writer.value(member.value)
        }
        writer.field("forwardBufferLimit", text: "\(buffer.nanoseconds / 1_000) µs")
      }
    }
  }
}

/// A recorded session as it can be played again: its medium, and the variants that were played.
package struct SessionStage: Sendable {
  /// The last instant of which the log says anything; what comes later is not compared.
  package let horizon: Instant
  package let log: SessionLog
  private let recording: Recording

  /// Prepares a session; nil if the log does not say what was played.
  package init?(_ log: SessionLog) {
    guard let medium = log.medium, let end = log.end else { return nil }
    self.log = log
    horizon = end
    recording = Recording(
      named: log.name, of: medium, over: RecordedLink(schedule: [], roundTrip: .zero),
      requests: log.requests.compactMap(\.recorded), outcome: log.outcome)
  }

  /// The variants that can be asked for.
  package var variantCount: Int {
    if case .stream(_, let variants, _) = recording.medium.content { variants.count } else { 1 }
  }

  /// Returns the scenario of a rule on a link.
  ///
  /// A segment is asked for in the variant in which it was asked for first, and given up for
  /// another one as it was, unless it has come by then: a rule does not choose variants.
  package func text(_ choice: RuleChoice, on link: CandidateLink) -> String {
    var played = recording
    if let variant = choice.variant {
      played = Recording(
        named: log.name, of: recording.medium, over: recording.link, requests: [],
        outcome: log.outcome)
      played.medium.variants = played.medium.variants.map { _ in variant }
    }
    // Where the log says nothing, the player was to play when it began to load.
    played.play = (choice.play ?? log.play).map { $0 + shift(on: link) } ?? .start
    // What was not heard of any more by then says nothing; see `horizon`.
    played.cut = horizon + shift(on: link) + .seconds(60)
    var stage = RecordingScenario.Stage(
      heuristic: choice.spelled, steps: shifted(link), roundTrip: link.roundTrip, load: .zero)
    stage.transport = link.transport
    return RecordingScenario.text(of: played, on: stage)
  }

  /// Plays a rule on a link.
  package func outcome(
    _ choice: RuleChoice, on link: CandidateLink
  ) throws(RecordingProblem) -> PlayedOutcome {
    PlayedOutcome(
      ScenarioRun.run(try scenario(choice, on: link)), shift: shift(on: link), until: horizon)
  }

  func scenario(
    _ choice: RuleChoice, on link: CandidateLink
  ) throws(RecordingProblem) -> Scenario {
    let text = text(choice, on: link)
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: log.name, text: text), loader: .none)
    guard let scenario else {
      let reason = findings.first { $0.severity == .error }?.message ?? "it is empty"
      throw RecordingProblem(log.name, "cannot be played by '\(choice.label)': \(reason)")
    }
    return scenario
  }

  /// A log begins when the first request is sent, a transport when it connects.
  private func shift(on link: CandidateLink) -> TimeSpan {
    link.transport.isEmpty ? .zero : link.roundTrip
  }

  private func shifted(_ link: CandidateLink) -> [RecordedLink.Step] {
    let shift = shift(on: link)
    return link.steps.enumerated().map { number, step in
      number == 0 ? step : RecordedLink.Step(start: step.start + shift, rate: step.rate)
    }
  }
}
