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
  let read: @Sendable (_ fields: inout FieldReader, _ policy: inout TransportPolicy) -> Void
  let write:
    @Sendable (_ json: inout JSONWriter, _ policy: TransportPolicy, _ plain: TransportPolicy)
      -> Void

  private init<Value: Equatable & SendableMetatype>(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Value> & Sendable,
    _ kind: FieldKind<Value>, _ write: @escaping @Sendable (inout JSONWriter, Value) -> Void
  ) {
    read = { fields, policy in fields.read("\(name)", kind, into: &policy[keyPath: path]) }
    self.write = { json, policy, plain in
      let value = policy[keyPath: path]
      if value == plain[keyPath: path] { return }
      json.key(name)
      write(&json, value)
    }
  }

  static func word<Word: NamedCase & Equatable>(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Word> & Sendable
  ) -> TransportKey {
    TransportKey(name, path, .named) { $0.string($1.word) }
  }

  static func flag(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Bool> & Sendable
  ) -> TransportKey {
    TransportKey(name, path, .bool) { $0.bool($1) }
  }

  static func count(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, Int> & Sendable,
    in limits: ClosedRange<Int>
  ) -> TransportKey {
    TransportKey(name, path, .count(in: limits)) { $0.integer(Int64($1)) }
  }

  static func size(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, ByteCount> & Sendable,
    in limits: ClosedRange<ByteCount>
  ) -> TransportKey {
    TransportKey(name, path, .size(in: limits)) { $0.integer($1.bytes) }
  }

  static func time(
    _ name: StaticString, _ path: any WritableKeyPath<TransportPolicy, TimeSpan> & Sendable,
    _ kind: FieldKind<TimeSpan> = .positiveTime
  ) -> TransportKey {
    TransportKey(name, path, kind) {
      $0.string(text: Quantity.time.decimalText($1.nanoseconds))
    }
  }

  /// How large a request or the header of a response can be.
  private static let headers = ByteCount(bytes: 1)...ByteCount(bytes: 1_000_000)

  /// All keys in the order in which they are read and written.
  static let all: [TransportKey] = [
    // What the server speaks.
    .word("http", \.securedHTTP), .word("tls", \.tls),
    .count("connectionsPerHost", \.connectionsPerHost, in: 1...1_000),
    .time("serverThink", \.serverDelay, .time),
    .size("responseHeaderSize", \.responseHeaderSize, in: headers),
    // How data is sent and acknowledged.
    .word("cc", \.congestionControl), .flag("paced", \.isPaced),
    .count("initialWindow", \.initialWindow, in: 1...1_000),
    .size("segmentSize", \.segmentSize, in: ByteCount(bytes: 88)...ByteCount(bytes: 65_495)),
    // A receive window has room for a full packet or more.
    TransportKey(
      "receiveWindow", \.receiveWindow,
      .nullable(.size(in: ByteCount(bytes: 1_460)...Limits.bytesMax))
    ) { json, size in
      if let size { json.integer(size.bytes) } else { json.null() }
    },
    .flag("slowStartAfterIdle", \.slowStartsAfterIdle),
    .time("acknowledgementDelay", \.acknowledgementDelay, .time),
    .time("retransmissionTimeoutMin", \.retransmissionTimeoutMin),
    .time("synTimeout", \.synTimeout),
    // What a client does around its requests.
    .flag("dnsLookup", \.usesDNSLookup), .time("dnsTimeout", \.nameTimeout),
    .size("requestSize", \.requestSize, in: headers),
    TransportKey("requestTimeout", \.requestTimeout, .nullable(.positiveTime)) { json, time in
      if let time {
        json.string(text: Quantity.time.decimalText(time.nanoseconds))
      } else {
        json.null()
      }
    },
    .count("retriesMax", \.retriesMax, in: 0...1_000),
  ]
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
    FieldKind { value, label, findings in
      if value.isString("ideal") { return .ideal }
      if value.kind != .object {
        findings.errorWrongWord(
          value, label, ["ideal"], otherwise: "an object such as {\"http\": \"h2\"}")
        return nil
      }
      var fields = FieldReader(value, "a transport", findings)
      var policy = base?.policy ?? TransportPolicy()
      for key in TransportKey.all { key.read(&fields, &policy) }
      if policy.http == .http3, !policy.securesQUIC {
        fields.error("h3 needs TLS 1.3", at: "tls")
      }
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
}
