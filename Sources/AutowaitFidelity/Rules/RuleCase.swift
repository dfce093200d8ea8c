import Autowait
import AutowaitScenario

/// What a player's own code decided in one session, row by row.
package struct RuleCase: Sendable {
  /// A request that the player made.
  package struct Decision: Sendable {
    var segment = 0
    /// When the choice was made, with the media ahead and the playhead, in milliseconds.
    var moment = PlayerMoment(time: 0, level: 0, position: 0)
    /// What the player expected of the network, in bit/s; nil if it did not say.
    var estimate: Double?
    var choice = 0
    /// The quality that was really loaded.
    var loaded = 0
    /// When it was asked for, and when its first and its last byte came; the last is nil if it was
    /// given up.
    var request = 0.0
    var first = 0.0
    var end: Double?
    var size = 0.0
    var got = 0.0
    /// When it was given up, and for which quality.
    var given: (time: Double, quality: Int)?
    /// The playlists that were loaded before: the quality, the request, the first and last byte.
    var playlists: [(quality: Int, request: Double, first: Double, end: Double)] = []
    var isTest = false
    /// How long the rule itself had asked to wait.
    var waited = 0.0
    /// What the player is told behind the row, in bit/s, if that is all that it is told.
    var sample: Double?
  }

  package let player: PlayerRule
  let ladder: PlayerLadder
  /// What the player expected of the network at first, in bit/s.
  let first: Double?
  let decay: Double?
  let link: RuleCaseLink
  let rows: [Decision]
}

/// The link of a case: how much comes of a response.
struct RuleCaseLink: Sendable {
  /// How long each of its steps lasts in milliseconds, and their rates in kbit/s; the last one
  /// stays.
  let steps: [(span: Double, rate: Double)]

  /// The whole bytes that come from one time to another.
  func bytes(from start: Double, to end: Double) -> Double {
    var (bits, begin) = (0.0, 0.0)
    for (number, step) in steps.enumerated() {
      let last = number == steps.count - 1
      let (low, high) = (max(begin, start), last ? end : min(begin + step.span, end))
      if high > low { bits += (high - low) * step.rate }
      begin += step.span
    }
    return (bits / 8).rounded(.down)
  }
}

extension PlayerRule {
  /// The names under which folders of cases, and cases, know the players.
  package static let caseNames: [(name: String, player: PlayerRule)] = [
    ("hls.js", .hlsJS), ("shaka-4", .shaka4), ("shaka-5", .shaka), ("dash.js", .dashJS),
    ("vhs", .vhs), ("media3", .media3), ("chromium-hls", .chromiumHLS),
  ]

  /// The version of the player's code that the rule follows, as cases have it.
  package var caseVersion: String {
    switch self {
    case .hlsJS: "1.7.1"
    case .shaka4: "4.7.0"
    case .shaka: "5.2.7"
    case .dashJS: "5.1.1"
    case .vhs: "3.17.4"
    case .media3: "1.11.0"
    case .chromiumHLS: "main, 2025"
    }
  }

  /// The name of the player in cases.
  package var caseName: String {
    Self.caseNames.first { $0.player == self }?.name ?? ""
  }
}
