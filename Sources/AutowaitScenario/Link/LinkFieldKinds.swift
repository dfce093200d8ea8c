import Autowait

extension FieldKind where Value == Probability {
  /// A chance from never to always, as a number or with `%`.
  static var probability: FieldKind {
    .quantity(.probability, in: 0...1_000_000_000) { Probability(billionths: $0) }
  }
}

extension FieldKind where Value == BitRate {
  /// A rate of data, or `unlimited`.
  static var linkRate: FieldKind {
    FieldKind(.either([bitRate.schema, .words(["unlimited"])])) { value, label, findings in
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

/// The keys of a queue.
private enum QueueKeys {
  static let packets = Key("packets", .integer(in: 1...1_000_000), "how many packets it holds")
  static let bytes = Key("bytes", .positiveSize, "how much it holds")
  static let time = Key(
    "time", .positiveTime, "how much it holds, as the time that the link takes for it")
  static let object: ObjectKind = ObjectKind(
    "queue", "a queue", packets.row, bytes.row, time.row, choices: ["packets", "bytes", "time"])
}

extension FieldKind where Value == LinkQueue {
  /// The size of a queue: a word, or an object with one measure.
  static var queue: FieldKind {
    let words = ["unlimited", "automatic"]
    let schema = Schema.either([.words(words), .object { QueueKeys.object }])
    return FieldKind(schema) { value, label, findings in
      if value.isString("unlimited") { return .unlimited }
      if value.isString("automatic") { return .automatic }
      if value.kind != .object {
        findings.errorWrongWord(
          value, label, words, otherwise: "an object such as {\"packets\": 50}")
        return nil
      }
      var fields = FieldReader(value, QueueKeys.object, findings)
      defer { fields.finish() }
      switch fields.choice() {
      case "packets": return fields.required(QueueKeys.packets).map { .packets(Int($0)) }
      case "bytes": return fields.required(QueueKeys.bytes).map { .bytes($0) }
      case "time": return fields.required(QueueKeys.time).map { .time($0) }
      default: return nil
      }
    }
  }
}

/// The keys of a loss.
private enum LossKeys {
  static let gilbertElliott = Key(
    "gilbertElliott", .object(of: BurstKeys.object), "a link that is good or bad by turns")
  static let everyNth = Key(
    "everyNth", .integer(in: 1...1_000_000_000), "N, where every Nth packet is lost")
  static let packets = Key(
    "packets", .list(of: .integer(in: 1...1_000_000_000_000)),
    "the numbers of the packets that are lost, in ascending order")
  static let measured = Key(
    "measured", .object(of: MeasuredLossKeys.object), "a loss that a measurement drew")
  static let object: ObjectKind = ObjectKind(
    "loss", "a loss", gilbertElliott.row, everyNth.row, packets.row, measured.row,
    choices: ["gilbertElliott", "everyNth", "packets", "measured"])
}

/// The keys of a loss in bursts (Gilbert and Elliott).
private enum BurstKeys {
  static let toBad = Key(
    "pGB", .probability, .required, "the chance at each packet that a good link turns bad")
  static let toGood = Key(
    "pBG", .probability, .required, "the chance at each packet that a bad link turns good")
  static let whenGood = Key(
    "lossGood", .probability, .standard("0"), "the chance of a loss while it is good")
  static let whenBad = Key(
    "lossBad", .probability, .standard("1"), "the chance of a loss while it is bad")
  static let object: ObjectKind = ObjectKind(
    "lossInBursts", "a loss in bursts", toBad.row, toGood.row, whenGood.row, whenBad.row)
}

/// The keys of a loss that a measurement drew.
private enum MeasuredLossKeys {
  static let probability = Key("probability", .probability, .required, "the chance of a loss")
  static let seed = Key("seed", .integer(), .required, "the seed that it is drawn from")
  static let object: ObjectKind = ObjectKind(
    "measuredLoss", "a measured loss", probability.row, seed.row)
}

extension FieldKind where Value == LossModel {
  /// Which packets are lost: a chance, or an object with one model.
  static var loss: FieldKind {
    let chance = FieldKind<Probability>.probability
    let schema = Schema.either([chance.schema, .object { LossKeys.object }])
    return FieldKind(schema) { value, label, findings in
      if value.kind != .object {
        return chance.read(value, label, findings).map { $0 == .never ? .none : .bernoulli($0) }
      }
      var fields = FieldReader(value, LossKeys.object, findings)
      defer { fields.finish() }
      switch fields.choice() {
      case "gilbertElliott": return bursts(&fields)
      case "everyNth": return fields.required(LossKeys.everyNth).map { .everyNth(Int($0)) }
      case "packets": return numbers(&fields)
      case "measured": return measured(&fields)
      default: return nil
      }
    }
  }

  private static func bursts(_ fields: inout FieldReader) -> LossModel? {
    guard var model = fields.object(LossKeys.gilbertElliott) else { return nil }
    let toBad = model.required(BurstKeys.toBad)
    let toGood = model.required(BurstKeys.toGood)
    let whenGood = model.value(of: BurstKeys.whenGood)
    let whenBad = model.value(of: BurstKeys.whenBad)
    model.finish()
    guard let toBad, let toGood else { return nil }
    return .gilbertElliott(
      BurstLoss(
        fromGoodToBad: toBad, fromBadToGood: toGood, lossWhenGood: whenGood,
        lossWhenBad: whenBad))
  }

  private static func numbers(_ fields: inout FieldReader) -> LossModel? {
    guard let numbers = fields.required(LossKeys.packets) else { return nil }
    for (earlier, later) in zip(numbers, numbers.dropFirst()) where earlier >= later {
      fields.error("the numbers of lost packets must ascend", at: "packets")
      return nil
    }
    return .packets(numbers)
  }

  private static func measured(_ fields: inout FieldReader) -> LossModel? {
    guard var model = fields.object(LossKeys.measured) else { return nil }
    let chance = model.required(MeasuredLossKeys.probability)
    let seed = model.required(MeasuredLossKeys.seed)
    model.finish()
    guard let chance, let seed else { return nil }
    return .measured(chance, seed: UInt64(seed))
  }
}

/// The keys of a jitter.
private enum JitterKeys {
  static let deviation = Key(
    "deviation", .positiveTime, .required,
    "how far a delay is off: its standard deviation, or with 'uniform' half the width")
  static let distribution = Key(
    "distribution", .distribution, .standard("uniform"), "how delays are distributed")
  static let keepOrder = Key(
    "keepOrder", .bool, .standard("true"), "whether packets come in the order of sending")
  static let object: ObjectKind = ObjectKind(
    "jitter", "a jitter", deviation.row, distribution.row, keepOrder.row)
}

extension FieldKind where Value == Jitter {
  /// How a delay varies.
  static var jitter: FieldKind {
    FieldKind(.object { JitterKeys.object }) { value, label, findings in
      if value.kind != .object {
        findings.errorWrongType(value, label, "an object such as {\"deviation\": \"5 ms\"}")
        return nil
      }
      var fields = FieldReader(value, JitterKeys.object, findings)
      defer { fields.finish() }
      let deviation = fields.required(JitterKeys.deviation)
      let distribution = fields.value(of: JitterKeys.distribution)
      let keepsOrder = fields.value(of: JitterKeys.keepOrder)
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
    let table = FieldKind<[Int64]>.list(
      of: FieldKind<Int64>.integer(in: Int64(Int16.min)...Int64(Int16.max)))
    return FieldKind(.either([word.schema, table.schema])) { value, label, findings in
      if value.kind != .array { return word.read(value, label, findings) }
      let table = table.read(value, label, findings) ?? []
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

/// The keys of packets that overtake others.
private enum ReorderKeys {
  static let probability = Key(
    "probability", .probability, .required, "the chance that a packet overtakes others")
  static let gap = Key(
    "gap", .integer(in: 1...1_000_000_000), .standard("1"),
    "N, where every Nth packet may overtake")
  static let object: ObjectKind = ObjectKind("reordering", "a reordering", probability.row, gap.row)
}

extension FieldKind where Value == Reordering {
  /// Which packets overtake others: a chance, or an object with a gap.
  static var reordering: FieldKind {
    let chance = FieldKind<Probability>.probability
    let schema = Schema.either([chance.schema, .object { ReorderKeys.object }])
    return FieldKind(schema) { value, label, findings in
      if value.kind != .object {
        return chance.read(value, label, findings).map { Reordering(chance: $0) }
      }
      var fields = FieldReader(value, ReorderKeys.object, findings)
      defer { fields.finish() }
      let chance = fields.required(ReorderKeys.probability)
      let gap = fields.value(of: ReorderKeys.gap)
      return chance.map { Reordering(chance: $0, gap: Int(gap)) }
    }
  }
}
