import Autowait

/// Summaries of traces that were read.
extension TraceSummary {
  /// Creates the summary of a file that was read, of which only a beginning may be needed.
  package init(_ link: ConvertedLink, _ format: TraceFormat, path: String, until: TimeSpan?) {
    let track = link.profile.down.track
    let least = track.samples.map { $0.rate }.min() ?? .zero
    let most = track.samples.map { $0.rate }.max() ?? .zero
    if track.samples.count == 1, track.ending == .hold {
      self.init(
        path: path, format: format.rawValue, length: nil, isCut: false, mean: most, least: least,
        most: most, pieces: [])
      return
    }
    let finite = FiniteTrack(track)
    let span = UInt128(UInt64(max(1, finite.end.nanoseconds)))
    self.init(
      path: path, format: format.rawValue, length: finite.end,
      isCut: until.map { finite.end >= $0 } ?? false,
      mean: Self.rate(finite.amount.nanobits, span), least: least, most: most,
      pieces: Self.pieces(of: finite))
  }

  /// Returns the mean rates of pieces of equal length.
  private static func pieces(of track: FiniteTrack) -> [BitRate] {
    let end = UInt128(UInt64(track.end.nanoseconds))
    let count = UInt128(pieceCount)
    if end < count { return [] }
    // Times are counted in parts of a nanosecond, of which each piece has a whole number.
    var amounts = [UInt128](repeating: 0, count: pieceCount)
    for index in track.samples.indices {
      let sample = track.samples[index]
      let rate = UInt128(UInt64(sample.rate.bitsPerSecond))
      var start = UInt128(UInt64(sample.start.nanoseconds)) * count
      let stop = start + UInt128(UInt64(track.length(index).nanoseconds)) * count
      while start < stop {
        let piece = Int(start / end)
        if piece >= pieceCount { break }
        let next = min(stop, UInt128(piece + 1) * end)
        amounts[piece] += rate * (next - start)
        start = next
      }
    }
    return amounts.map { rate($0, end) }
  }

  private static func rate(_ amount: UInt128, _ span: UInt128) -> BitRate {
    BitRate(bitsPerSecond: Int64(clamping: (amount + span / 2) / span))
  }
}
