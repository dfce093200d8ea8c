import AutowaitAccuracy
import Testing

/// The reference sessions of Sabre and Pensieve, replayed request by request.
@Suite struct ParityTests {
  @Test(arguments: OracleFolder.files("sabre") + OracleFolder.files("pensieve"))
  func sessionsComeOutAlike(_ path: String) throws {
    let folder = try #require(OracleFolder.url)
    let reader = ParityReader(OracleFolder.oracles(folder))
    let session = try path.hasPrefix("sabre") ? reader.sabre(path) : reader.pensieve(path)
    let result = session.replay()
    #expect(result.isInside, "\(result)")
  }

  /// Where nothing but the link decides, the player of streams comes to the same microsecond.
  @Test(arguments: OracleFolder.files("sabre"))
  func streamsComeOutAlike(_ path: String) throws {
    let folder = try #require(OracleFolder.url)
    let session = try ParityReader(OracleFolder.oracles(folder)).sabre(path)
    if session.streamObstacle != nil { return }
    let result = session.streamed()
    let furthest = max(result.request, result.startup, result.stalled, result.total)
    #expect(furthest <= 0.001, "\(result)")
    #expect(result.stalls == 0, "\(result)")
  }

  @Test(.enabled(if: OracleFolder.url != nil)) func manySessionsAreStreams() throws {
    let folder = try #require(OracleFolder.url)
    let reader = ParityReader(OracleFolder.oracles(folder))
    let streams = try OracleFolder.files("sabre").count {
      try reader.sabre($0).streamObstacle == nil
    }
    #expect(streams >= 5)
  }
}
