import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// What is written for CI servers is well-formed, whatever a scenario calls itself.
@Suite struct ReportTests {
  @Test func junitHasFilesLinesAndProperties() throws {
    let fixture = try CommandFixture([
      "s/a.json": Fixture.scenario(startupMax: "6.1 s"), "s/b.json": Fixture.playing,
      "t/c.json": "{\"autowait\": 1}",
    ])
    _ = fixture.call("test", "$/s/b.json", "--update")
    let outcome = fixture.call("test", "$", "--junit", "$/report.xml")
    #expect(outcome.code == 2)
    let text = try fixture.read("report.xml").replacing(fixture.folder, with: "$")
    let fingerprint = try fixture.read("s/b.expected.log").dropLast(3).suffix(16)
    let failure = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="autowait 0.1.0" tests="3" failures="1" errors="1" skipped="0" \
      time="0.000000">
        <testsuite name="$/s" tests="2" failures="1" errors="0" skipped="0" time="0.000000">
          <properties>
            <property name="autowaitVersion" value="0.1.0"/>
            <property name="modelVersion" value="\(Fixture.model)"/>
            <property name="commit" value="development"/>
          </properties>
          <testcase classname="$/s" name="a" file="$/s/a.json" line="13" time="0.000000">
            <properties>
              <property name="simulatedTime" value="45.459375"/>
              <property name="seed" value="1"/>
              <property name="fingerprint" value="\(fingerprint)"/>
            </properties>
            <failure message="expected {&quot;metric&quot;:&quot;timeSpentInInitialStartup&quot;,\
      &quot;&lt;=&quot;:&quot;6.1 s&quot;}" type="expectation">\
      $/s/a.json:13: expected \
      {&quot;metric&quot;:&quot;timeSpentInInitialStartup&quot;,&quot;&lt;=&quot;:&quot;6.1 s&quot;}
        observed 6.1096875 s
        why: playback starts after 6.109688 s because of the rule, which waits for more than the \
      first media: after 0 s without it
      reproduce with: autowait run $/s/a.json --seed 1
      </failure>
          </testcase>
          <testcase classname="$/s" name="b" file="$/s/b.json" line="1" time="0.000000">
            <properties>
              <property name="simulatedTime" value="45.459375"/>
              <property name="seed" value="1"/>
              <property name="fingerprint" value="\(fingerprint)"/>
            </properties>
          </testcase>
        </testsuite>
        <testsuite name="$/t" tests="1" failures="0" errors="1" skipped="0" time="0.000000">
          <properties>
            <property name="autowaitVersion" value="0.1.0"/>
            <property name="modelVersion" value="\(Fixture.model)"/>
            <property name="commit" value="development"/>
          </properties>
          <testcase classname="$/t" name="c" file="$/t/c.json" line="1" time="0.000000">
            <error message="a scenario needs the key 'link'
      """
    #expect(text.hasPrefix(failure))
    #expect(try parse(fixture, "report.xml") == 3)
  }

  @Test func junitIsWellFormedWhateverTheNames() throws {
    let name = "<&>\\\"'\\u0000\\u001b]]>\\ufffe\\ud83d\\ude00"
    let fixture = try CommandFixture([
      "<a&\"b'>.json": Fixture.scenario(name: name, startupMax: "6.1 s")
    ])
    _ = fixture.call("test", "$", "--junit", "$/report.xml")
    #expect(try parse(fixture, "report.xml") == 1)
  }

  @Test func junitIsNotWrittenInPart() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let outcome = fixture.call("test", "$", "--junit", "$/none/report.xml")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages == """
        $/none/report.xml: error: the file cannot be written: the folder '$/none' does not exist

        """)
  }

  @Test(arguments: [true, false])
  func annotationsNameFileAndLine(_ isAutomatic: Bool) throws {
    let fixture = try CommandFixture([
      "a,b.json": Fixture.scenario(name: "100%: a, b", startupMax: "6.1 s")
    ])
    _ = fixture.call("test", "$", "--update")
    if isAutomatic { fixture.variables["GITHUB_ACTIONS"] = "true" }
    let outcome = isAutomatic ? fixture.call("test", "$") : fixture.call("test", "$", "--github")
    let line = """
      ::error file=$/a%2Cb.json,line=13,title=100%25%3A a%2C b::expected \
      {"metric":"timeSpentInInitialStartup","<=":"6.1 s"}%0Aobserved 6.1096875 s%0A\
      why: playback starts after 6.109688 s because of the rule, which waits for more than the \
      first media: after 0 s without it

      """
    #expect(outcome.output.hasSuffix(line))
    #expect(outcome.messages == "")
    fixture.variables["GITHUB_ACTIONS"] = "true"
    let json = fixture.call("test", "$", "--format", "json")
    #expect(json.output.split(separator: "\n").count == 1)
    #expect(json.messages == line)
  }

  @Test func annotationsHideNothingAndTurnNothing() throws {
    let name = "a\\u001b[31m\\u0007\\u0000\\r\\n::\\u202e\\u2066\\u061c\\u200b数"
    let fixture = try CommandFixture([
      "a\u{202E}\u{1B}.json": Fixture.scenario(name: name, startupMax: "6.1 s")
    ])
    let outcome = fixture.call("test", "$", "--github")
    let sign = "\u{FFFD}"
    let title = "a\(sign)[31m" + String(repeating: sign, count: 4) + "%3A%3A"
    let line = "::error file=$/a\(sign)\(sign).json,line=13,title=\(title)"
    let rest = String(repeating: sign, count: 4) + "数::expected "
    let annotation = outcome.output.split(separator: "\n").last ?? ""
    #expect(annotation.hasPrefix(line + rest), "\(annotation)")
    for scalar in annotation.unicodeScalars {
      let category = scalar.properties.generalCategory
      #expect(category != .control && category != .format, "\(scalar.value)")
    }
  }

  @Test func noMoreThanTenAnnotations() throws {
    var files: [String: String] = [:]
    for index in 0..<12 { files["\(index).json"] = Fixture.scenario(startupMax: "6.1 s") }
    let fixture = try CommandFixture(files)
    let lines = fixture.call("test", "$", "--github").output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 10)
  }

  @Test func theSummaryIsAppended() throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.scenario(startupMax: "6.1 s"), "summary.md": "before\n",
    ])
    _ = fixture.call("test", "$", "--update")
    fixture.variables = [
      "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": fixture.path("summary.md"),
    ]
    _ = fixture.call("test", "$")
    let text = try fixture.read("summary.md").replacing(fixture.folder, with: "$")
    #expect(
      text == """
        before
        ### autowait test

        1 scenario: 0 passed, 1 failed

        | scenario | what | reproduce with |
        |---|---|---|
        | $/a.json | expected {"metric":"timeSpentInInitialStartup","&lt;=":"6.1 s"} | \
        `autowait run $/a.json --seed 1` |


        """)
  }

  /// Parses a report and returns the number of its cases.
  private func parse(_ fixture: CommandFixture, _ name: String) throws -> Int {
    final class Counter: NSObject, XMLParserDelegate {
      var cases = 0
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
      ) {
        if name == "testcase" { cases += 1 }
      }
    }
    let parser = XMLParser(data: Data(try fixture.read(name).utf8))
    let counter = Counter()
    parser.delegate = counter
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return counter.cases
  }
}
