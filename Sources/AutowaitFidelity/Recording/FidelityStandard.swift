import Autowait
import AutowaitScenario

/// How far a simulated session may be from a recorded one.
///
/// Repeats of one recording say what can be asked: a stream that stalls for want of a segment does
/// so to a tenth of a second, a file near the critical rate only in sum.
package struct FidelityStandard: Equatable, Sendable {
  package enum Class: String, CaseIterable, Sendable {
    /// A stream on a link that is constant, or changes in steps.
    case streams = "A"
    /// A stream over an outage, after which TCP begins again when it pleases.
    case outages = "B"
    /// A file near the critical rate, where small errors grow.
    case critical = "C"
    /// A file whose recorded arrivals are the link.
    case traces = "T"
    /// A player that does not say when it stalls.
    case finish = "X"
  }

  package let kind: Class
  package var startup = TimeSpan.milliseconds(200)
  package var stallCount: Int64 = 0
  package var stallStart: TimeSpan?
  package var stallDuration: TimeSpan?
  package var firstStallStart: TimeSpan?
  /// How far the sum of all stalls may be away, in millionths of it.
  package var stalledPart: Int64?
  /// How much earlier and later than recorded playback may go on.
  package var resume: (early: TimeSpan, late: TimeSpan)?

  /// The tolerances of a class.
  package init(_ kind: Class) {
    self.kind = kind
    switch kind {
    case .streams:
      stallStart = .milliseconds(250)
      stallDuration = .milliseconds(120)
    case .outages:
      stallStart = .milliseconds(250)
      resume = (.seconds(3), .milliseconds(300))
    case .critical:
      startup = .milliseconds(350)
      stallCount = 2
      stalledPart = 250_000
    case .traces:
      startup = .milliseconds(350)
      stallCount = 2
      firstStallStart = .milliseconds(500)
      stalledPart = 200_000
    case .finish: break
    }
  }

  /// The class that follows from what was played over what link, where nobody says it.
  package init(of medium: RecordedMedium, on link: RecordedLink) {
    // An outage is a rate that carries hardly anything.
    let isOut = link.schedule.contains { $0.rate.bitsPerSecond <= 10_000 }
    switch medium.content {
    case .stream: self.init(isOut ? .outages : .streams)
    case .file(let size, _):
      let critical = link.schedule.map(\.rate).min().map {
        DataAmount($0, for: TimeSpan(nanoseconds: medium.duration.nanoseconds)) < DataAmount(size)
      }
      self.init(critical == true && !isOut ? .critical : .traces)
    }
  }

  package static func == (left: FidelityStandard, right: FidelityStandard) -> Bool {
    left.kind == right.kind && left.startup == right.startup && left.stallCount == right.stallCount
      && left.stallStart == right.stallStart && left.stallDuration == right.stallDuration
      && left.firstStallStart == right.firstStallStart && left.stalledPart == right.stalledPart
      && left.resume?.early == right.resume?.early && left.resume?.late == right.resume?.late
  }
}

extension FidelityStandard {
  /// Reads the class and the tolerances of a case.
  static func read(_ file: JSONValue) throws(RecordingProblem) -> FidelityStandard {
    let word = try file.required("class")
    guard let kind = Class(rawValue: try word.text()) else {
      throw word.problem("is not a class; the classes are A, B, C, T and X")
    }
    var standard = FidelityStandard(kind)
    guard let tolerance = file.member("tolerance") else { return standard }
    if let value = tolerance.member("startup_s") { standard.startup = try value.span() }
    if let value = tolerance.member("stall_count") { standard.stallCount = try value.whole() }
    if let value = tolerance.member("stall_start_s") { standard.stallStart = try value.span() }
    if let value = tolerance.member("stall_duration_s") {
      standard.stallDuration = try value.span()
    }
    if let value = tolerance.member("first_stall_start_s") {
      standard.firstStallStart = try value.span()
    }
    if let value = tolerance.member("stall_total_rel") {
      standard.stalledPart = try value.whole(times: 1_000_000)
    }
    if let value = tolerance.member("resume_s") {
      let parts = Array(value.elements)
      guard parts.count == 2 else { throw value.problem("is not a pair of times") }
      standard.resume = (try parts[0].span(), try parts[1].span())
    }
    return standard
  }
}
