let arguments = Array(CommandLine.arguments.dropFirst())
var bench = Bench()
if arguments.count >= 2, arguments[0] == "--count", let count = Int(arguments[1]) {
  bench.countedSessions(count, log: arguments.last == "--log")
} else if arguments.isEmpty || arguments == ["--quick"] {
  print(bench.report(rounds: arguments.isEmpty ? 15 : 2), terminator: "")
} else if arguments.first == "--accuracy" || arguments.first == "--parity" {
  AccuracyCommand.run(arguments)
} else {
  print(
    """
    usage: autowait-bench [--quick]          measures and prints JSON: CPU time, best of several
           autowait-bench --count N [--log]  runs N plain sessions and nothing else, as in
                                             valgrind --tool=callgrind autowait-bench --count 1000
           autowait-bench --accuracy [FOLDER] [--verbose] [--measured-losses]
                                             holds the models of a transfer against measured ones,
                                             which lie in the folder, by default ../shared/oracles
           autowait-bench --parity [FOLDER]  replays the sessions of other simulators
    """)
}
