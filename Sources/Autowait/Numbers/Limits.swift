/// The largest quantities that a world may hold.
///
/// They are far beyond what a player meets, and small enough that no exact product in the core
/// can overflow its integer. Readers refuse larger values; the core traps on them.
public enum Limits {
  /// The longest time, of a run or of media: 366 days.
  public static let timeMax = TimeSpan.seconds(366 * 86_400)
  /// The longest media.
  public static let mediaMax = MediaTime.seconds(366 * 86_400)
  /// The fastest link or media: one terabit per second.
  public static let bitRateMax = BitRate(bitsPerSecond: 1_000_000_000_000)
  /// The largest file: one terabyte.
  public static let bytesMax = ByteCount(bytes: 1_000_000_000_000)
  /// The fastest playback in either direction.
  public static let playbackRateMax = PlaybackRate(millionths: 64_000_000)
  /// The most players in one world.
  public static let playersMax = 1_000
}
