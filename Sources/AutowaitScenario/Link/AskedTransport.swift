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

/// A key of a transport: how it is read into a policy, and written where it differs from another.
private struct TransportKey: Sendable {
  let row: KeyRow
  let read: @Sendable (_ fields: inout FieldReader, _ policy: inout TransportPolicy) -> Void
  let write:
    @Sendable (_ json: inout JSONWriter, _ policy: TransportPolicy, _ plain: TransportPolicy)
      -> Void

  private init<Value: Equatable & Sendable & SendableMetatype>(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Value> & Sendable,
    _ kind: FieldKind<Value>, _ about: String,
    _ write: @escaping @Sendable (inout JSONWriter, Value) -> Void
  ) {
    let standard = JSONWriter.text { write(&$0, TransportPolicy()[keyPath: path]) }
    let key = Key("\(name)", kind, .standard(standard), about)
    row = key.row
    read = { fields, policy in fields.read(key, into: &policy[keyPath: path]) }
    self.write = { json, policy, plain in
      let value = policy[keyPath: path]
      if value == plain[keyPath: path] { return }
      json.key(name)
      write(&json, value)
    }
  }

  static func word<Word: NamedCase & Equatable>(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Word> & Sendable,
    _ about: String
  ) -> TransportKey {
    TransportKey(name, path, .named, about) { $0.string($1.word) }
  }

  static func flag(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Bool> & Sendable,
    _ about: String
  ) -> TransportKey {
    TransportKey(name, path, .bool, about) { $0.bool($1) }
  }

  static func count(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Int> & Sendable,
    in limits: ClosedRange<Int>, _ about: String
  ) -> TransportKey {
    TransportKey(name, path, .count(in: limits), about) { $0.integer(Int64($1)) }
  }

  static func size(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, ByteCount> & Sendable,
    in limits: ClosedRange<ByteCount>, _ about: String
  ) -> TransportKey {
    TransportKey(name, path, .size(in: limits), about) { $0.integer($1.bytes) }
  }

  static func time(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, TimeSpan> & Sendable,
    _ about: String, _ kind: FieldKind<TimeSpan> = .positiveTime
  ) -> TransportKey {
    TransportKey(name, path, kind, about) {
      $0.string(text: Quantity.time.decimalText($1.nanoseconds))
    }
  }

  /// How large a request or the header of a response can be.
  private static let headers = ByteCount(bytes: 1)...ByteCount(bytes: 1_000_000)

  /// All keys in the order in which they are read and written.
  static let all: [TransportKey] = serverKeys + senderKeys + clientKeys

  /// What the server speaks.
  private static let serverKeys: [TransportKey] = [
    .word("http", \.securedHTTP, "the version of HTTP"),
    .word("tls", \.tls, "how connections are secured"),
    .count(
      "connectionsPerHost", \.connectionsPerHost, in: 1...1_000,
      "how many connections of HTTP/1.1 a host gets at most"),
    .time("serverThink", \.serverDelay, "how long the server thinks before it responds", .time),
    .size(
      "responseHeaderSize", \.responseHeaderSize, in: headers,
      "the size of the header of a response"),
  ]

  /// How data is sent and acknowledged.
  private static let senderKeys: [TransportKey] = [
    .word("cc", \.congestionControl, "the congestion control of the sender"),
    .flag("paced", \.isPaced, "whether the sender spreads its packets over the round trip"),
    .count(
      "initialWindow", \.initialWindow, in: 1...1_000,
      "how many segments are sent before the first acknowledgement"),
    .size(
      "segmentSize", \.segmentSize, in: ByteCount(bytes: 88)...ByteCount(bytes: 65_495),
      "how much of the data a packet carries"),
    // A receive window has room for a full packet or more.
    TransportKey(
      "receiveWindow", \.receiveWindow,
      .nullable(.size(in: ByteCount(bytes: 1_460)...Limits.bytesMax)),
      "how much the client lets be on its way; null for any amount"
    ) { json, size in
      if let size { json.integer(size.bytes) } else { json.null() }
    },
    .flag(
      "slowStartAfterIdle", \.slowStartsAfterIdle,
      "whether an idle connection begins again with a small window"),
    .time(
      "acknowledgementDelay", \.acknowledgementDelay,
      "how long the client waits with an acknowledgement", .time),
    .time(
      "retransmissionTimeoutMin", \.retransmissionTimeoutMin,
      "the shortest time after which what was not acknowledged is sent again"),
    .time("synTimeout", \.synTimeout, "the time after which a first packet is sent again"),
  ]

  /// What a client does around its requests.
  private static let clientKeys: [TransportKey] = [
    .flag("dnsLookup", \.usesDNSLookup, "whether names are looked up"),
    .time("dnsTimeout", \.nameTimeout, "the time after which a name is asked for again"),
    .size("requestSize", \.requestSize, in: headers, "the size of a request"),
    TransportKey(
      "requestTimeout", \.requestTimeout, .nullable(.positiveTime),
      "how long nothing may come before a request fails; null for ever"
    ) { json, time in
      if let time {
        json.string(text: Quantity.time.decimalText(time.nanoseconds))
      } else {
        json.null()
      }
    },
    .count(
      "retriesMax", \.retriesMax, in: 0...1_000,
      "how often a request is made again whose connection failed"),
  ]

  /// How exactly the link is modelled; an ideal link is what others call f0.
  static let tier = Key(
    "tier",
    FieldKind<LinkTier?>.word([
      ("auto", nil), ("ideal", .ideal), ("f0", .ideal), ("fluid", .fluid), ("packet", .packet),
    ]), "how exactly the link is modelled; 'auto' takes what suits it")

  static let object: ObjectKind = ObjectKind(
    "transport", "a transport", rows: all.map(\.row) + [tier.row])
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

extension AskedTransport {
  /// Writes a transport as it is read: what differs from the policy without a word.
  func write(into json: inout JSONWriter) {
    if self == .ideal {
      json.string("ideal")
      return
    }
    json.object { json in
      if let policy {
        for key in TransportKey.all { key.write(&json, policy, TransportPolicy()) }
      }
      if let tier { json.field("tier", tier.word) }
    }
  }
}

extension FieldKind where Value == AskedTransport {
  /// The word `ideal`, or an object with what differs from another transport.
  static func transport(from base: AskedTransport?) -> FieldKind {
    let schema = Schema.either([.words(["ideal"]), .object { TransportKey.object }])
    return FieldKind(schema) { value, label, findings in
      if value.isString("ideal") { return .ideal }
      if value.kind != .object {
        findings.errorWrongWord(
          value, label, ["ideal"], otherwise: "an object such as {\"http\": \"h2\"}")
        return nil
      }
      var fields = FieldReader(value, TransportKey.object, findings)
      var policy = base?.policy ?? TransportPolicy()
      for key in TransportKey.all { key.read(&fields, &policy) }
      if policy.http == .http3, !policy.securesQUIC {
        fields.error("h3 needs TLS 1.3", at: "tls")
      }
      let tier = fields.optional(TransportKey.tier)
      fields.finish()
      let asked = tier ?? base?.tier
      return AskedTransport(policy: asked == .ideal ? nil : policy, tier: asked)
    }
  }
}
