import AutowaitFidelity
import AutowaitScenario

/// An address in a log, as far as a reader needs it to tell what was asked for.
///
/// It stays in the reader: no output gets it unless somebody asks for addresses.
struct LogAddress {
  /// Who was asked; empty where the log does not say it.
  let host: String
  /// What was asked for, without the query.
  let path: String
  /// The query, without its question mark.
  let query: String
  /// The address as the log has it.
  let text: String

  init(_ text: String) {
    self.text = text
    let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    let place = whole.prefix { $0 != UInt8(ascii: "?") }
    query = String(decoding: whole.dropFirst(place.count + 1), as: UTF8.self)
    let address = String(decoding: place, as: UTF8.self)
    var rest = address[...]
    if let scheme = rest.firstRange(of: "://") {
      rest = rest[scheme.upperBound...]
      host = String(rest.prefix { $0 != "/" })
    } else {
      host = ""
    }
    path = RecordedMedium.path(address, from: "/")
  }

  /// The last part of the path after its last point, in lower case; empty if it has none.
  var ending: String {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: point)...].lowercased()
  }

  /// What a request for it was, by its ending and by the media type of the response.
  func kind(mediaType: String) -> SessionRequest.Kind {
    let type = mediaType.lowercased()
    if ["m3u8", "mpd"].contains(ending) || type.contains("mpegurl") || type.contains("dash+xml") {
      return .playlist
    }
    if ending == "key" || path.contains("/key/") || type.contains("fps") { return .key }
    let isMedia =
      Self.mediaEndings.contains(ending) || type.hasPrefix("video/") || type.hasPrefix("audio/")
    if !isMedia { return .other }
    let name = path.split(separator: "/").last?.lowercased() ?? ""
    return name.hasPrefix("init") || name.contains("_init.") || name.contains("-init.")
      ? .initialization : .segment
  }

  private static let mediaEndings = [
    "ts", "m4s", "mp4", "m4a", "m4v", "aac", "webm", "cmfv", "cmfa", "cmfm", "mp3", "mov",
  ]

  /// Returns a text with its escapes (RFC 3986) undone; one that is none stays as it is.
  static func decoded(_ text: String) -> String {
    if !text.utf8.contains(UInt8(ascii: "%")) { return text }
    let bytes = Array(text.utf8)
    var (result, place): ([UInt8], Int) = ([], 0)
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[place + 1...place + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        place += 3
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
