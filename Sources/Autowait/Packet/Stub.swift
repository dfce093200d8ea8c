struct PacketNetwork: Sendable {
  init(links: [LinkProfile], changes: [LinkChange], policy: TransportPolicy, seed: UInt64) {}
  mutating func open(_ request: TransferRequest, at now: Instant) -> Int { 1 }
  mutating func cancel(_ number: Int, at now: Instant) {}
  mutating func setSuspended(_ isSuspended: Bool, _ number: Int, at now: Instant) {}
  mutating func use(link: Int, elapsed: TimeSpan, at now: Instant) {}
  mutating func advance(notAfter limit: Instant) -> Instant? { nil }
  mutating func takeNotice() -> TransferNotice? { nil }
  func times(_ number: Int) -> TransferTimes { TransferTimes(opened: .start) }
  func delivered(_ number: Int) -> ByteCount { .zero }
}
