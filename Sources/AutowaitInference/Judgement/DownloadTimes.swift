import Autowait
import AutowaitFidelity

/// How long each request of a recorded session takes on a link, asked for when it was.
///
/// It is a model of its own, of a few lines: what judges inferred links must not share the errors
/// of what infers them.
struct DownloadTimes {
  /// How long each response of some size takes, in seconds, by the number of its request.
  private(set) var lengths: [Int: Double] = [:]

  private struct Flow {
    let request: Int
    var bits: Double
  }

  init(of recording: Recording, on track: LinkTrack) {
    let numbers = recording.requests.indices.filter {
      recording.requests[$0].closed != nil && recording.requests[$0].size > .zero
    }
    let requests = numbers.map { recording.requests[$0] }
    var flows: [Flow] = []
    var (next, now, piece) = (0, 0.0, 0)
    let samples = Array(track.samples)
    let roundTrip = Double(recording.link.roundTrip.nanoseconds) / 1e9
    func start(_ place: Int) -> Double { Self.seconds(requests[place].asked) + roundTrip }
    while next < requests.count || !flows.isEmpty {
      if next < requests.count, start(next) <= now {
        flows.append(Flow(request: next, bits: Double(requests[next].size.bytes) * 8))
        next += 1
        continue
      }
      while piece + 1 < samples.count,
        Double(samples[piece + 1].start.nanoseconds) / 1e9 <= now
      {
        piece += 1
      }
      var until = next < requests.count ? start(next) : Double.infinity
      if piece + 1 < samples.count {
        until = min(until, Double(samples[piece + 1].start.nanoseconds) / 1e9)
      }
      // What was over before the last request was made hinders nobody any more: or else the error
      // of one response would be that of all later ones.
      let asked = next > 0 ? requests[next - 1].asked : .start
      let hindering = flows.filter { flow in
        requests[flow.request].closed.map { $0 > asked } ?? true
      }.count
      let rate = Double(samples[piece].rate.bitsPerSecond)
      let shares = flows.map { flow in
        let hinders = requests[flow.request].closed.map { $0 > asked } ?? true
        return rate / Double(hinders ? hindering : hindering + 1)
      }
      for (flow, share) in zip(flows, shares) where share > 0 {
        until = min(until, now + flow.bits / share)
      }
      if until == .infinity { break }
      for place in flows.indices { flows[place].bits -= shares[place] * (until - now) }
      now = until
      flows.removeAll { flow in
        if flow.bits > 1e-3 { return false }
        note(numbers[flow.request], requests[flow.request], now)
        return true
      }
    }
    // What never comes is as wrong as can be told.
    for flow in flows { note(numbers[flow.request], requests[flow.request], now + 1_000) }
  }

  private mutating func note(_ number: Int, _ request: RecordedRequest, _ done: Double) {
    if Self.length(of: request) == nil { return }
    lengths[number] = done - Self.seconds(request.asked)
  }

  /// How long a recorded response took; nil for those that are not compared.
  static func length(of request: RecordedRequest) -> Double? {
    guard let recorded = request.done, request.aborted == nil, request.size >= LinkGuess.sizeMin,
      recorded > request.asked
    else { return nil }
    return seconds(recorded) - seconds(request.asked)
  }

  private static func seconds(_ instant: Instant) -> Double {
    Double((instant - .start).nanoseconds) / 1e9
  }
}
