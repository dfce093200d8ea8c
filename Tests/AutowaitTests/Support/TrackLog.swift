import Autowait

/// What the log says of one player of a picture and sound beside it.
///
/// It has when segments were asked for and came, and where the clock was, and shares nothing with
/// the player but the log.
struct TrackLog {
  /// A stretch of the clock: from an instant on, at a place, at a rate in millionths.
  struct Stretch {
    let since: Int64
    let place: Int64
    let rate: Int64
  }

  /// By list, the number of each segment with the instant, in nanoseconds.
  private(set) var asked = [[(segment: Int, at: Int64)]](repeating: [], count: 2)
  private(set) var came = [[(segment: Int, at: Int64)]](repeating: [], count: 2)
  private(set) var clock: [Stretch] = [Stretch(since: 0, place: 0, rate: 0)]
  /// When the picture froze, and when it went on.
  private(set) var froze: [Int64] = []
  private(set) var wentOn: [Int64] = []

  init(_ run: Simulation) {
    var transfers: [Int: (list: Int, segment: Int)] = [:]
    for record in run.log.records {
      let now = record.instant.nanoseconds
      switch record.event {
      case .segmentRequest(let transfer, _, let list, let segment?, _):
        transfers[transfer] = (Int(list), Int(segment))
        asked[Int(list)].append((Int(segment), now))
      case .mediaRequestCompleted(let transfer, _):
        if let (list, segment) = transfers[transfer] { came[list].append((segment, now)) }
      case .timebaseRate(let rate, let place):
        clock.append(Stretch(since: now, place: place.nanoseconds, rate: rate.millionths))
      case .pictureFrozen(let isFrozen):
        if isFrozen { froze.append(now) } else { wentOn.append(now) }
      default: continue
      }
    }
  }

  /// The stretch of the clock at an instant.
  func stretch(at now: Int64) -> Stretch { clock.last { $0.since <= now } ?? clock[0] }

  /// Where the clock is at an instant.
  func place(at now: Int64) -> Int64 {
    let stretch = stretch(at: now)
    return stretch.place + (now - stretch.since) * stretch.rate / 1_000_000
  }

  /// How many segments of a list have come by an instant.
  func count(_ list: Int, at now: Int64) -> Int { came[list].count { $0.at <= now } }
}
