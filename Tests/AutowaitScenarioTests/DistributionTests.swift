import AutowaitScenario
import Testing

/// Times that fall into two groups are told from those that just differ.
@Suite struct DistributionTests {
  private func modes(_ values: [Int64]) throws -> [Int64] {
    let found = try #require(DownloadForecast.Distribution(values)).modes
    return found.map { [$0.lower, $0.upper] } ?? []
  }

  @Test func twoGroupsAreFound() throws {
    let early = (0..<12).map { 1_000 + Int64($0) }
    let late = (0..<8).map { 1_500 + Int64($0) }
    #expect(try modes(late + early) == [1_005, 1_503])
  }

  /// The gap is a twentieth of the median or more.
  @Test(arguments: [(Int64(49), false), (50, true), (51, true)])
  func groupsAreFarApart(_ gap: Int64, _ isFound: Bool) throws {
    let values = Array(repeating: Int64(1_000), count: 10)
    #expect(try modes(values + values.map { $0 + gap }).isEmpty == !isFound)
  }

  /// A tenth of the times or more are in each group.
  @Test(arguments: [(1, false), (2, true), (3, true)])
  func groupsAreNotSingleTimes(_ count: Int, _ isFound: Bool) throws {
    let values = Array(repeating: Int64(1_000), count: 20 - count)
    #expect(try modes(values + Array(repeating: 2_000, count: count)).isEmpty == !isFound)
  }

  /// Times that are spread evenly have no groups, and few have none either.
  @Test func otherTimesAreNone() throws {
    #expect(try modes((0..<100).map { 1_000 + 10 * $0 }).isEmpty)
    #expect(try modes([1, 1, 1, 1, 1, 9, 9, 9, 9]).isEmpty)
  }
}
