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

/// What a link may have that a format may have no place for, in the order of messages.
enum LinkPart: CaseIterable {
  case delays, upwardRate, losses, bursts, givenLosses
  /// The queue that dummynet has by default is not spelled where dummynet is meant.
  case queue, queueOfDummynet
  case jitter, reordering, duplicates, overhead, names, blackouts, offline
  /// Handovers to other links, and those that are still there as they were read.
  case handovers, handoversAsRead
  case outages, hosts
  /// The transport; what Sabre's and Pensieve's simulators do is ideal.
  case transport, idealTransport

  /// What a message calls it.
  var name: String {
    switch self {
    case .delays: "delays"
    case .upwardRate: "the upward rate"
    case .losses: "losses"
    case .bursts: "losses that depend on each other"
    case .givenLosses: "losses of given packets"
    case .queue, .queueOfDummynet: "the queue"
    case .jitter: "jitter"
    case .reordering: "reordering"
    case .duplicates: "duplicates"
    case .overhead: "the overhead of packets"
    case .names: "the delay of names"
    case .blackouts: "blackouts"
    case .offline: "times offline"
    case .handovers, .handoversAsRead: "handovers"
    case .outages: "outages"
    case .hosts: "the links of hosts"
    case .transport, .idealTransport: "the transport"
    }
  }

  /// Returns whether a link has it.
  func isPart(of link: ConvertedLink) -> Bool {
    let profile = link.profile
    let directions = [profile.down, profile.up]
    let events = profile.events
    let queues = directions.map { $0.queue }.filter { $0 != .automatic }
    let isDummynets = queues.allSatisfy { $0 == .packets(ConditionerFormat.queuePackets) }
    return switch self {
    case .delays: directions.contains { $0.track.samples.contains { $0.delay > .zero } }
    case .upwardRate: profile.up.track.samples.contains { $0.rate != .unlimited }
    case .losses:
      directions.contains { $0.loss != .none || $0.track.samples.contains { $0.loss != nil } }
    case .bursts: directions.contains { $0.hasMemory }
    case .givenLosses: directions.contains { $0.hasMemory && !$0.hasBursts }
    case .queue: !queues.isEmpty && !isDummynets
    case .queueOfDummynet: !queues.isEmpty && isDummynets
    case .jitter: directions.contains { $0.jitter != nil }
    case .reordering: directions.contains { $0.reorder != nil }
    case .duplicates: directions.contains { $0.duplicate > .never }
    case .overhead: directions.contains { $0.hasOverhead }
    case .names: profile.names.delay > .zero
    case .blackouts: events.contains { !$0.isHandover && !$0.isOffline }
    case .offline: events.contains { $0.isOffline }
    case .handovers: link.own.events == nil && events.contains { $0.isHandover }
    case .handoversAsRead: link.own.events != nil && events.contains { $0.isHandover }
    case .outages: link.own.outage != nil
    case .hosts: link.own.hosts != nil
    case .transport: link.own.transport.map { $0 != .ideal } ?? false
    case .idealTransport: link.own.transport == .ideal
    }
  }

  /// Returns what of a link has no place among some parts, as a message names it.
  static func lost(of link: ConvertedLink, among parts: Set<LinkPart>) -> [String] {
    var lost = allCases.filter { !parts.contains($0) && $0.isPart(of: link) }
    // The smallest of them is named that says all: losses, those with a memory, given ones.
    if !parts.contains(.losses) { lost.removeAll { $0 == .bursts } }
    if !parts.contains(.bursts) { lost.removeAll { $0 == .givenLosses } }
    return lost.map { $0.name }
  }
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

  /// Whether packets are of another size than usual, or have something around them.
  fileprivate var hasOverhead: Bool {
    let plain = LinkDirection()
    return mtu != plain.mtu || overheadPerPacket != plain.overheadPerPacket
  }
}
