import Autowait
import AutowaitPlayer
import Testing

/// The code of the README, which a test finds here word for word.
@Suite struct ReadmeExample {
  @Test func withoutAWaitBeforePlayingThereIsOneInTheMiddle() {
    let movie = Media.progressive(duration: .seconds(39), bitRate: .megabits(3.73))
    var patient = SimulatedPlayer(playing: movie, over: LinkProfile(rate: .megabits(3.2)))
    patient.advance(by: .seconds(0.35))
    var impatient = patient

    patient.play()
    patient.run()

    impatient.playImmediately()
    impatient.run()

    let stalls = (patient.metrics.stallCount, impatient.metrics.stallCount)
    #expect(stalls == (0, 1))
  }
}
