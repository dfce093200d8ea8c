/// A player as a world sets it up.
public struct PlayerConfiguration: Hashable, Sendable {
  /// The items that the script can load, by number.
  public var media: [Media]
  /// The items that a queue player is made with, by number; nil for a plain player.
  public var queue: [Int]?
  /// The parts of assets that items play, by number; without one an item plays all of its own.
  package var spans: [ItemSpan] = []
  /// How the application plays an item again and again; nil if it does not.
  package var loop: LoopPlan?
  /// The behaviour of the system, for which the application was built, too, unless it was linked
  /// against an older one.
  public var contract = APIContract.newest
  /// The release that the application was linked against; nil for the one it runs on.
  ///
  /// "For clients linked against iOS 10.0 and later" waiting is the default, and a rate that is
  /// mapped to a host time raises while it is (AVPlayer.h).
  package var linkedContract: APIContract?
  /// Whether AVKit or MediaPlayer drives the player: such applications wait on iOS 9 already, and
  /// whatever they were linked against (WWDC16 503).
  package var usesAVKit = false
  /// `automaticallyWaitsToMinimizeStalling`; nil for the contract's own default.
  public var automaticallyWaitsToMinimizeStalling: Bool?
  /// `defaultRate`.
  public var defaultRate = PlaybackRate.normal
  /// `actionAtItemEnd`; a queue player advances by default.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { givenActionAtItemEnd ?? (hasQueue ? .advance : .pause) }
    set { givenActionAtItemEnd = newValue }
  }
  private var givenActionAtItemEnd: ActionAtItemEnd?
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
  /// Whether somebody asks how much data of streams is held at most; it costs a look at every
  /// segment.
  package var measuresBufferedData = false
  /// `networkResourcePriority`.
  package var networkResourcePriority = NetworkResourcePriority.default
  /// How a video output receives pictures, and what composes them before.
  package var videoOutput = FrameSettings()
  package var composition: CompositionPlan?
  /// Whether such a player goes on from the last key frame.
  ///
  /// It "may" (WWDC16 503); assumed: it does not, unless this says so.
  package var snapsToKeyFrame = false
  /// What passes in the application and the player where nothing is waited for.
  public var latency = LatencyPolicy()
  /// How pipelines are built; nil if they are of no interest: none is built then, and none told.
  package var pipeline: PipelinePolicy?
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

  /// Whether it is a queue player.
  package var hasQueue: Bool { queue != nil || loop?.technique.needsQueue == true }

  /// The part of its asset that an item plays.
  func span(of number: Int) -> ItemSpan {
    number < spans.count ? spans[number] : ItemSpan(asset: number)
  }

  /// Whether two items are of the same asset.
  func isOfSameAsset(_ number: Int, _ other: Int) -> Bool {
    number == other || (!spans.isEmpty && span(of: number).asset == span(of: other).asset)
  }

  /// Whether the player waits to minimize stalls when it is made.
  package var waitsAtFirst: Bool {
    if waitsByItem { return false }
    return contract.hasAutomaticWaiting ? automaticallyWaitsToMinimizeStalling ?? true : usesAVKit
  }

  /// Whether the player waits for streams and not for files, as all did before iOS 10.
  package var waitsByItem: Bool {
    if usesAVKit { return false }
    if !contract.hasAutomaticWaiting { return true }
    return linked.hasAutomaticWaiting == false && automaticallyWaitsToMinimizeStalling == nil
  }

  /// The release that the application was linked against.
  var linked: APIContract { min(linkedContract ?? contract, contract) }
}
