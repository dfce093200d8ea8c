import Autowait
import AutowaitFigures
import AutowaitScenario

/// Says in words what a link is like and how requests are carried.
package enum LinkText {
  private static let tie = TerminalText.tie

  /// Describes a direction: `50 Mbit/s, 50 ms, queue 50 packets (12 ms)`.
  static func description(of direction: LinkDirection) -> String {
    guard let first = direction.track.samples.first else { return "" }
    let count = direction.track.samples.count
    var parts = [count > 1 ? "\(rate(first.rate)) at first, \(count) samples" : rate(first.rate)]
    if first.delay > .zero { parts.append(time(first.delay)) }
    switch direction.queue {
    case .automatic: break
    case .packets(let packets):
      var text = "queue \(Plural.text(packets, "packet"))"
      if let full = time(ofPackets: packets, first.rate) { text += " (\(full))" }
      parts.append(text)
    case .bytes(let size): parts.append("queue \(TimelineNumbers.text(size))")
    case .time(let span): parts.append("queue \(time(span))")
    case .unlimited: parts.append("queue unlimited")
    }
    if let text = description(of: direction.loss) { parts.append(text) }
    if let jitter = direction.jitter { parts.append("jitter \(time(jitter.deviation))") }
    return parts.joined(separator: ", ")
  }

  private static func description(of loss: LossModel) -> String? {
    switch loss {
    case .none: nil
    case .bernoulli(let chance), .measured(let chance, _): "loss \(percent(chance))"
    case .gilbertElliott: "loss in bursts"
    case .everyNth(let number): "every \(number)th packet lost"
    case .packets(let numbers): "\(Plural.text(numbers.count, "packet")) lost"
    }
  }

  /// Describes a policy: `HTTP/1.1, no TLS, CUBIC, paced`.
  static func description(of policy: TransportPolicy) -> String {
    var parts: [String] = []
    switch policy.http {
    case .http1: parts.append("HTTP/1.1")
    case .http2: parts.append("HTTP/2")
    case .http3: parts.append("HTTP/3")
    }
    switch policy.tls {
    case .none: parts.append("no\(tie)TLS")
    case .tls12: parts.append("TLS\(tie)1.2")
    case .tls13: parts.append("TLS\(tie)1.3")
    case .resumed: parts.append("TLS\(tie)1.3 resumed")
    case .zeroRoundTrip: parts.append("TLS\(tie)1.3 0-RTT")
    }
    switch policy.congestionControl {
    case .cubic: parts.append("CUBIC")
    case .reno: parts.append("Reno")
    case .bbr: parts.append("BBR")
    case .none: parts.append("no congestion control")
    }
    // BBR is always paced.
    if policy.congestionControl != .bbr { parts.append(policy.isPaced ? "paced" : "unpaced") }
    if policy.isQueueInServer { parts.append("queue in the server") }
    return parts.joined(separator: ", ")
  }

  /// Says how exactly a link is modelled, and why: `packet tier: packets are lost by chance`.
  package static func sentence(for choice: TierChoice) -> String {
    "\(choice.tier.word) tier: \(choice.reason.clause)"
  }

  /// A rate; what is not limited is called so.
  static func rate(_ rate: BitRate) -> String {
    rate >= .unlimited ? "unlimited" : TimelineNumbers.text(rate)
  }

  /// A time of links, in milliseconds below a second.
  static func time(_ span: TimeSpan) -> String {
    if span.nanoseconds < 1_000_000_000 {
      return "\(FigureDecimal.text(span.nanoseconds, digits: 6))\(tie)ms"
    }
    return "\(FigureDecimal.text(span.nanoseconds, digits: 9))\(tie)s"
  }

  private static func time(ofPackets packets: Int, _ rate: BitRate) -> String? {
    if rate == .zero || rate >= .unlimited { return nil }
    let nanoseconds = Int128(packets) * 12_000_000_000_000 / Int128(rate.bitsPerSecond)
    let milliseconds = Int64(clamping: (nanoseconds + 500_000) / 1_000_000)
    return milliseconds == 0 ? nil : time(.milliseconds(milliseconds))
  }

  /// A chance in percent, rounded to a thousandth.
  static func percent(_ chance: Probability) -> String {
    let thousandths = (UInt128(chance.parts) * 100_000 + 1 << 52) >> 53
    return "\(FigureDecimal.text(Int64(thousandths), digits: 3))\(tie)%"
  }
}
