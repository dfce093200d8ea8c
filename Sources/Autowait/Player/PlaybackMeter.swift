/// What a player's time is spent on; every nanosecond belongs to exactly one account.
public enum TimeAccount: Int, CaseIterable, Hashable, Sendable {
  /// The player does not wish to play, and its item has not ended.
  case paused
  /// The player wishes to play and has not yet played: part of the startup.
  case startup
  /// The timebase runs.
  case playing
  /// Playback ran out of data and waits to go on.
  case stalled
  /// Playback waits for the data of a seek.
  case seeking
  /// Playback waits for another reason: the user paused and plays again, or another item follows.
  case resuming
  /// There is nothing to play.
  case noItem
  /// Other participants are not ready.
  case coordinated
  /// An interstitial plays elsewhere.
  case interstitial
  /// The picture stands while the player plays: a pipeline is rebuilt, a host time awaited.
  case gap
  /// The item has played to its end.
  case afterEnd
}

/// Keeps the accounts of a player's time and counts what happens to it.
struct PlaybackMeter: Equatable, Sendable {
  private var spans: InlineArray<11, TimeSpan>
  private(set) var account = TimeAccount.paused
  private var since: Instant

  /// Whether the timebase has ever run.
  private(set) var hasStarted = false
  /// Why the player would be waiting if it waited now.
  private(set) var waitAccount = TimeAccount.startup
  /// The stalls so far.
  var stallCount = 0
  /// How many times an item played to its end.
  var playedToEndCount = 0
  /// The requests so far: of playlists, segments, keys and ranges of files.
  var requestCount = 0
  /// The segments that came, and the requests for ranges of files.
  var mediaRequestCount = 0
  /// Those of them that were asked for while the network was expensive.
  var expensiveRequestCount = 0
  /// The changes of variant so far, the first choice not counted.
  var variantSwitchCount = 0
  /// The segments abandoned because they would have been late.
  var abandonedCount = 0
  /// The entries of the error log.
  var recoverableErrorCount = 0
  /// The pipelines that were built.
  var pipelineBuildCount = 0
  /// How often the picture stood while the clock ran, and how long until it went on.
  var pictureFreezeCount = 0
  var timePictureFrozen = TimeSpan.zero
  /// Since when it stands; nil if it does not.
  var frozenSince: Instant?
  /// The media played, forwards or backwards.
  var mediaPlayed = MediaTime.zero
  /// The parts of it in which there was no picture, or no sound: the other track is longer.
  var playedWithoutVideo = MediaTime.zero
  var playedWithoutAudio = MediaTime.zero
  /// The data of the media that was played, and of what is needed for it.
  var dataPlayed = DataAmount.zero
  /// The most data that was loaded ahead of the playhead at one time; zero if nobody asks.
  var bufferedDataMax = DataAmount.zero
  /// When the first request was made, and when the first byte of an answer came.
  var firstRequest: Instant?
  var firstByte: Instant?
  /// The instant at which the timebase first ran.
  var firstPlayed: Instant?

  /// Creates a meter that has counted nothing.
  init(at now: Instant) {
    since = now
    spans = InlineArray(repeating: .zero)
    precondition(
      spans.count == TimeAccount.allCases.count,
      "\(TimeAccount.allCases.count) accounts need as many places, there are \(spans.count)")
  }

  /// Books the time from now on to another account.
  mutating func enter(_ next: TimeAccount, at now: Instant) {
    assert(now >= since, "the time of an account goes back")
    if next == account { return }
    spans[account.rawValue] += now - since
    account = next
    since = now
    if next == .playing, !hasStarted {
      hasStarted = true
      firstPlayed = now
    }
  }

  /// Remembers why a player that begins to wait does so.
  mutating func willWait(for cause: TimeAccount) {
    assert(cause != .playing && cause != .paused, "who plays or pauses does not wait")
    if hasStarted { waitAccount = cause }
  }

  /// Counts a request.
  @inline(__always)
  mutating func noteRequest(at now: Instant) {
    requestCount += 1
    if requestCount == 1 { firstRequest = now }
  }

  /// Counts the requests that another player made in this one's place.
  mutating func addRequests(of other: PlaybackMeter) {
    requestCount += other.requestCount
    mediaRequestCount += other.mediaRequestCount
    expensiveRequestCount += other.expensiveRequestCount
    variantSwitchCount += other.variantSwitchCount
    abandonedCount += other.abandonedCount
    recoverableErrorCount += other.recoverableErrorCount
    dataPlayed += other.dataPlayed
    firstRequest = firstRequest ?? other.firstRequest
    firstByte = firstByte ?? other.firstByte
  }

  /// Returns the time booked to an account by an instant.
  func time(_ wanted: TimeAccount, at now: Instant) -> TimeSpan {
    assert(now >= since, "an account is read before it was entered")
    let booked = spans[wanted.rawValue]
    return wanted == account ? booked + (now - since) : booked
  }

  /// Returns whether two meters have counted the same; when data is counted that was played is no
  /// matter.
  static func == (left: PlaybackMeter, right: PlaybackMeter) -> Bool {
    for index in left.spans.indices where left.spans[index] != right.spans[index] { return false }
    return left.account == right.account && left.since == right.since
      && left.firstPlayed == right.firstPlayed && left.waitAccount == right.waitAccount
      && left.stallCount == right.stallCount && left.playedToEndCount == right.playedToEndCount
      && left.requestCount == right.requestCount
      && left.mediaRequestCount == right.mediaRequestCount
      && left.expensiveRequestCount == right.expensiveRequestCount
      && left.mediaPlayed == right.mediaPlayed
      && left.playedWithoutVideo == right.playedWithoutVideo
      && left.playedWithoutAudio == right.playedWithoutAudio
      && left.bufferedDataMax == right.bufferedDataMax
      && left.firstRequest == right.firstRequest && left.firstByte == right.firstByte
      && left.variantSwitchCount == right.variantSwitchCount
      && left.abandonedCount == right.abandonedCount
      && left.recoverableErrorCount == right.recoverableErrorCount
      && left.pipelineBuildCount == right.pipelineBuildCount
      && left.pictureFreezeCount == right.pictureFreezeCount
      && left.timePictureFrozen == right.timePictureFrozen
      && left.frozenSince == right.frozenSince
  }
}
