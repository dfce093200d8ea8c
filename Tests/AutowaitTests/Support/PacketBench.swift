import Autowait

extension TransferTrial {
  /// A trial on links of packets.
  init(
    links: [LinkProfile], flows: [TransferPlan.Flow], policy: TransportPolicy = TransportPolicy(),
    seed: UInt64 = 1
  ) {
    self.init(
      TransferPlan(flows: flows), on: links, policy: policy, tier: .packet, seed: seed)
  }
}

extension TransferPlan.Step {
  /// A request for so much.
  init(
    size: ByteCount, isNew: Bool = false, idle: TimeSpan = .zero, link: Int? = nil
  ) {
    var request = TransferRequest(size: size)
    request.connection = isNew ? .new : .pooled
    self.init(request, idle: idle, link: link)
  }
}
