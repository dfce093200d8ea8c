import Autowait

/// How a file asks for requests to be carried.
struct AskedTransport: Hashable, Sendable {
  /// The policy; nil for an ideal link.
  var policy: TransportPolicy?
  /// How exactly the link is to be modelled; nil for what suits it.
  var tier: LinkTier?

  /// A link on which a request costs a round trip and no more.
  static let ideal = AskedTransport(policy: nil, tier: nil)
}

/// Writing a transport as it is read: what differs from the policy without a word.
extension AskedTransport {
  func write(into json: inout JSONWriter) {
    if self == .ideal {
      json.string("ideal")
      return
    }
    json.beginObject()
    if let policy {
      writeServer(policy, &json)
      writeSender(policy, &json)
      writeRequests(policy, &json)
    }
    switch tier {
    case .ideal?: json.field("tier", "ideal")
    case .fluid?: json.field("tier", "fluid")
    case .packet?: json.field("tier", "packet")
    case nil: break
    }
    json.endObject()
  }

  private func writeServer(_ policy: TransportPolicy, _ json: inout JSONWriter) {
    let plain = TransportPolicy()
    if policy.http != plain.http {
      switch policy.http {
      case .http1: json.field("http", "h1")
      case .http2: json.field("http", "h2")
      case .http3: json.field("http", "h3")
      }
    }
    if policy.tls != plain.tls {
      switch policy.tls {
      case .none: json.field("tls", "none")
      case .tls12: json.field("tls", "1.2")
      case .tls13: json.field("tls", "1.3")
      case .resumed: json.field("tls", "resumed")
      case .zeroRoundTrip: json.field("tls", "0rtt")
      }
    }
    json.count("connectionsPerHost", policy.connectionsPerHost, plain.connectionsPerHost)
    json.time("serverThink", policy.serverDelay, plain.serverDelay)
    json.size("responseHeaderSize", policy.responseHeaderSize, plain.responseHeaderSize)
  }

  private func writeSender(_ policy: TransportPolicy, _ json: inout JSONWriter) {
    let plain = TransportPolicy()
    if policy.congestionControl != plain.congestionControl {
      switch policy.congestionControl {
      case .cubic: json.field("cc", "cubic")
      case .reno: json.field("cc", "reno")
      case .bbr: json.field("cc", "bbr")
      case .none: json.field("cc", "none")
      }
    }
    json.flag("paced", policy.isPaced, plain.isPaced)
    json.count("initialWindow", policy.initialWindow, plain.initialWindow)
    json.size("segmentSize", policy.segmentSize, plain.segmentSize)
    json.size("receiveWindow", policy.receiveWindow, plain.receiveWindow)
    json.flag("slowStartAfterIdle", policy.slowStartsAfterIdle, plain.slowStartsAfterIdle)
    json.time("acknowledgementDelay", policy.acknowledgementDelay, plain.acknowledgementDelay)
    json.time(
      "retransmissionTimeoutMin", policy.retransmissionTimeoutMin, plain.retransmissionTimeoutMin)
    json.time("synTimeout", policy.synTimeout, plain.synTimeout)
  }

  private func writeRequests(_ policy: TransportPolicy, _ json: inout JSONWriter) {
    let plain = TransportPolicy()
    json.flag("dnsLookup", policy.usesDNSLookup, plain.usesDNSLookup)
    json.time("dnsTimeout", policy.nameTimeout, plain.nameTimeout)
    json.size("requestSize", policy.requestSize, plain.requestSize)
    json.time("requestTimeout", policy.requestTimeout, plain.requestTimeout)
    json.count("retriesMax", policy.retriesMax, plain.retriesMax)
  }
}

/// Members that are written if they differ from what holds without them.
extension JSONWriter {
  fileprivate mutating func count(_ name: StaticString, _ value: Int, _ plain: Int) {
    if value != plain { field(name, Int64(value)) }
  }

  fileprivate mutating func flag(_ name: StaticString, _ value: Bool, _ plain: Bool) {
    if value != plain { field(name, value) }
  }

  fileprivate mutating func size(_ name: StaticString, _ value: ByteCount?, _ plain: ByteCount?) {
    if value == plain { return }
    key(name)
    if let value { integer(value.bytes) } else { null() }
  }

  fileprivate mutating func time(_ name: StaticString, _ value: TimeSpan?, _ plain: TimeSpan?) {
    if value == plain { return }
    key(name)
    if let value { string(text: Quantity.time.decimalText(value.nanoseconds)) } else { null() }
  }
}

extension FieldKind where Value == AskedTransport {
  /// The word `ideal`, or an object with what differs from another transport.
  static func transport(from base: AskedTransport?) -> FieldKind {
    FieldKind { value, label, findings in
      if value.isString("ideal") { return .ideal }
      if value.kind != .object {
        findings.errorWrongWord(
          value, label, ["ideal"], otherwise: "an object such as {\"http\": \"h2\"}")
        return nil
      }
      var fields = FieldReader(value, "a transport", findings)
      var policy = base?.policy ?? TransportPolicy()
      readServer(&fields, &policy)
      readSender(&fields, &policy)
      readRequests(&fields, &policy)
      let tier = fields.optional("tier", .word(tiers))
      fields.finish()
      let asked = tier ?? base?.tier
      return AskedTransport(policy: asked == .ideal ? nil : policy, tier: asked)
    }
  }

  /// The words for tiers; nil is what suits the link.
  ///
  /// An ideal link is what others call f0.
  private static var tiers: [(word: String, meaning: LinkTier?)] {
    [
      ("auto", nil), ("ideal", .ideal), ("f0", .ideal), ("fluid", .fluid), ("packet", .packet),
    ]
  }

  /// Reads what the server speaks.
  private static func readServer(_ fields: inout FieldReader, _ policy: inout TransportPolicy) {
    if let http = fields.optional(
      "http", .word([("h1", TransportPolicy.HTTP.http1), ("h2", .http2), ("h3", .http3)]))
    {
      // QUIC is always secured, by TLS 1.3 (RFC 9001).
      if http == .http3, policy.tls == .none || policy.tls == .tls12 { policy.tls = .tls13 }
      policy.http = http
    }
    if let tls = fields.optional(
      "tls",
      .word([
        ("none", TransportPolicy.TLS.none), ("1.2", .tls12), ("1.3", .tls13),
        ("resumed", .resumed), ("0rtt", .zeroRoundTrip),
      ]))
    {
      if policy.http == .http3, tls == .none || tls == .tls12 {
        fields.error("h3 needs TLS 1.3", at: "tls")
      }
      policy.tls = tls
    }
    let count: FieldKind<Int64> = .integer(in: 1...1_000)
    policy.connectionsPerHost =
      fields.optional("connectionsPerHost", count).map { Int($0) } ?? policy.connectionsPerHost
    policy.serverDelay = fields.optional("serverThink", .time) ?? policy.serverDelay
    policy.responseHeaderSize =
      fields.optional("responseHeaderSize", .size(in: headers)) ?? policy.responseHeaderSize
  }

  /// Reads how data is sent and acknowledged.
  private static func readSender(_ fields: inout FieldReader, _ policy: inout TransportPolicy) {
    policy.congestionControl =
      fields.optional(
        "cc",
        .word([
          ("cubic", TransportPolicy.CongestionControl.cubic), ("reno", .reno), ("bbr", .bbr),
          ("none", .none),
        ])) ?? policy.congestionControl
    policy.isPaced = fields.optional("paced", .bool) ?? policy.isPaced
    policy.initialWindow =
      fields.optional("initialWindow", FieldKind<Int64>.integer(in: 1...1_000)).map { Int($0) }
      ?? policy.initialWindow
    let segments = ByteCount(bytes: 88)...ByteCount(bytes: 65_495)
    policy.segmentSize = fields.optional("segmentSize", .size(in: segments)) ?? policy.segmentSize
    if let window = fields.optional(
      "receiveWindow", FieldKind<ByteCount?>.nullable(.size(in: windows)))
    {
      policy.receiveWindow = window
    }
    policy.slowStartsAfterIdle =
      fields.optional("slowStartAfterIdle", .bool) ?? policy.slowStartsAfterIdle
    policy.acknowledgementDelay =
      fields.optional("acknowledgementDelay", .time) ?? policy.acknowledgementDelay
    policy.retransmissionTimeoutMin =
      fields.optional("retransmissionTimeoutMin", .positiveTime) ?? policy.retransmissionTimeoutMin
    policy.synTimeout = fields.optional("synTimeout", .positiveTime) ?? policy.synTimeout
  }

  /// Reads what a client does around its requests.
  private static func readRequests(_ fields: inout FieldReader, _ policy: inout TransportPolicy) {
    policy.usesDNSLookup = fields.optional("dnsLookup", .bool) ?? policy.usesDNSLookup
    policy.nameTimeout = fields.optional("dnsTimeout", .positiveTime) ?? policy.nameTimeout
    policy.requestSize = fields.optional("requestSize", .size(in: headers)) ?? policy.requestSize
    if let timeout = fields.optional(
      "requestTimeout", FieldKind<TimeSpan?>.nullable(.positiveTime))
    {
      policy.requestTimeout = timeout
    }
    policy.retriesMax =
      fields.optional("retriesMax", FieldKind<Int64>.integer(in: 0...1_000)).map { Int($0) }
      ?? policy.retriesMax
  }

  /// How large a receive window can be: a full packet or more.
  private static var windows: ClosedRange<ByteCount> {
    ByteCount(bytes: 1_460)...Limits.bytesMax
  }

  /// How large a request or the header of a response can be.
  private static var headers: ClosedRange<ByteCount> {
    ByteCount(bytes: 1)...ByteCount(bytes: 1_000_000)
  }
}
