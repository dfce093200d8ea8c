import Autowait

extension FieldKind where Value == AdaptationPolicy.AdaptationRule {
  /// A rule that chooses among variants: its word, a script, or an object with its options.
  static var adaptationRule: FieldKind {
    FieldKind { value, label, findings in
      if value.kind == .object {
        return value.member("name") == nil
          ? scripted(value, findings) : withOptions(value, findings)
      }
      if let rule = AdaptationRules.all.first(where: { value.isString($0.name) })?.rule {
        return rule
      }
      findings.errorWrongWord(
        value, label, AdaptationRules.all.map(\.name),
        otherwise: "a script such as {\"scripted\": [0, 1]}")
      return nil
    }
  }

  private static func scripted(
    _ value: JSONValue, _ findings: Findings
  ) -> AdaptationPolicy.AdaptationRule? {
    var fields = FieldReader(value, "a rule", findings)
    let number = FieldKind<Int64>.integer(in: 0...1_000)
    let variants = fields.required("scripted", .list(of: number))
    fields.finish()
    if let variants, variants.isEmpty {
      fields.error("'scripted' has no variants", at: "scripted")
    }
    return variants.map { .scripted($0.map { Int($0) }) }
  }

  /// Reads a rule with options; they are those of Sabre's command line.
  private static func withOptions(
    _ value: JSONValue, _ findings: Findings
  ) -> AdaptationPolicy.AdaptationRule? {
    var fields = FieldReader(value, "a rule", findings)
    let rules = AdaptationRules.all.map { (word: $0.name, meaning: $0.rule) }
    let rule = fields.required("name", .word(rules))
    guard case .modelled(var policy) = rule else {
      fields.finish()
      return rule
    }
    let part = FieldKind<Int64>.part(in: 1...1_000_000_000_000)
    if let gammaP = fields.optional("gammaP", part) { policy.gammaP = Double(gammaP) / 1e9 }
    policy.isBasic = fields.optional("basic", .bool) ?? false
    policy.avoidsOscillation = fields.optional("avoidsOscillation", .bool) ?? false
    policy.checksBuffer = fields.optional("checksBuffer", .bool) ?? true
    fields.read("measuresFirst", .bool, into: &policy.measuresFirst)
    fields.read("abandons", .bool, into: &policy.abandons)
    policy.estimator = estimator(&fields)
    fields.finish()
    return .modelled(policy)
  }

  private static func estimator(_ fields: inout FieldReader) -> EstimatorPolicy? {
    let counts = FieldKind<Int64>.integer(in: 1...1_000)
    let halfLives = fields.optional("halfLives", .list(of: FieldKind<TimeSpan>.positiveTime))
    let windows = fields.optional("windows", .list(of: counts))
    if halfLives != nil, windows != nil {
      fields.error("'windows' cannot stand beside 'halfLives'", at: "windows")
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
