import Autowait

/// The keys of a rule that chooses among variants.
private enum AdaptationKeys {
  static let scripted = Key(
    "scripted", .list(of: FieldKind<Int64>.integer(in: 0...1_000)), .required,
    "the variants, segment by segment; the last one goes on")
  static let givenUp = Key(
    "givenUp", .array(of: givenUpRequest), .standard("[]"),
    "the requests for segments that are given up, in the order of segments")
  static let script: ObjectKind = ObjectKind(
    "scriptedRule", "a rule", scripted.row, givenUp.row)

  static let segment = Key(
    "segment", .count(in: 0...1_000_000), .required, "the segment, the first of which is 0")
  static let variant = Key(
    "variant", .count(in: 0...1_000), .required, "the variant that is asked for")
  static let after = Key(
    "after", .positiveTime, .required,
    "how long after it was asked for it is given up, if it has not come")
  static let givenUpRequest: ObjectKind = ObjectKind(
    "givenUpRequest", "a request that is given up", segment.row, variant.row, after.row)

  static let name = Key(
    "name", .word(AdaptationRules.all.map { (word: $0.name, meaning: $0.rule) }), .required,
    "the rule")
  static let gammaP = Key(
    "gammaP", .part(in: 1...1_000_000_000_000), "the parameter of BOLA that weighs stalls")
  static let basic = Key(
    "basic", .bool, .standard("false"), "whether it is BOLA as in the paper, without additions")
  static let avoidsOscillation = Key(
    "avoidsOscillation", .bool, .standard("false"), "whether it climbs no further than it can stay")
  static let checksBuffer = Key(
    "checksBuffer", .bool, .standard("true"), "whether the buffer has a say, too")
  static let measuresFirst = Key(
    "measuresFirst", .bool, "whether a first segment is loaded only to measure")
  static let abandons = Key("abandons", .bool, "whether segments that come too late are given up")
  static let halfLives = Key(
    "halfLives", .list(of: FieldKind<TimeSpan>.positiveTime),
    "the half-lives of the means of the throughput")
  static let windows = Key(
    "windows", .list(of: FieldKind<Int64>.integer(in: 1...1_000)),
    "how many segments the throughput is averaged over")
  static let withOptions: ObjectKind = ObjectKind(
    "ruleWithOptions", "a rule", name.row,
    cases: AdaptationRules.all.compactMap { entry in
      guard case .modelled = entry.rule else { return nil }
      return ObjectKind.Case(
        .word(entry.name, of: "name"), gammaP.row, basic.row, avoidsOscillation.row,
        checksBuffer.row,
        measuresFirst.row, abandons.row, halfLives.row, windows.row)
    })
}

extension FieldKind where Value == AdaptationPolicy.AdaptationRule {
  /// A rule that chooses among variants: its word, a script, or an object with its options.
  static var adaptationRule: FieldKind {
    let schema = Schema.either([
      .words(AdaptationRules.all.map { $0.name }),
      .forms([
        Form(.key("name"), AdaptationKeys.withOptions), Form(.otherwise, AdaptationKeys.script),
      ]),
    ])
    return FieldKind(schema) { value, label, findings in
      if value.kind == .object {
        return value.member("name") == nil
          ? scripted(value, findings) : withOptions(value, findings)
      }
      if let rule = AdaptationRules.all.first(where: { value.isString($0.name) })?.rule {
        return rule
      }
      findings.errorWrongWord(
        value, label, AdaptationRules.all.map { $0.name },
        otherwise: "a script such as {\"scripted\": [0, 1]}")
      return nil
    }
  }

  private static func scripted(
    _ value: JSONValue, _ findings: Findings
  ) -> AdaptationPolicy.AdaptationRule? {
    var fields = FieldReader(value, AdaptationKeys.script, findings)
    let variants = fields.required(AdaptationKeys.scripted)
    let givenUp = givenUp(&fields, findings)
    fields.finish()
    if let variants, variants.isEmpty {
      fields.error("'scripted' has no variants", at: "scripted")
    }
    return variants.map { .scripted(VariantScript($0.map { Int($0) }, givenUp: givenUp)) }
  }

  private static func givenUp(
    _ fields: inout FieldReader, _ findings: Findings
  ) -> [VariantScript.GivenUp] {
    var requests: [VariantScript.GivenUp] = []
    for element in fields.elements(AdaptationKeys.givenUp) {
      var request = FieldReader(element, AdaptationKeys.givenUpRequest, findings)
      let segment = request.required(AdaptationKeys.segment)
      let variant = request.required(AdaptationKeys.variant)
      let after = request.required(AdaptationKeys.after)
      request.finish()
      guard let segment, let variant, let after else { continue }
      if let last = requests.last, last.segment > segment {
        request.error("the segments of 'givenUp' must ascend", at: "segment")
        continue
      }
      requests.append(.init(segment: segment, variant: variant, after: after))
    }
    return requests
  }

  /// Reads a rule with options; they are those of Sabre's command line.
  private static func withOptions(
    _ value: JSONValue, _ findings: Findings
  ) -> AdaptationPolicy.AdaptationRule? {
    var fields = FieldReader(value, AdaptationKeys.withOptions, findings)
    let rule = fields.required(AdaptationKeys.name)
    guard case .modelled(var policy) = rule else {
      fields.finish()
      return rule
    }
    if let gammaP = fields.optional(AdaptationKeys.gammaP) { policy.gammaP = Double(gammaP) / 1e9 }
    policy.isBasic = fields.value(of: AdaptationKeys.basic)
    policy.avoidsOscillation = fields.value(of: AdaptationKeys.avoidsOscillation)
    policy.checksBuffer = fields.value(of: AdaptationKeys.checksBuffer)
    fields.read(AdaptationKeys.measuresFirst, into: &policy.measuresFirst)
    fields.read(AdaptationKeys.abandons, into: &policy.abandons)
    policy.estimator = estimator(&fields)
    fields.finish()
    return .modelled(policy)
  }

  private static func estimator(_ fields: inout FieldReader) -> EstimatorPolicy? {
    let halfLives = fields.optional(AdaptationKeys.halfLives)
    let windows = fields.optional(AdaptationKeys.windows)
    if halfLives != nil, windows != nil {
      fields.error("'windows' cannot be combined with 'halfLives'", at: "windows")
    }
    for (key, count) in [("halfLives", halfLives?.count), ("windows", windows?.count)] {
      guard let count, !(1...10).contains(count) else { continue }
      fields.error("'\(key)' must be one to ten numbers", at: key)
      return nil
    }
    if let halfLives { return .halfLives(halfLives.map { Double($0.nanoseconds) / 1e9 }) }
    return windows.map { .windows($0.map { Int($0) }) }
  }
}
