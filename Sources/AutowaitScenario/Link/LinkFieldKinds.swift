import Autowait

extension FieldKind where Value == Probability {
  /// A chance from never to always, as a number or with `%`.
  static var probability: FieldKind {
    FieldKind { value, label, findings in
      findings.quantity(.probability, value, label, 0...1_000_000_000)
        .map { Probability(billionths: $0) }
    }
  }
}

extension FieldKind where Value == BitRate {
  /// A rate of data, or `unlimited`.
  static var linkRate: FieldKind {
    FieldKind { value, label, findings in
      if value.isString("unlimited") { return .unlimited }
      let isWord = value.string?.unicodeScalars.first?.properties.isAlphabetic ?? false
      if isWord {
        findings.errorWrongWord(
          value, label, ["unlimited"], otherwise: "a rate such as \"3.2 Mbit/s\"")
        return nil
      }
      return FieldKind.bitRate.read(value, label, findings)
    }
  }
}

extension FieldKind where Value == LinkQueue {
  /// The most packets that a queue can be said to hold.
  private static var packetsMax: Int64 { 1_000_000 }

  /// The size of a queue: a word, or an object with one measure.
  static var queue: FieldKind {
    FieldKind { value, label, findings in
      if value.isString("unlimited") { return .unlimited }
      if value.isString("automatic") { return .automatic }
      if value.kind != .object {
        findings.errorWrongWord(
          value, label, ["unlimited", "automatic"], otherwise: "an object such as {\"packets\": 50}"
        )
        return nil
      }
      var fields = FieldReader(value, "a queue", findings)
      defer { fields.finish() }
      switch fields.one(of: ["packets", "bytes", "time"]) {
      case "packets":
        return fields.required("packets", .integer(in: 1...packetsMax)).map { .packets(Int($0)) }
      case "bytes": return fields.required("bytes", .positiveSize).map { .bytes($0) }
      case "time": return fields.required("time", .positiveTime).map { .time($0) }
      default: return nil
      }
    }
  }
}

extension FieldKind where Value == LossModel {
  /// Which packets are lost: a chance, or an object with one model.
  static var loss: FieldKind {
    FieldKind { value, label, findings in
      if value.kind != .object {
        return FieldKind<Probability>.probability.read(value, label, findings)
          .map { $0 == .never ? .none : .bernoulli($0) }
      }
      var fields = FieldReader(value, "a loss", findings)
      defer { fields.finish() }
      switch fields.one(of: ["gilbertElliott", "everyNth", "packets", "measured"]) {
      case "gilbertElliott": return bursts(&fields)
      case "everyNth":
        return fields.required("everyNth", .integer(in: 1...1_000_000_000))
          .map { .everyNth(Int($0)) }
      case "packets": return numbers(&fields)
      case "measured": return measured(&fields)
      default: return nil
      }
    }
  }

  private static func bursts(_ fields: inout FieldReader) -> LossModel? {
    guard var model = fields.object("gilbertElliott", "a loss in bursts") else { return nil }
    let toBad = model.required("pGB", .probability)
    let toGood = model.required("pBG", .probability)
    let whenGood = model.optional("lossGood", .probability) ?? .never
    let whenBad = model.optional("lossBad", .probability) ?? .always
    model.finish()
    guard let toBad, let toGood else { return nil }
    return .gilbertElliott(
      BurstLoss(
        fromGoodToBad: toBad, fromBadToGood: toGood, lossWhenGood: whenGood,
        lossWhenBad: whenBad))
  }

  private static func numbers(_ fields: inout FieldReader) -> LossModel? {
    let limits: ClosedRange<Int64> = 1...1_000_000_000_000
    guard let numbers = fields.required("packets", .list(of: .integer(in: limits))) else {
      return nil
    }
    for (earlier, later) in zip(numbers, numbers.dropFirst()) where earlier >= later {
      fields.error("the numbers of lost packets must ascend", at: "packets")
      return nil
    }
    return .packets(numbers.map { Int($0) })
  }

  private static func measured(_ fields: inout FieldReader) -> LossModel? {
    guard var model = fields.object("measured", "a measured loss") else { return nil }
    let chance = model.required("probability", .probability)
    let seed = model.required("seed", .integer())
    model.finish()
    guard let chance, let seed else { return nil }
    return .measured(chance, seed: UInt64(seed))
  }
}

extension FieldKind where Value == Jitter {
  /// How a delay varies.
  static var jitter: FieldKind {
    FieldKind { value, label, findings in
      if value.kind != .object {
        findings.errorWrongType(value, label, "an object such as {\"deviation\": \"5 ms\"}")
        return nil
      }
      var fields = FieldReader(value, "a jitter", findings)
      defer { fields.finish() }
      let deviation = fields.required("deviation", .positiveTime)
      let distribution = fields.optional("distribution", .distribution) ?? .uniform
      let keepsOrder = fields.optional("keepOrder", .bool) ?? true
      return deviation.map {
        Jitter(deviation: $0, distribution: distribution, keepsOrder: keepsOrder)
      }
    }
  }
}

extension FieldKind where Value == Jitter.Distribution {
  /// The most quantiles that a table can have; those of netem have 4,096.
  private static var quantilesMax: Int { 65_536 }

  /// The name of a distribution, or its quantiles in 8192ths of the deviation.
  static var distribution: FieldKind {
    let word = FieldKind.word([
      ("uniform", .uniform), ("normal", .normal), ("pareto", .pareto),
      ("paretonormal", .paretoNormal),
    ])
    return FieldKind { value, label, findings in
      if value.kind != .array { return word.read(value, label, findings) }
      let limits = Int64(Int16.min)...Int64(Int16.max)
      let kind = FieldKind<[Int64]>.list(of: FieldKind<Int64>.integer(in: limits))
      let table = kind.read(value, label, findings) ?? []
      if table.count != value.count { return nil }
      let isAscending = zip(table, table.dropFirst()).allSatisfy { $0 <= $1 }
      if table.isEmpty || table.count > quantilesMax || !isAscending {
        findings.error(
          "\(label) must have from 1 to \(quantilesMax) quantiles that ascend", at: value)
        return nil
      }
      return .table(table.map { Int16($0) })
    }
  }
}

extension FieldKind where Value == Reordering {
  /// Which packets overtake others: a chance, or an object with a gap.
  static var reordering: FieldKind {
    FieldKind { value, label, findings in
      if value.kind != .object {
        return FieldKind<Probability>.probability.read(value, label, findings)
          .map { Reordering(chance: $0) }
      }
      var fields = FieldReader(value, "a reordering", findings)
      defer { fields.finish() }
      let chance = fields.required("probability", .probability)
      let gap = fields.optional("gap", .integer(in: 1...1_000_000_000)) ?? 1
      return chance.map { Reordering(chance: $0, gap: Int(gap)) }
    }
  }
}
