/// What a rule knows of a stream: how long its segments are, and what each quality needs.
///
/// Numbers are those of the simulators that the rules come from: milliseconds, bits, and kilobits
/// per second. Rules work in floating point; what they choose are whole numbers.
package struct RuleLadder: Hashable, Sendable {
  /// The media in a segment, in milliseconds.
  package let segmentDuration: Double
  /// What each quality is said to need, in kbit/s, ascending.
  package let bitRates: [Double]
  /// The number of segments.
  package let count: Int
  /// The bits of each segment in each quality, segment by segment; empty if no rule looks at them.
  package let sizes: [Double]
  /// The logarithm of each bit rate over the lowest one.
  package let utilities: [Double]
  /// The same plus one, summed in the order in which BOLA-E does it.
  let raisedUtilities: [Double]
  /// The bits of a segment of each quality if it needed just what is said.
  let nominalSizes: [Double]

  /// Creates a ladder.
  package init(
    segmentDuration: Double, bitRates: [Double], count: Int, sizes: [Double] = []
  ) {
    precondition(
      segmentDuration > 0 && count > 0 && !bitRates.isEmpty,
      "a ladder must have segments and bit rates, has \(count) segments of \(segmentDuration) s "
        + "at \(bitRates)")
    precondition(bitRates.allSatisfy { $0 > 0 }, "bit rates must be above 0, are \(bitRates)")
    assert(
      zip(bitRates, bitRates.dropFirst()).allSatisfy { $0 <= $1 },
      "the bit rates of qualities must ascend")
    assert(
      sizes.count % bitRates.count == 0,
      "\(sizes.count) sizes for segments of \(bitRates.count) qualities")
    self.segmentDuration = segmentDuration
    self.bitRates = bitRates
    self.count = count
    self.sizes = sizes
    let logarithms = bitRates.map { Elementary.ln($0) }
    utilities = logarithms.map { $0 + -logarithms[0] }
    raisedUtilities = logarithms.map { $0 + (1 - logarithms[0]) }
    nominalSizes = bitRates.map { segmentDuration * $0 }
  }

  /// Returns the bits behind the last segment of some lists, if all of them have any.
  package static func sizesAfterEnd(of lists: [SegmentList]) -> [Double] {
    let sizes = lists.map { Double($0.sizeAfterEnd.bytes) * 8 }
    return sizes.allSatisfy { $0 > 0 } ? sizes : []
  }

  /// Returns for how many milliseconds no score of BOLA can exceed that of a download, whatever the
  /// network does; worths are utilities in milliseconds of media.
  ///
  /// A lower quality j wins as soon as (Vj − level) × missing > (Vq − level) × size of j. Meanwhile
  /// the level falls no faster than time passes, and what is missing never grows. So no winner can
  /// come before the instant at which the level alone would make one.
  @inline(__always)
  func patience(
    _ progress: RuleProgress, level: Double, worth: (Int) -> Double
  ) -> Double {
    assert(0...best ~= progress.quality, "quality \(progress.quality) of \(best)")
    let missing = progress.size - progress.downloaded
    let present = worth(progress.quality) - level
    var patience = Double.infinity
    for quality in 0..<progress.quality {
      let size = progress.size * bitRates[quality] / bitRates[progress.quality]
      if size >= missing { continue }
      let lead = present * size - (worth(quality) - level) * missing
      let bound = patience * (missing - size)
      if lead > bound + abs(bound) * 1e-6 { continue }
      patience = min(patience, lead / (missing - size))
    }
    return patience
  }

  /// The highest quality.
  package var best: Int { bitRates.count - 1 }

  /// Returns the best quality whose segments come in time at a throughput, stepping up from the
  /// lowest one as Sabre does.
  @inline(__always)
  func quality(at throughput: Double, latency: Double) -> Int {
    var quality = 0
    while quality < best, latency + nominalSizes[quality + 1] / throughput <= segmentDuration {
      quality += 1
    }
    return quality
  }
}

/// What a rule knows at the moment of a choice.
package struct RuleView: Hashable, Sendable {
  /// The segment that is to be asked for, counted from 0.
  package var segment: Int
  /// The buffered media in milliseconds.
  package var level: Double
  /// What is expected of the network in kbit/s.
  package var throughput: Double
  /// How long the first byte is expected to take, in milliseconds.
  package var latency: Double
  /// The time since the session began, in milliseconds; 0 where no rule looks at it.
  package var time = 0.0

  /// Creates a view.
  package init(segment: Int, level: Double, throughput: Double, latency: Double) {
    (self.segment, self.level) = (segment, level)
    (self.throughput, self.latency) = (throughput, latency)
  }
}

/// What a rule decides.
package struct RuleDecision: Hashable, Sendable {
  /// The quality.
  package var quality: Int
  /// How long to wait before it is asked for, in milliseconds.
  package var delay: Double

  /// Creates a decision.
  package init(quality: Int, delay: Double = 0) {
    (self.quality, self.delay) = (quality, delay)
  }
}

/// How far a download is, for a rule that may give it up.
package struct RuleProgress: Hashable, Sendable {
  /// The quality that is being loaded.
  package var quality: Int
  /// The bits of the segment.
  package var size: Double
  /// The bits that have come.
  package var downloaded: Double
  /// The milliseconds since the request.
  package var time: Double
  /// The milliseconds from the request to the first byte.
  package var latency: Double

  /// Creates a progress.
  package init(quality: Int, size: Double, downloaded: Double, time: Double, latency: Double) {
    (self.quality, self.size, self.downloaded) = (quality, size, downloaded)
    (self.time, self.latency) = (time, latency)
  }
}
