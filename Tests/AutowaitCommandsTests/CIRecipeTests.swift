import Foundation
import Testing

/// What users copy for their CI servers does what it says, as far as it runs without one.
///
/// The lines that a server would give to a shell are read out of the files and given to one, in a
/// repository of their own, with a copy of the sources that is as the servers would clone it but
/// for the binary, which stands where the first job would have left it.
@Suite struct CIRecipeTests {
  private static func text(_ path: String) throws -> String {
    try #require(MarkdownDocument.read(path), "there is no file \(path)")
  }

  /// Returns a folder with two scenarios, of which one fails, and with the binary in its place.
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture([
      "Scenarios/a.json": Fixture.scenario(startupMax: "6.1 s"),
      "Scenarios/b.json": Fixture.playing, "clone/Sources/x": "", "clone/Package.swift": "",
      "clone/.swift-version": "",
    ])
    let install = ".github/actions/autowait/install"
    try fixture.write("clone/\(install)", try Self.text(install))
    try fixture.makeExecutable("clone/\(install)")
    let made = try run(
      fixture,
      """
      git init -q clone && cd clone && git add . &&
      git -c user.name=a -c user.email=a@b commit -qm one && cd .. &&
      key=$(clone/\(install) --key) && mkdir -p .autowait-bin/$key home/.cache/autowait-bin &&
      printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$TOOL" >.autowait-bin/$key/autowait &&
      chmod +x .autowait-bin/$key/autowait && cp -R .autowait-bin/$key home/.cache/autowait-bin/
      """)
    #expect(made.code == 0, "\(made)")
    return fixture
  }

  private func run(
    _ fixture: CommandFixture, _ lines: String, _ variables: [String: String] = [:]
  ) throws -> (code: Int32, text: String) {
    var all = variables
    all["AUTOWAIT_REPOSITORY"] = fixture.path("clone")
    all["HOME"] = fixture.path("home")
    let exports = all.sorted { $0.key < $1.key }.map { "export \($0.key)='\($0.value)'\n" }.joined()
    try fixture.write("job.bash", "set -e\n\(exports)\(lines)\n")
    return try ProcessTests().shell(fixture, "bash job.bash 2>&1")
  }

  /// Returns what stands behind a mark at the beginnings of lines.
  private func lines(_ path: String, _ mark: String) throws -> [String] {
    try Self.text(path).split(separator: "\n").compactMap { line in
      let line = line.drop { $0 == " " }
      return line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
    }
  }

  @Test func theKeyFollowsFromTheSources() throws {
    let fixture = try fixture()
    let key = { try run(fixture, "clone/.github/actions/autowait/install --key") }
    let first = try key()
    #expect(first.code == 0 && first.text.split(separator: "-").last?.count == 17, "\(first)")
    #expect(try key() == first)
    try fixture.write("clone/README.md", "No source.")
    #expect(try key() == first)
    try fixture.write("clone/Sources/y", "A source.")
    #expect(try key() != first)
    #expect(try run(fixture, "clone/.github/actions/autowait/install").code == 2)
  }

  /// What is handed out is built from a copy of the sources that names its commit.
  @Test func copiesOfTheSourcesNameTheirCommit() throws {
    let path = "Sources/AutowaitRendering/Text/ToolCommit.swift"
    let fixture = try CommandFixture([
      "clone/.ci/sources": try Self.text(".ci/sources"), "clone/Package.swift": "",
      "clone/.swift-version": "", "clone/Tests/x": "", "clone/\(path)": try Self.text(path),
    ])
    try fixture.makeExecutable("clone/.ci/sources")
    func commit(_ before: String, _ variables: [String: String] = [:]) throws -> String {
      let outcome = try run(fixture, "\(before)\nclone/.ci/sources \"$PWD/copy\"", variables)
      #expect(outcome.code == 0, "\(outcome)")
      let name = outcome.text.split(separator: "\n").last.map(String.init) ?? ""
      let copy = try fixture.read("copy/\(path)")
      #expect(copy.contains("String? = \(name == "development" ? "nil" : "\"\(name)\"")\n"))
      return name
    }
    let action = String(repeating: "0123456789", count: 4)
    #expect(try commit("", ["GITHUB_ACTION_REF": action]) == action)
    #expect(try commit("", ["GITHUB_ACTION_REF": "v1"]) == "development")
    #expect(try commit("", ["GITHUB_ACTION_REF": ""]) == "development")
    let name = try commit(
      """
      git init -q clone && cd clone && git add . &&
      git -c user.name=a -c user.email=a@b commit -qm one && cd ..
      """, ["GITHUB_ACTION_REF": action])
    #expect(name.count == 40 && name != action)
    try fixture.write("clone/Package.swift", "changed")
    #expect(try commit("") == name + "-dirty")
    #expect(try fixture.read("clone/\(path)") == Self.text(path))
  }

  @Test func theActionTests() throws {
    let fixture = try fixture()
    let path = ".github/actions/autowait/action.yml"
    let steps = try lines(path, "run: ")
    #expect(steps.count == 3)
    let place = fixture.path("clone/.github/actions/autowait")
    let variables = [
      "GITHUB_ACTION_PATH": place, "GITHUB_OUTPUT": fixture.path("output"),
      "GITHUB_PATH": fixture.path("path"), "GITHUB_STEP_SUMMARY": fixture.path("summary.md"),
      "PATHS": "Scenarios", "OPTIONS": "--durations 1", "JUNIT": "autowait.xml",
      "LOGS": "autowait-logs",
    ]
    #expect(try run(fixture, steps[0], variables).code == 0)
    #expect(try fixture.read("output").hasPrefix("key="))
    #expect(try run(fixture, steps[1], variables).code == 0)
    let last = try run(fixture, "PATH=\"$(cat path):$PATH\"; \(steps[2])", variables)
    #expect(
      last.code == 1 && last.text.contains("\n::error file=Scenarios/a.json,line=13,"), "\(last)")
    #expect(try fixture.read("summary.md").contains("2 scenarios: 1 passed, 1 failed"))
    #expect(
      try fixture.read("autowait.xml").contains(
        "[[ATTACHMENT|autowait-logs/Scenarios/a.actual.recording]]"))
    #expect(fixture.exists("autowait-logs/Scenarios/a.actual.recording"))
    // The inputs of the workflow that is shown exist.
    let inputs = try Self.text(path)
    let shown = try Self.text(".ci/snippets/github.yml").split(separator: "with:\n").last ?? ""
    for line in shown.split(separator: "\n") {
      let name = line.split(separator: ":")[0].drop { $0 == " " }
      #expect(inputs.contains("\n  \(name):\n"), "\(name)")
    }
  }

  @Test func theJobOfGitLabTests() throws {
    let fixture = try fixture()
    let steps = try lines(".ci/snippets/gitlab.yml", "- ")
    #expect(steps.count == 3)
    var texts: [String] = []
    for index in 1...2 {
      let variables = ["CI": "true", "CI_NODE_INDEX": "\(index)", "CI_NODE_TOTAL": "2"]
      let job = try run(
        fixture, "rm -rf .autowait\n" + steps.joined(separator: "\n"), variables)
      #expect(job.code == (index == 1 ? 1 : 0), "\(job)")
      texts.append(try fixture.read("junit.xml"))
    }
    let attachment = "[[ATTACHMENT|logs/Scenarios/a.actual.recording]]"
    #expect(texts.map { $0.contains(attachment) } == [true, false])
    #expect(texts.allSatisfy { $0.contains(" tests=\"1\" ") })
  }

  @Test func theJobOfJenkinsTests() throws {
    let fixture = try fixture()
    let steps = try lines(".ci/snippets/Jenkinsfile", "sh '").map { String($0.dropLast()) }
    #expect(steps.count == 3)
    let job = try run(fixture, steps.joined(separator: "\n"))
    #expect(job.code == 1 && job.text.hasSuffix("2 scenarios: 1 passed, 1 failed\n"), "\(job)")
    #expect(fixture.exists("junit.xml") && fixture.exists("logs/Scenarios/a.actual.recording"))
    #expect(!fixture.exists("Scenarios/a.expected.log"))
  }
}
