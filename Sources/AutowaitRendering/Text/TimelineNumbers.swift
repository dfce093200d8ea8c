import Autowait
import AutowaitFigures

/// Writes numbers as people read them: rounded where nobody needs more, never with an exponent and
/// never apart from their units.
package enum TimelineNumbers {
  private static let tie = TerminalText.tie

  /// Returns nanoseconds as seconds, rounded to a microsecond, with their unit.
  static func seconds(_ nanoseconds: Int64) -> String { "\(bareSeconds(nanoseconds))\(tie)s" }

  /// Returns nanoseconds as seconds, rounded to a microsecond, without a unit.
  static func bareSeconds(_ nanoseconds: Int64) -> String {
    let magnitude = (nanoseconds.magnitude + 500) / 1_000
    let value = Int64(magnitude)
    return FigureDecimal.text(nanoseconds < 0 ? -value : value, digits: 6)
  }

  /// Returns an instant as seconds.
  static func text(_ instant: Instant) -> String { seconds(instant.nanoseconds) }

  /// Returns a time of the media as seconds.
  static func text(_ time: MediaTime) -> String { seconds(time.nanoseconds) }

  /// Returns a span of time as seconds.
  package static func text(_ span: TimeSpan) -> String { seconds(span.nanoseconds) }

  /// Returns a speed of playback as AVFoundation's Float reads: never without a point.
  static func text(_ rate: PlaybackRate) -> String {
    let text = FigureDecimal.text(rate.millionths, digits: 6)
    return text.contains(".") ? text : text + ".0"
  }

  /// Returns a rate of data in the unit that suits it, exactly.
  static func text(_ rate: BitRate) -> String { scaled(rate.bitsPerSecond, unit: "bit/s") }

  /// Returns a number of bytes in the unit that suits it, exactly.
  static func text(_ size: ByteCount) -> String { scaled(size.bytes, unit: "B") }

  private static func scaled(_ value: Int64, unit: String) -> String {
    switch value {
    case ..<1_000: "\(value)\(tie)\(unit)"
    case ..<1_000_000: "\(FigureDecimal.text(value, digits: 3))\(tie)k\(unit)"
    case ..<1_000_000_000: "\(FigureDecimal.text(value, digits: 6))\(tie)M\(unit)"
    default: "\(FigureDecimal.text(value, digits: 9))\(tie)G\(unit)"
    }
  }

  /// Returns a number with all but its first three digits rounded off; cut off if there is no room
  /// to round up.
  static func rounded(_ value: Int64) -> Int64 {
    var unit: Int64 = 1
    while value / unit >= 1_000 { unit *= 10 }
    let (sum, overflow) = value.addingReportingOverflow(unit / 2)
    return (overflow ? value : sum) / unit * unit
  }
}
