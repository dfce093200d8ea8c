import Autowait

/// Reading variants and renditions.
extension StreamReader {
  /// A rendition with its segment list, if it has one.
  struct ReadRendition {
    var rendition: StreamMedia.Rendition
    var list: NamedList?
    /// Its rate, rounded up.
    var rate: BitRate
  }

  /// A variant with its segment list.
  struct ReadVariant {
    var variant: StreamMedia.Variant
    var list: NamedList
  }

  /// Reads `audio` or `subtitles`.
  mutating func renditions(
    _ key: Key<JSONValue>, _ kind: StreamMedia.Rendition.Kind, _ fields: inout FieldReader
  ) -> [ReadRendition] {
    fields.elements(key).compactMap { rendition($0, kind) }
  }

  private mutating func rendition(
    _ element: JSONValue, _ kind: StreamMedia.Rendition.Kind
  ) -> ReadRendition? {
    var fields = FieldReader(
      element, kind == .audio ? RenditionKeys.audio : RenditionKeys.subtitles, findings)
    let read =
      kind == .audio
      ? fields.rendition(kind, &audioGroups)
      : fields.rendition(kind, &subtitleGroups)
    let asked = sizes(&fields)
    fields.finish()
    guard let (rendition, title) = read else { return nil }
    if asked.isEmpty { return ReadRendition(rendition: rendition, list: nil, rate: .zero) }
    if asked.bitRate == nil, asked.sizes == nil {
      fields.error("\(fields.subject) with segments of its own needs 'bitrate' or 'sizes'", at: "")
      return nil
    }
    let list = segments(
      title, asked, at: asked.bitRate ?? .zero, fields, isEncrypted: kind == .audio)
    guard let list else { return nil }
    return ReadRendition(
      rendition: rendition, list: list, rate: cut.rate(of: list.segments.byteCount))
  }

  /// Reads `variants`.
  mutating func variants(
    _ fields: inout FieldReader, _ audio: [ReadRendition]
  ) -> [ReadVariant] {
    guard let array = fields.required(HLSKeys.variants) else { return [] }
    if array.count == 0 { findings.error("'variants' has no variants", at: array) }
    return array.elements.compactMap { variant($0, audio) }
  }

  private mutating func variant(_ element: JSONValue, _ audio: [ReadRendition]) -> ReadVariant? {
    var fields = FieldReader(element, VariantKeys.object, findings)
    let name = fields.optional(VariantKeys.name)
    let bandwidth = fields.required(VariantKeys.bandwidth)
    var variant = StreamMedia.Variant(bandwidth: bandwidth ?? .zero, list: 0)
    fields.read(into: &variant, audio: audioGroups, subtitles: subtitleGroups)
    let asked = sizes(&fields)
    let sizeAfterEnd = fields.optional(SegmentKeys.sizeAfterEnd)
    fields.finish()
    if bandwidth == nil { return nil }
    let heard =
      audio.filter { $0.rendition.group == variant.audioGroup }.map { $0.rate }.max() ?? .zero
    guard let rate = rate(of: variant, asked, beside: heard, fields),
      var list = segments(name ?? variant.defaultName, asked, at: rate, fields)
    else { return nil }
    list.segments.sizeAfterEnd = sizeAfterEnd ?? .zero
    return ReadVariant(variant: variant, list: list)
  }

  /// The rate of a variant's own segments.
  ///
  /// What a playlist says of a variant includes its renditions (RFC 8216, 4.3.4.2).
  private func rate(
    of variant: StreamMedia.Variant, _ asked: AskedSizes, beside heard: BitRate,
    _ fields: FieldReader
  ) -> BitRate? {
    if asked.sizes != nil { return .zero }
    let whole: Int64 = 1_000_000_000
    let part = asked.variation ?? 0
    let ceiling = variant.bandwidth.bitsPerSecond - heard.bitsPerSecond
    // At most so much, that the largest segment is within the bandwidth.
    let mean = Int64(Int128(ceiling) * Int128(whole) / Int128(whole + part))
    let said = variant.averageBandwidth.map { $0.bitsPerSecond - heard.bitsPerSecond }
    let rate = asked.bitRate?.bitsPerSecond ?? said ?? mean
    if rate <= 0 {
      fields.error(
        "the audio of the variant leaves nothing of its bandwidth for its own segments",
        at: variant.averageBandwidth == nil ? "bandwidth" : "averageBandwidth",
        notes: ["what a playlist says of a variant includes its renditions"])
      return nil
    }
    if part > 0, rate > mean {
      fields.error(
        "with this 'variation' segments exceed the 'bandwidth'", at: "variation",
        notes: [
          "'bitrate' must be at most \(Quantity.bitRate.text(mean)), and is "
            + Quantity.bitRate.text(rate)
        ])
      return nil
    }
    return BitRate(bitsPerSecond: rate)
  }

  /// Moves the variant that `rewrite` prefers to the front.
  func rewrite(_ fields: inout FieldReader, _ variants: inout [ReadVariant]) {
    let place = Self.preferredFirst(
      &fields, variants.map { ($0.list.name, $0.variant.bandwidth) })
    if let place { variants.insert(variants.remove(at: place), at: 0) }
  }

  /// Returns the variant that `rewrite` prefers, as an application does that serves the
  /// multivariant playlist itself (WWDC16 503).
  static func preferredFirst(
    _ fields: inout FieldReader, _ variants: [(name: String, bandwidth: BitRate)]
  ) -> Int? {
    guard var rewrite = fields.object(HLSKeys.rewrite) else { return nil }
    let value = rewrite.required(RewriteKeys.preferredFirst)
    rewrite.finish()
    guard let value, !variants.isEmpty else { return nil }
    let names = variants.map { $0.name }
    if let name = value.string, let place = names.firstIndex(of: name) { return place }
    if let name = value.string, !name.isBitRate {
      rewrite.error(
        "there is no variant '\(name.excerpt)'", at: "preferredFirst",
        notes: NearestWord.notes(for: name, among: names, list: "the variants are: "))
      return nil
    }
    let label = FieldLabel(key: "preferredFirst")
    let kind = FieldKind<BitRate>.positiveBitRate
    guard let rate = kind.read(value, label, fields.findings) else { return nil }
    let rates = variants.map { $0.bandwidth }
    let best = rates.filter { $0 <= rate }.max() ?? rates.min()
    return best.flatMap { rates.firstIndex(of: $0) }
  }
}

extension FieldReader {
  /// Reads what every description of a rendition has, except the segments; a new group is put
  /// behind the others.
  mutating func rendition(
    _ kind: StreamMedia.Rendition.Kind, _ groups: inout [String]
  ) -> (StreamMedia.Rendition, title: String)? {
    let group = required(RenditionKeys.group)
    let name = optional(RenditionKeys.name)
    let language = optional(RenditionKeys.language)
    var rendition = StreamMedia.Rendition(kind, group: 0, list: nil)
    _ = RenditionKeys.members(kind).read(&self, into: &rendition)
    guard let group else { return nil }
    if !groups.contains(group) { groups.append(group) }
    rendition.group = groups.firstIndex(of: group) ?? 0
    rendition.language = language.flatMap { LanguageTag($0) }
    if let language, rendition.language == nil, let value = object?.member("language") {
      findings.warning(
        "'\(language.excerpt)' is not the tag of a language, and so it cannot be chosen", at: value,
        notes: ["tags are like 'en' and 'pt-BR'"])
    }
    return (rendition, name ?? [group, language].compactMap { $0 }.joined(separator: " "))
  }

  /// Reads what every description of a variant has, except the bandwidth and the segments.
  mutating func read(
    into variant: inout StreamMedia.Variant, audio: [String], subtitles: [String]
  ) {
    _ = VariantKeys.members.read(&self, into: &variant)
    variant.audioGroup = group(VariantKeys.audio, among: audio)
    variant.subtitleGroup = group(VariantKeys.subtitles, among: subtitles)
  }

  /// Returns the number of the group that is named; nil for none, or one that is not there.
  private mutating func group(_ key: Key<String>, among groups: [String]) -> Int? {
    guard let name = optional(key) else { return nil }
    if let number = groups.firstIndex(of: name) { return number }
    error(
      "there is no group '\(name.excerpt)' of \(key.name)", at: key.name,
      notes: NearestWord.notes(for: name, among: groups, list: "the groups are: "))
    return nil
  }
}

extension String {
  /// Whether the text is a number with something that may be a unit.
  fileprivate var isBitRate: Bool {
    do throws(Quantity.QuantityProblem) {
      _ = try Quantity.bitRate.parse(self, in: 1...Limits.bitRateMax.bitsPerSecond)
      return true
    } catch {
      return error != .malformed
    }
  }
}

extension SegmentList {
  /// The bytes of all segments.
  var byteCount: Int64 {
    (0..<count).reduce(0) { $0 + size(of: $1).bytes }
  }
}

extension FieldKind where Value == Int {
  /// Frames in a second, in thousandths.
  static var frameRate: FieldKind {
    .quantity(.frameRate, in: 1...1_000_000, { Int($0) }, count: { Int64($0) })
  }
}

extension Quantity {
  fileprivate static let frameRate = Quantity(
    description: "a frame rate such as 29.97", grain: "a thousandth", bareSize: 1_000, units: [])
}
