import Autowait
import AutowaitFigures
import AutowaitScenario

/// Draws what only streams have: where the startup went, and the access log.
enum TimelineStreams {
  /// The metrics that the startup's bars show.
  static let drawnMetrics: [Metric] = [
    .startupMultivariantPlaylist, .startupMediaPlaylists, .startupContentKeys,
    .startupInitialization, .startupSegments, .startupPreroll,
  ]
  /// The most entries that are shown, and how many of the first if there are more.
  private static let entriesMax = (all: 12, first: 9, last: 2)

  // MARK: - The startup

  /// Draws the parts of the startup one after another, each as long as it took.
  static func startup(_ result: RunResult, on page: inout TextPage) {
    for (player, metrics) in result.metrics.enumerated() {
      guard let streaming = metrics.streaming, metrics.timeSpentInInitialStartup > .zero,
        streaming.startup(.segments) != nil
      else { continue }
      page.separate()
      let total = metrics.timeSpentInInitialStartup
      var parts = StreamMetrics.Stage.allCases
        .map { (name: $0.title, span: streaming.startup($0) ?? .zero) }
        .filter { $0.span > .zero }
      let rest = parts.reduce(total) { $0 - $1.span }
      if rest > .zero { parts.append((name: "no stream", span: rest)) }
      let nameWidth = (parts.map { TerminalText.width($0.name) }.max() ?? 0) + 2
      let times = parts.map { TimelineNumbers.seconds($0.span.nanoseconds) }
      let sum = TimelineNumbers.seconds(total.nanoseconds)
      let timeWidth = (times + [sum]).map { TerminalText.width($0) }.max() ?? 0
      let heading = title("startup", player, result.scenario)
      let isOver = metrics.firstPlayed != nil
      page.line([
        PaintedText(TerminalText.padded(heading, columns: nameWidth + 2), .bold),
        PaintedText(TerminalText.rightAligned(sum, columns: timeWidth)),
        PaintedText(isOver ? "" : "  and not over", .yellow),
      ])
      let room = max(4, page.width - nameWidth - timeWidth - 4)
      var passed = TimeSpan.zero
      for (part, time) in zip(parts, times) {
        let first = min(column(passed, of: total, room), room - 1)
        passed = passed + part.span
        let last = max(first + 1, column(passed, of: total, room))
        page.line([
          PaintedText("  " + TerminalText.padded(part.name, columns: nameWidth), .dim),
          PaintedText(TerminalText.rightAligned(time, columns: timeWidth)),
          PaintedText(
            "  " + TerminalText.spaces(first) + String(repeating: "█", count: last - first)),
        ])
      }
    }
  }

  private static func column(_ part: TimeSpan, of whole: TimeSpan, _ room: Int) -> Int {
    let double = Int128(part.nanoseconds) * Int128(room) * 2 + Int128(whole.nanoseconds)
    return Int(double / (2 * Int128(whole.nanoseconds)))
  }

  private static func title(_ word: String, _ player: Int, _ scenario: Scenario) -> String {
    if scenario.playerNames.count == 1 { return word }
    let name = TerminalText.safe(scenario.playerNames[player])
    return "\(word) of \(TerminalText.shortened(name, columns: 28))"
  }

  // MARK: - The access log

  /// A column of the access log; those stand first that matter most.
  private struct Column {
    let title: String
    let about: String
    let text: (AccessLogEvent) -> String
    /// The number by which a page orders entries.
    let order: (AccessLogEvent) -> Int64?
  }

  private static func columns(_ scenario: Scenario, _ player: Int) -> [Column] {
    func rate(_ rate: BitRate?) -> String {
      rate.map {
        TimelineNumbers.text(BitRate(bitsPerSecond: TimelineNumbers.rounded($0.bitsPerSecond)))
      } ?? "-"
    }
    return [
      Column(title: "began", about: "When the entry was begun.") {
        TimelineNumbers.text($0.playbackStartDate)
      } order: {
        $0.playbackStartDate.nanoseconds
      },
      Column(title: "playhead", about: "Where in the media playback was then.") {
        TimelineNumbers.text($0.playbackStartOffset)
      } order: {
        $0.playbackStartOffset.nanoseconds
      },
      Column(title: "watched", about: "How long media of the entry was played.") {
        TimelineNumbers.seconds($0.durationWatched.nanoseconds)
      } order: {
        $0.durationWatched.nanoseconds
      },
      Column(title: "stalls", about: "How often playback stalled.") {
        "\($0.numberOfStalls)"
      } order: {
        Int64($0.numberOfStalls)
      },
      Column(title: "indicated", about: "The bit rate that the playlist gives the variant.") {
        rate($0.segments?.indicatedBitrate)
      } order: {
        $0.segments?.indicatedBitrate?.bitsPerSecond
      },
      Column(title: "observed", about: "The bit rate at which media came.") {
        rate($0.observedBitrate)
      } order: {
        $0.observedBitrate?.bitsPerSecond
      },
      Column(title: "requests", about: "How many requests for media were made.") {
        "\($0.numberOfMediaRequests)"
      } order: {
        Int64($0.numberOfMediaRequests)
      },
      Column(title: "overdue", about: "How many segments took longer to load than to play.") {
        $0.segments.map { "\($0.downloadOverdue)" } ?? "-"
      } order: {
        $0.segments.map { Int64($0.downloadOverdue) }
      },
      Column(title: "transferred", about: "How many bytes came.") { event in
        let bytes = TimelineNumbers.rounded(event.numberOfBytesTransferred.bytes)
        return TimelineNumbers.text(ByteCount(bytes: bytes))
      } order: {
        $0.numberOfBytesTransferred.bytes
      },
      Column(title: "switched at", about: "The bit rate that led to the switch to the variant.") {
        rate($0.segments?.switchBitrate)
      } order: {
        $0.segments?.switchBitrate?.bitsPerSecond
      },
    ]
  }

  /// Returns the entries of a player's access log as a table whose columns order it.
  static func accessLogTable(
    _ events: [AccessLogEvent], _ player: Int, _ scenario: Scenario
  ) -> Table {
    let columns = columns(scenario, player)
    var table = Table(
      columns: columns.map { Table.Column($0.title, isNumber: true, about: $0.about) })
    table.rows = events.map { event in
      Table.TableRow(columns.map { Table.Cell($0.text(event), order: $0.order(event)) })
    }
    return table
  }

  /// Returns the entries of a player's access log in columns, each with its title before its cells.
  static func accessLogColumns(
    _ events: [AccessLogEvent], _ player: Int, _ scenario: Scenario
  ) -> [[String]] {
    columns(scenario, player).map { column in [column.title] + events.map { column.text($0) } }
  }

  /// Draws the access logs of players of streams, with as many columns as there is room for.
  static func accessLog(_ result: RunResult, on page: inout TextPage) {
    for (player, metrics) in result.metrics.enumerated() where metrics.streaming != nil {
      let events = metrics.accessLog
      if events.isEmpty { continue }
      page.separate()
      page.line(title("access log", player, result.scenario), .bold)
      let isCut = events.count > entriesMax.all
      let shown =
        isCut ? Array(events.prefix(entriesMax.first) + events.suffix(entriesMax.last)) : events
      var lines = Array(repeating: "", count: shown.count + 1)
      for cells in accessLogColumns(shown, player, result.scenario) {
        let width = (cells.map { TerminalText.width($0) }.max() ?? 0) + 2
        if TerminalText.width(lines[0]) + width > page.width { break }
        for (row, cell) in cells.enumerated() {
          lines[row] += TerminalText.rightAligned(cell, columns: width)
        }
      }
      for (row, line) in lines.enumerated() {
        if isCut, row == entriesMax.first + 1 {
          let count = events.count - shown.count
          page.line("  … \(count) more are left out; --format access-log shows all", .dim)
        }
        page.line(line, row == 0 ? .dim : .plain)
      }
    }
  }
}

extension StreamMetrics.Stage {
  /// What the part is called.
  var title: String {
    switch self {
    case .multivariantPlaylist: "multivariant playlist"
    case .mediaPlaylists: "media playlists"
    case .contentKeys: "keys"
    case .initialization: "initialization"
    case .segments: "segments"
    case .preroll: "preroll"
    }
  }
}
