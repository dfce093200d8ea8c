import AutowaitExperiment
import AutowaitScenario

/// What an experiment came to so far, as JSON for a page that shows it while sessions end.
package enum ExperimentView {
  /// Returns the view of a result.
  package static func json(_ result: ExperimentResult) -> [UInt8] {
    let plan = result.plan
    let front = result.front
    return JSONWriter.line { writer in
      writer.field("title", text: plan.name)
      writer.field("about", text: plan.about)
      writer.field("sessions", Int64(result.sessionCount))
      writer.field("all", Int64(plan.sessionCount))
      writer.field("common", Int64(result.common.count))
      writer.objects("contestants", result.contestants.enumerated()) { writer, entry in
        let summary = entry.element
        let costs = result.common.costs(of: entry.offset)
        writer.field("name", text: summary.name)
        writer.field("sessions", summary.sessions)
        writer.field("errors", summary.errors)
        writer.field("neverStarted", summary.neverStarted)
        writer.field("sessionsWithStalls", summary.sessionsWithStalls)
        writer.field("startup", costs?.meanStartup)
        writer.field("stalled", costs?.meanStalled)
        writer.field("isBaseline", entry.offset == plan.baseline)
        writer.field("isOnFront", front.contains(entry.offset))
      }
      if let problem = result.problems.first { writer.field("problem", text: problem.reason) }
    }
  }
}
