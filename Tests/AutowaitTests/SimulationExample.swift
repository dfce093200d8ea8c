import Autowait
import Testing

/// The code of the first page of the documentation, which a test finds here word for word.
@Suite struct SimulationExample {
  @Test func withoutAWaitBeforePlayingThereIsOneInTheMiddle() {
    let movie = Media(
      .progressive, duration: .seconds(39), bitRate: BitRate(bitsPerSecond: 3_730_000))
    let world = World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 3_200_000)))],
      players: [PlayerConfiguration(media: [movie])],
      script: [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))],
      horizon: Instant(nanoseconds: 600_000_000_000))

    var patient = Simulation(world)
    _ = patient.advance(to: Instant(nanoseconds: 350_000_000))
    var impatient = patient

    patient.perform(.player(0, .play))
    _ = patient.run()

    impatient.perform(.player(0, .playImmediately(.normal)))
    _ = impatient.run()

    let stalls = (patient.metrics(of: 0).stallCount, impatient.metrics(of: 0).stallCount)
    #expect(stalls == (0, 1))
  }
}
