import Autowait

/// What passes where nothing is waited for.
enum LatencyKeys {
  static let record = Record(
    "latency", "the latencies of a player", LatencyPolicy(),
    [
      key(
        "notification", "from a change to the app that observes it",
        { $0.notification }, { $0.notification = $1 }),
      key(
        "reaction", "from what the app observes to what it does",
        { $0.reaction }, { $0.reaction = $1 }),
      key(
        "preroll", "from the verdict to the clock at the start",
        { $0.preroll }, { $0.preroll = $1 }),
      key(
        "resume", "from the verdict to the clock after a stall",
        { $0.resume }, { $0.resume = $1 }),
      key(
        "firstFrame", "from the clock to the first frame",
        { $0.firstFrame }, { $0.firstFrame = $1 }),
      key(
        "appending", "from the last byte of a segment to the buffer",
        { $0.appending }, { $0.appending = $1 }),
      key(
        "opening", "from the last byte of the first segment to the buffer, in addition",
        { $0.opening }, { $0.opening = $1 }),
    ])

  private static func key(
    _ name: String, _ about: String, _ get: @escaping @Sendable (LatencyPolicy) -> TimeSpan,
    _ set: @escaping @Sendable (inout LatencyPolicy, TimeSpan) -> Void
  ) -> Member<LatencyPolicy> {
    Member(Key(name, .time, about), get, set).terse
  }
}
