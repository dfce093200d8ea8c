import Autowait
import AutowaitScenario

/// Files and streams, live and not.
extension WorldDraw {
  /// An item, or a list of items; with their number, and whether one of them is a stream.
  mutating func mediaList(isLive: Bool) -> (Draft, itemCount: Int, hasStream: Bool) {
    let count = Int(pick([1, 1, 1, 2, 3]))
    var hasStream = false
    var items: [Draft] = (0..<count).map { place in
      if isLive && place == 0 {
        hasStream = true
        return stream(isLive: true)
      }
      let choices: ClosedRange<Int64> =
        shape.item == .file ? 0...4 : shape.item == nil ? 0...9 : 5...9
      switch number(choices.lowerBound, choices.upperBound) {
      case 0: return file("local")
      case 1...4: return file("progressive")
      case 5:
        hasStream = true
        return listed()
      case 6 where kind.tier == .ideal:
        hasStream = true
        return chance(1, 2) ? movie() : playlist()
      default:
        hasStream = true
        return stream(isLive: false)
      }
    }
    name(&items, "medium")
    return (count == 1 && chance(1, 2) ? items[0] : .array(items), count, hasStream)
  }

  /// Gives some items names, each one of its own.
  mutating func name(_ items: inout [Draft], _ word: String) {
    for index in items.indices where named({ $0.chance(1, 8) }) {
      items[index]["name"] = .string("\(word) \(index)")
    }
  }

  /// Keys that all items have.
  private mutating func common(into item: inout Draft) {
    if !hosts.isEmpty, chance(1, 2) { item["host"] = .string(pick(hosts)) }
    if chance(1, 8) { item["canPlayFastForward"] = flag() }
    if chance(1, 8) { item["canPlayReverse"] = flag() }
    if chance(1, 12) { item["resourceLoader"] = flag() }
  }

  private mutating func file(_ word: String) -> Draft {
    let most: Int64 = shape.isLong ? 300_000 : 30_000
    let duration = nanoseconds(least: 1, most: most)
    var item: Draft = ["kind": .string(word), "duration": Self.time(duration)]
    apart {
      if $0.chance(1, 8) {
        let key = $0.pick(["videoDuration", "audioDuration"])
        item[key] = Self.time($0.number(max(1, duration / 2), duration))
      }
    }
    if word == "progressive" || chance(1, 2) {
      let header = chance(1, 2) ? 0 : number(1, 100_000)
      let least = kind.tier == .packet ? 1_500_000 : 6_000_000
      if chance(1, 2) {
        item["bitrate"] = chance(1, 8) ? "700 bit/s" : rate(100, kind.tier == .packet ? 900 : 4_000)
      } else {
        item["size"] = Draft(header + number(1, Int64(least)))
      }
      if header > 0 {
        item["header"] = Draft(header)
        if chance(1, 2) { item["index"] = .string(pick(["front", "back"])) }
      }
    }
    common(into: &item)
    return item
  }

  private mutating func peak() -> Int64 { number(2, kind.tier == .packet ? 18 : 50) * 100_000 }

  private mutating func stream(isLive: Bool) -> Draft {
    let segment = nanoseconds(least: 500, most: 6_000)
    let countMax: Int64 = shape.isLong ? 60 : 12
    let duration = segment * number(1, countMax) + (chance(1, 2) ? 0 : number(1, segment - 1))
    let cut = Cut(segment: segment, count: Int((duration + segment - 1) / segment))
    var item: Draft = ["kind": "hls", "duration": Self.time(duration)]
    if segment != 6_000_000_000 || chance(1, 2) { item["segmentDuration"] = Self.time(segment) }
    let audio: [String] = chance(1, 3) ? Array(["stereo", "wide"].prefix(Int(number(1, 2)))) : []
    let subtitles = chance(1, 6) ? ["texts"] : []
    let variants = variants(cut, audio, subtitles)
    item["variants"] = .array(variants)
    if !audio.isEmpty { item["audio"] = .array(audio.map { rendition($0, cut, isAudio: true) }) }
    if !subtitles.isEmpty {
      item["subtitles"] = .array(subtitles.map { rendition($0, cut, isAudio: false) })
    }
    if chance(1, 4) { item["keys"] = keys() }
    let isSingle = variants.count == 1 && audio.isEmpty && subtitles.isEmpty
    if chance(1, 4) { item["multivariantPlaylist"] = Draft(number(0, 3_000)) }
    if isSingle, item["keys"]?["sessionKey"] == nil, chance(1, 3) {
      item["multivariantPlaylist"] = .null
    }
    if chance(1, 4) { item["mediaPlaylist"] = Draft(number(0, 3_000)) }
    if chance(1, 6) { item["gzip"] = chance(1, 2) ? flag() : "30 %" }
    if isLive {
      item["live"] = live(cut, duration)
    } else if chance(1, 10) {
      let last = segment * Int64(cut.count - 1)
      item["realDuration"] = Self.time(number(last + 1, duration))
    }
    if chance(1, 8) { item["startOffset"] = .plain("\(number(-20, 20))") }
    if chance(1, 8) {
      item["rewrite"] = [
        "preferredFirst": chance(1, 2) ? rate(100, 5_000) : variants[0]["name"] ?? rate(100, 5_000)
      ]
    }
    var sound: Draft?
    if case .array(let renditions)? = item["audio"] {
      sound = renditions.first { $0["name"] != nil && $0["bitrate"] != nil }?["name"]
    }
    if chance(1, 4) { item["failures"] = failures(variants.count, cut.count, sound) }
    common(into: &item)
    return item
  }

  /// How a stream is cut into segments.
  private struct Cut {
    let segment: Int64
    let count: Int
  }

  private mutating func variants(
    _ cut: Cut, _ audio: [String], _ subtitles: [String]
  ) -> [Draft] {
    var place = 0
    return some(1, 4) { draw in
      defer { place += 1 }
      let bandwidth = draw.peak() + 200_000
      var variant: Draft = ["bandwidth": .string("\(bandwidth) bit/s")]
      if draw.chance(1, 3) { variant["name"] = .string("v\(place)") }
      if draw.chance(1, 4) { variant["averageBandwidth"] = .string("\(bandwidth * 3 / 4) bit/s") }
      if draw.chance(1, 3) {
        variant["resolution"] = .string(draw.pick(["640x360", "960x540", "1280x720", "1920x1080"]))
      }
      if draw.chance(1, 6) {
        variant["codecs"] = .string(draw.pick(["avc1.4d401f,mp4a.40.2", "hvc1.2.4.L123,ec-3"]))
      }
      if draw.chance(1, 8) { variant["frameRate"] = .plain(draw.pick(["25", "29.97", "60"])) }
      if draw.chance(1, 10) { variant["videoRange"] = .string(draw.pick(["SDR", "HLG", "PQ"])) }
      if !audio.isEmpty { variant["audio"] = .string(draw.pick(audio)) }
      if !subtitles.isEmpty { variant["subtitles"] = .string(draw.pick(subtitles)) }
      draw.sizes(of: &variant, cut, upTo: bandwidth * 3 / 5)
      if draw.named({ $0.chance(1, 12) }) {
        variant["sizeAfterEnd"] = draw.named { Draft($0.number(1, 900_000)) }
      }
      return variant
    }
  }

  /// The sizes of segments: a rate, a rate that varies, or a list.
  private mutating func sizes(of list: inout Draft, _ cut: Cut, upTo peak: Int64) {
    switch number(0, 3) {
    case 0: list["bitrate"] = .string("\(number(1_000, peak)) bit/s")
    case 1:
      list["bitrate"] = .string("\(number(1_000, peak)) bit/s")
      list["variation"] = .string("\(number(0, 40)) %")
    case 2:
      let most = max(1, cut.segment / 1_000_000 * peak / 8_000)
      list["sizes"] = .array((0..<cut.count).map { _ in size(upTo: most) })
    default: if list["bandwidth"] == nil { list["bitrate"] = .string("\(peak) bit/s") }
    }
    if chance(1, 4) { list["init"] = size(upTo: 2_000) }
  }

  private mutating func rendition(_ group: String, _ cut: Cut, isAudio: Bool) -> Draft {
    var rendition: Draft = ["group": .string(group)]
    if chance(1, 2) { rendition["name"] = .string("\(group) 1") }
    if chance(1, 4) { rendition["language"] = "en" }
    if chance(1, 3) { rendition["default"] = flag() }
    if chance(1, 6) { rendition["autoselect"] = flag() }
    if isAudio, apart({ $0.chance(1, 6) }) {
      rendition["sampleRate"] = apart { $0.chance(1, 2) } ? 48_000 : 44_100
      rendition["bitDepth"] = 16
    }
    if isAudio, chance(1, 4) { rendition["channels"] = Draft(number(1, 8)) }
    if chance(3, 4) { sizes(of: &rendition, cut, upTo: isAudio ? 128_000 : 2_000) }
    return rendition
  }

  private mutating func keys() -> Draft {
    var keys: Draft = .empty
    if chance(1, 2) {
      keys["method"] = .string(pick(["AES-128", "SAMPLE-AES", "SAMPLE-AES-CTR"]))
    }
    if chance(1, 2) { keys["size"] = size(upTo: 2_000) }
    if chance(1, 2) { keys["serverTime"] = time(most: 900) }
    if chance(1, 2) { keys["sessionKey"] = flag() }
    if !hosts.isEmpty, chance(1, 2) { keys["host"] = .string(pick(hosts)) }
    if chance(1, 3) { keys["rotateEvery"] = Draft(number(1, 4)) }
    return keys
  }

  private mutating func live(_ cut: Cut, _ duration: Int64) -> Draft {
    var live: Draft = .empty
    if chance(2, 3) {
      live["elapsed"] = Self.time(min(duration, nanoseconds(most: 20_000)))
    }
    if chance(2, 3) {
      live["window"] = chance(1, 8) ? .null : time(least: 500, most: 20_000)
    }
    if chance(1, 3) {
      live["targetDuration"] = Self.time(cut.segment + 500_000_000 * number(0, 4))
    }
    if chance(1, 3) { live["holdBack"] = time(most: 9_000) }
    if chance(1, 3) { live["publishDelay"] = time(most: 3_000) }
    if chance(1, 3) {
      live["partDuration"] = Self.time(max(1, cut.segment / number(1, 5)))
      if chance(1, 2) { live["partHoldBack"] = time(most: 4_000) }
    }
    if chance(1, 3) { live["canBlockReload"] = flag() }
    return live
  }

  private mutating func failures(
    _ variantCount: Int, _ segmentCount: Int, _ sound: Draft?
  ) -> Draft {
    .array(
      some(1, 2) { draw in
        let target = draw.pick([
          "multivariantPlaylist", "mediaPlaylist", "segment", "segment", "init", "key",
        ])
        var failure: Draft = ["of": .string(target)]
        if target != "multivariantPlaylist", target != "key", draw.chance(1, 3) {
          failure["variant"] = Draft(draw.number(0, Int64(variantCount) - 1))
        }
        if let sound, failure["variant"] == nil, target == "mediaPlaylist" || target == "segment",
          draw.chance(1, 2)
        {
          failure["rendition"] = sound
        }
        if target == "segment", draw.chance(2, 3) {
          failure["number"] = Draft(draw.number(0, Int64(segmentCount) - 1))
        }
        failure["status"] = draw.pick([
          404, 503, "noResponse", "nameNotResolved", "redirect",
          target == "key" ? "wrongKey" : 410,
        ])
        if draw.chance(2, 3) { failure["count"] = Draft(draw.number(1, 3)) }
        return failure
      })
  }
}

// MARK: - Streams that are listed, or on disk

extension WorldDraw {
  /// A stream as logs spell it out: every list of segments by itself.
  private mutating func listed() -> Draft {
    let durations: [Int64] = some(1, 8) {
      $0.chance(1, 12) ? 0 : $0.nanoseconds(least: 40, most: 6_000)
    }
    let whole = durations.reduce(0, +) == 0 ? [1_000_000_000] : durations
    var item: Draft = ["kind": "hls"]
    let keyCount = Int(number(0, 2))
    if keyCount > 0 {
      item["keys"] = .array(
        (0..<keyCount).map { _ in
          var key: Draft = ["size": size(upTo: 2_000)]
          if chance(1, 2) { key["serverTime"] = time(most: 700) }
          return key
        })
      if chance(1, 2) { item["sessionKeys"] = [0] }
    }
    let variantCount = Int(number(1, 3))
    let hasAudio = chance(1, 3)
    item["lists"] = .array(
      (0..<variantCount + (hasAudio ? 1 : 0)).map {
        list(whole, keyCount, isAudio: $0 == variantCount)
      })
    item["variants"] = .array(
      (0..<variantCount).map { place in
        var variant: Draft = ["bandwidth": rate(200, 5_000), "list": Draft(Int64(place))]
        if hasAudio { variant["audio"] = "sound" }
        return variant
      })
    if hasAudio {
      item["audio"] = [["group": "sound", "list": Draft(Int64(variantCount)), "default": flag()]]
    }
    item["multivariantPlaylist"] =
      variantCount == 1 && !hasAudio && item["sessionKeys"] == nil && chance(1, 3)
      ? .null : size(upTo: 3_000)
    common(into: &item)
    return item
  }

  private mutating func list(_ durations: [Int64], _ keyCount: Int, isAudio: Bool) -> Draft {
    var list: Draft = .empty
    if chance(1, 4) { list["name"] = .string("list \(number(0, 99))") }
    if chance(1, 2) { list["playlistSize"] = size(upTo: 3_000) }
    if chance(1, 6) { list["targetDuration"] = "6 s" }
    if chance(1, 10) {
      var text: Draft = ["head": size(upTo: 300), "entries": size(upTo: 900)]
      if chance(1, 2) { text["of"] = Draft(number(1, 20)) }
      if chance(1, 2) { text["key"] = size(upTo: 200) }
      if chance(1, 2) { text["init"] = size(upTo: 200) }
      if chance(1, 2) { text["gzip"] = flag() }
      list["livePlaylist"] = text
    }
    let sectionCount = number(0, 2)
    if sectionCount > 0 {
      list["inits"] = .array((0..<sectionCount).map { _ in size(upTo: 2_000) })
    }
    list["durations"] = .array(durations.map { Self.time($0) })
    let rate = isAudio ? 96_000 : peak()
    list["sizes"] = .array(durations.map { size(upTo: max(1, $0 / 1_000_000 * rate / 8_000)) })
    if named({ $0.chance(1, 12) }) { list["sizeAfterEnd"] = named { Draft($0.number(1, 900_000)) } }
    if chance(1, 8) { list["gaps"] = [Draft(number(0, Int64(durations.count) - 1))] }
    if sectionCount > 0 || keyCount > 0, chance(2, 3) {
      var need: Draft = ["first": Draft(number(0, Int64(durations.count) - 1))]
      if sectionCount > 0 { need["init"] = Draft(number(0, sectionCount - 1)) }
      if keyCount > 0, chance(2, 3) { need["key"] = Draft(number(0, Int64(keyCount) - 1)) }
      list["needs"] = [need]
    }
    return list
  }

  /// A film of Sabre.
  private mutating func movie() -> Draft {
    let count = Int(number(2, 10))
    let rates = [230, 688, 1_427, 2_962].prefix(Int(number(1, 4)))
    let rows = (0..<count).map { _ in
      "[" + rates.map { "\($0 * 2_000 * Int(number(50, 130)) / 100)" }.joined(separator: ", ") + "]"
    }
    let list = rates.map { "\($0)" }.joined(separator: ", ")
    add(
      "{\"segment_duration_ms\": 2000, \"bitrates_kbps\": [\(list)], "
        + "\"segment_sizes_bits\": [\(rows.joined(separator: ", "))]}\n", at: "movie.json")
    var item: Draft = ["movie": "movie.json"]
    if chance(1, 2) { item["kind"] = "hls" }
    common(into: &item)
    return item
  }

  /// A stream whose playlists are files.
  private mutating func playlist() -> Draft {
    let isLive = chance(1, 4)
    var media = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n"
    var offset: Int64 = 0
    for _ in 0..<number(2, 8) {
      let bytes = number(1, 700_000)
      media +=
        "#EXTINF:\(number(1, 6)).\(number(0, 9)),\n#EXT-X-BYTERANGE:\(bytes)@\(offset)\nm.ts\n"
      offset += bytes
    }
    if !isLive { media += "#EXT-X-ENDLIST\n" }
    add(media, at: "media.m3u8")
    var item: Draft = ["playlist": "media.m3u8"]
    if chance(1, 2) {
      add(
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=3000000,AVERAGE-BANDWIDTH=900000\nmedia.m3u8\n",
        at: "main.m3u8")
      item = ["playlist": "main.m3u8"]
    }
    if isLive {
      item["live"] = [
        "continues": time(least: 1_000, most: 20_000), "publishDelay": time(most: 900),
      ]
    }
    if chance(1, 4) { item["gzip"] = flag() }
    if chance(1, 4) { item["startOffset"] = .plain("\(number(-9, 9))") }
    if chance(1, 6) { item["bitrate"] = rate(100, 2_000) }
    if chance(1, 6) { item["sizes"] = ["m.ts": Draft(offset)] }
    common(into: &item)
    return item
  }
}
