import Autowait

/// The few records of a run that its summary is made of: the steps that were done, and what went
/// wrong with which requests.
///
/// A request is only kept if something went wrong with it, which shows later. So many of the latest
/// requests are remembered that the one that an entry of the error log names is among them: it has
/// just ended, or brought the latest playlist.
struct SummaryRecords {
  /// As many requests of either kind are remembered.
  private static let requestsMax = 4_096

  /// What the summary is made of.
  private(set) var records = EventRecords()
  private var playlists = Recent()
  private var others = Recent()

  /// The latest records of one kind, the oldest of which give way to new ones.
  private struct Recent {
    private var records: [EventRecord] = []
    private var oldest = 0

    mutating func add(_ record: EventRecord) {
      if records.count < requestsMax {
        records.append(record)
      } else {
        records[oldest] = record
        oldest = (oldest + 1) % requestsMax
      }
    }

    func request(_ transfer: Int) -> EventRecord? {
      records.first {
        if case .request(transfer, _) = $0.event.topic { true } else { false }
      }
    }
  }

  /// Takes note of a record.
  mutating func take(_ record: EventRecord) {
    switch record.event.topic {
    case .world(.started), .world(.step), .world(.finished), .playback(.currentItem):
      records.append(record)
    case .request(_, .asked(.multivariantPlaylist, _, _, _)),
      .request(_, .asked(.mediaPlaylist, _, _, _)):
      playlists.add(record)
    case .request(_, .asked): others.add(record)
    case .request(let transfer, .errorLogged):
      if let request = others.request(transfer) ?? playlists.request(transfer) {
        records.append(request)
      }
      records.append(record)
    case .request(_, .phase), .request(_, .response), .request(_, .reading),
      .request(_, .completed), .request(_, .cancelled), .request(_, .failed),
      .request(_, .discarded), .world(.linkChanged), .world(.linkRate), .variant, .buffer,
      .playback, .queue, .setting, .notice:
      break
    }
  }
}
