import Autowait

/// A row of a trace of Sabre: what a network is like for so long.
package struct SabreRow: Hashable, Sendable {
  /// Milliseconds.
  package var duration: Double
  /// Kilobits per second, which are bits per millisecond.
  package var bandwidth: Double
  /// Milliseconds.
  package var latency: Double

  /// Creates a row.
  package init(duration: Double, bandwidth: Double, latency: Double) {
    (self.duration, self.bandwidth, self.latency) = (duration, bandwidth, latency)
  }
}

/// Sabre's network: rows that are gone through forever, one use after another.
///
/// Source: UMass-LIDS/sabre 09b03bb. It is in its units and its order of operations, so that all
/// sums have the same last digit.
struct SabreLink: Sendable {
  /// The rows that are gone through before a session is said never to end.
  ///
  /// Assumed: hours of CPU time lie beyond; Sabre itself would go on forever.
  static let crossingsMax = 100_000_000

  /// The bits and milliseconds that must have come before a rule may give a download up.
  static let slice = (bits: 12_000.0, time: 50.0)

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
    if !rows.contains(where: { $0.duration > 0 && $0.bandwidth > 0 }) {
      crossings = Self.crossingsMax
    }
  }

  /// Whether so much was gone through that the session will never end.
  @inline(__always)
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

  /// Carries slices of a download until it is over or has taken so long; returns whether it is
  /// over.
  ///
  /// A slice ends when so many bits have come and so much time has passed since the one before, or
  /// since the request. Nearly all lie within a row, and have exactly what is wanted: the loop over
  /// them keeps what it needs at hand (measured).
  @inline(never)
  mutating func carrySlices(
    _ progress: inout RuleProgress, firstTime: Double?, until limit: Double
  ) -> Bool {
    var (time, downloaded) = (progress.time, progress.downloaded)
    defer { (progress.time, progress.downloaded) = (time, downloaded) }
    let size = progress.size
    if let firstTime {
      let slice = sliceOverRows(of: size, firstTime)
      time += slice.time
      downloaded += slice.bits
    }
    while downloaded < size, time < limit || firstTime == nil, crossings < Self.crossingsMax {
      let wanted = max(Self.slice.bits, Self.slice.time * row.bandwidth)
      let span = row.bandwidth > 0 ? wanted / row.bandwidth : 0
      let bandwidth = row.bandwidth
      var (left, clock) = (self.left, self.clock)
      var isAsked = false
      while span > 0, size - downloaded > wanted, wanted <= left * bandwidth {
        clock += span
        left -= span
        time += span
        downloaded += wanted
        if time >= limit {
          isAsked = true
          break
        }
      }
      (self.left, self.clock) = (left, clock)
      if isAsked { return downloaded >= size }
      let slice = sliceOverRows(of: size - downloaded, Self.slice.time)
      time += slice.time
      downloaded += slice.bits
      if time >= limit { break }
    }
    return downloaded >= size || isEndless
  }

  private mutating func sliceOverRows(
    of size: Double, _ timeMin: Double
  ) -> (bits: Double, time: Double) {
    var (size, bitsMin, timeMin) = (size, Self.slice.bits, timeMin)
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
