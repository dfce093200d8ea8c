import Autowait
import AutowaitScenario

/// What is loaded of a player's current item at each instant, as its records tell it.
///
/// A log tells of loaded ranges where what holds of the buffer changes. A segment that comes in
/// between is found by its request.
struct LoadedHistory {
  /// A segment that has come.
  private struct LoadedSegment {
    let list: Int
    let start: MediaTime
    let end: MediaTime
    let there: Instant
  }

  private let configuration: PlayerConfiguration
  private var item: Int?
  private var told: [LoadedTimeRange] = []
  private var segments: [LoadedSegment] = []

  init(_ configuration: PlayerConfiguration) { self.configuration = configuration }

  /// Takes note of another current item, of which nothing was told.
  mutating func enter(_ item: Int?) {
    self.item = item
    (told, segments) = ([], [])
  }

  /// Takes note of a range that was told, by its number.
  mutating func tell(_ range: LoadedTimeRange, _ number: Int32) {
    if number == 0 { told = [] }
    told.append(range)
  }

  /// Takes note that the playhead was moved, and what was loaded elsewhere may be gone.
  mutating func jump() { segments = [] }

  /// Takes note of a request of the current item that is over.
  mutating func take(_ story: RequestStory) {
    guard let item, story.request.item ?? item == item, story.isMedia,
      case .segment(let list, let number) = story.request.resource,
      let media = configuration.media[item].streamMedia, media.live?.partDuration == nil
    else { return }
    segments.append(
      LoadedSegment(
        list: list, start: media.lists[list].start(of: number),
        end: media.lists[list].end(of: number),
        there: story.end + configuration.latency.appending))
  }

  /// Returns the ranges at an instant at which the playhead is at a time.
  func ranges(at now: Instant, _ playhead: MediaTime) -> [LoadedTimeRange] {
    guard let item, let media = configuration.media[item].streamMedia,
      let place = told.firstIndex(where: { $0.start <= playhead && playhead <= $0.end })
    else { return told }
    let pictures = Set(media.variants.map { $0.list })
    let came = segments.filter { $0.there <= now }
    func edge(_ segments: [LoadedSegment]) -> MediaTime {
      segments.sorted { $0.start < $1.start }.reduce(told[place].end) { edge, segment in
        segment.start <= edge ? max(edge, segment.end) : edge
      }
    }
    var end = edge(came.filter { pictures.contains($0.list) })
    // Sound and text of their own count for the whole of what they have been loaded for.
    for list in Set(segments.map { $0.list }).subtracting(pictures) {
      end = min(end, edge(came.filter { $0.list == list }))
    }
    var ranges = told
    ranges[place] = LoadedTimeRange(start: told[place].start, end: max(told[place].end, end))
    return ranges
  }
}
