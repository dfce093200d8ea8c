import AutowaitFiles
import AutowaitScenario

/// A scenario with the links and the media in it that it names files for.
struct SpelledFiles {
  /// The scenario; nil if it names no such file.
  private(set) var draft: Draft?
  /// The size of the files.
  private(set) var bytes: Int64 = 0

  private static let mediaKeys = ["playlist", "movie", "file"]

  init(_ draft: Draft, _ subject: ShrinkSubject) {
    let source = SourceText(path: subject.path, text: draft.text)
    var loaded: [String] = []
    let (scenario, _) = subject.files.read(source) { path in
      if !loaded.contains(path) { loaded.append(path) }
    }
    guard let scenario,
      let root = Findings(SourceText(path: "", bytes: scenario.resolved)).parseJSON()
    else { return }
    let spelled = Self.spelled(draft, Draft(root))
    if spelled == draft { return }
    self.draft = spelled
    for path in loaded {
      if case .success(let source) = subject.files.source(path) {
        bytes += Int64(source.bytes.count)
      }
    }
  }

  private static func spelled(_ draft: Draft, _ resolved: Draft) -> Draft {
    switch (draft, resolved) {
    case (.object(let members), .object):
      if draft["trace"] != nil || mediaKeys.contains(where: { draft[$0] != nil }) {
        return resolved
      }
      return .object(
        members.map { member in
          guard let other = resolved[member.key] else { return member }
          return Draft.KeyedDraft(key: member.key, value: spelled(member.value, other))
        })
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      return .array(zip(elements, others).map { spelled($0, $1) })
    case (.string(let name), .object):
      // What is built in needs no file.
      return (try? LinkPreset.named(name)) == nil && !isRule(name) ? resolved : draft
    default: return draft
    }
  }

  /// The keys whose values are paths, and those at which a link is named.
  private static let pathKeys = mediaKeys + ["trace"]
  private static let linkKeys = ["link", "use", "profile", "to"]

  /// Returns a scenario with other paths for the files that it names.
  static func renamed(_ draft: Draft, _ path: (String) -> String) -> Draft {
    renamed(draft, key: nil, path)
  }

  private static func renamed(
    _ draft: Draft, key: String?, _ path: (String) -> String
  ) -> Draft {
    switch draft {
    case .plain: return draft
    case .string(let name):
      guard let key else { return draft }
      let isLink = linkKeys.contains(key) && (try? LinkPreset.named(name)) == nil
      // A link of the scenario has no ending.
      let isFile = isLink && Path.name(of: name).contains(".")
      return pathKeys.contains(key) || isFile ? .string(path(name)) : draft
    case .array(let elements): return .array(elements.map { renamed($0, key: nil, path) })
    case .object(let members):
      return .object(
        members.map {
          Draft.KeyedDraft(key: $0.key, value: renamed($0.value, key: $0.key, path))
        })
    }
  }

  private static func isRule(_ name: String) -> Bool { Heuristic.named(name) != nil }
}
