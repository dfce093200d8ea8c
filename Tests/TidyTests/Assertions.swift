/// How often the core says what must hold: it has no other way to fail.
enum Assertions {
  /// The assertions that each thousand lines of a folder of the core have at least.
  static let perThousandLinesMin = 15

  private static let calls: Set<String> = [
    "assert", "precondition", "assertionFailure", "preconditionFailure", "fatalError",
  ]

  /// Finds folders of the core with too few assertions for their lines.
  static func check(_ sources: [Source]) -> [Violation] {
    var folders: [String: (lines: Int, count: Int)] = [:]
    for source in sources where source.language == .swift {
      guard source.components.starts(with: ["Sources", "Autowait"]), source.components.count > 3
      else { continue }
      folders[source.components[2], default: (0, 0)].lines += source.lines.count
      folders[source.components[2], default: (0, 0)].count += count(in: source)
    }
    return folders.sorted { $0.key < $1.key }.compactMap { folder, has in
      if has.count * 1_000 >= perThousandLinesMin * has.lines { return nil }
      let message =
        "\(has.count) assertions in \(has.lines) lines; at least \(perThousandLinesMin) in a "
        + "thousand"
      return Violation(path: "Sources/Autowait/\(folder)", line: 1, message: message)
    }
  }

  /// The number of calls that assert something.
  static func count(in source: Source) -> Int {
    let tokens = source.tokens
    return tokens.indices.dropLast().count { place in
      calls.contains(tokens[place].text) && tokens[place + 1].text == "("
    }
  }
}
