/// A key or a value as others call it: the Swift API, HTTP libraries, kernels and people.
///
/// No reader takes one; its error names the right word, and `autowait check --fix` writes it.
package struct OtherWord: Sendable {
  /// What it is called elsewhere; capital letters make no difference.
  package let other: String
  /// What it is called in files: the first that can stand where it was found.
  package let words: [String]

  private init(_ other: String, _ words: String...) {
    (self.other, self.words) = (other, words)
  }

  package static let all: [OtherWord] = keys + values

  private static let keys = [
    OtherWord("serverTime", "serverThink"), OtherWord("serverThink", "serverTime"),
    OtherWord("serverDelay", "serverThink", "serverTime"),
    OtherWord("serverLatency", "serverThink", "serverTime"),
    OtherWord("thinkTime", "serverThink", "serverTime"),
    OtherWord("congestionControl", "cc"), OtherWord("congestion", "cc"),
    OtherWord("isPaced", "paced"), OtherWord("pacing", "paced"),
    OtherWord("usesDNSLookup", "dnsLookup"), OtherWord("nameTimeout", "dnsTimeout"),
    OtherWord("connectTimeout", "synTimeout"), OtherWord("connectionTimeout", "synTimeout"),
    OtherWord("timeoutIntervalForRequest", "requestTimeout"),
    OtherWord("httpVersion", "http"), OtherWord("tlsVersion", "tls"),
    OtherWord("httpMaximumConnectionsPerHost", "connectionsPerHost"),
    OtherWord("maxConnectionsPerHost", "connectionsPerHost"),
    OtherWord("maxRetries", "retriesMax", "retries"),
    OtherWord("retryCount", "retriesMax", "retries"),
    OtherWord("slowStartsAfterIdle", "slowStartAfterIdle"),
    OtherWord("tcp_slow_start_after_idle", "slowStartAfterIdle"),
    OtherWord("minRTO", "retransmissionTimeoutMin"),
    OtherWord("rto_min", "retransmissionTimeoutMin"),
    OtherWord("initcwnd", "initialWindow"), OtherWord("mss", "segmentSize"),
    OtherWord("rwnd", "receiveWindow"), OtherWord("ackDelay", "acknowledgementDelay"),
    OtherWord("packetLoss", "loss"), OtherWord("plr", "loss"),
    OtherWord("reordering", "reorder"), OtherWord("keepsOrder", "keepOrder"),
    OtherWord("names", "dns"), OtherWord("nameResolution", "dns"),
    OtherWord("isExpensive", "expensiveNetwork"),
    OtherWord("waitsToMinimizeStalling", "automaticallyWaitsToMinimizeStalling"),
    OtherWord("atItemEnd", "actionAtItemEnd"),
    OtherWord("latency", "delay"), OtherWord("bandwidth", "rate"), OtherWord("type", "kind"),
  ]

  private static let values = [
    OtherWord("http1", "h1"), OtherWord("http1.1", "h1"), OtherWord("http/1.1", "h1"),
    OtherWord("http2", "h2"), OtherWord("http/2", "h2"), OtherWord("http3", "h3"),
    OtherWord("http/3", "h3"), OtherWord("quic", "h3"),
    OtherWord("tls12", "1.2"), OtherWord("tls1.2", "1.2"), OtherWord("tlsv1.2", "1.2"),
    OtherWord("tls13", "1.3"), OtherWord("tls1.3", "1.3"), OtherWord("tlsv1.3", "1.3"),
    OtherWord("zeroRoundTrip", "0rtt"), OtherWord("newReno", "reno"),
    OtherWord("stalled", "playbackStalled"), OtherWord("stalls", "stallCount"),
    OtherWord("rebuffers", "stallCount"), OtherWord("rebufferCount", "stallCount"),
    OtherWord("startup", "timeSpentInInitialStartup"),
    OtherWord("timeToFirstFrame", "timeSpentInInitialStartup"),
    OtherWord("startupTime", "timeSpentInInitialStartup"),
    OtherWord("startupDelay", "timeSpentInInitialStartup"),
    OtherWord("rebufferTime", "timeSpentRecoveringFromStall"),
    OtherWord("stallTime", "timeSpentRecoveringFromStall"),
    OtherWord("stallDuration", "timeSpentRecoveringFromStall"),
    OtherWord("averageBitrate", "timeWeightedAverageBitrate"),
    OtherWord("switches", "variantSwitchCount"), OtherWord("switchCount", "variantSwitchCount"),
  ]

  /// Returns the one of some words that another one stands for elsewhere.
  static func meant(by word: String, among candidates: [String]) -> String? {
    let lowered = word.lowercased()
    guard let row = all.first(where: { $0.other.lowercased() == lowered }) else { return nil }
    return row.words.first { candidates.contains($0) }
  }
}
