import Autowait
import Testing

/// What players do, told in strips.
///
/// The film has 2 Mbit/s and lasts 12 seconds unless a story says otherwise.
@Suite struct PlayerStoryTests {
  private static func film(_ seconds: Int64 = 12) -> Media {
    Media(
      .progressive, duration: .seconds(seconds), bitRate: BitRate(bitsPerSecond: 2_000_000))
  }

  /// A link of four times the file's rate: K is yes with the first verdict, before the user plays.
  @Test func aFastLinkStartsAtOnce() {
    Story(Self.film()).tells(
      """
      500 ms a column
      link     8
      user     ----p
      phase    ....pppppppppppppppp
      ahead    024689+++99887766554
      time     00000011223344556677
      keeps    -kkkkkbbbbbbbbbbbbbb
      told     --------------------
      get      Ffffff--------------
      """)
  }

  /// Half the file's rate: half of the file must be there, and the end comes with the last byte.
  @Test func aSlowLinkIsWaitedFor() {
    Story(Self.film()).tells(
      """
      2000 ms a column
      link     1
      user     p
      phase    ewwwwwpppppp...
      ahead    012345654321000
      time     000000024680222
      keeps    ------kkkkkkbbb
      told     ------------e--
      get      Ffffffffffff---
      """)
  }

  /// Playing at once ends in a stall, which lasts until K is yes, as a patient start does.
  @Test func playingAtOnceStalls() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     1
      user     --!
      phase    ..ppwwwwwwwwwwpppppppppp....
      ahead    0010001122334454433221100000
      time     0001222222222223456789012222
      told     ----s-------------------e---
      """)
  }

  /// Players before iOS 10 have no automatic waiting.
  @Test(arguments: [
    Story(film()) { $0.automaticallyWaitsToMinimizeStalling = false },
    Story(film()) { $0.contract = APIContract(iOS: 9) ?? .newest },
  ])
  func aStallIsFinalWithoutAutomaticWaiting(_ story: Story) {
    story.tells(
      """
      1000 ms a column
      link     1
      user     --p
      phase    ..pp..........
      ahead    00100011223344
      time     00012222222222
      told     ----s---------
      """)
  }

  /// The link is down for six seconds: the player plays what is loaded, stalls and resumes.
  @Test func anOutageIsAStall() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     33333______2
      user     p
      phase    epppppppwwwwwwpppp..
      ahead    00112210000012221000
      time     00123456777777890122
      keeps    -kkkkkkk------kkbbbb
      told     --------s---------e-
      get      Ffffffffffffffff----
      """)
  }

  @Test func afterAPausePlaybackWaitsAgain() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     1
      user     --!-x-----p
      phase    ..pp......wwwwpp
      ahead    0010001122334454
      time     0001222222222223
      told     ----s-----------
      """)
  }

  @Test func aSeekInsideTheBufferGoesOn() {
    Story(Self.film()).tells(
      """
      500 ms a column
      link     8
      user     p-----s
      phase    eppppppppppp
      ahead    013467655443
      time     000112667788
      told     ------d-----
      get      Ffffff------
      """, ["s": .seek(.seconds(6))])
  }

  /// A seek beyond what is loaded gives the request up, waits for a verdict, and is no stall.
  @Test func aSeekOutsideTheBufferWaits() {
    Story(Self.film(60)).tells(
      """
      250 ms a column
      link     4
      user     p---s
      phase    epppeppppppppppp
      ahead    0000000011112222
      time     0000000001111222
      told     ----cd----------
      get      FfffFfffffffffff
      """, ["s": .seek(.seconds(30))])
  }

  @Test func aLaterSeekGivesUpTheOneThatWaits() {
    Story(Self.film(60)).tells(
      """
      500 ms a column
      link     4444___4
      user     p---s-t
      phase    epppeeeepppppp
      time     00010000001122
      told     ----c-g-d-----
      get      FfffFfFfffffff
      """, ["s": .seek(.seconds(30)), "t": .seek(.seconds(50))])
  }

  /// At 1.5 times the rate the file is over sooner, so more of it must be there before.
  @Test func aHigherRateWaitsLonger() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     1
      user     r
      phase    ewwwwwwwwwwwwwwwpppp
      ahead    00112233445566778765
      time     00000000000000000134
      told     --------------------
      """, ["r": .setRate(PlaybackRate(millionths: 1_500_000))])
  }

  @Test func aHigherRateWhilePlayingGoesOn() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     3
      user     p---r
      phase    epppppppp.........
      ahead    001121100000000000
      time     001235791222222222
      told     ---------e--------
      """, ["r": .setRate(PlaybackRate(millionths: 2_000_000))])
  }

  /// The first item's request is given up for the second, and begins again when it comes back.
  @Test func itemsTakeTurnsOnTheLink() {
    Story(Self.film(), Self.film()).tells(
      """
      1000 ms a column
      link     4
      user     p---2---1
      item     0000111100000000
      phase    epppepppeppppppp
      ahead    0123012301234565
      time     0012001200123456
      get      FfffFfffFfffff--
      """, ["1": .replaceCurrentItem(0), "2": .replaceCurrentItem(1)])
  }

  @Test func noItemIsWaitedFor() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     8
      user     p-0--1
      item     00---00000
      phase    epnnnepppp
      time     0000000123
      get      Ff---Fff--
      """, ["0": .replaceCurrentItem(nil), "1": .replaceCurrentItem(0)])
  }

  /// Each has half of the link, and the second player has all of it when the first has its file.
  @Test func twoPlayersShareTheLink() {
    var story = Story(Self.film(6))
    story.world.players.append(PlayerConfiguration(media: [Self.film(9)]))
    story.tells(
      """
      1000 ms a column
      link     2
      user     p
      user 2   p
      phase    ewwwwwpppppp........
      ahead    00112232211000000000
      get      Ffffffffffff--------
      phase 2  ewwwwwwwwppppppppp..
      ahead 2  00112233444333332100
      get 2    Fffffffffffffff-----
      """)
  }

  @Test func aFailedItemStopsThePlayer() {
    Story(Self.film()).tells(
      """
      1000 ms a column
      link     3
      user     p---f--p
      phase    eppp....
      time     00123333
      told     ----f---
      get      Ffff----
      """, ["f": .failItem])
  }

  /// A full buffer stops reading, and reads again below the mark.
  @Test func aFullBufferStopsReading() {
    Story(Self.film(30)) {
      $0.keepUp.forwardBufferLimit = .seconds(6)
      $0.keepUp.forwardBufferResume = .seconds(3)
    }.tells(
      """
      1000 ms a column
      link     8
      user     p
      phase    eppppppppppppppppppp
      ahead    03543354335433543354
      keeps    -kbbbkbbbkbbbkbbbkbb
      get      Ffffffffffffffffffff
      """)
  }

  @Test func theEndIsToldOnceAndAgainAfterASeek() {
    Story(Self.film(3)).tells(
      """
      1000 ms a column
      link     8
      user     p------sp
      phase    eppp....ppp.
      time     001233300123
      told     ----e--d---e
      """, ["s": .seek(.zero)])
  }
}
