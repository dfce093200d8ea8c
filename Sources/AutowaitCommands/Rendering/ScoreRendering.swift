import AutowaitExperiment
import AutowaitScenario

/// The numbers of others about a contestant, by the names of those who defined them.
enum ScoreRendering {
  static func write(_ summary: ContestantSummary, into writer: inout JSONWriter) {
    let totals = summary.totals
    let scores = summary.scores
    func field(_ name: StaticString, _ value: Int64?) {
      writer.key(name)
      writer.number(value, .ratio)
    }
    writer.beginObject()
    writer.key("CTA-2066")
    writer.beginObject()
    field("averageStartup", summary.startup.mean.map { $0 / 1_000 })
    writer.field("exitsBeforeVideoStart", summary.outcomeCount(.neverStarted))
    writer.field("videoStartFailures", summary.startFailures)
    field("averageStalledTimePercent", summary.stalledShare.map { $0 * 100 })
    writer.endObject()
    writer.key("ExoPlayer")
    writer.beginObject()
    field("meanJoinTime", summary.startup.mean.map { $0 / 1_000 })
    let waited = totals.watched - totals.played
    field("waitTimeRatio", Ratio.millionths(waited, of: totals.watched))
    field(
      "rebufferRate",
      Ratio.millionths(totals.stalls * 1_000_000_000, of: totals.played))
    field(
      "meanRebufferTime",
      Ratio.millionths(totals.stalled, of: totals.stalls * 1_000_000_000))
    writer.endObject()
    writer.key("Mux")
    writer.beginObject()
    field("startupScore", scores.muxStartup.value)
    field("smoothnessScore", scores.muxSmoothness.value)
    field("playbackSuccessScore", scores.muxPlaybackSuccess.value)
    writer.endObject()
    writer.key("Yin")
    writer.beginObject()
    field("balanced", scores.yinBalanced.value)
    field("avoidInstability", scores.yinAvoidInstability.value)
    field("avoidRebuffering", scores.yinAvoidRebuffering.value)
    writer.endObject()
    writer.key("Pensieve")
    writer.beginObject()
    field("linear", scores.pensieveLinear.value)
    writer.endObject()
    writer.endObject()
  }
}
