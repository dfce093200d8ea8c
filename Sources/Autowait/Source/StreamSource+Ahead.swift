extension StreamSource {
  /// Returns the data that is loaded of a stretch of all tracks, for rules that count bytes.
  ///
  /// Of a segment that the stretch cuts, the part counts that its time is of the whole, rounded
  /// down: within a segment nobody knows where the bytes of a time lie.
  func dataAhead(from start: MediaTime, to end: MediaTime) -> DataAmount {
    if start >= end { return .zero }
    var data = DataAmount.zero
    for track in tracks {
      if track.kind != nil {
        data += streamMedia.lists[track.list].data(from: start, to: end)
        continue
      }
      for piece in pieces.pieces.reversed() where piece.start < end {
        if piece.end <= start {
          // Before a piece that ends too early all others do, if they ascend.
          if pieces.isAscending { break }
          continue
        }
        let list = streamMedia.variants[piece.variant].list
        data += streamMedia.lists[list].data(from: max(start, piece.start), to: min(end, piece.end))
      }
    }
    return data
  }
}

extension StreamPieces {
  /// Returns the first time, not before a start, from which at most some data lies before an edge,
  /// of pieces that ascend.
  mutating func time(
    withAtMost data: DataAmount, from start: MediaTime, to edge: MediaTime,
    of shared: SharedStreamMedia
  ) -> MediaTime {
    countData { shared.list(of: $0).data(from: $0.start, to: $0.end) }
    let last = first { pieces[$0].start >= edge } - 1
    if last < 0 { return start }
    func end(_ place: Int) -> MediaTime { min(edge, pieces[place].end) }
    let latest = pieces[last]
    let tail = shared.list(of: latest).data(from: latest.start, to: end(last))
    func ahead(_ place: Int) -> DataAmount {
      place > last ? .zero : dataBefore[last] - dataBefore[place] + tail
    }
    // More than that lies before the edge from the piece's start on, and not from its end on.
    let place = min(last + 1, first { ahead($0) <= data }) - 1
    if place < 0 { return start }
    let list = shared.list(of: pieces[place])
    return max(start, list.firstTime(withAtMost: data - ahead(place + 1), before: end(place)))
  }
}

extension StreamSource {
  /// Returns the playheads at which the stream, loaded up to an edge, is full of data.
  mutating func sizeMarks(
    _ policy: KeepUpPolicy, from start: MediaTime, to edge: MediaTime
  ) -> ItemBuffer.SizeMarks {
    guard tracks.count == 1, pieces.isAscending else {
      return policy.sizeMarks(from: start, to: edge) {
        timeByHalving(withAtMost: $0, from: start, to: edge)
      }
    }
    let shared = plan.shared
    return policy.sizeMarks(from: start, to: edge) {
      pieces.time(withAtMost: $0, from: start, to: edge, of: shared)
    }
  }

  /// Returns the first time, not before a start, from which at most some data lies before an edge:
  /// of several tracks, whose data lies in segments of their own, or of pieces that lie across each
  /// other.
  private func timeByHalving(
    withAtMost data: DataAmount, from start: MediaTime, to edge: MediaTime
  ) -> MediaTime {
    if dataAhead(from: start, to: edge) <= data { return start }
    var (before, behind) = (start.nanoseconds, edge.nanoseconds)
    while behind - before > 1 {
      let middle = before + (behind - before) / 2
      if dataAhead(from: MediaTime(nanoseconds: middle), to: edge) <= data {
        behind = middle
      } else {
        before = middle
      }
    }
    return MediaTime(nanoseconds: behind)
  }
}

extension SharedStreamMedia {
  /// The segments of which a piece is made.
  fileprivate func list(of piece: StreamPieces.LoadedPiece) -> SegmentList {
    parts.lists[parts.variants[piece.variant].list]
  }
}

extension SegmentList {
  /// Returns the first time from which at most some data lies before an end, if more lies before it
  /// from the first segment on.
  fileprivate func firstTime(withAtMost data: DataAmount, before end: MediaTime) -> MediaTime {
    let all = self.data(before: min(end, self.end))
    if all <= data { return .zero }
    let needed = all - data
    // The first segment by whose end the needed data has passed.
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if DataAmount(size(from: 0, to: middle + 1)) >= needed {
        high = middle
      } else {
        low = middle + 1
      }
    }
    let missing = needed - DataAmount(size(from: 0, to: low))
    let (begun, whole) = (start(of: low), self.end(of: low) - start(of: low))
    // Its part of a time is rounded down: the least time whose part is enough.
    let size = DataAmount(size(of: low)).nanobits
    let part = (missing.nanobits * UInt128(UInt64(whole.nanoseconds)) + size - 1) / size
    return MediaTime(nanoseconds: begun.nanoseconds + Int64(part))
  }

  /// Returns the data of a stretch of media.
  fileprivate func data(from start: MediaTime, to end: MediaTime) -> DataAmount {
    data(before: min(end, self.end)) - data(before: min(start, self.end))
  }

  private func data(before time: MediaTime) -> DataAmount {
    let number = segment(at: time)
    let whole = DataAmount(size(from: 0, to: number))
    if number == count { return whole }
    let begun = self.start(of: number)
    let (part, all) = (time - begun, self.end(of: number) - begun)
    return whole
      + DataAmount(
        nanobits: DataAmount(size(of: number)).nanobits * UInt128(UInt64(part.nanoseconds))
          / UInt128(UInt64(all.nanoseconds)))
  }
}
