import Autowait

/// Reading which tracks are to play.
extension ScenarioReader {
  /// Reads what the user wants to hear and to read.
  func readSelection(_ fields: inout FieldReader, into selection: inout MediaSelection) {
    fields.read(PlayerKeys.showsSubtitles, into: &selection.showsSubtitles)
    selection.audioLanguages = languages(PlayerKeys.audioLanguages, &fields)
    selection.subtitleLanguages = languages(PlayerKeys.subtitleLanguages, &fields)
    selection.channelsMax = fields.optional(PlayerKeys.audioChannels)
    if !selection.subtitleLanguages.isEmpty, !selection.showsSubtitles,
      !fields.contains(PlayerKeys.showsSubtitles),
      let value = fields.object?.member("subtitleLanguages")
    {
      findings.warning(
        "'subtitleLanguages' changes nothing before subtitles are shown", at: value,
        notes: [#"the key is "showsSubtitles": true"#])
    }
  }

  private func languages(
    _ key: Key<JSONValue>, _ fields: inout FieldReader
  ) -> [LanguageTag] {
    fields.elements(key).compactMap {
      FieldKind<LanguageTag>.language.read($0, FieldLabel(key: key.name), findings)
    }
  }

  /// Reads whether a player of iOS 9 goes on from a key frame.
  func snapsToKeyFrame(
    _ fields: inout FieldReader, _ configuration: PlayerConfiguration
  ) -> Bool {
    let snaps = fields.value(of: PlayerKeys.snapsToKeyFrame)
    guard snaps, let value = fields.object?.member("snapsToKeyFrame") else { return snaps }
    if configuration.contract.hasAutomaticWaiting {
      findings.warning(
        "'snapsToKeyFrame' changes nothing: since iOS 10 playback goes on", at: value)
    } else if configuration.media.allSatisfy({
      $0.streamMedia == nil && $0.keyFrameInterval == nil
    }) {
      findings.warning(
        "'snapsToKeyFrame' changes nothing: no file says where its key frames are", at: value,
        notes: [#"the key of a file is "keyFrameInterval""#])
    }
    return snaps
  }

  /// Reads which rendition a step selects.
  func selection(_ step: inout FieldReader, _ player: Int) -> PlayerAction? {
    switch step.one(of: [StepKeys.audio.name, StepKeys.subtitles.name]) {
    case StepKeys.audio.name:
      guard let language = step.required(StepKeys.audio) else { return nil }
      requireRendition(.audio, language, step, player)
      return .select(.audio, language)
    case StepKeys.subtitles.name:
      guard let language = step.required(StepKeys.subtitles) else { return nil }
      if let language { requireRendition(.subtitles, language, step, player) }
      return .select(.subtitles, language)
    case _: return nil
    }
  }

  /// Reports a language that no item of a player has.
  private func requireRendition(
    _ kind: StreamMedia.Rendition.Kind, _ language: LanguageTag, _ step: FieldReader,
    _ player: Int
  ) {
    guard player < players.count, !findings.hasErrors else { return }
    let renditions = players[player].media.compactMap { $0.streamMedia?.renditions }.joined()
      .filter { $0.kind == kind }
    let languages = renditions.compactMap { $0.language }
    if languages.contains(where: { $0.meets(language) }) { return }
    var texts: [String] = []
    for text in languages.map({ $0.text }) where !texts.contains(text) { texts.append(text) }
    let what = kind == .audio ? "sound" : "subtitles"
    step.error(
      "no item has \(what) in '\(language.text)'",
      at: kind == .audio ? StepKeys.audio.name : StepKeys.subtitles.name,
      notes: texts.isEmpty
        ? [#"renditions have a language by the key "language""#]
        : NearestWord.notes(for: language.text, among: texts, list: "the languages are: "))
  }
}
