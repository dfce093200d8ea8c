import Autowait

/// What a link became in another format.
package struct WrittenLink: Sendable {
  /// The file, or that of the downward direction.
  package var bytes: [UInt8]
  /// The file of the upward direction, for a format that has one for each.
  package var up: [UInt8]? = nil
  /// What the format could not say, in a sentence each.
  package var warnings: [String] = []
}

/// Writes links in formats of other tools.
package enum TraceWriter {
  /// Why a link cannot be written in a format, or a piece not be added to a track.
  package struct TraceProblem: Error, Hashable, Sendable {
    /// What is the matter, in lower case and without a full stop.
    package let message: String
    /// What helps.
    package var notes: [String] = []
  }

  /// Returns a link in a format; a track that never ends is written up to a time.
  package static func write(
    _ link: ConvertedLink, _ format: TraceFormat, until: TimeSpan? = nil
  ) throws(TraceProblem) -> WrittenLink {
    guard let writing = format.row.writing else {
      throw TraceProblem(
        message: "the format '\(format.rawValue)' is read, not written",
        notes: [TraceFormat.listNote]
      )
    }
    var result = try writing.write(link, until)
    let track = link.profile.down.track
    let lost = LinkPart.lost(of: link, among: writing.parts)
    var warnings: [String] = []
    if !lost.isEmpty {
      warnings.append("'\(format.rawValue)' has no place for \(lost.joined(separator: ", "))")
    }
    if let grain = writing.grain, isFiner(link.profile, writing.parts, grain.nanoseconds) {
      warnings.append("'\(format.rawValue)' has delays \(grain.what)")
    }
    if let number = writing.unlimited, track.samples.contains(where: { $0.rate == .unlimited }) {
      warnings.append("'\(format.rawValue)' has no word for unlimited: \(number(track)) for it")
    }
    if writing.isLoop, let warning = ending(track, until) { warnings.append(warning) }
    warnings += result.warnings
    if link.kind == .goodput, writing.isCapacity {
      warnings.append("the rates are goodput: TCP over what is written brings less")
    }
    result.warnings = warnings
    return result
  }

  /// Returns what a format that always starts again makes of another ending.
  private static func ending(_ track: LinkTrack, _ until: TimeSpan?) -> String? {
    let end = Quantity.time.decimalText(FiniteTrack(track, until: until).end.nanoseconds)
    switch track.ending {
    case .loop: return nil
    case .offline: return "the link is down after its track: what is written starts again at \(end)"
    case .hold:
      if track.samples.count == 1 { return nil }
      return "the last rate holds forever: what is written starts again at \(end)"
    }
  }

  /// Returns whether a link has delays that are finer than a format has them.
  private static func isFiner(
    _ profile: LinkProfile, _ parts: Set<LinkPart>, _ grain: Int64
  ) -> Bool {
    var delays = [profile.down, profile.up].flatMap { $0.track.samples.map { $0.delay } }
    if parts.contains(.names) { delays.append(profile.names.delay) }
    return delays.contains { $0.nanoseconds % grain != 0 }
  }
}
