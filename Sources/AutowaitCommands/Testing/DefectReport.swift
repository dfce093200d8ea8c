import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// What it takes to find a defect of the simulator: a scenario, the files that it names, and the
/// logs of the two ways to run it.
struct DefectReport: Sendable {
  /// The path of the scenario.
  let path: String
  /// The real paths of the files that it names.
  let loaded: [String]
  /// The log of the run that is used.
  let fast: [UInt8]
  /// The log of the run that judges it.
  let eventByEvent: [UInt8]
  /// What names the defect among others.
  let fingerprint: UInt64

  /// Writes all of it to a new folder in a folder; returns its path.
  func write(in folder: String) throws(Files.SystemProblem) -> String {
    let place = Path.join(
      folder, "autowait-defect-\(LogRendering.hexadecimal(fingerprint))")
    let scenario = Files.realPath(path) ?? path
    var shared = Path.folder(of: scenario)
    while !loaded.allSatisfy({ Path.isInside($0, shared) }) { shared = Path.folder(of: shared) }
    for file in [scenario] + loaded {
      let copy = Path.join(place, Path.relative(file, from: shared))
      try Files.makeFolders(Path.folder(of: copy))
      try Files.write(try Files.read(file), to: copy)
    }
    try Files.write(fast, to: Path.join(place, "fast.log"))
    try Files.write(eventByEvent, to: Path.join(place, "event-by-event.log"))
    let name = Path.quoted(Path.relative(scenario, from: shared))
    let text = """
      autowait \(ToolVersion.text): two ways to run a scenario differ.

      autowait run \(name) --format jsonl
      autowait run \(name) --format jsonl --event-by-event

      The first gave fast.log, the second event-by-event.log.

      """
    try Files.write(Array(text.utf8), to: Path.join(place, "README.txt"))
    return place
  }
}
