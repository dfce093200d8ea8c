import Autowait

/// Reading players, their media and their rules.
extension ScenarioReader {
  /// Reads `player`, `media` and `heuristic`, or `players` that have their own.
  mutating func readPlayers(_ fields: inout FieldReader, _ root: JSONValue) {
    let policy = heuristic(fields.value("heuristic"), KeepUpPolicy())
    let media = fields.value("media").map { self.media($0) }
    guard let list = fields.optional("players", .array) else {
      if media == nil, fields.object != nil { report(missing: "media", root) }
      var configuration = PlayerConfiguration(media: (media ?? []).map(\.media))
      configuration.keepUp = policy
      if var player = fields.object("player", "a player") {
        read(&player, into: &configuration)
        player.finish()
      }
      hosts.append((media ?? []).map(\.host))
      add("player", configuration, at: nil)
      return
    }
    if fields.contains("player") {
      fields.error("'player' cannot stand beside 'players'", at: "player")
    }
    for element in list.elements {
      var player = FieldReader(element, "a player", findings)
      let name = player.required("name", .string)
      let own = player.value("media").map { self.media($0) } ?? media
      var configuration = PlayerConfiguration(media: (own ?? []).map(\.media))
      configuration.keepUp = heuristic(player.value("heuristic"), policy)
      read(&player, into: &configuration)
      player.finish()
      if own == nil, player.object != nil {
        findings.error(
          "a player needs the key 'media', or the scenario does", at: opening(element))
      }
      if let name {
        hosts.append((own ?? []).map(\.host))
        add(name, configuration, at: player)
      }
    }
    if list.count == 0 { findings.error("'players' has no players", at: list) }
  }

  private mutating func add(
    _ name: String, _ configuration: PlayerConfiguration, at fields: FieldReader?
  ) {
    if playerNames.contains(name) {
      fields?.error("there are two players '\(name)'", at: "name")
    }
    if playerNames.count == Limits.playersMax {
      fields?.error("there are more than \(Limits.playersMax) players", at: "name")
    }
    playerNames.append(name)
    players.append(configuration)
  }

  private func read(_ fields: inout FieldReader, into configuration: inout PlayerConfiguration) {
    configuration.contract = fields.optional("contract", .contract) ?? .newest
    let waits = fields.optional("automaticallyWaitsToMinimizeStalling", .bool)
    if waits != nil, !configuration.contract.hasAutomaticWaiting {
      fields.error(
        "'automaticallyWaitsToMinimizeStalling' does not exist before iOS 10",
        at: "automaticallyWaitsToMinimizeStalling")
    }
    configuration.automaticallyWaitsToMinimizeStalling = waits
    if let rate = fields.optional("defaultRate", .playbackRate) {
      if !configuration.contract.hasDefaultRate {
        fields.error("'defaultRate' does not exist before iOS 16", at: "defaultRate")
      }
      configuration.defaultRate = rate
    }
    if let action = fields.optional("actionAtItemEnd", .actionAtItemEnd) {
      configuration.actionAtItemEnd = action
    }
    configuration.forwardPlaybackEndTime = fields.optional(
      "forwardPlaybackEndTime", .positiveMediaTime)
    if fields.optional("preferredForwardBufferDuration", .mediaTime) != nil,
      let value = fields.object?.member("preferredForwardBufferDuration")
    {
      findings.warning(
        "'preferredForwardBufferDuration' changes nothing: files do not honour it", at: value,
        notes: ["observed; 'forwardBufferLimit' of the heuristic limits any buffer"])
    }
    if let rebuild = fields.optional("pipelineRebuild", .positiveTime) {
      configuration.pipelineRebuild = rebuild
    }
    configuration.pipeline = pipeline(&fields)
  }

  /// Reads how pipelines are built; nil if the file says nothing of them.
  private func pipeline(_ fields: inout FieldReader) -> PipelinePolicy? {
    let build = fields.optional("pipelineBuild", .time)
    let hasLayer = fields.optional("hasLayer", .bool)
    if build == nil, hasLayer == nil { return nil }
    var policy = PipelinePolicy()
    policy.build = build ?? policy.build
    policy.hasLayer = hasLayer ?? policy.hasLayer
    return policy
  }

  /// Reads a rule: its name, or an object with its parameters.
  private func heuristic(_ value: JSONValue?, _ inherited: KeepUpPolicy) -> KeepUpPolicy {
    guard let value else { return inherited }
    var policy = inherited
    let rule = FieldKind<KeepUpRule>.word([("avfoundation", .linearToEnd)])
    if value.kind == .string {
      policy.rule =
        rule.read(value, FieldLabel(key: "heuristic"), findings) ?? policy.rule
      return policy
    }
    var fields = FieldReader(value, "a heuristic", findings)
    policy.rule = fields.optional("rule", rule) ?? policy.rule
    policy.verdictSize = fields.optional("verdictSize", .size) ?? policy.verdictSize
    policy.fillRateWindow =
      fields.optional("fillRateWindow", .positiveTime) ?? policy.fillRateWindow
    if let margin = fields.optional(
      "safetyMargin",
      .playbackRate(in: .zero...PlaybackRate(millionths: 10_000_000)))
    {
      policy.safetyMargin = margin.millionths
    }
    policy.forwardBufferLimit =
      fields.optional("forwardBufferLimit", .positiveMediaTime) ?? policy.forwardBufferLimit
    policy.forwardBufferResume =
      fields.optional("forwardBufferResume", .mediaTime) ?? policy.forwardBufferResume
    policy.frameDuration =
      fields.optional("frameDuration", .positiveMediaTime) ?? policy.frameDuration
    fields.finish()
    if let limit = policy.forwardBufferLimit, limit < policy.frameDuration,
      let value = value.member("forwardBufferLimit") ?? value.member("frameDuration")
    {
      findings.warning(
        "with a 'forwardBufferLimit' below 'frameDuration' playback never begins",
        at: value, notes: ["a buffer of less than a frame counts as empty"])
    }
    if let resume = policy.forwardBufferResume {
      if policy.forwardBufferLimit == nil {
        fields.error("'forwardBufferResume' needs 'forwardBufferLimit'", at: "forwardBufferResume")
      } else if let limit = policy.forwardBufferLimit, resume >= limit {
        fields.error(
          "'forwardBufferResume' must be less than 'forwardBufferLimit'",
          at: "forwardBufferResume")
      }
    }
    return policy
  }

  /// Reads one item or a list of items.
  private func media(_ value: JSONValue) -> [(media: Media, host: String?)] {
    if value.kind != .array { return item(value).map { [$0] } ?? [] }
    if value.count == 0 { findings.error("'media' has no items", at: value) }
    return value.elements.compactMap { item($0) }
  }

  private func item(_ value: JSONValue) -> (media: Media, host: String?)? {
    var fields = FieldReader(value, "an item", findings)
    let kind = fields.required(
      "kind", .word([("progressive", Media.Source.progressive), ("local", .local)]))
    let duration = fields.required("duration", .positiveMediaTime)
    let bitRate = fields.optional("bitrate", .positiveBitRate)
    let size = fields.optional("size", .positiveSize)
    let header = fields.optional("header", .size) ?? .zero
    let index: Media.IndexPlacement? = fields.optional(
      "index", .word([("front", .front), ("back", .back)]))
    let fast = fields.optional("canPlayFastForward", .bool) ?? true
    let reverse = fields.optional("canPlayReverse", .bool) ?? true
    let host = fields.optional("host", .string)
    fields.finish()
    guard let kind, let duration else { return nil }
    if bitRate != nil, size != nil {
      fields.error("'size' cannot stand beside 'bitrate'", at: "size")
      return nil
    }
    if index == .back, kind == .progressive, header == .zero {
      fields.error("an index at the back needs the key 'header', its size", at: "index")
      return nil
    }
    if index != nil, kind == .local, let value = value.member("index") {
      findings.warning("'index' changes nothing: a local file is all there", at: value)
    }
    let place = kind == .local ? .front : index ?? .front
    guard let media = media(&fields, kind, duration, (bitRate, size), (header, place)) else {
      return nil
    }
    if media.size > Work(Limits.bytesMax) {
      fields.error(
        "the file would be larger than the limit of \(Quantity.size.text(Limits.bytesMax.bytes))",
        at: "bitrate")
      return nil
    }
    var item = media
    item.canPlayFastForward = fast
    item.canPlayReverse = reverse
    return (item, host)
  }

  private func media(
    _ fields: inout FieldReader, _ kind: Media.Source, _ duration: MediaTime,
    _ content: (bitRate: BitRate?, size: ByteCount?),
    _ index: (size: ByteCount, place: Media.IndexPlacement)
  ) -> Media? {
    let header = index.size
    if let size = content.size {
      guard header < size else {
        fields.error("'header' must be less than the 'size' of the file", at: "header")
        return nil
      }
      return Media(
        kind, duration: duration, contentSize: ByteCount(bytes: size.bytes - header.bytes),
        headerSize: header, indexPlacement: index.place)
    }
    if let bitRate = content.bitRate {
      return Media(
        kind, duration: duration, bitRate: bitRate, headerSize: header,
        indexPlacement: index.place)
    }
    if kind == .local {
      // What a local file weighs is of no consequence: no link carries it. So little is within the
      // limits however long it is.
      return Media(kind, duration: duration, bitRate: BitRate(bitsPerSecond: 100_000))
    }
    if let object = fields.object, !findings.hasErrors {
      findings.error("a progressive item needs the key 'bitrate' or 'size'", at: opening(object))
    }
    return nil
  }
}

extension FieldKind where Value == APIContract {
  /// A version of iOS, as a number or as in `ios9`.
  static var contract: FieldKind {
    FieldKind { value, label, findings in
      let text = value.string?.lowercased().filter { $0 != " " }
      let digits = text.flatMap { $0.hasPrefix("ios") ? Int($0.dropFirst(3)) : nil }
      let number: Int? =
        if case .exact(let whole)? = value.decimal?.integer(scaledBy: 1) { Int(whole) } else {
          digits
        }
      if let contract = number.flatMap({ APIContract(iOS: $0) }) { return contract }
      let known = APIContract.known
      findings.error(
        "\(label) must be a version of iOS from ios\(known.lowerBound) to ios\(known.upperBound)",
        at: value)
      return nil
    }
  }
}

extension FieldKind where Value == ActionAtItemEnd {
  /// What a plain player can do at the end.
  static var actionAtItemEnd: FieldKind {
    FieldKind { value, label, findings in
      if value.isString("advance") {
        findings.error(
          "\(label) cannot be 'advance': only a queue player can advance", at: value,
          notes: ["AVFoundation raises NSInvalidArgumentException for it"])
        return nil
      }
      return FieldKind<ActionAtItemEnd>.spelled.read(value, label, findings)
    }
  }
}
