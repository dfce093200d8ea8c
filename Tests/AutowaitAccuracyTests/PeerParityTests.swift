import AutowaitAccuracy
import Testing

/// The reference sessions of Sabre and Pensieve, decided again by the rules themselves.
@Suite struct PeerParityTests {
  @Test(arguments: OracleFolder.files("sabre") + OracleFolder.files("pensieve"))
  func sessionsAreDecidedAlike(_ path: String) throws {
    let folder = try #require(OracleFolder.url)
    let oracles = OracleFolder.oracles(folder)
    let parity = try PeerReader(oracles).parity(path, oracles)
    #expect(parity.isInside, "\(parity)")
    // Their sums are made in the same order: a nanosecond is more than they may differ by.
    let furthest = max(parity.startup, parity.stalled, parity.total, parity.request)
    #expect(furthest <= 1e-6, "\(parity)")
  }

  @Test(.enabled(if: OracleFolder.url != nil)) func rulesDecideAllOfSabre() throws {
    let folder = try #require(OracleFolder.url)
    let oracles = OracleFolder.oracles(folder)
    let reader = PeerReader(oracles)
    #expect(try OracleFolder.files("sabre").allSatisfy { try reader.parity($0, oracles).isDecided })
    #expect(
      try OracleFolder.files("pensieve").count { try reader.parity($0, oracles).isDecided } >= 8)
  }
}
