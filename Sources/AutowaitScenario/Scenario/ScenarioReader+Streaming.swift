import Autowait

/// The least cap that is taken for one in bit/s: less than any stream, but a usual one in kbit/s.
private let peakBitRateMin: Int64 = 10_000

/// Reading how a player loads streams, and what it may choose of them.
extension ScenarioReader {
  /// The version of iOS in which a property came, of those that came behind iOS 9.
  private static let versions = [
    ("automaticallyWaitsToMinimizeStalling", 10), ("preferredForwardBufferDuration", 10),
    ("preferredMaximumResolution", 11), ("automaticallyPreservesTimeOffsetFromLive", 13),
    ("startsOnFirstEligibleVariant", 14), ("preferredPeakBitRateForExpensiveNetworks", 15),
    ("preferredMaximumResolutionForExpensiveNetworks", 15), ("defaultRate", 16),
  ]

  /// Reports a property that the contract does not have.
  func require(_ key: String, _ fields: FieldReader, _ contract: APIContract) {
    guard fields.object?.member(key) != nil,
      let version = Self.versions.first(where: { $0.0 == key })?.1, contract.iOS < version
    else { return }
    fields.error("'\(key)' does not exist before iOS \(version)", at: key)
  }

  /// Reads the keys of a player that matter to streams.
  func readStreaming(
    _ fields: inout FieldReader, into configuration: inout PlayerConfiguration
  ) {
    for (key, _) in Self.versions { require(key, fields, configuration.contract) }
    let hasStream = configuration.media.contains { $0.streamMedia != nil }
    if let duration = fields.optional("preferredForwardBufferDuration", .mediaTime) {
      configuration.preferredForwardBufferDuration = duration
      if !hasStream, let value = fields.object?.member("preferredForwardBufferDuration") {
        findings.warning(
          "'preferredForwardBufferDuration' changes nothing: files do not honour it", at: value,
          notes: ["observed; 'forwardBufferLimit' of the heuristic limits any buffer"])
      }
    }
    readLimits(&fields, into: &configuration.limits)
    configuration.preloadsEligibleContentKeys =
      fields.optional("preloadsEligibleContentKeys", .bool) ?? false
    configuration.automaticallyPreservesTimeOffsetFromLive =
      fields.optional("automaticallyPreservesTimeOffsetFromLive", .bool) ?? false
    configuration.canUseNetworkResourcesForLiveStreamingWhilePaused =
      fields.optional("canUseNetworkResourcesForLiveStreamingWhilePaused", .bool) ?? false
    var policy = StreamPolicy()
    if fields.optional("preset", .playerPreset) == .observed26 {
      policy.followLogs26()
      configuration.rangeProbe = ByteCount(bytes: 2)
      configuration.postsStallFirst = true
      if configuration.keepUp == KeepUpPolicy() { configuration.keepUp.followLogs26() }
    }
    fields.read("postsStallFirst", .bool, into: &configuration.postsStallFirst)
    fields.read("rangeProbe", .nullable(.positiveSize), into: &configuration.rangeProbe)
    fields.read("showsSubtitles", .bool, into: &policy.showsSubtitles)
    readStreamPolicy(&fields, into: &policy)
    // Before iOS 13 it was so, and there was no property for it.
    policy.adaptation.startsOnFirstEligibleVariant =
      fields.optional("startsOnFirstEligibleVariant", .bool) ?? (configuration.contract.iOS < 13)
    policy.adaptation.expectedBitRate = fields.optional("observedBitrate", .positiveBitRate)
    fields.read("history", .nullable(.positiveBitRate), into: &policy.adaptation.history)
    configuration.streaming = policy
    lint(configuration, fields)
    checkScript(of: configuration, fields)
  }

  private func readLimits(_ fields: inout FieldReader, into limits: inout VariantLimits) {
    if let rate = peakBitRate("preferredPeakBitRate", &fields) {
      limits.preferredPeakBitRate = rate
    }
    if let rate = peakBitRate("preferredPeakBitRateForExpensiveNetworks", &fields) {
      limits.preferredPeakBitRateForExpensiveNetworks = rate
    }
    limits.preferredMaximumResolution = fields.optional("preferredMaximumResolution", .resolution)
    limits.preferredMaximumResolutionForExpensiveNetworks = fields.optional(
      "preferredMaximumResolutionForExpensiveNetworks", .resolution)
    limits.layer = fields.optional("layer", .layer)
    limits.isExpensive = fields.optional("expensiveNetwork", .bool) ?? false
    fields.read("codecs", .families, into: &limits.decodable)
  }

  /// Reads a cap and warns of one that is probably in kbit/s.
  private func peakBitRate(_ key: String, _ fields: inout FieldReader) -> BitRate? {
    guard let rate = fields.optional(key, .bitRate) else { return nil }
    if rate > .zero, rate.bitsPerSecond < peakBitRateMin, let value = fields.object?.member(key) {
      findings.warning(
        "'\(key)' is \(Quantity.bitRate.text(rate.bitsPerSecond)): less than any stream", at: value,
        notes: ["the property is in bit/s; \(rate.bitsPerSecond) kbit/s may have been meant"])
    }
    return rate
  }

  private func readStreamPolicy(_ fields: inout FieldReader, into policy: inout StreamPolicy) {
    guard var streaming = fields.object("streaming", "a way to load streams") else { return }
    var adaptation = policy.adaptation
    streaming.read("rule", .adaptationRule, into: &adaptation.rule)
    let part = FieldKind<Int64>.part(in: 1...10_000_000_000)
    if let climb = streaming.optional("climb", part) { adaptation.climb = max(1, climb / 1_000) }
    if let climb = streaming.optional("startupClimb", .nullable(part)) {
      adaptation.startupClimb = climb.map { max(1, $0 / 1_000) }
    }
    streaming.read("startupSpan", .time, into: &adaptation.startupSpan)
    streaming.read("climbRungs", .nullable(.count(in: 1...1_000)), into: &adaptation.climbRungsMax)
    streaming.read("climbInterval", .time, into: &adaptation.climbInterval)
    streaming.read("dropsWhenSeeking", .bool, into: &policy.dropsWhenSeeking)
    if let safety = streaming.optional("safety", part) {
      adaptation.safety = max(1, safety / 1_000)
    }
    streaming.read("segments", .count(in: 1...1_000), into: &adaptation.segmentsMax)
    streaming.read("rungsAfterStall", .count(in: 0...1_000), into: &adaptation.rungsAfterStall)
    let longest = Limits.timeMax
    let either = FieldKind<TimeSpan>.time(
      in: TimeSpan(nanoseconds: -longest.nanoseconds)...longest)
    streaming.read("abandonedAfter", .nullable(either), into: &adaptation.abandonedAfter)
    policy.adaptation = adaptation
    readForwardBuffer(&streaming, into: &policy)
    streaming.read("responseTimeout", .nullable(.positiveTime), into: &policy.responseTimeout)
    streaming.read("cutsSlowSegments", .bool, into: &policy.cutsSlowSegments)
    streaming.read("retries", .count(in: 0...1_000), into: &policy.retriesMax)
    streaming.read("retryDelay", .time, into: &policy.retryDelay)
    streaming.read("retryDelayMax", .positiveTime, into: &policy.retryDelayMax)
    streaming.read("penaltyTime", .time, into: &policy.penaltyTime)
    streaming.read("failuresMax", .nullable(.count(in: 1...1_000)), into: &policy.failuresMax)
    streaming.read("stalePollsMax", .nullable(.count(in: 1...1_000)), into: &policy.stalePollsMax)
    streaming.read("restartsShortWindows", .bool, into: &policy.restartsShortWindows)
    streaming.read("rejoinsAfterStall", .bool, into: &policy.rejoinsAfterStall)
    streaming.read("failsWhenPlayedOut", .bool, into: &policy.failsWhenPlayedOut)
    streaming.read("reconnects", .bool, into: &policy.reconnects)
    streaming.read("waitsForMissingEnd", .bool, into: &policy.waitsForMissingEnd)
    policy.freezesWhenPaused = streaming.optional("freezesWhenPaused", .bool) ?? false
    streaming.finish()
  }

  /// Reads how far ahead a stream is loaded by default.
  private func readForwardBuffer(_ streaming: inout FieldReader, into policy: inout StreamPolicy) {
    streaming.read(
      "forwardBufferDefault", .nullable(.positiveMediaTime), into: &policy.forwardBufferDefault)
    streaming.read("forwardBufferSize", .positiveSize, into: &policy.forwardBufferSize)
    if streaming.contains("forwardBufferSizeSlack") {
      streaming.read("forwardBufferSizeSlack", .positiveSize, into: &policy.forwardBufferSizeSlack)
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
    streaming.read(
      "forwardBufferSegments", .count(in: 0...1_000), into: &policy.forwardBufferSegmentsMin)
  }

  /// Reports a scripted rule that names a variant that a stream does not have.
  private func checkScript(of configuration: PlayerConfiguration, _ fields: FieldReader) {
    guard case .scripted(let variants) = configuration.streaming.adaptation.rule,
      !findings.hasErrors
    else { return }
    let counts = configuration.media.compactMap { $0.streamMedia?.variants.count }
    guard let least = counts.min(), let wrong = variants.first(where: { $0 >= least }) else {
      return
    }
    guard let value = fields.object?.member("streaming")?.member("rule") else { return }
    findings.error(
      "there is no variant \(wrong); they count from 0 to \(least - 1)", at: value)
  }

  /// Warns of a player that is set up otherwise than it was probably meant.
  private func lint(_ configuration: PlayerConfiguration, _ fields: FieldReader) {
    guard let object = fields.object else { return }
    let streams = configuration.media.compactMap(\.streamMedia)
    if configuration.preloadsEligibleContentKeys,
      let value = object.member("preloadsEligibleContentKeys"),
      streams.allSatisfy(\.sessionKeys.isEmpty)
    {
      findings.warning(
        "'preloadsEligibleContentKeys' changes nothing: no stream has a session key", at: value,
        notes: ["only what EXT-X-SESSION-KEY names is known so early (WWDC16 503)"])
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
  fileprivate func cap(_ name: String, _ step: inout FieldReader) -> BitRate? {
    if step.value(name)?.kind == .null { return .zero }
    if !step.contains(name) { return step.required(name, .bitRate) }
    return peakBitRate(name, &step)
  }
}

/// The players of which all numbers can be had at once.
private enum PlayerPreset {
  /// What Apple says, and what several logs agree on.
  case documented
  /// With what single logs of iOS 26 show besides.
  case observed26
}

extension FieldKind where Value == PlayerPreset {
  fileprivate static var playerPreset: FieldKind {
    .word([("avfoundation", .documented), ("avfoundation-observed-26", .observed26)])
  }
}

/// A property that a step can set: its name, and how it is read.
struct SettingKey: Sendable {
  let name: String
  let read: @Sendable (ScenarioReader, inout FieldReader) -> PlayerSetting?

  private init<Value>(
    _ name: String, _ kind: FieldKind<Value>,
    _ setting: @escaping @Sendable (Value) -> PlayerSetting
  ) {
    self.name = name
    read = { _, step in step.required(name, kind).map(setting) }
  }

  private init(cap name: String, _ setting: @escaping @Sendable (BitRate) -> PlayerSetting) {
    self.name = name
    read = { reader, step in reader.cap(name, &step).map(setting) }
  }

  /// All of them, in the order in which messages list them.
  static let all: [SettingKey] = [
    SettingKey("automaticallyWaitsToMinimizeStalling", .bool) {
      .automaticallyWaitsToMinimizeStalling($0)
    },
    SettingKey("defaultRate", .playbackRate) { .defaultRate($0) },
    SettingKey("actionAtItemEnd", .actionAtItemEnd) { .actionAtItemEnd($0) },
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
    SettingKey("automaticallyPreservesTimeOffsetFromLive", .bool) {
      .automaticallyPreservesTimeOffsetFromLive($0)
    },
  ]
}
