import Autowait
import Testing

/// Media that is there just when it is needed: no rounding may make a stall of it.
@Suite struct TieTests {
  /// A constant link and a buffered rule, in thousandths of the media's rate and of a second.
  struct Case: CustomTestStringConvertible {
    let ratio: Int64
    let rate: Int64
    let start: Int64
    let resume: Int64
    let duration: Int64

    /// The stalls, worked out without rounding.
    ///
    /// The buffer runs dry at (start + k · resume) · rate / (rate − ratio) for k = 0, 1, …, which
    /// is a stall if it is before the end.
    var stalls: Int64 {
      let missing = duration * (rate - ratio) - start * rate
      return missing <= 0 ? 0 : (missing + resume * rate - 1) / (resume * rate)
    }

    var testDescription: String {
      "\(duration) ms at \(rate) over \(ratio), \(start) and \(resume) ms"
    }

    static let all: [Case] = [10_000, 20_000, 36_000].flatMap { duration in
      [Int64(500), 750, 800, 900].flatMap { ratio in
        [Int64(1_000), 1_500, 2_000].flatMap { rate in
          [(1_000, 500), (1_000, 1_000), (2_000, 250), (300, 700)].map { start, resume in
            Case(ratio: ratio, rate: rate, start: start, resume: resume, duration: duration)
          }
        }
      }
    }
  }

  @Test(arguments: Case.all)
  func stallsAreThoseOfExactNumbers(_ tie: Case) {
    let bitRate: Int64 = 3_730_000
    let media = Media(
      .progressive, duration: MediaTime(nanoseconds: tie.duration * 1_000_000),
      bitRate: BitRate(bitsPerSecond: bitRate))
    let link = LinkTrack(rate: BitRate(bitsPerSecond: bitRate * tie.ratio / 1_000))
    let play = Demo.at(0, .setRate(PlaybackRate(millionths: tie.rate * 1_000)))
    let world = Demo.with(Demo.world(play, on: link, of: media)) {
      $0.keepUp.rule = .buffered(
        start: MediaTime(nanoseconds: tie.start * 1_000_000),
        resume: MediaTime(nanoseconds: tie.resume * 1_000_000))
    }
    let run = Simulation.run(of: world, keepsRecords: false)
    #expect(Int64(run.metrics(of: 0).stallCount) == tie.stalls)
    #expect(run.finishReason == .settled)
  }

  /// A link of one rate, and of another one from an instant on.
  private static func track(_ first: Int64, _ second: Int64, from change: TimeSpan) -> LinkTrack {
    LinkTrack(
      [
        LinkTrack.Sample(start: .zero, rate: BitRate(bitsPerSecond: first)),
        LinkTrack.Sample(start: change, rate: BitRate(bitsPerSecond: second)),
        // There the buffer is as it was before the mark: nothing else would have it looked at.
        LinkTrack.Sample(start: change + .seconds(1), rate: BitRate(bitsPerSecond: second + 1)),
      ], ending: .hold)
  }

  /// The buffer is empty at 4 s, and full at 8 s, unless the link turns a nanosecond before.
  @Test(arguments: [Int64(-1), 0, 1])
  func marksThatAreTouchedAreReached(_ late: Int64) {
    let media = Media(
      .progressive, duration: .seconds(60), bitRate: BitRate(bitsPerSecond: 1_000_000))
    let late = TimeSpan(nanoseconds: late)
    let play = Demo.at(seconds: 2, .playImmediately(.normal))
    let slow = Self.track(500_000, 2_000_000, from: .seconds(4) + late)
    let dry = Simulation.run(of: Demo.world(play, on: slow, of: media))
    #expect(dry.metrics(of: 0).stallCount == (late < .zero ? 0 : 1))
    let fast = Self.track(2_000_000, 500_000, from: .seconds(8) + late)
    let full = Simulation.run(
      of: Demo.with(Demo.world(play, on: fast, of: media)) {
        $0.keepUp.forwardBufferLimit = .seconds(10)
      })
    let first = full.times(of: .isPlaybackBufferFull(true)).first ?? .max
    #expect((first == 8_000_000_000) == (late >= .zero))
  }
}
