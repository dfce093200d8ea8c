import Autowait
import Testing

/// A strip that is not what happens fails, and its message says where.
@Suite struct StripTests {
  private static let story = Story(
    Media(.progressive, duration: .seconds(4), bitRate: BitRate(bitsPerSecond: 2_000_000)))

  private func check(
    _ strip: String, _ message: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(Self.story.difference(from: strip) == message, sourceLocation: sourceLocation)
  }

  @Test func aTrueStripPasses() {
    check(
      """
      1000 ms a column
      link     1
      user     p
      phase    ewwwpppp..
      ahead    0011211000
      """, nil)
  }

  @Test func theFirstDifferenceHasACaret() {
    check(
      """
      1000 ms a column
      link     1
      user     p
      phase    ewwwwppp..
      ahead    0011211000
      told     --------e-
      """,
      """
      'phase' is first different at 4000 ms: 'w' was expected, and it was 'p'
      expected
      phase    ewwwwppp..
      ahead    0011211000
      told     --------e-
      as it was
      phase    ewwwpppp..
                   ^
      ahead    0011211000
      told     --------e-
      """)
  }

  @Test func theCaretStandsUnderTheRowThatIsDifferent() {
    check(
      """
      500 ms a column
      link     8
      phase    ....
      get      Ffff
      """,
      """
      'get' is first different at 1000 ms: 'f' was expected, and it was '-'
      expected
      phase    ....
      get      Ffff
      as it was
      phase    ....
      get      Ff--
                 ^
      """)
  }

  /// What the user and the link do is part of the story: without it another one is told.
  @Test(arguments: [("1", "p", true), ("2", "p", false), ("1", "!", false), ("1", "-p", false)])
  func whatGoesInMatters(_ link: String, _ user: String, _ isTrue: Bool) {
    let difference = Self.story.difference(
      from: """
        1000 ms a column
        link     \(link)
        user     \(user)
        phase    ewwwpppp
        """)
    #expect((difference == nil) == isTrue)
  }

  @Test(arguments: [
    ("phase pp", "a strip begins with a line such as '500 ms a column'"),
    ("500 ms a column", "nothing comes out of the strip"),
    ("500 ms a column\nphase pp\nahead 1", "'ahead' has 1 columns, and not 2"),
    (
      "500 ms a column\nphrase pp",
      "'phrase' is none of phase, ahead, time, keeps, item, variant, behind, told, get"
    ),
    ("500 ms a column\nlink z\nphase p", "'z' is not a rate"),
    ("500 ms a column\nuser z\nphase p", "no user does 'z'"),
    ("500 ms a column\nphase 2 p", "the world has no player 2"),
  ])
  func aStripThatIsNoneIsRefused(_ strip: String, _ message: String) {
    check(strip, message)
  }
}
