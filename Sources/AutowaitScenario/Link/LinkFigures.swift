import Autowait

/// What follows from the numbers of a link: the figures by which it is judged before any run.
///
/// A link whose rate changes over time is judged by its fastest second, as its queue is.
package struct LinkFigures: Hashable, Sendable {
  /// The time from a request to its answer, if neither has a size.
  package let roundTrip: TimeSpan
  /// From the server to the player.
  package let down: DirectionFigures
  /// From the player to the server.
  package let up: DirectionFigures

  /// Works the figures of a link out.
  package init(_ profile: LinkProfile) {
    roundTrip = profile.roundTrip
    down = DirectionFigures(profile.down, back: profile.up)
    up = DirectionFigures(profile.up, back: profile.down)
  }
}

/// What follows from the numbers of one direction of a link.
package struct DirectionFigures: Hashable, Sendable {
  /// The highest rate; nil if it is unlimited.
  package let rate: BitRate?
  /// Whether the rate changes over time.
  package let isVarying: Bool
  /// The packets that a round trip holds, in tenths, rounded; nil if the rate is unlimited.
  package let productTenths: Int64?
  /// The packets that may wait, rounded down; nil if there is no limit.
  package let queuePackets: Int64?
  /// How long a packet waits behind a full queue; nil if it never fills or never empties.
  package let queueDelay: TimeSpan?
  /// What loss leaves of any rate to a steady sender that takes it for congestion.
  ///
  /// (segment / round trip) · √(3 / (2p)), after Mathis and others (1997); nil without loss.
  package let lossCeiling: BitRate?

  /// The bits of a full packet with a segment of 1,448 bytes.
  private static let segmentBits: UInt128 = 1_448 * 8

  init(_ direction: LinkDirection, back: LinkDirection) {
    let fastest = direction.fastest
    let rate = fastest.rate
    let span = fastest.delay + back.track.samples[0].delay
    let roundTrip = UInt128(UInt64(span.nanoseconds))
    let bits = UInt128(UInt64(direction.fullPacket.bytes)) * 8
    let speed = UInt128(UInt64(rate.bitsPerSecond))
    self.rate = rate == .unlimited ? nil : rate
    let tenths = (speed * roundTrip * 10 / bits + 500_000_000) / 1_000_000_000
    productTenths = rate == .unlimited ? nil : Int64(clamping: tenths)
    isVarying = direction.track.samples.contains { $0.rate != rate }
    let packets = QueueLimit.limit(of: direction, back: back).packets(of: direction.fullPacket)
    queuePackets = packets.map { Int64($0) }
    queueDelay = packets.flatMap { packets in
      if rate == .unlimited || rate == .zero { return nil }
      let work = UInt128(packets) * bits * 1_000_000_000
      return TimeSpan(nanoseconds: Int64(clamping: work / speed))
    }
    lossCeiling = Self.ceiling(direction.loss, roundTrip)
  }

  /// Returns the rate that a steady sender reaches over a lossy link.
  private static func ceiling(_ loss: LossModel, _ roundTrip: UInt128) -> BitRate? {
    guard let share = loss.share, share > 0, roundTrip > 0 else { return nil }
    // √(3 / (2p)) in parts of 2²⁰; p is in parts of 2⁵³.
    let root = squareRoot(UInt128(3) << 93 / (2 * UInt128(share)))
    let rate = (segmentBits * root * 1_000_000_000 / roundTrip) >> 20
    return BitRate(bitsPerSecond: Int64(clamping: min(rate, UInt128(Int64.max))))
  }

  /// Returns the square root, rounded down.
  private static func squareRoot(_ square: UInt128) -> UInt128 {
    var root: UInt128 = 0
    for bit in stride(from: 63, through: 0, by: -1) {
      let candidate = root | UInt128(1) << UInt128(bit)
      if candidate * candidate <= square { root = candidate }
    }
    return root
  }
}

extension LinkProfile {
  /// The delay there and back, at the beginning.
  var roundTrip: TimeSpan { down.track.samples[0].delay + up.track.samples[0].delay }
}

extension LossModel {
  /// The packets that are lost in the long run, in parts of 2⁵³; nil where that means nothing.
  var share: UInt64? {
    switch self {
    case .none: 0
    case .bernoulli(let chance), .measured(let chance, _): chance.parts
    case .everyNth(let number): (1 << 53) / UInt64(number)
    case .packets: nil
    case .gilbertElliott(let bursts): bursts.share
    }
  }
}

extension BurstLoss {
  /// The packets that are lost in the long run, in parts of 2⁵³.
  fileprivate var share: UInt64 {
    let toBad = UInt128(fromGoodToBad.parts)
    let toGood = UInt128(fromBadToGood.parts)
    // A chain that never moves stays in the good state, in which it begins.
    if toBad == 0 { return lossWhenGood.parts }
    let lost = toBad * UInt128(lossWhenBad.parts) + toGood * UInt128(lossWhenGood.parts)
    return UInt64(lost / (toBad + toGood))
  }
}
