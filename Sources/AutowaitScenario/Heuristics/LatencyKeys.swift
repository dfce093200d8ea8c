import Autowait

/// The keys of what passes where nothing is waited for.
enum LatencyKeys {
  /// A key, and where its time stands.
  typealias LatencyKey = (
    key: Key<TimeSpan>, path: any WritableKeyPath<LatencyPolicy, TimeSpan> & Sendable
  )

  static let all: [LatencyKey] = [
    (key("notification", "from a change to the app that observes it"), \.notification),
    (key("reaction", "from what the app observes to what it does"), \.reaction),
    (key("preroll", "from the verdict to the clock at the start"), \.preroll),
    (key("resume", "from the verdict to the clock after a stall"), \.resume),
    (key("firstFrame", "from the clock to the first frame"), \.firstFrame),
    (key("appending", "from the last byte of a segment to the buffer"), \.appending),
  ]
  static let object: ObjectKind = ObjectKind(
    "latency", "the latencies of a player", rows: all.map(\.key.row))

  private static func key(_ name: String, _ about: String) -> Key<TimeSpan> {
    Key(name, .time, about)
  }
}
