import AutowaitJSON

/// Keys and maps, which hold for all segments behind them (rfc8216bis-20, 4.4.4.4 and 4.4.4.5).
extension PlaylistParser {
  /// What a tag says about keys.
  enum KeyReading {
    case none
    case key(PlaylistKey)
    case wrong
  }

  /// How a tag says that there is no key.
  private enum Method: String, CaseIterable {
    case none = "NONE"
    case aes128 = "AES-128"
    case aes256GCM = "AES-256-GCM"
    case aes256 = "AES-256"
    case aes256CTR = "AES-256-CTR"
    case sampleAES = "SAMPLE-AES"
    case sampleAESCTR = "SAMPLE-AES-CTR"

    var key: PlaylistKey.Method? { PlaylistKey.Method(rawValue: rawValue) }
  }

  /// Reads a key.
  mutating func key(_ list: AttributeList, isSession: Bool = false) -> KeyReading {
    let asked: Method? = choice(list, "METHOD", .required)
    guard let asked else { return .wrong }
    guard let method = asked.key else {
      if isSession { findings.error("a session key must not be NONE", at: list.line) }
      if list.attributes.count > 1 {
        findings.warning("other attributes with METHOD=NONE", at: list.line)
      }
      return .none
    }
    guard let uri = address(list, "URI", .required) else { return .wrong }
    var key = PlaylistKey(method: method, uri: uri, line: lineNumber)
    key.initializationVector = initializationVector(list)
    key.keyFormat = string(list, "KEYFORMAT") ?? "identity"
    key.keyFormatVersions = string(list, "KEYFORMATVERSIONS")
    return .key(key)
  }

  private mutating func initializationVector(_ list: AttributeList) -> String? {
    guard let attribute = attribute(list, "IV", .optional) else { return nil }
    let vector = text(attribute.value)
    let digits = vector.utf8.dropFirst(2)
    let isHexadecimal =
      (vector.hasPrefix("0x") || vector.hasPrefix("0X")) && (1...32).contains(digits.count)
      && digits.allSatisfy { byte in
        byte &- 0x30 < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
      }
    if isHexadecimal { return vector }
    findings.wrongValue(
      "the value of 'IV' must be '0x' and up to 32 hexadecimal digits",
      ", not \(shown(attribute.value))", at: valuePlace(attribute.value), isRequired: false)
    return nil
  }

  /// Changes the keys that are in force: a key replaces the one of its format.
  mutating func setKey(_ list: AttributeList) {
    checkOrder()
    switch key(list) {
    case .wrong: break
    case .none: media.keyIndexes = []
    case .key(let key):
      var plain = key
      plain.line = 0
      let index = media.keyIndices[plain] ?? media.playlist.keys.count
      if index == media.playlist.keys.count {
        media.keyIndices[plain] = index
        media.playlist.keys.append(key)
      }
      let playlist = media.playlist
      media.keyIndexes.removeAll { playlist.keys[$0].keyFormat == key.keyFormat }
      let count = media.keyIndexes.count + 1
      if isTooMany(count, PlaylistReader.keyFormatsMax, "formats of keys") { return }
      media.keyIndexes.append(index)
    }
  }

  /// Changes the map that is in force.
  mutating func setMap(_ list: AttributeList) {
    checkOrder()
    guard let uri = address(list, "URI", .required) else { return }
    var map = MediaPlaylist.Map(uri: uri, line: lineNumber)
    if let asked = byteRange(list, "BYTERANGE") {
      if asked.offset == nil {
        findings.warning("the byte range of a map must have an offset; it is 0", at: asked.place)
      }
      map.byteRange = asked.resolved(at: 0)
    }
    map.keyIndexes = media.keyIndexes
    var plain = map
    plain.line = 0
    let index = media.mapIndices[plain] ?? media.playlist.maps.count
    if index == media.playlist.maps.count {
      media.mapIndices[plain] = index
      media.playlist.maps.append(map)
    }
    media.mapIndex = index
  }
}
