/// How the files of a scenario are called.
enum GoldenPath {
  private static let goldenSuffix = ".expected.log"
  private static let scenarioSuffix = ".json"
  private static let newSuffix = ".new"

  /// Returns the path of the golden log of a scenario, or of one of its runs.
  static func golden(of path: String, run: String? = nil) -> String {
    bare(path) + (run.map { ".\($0)" } ?? "") + goldenSuffix
  }

  /// Returns a path without the suffix of scenarios.
  static func bare(_ path: String) -> String {
    path.hasSuffix(scenarioSuffix) ? String(path.dropLast(scenarioSuffix.count)) : path
  }

  /// Returns the scenarios of which a golden log may be that of a run, with the run's name; none
  /// for other files.
  ///
  /// The names of both may have full stops.
  static func runs(of golden: String) -> [(scenario: String, run: String)] {
    guard golden.hasSuffix(goldenSuffix) else { return [] }
    let stem = Array(golden.utf8.dropLast(goldenSuffix.utf8.count))
    let start = (stem.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    return stem.indices.reversed().compactMap { place in
      guard stem[place] == UInt8(ascii: "."), place > start, place + 1 < stem.count else {
        return nil
      }
      let scenario = String(decoding: stem[..<place], as: UTF8.self) + scenarioSuffix
      return (scenario, String(decoding: stem[(place + 1)...], as: UTF8.self))
    }
  }

  /// Returns the path of the scenario of a golden log; nil for other files.
  static func scenario(of golden: String) -> String? {
    guard golden.hasSuffix(goldenSuffix) else { return nil }
    return golden.dropLast(goldenSuffix.count) + scenarioSuffix
  }

  /// Returns the path of the log that stands beside a golden log that it differs from, until
  /// somebody accepts it.
  static func new(of golden: String) -> String { golden + newSuffix }

  /// Returns the path of the golden log beside which a new log stands; nil for other files.
  static func golden(ofNew path: String) -> String? {
    path.hasSuffix(goldenSuffix + newSuffix) ? String(path.dropLast(newSuffix.count)) : nil
  }

  /// Returns the path of the scenario of a golden log, or of a new one beside it; nil for other
  /// files.
  static func scenario(ofLog path: String) -> String? { scenario(of: golden(ofNew: path) ?? path) }

  /// What a golden log, or a new one beside it, is called.
  static func word(for log: String) -> String {
    golden(ofNew: log) == nil ? "golden log" : "new log"
  }

  /// Returns whether a file may be a scenario.
  static func mayBeScenario(_ path: String) -> Bool { path.hasSuffix(scenarioSuffix) }
}
