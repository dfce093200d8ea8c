/// Where an item has its key frames, as far as that is known.
extension ItemSource {
  /// Where the last key frame lies up to a time; nil if nothing is known of them.
  ///
  /// At the end there is none.
  func keyFrame(notAfter time: MediaTime) -> MediaTime? {
    if let interval = media.keyFrameInterval {
      let last = min(time.nanoseconds, media.duration.nanoseconds - 1)
      return MediaTime(nanoseconds: last / interval.nanoseconds * interval.nanoseconds)
    }
    return startsOfSegments(around: time)?.start
  }

  /// Whether the picture is loaded between two times, whatever else is.
  func hasPicture(from start: MediaTime, to end: MediaTime, at now: Instant) -> Bool {
    if !buffer.isStream {
      return loadedTimeRanges(at: now).contains { $0.start <= start && end <= $0.end }
    }
    let range = stream.tracks.first?.loaded.range(holding: end)
    return range.map { $0.start <= start } ?? false
  }

  /// Where the first key frame lies behind a time; nil if there is none, or nothing is known.
  func keyFrame(behind time: MediaTime) -> MediaTime? {
    guard let interval = media.keyFrameInterval else { return startsOfSegments(around: time)?.end }
    let (count, _) = (time.nanoseconds / interval.nanoseconds).addingReportingOverflow(1)
    let (next, overflow) = count.multipliedReportingOverflow(by: interval.nanoseconds)
    return overflow || next >= media.duration.nanoseconds ? nil : MediaTime(nanoseconds: next)
  }

  private func startsOfSegments(around time: MediaTime) -> (start: MediaTime, end: MediaTime?)? {
    guard buffer.isStream, let first = stream.tracks.first else { return nil }
    let list = stream.streamMedia.lists[first.list]
    let segment = min(list.segment(at: time, near: first.guess), list.count - 1)
    if segment < 0 { return nil }
    return (list.start(of: segment), segment + 1 < list.count ? list.end(of: segment) : nil)
  }
}
