import Autowait

/// Finding a preset by its name, with changes behind it as in `nlc/lte@queue=bdp,loss=1 %`.
extension LinkPreset {
  /// Why a name stands for no preset.
  package struct PresetProblem: Error, Hashable, Sendable {
    /// What is wrong, in lower case and without a full stop.
    package let message: String
    /// What helps.
    package let notes: [String]
  }

  /// What can be changed behind an `@`, in both directions or, with `down.` or `up.`, in one.
  private enum Change: String, CaseIterable {
    case rate, delay, queue, loss
  }

  /// The keys of all changes.
  package static let changes: [String] = ["", "down.", "up."].flatMap { direction in
    Change.allCases.map { direction + $0.rawValue }
  }

  /// Returns the preset of a name.
  package static func named(_ name: String) throws(PresetProblem) -> LinkPreset {
    let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let plain = String(parts[0])
    guard var preset = all.first(where: { $0.name == plain }) else { throw unknown(name, plain) }
    if parts.count == 1 { return preset }
    preset.name = name
    for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      try preset.change(String(part))
    }
    return preset
  }

  private static func unknown(_ name: String, _ plain: String) -> PresetProblem {
    let names = all.map { $0.name }
    let meant =
      NearestWord.nearest(to: plain, among: names)
      ?? names.first { $0.hasSuffix("/" + plain.lowercased()) }
    let notes =
      meant.map { ["did you mean '\($0)'?"] } ?? [
        "'autowait list profiles' shows the links that are built in",
        "a link of your own is an object, or a file whose name ends in .json",
      ]
    return PresetProblem(message: "unknown link '\(name.excerpt)'", notes: notes)
  }

  private mutating func change(_ text: String) throws(PresetProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var key = String(parts[0])
    var (changesDown, changesUp) = (true, true)
    if key.hasPrefix("down.") {
      key = String(key.dropFirst(5))
      changesUp = false
    } else if key.hasPrefix("up.") {
      key = String(key.dropFirst(3))
      changesDown = false
    }
    let keys = Change.allCases.map { $0.rawValue }
    guard let change = Change(rawValue: key) else {
      throw PresetProblem(
        message: "'\(name.excerpt)' changes the unknown key '\(key.excerpt)'",
        notes: NearestWord.hint(
          for: key, among: keys,
          orElse: "the keys are: \(NearestWord.quotedList(keys)), "
            + "and each of them after 'down.' or 'up.'"))
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw PresetProblem(
        message: "'\(name.excerpt)' needs a value after '\(key)'",
        notes: ["as in 'nlc/lte@queue=bdp,loss=1 %'"])
    }
    let (before, figures) = (self, LinkFigures(profile))
    let value = String(parts[1])
    if changesDown { try before.set(change, value, in: &down, figures.down) }
    if changesUp { try before.set(change, value, in: &up, figures.up) }
  }

  /// Changes a direction of this link.
  private func set(
    _ change: Change, _ value: String, in direction: inout Direction, _ figures: DirectionFigures
  ) throws(PresetProblem) {
    switch change {
    case .rate:
      let limit = Limits.bitRateMax.bitsPerSecond
      let rate =
        value == "unlimited" ? limit : try number(value, .bitRate, change, 0...limit)
      direction.rate = BitRate(bitsPerSecond: rate)
    case .delay:
      let time = try number(value, .time, change, 0...Limits.timeMax.nanoseconds)
      direction.delay = TimeSpan(nanoseconds: time)
    case .loss:
      let billionths = try number(value, .probability, change, 0...1_000_000_000)
      if billionths % 1_000 != 0 {
        throw PresetProblem(
          message: "'loss' in '\(name.excerpt)' is finer than a millionth", notes: [])
      }
      direction.lossMillionths = billionths / 1_000
    case .queue:
      direction.queue = try queue(value, figures)
    }
  }

  /// Reads the size of a queue: a word, a number of packets, a size or a time.
  private func queue(
    _ value: String, _ figures: DirectionFigures
  ) throws(PresetProblem) -> LinkQueue {
    switch value {
    case "unlimited": return .unlimited
    case "automatic": return .automatic
    case "bdp":
      guard let tenths = figures.productTenths else { return .unlimited }
      return .packets(Int(clamping: max(1, (tenths + 9) / 10)))
    default: break
    }
    if let packets = Int(value), 1...1_000_000 ~= packets { return .packets(packets) }
    let limits = 1...Limits.bytesMax.bytes
    if let bytes = try? Quantity.size.parse(value, in: limits) {
      return .bytes(ByteCount(bytes: bytes))
    }
    if let time = try? Quantity.time.parse(value, in: 1...Limits.timeMax.nanoseconds) {
      return .time(TimeSpan(nanoseconds: time))
    }
    throw PresetProblem(
      message: "'queue' in '\(name.excerpt)' cannot be '\(value.excerpt)'",
      notes: [
        "it is a number of packets, a size such as 75 kB, a time such as 200 ms, "
          + "or one of 'bdp', 'automatic' and 'unlimited'"
      ])
  }

  private func number(
    _ value: String, _ quantity: Quantity, _ change: Change, _ limits: ClosedRange<Int64>
  ) throws(PresetProblem) -> Int64 {
    do throws(Quantity.QuantityProblem) {
      let needsUnit = change != .loss
      return try quantity.parse(value, in: limits, needsUnit: needsUnit)
    } catch {
      let (message, notes) = quantity.explain(error)
      throw PresetProblem(
        message: "'\(change.rawValue)' in '\(name.excerpt)' \(message)", notes: notes)
    }
  }
}
