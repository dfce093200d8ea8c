/// A player as a world sets it up.
public struct PlayerConfiguration: Hashable, Sendable {
  /// The items that the script can load, by number.
  public var media: [Media]
  /// The behaviour that the application was built for.
  public var contract = APIContract.newest
  /// `automaticallyWaitsToMinimizeStalling`; nil for the contract's own default.
  public var automaticallyWaitsToMinimizeStalling: Bool?
  /// `defaultRate`.
  public var defaultRate = PlaybackRate.normal
  /// `actionAtItemEnd`.
  public var actionAtItemEnd = ActionAtItemEnd.pause
  /// `forwardPlaybackEndTime` of every item; nil for the end of the media.
  public var forwardPlaybackEndTime: MediaTime?
  /// `preferredForwardBufferDuration` of every item; zero lets the player choose.
  ///
  /// Files do not honour it (observed: issue 877 of just_audio), streams do (observed: issue 973 of
  /// RNTP).
  public var preferredForwardBufferDuration = MediaTime.zero
  /// `automaticallyPreservesTimeOffsetFromLive` of every item.
  public var automaticallyPreservesTimeOffsetFromLive = false
  /// `canUseNetworkResourcesForLiveStreamingWhilePaused` of every item.
  public var canUseNetworkResourcesForLiveStreamingWhilePaused = false
  /// What may be chosen of the variants of a stream.
  public var limits = VariantLimits()
  /// How streams are loaded.
  package var streaming = StreamPolicy()
  /// `preloadsEligibleContentKeys` of every asset.
  public var preloadsEligibleContentKeys = false
  /// The numbers of the keep-up rule and of the buffer.
  public var keepUp = KeepUpPolicy()
  /// How long the picture stands when an iOS 9 player builds its pipeline again.
  ///
  /// Assumed: 300 ms.
  public var pipelineRebuild = TimeSpan.milliseconds(300)
  /// What passes in the application and the player where nothing is waited for.
  public var latency = LatencyPolicy()
  /// How pipelines are built; nil if they are of no interest: none is built then, and none told.
  public var pipeline: PipelinePolicy?
  /// The first bytes of a file that tell a player where the index is.
  ///
  /// Assumed: 4,096 bytes, a page. The lengths that a movie file begins with stand in its first
  /// few dozen bytes, and none are read before a piece of the response has come.
  public var indexProbe = ByteCount(bytes: 4_096)

  /// The first bytes of a file that are asked for to learn whether the server knows ranges.
  ///
  /// Observed, from iOS 5 to 14: `Range: bytes=0-1` before anything else. Nil for none.
  public var rangeProbe: ByteCount?
  /// Whether `playbackStalled` is posted before the properties that stand for the stall change.
  ///
  /// Observed: it came 2 ms before the status in a log of tvOS 26 (AetherEngine issue 524), which
  /// tells of threads as well as of the player.
  public var postsStallFirst = false

  /// Creates a player for some media.
  public init(media: [Media]) {
    self.media = media
  }

  /// Whether anything that the player decides by depends on how fast media has arrived lately.
  var readsFillRate: Bool {
    keepUp.rule.readsFillRate || streaming.adaptation.rule.readsFillRate
  }

  /// Whether the player waits to minimize stalls when it is made.
  ///
  /// Before iOS 10 it depends on the item: see `Player.waitForStream`.
  package var waitsAtFirst: Bool {
    contract.hasAutomaticWaiting ? automaticallyWaitsToMinimizeStalling ?? true : false
  }
}
