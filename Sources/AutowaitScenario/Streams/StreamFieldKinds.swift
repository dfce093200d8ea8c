import Autowait

extension FieldKind where Value == Int64 {
  /// A part of a whole, in billionths.
  static func part(in limits: ClosedRange<Int64> = 0...1_000_000_000) -> FieldKind {
    .quantity(.part, in: limits, { $0 }, count: { $0 })
  }
}

extension FieldKind where Value == MediaTime {
  /// Where playback starts, counted from the beginning or, if negative, from the end.
  static var startOffset: FieldKind {
    .mediaTime(in: MediaTime(nanoseconds: -Limits.mediaMax.nanoseconds)...Limits.mediaMax)
  }
}

extension Quantity {
  /// Parts of a whole; a bare number counts from 0 to 1.
  static let part = Quantity(
    description: "a part such as 0.2 or \"20 %\"", grain: "a billionth",
    bareSize: 1_000_000_000, units: [Unit("%", 10_000_000, isShown: false)])

  /// How many pixels there are to a point.
  static let scale = Quantity(
    description: "a scale such as 2", grain: "a millionth", bareSize: 1_000_000,
    units: [Unit("x", 1_000_000, isShown: false)])
}

extension Resolution {
  /// The most pixels in a row, and the most rows.
  static let sideMax: Int32 = 65_536

  /// Reads a size as in `960x540`; nil if it is none.
  init?(text: Substring) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Self.side(sides[0]), let height = Self.side(sides[1])
    else { return nil }
    self.init(width: width, height: height)
  }

  private static func side(_ text: Substring) -> Int32? {
    guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let side = Int32(text), 1...sideMax ~= side
    else { return nil }
    return side
  }

  /// The size in pixels of so many points; nil if it is too large.
  func scaled(by millionths: Int64) -> Resolution? {
    func side(_ points: Int32) -> Int32? {
      let pixels = (Int64(points) * millionths + 999_999) / 1_000_000
      return 1...Int64(Self.sideMax) ~= pixels ? Int32(pixels) : nil
    }
    guard let width = side(width), let height = side(height) else { return nil }
    return Resolution(width: width, height: height)
  }
}

/// The largest scale of a layer, in millionths.
private let scaleMax: Int64 = 10_000_000

/// The keys of a layer.
private enum LayerKeys {
  static let width = Key("width", side, .required, "how wide it is, in points")
  static let height = Key("height", side, .required, "how high it is, in points")
  static let scale = Key(
    "scale", .quantity(.scale, in: 1...scaleMax) { $0 }, .standard("1"),
    "how many pixels a point is wide")
  static let object: ObjectKind = ObjectKind("layer", "a layer", width.row, height.row, scale.row)

  private static var side: FieldKind<Int64> { .integer(in: 1...Int64(Resolution.sideMax)) }
}

extension FieldKind where Value == Resolution {
  /// The size of a picture in pixels.
  static var resolution: FieldKind {
    FieldKind(
      .pattern("^[0-9]+x[0-9]+$"),
      { value, label, findings in
        if let size = value.string.flatMap({ Resolution(text: $0[...]) }) { return size }
        findings.error("\(label) must be a size in pixels such as \"960x540\"", at: value)
        return nil
      }, write: { json, size, _ in json.string(text: "\(size.width)x\(size.height)") })
  }

  /// The size of a layer in pixels: its points times its scale.
  static var layer: FieldKind {
    let text = Schema.pattern("^[0-9]+x[0-9]+(@.+)?$")
    return FieldKind(.either([text, .object { LayerKeys.object }])) { value, label, findings in
      if value.kind == .object { return layer(value, label, findings) }
      let parts = value.string?.split(
        separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      if let parts, let size = parts.first.flatMap({ Resolution(text: $0) }) {
        var scale: Int64? = 1_000_000
        if parts.count == 2 {
          scale = try? Quantity.scale.parse(String(parts[1]), in: 1...scaleMax)
        }
        if let pixels = scale.flatMap({ size.scaled(by: $0) }) { return pixels }
      }
      findings.error(
        "\(label) must be a size in points with its scale such as \"375x211@2x\"", at: value)
      return nil
    }
  }

  private static func layer(
    _ value: JSONValue, _ label: FieldLabel, _ findings: Findings
  ) -> Resolution? {
    var fields = FieldReader(value, LayerKeys.object, findings)
    let width = fields.required(LayerKeys.width)
    let height = fields.required(LayerKeys.height)
    let scale = fields.value(of: LayerKeys.scale)
    fields.finish()
    guard let width, let height else { return nil }
    let size = Resolution(width: Int32(width), height: Int32(height))
    if let pixels = size.scaled(by: scale) { return pixels }
    findings.error("\(label) has more than \(Resolution.sideMax) pixels in a row", at: value)
    return nil
  }
}

extension CodecFamilies {
  /// The words for the kinds of codecs that a device may or may not decode.
  static let words: [(word: String, meaning: CodecFamilies)] = [
    ("avc", .avc), ("hevc", .hevc), ("dolbyVision", .dolbyVision), ("av1", .av1), ("vp9", .vp9),
    ("aac", .aac), ("heAAC", .heAAC), ("ac3", .ac3), ("ec3", .ec3), ("mp3", .mp3),
    ("flac", .flac), ("alac", .alac), ("opus", .opus), ("other", .other),
  ]

  /// Finds the kinds of a list of codecs as in `avc1.4d401f,mp4a.40.2` (RFC 6381).
  init(codecs: String) {
    self = codecs.split(separator: ",").reduce(into: []) { families, codec in
      let text = codec.drop { $0 == " " }
      families.formUnion(Self.family(of: text))
    }
  }

  private static func family(of codec: Substring) -> CodecFamilies {
    let parts = codec.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.first.map(String.init) ?? "" {
    case "avc1", "avc3": return .avc
    case "hvc1", "hev1": return .hevc
    case "dvh1", "dvhe", "dva1", "dvav", "dav1": return .dolbyVision
    case "av01": return .av1
    case "vp09", "vp9": return .vp9
    case "ac-3": return .ac3
    case "ec-3": return .ec3
    case "fLaC", "flac": return .flac
    case "alac": return .alac
    case "Opus", "opus": return .opus
    case "mp3": return .mp3
    case "mp4a": return ofMPEG4(parts.dropFirst())
    default: return .other
    }
  }

  /// The kind of an object type of MPEG-4 audio, and behind it of an audio object type.
  private static func ofMPEG4(_ parts: ArraySlice<Substring>) -> CodecFamilies {
    switch (parts.first, parts.dropFirst().first) {
    case ("69", _), ("6B", _), ("6b", _), ("40", "34"): .mp3
    case ("40", "5"), ("40", "05"), ("40", "29"): .heAAC
    case ("40", _), ("66", _), ("67", _), ("68", _), (nil, _): .aac
    case ("A5", _), ("a5", _): .ac3
    case ("A6", _), ("a6", _): .ec3
    case ("AD", _), ("ad", _): .opus
    default: .other
    }
  }
}

extension FieldKind where Value == CodecFamilies {
  /// A list of codecs as playlists name them.
  static var codecs: FieldKind {
    .converted(
      from: FieldKind<String>.string, { CodecFamilies(codecs: $0) },
      back: { $0.names.joined(separator: ",") })
  }

  /// A list of words for kinds of codecs.
  static var families: FieldKind {
    .converted(from: FieldKind<[CodecFamilies]>.list(of: .word(CodecFamilies.words))) {
      $0.reduce(into: []) { $0.formUnion($1) }
    }
  }
}

extension FieldKind where Value == LanguageTag {
  /// The tag of a language.
  static var language: FieldKind {
    FieldKind(.string) { value, label, findings in
      guard let text = FieldKind<String>.string.read(value, label, findings) else { return nil }
      if let tag = LanguageTag(text) { return tag }
      findings.error(
        "\(label) must be the tag of a language, such as 'en' or 'pt-BR'", at: value)
      return nil
    }
  }
}

extension LanguageTag {
  /// The tag in its usual form: scripts begin with a capital letter, regions have only capitals
  /// (RFC 5646, 2.1.1).
  package var text: String {
    subtags.enumerated().map { place, subtag in
      let text = String(decoding: subtag, as: UTF8.self)
      if place == 0 { return text }
      return switch subtag.count {
      case 2: text.uppercased()
      case 4: text.prefix(1).uppercased() + text.dropFirst()
      default: text
      }
    }.joined(separator: "-")
  }
}

extension FieldKind where Value == VideoRange {
  /// A range of brightness.
  static var videoRange: FieldKind {
    .words([("SDR", .sdr), ("HLG", .hlg), ("PQ", .pq)])
  }
}
