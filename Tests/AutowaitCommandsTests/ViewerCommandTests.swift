import Foundation
import Testing

/// What `autowait compare` says to choose, against plain arithmetic over the rows that it prints.
@Suite struct ViewerCommandTests {
  private static let experiment = """
    {
      "experiment": 1,
      "name": "Viewers",
      "base": {
        "media": {"kind": "progressive", "duration": "3 min", "bitrate": "3.73 Mbit/s"},
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}], "until": "20 min"
      },
      "vary": {
        "heuristic": ["avfoundation", "exoplayer", "media3", "fixed", "firefox", "ffplay"],
        "link": [
          {"name": "a", "rate": "3.5 Mbit/s"}, {"name": "b", "rate": "3.7 Mbit/s"},
          {"name": "c", "rate": "5 Mbit/s"}, {"name": "none", "rate": 0},
          {
            "name": "d",
            "down": {
              "random": {"from": "2 Mbit/s", "to": "7 Mbit/s", "every": "4 s", "count": 50}
            }
          }
        ],
        "seed": 2
      }
    }
    """

  /// What the rows of a contestant come to, in plain numbers.
  private struct Sums {
    var sessions = 0.0
    var startup = 0.0
    var stalled = 0.0
    var lost = 0.0
    var stalledSessions = 0.0
    var stalls = 0.0
    var watched = 0.0

    /// Whether a stall comes more than once a session and once a minute.
    var stallsOften: Bool { stalls > sessions && stalls * 60 > watched }

    func cost(_ weight: Double) -> Double { (startup + weight * stalled) / sessions }
  }

  /// Adds up the units in which all contestants started.
  private static func sums(_ csv: String) throws -> [String: Sums] {
    let lines = csv.split(separator: "\n").map { $0.components(separatedBy: ",") }
    let head = try #require(lines.first)
    let rows = lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(head, $0)) }
    func number(_ row: [String: String], _ key: String) -> Double { Double(row[key] ?? "") ?? 0 }
    func unit(_ row: [String: String]) -> String { "\(row["link"] ?? "") \(row["seed"] ?? "")" }
    let unstarted = Set(rows.filter { number($0, "playbackDuration") == 0 }.map(unit))
    var sums: [String: Sums] = [:]
    for row in rows where !unstarted.contains(unit(row)) {
      let startup = number(row, "timeSpentInInitialStartup")
      let stalled = number(row, "timeSpentRecoveringFromStall")
      let leaving = min(1, max(0, startup - 2) * 0.058)
      let unwatched = min(1, 5 * stalled / number(row, "mediaPlayed"))
      var sum = sums[row["contestant"] ?? ""] ?? Sums()
      sum.sessions += 1
      sum.startup += startup
      sum.stalled += stalled
      sum.lost += leaving + (1 - leaving) * unwatched
      sum.stalls += number(row, "stallCount")
      sum.stalledSessions += number(row, "stallCount") > 0 ? 1 : 0
      sum.watched += number(row, "watchedTime")
      sums[row["contestant"] ?? ""] = sum
    }
    return sums
  }

  /// Who can be chosen: the one that costs least first.
  private static func order(
    _ sums: [String: Sums], limit: Double = 1, _ cost: (Sums) -> Double
  ) -> [String] {
    sums.filter { !$0.value.stallsOften && $0.value.stalledSessions <= limit * $0.value.sessions }
      .sorted { cost($0.value) < cost($1.value) }.map(\.key)
  }

  /// Expects that contestants are in an order, but for those that cost the same in whole numbers.
  private static func expectOrder(
    _ names: [String], is order: [String], _ sums: [String: Sums], _ cost: (Sums) -> Double
  ) {
    #expect(Set(names) == Set(order) && names.count == order.count)
    let costs = names.compactMap { sums[$0].map(cost) }
    #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 < $1 + 3e-6 }, "\(names) \(costs)")
  }

  @Test func theAnswerIsThatOfTheRows() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let sums = try Self.sums(fixture.call("compare", "$/x.json", "--csv").output)
    #expect(sums.count == 6 && sums["ffplay"]?.stallsOften == true)
    #expect(sums["ffplay"]?.sessions == 8)
    let json = fixture.call("compare", "$/x.json", "--json")
    for jobs in ["1", "2", "4"] {
      #expect(fixture.call("compare", "$/x.json", "--json", "--jobs", jobs).output == json.output)
    }
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let viewers = try #require(object?["viewers"] as? [[String: Any]])
    #expect(
      viewers.map { $0["viewer"] as? String } == [
        "leavesLateStarts", "hatesStalls", "fewStalledSessions",
      ])
    let weights: [(Sums) -> Double] = [
      { $0.lost / $0.sessions }, { $0.cost(10) }, { $0.cost(0) },
    ]
    let expected = zip(weights, [1, 1, 0.05]).map { Self.order(sums, limit: $1, $0) }
    for (viewer, (order, cost)) in zip(viewers, zip(expected, weights)) {
      let names = viewer["order"] as? [String] ?? []
      Self.expectOrder(names, is: order, sums, cost)
      #expect((viewer["best"] as? [String])?.first == names.first)
      #expect(!order.contains("ffplay") && !order.isEmpty)
    }
    let costs = viewers.map { $0["cost"] as? Double ?? 0 }
    let best = try expected.map { try #require($0.first.flatMap { sums[$0] }) }
    #expect(abs(costs[0] - best[0].lost / best[0].sessions) < 2e-6)
    #expect(abs(costs[1] - best[1].cost(10)) < 1e-6)
    #expect(abs(costs[2] - best[2].cost(0)) < 1e-6)
    // What is next lies behind the best by the difference of their costs.
    for (viewer, cost) in zip(viewers, weights) {
      guard let next = viewer["next"] as? [String: Any], let name = next["contestant"] as? String,
        let other = sums[name], let first = (viewer["best"] as? [String])?.first,
        let best = sums[first]
      else { continue }
      #expect(abs((next["mean"] as? Double ?? 0) - (cost(other) - cost(best))) < 3e-6)
    }
  }

  @Test func theFirstSentenceSaysWhatToChoose() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let output = fixture.call("compare", "$/x.json").output
    let body = try #require(output.components(separatedBy: "\n\n").dropFirst().first)
    #expect(body.hasPrefix("choose            "))
    let sentence = body.prefix(while: { $0 != "%" }).replacing(/\s+/, with: " ")
    #expect(sentence.contains(" for viewers who leave when playback starts late"))
    #expect(!sentence.contains("ffplay"))
    let markdown = fixture.call("compare", "$/x.json", "--markdown").output
    #expect(markdown.contains("\n- **choose:** "))
    fixture.call("compare", "$/x.json", "--html", "$/x.html", "--sessions", "0")
    let page = try fixture.read("x.html")
    let answer = try #require(page.range(of: "<section class=\"p-answer\"><p>"))
    #expect(page[answer.upperBound...].hasPrefix("choose: "))
  }

  /// Where there are variants, the tables show which played.
  @Test func thePictureStandsBesideTheWaits() throws {
    let variants = #"{"bandwidth": "500 kbit/s"}, {"bandwidth": "4 Mbit/s"}"#
    let stream = """
      {"kind": "hls", "duration": "1 min", "segmentDuration": "6 s", "variants": [\(variants)]}
      """
    let file = #"{"kind": "progressive", "duration": "3 min", "bitrate": "3.73 Mbit/s"}"#
    let fixture = try CommandFixture([
      "x.json": Self.experiment, "hls.json": Self.experiment.replacing(file, with: stream),
    ])
    let output = fixture.call("compare", "$/hls.json").output
    #expect(output.contains("\nsharpest picture  ") && output.contains("kbit/s  switches"))
    #expect(!fixture.call("compare", "$/x.json").output.contains("kbit/s  switches"))
    let csv = fixture.call("compare", "$/hls.json", "--csv").output
    let lines = csv.split(separator: "\n").map { $0.components(separatedBy: ",") }
    let rate = try #require(lines[0].firstIndex(of: "timeWeightedAverageBitrate"))
    let switches = try #require(lines[0].firstIndex(of: "variantSwitchCount"))
    let own = lines.dropFirst().filter { $0[1] == "avfoundation" && !$0[rate].isEmpty }
    let rates = own.compactMap { Double($0[rate]) }
    #expect(rates.allSatisfy { 500_000...4_000_000 ~= $0 } && Set(rates).count > 1)
    let json = fixture.call("compare", "$/hls.json", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let first = try #require((object?["contestants"] as? [[String: Any]])?.first)
    func mean(_ key: String) -> Double { (first[key] as? [String: Any])?["mean"] as? Double ?? -1 }
    #expect(abs(mean("bitrate") - rates.reduce(0, +) / Double(rates.count)) < 1)
    let changes = own.compactMap { Double($0[switches]) }
    #expect(abs(mean("switches") - changes.reduce(0, +) / Double(changes.count)) < 1e-5)
  }

  /// The page orders its table for any viewer as the rows do.
  @Test(.enabled(if: browser != nil, "there is no Chromium here"))
  func theSlidersOrderAsTheRowsDo() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let sums = try Self.sums(fixture.call("compare", "$/x.json", "--csv").output)
    fixture.call("compare", "$/x.json", "--html", "$/x.html", "--sessions", "0")
    let page = try fixture.read("x.html")
    let settings = [(10, 100), (0, 100), (1, 100), (2, 100), (50, 100), (0, 30), (0, 0), (3, 50)]
    // The reader's hand: each slider moves, and the table is read.
    let moves = settings.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    let script = """
      <script>document.title = [\(moves)].map(function (move) {
        ["p-weight", "p-limit"].forEach(function (id, place) {
          var slider = document.getElementById(id);
          slider.value = move[place];
          slider.dispatchEvent(new Event("input"));
        });
        return Array.from(document.querySelectorAll(".p-choices tbody tr:not(.p-out)"))
          .map(function (row) { return row.cells[0].textContent; }).join(" ");
      }).join("|");</script></body>
      """
    try fixture.write("moved.html", page.replacing("</body>", with: script))
    let dom = try Self.dom(of: fixture.path("moved.html"))
    let title = try #require(dom.firstMatch(of: /<title>([^<]*)</)).1
    let orders = title.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    #expect(orders.count == settings.count)
    for (order, (weight, limit)) in zip(orders, settings) {
      let cost = { (sums: Sums) in sums.cost(Double(weight)) }
      let expected = Self.order(sums, limit: Double(limit) / 100, cost)
      Self.expectOrder(order.split(separator: " ").map(String.init), is: expected, sums, cost)
    }
    #expect(Set(orders).count > 3)
  }

  private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static func dom(of path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(browser))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "file://\(path)",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
