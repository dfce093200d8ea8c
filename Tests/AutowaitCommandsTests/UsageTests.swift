import AutowaitCommands
import Testing

/// Wrong calls end with 2 and say what would be right; help is never wrong.
@Suite struct UsageTests {
  /// A wrong call and what it is answered with.
  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var messages: String

    init(_ call: String, _ messages: String) {
      arguments = call.split(separator: " ").map(String.init)
      self.messages = messages
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let commands = "note: 'autowait --help' shows the commands\n"

  /// What a command takes one of, it does not take some of in silence.
  @Test(arguments: [
    ("compare a b", "EXPERIMENT, but was given 2 arguments", "for several, call it once for each"),
    ("fidelity a b c", "DIR, but was given 3 arguments", "for several, call it once for each"),
    ("init train live", "[NAME], but was given 2 arguments", "for several, call it once for each"),
    ("link a b", "LINK, but was given 2 arguments", "for several, call it once for each"),
    ("recipe make a b", "ENGINE EXPERIMENT, but was given 3 arguments", "see 'autowait recipe --"),
    ("schema link link", "[KIND], but was given 2 arguments", "for several, call it once for each"),
    ("tune a b c", "RULE EXPERIMENT, but was given 3 arguments", "see 'autowait tune --help'"),
    ("work a b", "[EXPERIMENT], but was given 2 arguments", "for several, call it once for each"),
  ])
  func tooManyArguments(_ call: String, _ what: String, _ note: String) throws {
    let words = call.split(separator: " ").map(String.init)
    let outcome = try CommandFixture().call(words)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    let head = "autowait: error: 'autowait \(words[0])' takes "
    #expect(outcome.messages.hasPrefix("\(head)\(what)\nnote: \(note)"), "\(outcome.messages)")
  }

  @Test(arguments: [
    Row("", "autowait: error: a command is missing\n" + commands),
    Row("rnu", "autowait: error: unknown command 'rnu'\nnote: did you mean 'run'?\n"),
    Row("zonk", "autowait: error: unknown command 'zonk'\n" + commands),
    Row(
      "help rnu", "autowait: error: unknown command 'rnu'\nnote: did you mean 'run'?\n"),
    Row(
      "x.json",
      """
      autowait: error: unknown command 'x.json'
      note: did you mean 'autowait run x.json'?

      """),
    Row("version", "autowait: error: unknown command 'version'\nnote: did you mean '--version'?\n"),
    Row("-V", "autowait: error: unknown option '-V'\nnote: did you mean '--version'?\n"),
    Row(
      "list",
      """
      autowait: error: 'autowait list' needs KIND [NAME…]
      note: KIND is one of 'profiles', 'heuristics', 'metrics', 'events', 'keys', 'scenarios'
      note: see 'autowait list --help'

      """),
    Row(
      "completions",
      """
      autowait: error: 'autowait completions' needs SHELL
      note: SHELL is one of 'bash', 'zsh', 'fish'
      note: see 'autowait completions --help'

      """),
    Row(
      "--verison",
      "autowait: error: unknown option '--verison'\nnote: did you mean '--version'?\n"),
    Row("run", "autowait: error: 'autowait run' needs FILE…\nnote: see 'autowait run --help'\n"),
    Row(
      "run --fromat json",
      """
      autowait: error: unknown option '--fromat' of 'autowait run'
      note: did you mean '--format'?
      note: see 'autowait run --help'

      """),
    Row(
      "run x.json --format yaml",
      """
      autowait: error: '--format' has the unknown value 'yaml'
      note: the nearest of 10 are: 'har', 'json', 'jsonl', 'cmcd', 'states'; \
      'autowait run --help' shows all

      """),
    Row(
      "run x.json --format=jsno",
      """
      autowait: error: '--format' has the unknown value 'jsno'
      note: did you mean 'json'?

      """),
    Row(
      "run x.json --at",
      "autowait: error: '--at' needs a value: TIME\nnote: see 'autowait run --help'\n"),
    Row(
      "run x.json --at 5x",
      """
      autowait: error: '--at' has the unknown unit 'x'
      note: the units are: 'ns', 'us', 'ms', 's', 'min', 'h', 'd'

      """),
    Row(
      "run x.json --at 1e400",
      "autowait: error: '--at' is above the limit of 366 d\n"),
    Row("run x.json --at -1", "autowait: error: '--at' must not be negative\n"),
    Row(
      "run x.json --at 1 --format json",
      "autowait: error: '--at' belongs to '--format timeline'\n"),
    Row(
      "run x.json --seed 1.5",
      "autowait: error: '--seed' must be a whole number from 0 to 9223372036854775807, "
        + "not '1.5'\n"),
    Row("run x.json --seed 1 --seed 2", "autowait: error: '--seed' is given twice\n"),
    Row(
      "run x.json --width 3",
      "autowait: error: '--width' must be a whole number from 40 to 400, not '3'\n"),
    Row(
      "run x.json --output=",
      "autowait: error: '--output' needs a value: FILE\nnote: see 'autowait run --help'\n"),
    Row(
      "test --junit= --update",
      "autowait: error: '--junit' needs a value: FILE\nnote: see 'autowait test --help'\n"),
    Row(
      "check --root=",
      "autowait: error: '--root' needs a value: DIR\nnote: see 'autowait check --help'\n"),
    Row("run x.json --root /no/such", "autowait: error: the root '/no/such' is not a folder\n"),
    Row(
      "test --jobs 0",
      "autowait: error: '--jobs' must be a whole number from 1 to 256, not '0'\n"),
    Row(
      "test --update=yes",
      "autowait: error: '--update' takes no value, but was given 'yes'\n"),
    Row(
      "replay",
      "autowait: error: 'autowait replay' needs LOG…\nnote: see 'autowait replay --help'\n"
    ),
    Row(
      "check",
      "autowait: error: 'autowait check' needs FILE…\nnote: see 'autowait check --help'\n"),
  ])
  func wrongCalls(_ row: Row) throws {
    let fixture = try CommandFixture()
    let outcome = fixture.call(row.arguments)
    #expect(outcome == CommandFixture.Call(code: 2, output: "", messages: row.messages))
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "run"], ["help", "test"], ["help", "replay"],
    ["help", "check"], ["help", "compare"], ["help", "link"], ["help", "list"],
    ["help", "convert"], ["run", "--help"], ["test", "-h"], ["replay", "-h"],
    ["check", "x", "-h"],
  ])
  func help(_ arguments: [String]) throws {
    let fixture = try CommandFixture()
    let outcome = fixture.call(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.messages == "")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { #expect(line.count <= 80, "too wide: \(line)") }
    #expect(outcome.output.contains("exit codes:\n  0  success\n  1  "))
    #expect(outcome.output.contains("  5  a replay diverged\n"))
    #expect(outcome.output.contains("examples:\n  autowait "))
  }

  @Test func version() throws {
    let outcome = try CommandFixture().call("--version")
    // Scripts read the first line; the commit is that of a copy of the sources.
    #expect(
      outcome.output == """
        autowait \(AutowaitCommand.version)
        model version \(Fixture.model)
        development build

        """)
    #expect(outcome.code == 0)
  }

  @Test(arguments: ["run", "check", "test", "replay", "link", "list", "convert", "compare"])
  func anEmptyPathIsNoFile(_ command: String) throws {
    let message = """
      autowait: error: 'autowait \(command)' was given an empty path
      note: a variable of the shell that is not set gives one

      """
    #expect(
      try CommandFixture().call(command, "x.json", "")
        == .init(code: 2, output: "", messages: message))
  }

  @Test func operandsAfterTwoDashes() throws {
    let fixture = try CommandFixture()
    let outcome = fixture.call("run", "--", "--at")
    #expect(outcome.messages == "--at: error: the file does not exist\n")
    #expect(outcome.code == 2)
  }
}
