/// How a sender that paces spreads its packets over the round trip; both tiers read it.
///
/// Source: `tcp_update_pacing_rate` and `tcp_tso_autosize` of Linux; measured.
enum Pacing {
  /// The first packets of a connection are not paced.
  static let unpacedPackets = 10

  /// Returns the percentage of a window that goes in a round trip.
  @inline(__always)
  static func percent(window: Int64, threshold: Int64) -> UInt64 {
    window < threshold / 2 ? 200 : 120
  }

  /// Returns how many packets leave together at a rate in bytes per second: a millisecond's worth.
  @inline(__always)
  static func burst(rate: UInt64, roundTripMin: Int64, segmentBytes: Int) -> Int {
    assert(segmentBytes > 0, "packets carry \(segmentBytes) bytes")
    var bytes = Int(min(rate >> 10, 1 << 24))
    // Short paths may have larger bursts: 64 kB, halved for each half of a millisecond.
    if roundTripMin != .max {
      let halvings = roundTripMin / 512_000
      if halvings < 16 { bytes += 65_536 >> Int(halvings) }
    }
    return max(2, min(44, bytes / segmentBytes))
  }
}
