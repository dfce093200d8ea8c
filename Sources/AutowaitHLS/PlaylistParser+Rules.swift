import AutowaitJSON

/// What a playlist must not do although players take it, which is said where somebody asks for it.
struct PlaylistRules {
  /// A date range, as far as others are held against it.
  struct DateRange {
    let id: String
    /// The attributes that must be equal wherever the range is named again.
    var attributes: [(name: String, value: String)]
  }

  /// What needs the highest version of all that was met, and where the first of these stands.
  var need: (version: Int64, what: String, place: Range<Int>)?
  /// Where the version stands.
  var versionPlace: Range<Int>?
  var dateRanges: [DateRange] = []
  /// Where the first date range stands.
  var firstDateRange: Range<Int>?
  var hasDate = false
  /// Where the first map stands.
  var firstMap: Range<Int>?
  /// Where variants say that they have no closed captions, and where others do not.
  var withoutCaptions: Range<Int>?
  var otherCaptions: Range<Int>?
  /// The pathway to begin with, and where it is named.
  var pathway: (name: String, place: Range<Int>)?
  /// The data of the session, by name and language.
  var sessionData: Set<[String]> = []
}

/// The rules of rfc8216bis-20 that no player enforces.
extension PlaylistParser {
  /// The most date ranges that are held against each other; assumed.
  private static let dateRangesMax = 1_000

  /// Notes that something needs a version of the protocol (rfc8216bis-20, 8).
  mutating func needs(_ version: Int64, _ what: String) {
    if version > rules.need?.version ?? 1 { rules.need = (version, what, line) }
  }

  /// Looks at what a tag needs, and at what it must not say.
  mutating func checkRules(_ tag: PlaylistTag, _ value: Range<Int>) {
    if !context.lints { return }
    switch tag {
    case .version: rules.versionPlace = value
    case .inf:
      let number = bytes[value].prefix { $0 != UInt8(ascii: ",") }
      if number.contains(UInt8(ascii: ".")) { needs(3, "a duration with a fraction") }
    case .byteRange: needs(4, "'EXT-X-BYTERANGE'")
    case .iFramesOnly: needs(4, "'EXT-X-I-FRAMES-ONLY'")
    case .map:
      needs(5, "'EXT-X-MAP'")
      if rules.firstMap == nil { rules.firstMap = line }
    case .programDateTime: rules.hasDate = true
    case .skip: needs(9, "'EXT-X-SKIP'")
    case .header, .independentSegments, .start, .define, .streamInf, .iFrameStreamInf, .media,
      .sessionData, .sessionKey, .contentSteering, .targetDuration, .mediaSequence,
      .discontinuitySequence, .endList, .playlistType, .partInf, .serverControl, .discontinuity,
      .key, .gap, .bitRate, .part, .dateRange, .preloadHint, .renditionReport:
      break
    }
  }

  /// Looks at the attributes of a tag.
  mutating func checkRules(_ tag: PlaylistTag, _ list: AttributeList) {
    if !context.lints || list.isBroken { return }
    func has(_ name: String) -> Bool { attribute(list, name, .optional) != nil }
    for attribute in list.attributes where bytes[attribute.name].starts(with: "REQ-".utf8) {
      needs(12, "an attribute whose name begins with 'REQ-'")
    }
    switch tag {
    case .key, .sessionKey:
      if has("IV") { needs(2, "the attribute 'IV'") }
      if has("KEYFORMAT") || has("KEYFORMATVERSIONS") { needs(5, "the attribute 'KEYFORMAT'") }
    case .define:
      if has("QUERYPARAM") { needs(11, "'QUERYPARAM'") } else { needs(8, "'EXT-X-DEFINE'") }
    case .skip:
      if has("RECENTLY-REMOVED-DATERANGES") { needs(10, "'RECENTLY-REMOVED-DATERANGES'") }
    case .serverControl:
      if has("CAN-SKIP-DATERANGES"), !has("CAN-SKIP-UNTIL") {
        findings.warning("'CAN-SKIP-DATERANGES' without 'CAN-SKIP-UNTIL'", at: list.line)
      }
    case .dateRange: checkDateRange(list)
    case .streamInf: checkVariant(list)
    case .media: checkRendition(list)
    case .sessionData: checkSessionData(list)
    case .contentSteering:
      if let place = attribute(list, "PATHWAY-ID", .optional)?.value {
        rules.pathway = (plain(place), place)
      }
    case .header, .version, .independentSegments, .start, .iFrameStreamInf, .targetDuration,
      .mediaSequence, .discontinuitySequence, .endList, .playlistType, .iFramesOnly, .partInf,
      .inf, .byteRange, .discontinuity, .map, .programDateTime, .gap, .bitRate, .part,
      .preloadHint, .renditionReport:
      break
    }
  }

  /// Returns what stands in a range, references to variables included.
  private func plain(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  // MARK: - Multivariant playlists

  private mutating func checkVariant(_ list: AttributeList) {
    let captions = attribute(list, "CLOSED-CAPTIONS", .optional)
    if let captions, !captions.isQuoted, isText(captions.value, "NONE") {
      if rules.withoutCaptions == nil { rules.withoutCaptions = list.line }
    } else if rules.otherCaptions == nil {
      rules.otherCaptions = list.line
    }
    guard let allowed = attribute(list, "ALLOWED-CPC", .optional)?.value else { return }
    for entry in bytes[allowed].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    {
      let colon = entry.firstIndex(of: UInt8(ascii: ":"))
      if colon == nil || colon == entry.startIndex {
        findings.warning(
          "the value of 'ALLOWED-CPC' must be formats, each with ':' and its classes",
          at: valuePlace(allowed))
        return
      }
    }
  }

  private mutating func checkRendition(_ list: AttributeList) {
    func isKind(_ name: String) -> Bool {
      attribute(list, "TYPE", .optional).map { isText($0.value, name) } ?? false
    }
    if attribute(list, "FORCED", .optional) != nil, !isKind("SUBTITLES") {
      findings.warning("only subtitles may have the attribute 'FORCED'", at: list.line)
    }
    if isKind("CLOSED-CAPTIONS") {
      if attribute(list, "CHANNELS", .optional) != nil {
        findings.warning("closed captions must not have the attribute 'CHANNELS'", at: list.line)
      }
    }
    guard let instream = attribute(list, "INSTREAM-ID", .optional)?.value else { return }
    if !isKind("CLOSED-CAPTIONS") { return needs(13, "'INSTREAM-ID' of other renditions") }
    let word = plain(instream)
    if word.hasPrefix("SERVICE") { needs(7, "'SERVICE' in 'INSTREAM-ID'") }
    let number = Int(word.dropFirst(word.hasPrefix("CC") ? 2 : 7)) ?? 0
    let isKnown =
      word.hasPrefix("CC") ? 1...4 ~= number : word.hasPrefix("SERVICE") && 1...63 ~= number
    // A variable may stand for anything.
    if !isKnown, !word.contains("{") {
      findings.warning(
        "the value of 'INSTREAM-ID' must be CC1 to CC4, or SERVICE1 to SERVICE63", at: instream)
    }
  }

  private mutating func checkSessionData(_ list: AttributeList) {
    let (value, uri) = (attribute(list, "VALUE", .optional), attribute(list, "URI", .optional))
    if (value == nil) == (uri == nil) {
      findings.warning("session data must have one of 'VALUE' and 'URI'", at: list.line)
    }
    let names = ["DATA-ID", "LANGUAGE"].map { name in
      attribute(list, name, .optional).map { plain($0.value) } ?? ""
    }
    if !rules.sessionData.insert(names).inserted {
      findings.warning("session data appears twice in one language", at: list.line)
    }
  }

  // MARK: - Date ranges

  /// Looks at a date range (4.4.5.1).
  private mutating func checkDateRange(_ list: AttributeList) {
    if rules.firstDateRange == nil { rules.firstDateRange = list.line }
    func value(_ name: String) -> String? {
      attribute(list, name, .optional).map { plain($0.value) }
    }
    func date(_ name: String) -> Int64? {
      guard let place = attribute(list, name, .optional)?.value else { return nil }
      if let time = CalendarTime.nanoseconds(plain(place)) { return time }
      findings.warning(
        "the value of '\(name)' must be a date and a time of ISO 8601", at: valuePlace(place))
      return nil
    }
    func length(_ name: String) -> Int64? {
      guard let place = attribute(list, name, .optional)?.value else { return nil }
      switch decimal(place, places: 9, isSigned: true) {
      case .value(let length) where length >= 0: return length
      case .value: findings.warning("the value of '\(name)' must not be negative", at: place)
      case .malformed, .tooLarge:
        findings.warning("the value of '\(name)' must be a number of seconds", at: place)
      }
      return nil
    }
    let (start, end) = (date("START-DATE"), date("END-DATE"))
    let duration = length("DURATION")
    _ = length("PLANNED-DURATION")
    if let start, let end, end < start {
      findings.warning("the date range ends before it starts", at: list.line)
    } else if let start, let end, let duration, end - start != duration {
      findings.warning("'DURATION' is not what lies between both dates", at: list.line)
    }
    if let word = value("END-ON-NEXT") {
      if word != "YES" { findings.warning("'END-ON-NEXT' must be YES", at: list.line) }
      if value("CLASS") == nil {
        findings.warning("'END-ON-NEXT' without the attribute 'CLASS'", at: list.line)
      }
      if value("DURATION") != nil || value("END-DATE") != nil {
        findings.warning("'END-ON-NEXT' with 'DURATION' or 'END-DATE'", at: list.line)
      }
    }
    compareDateRange(list)
  }

  /// Holds a date range against one of the same name, which may add attributes and change none.
  private mutating func compareDateRange(_ list: AttributeList) {
    let all = list.attributes.map { (name: plain($0.name), value: plain($0.value)) }
    guard let id = all.first(where: { $0.name == "ID" })?.value else { return }
    guard let index = rules.dateRanges.firstIndex(where: { $0.id == id }) else {
      if attribute(list, "START-DATE", .optional) == nil {
        findings.warning("a date range without the attribute 'START-DATE'", at: list.line)
      }
      if rules.dateRanges.count < Self.dateRangesMax {
        rules.dateRanges.append(PlaylistRules.DateRange(id: id, attributes: all))
      }
      return
    }
    for attribute in all {
      let known = rules.dateRanges[index].attributes.first { $0.name == attribute.name }
      if known == nil { rules.dateRanges[index].attributes.append(attribute) }
      if let known, known.value != attribute.value {
        findings.warning(
          "a date range has another value than before",
          " of '\(attribute.name.excerpt)'", at: list.line)
        return
      }
    }
  }

  // MARK: - The whole playlist

  /// Looks at what only the whole playlist shows.
  mutating func finishRules(_ header: Range<Int>) {
    if !context.lints { return }
    if let map = rules.firstMap, !media.playlist.isIFramesOnly, rules.need?.version ?? 1 < 6 {
      rules.need = (6, "'EXT-X-MAP' with segments other than I-frames", map)
    }
    if let need = rules.need, need.version > shared.version {
      let note =
        rules.versionPlace == nil
        ? "'#EXT-X-VERSION:\(need.version)' says it"
        : "the version is at \(findings.position(of: rules.versionPlace?.lowerBound ?? 0))"
      findings.warning(
        "\(need.what) needs version \(need.version), and the playlist has \(shared.version)",
        at: need.place, notes: [note])
    }
    if let range = rules.firstDateRange, !rules.hasDate {
      findings.warning("a date range in a playlist without 'EXT-X-PROGRAM-DATE-TIME'", at: range)
    }
    if rules.withoutCaptions != nil, let other = rules.otherCaptions {
      findings.warning(
        "another variant has 'CLOSED-CAPTIONS=NONE', and so all must", at: other)
    }
    if let pathway = rules.pathway {
      let names = multivariant.playlist.variants.map { $0.pathwayID ?? "." }
      if !names.contains(pathway.name) {
        findings.warning("no variant has the pathway to begin with", at: pathway.place)
      }
    }
  }
}
