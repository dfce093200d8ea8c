import Autowait

extension FieldKind where Value == Probability {
  /// A chance from never to always, as a number or with `%`.
  static var probability: FieldKind {
    .quantity(
      .probability, in: 0...1_000_000_000, { Probability(billionths: $0) },
      count: { $0.billionths })
  }
}

extension FieldKind where Value == BitRate {
  /// A rate of data, or `unlimited`.
  static var linkRate: FieldKind {
    let number = FieldKind.bitRate
    let read: Read = { value, label, findings in
      if value.isString("unlimited") { return .unlimited }
      let isWord = value.string?.unicodeScalars.first?.properties.isAlphabetic ?? false
      if isWord {
        findings.errorWrongWord(
          value, label, ["unlimited"], otherwise: "a rate such as \"3.2 Mbit/s\"")
        return nil
      }
      return number.read(value, label, findings)
    }
    return FieldKind(
      .either([number.schema, .words(["unlimited"])]), read,
      write: { json, rate, style in
        if rate == .unlimited {
          json.string("unlimited")
        } else {
          number.write(rate, into: &json, style)
        }
      })
  }
}

extension FieldKind where Value == LinkQueue {
  /// The size of a queue: a word, or an object with one measure.
  static var queue: FieldKind {
    .choice(
      "queue", "a queue",
      [
        Choice(
          "packets", .count(in: 1...1_000_000), "how many packets it holds",
          { if case .packets(let count) = $0 { count } else { nil } }, { .packets($0) }),
        Choice(
          "bytes", .positiveSize, "how much it holds",
          { if case .bytes(let size) = $0 { size } else { nil } }, { .bytes($0) }),
        Choice(
          "time", .positiveTime, "how much it holds, as the time that the link takes for it",
          { if case .time(let time) = $0 { time } else { nil } }, { .time($0) }),
      ],
      or: .words(
        [("unlimited", .unlimited), ("automatic", .automatic)], otherwise: #"{"packets": 50}"#))
  }
}

extension FieldKind where Value == LossModel {
  /// Which packets are lost: a chance, or an object with one model.
  static var loss: FieldKind {
    .choice(
      "loss", "a loss",
      [
        Choice(
          "gilbertElliott", .record(bursts), "a link that is good or bad by turns",
          { if case .gilbertElliott(let bursts) = $0 { bursts } else { nil } },
          { .gilbertElliott($0) }),
        Choice(
          "everyNth", .count(in: 1...1_000_000_000), "N, where every Nth packet is lost",
          { if case .everyNth(let number) = $0 { number } else { nil } }, { .everyNth($0) }),
        Choice(
          "packets", .ascending, "the numbers of the packets that are lost, in ascending order",
          { if case .packets(let numbers) = $0 { numbers } else { nil } }, { .packets($0) }),
        Choice(
          "measured", .record(measured), "a loss that a measurement drew",
          { loss in
            guard case .measured(let chance, let seed) = loss else { return nil }
            return MeasuredLoss(chance: chance, seed: seed)
          },
          { .measured($0.chance, seed: $0.seed) }),
      ],
      or: .converted(
        from: .probability, { $0 == .never ? .none : .bernoulli($0) },
        back: { if case .bernoulli(let chance) = $0 { chance } else { .never } }))
  }

  /// A loss in bursts (Gilbert and Elliott).
  private static var bursts: Record<BurstLoss> {
    Record(
      "lossInBursts", "a loss in bursts", BurstLoss(fromGoodToBad: .never, fromBadToGood: .never),
      [
        Member(
          Key(
            "pGB", .probability, .required, "the chance at each packet that a good link turns bad"),
          { $0.fromGoodToBad }, { $0.fromGoodToBad = $1 }),
        Member(
          Key(
            "pBG", .probability, .required, "the chance at each packet that a bad link turns good"),
          { $0.fromBadToGood }, { $0.fromBadToGood = $1 }),
        Member(
          Key("lossGood", .probability, .standard("0"), "the chance of a loss while it is good"),
          { $0.lossWhenGood }, { $0.lossWhenGood = $1 }, isSpelled: true),
        Member(
          Key("lossBad", .probability, .standard("1"), "the chance of a loss while it is bad"),
          { $0.lossWhenBad }, { $0.lossWhenBad = $1 }, isSpelled: true),
      ])
  }

  private static var measured: Record<MeasuredLoss> {
    Record(
      "measuredLoss", "a measured loss", MeasuredLoss(chance: .never, seed: 0),
      [
        Member(
          Key("probability", .probability, .required, "the chance of a loss"),
          { $0.chance }, { $0.chance = $1 }),
        Member(
          Key("seed", .integer(), .required, "the seed that it is drawn from"),
          { Int64(clamping: $0.seed) }, { $0.seed = UInt64($1) }),
      ])
  }
}

/// A loss that a measurement drew.
private struct MeasuredLoss: Sendable {
  var chance: Probability
  var seed: UInt64
}

extension FieldKind where Value == [Int64] {
  /// The numbers of packets.
  fileprivate static var ascending: FieldKind {
    let list = FieldKind.list(of: FieldKind<Int64>.integer(in: 1...1_000_000_000_000))
    return FieldKind(
      list.schema,
      { value, label, findings in
        guard let numbers = list.read(value, label, findings) else { return nil }
        for (earlier, later) in zip(numbers, numbers.dropFirst()) where earlier >= later {
          findings.error("the numbers of lost packets must ascend", at: value)
          return nil
        }
        return numbers
      }, write: list.writeValue)
  }
}

extension FieldKind where Value == Jitter {
  /// How a delay varies.
  static var jitter: FieldKind {
    .record(
      Record(
        "jitter", "a jitter", Jitter(deviation: .zero),
        [
          Member(
            Key(
              "deviation", .positiveTime, .required,
              "how far a delay is off: its standard deviation, or with 'uniform' half the width"),
            { $0.deviation }, { $0.deviation = $1 }),
          Member(
            Key("distribution", .distribution, .standard("uniform"), "how delays are distributed"),
            { $0.distribution }, { $0.distribution = $1 }, isSpelled: true),
          Member(
            Key(
              "keepOrder", .bool, .standard("true"),
              "whether packets come in the order of sending"),
            { $0.keepsOrder }, { $0.keepsOrder = $1 }),
        ]), example: #"{"deviation": "5 ms"}"#)
  }
}

extension FieldKind where Value == Jitter.Distribution {
  /// The most quantiles that a table can have; those of netem have 4,096.
  private static var quantilesMax: Int { 65_536 }

  /// The name of a distribution, or its quantiles in 8192ths of the deviation.
  static var distribution: FieldKind {
    let word = FieldKind.words([
      ("uniform", .uniform), ("normal", .normal), ("pareto", .pareto),
      ("paretonormal", .paretoNormal),
    ])
    let table = FieldKind<[Int64]>.list(
      of: FieldKind<Int64>.integer(in: Int64(Int16.min)...Int64(Int16.max)))
    let read: Read = { value, label, findings in
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
    return FieldKind(
      .either([word.schema, table.schema]), read,
      write: { json, distribution, style in
        if case .table(let quantiles) = distribution {
          table.write(quantiles.map { Int64($0) }, into: &json, style)
        } else {
          word.write(distribution, into: &json, style)
        }
      })
  }
}

extension FieldKind where Value == Reordering {
  /// Which packets overtake others: a chance, or an object with a gap.
  static var reordering: FieldKind {
    .record(
      Record(
        "reordering", "a reordering", Reordering(chance: .never),
        [
          Member(
            Key(
              "probability", .probability, .required, "the chance that a packet overtakes others"),
            { $0.chance }, { $0.chance = $1 }),
          Member(
            Key(
              "gap", .count(in: 1...1_000_000_000), .standard("1"),
              "N, where every Nth packet may overtake"),
            { $0.gap }, { $0.gap = $1 }, isSpelled: true),
        ]), or: .converted(from: .probability) { Reordering(chance: $0) })
  }
}
