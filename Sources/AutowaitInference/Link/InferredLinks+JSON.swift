import Autowait
import AutowaitScenario

extension InferredLinks {
  /// Writes the links, each as scenarios have one, with what was seen and how well requests fit.
  package func write(of log: SessionLog, into writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("session", text: log.name)
      writer.field("form", text: log.form.rawValue)
      writer.field("tier", text: tier)
      writer.field("roundTrip", seconds: roundTrip.nanoseconds)
      writer.field("chainsAgree", chainsAgree)
      writer.field("steps", Int64(steps))
      writer.key("best")
      write(best, into: &writer)
      writer.array("samples") { writer in
        for sample in samples { write(sample, into: &writer) }
      }
      writer.array("seen") { writer in
        for stretch in seen {
          writer.beginArray()
          writer.seconds(nanoseconds: (stretch.from - .start).nanoseconds)
          writer.seconds(nanoseconds: (stretch.to - .start).nanoseconds)
          writer.endArray()
        }
      }
      writer.objects("fit", fits) { writer, fit in
        writer.field("request", Int64(fit.request))
        writer.field("recorded", seconds: (fit.recorded - .start).nanoseconds)
        writer.field("simulated", seconds: (fit.simulated - .start).nanoseconds)
        writer.field("tolerance", seconds: fit.tolerance.nanoseconds)
      }
      writer.field("leftOut", Int64(leftOut))
      writer.strings("notes", log.notes)
    }
  }

  /// How exactly a link is to be modelled for what was inferred to hold.
  package var tier: String {
    model.kind == .ideal ? "ideal" : model.recoversByTimer ? "packet" : "fluid"
  }

  /// Writes one link as a file of its own would have it.
  package func write(_ track: LinkTrack, into writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("down") { writer in
        writer.objects("track", Array(track.samples)) { writer, sample in
          writer.field("at", seconds: sample.start.nanoseconds)
          writer.field("rate", sample.rate.bitsPerSecond)
        }
        writer.field("delay", seconds: roundTrip.nanoseconds / 2)
      }
      writer.object("up") { $0.field("delay", seconds: roundTrip.nanoseconds / 2) }
      if model.kind != .ideal {
        writer.object("transport") { $0.field("tier", text: tier) }
      }
    }
  }
}
