/// Who may name whom: the folders of each module, and the modules.
enum Layers {
  /// The folders of each module, lowest first.
  ///
  /// The files of a folder name only types declared in their own folder or in one that stands
  /// before it. A folder inside one belongs to it, and a dot stands for the top of the module.
  static let folders: [(module: String, folders: [String])] = [
    (
      "Autowait",
      [
        "Numbers", "Kernel", "Link", "Transport", "Fluid", "Packet", "Network", "Media", "KeepUp",
        "Variants", "Playback", "Source", "Log", "Player", "Simulation",
      ]
    ),
    ("AutowaitReference", ["."]),
    ("AutowaitJSON", ["Text", "JSON", "Findings"]), ("AutowaitHLS", ["."]),
    (
      "AutowaitScenario",
      [
        "Reading", "Files", "Vocabulary", "Heuristics", "Link", "Traces",
        "Expecting", "Movies", "Streams", "Scenario", "Running",
      ]
    ),
    ("AutowaitPlayer", ["."]), ("AutowaitFiles", ["."]),
    (
      "AutowaitAccuracy", ["Oracles", "Measured", "Models", "Report", "Tiers", "Parity", "Command"]
    ),
    ("AutowaitFigures", ["Drawing", "Charts", "Sessions", "Pages"]),
    (
      "AutowaitExperiment",
      [
        "Plan", "Rows", "Statistics", "Results", "Running", "Reading", "Search", "Shards",
        "Explaining",
      ]
    ),
    (
      "AutowaitRendering",
      [
        "Text", "Log", "Differences", "Descriptions", "Stream", "Timeline",
        "Explaining", "Session", "Exports", "Comparison", "Live",
      ]
    ),
    ("AutowaitFidelity", ["Recording", "Rules", "Replay", "Judgement", "Rendering"]),
    ("AutowaitInference", ["Session", "Link", "WhatIf", "Judgement"]),
    (
      "AutowaitCommands",
      [
        "Process", "Files", "Parallel", "Console", "Options", "Recipe", "Templates", "Recordings",
        "Programs", "Playing", "Pages", "Replaying", "Shrinking", "Testing", "Experiments",
        "Commands", ".",
      ]
    ),
    ("AutowaitWeb", ["Runtime", "."]), ("AutowaitTesting", ["."]),
    ("AutowaitTool", ["."]), ("AutowaitWorlds", ["."]), ("AutowaitWorldsTool", ["."]),
    ("AutowaitAccuracyTool", ["."]), ("AutowaitBench", ["."]),
  ]

  /// What each module may import; the C library is one row for all platforms.
  static let imports: [(module: String, mayImport: [String])] = [
    ("Autowait", []),
    ("AutowaitReference", ["Autowait"]),
    ("AutowaitJSON", []), ("AutowaitHLS", ["AutowaitJSON"]),
    ("AutowaitScenario", ["Autowait", "AutowaitHLS", "AutowaitJSON"]),
    ("AutowaitPlayer", ["Autowait", "AutowaitScenario"]),
    ("AutowaitAccuracy", ["Autowait", "AutowaitReference", "AutowaitScenario"]),
    ("AutowaitFigures", []),
    ("AutowaitFiles", ["Autowait", "AutowaitScenario"] + systemLibraries),
    ("AutowaitWeb", ["Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitRendering"]),
    (
      "AutowaitTesting",
      ["Autowait", "AutowaitScenario", "AutowaitFiles", "AutowaitCommands", "Testing"]
    ),
    ("AutowaitExperiment", ["Autowait", "AutowaitScenario"]),
    (
      "AutowaitRendering",
      [
        "Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitFigures",
      ]
    ),
    (
      "AutowaitFidelity", ["Autowait", "AutowaitScenario", "AutowaitFigures", "AutowaitRendering"]
    ),
    (
      "AutowaitInference",
      [
        "Autowait", "AutowaitScenario", "AutowaitExperiment", "AutowaitFidelity",
        "AutowaitFigures", "AutowaitRendering",
      ]
    ),
    (
      "AutowaitCommands",
      [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitExperiment",
        "AutowaitFidelity", "AutowaitFigures", "AutowaitFiles", "AutowaitInference",
        "AutowaitRendering",
      ] + systemLibraries
    ),
    ("AutowaitTool", ["AutowaitCommands"]),
    ("AutowaitWorlds", ["Autowait", "AutowaitScenario", "AutowaitRendering", "AutowaitCommands"]),
    (
      "AutowaitWorldsTool",
      ["Autowait", "AutowaitScenario", "AutowaitWorlds"] + systemLibraries
    ),
    (
      "AutowaitBench",
      [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitExperiment",
        "AutowaitRendering", "AutowaitCommands",
      ] + systemLibraries
    ),
    (
      "AutowaitAccuracyTool",
      [
        "Autowait", "AutowaitReference", "AutowaitScenario", "AutowaitAccuracy",
        "AutowaitCommands", "AutowaitFiles",
      ] + systemLibraries
    ),
  ]

  private static let systemLibraries = ["Glibc", "Musl", "Darwin"]

  /// Finds types of a higher folder that a lower folder of the same module names.
  static func checkFolders(_ sources: [Source]) -> [Violation] {
    var modules: [String: [Source]] = [:]
    for source in sources where source.language == .swift && source.components[0] == "Sources" {
      modules[source.components[1], default: []].append(source)
    }
    return modules.sorted { $0.key < $1.key }.flatMap { module, sources in
      guard let row = folders.first(where: { $0.module == module }) else {
        let message = "the module \(module) has no row in Layers.folders"
        return [Violation(path: sources[0].path, line: 1, message: message)]
      }
      return check(sources, of: module, row.folders)
    }
  }

  private static func check(
    _ sources: [Source], of module: String, _ folders: [String]
  ) -> [Violation] {
    var violations: [Violation] = []
    var files: [(source: Source, layer: Int, declarations: Declarations)] = []
    for source in sources {
      let folder = source.components.dropFirst(2).dropLast()
      if let layer = folders.firstIndex(of: folder.first ?? ".") {
        files.append((source, layer, Declarations(of: source)))
      } else {
        let place =
          folder.isEmpty ? "the top of the module" : "the folder \(folder.joined(separator: "/"))"
        violations.append(
          Violation(
            path: source.path, line: 1,
            message: "\(place) is no layer of \(module); the layers are in Layers.folders"))
      }
    }

    // The lowest layer that offers a name; a nested type anywhere below counts as an offer too,
    // because its own folder names it without its outer type.
    var lowest: [String: Int] = [:]
    for (_, layer, declarations) in files {
      for name in declarations.allTypes {
        lowest[name] = min(lowest[name] ?? layer, layer)
      }
    }
    let visible = files.reduce(into: Set<String>()) {
      $0.formUnion($1.declarations.types)
      $0.formUnion($1.declarations.extensionTypes)
    }
    for (source, layer, _) in files {
      for token in source.tokens where token.kind == .word && visible.contains(token.text) {
        guard let home = lowest[token.text], home > layer else { continue }
        violations.append(
          Violation(
            path: source.path, line: token.line,
            message: "\(folders[layer]) names \(token.text) of the higher layer \(folders[home])"))
      }
    }
    return violations
  }

  /// Finds modules and folders that the tables of an article leave out, have in another order, or
  /// have although they are none.
  static func checkArticle(_ article: Source) -> [Violation] {
    // The first table lists modules; a line that ends in a module and a colon announces folders.
    var tables: [String: [String]] = [:]
    var table = ""
    for line in article.text.split(separator: "\n") {
      if line.hasPrefix("| `") {
        tables[table, default: []].append(String(line.dropFirst(3).prefix { $0 != "`" }))
      } else if line.hasSuffix("`:") {
        table = String(line.dropLast(2).reversed().prefix { $0 != "`" }.reversed())
      }
    }
    func violation(_ message: String) -> Violation {
      Violation(path: article.path, line: 1, message: message)
    }
    var violations: [Violation] = []
    if tables[""]?.sorted() != folders.map(\.module).sorted() {
      violations.append(violation("the modules are not those of Layers.folders"))
    }
    for (module, folders) in folders {
      let listed = folders.filter { $0 != "." }
      if tables[module, default: []] != listed {
        violations.append(violation("the folders of \(module) are not those of Layers.folders"))
      }
    }
    return violations
  }

  /// Finds imports that a module may not have.
  static func checkImports(_ source: Source) -> [Violation] {
    guard source.language == .swift, source.components.first == "Sources" else { return [] }
    let module = source.components[1]
    guard let row = imports.first(where: { $0.module == module }) else {
      let message = "the module \(module) has no row in Layers.imports"
      return [Violation(path: source.path, line: 1, message: message)]
    }
    return importedModules(source).filter { !row.mayImport.contains($0.text) }.map {
      let allowed = row.mayImport.isEmpty ? "nothing" : row.mayImport.joined(separator: ", ")
      let message = "\(module) imports \($0.text); it may import \(allowed)"
      return Violation(path: source.path, line: $0.line, message: message)
    }
  }

  /// The modules named by the import declarations of a file.
  private static func importedModules(_ source: Source) -> [Token] {
    let kinds: Set<String> = [
      "struct", "enum", "class", "protocol", "typealias", "func", "let", "var",
    ]
    let tokens = source.tokens
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index == 0 || tokens[index - 1].text != "." else {
        return nil
      }
      let names = tokens[(index + 1)...].prefix(2)
      guard let first = names.first, first.kind == .word else { return nil }
      return kinds.contains(first.text) ? names.last : first
    }
  }
}
