import AutowaitScenario

/// Which golden logs a test records, in the words of snapshot tests.
enum RecordMode: String, CaseIterable, Sendable {
  case all, failed, missing, never

  /// The variable that says what `--record` says.
  static let variable = "AUTOWAIT_RECORD"
}

/// Why a golden log is not that of a run.
enum GoldenNeed: Sendable {
  /// Something else happened.
  case differs
  /// There is none, and nothing else judges the run.
  case onlyJudge
  /// There is none; expectations judge the run.
  case absent
  /// The same happened, but the header has other words.
  case restated
}

/// Which files a test may write beside scenarios.
struct GoldenRecording: Hashable, Sendable {
  /// The golden logs that are written.
  let needs: [GoldenNeed]
  /// Whether a log that differs is kept beside its golden one until somebody accepts it, and a kept
  /// one that is no longer true is removed.
  let keepsNew: Bool

  /// What `--update` stands for.
  static let update = GoldenRecording(needs: [.onlyJudge, .absent, .differs], keepsNew: true)

  /// What is recorded where nobody says anything: what was never recorded, unless a server runs
  /// the tests, which nobody would look at.
  static func standard(isServer: Bool) -> GoldenRecording {
    isServer ? GoldenRecording(.never) : GoldenRecording(needs: [.onlyJudge], keepsNew: true)
  }

  private init(needs: [GoldenNeed], keepsNew: Bool) {
    self.needs = needs
    self.keepsNew = keepsNew
  }

  init(_ mode: RecordMode) {
    keepsNew = mode != .never
    switch mode {
    case .all: needs = [.onlyJudge, .absent, .differs, .restated]
    case .failed: needs = [.onlyJudge, .differs]
    case .missing: needs = [.onlyJudge, .absent]
    case .never: needs = []
    }
  }
}

extension Console {
  /// Whether `CI` is set, so that nobody looks at what is written here.
  var isServer: Bool {
    environment.variable("CI").map { !$0.isEmpty && $0 != "false" } ?? false
  }
}

extension Arguments {
  /// Returns what a test may record by its options, or else by the environment.
  func recording(
    _ record: Option, _ update: Option, _ console: Console
  ) throws(Command.UsageError) -> GoldenRecording {
    let variable = RecordMode.variable
    if has(record), has(update) {
      throw Command.UsageError(
        message: "'\(record.name)' and '\(update.name)' both say what is recorded",
        notes: ["'\(update.name)' is '\(record.name) failed' and '\(record.name) missing'"])
    }
    var said: (what: String, recording: GoldenRecording)?
    if has(update) {
      said = (update.name, .update)
    } else if let mode = value(record).flatMap({ RecordMode(rawValue: $0) }) {
      said = (record.name, GoldenRecording(mode))
    } else if let word = console.environment.variable(variable), !word.isEmpty {
      guard let mode = RecordMode(rawValue: word) else {
        throw Command.UsageError(
          unknown: "\(variable) has the unknown value", word,
          among: RecordMode.allCases.map(\.rawValue), list: "the values are: ")
      }
      said = (variable, GoldenRecording(mode))
    }
    guard let said else { return .standard(isServer: console.isServer) }
    if !said.recording.needs.isEmpty { try console.refuseOnServer(said.what) }
    return said.recording
  }
}

extension Console {
  /// Throws where a server would write golden logs.
  func refuseOnServer(_ what: String) throws(Command.UsageError) {
    guard isServer else { return }
    throw Command.UsageError(
      message: "'\(what)' is refused, because CI is set",
      notes: ["update the golden logs on your own machine and commit them"])
  }
}
