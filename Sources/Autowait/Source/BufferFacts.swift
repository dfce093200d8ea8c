/// What holds about an item's buffer at an instant; the flags that applications observe, and four
/// that they do not.
struct BufferFacts: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// The item is ready to play: what tells of its media has come, and the first frame.
  static let ready = BufferFacts(rawValue: 1)
  /// E: too little is loaded ahead of the playhead to play on.
  static let empty = BufferFacts(rawValue: 2)
  /// F: the buffer is as full as it will get.
  static let full = BufferFacts(rawValue: 4)
  /// K: playback is likely to keep up.
  static let likely = BufferFacts(rawValue: 8)
  /// V: enough has been observed for a verdict.
  static let verdict = BufferFacts(rawValue: 16)
  /// The playhead is at the end, in the direction of the wished rate.
  static let atEnd = BufferFacts(rawValue: 32)
  /// What tells of the item's media has come, so that a time of it can be sought.
  static let opened = BufferFacts(rawValue: 64)
  /// Something that could be shown is left in an empty buffer, and applications are not told that
  /// it is empty (``KeepUpPolicy/isEmptyWhenStarved``).
  static let starved = BufferFacts(rawValue: 128)

  // These are found with every look at a buffer. As literals, each might make an array there.

  /// The item can be sought in, and played.
  static let begun = BufferFacts(rawValue: opened.rawValue | ready.rawValue)
  /// Everything has come.
  static let complete = BufferFacts(rawValue: full.rawValue | likely.rawValue | verdict.rawValue)
  /// The playhead is where nothing is left to play.
  static let over = BufferFacts(rawValue: atEnd.rawValue | empty.rawValue)

  /// E, as applications are told of it.
  var isToldEmpty: Bool { contains(.empty) && !contains(.starved) }
}
