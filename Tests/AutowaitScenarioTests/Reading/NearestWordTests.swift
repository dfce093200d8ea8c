import AutowaitScenario
import Testing

/// A proposal is made when it is near, and only then.
@Suite struct NearestWordTests {
  static let keys = [
    "player", "players", "media", "link", "seed", "script", "expect", "duration", "bitrate",
    "automaticallyWaitsToMinimizeStalling", "at", "do",
  ]
  static let units = [
    "ns", "us", "ms", "s", "min", "h", "d", "kbit/s", "Mbit/s", "kB", "MB", "KiB",
  ]

  @Test(arguments: [
    ("a missing letter", "playr", "player"), ("a letter too many", "linkk", "link"),
    ("a wrong letter", "sced", "seed"), ("two swapped letters", "meida", "media"),
    ("the case", "Media", "media"), ("all of the case", "BITRATE", "bitrate"),
    ("case and a letter", "BitRat", "bitrate"), ("the first of equals", "playersz", "players"),
    ("a long word", "automaticalyWaitToMinimiseStaling", "automaticallyWaitsToMinimizeStalling"),
    ("itself", "seed", "seed"), ("a short word", "od", "do"),
  ])
  func key(_ name: String, _ word: String, _ expected: String) {
    check(name, word, Self.keys, expected)
  }

  @Test(arguments: [
    ("case tells units apart", "mbit/s", "Mbit/s"), ("kilo in capitals", "KB", "kB"),
    ("a plural", "mins", "min"), ("the case of one letter", "S", "s"), ("case of two", "MS", "ms"),
    ("another slash", "Mbits/s", "Mbit/s"),
  ])
  func unit(_ name: String, _ word: String, _ expected: String) {
    check(name, word, Self.units, expected)
  }

  @Test(arguments: [
    ("another word", "zonk"), ("an empty word", ""), ("half of it wrong", "plants"),
    ("one letter", "x"), ("too long to be meant", String(repeating: "player", count: 100)),
  ])
  func tooFar(_ name: String, _ word: String) {
    check(name, word, Self.keys, nil)
  }

  @Test(arguments: [
    ("another version", "h4", ["h1", "h2", "h3"]), ("of two numbers", "1.4", ["1.2", "1.3"]),
    ("a number too many", "bbr2", ["reno", "cubic", "bbr"]),
  ])
  func shortNumbersAreNotMisspelled(_ name: String, _ word: String, _ candidates: [String]) {
    check(name, word, candidates, nil)
  }

  @Test func aNumberOfALongNameMayBe() {
    check("one digit left out", "1280x72 2 Mbit/s", ["1280x720 2 Mbit/s"], "1280x720 2 Mbit/s")
    check("one digit too many", "duration2", ["duration"], "duration")
  }

  @Test func noCandidates() {
    check("none", "player", [], nil)
    check("only an empty one", "player", [""], nil)
  }

  private func check(
    _ name: String, _ word: String, _ candidates: [String], _ expected: String?
  ) {
    #expect(NearestWord.nearest(to: word, among: candidates) == expected, "\(name)")
  }
}
