import Autowait

extension JoinTrait {
  /// Why two items do not join without a gap.
  package var sentence: String {
    switch self {
    case .fairPlay: "only one of the two needs keys"
    case .audioCodec: "the audio codecs differ"
    case .channelCount: "the channel counts differ"
    case .sampleRate: "the sample rates differ"
    case .bitDepth: "the bit depths differ"
    case .editLists: "there are no edit lists for priming and remainder"
    }
  }
}

/// Finding items of a queue that cannot follow the one before without a gap.
extension ScenarioReader {
  /// Warns of each item of a queue before which there may be a gap.
  ///
  /// Which variant an item ends with depends on the network. Variants of one stream whose sound is
  /// encoded differently are what WWDC21 10142 warns of.
  func lintJoins(
    _ configuration: PlayerConfiguration, _ names: ItemNames, _ fields: FieldReader
  ) {
    guard let queue = configuration.queue, !findings.hasErrors,
      let list = fields.object?.member("queue")
    else { return }
    for (first, second) in zip(queue, queue.dropFirst()) {
      guard let stream = configuration.media[first].streamMedia,
        let next = configuration.media[second].streamMedia
      else { continue }
      let traits = stream.variants.indices.compactMap { variant -> JoinTrait? in
        let join = stream.join(next, after: variant, among: Array(next.variants.indices))
        if case .mismatch(let trait) = join { return trait }
        return nil
      }
      guard let trait = traits.first else { continue }
      let count = stream.variants.count
      findings.warning(
        "a gap before item \(names.word(second)): \(trait.sentence)", at: list,
        notes: traits.count == count
          ? [] : ["if item \(names.word(first)) ends with \(traits.count) of its \(count) variants"]
      )
    }
  }
}
