/// The link on which all requests of some size are over exactly when they were: the rate between
/// two ends is the one with which the second comes in time.
///
/// It is where a chain begins, and no more: on a log with requests side by side its noise passes
/// for changes of the rate.
enum ExactInversion {
  /// Of more requests than this a chain begins at the mean: the inversion takes a time that grows
  /// with their square.
  private static let requestsMax = 300
  /// What is shorter than two first windows says nothing of the rate.
  private static let sizeMin = 30_000 * ModelledRequest.byte
  /// A rate holds for five slots or more.
  private static let slotsMin: Int64 = 5
  /// Levels that are nearer than this are one.
  private static let same = 20

  static func link(_ setting: LinkChain.Setting, _ mean: LinkPieces) -> LinkPieces {
    let requests = setting.log.requests
    if requests.count > requestsMax { return mean }
    var transfers = TransferModel(setting.log, setting.model, setting.grid)
    transfers.take(0..<transfers.run(mean, from: 0, until: .max))
    var link = mean
    let order = requests.indices
      .filter {
        requests[$0].size >= sizeMin && !requests[$0].isTimedOut && !requests[$0].isUnread
      }
      .sorted { (requests[$0].recorded, $0) < (requests[$1].recorded, $1) }
    var last: Int64 = 0
    for place in order {
      if link.count >= LinkPieces.countMax / 2 { break }
      let recorded = requests[place].recorded
      let start = max(last, requests[place].release / LinkPieces.slot * LinkPieces.slot)
      let end = (recorded + LinkPieces.slot - 1) / LinkPieces.slot * LinkPieces.slot
      if end - start < slotsMin * LinkPieces.slot { continue }
      // Where nothing was under way the rate before holds on.
      let from = place == order.first ? 0 : start
      var piece = link.count - 1
      if from > link.starts[piece] {
        link.insert(after: piece, start: from, level: link.levels[piece])
        piece += 1
      }
      let first = transfers.first(changedFrom: from)
      var (low, high) = (0, RateGrid.count - 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        link.setLevel(piece, middle)
        _ = transfers.run(link, from: first, until: .max)
        if transfers.triedDone[place] <= recorded { high = middle } else { low = middle }
      }
      link.setLevel(piece, high)
      if piece > 0, abs(link.levels[piece - 1] - high) < same { link.removeChange(before: piece) }
      transfers.take(first..<transfers.run(link, from: first, until: .max))
      last = end
    }
    return link
  }
}
