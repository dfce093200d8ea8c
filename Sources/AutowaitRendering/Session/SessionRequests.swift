import Autowait
import AutowaitFigures
import AutowaitScenario

/// What a page says about the requests of a run: a picture with a row for each, and a table.
enum SessionRequests {
  /// The most rows of the table.
  private static let rowsMax = 200
  /// So many requests are shown without being asked for.
  private static let openMax = 40

  /// Returns the parts of the page; none if there is only one request, which has a lane already.
  static func blocks(_ result: RunResult, _ chart: SessionChart) -> [Page.Block] {
    let requests = RequestChart(chart)
    if requests.count < 2 { return [] }
    let title = "Requests, and where their time went: \(Plural.text(requests.count, "request"))"
    return [
      .details(
        title, isOpen: requests.count <= openMax,
        [.figures([requests.figure]), .table(table(chart))] + leftOut(requests.count))
    ]
  }

  private static func leftOut(_ count: Int) -> [Page.Block] {
    if count <= rowsMax { return [] }
    return [
      .paragraph("\(count - rowsMax) are left out; autowait run --format json lists them all.")
    ]
  }

  private static func table(_ chart: SessionChart) -> Table {
    let players = chart.players.prefix(SessionChart.playersMax)
    let hasSeveral = players.count > 1
    var table = Table(columns: [
      Table.Column("request"), Table.Column("lane", about: "The variant, or what else it is."),
      Table.Column("asked at", isNumber: true, about: "When the request was made."),
      Table.Column(
        "first byte after", isNumber: true,
        about: "From the request to the first byte: lookup, connection, and waiting."),
      Table.Column("took", isNumber: true, about: "From the request to the last byte."),
      Table.Column("size", isNumber: true, about: "How many bytes were asked for."),
      Table.Column("outcome", about: "Whether it arrived completely."),
    ])
    if hasSeveral { table.columns.insert(Table.Column("player"), at: 1) }
    let all = players.flatMap { player in player.requests.map { (player, $0) } }
    table.rows = all.prefix(rowsMax).map { player, request in
      let took = request.end - request.start
      let response = request.response.map { $0 - request.start }
      var outcome = Table.Cell(words(request.outcome))
      outcome.isAlarm = request.outcome == .failed
      var cells = [
        Table.Cell(request.shortText), Table.Cell(lane(request.lane, player)),
        time(request.start), response.map { time($0) } ?? Table.Cell("–"), time(took),
        Table.Cell(
          TimelineNumbers.text(ByteCount(bytes: TimelineNumbers.rounded(request.bytes))),
          order: request.bytes), outcome,
      ]
      if hasSeveral { cells.insert(Table.Cell(player.name), at: 1) }
      return Table.TableRow(cells)
    }
    return table
  }

  /// Returns a time, rounded to a millisecond as nobody needs more in a table.
  private static func time(_ nanoseconds: Int64) -> Table.Cell {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    return Table.Cell(TimelineNumbers.seconds(milliseconds * 1_000_000), order: milliseconds)
  }

  private static func lane(
    _ lane: SessionChart.ChartRequest.Lane, _ player: SessionChart.Player
  ) -> String {
    switch lane {
    case .file: "file"
    case .playlist: "playlist"
    case .key: "key"
    case .rendition: "other track"
    case .level(let level): level < player.levels.count ? player.levels[level] : "\(level)"
    }
  }

  private static func words(_ outcome: SessionChart.ChartRequest.Outcome) -> String {
    switch outcome {
    case .whole: "whole"
    case .open: "still coming"
    case .givenUp: "given up"
    case .failed: "went wrong"
    }
  }
}
