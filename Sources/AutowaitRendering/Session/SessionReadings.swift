import Autowait
import AutowaitFigures
import AutowaitScenario

/// What the players of a run say at the instants of its picture, as `--at` prints it.
enum SessionReadings {
  /// Returns the readings of a run.
  static func data(_ result: RunResult, _ samples: [RunResult.Sample]) -> RunData {
    let scenario = result.scenario
    // The instants just before a change are there for lines that jump.
    let shown = samples.indices.filter { index in
      index + 1 == samples.count
        || samples[index + 1].instant.nanoseconds - samples[index].instant.nanoseconds > 1
    }.map { samples[$0] }
    let properties = TimelineTables.shownProperties(scenario)
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
    default: .texts(snapshots.map { TerminalText.withoutTies(words($0)) })
    }
  }
}
