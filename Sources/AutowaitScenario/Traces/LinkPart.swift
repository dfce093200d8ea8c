import Autowait

/// What a link may have that a format may have no place for.
struct LinkPart: Hashable, Sendable {
  /// What a message calls it.
  let name: String
  /// Whether a link has it.
  let isPart: @Sendable (ConvertedLink) -> Bool
  /// What tells it from another part of the same name.
  private let mark: String

  private init(
    _ name: String, _ mark: String = "", _ isPart: @escaping @Sendable (ConvertedLink) -> Bool
  ) {
    (self.name, self.mark, self.isPart) = (name, mark, isPart)
  }

  private init(
    _ name: String, ofDirection isPart: @escaping @Sendable (LinkDirection) -> Bool
  ) {
    self.init(name) { isPart($0.profile.down) || isPart($0.profile.up) }
  }

  /// What is done to packets, by its row.
  private init(_ property: PacketProperty) {
    self.init(property.title ?? property.member.row.name, ofDirection: { property.isPart(of: $0) })
  }

  static func == (one: LinkPart, other: LinkPart) -> Bool {
    one.name == other.name && one.mark == other.mark
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(mark)
  }

  /// The parts, in the order of messages.
  static let all: [LinkPart] =
    [delays, upwardRate, losses, bursts, givenLosses, queue, queueOfDummynet]
    + PacketProperty.all.filter { $0.title != nil }.map { LinkPart($0) }
    + [names, blackouts, offline, handovers, handoversAsRead, outages, hosts]
    + [transport, idealTransport]

  static let delays = LinkPart(
    "delays",
    ofDirection: {
      $0.track.samples.contains { $0.delay > .zero }
    })
  static let upwardRate = LinkPart("the upward rate") {
    $0.profile.up.track.samples.contains { $0.rate != .unlimited }
  }
  static let losses = LinkPart(
    "losses",
    ofDirection: {
      $0.loss != .none || $0.track.samples.contains { $0.loss != nil }
    })
  static let bursts = LinkPart(
    "losses that depend on each other", ofDirection: { $0.hasMemory })
  static let givenLosses = LinkPart(
    "losses of given packets", ofDirection: { $0.hasMemory && !$0.hasBursts })
  static let queue = LinkPart("the queue") { $0.hasQueue && !$0.hasQueuesOfDummynet }
  /// The queue that dummynet has by default is not spelled where dummynet is meant.
  static let queueOfDummynet = LinkPart("the queue", "dummynet") {
    $0.hasQueue && $0.hasQueuesOfDummynet
  }
  static let jitter = LinkPart(PacketProperty.jitter)
  static let reordering = LinkPart(PacketProperty.reorder)
  static let duplicates = LinkPart(PacketProperty.duplicate)
  static let overhead = LinkPart(PacketProperty.overhead)
  static let names = LinkPart("the delay of names") { $0.profile.names.delay > .zero }
  static let blackouts = LinkPart("blackouts") {
    $0.profile.events.contains { !$0.isHandover && !$0.isOffline }
  }
  static let offline = LinkPart("times offline") { $0.profile.events.contains { $0.isOffline } }
  /// Handovers to other links, and those that are still there as they were read.
  static let handovers = LinkPart("handovers") { $0.own.events == nil && $0.hasHandovers }
  static let handoversAsRead = LinkPart("handovers", "as read") {
    $0.own.events != nil && $0.hasHandovers
  }
  static let outages = LinkPart("outages") { $0.own.outage != nil }
  static let hosts = LinkPart("the links of hosts") { $0.own.hosts != nil }
  /// The transport; what Sabre's and Pensieve's simulators do is ideal.
  static let transport = LinkPart("the transport") {
    $0.own.transport.map { $0 != .ideal } ?? false
  }
  static let idealTransport = LinkPart("the transport", "ideal") { $0.own.transport == .ideal }

  /// Returns what of a link has no place among some parts, as a message names it.
  static func lost(of link: ConvertedLink, among parts: Set<LinkPart>) -> [String] {
    var lost = all.filter { !parts.contains($0) && $0.isPart(link) }
    // The smallest of them is named that says all: losses, those with a memory, given ones.
    if !parts.contains(.losses) { lost.removeAll { $0 == .bursts } }
    if !parts.contains(.bursts) { lost.removeAll { $0 == .givenLosses } }
    return lost.map { $0.name }
  }
}

extension ConvertedLink {
  fileprivate var hasHandovers: Bool { profile.events.contains { $0.isHandover } }

  /// The queues that are not left to the simulator.
  private var queues: [LinkQueue] {
    [profile.down.queue, profile.up.queue].filter { $0 != .automatic }
  }

  fileprivate var hasQueue: Bool { !queues.isEmpty }
  fileprivate var hasQueuesOfDummynet: Bool {
    queues.allSatisfy { $0 == .packets(ConditionerFormat.queuePackets) }
  }
}
