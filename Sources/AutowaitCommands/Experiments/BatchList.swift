import AutowaitExperiment

/// How the units of an experiment are divided into batches that threads take one after another.
///
/// Threads keep what they read of a world, so that a batch of a world that is known costs nothing
/// but its sessions. A batch is small, for the threads to come to an end together; but where there
/// are worlds enough for that, each is left whole, for its scenarios to be read once. Few units
/// may be long ones: those that would leave a thread without work are divided by contestants.
struct BatchList: Sendable {
  /// Some contestants in some units in a row.
  struct Batch: Hashable {
    let units: Range<Int>
    let contestants: Range<Int>
  }

  /// About the most sessions in a batch: enough that handing them on in one piece costs nothing.
  private static let sessionsMax = 2_048
  /// The batches for each thread: the more, the less the others wait for the last one.
  private static let batchesPerThread = 32

  private let units: Range<Int>
  private let contestantCount: Int
  /// Where the first world begins, some of whose units may be another's to run.
  private var origin: Int
  /// The units in a stretch, which is a world or several.
  private var stretch: Int
  private var size: Int
  /// The units that are left whole, and the parts that each of the rest is divided into.
  private var wholeUnits: Int
  private var parts = 1

  init(_ plan: ExperimentPlan, _ units: Range<Int>, threads: Int) {
    self.units = units
    contestantCount = plan.contestantCount
    wholeUnits = units.count
    let seeds = plan.blockSeeds
    origin = units.lowerBound / seeds * seeds
    let unitsMax = max(1, Self.sessionsMax / contestantCount)
    let wanted = threads * Self.batchesPerThread
    let worlds = (units.count + seeds - 1) / seeds
    if threads > 1, units.count < wanted {
      (origin, stretch, size) = (units.lowerBound, 1, 1)
      let rest = units.count % threads
      // Each part finds the yardstick by itself, which is why no more units are divided.
      if rest > 0 { parts = min(contestantCount, (threads + rest - 1) / rest) }
      wholeUnits -= rest
    } else if worlds >= wanted, seeds <= unitsMax {
      stretch = seeds * max(1, min(worlds / wanted, unitsMax / seeds))
      size = stretch
    } else {
      stretch = seeds
      size = max(1, min(seeds, unitsMax, units.count / wanted))
    }
  }

  /// The number of batches, some of which may have no units.
  var count: Int {
    if wholeUnits < units.count { return wholeUnits + (units.count - wholeUnits) * parts }
    let (whole, rest) = (units.upperBound - origin).quotientAndRemainder(dividingBy: stretch)
    return units.isEmpty ? 0 : whole * batchesPerStretch + (rest + size - 1) / size
  }

  /// Returns a batch; the parts of a unit follow one another.
  subscript(number: Int) -> Batch {
    if number >= wholeUnits, wholeUnits < units.count {
      let (unit, part) = (number - wholeUnits).quotientAndRemainder(dividingBy: parts)
      let start = units.lowerBound + wholeUnits + unit
      return Batch(
        units: start..<start + 1,
        contestants: part * contestantCount / parts..<(part + 1) * contestantCount / parts)
    }
    return Batch(units: range(number).clamped(to: units), contestants: 0..<contestantCount)
  }

  /// Returns about how many units so many batches are.
  func units(behind batches: Int) -> Int {
    batches == 0 ? 0 : self[batches - 1].units.upperBound - units.lowerBound
  }

  private var batchesPerStretch: Int { (stretch + size - 1) / size }

  private func range(_ number: Int) -> Range<Int> {
    let (place, batch) = number.quotientAndRemainder(dividingBy: batchesPerStretch)
    let start = origin + place * stretch
    return start + batch * size..<start + min((batch + 1) * size, stretch)
  }
}
