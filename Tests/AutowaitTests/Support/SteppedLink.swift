import Autowait

/// A link whose rate changes at some instants, as a judge knows it that divides by its rates.
struct SteppedLink {
  private var stretches: [(start: Int64, rate: Int64)]

  /// Draws a link of some stretches, each of up to nine seconds, with rates from a least one on;
  /// behind them, it has its highest rate.
  init(_ random: inout RandomStream, stretches count: ClosedRange<Int64>, least: Int64) {
    func draw(_ least: Int64, _ most: Int64) -> Int64 {
      least + Int64(random.next(below: UInt64(most - least + 1)))
    }
    var start: Int64 = 0
    stretches = []
    for _ in 0..<draw(count.lowerBound, count.upperBound) {
      stretches.append((start, draw(least, 3_000_000)))
      start += draw(1, 9_000_000_000)
    }
    stretches.append((start, 3_000_000))
  }

  var count: Int { stretches.count }

  var profile: LinkProfile {
    LinkProfile(
      LinkTrack(
        stretches.map {
          LinkTrack.Sample(
            start: TimeSpan(nanoseconds: $0.start), rate: BitRate(bitsPerSecond: $0.rate))
        }))
  }

  /// The nanosecond in which the link has brought so much, if it brings something all the time.
  func time(of nanobits: Int128) -> Int64 {
    var brought: Int128 = 0
    for (place, stretch) in stretches.enumerated() {
      let (rate, start) = (Int128(stretch.rate), Int128(stretch.start))
      let span = (nanobits - brought + rate - 1) / rate
      if place + 1 == stretches.count || start + span <= Int128(stretches[place + 1].start) {
        return Int64(start + span)
      }
      brought += rate * (Int128(stretches[place + 1].start) - start)
    }
    return -1
  }
}

extension StreamMedia {
  /// A stream of one variant in segments of some sizes, with sound of its own or without, whose
  /// playlists take no time.
  static func ofSizes(_ sizes: [Int64], sound: [Int64]? = nil) -> StreamMedia {
    let lists = [sizes] + (sound.map { [$0] } ?? [])
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
      lists: lists.map { SegmentList($0.map { (.seconds(1_000), ByteCount(bytes: $0)) }) })
    parts.playlistSize = .zero
    if sound != nil {
      parts.variants[0].audioGroup = 0
      parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
      parts.renditions[0].isDefault = true
    }
    return parts
  }
}

extension Simulation {
  /// When each segment has come, by player and list.
  var segmentEnds: [Int: [Int: [Int64]]] {
    var owners: [Int: (player: Int, list: Int)] = [:]
    var ends: [Int: [Int: [Int64]]] = [:]
    for record in log.records {
      switch record.event {
      case .segmentRequest(let transfer, _, let list, _, _):
        owners[transfer] = record.player.map { ($0, Int(list)) }
      case .mediaRequestCompleted(let transfer, _):
        guard let owner = owners[transfer] else { break }
        ends[owner.player, default: [:]][owner.list, default: []].append(record.instant.nanoseconds)
      default: break
      }
    }
    return ends
  }
}
