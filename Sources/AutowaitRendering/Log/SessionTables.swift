import Autowait
import AutowaitScenario

/// What programs look up first in a session: its stalls, the variants that were loaded, and what
/// was asked for, with when it was and when it had come.
struct SessionTables {
  /// A time in which playback stood for want of media, and where.
  private struct Stall {
    let start: Instant
    /// Nil if it was going on when the run ended.
    var end: Instant?
    let position: MediaTime
  }

  private struct Row {
    let request: RequestIndex.IndexedRequest
    var responded: Instant?
    /// When it was over, and what had come; nil if it was under way when the run ended.
    var ended: Instant?
    var bytes: ByteCount?
    var outcome: StaticString = "open"
  }

  private let result: RunResult
  private var stalls: [[Stall]]
  private var rows: [[Row]]

  /// Reads the tables of all players out of the records of a run.
  init(_ result: RunResult) {
    self.result = result
    stalls = result.scenario.playerNames.map { _ in [] }
    rows = stalls.map { _ in [] }
    var (index, places) = (RequestIndex(), [Int: Int]())
    var positions = stalls.map { _ in MediaTime.zero }
    var going = stalls.map { _ in RecordedStall() }
    for record in result.records {
      let asked = index.take(record)
      guard let player = record.player else { continue }
      if let asked, let request = index[asked] {
        places[asked] = rows[player].count
        rows[player].append(Row(request: request))
      }
      func end(_ transfer: Int, _ outcome: StaticString, _ bytes: ByteCount) {
        guard let place = places[transfer] else { return }
        rows[player][place].ended = record.instant
        rows[player][place].bytes = bytes
        rows[player][place].outcome = outcome
      }
      switch record.event.topic {
      case .playback(.timebaseRate(_, let position)):
        positions[player] = position
      case .playback(.stalled):
        stalls[player].append(
          Stall(start: record.instant, end: nil, position: positions[player]))
      case .request(let transfer, .response):
        if let place = places[transfer] { rows[player][place].responded = record.instant }
      case .request(let transfer, .completed(let bytes)): end(transfer, "whole", bytes)
      case .request(let transfer, .cancelled(let bytes)): end(transfer, "givenUp", bytes)
      case .request(let transfer, .failed(_, let bytes)): end(transfer, "failed", bytes)
      case .request(let transfer, .errorLogged(let code)):
        // What is refused is answered as a whole, and what comes too late was given up.
        guard let place = places[transfer], !ErrorLogEvent.isWarning(code) else { break }
        rows[player][place].outcome = "failed"
      case .request(_, .asked), .request(_, .phase), .request(_, .reading),
        .request(_, .discarded), .playback, .world, .variant, .buffer, .queue, .setting, .notice:
        break
      }
      _ = going[player].take(record)
      follow(going[player], of: player, at: record.instant)
    }
    for transfer in Redirections(result).transfers {
      if let player = index[transfer]?.player, let place = places[transfer] {
        rows[player][place].outcome = "redirected"
      }
    }
  }

  /// Ends the last stall of a player if it is over; a seek that is refused does not end it.
  private mutating func follow(_ going: RecordedStall, of player: Int, at now: Instant) {
    guard let last = stalls[player].indices.last else { return }
    stalls[player][last].end = going.start == nil ? stalls[player][last].end ?? now : nil
  }

  /// Writes the stalls of a player.
  func writeStalls(of player: Int, into writer: inout JSONWriter) {
    writer.beginArray()
    for stall in stalls[player] {
      writer.object { writer in
        Self.time("start", stall.start, into: &writer)
        Self.time("end", stall.end, into: &writer)
        writer.field("position", seconds: stall.position.nanoseconds)
      }
    }
    writer.endArray()
  }

  /// Writes the variants whose segments a player asked for, one after another.
  func writeVariants(of player: Int, into writer: inout JSONWriter) {
    writer.beginArray()
    let media = result.scenario.world.players[player].media
    for row in rows[player] {
      guard case .segment(let list, _) = row.request.resource, let item = row.request.item,
        let variant = media[item].streamMedia?.variants.firstIndex(where: { $0.list == list })
      else { continue }
      writer.integer(Int64(variant))
    }
    writer.endArray()
  }

  /// Writes what a player asked for, and what came of it.
  func writeRequests(of player: Int, into writer: inout JSONWriter) {
    writer.beginArray()
    for row in rows[player] {
      writer.object { writer in
        Self.write(row.request.resource, into: &writer)
        writer.field("item", row.request.item.map { Int64($0) })
        writer.field("bytes", row.bytes?.bytes)
        Self.time("asked", row.request.opened, into: &writer)
        Self.time("responded", row.responded, into: &writer)
        Self.time("ended", row.ended, into: &writer)
        writer.field("outcome", row.outcome)
      }
    }
    writer.endArray()
  }

  private static func write(
    _ resource: RequestIndex.Resource, into writer: inout JSONWriter
  ) {
    switch resource {
    case .file: writer.field("of", "file")
    case .multivariantPlaylist: writer.field("of", "multivariantPlaylist")
    case .contentKey(let key):
      writer.field("of", "key")
      writer.field("key", Int64(key))
    case .mediaPlaylist(let list):
      writer.field("of", "mediaPlaylist")
      writer.field("list", Int64(list))
    case .initialization(let list):
      writer.field("of", "initialization")
      writer.field("list", Int64(list))
    case .segment(let list, let number):
      writer.field("of", "segment")
      writer.field("list", Int64(list))
      writer.field("segment", Int64(number))
    }
  }

  private static func time(
    _ name: StaticString, _ instant: Instant?, into writer: inout JSONWriter
  ) {
    writer.field(name, seconds: instant.map { ($0 - .start).nanoseconds })
  }
}
