import AutowaitScenario
import Foundation
import Testing

/// `autowait recipe`: scripts that their engines can read, whatever the paths are called.
@Suite struct RecipeCommandTests {
  static let engines = [
    "parallel", "xargs", "slurm", "kubernetes", "aws-batch", "dask", "ray", "spark",
  ]
  /// Names that a shell, Python or an engine could take for something else.
  private static let names = [
    "x.json", "a b.json", "it's.json", "\"q\".json", "$(touch pwned).json", "`touch pwned`.json",
    "{}.json", "a;touch pwned.json", "-x.json", "new\nline.json", "\\n.json", "$HOME.json",
    "JSON", "\"\"\"x.json", "#.json", "é.json",
  ]

  private func recipe(_ engine: String, _ name: String, _ fixture: CommandFixture) -> String {
    let path = fixture.path(name)
    let call = fixture.call(exactly: [
      "recipe", engine, "--shards", "4", "--out", path + ".d", path,
    ])
    #expect(call.code == 0, "\(call.messages)")
    return call.output
  }

  /// Returns what a line of the shell ends with; nil if it names a program that there is not.
  private func shell(_ line: String, _ fixture: CommandFixture) throws -> Int32? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bash", "-c", line]
    process.currentDirectoryURL = URL(filePath: fixture.folder)
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 127 ? nil : process.terminationStatus
  }

  @Test(arguments: engines)
  func scriptsCanBeRead(_ engine: String) throws {
    let fixture = try CommandFixture()
    for (number, name) in Self.names.enumerated() {
      try fixture.write(name, CompareCommandTests.experiment)
      let text = recipe(engine, name, fixture)
      #expect(text == recipe(engine, name, fixture))
      try fixture.write("script-\(number)", text)
      if let json = Self.json(in: text) {
        #expect(Findings(SourceText(path: "x", text: json)).parseJSON() != nil, "\(json)")
      } else {
        #expect(!["kubernetes", "aws-batch"].contains(engine))
      }
    }
    let language = try fixture.read("script-0").split(separator: "\n").first
    switch language {
    case "#!/usr/bin/env bash":
      let line = "for script in script-*; do bash -n $script || exit; done"
      #expect(try shell(line, fixture) == 0, "\(engine)")
    case "#!/usr/bin/env python3":
      let code = try shell("python3 -m py_compile script-*", fixture)
      #expect(code == 0 || code == nil, "\(engine)")
    default: #expect(engine == "kubernetes")
    }
    #expect(!fixture.exists("pwned"))
  }

  /// The JSON of a script: from the first line that is a brace to the last.
  private static func json(in text: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "{"), let end = lines.lastIndex(of: "}") else {
      return nil
    }
    return lines[start...end].joined(separator: "\n")
  }

  /// Comments end with their line, whatever a path is called.
  @Test(arguments: engines)
  func pathsStayInTheirPlaces(_ engine: String) throws {
    let fixture = try CommandFixture()
    let name = "zonk\ntouch pwned.json"
    try fixture.write(name, CompareCommandTests.experiment)
    let lines = recipe(engine, name, fixture).split(separator: "\n")
    let loose = lines.filter { $0.hasPrefix("touch") && $0.contains("#") }
    #expect(loose.isEmpty)
    let comments = lines.filter { $0.hasPrefix("#") && $0.contains("zonk") }
    #expect(comments.isEmpty)
  }

  /// Spark as far as its recipe needs it: `pipe` starts a program in the environment that it is
  /// given, and in an empty one if it is given none, as PySpark's does.
  private static let spark = #"""
    import shlex
    from subprocess import PIPE, Popen

    class Lines:
        def __init__(self, lines):
            self.lines = lines

        def pipe(self, command, env=None, checkCode=False):
            program = Popen(shlex.split(command), env=env or {}, stdin=PIPE, stdout=PIPE)
            text = "".join(line + "\n" for line in self.lines)
            output, _ = program.communicate(text.encode())
            assert not (checkCode and program.returncode)
            return Lines(output.decode().splitlines())

        def saveAsTextFile(self, folder):
            print("\n".join(self.lines))

    class Session:
        def __getattr__(self, name):
            return self

        def __call__(self, *arguments):
            return self

        def parallelize(self, lines, count):
            return Lines(lines)

    class SparkSession:
        builder = Session()

    """#

  /// The tool is found by the PATH of the process that starts the job.
  @Test func sparkFindsTheTool() throws {
    let fixture = try CommandFixture([
      "x.json": CompareCommandTests.experiment, "pyspark/__init__.py": "",
      "pyspark/sql.py": Self.spark, "bin/autowait": "#!/bin/sh\necho \"$@\"; exec cat\n",
    ])
    try fixture.makeExecutable("bin/autowait")
    try fixture.write("job.py", recipe("spark", "x.json", fixture))
    let call = #"PYTHONPATH=. PATH="$PWD/bin:$PATH" python3 job.py > out"#
    guard let code = try shell(call, fixture) else { return }
    #expect(code == 0)
    let lines = try fixture.read("out").split(separator: "\n")
    #expect(lines.first == "work $/x.json")
    #expect(lines.dropFirst().prefix(4) == (1...4).map { #"{"shard": "\#($0)/4"}"# }[...])
  }

  @Test(arguments: [
    (["recipe", "xargs", "$/x.json"], "'autowait recipe' needs the number of shards"),
    (["recipe", "xargs", "--shards", "4"], "'autowait recipe' needs ENGINE EXPERIMENT"),
    (["recipe", "xarg", "$/x.json", "--shards", "4"], "unknown engine 'xarg'\nnote: did you mean"),
    (["recipe", "xargs", "$/x.json", "--shards", "0"], "'--shards' must be a whole number from 1"),
    (
      ["recipe", "aws-batch", "$/x.json", "--shards", "1"],
      "'aws-batch' takes 2 to 10000 shards, not 1"
    ),
  ])
  func wrongCallsSayWhatIsRight(_ arguments: [String], _ message: String) throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let outcome = fixture.call(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("autowait: error: \(message)"), "\(outcome.messages)")
  }

  @Test func tooManyShardsAreSaid() throws {
    let fixture = try CommandFixture(["x.json": CompareCommandTests.experiment])
    let outcome = fixture.call("recipe", "slurm", "$/x.json", "--shards", "2000", "--seeds", "3")
    #expect(outcome.code == 0)
    #expect(outcome.messages == "$/x.json: warning: there are only 6 units for 2000 shards\n")
    #expect(outcome.output.contains("#SBATCH --array=1-2000\n"))
    #expect(outcome.output.contains("MaxArraySize"))
    #expect(outcome.output.contains("--seeds 3"))
  }
}
