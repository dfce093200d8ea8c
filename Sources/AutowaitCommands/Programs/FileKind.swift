import AutowaitExperiment
import AutowaitScenario

/// The kinds of files that the tool reads, each with what it is called.
enum FileKind: String, CaseIterable {
  case scenario, experiment, link, heuristic, playlist

  /// What a message calls a file of the kind.
  var subject: String {
    switch self {
    case .scenario: "a scenario"
    case .experiment: "an experiment"
    case .link: "a link"
    case .heuristic: "a heuristic"
    case .playlist: "a playlist"
    }
  }

  /// What JSON Schema can say of a file of the kind; nil for what is no JSON.
  var schema: Schema? {
    switch self {
    case .scenario: ScenarioKeys.file
    case .experiment: .object { ExperimentKeys.object }
    case .link: LinkKeys.file
    case .heuristic: HeuristicKeys.nameOrObject
    case .playlist: nil
    }
  }

  /// Tells what a text is by what stands in it; nil for what is neither a playlist nor an object.
  ///
  /// An object is of the kind that has most of its keys. Of several it is a scenario, and so is one
  /// whose keys nobody knows: that is what people write most, and what an error then speaks of.
  init?(of source: SourceText) {
    let name = source.path
    if name.hasSuffix(".m3u8") || name.hasSuffix(".m3u") || PlaylistReader.isPlaylist(source) {
      self = .playlist
      return
    }
    guard let root = Findings(source).parseJSON(), root.kind == .object else { return nil }
    if root.member("experiment") != nil {
      self = .experiment
    } else if root.member("autowait") != nil {
      self = .scenario
    } else if root.member("trace") != nil {
      self = .link
    } else {
      let names = root.members.compactMap { $0.key.string }
      func count(_ kind: ObjectKind) -> Int { names.count { kind.contains($0) } }
      let scenario = count(ScenarioKeys.object)
      let (link, heuristic) = (count(LinkKeys.object), count(HeuristicKeys.object))
      self =
        link > max(scenario, heuristic)
        ? .link : heuristic > max(scenario, link) ? .heuristic : .scenario
    }
  }
}
