import Autowait
import AutowaitFiles
import AutowaitScenario

/// Answers questions by asking programs, each of which is started once for a run.
struct ProcessRule: ExternalRule {
  /// What is wrong with a line that answers no question.
  private static let invalid = "gave an invalid answer"

  private let programs: [ExternalProgram?]
  private let paths: [String?]
  private var processes: [ExternalProcess?]

  /// Prepares to ask programs, each named in a file.
  init(
    _ programs: [ExternalProgram?], bases: [String], _ files: ScenarioFiles
  ) throws(RuleFailure) {
    self.programs = programs
    processes = programs.map { _ in nil }
    var paths: [String?] = []
    for (player, program) in programs.enumerated() {
      guard let program else {
        paths.append(nil)
        continue
      }
      do throws(Files.SystemProblem) {
        paths.append(try files.place(ofProgram: program.words.first ?? "", of: bases[player]))
      } catch {
        throw RuleFailure("the program \(error.reason)", player: player)
      }
    }
    self.paths = paths
  }

  /// Asks the program of the player that has a question.
  mutating func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer {
    let player = question.player
    guard let program = programs[player], let path = paths[player] else {
      preconditionFailure("a question for a player without a program")
    }
    let name = "the rule '\(Self.excerpt(Array((program.words.first ?? "").utf8)))'"
    do throws(ExternalProcess.ProcessProblem) {
      let process: ExternalProcess
      if let running = processes[player] {
        process = running
      } else {
        process = try ExternalProcess(path, program.words)
        processes[player] = process
      }
      let line = try process.ask(QuestionRendering.line(question), within: program.timeout)
      if let answer = Self.answer(line, to: question) { return answer }
      throw ExternalProcess.ProcessProblem(reason: Self.invalid, written: line)
    } catch {
      processes[player]?.stop()
      var notes: [String] = []
      if !error.written.isEmpty { notes.append("it wrote '\(Self.excerpt(error.written))'") }
      if error.reason == Self.invalid {
        notes.append(#"an answer is a line: true, false, or {"keepsUp": false, "askAgain": 0.5}"#)
      }
      throw RuleFailure(
        "\(name) \(error.reason), at question \(question.number)", notes: notes, player: player)
    }
  }

  /// Ends all programs.
  mutating func end() {
    for process in processes { process?.end() }
    processes = programs.map { _ in nil }
  }

  /// Reads an answer; nil if it is none, or if it names another question.
  private static func answer(_ line: [UInt8], to question: RuleQuestion) -> RuleAnswer? {
    let findings = Findings(SourceText(path: "", bytes: line))
    guard let root = findings.parseJSON() else { return nil }
    if let isLikely = root.bool { return RuleAnswer(isLikelyToKeepUp: isLikely) }
    var fields = FieldReader(root, "an answer", findings)
    let isLikely = fields.required("keepsUp", .bool)
    let again = fields.optional("askAgain", .positiveTime)
    let number = fields.optional("n", .integer()) ?? Int64(question.number)
    fields.finish()
    guard let isLikely, number == question.number, !findings.hasErrors else { return nil }
    return RuleAnswer(isLikelyToKeepUp: isLikely, askAgainAfter: again)
  }

  /// The beginning of what a program wrote, as it can be shown.
  private static func excerpt(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(60), as: UTF8.self).printable
    return bytes.count > 60 ? text + "…" : text
  }
}

/// Renders what a program is asked.
enum QuestionRendering {
  /// Returns a question as one line of JSON, without its end; times are in seconds.
  static func line(_ question: RuleQuestion) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    let ahead = max(.zero, question.loadedEnd - question.currentTime)
    writer.beginObject()
    writer.field("n", Int64(question.number))
    writer.field("player", Int64(question.player))
    writer.field("t", seconds: question.instant.nanoseconds)
    writer.field("situation", question.situation.word)
    writer.field("waiting", question.isWaiting)
    writer.field("waited", seconds: question.waited.nanoseconds)
    writer.field("speed", millionths: question.rate.millionths)
    writer.field("currentTime", seconds: question.currentTime.nanoseconds)
    writer.field("buffered", seconds: ahead.nanoseconds)
    writer.field("left", seconds: (question.endTime - question.currentTime).nanoseconds)
    writer.field("missing", question.missing.bytes)
    writer.field("received", question.received.bytes)
    writer.field("open", seconds: question.open.nanoseconds)
    writer.field("fillRate", question.fillRate.bitsPerSecond)
    writer.field("full", question.isBufferFull)
    writer.endObject()
    return writer.bytes
  }
}
