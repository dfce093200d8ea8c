/// What must be the same of two streams for one to follow the other without a gap.
///
/// Source: WWDC21 10142, which names these traits and asks for edit lists that tell priming and
/// remainder.
package enum JoinTrait: UInt8, CaseIterable, Hashable, Sendable {
  /// Whether the media is protected by FairPlay (assumed of all media that needs a key).
  case fairPlay
  case audioCodec
  case channelCount
  case sampleRate
  case bitDepth
  /// Whether there are edit lists: they lie in initialisation sections, and transport streams have
  /// none.
  case editLists
}

/// The traits of a variant; what a playlist does not say is nil, and assumed to be the same.
package struct JoinTraits: Hashable, Sendable {
  package let isProtected: Bool
  package let codecs: CodecFamilies?
  package let channels: Int?
  package let sampleRate: Int?
  package let bitDepth: Int?
  package let hasEditLists: Bool

  /// Returns the traits that keep a variant from following one with these, in their order.
  package func mismatches(with next: JoinTraits) -> [JoinTrait] {
    func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
      if let one, let other { one != other } else { false }
    }
    return JoinTrait.allCases.filter { trait in
      switch trait {
      case .fairPlay: isProtected != next.isProtected
      case .audioCodec: differ(codecs, next.codecs)
      case .channelCount: differ(channels, next.channels)
      case .sampleRate: differ(sampleRate, next.sampleRate)
      case .bitDepth: differ(bitDepth, next.bitDepth)
      case .editLists: !hasEditLists || !next.hasEditLists
      }
    }
  }
}

/// How a stream follows another one.
package enum GaplessJoin: Hashable, Sendable {
  /// Without a gap, beginning with a variant that is encoded alike.
  case variant(Int)
  /// With a gap: the trait in which the nearest variant differs first.
  case mismatch(JoinTrait)
}

extension StreamMedia {
  /// Returns the traits of a variant, with those of the sound that plays with it.
  package func joinTraits(of variant: Int) -> JoinTraits {
    let own = variants[variant]
    let sound = rendition(.audio, group: own.audioGroup, MediaSelection()).map { renditions[$0] }
    let lists = [own.list] + (sound?.list.map { [$0] } ?? [])
    let stretches = lists.flatMap { self.lists[$0].stretches }
    let codecs = own.codecs.intersection(.sound)
    return JoinTraits(
      isProtected: stretches.contains { $0.key != nil },
      codecs: codecs.isEmpty ? nil : codecs, channels: sound?.channels,
      sampleRate: sound?.sampleRate, bitDepth: sound?.bitDepth,
      hasEditLists: stretches.allSatisfy { $0.initialization != nil })
  }

  /// Returns by which of some variants a stream can follow this one, that ends with a variant: the
  /// one of the nearest rate that is not higher, or else the lowest.
  package func join(
    _ next: StreamMedia, after variant: Int, among eligible: [Int]
  ) -> GaplessJoin {
    let (traits, rate) = (joinTraits(of: variant), variants[variant].bandwidth)
    let ascending = eligible.sorted { next.variants[$0].bandwidth < next.variants[$1].bandwidth }
    let differences = ascending.map { traits.mismatches(with: next.joinTraits(of: $0)) }
    let alike = ascending.indices.filter { differences[$0].isEmpty }.map { ascending[$0] }
    if let first = alike.first {
      return .variant(alike.last { next.variants[$0].bandwidth <= rate } ?? first)
    }
    let nearest = differences.min { $0.count < $1.count }
    return .mismatch(nearest?.first ?? .audioCodec)
  }
}
