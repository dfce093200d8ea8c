import Autowait
import AutowaitScenario

/// What users hear, read and see: languages, tracks that are disabled, video outputs.
///
/// It comes behind all else of a world, so that a number stays that of the same world without it.
extension WorldDraw {
  /// The languages of the sound and of the subtitles of a player's items.
  private struct Languages {
    var audio: [Draft] = []
    var subtitles: [Draft] = []
  }

  mutating func tracks(into world: inout Draft) {
    if !chance(1, 4) { return }
    var shared = Languages()
    if let media = world["media"] { world["media"] = translated(media, &shared) }
    var languages: [Languages] = []
    if case .array(let drafts)? = world["players"] {
      world["players"] = .array(
        drafts.enumerated().map { index, draft in
          var (draft, own) = (draft, shared)
          if let media = draft["media"] {
            own = Languages()
            draft["media"] = translated(media, &own)
          }
          languages.append(own)
          selection(into: &draft, of: players[index])
          return draft
        })
    } else {
      languages = [shared]
      if var draft = world["player"] {
        selection(into: &draft, of: players[0])
        world["player"] = draft
      }
    }
    guard case .array(var steps)? = world["script"] else { return }
    for _ in 0..<number(1, 3) {
      let index = Int(number(0, Int64(players.count) - 1))
      steps.append(trackStep(languages[index], players[index]))
    }
    world["script"] = .array(steps)
  }

  /// Gives the renditions of streams languages, and some of them another one beside them.
  private mutating func translated(_ media: Draft, _ languages: inout Languages) -> Draft {
    if case .array(let items) = media {
      return .array(items.map { translated($0, &languages) })
    }
    var item = media
    if item["kind"] != "hls" {
      let isFile = item["kind"] == "progressive" || item["kind"] == "local"
      if isFile, chance(1, 3) { item["color"] = color() }
      if isFile, chance(1, 3) { item["keyFrameInterval"] = time(least: 1, most: 4_000) }
      return item
    }
    if item["lists"] != nil { return item }
    if case .array(var variants)? = item["variants"] {
      for index in variants.indices where chance(1, 4) { variants[index]["color"] = color() }
      item["variants"] = .array(variants)
    }
    languages.audio += renditions(of: "audio", in: &item)
    languages.subtitles += renditions(of: "subtitles", in: &item)
    return item
  }

  private mutating func renditions(of key: String, in item: inout Draft) -> [Draft] {
    guard case .array(let renditions)? = item[key] else { return [] }
    var languages: [Draft] = []
    item[key] = .array(
      renditions.flatMap { rendition in
        var renditions = [rendition]
        renditions[0]["language"] = .string(pick(["en", "en-GB"]))
        if chance(1, 2) {
          var other = rendition
          other["language"] = .string(pick(["fr", "zh-Hant"]))
          other["name"] = nil
          other["default"] = nil
          renditions.append(other)
        }
        languages += renditions.compactMap { $0["language"] }
        return renditions
      })
    return languages
  }

  private mutating func selection(into player: inout Draft, of known: PlayerDraft) {
    if known.hasStream, chance(1, 2) {
      player["audioLanguages"] = .array(some(1, 2) { .string($0.pick(["fr", "en", "zh"])) })
    }
    if known.hasStream, chance(1, 2) {
      player["showsSubtitles"] = .plain("true")
      player["subtitleLanguages"] = ["fr"]
    }
    if player["observedBitrate"] != nil, chance(1, 2) {
      player["acceptableResolution"] = .string(pick(["640x360", "960x540", "3840x2160"]))
    }
    if known.contract > 9, chance(1, 4) { player["linkedOn"] = "ios9" }
    if chance(1, 6) { player["usesAVKit"] = .plain("true") }
    if known.hasStream, chance(1, 3) { player["audioChannels"] = Draft(number(1, 6)) }
    if known.contract < 10, chance(1, 2) { player["snapsToKeyFrame"] = .plain("true") }
    if known.contract == 26, chance(1, 3) {
      player["networkResourcePriority"] = .string(pick(["low", "high"]))
    }
    if known.contract >= 14, chance(1, 4) { player["eligibleForHDRPlayback"] = flag() }
    if chance(1, 4) {
      player["videoOutput"] = ["isAttached": flag(), "allowsWideColor": flag()]
      if chance(1, 2) { player["videoOutput"]?["color"] = workingColor() }
    }
    if chance(1, 6) {
      var composition: Draft = .empty
      if chance(1, 2) { composition["color"] = workingColor() }
      if chance(1, 2) {
        composition["compositor"] = [
          "supportsWideColorSourceFrames": flag(), "supportsHDRSourceFrames": flag(),
        ]
      }
      player["composition"] = composition
    }
  }

  /// A color by its name or its code points.
  private mutating func color() -> Draft {
    if chance(1, 2) { return .string(pick(["ITU_R_709_2", "P3_D65", "ITU_R_2100_HLG"])) }
    return [
      "primaries": chance(1, 2) ? "SMPTE_C" : Draft(number(0, 255)),
      "transfer": chance(1, 2) ? "SMPTE_ST_2084_PQ" : Draft(number(0, 255)),
      "matrix": Draft(number(0, 255)),
    ]
  }

  private mutating func workingColor() -> Draft { chance(1, 2) ? "widest" : color() }

  private mutating func trackStep(_ languages: Languages, _ player: PlayerDraft) -> Draft {
    var step: Draft = [
      "every": time(least: 500, most: 5_000), "from": time(most: 20_000),
      "count": Draft(number(1, 3)),
    ]
    switch number(0, 6) {
    case 6:
      step["do"] = "seek"
      step["to"] = time(most: 20_000)
      step[pick(["toleranceBefore", "toleranceAfter"])] = chance(1, 3) ? .null : time(most: 5_000)
    case 5:
      step["do"] = "transcode"
      step["item"] = Draft(number(0, Int64(player.itemCount) - 1))
      if chance(1, 2) { step["reader"] = ["allowsWideColor": flag(), "color": workingColor()] }
      if chance(1, 2) { step["writer"] = ["color": workingColor()] }
    case 0 where !languages.audio.isEmpty, 1 where !languages.audio.isEmpty:
      step["do"] = "select"
      step["audio"] = pick(languages.audio)
    case 2 where !languages.subtitles.isEmpty:
      step["do"] = "select"
      step["subtitles"] = chance(1, 3) ? .null : pick(languages.subtitles)
    case 3: step["do"] = .string(pick(["attachVideoOutput", "detachVideoOutput"]))
    default:
      step["do"] = .string(pick(["disableTrack", "enableTrack"]))
      step["track"] = .string(pick(["video", "audio", "subtitles"]))
    }
    if let name = player.name { step["player"] = .string(name) }
    return step
  }
}
