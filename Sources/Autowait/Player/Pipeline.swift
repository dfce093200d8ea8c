/// How a player builds the pipelines that play its items.
package struct PipelinePolicy: Hashable, Sendable {
  /// How long it takes to build a pipeline.
  ///
  /// Assumed: no time. It takes some, and no source says how much.
  package var build = TimeSpan.zero
  /// Whether a layer shows the player when it is made.
  package var hasLayer = true
  /// Whether a video output takes its pictures when it is made.
  package var hasVideoOutput = false

  /// Creates the policy with its defaults.
  package init() {}
}

/// The pipeline of a player's item: what it was built for, and what is being built.
///
/// It is built when the item becomes the current one, for audio alone if no layer shows the player
/// by then and no video output takes its pictures, and once more if that changes. Source: WWDC16
/// 503, "Advances in AVFoundation Playback", which has apps make player and layer, call `play()`
/// and set the item last.
struct Pipeline: Hashable, Sendable {
  /// A build that has begun.
  struct Build: Hashable, Sendable {
    let hasVideo: Bool
    let end: Instant
    /// The number of the event that led to it.
    let cause: Int
  }

  /// How long a build takes.
  let span: TimeSpan
  /// Whether a layer shows the player, and whether a video output takes its pictures.
  var hasLayer: Bool
  var hasVideoOutput: Bool
  /// Whether the last pipeline that was built for the item shows video; nil if there is none.
  private(set) var hasVideo: Bool?
  /// What is being built.
  private(set) var build: Build?

  /// Makes the pipeline of a player without an item.
  init(_ policy: PipelinePolicy) {
    span = policy.build
    (hasLayer, hasVideoOutput) = (policy.hasLayer, policy.hasVideoOutput)
  }

  /// Begins to build for what is attached, in the place of what is being built.
  mutating func begin(for span: TimeSpan, cause: Int, at now: Instant) {
    assert(span >= .zero, "a pipeline is built in \(span.nanoseconds) ns")
    build = Build(hasVideo: needsVideo, end: now + span, cause: cause)
  }

  /// Takes note of a build that is done.
  mutating func complete(_ build: Build) {
    assert(self.build == build, "another pipeline is done than is being built")
    hasVideo = build.hasVideo
    self.build = nil
  }

  /// Gives up what belongs to an item.
  mutating func leave() {
    (hasVideo, build) = (nil, nil)
  }

  /// Whether what was built is not what is attached, and nothing is being built.
  var isStale: Bool {
    guard let hasVideo, build == nil else { return false }
    return hasVideo != needsVideo
  }

  /// Whether somebody sees the pictures.
  private var needsVideo: Bool { hasLayer || hasVideoOutput }
}

extension Player {
  /// Builds the pipeline of a new item; the item is not ready until it is there.
  mutating func enterPipeline(in moment: inout Moment) {
    guard let pipeline else { return }
    self.pipeline?.begin(for: pipeline.span, cause: moment.cause, at: moment.now)
    source.buffer.awaitsPipeline = true
  }

  /// Gives up the pipeline of an item that is gone or has failed.
  mutating func leavePipeline() {
    pipeline?.leave()
  }

  /// Attaches or removes a layer or a video output.
  ///
  /// From iOS 10 on a playing player plays on meanwhile, before that its time stands (row L17).
  mutating func attach(
    layer: Bool? = nil, videoOutput: Bool? = nil, in moment: inout Moment
  ) {
    let old = pipeline
    if let layer { pipeline?.hasLayer = layer }
    if let videoOutput { pipeline?.hasVideoOutput = videoOutput }
    if old != nil, pipeline == old { return }
    if videoOutput == false { toldFrames = [] }
    noteVideoFrames(in: &moment)
    input(.tracksChanged, rate: evaluationRate, in: &moment)
    buildStalePipeline(in: &moment)
  }

  /// Builds the pipeline again while the time stands.
  mutating func rebuildPipeline(in moment: inout Moment) {
    let span = configuration.pipelineRebuild
    pipeline?.begin(for: span, cause: moment.cause, at: moment.now)
  }

  /// Takes note of a pipeline that is built, and builds it once more if a layer came meanwhile.
  ///
  /// Assumed: what is being built is not given up, as the talk speaks of pipelines that are built
  /// twice; and an item is not ready before its pipeline is the one that it needs.
  mutating func completePipeline(in moment: inout Moment) -> Bool {
    guard let build = pipeline?.build, build.end <= moment.now else { return false }
    pipeline?.complete(build)
    meter.pipelineBuildCount += 1
    moment.cause = build.cause
    moment.cause = moment.record(
      .pipelineBuilt(count: meter.pipelineBuildCount, hasVideo: build.hasVideo))
    buildStalePipeline(in: &moment)
    if pipeline?.build == nil, source.buffer.awaitsPipeline {
      source.buffer.awaitsPipeline = false
      moment.flowCause = moment.cause
    }
    return true
  }

  private mutating func buildStalePipeline(in moment: inout Moment) {
    guard let pipeline, pipeline.isStale else { return }
    self.pipeline?.begin(for: pipeline.span, cause: moment.cause, at: moment.now)
  }
}
