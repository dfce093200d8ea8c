import Autowait

/// What a direction of a link does to packets, a row for each property: what reads and writes
/// links, warns of them, and says what other formats cannot express follows from it.
struct PacketProperty: Sendable {
  /// The key, and where its value stands.
  let member: Member<LinkDirection>
  /// What a message calls it that says what a format has no place for; nil where ``LinkPart`` makes
  /// more than one part of it.
  let title: String?
  /// Whether it leaves to chance what becomes of packets; what is lost says so itself.
  let isChance: Bool

  private init(_ member: Member<LinkDirection>, title: String? = nil, isChance: Bool = false) {
    (self.member, self.title, self.isChance) = (member, title, isChance)
  }

  /// The rows, in the order in which they are read and written.
  static let all = [queue, loss, jitter, reorder, duplicate, overhead]

  static let queue = PacketProperty(
    Member(
      "queue", .queue, "how much may wait, the packet that is being sent included",
      { $0.queue }, { $0.queue = $1 }))
  static let loss = PacketProperty(
    Member(
      "loss", .loss, "which packets are lost before they reach the queue",
      { $0.loss }, { $0.loss = $1 }))
  static let jitter = PacketProperty(
    Member(
      "jitter", .nullable(.jitter), "how the delay varies",
      { $0.jitter }, { $0.jitter = $1 }), title: "jitter", isChance: true)
  static let reorder = PacketProperty(
    Member(
      "reorder", .nullable(.reordering), "which packets skip the delay",
      { $0.reorder }, { $0.reorder = $1 }), title: "reordering", isChance: true)
  static let duplicate = PacketProperty(
    Member(
      "duplicate", .probability, "the chance that a packet arrives twice",
      { $0.duplicate }, { $0.duplicate = $1 }), title: "duplicates", isChance: true)
  static let overhead = PacketProperty(
    Member(
      "overhead", "what the link carries besides the data",
      Record(
        "overhead", "an overhead", LinkDirection(),
        [
          // The least that IPv4 demands of a link (RFC 791), and the most that its length field
          // can say.
          Member(
            Key(
              "mtu", .size(in: ByteCount(bytes: 68)...ByteCount(bytes: 65_535)),
              "the largest IP packet"),
            { $0.mtu }, { $0.mtu = $1 }, isSpelled: true),
          Member(
            Key(
              "perPacket", .size(in: .zero...ByteCount(bytes: 65_535)),
              "what the link carries with each packet"),
            { $0.overheadPerPacket }, { $0.overheadPerPacket = $1 }, isSpelled: true),
        ])), title: "the overhead of packets")

  /// The keys.
  static let names = all.map { $0.member.row.name }

  /// Whether a direction has it.
  func isPart(of direction: LinkDirection) -> Bool { !member.isSame(direction, LinkDirection()) }
}
