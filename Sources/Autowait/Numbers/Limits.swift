/// The largest quantities that a world may hold.
///
/// They are far beyond what a player meets, and small enough that no exact product in the core
/// can overflow its integer. Readers refuse larger values; the core traps on them.
package enum Limits {
  /// The longest time, of a run or of media: 366 days.
  package static let timeMax = TimeSpan.seconds(366 * 86_400)
  /// The longest media.
  package static let mediaMax = MediaTime.seconds(366 * 86_400)
  /// The fastest link or media: one terabit per second.
  package static let bitRateMax = BitRate(bitsPerSecond: 1_000_000_000_000)
  /// The largest file: one terabyte.
  package static let bytesMax = ByteCount(bytes: 1_000_000_000_000)
  /// The fastest playback in either direction.
  package static let playbackRateMax = PlaybackRate(millionths: 64_000_000)
  /// The most players in one world.
  package static let playersMax = 1_000
}
