import Testing

/// The repository keeps its own rules; each rule is a function, tested in `PlantedFaultTests`.
@Suite struct TidyTests {
  private let repository = Repository.own

  @Test func `the top level holds only what belongs there`() {
    expectTidy(Orphans.checkTopLevel(repository.paths))
  }

  @Test func `folders name only what lies below`() {
    expectTidy(Layers.checkFolders(repository.sources))
  }

  @Test func `the article on architecture lists modules and folders as they are`() throws {
    let path = "Sources/Autowait/Autowait.docc/architecture.md"
    let article = try #require(repository.sources.first { $0.path == path })
    expectTidy(Layers.checkArticle(article))
  }

  @Test func `modules import only what lies below`() {
    expectTidy(repository.sources.flatMap(Layers.checkImports))
  }

  @Test func `nothing banned is used`() {
    expectTidy(repository.sources.flatMap(Bans.check))
  }

  @Test func `switches over enumerations name every case`() {
    expectTidy(repository.sources.flatMap(Switches.check))
  }

  @Test func `lines and files are short`() {
    expectTidy(repository.sources.flatMap(Lengths.checkLines))
  }

  @Test func `functions are short`() {
    expectTidy(repository.sources.flatMap(Lengths.checkFunctions))
  }

  @Test func `the core asserts what it relies on`() {
    expectTidy(Assertions.check(repository.sources))
  }

  @Test func `every Swift file is used`() {
    expectTidy(Orphans.checkSwift(repository.sources))
  }

  @Test func `scenarios and golden logs come in pairs`() {
    expectTidy(Orphans.checkScenarios(repository.sources))
  }

  @Test func `no two types share a name`() {
    expectTidy(Names.checkTypes(repository.sources))
  }

  @Test func `the glossary has the words of types`() {
    expectTidy(Names.checkGlossary(repository.sources))
  }

  @Test func `every article is linked`() {
    expectTidy(Orphans.checkArticles(repository.sources))
  }

  @Test func `the files are found`() {
    #expect(repository.paths.contains("Package.swift"))
    #expect(repository.sources.contains { $0.path == "Tests/TidyTests/TidyTests.swift" })
  }

  @Test func `every allowance names a file that exists`() {
    let allowed =
      Bans.table.flatMap(\.allowed).filter { !$0.hasSuffix("/") }
      + (Lengths.parametersAllowed + Switches.allowed).map { String($0.prefix { $0 != " " }) }
    for path in Set(allowed) {
      #expect(repository.paths.contains(path), "\(path) is allowed something but is not a file")
    }
  }

  private func expectTidy(
    _ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for violation in violations {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
