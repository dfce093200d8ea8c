import Autowait
import AutowaitFidelity
import AutowaitScenario
import Testing

/// Recordings of which nobody planned the link, as browsers and apps make them.
@Suite struct UnplannedRecordingTests {
  /// The session of ``RecordedSession`` as a browser sees it, without samples.
  private struct Session {
    var playlists = #"""
      {"/clip/master.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nlow/list.m3u8?a=1",
       "/clip/low/list.m3u8": "\#(list)"}
      """#
    var events = #"[[0, "play"], [2.19, "playing"], [10.19, "pause"], [10.19, "ended"]]"#
    var samples = "[]"
    var medium = ""
    var requests = """
      [{"path": "/clip/master.m3u8", "t_req": 0, "t_first": 0, "t_done": 0.01, "bytes": 1000},
       {"path": "/clip/low/list.m3u8", "t_req": 0.01, "t_done": 0.02, "bytes": 1000},
       {"path": "/clip/low/1.m4s", "t_req": 0.02, "t_first": null, "t_done": 2.02, "bytes": 200000},
       {"path": "/clip/low/2.m4s", "t_req": 2.02, "t_done": 4.02, "bytes": 200000}]
      """
    var player = "hlsjs"

    static let list =
      #"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.m4s\n#EXTINF:4,\n2.m4s\n#EXT-X-ENDLIST"#

    var text: String {
      let stream = #""url": "/clip/master.m3u8", "playlists": "# + playlists
      let media = medium.isEmpty ? stream : medium
      return """
        {"schema": "player-timeline/1", "id": "x__r1", "player": {"name": "\(player)"},
         "media": {\(media)}, "sample_columns": ["t", "pos", "buf_end"],
         "samples": \(samples), "events": \(events), "requests": \(requests)}
        """
    }

    func read() throws -> Recording {
      let text = text
      return try RecordingReader { _ throws(RecordingProblem) in Array(text.utf8) }
        .recording("r.json", casePath: nil)
    }

    func row() throws -> FidelityReport.Row {
      var report = FidelityReport()
      report.add(try read())
      return try #require(report.rows.first, "\(report.problems)")
    }

    /// What the reader says about it, without the place.
    func told() -> String {
      do {
        _ = try read()
        return ""
      } catch {
        let text = "\(error)"
        return text.firstRange(of: ": ").map { String(text[$0.upperBound...]) } ?? text
      }
    }
  }

  private static func told(_ change: (inout Session) -> Void) -> String {
    var session = Session()
    change(&session)
    return session.told()
  }

  /// The arrivals are the link, and what is simulated over them is what was recorded.
  @Test func arrivalsAreTheLink() throws {
    let row = try Session().row()
    #expect(row.recording.standard.kind == .streams && row.column == .arrivals)
    #expect(Set(row.attempts.keys) == [.arrivals, .naive])
    let attempt = try #require(row.judged)
    #expect(attempt.verdict.isTrue, "\(attempt.verdict.misses)")
    #expect(attempt.requests?.asked == Score(met: 4, count: 4))
    #expect(attempt.requests?.done == Score(met: 4, count: 4))
    #expect(row.recording.medium.variants == [0, 0])
  }

  /// Without a request for a while, the rate of the last long response holds until shortly before
  /// the next one.
  @Test func pausesHaveTheLastRate() throws {
    var session = Session()
    session.requests.replace("\"t_req\": 2.02", with: "\"t_req\": 3.02")
    let recording = try session.read()
    let steps = try #require(recording.link.delivered(for: recording.requests))
    let rates = steps.map { ($0.start - .start).nanoseconds / 1_000_000 }
    #expect(rates == [0, 10, 20, 2_020, 2_870, 3_020, 4_020])
    #expect(
      steps.map(\.rate.bitsPerSecond) == [
        800_001, 800_001, 800_001, 800_001, 0, 1_600_001, 1_600_001,
      ])
  }

  @Test func aLinkIsNeededNowhere() {
    #expect(
      Self.told {
        $0.requests.replace("200000", with: "0")
        $0.requests.replace("1000", with: "0")
      } == "says neither how the link was planned nor what arrived over it")
  }

  /// A file is loaded as its range grows, whatever its size is.
  @Test(arguments: [0, 1_000_000]) func aFileIsLoadedAsItsRangeGrows(_ bytes: Int) throws {
    var session = Session()
    session.player = "firefox-play"
    session.medium = #""url": "/clip.mp4", "duration_s": 10"#
    session.samples = "[[0, 0, null], [1, 0, 2], [2, 0.5, 4], [5, 3.5, 10]]"
    session.events = #"[[0, "play"], [1.5, "playing"], [11.5, "ended"]]"#
    session.requests = #"[{"path": "/clip.mp4", "t_req": 0, "t_done": 5, "bytes": \#(bytes)}]"#
    let recording = try session.read()
    let seconds = [1, 2, 5].map { Instant.start + .seconds($0) }
    #expect(recording.link.arrivals.map(\.instant) == seconds)
    guard case .file(let size, _) = recording.medium.content else { throw Missing() }
    #expect(size.bytes == (bytes == 0 ? 1_250_000 : bytes))
    #expect(recording.link.arrivals.map(\.size.bytes) == [2, 4, 10].map { size.bytes * $0 / 10 })
    #expect(recording.outcome.startup == .start + .milliseconds(1_500))
  }

  private struct Missing: Error {}

  /// The clock says when it stood; events say it where there is no clock.
  @Test func stallsAreWorkedOut() throws {
    var session = Session()
    session.events = #"[[0, "play"], [2.1, "playing"], [6.1, "waiting"], [7, "playing"]]"#
    #expect(
      try session.read().outcome.stalls == [
        .init(start: .start + .milliseconds(6_100), end: .start + .milliseconds(7_000))
      ])
    session.samples = """
      [[2, 0, 4], [2.2, 0, 4], [2.4, 0.1, 4], [6.2, 3.9, 4], [6.4, 4, 4], [6.6, 4, 4], [6.8, 4, 4],
       [7, 4.1, 8], [7.2, 4.3, 8], [7.4, 4.4, 8], [7.6, 4.6, 8]]
      """
    let recording = try session.read()
    #expect(recording.outcome.startup == .start + .milliseconds(2_300))
    #expect(
      recording.outcome.stalls == [
        .init(start: .start + .milliseconds(6_300), end: .start + .milliseconds(6_900))
      ])
    #expect(recording.outcome.end == nil && recording.cut == .start + .milliseconds(7_600))
  }

  /// Loading may begin long before the viewer plays.
  @Test func playMayComeLater() throws {
    var session = Session()
    session.events = #"[[30, "play"], [30.2, "playing"], [38.2, "ended"]]"#
    let row = try session.row()
    #expect(row.recording.play == .start + .seconds(30))
    #expect(row.judged?.verdict.isTrue == true, "\(row.judged?.verdict.misses ?? [])")
  }

  /// Segments of different lengths, and a heuristic by its own name.
  @Test func streamsNeedNotBeEven() throws {
    var session = Session()
    session.player = "avfoundation"
    session.playlists.replace(#"EXTINF:4,\n2"#, with: #"EXTINF:2.5,\n2"#)
    session.playlists.replace(#"EXTINF:4,\n1"#, with: #"EXTINF:3,\n1"#)
    session.playlists.replace("2.m4s", with: "2.m4s\\n#EXTINF:4,\\n3.m4s")
    session.events = #"[[0, "play"], [2.02, "playing"], [11.52, "ended"]]"#
    let row = try session.row()
    #expect(row.recording.medium.duration == MediaTime(nanoseconds: 9_500_000_000))
    let end = try #require(row.judged?.session.outcome.end)
    #expect(end - .start > .milliseconds(9_500))
  }

  @Test func whatCannotBePlayedIsTold() {
    let advice = "only a session without user actions can be played again"
    #expect(
      Self.told { $0.events = #"[[0, "play"], [1, "playing"], [2, "pause"], [3, "play"]]"# }
        == "is a pause: \(advice)")
    #expect(
      Self.told { $0.events = #"[[0, "play"], [1, "playing"], [2, "seeking"]]"# }
        == "is a seek: \(advice)")
    #expect(
      Self.told { $0.events = #"[[0, "play"], [1, "ratechange", 1.5]]"# }
        == "is another rate: \(advice)")
    #expect(Self.told { $0.events = #"[[0, "seeking"], [1, "ratechange", 1]]"# } == "")
    #expect(
      Self.told { $0.events = #"[[1, "play"], [0, "playing"]]"# }
        == "is a time before that of the row above")
    #expect(Self.told { $0.events = "[[1]]" } == "has less than a time and a name")
    #expect(
      Self.told { $0.events = #"[[9000000000, "play"]]"# }
        == "belong to a session of more than a million seconds")
    #expect(
      Self.told { $0.samples = "[[0, 0.6, 2]]" }
        == "begin when something had been played; record from the beginning")
  }

  @Test func streamsThatCannotBeReadAreTold() {
    #expect(
      Self.told { $0.playlists.replace(#"\n#EXT-X-ENDLIST"#, with: "") }
        == "is live; only streams with an end can be played")
    #expect(
      Self.told { $0.playlists.replace("1.m4s", with: "#EXT-X-BYTERANGE:9@0\\n1.m4s") }
        == "has byte ranges: nothing says which of them a request was for")
    #expect(
      Self.told { $0.playlists.replace("low/list.m3u8\":", with: "other.m3u8\":") }
        == "names no playlist that is here, too")
    #expect(
      Self.told { $0.playlists.replace("master.m3u8\":", with: "other.m3u8\":") }
        == "do not have that of '/clip/master.m3u8', which was played")
    #expect(
      Self.told { $0.playlists.replace("#EXTM3U", with: "x") }.hasPrefix("is not a playlist: "))
    #expect(
      Self.told { $0.medium = #""url": "https://x.y/1", "duration_s": 8"# }
        == "is a stream, but has no 'playlists' and no 'map' of its segments")
  }
}
