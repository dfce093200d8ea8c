import AutowaitFidelity
import AutowaitFiles
import AutowaitScenario

/// The part of `autowait convert` that makes a scenario of a recording of a real player.
struct RecordingConversion {
  /// The word for `--to`.
  static let target = "scenario"

  let input: String
  /// The file to write; nil for the results.
  let output: String?

  /// Reads and writes.
  func run(_ console: Console) throws(Command.UsageError) -> ExitCode {
    let guardian = InputGuard(option: "--output", output: output)
    try guardian.check(inputs: [input])
    let folder = Path.folder(of: input)
    // Maps of media are named from the folder that has the timelines.
    let root = Path.name(of: folder) == "timelines" ? Path.folder(of: folder) : folder
    var loaded: [String] = []
    let reader = RecordingReader { path throws(RecordingProblem) in
      let place = path == input ? path : Path.join(root, path)
      loaded.append(place)
      do throws(Files.SystemProblem) {
        return try Files.read(place)
      } catch {
        throw RecordingProblem(path, error.reason)
      }
    }
    let casePath = Path.join("cases", Path.name(of: input))
    let hasCase = (try? Files.read(Path.join(root, casePath))) != nil
    let text: String
    do throws(RecordingProblem) {
      let recording = try reader.recording(input, casePath: hasCase ? casePath : nil)
      let column = RecordingScenario.converted(recording)
      let scenario = RecordingScenario.text(of: recording, column, expectsWhatWasSeen: true)
      guard let scenario else {
        throw RecordingProblem(input, "is of '\(recording.player)', for which no heuristic plays")
      }
      if column == .arrivals {
        console.note(
          recording.link.schedule.isEmpty
            ? "no link was planned: that of the scenario is what arrived by when"
            : "the link of the scenario is what arrived by when, as the recording is judged by it")
      }
      for note in RecordedPlayer.notes(on: recording) { console.note(note) }
      text = scenario
    } catch {
      console.report([error])
      return .invalid
    }
    try guardian.check(inputs: loaded)
    guard let output else {
      console.write(document: text)
      return .fine
    }
    return Files.store([(output, Array(text.utf8))], console)
  }
}
