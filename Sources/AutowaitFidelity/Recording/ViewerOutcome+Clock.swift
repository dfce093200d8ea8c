import Autowait

/// What is seen of players whose recorded stalls do not begin when their clock stands.
extension ViewerOutcome {
  /// The players whose samples stand still before their clock does.
  ///
  /// VLC counts what it shows in the thread that reads. It stands as soon as that thread waits, and
  /// what the decoders have by then is shown for most of a second more.
  static let playersThatReportEarly = ["vlc"]

  /// Lets stalls begin as much later as the session was shorter than they say.
  ///
  /// From its start to its end a clock that nobody moves runs as long as the medium is. What the
  /// stalls are longer than the rest of that time is how early they begin, and nobody knows of one
  /// more than of another. Each recorded stall of VLC begins 0.89 and 0.82 s early in two sessions
  /// of streams, and 0.51 s in one of a file; sessions without a stall end when they should.
  package mutating func beginStallsWithClock(over duration: MediaTime) {
    guard let startup, let end, !stalls.isEmpty else { return }
    let stood = (end - startup).nanoseconds - duration.nanoseconds
    let early = (stalled.nanoseconds - max(0, stood)) / Int64(stalls.count)
    if early <= 0 { return }
    stalls = stalls.map { stall in
      Stall(
        start: min(stall.start + TimeSpan(nanoseconds: early), stall.end), end: stall.end)
    }
  }
}
