import Autowait
import AutowaitFidelity
import AutowaitScenario

/// What a log says of one session of a real player.
///
/// Times are counted from the first request. What the log does not say is nil, never a guess; and
/// nothing of it names a person or a place: addresses, headers and cookies stay in the file, hosts
/// and connections are numbers in the order of their first use.
package struct SessionLog: Sendable {
  /// The format that the log was in.
  package enum Form: String, CaseIterable, Sendable {
    /// An HTTP archive, version 1.2.
    case har
    /// A server's log of requests with Common Media Client Data, version 1.
    case cmcd1
    /// Events of Common Media Client Data, version 2.
    case cmcd2
    /// Metric events of AVFoundation.
    case avmetrics
    /// Access logs of AVFoundation: the final one, or snapshots of it.
    case accesslog
    /// A recording in the format `player-timeline/1`.
    case timeline
  }

  package let form: Form
  /// What outputs call it: the name of its file, with a number where that has several sessions.
  package var name: String
  /// What was asked for, in the order of sending; those of one instant in the order of the log.
  package var requests: [SessionRequest]
  /// The snapshots of an access log, ascending.
  package var polls: [AccessLogPoll] = []
  /// What the viewer saw; nil if the log does not say when playback began and stalled.
  package var outcome: ViewerOutcome?
  /// How often playback stalled; nil if the log does not say it.
  package var stallCount: Int?
  /// When the player was to play; nil if the log does not say it.
  package var play: Instant?
  /// The last instant of which the log says anything.
  package var end: Instant?
  /// How long a first byte takes at best, of connections that were open already; nil if no response
  /// says it.
  package var roundTrip: TimeSpan?
  /// What was played; nil if the log does not say how long its segments last.
  package var medium: RecordedMedium?
  /// The player by the name that the log gives it; nil if it gives none.
  package var player: String?
  /// The addresses of the requests, one for each; none unless somebody asked for them.
  package var addresses: [String] = []
  /// What cannot be had from this log, and what was left out of it, a sentence each.
  package var notes: [String] = []

  package init(_ form: Form, name: String, requests: [SessionRequest]) {
    (self.form, self.name, self.requests) = (form, name, requests)
  }
}

/// A request of a recorded session.
package struct SessionRequest: Hashable, Sendable {
  /// What was asked for.
  package enum Kind: String, CaseIterable, Sendable {
    case playlist, initialization, segment, key, other
  }

  package var kind: Kind
  /// The number of the server, counted from 0 in the order of first use.
  package var host = 0
  /// The number of the connection, counted likewise; nil if the log does not tell them apart.
  package var connection: Int?
  /// When the request was sent.
  package var sent: Instant
  /// When its first byte came; nil if the log does not say it, or none came.
  package var firstByte: Instant?
  /// When its last byte came; nil if the log does not say it, or it never did.
  package var done: Instant?
  /// The bytes that came, with the header where the log counts it; nil if the log does not say it.
  package var size: ByteCount?
  /// Whether the player gave it up; `done` is then when it did, and `size` what had come.
  package var isAborted = false
  /// What it would have brought, had it not been given up, where the log does not say how much had
  /// come by then.
  package var wholeSize: ByteCount?
  /// What of the medium it asked for; nil if that is not known.
  package var resource: RequestIndex.Resource?
  /// The media in it; nil if the log does not say it.
  package var mediaDuration: TimeSpan?
  /// The bit rate that its media has been encoded at; nil if the log does not say it.
  package var encodedRate: BitRate?
  /// How coarse its times are: what lies within one such span cannot be told apart.
  package var quantum: TimeSpan

  package init(_ kind: Kind, sent: Instant, quantum: TimeSpan) {
    (self.kind, self.sent, self.quantum) = (kind, sent, quantum)
  }

  /// Whether its times and its size say something of the link: also of one that was given up
  /// before anything came.
  package var isTransfer: Bool {
    guard done != nil, let size else { return done != nil && wholeSize != nil }
    return size > .zero || isAborted && firstByte == nil
  }
}

/// What an access log said when it was asked: all its entries, of which the last was still growing.
package struct AccessLogPoll: Hashable, Sendable {
  /// When the application asked.
  package var instant: Instant
  package var entries: [Entry]

  package init(at instant: Instant, _ entries: [Entry]) {
    (self.instant, self.entries) = (instant, entries)
  }

  /// An entry, under AVFoundation's names; nil is what it reports as below zero, or not at all.
  package struct Entry: Hashable, Sendable {
    /// When its playback began, counted like all times of the session.
    package var playbackStart: Instant?
    package var numberOfMediaRequests: Int64?
    package var numberOfBytesTransferred: ByteCount?
    package var transferDuration: TimeSpan?
    package var segmentsDownloadedDuration: TimeSpan?
    package var durationWatched: TimeSpan?
    package var numberOfStalls: Int64?
    package var startupTime: TimeSpan?
    package var downloadOverdue: Int64?
    package var observedBitrate: BitRate?
    package var observedMinBitrate: BitRate?
    package var observedMaxBitrate: BitRate?
    package var indicatedBitrate: BitRate?

    package init() {}
  }
}
