import Autowait
import AutowaitScenario
import Testing

/// Scenarios in which the network goes away, and what can be asked of their runs.
enum OutageFixture {
  static let second: Int64 = 1_000_000_000

  /// What happens on the link.
  enum Kind: String, CaseIterable, Sendable {
    case offline, blackout
  }

  /// What is played: 300 s in segments of 6 s.
  enum Content: String, CaseIterable, Sendable {
    case one, many, live, file

    var media: String {
      let stream = #""kind":"hls","segmentDuration":"6 s""#
      let low = #"{"name":"low","bandwidth":"200 kbit/s"}"#
      let high = #"{"name":"high","bandwidth":"600 kbit/s"}"#
      switch self {
      case .one: return #"{\#(stream),"duration":"300 s","variants":[\#(high)]}"#
      case .many: return #"{\#(stream),"duration":"300 s","variants":[\#(high),\#(low)]}"#
      case .live:
        return #"{\#(stream),"duration":"2000 s","variants":[\#(high),\#(low)],"#
          + #""live":{"elapsed":"120 s","window":"60 s"}}"#
      case .file: return #"{"kind":"progressive","duration":"300 s","bitrate":"600 kbit/s"}"#
      }
    }
  }

  /// Reads a scenario of one player whose item is loaded and played at once.
  static func scenario(
    link: String, media: String, player: String = "", steps: String = "", more: String = ""
  ) throws -> Scenario {
    var text = #"{"link":\#(link),"media":\#(media),"player":{\#(player)},"#
    text += more + #""script":[{"at":0,"do":"load"},{"at":0,"do":"play"}\#(steps)]}"#
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "outage.json", text: text), loader: .none)
    #expect(!findings.contains { $0.severity == .error }, "\(findings.map(\.message))")
    return try #require(scenario)
  }

  /// A link of some Mbit/s without delay that has one event.
  static func link(_ rate: String, _ kind: Kind, at start: Int64, for span: Int64) -> String {
    #"{"rate":"\#(rate)","events":[{"type":"\#(kind)","at":\#(start),"for":\#(span)}]}"#
  }
}

extension RunResult {
  /// The entries of the error log, in milliseconds.
  var errors: [String] {
    records.compactMap {
      guard case .newErrorLogEntry(_, let code) = $0.event else { return nil }
      return "\($0.instant.nanoseconds / 1_000_000) \(code)"
    }
  }

  /// The milliseconds at which something happened.
  func times(player: Int = 0, _ isMeant: (Event) -> Bool) -> [Int64] {
    records.filter { $0.player == player && isMeant($0.event) }
      .map { $0.instant.nanoseconds / 1_000_000 }
  }

  /// Whether the item failed, or said that it could not play to its end.
  var hasFailed: Bool {
    records.contains { $0.event == .itemStatus(.failed) || $0.event == .failedToPlayToEndTime }
  }

  /// The milliseconds at which the timebase began to run.
  var starts: [Int64] {
    times { if case .timebaseRate(let rate, _) = $0 { rate != .zero } else { false } }
  }

  /// Where the timebase stopped, with when, in milliseconds.
  var stops: [(at: Int64, time: Int64)] {
    records.compactMap {
      guard case .timebaseRate(.zero, let time) = $0.event else { return nil }
      return ($0.instant.nanoseconds / 1_000_000, time.nanoseconds / 1_000_000)
    }
  }
}

extension Event {
  /// Whether another variant is asked for.
  var isSwitch: Bool { if case .variantSwitchStart = self { true } else { false } }

  /// Whether a variant is asked for.
  func leads(to variant: Int) -> Bool {
    if case .variantSwitchStart(_, variant, _) = self { true } else { false }
  }

  /// Whether something is asked for.
  var isRequest: Bool {
    switch self {
    case .mediaRequest, .segmentRequest, .playlistRequest, .contentKeyRequest: true
    default: false
    }
  }
}
