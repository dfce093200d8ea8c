import Autowait
import AutowaitScenario

/// What recordings say of a heuristic beyond its own numbers.
extension RecordedPlayer {
  /// The sessions that were recorded of each player and count: those of files, and of streams.
  private static let sessions: [(player: String, files: Int, streams: Int)] = [
    ("chromium-autoplay", 2, 0), ("chromium-play", 5, 12), ("dashjs", 0, 4),
    ("firefox-autoplay", 2, 0), ("firefox-play", 5, 0), ("gst3", 0, 2), ("hlsjs", 0, 11),
    ("hlsjs-firefox", 0, 2), ("mpv", 7, 2), ("mpv-pauseinitial", 2, 0), ("mpv-wait4", 1, 0),
    ("shaka", 0, 8), ("vlc", 4, 2),
  ]

  /// The measured values with which recordings of a heuristic's players are simulated, and which
  /// the heuristic does not have by itself; a sentence for each player.
  package static func measured(_ heuristic: String) -> [String] {
    sessions.flatMap { row -> [String] in
      [(false, row.files, "files"), (true, row.streams, "streams")].compactMap { part in
        let (isStream, count, word) = part
        guard count > 0, let player = named(row.player, isStream: isStream),
          player.rule == heuristic
        else { return nil }
        let values =
          player.constants.filter { !$0.isPreset }.map(\.text) + player.options.map(text)
        if values.isEmpty { return nil }
        let sessions = count == 1 ? "session" : "sessions"
        return "\(values.joined(separator: ", ")) in \(count) \(sessions) of \(word) "
          + "(player '\(row.player)')"
      }
    }
  }

  /// The key and the value of an option; whole numbers among them are bytes.
  private static func text(_ option: (key: String, value: String)) -> String {
    let isSize = option.value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    let value = option.value.filter { $0 != "\"" }
    return isSize ? "\(option.key) \(value) B" : "\(option.key) \(value)"
  }
}

extension RecordedPlayer.Constant {
  /// The key and the value, of a latency with the object that it is in.
  fileprivate var text: String {
    let name = isLatency ? "latency.\(key)" : key
    return isTime ? "\(name) \(value.fixedPoint(1_000_000_000)) s" : "\(name) \(value) B"
  }
}
