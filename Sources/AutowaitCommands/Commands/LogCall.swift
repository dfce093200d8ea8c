import Autowait
import AutowaitFidelity
import AutowaitFiles
import AutowaitInference
import AutowaitScenario

/// How a call reads the logs that it names.
struct LogCall {
  private let form: SessionLog.Form?
  private let media: SessionMedia?
  private let keepsAddresses: Bool

  init(_ form: SessionLog.Form?, _ media: SessionMedia?, keepsAddresses: Bool) {
    (self.form, self.media, self.keepsAddresses) = (form, media, keepsAddresses)
  }

  init(_ arguments: Arguments) throws(Command.UsageError) {
    let file = arguments.value(WhatIfCommand.media)
    let media: SessionMedia?
    if let file { media = try Self.media(file) } else { media = nil }
    self.init(
      arguments.value(WhatIfCommand.from).flatMap { SessionLog.Form(rawValue: $0) }, media,
      keepsAddresses: false)
  }

  /// Reads the sessions of a log.
  func read(_ path: String) throws(RecordingProblem) -> [SessionLog] {
    let bytes: [UInt8]
    do throws(Files.SystemProblem) {
      bytes = try Files.read(path)
    } catch {
      throw RecordingProblem(path, error.reason)
    }
    return try read(SourceText(path: path, bytes: bytes))
  }

  /// Reads the sessions of a log that is in memory.
  func read(_ source: SourceText) throws(RecordingProblem) -> [SessionLog] {
    let path = source.path
    var options = SessionLogReader.LogOptions()
    (options.form, options.media) = (form, media)
    options.keepsAddresses = keepsAddresses
    let folder = Path.folder(of: path)
    let root = Path.name(of: folder) == "timelines" ? Path.folder(of: folder) : folder
    options.load = { name in try? Files.read(Path.join(root, name)) }
    return try SessionLogReader.read(source, options)
  }

  /// Reads what was played.
  static func media(_ path: String) throws(Command.UsageError) -> SessionMedia {
    func refuse(_ reason: String) -> Command.UsageError {
      Command.UsageError(message: "the file '\(path.excerpt)' of '--media' \(reason)")
    }
    let bytes: [UInt8]
    do throws(Files.SystemProblem) {
      bytes = try Files.read(path)
    } catch {
      throw refuse(error.reason)
    }
    let source = SourceText(path: path, bytes: bytes)
    if PlaylistReader.isPlaylist(source) {
      do throws(RecordingProblem) {
        let folder = Path.folder(of: path)
        return try SessionMedia.read(playlist: source) { try? Files.read(Path.join(folder, $0)) }
      } catch {
        throw refuse(error.reason)
      }
    }
    let (scenario, findings) = ScenarioReader.read(source, loader: .none)
    guard let scenario else {
      let first = findings.first { $0.severity == .error }
      throw refuse("is no playlist and no scenario: \(first?.message ?? "it is empty")")
    }
    guard let media = SessionMedia(scenario) else { throw refuse("has no stream that ends") }
    return media
  }
}
