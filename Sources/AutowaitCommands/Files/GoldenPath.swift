/// How the files of a scenario are called.
enum GoldenPath {
  private static let goldenSuffix = ".expected.log"
  private static let scenarioSuffix = ".json"
  private static let newSuffix = ".new"

  /// Returns the path of the golden log of a scenario.
  static func golden(of path: String) -> String {
    (path.hasSuffix(scenarioSuffix) ? String(path.dropLast(scenarioSuffix.count)) : path)
      + goldenSuffix
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

  /// Returns whether a file may be a scenario.
  static func mayBeScenario(_ path: String) -> Bool { path.hasSuffix(scenarioSuffix) }
}
