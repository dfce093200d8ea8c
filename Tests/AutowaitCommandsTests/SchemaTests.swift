import Autowait
import AutowaitExperiment
import AutowaitScenario
import Foundation
import Testing

@Suite struct SchemaTests {
  private static let files: [(word: String, schema: Schema)] = [
    ("scenario", ScenarioKeys.file),
    ("experiment", .object { ExperimentKeys.object }), ("link", LinkKeys.file),
    ("heuristic", HeuristicKeys.nameOrObject),
  ]

  /// Two kinds of one name would be one definition, of which one is wrong.
  @Test(arguments: files.indices)
  func aNameIsThatOfOneKind(_ index: Int) {
    var reader = KindReader()
    reader.read(Self.files[index].schema)
    for (name, texts) in reader.texts {
      #expect(Set(texts).count == 1, "\(name) has \(Set(texts).count) meanings")
    }
    let written = SchemaWriter.kinds(in: Self.files[index].schema).map(\.definition)
    #expect(Set(written) == Set(reader.texts.keys))
  }

  @Test(arguments: files.map(\.word))
  func whatIsPrintedIsJSON(_ word: String) throws {
    let outcome = try CommandFixture().call("schema", word)
    #expect(outcome.code == 0)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let schema = try #require(object as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["$id"] as? String == "urn:autowait:schema:\(word):1")
    #expect(
      (word == "scenario") == outcome.output.contains("; from iOS 16 on") || word == "experiment")
    // All that is referred to is there.
    let definitions = try #require(schema["$defs"] as? [String: Any])
    let references = outcome.output.components(separatedBy: "\"#/$defs/").dropFirst()
    #expect(references.allSatisfy { definitions[String($0.prefix { $0 != "\"" })] != nil })
  }

  @Test func aFileMayNameItsSchema() throws {
    let fixture = try CommandFixture([
      "link.json": #"{"$schema": "x", "rate": "1 Mbit/s"}"#,
      "a.json": """
      {"$schema": "x", "link": "link.json", "heuristic": {"$schema": "x", "verdictSize": 1},
       "media": {"kind": "progressive", "duration": 9, "bitrate": 900000},
       "script": [{"at": 0, "do": "load"}]}
      """,
    ])
    #expect(fixture.call("check", "$/a.json").code == 0)
  }

  /// The pattern of the names of percentiles holds of just those that are read.
  @Test func percentilesAreThoseThatAreRead() throws {
    let printed = try CommandFixture().call("schema", "experiment").output
    let schema = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
    let definitions = try #require(schema?["$defs"] as? [String: [String: Any]])
    let patterns = try #require(definitions["threshold"]?["patternProperties"] as? [String: Any])
    let pattern = try #require(patterns.keys.first)
    #expect(patterns.count == 1)
    let words = ["0.1", "0.9", "1", "9.5", "50", "95", "99", "99.9", "100", "0", "0.0", "095"]
    for word in words + ["95.0", "9.55", "", "1.", ".5", "99.95", "9x"] {
      let threshold = "{\"metric\": \"stallCount\", \"p\(word)\": {\"<=\": 1}}"
      let fixture = try CommandFixture(["x.json": ThresholdTests.experiment(threshold)])
      let isRead = fixture.call("check", "$/x.json").code == 0
      let isMatched = "p\(word)".range(of: pattern, options: .regularExpression) != nil
      #expect(isRead == isMatched, "p\(word)")
    }
  }

  /// Every key of every object is explained to who types it.
  @Test(arguments: files.map(\.word))
  func everyKeyHasADescription(_ word: String) throws {
    let printed = try CommandFixture().call("schema", word).output
    let schema = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
    let definitions = try #require(schema?["$defs"] as? [String: [String: Any]])
    for (name, definition) in definitions {
      let properties =
        (definition["properties"] as? [String: [String: Any]] ?? [:]).merging(
          definition["patternProperties"] as? [String: [String: Any]] ?? [:]
        ) { first, _ in first }
      for (key, property) in properties {
        #expect(!(property["description"] as? String ?? "").isEmpty, "\(name) \(key)")
      }
    }
  }

  /// Returns a definition of a schema.
  private func definition(_ name: String, of word: String) throws -> [String: Any] {
    let printed = try CommandFixture().call("schema", word).output
    let schema = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
    let definitions = try #require(schema?["$defs"] as? [String: [String: Any]])
    return try #require(definitions[name])
  }

  /// The keys of which one is needed.
  private func needed(_ rule: String, _ definition: [String: Any]) -> [String] {
    (definition[rule] as? [[String: [String]]] ?? []).flatMap { $0["required"] ?? [] }
  }

  @Test func whatIsNeededIsSaid() throws {
    let link = try definition("completeLink", of: "link")
    #expect(needed("anyOf", link) == ["use", "rate", "down"])
    let direction = try definition("completeDirection", of: "link")
    #expect(needed("oneOf", direction) == ["rate", "track", "random"])
    // What changes another link, or goes up, need not say what it carries.
    #expect(needed("oneOf", try definition("direction", of: "link")) == [])
    let file = try definition("fileOverHTTP", of: "scenario")
    #expect(needed("oneOf", file) == ["bitrate", "size"])
    #expect(needed("oneOf", try definition("file", of: "scenario")) == [])
    let metric = try definition("expectedMetric", of: "scenario")
    #expect(
      needed("anyOf", metric) == ["==", "!=", "<", "<=", ">", ">=", "between", "approximately"])
    let scenario = try definition("scenario", of: "scenario")
    let conditions = try #require(scenario["allOf"] as? [[String: [String: Any]]])
    #expect(conditions.contains { $0["then"]?["required"] as? [String] == ["media"] })
    // What others complete says what it likes.
    let part = try definition("scenarioPart", of: "scenario")
    #expect(part["required"] == nil && part["allOf"] == nil)
    #expect(try definition("fileOverHTTPPart", of: "scenario")["oneOf"] == nil)
  }

  @Test func wordsHaveNoOrder() throws {
    func keys(_ property: String) throws -> Set<String> {
      let definition = try definition("comparisonOf_\(property)", of: "scenario")
      return Set((definition["properties"] as? [String: Any] ?? [:]).keys)
    }
    #expect(try keys("actionAtItemEnd") == ["==", "!="])
    #expect(try keys("isPlaybackBufferFull") == ["==", "!="])
    #expect(try keys("loadedTimeRanges") == ["==", "!="])
    let all: Set = [
      "==", "!=", "<", "<=", ">", ">=", "between", "approximately", "tolerance",
    ]
    #expect(try keys("loaded") == all && keys("offsetFromLive") == all)
    #expect(try keys("currentItem") == all)
  }

  @Test func theNamesOfLinksAreOffered() throws {
    let name = try definition("linkName", of: "link")
    let choices = try #require(name["anyOf"] as? [[String: Any]])
    #expect(choices[0]["enum"] as? [String] == LinkPreset.all.map(\.name))
    #expect(choices[1]["type"] as? String == "string")
  }

  @Test func aMistypedKindIsToldWithTheNearest() throws {
    let outcome = try CommandFixture().call("schema", "scenarios")
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains("did you mean 'scenario'?"))
    #expect(try CommandFixture().call("schema", "link", "link").code == 2)
  }
}

/// Collects the schemas of all kinds, each time that one is named.
private struct KindReader {
  private(set) var texts: [String: [String]] = [:]

  mutating func read(_ schema: Schema) {
    switch schema {
    case .object(let kind): read(kind())
    case .forms(let forms): for form in forms { read(form.object()) }
    case .either(let schemas): for schema in schemas { read(schema) }
    case .list(let element, _): read(element)
    case .any, .null, .bool, .string, .pattern, .number, .integer, .quantity, .words, .suggested:
      break
    }
  }

  private mutating func read(_ kind: ObjectKind) {
    let isNew = texts[kind.definition] == nil
    let rows = kind.keys + kind.cases.flatMap(\.keys)
    texts[kind.definition, default: []].append(
      "\(kind.subject)\(rows.map { "\($0.name) \($0.presence) \($0.about)" })\(kind.choices)"
        + "\(kind.needed)")
    guard isNew else { return }
    for row in rows { read(row.schema) }
    if let others = kind.others { read(others) }
  }
}
