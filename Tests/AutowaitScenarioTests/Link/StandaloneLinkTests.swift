import Autowait
import AutowaitScenario
import Testing

/// A link can be read by itself.
@Suite struct StandaloneLinkTests {
  private func read(
    _ name: String, files: [String: String] = [:], lints: Bool = false
  ) -> (link: StandaloneLink?, findings: [Finding]) {
    let loader = FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
    let horizon = Instant.start + .seconds(10)
    guard let text = files[name] else {
      return StandaloneLink.read(preset: name, until: horizon, lints: lints)
    }
    return StandaloneLink.read(
      SourceText(path: name, text: text), loader: loader, until: horizon, lints: lints)
  }

  @Test func everyPreset() throws {
    for preset in LinkPreset.all {
      let link = try #require(read(preset.name).link)
      #expect(link.name == preset.name)
      #expect(link.links == [preset.profile])
      #expect((link.policy != nil) == preset.isReal)
    }
  }

  @Test func aFile() throws {
    let text = """
      {"name":"x","rate":5,"outage":{"on":"3 s","off":"1 s"},"traceKind":"capacity",
       "transport":{"http":"h2","tier":"packet"}}
      """
    let link = try #require(read("x.json", files: ["x.json": text]).link)
    #expect(link.name == "x")
    #expect(link.policy?.http == .http2)
    #expect(link.tier == .packet)
    #expect(link.traceKind == .capacity)
    #expect(link.links.map(\.events.count) == [2])
  }

  @Test func mistakes() {
    let (link, findings) = read("nlc/lt")
    #expect(link == nil)
    #expect(
      findings.map(\.rendered) == [
        """
        nlc/lt: error: unknown link 'nlc/lt'
        note: did you mean 'nlc/lte'?
        """
      ])
    let inner = read("x.json", files: ["x.json": "{\"rate\":true}"]).findings
    #expect(inner.map { "\($0.path):\($0.column)" } == ["x.json:9"])
    #expect(read("nlc/lte", lints: true).findings.count == 1)
    #expect(read("nlc/lte").findings.isEmpty)
  }
}
