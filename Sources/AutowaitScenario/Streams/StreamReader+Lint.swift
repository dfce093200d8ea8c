import Autowait

/// Warnings about streams that can be played, but are probably not intended.
extension StreamReader {
  /// Warns of what is unlikely to be meant.
  func lint(_ streamMedia: StreamMedia, _ fields: FieldReader) {
    guard let object = fields.object else { return }
    if let offset = streamMedia.startOffset, let value = object.member("startOffset"),
      offset.nanoseconds.magnitude > UInt64(cut.duration.nanoseconds)
    {
      findings.warning(
        "'startOffset' lies outside of the stream", at: value,
        notes: ["the nearest end is taken (RFC 8216, 4.3.5.2)"])
    }
    lintLive(streamMedia, object)
    let elements = object.member("variants").map { Array($0.elements) } ?? []
    for element in elements { lintRates(element) }
    for (key, groups) in [("audio", audioGroups), ("subtitles", subtitleGroups)] {
      for (number, group) in groups.enumerated() {
        let isUsed = streamMedia.variants.contains {
          (key == "audio" ? $0.audioGroup : $0.subtitleGroup) == number
        }
        if !isUsed, let value = object.member(key) {
          findings.warning("no variant names the group '\(group.excerpt)' of \(key)", at: value)
        }
      }
    }
  }

  private func lintLive(_ streamMedia: StreamMedia, _ object: JSONValue) {
    guard let live = streamMedia.live, let object = object.member("live") else { return }
    let target = streamMedia.lists.map { $0.targetDuration }.max() ?? .zero
    if let holdBack = live.holdBack, let value = object.member("holdBack"),
      holdBack.nanoseconds / 3 < target.nanoseconds
    {
      findings.warning(
        "'holdBack' is less than three target durations", at: value,
        notes: ["this is not allowed (RFC 8216 bis, 4.4.3.8)"])
    }
    if live.partDuration != nil, !live.canBlockReload,
      let value = object.member("partDuration")
    {
      findings.warning(
        "the server has parts, but does not hold its answers: 'canBlockReload' is false",
        at: value, notes: ["parts need blocking reloads (RFC 8216 bis, 4.4.3.8)"])
    }
    lintWindow(live, object, target)
  }

  /// Warns of a window in which playback cannot start where it is meant to.
  private func lintWindow(_ live: LiveWindow, _ object: JSONValue, _ target: MediaTime) {
    let parts = live.partDuration.map { MediaTime(nanoseconds: 3 * $0.nanoseconds) }
    let whole = live.holdBack ?? MediaTime(nanoseconds: 3 * target.nanoseconds)
    let holdBack = parts.map { live.partHoldBack ?? $0 } ?? whole
    func text(_ time: MediaTime) -> String { Quantity.time.text(time.nanoseconds) }
    if let window = live.window, let value = object.member("window"), window < holdBack {
      findings.warning(
        "'window' is shorter than the \(text(holdBack)) from the end at which playback starts: "
          + "stalls are likely", at: value,
        notes: ["AVFoundation logs -16832 for it (observed: AetherEngine 5.18.5)"])
    }
    guard let window = live.window, live.elapsed < window,
      let value = object.member("elapsed") ?? object.member("window")
    else { return }
    findings.warning(
      "'elapsed' is less than 'window': the playlist is shorter at the start", at: value)
  }

  /// Warns of a variant whose playlist says too little of its rate.
  private func lintRates(_ element: JSONValue) {
    let silent = Findings(findings.source)
    var fields = FieldReader(element, "a variant", silent)
    guard let bandwidth = fields.optional("bandwidth", .positiveBitRate) else { return }
    if let average = fields.optional("averageBandwidth", .positiveBitRate), average > bandwidth,
      let value = element.member("averageBandwidth")
    {
      findings.warning("'averageBandwidth' is above 'bandwidth'", at: value)
    }
    if let rate = fields.optional("bitrate", .positiveBitRate), rate > bandwidth,
      let value = element.member("bitrate")
    {
      findings.warning("'bitrate' is above 'bandwidth'", at: value)
    }
    guard let sizes = fields.optional("sizes", .list(of: .size)),
      let value = element.member("sizes")
    else { return }
    let above = sizes.indices.first {
      $0 < cut.count && cut.rate(of: sizes[$0], in: $0) > bandwidth
    }
    if let above {
      let rate = Quantity.bitRate.text(cut.rate(of: sizes[above], in: above).bitsPerSecond)
      findings.warning(
        "segment \(above) is above 'bandwidth'", at: value, notes: ["its rate is \(rate)"])
    }
  }
}
