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

/// The keys of a transport, in the order in which they are read and written.
enum TransportKeys {
  static let all = server + sender + client

  /// What the server speaks.
  private static let server: [Member<TransportPolicy>] = [
    key("http", .named, "the version of HTTP", { $0.http }, { $0.securedHTTP = $1 }),
    Member(
      "tls", .named, "how connections are secured; 'none', or '1.3' with h3",
      { $0.tls }, { $0.tls = $1 }),
    key(
      "certificateSize", .size(in: ByteCount.zero...ByteCount(bytes: 1_000_000)),
      "how large the certificates of the server are",
      { $0.certificateSize }, { $0.certificateSize = $1 }),
    key(
      "connectionsPerHost", .count(in: 1...1_000),
      "how many connections of HTTP/1.1 a host gets at most",
      { $0.connectionsPerHost }, { $0.connectionsPerHost = $1 }),
    key(
      "serverThink", .time, "how long the server thinks before it responds",
      { $0.serverDelay }, { $0.serverDelay = $1 }),
    key(
      "responseHeaderSize", header, "the size of the header of a response",
      { $0.responseHeaderSize }, { $0.responseHeaderSize = $1 }),
  ]

  /// How data is sent and acknowledged.
  private static let sender: [Member<TransportPolicy>] = [
    key(
      "cc", .named, "the congestion control of the sender",
      { $0.congestionControl }, { $0.congestionControl = $1 }),
    key(
      "paced", .bool, "whether the sender spreads its packets over the round trip",
      { $0.isPaced }, { $0.isPaced = $1 }),
    key(
      "queueInServer", .bool,
      "whether the queue is in the server's host, which keeps what finds it full",
      { $0.isQueueInServer }, { $0.isQueueInServer = $1 }),
    key(
      "initialWindow", .count(in: 1...1_000),
      "how many segments are sent before the first acknowledgement",
      { $0.initialWindow }, { $0.initialWindow = $1 }),
    key(
      "segmentSize", .size(in: ByteCount(bytes: 88)...ByteCount(bytes: 65_495)),
      "how much of the data a packet carries",
      { $0.segmentSize }, { $0.segmentSize = $1 }),
    // A receive window has room for a full packet or more.
    key(
      "receiveWindow", .nullable(.size(in: ByteCount(bytes: 1_460)...Limits.bytesMax)),
      "how much the client lets be on its way; null for any amount",
      { $0.receiveWindow }, { $0.receiveWindow = $1 }),
    key(
      "slowStartAfterIdle", .bool, "whether an idle connection begins again with a small window",
      { $0.slowStartsAfterIdle }, { $0.slowStartsAfterIdle = $1 }),
    key(
      "acknowledgementDelay", .time, "how long the client waits with an acknowledgement",
      { $0.acknowledgementDelay }, { $0.acknowledgementDelay = $1 }),
    key(
      "retransmissionTimeoutMin", .positiveTime,
      "the shortest time after which what was not acknowledged is sent again",
      { $0.retransmissionTimeoutMin }, { $0.retransmissionTimeoutMin = $1 }),
    key(
      "synTimeout", .positiveTime, "the time after which a first packet is sent again",
      { $0.synTimeout }, { $0.synTimeout = $1 }),
  ]

  /// What a client does around its requests.
  private static let client: [Member<TransportPolicy>] = [
    key(
      "dnsLookup", .bool, "whether names are looked up",
      { $0.usesDNSLookup }, { $0.usesDNSLookup = $1 }),
    key(
      "dnsTimeout", .positiveTime, "the time after which a name is asked for again",
      { $0.nameTimeout }, { $0.nameTimeout = $1 }),
    key(
      "requestSize", header, "the size of a request",
      { $0.requestSize }, { $0.requestSize = $1 }),
    key(
      "requestTimeout", .nullable(.positiveTime),
      "how long nothing may come before a request fails; null for no limit",
      { $0.requestTimeout }, { $0.requestTimeout = $1 }),
    key(
      "retriesMax", .count(in: 0...1_000),
      "how often a request whose connection failed is retried",
      { $0.retriesMax }, { $0.retriesMax = $1 }),
  ]

  /// How exactly the link is modelled; an ideal link is what others call f0.
  static let tier = Key(
    "tier",
    FieldKind<LinkTier?>.words([
      ("auto", nil), ("ideal", .ideal), ("f0", .ideal), ("fluid", .fluid), ("packet", .packet),
    ]), .standard("auto"), "how exactly the link is modelled; 'auto' takes what suits it")

  static let object: ObjectKind = ObjectKind(
    "transport", "a transport", rows: all.map { $0.row } + [tier.row])

  /// How large a request or the header of a response can be.
  private static var header: FieldKind<ByteCount> {
    .size(in: ByteCount(bytes: 1)...ByteCount(bytes: 1_000_000))
  }

  private static func key<Value: Equatable & Sendable & SendableMetatype>(
    _ name: String, _ kind: FieldKind<Value>, _ about: String,
    _ get: @escaping @Sendable (TransportPolicy) -> Value,
    _ set: @escaping @Sendable (inout TransportPolicy, Value) -> Void
  ) -> Member<TransportPolicy> {
    Member(Key(name, kind, .standard(kind.text(of: get(TransportPolicy()))), about), get, set)
  }
}

extension TransportPolicy {
  /// Whether QUIC can be secured so: it is always, by TLS 1.3 (RFC 9001).
  package var securesQUIC: Bool { tls != .none && tls != .tls12 }

  /// The version of HTTP; one over QUIC brings TLS 1.3 with it.
  fileprivate var securedHTTP: HTTP {
    get { http }
    set {
      http = newValue
      if http == .http3, !securesQUIC { tls = .tls13 }
    }
  }
}

extension FieldKind where Value == AskedTransport {
  /// The word `ideal`, or an object with what differs from another transport.
  static func transport(from base: AskedTransport?) -> FieldKind {
    let schema = Schema.either([.words(["ideal"]), .object { TransportKeys.object }])
    let read: Read = { value, label, findings in
      if value.isString("ideal") { return .ideal }
      if value.kind != .object {
        findings.errorWrongWord(
          value, label, ["ideal"], otherwise: "an object such as {\"http\": \"h2\"}")
        return nil
      }
      var fields = FieldReader(value, TransportKeys.object, findings)
      var policy = base?.policy ?? TransportPolicy()
      _ = TransportKeys.all.read(&fields, into: &policy)
      if policy.http == .http3, !policy.securesQUIC {
        fields.error("h3 needs TLS 1.3", at: "tls")
      }
      let tier = fields.optional(TransportKeys.tier)
      fields.finish()
      let asked = tier ?? base?.tier
      return AskedTransport(policy: asked == .ideal ? nil : policy, tier: asked)
    }
    return FieldKind(schema, read) { json, asked, style in
      if asked == .ideal { return json.string("ideal") }
      json.object { json in
        // What differs from the policy without a word.
        if let policy = asked.policy {
          TransportKeys.all.write(policy, over: TransportPolicy(), into: &json, style)
        }
        if let tier = asked.tier { TransportKeys.tier.write(tier, into: &json) }
      }
    }
  }
}
