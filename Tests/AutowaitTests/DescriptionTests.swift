import Autowait
import Testing

@Suite struct DescriptionTests {
  @Test(
    arguments: [
      (0, "0 s"), (1, "0.000000001 s"), (6_459_375_000, "6.459375 s"), (39_000_000_000, "39 s"),
      (-1_500_000_000, "-1.5 s"), (1_000_000_001, "1.000000001 s"), (100_000_000, "0.1 s"),
      (Int64.min, "-9223372036.854775808 s"),
    ] as [(Int64, String)])
  func times(_ nanoseconds: Int64, _ text: String) {
    #expect("\(TimeSpan(nanoseconds: nanoseconds))" == text)
    #expect("\(MediaTime(nanoseconds: nanoseconds))" == text)
    #expect("\(Instant(nanoseconds: nanoseconds))" == text)
  }

  @Test func otherQuantities() {
    #expect("\(Instant.never)" == "never")
    #expect("\(BitRate(bitsPerSecond: 3_200_000))" == "3.2 Mbit/s")
    #expect("\(BitRate(bitsPerSecond: 999))" == "999 bit/s")
    #expect("\(BitRate(bitsPerSecond: 1_000))" == "1 kbit/s")
    #expect("\(BitRate.zero)" == "0 bit/s")
    #expect("\(BitRate.unlimited)" == "unlimited")
    #expect("\(ByteCount(bytes: 18_183_750))" == "18.18375 MB")
    #expect("\(ByteCount(bytes: 5_000_000_000_000_000))" == "5000 TB")
    #expect("\(PlaybackRate(millionths: -1_500_000))" == "-1.5")
    #expect("\(PlaybackRate.normal)" == "1")
  }
}
