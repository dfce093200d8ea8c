import Autowait

/// The profiles of Augmented Traffic Control (`atc_thrift.thrift`).
enum ATCFormat {
  static let row = TraceFormatRow(
    title: "an ATC profile", record: "JSON: rate in kbit/s, delay, loss, reorder", kind: .capacity,
    isMet: { $0.isObject && $0.has("percentage", "iptables_options", "shaping") },
    read: TraceFormatRow.document("an ATC profile") { root, findings, _ in read(root, findings) })

  private static func read(_ root: JSONValue, _ findings: Findings) -> ConvertedLink? {
    var fields = FieldReader(root, "an ATC profile", findings)
    let name = fields.optional("name", .string) ?? ""
    // Its files hold the directions below a key; its interface takes them as they are.
    let key = ["shaping", "content"].first { root.member($0) != nil }
    var inner = key.flatMap { fields.object($0, "the shaping") } ?? fields
    guard let down = direction(&inner, "down", findings),
      let up = direction(&inner, "up", findings)
    else { return nil }
    return ConvertedLink(name: name, LinkProfile(down: down, up: up))
  }

  /// Reads a direction; ATC's own files spell some of their numbers as strings.
  private static func direction(
    _ fields: inout FieldReader, _ name: String, _ findings: Findings
  ) -> LinkDirection? {
    guard var direction = fields.requiredObject(name, "an ATC profile") else { return nil }
    let bits = direction.required("rate", .nearest(.kilobits, orText: true))
    var result = LinkDirection()
    if var delay = direction.object("delay", "the delay") {
      let length = delay.optional("delay", .nearest(.milliseconds, orText: true)) ?? 0
      let jitter = delay.optional("jitter", .nearest(.milliseconds, orText: true)) ?? 0
      result.track = LinkTrack(rate: .unlimited, delay: TimeSpan(nanoseconds: length))
      // Without a table netem deviates evenly.
      if jitter > 0 { result.jitter = Jitter(deviation: TimeSpan(nanoseconds: jitter)) }
      delay.warnOfCorrelation()
    }
    if var loss = direction.object("loss", "the loss") {
      if let chance = loss.optional("percentage", .percent), chance > .never {
        result.loss = .bernoulli(chance)
      }
      loss.warnOfCorrelation()
    }
    if var reorder = direction.object("reorder", "the reordering") {
      let chance = reorder.optional("percentage", .percent) ?? .never
      let gap = reorder.optional("gap", .packets) ?? 0
      if chance > .never {
        result.reorder = Reordering(chance: chance, gap: max(1, Int(gap)))
      }
      reorder.warnOfCorrelation()
    }
    if var corruption = direction.object("corruption", "the corruption"),
      let chance = corruption.optional("percentage", .percent), chance > .never
    {
      corruption.warning("packets are never corrupted here", at: "percentage")
    }
    guard let bits else { return nil }
    // ATC leaves a direction alone whose rate is 0.
    let rate = bits == 0 ? BitRate.unlimited : BitRate(bitsPerSecond: bits)
    result.track = LinkTrack(rate: rate, delay: result.track.samples[0].delay)
    return result
  }
}

extension FieldReader {
  /// Reports that a correlation other than 0 is not read.
  fileprivate mutating func warnOfCorrelation() {
    if let number = optional("correlation", .decimalOrText), !number.isZero {
      warning("a correlation is not read: packets are treated independently", at: "correlation")
    }
  }
}

extension FieldKind where Value == Int64 {
  /// A number of packets, which a string may spell.
  fileprivate static var packets: FieldKind {
    spelled("a whole number of packets") { number in
      guard case .exact(let count) = number.integer(scaledBy: 1), 0...Int64(Int32.max) ~= count
      else { return nil }
      return count
    }
  }
}
