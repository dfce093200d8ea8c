import Testing

/// A file with faults planted in it, or without any.
struct Planted: Sendable, CustomTestStringConvertible {
  var name: String
  var path = "Sources/Autowait/Link/Link.swift"
  var text: String
  /// The line and the beginning of the message of every violation, in the order of finding.
  var finds: [String] = []

  var testDescription: String { name }
}

/// Each check finds what was planted for it, and nothing else.
@Suite struct PlantedFaultTests {
  @Test(arguments: [
    Planted(name: "nothing banned", text: "struct Link { var rate: BitRate }"),
    Planted(name: "a clock", text: "let a = 1\nlet now = Date()", finds: ["2: `Date`"]),
    Planted(name: "a longer name", text: "let a = Dated(); let b = DictionaryWord.isSetting"),
    Planted(
      name: "in a comment", text: "// a Dictionary, Set<Int> and 0.5\n/* Date /* any P */ */"),
    Planted(name: "in a string", text: #"let a = "Date() \"any P\" try! 0.5""#),
    Planted(name: "in a raw string", text: ##"let a = #"Date "any P" \(Set)"#"##),
    Planted(name: "in a long string", text: "let a = \"\"\"\n  Date \"any\" \"\"\n  \"\"\"\n"),
    Planted(
      name: "in an interpolation", text: #"let a = "x \(f(Date(), ")")) Set" + Set()"#,
      finds: ["1: `Date`", "1: `Set`"]),
    Planted(
      name: "after strings and comments",
      text: "a = \"\"\"\n\\(1)\n\"\"\" // \"\n/* \n */ Date",
      finds: ["5: `Date`"]),
    Planted(
      name: "dictionary types", text: "var a: [String: Int] = [:]\nvar b: [Kind.Name: Int]",
      finds: ["1: `[$Type:`", "1: `[:]`", "2: `[$Type.$Type:`"]),
    Planted(
      name: "dictionary literals", text: "f([\"a\": 1])\nf([.a: 1])",
      finds: ["1: `[$string:`", "2: `[.$word:`"]),
    Planted(
      name: "arrays and labels", text: "a[slot: 1]; let b = [c ? .d : .e]; var f: [G] = [.h]"),
    Planted(
      name: "existentials", text: "var a: any Rule\nvar b: [any Rule]",
      finds: ["1: `any $Type`", "2: `any $Type`"]),
    Planted(name: "the word any", text: "let any = 1; f(any: any); var a: some Rule"),
    Planted(
      name: "references", text: "final class Link {}\nactor Run {}\nclass func f() {}",
      finds: ["1: `class $word`", "2: `actor $word`", "3: `class $word`"]),
    Planted(name: "a label that is a keyword", text: "init(instant: Instant, class: EventClass)"),
    Planted(name: "a quoted keyword", text: "let a = `class` + b.class\nlet `await` = 1"),
    Planted(
      name: "forced", text: "try! f()\na as! B\ntry !f(); a != b",
      finds: ["1: `try!`", "2: `as!`"]),
    Planted(
      name: "floats", text: "let a: Double = 1\nlet b = 0.5 + 1e3 + 1.5E-3\nlet c = 0x1e3",
      finds: ["1: `Double`", "2: `$float`", "2: `$float`", "2: `$float`"]),
    Planted(name: "no floats", text: "let a = pair.0.1 + 1_000; for i in 0...1 {}; f(0xE, 1.a)"),
    Planted(
      name: "floats in the rules", path: "Sources/Autowait/KeepUp/Bola.swift",
      text: "let a: Double = 0.5\nlet b = log(a)", finds: ["2: `log(`"]),
    Planted(
      name: "libm", text: "a = log(b)\nc = trace.log(d)\nfunc pow(_ e: Int) {}\nlet exp = 1",
      finds: ["1: `log(`"]),
    Planted(
      name: "randomness", text: "Int.random(in: 0..<2)\nrandom(1)\na.shuffled()\nlet b = a.random",
      finds: ["1: `.random(`", "3: `.shuffled(`"]),
    Planted(
      name: "outside of the core", path: "Sources/AutowaitCommands/Run.swift",
      text: "var a: [String: Double] = [:]; final class B {}; print(0.5)"),
    Planted(
      name: "everywhere", path: "Tests/AutowaitTests/RunTests.swift",
      text:
        "@testable import A\n@Test(.disabled(\"b\"))\nsleep(1)\nstruct C: @unchecked Sendable {}",
      finds: ["1: `@testable`", "2: `.disabled(`", "3: `sleep(`", "4: `@unchecked Sendable`"]),
    Planted(
      name: "marks in comments",
      text: "// TO" + "DO: f\n/* a\n FIX" + "ME */\nlet b = \"XX" + "X\"",
      finds: ["1: `TO" + "DO`", "3: `FIX" + "ME`"]),
    Planted(name: "marks in longer words", text: "// TO" + "DOS, XX" + "XX, a hack"),
    Planted(name: "marks in articles", path: "README.md", text: "a\nHA" + "CK", finds: ["2: `HA"]),
  ])
  func `banned code is found`(_ planted: Planted) {
    check(planted, Bans.check)
  }

  @Test(arguments: Bans.table.map(\.code))
  func `every ban finds its own code`(_ code: String) {
    let spelled =
      code.replacing("$word", with: "name").replacing("$Type", with: "Name")
      .replacing("$string", with: #""text""#).replacing("$float", with: "0.5")
    let found = ["let a = \(spelled)", "// \(spelled)"].flatMap {
      Bans.check(Source(path: "Sources/Autowait/Link/Link.swift", $0))
    }
    #expect(found.contains { $0.message.hasPrefix("`\(code)`") })
  }

  @Test(arguments: [
    Planted(name: "no import", text: "struct Link {}"),
    Planted(name: "the core", text: "\nimport Glibc", finds: ["2: Autowait imports Glibc; it may"]),
    Planted(
      name: "the reader", path: "Sources/AutowaitScenario/A.swift",
      text: "import Autowait\npublic import struct Foundation.Date",
      finds: ["2: AutowaitScenario imports Foundation; it may import Autowait"]),
    Planted(
      name: "the commands", path: "Sources/AutowaitCommands/A.swift",
      text: "import Autowait\n#if canImport(Glibc)\nimport Glibc\n#endif\nimport AutowaitTool",
      finds: ["5: AutowaitCommands imports AutowaitTool"]),
    Planted(
      name: "the tool", path: "Sources/AutowaitTool/main.swift",
      text: "import AutowaitCommands\nimport Autowait", finds: ["2: AutowaitTool imports Autowait;"]
    ),
    Planted(
      name: "a new module", path: "Sources/New/A.swift", text: "",
      finds: ["1: the module New has no row"]),
    Planted(name: "a test", path: "Tests/NewTests/A.swift", text: "import Foundation"),
  ])
  func `forbidden imports are found`(_ planted: Planted) {
    check(planted, Layers.checkImports)
  }

  @Test(arguments: [
    Planted(name: "a tab", text: "a\n\tb", finds: ["2: a tab"]),
    Planted(name: "white space", text: "a \nb", finds: ["1: white space ends the line"]),
    Planted(name: "a carriage return", text: "a\r\nb", finds: ["1: white space ends the line"]),
    Planted(name: "100 columns", text: String(repeating: "é", count: 100)),
    Planted(
      name: "101 columns", text: "\n" + String(repeating: "é", count: 101),
      finds: ["2: a line of 101 columns"]),
    Planted(name: "600 lines", text: String(repeating: "a\n", count: 600)),
    Planted(
      name: "601 lines", text: String(repeating: "a\n", count: 601), finds: ["601: a file of 601"]),
    Planted(
      name: "a long line of prose", path: "README.md", text: String(repeating: "a", count: 101),
      finds: ["1: a line of 101 columns"]),
    Planted(
      name: "a table and an address", path: "README.md",
      text: "|" + String(repeating: "a", count: 100) + "\nhttps://"
        + String(repeating: "b", count: 99)),
    Planted(
      name: "a long script", path: ".ci/run", text: String(repeating: "a", count: 101),
      finds: ["1: a line of 101 columns"]),
    Planted(
      name: "a long line of data", path: "Scenarios/a.json",
      text: String(repeating: "a", count: 101)),
    Planted(
      name: "a golden of 200 lines", path: "Scenarios/a.expected.log",
      text: String(repeating: "\ta \n", count: 200)),
    Planted(
      name: "a golden of 201 lines", path: "Scenarios/a.expected.log",
      text: String(repeating: "a\n", count: 201), finds: ["201: a golden of 201 lines"]),
  ])
  func `long lines and files are found`(_ planted: Planted) {
    check(planted, Lengths.checkLines)
  }

  @Test(arguments: [
    Planted(name: "70 lines", text: "func a() {\n" + String(repeating: "b\n", count: 68) + "}"),
    Planted(
      name: "71 lines", text: "\nfunc a() {\n" + String(repeating: "b\n", count: 69) + "}",
      finds: ["2: a has 71 lines; at most 70"]),
    Planted(
      name: "a long property", text: "var a: Int {\n" + String(repeating: "b\n", count: 69) + "}",
      finds: ["1: a has 71 lines"]),
    Planted(
      name: "a long initialiser behind a requirement",
      text: "protocol P {\n  func a()\n  var b: Int { get }\n}\nextension Q {\n  init<T>(c: T)\n"
        + "  where T: P {\n" + String(repeating: "d { }\n", count: 68) + "  }\n}",
      finds: ["6: init has 71 lines"]),
    Planted(
      name: "a requirement before a long type",
      text: "protocol P {\n  func a()\n}\nstruct Q {\n" + String(repeating: "\n", count: 99) + "}"),
    Planted(
      name: "a stored property before a long type",
      text: "let a = 1\nvar b = 2\nstruct Q {\n" + String(repeating: "\n", count: 99) + "}"),
    Planted(name: "5 parameters", text: "func f(a: Int, _ b: Int, c d: Int, e: Int, f: Int,) {}"),
    Planted(
      name: "6 parameters",
      text: "\ninit?(a: A, _ b: B, c d: C, e: E = [1: 2], f: F<G, H>, i: I) {}",
      finds: ["2: init has 6 parameters; at most 5"]),
    Planted(
      name: "a call of an initialiser", text: "let a = A.init(b: 1, c: 2, d: 3, e: 4, f: 5, g: 6)"),
    Planted(
      name: "what only looks like parameters",
      text: "func f<A: B, C: D>(a: (b: Int, c: Int, d: Int), e: [F: G], h: (I, J) -> K) {}"),
  ])
  func `long functions are found`(_ planted: Planted) {
    check(planted, Lengths.checkFunctions)
  }

  @Test(arguments: [
    Planted(
      name: "a default", text: "switch a {\ncase .b: c()\ndefault: break\n}",
      finds: ["3: a `default` over the cases"]),
    Planted(
      name: "another word for it", text: "switch a {\ncase .b: c()\ncase _: break\n}",
      finds: ["3: a `default` over the cases"]),
    Planted(
      name: "cases with what they carry",
      text: "switch (a, b) {\ncase (let c, .d(e: .f)) where g: 1\ndefault: 2\n}\n"
        + "switch a {\ncase let .b(c),\n  let .d(c): 1\ndefault: 2\n}\n"
        + "switch a {\ncase B.c: 1\ndefault: 2\n}",
      finds: ["3: a `default`", "8: a `default`", "12: a `default`"]),
    Planted(
      name: "one in another",
      text: "switch a {\ncase 1:\n  switch b {\n  case .c: d { e }\n  default: f\n  }\n"
        + "  if case .g = h, case .i = j { k }\ndefault: l\n}",
      finds: ["5: a `default`"]),
    Planted(
      name: "a closure in the subject",
      text: "switch a(b { $0 }) {\ncase .c: d\ndefault: e\n}", finds: ["3: a `default`"]),
    Planted(
      name: "every case",
      text: "switch a {\ncase .b: c[d, default: []]\ncase .default: e\ncase _ where f: g\n}"),
    Planted(
      name: "no enumeration",
      text: "switch a {\ncase 0x80..., ..<5: B.c\ncase \"d\", E.f.g: .h\n"
        + "case i.j: a ? .k : .l\ndefault: m(.n)\n}"),
    Planted(
      name: "an enumeration of others",
      text: "switch scalar.properties.generalCategory {\ncase .control: a\ndefault: b\n}"),
    Planted(
      name: "an allowed one", path: "Sources/AutowaitScenario/Movies/MovieReader.swift",
      text: "switch header.type {\ncase .moov: a\ndefault: b\n}"),
    Planted(
      name: "another one of that file", path: "Sources/AutowaitScenario/Movies/MovieReader.swift",
      text: "switch header.kind {\ncase .moov: a\ndefault: b\n}", finds: ["3: a `default`"]),
    Planted(
      name: "a test", path: "Tests/AutowaitTests/RunTests.swift",
      text: "switch a {\ncase .b: c()\ndefault: break\n}"),
  ])
  func `a default over an enumeration is found`(_ planted: Planted) {
    check(planted, Switches.check)
  }

  /// Runs one check over one planted file.
  private func check(_ planted: Planted, _ check: (Source) -> [Violation]) {
    expect(check(Source(path: planted.path, planted.text)), found: planted.finds)
  }
}

/// Expects exactly the violations that begin as given.
func expect(
  _ violations: [Violation], found wanted: [String], isPathFirst: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let found = violations.map { (isPathFirst ? "\($0.path): " : "\($0.line): ") + $0.message }
  let isAsWanted = found.count == wanted.count && zip(found, wanted).allSatisfy { $0.hasPrefix($1) }
  #expect(isAsWanted, "found \(found), wanted \(wanted)", sourceLocation: sourceLocation)
}
