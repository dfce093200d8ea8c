import Autowait
import AutowaitScenario

/// The variants of a stream that a run loaded, segment by segment.
struct ChosenVariants {
  /// The variants, in the order in which their segments arrived.
  private(set) var variants: [Int] = []
  /// The sum of their rates, in bit/s.
  private(set) var sum: Int64 = 0
  /// The sum of the changes of rate from one segment to the next, in bit/s.
  private(set) var change: Int64 = 0

  private let streamMedia: StreamMedia
  private var open: [(transfer: Int, variant: Int)] = []
  private var last: Int64?

  /// Creates the choices of a run that has not begun.
  init(_ streamMedia: StreamMedia) { self.streamMedia = streamMedia }

  /// Takes note of a record of the run.
  mutating func take(_ record: EventRecord) {
    guard case .request(let transfer, let news) = record.event.topic else { return }
    switch news {
    case .asked(.segment(let list, _), _, _, _):
      let variant = streamMedia.variants.firstIndex { $0.list == list }
      if let variant { open.append((transfer, variant)) }
    case .cancelled, .failed: open.removeAll { $0.transfer == transfer }
    case .completed:
      guard let place = open.firstIndex(where: { $0.transfer == transfer }) else { return }
      let variant = open.remove(at: place).variant
      let rate =
        streamMedia.variants[variant].averageBandwidth ?? streamMedia.variants[variant].bandwidth
      // A live stream goes on and on, and no yardstick is held against it.
      if streamMedia.live == nil { variants.append(variant) }
      sum += rate.bitsPerSecond
      if let last { change += abs(rate.bitsPerSecond - last) }
      last = rate.bitsPerSecond
    case .asked, .phase, .response, .reading, .discarded, .errorLogged: break
    }
  }
}
