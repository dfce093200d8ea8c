import Autowait

/// A chain, the links that were drawn of it, and what says whether it agrees with others.
struct ChainRun: Sendable {
  var chain: LinkChain
  private(set) var samples: [LinkPieces] = []
  /// The most likely link that was come by, and the logarithm of how likely it is.
  private(set) var best: (link: LinkPieces, likely: Int64)
  /// What the link had carried by some instants, at each of the times of looking.
  private var carried: [[Int64]] = []

  /// How often a chain is looked at, and at how many instants of the log.
  private static let (looks, instants) = (64, 8)

  init(_ chain: LinkChain) {
    self.chain = chain
    best = (chain.link, .min)
  }

  /// Goes on, and draws links at even distances; those drawn before are forgotten.
  mutating func sample(_ count: Int, steps: Int) {
    samples.removeAll()
    carried.removeAll()
    var (taken, drawn) = (0, 0)
    for look in 1...Self.looks {
      let until = steps * look / Self.looks
      chain.run(until - taken)
      taken = until
      carried.append(chain.link.carried(in: chain.setting))
      let likely = chain.likelihood + chain.prior
      if likely > best.likely { best = (chain.link, likely) }
      // Evenly spread over the looks; more samples than looks are drawn between them.
      let wanted = count * look / Self.looks
      while drawn < wanted {
        samples.append(chain.link)
        drawn += 1
        if drawn < wanted { chain.run(max(1, steps / Self.looks / 4)) }
      }
    }
  }

  /// Whether chains agree on what the link had carried by each instant: their means are no farther
  /// apart than they vary by themselves, or than 1 %.
  static func agree(_ runs: [ChainRun]) -> Bool {
    guard let first = runs.first else { return true }
    return runs.dropFirst().allSatisfy { other in
      (0..<instants).allSatisfy { place in
        let (one, two) = (first.moments(place), other.moments(place))
        let away = one.mean - two.mean
        let most = max(one.variance, two.variance)
        return away * away <= most || abs(away) * 100 <= max(one.mean, two.mean)
      }
    }
  }

  private func moments(_ place: Int) -> (mean: Int128, variance: Int128) {
    let count = Int128(max(1, carried.count))
    let mean = carried.reduce(Int128(0)) { $0 + Int128($1[place]) } / count
    let square = carried.reduce(Int128(0)) { sum, row in
      let away = Int128(row[place]) - mean
      return sum + away * away
    }
    return (mean, square / count)
  }
}

extension LinkPieces {
  /// What the link has carried while something was seen, by eight instants of it, in kilobits.
  fileprivate func carried(in setting: LinkChain.Setting) -> [Int64] {
    let seen = setting.log.seen
    let whole = seen.reduce(Int64(0)) { $0 + $1.to - $1.from }
    var (result, sum, passed, place): ([Int64], Int128, Int64, Int64) = ([], 0, 0, 1)
    for stretch in seen {
      var now = stretch.from
      var piece = piece(at: now)
      while now < stretch.to {
        let next = whole * place / 8 - passed + now
        let until = min(stretch.to, min(end(piece), max(next, now)))
        sum += Int128(setting.grid.rates[levels[piece]]) * Int128(until - now)
        passed += until - now
        now = until
        while place <= 8, passed >= whole * place / 8 {
          result.append(Int64(clamping: sum / 1_000_000_000))
          place += 1
        }
        if now >= end(piece) { piece += 1 }
      }
    }
    while result.count < 8 { result.append(Int64(clamping: sum / 1_000_000_000)) }
    return result
  }
}
