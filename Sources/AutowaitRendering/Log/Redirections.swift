import Autowait
import AutowaitScenario

/// The requests of a run whose response was no more than the name of another place, which was asked
/// at once.
struct Redirections {
  /// The numbers of their transfers.
  private(set) var transfers: Set<Int> = []

  /// A resource of an item of a player.
  private struct Asked: Hashable {
    let player: Int
    let item: Int?
    let resource: RequestIndex.Resource
  }

  /// Finds them in the records of a run.
  ///
  /// A redirection is shorter than what was asked for. If that has no bytes, it is asked for again
  /// at the instant of the response; where one leads there is no other one.
  init(_ result: RunResult) {
    let media = result.scenario.world.players.map { $0.media }
    guard media.joined().contains(where: { $0.streamMedia?.redirects == true }) else { return }
    var index = RequestIndex()
    var (ended, found) = ([Asked: (transfer: Int, at: Instant)](), Set<Asked>())
    func asked(_ transfer: Int) -> Asked? {
      index[transfer].map { Asked(player: $0.player, item: $0.item, resource: $0.resource) }
    }
    for record in result.records {
      if let transfer = index.take(record), let request = index[transfer],
        let again = asked(transfer), let before = ended.removeValue(forKey: again),
        before.at == request.opened, found.insert(again).inserted
      {
        transfers.insert(before.transfer)
      }
      guard case .request(let transfer, let news) = record.event.topic,
        let request = index[transfer], let own = asked(transfer)
      else { continue }
      switch news {
      case .completed(let bytes):
        if bytes < request.size { transfers.insert(transfer) }
        let media = own.item.map { media[own.player][$0..<$0 + 1] } ?? media[own.player][...]
        let redirects = media.contains { $0.streamMedia?.redirects(own.resource) == true }
        if request.size == .zero, redirects { ended[own] = (transfer, record.instant) }
      case .errorLogged(let code) where !ErrorLogEvent.isWarning(code):
        // What is refused has no bytes either.
        transfers.remove(transfer)
        if ended[own]?.transfer == transfer { ended[own] = nil }
      case .asked, .phase, .response, .reading, .cancelled, .failed, .discarded, .errorLogged: break
      }
    }
  }
}

extension StreamMedia {
  /// Whether any requests are redirected.
  fileprivate var redirects: Bool { faults.contains { $0.outcome == .redirect } }

  /// Whether requests for a resource may be redirected.
  fileprivate func redirects(_ resource: RequestIndex.Resource) -> Bool {
    faults.contains { fault in
      guard fault.outcome == .redirect else { return false }
      return switch (fault.target, resource) {
      case (.multivariantPlaylist, .multivariantPlaylist): true
      case (.mediaPlaylist(let list), .mediaPlaylist(let own)): list ?? own == own
      case (.contentKey(let key), .contentKey(let own)): key ?? own == own
      case (.initialization(let list), .initialization(let own)): list ?? own == own
      case (.segment(let list, let number), .segment(let own, let ownNumber)):
        list ?? own == own && number ?? ownNumber == ownNumber
      case (.multivariantPlaylist, _), (.mediaPlaylist, _), (.contentKey, _),
        (.initialization, _), (.segment, _):
        false
      }
    }
  }
}
