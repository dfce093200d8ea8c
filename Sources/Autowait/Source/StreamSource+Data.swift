/// How much data the loaded media of a stream is.
extension StreamSource {
  /// The data of what is loaded of a stretch, of all tracks.
  func loadedData(of part: LoadedRanges<MediaTime>.Range) -> DataAmount {
    let (start, end) = (part.start, part.end)
    var data = DataAmount.zero
    for piece in pieces.pieces.reversed() where piece.start < end {
      if piece.end <= start {
        // Before a piece that ends too early all others do, if they ascend.
        if pieces.isAscending { break }
        continue
      }
      let list = streamMedia.lists[streamMedia.variants[piece.variant].list]
      data += list.data(upTo: min(end, piece.end)) - list.data(upTo: max(start, piece.start))
    }
    for track in tracks where track.kind != nil {
      let list = streamMedia.lists[track.list]
      for range in track.loaded.ranges where range.start < end && start < range.end {
        data +=
          list.data(upTo: min(end, range.end)) - list.data(upTo: max(start, range.start))
      }
    }
    return data
  }

  /// Whether a segment has more data than the peak rate of its variant allows: a risk of stalls
  /// (WWDC18 502).
  ///
  /// Assumed: a segment with the picture counts, also where its variant has sound of its own, and a
  /// byte too much is too much.
  func exceedsRate(_ request: StreamRequest) -> Bool {
    guard request.track == 0, case .segment(let list, let number) = request.resource else {
      return false
    }
    return streamMedia.lists[list].exceeds(
      streamMedia.variants[request.variant].bandwidth, in: number)
  }

  /// The data of what is loaded ahead of a playhead; of what lies behind it, if playback goes
  /// backwards.
  func bufferedData(from playhead: MediaTime, isForwards: Bool) -> DataAmount {
    loadedData(
      of: isForwards
        ? .init(start: playhead, end: Limits.mediaMax) : .init(start: .zero, end: playhead))
  }
}

extension SegmentList {
  /// The data of all media up to a time.
  fileprivate func data(upTo time: MediaTime) -> DataAmount {
    let segment = min(self.segment(at: time), count)
    let whole = DataAmount(size(from: 0, to: segment))
    if segment == count { return whole }
    let (start, end) = (start(of: segment), end(of: segment))
    if time <= start || end <= start { return whole }
    let part = ExactProduct.scaledDown(
      DataAmount(size(of: segment)).nanobits, UInt64((time - start).nanoseconds),
      UInt128(UInt64((end - start).nanoseconds)))
    assert(part <= DataAmount(size(of: segment)).nanobits, "more than the segment was played")
    return whole + DataAmount(nanobits: part)
  }
}
