/// A full packet on the way down of a link, and how much of what it is a part of may be where.
///
/// It is worked out once for a link: most of what the fluid tier reckons is in such packets.
struct FluidPacket: Sendable {
  /// The data in it, in bytes.
  let segment: Int64
  /// What of the data is a body's: records take a little of it.
  let payload: Int64
  /// What the link carries besides the data.
  let header: Int64
  /// All that the link carries of it.
  let size: DataAmount
  /// What fits before the link.
  let queue: DataAmount
  /// What fits before the link on the way up.
  let upQueue: DataAmount
  /// The most that a receiver lets be in flight.
  let receiveWindow: DataAmount
  /// What a receive window has room for beyond full packets.
  let receiveSpare: DataAmount

  private static let unlimited = DataAmount(nanobits: UInt128(1) << 100)

  /// Works out the packets of a link.
  init(_ link: LinkProfile, _ policy: TransportPolicy) {
    segment = policy.segmentBytes(on: link.down)
    header = policy.packetOverhead + link.down.overheadPerPacket.bytes
    let size = DataAmount(ByteCount(bytes: segment + header))
    self.size = size
    let record = TLSRecord.bytes + TLSRecord.overhead
    payload =
      policy.hasRecords ? max(1, (segment * TLSRecord.bytes + record / 2) / record) : segment
    queue =
      switch QueueLimit.limit(of: link.down, back: link.up) {
      case .packets(let count): size.times(count)
      case .bytes(let bytes): DataAmount(bytes)
      case .none: Self.unlimited
      }
    upQueue =
      switch QueueLimit.limit(of: link.up, back: link.down) {
      case .packets(let count): DataAmount(link.up.fullPacket).times(count)
      case .bytes(let bytes): DataAmount(bytes)
      case .none: Self.unlimited
      }
    assert(segment > 0 && payload > 0, "packets of \(segment) bytes with \(payload) of a body")
    assert(payload <= segment, "\(payload) bytes of a body in a packet of \(segment)")
    if let received = policy.receiveLimit {
      receiveWindow = size.times(max(1, received / segment))
      let spare = received < segment ? 0 : received % segment
      receiveSpare = DataAmount(
        nanobits: size.nanobits * UInt128(UInt64(spare)) / UInt128(UInt64(segment)))
    } else {
      receiveWindow = Self.unlimited
      receiveSpare = .zero
    }
    assert(receiveWindow >= size, "a receiver that takes no packet")
  }

  /// Returns how many packets an amount fills, the last one perhaps in part.
  func count(in amount: DataAmount) -> Int64 {
    Int64(clamping: (amount.nanobits + size.nanobits - 1) / size.nanobits)
  }

  /// Returns what the link carries for an amount of a body in full packets, rounded up.
  func carried(for data: DataAmount) -> DataAmount {
    let (all, piece) = (UInt128(UInt64(segment + header)), UInt128(UInt64(payload)))
    let carried = DataAmount(nanobits: (data.nanobits * all + piece - 1) / piece)
    assert(carried >= data, "a link that carries less than it is given")
    return carried
  }
}

extension DataAmount {
  /// Returns so many of this amount.
  func times(_ count: Int64) -> DataAmount {
    DataAmount(nanobits: nanobits * UInt128(UInt64(count)))
  }
}
