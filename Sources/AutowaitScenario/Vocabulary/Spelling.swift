import Autowait

/// A value that files, logs and messages spell with one word.
public protocol Spelled: CaseIterable, Sendable {
  /// The word.
  var word: StaticString { get }
}

extension FieldKind where Value: Spelled {
  /// One of the words of a spelled type.
  static var spelled: FieldKind { .word(Value.allCases.map { ("\($0.word)", $0) }) }
}

extension TimeControlStatus: Spelled {
  /// The name that AVFoundation gives the case.
  public var word: StaticString {
    switch self {
    case .paused: "paused"
    case .waitingToPlayAtSpecifiedRate: "waitingToPlayAtSpecifiedRate"
    case .playing: "playing"
    }
  }
}

extension WaitingReason: Spelled {
  /// The name that AVFoundation gives the reason.
  public var word: StaticString {
    switch self {
    case .evaluatingBufferingRate: "evaluatingBufferingRate"
    case .toMinimizeStalls: "toMinimizeStalls"
    case .noItemToPlay: "noItemToPlay"
    case .waitingForCoordinatedPlayback: "waitingForCoordinatedPlayback"
    case .interstitialEvent: "interstitialEvent"
    }
  }
}

extension RateChangeReason: Spelled {
  /// The name that AVFoundation gives the reason.
  public var word: StaticString {
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

extension ActionAtItemEnd: Spelled {
  /// The name that AVFoundation gives the action.
  public var word: StaticString {
    switch self {
    case .pause: "pause"
    case .none: "none"
    }
  }
}

extension ItemStatus: Spelled {
  /// The name that AVFoundation gives the status.
  public var word: StaticString {
    switch self {
    case .unknown: "unknown"
    case .readyToPlay: "readyToPlay"
    case .failed: "failed"
    }
  }
}

extension BufferingSituation: Spelled {
  /// The key of what a rule asks for then.
  public var word: StaticString {
    switch self {
    case .start: "start"
    case .resume: "resume"
    case .afterSeek: "afterSeek"
    }
  }
}

extension PlaybackException: Spelled {
  /// A name for the call that raised; AVFoundation raises `NSInvalidArgumentException` for all.
  public var word: StaticString {
    switch self {
    case .setRateAtHostTimeWhileWaitingAutomatically: "setRateAtHostTimeWhileWaitingAutomatically"
    case .seekToInvalidTime: "seekToInvalidTime"
    case .seekBeforeReady: "seekBeforeReady"
    case .prerollNotPossible: "prerollNotPossible"
    }
  }
}

extension FinishReason: Spelled {
  /// A name for the reason.
  public var word: StaticString {
    switch self {
    case .settled: "settled"
    case .horizon: "horizon"
    case .stillWaiting: "stillWaiting"
    case .eventLimit: "eventLimit"
    }
  }
}

extension TimeAccount: Spelled {
  /// A name for the account.
  public var word: StaticString {
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

extension Condition.Comparison: Spelled {
  /// The sign.
  public var word: StaticString {
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

extension TransferPhase: Spelled {
  /// The name that `URLSessionTaskMetrics` gives the time, where it has one.
  public var word: StaticString {
    switch self {
    case .domainLookup: "domainLookup"
    case .connect: "connect"
    case .secureConnection: "secureConnection"
    case .firstByte: "firstByte"
    case .body: "body"
    }
  }
}

extension TransferFailure: Spelled {
  /// The name that `URLError` gives the code.
  public var word: StaticString {
    switch self {
    case .nameNotResolved: "cannotFindHost"
    case .cannotConnect: "cannotConnectToHost"
    case .connectionLost: "networkConnectionLost"
    case .timedOut: "timedOut"
    }
  }
}

extension LinkTier: Spelled {
  /// The word that a transport takes.
  public var word: StaticString {
    switch self {
    case .ideal: "ideal"
    case .fluid: "fluid"
    case .packet: "packet"
    }
  }
}

extension TierChoice.Reason: Spelled {
  /// A word for the reason.
  public var word: StaticString {
    switch self {
    case .asked: "asked"
    case .noTransport: "noTransport"
    case .responsesFitQueue: "responsesFitQueue"
    case .queueKeepsPathFull: "queueKeepsPathFull"
    case .loss: "loss"
    case .jitter: "jitter"
    case .reordering: "reordering"
    case .duplication: "duplication"
    case .droppingOutage: "droppingOutage"
    case .slowAnswers: "slowAnswers"
    case .measuringSender: "measuringSender"
    case .parallelFlows: "parallelFlows"
    case .narrowUplink: "narrowUplink"
    case .shallowQueue: "shallowQueue"
    case .unpacedBursts: "unpacedBursts"
    }
  }
}
