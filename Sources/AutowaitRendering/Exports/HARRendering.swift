import Autowait
import AutowaitScenario

/// Renders the requests of a run as an HTTP archive, version 1.2, which the developer tools of
/// browsers open.
///
/// A page is a player. What the archive has no field for begins with an underscore, as its
/// specification says: the exact time in seconds, and why a request went wrong.
package enum HARRendering {
  /// Returns the archive, an object in one line.
  package static func archive(_ result: RunResult) -> [UInt8] {
    let requests = ExportedRequest.all(result)
    return JSONWriter.line { writer in
      writer.object("log") { writer in
        writer.field("version", "1.2")
        writer.object("creator") { writer in
          writer.field("name", "autowait")
          writer.field("version", text: ToolVersion.text)
        }
        writer.objects("pages", result.scenario.playerNames.indices) { writer, player in
          writePage(result, player, into: &writer)
        }
        let all = requests.indices.flatMap { player in requests[player].map { (player, $0) } }
          .sorted {
            ($0.1.story.request.opened, $0.1.story.transfer)
              < ($1.1.story.request.opened, $1.1.story.transfer)
          }
        writer.objects("entries", all) { writer, entry in
          write(entry.1, of: entry.0, into: &writer)
        }
        writer.field("comment", text: comment(result))
      }
    }
  }

  private static func comment(_ result: RunResult) -> String {
    "\(result.scenario.path), seed \(result.scenario.world.seed), model version "
      + "\(SimulationModel.version)"
  }

  private static func writePage(
    _ result: RunResult, _ player: Int, into writer: inout JSONWriter
  ) {
    let name = result.scenario.playerNames[player]
    writer.field("startedDateTime", text: ExportDate.text(.start))
    writer.field("id", text: "player_\(player)")
    let isAlone = result.scenario.playerNames.count == 1
    writer.field(
      "title", text: isAlone ? result.scenario.title : "\(result.scenario.title): \(name)")
    writer.object("pageTimings") { writer in
      // The first picture is to a player what its content is to a page.
      writer.key("onContentLoad")
      if let played = result.metrics[player].firstPlayed {
        writer.millionths(played.nanoseconds)
      } else {
        writer.integer(Int64(-1))
      }
      writer.field("onLoad", Int64(-1))
    }
  }

  private static func write(
    _ request: ExportedRequest, of player: Int, into writer: inout JSONWriter
  ) {
    let story = request.story
    let length = story.end - story.request.opened
    writer.field("pageref", text: "player_\(player)")
    writer.field("startedDateTime", text: ExportDate.text(story.request.opened))
    writer.key("time")
    writer.millionths(length.nanoseconds)
    writer.object("request") { writer in
      writer.field("method", "GET")
      writer.field("url", text: request.url)
      writer.field("httpVersion", "HTTP/1.1")
      for list in ["cookies", "headers", "queryString"] as [StaticString] {
        writer.array(list) { _ in }
      }
      writer.field("headersSize", Int64(-1))
      writer.field("bodySize", Int64(0))
    }
    writer.object("response") { writeResponse(request, into: &$0) }
    writer.object("cache") { _ in }
    writer.object("timings") { writeTimings(request, length, into: &$0) }
    writer.field("_started", seconds: (story.request.opened - .start).nanoseconds)
    writer.field("_transfer", Int64(story.transfer))
    writer.field("_resourceType", request.isMedia ? "media" : "xhr")
    writer.field("_resource", text: request.words)
    if let reason = request.reason { writer.field("_error", text: reason) }
  }

  private static func writeResponse(
    _ request: ExportedRequest, into writer: inout JSONWriter
  ) {
    let status = request.status
    let words: [Int64: StaticString] = [
      200: "OK", 206: "Partial Content", 302: "Found", 400: "Bad Request", 401: "Unauthorized",
      403: "Forbidden", 404: "Not Found", 407: "Proxy Authentication Required", 410: "Gone",
      429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
      503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    writer.field("status", status)
    writer.field("statusText", words[status] ?? "")
    writer.field("httpVersion", "HTTP/1.1")
    writer.array("cookies") { _ in }
    writer.array("headers") { _ in }
    writer.object("content") { writer in
      writer.field("size", request.bytes)
      writer.field("mimeType", mimeType(request.story.request.resource))
    }
    writer.field("redirectURL", "")
    writer.field("headersSize", Int64(-1))
    writer.field("bodySize", request.bytes)
    writer.field("_transferSize", request.bytes)
  }

  private static func mimeType(_ resource: RequestIndex.Resource) -> StaticString {
    switch resource {
    case .multivariantPlaylist, .mediaPlaylist: "application/vnd.apple.mpegurl"
    case .contentKey: "application/octet-stream"
    case .file, .initialization, .segment: "video/mp4"
    }
  }

  /// Writes how long each part took, which together are all of its time: what is known of the way
  /// to the first byte, the rest of it as waiting, and then the body.
  private static func writeTimings(
    _ request: ExportedRequest, _ length: TimeSpan, into writer: inout JSONWriter
  ) {
    let story = request.story
    func span(_ phase: TransferPhase) -> Int64? {
      request.phases.first { $0.phase == phase }?.span.nanoseconds
    }
    let response = story.response.map { ($0 - story.request.opened).nanoseconds }
    let receive = response.map { length.nanoseconds - $0 } ?? 0
    let (dns, secure) = (span(.domainLookup), span(.secureConnection))
    // In an archive the time of TLS is part of the connection's.
    let tcp = span(.connect)
    let connect = tcp == nil && secure == nil ? nil : (tcp ?? 0) + (secure ?? 0)
    let wait = length.nanoseconds - receive - (dns ?? 0) - (connect ?? 0)
    let parts: [(StaticString, Int64?)] = [
      ("blocked", nil), ("dns", dns), ("connect", connect), ("ssl", secure), ("send", 0),
      ("wait", max(0, wait)), ("receive", receive),
    ]
    for (name, span) in parts {
      writer.key(name)
      if let span { writer.millionths(span) } else { writer.integer(Int64(-1)) }
    }
  }
}
