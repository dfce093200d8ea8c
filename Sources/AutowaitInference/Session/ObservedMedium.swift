import Autowait
import AutowaitFidelity
import AutowaitScenario

extension SessionMedia {
  /// Makes a medium of the sizes, durations and bit rates of the requests of a session; nil if the
  /// log does not say how long its segments last.
  ///
  /// A segment that is asked for under a new address follows the one before it, unless that was
  /// given up. What a variant was not asked for has the size of the same segment in the variant
  /// that was, in the ratio of their bit rates.
  init?(observed requests: [LoggedRequest], _ form: SessionLog.Form) {
    let segments = requests.enumerated().filter {
      $0.element.kind == .segment && ($0.element.mediaDuration ?? .zero) > .zero
    }.sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }.map(\.element)
    let picture = ObservedTrack(segments.filter { !$0.isSound })
    let sound = ObservedTrack(segments.filter(\.isSound))
    // Sound alone is played like a picture.
    guard let main = picture ?? sound else { return nil }
    let playlist = requests.first { $0.kind == .playlist }?.size
    let variants = main.renditions("v", playlist)
    let medium = RecordedMedium(
      duration: MediaTime(nanoseconds: main.durations.reduce(0) { $0 + $1.nanoseconds }),
      content: .stream(
        playlist: playlist.map { ByteCount(bytes: $0) }, variants: variants,
        sound: picture == nil ? nil : sound?.renditions("sound", playlist).first),
      isMultivariant: variants.count > 1)
    self.init(medium, start: nil)
  }
}

/// The segments that were asked for of a picture, or of its sound.
private struct ObservedTrack {
  /// How long each segment lasts.
  private(set) var durations: [TimeSpan] = []
  private var rates: [Int64] = []
  /// By segment, what it was in each variant that was asked for: its address and its size.
  private var seen: [[(rate: Int64, path: String, size: Int64?)]] = []

  init?(_ requests: [LoggedRequest]) {
    var numbers: [String: Int] = [:]
    var wasAborted = false
    for request in requests {
      guard let duration = request.mediaDuration else { continue }
      let number = numbers[request.address.path] ?? (wasAborted ? seen.count - 1 : seen.count)
      numbers[request.address.path] = number
      wasAborted = request.isAborted
      if number == seen.count {
        durations.append(min(duration, TimeSpan(nanoseconds: LogTime.partMax / 1_000)))
        seen.append([])
      }
      let rate = request.encodedRate?.bitsPerSecond ?? 0
      if !rates.contains(rate) { rates.append(rate) }
      let size = request.isAborted ? nil : request.size
      seen[number].append((rate, request.address.path, size))
    }
    if seen.isEmpty { return nil }
    rates.sort(by: >)
  }

  func renditions(_ name: String, _ playlist: Int64?) -> [RecordedMedium.Rendition] {
    rates.enumerated().map { place, rate in
      let names = seen.enumerated().map { number, segment in
        segment.first { $0.rate == rate }?.path ?? "\(name)\(place)/\(number)"
      }
      return RecordedMedium.Rendition(
        "\(name)\(place)", .init(playlist: "\(name)\(place).m3u8", segments: names),
        sizes: (ByteCount(bytes: max(1, min(playlist ?? 1, LogTime.partMax))), nil),
        bandwidth: BitRate(bitsPerSecond: max(1, rate > 0 ? rate : mean)),
        segments: durations.indices.map {
          (
            MediaTime(nanoseconds: durations[$0].nanoseconds),
            ByteCount(bytes: size(of: $0, rate))
          )
        })
    }
  }

  /// The bits per second of all that came.
  private var mean: Int64 {
    var (bytes, span): (Int128, Int128) = (0, 0)
    for (segment, duration) in zip(seen, durations) {
      guard let size = segment.lazy.compactMap(\.size).first else { continue }
      bytes += Int128(size)
      span += Int128(duration.nanoseconds)
    }
    return Int64(clamping: bytes * 8_000_000_000 / max(1, span))
  }

  private func size(of number: Int, _ rate: Int64) -> Int64 {
    if let own = seen[number].first(where: { $0.rate == rate && $0.size != nil })?.size {
      return max(1, min(own, LogTime.partMax))
    }
    if let other = seen[number].first(where: { $0.size != nil && $0.rate > 0 }), rate > 0 {
      let size = Int128(other.size ?? 0) * Int128(rate) / Int128(other.rate)
      return max(1, min(Int64(clamping: size), LogTime.partMax))
    }
    let bits = Int128(max(rate, mean)) * Int128(durations[number].nanoseconds) / 1_000_000_000
    return max(1, min(Int64(clamping: bits / 8), LogTime.partMax))
  }
}
