import Autowait

/// Reading players, their media and their rules.
extension ScenarioReader {
  /// Reads `player`, `media` and `heuristic`, or `players` that have their own.
  mutating func readPlayers(_ fields: inout FieldReader, _ root: JSONValue) {
    let policy = heuristic(fields.value(ScenarioKeys.heuristic), KeepUpPolicy())
    let (shared, sharedLatency) = (program, latency)
    let media = fields.value(ScenarioKeys.media).map { self.media($0) }
    guard let list = fields.optional(ScenarioKeys.players) else {
      if media == nil, fields.object != nil { report(missing: "media", root) }
      var configuration = PlayerConfiguration(media: (media ?? []).map { $0.media })
      configuration.keepUp = policy
      configuration.latency = latency
      var names = ItemNames(.item, (media ?? []).map { $0.name }, isWhole: !hasLostMedia)
      if var player = fields.object(ScenarioKeys.player) {
        names = read(&player, media ?? [], into: &configuration)
        player.finish()
      }
      items.append(expanded(media ?? [], by: configuration))
      add("player", configuration, names, at: nil)
      return
    }
    if fields.contains(ScenarioKeys.player) {
      fields.error("'player' cannot be combined with 'players'", at: "player")
    }
    for element in list.elements {
      var player = FieldReader(element, PlayerKeys.named, findings)
      let name = player.required(PlayerKeys.name)
      let own = player.value(PlayerKeys.media).map { self.media($0) } ?? media
      var configuration = PlayerConfiguration(media: (own ?? []).map { $0.media })
      program = player.contains(PlayerKeys.heuristic) ? nil : shared
      latency = sharedLatency
      configuration.keepUp = heuristic(player.value(PlayerKeys.heuristic), policy)
      if configuration.keepUp.rule == .external, program == nil { program = shared }
      let names = read(&player, own ?? [], into: &configuration)
      player.finish()
      if own == nil, player.object != nil {
        findings.error(
          "a player needs the key 'media', or the scenario does", missing: ["media"], in: element)
      }
      if let name {
        items.append(expanded(own ?? [], by: configuration))
        add(name, configuration, names, at: player)
      }
    }
    if list.count == 0 { findings.error("'players' has no players", at: list) }
  }

  private mutating func add(
    _ name: String, _ configuration: PlayerConfiguration, _ names: ItemNames,
    at fields: FieldReader?
  ) {
    if playerNames.contains(name) {
      fields?.error("there are two players '\(name)'", at: "name")
    }
    if playerNames.count == Limits.playersMax {
      fields?.error("there are more than \(Limits.playersMax) players", at: "name")
    }
    playerNames.append(name)
    players.append(configuration)
    itemNames.append(names)
    programs.append(program)
  }

  /// Reads what a player has besides media, and returns what its items are called.
  private func read(
    _ fields: inout FieldReader, _ assets: [ReadItem], into configuration: inout PlayerConfiguration
  ) -> ItemNames {
    var names = readItems(&fields, assets, into: &configuration)
    configuration.queue = queue(&fields, names)
    lintJoins(configuration, names, fields)
    configuration.loop = loop(&fields, &names, &configuration)
    configuration.contract = fields.value(of: PlayerKeys.contract)
    readLinked(&fields, into: &configuration)
    configuration.automaticallyWaitsToMinimizeStalling = fields.optional(PlayerKeys.waits)
    fields.read(PlayerKeys.defaultRate, into: &configuration.defaultRate)
    fields.read(PlayerKeys.actionAtItemEnd, into: &configuration.actionAtItemEnd)
    if configuration.actionAtItemEnd == .advance { requireQueue(configuration, fields) }
    configuration.forwardPlaybackEndTime = fields.optional(PlayerKeys.forwardPlaybackEndTime)
    readStreaming(&fields, into: &configuration)
    configuration.latency = latency
    readLatency(fields.object(PlayerKeys.latency), into: &configuration.latency)
    lintLatency(configuration, fields)
    fields.read(PlayerKeys.pipelineRebuild, into: &configuration.pipelineRebuild)
    configuration.snapsToKeyFrame = snapsToKeyFrame(&fields, configuration)
    configuration.pipeline = pipeline(&fields)
    configuration.networkResourcePriority = fields.value(of: PlayerKeys.networkResourcePriority)
    readColors(&fields, into: &configuration)
    return names
  }

  /// Reads what the application was built for, and with.
  private func readLinked(
    _ fields: inout FieldReader, into configuration: inout PlayerConfiguration
  ) {
    configuration.linkedContract = fields.optional(PlayerKeys.linkedOn)
    configuration.usesAVKit = fields.value(of: PlayerKeys.usesAVKit)
    let contract = configuration.contract
    guard let linked = configuration.linkedContract, linked > contract else { return }
    fields.error(
      "an app that was built for iOS \(linked.iOS) does not run on iOS \(contract.iOS)",
      at: "linkedOn", notes: ["'contract' is the version that it runs on"])
  }

  /// Warns of segments that are appended where there are none.
  private func lintLatency(_ configuration: PlayerConfiguration, _ fields: FieldReader) {
    guard let latency = fields.object?.member("latency"),
      configuration.media.allSatisfy({ $0.streamMedia == nil })
    else { return }
    for key in ["appending", "opening"] {
      guard let value = latency.member(key) else { continue }
      findings.warning("'\(key)' changes nothing: no item is a stream", at: value)
    }
  }

  /// Reads how pipelines are built; nil if the file says nothing of them.
  private func pipeline(_ fields: inout FieldReader) -> PipelinePolicy? {
    let build = fields.optional(PlayerKeys.pipelineBuild)
    let hasLayer = fields.optional(PlayerKeys.hasLayer)
    if build == nil, hasLayer == nil { return nil }
    var policy = PipelinePolicy()
    policy.build = build ?? policy.build
    policy.hasLayer = hasLayer ?? policy.hasLayer
    return policy
  }
}

extension FieldKind where Value == APIContract {
  /// A version of iOS, as a number or as in `ios9`.
  static var contract: FieldKind {
    FieldKind(.either([.pattern("^ *[iI] *[oO] *[sS][ 0-9]+$"), .number])) {
      value, label, findings in
      let text = value.string?.lowercased().filter { $0 != " " }
      let digits = text.flatMap { $0.hasPrefix("ios") ? Int($0.dropFirst(3)) : nil }
      let number: Int? =
        if case .exact(let whole)? = value.decimal?.integer(scaledBy: 1) {
          Int(clamping: whole)
        } else {
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
