let arguments = Array(CommandLine.arguments.dropFirst())
var bench = Bench()
if arguments.count >= 2, arguments[0] == "--count", let count = Int(arguments[1]) {
  bench.countedSessions(count, log: arguments.last == "--log")
} else if arguments.count == 3, arguments[0] == "--count",
  let work = Bench.Counted(rawValue: arguments[1]), let count = Int(arguments[2])
{
  bench.counted(work, count)
} else if arguments.count == 3, arguments[0] == "--count",
  let feature = Feature(rawValue: arguments[1]), let count = Int(arguments[2])
{
  for _ in 0..<count { _ = bench.runSession(feature.world(seed: 1), keepsRecords: false) }
} else if arguments.isEmpty || arguments == ["--quick"] {
  print(bench.report(rounds: arguments.isEmpty ? 15 : 2), terminator: "")
} else if arguments.count >= 2, arguments[0] == "--crowd",
  arguments.dropFirst().allSatisfy({ Int($0).map { $0 > 0 } ?? false })
{
  print(bench.crowdReport(arguments.dropFirst().compactMap { Int($0) }), terminator: "")
} else if arguments.first == "--features",
  arguments.dropFirst().allSatisfy({ Feature(rawValue: $0) != nil })
{
  let some = arguments.dropFirst().compactMap { Feature(rawValue: $0) }
  print(bench.featureReport(some, rounds: 5), terminator: "")
} else if !Memory.run(arguments) {
  print(
    """
    usage: autowait-bench [--quick]          measures and prints JSON: CPU time, best of several
           autowait-bench --features [ROW]…  measures only what each property of a session costs,
                                             or some of them, as ladder-sound, which takes less
                                             time than a crowd does
           autowait-bench --crowd N…        measures only an hour of N unlike players on one link
           autowait-bench --count N [--log]  runs N plain sessions and nothing else, as in
                                             valgrind --tool=callgrind autowait-bench --count 1000
           autowait-bench --count WORK N     the same with N downloads of 40 MB (packets), runs of
                                             150 requests (fluid), sessions over packets
                                             (packet-session) or over a fluid (fluid-session),
                                             or streams of six variants (ladder-session); WORK
                                             may be a row of the features, as ladder-sound
           autowait-bench --memory TIER RATE plays ten minutes of so many Mbit/s over a tier, packet
                                             or fluid, for the memory that it takes; TIER live
                                             follows a live stream for RATE days, and trace plays
                                             for a day over a link of RATE samples of 10 ms
    """)
}
