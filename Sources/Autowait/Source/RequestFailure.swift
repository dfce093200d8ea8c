/// Why a request brought nothing, or not all.
enum RequestFailure: Hashable, Sendable {
  /// What the scenario says went wrong, or what the network made of it.
  case fault(Fault.Outcome)
  /// A segment was not there in time.
  case late
  /// A live playlist stayed the same for too long.
  case stale
  /// The connection was lost on the way.
  case connectionLost
  /// The device knew that it had no network.
  case offline

  /// Whether another variant might fare better.
  var isOfVariant: Bool {
    switch self {
    case .fault(.nameNotResolved), .connectionLost, .offline: false
    case .fault, .late, .stale: true
    }
  }

  /// Whether it would be the same again: what a server refuses, but not what it cannot do now.
  var isLasting: Bool {
    switch self {
    case .fault(.status(let status)): status < 500 && status != 408 && status != 429
    case .fault(.wrongKey): true
    case .fault(.noResponse), .fault(.nameNotResolved), .fault(.redirect): false
    case .late, .stale, .connectionLost, .offline: false
    }
  }

  /// Whether a server says that it has gone for good: it is never asked for again (WWDC17 514).
  var isGone: Bool { self == .fault(.status(410)) }

  /// Whether its time ran out.
  var isTimeout: Bool { self == .late || self == .fault(.noResponse) }

  /// Whether a server has answered.
  var isAnswer: Bool {
    switch self {
    case .fault(.status), .fault(.redirect), .fault(.wrongKey), .stale: true
    case .fault(.noResponse), .fault(.nameNotResolved), .late, .connectionLost, .offline: false
    }
  }

  /// The code in the error log.
  ///
  /// Observed: −16830 "Media file not received in N s" (WWDC18 502), −12888 for a live playlist
  /// that does not change (forum thread 830888); −1005 and −1009 are those of `NSURLError`.
  var errorCode: Int32 {
    switch self {
    case .fault(let outcome): outcome.errorCode
    case .late: -16_830
    case .stale: -12_888
    case .connectionLost: -1_005
    case .offline: -1_009
    }
  }

  /// The code that tells that no variant is left.
  ///
  /// Observed: −12880 "Can not proceed after removing variants".
  static let lastVariantCode: Int32 = -12_880
}
