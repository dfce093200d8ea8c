import AutowaitCommands
import Foundation
import Testing

/// What programs read of the commands, and what a signal asks of them.
@Suite struct HelpJSONTests {
  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Each command and option that `--help` shows is there, and nothing else.
  @Test func allCommandsAreListed() throws {
    let fixture = try CommandFixture([:])
    let object = try Self.object(fixture.call("help", "--format", "json").output)
    let commands = try #require(object["commands"] as? [[String: Any]])
    let overview = fixture.call("--help").output
    let rows = overview.split(separator: "\n").drop { $0 != "commands:" }.dropFirst()
      .prefix { $0.hasPrefix("  ") }.filter { !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(commands.compactMap { $0["name"] as? String } + ["help"] == rows)
    for command in commands {
      let name = try #require(command["name"] as? String)
      #expect(overview.contains("\n  \(name)"))
      let help = fixture.call(name, "--help").output
      let options = try #require(command["options"] as? [[String: Any]])
      let names = options.compactMap { $0["name"] as? String }
      let rows = help.split(separator: "\n").filter {
        $0.hasPrefix("  --") || $0.hasPrefix("  -h, --")
      }
      #expect(rows.count == names.count, "\(name)")
      for option in names { #expect(help.contains(option)) }
    }
    let codes = try #require(object["exitCodes"] as? [[String: Any]])
    #expect(codes.compactMap { $0["code"] as? Int } == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: ["--format xml", "--format", "--format=text", "--format json run"])
  func otherFormatsAreRefused(_ call: String) throws {
    let outcome = try CommandFixture([:])
      .call(["help"] + call.split(separator: " ").map(String.init))
    #expect(outcome.code == 2)
    #expect(
      outcome.messages == "autowait: error: 'autowait help' takes '--format json' and no other\n")
  }

  @Test func aSignalAsksOnce() {
    StatusSignal.install()
    #expect(!StatusSignal.take())
    // Threads that run tests take no signals unless they say so.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGUSR1)
    #expect(StatusSignal.take())
    #expect(!StatusSignal.take())
  }
}
