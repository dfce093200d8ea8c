import Autowait
import AutowaitFiles
import AutowaitScenario

/// The part of `autowait convert` that turns streams into each other: playlists on disk, and those
/// that scenarios spell out.
struct StreamConversion {
  /// What streams are written as.
  enum Target: String, CaseIterable {
    /// A scenario's medium with all its segments.
    case ladder
    /// A folder with playlists.
    case hls
  }

  let input: String
  let target: Target
  /// The file, or the folder, to write; nil for the results.
  let output: String?

  /// Reads and writes.
  func run(_ console: Console) throws(Command.UsageError) -> ExitCode {
    if target == .hls, output == nil {
      throw Command.UsageError(message: "'--to hls' needs '--output DIR', the folder to write")
    }
    var loaded: [String] = []
    let (stream, findings) = ScenarioFiles().readStream(input) { loaded.append($0) }
    console.report(findings)
    guard let stream else { return .invalid }
    switch target {
    case .ladder:
      let bytes = StreamMediaWriter.text(stream.streamMedia, stream.names, keyHost: stream.keyHost)
      if !stream.streamMedia.faults.isEmpty {
        let warning = "'failures' are left out: they stand next to the lists of segments"
        console.report([Finding(.warning, warning, path: input)])
      }
      guard let output else {
        console.write(data: bytes)
        return .fine
      }
      return try store([(output, bytes)], loaded, console)
    case .hls:
      let hlsFolder: HLSFolderWriter.Folder
      do throws(PlaylistWriter.PlaylistProblem) {
        hlsFolder = try HLSFolderWriter.write(stream.streamMedia, stream.names)
      } catch {
        console.report([Finding(.error, error.message, path: input)])
        return .invalid
      }
      let folder = output ?? "."
      try InputGuard.check(folder: folder, for: "'--to hls'")
      guard Files.make(folder: folder, console) else { return .invalid }
      for warning in hlsFolder.warnings {
        console.report([Finding(.warning, warning, path: input)])
      }
      return try store(
        hlsFolder.files.map { (Path.join(folder, $0.name), $0.bytes) }, loaded, console)
    }
  }

  /// Writes all files or, if one of them cannot be written, none.
  private func store(
    _ files: [(path: String, bytes: [UInt8])], _ loaded: [String], _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    for file in files {
      try InputGuard(option: "--output", output: file.path).check(inputs: [input] + loaded)
    }
    return Files.store(files, console)
  }
}
