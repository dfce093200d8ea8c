import Autowait
import AutowaitScenario
import Testing

/// Segments that are missing on purpose, against what a table of who has what says.
@Suite struct GapTests {
  /// Three variants, the highest first, and which of their segments are missing.
  private struct Ladder {
    let gaps: [Set<Int>]
    let count: Int

    /// Draws a ladder in which each segment is missing in a variant with a chance of a third.
    init(_ number: Int) {
      var random = RandomStream(splitMixSeed: UInt64(number))
      let count = 1 + Int(random.next() % 12)
      gaps = (0..<3).map { _ in Set((0..<count).filter { _ in random.next().isMultiple(of: 3) }) }
      self.count = count
    }

    var text: String {
      func list(_ variant: Int) -> String {
        let sizes = Array(repeating: "\(1_000_000 / (variant + 1))", count: count)
        let durations = Array(repeating: "4", count: count)
        return #"""
          {"durations": [\#(durations.joined(separator: ","))],
           "sizes": [\#(sizes.joined(separator: ","))], "gaps": \#(gaps[variant].sorted())}
          """#
      }
      return #"""
        {"link": {"rate": "100 Mbit/s"},
         "media": {"kind": "hls", "lists": [\#(list(0)), \#(list(1)), \#(list(2))],
           "variants": [{"bandwidth": "2 Mbit/s", "list": 0}, {"bandwidth": "1 Mbit/s", "list": 1},
             {"bandwidth": "700 kbit/s", "list": 2}]},
         "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
        """#
    }

    /// The highest variant that has each segment, and the segment.
    var expected: [[Int]] {
      (0..<count).compactMap { segment in
        (0..<3).first { !gaps[$0].contains(segment) }.map { [$0, segment] }
      }
    }
  }

  /// On a link that carries all variants each segment comes from the highest one that has it, and
  /// what none has is passed over.
  @Test(arguments: 0..<200)
  func anotherVariantHasIt(_ number: Int) throws {
    let ladder = Ladder(number)
    // Where nothing is left there is nothing to play.
    if ladder.expected.isEmpty { return }
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: ladder.text), loader: .none)
    #expect(!findings.contains { $0.severity == .error }, "\(findings.map(\.message))")
    let result = ScenarioRun.run(try #require(scenario))
    var (index, asked) = (RequestIndex(), [[Int]]())
    for record in result.records {
      if let transfer = index.take(record),
        case .segment(let list, let number) = index[transfer]?.resource
      {
        asked.append([list, number])
      }
    }
    #expect(asked == ladder.expected, "ladder \(number): \(ladder.gaps)")
    #expect(result.metrics.first?.playedToEndCount == 1)
  }
}
