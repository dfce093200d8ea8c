import Autowait

/// How far the fluid tier is from the packet tier on drawn links, where `auto` takes it.
package struct TierSweep {
  /// A request on one of the links.
  package struct Cell: Sendable {
    /// The link and all that is asked of it.
    package let drawn: DrawnLink
    /// The place of the request on its connection.
    package let place: Int
    /// The time of the whole request on both tiers, and that until its first byte.
    package let fluid: Int64, packet: Int64
    package let fluidFirst: Int64, packetFirst: Int64

    /// The error in hundredths.
    package var error: Double { 100 * Double(fluid - packet) / Double(max(1, packet)) }

    /// The error of the first byte, in hundredths of the whole request.
    package var firstError: Double {
      100 * Double(fluidFirst - packetFirst) / Double(max(1, packet))
    }
  }

  /// What is asked of new links, in hundredths.
  package static let worstMost = 8.0

  /// The links that were drawn, and of how many `auto` takes the fluid tier.
  package private(set) var links = 0, taken = 0
  /// The requests on those.
  package private(set) var cells: [Cell] = []

  /// Draws links of every version of HTTP by a range of seeds.
  package init(_ seeds: Range<UInt64>) {
    for http in TransportPolicy.HTTP.allCases {
      for seed in seeds { add(DrawnLink(seed, http)) }
    }
  }

  private mutating func add(_ drawn: DrawnLink) {
    links += 1
    guard drawn.choice.tier == .fluid else { return }
    taken += 1
    let pairs = zip(drawn.outcomes(.fluid), drawn.outcomes(.packet))
    for (place, (fluid, packet)) in pairs.enumerated() {
      cells.append(
        Cell(
          drawn: drawn, place: place, fluid: Self.span(fluid, fluid.times.completed),
          packet: Self.span(packet, packet.times.completed),
          fluidFirst: Self.span(fluid, fluid.times.firstByte),
          packetFirst: Self.span(packet, packet.times.firstByte)))
    }
  }

  /// The nanoseconds of a request until an instant; an hour if it never comes.
  private static func span(_ outcome: TransferOutcome, _ end: Instant?) -> Int64 {
    end.map { ($0 - outcome.times.opened).nanoseconds } ?? 3_600_000_000_000
  }

  /// The errors as a table.
  package var table: String {
    var lines = [
      "the fluid tier against the packet tier, where auto takes it: "
        + "\(taken) of \(links) drawn links",
      "errors in % of the packet tier's time; first: of the first byte, in % of the same",
      "                   cells  | mean   p50   p90   p99 worst  above 8 % | first mean worst",
    ]
    for http in TransportPolicy.HTTP.allCases {
      for (word, isFirst) in [("first", true), ("later", false)] {
        lines.append(
          row("\(http), \(word)") { $0.drawn.policy.http == http && ($0.place == 0) == isFirst })
      }
    }
    for control in [TransportPolicy.CongestionControl.cubic, .reno, .none] {
      lines.append(row("\(control)") { $0.drawn.policy.congestionControl == control })
    }
    lines.append(row("paced") { $0.drawn.policy.isPaced })
    lines.append(row("unpaced") { !$0.drawn.policy.isPaced })
    lines.append(row("receive window") { $0.drawn.policy.receiveWindow != nil })
    lines.append(row("all") { _ in true })
    return lines.map { $0 + "\n" }.joined()
  }

  private func row(_ name: String, where matches: (Cell) -> Bool) -> String {
    let chosen = cells.filter(matches)
    let errors = chosen.map { abs($0.error) }
    let firsts = chosen.map { abs($0.firstError) }
    func mean(_ values: [Double]) -> Double {
      values.reduce(0, +) / Double(max(1, values.count))
    }
    func cell(_ value: Double) -> String { AccuracyText.right(AccuracyText.fixed(value, 2), 6) }
    let parts = [50, 90, 99, 100].map { cell(Statistics.percentile(errors, $0)) }
    return AccuracyText.left(name, 17) + AccuracyText.right("\(chosen.count)", 7) + "  |"
      + cell(mean(errors)) + parts.joined()
      + AccuracyText.right("\(errors.count { $0 > Self.worstMost })", 11) + " |     "
      + cell(mean(firsts)) + cell(firsts.max() ?? 0)
  }

  /// The requests that are furthest apart, with their links.
  package func strays(_ count: Int) -> String {
    cells.sorted { abs($0.error) > abs($1.error) }.prefix(count).map { cell in
      AccuracyText.right(AccuracyText.fixed(cell.error, 2), 7) + " % of "
        + AccuracyText.fixed(Double(cell.packet) / 1e6, 1) + " ms, first byte "
        + AccuracyText.fixed(cell.firstError, 2) + " %, request \(cell.place + 1); "
        + "\(cell.drawn.choice.reason); \(cell.drawn)\n"
    }.joined()
  }
}
