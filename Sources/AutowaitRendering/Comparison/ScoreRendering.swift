import AutowaitExperiment
import AutowaitScenario

/// The numbers of others about a contestant, by the names of those who defined them.
enum ScoreRendering {
  static func write(_ summary: ContestantSummary, into writer: inout JSONWriter) {
    let totals = summary.totals
    let scores = summary.scores
    let started = summary.startup.mean.map { $0 / 1_000 }
    let stalls = totals.stalls * 1_000_000_000
    let waited = totals.watched - totals.played
    writer.object { writer in
      writer.object("CTA-2066") { writer in
        writer.number("averageStartup", started, .ratio)
        writer.field("exitsBeforeVideoStart", summary.outcomeCount(.neverStarted))
        writer.field("videoStartFailures", summary.startFailures)
        let percent = summary.stalledShare.map { $0 * 100 }
        writer.number("averageStalledTimePercent", percent, .ratio)
      }
      writer.object("ExoPlayer") { writer in
        writer.number("meanJoinTime", started, .ratio)
        writer.number("waitTimeRatio", Ratio.millionths(waited, of: totals.watched), .ratio)
        writer.number("rebufferRate", Ratio.millionths(stalls, of: totals.played), .ratio)
        writer.number("meanRebufferTime", Ratio.millionths(totals.stalled, of: stalls), .ratio)
      }
      writer.object("Mux") { writer in
        writer.number("startupScore", scores.muxStartup.value, .ratio)
        writer.number("smoothnessScore", scores.muxSmoothness.value, .ratio)
        writer.number("playbackSuccessScore", scores.muxPlaybackSuccess.value, .ratio)
      }
      writer.object("Yin") { writer in
        writer.number("balanced", scores.yinBalanced.value, .ratio)
        writer.number("avoidInstability", scores.yinAvoidInstability.value, .ratio)
        writer.number("avoidRebuffering", scores.yinAvoidRebuffering.value, .ratio)
      }
      writer.object("Pensieve") { $0.number("linear", scores.pensieveLinear.value, .ratio) }
    }
  }
}
