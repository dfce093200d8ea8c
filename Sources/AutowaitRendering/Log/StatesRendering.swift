import Autowait
import AutowaitScenario

/// Renders the states of all players of a run as a table, one state a line, to be searched.
///
/// Fields are separated by spaces and hold none themselves, so that every line has as many; times
/// are exact. A state lasts as long as status, reason, rate and timebase rate do. Before iOS 10
/// there is no status, and none is shown.
package enum StatesRendering {
  private struct State {
    var start = Instant.start
    var status: TimeControlStatus?
    var reason: WaitingReason?
    var rate = PlaybackRate.zero
    var timebaseRate = PlaybackRate.zero
    var currentTime = MediaTime.zero
    /// The item, and the variant whose segment came last.
    var item: Int?
    var variant: Int?

    func isLike(_ other: State) -> Bool {
      (status, reason, rate, timebaseRate, variant)
        == (other.status, other.reason, other.rate, other.timebaseRate, other.variant)
    }
  }

  /// Returns the table, with a line that names its columns.
  package static func text(_ result: RunResult) -> String {
    var rows = [
      ["player", "from", "to", "status", "reason", "rate", "timebaseRate", "currentTime"]
    ]
    let hasStreams = result.scenario.world.players.contains {
      $0.media.contains { $0.streamMedia != nil }
    }
    if hasStreams { rows[0] += ["variant", "indicatedBitrate"] }
    for (player, name) in result.scenario.playerNames.enumerated() {
      let states = states(of: player, result)
      for (index, state) in states.enumerated() {
        let end = index + 1 < states.count ? states[index + 1].start : result.end
        rows.append([
          word(name), OutcomeRendering.seconds(state.start.nanoseconds),
          OutcomeRendering.seconds(end.nanoseconds), state.status.map { "\($0.word)" } ?? "nil",
          state.reason.map { "\($0.word)" } ?? "nil", TimelineNumbers.text(state.rate),
          TimelineNumbers.text(state.timebaseRate),
          OutcomeRendering.seconds(state.currentTime.nanoseconds),
        ])
        guard hasStreams else { continue }
        let streamMedia = state.item.flatMap {
          result.scenario.world.players[player].media[$0].streamMedia
        }
        let rate = state.variant.flatMap { streamMedia?.variants[$0].bandwidth.bitsPerSecond }
        rows[rows.count - 1] += [
          state.variant.map { "\($0)" } ?? "nil", rate.map { "\($0)" } ?? "nil",
        ]
      }
    }
    return TerminalText.table(rows) { [0, 3, 4].contains($0) }.map { $0 + "\n" }.joined()
  }

  private static func states(of player: Int, _ result: RunResult) -> [State] {
    let contract = result.scenario.world.players[player].contract
    let hasStatus = Property.timeControlStatus.exists(in: contract)
    var current = State(status: hasStatus ? .paused : nil)
    var states = [current]
    var status = RecordedStatus(player, result.scenario.world)
    /// The playhead moves by itself between its records.
    var anchor = Instant.start
    var held = Instant.start
    /// The variants that came of items before they were current.
    var enqueued: [Int: Int] = [:]
    for record in result.records {
      let isNewStatus = status.take(record)
      guard record.player == player else { continue }
      if record.instant > current.start {
        let passed = Int128(max(0, (record.instant - max(anchor, held)).nanoseconds))
        let media = passed * Int128(current.timebaseRate.millionths) / 1_000_000
        current.currentTime.nanoseconds += Int64(media)
        current.start = record.instant
        anchor = record.instant
      }
      current.status = hasStatus ? status.value : nil
      held = status.heldUntil ?? .start
      switch record.event.topic {
      case .playback(.reasonForWaitingToPlay(let reason)): current.reason = reason
      case .playback(.rate(let rate)): current.rate = rate
      case .playback(.timebaseRate(let rate, let time)):
        current.timebaseRate = rate
        current.currentTime = time
      case .playback(.timeJumped(let time)): current.currentTime = time
      case .playback(.currentItem(let item)):
        current.currentTime = .zero
        (current.item, current.variant) = (item, item.flatMap { enqueued.removeValue(forKey: $0) })
      case .variant(.switched(_, let variant, let item?)):
        enqueued[item] = variant
        continue
      case .variant(.switched(_, let variant, nil)): current.variant = variant
      case .playback(.itemStatus), .playback(.timeControlStatus), .playback(.stalled),
        .playback(.didPlayToEndTime), .playback(.seek), .playback(.seekDidComplete),
        .playback(.pictureFrozen), .playback(.exception), .variant(.switchStart), .world, .request,
        .buffer, .queue, .setting, .notice:
        if !isNewStatus { continue }
      }
      if states[states.count - 1].start == current.start { states.removeLast() }
      if states.last.map({ !$0.isLike(current) }) ?? true { states.append(current) }
    }
    return states
  }

  /// Returns a name without spaces, as one word of the table.
  private static func word(_ name: String) -> String {
    let word = TerminalText.safe(name).split(separator: " ").joined(separator: "_")
    return word.isEmpty ? "_" : word
  }
}
