import Autowait

/// All that is known of a format of traces.
struct TraceFormatRow: Sendable {
  /// Reads a file; what is to be said about it goes into the reading.
  typealias Read =
    @Sendable (ByteSource, TraceOptions, inout TraceReading) throws(TraceError) -> ConvertedLink

  /// What a file is, as a message says it.
  let title: String
  /// What a record holds, in a few words.
  let record: String
  /// What its rates are rates of; nil where each file says it, or none is read.
  var kind: TraceKind?
  /// What files cannot say, which a user should know; nil if nothing.
  var limit: String?
  var isTable = false
  var hasProfiles = false
  var hasBins = false
  /// A word in small letters that only its line of names has, if it is a table with names.
  var column: String?
  /// Whether a file that has brackets is of the format, by its beginning.
  var isMet: (@Sendable (TraceStart) -> Bool)?
  var read: Read?
  var writing: Writing?

  /// How a link is written.
  struct Writing: Sendable {
    /// Returns the files of a link; a track that never ends is written up to a time.
    typealias Write =
      @Sendable (ConvertedLink, TimeSpan?) throws(TraceWriter.TraceProblem) -> WrittenLink

    /// What of a link the format has a place for.
    let parts: Set<LinkPart>
    /// The least that delays differ by, and what becomes of finer ones; nil for any.
    var grain: (nanoseconds: Int64, what: String)?
    /// What stands for a rate without a limit where there are only numbers.
    var unlimited: (@Sendable (LinkTrack) -> String)?
    /// Whether a track always starts again.
    var isLoop = false
    /// Whether what is written carries TCP, and so more than goodput.
    var isCapacity = false
    /// Whether each direction has a file of its own.
    var hasTwoFiles = false
    let write: Write
  }

  /// Returns how a format is read whose files are JSON.
  static func document(
    _ title: String,
    _ body:
      @escaping @Sendable (JSONValue, Findings, TraceOptions) throws(TraceError) -> ConvertedLink?
  ) -> Read {
    { (source, options, reading) throws(TraceError) in
      let findings = Findings(try source.all(title))
      guard let root = findings.parseJSON() else { throw TraceError(findings.sorted) }
      let link = try body(root, findings, options)
      guard !findings.hasErrors, let link else { throw TraceError(findings.sorted) }
      reading.findings += findings.sorted
      return link
    }
  }
}

/// The beginning of a file, without white space.
struct TraceStart {
  let text: Substring
  /// Whether a line is a name in brackets; an array of JSON has no name in it.
  let hasSections: Bool

  init(_ text: String) {
    self.text = text.drop { $0.isWhitespace }
    hasSections =
      text.contains("=")
      && text.split(whereSeparator: { $0.isNewline }).contains { line in
        line.hasPrefix("[") && line.hasSuffix("]") && !line.contains { "\"{,".contains($0) }
      }
  }

  var isObject: Bool { !hasSections && text.hasPrefix("{") }
  var isArray: Bool { !hasSections && text.hasPrefix("[") }

  /// Returns whether one of some words stands in quotation marks.
  func has(_ words: String...) -> Bool { words.contains { String(text).holds("\"\($0)\"") } }
}

extension LinkDirection {
  /// Whether what becomes of a packet depends on those before it.
  var hasMemory: Bool {
    switch loss {
    case .none, .bernoulli, .measured: false
    case .gilbertElliott, .everyNth, .packets: true
    }
  }

  /// Whether packets are lost in bursts.
  var hasBursts: Bool {
    if case .gilbertElliott = loss { return true }
    return false
  }
}
