/// How much data ahead of the playhead a player loads, beside how much media.
///
/// Of a file every byte counts that has come; of a stream the segments that have come, those of all
/// tracks together, and of the one at the playhead the part that its time is of the whole.
package struct ForwardBufferSizes: Hashable, Sendable {
  /// The data ahead at which reading is suspended, however little media that is.
  ///
  /// A stream whose player has it, and no limit in time, has no limit in time at all: mpv counts
  /// its 150 MiB and nothing else (`demux.c`).
  package var sizeMax: ByteCount?
  /// The data ahead below which a limit in time suspends nothing.
  ///
  /// hls.js loads 30 seconds, and more until it has 60 MB (`maxBufferSize`).
  package var sizeMin: ByteCount?
  /// The data of a file that is loaded behind what a limit in time would be content with.
  ///
  /// Recorded sessions of Chromium 156 suspend reading a MiB behind 13 s.
  package var sizeBeyond: ByteCount?
  /// The media ahead at which reading is suspended with less data than that too.
  ///
  /// 600 seconds in hls.js (`maxMaxBufferLength`).
  package var limitMax: MediaTime?
  /// How much less data than a mark must be ahead for suspended reading to go on; less than each.
  ///
  /// Nil is for a quarter of the mark, as the limit in time has it. Chromium goes on a MiB below
  /// (`multi_buffer_data_source.cc`).
  package var slack: ByteCount?
  /// Whether they hold for files only, as those of Chromium's reader of files do.
  package var appliesToFiles = false
  /// The media ahead below which ``sizeMax`` suspends nothing.
  var limitMin: MediaTime?
  /// Whether the segment at the playhead counts as a whole until it has been played.
  var countsWholeSegments = false

  /// Creates sizes that suspend nothing.
  package init() {}

  /// Whether they suspend nothing, so that a player need not have them.
  package var isEmpty: Bool {
    sizeMax == nil && sizeMin == nil && sizeBeyond == nil && limitMax == nil
  }

  /// Whether there is one mark of data and nothing else.
  var haveOnlySizeMax: Bool { sizeMax != nil && sizeMin == nil && limitMax == nil }

  /// The data ahead with which suspended reading goes on that a mark had suspended.
  @inline(always)
  func resume(below mark: DataAmount) -> DataAmount {
    let quarter = DataAmount(nanobits: max(1, mark.nanobits / 4))
    return mark - min(mark, slack.map { DataAmount($0) } ?? quarter)
  }

  /// Refuses numbers with which no player comes to rest.
  func check() {
    for mark in [sizeMax, sizeMin].compactMap({ $0 }) {
      precondition(mark > .zero, "sizeMax and sizeMin must be above 0 B, one is \(mark)")
      if let slack {
        precondition(
          slack > .zero && slack < mark,
          "slack must be above 0 B and below the size \(mark), is \(slack)")
      }
    }
    if let sizeBeyond {
      precondition(sizeBeyond > .zero, "sizeBeyond must be above 0 B, is \(sizeBeyond)")
    }
    if let limitMax { precondition(limitMax > .zero, "limitMax must be above 0 s, is \(limitMax)") }
  }
}
