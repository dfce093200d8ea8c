import Autowait

/// Reads what goes wrong with requests.
struct FaultReader {
  let findings: Findings
  /// The variants, each with its name and the number of its list.
  let variants: [(name: String, list: Int)]
  /// The renditions with lists of their own.
  let renditions: [(name: String, list: Int)]
  /// The segments of the longest list.
  let segmentCount: Int
  let keyCount: Int

  /// Reads `failures`.
  func faults(_ fields: inout FieldReader) -> [Fault] {
    fields.elements(HLSKeys.failures).compactMap { element -> Fault? in
      var fault = FieldReader(element, FailureKeys.object, findings)
      let word = fault.required(FailureKeys.of)
      let target = word.flatMap { self.target($0, &fault) }
      let outcome = fault.required(FailureKeys.status)
      let count = fault.optional(FailureKeys.count)
      if word == nil, fault.contains(FailureKeys.of) { _ = fault.others() }
      fault.finish()
      guard let target, let outcome else { return nil }
      if outcome == .wrongKey, word != .key {
        fault.error("only a key can be wrong", at: "status")
        return nil
      }
      return Fault(outcome, of: target, count: count.map { Int($0) })
    }
  }

  private func target(_ word: FailureWord, _ fault: inout FieldReader) -> Fault.Target? {
    switch word {
    case .multivariantPlaylist: return .multivariantPlaylist
    case .key:
      let number = number(&fault, of: "key", below: keyCount)
      return number.isWrong ? nil : .contentKey(number.value)
    case .mediaPlaylist, .segment, .initialization:
      let list = list(&fault)
      let segment =
        word == .segment
        ? number(&fault, of: "segment", below: segmentCount) : (value: nil, isWrong: false)
      if list.isWrong || segment.isWrong { return nil }
      return switch word {
      case .mediaPlaylist: .mediaPlaylist(list: list.value)
      case .segment: .segment(list: list.value, number: segment.value)
      case .multivariantPlaylist, .initialization, .key: .initialization(list: list.value)
      }
    }
  }

  /// Reads `number`, if it is there.
  private func number(
    _ fault: inout FieldReader, of what: String, below count: Int
  ) -> (value: Int?, isWrong: Bool) {
    if !fault.contains(FailureKeys.number) { return (nil, false) }
    guard let number = fault.optional(FailureKeys.number) else {
      return (nil, true)
    }
    if number < count { return (Int(number), false) }
    fault.error(
      count == 0
        ? "there is no \(what) \(number)"
        : "there is no \(what) \(number); they count from 0 to \(count - 1)", at: "number")
    return (nil, true)
  }

  /// Reads `variant` or `rendition`, if one of them is there: a name, or a variant's number.
  private func list(_ fault: inout FieldReader) -> (value: Int?, isWrong: Bool) {
    let (variant, rendition) = (
      fault.value(FailureKeys.variant), fault.value(FailureKeys.rendition)
    )
    if variant != nil, rendition != nil {
      fault.error("'rendition' cannot be combined with 'variant'", at: "rendition")
      return (nil, true)
    }
    if let variant {
      if case .exact(let number)? = variant.decimal?.integer(scaledBy: 1) {
        if number < variants.count { return (variants[Int(number)].list, false) }
        fault.error(
          "there is no variant \(number); they count from 0 to \(variants.count - 1)",
          at: "variant")
        return (nil, true)
      }
      return place(of: variant, "variant", variants, fault)
    }
    if let rendition { return place(of: rendition, "rendition", renditions, fault) }
    return (nil, false)
  }

  private func place(
    of value: JSONValue, _ what: String, _ lists: [(name: String, list: Int)],
    _ fault: FieldReader
  ) -> (value: Int?, isWrong: Bool) {
    guard let name = value.string else {
      fault.error("'\(what)' must be the name of a \(what)", at: what)
      return (nil, true)
    }
    if let place = lists.first(where: { $0.name == name }) { return (place.list, false) }
    let names = lists.map { $0.name }
    fault.error(
      "there is no \(what) '\(name.excerpt)'", at: what,
      notes: NearestWord.notes(for: name, among: names, list: "the \(what)s are: "))
    return (nil, true)
  }
}

extension FieldKind where Value == Fault.Outcome {
  /// A status of HTTP that is an error, or what else can happen.
  static var outcome: FieldKind {
    let words: [(word: String, meaning: Fault.Outcome)] = [
      ("noResponse", .noResponse), ("nameNotResolved", .nameNotResolved),
      ("redirect", .redirect), ("wrongKey", .wrongKey),
    ]
    let status = FieldKind<Int64>.integer(in: 400...599)
    let schema = Schema.either([status.schema, .words(words.map { $0.word })])
    return FieldKind(schema) { value, label, findings in
      if value.decimal != nil {
        return status.read(value, label, findings).map { .status(Int($0)) }
      }
      if let meaning = words.first(where: { value.isString($0.word) })?.meaning { return meaning }
      findings.errorWrongWord(
        value, label, words.map { $0.word }, otherwise: "a status of HTTP such as 404")
      return nil
    }
  }
}
