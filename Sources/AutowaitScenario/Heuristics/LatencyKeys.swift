import Autowait

/// What passes where nothing is waited for.
enum LatencyKeys {
  private typealias LatencyMember = Member<LatencyPolicy>

  static let record = Record(
    "latency", "the latencies of a player", LatencyPolicy(),
    [
      LatencyMember(
        "notification", .time, "from a change to the app that observes it",
        { $0.notification }, { $0.notification = $1 }),
      LatencyMember(
        "reaction", .time, "from what the app observes to what it does",
        { $0.reaction }, { $0.reaction = $1 }),
      LatencyMember(
        "preroll", .time, "from the verdict to the clock at the start",
        { $0.preroll }, { $0.preroll = $1 }),
      LatencyMember(
        "resume", .time, "from the verdict to the clock after a stall",
        { $0.resume }, { $0.resume = $1 }),
      LatencyMember(
        "firstFrame", .time, "from the data of the first frame to an item that is ready",
        { $0.firstFrame }, { $0.firstFrame = $1 }),
      LatencyMember(
        "appending", .time, "from the last byte of a segment to the buffer",
        { $0.appending }, { $0.appending = $1 }),
      LatencyMember(
        "opening", .time, "from the last byte of the first segment to the buffer, in addition",
        { $0.opening }, { $0.opening = $1 }),
    ])
}
