import Autowait
import AutowaitScenario

/// What a player loaded of its streams and when, as its requests tell it.
struct StreamHistory {
  /// A variant of an item.
  struct ItemVariant: Hashable {
    let item: Int
    let variant: Int
  }

  /// A segment that has come.
  private struct ArrivedPiece {
    let arrived: Instant
    let start: MediaTime
    let end: MediaTime
    let choice: ItemVariant
  }

  /// The requests for segments of variants' own.
  private(set) var loads: [RequestStory] = []
  /// When a request went wrong.
  let errors: [Instant]
  private var pieces: [ArrivedPiece] = []
  /// The first item of the same asset, of each item: they share what was loaded.
  private let firstOfAsset: [Int]

  /// When a segment was given up.
  var givenUp: [Instant] { loads.filter { $0.outcome == .givenUp }.map { $0.end } }

  /// Creates the history of a player from its requests.
  private init(_ stories: [RequestStory], _ configuration: PlayerConfiguration) {
    let media = configuration.media
    let spans = configuration.spans
    firstOfAsset = media.indices.map { item in
      spans.firstIndex { $0.asset == spans[item].asset } ?? item
    }
    errors = stories.flatMap { $0.errors }.sorted()
    for story in stories {
      guard let choice = story.choice, case .segment(let list, let number) = story.request.resource,
        let streamMedia = media[choice.item].streamMedia,
        streamMedia.variants[choice.variant].list == list
      else { continue }
      loads.append(story)
      if !story.isMedia { continue }
      let segments = streamMedia.lists[list]
      pieces.append(
        ArrivedPiece(
          arrived: story.end, start: segments.start(of: number), end: segments.end(of: number),
          choice: ItemVariant(item: firstOfAsset[choice.item], variant: choice.variant)))
    }
    pieces.sort { $0.arrived < $1.arrived }
  }

  /// Returns the histories of all players of a run, from the requests of each.
  static func all(_ result: RunResult, _ stories: [[RequestStory]]) -> [StreamHistory] {
    zip(stories, result.scenario.world.players).map { StreamHistory($0, $1) }
  }

  /// Returns the variant of the media at a time, as it was loaded last before an instant.
  func variant(at time: MediaTime, of item: Int, before now: Instant) -> ItemVariant? {
    pieces.last {
      $0.arrived <= now && $0.choice.item == firstOfAsset[item] && $0.start <= time && time < $0.end
    }?.choice
  }
}

/// The variants of a player's streams as rungs, from the lowest rate up.
struct RungNames {
  private let scenario: Scenario
  private let player: Int
  private let streams: [StreamMedia?]
  /// Whether all streams are of one asset.
  private let isOneAsset: Bool

  init(_ scenario: Scenario, _ player: Int) {
    self.scenario = scenario
    self.player = player
    let configuration = scenario.world.players[player]
    let streams = configuration.media.map { $0.streamMedia }
    self.streams = streams
    let assets = streams.indices.filter { streams[$0] != nil }.map {
      configuration.spans.isEmpty ? $0 : configuration.spans[$0].asset
    }
    isOneAsset = Set(assets).count == 1
  }

  /// The most variants that an item has; 0 if there is no stream.
  var variantCountMax: Int { streams.map { $0?.variants.count ?? 0 }.max() ?? 0 }

  /// Returns the sign of a variant: 1 for the lowest rate of its item, a behind 9.
  func sign(_ choice: StreamHistory.ItemVariant) -> Character {
    let signs = Array("123456789abcdefghijklmnopqrstuvwxyz")
    let rung = rung(choice)
    return rung < signs.count ? signs[rung] : "+"
  }

  /// Returns how many variants of the item have a lower rate.
  func rung(_ choice: StreamHistory.ItemVariant) -> Int {
    guard let variants = streams[choice.item]?.variants else { return 0 }
    let own = variants[choice.variant].bandwidth
    return variants.indices.count {
      variants[$0].bandwidth < own || variants[$0].bandwidth == own && $0 < choice.variant
    }
  }

  /// Returns what people call a variant, with its picture and rate.
  func name(_ choice: StreamHistory.ItemVariant) -> String {
    let name = scenario.streamNames[player][choice.item]?.variants[choice.variant] ?? ""
    guard let variant = streams[choice.item]?.variants[choice.variant] else { return name }
    let rate = TimelineNumbers.text(variant.bandwidth)
    let figures = variant.resolution.map { "\($0.width)x\($0.height), \(rate)" } ?? rate
    let isOwnName = !name.isEmpty && !name.hasSuffix("bit/s")
    return isOwnName ? TerminalText.safe(name) + " (\(figures))" : figures
  }

  /// The names of all rungs from the lowest up, short enough to stand beside a lane; of several
  /// streams those of the one with the most rungs.
  var shortNames: [String] {
    let longest = streams.indices.max {
      (streams[$0]?.variants.count ?? 0) < (streams[$1]?.variants.count ?? 0)
    }
    guard let item = longest, let streamMedia = streams[item] else { return [] }
    let choices = streamMedia.variants.indices.map {
      StreamHistory.ItemVariant(item: item, variant: $0)
    }
    return choices.sorted { rung($0) < rung($1) }.map { choice in
      let variant = streamMedia.variants[choice.variant]
      let name = scenario.streamNames[player][item]?.variants[choice.variant] ?? ""
      if !name.isEmpty, !name.hasSuffix("bit/s") { return TerminalText.safe(name) }
      let rate = TerminalText.withoutTies(TimelineNumbers.text(variant.bandwidth))
      return variant.resolution.map { "\($0.height)p \(rate)" } ?? rate
    }
  }

  private func item(_ number: Int) -> String {
    scenario.name(ofItem: number, of: player) ?? "item \(number)"
  }

  /// Returns the name with that of the item before it, if there are several streams.
  func legend(_ choice: StreamHistory.ItemVariant) -> String {
    "\(sign(choice)): " + (isOneAsset ? "" : item(choice.item) + ", ") + name(choice)
  }
}
