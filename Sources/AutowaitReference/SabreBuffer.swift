import Autowait

/// Sabre's buffer: segments in a row, of the first of which a part is played, and what playing them
/// gives.
struct SabreBuffer: Sendable {
  /// The qualities of all segments that were appended.
  private(set) var segments: [Int32] = []
  private var head = 0
  /// The part of the first segment that is played, in milliseconds.
  private(set) var used = 0.0
  /// The time of the session in milliseconds.
  private(set) var clock = 0.0
  /// The time in which there was nothing to play, in milliseconds.
  private(set) var stalled = 0.0
  /// Sabre's own count of stalls, residues of its sums included.
  private(set) var events = 0
  /// The stalls of a microsecond and more; one that goes on over a download given up is one.
  private(set) var stalls = 0
  /// The sum of the bit rates of the segments that were begun, and of their changes.
  private(set) var playedBitRate = 0.0
  private(set) var changedBitRate = 0.0
  private(set) var playedUtility = 0.0
  private(set) var switches = 0
  private var stall = 0.0
  private var lastPlayed: Int32 = -1

  init(capacity: Int) { segments.reserveCapacity(capacity) }

  /// The number of buffered segments.
  @inline(__always)
  var count: Int { segments.count - head }

  /// The buffered media in milliseconds.
  @inline(__always)
  func level(_ ladder: RuleLadder) -> Double {
    ladder.segmentDuration * Double(segments.count - head) - used
  }

  /// The quality of a buffered segment, counted from the first one.
  func quality(_ index: Int) -> Int { Int(segments[head + index]) }

  /// Starts the session with its first segment, after so many milliseconds.
  mutating func start(_ quality: Int, after startup: Double) {
    segments.append(Int32(quality))
    clock += startup
  }

  @inline(__always)
  mutating func append(_ quality: Int) {
    segments.append(Int32(quality))
    endStall()
  }

  @inline(__always)
  private mutating func endStall() {
    if stall >= 0.001 { stalls += 1 }
    stall = 0
  }

  /// Puts another segment in the place of one, counted from behind the last one (−1 is the last).
  mutating func replace(_ place: Int, by quality: Int) {
    segments[segments.count + place] = Int32(quality)
  }

  /// Throws away what is buffered.
  mutating func clear() {
    head = segments.count
    used = 0
  }

  /// Plays for a time.
  @inline(__always)
  mutating func drain(_ span: Double, _ ladder: RuleLadder) {
    var rest = span
    let duration = ladder.segmentDuration
    if head == segments.count {
      stall(for: rest)
      return
    }
    if used > 0 {
      if rest + used < duration {
        used += rest
        clock += rest
        return
      }
      rest -= duration - used
      clock += duration - used
      head += 1
      used = 0
    }
    while rest > 0, head < segments.count {
      begin(segments[head], ladder)
      if rest >= duration {
        head += 1
        clock += duration
        rest -= duration
      } else {
        used = rest
        clock += rest
        rest = 0
      }
    }
    if rest > 0 {
      stall(for: rest)
      events += 1
    }
  }

  @inline(__always)
  private mutating func stall(for span: Double) {
    stalled += span
    stall += span
    clock += span
  }

  @inline(__always)
  private mutating func begin(_ quality: Int32, _ ladder: RuleLadder) {
    let rate = ladder.bitRates[Int(quality)]
    playedBitRate += rate
    playedUtility += ladder.utilities[Int(quality)]
    if quality != lastPlayed, lastPlayed >= 0 {
      changedBitRate += abs(rate - ladder.bitRates[Int(lastPlayed)])
      switches += 1
    }
    lastPlayed = quality
  }

  /// Plays what is there to its end.
  mutating func playOut(_ ladder: RuleLadder) {
    endStall()
    drain(level(ladder), ladder)
    // What is left over is a residue of the sums.
    stall = 0
    clear()
  }
}
