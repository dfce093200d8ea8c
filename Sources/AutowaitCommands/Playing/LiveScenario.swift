import Autowait
import AutowaitRendering
import AutowaitScenario

/// A scenario to which somebody adds steps while it plays.
///
/// It is a text at any time, and what is shown is that text, run: what is saved can do nothing but
/// what was seen.
struct LiveScenario {
  /// A step that somebody added.
  struct AddedStep {
    let instant: Instant
    /// What it is but its time: members of an object in JSON.
    let members: String
    /// Whether the link is off from then on; nil for steps that are not about the link.
    let turnsOff: Bool?
  }

  /// Keys that say what a run must be, which this run may not be.
  private static let judging = ["expect", "xfail", "vary", "extends", "$schema"]

  /// The path of the scenario as the user wrote it.
  let path: String
  /// The members of the scenario but its script, each as text.
  private var members: [(key: String, text: String)] = []
  /// The steps of the scenario itself.
  private var script: [String] = []
  /// The steps that were added, in the order of their times.
  private(set) var added: [AddedStep] = []
  /// The links of the scenario itself, each from a time on.
  private var links: [(instant: Instant, text: String)] = []

  /// Takes a scenario apart: as it was written, or as it was put together from several texts.
  init(_ scenario: Scenario, writtenAs text: SourceText?) {
    path = scenario.path
    let source = text ?? SourceText(path: "", bytes: scenario.resolved)
    guard let root = Findings(source).parseJSON() else { return }
    for member in root.members {
      let key = member.key.string ?? ""
      if key == ScenarioKeys.script.name {
        script = member.value.elements.map { Self.text($0) }
      } else if !Self.judging.contains(key) {
        members.append((key, Self.text(member.value)))
      }
      if key == ScenarioKeys.link.name { links = Self.links(member.value) }
    }
  }

  /// Returns the links that hold by themselves, each from a time on.
  private static func links(_ value: JSONValue) -> [(Instant, String)] {
    if value.kind != .array { return [(.start, text(value))] }
    return value.elements.compactMap { element in
      guard let use = element.member("use"), let at = element.member("at") else { return nil }
      return (Instant(nanoseconds: nanoseconds(at)), text(use))
    }
  }

  /// Returns a time, of which it is known that it can be read.
  private static func nanoseconds(_ value: JSONValue) -> Int64 {
    if let text = value.string {
      return (try? Quantity.time.parse(text, in: 0...Limits.timeMax.nanoseconds)) ?? 0
    }
    guard case .exact(let time)? = value.decimal?.integer(scaledBy: 1_000_000_000) else { return 0 }
    return time
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.source.bytes[value.range], as: UTF8.self)
  }

  /// Adds a step; what was added behind its time is taken back.
  mutating func add(_ step: AddedStep) {
    added.removeAll { $0.instant > step.instant }
    added.append(step)
  }

  /// Takes the last step back that was added.
  mutating func removeLast() { _ = added.popLast() }

  /// Returns whether somebody has turned the link off by some time.
  func isLinkOff(at instant: Instant) -> Bool {
    added.last { $0.instant <= instant && $0.turnsOff != nil }?.turnsOff ?? false
  }

  /// Returns the link that the scenario itself has at a time, in JSON.
  func link(at instant: Instant) -> String {
    links.last { $0.instant <= instant }?.text ?? links.first?.text ?? "\"unlimited\""
  }

  /// The scenario with its steps: a member a line, a step a line.
  var text: String {
    let steps =
      script
      + added.map { step in
        "{\"at\": \(OutcomeRendering.seconds(step.instant.nanoseconds)), \(step.members)}"
      }
    let list = steps.map { "    " + $0 }.joined(separator: ",\n")
    let lines = members.map { key, text in
      "  \(JSONWriter.text { $0.string(text: key) }): \(text)"
    }
    return "{\n" + (lines + ["  \"script\": [\n\(list)\n  ]"]).joined(separator: ",\n") + "\n}\n"
  }
}
