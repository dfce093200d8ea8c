import AutowaitJSON

/// What is known of a multivariant playlist while it is read.
struct MultivariantBuilder {
  /// A group that a variant names, and where.
  struct GroupReference {
    let kind: MultivariantPlaylist.Rendition.Kind
    let group: String
    let place: Range<Int>
  }

  var playlist = MultivariantPlaylist()
  /// A variant whose address is still to come, and the line of its tag.
  var pending: (variant: MultivariantPlaylist.Variant?, line: Range<Int>)?
  var references: [GroupReference] = []
  /// The names of the renditions of each group, and whether one of them is the default.
  var names: Set<[String]> = []
  var defaults: Set<[String]> = []
  var groups: Set<[String]> = []
  /// The entries so far.
  var count = 0
}

/// Reading multivariant playlists (rfc8216bis-20, 4.4.6).
extension PlaylistParser {
  /// Counts an entry; returns whether there are not too many.
  mutating func countEntry() -> Bool {
    multivariant.count += 1
    let what = "variants, renditions and other entries"
    return !isTooMany(multivariant.count, PlaylistReader.entriesMax, what)
  }

  mutating func readVariant(_ list: AttributeList) {
    checkPendingVariant()
    multivariant.pending = (variant(list), line)
  }

  mutating func readIFrameVariant(_ list: AttributeList) {
    guard var variant = variant(list), let uri = address(list, "URI", .required) else { return }
    variant.uri = uri
    multivariant.playlist.iFrameVariants.append(variant)
  }

  mutating func readSessionKey(_ list: AttributeList) {
    if case .key(let key) = key(list, isSession: true) {
      multivariant.playlist.sessionKeys.append(key)
    }
  }

  mutating func readSessionData(_ list: AttributeList) {
    _ = attribute(list, "DATA-ID", .required)
    multivariant.playlist.sessionData.append(tagText(list.value))
  }

  mutating func readSteering(_ list: AttributeList) {
    guard let uri = address(list, "SERVER-URI", .required) else { return }
    multivariant.playlist.contentSteering = MultivariantPlaylist.ContentSteering(
      serverURI: uri, pathwayID: string(list, "PATHWAY-ID"))
  }

  /// Returns what stands behind the colon of a tag, as it is.
  func tagText(_ value: Range<Int>) -> PlaylistTagText {
    PlaylistTagText(text: String(decoding: bytes[value], as: UTF8.self), line: lineNumber)
  }

  /// Gives the last variant its address.
  mutating func addVariant() {
    guard let pending = multivariant.pending else {
      findings.warning("the address has no 'EXT-X-STREAM-INF' before it and is skipped", at: line)
      return
    }
    multivariant.pending = nil
    guard var variant = pending.variant else { return }
    variant.uri = text(line)
    multivariant.playlist.variants.append(variant)
  }

  private func checkPendingVariant() {
    guard let pending = multivariant.pending else { return }
    findings.error("no address follows the variant", at: pending.line)
  }

  private mutating func variant(_ list: AttributeList) -> MultivariantPlaylist.Variant? {
    let rateMax = PlaylistReader.bitRateMax
    func rate(_ name: String, _ need: AttributeNeed) -> Int64? {
      number(list, name, need, places: 0, max: rateMax)
    }
    guard let bandwidth = rate("BANDWIDTH", .required) else { return nil }
    var variant = MultivariantPlaylist.Variant(uri: "", bandwidth: bandwidth, line: lineNumber)
    if bandwidth == .zero { findings.warning("the bandwidth is 0", at: list.line) }
    variant.averageBandwidth = rate("AVERAGE-BANDWIDTH", .optional)
    if let average = variant.averageBandwidth, average > bandwidth {
      findings.warning("the average bandwidth is above the highest one", at: list.line)
    }
    variant.scoreMillionths = number(
      list, "SCORE", .optional, places: 6, max: 1_000_000_000_000_000)
    variant.codecs = strings(list, "CODECS")
    variant.supplementalCodecs = strings(list, "SUPPLEMENTAL-CODECS")
    variant.resolution = resolution(list)
    variant.frameRateMillihertz = number(
      list, "FRAME-RATE", .optional, places: 3, max: 1_000_000_000)
    variant.videoRange = choice(list, "VIDEO-RANGE")
    variant.hdcpLevel = choice(list, "HDCP-LEVEL")
    variant.allowedCPC = string(list, "ALLOWED-CPC")
    variant.requiredVideoLayout = string(list, "REQ-VIDEO-LAYOUT")
    variant.audioGroup = group(list, "AUDIO", .audio)
    variant.videoGroup = group(list, "VIDEO", .video)
    variant.subtitlesGroup = group(list, "SUBTITLES", .subtitles)
    if let captions = attribute(list, "CLOSED-CAPTIONS", .optional) {
      if !captions.isQuoted, isText(captions.value, "NONE") {
        variant.closedCaptions = .absent
      } else {
        variant.closedCaptions = group(list, "CLOSED-CAPTIONS", .closedCaptions)
          .map { .group($0) }
      }
    }
    variant.pathwayID = string(list, "PATHWAY-ID")
    variant.stableVariantID = string(list, "STABLE-VARIANT-ID")
    return variant
  }

  private mutating func group(
    _ list: AttributeList, _ name: String, _ kind: MultivariantPlaylist.Rendition.Kind
  ) -> String? {
    guard let group = string(list, name), let place = attribute(list, name, .optional)?.value
    else { return nil }
    multivariant.references.append(
      MultivariantBuilder.GroupReference(kind: kind, group: group, place: valuePlace(place)))
    return group
  }

  private func resolution(_ list: AttributeList) -> MultivariantPlaylist.Resolution? {
    guard let range = attribute(list, "RESOLUTION", .optional)?.value else { return nil }
    // Some write it with a capital; players take that.
    let cross = range.first { bytes[$0] | 0x20 == UInt8(ascii: "x") } ?? range.upperBound
    let sides = [range.lowerBound..<cross, min(cross + 1, range.upperBound)..<range.upperBound]
      .map { side -> Int64? in
        guard case .value(let value) = decimal(side, places: 0), value <= 1_000_000,
          !bytes[side].contains(UInt8(ascii: "."))
        else { return nil }
        return value
      }
    if let width = sides[0], let height = sides[1] {
      return MultivariantPlaylist.Resolution(width: width, height: height)
    }
    findings.wrongValue(
      "the value of 'RESOLUTION' must be a width, 'x' and a height", ", not \(shown(range))",
      at: valuePlace(range), isRequired: false)
    return nil
  }

  mutating func readRendition(_ list: AttributeList) {
    typealias Rendition = MultivariantPlaylist.Rendition
    let kind: Rendition.Kind? = choice(list, "TYPE", .required)
    let group = string(list, "GROUP-ID", .required)
    let name = string(list, "NAME", .required)
    guard let kind, let group, let name else { return }
    var rendition = Rendition(
      kind, groupID: group, name: name, uri: address(list, "URI"), line: lineNumber)
    rendition.language = string(list, "LANGUAGE")
    rendition.associatedLanguage = string(list, "ASSOC-LANGUAGE")
    rendition.stableRenditionID = string(list, "STABLE-RENDITION-ID")
    rendition.isDefault = flag(list, "DEFAULT")
    let isAutoselect = flagIfPresent(list, "AUTOSELECT")
    if rendition.isDefault, isAutoselect == false {
      findings.warning("a default rendition that must not be selected", at: list.line)
    }
    rendition.isAutoselect = isAutoselect == true || rendition.isDefault
    rendition.isForced = flag(list, "FORCED")
    let needsPlace = kind == .closedCaptions ? AttributeNeed.required : .optional
    rendition.instreamID = string(list, "INSTREAM-ID", needsPlace)
    rendition.bitDepth = number(list, "BIT-DEPTH", .optional, places: 0, max: 1_000)
    rendition.sampleRate = number(list, "SAMPLE-RATE", .optional, places: 0, max: 1_000_000_000)
    rendition.channels = string(list, "CHANNELS")
    rendition.characteristics = strings(list, "CHARACTERISTICS")
    check(rendition, list)
    multivariant.playlist.renditions.append(rendition)
  }

  private mutating func check(
    _ rendition: MultivariantPlaylist.Rendition, _ list: AttributeList
  ) {
    let key = [rendition.kind.rawValue, rendition.groupID]
    multivariant.groups.insert(key)
    if !multivariant.names.insert(key + [rendition.name]).inserted {
      findings.warning("two renditions of a group have one name", at: list.line)
    }
    if rendition.isDefault, !multivariant.defaults.insert(key).inserted {
      findings.warning("two renditions of a group are the default", at: list.line)
    }
    switch rendition.kind {
    case .closedCaptions:
      if rendition.uri != nil {
        findings.warning("closed captions must not have an address", at: list.line)
      }
    case .subtitles:
      if rendition.uri == nil {
        findings.error("subtitles must have the attribute 'URI'", at: list.line)
      }
    case .audio, .video: break
    }
  }

  /// Looks at what only the whole playlist shows.
  mutating func finishMultivariant(_ header: Range<Int>) {
    checkPendingVariant()
    if multivariant.playlist.variants.isEmpty, multivariant.pending == nil, !findings.hasErrors {
      findings.error("the playlist has no variants", at: header)
    }
    if let place = firstImport {
      findings.error("a multivariant playlist must not import variables", at: place)
    }
    for reference in multivariant.references
    where !multivariant.groups.contains([reference.kind.rawValue, reference.group]) {
      findings.warning(
        "no rendition of the type \(reference.kind.rawValue) has the group",
        " '\(reference.group.excerpt)'", at: reference.place)
    }
  }
}
