/// How much may wait before a direction of a link, the packet in service included.
package enum QueueLimit: Hashable, Sendable {
  /// So many packets, of whatever size.
  case packets(Int64)
  /// So many bytes.
  case bytes(ByteCount)
  /// Everything.
  case none

  /// The least that an automatic queue holds.
  package static let automaticPacketsMin: Int64 = 100

  /// Returns the limit of a direction whose answers come over another one.
  ///
  /// An automatic queue holds 100 packets, or what the direction carries in a round trip in its
  /// fastest second, if that is more: as full packets, with what the link carries besides. A queue
  /// of so much time holds what the direction carries in it, then as well. One limit holds for a
  /// whole link, however its rate varies, as that of a real box does.
  package static func limit(of direction: LinkDirection, back: LinkDirection) -> QueueLimit {
    switch direction.queue {
    case .unlimited: return .none
    case .packets(let count): return .packets(Int64(count))
    case .bytes(let size): return .bytes(size)
    case .time(let span):
      return .bytes(DataAmount(direction.fastest.rate, for: span).begunBytes)
    case .automatic:
      let fastest = direction.fastest
      if fastest.rate == .unlimited { return .none }
      let roundTrip = fastest.delay + back.track.samples[0].delay
      let packet = DataAmount(direction.fullPacket).nanobits
      let product = (DataAmount(fastest.rate, for: roundTrip).nanobits + packet - 1) / packet
      return .packets(max(automaticPacketsMin, Int64(clamping: product)))
    }
  }

  /// Returns how many packets of a size fit; nil if all do.
  package func packets(of size: ByteCount) -> Int64? {
    switch self {
    case .packets(let count): count
    case .bytes(let bytes): bytes.bytes / max(1, size.bytes)
    case .none: nil
    }
  }
}

extension LinkDirection {
  /// The sample of the track with the highest rate, the first of several.
  package var fastest: LinkTrack.Sample {
    var fastest = track.samples[0]
    for sample in track.samples where sample.rate > fastest.rate { fastest = sample }
    return fastest
  }

  /// What a full packet takes of the link.
  package var fullPacket: ByteCount { mtu + overheadPerPacket }
}
