/// What a player does with its wish to play, in AVFoundation's words.
public enum TimeControlStatus: UInt8, CaseIterable, Hashable, Sendable {
  /// The player does not wish to play; its rate is zero.
  case paused
  /// The player wishes to play and waits for something.
  case waitingToPlayAtSpecifiedRate
  /// The player plays.
  case playing
}

/// Why a player waits, in AVFoundation's words.
public enum WaitingReason: UInt8, CaseIterable, Hashable, Sendable {
  /// The player watches how fast the buffer fills before it judges; no spinner should be shown.
  case evaluatingBufferingRate
  /// Playing now would probably stall before the end.
  case toMinimizeStalls
  /// There is nothing to play.
  case noItemToPlay
  /// Other participants are not ready.
  case waitingForCoordinatedPlayback
  /// Another player plays an interstitial.
  case interstitialEvent
}

/// Why a player's rate changed, in AVFoundation's words.
public enum RateChangeReason: UInt8, CaseIterable, Hashable, Sendable {
  /// The application set the rate.
  case setRateCalled
  /// The rate could not be set.
  case setRateFailed
  /// The system interrupted the audio session.
  case audioSessionInterrupted
  /// The application went to the background.
  case appBackgrounded
  /// The playhead caught up with a live stream.
  case playheadReachedLiveEdge
  /// The playhead, going backwards, came to the start of what can be played.
  case reversePlaybackReachedStartOfSeekableRange
}

/// What a player does when its item has played to the end.
public enum ActionAtItemEnd: UInt8, CaseIterable, Hashable, Sendable {
  /// The rate becomes zero.
  case pause
  /// Nothing: the rate stays and the time goes on.
  case none
  /// The next item of the queue becomes the current one; plain players have none (row Q2).
  case advance
}

/// What is known about an item, in AVFoundation's words.
public enum ItemStatus: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing has arrived yet.
  case unknown
  /// The item can play, though perhaps not long.
  case readyToPlay
  /// The item will never play.
  case failed
}

/// The behaviour an application was built for, as a version of iOS.
public struct APIContract: Comparable, Hashable, Sendable {
  /// The version.
  public let iOS: Int

  /// Creates the contract of a version; nil if the simulator does not know that version.
  public init?(iOS: Int) {
    guard Self.known.contains(iOS) else { return nil }
    self.iOS = iOS
  }

  private init(known iOS: Int) {
    self.iOS = iOS
  }

  /// The versions that the simulator knows.
  package static let known = 9...26

  /// The newest version.
  public static let newest = APIContract(known: known.upperBound)

  /// Waiting to minimize stalls exists and is the default (iOS 10).
  package var hasAutomaticWaiting: Bool { iOS >= 10 }
  /// A time of a stream can be mapped to a host time (iOS 11).
  package var mapsStreamsToHostTime: Bool { iOS >= 11 }
  /// A seek before the item is ready is kept until it is; before, it raised (iOS 11).
  package var queuesSeeksBeforeReady: Bool { iOS >= 11 }
  /// Playback can be coordinated with other participants (iOS 15).
  package var hasCoordinatedPlayback: Bool { iOS >= 15 }
  /// Interstitials can be played by another player (iOS 15).
  package var hasInterstitialEvents: Bool { iOS >= 15 }
  /// A notification tells that the rate has changed, and why (iOS 15).
  package var postsRateChanges: Bool { iOS >= 15 }
  /// `play()` uses the default rate; before, it meant rate 1 (iOS 16).
  package var hasDefaultRate: Bool { iOS >= 16 }
  /// A player publishes metric events (`AVMetrics.h`, iOS 18).
  package var publishesMetrics: Bool { iOS >= 18 }

  /// Returns whether the left contract is the older one.
  public static func < (left: APIContract, right: APIContract) -> Bool {
    left.iOS < right.iOS
  }
}
