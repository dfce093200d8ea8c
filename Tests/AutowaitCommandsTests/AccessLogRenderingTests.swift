import AutowaitCommands
import Foundation
import Testing

/// Access logs and error logs, to the letter.
@Suite struct AccessLogRenderingTests {
  /// Four segments of 10 s at 1 Mbit/s, the third of which is not there at first.
  static let stream = #"""
    {"autowait": 1, "name": "Four segments", "link": {"name": "home", "rate": "2 Mbit/s"},
     "media": {"kind": "hls", "duration": 40, "segmentDuration": 10, "host": "media.example.com",
       "multivariantPlaylist": 0, "mediaPlaylist": 0,
       "variants": [{"bandwidth": "1 Mbit/s", "name": "the \"only\" one"}],
       "failures": [{"of": "segment", "number": 2, "status": 404, "count": 1}]},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """#

  static let file = #"""
    {"autowait": 1, "name": "A file", "link": {"name": "home", "rate": "2 Mbit/s"},
     "media": {"kind": "progressive", "duration": 40, "bitrate": "1 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """#

  /// The names and their order in the logs of iPadOS 17.5 and 26.5 and tvOS 15.2.
  static let fields = """
    date time uri cs-guid s-ip s-ip-changes sc-count c-duration-downloaded c-start-time \
    c-duration-watched bytes c-observed-bitrate sc-indicated-bitrate c-stalls c-frames-dropped \
    c-startup-time c-overdue c-reason c-observed-min-bitrate c-observed-max-bitrate \
    c-observed-bitrate-sd s-playback-type sc-wwan-count c-switch-bitrate
    """

  @Test func theExtendedLogIsThatOfADevice() throws {
    let lines = try log(Self.stream, "access-log")
    let session = try #require(try entries(lines).first?["cs-guid"])
    #expect(
      lines == [
        "#Version: 1.0", "#Software: Autowait", "#Date: 1970/01/01 00:00:45.000",
        "#Fields: \(Self.fields)",
        "1970/01/01 00:00:05.000 //media.example.com/item0/the%20%22only%22%20one.m3u8 \(session) "
          + "media.example.com 0 4 40.000 0.000 40.000 5000000 2000000.000 1000000 0 0 5.000 0 1 "
          + "2000000 2000000 0.000 VOD 0 -",
      ])
    #expect(Self.fields.split(separator: " ").count == 24)
  }

  @Test func whatIsNotKnownOfAFileIsAHyphen() throws {
    let entry = try #require(try entries(try log(Self.file, "access-log")).first)
    #expect(entry["s-playback-type"] == "FILE")
    #expect(entry["uri"] == "item0")
    for name in ["s-ip", "c-overdue", "c-observed-bitrate-sd", "c-duration-downloaded"] {
      #expect(entry[name] == "-", "\(name)")
    }
  }

  private static let lastVariant = "Can not proceed after removing variants"

  @Test func errorsAreTold() throws {
    let lines = try log(Self.stream, "error-log")
    #expect(lines[3] == "#Fields: date time uri cs-guid s-ip status domain comment")
    let session = try #require(try entries(log(Self.stream, "access-log")).first?["cs-guid"])
    #expect(
      lines[4]
        == "1970/01/01 00:00:10.000 //media.example.com/item0/the%20%22only%22%20one/2 \(session) "
        + "media.example.com -12938 CoreMediaErrorDomain \"HTTP 404: File Not Found\"")
    #expect(lines[5].hasSuffix("-12880 CoreMediaErrorDomain \"\(Self.lastVariant)\""))
    #expect(lines.count == 6)
    let none = try log(Self.file, "error-log").suffix(2)
    #expect(none == [lines[3], "#Remark: no entries"])
  }

  /// The table of codes that applications have reported since iOS 9.
  @Test(
    arguments: [
      (400, -12_666), (401, -12_937), (403, -12_660), (404, -12_938), (407, -12_937),
      (410, -12_666), (500, -12_666), (502, -12_666), (503, -12_661), (504, -12_666),
    ])
  func statusesHaveTheCodesOfDevices(_ status: Int, _ code: Int) throws {
    let text = Self.stream.replacing("\"status\": 404", with: "\"status\": \(status)")
    let entry = try #require(try log(text, "error-log").first { !$0.hasPrefix("#") })
    #expect(entry.contains(" media.example.com \(code) CoreMediaErrorDomain "), "\(entry)")
  }

  /// The second item asks for its playlists while the first is the current one, and is it when one
  /// of them goes wrong.
  @Test func anErrorIsOfTheItemThatIsTheCurrentOne() throws {
    let lines = try log(
      #"""
      {"link": {"name": "home", "rate": "2 Mbit/s"},
       "media": [
         {"kind": "hls", "duration": 40, "variants": [{"bandwidth": 500000, "name": "one"}]},
         {"kind": "hls", "duration": 40, "variants": [
           {"bandwidth": 500000, "name": "two", "audio": "a"}],
          "audio": [{"group": "a", "name": "sound", "bitrate": 64000}],
          "failures": [
            {"of": "mediaPlaylist", "rendition": "sound", "status": "noResponse", "count": 1}]}],
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "createItem", "item": 1},
                  {"at": 2, "do": "load", "item": 1}]}
      """#, "error-log")
    let entry = try #require(lines.last)
    #expect(entry.contains(" item1/sound.m3u8 "), "\(entry)")
  }

  /// The second item loads while the first one plays, and its first segment is refused: what goes
  /// wrong is its own, also before it is the current one.
  @Test func anErrorOfAnItemInTheQueueIsOfThatItem() throws {
    let access = try log(Self.queue, "access-log")
    let sessions = try entries(access).compactMap { $0["cs-guid"] }
    try #require(sessions.count > 1 && sessions[0] != sessions[1])
    let errors = try log(Self.queue, "error-log").filter { !$0.hasPrefix("#") }
    try #require(errors.count > 1)
    let words = " item1/only/0 \(sessions[1]) - -12"
    #expect(errors.allSatisfy { $0.contains(words) }, "\(errors)")
    let events = try log(Self.queue, "cmcd").filter { $0.contains(",e=e,") }
    #expect(events.count == errors.count)
    for event in events {
      #expect(event.contains("cid=\"item1\"") && event.contains(sessions[1]), "\(event)")
    }
  }

  /// 40 s that have come after 5 s, and then 20 s of which two requests are refused.
  static let queue = #"""
    {"autowait": 1, "name": "Two streams", "link": {"name": "home", "rate": "8 Mbit/s"},
     "media": [
       {"kind": "hls", "duration": 40, "segmentDuration": 4, "variants": [
         {"bandwidth": "1 Mbit/s", "name": "only"}]},
       {"kind": "hls", "duration": 20, "segmentDuration": 4, "variants": [
         {"bandwidth": "1 Mbit/s", "name": "only"}],
        "failures": [{"of": "segment", "number": 0, "status": 503, "count": 2}]}],
     "player": {"queue": [0, 1]}, "script": [{"at": 0, "do": "play"}]}
    """#

  @Test func aSessionHasAnIdentifierThatOnlyItsScenarioChanges() throws {
    let pattern = try Regex("[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}")
    func session(_ text: String, _ arguments: String...) throws -> String {
      let fixture = try CommandFixture(["x.json": text])
      let call = fixture.call(["run", "$/x.json", "--format", "access-log"] + arguments)
      let lines = call.output.split(separator: "\n").map(String.init)
      return try #require(try entries(lines).first?["cs-guid"])
    }
    let one = try session(Self.stream)
    #expect(one.wholeMatch(of: pattern) != nil, "\(one)")
    #expect(try session(Self.stream) == one)
    #expect(try session(Self.stream, "--seed", "7") != one)
    #expect(try session(Self.file) != one)
  }

  @Test func jsonHasBothLogsAndNegativeNumbersForWhatIsNotKnown() throws {
    let fixture = try CommandFixture(["x.json": Self.stream])
    let output = fixture.call("run", "$/x.json", "--format", "json").output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let access = try #require(object["accessLog"] as? [[String: Any]])
    #expect(access.first?["indicatedBitrate"] as? Int == 1_000_000)
    #expect(access.first?["switchBitrate"] as? Int == -1)
    #expect(access.first?["playbackType"] as? String == "VOD")
    #expect(access.first?["transferDuration"] as? Int == 20)
    #expect(access.first?.count == 26)
    let errors = try #require(object["errorLog"] as? [[String: Any]])
    #expect(errors.first?["errorStatusCode"] as? Int == -12_938)
    #expect(errors.first?["date"] as? Int == 10)
    #expect(errors.map { $0["errorStatusCode"] as? Int } == [-12_938, -12_880])
  }

  /// What goes wrong of an asset that a queue has taken over, and is not the current item, is told
  /// of that asset, and no longer of the item that plays.
  @Test func whatGoesWrongOfAPreparedItemIsItsOwn() throws {
    let fixture = try CommandFixture([:])
    let path = "Scenarios/queue/prepared-item-fails-before-its-turn.json"
    let lines = fixture.call("run", path, "--format", "cmcd").output.split(separator: "\n")
    let errors = lines.filter { $0.contains("ec=(\"-12889\")") }
    #expect(errors.count == 1 && errors.allSatisfy { $0.contains("cid=\"item1\"") }, "\(errors)")
    let log = fixture.call("run", path, "--format", "error-log").output
    #expect(log.contains(" item1/") && !log.contains("item0/"), "\(log)")
  }

  @Test func everyPlayerHasALogOfItsOwn() throws {
    let media = #""media": {"kind": "local", "duration": 5}"#
    let text = #"""
      {"link": "demo/fast", "players": [{"name": "a", \#(media)}, {"name": "b", \#(media)}],
       "script": [{"at": 0, "do": "load", "player": "b"}, {"at": 0, "do": "play", "player": "b"}]}
      """#
    let lines = try log(text, "access-log")
    let place = try #require(lines.firstIndex(of: "#Remark: player a"))
    #expect(lines[place + 1].hasPrefix("#Fields: date time uri "))
    #expect(lines[place + 2] == "#Remark: no entries")
    #expect(lines[place + 3] == "#Remark: player b")
    #expect(lines[place + 4] == lines[place + 1])
    #expect(try entries(lines).count == 1)
  }

  private func log(_ scenario: String, _ format: String) throws -> [String] {
    let fixture = try CommandFixture(["x.json": scenario])
    let call = fixture.call("run", "$/x.json", "--format", format)
    #expect(call.code == 0, "\(call.messages)")
    #expect(call.output.hasSuffix("\n"))
    return call.output.split(separator: "\n").map(String.init)
  }

  /// Returns the entries of a log without quotes, by the names of the fields.
  private func entries(_ lines: [String]) throws -> [[String: String]] {
    let heading = try #require(lines.first { $0.hasPrefix("#Fields: ") })
    let names = heading.dropFirst("#Fields: ".count).split(separator: " ").map(String.init)
    return try lines.filter { !$0.hasPrefix("#") }.map { line in
      let values = line.split(separator: " ").map(String.init)
      try #require(values.count == names.count, "\(line)")
      return Dictionary(uniqueKeysWithValues: zip(names, values))
    }
  }
}

/// The tables of `run --format json`: stalls, variants and requests.
@Suite struct SessionTableTests {
  private static func object(_ text: String) throws -> [String: Any] {
    let fixture = try CommandFixture(["x.json": text])
    let output = fixture.call("run", "$/x.json", "--format", "json").output
    return try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
  }

  /// A file of 10 s at 1 Mbit/s over 2 Mbit/s, of which there is nothing from 2 to 7 s: the 4 s
  /// that have come by then are played at 5 s, and a second of it is there at 7.5 s.
  @Test func stallsHaveTheirPlaces() throws {
    let object = try Self.object(ExpectationFixture.stalling.text + "}")
    let stalls = try #require(object["stalls"] as? [String: [[String: Double]]])
    #expect(stalls == ["a": [["start": 5, "end": 7.5, "position": 4]], "idle": []])
    let requests = try #require(object["requests"] as? [String: [[String: Any]]])
    try #require(requests["a"]?.count == 1 && requests["idle"]?.isEmpty == true)
    #expect(requests["a"]?[0]["of"] as? String == "file")
    #expect(requests["a"]?[0]["ended"] as? Double == 10)
  }

  /// What is under way at the end has no end, and neither has a stall that lasts.
  @Test func whatHasNotEndedHasNoEnd() throws {
    let cut = ExpectationFixture.stalling.text.replacing(
      "\"heuristic\"", with: "\"until\": \"6 s\", \"heuristic\"")
    let object = try Self.object(cut + "}")
    let stalls = try #require(object["stalls"] as? [String: [[String: Any]]])
    #expect(stalls["a"]?.first?["start"] as? Double == 5 && stalls["a"]?.first?["end"] is NSNull)
    let requests = try #require(object["requests"] as? [String: [[String: Any]]])
    #expect(requests["a"]?.first?["outcome"] as? String == "open")
    #expect(requests["a"]?.first?["ended"] is NSNull)
  }

  /// Segments of 100,000 B and 200,000 B at 100,000 B a second, in the order of a script.
  @Test func requestsAndVariantsAreListed() throws {
    let object = try Self.object(
      """
      {"link": {"rate": "800 kbit/s"},
       "media": {"kind": "hls", "duration": "6 s", "segmentDuration": "2 s",
         "multivariantPlaylist": 0, "mediaPlaylist": 0,
         "variants": [{"bandwidth": "400 kbit/s", "init": 500}, {"bandwidth": "800 kbit/s"}]},
       "player": {"streaming": {"rule": {"scripted": [0, 1, 0]}}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    #expect(object["variants"] as? [Int] == [0, 1, 0])
    let requests = try #require(object["requests"] as? [[String: Any]])
    let segments = requests.filter { $0["of"] as? String == "segment" }
    #expect(segments.map { $0["list"] as? Int } == [0, 1, 0])
    #expect(segments.map { $0["segment"] as? Int } == [0, 1, 2])
    #expect(segments.map { $0["asked"] as? Double } == [0.005, 1.005, 3.005])
    #expect(segments.map { $0["ended"] as? Double } == [1.005, 3.005, 4.005])
    #expect(segments.allSatisfy { $0["outcome"] as? String == "whole" })
    #expect(requests.first?["of"] as? String == "multivariantPlaylist")
  }

  /// A segment that is not there brings no bytes, though its response is complete.
  @Test func whatIsRefusedHasFailed() throws {
    let object = try Self.object(AccessLogRenderingTests.stream)
    let requests = try #require(object["requests"] as? [[String: Any]])
    let segments = requests.filter { $0["of"] as? String == "segment" }
    let ends = segments.map { "\($0["outcome"] ?? "") \($0["bytes"] ?? "")" }
    let whole = "whole 1250000"
    #expect(ends == [whole, whole, "failed 0", whole, whole])
  }
}
