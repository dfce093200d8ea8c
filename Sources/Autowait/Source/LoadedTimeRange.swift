/// A stretch of media that is loaded.
public struct LoadedTimeRange: Hashable, Sendable {
  /// Where it starts.
  public let start: MediaTime
  /// Where it ends.
  public let end: MediaTime

  /// Creates a stretch.
  public init(start: MediaTime, end: MediaTime) {
    self.start = start
    self.end = end
  }
}

extension LoadedTimeRange: CustomStringConvertible {
  /// Where it starts and ends, as in `0 s to 12.5 s`.
  public var description: String { "\(start) to \(end)" }
}
