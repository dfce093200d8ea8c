import Foundation
import Testing

/// What shells offer is what the tool takes, and the page for man is one.
@Suite struct CompletionTests {
  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture(["file.json": Fixture.playing]) }

  /// The lines for a call of which the last word may have begun.
  private func lines(_ words: String...) -> [String] {
    let outcome = fixture.call(["completions", "words", "--"] + words.map { "=" + $0 })
    #expect(outcome.code == 0, "\(outcome)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private func words(_ lines: [String]) -> [String] {
    lines.map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func commandsAreTold() {
    #expect(
      lines("re") == [
        "review\tShows how new logs differ from golden ones, and asks what to do",
        "replay\tChecks that scenarios still produce their recorded logs",
        "recipe\tPrints a script that runs an experiment on many machines",
      ])
    #expect(words(lines("")).contains("help") && !words(lines("")).contains("--help"))
    #expect(words(lines("--")) == ["--help", "--version"])
    #expect(words(lines("help", "comp")) == ["compare", "completions"])
    #expect(lines("help", "run", "").isEmpty)
    #expect(lines("rnu", "").isEmpty)
    #expect(lines().isEmpty)
  }

  @Test func optionsAreTold() {
    let all = words(lines("run", "-"))
    #expect(all.contains("--format") && all.contains("--help"))
    // An option that is given is not offered again, nor what is no option any more.
    #expect(words(lines("run", "--format", "json", "--fo")).isEmpty)
    #expect(words(lines("run", "--format=json", "--fo")).isEmpty)
    #expect(lines("run", "--", "--fo") == [":files"])
    #expect(words(lines("run", "file.json", "--fo")) == ["--format"])
    // What may be said again is offered again.
    #expect(words(lines("run", "--figure", "width=85mm", "--fi")) == ["--figure"])
  }

  /// The value of an option stands behind it, or behind a sign, which bash makes a word.
  @Test func valuesAreTold() {
    #expect(lines("run", "--format", "js") == ["json", "jsonl"])
    #expect(lines("run", "--format", "=", "js") == ["json", "jsonl"])
    #expect(lines("run", "--format", "=") == lines("run", "--format", ""))
    #expect(lines("run", "--format=js") == ["--format=json", "--format=jsonl"])
    #expect(lines("run", "--root", "") == [":files"])
    #expect(lines("run", "--seed", "").isEmpty)
    // A value may look like an option, and operands follow it.
    #expect(lines("run", "--seed", "--format", "f") == [":files"])
  }

  @Test func operandsAreTold() {
    #expect(lines("run", "") == [":files"])
    #expect(
      lines("list", "") == ["profiles", "heuristics", "metrics", "events", "keys", "scenarios"])
    #expect(lines("list", "heuristics", "mpv") == ["mpv", "mpv-cache-pause-initial"])
    #expect(lines("list", "nothing", "").isEmpty)
    #expect(lines("link", "nlc/ed") == ["nlc/edge", ":files"])
    #expect(lines("link", "nlc/edge", "").isEmpty)
    #expect(lines("recipe", "x") == ["xargs"])
    #expect(lines("recipe", "xargs", "") == [":files"])
    #expect(lines("completions", "") == ["bash", "zsh", "fish"])
    #expect(lines("manual", "") == ["scenario"])
  }

  @Test func namesOfRulesAndFormatsAreTold() {
    #expect(lines("tune", "mpv") == ["mpv", "mpv-cache-pause-initial"])
    #expect(lines("tune", "mpv", "") == [":files"])
    for option in ["--rule", "--player"] {
      let rules = lines("whatif", option, "m")
      #expect(rules.contains("media3") && rules.contains("mpv"))
      #expect(Set(rules).count == rules.count)
    }
    #expect(lines("compare", "--worst", "media") == ["media3"])
    #expect(lines("convert", "--from", "mahi") == ["mahimahi"])
    #expect(lines("convert", "--to", "lad") == ["ladder"])
    #expect(lines("convert", "--to", "sc") == ["scenario"])
    #expect(lines("shrink", "--keep", "st") == ["stall", "startup", "started", "step", "status"])
    #expect(
      lines("run", "--compat", "") == [
        "sabre", "sabre,defects", "sabre,repaired", "pensieve", "pensieve,defects",
        "pensieve,repaired",
      ])
    #expect(lines("run", "--figure", "wi") == ["width="])
    #expect(lines("run", "--figure", "the") == ["theme=light", "theme=dark"])
  }

  /// What can be changed of a link stands behind its name; bash makes a word of the sign.
  @Test func changesOfLinksAreTold() {
    #expect(lines("convert", "nlc/ed") == ["nlc/edge", ":files"])
    #expect(lines("link", "nlc/edge@q") == ["nlc/edge@queue="])
    #expect(lines("convert", "nlc/edge@down.l") == ["nlc/edge@down.loss="])
    #expect(lines("list", "profiles", "nlc/edge@queue=bdp,l") == ["nlc/edge@queue=bdp,loss="])
    #expect(lines("link", "nlc/edge", "@").count == 12)
    #expect(lines("link", "nlc/edge", "@", "up.d") == ["up.delay="])
    #expect(lines("list", "metrics", "nlc/edge@q").isEmpty)
  }

  /// Every option and name that is offered is known, and so is every value.
  @Test func whatIsOfferedIsTaken() {
    for name in words(lines("list", "events", "")) {
      #expect(fixture.call("list", "events", name).code == 0, "\(name)")
    }
    for name in words(lines("list", "profiles", "")).prefix(12) {
      #expect(fixture.call("list", "profiles", name).code == 0, "\(name)")
    }
    var valueCount = 0
    for command in words(lines("")) where command != "help" {
      let help = fixture.call("help", command).output
      for option in words(lines(command, "--")) {
        #expect(help.contains(" \(option)"), "\(command) \(option)")
        if option == "--help" { continue }
        let values = words(lines(command, option, "")).filter { $0 != ":files" }
        for value in values where help.contains("\(option) \(values.joined(separator: "|"))") {
          // A file that is not there keeps the command from its work.
          let call = fixture.call(command, option, value, "$/nothing", "$/nothing")
          #expect(!call.messages.contains("value"), "\(command) \(option) \(value)")
          valueCount += 1
        }
      }
    }
    #expect(valueCount > 30)
  }

  /// The script for bash, by bash itself.
  @Test func bashCompletes() throws {
    let script = """
      source <("$TOOL" completions bash)
      try() {
        COMP_WORDS=("$TOOL" "$@") COMP_CWORD=$#
        _autowait "$TOOL" "${COMP_WORDS[COMP_CWORD]}"
        echo "${COMPREPLY[*]}"
      }
      try re; try run --format = js; try list ''; try run fi; try list events zz
      """
    try fixture.write("try.bash", script)
    let line = "type bash >/dev/null && bash try.bash"
    let outcome = try ProcessTests().shell(fixture, line)
    #expect(
      outcome.text
        == "review replay recipe\njson jsonl\nprofiles heuristics metrics events keys scenarios\n"
        + "file.json\n\n",
      "\(outcome)")
  }

  @Test func callsThatAreWrongAreRefused() {
    #expect(fixture.call("completions", "bahs").messages.contains("did you mean 'bash'?"))
    #expect(fixture.call("completions", "bash", "zsh").code == 2)
    #expect(fixture.call("manual", "run").code == 2)
  }

  /// Each variable that is read, and each option that all commands have, is listed once.
  @Test func thePageTellsOfTheEnvironment() throws {
    let page = fixture.call("manual").output
    let folder = MarkdownDocument.url("Sources/AutowaitCommands")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var names: Set = ["AUTOWAIT_RECORD", "AUTOWAIT_ALLOW_PROGRAMS", "LANG", "CI_NODE_TOTAL"]
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for piece in text.components(separatedBy: "variable(\"").dropFirst() {
        names.insert(String(piece.prefix { $0 != "\"" }))
      }
    }
    #expect(names.count > 10)
    let environment = page.components(separatedBy: ".SH ENVIRONMENT\n").last ?? ""
    for name in names { #expect(environment.contains(name), "\(name)") }
    #expect(page.contains("\n.SH FILES\n"))
    #expect(page.components(separatedBy: "\\fB\\-\\-color").count == 2)
  }

  /// The page names every command and option, and groff has nothing to say against it.
  @Test func thePageIsWhole() throws {
    let page = fixture.call("manual").output
    for command in words(lines("")) where command != "help" {
      #expect(page.contains("\n.SS autowait \(command)"), "\(command)")
      for option in words(lines(command, "--")) where option != "--help" {
        #expect(page.contains("\\fB" + option.replacing("-", with: "\\-")), "\(command) \(option)")
      }
    }
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      #expect([".TH ", ".SH ", ".SS ", ".PP", ".TP", ".B ", ".I "].contains { line.hasPrefix($0) })
    }
    try fixture.write("page.1", page)
    let script = """
      type groff >/dev/null 2>&1 || exit 0
      groff -man -ww -Tutf8 page.1 >/dev/null
      """
    let outcome = try ProcessTests().shell(fixture, script)
    #expect(outcome.text.isEmpty, "\(outcome)")
  }
}
