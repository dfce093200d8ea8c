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
}
