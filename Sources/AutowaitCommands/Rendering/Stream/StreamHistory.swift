import Autowait
import AutowaitScenario

/// What a player loaded of its streams and when, as its records tell it.
struct StreamHistory {
  /// A stretch of time in which something was the case of a variant of an item.
  struct VariantStretch {
    var start: Instant
    var end: Instant
    let choice: ItemVariant
  }

  /// A variant of an item.
  struct ItemVariant: Hashable {
    let item: Int
    let variant: Int
  }

  /// A segment that has come.
  private struct ArrivedPiece {
    let transfer: Int
    let arrived: Instant
    let start: MediaTime
    let end: MediaTime
    let choice: ItemVariant
  }

  /// A segment that is being asked for.
  private struct PendingRequest {
    let list: Int
    let segment: Int
    let size: ByteCount
    let place: Int
    let choice: ItemVariant
  }

  /// When which variant's own segments were being loaded.
  private(set) var loads: [VariantStretch] = []
  /// When a request went wrong.
  private(set) var errors: [Instant] = []
  /// When a segment was given up.
  private(set) var givenUp: [Instant] = []
  private var pieces: [ArrivedPiece] = []
  private var requests: [Int: PendingRequest] = [:]
  private var item: Int?
  private var variant: Int?
  private let media: [Media]

  private init(_ media: [Media]) { self.media = media }

  /// Returns the histories of all players of a run.
  static func all(_ result: RunResult) -> [StreamHistory] {
    var histories = result.scenario.world.players.map { StreamHistory($0.media) }
    if histories.allSatisfy({ $0.media.allSatisfy { $0.streamMedia == nil } }) { return histories }
    for record in result.records {
      if let player = record.player { histories[player].take(record) }
    }
    for player in histories.indices { histories[player].close(at: result.end) }
    return histories
  }

  private mutating func take(_ record: EventRecord) {
    switch record.event {
    case .currentItem(let new):
      item = new
      variant = nil
    case .variantSwitchStart(_, let new): variant = new
    case .segmentRequest(let transfer, let size, let list, let segment?):
      guard let item, let variant, let streamMedia = media[item].streamMedia,
        streamMedia.variants[variant].list == Int(list)
      else { return }
      let choice = ItemVariant(item: item, variant: variant)
      requests[transfer] = PendingRequest(
        list: Int(list), segment: Int(segment), size: size, place: loads.count,
        choice: choice)
      loads.append(VariantStretch(start: record.instant, end: .never, choice: choice))
    case .mediaRequestCompleted(let transfer, let bytes):
      // A response that names another place is shorter.
      guard let request = end(transfer, at: record.instant), bytes >= request.size,
        let list = media[request.choice.item].streamMedia?.lists[request.list]
      else { return }
      pieces.append(
        ArrivedPiece(
          transfer: transfer, arrived: record.instant, start: list.start(of: request.segment),
          end: list.end(of: request.segment), choice: request.choice))
    case .segmentDiscarded(let transfer): pieces.removeAll { $0.transfer == transfer }
    case .mediaRequestFailed(let transfer, _, _): _ = end(transfer, at: record.instant)
    case .mediaRequestCancelled(let transfer, _):
      if end(transfer, at: record.instant) != nil { givenUp.append(record.instant) }
    case .newErrorLogEntry(let transfer, _):
      errors.append(record.instant)
      // What was answered with an error has brought nothing.
      if pieces.last?.transfer == transfer { pieces.removeLast() }
      if givenUp.last == record.instant { givenUp.removeLast() }
    default: break
    }
  }

  private mutating func end(_ transfer: Int, at now: Instant) -> PendingRequest? {
    guard let request = requests.removeValue(forKey: transfer) else { return nil }
    loads[request.place].end = now
    return request
  }

  private mutating func close(at end: Instant) {
    for place in loads.indices where loads[place].end == .never { loads[place].end = end }
  }

  /// Returns the variant of the media at a time, as it was loaded last before an instant.
  func variant(at time: MediaTime, of item: Int, before now: Instant) -> ItemVariant? {
    pieces.last {
      $0.arrived <= now && $0.choice.item == item && $0.start <= time && time < $0.end
    }?.choice
  }
}

/// The variants of a player's streams as rungs, from the lowest rate up.
struct RungNames {
  private let scenario: Scenario
  private let player: Int
  private let streams: [StreamMedia?]

  init(_ scenario: Scenario, _ player: Int) {
    self.scenario = scenario
    self.player = player
    streams = scenario.world.players[player].media.map(\.streamMedia)
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

  /// Returns the name with that of the item before it, if there are several streams.
  func legend(_ choice: StreamHistory.ItemVariant) -> String {
    let isOne = streams.count { $0 != nil } == 1
    return "\(sign(choice)): " + (isOne ? "" : "item \(choice.item), ") + name(choice)
  }
}
