extension StreamLoader {
  /// Returns the data that is loaded of a stretch of all tracks, for rules that count bytes.
  ///
  /// Of a segment that the stretch cuts, the part counts that its time is of the whole, rounded
  /// down: within a segment nobody knows where the bytes of a time lie.
  func dataAhead(from start: MediaTime, to end: MediaTime) -> Work {
    if start >= end { return .zero }
    var data = Work.zero
    for track in tracks {
      if track.kind != nil {
        data += ladder.lists[track.list].data(from: start, to: end)
        continue
      }
      for piece in pieces.pieces.reversed() where piece.start < end {
        if piece.end <= start {
          // Before a piece that ends too early all others do, if they ascend.
          if pieces.isAscending { break }
          continue
        }
        let list = ladder.variants[piece.variant].list
        data += ladder.lists[list].data(from: max(start, piece.start), to: min(end, piece.end))
      }
    }
    return data
  }
}

extension SegmentList {
  /// Returns the data of a stretch of media.
  fileprivate func data(from start: MediaTime, to end: MediaTime) -> Work {
    data(before: min(end, self.end)) - data(before: min(start, self.end))
  }

  private func data(before time: MediaTime) -> Work {
    let number = segment(at: time)
    let whole = Work(size(from: 0, to: number))
    if number == count { return whole }
    let begun = self.start(of: number)
    let (part, all) = (time - begun, self.end(of: number) - begun)
    return whole
      + Work(
        nanobits: Work(size(of: number)).nanobits * UInt128(UInt64(part.nanoseconds))
          / UInt128(UInt64(all.nanoseconds)))
  }
}
