import Autowait
import AutowaitScenario

/// The variants in which a recorded player asked for its segments.
extension Recording {
  var script: VariantScript { VariantScript(variants, givenUp: givenUp) }

  /// The variant of each segment: as the case has it, or as each first came where a player loads
  /// again, in another one, what it has.
  ///
  /// dash.js does that, of whose sessions cases have what was played.
  private var variants: [Int] {
    var variants = medium.variants.isEmpty ? [0] : medium.variants
    if !medium.isMPD { return variants }
    var known = Set<Int>()
    for request in requests where request.done != nil {
      guard let (variant, segment) = medium.picture(request.resource),
        variants.indices.contains(segment), known.insert(segment).inserted
      else { continue }
      variants[segment] = variant
    }
    return variants
  }

  /// The requests for segments of the picture that were given up for another variant.
  ///
  /// Each ends when that is asked for: the connection is dropped before it, but what was under way
  /// on it still crosses the link, and holds up the new one.
  private var givenUp: [VariantScript.GivenUp] {
    var givenUp: [VariantScript.GivenUp] = []
    for request in requests {
      guard let aborted = request.aborted,
        let (variant, segment) = medium.picture(request.resource),
        let other = requests.first(where: {
          $0.asked >= aborted && medium.picture($0.resource)?.segment == segment
        }).flatMap({ medium.picture($0.resource)?.variant }), other != variant,
        let next = requests.first(where: {
          $0.asked >= aborted && medium.list(of: $0.resource) == other
        })
      else { continue }
      let after = max(next.asked - request.asked, TimeSpan(nanoseconds: 1))
      givenUp.append(.init(segment: segment, variant: variant, after: after))
    }
    let order = givenUp.indices.sorted { (givenUp[$0].segment, $0) < (givenUp[$1].segment, $1) }
    return order.map { givenUp[$0] }
  }
}

extension RecordedMedium {
  /// The variant and the number of a segment of the picture; nil for anything else.
  func picture(
    _ resource: RequestIndex.Resource?
  ) -> (variant: Int, segment: Int)? {
    guard case .stream(_, let variants, _) = content,
      case .segment(let list, let number) = resource, list < variants.count
    else { return nil }
    return (list, number)
  }

  /// The list of a segment or of its initialisation section; nil for anything else.
  fileprivate func list(of resource: RequestIndex.Resource?) -> Int? {
    switch resource {
    case .segment(let list, _), .initialization(let list): list
    case .file, .multivariantPlaylist, .mediaPlaylist, .contentKey, nil: nil
    }
  }
}
