import Autowait

/// What a link became in another format.
package struct WrittenLink: Sendable {
  /// The file, or that of the downward direction.
  package var bytes: [UInt8]
  /// The file of the upward direction, for a format that has one for each.
  package var up: [UInt8]?
  /// What the format could not say, in a sentence each.
  package var warnings: [String]
}

/// Writes links in formats of other tools.
package enum TraceWriter {
  /// Why a link cannot be written in a format, or a piece not be added to a track.
  package struct TraceProblem: Error, Hashable, Sendable {
    /// What is the matter, in lower case and without a full stop.
    package let message: String
    /// What helps.
    package var notes: [String] = []
  }

  /// Returns a link in a format; a track that never ends is written up to a time.
  package static func write(
    _ link: ConvertedLink, _ format: TraceFormat, until: TimeSpan? = nil
  ) throws(TraceProblem) -> WrittenLink {
    var result = WrittenLink(bytes: [], up: nil, warnings: losses(link, format))
    switch format {
    case .link: result.bytes = LinkWriter.write(link)
    case .mahimahi:
      result.bytes = try mahimahi(link.profile.down.track, until)
      result.up = try mahimahi(link.profile.up.track, until)
    case .sabre: result.bytes = sabre(link.profile, until)
    case .pensieve: result.bytes = pensieve(link.profile.down.track, until)
    case .nlc: result.bytes = try ConditionerFormat.write(link)
    case .tc: result.bytes = ShellScript.tc(link, until)
    case .dnctl: result.bytes = ShellScript.dnctl(link, until)
    case .hsdpa, .ghent, .fcc, .irish4g, .irish5g, .errant, .atc, .wpt, .har, .accesslog, .bytes,
      .rates:
      throw TraceProblem(
        message: "the format '\(format.rawValue)' is read, not written",
        notes: [TraceFormat.listNote]
      )
    }
    result.warnings += grains(link.profile, format)
    result.warnings += unlimited(link.profile, format)
    if let warning = endings(link.profile.down.track, format, until) {
      result.warnings.append(warning)
    }
    if format == .mahimahi { result.warnings += drifts(link.profile, until) }
    if link.kind == .goodput, [.mahimahi, .nlc, .tc, .dnctl].contains(format) {
      result.warnings.append(
        "the rates are goodput: TCP over what is written brings less")
    }
    return result
  }

  private static func mahimahi(
    _ track: LinkTrack, _ until: TimeSpan?
  ) throws(TraceProblem) -> [UInt8] {
    let isConstant = track.samples.count == 1
    if isConstant, track.samples[0].rate == .unlimited { return try fast() }
    let tail = isConstant ? MahimahiFormat.evenPeriod(track.samples[0].rate) : FiniteTrack.tail
    return try MahimahiFormat.write(FiniteTrack(track, until: until, tail: tail))
  }

  /// A direction without a limit: mahimahi has none, and 12 Gbit/s stand for it; assumed.
  private static func fast() throws(TraceProblem) -> [UInt8] {
    let track = LinkTrack(rate: BitRate(bitsPerSecond: 12_000_000_000))
    return try MahimahiFormat.write(FiniteTrack(track, tail: .milliseconds(1)))
  }

  private static func sabre(_ profile: LinkProfile, _ until: TimeSpan?) -> [UInt8] {
    let track = FiniteTrack(profile.down.track, until: until).adding(delaysOf: profile.up.track)
    var text = Array("[".utf8)
    var writer = JSONWriter(.compact, capacity: 128)
    for index in track.samples.indices {
      text += (index == 0 ? "\n  " : ",\n  ").utf8
      writer.removeAll()
      writer.beginObject()
      writer.field("duration_ms", track.length(index).nanoseconds, of: 1_000_000)
      writer.field("bandwidth_kbps", track.samples[index].rate.bitsPerSecond, of: 1_000)
      writer.field("latency_ms", track.samples[index].delay.nanoseconds, of: 1_000_000)
      writer.endObject()
      writer.withBytes { text += $0 }
    }
    return text + "\n]\n".utf8
  }

  /// The first line's rate is never used; it repeats the second one's.
  private static func pensieve(_ track: LinkTrack, _ until: TimeSpan?) -> [UInt8] {
    let finite = FiniteTrack(track, until: until)
    var text: [UInt8] = []
    func add(_ time: TimeSpan, _ rate: BitRate) {
      text += time.nanoseconds.fixedPoint(1_000_000_000).utf8
      text.append(0x09)
      text += rate.bitsPerSecond.fixedPoint(1_000_000).utf8
      text.append(0x0A)
    }
    add(.zero, finite.samples[0].rate)
    for index in finite.samples.indices {
      let sample = finite.samples[index]
      add(sample.start + finite.length(index), sample.rate)
    }
    return text
  }

  /// Returns what a format that always starts again makes of another ending.
  private static func endings(
    _ track: LinkTrack, _ format: TraceFormat, _ until: TimeSpan?
  ) -> String? {
    guard [.mahimahi, .sabre, .pensieve].contains(format) else { return nil }
    let end = Quantity.time.decimalText(FiniteTrack(track, until: until).end.nanoseconds)
    switch track.ending {
    case .loop: return nil
    case .offline: return "the link is down after its track: what is written starts again at \(end)"
    case .hold:
      if track.samples.count == 1 { return nil }
      return "the last rate holds forever: what is written starts again at \(end)"
    }
  }

  /// Returns what becomes of delays that are finer than a format has them.
  private static func grains(_ profile: LinkProfile, _ format: TraceFormat) -> [String] {
    var delays = [profile.down, profile.up].flatMap { $0.track.samples.map { $0.delay } }
    let (grain, what): (Int64, String)
    switch format {
    case .nlc:
      delays.append(profile.names.delay)
      (grain, what) = (1_000_000, "cut to whole milliseconds")
    case .dnctl: (grain, what) = (1_000_000, "rounded to whole milliseconds")
    case .tc: (grain, what) = (1_000, "rounded to whole microseconds")
    default: return []
    }
    let isFine = delays.contains { $0.nanoseconds % grain != 0 }
    return isFine ? ["'\(format.rawValue)' has delays \(what)"] : []
  }

  /// Returns what stands for a rate without a limit where a format has only numbers.
  private static func unlimited(_ profile: LinkProfile, _ format: TraceFormat) -> [String] {
    let samples = profile.down.track.samples
    guard [.mahimahi, .sabre, .pensieve].contains(format),
      samples.contains(where: { $0.rate == .unlimited })
    else { return [] }
    let isFast = format == .mahimahi && samples.count == 1
    let number = isFast ? "12 Gbit/s stand" : "1 Tbit/s stands"
    return ["'\(format.rawValue)' has no word for unlimited: \(number) for it"]
  }

  /// Returns how a track that starts again in milliseconds and packets leaves its time.
  private static func drifts(_ profile: LinkProfile, _ until: TimeSpan?) -> [String] {
    var warnings: [String] = []
    for (name, direction) in [("down", profile.down), ("up", profile.up)] {
      guard case .loop = direction.track.ending else { continue }
      let track = FiniteTrack(direction.track, until: until)
      let rest = track.end.nanoseconds % 1_000_000
      if rest != 0 {
        let late = Quantity.time.decimalText(1_000_000 - rest)
        warnings.append(
          "the way \(name) starts again after whole milliseconds: \(late) later each time")
      }
      if track.samples.count > 1, track.samples[track.samples.count - 1].rate == .zero {
        warnings.append(
          "the way \(name) is down at its end, where its last line is a packet")
      }
    }
    return warnings
  }

  /// Returns what of a link a format has no place for.
  private static func losses(_ link: ConvertedLink, _ format: TraceFormat) -> [String] {
    let profile = link.profile
    let directions = [profile.down, profile.up]
    var lost: [String] = []
    func lose(_ what: String, unless formats: [TraceFormat], if isThere: Bool) {
      if isThere, !formats.contains(format) { lost.append(what) }
    }
    let plain = LinkDirection()
    let scripts: [TraceFormat] = [.link, .tc, .dnctl]
    let hasDelay = directions.contains { $0.track.samples.contains { $0.delay > .zero } }
    lose("delays", unless: scripts + [.nlc, .sabre], if: hasDelay)
    lose(
      "the upward rate", unless: scripts + [.nlc, .mahimahi],
      if: profile.up.track.samples.contains { $0.rate != .unlimited })
    lose(
      "losses", unless: scripts + [.nlc],
      if: directions.contains { $0.loss != .none || $0.track.samples.contains { $0.loss != nil } })
    lose(
      "the queue", unless: scripts,
      if: directions.contains {
        $0.queue != .automatic
          && !(format == .nlc && $0.queue == .packets(ConditionerFormat.queuePackets))
      })
    if [.nlc, .dnctl].contains(format) {
      lose(
        "losses that depend on each other", unless: [], if: directions.contains { $0.hasMemory })
    } else if format == .tc {
      lose(
        "losses of given packets", unless: [],
        if: directions.contains { $0.hasMemory && !$0.hasBursts })
    }
    lose("jitter", unless: [.link, .tc], if: directions.contains { $0.jitter != nil })
    lose("reordering", unless: [.link, .tc], if: directions.contains { $0.reorder != nil })
    lose("duplicates", unless: [.link, .tc], if: directions.contains { $0.duplicate > .never })
    lose(
      "the overhead of packets", unless: [.link, .tc],
      if: directions.contains {
        $0.mtu != plain.mtu || $0.overheadPerPacket != plain.overheadPerPacket
      })
    lose("the delay of names", unless: [.link, .nlc], if: profile.names.delay > .zero)
    let events = profile.events
    lose(
      "blackouts", unless: [.link], if: events.contains { !$0.isHandover && !$0.isOffline })
    lose("times offline", unless: [.link], if: events.contains { $0.isOffline })
    // They are written as they were read.
    let isRead = format == .link && link.own.events != nil
    lose("handovers", unless: [], if: !isRead && events.contains { $0.isHandover })
    lose("outages", unless: [.link], if: link.own.outage != nil)
    lose("the links of hosts", unless: [.link], if: link.own.hosts != nil)
    // What Sabre's and Pensieve's simulators do is ideal.
    let isIdeal = link.own.transport == .ideal && [.sabre, .pensieve].contains(format)
    lose("the transport", unless: [.link], if: link.own.transport != nil && !isIdeal)
    if lost.isEmpty { return [] }
    return ["'\(format.rawValue)' has no place for \(lost.joined(separator: ", "))"]
  }
}

extension LinkDirection {
  /// Whether what becomes of a packet depends on those before it.
  var hasMemory: Bool {
    switch loss {
    case .none, .bernoulli, .measured: false
    case .gilbertElliott, .everyNth, .packets: true
    }
  }

  /// Whether packets are lost in bursts.
  var hasBursts: Bool {
    if case .gilbertElliott = loss { return true }
    return false
  }
}
