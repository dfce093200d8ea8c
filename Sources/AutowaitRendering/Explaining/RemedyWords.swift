import Autowait
import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// What remedies are called: as causes that are taken away, and as answers to "what if".
struct RemedyWords {
  /// The scenario whose run is explained.
  let scenario: Scenario
  /// The player.
  let player: Int
  /// When it played first.
  let firstPlayed: Instant?

  /// Returns what is taken away.
  func cause(_ remedy: Remedy) -> String {
    switch remedy {
    case .outages: "an outage of the link"
    case .faults: "requests that went wrong"
    case .keys: "the keys"
    case .traffic: "what others load over the link"
    case .loss: "packet loss"
    case .slowStretches: "slow stretches of the link"
    case .linkChanges: "the change to another network"
    case .playlists: "the playlists"
    case .serverDelay: "the delay of the server"
    case .queue: "packets that full queues drop"
    case .slowStart: "slow start"
    case .idleRestart: "slow start again after idle times"
    case .roundTrips: "the time that packets are under way"
    case .appDelay: "delays in the app and the player"
    case .delegate: "the delegate of the app that hands the media over"
    case .variant: "a variant that is too high"
    case .impatience: "an app that does not let the player wait"
    case .bufferLimit: "the limit of the buffer"
    case .linkRate: "a link that is too slow"
    case .mediaRate: "media that needs too much"
    case .play: "the time of play()"
    case .startBuffer: "the rule, which waits for more than the first media"
    case .bufferTarget: "how far the player loads ahead"
    case .bufferSize: "how much data the player loads ahead"
    case .step(let index): step(index)
    }
  }

  /// Returns a word for programs.
  func key(_ remedy: Remedy) -> String {
    switch remedy {
    case .outages: "outage"
    case .faults: "faults"
    case .keys: "keys"
    case .traffic: "traffic"
    case .loss: "loss"
    case .slowStretches: "slowStretches"
    case .linkChanges: "linkChange"
    case .playlists: "playlists"
    case .serverDelay: "serverDelay"
    case .queue: "queue"
    case .slowStart: "slowStart"
    case .idleRestart: "idleRestart"
    case .roundTrips: "roundTrips"
    case .appDelay: "appDelay"
    case .delegate: "resourceLoader"
    case .variant: "variant"
    case .impatience: "impatience"
    case .bufferLimit: "bufferLimit"
    case .linkRate: "linkRate"
    case .mediaRate: "mediaRate"
    case .play: "play"
    case .startBuffer: "startBuffer"
    case .bufferTarget: "bufferTarget"
    case .bufferSize: "bufferSize"
    case .step: "step"
    }
  }

  /// Returns what would have had to be otherwise.
  func answer(_ remedy: Remedy) -> String {
    switch remedy {
    case .play(let instant):
      let later = (firstPlayed ?? .start).distance(to: instant)
      return "playback that begins \(seconds(later)) later, with play() at "
        + TimelineNumbers.text(instant)
    case .startBuffer(let time):
      return "a rule that starts and goes on with \(TimelineNumbers.text(time)) of media"
    case .bufferTarget(let time):
      return "a player that loads \(TimelineNumbers.text(time)) ahead"
    case .bufferSize(let kilobytes):
      let size = ByteCount(bytes: kilobytes * 1_000)
      return "a player that loads up to \(TimelineNumbers.text(size)) ahead"
    case .variant(let limit): return "no variant above \(TimelineNumbers.text(limit))"
    case .mediaRate(let kilobits, let old):
      return "media of \(rate(kilobits)) rather than \(rate(old))"
    case .linkRate(let kilobits, let old):
      // The rate is the least that is enough: a percentage rounded down would not be.
      let percent = ((kilobits - old) * 100 + old - 1) / old
      return "a link of \(rate(kilobits)) on average rather than \(rate(old)) (+\(percent) %)"
    case .outages(let longest):
      return longest == .zero
        ? "no outage" : "no outage longer than \(TimelineNumbers.text(longest))"
    case .step(let index): return "a script without \(step(index))"
    case .faults, .keys, .traffic, .loss, .slowStretches, .linkChanges, .playlists, .serverDelay,
      .queue, .slowStart, .idleRestart, .roundTrips, .appDelay, .delegate, .impatience,
      .bufferLimit:
      return "a run without \(cause(remedy))"
    }
  }

  /// Returns the value of an answer, for programs, with its unit; nil if it has none.
  func value(_ remedy: Remedy) -> (unit: String, number: Int64)? {
    switch remedy {
    case .play(let instant): ("ns", (instant - .start).nanoseconds)
    case .startBuffer(let time), .bufferTarget(let time): ("ns", time.nanoseconds)
    case .outages(let longest): ("ns", longest.nanoseconds)
    case .variant(let limit): ("bit/s", limit.bitsPerSecond)
    case .mediaRate(let kilobits, _), .linkRate(let kilobits, _): ("kbit/s", kilobits)
    case .bufferSize(let kilobytes): ("kB", kilobytes)
    case .step(let index): ("step", Int64(index))
    case .faults, .keys, .traffic, .loss, .slowStretches, .linkChanges, .playlists, .serverDelay,
      .queue, .slowStart, .idleRestart, .roundTrips, .appDelay, .delegate, .impatience,
      .bufferLimit:
      nil
    }
  }

  private func step(_ index: Int) -> String {
    let name = index < scenario.stepNames.count ? scenario.stepNames[index] : "?"
    return "step \(index) of the script, \(TerminalText.safe(name))"
  }

  private func seconds(_ span: TimeSpan) -> String { TimelineNumbers.text(span) }

  private func rate(_ kilobits: Int64) -> String {
    TimelineNumbers.text(BitRate(bitsPerSecond: kilobits * 1_000))
  }
}

extension Instant {
  fileprivate func distance(to other: Instant) -> TimeSpan { other - self }
}
