import Testing

/// Names of files that are not UTF-8, or that a CI server would take for commands.
@Suite struct NameTests {
  /// Calls with names whose one byte is 0xFF, and what they are answered with.
  @Test(arguments: [
    (
      "\"$TOOL\" test tf --filter a",
      "tf: error: the folder holds 1 name that is not UTF-8, such as $'tf/fails\\xFF.json'"
    ),
    (
      "mkdir tf/in \"tf/in/d$B\"; \"$TOOL\" test tf",
      "tf: error: the folder holds 2 names that are not UTF-8, such as $'tf/fails\\xFF.json'"
    ),
    (
      "cp a.json \"tf/x$B.ndjson\"; \"$TOOL\" merge tf",
      "tf: error: the folder holds 1 name that is not UTF-8, such as $'tf/x\\xFF.ndjson'"
    ),
    (
      "\"$TOOL\" check \"bad$B.json\"",
      "autowait: error: the argument $'bad\\xFF.json' is not UTF-8"
    ),
    (
      "\"$TOOL\" run a.json --output \"o$B\"",
      "autowait: error: the argument $'o\\xFF' is not UTF-8"
    ),
    (
      "\"$TOOL\" run a.json \"--html=it's\\\\#$B\"",
      "autowait: error: the argument $'--html=it\\x27s\\x5C\\x23\\xFF' is not UTF-8"
    ),
    (
      "ln -s \"n$B\" l; \"$TOOL\" run a.json --output l",
      "l: error: the file is a link to $'n\\xFF', which is not UTF-8"
    ),
  ])
  func namesAreUTF8(_ line: String, _ message: String) throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.playing, "tf/a.json": Fixture.playing, "o\u{FFFD}": "kept",
      "n\u{FFFD}": "kept",
    ])
    let prepare = "B=$(printf '\\377'); cp a.json \"bad$B.json\"; cp a.json \"tf/fails$B.json\"; "
    let call = try ProcessTests().shell(fixture, prepare + line)
    #expect(call.code == 2)
    #expect(call.text.split(separator: "\n").first.map(String.init) == message, "\(call)")
    #expect(try fixture.read("o\u{FFFD}") == "kept" && fixture.read("n\u{FFFD}") == "kept")
  }

  /// What no command looks at may be called anything.
  @Test func otherNamesDoNoHarm() throws {
    let fixture = try CommandFixture(["tf/a.json": Fixture.playing])
    let line = """
      B=$(printf '\\377'); echo x > "tf/x$B.txt"; mkdir "tf/.d$B"; "$TOOL" test tf --update
      "$TOOL" test tf
      """
    let call = try ProcessTests().shell(fixture, line)
    #expect(call.code == 0, "\(call)")
  }

  @Test(arguments: [
    ("##[error]z.json", "$'tf/\\x23\\x23[error]z.json'"),
    ("a##vso[b.json", "$'tf/a\\x23\\x23vso[b.json'"), ("a#b.json", "'tf/a#b.json'"),
    ("it's ##[.json", "$'tf/it\\'s \\x23\\x23[.json'"),
  ])
  func aCallCanBeCopied(_ name: String, _ shown: String) throws {
    let golden = "tf/\(name.dropLast(".json".count)).expected.log"
    let fixture = try CommandFixture(["tf/\(name)": Fixture.playing, golden: "old\n"])
    let call = try ProcessTests().shell(fixture, "\"$TOOL\" test tf")
    #expect(call.text.contains("    accept with: autowait test \(shown) --update\n"), "\(call)")
    let lines = call.text.split(separator: "\n")
    let copied = lines.first { $0.contains("accept with: ") }?.split(separator: ": ")[1]
      .replacing("autowait", with: "\"$TOOL\"")
    let again = try ProcessTests().shell(
      fixture, "bash -c '\(copied?.replacing("'", with: "'\\''") ?? "")'")
    #expect(again.code == 1 && again.text.contains("1 golden log written"), "\(again)")
    #expect(try fixture.read(golden) != "old\n")
  }
}
