import Autowait
import AutowaitRendering
import AutowaitScenario

/// `autowait check --gapless`: whether streams on disk can follow each other without a gap.
enum GaplessCheck {
  /// The version of the format of the JSON output.
  private static let formatVersion: Int64 = 1

  /// A variant with which a stream may end, and how the next stream follows then.
  private struct Outcome {
    let variant: String
    let join: GaplessJoin
    /// The variant with which the next stream begins; nil if there is a gap.
    let next: String?
  }

  /// Reads the streams, and tells how each follows the one before.
  static func run(
    _ paths: [String], _ files: ScenarioFiles, _ format: TextFormat, _ console: Console
  ) -> ExitCode {
    let (scenario, findings) = files.read(SourceText(path: "", bytes: text(of: paths)))
    // What is assumed of sizes and rates is of no consequence here.
    let errors = findings.filter { $0.severity == .error }.compactMap { pointing($0, paths) }
    console.report(errors)
    guard let player = scenario?.world.players.first,
      let names = scenario?.streamNames.first
    else { return .invalid }
    let pairs = player.media.indices.dropFirst().map { second in
      outcomes(player.media, names, second - 1, second)
    }
    switch format {
    case .json: console.write(data: json(paths, pairs))
    case .text:
      for (place, pair) in pairs.enumerated() {
        console.line("\(paths[place]) → \(paths[place + 1])")
        pair.forEach { console.line("  " + sentence($0, pair)) }
      }
    }
    return pairs.joined().allSatisfy { $0.next != nil } ? .fine : .differs
  }

  /// A scenario with the streams in a queue.
  private static func text(of paths: [String]) -> [UInt8] {
    JSONWriter.line { writer in
      writer.field("autowait", Int64(1))
      writer.field("link", text: "demo/fast")
      writer.objects("media", paths) { $0.field("playlist", text: $1) }
      writer.object("player") { writer in
        writer.array("queue", paths.indices) { $0.integer(Int64($1)) }
      }
      writer.objects("script", [0]) { writer, _ in
        writer.field("at", Int64(0))
        writer.field("do", text: "play")
      }
    }
  }

  /// A finding about the scenario is one about a file that was named, or follows from such a one.
  private static func pointing(_ finding: Finding, _ paths: [String]) -> Finding? {
    if !finding.path.isEmpty { return finding }
    return paths.first { finding.message.contains($0) }.map {
      Finding(finding.severity, finding.message, path: $0)
    }
  }

  private static func outcomes(
    _ media: [Media], _ names: [StreamNames?], _ first: Int, _ second: Int
  ) -> [Outcome] {
    guard let stream = media[first].streamMedia, let next = media[second].streamMedia else {
      return []
    }
    return stream.variants.indices.map { variant in
      let join = stream.join(next, after: variant, among: Array(next.variants.indices))
      var other: String?
      if case .variant(let number) = join { other = name(number, next, names[second]) }
      return Outcome(variant: name(variant, stream, names[first]), join: join, next: other)
    }
  }

  private static func name(_ variant: Int, _ stream: StreamMedia, _ names: StreamNames?) -> String {
    let codecs = stream.variants[variant].codecs.intersection(.sound).names.joined(separator: " ")
    let name = names?.variants[variant] ?? "variant \(variant)"
    return codecs.isEmpty ? name : "\(name) \(codecs)"
  }

  private static func sentence(_ outcome: Outcome, _ all: [Outcome]) -> String {
    let width = all.map { $0.variant.count }.max() ?? 0
    let padding = String(repeating: " ", count: width - outcome.variant.count)
    let start = "\(outcome.variant)\(padding)  "
    switch outcome.join {
    case .variant: return start + "→ \(outcome.next ?? "")"
    case .mismatch(let trait): return start + "gap: \(trait.sentence)"
    }
  }

  private static func json(_ paths: [String], _ pairs: [[Outcome]]) -> [UInt8] {
    JSONWriter.line { writer in
      writer.field("version", formatVersion)
      writer.objects("joins", pairs.indices) { writer, place in
        writer.field("first", text: paths[place])
        writer.field("second", text: paths[place + 1])
        writer.objects("variants", pairs[place]) { writer, outcome in
          writer.field("after", text: outcome.variant)
          writer.field("gapless", outcome.next != nil)
          if let next = outcome.next { writer.field("beginsWith", text: next) }
          if case .mismatch(let trait) = outcome.join {
            writer.field("differs", text: "\(trait.word)")
          }
        }
      }
    }
  }
}
