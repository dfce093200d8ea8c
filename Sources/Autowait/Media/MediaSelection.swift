/// A kind of tracks of an item.
public enum MediaTrack: UInt8, CaseIterable, Hashable, Sendable {
  case video, audio, subtitles
}

/// Which tracks of a stream are to play.
package struct MediaSelection: Hashable, Sendable {
  /// The languages that are wished for of the sound, the first one most
  /// (`setMediaSelectionCriteria(_:forMediaCharacteristic:)`).
  package var audioLanguages: [LanguageTag] = []
  /// The languages that are wished for of subtitles.
  package var subtitleLanguages: [LanguageTag] = []
  /// Whether subtitles are shown, and so loaded.
  package var showsSubtitles = false
  /// The most channels that can be heard; nil for any number.
  package var channelsMax: Int?
  /// Whether the picture and the sound are played (`AVPlayerItemTrack.isEnabled`).
  var isVideoEnabled = true
  var isAudioEnabled = true

  /// Creates the selection of what plays unless somebody chooses.
  package init() {}

  /// Selects a language of a kind of renditions, or no subtitles.
  mutating func select(_ kind: StreamMedia.Rendition.Kind, _ language: LanguageTag?) {
    switch kind {
    case .audio: audioLanguages = language.map { [$0] } ?? []
    case .subtitles:
      showsSubtitles = language != nil
      if let language { subtitleLanguages = [language] }
    }
  }

  /// Enables or disables the tracks of a kind; to disable subtitles is to show none.
  mutating func enable(_ track: MediaTrack, _ isEnabled: Bool) {
    switch track {
    case .video: isVideoEnabled = isEnabled
    case .audio: isAudioEnabled = isEnabled
    case .subtitles: showsSubtitles = isEnabled
    }
  }
}

extension StreamMedia {
  /// Returns the number of the rendition of a group that plays by a selection: of the language that
  /// is wished for most and is there, else of any; of these the default one, or else the first.
  func rendition(
    _ kind: Rendition.Kind, group: Int?, _ selection: MediaSelection
  ) -> Int? {
    guard let group else { return nil }
    let members = renditions.indices.filter {
      renditions[$0].kind == kind && renditions[$0].group == group
    }
    let wishes = kind == .audio ? selection.audioLanguages : selection.subtitleLanguages
    for wish in wishes {
      let closeness = members.map { renditions[$0].language?.closeness(to: wish) ?? 0 }
      guard let best = closeness.max(), best > 0 else { continue }
      return preferred(
        zip(members, closeness).filter { $0.1 == best }.map { $0.0 }, selection)
    }
    return preferred(members, selection)
  }

  private func preferred(_ members: [Int], _ selection: MediaSelection) -> Int? {
    let heard = members.filter {
      guard let most = selection.channelsMax, let channels = renditions[$0].channels else {
        return true
      }
      return channels <= most
    }
    let best = heard.isEmpty ? members : heard
    return best.first { renditions[$0].isDefault } ?? best.first
  }
}

extension SharedStreamMedia {
  /// Returns the lists of the renditions that play with each variant by a selection.
  ///
  /// Assumed: what is disabled is not loaded where it has segments of its own.
  func renditionLists(_ selection: MediaSelection) -> [RenditionLists] {
    if selection == MediaSelection() { return renditionLists }
    return parts.variants.map { variant in
      let audio =
        selection.isAudioEnabled
        ? parts.rendition(.audio, group: variant.audioGroup, selection) : nil
      let subtitles =
        selection.showsSubtitles
        ? parts.rendition(.subtitles, group: variant.subtitleGroup, selection) : nil
      return RenditionLists(
        audio: audio.flatMap { parts.renditions[$0].list },
        subtitles: subtitles.flatMap { parts.renditions[$0].list })
    }
  }
}
