/// A row of a trace of Sabre: what a network is like for so long.
public struct SabreRow: Hashable, Sendable {
  /// Milliseconds.
  public var duration: Double
  /// Kilobits per second, which are bits per millisecond.
  public var bandwidth: Double
  /// Milliseconds.
  public var latency: Double

  /// Creates a row.
  public init(duration: Double, bandwidth: Double, latency: Double) {
    (self.duration, self.bandwidth, self.latency) = (duration, bandwidth, latency)
  }
}

/// Sabre's network: rows that are gone through for ever, one use after another.
///
/// Source: UMass-LIDS/sabre 09b03bb. It is in its units and its order of operations, so that all
/// sums have the same last digit. The exact link of the simulator itself is ``IdealLink``.
struct SabreLink: Sendable {
  /// The rows that are gone through before a session is said never to end.
  ///
  /// Assumed: hours of CPU time lie beyond; Sabre itself would go on for ever.
  static let crossingsMax = 100_000_000

  private let rows: [SabreRow]
  private var place = 0
  private var left: Double
  private var row: SabreRow
  private(set) var crossings = 0
  /// The network's own time in milliseconds.
  private(set) var clock = 0.0

  init(_ rows: [SabreRow]) {
    precondition(!rows.isEmpty, "a network needs a row")
    self.rows = rows
    row = rows[0]
    left = row.duration
  }

  /// Whether so much was gone through that the session will never end.
  var isEndless: Bool { crossings >= Self.crossingsMax }

  @inline(__always)
  private mutating func enterNext() {
    crossings += 1
    place += 1
    if place == rows.count { place = 0 }
    row = rows[place]
    left = row.duration
  }

  /// Spends a span of the row's time.
  @inline(__always)
  private mutating func spend(_ span: Double) {
    clock += span
    left -= span
  }

  /// Lets time pass.
  mutating func idle(_ span: Double) {
    var rest = span
    while rest > left, !isEndless {
      rest -= left
      clock += left
      enterNext()
    }
    spend(rest)
  }

  /// Waits for a first byte: a unit of work, done at the pace of each row's latency.
  @inline(__always)
  mutating func wait() -> Double {
    if row.latency <= left {
      spend(row.latency)
      return row.latency
    }
    return waitOverRows()
  }

  private mutating func waitOverRows() -> Double {
    var (units, total) = (1.0, 0.0)
    while units > 0, !isEndless {
      let span = units * row.latency
      if span <= left {
        total += span
        spend(span)
        break
      }
      total += left
      clock += left
      units -= left / row.latency
      enterNext()
    }
    return total
  }

  /// Carries some bits and returns how long that takes.
  @inline(__always)
  mutating func carry(_ bits: Double) -> Double {
    var (rest, total) = (bits, 0.0)
    while rest > 0 {
      let brought = left * row.bandwidth
      if rest <= brought {
        let span = rest / row.bandwidth
        spend(span)
        return total + span
      }
      total += left
      clock += left
      rest -= brought
      enterNext()
      if isEndless { return .infinity }
    }
    return total
  }

  /// Carries part of some bits: until so many have come and so much time has passed.
  @inline(__always)
  mutating func slice(
    of size: Double, bitsMin: Double, timeMin: Double
  ) -> (bits: Double, time: Double) {
    // Nearly all slices lie within a row, and have exactly what is wanted.
    let wanted = max(bitsMin, timeMin * row.bandwidth)
    if row.bandwidth > 0, size > wanted, bitsMin > 0, wanted <= left * row.bandwidth {
      let span = wanted / row.bandwidth
      spend(span)
      return (wanted, span)
    }
    return sliceOverRows(of: size, bitsMin, timeMin)
  }

  private mutating func sliceOverRows(
    of size: Double, _ bitsMin: Double, _ timeMin: Double
  ) -> (bits: Double, time: Double) {
    var (size, bitsMin, timeMin) = (size, bitsMin, timeMin)
    var (bits, time) = (0.0, 0.0)
    while size > 0, bitsMin > 0 || timeMin > 0, !isEndless {
      var (some, span) = (0.0, left)
      if row.bandwidth > 0 {
        let wanted = max(bitsMin, timeMin * row.bandwidth)
        let brought = left * row.bandwidth
        if size <= wanted, size <= brought {
          (some, span) = (size, size / row.bandwidth)
          spend(span)
        } else if wanted <= brought {
          (some, span) = (wanted, wanted / row.bandwidth)
          (bitsMin, timeMin) = (0, 0)
          spend(span)
        } else {
          some = brought
          clock += left
          enterNext()
        }
      } else if bitsMin > 0 || timeMin > left {
        clock += left
        enterNext()
      } else {
        span = timeMin
        spend(span)
      }
      bits += some
      time += span
      size -= some
      bitsMin -= some
      timeMin -= span
    }
    return (bits, time)
  }
}
