import Autowait
import AutowaitFidelity
import AutowaitFiles
import AutowaitInference
import AutowaitScenario

/// How a call reads the logs that it names, and infers their links.
struct LogCall: Sendable {
  static let from = Option(
    "--from", choices: SessionLog.Form.allCases.map(\.rawValue),
    "Reads LOG in this format; default: detects the format")
  static let mediaFile = Option(
    "--media", value: "FILE",
    "What was played, as a playlist or a scenario; default: what the log says")
  static let samples = Option(
    "--samples", value: "N", "Draws N links that fit the log; default: 32")
  static let seed = Option("--seed", value: "N", "Draws other links; default: 0")
  static let steps = Option(
    "--steps", value: "N",
    "Searches N steps for links, twice; default: as many as agree. Fewer are faster and less sure")
  static let keepURLs = Option(
    "--keep-urls", "Keeps the addresses of the log in JSON; otherwise no output has any")

  private let form: SessionLog.Form?
  private let media: SessionMedia?
  private let keepsAddresses: Bool
  private let inference: LinkInference.Options
  /// All that a result depends on, but for the log.
  let digest: UInt64

  init(_ arguments: Arguments) throws(Command.UsageError) {
    form = arguments.value(Self.from).flatMap { SessionLog.Form(rawValue: $0) }
    let file = arguments.value(Self.mediaFile)
    if let file { media = try Self.media(file) } else { media = nil }
    keepsAddresses = arguments.has(Self.keepURLs)
    var inference = LinkInference.Options()
    inference.samples = try arguments.count(Self.samples, in: 1...1_000) ?? 32
    inference.seed = UInt64(try arguments.number(Self.seed, in: 0...Int64.max) ?? 0)
    let steps = try arguments.count(Self.steps, in: 100...10_000_000)
    if let steps { (inference.steps, inference.roundsMax) = (steps, 1) }
    self.inference = inference
    var fingerprint = Fingerprint()
    let words = [
      "\(inference.samples)", "\(inference.seed)", "\(steps ?? 0)", form?.rawValue ?? "",
    ]
    fingerprint.mix(bytes: Array(words.joined(separator: "\n").utf8))
    fingerprint.mix(bytes: file.flatMap { try? Files.read($0) } ?? [])
    digest = fingerprint.value
  }

  /// How many links are asked for.
  var sampleCount: Int { inference.samples }

  /// Infers the links of a session, several for each that is asked for; nil if no transfer of it
  /// says anything.
  func links(of log: SessionLog, _ model: LinkModel, perSample: Int = 1) -> InferredLinks? {
    var options = inference
    options.model = model
    options.samples *= perSample
    return LinkInference(log, options).run()
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
      throw refuse("is neither a playlist nor a scenario: \(first?.message ?? "it is empty")")
    }
    guard let media = SessionMedia(scenario) else { throw refuse("has no stream that ends") }
    return media
  }
}
