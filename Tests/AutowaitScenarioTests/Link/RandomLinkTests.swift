import Autowait
import AutowaitScenario
import Testing

/// Whatever a link says is read, and read again from the header of a log as the same.
@Suite struct RandomLinkTests {
  /// Writes links in which each key may stand.
  private struct Author {
    var random: SplitMix64
    /// How deep links may still lead to links.
    var depth = 2

    mutating func pick(_ words: [String]) -> String {
      words[Int.random(in: 0..<words.count, using: &random)]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func object(_ members: [String]) -> String {
      var chosen = members.filter { _ in Bool.random(using: &random) }
      chosen.shuffle(using: &random)
      return "{\(chosen.joined(separator: ","))}"
    }

    mutating func rate() -> String {
      pick(["0", "\"unlimited\"", "\"\(number(1...900)) kbit/s\"", "\(number(1...9_999_999))"])
    }

    mutating func time() -> String { "\"\(number(0...900)) ms\"" }

    mutating func chance() -> String { pick(["0", "1", "0.\(number(0...99))", "\"0.5 %\""]) }

    mutating func link(isPartial: Bool = false) -> String {
      var members = [object(down(isPartial: isPartial), always: carried(isPartial))]
      members = ["\"down\":" + members[0]]
      var others = [
        "\"up\":" + object(packets() + ["\"rate\":\(rate())"]),
        "\"dns\":" + object(["\"delay\":\(time())", "\"cache\":false"]),
        "\"traceKind\":\"goodput\"",
      ]
      if Bool.random(using: &random) {
        others.append(
          #""outage":{"onMean":\#(time().replacing("0 ms", with: "1 ms")),"offMean":1}"#)
      } else {
        others.append(
          "\"events\":[\((0..<number(0...4)).map { _ in event() }.joined(separator: ","))]")
      }
      return object(others, always: members[0])
    }

    private mutating func carried(_ isPartial: Bool) -> String {
      if isPartial, Bool.random(using: &random) { return "\"delay\":\(time())" }
      switch number(0...2) {
      case 0: return "\"rate\":\(rate())"
      case 1: return #""random":{"from":1,"to":\#(number(1...9)),"every":"1 s","count":3}"#
      default:
        let samples = (0..<number(1...3)).map { _ in
          #"{"for":\#(number(1...9)),"rate":\#(rate()),"loss":\#(chance())}"#
        }
        let ending = pick(["hold", "loop", "offline"])
        return #""track":[\#(samples.joined(separator: ","))],"trackEnd":"\#(ending)""#
      }
    }

    private mutating func object(_ members: [String], always member: String) -> String {
      let rest = object(members).dropFirst().dropLast()
      return rest.isEmpty ? "{\(member)}" : "{\(member),\(rest)}"
    }

    private mutating func down(isPartial: Bool) -> [String] { packets() }

    private mutating func packets() -> [String] {
      let chance = chance()
      return [
        "\"queue\":"
          + pick(["\"automatic\"", "\"unlimited\"", "{\"packets\":\(number(1...99))}"]),
        "\"loss\":"
          + pick([
            chance, "{\"everyNth\":\(number(1...9))}", "{\"packets\":[1,\(number(2...9))]}",
            "{\"gilbertElliott\":{\"pGB\":\(chance),\"pBG\":0.5}}",
          ]),
        "\"jitter\":{\"deviation\":\"\(number(1...9)) ms\"}", "\"duplicate\":\(chance)",
        "\"reorder\":\(chance)", "\"overhead\":{\"perPacket\":\(number(0...99))}",
      ]
    }

    private mutating func event() -> String {
      let at = "\"at\":\(number(0...99))"
      let isDeep = depth > 0
      switch number(0...(isDeep ? 3 : 1)) {
      case 0: return "{\"type\":\"blackout\",\(at),\"for\":\(number(1...9)),\"drop\":\"both\"}"
      case 1: return "{\"type\":\"handover\",\(at),\"gap\":\(time())}"
      default:
        depth -= 1
        defer { depth += 1 }
        let link = pick([
          "\"nlc/lte\"", "\"nlc/3g@queue=bdp\"", "\"b.json\"", link(isPartial: true),
        ])
        return pick([
          "{\"type\":\"handover\",\(at),\"to\":\(link)}",
          "{\"type\":\"conditioner\",\(at),\"use\":\(link)}",
          "{\"type\":\"conditioner\",\(at),\"use\":\"off\"}",
        ])
      }
    }
  }

  @Test(arguments: 0..<200)
  func isReadAgainAsTheSame(_ seed: UInt64) throws {
    var author = Author(random: SplitMix64(seed: seed))
    let text = author.link()
    let files = ["b.json": author.link()]
    let fields = #""transport":{},"until":"20 min""#
    let (scenario, findings) = LinkFixture.read(text, fields, files: files, seed: seed)
    #expect(!findings.contains { $0.severity == .error }, "\(text)")
    let first = try #require(scenario)
    let (again, more) = ScenarioReader.read(
      SourceText(path: "b.json", bytes: first.resolved), loader: .none, lints: false)
    #expect(!more.contains { $0.severity == .error })
    let second = try #require(again)
    #expect(second.world.links == first.world.links, "\(text)")
    #expect(second.world.draws == first.world.draws)
    #expect(second.linkNames == first.linkNames)
    #expect(second.resolved == first.resolved)
    for link in first.world.links { expectInOrder(link) }
  }

  /// Events ascend, blackouts do not overlap, and handovers lead to links that are there.
  private func expectInOrder(_ link: LinkProfile) {
    var last = TimeSpan.zero
    for event in link.events {
      #expect(event.start >= last)
      last = event.start
      if case .blackout(let length, _) = event.kind { last = event.start + length }
    }
  }
}
