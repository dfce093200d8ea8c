import Autowait
import AutowaitScenario

/// Says where the parts of items are, since the core knows them by their numbers only.
struct LogAddresses {
  private let scenario: Scenario

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Returns a relative reference to a variant, or to a file if there are no variants.
  func uri(_ player: Int, _ event: AccessLogEvent) -> String {
    guard let streamMedia = scenario.world.players[player].media[event.item].streamMedia else {
      return uri(player, event.item, .file)
    }
    let list = event.variant.map { streamMedia.variants[$0].list }
    return uri(player, event.item, list.map { .mediaPlaylist($0) } ?? .multivariantPlaylist)
  }

  /// Returns a relative reference (RFC 3986) to a part of an item: `//host/item0/name.m3u8`.
  func uri(_ player: Int, _ item: Int, _ resource: RequestIndex.Resource) -> String {
    let names = scenario.streamNames[player][item]
    func list(_ number: Int) -> String {
      Self.encoded(names?.list(number) ?? "list\(number)")
    }
    let hosts = scenario.hostNames[player][item]
    var host = hosts.media
    let path: String
    switch resource {
    case .file: path = ""
    case .multivariantPlaylist: path = "/multivariant.m3u8"
    case .mediaPlaylist(let number): path = "/\(list(number)).m3u8"
    case .contentKey(let number):
      host = hosts.keys
      path = "/key/\(Self.encoded(names?.key(number) ?? "\(number)"))"
    case .initialization(let number): path = "/\(list(number))/init"
    case .segment(let number, let segment): path = "/\(list(number))/\(segment)"
    }
    return (host.map { "//\(Self.encoded($0))/" } ?? "") + "item\(item)" + path
  }

  /// Returns the host of a part of an item; nil if it has no name.
  func serverAddress(_ player: Int, _ item: Int, _ resource: RequestIndex.Resource?) -> String? {
    let hosts = scenario.hostNames[player][item]
    if case .contentKey = resource { return hosts.keys }
    return hosts.media
  }

  /// Returns an identifier that one item of one player has in all runs of a scenario and its seed:
  /// a UUID of version 8 (RFC 9562).
  func playbackSessionID(_ player: Int, _ item: Int) -> String {
    var words: [UInt64] = []
    for part in UInt64(0)..<2 {
      var fingerprint = Fingerprint()
      fingerprint.mix(bytes: Array(scenario.playerNames[player].utf8))
      fingerprint.mix(scenario.digest, UInt64(player), UInt64(item), part)
      words.append(fingerprint.value)
    }
    words[0] = words[0] & ~0xF000 | 0x8000
    words[1] = words[1] & ~(3 << 62) | 2 << 62
    let digits = words.map { LogRendering.hexadecimal($0).uppercased() }.joined()
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text += "-" }
      text.append(digit)
    }
    return text
  }

  /// Returns a text with all bytes but those that RFC 3986 leaves as they are as their numbers.
  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }
}

extension PlaybackType {
  /// The word that AVFoundation has for it.
  var word: StaticString {
    switch self {
    case .live: "LIVE"
    case .vod: "VOD"
    case .file: "FILE"
    }
  }
}
