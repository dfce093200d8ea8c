import Autowait
import Testing

/// What is asked for of files and streams, and when, told in strips.
@Suite struct SourceStoryTests {
  /// Segments of two seconds.
  private static func list(_ rate: Int64, _ count: Int) -> SegmentList {
    SegmentList(
      Array(repeating: (MediaTime.seconds(2), ByteCount(bytes: rate / 4)), count: count))
  }

  /// A stream whose lists are those of its variants; the bandwidths are those of the lists.
  private static func stream(_ lists: [SegmentList]) -> StreamMedia {
    let variants = lists.indices.map {
      StreamMedia.Variant(
        bandwidth: BitRate(bitsPerSecond: lists[$0].size(of: 0).bytes * 4), list: $0)
    }
    return StreamMedia(variants: variants, lists: lists)
  }

  private static func streamWithSound() -> StreamMedia {
    var stream = stream([list(1_000_000, 5)])
    stream.lists.append(list(200_000, 5))
    stream.variants[0].audioGroup = 0
    stream.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    stream.renditions[0].isDefault = true
    return stream
  }

  private static func live(window: MediaTime? = nil) -> StreamMedia {
    var stream = stream([list(1_000_000, 30)])
    stream.lists[0].playlistSize = ByteCount(bytes: 2_000)
    stream.live = LiveWindow(elapsed: .seconds(20), window: window)
    return stream
  }

  /// The first bytes tell that the index is not there, and it is asked for alone.
  @Test func theIndexAtTheBackIsFetchedFirst() {
    Story(
      Media(
        .progressive, duration: .seconds(10), contentSize: ByteCount(bytes: 1_000_000),
        headerSize: ByteCount(bytes: 250_000), indexPlacement: .back), delay: 500
    ).tells(
      """
      500 ms a column
      link     4
      user     p
      phase    eewwwppppppppppppp
      ahead    000001357766554433
      get      FfXxFfff----------
      """)
  }

  /// One after another: multivariant playlist, playlist, key and section, segments.
  @Test func aStreamStartsInStages() {
    var list = Self.list(2_000_000, 6)
    list.playlistSize = ByteCount(bytes: 25_000)
    list.initializations = [ByteCount(bytes: 62_500)]
    list.need(SegmentList.SegmentStretch(first: 0, initialization: 0, key: 0))
    var stream = Self.stream([list])
    stream.playlistSize = ByteCount(bytes: 25_000)
    stream.keys = [
      StreamMedia.ContentKey(size: ByteCount(bytes: 16), serverDelay: .milliseconds(500))
    ]
    Story(Media(stream), delay: 250).tells(
      """
      250 ms a column
      link     4
      user     p
      phase    eeeewwwwwwwwpppppppppppppppppppp
      ahead    00000000000011110222113322243333
      get      MmLKkkIAaaaaAaaaaAaaaaAaaaaAaaaa
      """)
  }

  /// Sound has a list of its own; a segment of each is under way at the same time.
  @Test func soundOfItsOwnComesBesidesThePicture() {
    Story(Media(Self.streamWithSound())).tells(
      """
      500 ms a column
      link     2
      user     p
      phase    ewwpppppppppppppppppppp.
      ahead    000110213243544332211000
      told     -----------------------e
      get      AaaAaaAaAaAa------------
      get      SS-S----S---------------
      """)
  }

  /// A player that makes one request at a time asks for picture and sound in turns.
  @Test func oneRequestAtATime() {
    Story(Media(Self.streamWithSound())) { $0.keepUp.requestOrder = .serial }.tells(
      """
      500 ms a column
      link     2
      user     p
      phase    ewwpppppppppppppppppppp.
      ahead    000112213243544332211000
      told     -----------------------e
      get      AaSAaAaSAaAa------------
      """)
  }

  /// What is shown as loaded ends where the shorter track ends.
  @Test func lateSoundHoldsThePlayerUp() {
    var stream = Self.streamWithSound()
    stream.faults = [Fault(.status(404), of: .segment(list: 1, number: 1), count: 1)]
    Story(Media(stream)) { $0.streaming.retryDelay = .seconds(5) }.tells(
      """
      500 ms a column
      link     4
      user     p
      phase    ewppppwwwwwppppppppppppp
      ahead    001100000001324554433221
      told     -!----s-----------------
      get      AaA--------SAaA---------
      get      S----------AS-----------
      """)
  }

  /// A link that becomes faster: the next segment is one of a better variant.
  @Test func aFasterLinkBringsABetterVariant() {
    Story(Media(Self.stream([Self.list(500_000, 14), Self.list(2_000_000, 14)]))).tells(
      """
      500 ms a column
      link     11118
      user     p
      phase    eepppppppppppppppppppppppp
      ahead    00213+++++++++++++++++++++
      variant  --000001111111111111111111
      get      AaAaAABBBBBBB-------------
      """)
  }

  /// Two seconds after the buffer ran dry, a segment is given up for one of the smaller variant.
  @Test func aSegmentThatIsTooLateIsAbandoned() {
    Story(Media(Self.stream([Self.list(500_000, 8), Self.list(4_000_000, 8)]))).tells(
      """
      500 ms a column
      link     88881
      user     p
      phase    eppppppppppppwwwwwwppppppppppp
      ahead    011221322110000000011223344554
      variant  -00111111111111111100000000000
      told     -------------s---c------------
      get      ABbBbbBbbbbbbbbbbAaAaAaAaAa---
      """)
  }

  /// A segment that is missing once is asked for again after a second; the log has an entry.
  @Test func aMissingSegmentIsAskedForAgain() {
    var stream = Self.stream([Self.list(1_000_000, 5)])
    stream.faults = [Fault(.status(404), of: .segment(list: 0, number: 2), count: 1)]
    Story(Media(stream), delay: 500).tells(
      """
      500 ms a column
      link     2
      user     p
      phase    eewwppppppppwppppppp
      ahead    00002112211002112213
      told     --------!---s-------
      get      LAaaAaaA--AaaAaaAaa-
      """)
  }

  /// A segment that stays missing ends the item when what is loaded, 4 s from 2 s on, is played.
  @Test func aSegmentThatStaysMissingFailsTheItem() {
    var stream = Self.stream([Self.list(1_000_000, 5)])
    stream.faults = [Fault(.status(404), of: .segment(list: 0, number: 2))]
    Story(Media(stream), delay: 500).tells(
      """
      500 ms a column
      link     2
      user     p
      phase    eewwpppppppp........
      ahead    00002112211000000000
      time     00000011223344444444
      told     --------!--!f-------
      get      LAaaAaaA--A---------
      """)
  }

  /// Twenty seconds are over: playback starts three segments before the end, and the playlist is
  /// loaded again as often as a segment comes.
  @Test func aLiveStreamStartsNearItsEnd() {
    Story(Media(Self.live()), delay: 500).tells(
      """
      500 ms a column
      link     4
      user     p
      phase    eewwpppppppppppppppppppp
      ahead    000011223344554455445544
      behind   --7777777777777777777777
      told     ------------------------
      get      LlAaAaAaAaAaLlAaLlAaLlAa
      get      ----Ll--Ll--------------
      """)
  }

  /// A pause that is longer than the window: what was loaded has gone, and playback jumps.
  @Test func aLongPauseOfALiveStreamEndsInAJump() {
    Story(Media(Self.live(window: .seconds(10)))).tells(
      """
      1000 ms a column
      link     4
      user     p----x-----------p
      phase    epppp............ppppppp
      ahead    014545555555555555145454
      behind   -66666789+++++++++777777
      told     ------------------j-----
      get      LAL-L------------LAL-L-L
      """)
  }

  @Test func anOutageOfALiveStreamIsMissed() {
    Story(Media(Self.live())).tells(
      """
      1000 ms a column
      link     4444____________4
      user     p
      phase    eppppppppwwwwwwwwwpppp
      behind   -66666666789++++++++++
      told     ------!--!---!--------
      """)
  }

  /// A jump makes up for the startup, and one for the outage.
  @Test func anOutageOfALiveStreamIsMadeUpForIfWanted() {
    Story(Media(Self.live())) { $0.automaticallyPreservesTimeOffsetFromLive = true }.tells(
      """
      1000 ms a column
      link     4444____________4
      user     p
      phase    eppppppppwwwwwwwwwwppp
      behind   -66666666789++++++6666
      told     -j----!--!---!----j---
      """)
  }
}
