import Autowait
import AutowaitScenario

/// A request of a player with what became of it.
struct RequestStory {
  /// What became of a request.
  enum Outcome {
    case whole, open, givenUp, failed
  }

  /// The number of its transfer.
  let transfer: Int
  /// What was asked for, by whom and when.
  var request: RequestIndex.IndexedRequest
  /// The variant that was being loaded then, if any.
  let choice: StreamHistory.ItemVariant?
  /// When the first byte came.
  var response: Instant?
  /// How long the parts of the way to that byte took.
  var phases: [(phase: TransferPhase, span: TimeSpan)] = []
  /// When it was over; the end of the run if it was not.
  var end: Instant
  var outcome = Outcome.open
  /// Whether the response was no more than the name of another place, which was asked at once.
  private(set) var isRedirected = false
  /// Whether what was asked for has come, and was not thrown away.
  var isMedia = false
  /// When it went wrong.
  var errors: [Instant] = []

  /// Returns the requests of all players of a run by the numbers of their transfers.
  static func byTransfer(_ result: RunResult) -> [Int: RequestStory] {
    all(result).joined().reduce(into: [:]) { $0[$1.transfer] = $1 }
  }

  /// Returns the requests of all players of a run, each in the order in which they were made.
  static func all(_ result: RunResult) -> [[RequestStory]] {
    var stories = result.scenario.playerNames.map { _ in [RequestStory]() }
    // The variants that are being loaded of items, by player.
    var variants = result.scenario.playerNames.map { _ in [Int: Int]() }
    var currents = result.scenario.playerNames.map { _ in Int?.none }
    var requests = RequestIndex()
    let redirections = Redirections(result).transfers
    var places: [Int: Int] = [:]
    for record in result.records {
      let asked = requests.take(record)
      guard let player = record.player else { continue }
      if let asked, let request = requests[asked] {
        places[asked] = stories[player].count
        let choice = request.item.flatMap { item in
          variants[player][item].map { StreamHistory.ItemVariant(item: item, variant: $0) }
        }
        stories[player].append(
          RequestStory(transfer: asked, request: request, choice: choice, end: result.end))
        let last = stories[player].count - 1
        stories[player][last].isRedirected = redirections.contains(asked)
      }
      switch record.event.topic {
      case .playback(.currentItem(let item)):
        // What was loaded of it before is its own, unless it was current already.
        if let old = currents[player] { variants[player][old] = nil }
        // What was asked for while there was no item was asked for this one, if it was made then.
        for place in stories[player].indices where stories[player][place].request.item == nil {
          stories[player][place].request.item = item
        }
        currents[player] = item
      case .variant(.switchStart(_, let new, let item)):
        if let item = item ?? currents[player] { variants[player][item] = new }
      case .request(let transfer, let news):
        if let place = places[transfer] {
          stories[player][place].take(news, at: record.instant)
        }
      case .playback, .variant(.switched), .world, .buffer, .queue, .setting, .notice: break
      }
    }
    return stories
  }

  private mutating func take(_ news: RequestNews, at now: Instant) {
    switch news {
    case .response: response = now
    case .phase(let phase, let span): phases.append((phase, span))
    case .completed(let bytes):
      end = now
      isMedia = bytes >= request.size && !isRedirected
      // What was answered with an error came whole as well.
      if outcome == .open { outcome = .whole }
    case .cancelled: (end, outcome) = (now, .givenUp)
    case .failed: (end, outcome) = (now, .failed)
    case .discarded: isMedia = false
    case .errorLogged(let code) where ErrorLogEvent.isWarning(code): break
    case .errorLogged:
      (outcome, isMedia) = (.failed, false)
      errors.append(now)
    case .asked, .reading: break
    }
  }
}

extension Scenario {
  /// Returns what was asked for, in words.
  func words(for request: RequestIndex.IndexedRequest) -> String {
    let names = request.item.flatMap { streamNames[request.player][$0] }
    func list(_ number: Int) -> String {
      TerminalText.safe(names?.list(number) ?? "list \(number)")
    }
    switch request.resource {
    case .file: return "the file"
    case .multivariantPlaylist: return "the multivariant playlist"
    case .mediaPlaylist(let number): return "the playlist of \(list(number))"
    case .contentKey(let number):
      return TerminalText.safe(names?.key(number) ?? "key \(number)")
    case .initialization(let number): return "the initialization section of \(list(number))"
    case .segment(let number, let segment): return "segment \(segment) of \(list(number))"
    }
  }
}
