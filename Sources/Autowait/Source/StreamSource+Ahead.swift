extension StreamSource {
  /// The media that may always be ahead.
  var forwardBufferMin: MediaTime { policy.forwardBufferMin(of: streamMedia) }

  /// How much data is loaded ahead by default.
  var forwardBufferSizes: ForwardBufferSizes {
    var sizes = ForwardBufferSizes()
    sizes.sizeMax = policy.forwardBufferSize
    sizes.slack = policy.forwardBufferSizeSlack
    sizes.limitMin = forwardBufferMin
    sizes.countsWholeSegments = true
    return sizes
  }

  /// Returns the data that is loaded of a stretch of all tracks, for rules that count bytes.
  ///
  /// Of a segment in which the stretch begins, the part counts that its time is of the whole,
  /// rounded down, or all of it: within a segment nobody knows where the bytes of a time lie.
  func dataAhead(from start: MediaTime, to end: MediaTime, whole: Bool) -> DataAmount {
    if start >= end { return .zero }
    var data = DataAmount.zero
    for track in tracks {
      if track.kind != nil {
        data += streamMedia.lists[track.list].data(from: start, to: end, whole: whole)
        continue
      }
      for piece in pieces.pieces.reversed() where piece.start < end {
        if piece.end <= start {
          // Before a piece that ends too early all others do, if they ascend.
          if pieces.isAscending { break }
          continue
        }
        let list = streamMedia.lists[streamMedia.variants[piece.variant].list]
        data += list.data(
          from: max(start, piece.start), to: min(end, piece.end), whole: whole)
      }
    }
    return data
  }
}

extension StreamPieces {
  /// Returns the first time, not before a start, from which at most some data lies before an edge,
  /// of pieces that ascend.
  mutating func time(
    withAtMost data: DataAmount, from start: MediaTime, to edge: MediaTime, whole: Bool,
    of shared: SharedStreamMedia
  ) -> MediaTime {
    count(of: shared)
    let last = first { pieces[$0].start >= edge } - 1
    if last < 0 { return start }
    func end(_ place: Int) -> MediaTime { min(edge, pieces[place].end) }
    let latest = pieces[last]
    let tail = shared.list(of: latest).data(from: latest.start, to: end(last), whole: false)
    func ahead(_ place: Int) -> DataAmount {
      place > last ? .zero : dataBefore[last] - dataBefore[place] + tail
    }
    // More than that lies before the edge from the piece's start on, and not from its end on.
    let place = min(last + 1, first { ahead($0) <= data }) - 1
    if place < 0 { return start }
    let list = shared.list(of: pieces[place])
    let first = list.firstTime(
      withAtMost: data - ahead(place + 1), before: end(place), whole: whole)
    return max(start, first)
  }

  /// Returns the data of a stretch up to an edge, of pieces that ascend.
  mutating func data(
    from start: MediaTime, to edge: MediaTime, whole: Bool, of shared: SharedStreamMedia
  ) -> DataAmount {
    if start >= edge || pieces.isEmpty { return .zero }
    count(of: shared)
    func before(_ time: MediaTime, whole: Bool) -> DataAmount {
      let place = first { pieces[$0].start > time } - 1
      if place < 0 { return .zero }
      let piece = pieces[place]
      let list = shared.list(of: piece)
      if time >= piece.end || !whole {
        return dataBefore[place]
          + list.data(from: piece.start, to: min(time, piece.end), whole: false)
      }
      let all = list.data(from: piece.start, to: piece.end, whole: false)
      return dataBefore[place] + all - list.data(from: time, to: piece.end, whole: true)
    }
    return before(edge, whole: false) - before(start, whole: whole)
  }

  private mutating func count(of shared: SharedStreamMedia) {
    countData { shared.list(of: $0).data(from: $0.start, to: $0.end, whole: false) }
  }
}

extension StreamSource {
  /// Returns the playheads at which the stream, loaded up to an edge, is full of data.
  mutating func sizeMarks(
    _ policy: KeepUpPolicy, from start: MediaTime, to edge: MediaTime
  ) -> ItemBuffer.SizeMarks {
    let whole = policy.forwardBufferSizes?.countsWholeSegments == true
    guard tracks.count == 1, pieces.isAscending else {
      return policy.sizeMarks(from: start, to: edge) {
        timeByHalving(withAtMost: $0, from: start, to: edge, whole: whole)
      }
    }
    let shared = plan.shared
    return policy.sizeMarks(from: start, to: edge) {
      pieces.time(withAtMost: $0, from: start, to: edge, whole: whole, of: shared)
    }
  }

  /// Returns the first time, not before a start, from which at most some data lies before an edge:
  /// of several tracks, whose data lies in segments of their own, or of pieces that lie across each
  /// other.
  private func timeByHalving(
    withAtMost data: DataAmount, from start: MediaTime, to edge: MediaTime, whole: Bool
  ) -> MediaTime {
    if dataAhead(from: start, to: edge, whole: whole) <= data { return start }
    var (before, behind) = (start.nanoseconds, edge.nanoseconds)
    while behind - before > 1 {
      let middle = before + (behind - before) / 2
      if dataAhead(from: MediaTime(nanoseconds: middle), to: edge, whole: whole) <= data {
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
  fileprivate func firstTime(
    withAtMost data: DataAmount, before end: MediaTime, whole: Bool
  ) -> MediaTime {
    let all = self.data(before: min(end, self.end), ofWhole: false)
    if all <= data { return .zero }
    let needed = all - data
    // The first segment by whose end the needed data has passed.
    let last = (0..<count - 1).firstPlace {
      DataAmount(self.size(from: 0, to: $0 + 1)) >= needed
    }
    if whole { return self.end(of: last) }
    let missing = needed - DataAmount(self.size(from: 0, to: last))
    let (begun, whole) = (start(of: last), self.end(of: last) - start(of: last))
    // Its part of a time is rounded down: the least time whose part is enough.
    let size = DataAmount(size(of: last)).nanobits
    let part = (missing.nanobits * UInt128(UInt64(whole.nanoseconds)) + size - 1) / size
    return MediaTime(nanoseconds: begun.nanoseconds + Int64(part))
  }

  /// Returns the data of a stretch of media, the segment in which it begins in part or as a whole.
  fileprivate func data(from start: MediaTime, to end: MediaTime, whole: Bool) -> DataAmount {
    data(before: min(end, self.end), ofWhole: false)
      - data(before: min(start, self.end), ofWhole: whole)
  }

  /// Returns the data before a time, with its part of the segment there, or with none of that.
  private func data(before time: MediaTime, ofWhole: Bool) -> DataAmount {
    let number = segment(at: time)
    let whole = DataAmount(size(from: 0, to: number))
    if number == count || ofWhole { return whole }
    let begun = self.start(of: number)
    let (part, all) = (time - begun, self.end(of: number) - begun)
    return whole
      + DataAmount(
        nanobits: DataAmount(size(of: number)).nanobits * UInt128(UInt64(part.nanoseconds))
          / UInt128(UInt64(all.nanoseconds)))
  }
}
