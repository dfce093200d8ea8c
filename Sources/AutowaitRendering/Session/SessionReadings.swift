import Autowait
import AutowaitFigures
import AutowaitScenario

/// What the players of a run say at the instants of its picture, as `--at` prints it.
enum SessionReadings {
  /// The most instants: of more an even choice, and those at which words change.
  private static let instantsMax = 1_600

  /// Returns the readings of a run.
  static func data(_ result: RunResult, _ samples: [RunResult.Sample]) -> RunData {
    let scenario = result.scenario
    // The instants just before a change are there for lines that jump.
    let all = samples.indices.filter { index in
      index + 1 == samples.count
        || samples[index + 1].instant.nanoseconds - samples[index].instant.nanoseconds > 1
    }.map { samples[$0] }
    let properties = TimelineTables.shownProperties(scenario)
    let shown = chosen(all)
    let isAlone = scenario.playerNames.count == 1
    let players = scenario.playerNames.prefix(SessionChart.playersMax).enumerated().map {
      number, name in
      let rows = properties.map { property in
        RunData.PropertyRow(
          property.rawValue,
          readings(property, shown.map { $0.players[number] }) {
            TimelineTables.text(property, in: $0, of: number, scenario)
          })
      }
      return RunData.DataPlayer(name: isAlone ? "" : name, rows: rows)
    }
    return RunData(instants: shown.map { $0.instant.nanoseconds }, players: players)
  }

  private static func chosen(_ samples: [RunResult.Sample]) -> [RunResult.Sample] {
    if samples.count <= instantsMax { return samples }
    let step = samples.count / instantsMax + 1
    return samples.indices.filter { index in
      index.isMultiple(of: step) || index + 1 == samples.count
        || zip(samples[index].players, samples[index - 1].players).contains { new, old in
          new.timeControlStatus != old.timeControlStatus || new.variant != old.variant
            || new.reasonForWaitingToPlay != old.reasonForWaitingToPlay
            || new.timebaseRate != old.timebaseRate || new.rate != old.rate
        }
    }.map { samples[$0] }
  }

  private static func readings(
    _ property: Property, _ snapshots: [PlayerSnapshot], _ words: (PlayerSnapshot) -> String
  ) -> RunData.Readings {
    switch property {
    case .currentTime:
      .times(
        snapshots.map { snapshot in
          if case .time(let time) = property.value(in: snapshot) { time.nanoseconds } else { nil }
        })
    case .loadedTimeRanges:
      .ranges(
        snapshots.map { snapshot in
          guard case .ranges(let ranges) = property.value(in: snapshot) else { return [] }
          return ranges.map { $0.start.nanoseconds..<$0.end.nanoseconds }
        })
    case .timeControlStatus, .reasonForWaitingToPlay, .rate, .defaultRate, .timebaseRate, .loaded,
      .bufferedAhead, .seekableTimeRanges, .offsetFromLive, .isPlaybackLikelyToKeepUp,
      .isPlaybackBufferFull, .isPlaybackBufferEmpty, .status, .duration, .currentItem, .itemCount,
      .loopCount, .looperStatus, .stallCount, .playedToEndCount,
      .automaticallyWaitsToMinimizeStalling, .actionAtItemEnd, .variant, .indicatedBitrate,
      .errorCount:
      .texts(snapshots.map { TerminalText.withoutTies(words($0)) })
    }
  }
}
