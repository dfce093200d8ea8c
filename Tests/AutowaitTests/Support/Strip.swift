import Autowait
import Testing

/// A story in strips: what a user and a link do, and what a player shows then.
///
/// A strip is text. Its first line says how long a column lasts. Each other line is a row: a name
/// and one character a column. The character of a column is what holds at the column's first
/// instant, after all that happens then. A number behind a name is that of the player: `phase 2` is
/// the second player's.
///
/// Two rows are what goes in; they may be shorter than the others:
/// - `link`: Mbit/s from that column on, a digit; `_` no rate at all, `+` 100 Mbit/s
/// - `user`: `p` play, `x` pause, `!` play at once, `-` nothing; a test may name more letters
///
/// The others are what comes out, and the test fails if one of them is different:
/// - `phase`: `.` paused, `p` playing, `e` waiting for a first verdict, `w` waiting to minimize
///   stalls, `n` waiting for an item
/// - `ahead`: whole seconds loaded from the playhead on; `+` for ten and more
/// - `time`: the last digit of the playhead's whole seconds
/// - `keeps`: `k` likely to keep up, `f` buffer full, `b` both, `-` neither
/// - `item`, `variant`: a number, `-` none
/// - `behind`: whole seconds behind a live programme, `+` for ten and more, `-` not live
/// - `told`: what was announced since the column before: `s` stalled, `e` played to the end,
///   `j` time jumped, `d` a seek done, `g` a seek given up, `f` item failed, `!` an error in the
///   log; of several the last. `c` a request was cancelled, `-` nothing
/// - `get`: a request under way, a capital in the first column that it is seen: `f` file,
///   `x` index at the back of a file, `m` multivariant playlist, `l` list of segments, `k` key,
///   `i` initialisation section, `a` to `d` segment of that variant's list, `s` sound,
///   `t` subtitles, `-` none. Requests at the same time are in several such rows.
struct Strip {
  /// A row as it is written.
  struct Row {
    var name: String
    var player: Int
    var cells: [Character]
  }

  /// What is wrong with the text of a strip.
  struct Malformed: Error {
    let message: String
  }

  private(set) var column = TimeSpan.zero
  private(set) var link: [Character] = []
  private(set) var user: [Row] = []
  /// The rows that come out, in their order.
  private(set) var rows: [Row] = []

  private static let names = [
    "phase", "ahead", "time", "keeps", "item", "variant", "behind", "told", "get",
  ]

  init(_ text: String) throws(Malformed) {
    for (number, line) in text.split(separator: "\n").enumerated() {
      var words = line.split(separator: " ")
      if number == 0 {
        guard words.count == 4, words[1] == "ms", words[2...] == ["a", "column"],
          let length = Int64(words[0]), length > 0
        else { throw Malformed(message: "a strip begins with a line such as '500 ms a column'") }
        column = .milliseconds(length)
        continue
      }
      guard words.count >= 2, let cells = words.popLast() else {
        throw Malformed(message: "'\(line)' is no name with a row")
      }
      let player = words.count > 1 ? Int(words[1]) ?? 0 : 1
      try add(Row(name: String(words[0]), player: player - 1, cells: Array(cells)))
    }
    for row in rows where row.cells.count != rows[0].cells.count {
      throw Malformed(
        message: "'\(row.name)' has \(row.cells.count) columns, and not \(rows[0].cells.count)")
    }
    if rows.isEmpty { throw Malformed(message: "nothing comes out of the strip") }
  }

  private mutating func add(_ row: Row) throws(Malformed) {
    switch row.name {
    case "link": link = row.cells
    case "user": user.append(row)
    default:
      guard Self.names.contains(row.name) else {
        throw Malformed(message: "'\(row.name)' is none of \(Self.names.joined(separator: ", "))")
      }
      rows.append(row)
    }
  }

  /// The first instant of a column.
  func instant(_ place: Int) -> Instant {
    .start + TimeSpan(nanoseconds: column.nanoseconds * Int64(place))
  }

  // MARK: - What goes in

  /// Writes the strip's link and user into a world.
  func write(
    into world: inout World, delay: TimeSpan, acts: [Character: PlayerAction]
  ) throws(Malformed) {
    if !link.isEmpty {
      var samples: [LinkTrack.Sample] = []
      for (place, cell) in link.enumerated() where place == 0 || link[place - 1] != cell {
        guard let rate = cell == "_" ? 0 : cell == "+" ? 100 : cell.wholeNumberValue else {
          throw Malformed(message: "'\(cell)' is not a rate")
        }
        samples.append(
          LinkTrack.Sample(
            start: instant(place) - .start,
            rate: BitRate(bitsPerSecond: Int64(rate) * 1_000_000), delay: delay))
      }
      world.links[0].down.track = LinkTrack(samples)
    }
    let known = acts.merging(
      ["p": .play, "x": .pause, "!": .playImmediately(.normal)], uniquingKeysWith: { own, _ in own }
    )
    for row in user {
      for (place, cell) in row.cells.enumerated() where cell != "-" {
        guard let action = known[cell] else {
          throw Malformed(message: "no user does '\(cell)'")
        }
        world.script.append(ScriptStep(.at(instant(place)), .player(row.player, action)))
      }
    }
  }

  // MARK: - What comes out

  /// Returns the rows of the strip as a run of a world has them.
  func rows(of world: World) -> [Row] {
    var simulation = Simulation(world)
    var actual = rows
    for row in actual.indices { actual[row].cells = [] }
    var lanes = world.players.indices.map { StripLanes(world.players[$0], number: $0) }
    var seen = 0
    for place in rows[0].cells.indices {
      _ = simulation.advance(to: instant(place))
      let news = simulation.log.records.dropFirst(seen).map(\.self)
      seen += news.count
      for player in lanes.indices { lanes[player].take(news) }
      for player in lanes.indices {
        let shown = simulation.snapshot(of: player, at: instant(place))
        var lane = 0
        for row in actual.indices where actual[row].player == player {
          let cell: Character
          if actual[row].name == "get" {
            cell = lanes[player].cell(lane)
            lane += 1
          } else if actual[row].name == "told" {
            cell = Self.told(news, player)
          } else {
            cell = Self.cell(actual[row].name, shown)
          }
          actual[row].cells.append(cell)
        }
        lanes[player].nextColumn()
      }
    }
    return actual
  }

  private static func cell(_ name: String, _ shown: PlayerSnapshot) -> Character {
    func digit(_ time: MediaTime) -> Character {
      let seconds = time.nanoseconds / 1_000_000_000
      return seconds > 9 ? "+" : seconds < 0 ? "0" : Character("\(seconds)")
    }
    func digit(_ number: Int?) -> Character { number.map { Character("\($0)") } ?? "-" }
    return switch name {
    case "phase":
      switch (shown.timeControlStatus, shown.reasonForWaitingToPlay) {
      case (.paused, _): "."
      case (.playing, _): "p"
      case (_, .evaluatingBufferingRate): "e"
      case (_, .noItemToPlay): "n"
      default: "w"
      }
    case "ahead": digit(shown.loadedEnd - shown.currentTime)
    case "time": digit(Int(shown.currentTime.nanoseconds / 1_000_000_000 % 10))
    case "keeps":
      switch (shown.isPlaybackLikelyToKeepUp, shown.isPlaybackBufferFull) {
      case (true, true): "b"
      case (true, false): "k"
      case (false, true): "f"
      case (false, false): "-"
      }
    case "item": digit(shown.currentItem)
    case "variant": digit(shown.variant)
    default: shown.offsetFromLive.map { digit($0) } ?? "-"
    }
  }

  private static func told(_ news: [EventRecord], _ player: Int) -> Character {
    let own = news.reversed().filter { $0.player == player }.map(\.event)
    for event in own {
      switch event {
      case .playbackStalled: return "s"
      case .didPlayToEndTime: return "e"
      case .seekDidComplete(_, let isFinished, _): return isFinished ? "d" : "g"
      case .timeJumped: return "j"
      case .itemStatus(.failed): return "f"
      case .newErrorLogEntry: return "!"
      default: break
      }
    }
    return own.contains { if case .mediaRequestCancelled = $0 { true } else { false } } ? "c" : "-"
  }
}

/// The requests of a player that are under way, each in the first lane that was free.
struct StripLanes {
  private let configuration: PlayerConfiguration
  private let player: Int
  private var lanes: [(transfer: Int, letter: String, isNew: Bool)?] = []
  private var item = 0

  init(_ configuration: PlayerConfiguration, number: Int) {
    self.configuration = configuration
    player = number
  }

  /// Follows what was recorded since the column before.
  mutating func take(_ records: [EventRecord]) {
    for record in records where record.player == player {
      switch record.event {
      case .currentItem(let number): item = number ?? item
      case .mediaRequest(let transfer, let from, _, _):
        let media = configuration.media[item]
        let end = from.bytes + media.headerSize.bytes
        let isIndex = media.indexPlacement == .back && end == media.size.wholeBytes.bytes
        begin(transfer, isIndex ? "x" : "f")
      case .playlistRequest(let transfer, let list, _, _): begin(transfer, list == nil ? "m" : "l")
      case .contentKeyRequest(let transfer, _, _, _): begin(transfer, "k")
      case .segmentRequest(let transfer, _, _, nil, _): begin(transfer, "i")
      case .segmentRequest(let transfer, _, let list, _?, _):
        begin(transfer, letter(ofList: Int(list)))
      case .mediaRequestCompleted(let transfer, _), .mediaRequestCancelled(let transfer, _),
        .mediaRequestFailed(let transfer, _, _):
        for lane in lanes.indices where lanes[lane]?.transfer == transfer { lanes[lane] = nil }
      default: break
      }
    }
  }

  private func letter(ofList list: Int) -> String {
    let stream = configuration.media[item].streamMedia
    let rendition = stream?.renditions.first { $0.list == list }
    switch rendition?.kind {
    case .audio: return "s"
    case .subtitles: return "t"
    case nil:
      let variant = stream?.variants.firstIndex { $0.list == list } ?? 0
      return ["a", "b", "c", "d"][variant % 4]
    }
  }

  private mutating func begin(_ transfer: Int, _ letter: String) {
    let lane = lanes.firstIndex { $0 == nil } ?? lanes.count
    if lane == lanes.count { lanes.append(nil) }
    lanes[lane] = (transfer, letter, true)
  }

  func cell(_ lane: Int) -> Character {
    guard lane < lanes.count, let request = lanes[lane] else { return "-" }
    return Character(request.isNew ? request.letter.uppercased() : request.letter)
  }

  mutating func nextColumn() {
    for lane in lanes.indices { lanes[lane]?.isNew = false }
  }
}
