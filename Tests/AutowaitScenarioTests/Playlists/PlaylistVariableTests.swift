import Autowait
import AutowaitScenario
import Testing

/// Variables are put in where the draft says, and nowhere else.
@Suite struct PlaylistVariableTests {
  private typealias Fixture = PlaylistFixture

  @Test func whereTheyAreReplaced() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"one\"", "#EXT-X-DEFINE:NAME=\"b-_9\",VALUE=\"{$a}/two\"",
        "#EXT-X-DEFINE:NAME=\"e\",VALUE=\"\"", "#EXT-X-DEFINE:NAME=\"iv\",VALUE=\"abc\"",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"{$b-_9}?{$e}{$a}\",IV=0x{$iv}",
        "#EXT-X-DATERANGE:ID=\"{$a}\"", "#EXTINF:6,{$none}", "{$a}{$a}-{$}{$ a}{a}$a{$a",
        "# {$none}"))
    #expect(playlist.keys.map(\.uri) == ["one/two?one"])
    #expect(playlist.keys.map(\.initializationVector) == ["0xabc"])
    #expect(playlist.segments.map(\.uri) == ["oneone-{$}{$ a}{a}$a{$a"])
    #expect(playlist.dateRanges.map(\.text) == ["ID=\"{$a}\""])
    #expect(
      playlist.variables == [
        PlaylistVariable(name: "a", value: "one"),
        PlaylistVariable(name: "b-_9", value: "one/two"),
        PlaylistVariable(name: "e", value: ""), PlaylistVariable(name: "iv", value: "abc"),
      ])
  }

  @Test func importedOnes() throws {
    let text = Fixture.media("#EXT-X-DEFINE:IMPORT=\"base\"", "#EXTINF:6,", "{$base}/a")
    let known = PlaylistContext(variables: [PlaylistVariable(name: "base", value: "x")])
    let (playlist, findings) = PlaylistReader.read(Fixture.source(text), known)
    #expect(findings == [])
    guard case .media(let media) = try #require(playlist) else { return }
    #expect(media.segments.map(\.uri) == ["x/a"])
    #expect(
      Fixture.findings(text, PlaylistContext(variables: [])) == [
        "3:23: error: the multivariant playlist does not define the variable 'base'",
        "5:1: error: a reference to a variable that is not defined before it: 'base'",
      ])
    let near = PlaylistContext(variables: [PlaylistVariable(name: "bas", value: "x")])
    #expect(Fixture.findings(text, near).first?.hasSuffix("[did you mean 'bas'?]") == true)
    #expect(
      Fixture.findings(text) == [
        "3:23: warning: the multivariant playlist is not known; its variable counts as empty: "
          + "'base'"
      ])
  }

  @Test func onlyMediaPlaylistsImport() {
    let known = PlaylistContext(variables: [PlaylistVariable(name: "a", value: "x")])
    let text = Fixture.multivariant("#EXT-X-DEFINE:IMPORT=\"a\"")
    #expect(
      Fixture.findings(text, known) == [
        "2:23: error: a multivariant playlist must not import variables"
      ])
  }

  /// A query, and the address that it leads to, or what is wrong.
  @Test(
    arguments: [
      ("t=1", "1"), ("s=2&t=a%2Fb%25&t=3", "a/b%"), ("t=%zz%4", "%zz%4"), ("t=a+b=c", "a+b=c"),
      ("", nil), ("t", nil), ("t=", nil), ("tt=1", nil),
    ] as [(String, String?)])
  func parameters(_ query: String, _ address: String?) throws {
    let text = Fixture.media("#EXT-X-DEFINE:QUERYPARAM=\"t\"", "#EXTINF:6,", "x{$t}")
    let reading = PlaylistReader.read(Fixture.source(text), PlaylistContext(query: query))
    guard let address else {
      #expect(reading.playlist == nil)
      #expect(
        reading.findings.first.map(Fixture.short)
          == "3:27: error: the playlist's address has no value for the parameter 't'")
      return
    }
    #expect(reading.findings == [])
    guard case .media(let media) = try #require(reading.playlist) else { return }
    #expect(media.segments.map(\.uri) == ["x\(address)"])
  }

  @Test(arguments: ["t=%22", "t=%0A", "t=%FF"])
  func parametersThatNoStringHolds(_ query: String) {
    let text = Fixture.media("#EXT-X-DEFINE:QUERYPARAM=\"t\"", "#EXTINF:6,", "x")
    #expect(
      Fixture.findings(text, PlaylistContext(query: query)) == [
        "3:27: error: the parameter's value cannot be in quotation marks: 't'"
      ])
  }

  /// A line, and what is wrong with it.
  @Test(
    arguments: [
      ("NAME=\"a\"", "3:1: error: the attribute 'VALUE' is missing"),
      (
        "VALUE=\"a\"", "3:1: error: a definition must have one of 'NAME', 'IMPORT' and 'QUERYPARAM'"
      ),
      (
        "NAME=\"a\",IMPORT=\"a\",VALUE=\"x\"",
        "3:1: error: a definition must have one of 'NAME', 'IMPORT' and 'QUERYPARAM'"
      ),
      (
        "NAME=\"a b\",VALUE=\"x\"",
        "3:21: error: the name of a variable must be of letters, digits, '-' and '_'"
      ),
      (
        "NAME=\"\",VALUE=\"x\"",
        "3:1: error: the name of a variable must be of letters, digits, '-' and '_'"
      ),
      (
        "NAME=\"a\",VALUE=\"{$a}\"",
        "3:31: error: a reference to a variable that is not defined before it: 'a'"
      ),
      (
        "NAME=\"a\",VALUE=\"x\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\"",
        "4:21: error: a variable is defined twice: 'a'"
      ),
    ])
  func wrongDefinitions(_ line: String, _ finding: String) {
    #expect(
      Fixture.findings(Fixture.media("#EXT-X-DEFINE:\(line)", "#EXTINF:6,", "x")) == [finding])
  }

  @Test func referencesBeforeTheirDefinitions() {
    let text = Fixture.media("#EXTINF:6,", "x{$a}", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"")
    #expect(
      Fixture.findings(text) == [
        "4:2: error: a reference to a variable that is not defined before it: 'a'"
      ])
  }

  @Test func doublingIsBounded() {
    var lines = ["#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789abcdef\""]
    for index in 1...40 {
      lines.append("#EXT-X-DEFINE:NAME=\"v\(index)\",VALUE=\"{$v\(index - 1)}{$v\(index - 1)}\"")
    }
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines.joined(separator: "\n") + "\n"
    #expect(
      Fixture.findings(text) == [
        "20:33: error: the text is too long with the values of its variables"
      ])
  }
}
