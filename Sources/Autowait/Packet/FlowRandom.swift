/// Draws what happens by chance to the packets of one flow in one direction.
///
/// Each flow has its own streams, named after the user of the network and the number of its
/// connection: another flow, or another player, does not change what happens to this one.
struct FlowRandom: Sendable {
  private var lossStream: RandomStream
  private var jitterStream: RandomStream
  private var otherStream: RandomStream
  /// Whether a chain of bursts is in its bad state.
  private var isBad = false

  /// Creates the streams of a flow under a key that is its own.
  init(key: UInt64) {
    lossStream = RandomStream(seed: key, component: "packets", purpose: "loss")
    jitterStream = RandomStream(seed: key, component: "packets", purpose: "jitter")
    otherStream = RandomStream(seed: key, component: "packets", purpose: "order")
  }

  /// Returns the key of a part of what another key stands for.
  static func key(_ key: UInt64, _ part: Int) -> UInt64 {
    var stream = RandomStream(
      splitMixSeed: key ^ (UInt64(bitPattern: Int64(part)) &* 0xD134_2543_DE82_EF95))
    return stream.next()
  }

  /// Returns the key of everything that is drawn for packets under a seed.
  static func key(seed: UInt64) -> UInt64 {
    var stream = RandomStream(seed: seed, component: "packets", purpose: "flows")
    return stream.next()
  }

  /// Draws a loss of a fixed chance.
  mutating func loses(_ chance: Probability) -> Bool {
    chance.comesTrue(lossStream.next())
  }

  /// Draws a loss in a chain of bursts: first for the state, then for the loss in it.
  mutating func loses(_ bursts: BurstLoss) -> Bool {
    let change = isBad ? bursts.fromBadToGood : bursts.fromGoodToBad
    if change.comesTrue(lossStream.next()) { isBad.toggle() }
    return (isBad ? bursts.lossWhenBad : bursts.lossWhenGood).comesTrue(lossStream.next())
  }

  /// Draws a deviation of the delay.
  mutating func deviation(_ jitter: Jitter) -> TimeSpan {
    JitterTable.deviation(jitter, draw: jitterStream.next())
  }

  /// Draws something that rarely happens to a packet.
  mutating func happens(_ chance: Probability) -> Bool {
    chance.comesTrue(otherStream.next())
  }
}
