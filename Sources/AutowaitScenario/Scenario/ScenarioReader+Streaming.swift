import Autowait

/// The least cap that is taken for one in bit/s: less than any stream, but a usual one in kbit/s.
private let peakBitRateMin: Int64 = 10_000

/// Reading how a player loads streams, and what it may choose of them.
extension ScenarioReader {
  /// Reports a property that the contract does not have.
  func require(_ row: KeyRow, _ fields: FieldReader, _ contract: APIContract) {
    guard let version = row.firstIOS, contract.iOS < version,
      fields.object?.member(row.name) != nil
    else { return }
    fields.error("'\(row.name)' does not exist before iOS \(version)", at: row.name)
  }

  /// Warns of a preference that no item of a player honors, of the player or of a step.
  func warnOfFiles(_ configuration: PlayerConfiguration, _ fields: FieldReader) {
    guard let value = fields.object?.member("preferredForwardBufferDuration"),
      !configuration.media.contains(where: { $0.streamMedia != nil })
    else { return }
    findings.warning(
      "'preferredForwardBufferDuration' changes nothing: files do not honor it", at: value,
      notes: ["observed; 'forwardBufferLimit' of the heuristic limits any buffer"])
  }

  /// Reads the keys of a player that matter to streams.
  func readStreaming(
    _ fields: inout FieldReader, into configuration: inout PlayerConfiguration
  ) {
    for row in PlayerKeys.object.keys { require(row, fields, configuration.contract) }
    if let duration = fields.optional(PlayerKeys.preferredForwardBufferDuration) {
      configuration.preferredForwardBufferDuration = duration
      warnOfFiles(configuration, fields)
    }
    readLimits(&fields, into: &configuration.limits)
    configuration.preloadsEligibleContentKeys = fields.value(
      of: PlayerKeys.preloadsEligibleContentKeys)
    configuration.automaticallyPreservesTimeOffsetFromLive =
      fields.value(of: PlayerKeys.preservesOffset)
    configuration.canUseNetworkResourcesForLiveStreamingWhilePaused =
      fields.value(of: PlayerKeys.usesNetworkWhilePaused)
    var policy = StreamPolicy()
    if fields.value(of: PlayerKeys.preset) == .observed26 {
      policy.followLogs26()
      configuration.rangeProbe = ByteCount(bytes: 2)
      configuration.postsStallFirst = true
      if configuration.keepUp == KeepUpPolicy() { configuration.keepUp.followLogs26() }
    }
    fields.read(PlayerKeys.postsStallFirst, into: &configuration.postsStallFirst)
    fields.read(PlayerKeys.rangeProbe, into: &configuration.rangeProbe)
    readSelection(&fields, into: &policy.selection)
    configuration.limits.channelsMax = policy.selection.channelsMax
    readStreamPolicy(&fields, into: &policy)
    // Before iOS 13 it was so, and there was no property for it.
    policy.adaptation.startsOnFirstEligibleVariant =
      fields.optional(PlayerKeys.startsOnFirstEligibleVariant) ?? (configuration.contract.iOS < 13)
    policy.adaptation.expectedBitRate = fields.optional(PlayerKeys.observedBitrate)
    policy.adaptation.acceptableResolution = fields.optional(PlayerKeys.acceptableResolution)
    if policy.adaptation.expectedBitRate == nil,
      let value = fields.object?.member("acceptableResolution")
    {
      findings.warning(
        "'acceptableResolution' changes nothing without 'observedBitrate'", at: value)
    }
    fields.read(PlayerKeys.history, into: &policy.adaptation.history)
    configuration.streaming = policy
    lint(configuration, fields)
    checkScript(of: configuration, fields)
  }

  private func readLimits(_ fields: inout FieldReader, into limits: inout VariantLimits) {
    if let rate = peakBitRate(PlayerKeys.preferredPeakBitRate, &fields) {
      limits.preferredPeakBitRate = rate
    }
    if let rate = peakBitRate(PlayerKeys.preferredPeakBitRateForExpensiveNetworks, &fields) {
      limits.preferredPeakBitRateForExpensiveNetworks = rate
    }
    limits.preferredMaximumResolution = fields.optional(PlayerKeys.preferredMaximumResolution)
    limits.preferredMaximumResolutionForExpensiveNetworks = fields.optional(
      PlayerKeys.preferredMaximumResolutionForExpensiveNetworks)
    limits.layer = fields.optional(PlayerKeys.layer)
    limits.isEligibleForHDRPlayback = fields.value(of: PlayerKeys.eligibleForHDRPlayback)
    limits.isExpensive = fields.value(of: PlayerKeys.expensiveNetwork)
    fields.read(PlayerKeys.codecs, into: &limits.decodable)
  }

  private func peakBitRate(_ key: Key<BitRate>, _ fields: inout FieldReader) -> BitRate? {
    guard let rate = fields.optional(key) else { return nil }
    warnOfSmall(rate, key.name, fields)
    return rate
  }

  /// Warns of a cap that is probably in kbit/s.
  private func warnOfSmall(_ rate: BitRate, _ name: String, _ fields: FieldReader) {
    guard rate > .zero, rate.bitsPerSecond < peakBitRateMin,
      let value = fields.object?.member(name)
    else { return }
    findings.warning(
      "'\(name)' is \(Quantity.bitRate.text(rate.bitsPerSecond)): less than any stream", at: value,
      notes: ["the property is in bit/s; \(rate.bitsPerSecond) kbit/s may have been meant"])
  }

  private func readStreamPolicy(_ fields: inout FieldReader, into policy: inout StreamPolicy) {
    guard var streaming = fields.object(PlayerKeys.streaming) else { return }
    streaming.read(StreamingKeys.rule, into: &policy.adaptation.rule)
    _ = StreamingKeys.all.read(&streaming, into: &policy)
    if streaming.contains(StreamingKeys.forwardBufferSizeSlack) {
      streaming.read(StreamingKeys.forwardBufferSizeSlack, into: &policy.forwardBufferSizeSlack)
      if policy.forwardBufferSizeSlack >= policy.forwardBufferSize {
        streaming.error(
          "'forwardBufferSizeSlack' must be less than 'forwardBufferSize'",
          at: "forwardBufferSizeSlack")
      }
    } else {
      // Less data goes on at the same part of it.
      let part = ByteCount(bytes: max(1, policy.forwardBufferSize.bytes / 5 * 2))
      policy.forwardBufferSizeSlack = min(policy.forwardBufferSizeSlack, part)
    }
    streaming.finish()
  }

  /// Reports a scripted rule that names a variant that a stream does not have.
  private func checkScript(of configuration: PlayerConfiguration, _ fields: FieldReader) {
    guard case .scripted(let script) = configuration.streaming.adaptation.rule,
      !findings.hasErrors
    else { return }
    let counts = configuration.media.compactMap { $0.streamMedia?.variants.count }
    guard let least = counts.min(), let wrong = script.all.first(where: { $0 >= least }) else {
      return
    }
    guard let value = fields.object?.member("streaming")?.member("rule") else { return }
    findings.error(
      "there is no variant \(wrong); they count from 0 to \(least - 1)", at: value)
  }

  /// Warns of a player that is set up otherwise than it was probably meant.
  private func lint(_ configuration: PlayerConfiguration, _ fields: FieldReader) {
    guard let object = fields.object else { return }
    let streams = configuration.media.compactMap { $0.streamMedia }
    if configuration.preloadsEligibleContentKeys,
      let value = object.member("preloadsEligibleContentKeys"),
      streams.allSatisfy({ $0.sessionKeys.isEmpty })
    {
      findings.warning(
        "'preloadsEligibleContentKeys' changes nothing: no stream has a session key", at: value,
        notes: ["only what EXT-X-SESSION-KEY names is known so early (WWDC16 503)"])
    }
    let (policy, rule) = (configuration.keepUp, configuration.streaming.adaptation.rule)
    if policy.readAhead != nil, !policy.requestOrder.isSerial,
      !policy.readsAhead(besideModelledRule: rule.isModelled),
      let value = object.member("streaming")?.member("rule")
    {
      findings.warning(
        "'readAhead' changes nothing: this rule follows one segment at a time", at: value)
    }
    lintLive(object, streams)
    let caps = ["preferredPeakBitRate", "preferredPeakBitRateForExpensiveNetworks"]
    if let cap = configuration.limits.peakBitRate, cap.bitsPerSecond >= peakBitRateMin,
      let value = caps.compactMap({ object.member($0) }).first,
      streams.contains(where: { $0.variants.allSatisfy { $0.bandwidth > cap } })
    {
      findings.warning(
        "no variant is within \(Quantity.bitRate.text(cap.bitsPerSecond)): the lowest one plays",
        at: value)
    }
    guard let value = object.member("codecs") else { return }
    for streamMedia in streams where configuration.limits.eligible(in: streamMedia).isEmpty {
      findings.warning("no variant can be decoded: the item fails", at: value)
    }
  }

  /// Warns of what a player says of live streams though it has none.
  private func lintLive(_ object: JSONValue, _ streams: [StreamMedia]) {
    if streams.contains(where: { $0.live != nil }) { return }
    let keys = [
      "automaticallyPreservesTimeOffsetFromLive",
      "canUseNetworkResourcesForLiveStreamingWhilePaused",
    ]
    for key in keys {
      guard let value = object.member(key) else { continue }
      findings.warning("'\(key)' changes nothing: no stream is live", at: value)
    }
    for key in ["freezesWhenPaused", "restartsShortWindows", "rejoinsAfterStall"] {
      guard let value = object.member("streaming")?.member(key) else { continue }
      findings.warning("'\(key)' changes nothing: no stream is live", at: value)
    }
  }

  /// Reads a cap that a step sets; null removes it.
  fileprivate func cap(_ key: Key<BitRate?>, _ step: inout FieldReader) -> BitRate? {
    guard let cap = step.required(key) else { return nil }
    if let cap { warnOfSmall(cap, key.name, step) }
    return cap ?? .zero
  }
}

/// The players of which all numbers can be had at once.
enum PlayerPreset {
  /// What Apple says, and what several logs agree on.
  case documented
  /// With what single logs of iOS 26 show besides.
  case observed26
}

extension FieldKind where Value == PlayerPreset {
  static var playerPreset: FieldKind {
    .word([
      ("avfoundation", .documented), ("avfoundation-observed", .observed26),
      ("avfoundation-observed-26", .observed26),
    ])
  }
}

/// A property that a step can set: its name, and how it is read.
struct SettingKey: Sendable {
  let row: KeyRow
  let read: @Sendable (ScenarioReader, inout FieldReader) -> PlayerSetting?

  private init<Value: Sendable>(
    _ name: String, _ kind: FieldKind<Value>,
    _ setting: @escaping @Sendable (Value) -> PlayerSetting
  ) {
    let key = Key(name, kind, "the property of the player")
    row = key.row
    read = { _, step in step.required(key).map(setting) }
  }

  private init(cap name: String, _ setting: @escaping @Sendable (BitRate) -> PlayerSetting) {
    let key = Key(
      name, FieldKind<BitRate?>.nullable(.bitRate), "the property of the player; null for none")
    row = key.row
    read = { reader, step in reader.cap(key, &step).map(setting) }
  }

  /// All of them, in the order in which messages list them.
  static let all: [SettingKey] = [
    SettingKey("automaticallyWaitsToMinimizeStalling", .bool) {
      .automaticallyWaitsToMinimizeStalling($0)
    },
    SettingKey("defaultRate", .playbackRate) { .defaultRate($0) },
    SettingKey("actionAtItemEnd", .named) { .actionAtItemEnd($0) },
    SettingKey("forwardPlaybackEndTime", .nullable(.mediaTime)) { .forwardPlaybackEndTime($0) },
    SettingKey("reversePlaybackEndTime", .nullable(.mediaTime)) { .reversePlaybackEndTime($0) },
    SettingKey("preferredForwardBufferDuration", .mediaTime) {
      .preferredForwardBufferDuration($0)
    },
    SettingKey(cap: "preferredPeakBitRate") { .preferredPeakBitRate($0) },
    SettingKey(cap: "preferredPeakBitRateForExpensiveNetworks") {
      .preferredPeakBitRateForExpensiveNetworks($0)
    },
    SettingKey("preferredMaximumResolution", .nullable(.resolution)) {
      .preferredMaximumResolution($0)
    },
    SettingKey("preferredMaximumResolutionForExpensiveNetworks", .nullable(.resolution)) {
      .preferredMaximumResolutionForExpensiveNetworks($0)
    },
    SettingKey("layer", .nullable(.layer)) { .layer($0) },
    SettingKey("expensiveNetwork", .bool) { .isExpensive($0) },
    SettingKey("networkResourcePriority", .named) { .networkResourcePriority($0) },
    SettingKey("eligibleForHDRPlayback", .bool) { .eligibleForHDRPlayback($0) },
    SettingKey("automaticallyPreservesTimeOffsetFromLive", .bool) {
      .automaticallyPreservesTimeOffsetFromLive($0)
    },
  ]
}
