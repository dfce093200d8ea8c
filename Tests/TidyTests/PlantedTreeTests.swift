import Testing

/// A set of files with faults that only show between files.
struct PlantedTree: Sendable, CustomTestStringConvertible {
  var name: String
  /// The text of each file by its path.
  var files: KeyValuePairs<String, String>
  /// The path and the beginning of the message of every violation, in the order of finding.
  var finds: [String] = []

  var testDescription: String { name }
}

/// The checks that compare files find what was planted for them, and nothing else.
@Suite struct PlantedTreeTests {
  private static let numbers = "Sources/Autowait/Numbers/Instant.swift"
  private static let rendering = "Sources/AutowaitRendering"
  private static let log = "Sources/Autowait/Log/Event.swift"

  @Test func fewAssertionsAreFound() {
    let text = { (count: Int) in
      "struct A {\n" + String(repeating: "  // Text: assert(false)\n", count: 96)
        + String(repeating: "  let a = b.assert\n", count: 2 - count)
        + String(repeating: "  func f() { assert(true) }\n", count: count) + "}\n"
    }
    for (count, isEnough) in [(1, false), (2, true)] {
      let source = Source(path: Self.numbers, bytes: Array(text(count).utf8))
      #expect(Assertions.count(in: source) == count)
      #expect(Assertions.check([source]).isEmpty == isEnough)
    }
  }

  @Test(arguments: [
    PlantedTree(
      name: "downwards",
      files: [log: "struct Event { var at: Instant }", numbers: "struct Instant {}"]),
    PlantedTree(
      name: "upwards",
      files: [numbers: "struct Instant {\n  var a: Event }", log: "enum Event {}"],
      finds: ["\(numbers): Numbers names Event of the higher layer Log"]),
    PlantedTree(
      name: "upwards in words only",
      files: [numbers: "/// See ``Event``.\nlet a = \"Event\"", log: "enum Event {}"]),
    PlantedTree(
      name: "upwards to a type inside an extension",
      files: [numbers: "let a: Cause?", log: "extension Instant {\n  struct Cause {}\n}"],
      finds: ["\(numbers): Numbers names Cause"]),
    PlantedTree(
      name: "every kind of type",
      files: [
        numbers: "f(A.self, B.self, C.self, D.self)",
        log: "struct A {}\nprotocol B {}\npublic typealias C = Int\n@frozen public enum D {}",
      ],
      finds: ["A", "B", "C", "D"].map { "\(numbers): Numbers names \($0) of" }),
    PlantedTree(
      name: "a nested type of the same name below",
      files: [numbers: "struct Queue { struct Event {}; var a: Event }", log: "enum Event {}"]),
    PlantedTree(
      name: "private and nested types above",
      files: [
        numbers: "let a = Local(), b = Inner()",
        log: "private struct Local {}\nstruct Outer { struct Inner {} }",
      ]),
    PlantedTree(
      name: "a new folder", files: ["Sources/Autowait/Misc/A.swift": ""],
      finds: ["Sources/Autowait/Misc/A.swift: the folder Misc is no layer"]),
    PlantedTree(
      name: "no folder", files: ["Sources/Autowait/A.swift": ""],
      finds: ["Sources/Autowait/A.swift: the top of the module is no layer"]),
    PlantedTree(
      name: "other files",
      files: ["Tests/Other/A.swift": "Event", "Sources/Autowait/A.docc/B.md": "Event"]),
    PlantedTree(
      name: "a new module", files: ["Sources/Other/A.swift": "", "Sources/Other/B.swift": ""],
      finds: ["Sources/Other/A.swift: the module Other has no row"]),
    PlantedTree(
      name: "the same name in another module",
      files: [
        numbers: "var a: Event", "Sources/AutowaitScenario/Running/A.swift": "enum Event {}",
      ]),
    PlantedTree(
      name: "upwards in another module",
      files: [
        "Sources/AutowaitScenario/Files/A.swift": "var b: B",
        "Sources/AutowaitScenario/Scenario/B.swift": "struct B { var a: A }",
      ],
      finds: ["Sources/AutowaitScenario/Files/A.swift: Files names B of the higher layer Scenario"]
    ),
    PlantedTree(
      name: "folders in a folder",
      files: [
        "\(rendering)/Text/A.swift": "struct A { var b: B }",
        "\(rendering)/Timeline/B.swift": "struct B { var a: A, c: C }",
        "\(rendering)/Stream/C.swift": "struct C {}",
        "\(rendering)/Stream/Deep/D.swift": "struct D { var b: B, c: C }",
      ],
      finds: [
        "\(rendering)/Text/A.swift: Text names B of the higher layer Timeline",
        "\(rendering)/Stream/Deep/D.swift: Stream names B of the higher layer",
      ]),
    PlantedTree(
      name: "the top of a module is the highest",
      files: [
        "Sources/AutowaitCommands/Files/A.swift": "B()",
        "Sources/AutowaitCommands/B.swift": "struct B { var a: A }",
        "Sources/AutowaitCommands/New/C.swift": "",
      ],
      finds: [
        "Sources/AutowaitCommands/New/C.swift: the folder New is no layer of AutowaitCommands",
        "Sources/AutowaitCommands/Files/A.swift: Files names B of the higher layer .",
      ]),
  ])
  func `upward names are found`(_ tree: PlantedTree) {
    check(tree, Layers.checkFolders)
  }

  @Test func `wrong tables of an article are found`() {
    let rows = { (names: [String]) in names.map { "| `\($0)` | x |\n" }.joined() }
    var text = rows(Layers.folders.map(\.module))
    for (module, folders) in Layers.folders where folders.count > 1 {
      text += "`\(module)`:\n" + rows(folders.filter { $0 != "." && !$0.contains("/") })
    }
    let article = { (text: String) in Layers.checkArticle(Source(path: "a.md", text)) }
    #expect(article(text).isEmpty)
    let fewer = text.split(separator: "\n").filter { !$0.contains("`Traces`") }
    #expect(
      article(fewer.joined(separator: "\n")).map(\.message) == [
        "the folders of AutowaitScenario are not those of Layers.folders"
      ])
    #expect(article("| `New` | x |\n" + text).count == 1)
  }

  @Test(arguments: [
    PlantedTree(
      name: "used", files: ["A.swift": "struct A {}", "BTests.swift": "@Test func b() { A() }"]),
    PlantedTree(
      name: "unused", files: ["A.swift": "struct A { init() { A() } }", "main.swift": "// A"],
      finds: ["A.swift: no other file names A"]),
    PlantedTree(
      name: "a private type", files: ["A.swift": "private struct A {}", "main.swift": "A()"],
      finds: ["A.swift: the file declares nothing"]),
    PlantedTree(
      name: "empty", files: ["A.swift": "import B"], finds: ["A.swift: the file declares nothing"]),
    PlantedTree(
      name: "a function", files: ["A.swift": "func a() {}", "main.swift": "a()"]),
    PlantedTree(
      name: "extensions",
      files: ["A+B.swift": "extension A { struct B {} }", "C.swift": "enum C {}\nextension C {}"],
      finds: ["C.swift: no other file names C"]),
    PlantedTree(
      name: "beginnings",
      files: ["a/main.swift": "f()", "B.swift": "@main struct B {}", "Package.swift": "let a = 1"]),
  ])
  func `unused files are found`(_ tree: PlantedTree) {
    check(tree, Orphans.checkSwift)
  }

  @Test(arguments: [
    PlantedTree(
      name: "a pair",
      files: ["Scenarios/a.json": "{ \"autowait\": 1 }", "Scenarios/a.expected.log": ""]),
    PlantedTree(
      name: "no golden", files: ["Scenarios/a/b.json": "{\n  \"autowait\" : 1,\n}"],
      finds: ["Scenarios/a/b.json: its golden log Scenarios/a/b.expected.log is missing"]),
    PlantedTree(
      name: "no scenario", files: ["Scenarios/a.expected.log": "", "Scenarios/b.json": ""],
      finds: ["Scenarios/a.expected.log: its scenario Scenarios/a.json is missing"]),
    PlantedTree(
      name: "runs",
      files: [
        "Scenarios/a.json": "{ \"autowait\": 1, \"vary\": {} }", "Scenarios/a.x.expected.log": "",
        "Scenarios/a.y.1.expected.log": "",
      ]),
    PlantedTree(
      name: "runs without golden logs, and one that is that of no run",
      files: [
        "Scenarios/a.json": "{ \"autowait\": 1, \"vary\": {} }", "Scenarios/a.expected.log": "",
        "Scenarios/b.json": "{ \"autowait\": 1 }", "Scenarios/b.x.expected.log": "",
        "Scenarios/b.expected.log": "",
      ],
      finds: [
        "Scenarios/a.json: its golden log Scenarios/a.RUN.expected.log is missing",
        "Scenarios/a.expected.log: its scenario Scenarios/a.json is missing",
        "Scenarios/b.x.expected.log: its scenario Scenarios/b.x.json is missing",
      ]),
    PlantedTree(
      name: "a known bug", files: ["Scenarios/a.json": "{ \"autowait\": 1, \"xfail\": \"b\" }"]),
    PlantedTree(
      name: "no scenario at all",
      files: ["Scenarios/link.json": "{ \"autowait\": 12 }", "Tests/a.json": "{\"autowait\":1}"]),
  ])
  func `single scenarios and golden logs are found`(_ tree: PlantedTree) {
    check(tree, Orphans.checkScenarios)
  }

  @Test(arguments: [
    PlantedTree(
      name: "linked",
      files: [
        "A.docc/A.md": "# ``A``\n<doc:one> [b](doc:/x/two#c)", "A.docc/one.md": "# 1",
        "A.docc/two.md": "",
      ]),
    PlantedTree(
      name: "not linked",
      files: ["A.docc/A.md": "# ``A``\none <doc:one-two>", "A.docc/one.md": "# One"],
      finds: ["A.docc/one.md: no other page links <doc:one>"]),
    PlantedTree(
      name: "linked by itself", files: ["A.docc/one.md": "# One\n<doc:one>"],
      finds: ["A.docc/one.md: no other page"]),
  ])
  func `articles without a link are found`(_ tree: PlantedTree) {
    check(tree, Orphans.checkArticles)
  }

  @Test(arguments: [
    PlantedTree(
      name: "different names",
      files: ["Sources/A/A.swift": "struct A { struct B {} }", "Sources/A/C.swift": "enum C {}"]),
    PlantedTree(
      name: "the top of two modules",
      files: ["Sources/A/A.swift": "struct T {}", "Sources/B/B.swift": "public enum T {}"],
      finds: ["Sources/B/B.swift: T has the name of T in Sources/A/A.swift"]),
    PlantedTree(
      name: "the top of a module and of its tests",
      files: ["Sources/A/A.swift": "struct T {}", "Tests/ATests/B.swift": "\nfinal class T {}"],
      finds: ["Tests/ATests/B.swift: T has the name of T in Sources/A/A.swift"]),
    PlantedTree(
      name: "two owners in a module",
      files: [
        "Sources/A/A.swift": "struct A { struct Row {} }",
        "Sources/A/B.swift": "extension B.C {\n  enum D { indirect enum Row {} }\n}",
      ],
      finds: ["Sources/A/B.swift: B.C.D.Row has the name of A.Row in Sources/A/A.swift"]),
    PlantedTree(
      name: "an owner and the top of the module",
      files: ["Sources/A/A.swift": "struct Row {}\nstruct A { struct Row {} }"],
      finds: ["Sources/A/A.swift: A.Row has the name of Row in line 1"]),
    PlantedTree(
      name: "owners in two modules, and in tests",
      files: [
        "Sources/A/A.swift": "struct A { struct Row {} }",
        "Sources/B/B.swift": "struct B { struct Row {} }",
        "Tests/ATests/C.swift": "struct C { struct Row {} }\nstruct D { struct Row {} }",
      ]),
    PlantedTree(
      name: "private types, types of functions, and names by convention",
      files: [
        "Sources/A/A.swift": "private struct T {}\nstruct A { enum Kind {}; private struct R {} }",
        "Sources/A/B.swift": "struct T {}\nstruct B { enum Kind {}; struct R {} }",
        "Sources/A/C.swift": "fileprivate enum C { struct R {} }\nfunc f() { struct T {} }",
      ]),
  ])
  func `types that share a name are found`(_ tree: PlantedTree) {
    check(tree, Names.checkTypes)
  }

  @Test(arguments: [
    PlantedTree(
      name: "types with the words of the glossary",
      files: [
        "Sources/A/A.swift": "struct IdealLink {}\nstruct A { enum TCPSegment {} }",
        "glossary.md": "| word | notion | type |\n|---|---|---|\n| edge | e | |\n"
          + "| ideal link | a link | `IdealLink` |\n| TCP segment | s | `TCPSegment` |",
      ]),
    PlantedTree(
      name: "a type that is gone, one of another word, and a row out of order",
      files: [
        "Sources/A/A.swift": "struct Path {}",
        "glossary.md": "| link | l | `Link` |\n| way | w | `Path` |\n| share | s | |",
      ],
      finds: [
        "glossary.md: no type is called Link", "glossary.md: Path does not have the word 'way'",
        "glossary.md: 'share' does not stand in the order",
      ]),
  ])
  func `words without their types are found`(_ tree: PlantedTree) {
    check(tree, Names.checkGlossary)
  }

  @Test func `strangers at the top level are found`() {
    let paths = [
      "Package.swift", "Sources/A/B.swift", ".ci/run", "Docs/a.md", "a.txt", "Docs/b.md",
    ]
    expect(
      Orphans.checkTopLevel(paths), found: ["Docs: the top level", "a.txt: the top level"],
      isPathFirst: true)
  }

  /// Runs one check over one planted tree.
  private func check(_ tree: PlantedTree, _ check: ([Source]) -> [Violation]) {
    let sources = tree.files.map { Source(path: $0.key, $0.value) }
    expect(check(sources), found: tree.finds, isPathFirst: true)
  }
}
