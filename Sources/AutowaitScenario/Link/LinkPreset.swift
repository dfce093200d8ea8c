import Autowait

/// A link that comes with the simulator, and where its numbers come from.
package struct LinkPreset: Hashable, Sendable {
  /// How far the numbers can be trusted.
  package enum Confidence: String, CaseIterable, Hashable, Sendable {
    /// Several independent sources agree.
    case high
    /// One full source, or several that differ a little.
    case medium
    /// A source without evidence, or a conclusion from one.
    case low
  }

  /// One direction of the link.
  package struct Direction: Hashable, Sendable {
    /// The rate, in bits of IP packets.
    package var rate: BitRate
    /// The one-way delay.
    package var delay: TimeSpan
    /// The chance that a packet is lost, in millionths.
    package var lossMillionths: Int64 = 0
    /// How much may wait.
    package var queue = LinkQueue.automatic
    /// How far the delay goes up and down, evenly.
    package var deviation = TimeSpan.zero
  }

  /// The name: a family, a slash, a link.
  package var name: String
  /// What it is.
  package var about: String
  /// Where its numbers come from.
  package var source: String
  /// How far they can be trusted.
  package var confidence: Confidence
  /// From the server to the player.
  package var down: Direction
  /// From the player to the server.
  package var up: Direction
  /// What a query for a name waits beside the link's delay.
  package var nameDelay = TimeSpan.zero
  /// Whether requests cost a round trip and no more, whatever else a scenario says.
  package var isIdeal = false

  /// All presets, in the order in which they are listed.
  package static let all: [LinkPreset] =
    LinkPresets.conditioner + LinkPresets.browsers + LinkPresets.throttles
    + LinkPresets.emulators + LinkPresets.demo

  /// The families of presets, in the order in which they are listed.
  package static var families: [String] {
    all.reduce(into: []) { families, preset in
      if families.last != preset.family { families.append(preset.family) }
    }
  }

  /// The part of the name before the slash.
  package var family: String {
    String(name.prefix { $0 != "/" })
  }

  /// Whether requests go over TCP, unless a scenario says otherwise.
  ///
  /// The acts of the demo pin links that never change when better models of links come, but what
  /// is changed behind an `@` is no act of the demo.
  package var isReal: Bool { !isIdeal && (family != "demo" || name.utf8.contains(0x40)) }

  /// The link as the core knows it.
  package var profile: LinkProfile {
    var profile = LinkProfile(down: down.direction, up: up.direction)
    profile.names.delay = nameDelay
    return profile
  }

  /// The link as a file would spell it, in one line of JSON.
  package var file: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    LinkKeys.name.write(name, into: &writer)
    LinkKeys.about.write(about, into: &writer)
    LinkKeys.source.write(source, into: &writer)
    LinkKeys.confidence.write(confidence, into: &writer)
    writer.object(text: LinkKeys.down.name) { down.write(into: &$0) }
    // With a way up a link is no longer ideal, and the acts of the demo are.
    if family != "demo" || up != Direction(rate: .unlimited, delay: .zero) {
      writer.object(text: LinkKeys.up.name) { up.write(into: &$0) }
    }
    if nameDelay > .zero {
      writer.key(text: LinkKeys.dns.name)
      LookupKeys.record.write(profile.names, into: &writer, .full)
    }
    if isIdeal { LinkKeys.transport.write(.ideal, into: &writer) }
    writer.endObject()
    return writer.bytes
  }

  /// Returns a rate in the largest unit of which it has at least one: `3.2 Mbit/s`.
  package static func text(_ rate: BitRate) -> String {
    if rate == .unlimited { return "unlimited" }
    return Quantity.bitRate.decimalText(rate.bitsPerSecond)
  }

  /// Returns a time in the largest unit of which it has at least one: `562.5 ms`.
  package static func text(_ time: TimeSpan) -> String {
    Quantity.time.decimalText(time.nanoseconds)
  }
}

extension LinkPreset.Direction {
  /// The direction as the core knows it.
  var direction: LinkDirection {
    var direction = LinkDirection(LinkTrack(rate: rate, delay: delay))
    direction.queue = queue
    if lossMillionths > 0 {
      direction.loss = .bernoulli(Probability(billionths: lossMillionths * 1_000))
    }
    if deviation > .zero { direction.jitter = Jitter(deviation: deviation) }
    return direction
  }

  fileprivate func write(into writer: inout JSONWriter) {
    let direction = direction
    DirectionKeys.rate.write(rate, into: &writer)
    if delay > .zero { DirectionKeys.delay.write(delay, into: &writer) }
    for property in PacketProperty.all where property.isPart(of: direction) {
      property.member.write(&writer, direction, .terse)
    }
  }
}
