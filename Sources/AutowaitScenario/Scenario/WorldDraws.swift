import Autowait

/// What of a world was drawn from its seed when it was read: enough to draw it under another one
/// without reading anything again.
///
/// An experiment meets one world under very many seeds; to read it for each would cost more than to
/// run it.
package struct WorldDraws: Hashable, Sendable {
  /// An item whose sizes are drawn.
  struct ItemDraws: Hashable, Sendable {
    let player: Int
    let number: Int
    let sizes: SizeDraws
  }

  var links: LinkDraws
  var items: [ItemDraws]

  /// Makes a world that of another seed; returns false if it has to be read again, since something
  /// is wrong with it under this seed.
  package func redraw(_ world: inout World, seed: UInt64) -> Bool {
    guard var draws = links.redraw(&world.links, seed: seed) else { return false }
    for item in items {
      draws += item.sizes.redraw(&world.players[item.player].media[item.number], seed: seed)
    }
    world.seed = seed
    world.draws = draws
    return true
  }
}

extension ScenarioReader {
  /// What of the world was drawn; nil if nothing was.
  func drawing(horizon: Instant) -> WorldDraws? {
    let links = links.drawing(until: horizon - .start)
    let items = items.enumerated().flatMap { player, items in
      items.enumerated().compactMap { number, item in
        item.sizes.map { WorldDraws.ItemDraws(player: player, number: number, sizes: $0) }
      }
    }
    return links.isEmpty && items.isEmpty ? nil : WorldDraws(links: links, items: items)
  }
}
