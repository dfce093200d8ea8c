import Autowait
import AutowaitFigures
import AutowaitScenario

/// Renders a run in the Trace Event Format, which Perfetto and Chrome open: the states and variants
/// of each player as slices, requests as asynchronous slices, and buffer, link, fill rate and
/// variant as counters.
///
/// It shows what the picture of the run shows. Times are microseconds, exact to the nanosecond.
package struct TraceEventRendering {
  private let result: RunResult
  private let chart: SessionChart
  private var writer = JSONWriter(capacity: 65_536)

  /// The process of the network; those of the players follow.
  private static let network: Int64 = 1
  /// The threads of a player, by the order in which they are shown.
  private enum Thread: Int64, CaseIterable {
    case state = 1
    case variant, events

    var name: StaticString {
      switch self {
      case .state: "state"
      case .variant: "variant"
      case .events: "events"
      }
    }
  }

  /// What a counter is given in, and how many parts of it a sample counts.
  private enum CounterUnit {
    case seconds, kilobits

    var name: StaticString { self == .seconds ? "s" : "kbit/s" }
    var parts: Int64 { self == .seconds ? 1_000_000_000 : 1_000 }
  }

  /// Where an event belongs: to a process, or to one of its threads or requests.
  private struct Track {
    let process: Int64
    var thread: Int64 = 0
    var request: Int?
  }

  /// Returns the trace of a run that was sampled at the instants of ``SessionPicture``.
  package static func trace(_ result: RunResult, samples: [RunResult.Sample]) -> [UInt8] {
    var rendering = TraceEventRendering(
      result: result, chart: SessionPicture.chart(result, samples: samples))
    rendering.write()
    return rendering.writer.bytes
  }

  private init(result: RunResult, chart: SessionChart) {
    self.result = result
    self.chart = chart
  }

  private mutating func write() {
    writer.beginObject()
    writer.field("displayTimeUnit", "ms")
    writer.key("traceEvents")
    writer.beginArray()
    writeNetwork()
    let requests = ExportedRequest.all(result)
    for player in chart.players.indices { write(player, requests[player]) }
    writer.endArray()
    let (scenario, fingerprint) = (result.scenario, result.fingerprint)
    writer.object("otherData") { writer in
      writer.field("scenario", text: scenario.path)
      writer.field("name", text: scenario.title)
      writer.field("seed", scenario.world.seed)
      writer.field("fingerprint", text: LogRendering.hexadecimal(fingerprint))
      ToolVersion.write(into: &writer)
    }
    writer.endObject()
    writer.endLine()
  }

  // MARK: The network

  private mutating func writeNetwork() {
    name("process_name", "network", of: Track(process: Self.network))
    sort(process: Self.network)
    for change in chart.changes {
      event("i", change.label, at: change.instant, on: Track(process: Self.network)) {
        $0.field("s", "p")
      }
    }
    write(chart.linkRates, counter: "link", in: .kilobits, process: Self.network)
  }

  // MARK: A player

  private mutating func write(_ number: Int, _ requests: [ExportedRequest]) {
    let (player, process) = (chart.players[number], Int64(number) + Self.network + 1)
    name("process_name", result.scenario.playerNames[number], of: Track(process: process))
    sort(process: process)
    func track(_ thread: Thread) -> Track { Track(process: process, thread: thread.rawValue) }
    for thread in Thread.allCases where thread != .variant || !player.plays.isEmpty {
      name("thread_name", "\(thread.name)", of: track(thread))
    }
    for state in player.states {
      slice(state.text, state.start, state.end, on: track(.state))
    }
    for play in player.plays where play.number < player.levels.count && play.end > play.start {
      slice(player.levels[play.number], play.start, play.end, on: track(.variant))
    }
    for mark in player.marks {
      event("i", mark.label, at: mark.instant, on: track(.events)) { writer in
        writer.field("s", "t")
        writer.object("args") { $0.field("about", text: mark.text) }
      }
    }
    for request in requests { write(request, process: process) }
    write(player.ahead, counter: "buffer", in: .seconds, process: process)
    write(player.fillRates, counter: "fill rate", in: .kilobits, process: process)
    write(player.mediaRates, counter: "media rate", in: .kilobits, process: process)
  }

  /// Writes a request, which others may overlap, with the parts of its way in it.
  private mutating func write(_ request: ExportedRequest, process: Int64) {
    let story = request.story
    let (start, end) = (story.request.opened.nanoseconds, story.end.nanoseconds)
    let track = Track(process: process, request: story.transfer)
    event("b", request.words, at: start, on: track) { writer in
      writer.object("args") { writer in
        writer.field("url", text: request.url)
        writer.field("bytes", request.bytes)
        writer.field("status", request.status)
        if let reason = request.reason { writer.field("error", text: reason) }
      }
    }
    for part in parts(of: request) where part.end > part.start {
      event("b", part.name, at: part.start, on: track)
      event("e", part.name, at: part.end, on: track)
    }
    event("e", request.words, at: end, on: track)
  }

  /// Returns the parts of a request's way: as far as they are known, and else the time before and
  /// after its first byte.
  private func parts(
    of request: ExportedRequest
  ) -> [(name: String, start: Int64, end: Int64)] {
    let (opened, end) = (request.story.request.opened.nanoseconds, request.story.end.nanoseconds)
    let known = request.phases.filter { $0.phase != .body && $0.phase != .firstByte }
    var parts = known.map { part in
      let start = part.start.nanoseconds
      return (
        name: part.phase.title, start: min(start, end),
        end: min(start + part.span.nanoseconds, end)
      )
    }
    let first = request.story.response?.nanoseconds ?? end
    parts.append((TransferPhase.firstByte.title, min(parts.last?.end ?? opened, first), first))
    parts.append((TransferPhase.body.title, first, end))
    return parts
  }

  // MARK: Events

  private mutating func name(_ kind: String, _ name: String, of track: Track) {
    event("M", kind, at: 0, on: track) { writer in
      writer.object("args") { $0.field("name", text: name) }
    }
  }

  private mutating func sort(process: Int64) {
    event("M", "process_sort_index", at: 0, on: Track(process: process)) { writer in
      writer.object("args") { $0.field("sort_index", process) }
    }
  }

  private mutating func slice(_ name: String, _ start: Int64, _ end: Int64, on track: Track) {
    event("X", name, at: start, on: track) { writer in
      writer.key("dur")
      writer.fixedPoint(end - start, unit: 1_000)
    }
  }

  /// Writes a counter wherever it changes; where it has no value it is zero.
  private mutating func write(
    _ samples: [SessionChart.Sample], counter: String, in unit: CounterUnit, process: Int64
  ) {
    if samples.allSatisfy({ $0.value == nil }) { return }
    var last: Int64?
    for sample in samples {
      let value = sample.value ?? 0
      if value == last { continue }
      last = value
      event("C", counter, at: sample.instant, on: Track(process: process)) { writer in
        writer.object("args") { writer in
          writer.key(unit.name)
          writer.fixedPoint(value, unit: unit.parts)
        }
      }
    }
  }

  private mutating func event(
    _ phase: String, _ name: String, at instant: Int64, on track: Track,
    _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.beginObject()
    writer.field("ph", text: phase)
    writer.field("name", text: name)
    writer.key("ts")
    writer.fixedPoint(instant, unit: 1_000)
    writer.field("pid", track.process)
    writer.field("tid", track.thread)
    writer.field("cat", track.request == nil ? "run" : "request")
    if let request = track.request { writer.field("id", text: "\(request)") }
    more(&writer)
    writer.endObject()
  }
}
