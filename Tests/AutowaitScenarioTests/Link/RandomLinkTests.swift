import Autowait
import AutowaitScenario
import AutowaitWorlds
import Testing

/// Whatever a link says is read, and read again from the header of a log as the same.
///
/// The links are those of the net.
@Suite struct RandomLinkTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func isReadAgainAsTheSame(_ seed: UInt64) throws {
    let shape = WorldShape(seed % 2 == 0 ? .fluid : .packet, rule: .builtIn)
    let (world, first, _) = DrawnWorld.valid(seed, of: shape)
    let name: Comment = "world \(seed):\n\(world.draft["link"]?.text ?? "")"
    let (again, more) = ScenarioReader.read(
      SourceText(path: "world.json", bytes: first.resolved), loader: world.loader, lints: false)
    #expect(!more.contains { $0.severity == .error }, name)
    let second = try #require(again, name)
    #expect(second.world.links == first.world.links, name)
    #expect(second.world.draws == first.world.draws, name)
    #expect(second.linkNames == first.linkNames, name)
    #expect(second.resolved == first.resolved, name)
    for link in first.world.links { expectInOrder(link, name) }
  }

  /// Events ascend, blackouts do not overlap, and handovers lead to links that are there.
  private func expectInOrder(_ link: LinkProfile, _ name: Comment) {
    var last = TimeSpan.zero
    for event in link.events {
      #expect(event.start >= last, name)
      last = event.start
      if case .blackout(let length, _) = event.kind { last = event.start + length }
    }
  }
}
