import Autowait
import AutowaitScenario

/// The scenario that a recording amounts to: the same medium over the same link, played by the
/// player's heuristic, in the variants that were played.
package enum RecordingScenario {
  /// By what a recording is predicted.
  package enum Column: String, CaseIterable, Sendable {
    /// The player's heuristic over the rates as they were planned.
    case planned
    /// The same over what had arrived by when.
    case arrivals
    /// The player's heuristic over the rates as they were planned, and its rule that chooses among
    /// variants, of which the others are told.
    case adapting
    /// A player that begins with the first frame and goes on with the next one, over the rates as
    /// they were planned: what is left of a prediction without knowing the player.
    case naive
  }

  /// The rates by which a recording is played where one prediction is wanted: as they were
  /// planned, or what had arrived by when if nobody planned any.
  package static func rates(of recording: Recording) -> Column {
    recording.link.schedule.isEmpty ? .arrivals : .planned
  }

  /// The prediction that becomes a scenario of its own: a file that is held against what arrived is
  /// played over that, as it is judged.
  package static func converted(_ recording: Recording) -> Column {
    let isOfTraces = recording.standard.kind == .traces
    return isOfTraces && recording.link.delivered(for: recording.requests) != nil
      ? .arrivals : rates(of: recording)
  }

  /// Returns the text of the scenario; nil if nobody knows the player or what arrived.
  ///
  /// It may expect what was seen, within the tolerances of its class.
  package static func text(
    of recording: Recording, _ column: Column, expectsWhatWasSeen: Bool = false,
    with constants: [RecordedPlayer.Constant]? = nil
  ) -> String? {
    var player = RecordedPlayer.of(recording)
    if column == .arrivals { player = player?.overArrivals }
    guard
      let heuristic = column == .naive ? RecordedPlayer.naive : player?.heuristic(constants),
      let steps = steps(recording, column)
    else { return nil }
    let rule = column == .adapting ? RecordedPlayer.adaptation(of: recording) : nil
    if column == .adapting, rule == nil { return nil }
    let roundTrip = column == .arrivals ? .zero : recording.link.roundTrip
    // Before its first request a player connects, which takes a round trip.
    let stage = Stage(
      heuristic: heuristic, steps: steps, roundTrip: roundTrip, load: roundTrip)
    return text(of: recording, on: stage, adaptingBy: rule, expectsWhatWasSeen: expectsWhatWasSeen)
  }

  /// Where and by what rule a medium is played.
  package struct Stage: Sendable {
    /// The rule as JSON, as scenarios have it.
    package var heuristic: String
    package var steps: [RecordedLink.Step]
    package var roundTrip: TimeSpan
    /// When the player begins to load.
    package var load: TimeSpan
    /// How requests are carried, as JSON; empty for an ideal link.
    package var transport = ""
    /// What waits in front of the link at most; nil for what the transport has.
    package var queue: ByteCount?

    package init(
      heuristic: String, steps: [RecordedLink.Step], roundTrip: TimeSpan, load: TimeSpan
    ) {
      (self.heuristic, self.steps) = (heuristic, steps)
      (self.roundTrip, self.load) = (roundTrip, load)
    }
  }

  /// Returns the text of a scenario that plays the medium of a recording, in the variants of its
  /// requests, by another rule or on another link.
  package static func text(of recording: Recording, on stage: Stage) -> String {
    text(of: recording, on: stage, adaptingBy: nil, expectsWhatWasSeen: false)
  }

  private static func text(
    of recording: Recording, on stage: Stage, adaptingBy rule: RecordedPlayer.Adaptation?,
    expectsWhatWasSeen: Bool
  ) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("autowait", Int64(1))
    writer.field("name", text: recording.name)
    writer.key("link")
    writeLink(of: stage, into: &writer)
    if !stage.transport.isEmpty {
      writer.key("transport")
      write(json: stage.transport, into: &writer)
    }
    writer.key("media")
    write(recording.medium, header: recording.headerSize, into: &writer)
    writer.key("heuristic")
    write(json: stage.heuristic, into: &writer)
    if recording.medium.isStream { writePlayer(of: recording, adaptingBy: rule, into: &writer) }
    let play = recording.play - .start
    writer.objects("script", [("load", TimeSpan.zero), ("play", play)]) { writer, action in
      writer.field("at", seconds: (stage.load + action.1).nanoseconds)
      writer.field("do", text: action.0)
    }
    // Twice as long as it took, and a minute; what was cut off says nothing of what came next.
    let end = (recording.outcome.end ?? .start) - .start
    let until = recording.cut.map { $0 - .start } ?? .seconds(60) + end + end
    writer.field("until", seconds: until.nanoseconds)
    if expectsWhatWasSeen { write(expectationsOf: recording, into: &writer) }
    writer.endObject()
    writer.endLine()
    var text = ""
    writer.withBytes { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  private static func write(json text: String, into writer: inout JSONWriter) {
    guard let value = try? JSONDocument(SourceText(path: "part", text: text)).root else { return }
    writer.value(value)
  }

  /// The rates of a prediction; nil if nobody knows what arrived.
  private static func steps(_ recording: Recording, _ column: Column) -> [RecordedLink.Step]? {
    let plan = recording.link.schedule
    let isPlanned = column != .arrivals && (column == .planned || !plan.isEmpty)
    if isPlanned { return plan.isEmpty ? nil : plan }
    return recording.link.delivered(for: recording.requests)
  }

  private static func writeLink(of stage: Stage, into writer: inout JSONWriter) {
    let roundTrip = stage.roundTrip
    writer.beginObject()
    writer.object("down") { writer in
      writer.objects("track", stage.steps) { writer, step in
        writer.field("at", seconds: (step.start - .start).nanoseconds)
        writer.field("rate", step.rate.bitsPerSecond)
      }
      if roundTrip > .zero { writer.field("delay", seconds: roundTrip.nanoseconds / 2) }
      if let queue = stage.queue { writer.object("queue") { $0.field("bytes", queue.bytes) } }
    }
    if roundTrip > .zero {
      writer.object("up") { $0.field("delay", seconds: roundTrip.nanoseconds / 2) }
    }
    writer.endObject()
  }

  private static func write(
    _ medium: RecordedMedium, header: ByteCount, into writer: inout JSONWriter
  ) {
    writer.beginObject()
    defer { writer.endObject() }
    switch medium.content {
    case .file(let size, let index):
      writer.field("kind", "progressive")
      writer.field("duration", seconds: medium.duration.nanoseconds)
      writer.field("size", size.bytes)
      writer.field("header", index.bytes)
    case .stream(let playlist, let variants, let sound)
    where !isEven(medium, variants + [sound].compactMap { $0 }):
      writer.field("kind", "hls")
      writer.field("multivariantPlaylist", playlist.map { $0.bytes + header.bytes })
      writeLists(variants, sound, header: header, into: &writer)
    case .stream(let playlist, let variants, let sound):
      writer.field("kind", "hls")
      writer.field("duration", seconds: medium.duration.nanoseconds)
      writer.field("segmentDuration", seconds: variants[0].segments[0].duration.nanoseconds)
      writer.field("multivariantPlaylist", (playlist?.bytes ?? 0) + header.bytes)
      let playlists = (variants + [sound].compactMap { $0 }).map(\.playlistSize.bytes)
      writer.field("mediaPlaylist", (playlists.min() ?? 0) + header.bytes)
      writer.objects("variants", variants) { writer, variant in
        // A representation of an MPD is a track; a variant of a playlist has its sound in it.
        let other = medium.isMPD ? nil : sound
        writer.field(
          "bandwidth", variant.bandwidth.bitsPerSecond + (other?.bandwidth.bitsPerSecond ?? 0))
        if sound != nil { writer.field("audio", "sound") }
        write(variant, header: header, into: &writer)
      }
      if let sound {
        writer.objects("audio", [sound]) { writer, sound in
          writer.field("group", "sound")
          write(sound, header: header, into: &writer)
        }
      }
    }
  }

  private static func write(
    _ rendition: RecordedMedium.Rendition, header: ByteCount, into writer: inout JSONWriter
  ) {
    writer.array("sizes") { writer in
      for segment in rendition.segments { writer.integer(segment.size.bytes + header.bytes) }
    }
    if let size = rendition.initSize { writer.field("init", size.bytes + header.bytes) }
  }

  /// How far the segments of an even stream may be from its segment duration: those of sound end
  /// with a frame, of which AAC has one in 21 ms.
  private static let evenSpan: Int64 = 100_000_000

  /// Whether a stream is cut evenly: all segments but the last are as long as the first, or nearly
  /// so, and their number is what follows from that.
  private static func isEven(
    _ medium: RecordedMedium, _ renditions: [RecordedMedium.Rendition]
  ) -> Bool {
    let first = renditions[0].segments[0].duration.nanoseconds
    if first <= 0 { return false }
    let (whole, rest) = medium.duration.nanoseconds.quotientAndRemainder(dividingBy: first)
    return renditions.allSatisfy { rendition in
      rendition.segments.count == whole + (rest > 0 ? 1 : 0)
        && rendition.segments.dropLast().allSatisfy {
          abs($0.duration.nanoseconds - first) <= evenSpan
        }
    }
  }

  /// Writes a stream with each segment spelled out.
  private static func writeLists(
    _ variants: [RecordedMedium.Rendition], _ sound: RecordedMedium.Rendition?, header: ByteCount,
    into writer: inout JSONWriter
  ) {
    writer.objects("variants", variants.enumerated()) { writer, variant in
      writer.field("bandwidth", variant.element.bandwidth.bitsPerSecond)
      if sound != nil { writer.field("audio", "sound") }
      writer.field("list", Int64(variant.offset))
    }
    if sound != nil {
      writer.objects("audio", [variants.count]) { writer, list in
        writer.field("group", "sound")
        writer.field("default", true)
        writer.field("list", Int64(list))
      }
    }
    writer.objects("lists", variants + [sound].compactMap { $0 }) { writer, list in
      writer.field("playlistSize", list.playlistSize.bytes + header.bytes)
      if let size = list.initSize {
        writer.array("inits") { $0.integer(size.bytes + header.bytes) }
        writer.objects("needs", [Int64(0)]) { writer, place in
          writer.field("first", place)
          writer.field("init", place)
        }
      }
      writer.array("durations") { writer in
        for segment in list.segments { writer.seconds(nanoseconds: segment.duration.nanoseconds) }
      }
      writer.array("sizes") { writer in
        for segment in list.segments { writer.integer(segment.size.bytes + header.bytes) }
      }
    }
  }

  private static func writePlayer(
    of recording: Recording, adaptingBy rule: RecordedPlayer.Adaptation?,
    into writer: inout JSONWriter
  ) {
    writer.object("player") { writer in
      if let expected = rule?.expected {
        writer.field("observedBitrate", expected.bitsPerSecond)
      }
      writer.object("streaming") { writer in
        // What playlists say of segments an MPD says by itself.
        if recording.medium.isMPD { writer.field("knowsPlaylists", true) }
        if let rule {
          writer.field("rule", text: rule.name)
        } else {
          writer.object("rule") { write(scriptOf: recording, into: &$0) }
        }
      }
    }
  }

  private static func write(scriptOf recording: Recording, into writer: inout JSONWriter) {
    let script = recording.script
    writer.array("scripted") { writer in
      for variant in script.variants { writer.integer(Int64(variant)) }
    }
    if script.givenUp.isEmpty { return }
    writer.objects("givenUp", script.givenUp) { writer, request in
      writer.field("segment", Int64(request.segment))
      writer.field("variant", Int64(request.variant))
      writer.field("after", seconds: request.after.nanoseconds)
    }
  }
}
