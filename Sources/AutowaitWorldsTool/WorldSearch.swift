import Autowait
import AutowaitScenario
import AutowaitWorlds

/// Judges many worlds in children of this process, a few at a time.
struct WorldSearch {
  /// A law that did not hold in a world.
  struct Found {
    let seed: UInt64
    let law: String
    let message: String
  }

  /// What was found.
  private(set) var found: [Found] = []
  private var waiting: [Range<UInt64>] = []
  private var running: [(process: Int32, seeds: Range<UInt64>, place: Int)] = []
  private let jobs: Int
  private let scratch: String
  private let total: Int
  private var (refused, events) = (0, 0)
  private var shares: [String: Int] = [:]

  /// The worlds that a child judges.
  private static let chunkSize: UInt64 = 500

  init(_ seeds: Range<UInt64>, jobs: Int, scratch: String) {
    self.jobs = max(1, jobs)
    self.scratch = scratch
    total = seeds.count
    ToolFiles.makeFolder(scratch)
    var start = seeds.lowerBound
    while start < seeds.upperBound {
      let end = min(start + Self.chunkSize, seeds.upperBound)
      waiting.append(start..<end)
      start = end
    }
    waiting.reverse()
  }

  mutating func run() {
    while !waiting.isEmpty || !running.isEmpty {
      while running.count < jobs, let seeds = waiting.popLast() { start(seeds) }
      let (process, end) = ChildProcess.wait()
      guard let index = running.firstIndex(where: { $0.process == process }) else { continue }
      take(running.remove(at: index), end)
    }
  }

  private mutating func start(_ seeds: Range<UInt64>) {
    let place = (0..<jobs).first { place in !running.contains { $0.place == place } } ?? 0
    let process = ChildProcess.start(
      ["chunk", "\(seeds.lowerBound)..\(seeds.upperBound)", path("note", place)],
      output: path("out", place), messages: path("err", place))
    running.append((process, seeds, place))
  }

  private func path(_ kind: String, _ place: Int) -> String { "\(scratch)/\(kind)-\(place)" }

  private mutating func take(
    _ child: (process: Int32, seeds: Range<UInt64>, place: Int), _ end: ChildProcess.End
  ) {
    let lines = ToolFiles.text(path("out", child.place)).split(separator: "\n")
    if end == .code(0), lines.last == "done" {
      for line in lines { take(line.split(separator: "\t").map(String.init)) }
      return
    }
    let noted = ToolFiles.text(path("note", child.place)).split(separator: " ").first
    guard let noted, let seed = UInt64(noted) else {
      ToolFiles.fail(
        "a child ended before its first world: \(ToolFiles.text(path("err", child.place)))")
    }
    let reason = ToolFiles.text(path("err", child.place)).split(separator: "\n").first ?? "\(end)"
    found.append(Found(seed: seed, law: Law.alive.rawValue, message: String(reason)))
    // What came before the world is judged again, without it.
    if child.seeds.lowerBound < seed { waiting.append(child.seeds.lowerBound..<seed) }
    if seed + 1 < child.seeds.upperBound { waiting.append(seed + 1..<child.seeds.upperBound) }
  }

  private mutating func take(_ words: [String]) {
    switch words[0] {
    case "found":
      found.append(Found(seed: UInt64(words[1]) ?? 0, law: words[2], message: words[3]))
    case "refused": refused += Int(words[1]) ?? 0
    case "events": events += Int(words[1]) ?? 0
    case "kind":
      let count = Int(words[4]) ?? 0
      shares[words[1], default: 0] += count
      if words[2] == "true" { shares["live", default: 0] += count }
      if words[3] == "true" { shares["unlike", default: 0] += count }
    default: break
    }
  }

  /// Says what was judged, and how much of each kind.
  func summary(seconds: Int) -> String {
    func share(_ kind: String) -> String { "\((shares[kind] ?? 0) * 100 / max(1, total)) %" }
    return """
      \(total) worlds in \(seconds) s, \(total / seconds)/s, \(events) events, \
      \(refused) draws refused
      ideal \(share("ideal")), fluid \(share("fluid")), packet \(share("packet")), live \
      \(share("live")), two or more unlike players \(share("unlike"))
      \(Law.allCases.count) laws: \(found.count) breaches
      """
  }

  // MARK: - The smallest file

  /// Keeps the smallest scenario in which a law does not hold; returns its path.
  func keep(_ found: Found, in folder: String) -> String {
    let law = found.law.split(separator: " ").joined(separator: "-")
    let place = "\(folder)/\(law)-\(found.seed)"
    var world = DrawnWorld.valid(found.seed).world
    let judgedAlone = found.law != Law.threads.rawValue && found.law != Law.monotone.rawValue
    if judgedAlone, breaks(world, found.law) {
      world.draft = world.draft.shrunk(triesMax: 4_000) { draft in
        var smaller = world
        smaller.draft = draft
        return smaller.read().scenario != nil && breaks(smaller, found.law)
      }
    }
    world.draft["about"] = .string("\(found.law): \(found.message)")
    world.write(to: place, as: "world-\(found.seed).json")
    return "\(place)/world-\(found.seed).json"
  }

  private func breaks(_ world: DrawnWorld, _ law: String) -> Bool {
    world.write(to: scratch, as: "candidate.json")
    let end = ChildProcess.run(
      ["judge", "\(scratch)/candidate.json", "--seed", "\(world.seed)"],
      output: "\(scratch)/verdict",
      messages: "\(scratch)/verdict-err")
    if case .signal = end { return law == Law.alive.rawValue }
    return ToolFiles.text("\(scratch)/verdict").split(separator: "\n")
      .contains { $0.hasPrefix("\(law)\t") }
  }
}
