import Autowait
import AutowaitFidelity
import AutowaitInference
import AutowaitRendering
import AutowaitScenario
import Testing

/// A simulated session whose link is known, and what logs of others say of it.
struct ExportedSession {
  /// The secrets that a log may have, none of which may be found in an output.
  static let secret = "hunter2"

  let scenario: Scenario
  let result: RunResult

  init(rule: String = "hls.js", variants: String = #"[{"bandwidth": "1 Mbit/s"}]"#) throws {
    let text = """
      {"autowait": 1, "name": "page", "seed": 1, "heuristic": "\(rule)",
       "link": {"down": {"track": [
         {"at": 0, "rate": "1.6 Mbit/s"}, {"at": 8, "rate": "500 kbit/s"},
         {"at": 20, "rate": "2 Mbit/s"}], "delay": "20 ms"}, "up": {"delay": "20 ms"}},
       "transport": {"tier": "fluid"},
       "media": {"kind": "hls", "duration": "24 s", "segmentDuration": "4 s",
                 "variants": \(variants)},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}], "until": "60 s"}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "page.json", text: text), loader: .none)
    self.scenario = try #require(scenario, "\(findings)")
    let plain = ScenarioRun.run(self.scenario)
    let instants = CMCDRendering.instants(plain)
    result = ScenarioRun.run(self.scenario, samplesAt: instants)
  }

  var media: SessionMedia? { SessionMedia(scenario) }

  /// The link as it was: the first request was sent when its connection was there.
  var link: CandidateLink {
    CandidateLink(
      steps: [(0, 1_600_000), (8_000, 500_000), (20_000, 2_000_000)].map { start, rate in
        RecordedLink.Step(
          start: .start + .milliseconds(start), rate: BitRate(bitsPerSecond: rate))
      }, roundTrip: .milliseconds(40), transport: #"{"tier": "fluid"}"#)
  }

  func text(_ form: SessionLog.Form) -> String {
    switch form {
    case .har: String(decoding: HARRendering.archive(result), as: UTF8.self)
    case .cmcd2:
      String(decoding: CMCDRendering.log(result, samples: result.samples), as: UTF8.self)
    case .avmetrics: String(decoding: MetricEventLog.log(result), as: UTF8.self)
    case .cmcd1: serverLog
    case .accesslog: Self.accessLog
    case .timeline: ""
    }
  }

  /// The archive with the text of the one playlist that was loaded.
  var archiveWithPlaylist: String {
    let playlist =
      "#EXTM3U\\n#EXT-X-TARGETDURATION:4\\n#EXT-X-PLAYLIST-TYPE:VOD\\n"
      + (0..<6).map { "#EXTINF:4,\\n1%20Mbit%2Fs/\($0)\\n" }.joined() + "#EXT-X-ENDLIST\\n"
    return text(.har).replacing(
      #""mimeType":"application/vnd.apple.mpegurl"}"#,
      with: #""mimeType":"application/vnd.apple.mpegurl","text":"\#(playlist)"}"#,
      maxReplacements: 2
    ).replacing("multivariant.m3u8", with: "other.txt").replacing(
      #""mimeType":"application/vnd.apple.mpegurl","text":"\#(playlist)"},"redirect"#,
      with: #""mimeType":"text/plain"},"redirect"#, maxReplacements: 1)
  }

  /// What a server would write, a request a line; a throughput is that of the request before.
  private var serverLog: String {
    let root = try? JSONDocument(SourceText(path: "har", text: text(.har))).root
    var (lines, measured): ([String], Int64) = ([], 0)
    for entry in root?.member("log")?.member("entries")?.elements ?? JSONElements() {
      let url = entry.member("request")?.member("url")?.string ?? ""
      let bytes = Self.number(entry.member("response")?.member("bodySize"), 1)
      let took = Self.number(entry.member("time"), 1_000_000)
      let start = Self.number(entry.member("_started"), 1_000)
      let isMedia = !url.hasSuffix("m3u8")
      var keys = "ot%3D\(isMedia ? "av" : "m")%2Csid%3D%22\(Self.secret)-session%22"
      if isMedia { keys = "br%3D1000%2Cd%3D4000%2C" + keys }
      if measured > 0 { keys += "%2Cmtp%3D\(measured)" }
      lines.append(
        #"{"time": \#(1_700_000_000_000 + start), "bytes": \#(bytes), "client_ip": "10.0.0.7", "#
          + #""user_agent": "\#(Self.secret)", "#
          + #""url": "\#(url)?token=\#(Self.secret)&CMCD=\#(keys)"}"#
      )
      if isMedia, took > 0 {
        let rate = Int64(Int128(bytes) * 8_000_000_000 / Int128(took) / 1_000)
        measured = (rate + 50) / 100 * 100
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func number(_ value: JSONValue?, _ factor: Int64) -> Int64 {
    guard case .exact(let number)? = value?.decimal?.nearestInteger(scaledBy: factor) else {
      return 0
    }
    return number
  }

  static let accessLog = """
    {"at": 10, "events": [{"URI": "https://x/\(secret).m3u8", "serverAddress": "10.0.0.7",
      "playbackSessionID": "\(secret)", "numberOfMediaRequests": 3, "numberOfStalls": 0,
      "numberOfBytesTransferred": 1500000, "transferDuration": 7.5, "startupTime": 2.5,
      "durationWatched": 7.5, "observedBitrate": 1600000, "indicatedBitrate": -1}]}
    """.replacing("\n", with: " ") + "\n"
    + #"{"at": 20, "events": [{"numberOfMediaRequests": 4, "numberOfStalls": 1, "#
    + #""numberOfBytesTransferred": 2000000, "transferDuration": 15.5, "durationWatched": 12}]}"#
    + "\n"

  func logs(_ form: SessionLog.Form, _ text: String? = nil) throws -> [SessionLog] {
    var options = SessionLogReader.LogOptions()
    options.media = media
    return try SessionLogReader.read(
      SourceText(path: "log", text: text ?? self.text(form)), options)
  }
}
