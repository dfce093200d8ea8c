import Autowait

func demo(_ script: [ScriptStep], rate: Int64 = 3_200_000, tweak: (inout PlayerConfiguration) -> Void = { _ in }) {
  var player = PlayerConfiguration(media: [
    Media(.progressive, duration: .seconds(39), bitRate: BitRate(bitsPerSecond: 3_730_000))
  ])
  tweak(&player)
  let world = World(
    seed: 1, tracks: [LinkTrack(rate: BitRate(bitsPerSecond: rate))], players: [player],
    script: [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))] + script,
    horizon: Instant(nanoseconds: 600_000_000_000))
  var simulation = Simulation(world)
  print(simulation.run())
  for record in simulation.trace.records {
    print(Double(record.instant.nanoseconds) / 1e9, record.number, record.cause, record.event)
  }
  print(simulation.metrics(of: 0).timeSpentInInitialStartup, simulation.eventCount)
}
let early = Condition([Condition.Test(.loaded, .atLeast, 300_000_000)])
demo([ScriptStep(.when(early), .player(0, .play))])
print("----")
demo([ScriptStep(.when(early), .player(0, .playImmediately(.normal)))])
print("----")
demo([ScriptStep(.at(.start), .player(0, .setRate(PlaybackRate(millionths: 2_000_000))))])
print("----")
demo([ScriptStep(.at(Instant(nanoseconds:2_000_000_000)), .player(0, .play))], rate: 100_000_000)
print("----")
demo([ScriptStep(.when(early), .player(0, .play))]) { $0.automaticallyWaitsToMinimizeStalling = false }
