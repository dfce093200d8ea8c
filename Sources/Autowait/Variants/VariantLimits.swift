/// What an application and its device let a player choose from: properties of `AVPlayerItem`.
public struct VariantLimits: Hashable, Sendable {
  /// `preferredPeakBitRate`; zero for none.
  public var preferredPeakBitRate = BitRate.zero
  /// `preferredPeakBitRateForExpensiveNetworks`; zero for none.
  public var preferredPeakBitRateForExpensiveNetworks = BitRate.zero
  /// `preferredMaximumResolution`; nil for none.
  public var preferredMaximumResolution: Resolution?
  /// `preferredMaximumResolutionForExpensiveNetworks`; nil for none.
  public var preferredMaximumResolutionForExpensiveNetworks: Resolution?
  /// The size of the player's layer in pixels: its bounds times `contentsScale`; nil without one.
  public var layer: Resolution?
  /// Whether the network is expensive, as cellular ones are.
  public var isExpensive = false
  /// The most channels that can be heard; nil for any number.
  package var channelsMax: Int?
  /// `eligibleForHDRPlayback`: whether the display shows a high dynamic range.
  package var isEligibleForHDRPlayback = true
  /// What the device can decode.
  package var decodable = CodecFamilies(rawValue: .max)

  /// Creates limits that let everything be chosen.
  public init() {}

  /// The bit rate that no variant may exceed; nil for none.
  ///
  /// The tighter of two caps wins (`AVPlayerItem.h`).
  package var peakBitRate: BitRate? {
    let expensive = isExpensive ? preferredPeakBitRateForExpensiveNetworks : .zero
    if preferredPeakBitRate <= .zero { return expensive > .zero ? expensive : nil }
    return expensive > .zero ? min(preferredPeakBitRate, expensive) : preferredPeakBitRate
  }

  /// The sizes that no variant may exceed.
  private var maximumResolutions: [Resolution] {
    let expensive = isExpensive ? preferredMaximumResolutionForExpensiveNetworks : nil
    return [preferredMaximumResolution, expensive].compactMap { $0 }
  }

  /// Whether there are any.
  private var hasMaximumResolution: Bool {
    preferredMaximumResolution != nil
      || (isExpensive && preferredMaximumResolutionForExpensiveNetworks != nil)
  }

  /// Whether nothing is limited, and everything can be decoded.
  func allowsAll(of variants: [StreamMedia.Variant]) -> Bool {
    peakBitRate == nil && layer == nil && !hasMaximumResolution && channelsMax == nil
      && (isEligibleForHDRPlayback || variants.allSatisfy { $0.videoRange == .sdr })
      && variants.allSatisfy { $0.codecs.isSubset(of: decodable) }
  }

  /// Returns the numbers of the variants that may be played, in the order of the playlist.
  ///
  /// If none may be, a cap chooses the variant of the lowest bit rate: playback goes on as low as
  /// possible (`AVPlayerItem.h`, `preferredPeakBitRate`). What cannot be decoded is never chosen.
  package func eligible(in streamMedia: StreamMedia) -> [Int] {
    let decoded = streamMedia.variants.indices.filter {
      streamMedia.variants[$0].codecs.isSubset(of: decodable)
    }
    // What has no other range is shown as well as it can be (assumed).
    let shown = decoded.filter {
      isEligibleForHDRPlayback || streamMedia.variants[$0].videoRange == .sdr
    }
    let playable = shown.isEmpty ? decoded : shown
    let heard = heard(playable, in: streamMedia)
    let largest = largestForLayer(streamMedia, playable)
    let maxima = maximumResolutions
    let allowed = heard.filter { allows(streamMedia.variants[$0], largest, maxima) }
    if !allowed.isEmpty { return allowed }
    let lowest = heard.min {
      let (left, right) = (streamMedia.variants[$0], streamMedia.variants[$1])
      return (left.bandwidth, $0) < (right.bandwidth, $1)
    }
    assert(
      lowest == nil || !playable.isEmpty, "variant \(lowest ?? -1) cannot be decoded")
    return lowest.map { [$0] } ?? []
  }

  /// Returns the variants whose sound has no more channels than can be heard; all, if none has.
  private func heard(_ playable: [Int], in streamMedia: StreamMedia) -> [Int] {
    guard let channelsMax else { return playable }
    var selection = MediaSelection()
    selection.channelsMax = channelsMax
    let heard = playable.filter { number in
      let group = streamMedia.variants[number].audioGroup
      let sound = streamMedia.rendition(.audio, group: group, selection)
      return sound.flatMap { streamMedia.renditions[$0].channels } ?? 0 <= channelsMax
    }
    return heard.isEmpty ? playable : heard
  }

  private func allows(
    _ variant: StreamMedia.Variant, _ largest: Resolution?, _ maxima: [Resolution]
  ) -> Bool {
    if let peakBitRate, variant.bandwidth > peakBitRate { return false }
    guard let resolution = variant.resolution else { return true }
    if let largest, resolution.pixels > largest.pixels { return false }
    return maxima.allSatisfy { $0.covers(resolution) }
  }

  /// The smallest variant that covers the layer: more pixels than that cannot be seen (WWDC16 503:
  /// the smallest variant that is not smaller than the screen).
  private func largestForLayer(_ streamMedia: StreamMedia, _ playable: [Int]) -> Resolution? {
    guard let layer else { return nil }
    return playable.compactMap { streamMedia.variants[$0].resolution }.filter { $0.covers(layer) }
      .min { $0.pixels < $1.pixels }
  }
}
