import Autowait
import AutowaitScenario

/// Draws scenarios with every key that a scenario may have.
///
/// Worlds are small: a few players, some dozens of seconds, a few hundred events. Half of all times
/// are multiples of half a second, because that is where several things happen at one instant. What
/// is drawn is nearly always valid; the reader has the last word.
struct WorldDraw {
  private var stream: RandomStream
  /// What is drawn apart: keys that came later, so that a number stays that of the same world.
  private var apart: RandomStream
  /// What is drawn of names and sizes, which change no run.
  private var names: RandomStream
  private let seed: UInt64
  let shape: WorldShape
  var kind = DrawnWorld.Kind()
  private(set) var files: [(path: String, text: String)] = []
  /// The players that were drawn so far.
  var players: [PlayerDraft] = []
  /// The hosts that have links of their own.
  var hosts: [String] = []
  /// The names of links that later links can go back to.
  var linkNames: [String] = []

  /// What steps and expectations must know of a player.
  struct PlayerDraft {
    var name: String?
    var contract = 26
    var itemCount = 1
    var hasStream = false
    var hasQueue = false
    var loops = false
  }

  init(_ seed: UInt64, of shape: WorldShape, attempt: Int) {
    self.seed = seed
    self.shape = shape
    stream = RandomStream(
      seed: seed &* 64 &+ UInt64(attempt), component: "worlds", purpose: "scenario")
    apart = RandomStream(
      seed: seed &* 64 &+ UInt64(attempt), component: "worlds", purpose: "apart")
    names = RandomStream(
      seed: seed &* 64 &+ UInt64(attempt), component: "worlds", purpose: "names")
    // The shares are kept by the number: more than half ideal, a quarter fluid, the rest packets.
    let tiers: [LinkTier] = [
      .ideal, .fluid, .ideal, .packet, .ideal, .fluid, .ideal, .ideal, .fluid, .packet, .ideal,
      .ideal, .fluid, .ideal, .ideal, .fluid, .packet, .ideal, .ideal, .ideal,
    ]
    kind.tier = shape.tier ?? tiers[Int(seed % 20)]
    kind.isLive = shape.item.map { $0 == .live } ?? ((seed / 20) % 5 < 1)
    kind.hasUnlikePlayers = shape.isAlone.map { !$0 } ?? ((seed / 100) % 2 == 0)
  }

  mutating func scenario() -> Draft {
    var world: Draft = ["autowait": 1]
    if chance(1, 20) { world["$schema"] = "autowait-1.schema.json" }
    if chance(1, 10) { world["name"] = .string("world \(seed)") }
    if chance(1, 20) { world["about"] = "Drawn." }
    if chance(3, 4) { world["seed"] = Draft(number(0, 9)) }
    world["link"] = links()
    if let transport = transport() { world["transport"] = transport }
    if kind.tier == .packet || chance(1, 12), chance(1, 3) { world["traffic"] = traffic() }
    drawPlayers(into: &world)
    var steps = script()
    if apart({ $0.chance(1, 6) }) {
      steps += apart { $0.reactions(hasTraffic: world["traffic"] != nil) }
    }
    world["script"] = .array(steps)
    if chance(1, 3) { world["expect"] = .array(some(1, 4) { $0.expectation() }) }
    // Packets cost: such worlds are shorter.
    world["until"] =
      shape.isLong ? "2000 s" : time(least: 5_000, most: kind.tier == .packet ? 25_000 : 90_000)
    world["eventsMax"] = 20_000
    apart {
      $0.latencies(into: &world)
      $0.tracks(into: &world)
      $0.requestOrders(into: &world)
      if $0.chance(1, 20) { world["tags"] = .array(["drawn"]) }
      if $0.chance(1, 20) { world["xfail"] = "Drawn." }
      $0.changes(to: &world)
      $0.openings(into: &world)
      $0.timeouts(into: &world)
    }
    return world
  }

  private mutating func drawPlayers(into world: inout Draft) {
    let count = kind.hasUnlikePlayers ? Int(number(2, 3)) : 1
    let sharesMedia = count > 1 && chance(1, 4)
    if count == 1 || sharesMedia {
      let (media, itemCount, hasStream) = mediaList(isLive: kind.isLive)
      world["media"] = media
      players = [PlayerDraft(itemCount: itemCount, hasStream: hasStream)]
    }
    let isAsked = shape.rule.map { $0 != .builtIn } ?? false
    if chance(2, 3) || count == 1 || isAsked {
      world["heuristic"] = chance(1, 3) && !isAsked ? nil : heuristic()
    }
    if count == 1 {
      if chance(2, 3) { world["player"] = player(0) }
      return
    }
    let shared = players.first
    var drafts: [Draft] = []
    players = []
    for index in 0..<count {
      var known = shared ?? PlayerDraft()
      var media: Draft?
      if !sharesMedia {
        let (list, itemCount, hasStream) = mediaList(isLive: kind.isLive && index == 0)
        media = list
        known = PlayerDraft(itemCount: itemCount, hasStream: hasStream)
      }
      known.name = ["a", "b", "c"][index]
      players.append(known)
      var draft: Draft = ["name": .string(["a", "b", "c"][index])]
      if let media { draft["media"] = media }
      if chance(1, 2) { draft["heuristic"] = heuristic() }
      if case .object(let members) = player(index) {
        for member in members { draft[member.key] = member.value }
      }
      drafts.append(draft)
    }
    world["players"] = .array(drafts)
  }
}

// MARK: - Numbers

extension WorldDraw {
  /// Adds a file; of several at one path the first stays, as on a disk there is only one.
  mutating func add(_ text: String, at path: String) {
    if !files.contains(where: { $0.path == path }) { files.append((path: path, text: text)) }
  }

  mutating func number(_ least: Int64, _ most: Int64) -> Int64 {
    least + Int64(stream.next(below: UInt64(most - least) + 1))
  }

  mutating func chance(_ wins: UInt64, _ of: UInt64) -> Bool {
    stream.next(below: of) < wins
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(stream.next(below: UInt64(elements.count)))]
  }

  mutating func flag() -> Draft { Draft(chance(1, 2)) }

  /// Draws a name or the like, which takes nothing from what is drawn next, nor from what is apart.
  mutating func named<Outcome>(_ draw: (inout WorldDraw) -> Outcome) -> Outcome {
    swap(&stream, &names)
    defer { swap(&stream, &names) }
    return draw(&self)
  }

  /// Draws something that takes nothing from what is drawn next.
  mutating func apart<Outcome>(_ draw: (inout WorldDraw) -> Outcome) -> Outcome {
    swap(&stream, &apart)
    defer { swap(&stream, &apart) }
    return draw(&self)
  }

  /// Draws some of something.
  mutating func some<Element>(
    _ least: Int64, _ most: Int64, _ draw: (inout WorldDraw) -> Element
  ) -> [Element] {
    (0..<number(least, most)).map { _ in draw(&self) }
  }

  /// Nanoseconds within bounds in milliseconds; half of them are multiples of half a second.
  mutating func nanoseconds(least: Int64 = 0, most: Int64) -> Int64 {
    if chance(1, 2), most >= 500 {
      return 500_000_000 * number((least + 499) / 500, max((least + 499) / 500, most / 500))
    }
    return chance(1, 2)
      ? 1_000_000 * number(least, most) : number(least * 1_000_000, most * 1_000_000)
  }

  /// A time within bounds in milliseconds.
  mutating func time(least: Int64 = 0, most: Int64) -> Draft {
    Self.time(nanoseconds(least: least, most: most))
  }

  /// A time as people would write it.
  static func time(_ nanoseconds: Int64) -> Draft {
    if nanoseconds % 1_000_000_000 == 0 { return .string("\(nanoseconds / 1_000_000_000) s") }
    if nanoseconds % 1_000_000 == 0 { return .string("\(nanoseconds / 1_000_000) ms") }
    return .string("\(nanoseconds) ns")
  }

  /// A rate within bounds in kbit/s; half of them are whole multiples of 100.
  mutating func rate(_ least: Int64, _ most: Int64) -> Draft {
    if chance(1, 2), most >= 100 {
      return .string("\(100 * number((least + 99) / 100, most / 100)) kbit/s")
    }
    return .string("\(number(least * 1_000, most * 1_000)) bit/s")
  }

  /// A number of bytes up to a bound; a quarter of them are none.
  mutating func size(upTo most: Int64) -> Draft { Draft(chance(1, 4) ? 0 : number(1, most)) }

  /// A chance up to a bound in per cent.
  mutating func probability(upTo percent: Int64) -> Draft {
    .string("\(number(0, percent * 10) / 10) %")
  }

  mutating func playbackRate() -> Draft {
    .plain(
      pick([
        "1", "1", "1", "2", "0.5", "1.5", "3", "0.999983", "64", "-1", "-2", "-0.300001", "0",
      ]))
  }
}
