import Autowait

/// A value that files, logs and messages spell with one word.
package protocol NamedCase: CaseIterable, Sendable {
  /// The word.
  var word: StaticString { get }
}

extension NamedCase {
  /// The words of all cases.
  package static var words: [String] { allCases.map { "\($0.word)" } }

  /// Returns the case of a word; nil if there is none.
  package init?(word: String) {
    guard let named = Self.allCases.first(where: { "\($0.word)" == word }) else { return nil }
    self = named
  }
}

extension FieldKind where Value: NamedCase {
  /// One of the words of a type whose cases have names.
  static var named: FieldKind {
    let kind = FieldKind.word(Value.allCases.map { ("\($0.word)", $0) })
    return FieldKind(kind.schema, kind.read, write: { json, value, _ in json.string(value.word) })
  }
}

extension TimeControlStatus: NamedCase {
  /// The name that AVFoundation gives the case.
  package var word: StaticString {
    switch self {
    case .paused: "paused"
    case .waitingToPlayAtSpecifiedRate: "waitingToPlayAtSpecifiedRate"
    case .playing: "playing"
    }
  }
}

extension WaitingReason: NamedCase {
  /// The name that AVFoundation gives the reason.
  package var word: StaticString {
    switch self {
    case .evaluatingBufferingRate: "evaluatingBufferingRate"
    case .toMinimizeStalls: "toMinimizeStalls"
    case .noItemToPlay: "noItemToPlay"
    case .waitingForCoordinatedPlayback: "waitingForCoordinatedPlayback"
    case .interstitialEvent: "interstitialEvent"
    }
  }
}

extension RateChangeReason: NamedCase {
  /// The name that AVFoundation gives the reason.
  package var word: StaticString {
    switch self {
    case .setRateCalled: "setRateCalled"
    case .setRateFailed: "setRateFailed"
    case .audioSessionInterrupted: "audioSessionInterrupted"
    case .appBackgrounded: "appBackgrounded"
    case .playheadReachedLiveEdge: "playheadReachedLiveEdge"
    case .reversePlaybackReachedStartOfSeekableRange: "reversePlaybackReachedStartOfSeekableRange"
    }
  }
}

extension ActionAtItemEnd: NamedCase {
  /// The name that AVFoundation gives the action.
  package var word: StaticString {
    switch self {
    case .pause: "pause"
    case .none: "none"
    case .advance: "advance"
    }
  }
}

extension RequestOrder: NamedCase {
  /// The word that a heuristic takes.
  package var word: StaticString {
    switch self {
    case .furthestBehind: "furthestBehind"
    case .serial: "serial"
    case .soundFirst: "soundFirst"
    case .together: "together"
    case .segmentAhead: "segmentAhead"
    case .soundFollows: "soundFollows"
    case .independent: "independent"
    }
  }
}

extension TrackOpening.Order: NamedCase {
  /// The word that a heuristic takes.
  package var word: StaticString {
    switch self {
    case .pictureFirst: "pictureFirst"
    case .soundFirst: "soundFirst"
    case .everyVariant: "everyVariant"
    }
  }
}

extension MediaTrack: NamedCase {
  /// The media type of the tracks.
  package var word: StaticString {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .subtitles: "subtitles"
    }
  }
}

extension VideoDestination: NamedCase {
  /// A name for who receives pictures.
  package var word: StaticString {
    switch self {
    case .output: "videoOutput"
    case .compositor: "compositor"
    case .reader: "assetReader"
    case .file: "assetWriter"
    }
  }
}

extension ColorTreatment: NamedCase {
  /// A name for what becomes of colors.
  package var word: StaticString {
    switch self {
    case .preserved: "preserved"
    case .converted: "converted"
    case .clamped: "clamped"
    case .tagged: "tagged"
    case .untagged: "untagged"
    }
  }
}

extension NetworkResourcePriority: NamedCase {
  /// The name that AVFoundation gives the priority.
  package var word: StaticString {
    switch self {
    case .low: "low"
    case .default: "default"
    case .high: "high"
    }
  }
}

extension ItemStatus: NamedCase {
  /// The name that AVFoundation gives the status.
  package var word: StaticString {
    switch self {
    case .unknown: "unknown"
    case .readyToPlay: "readyToPlay"
    case .failed: "failed"
    }
  }
}

extension BufferingSituation: NamedCase {
  /// The key of what a rule asks for then.
  package var word: StaticString {
    switch self {
    case .start: "start"
    case .resume: "resume"
    case .afterSeek: "afterSeek"
    }
  }
}

extension PlaybackException: NamedCase {
  /// A name for the call that raised; AVFoundation raises `NSInvalidArgumentException` for all.
  package var word: StaticString {
    switch self {
    case .setRateAtHostTimeWhileWaitingAutomatically: "setRateAtHostTimeWhileWaitingAutomatically"
    case .seekToInvalidTime: "seekToInvalidTime"
    case .seekBeforeReady: "seekBeforeReady"
    case .prerollNotPossible: "prerollNotPossible"
    case .advanceWithoutQueue: "advanceWithoutQueue"
    case .itemAlreadyInQueue: "itemAlreadyInQueue"
    case .insertAfterItemNotInQueue: "insertAfterItemNotInQueue"
    }
  }
}

extension FinishReason: NamedCase {
  /// A name for the reason.
  package var word: StaticString {
    switch self {
    case .settled: "settled"
    case .horizon: "horizon"
    case .stillWaiting: "stillWaiting"
    case .eventLimit: "eventLimit"
    }
  }
}

extension TimeAccount: NamedCase {
  /// A name for the account.
  package var word: StaticString {
    switch self {
    case .paused: "paused"
    case .startup: "startup"
    case .playing: "playing"
    case .stalled: "stalled"
    case .seeking: "seeking"
    case .resuming: "resuming"
    case .noItem: "noItem"
    case .coordinated: "coordinated"
    case .interstitial: "interstitial"
    case .gap: "gap"
    case .afterEnd: "afterEnd"
    }
  }
}

extension Condition.Comparison: NamedCase {
  /// The sign.
  package var word: StaticString {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .atMost: "<="
    case .greater: ">"
    case .atLeast: ">="
    }
  }
}

extension TransferPhase: NamedCase {
  /// The name that `URLSessionTaskMetrics` gives the time, where it has one.
  package var word: StaticString {
    switch self {
    case .domainLookup: "domainLookup"
    case .connect: "connect"
    case .secureConnection: "secureConnection"
    case .firstByte: "firstByte"
    case .body: "body"
    }
  }
}

extension TransferFailure: NamedCase {
  /// The name that `URLError` gives the code.
  package var word: StaticString {
    switch self {
    case .nameNotResolved: "cannotFindHost"
    case .cannotConnect: "cannotConnectToHost"
    case .connectionLost: "networkConnectionLost"
    case .timedOut: "timedOut"
    }
  }
}

extension LinkTier: NamedCase {
  /// The word that a transport takes.
  package var word: StaticString {
    switch self {
    case .ideal: "ideal"
    case .fluid: "fluid"
    case .packet: "packet"
    }
  }
}

extension LinkEvent.Dropped: NamedCase {
  /// The word that an outage takes.
  package var word: StaticString {
    switch self {
    case .nothing: "nothing"
    case .new: "new"
    case .inFlight: "inFlight"
    case .both: "both"
    }
  }
}

extension TransportPolicy.HTTP: NamedCase {
  /// The word that a transport takes.
  package var word: StaticString {
    switch self {
    case .http1: "h1"
    case .http2: "h2"
    case .http3: "h3"
    }
  }
}

extension TransportPolicy.TLS: NamedCase {
  /// The word that a transport takes.
  package var word: StaticString {
    switch self {
    case .none: "none"
    case .tls12: "1.2"
    case .tls13: "1.3"
    case .resumed: "resumed"
    case .zeroRoundTrip: "0rtt"
    }
  }
}

extension TransportPolicy.CongestionControl: NamedCase {
  /// The word that a transport takes.
  package var word: StaticString {
    switch self {
    case .cubic: "cubic"
    case .reno: "reno"
    case .bbr: "bbr"
    case .none: "none"
    }
  }
}

extension LoopTechnique: NamedCase {
  /// The word for the technique.
  package var word: StaticString {
    switch self {
    case .rewind: "rewind"
    case .queue: "queue"
    case .treadmill: "treadmill"
    case .looper: "looper"
    }
  }
}

extension LooperStatus: NamedCase {
  /// The name that AVFoundation gives the case.
  package var word: StaticString {
    switch self {
    case .unknown: "unknown"
    case .ready: "ready"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

extension ObservationDelivery: NamedCase {
  /// The word for when observers are told.
  package var word: StaticString {
    switch self {
    case .queued: "queued"
    case .nested: "nested"
    }
  }
}

extension ItemOrdering: NamedCase {
  /// The name that AVFoundation gives the case.
  package var word: StaticString {
    switch self {
    case .loopingItemsPrecedeExistingItems: "loopingItemsPrecedeExistingItems"
    case .loopingItemsFollowExistingItems: "loopingItemsFollowExistingItems"
    }
  }
}

extension JoinTrait: NamedCase {
  /// The word for the trait.
  package var word: StaticString {
    switch self {
    case .fairPlay: "fairPlay"
    case .audioCodec: "audioCodec"
    case .channelCount: "channelCount"
    case .sampleRate: "sampleRate"
    case .bitDepth: "bitDepth"
    case .editLists: "editLists"
    }
  }
}
