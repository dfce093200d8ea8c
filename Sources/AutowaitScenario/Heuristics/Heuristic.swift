import Autowait

/// A rule by which a real player begins to play and goes on after a stall, with its numbers.
///
/// A heuristic is data: it only fills in a ``KeepUpPolicy``, and where it was measured how long the
/// player takes from there to its clock. Each is described in a sentence, with
/// the version and the file that its numbers were read from.
package struct Heuristic: Sendable {
  /// The name in scenarios.
  package let name: String
  /// What the player does, in a sentence with its numbers.
  package let summary: String
  /// The version whose source was read.
  package let version: String
  /// Where in that source the numbers stand.
  package let source: String
  /// What was measured of the player's latencies; nothing where nothing was.
  package private(set) var latency = LatencyPolicy()
  /// In which order the player was seen to load the tracks of a stream; that of AVPlayer where
  /// nobody looked.
  package private(set) var requestOrder = RequestOrder.furthestBehind
  /// How often a track that has enough was seen to look again; nil where nobody looked.
  package private(set) var requestInterval: TimeSpan?
  /// How long its clock runs on without a picture while there is sound.
  package private(set) var pictureGrace = TimeSpan.zero
  /// How long it waits for requests of a stream; nil for as long as target durations say.
  package private(set) var timeouts: RequestTimeouts?
  /// The numbers that a scenario may replace.
  package let parameters: [HeuristicParameter]
  private let fill: @Sendable (HeuristicValues, inout KeepUpPolicy) -> Void

  /// Creates a heuristic from a function that fills in a policy by the values of its parameters.
  init(
    _ name: String, _ summary: String, from origin: (version: String, source: String),
    _ parameters: [HeuristicParameter] = [],
    _ fill: @escaping @Sendable (HeuristicValues, inout KeepUpPolicy) -> Void
  ) {
    self.name = name
    self.summary = summary
    (version, source) = origin
    self.parameters = parameters
    self.fill = fill
  }

  /// Returns the policy of the heuristic; values that are given replace those of its parameters.
  ///
  /// What is given under other names than those of parameters is not looked at.
  package func policy(_ given: [HeuristicValue] = []) -> KeepUpPolicy {
    var policy = KeepUpPolicy()
    fill(HeuristicValues(parameters, given), &policy)
    policy.requestOrder = requestOrder
    policy.requestInterval = requestInterval
    policy.pictureGrace = pictureGrace
    policy.timeouts = timeouts
    return policy
  }

  /// The heuristic of a player in Chromium, of which was measured how long it takes from what it
  /// waits for to its clock at the start.
  ///
  /// After stalls that took 0.018 to 0.037 s of all of them; the middle stands for each.
  func measured(preroll: Int64, resume: Int64 = 28) -> Heuristic {
    var heuristic = self
    heuristic.latency.preroll = .milliseconds(preroll)
    heuristic.latency.resume = .milliseconds(resume)
    return heuristic
  }

  /// The heuristic of a player of which was recorded what it asks for, and when.
  func loading(_ order: RequestOrder, every interval: TimeSpan? = nil) -> Heuristic {
    var heuristic = self
    heuristic.requestOrder = order
    heuristic.requestInterval = interval
    return heuristic
  }

  /// The heuristic of a player of which it is known how long it waits for requests of a stream.
  func waiting(_ timeouts: RequestTimeouts) -> Heuristic {
    var heuristic = self
    heuristic.timeouts = timeouts
    return heuristic
  }

  /// The heuristic of a player in Chromium whose sound may be ahead of its picture: the element
  /// plays on for three seconds without one (`media/renderers/renderer_impl.cc`).
  var inChromium: Heuristic {
    var heuristic = self
    heuristic.pictureGrace = .seconds(3)
    return heuristic
  }

  /// Returns the heuristic of a name; nil if there is none.
  package static func named(_ name: String) -> Heuristic? {
    all.first { $0.name == name }
  }
}

/// A number of a heuristic that a scenario may replace.
package struct HeuristicParameter: Hashable, Sendable {
  /// What kind of number a parameter is.
  package enum Kind: Hashable, Sendable {
    /// A time in nanoseconds, above zero.
    case time
    /// A time in nanoseconds, above zero, or nothing.
    case optionalTime
    /// An amount of data in bytes.
    case size
    /// An amount of data in bytes, above zero, or nothing.
    case optionalSize
    /// A part of natural speed, in millionths.
    case ratio
  }

  /// The key in scenarios.
  package let name: String
  /// What the number does.
  package let about: String
  /// What kind of number it is.
  package let kind: Kind
  /// The player's own value; nil for none.
  package let value: Int64?

  /// Creates a parameter.
  init(_ name: String, _ kind: Kind, _ value: Int64?, _ about: String) {
    self.name = name
    self.kind = kind
    self.value = value
    self.about = about
  }
}

/// The value that somebody gives to a parameter.
package struct HeuristicValue: Hashable, Sendable {
  /// The parameter's name.
  package let name: String
  /// The value in the smallest units; nil for none.
  package let value: Int64?

  /// Creates a value.
  package init(_ name: String, _ value: Int64?) {
    self.name = name
    self.value = value
  }
}

/// The values of all parameters of a heuristic.
struct HeuristicValues {
  private let parameters: [HeuristicParameter]
  private let given: [HeuristicValue]

  init(_ parameters: [HeuristicParameter], _ given: [HeuristicValue]) {
    self.parameters = parameters
    self.given = given
  }

  /// The value of a parameter; nil for none.
  subscript(optional name: String) -> Int64? {
    if let value = given.last(where: { $0.name == name }) { return value.value }
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      preconditionFailure("a heuristic has no parameter '\(name)'")
    }
    return parameter.value
  }

  /// Whether the heuristic has a parameter.
  func contains(_ name: String) -> Bool { parameters.contains { $0.name == name } }

  /// The value of a parameter that has one; zero if it was taken away.
  subscript(_ name: String) -> Int64 { self[optional: name] ?? 0 }
}
