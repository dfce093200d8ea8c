import Autowait
import AutowaitFidelity
import AutowaitInference
import AutowaitScenario
import Testing

/// What logs say of sessions whose truth is known.
@Suite struct LogReaderTests {
  private static let forms: [SessionLog.Form] = [.har, .cmcd1, .cmcd2, .avmetrics]

  /// Each format is told by its content, and requests come back as they were made.
  @Test(arguments: forms)
  func requestsComeBack(_ form: SessionLog.Form) throws {
    let session = try ExportedSession()
    let log = try #require(try session.logs(form).first)
    #expect(log.form == form && SessionLogReader.form(of: source(session, form)) == form)
    var index = RequestIndex()
    var truth: [(RequestIndex.Resource, Instant, Instant?)] = []
    var places: [Int: Int] = [:]
    for record in session.result.records {
      if let transfer = index.take(record), let request = index[transfer] {
        places[transfer] = truth.count
        truth.append((request.resource, request.opened, nil))
      }
      if case .mediaRequestCompleted(let transfer, _) = record.event,
        let place = places[transfer]
      {
        truth[place].2 = record.instant
      }
    }
    #expect(log.requests.count == truth.count)
    let zero = truth[0].1
    for (request, (resource, sent, done)) in zip(log.requests, truth) {
      #expect(request.resource == resource)
      // HTTP archives begin when a connection is there, so that the first is nearer to the second.
      let late = form == .har ? TimeSpan.milliseconds(200) : .milliseconds(2)
      #expect(
        abs((request.sent - .start).nanoseconds - (sent - zero).nanoseconds) <= late.nanoseconds)
      if let done, let own = request.done, request.kind == .segment {
        let most = max(late.nanoseconds, request.quantum.nanoseconds * 2)
        #expect(abs((own - .start).nanoseconds - (done - zero).nanoseconds) <= most)
      }
      if request.kind == .segment {
        #expect(request.size == ByteCount(bytes: 500_000))
        #expect(request.mediaDuration == .seconds(4))
      }
    }
    #expect((log.roundTrip ?? .milliseconds(40)) <= .milliseconds(60))
  }

  private func source(_ session: ExportedSession, _ form: SessionLog.Form) -> SourceText {
    SourceText(path: "log", text: session.text(form))
  }

  /// What a log says of stalls is what was played; what it does not say stays unknown.
  @Test func stallsAreKnownWhereTheLogSaysThem() throws {
    let session = try ExportedSession()
    let metrics = session.result.metrics[0]
    #expect(metrics.stallCount > 0)
    for form in [SessionLog.Form.cmcd2, .avmetrics] {
      let log = try #require(try session.logs(form).first)
      let outcome = try #require(log.outcome)
      #expect(log.stallCount == metrics.stallCount)
      #expect(outcome.stalls.count == metrics.stallCount)
      let stalled = metrics.timeSpentRecoveringFromStall.nanoseconds
      #expect(abs(outcome.stalled.nanoseconds - stalled) < 300_000_000)
    }
    for form in [SessionLog.Form.har, .cmcd1] {
      let log = try #require(try session.logs(form).first)
      #expect(log.outcome == nil && log.stallCount == nil && log.play == nil)
      #expect(log.notes.contains { $0.contains("stalled") })
    }
  }

  /// A medium follows from playlists in an archive, and from durations and bit rates.
  @Test func theMediumFollowsFromTheLog() throws {
    let session = try ExportedSession()
    for text in [session.archiveWithPlaylist, session.text(.cmcd1)] {
      let log = try #require(
        try SessionLogReader.read(SourceText(path: "log", text: text)).first)
      let medium = try #require(log.medium)
      guard case .stream(_, let variants, nil) = medium.content else {
        Issue.record("no stream of one track")
        continue
      }
      #expect(medium.duration == MediaTime(nanoseconds: 24_000_000_000))
      #expect(
        variants[0].segments.map(\.size.bytes) == [Int64](repeating: 500_000, count: 6),
        "\(log.form), \(log.requests.map { "\($0.resource as Any)" })")
    }
    let without = try #require(
      try SessionLogReader.read(SourceText(path: "log", text: session.text(.har))).first)
    #expect(without.medium == nil && without.notes.contains { $0.contains("--media") })
  }

  /// Snapshots keep their times, and −1 is not known.
  @Test func accessLogsAreSums() throws {
    let session = try ExportedSession()
    let log = try #require(try session.logs(.accesslog).first)
    #expect(log.form == .accesslog && log.requests.isEmpty)
    #expect(log.polls.map(\.instant) == [.start + .seconds(10), .start + .seconds(20)])
    let entry = log.polls[0].entries[0]
    #expect(entry.numberOfBytesTransferred == ByteCount(bytes: 1_500_000))
    #expect(entry.transferDuration == .milliseconds(7_500) && entry.indicatedBitrate == nil)
    #expect(log.stallCount == 1 && log.end == .start + .seconds(20))
  }

  /// The columns of other servers, and their ways to write times.
  @Test(arguments: [
    """
    #Version: 1.0
    #Fields: date time time-taken sc-bytes cs-uri-stem cs-uri-query
    2026-01-02 10:00:01.500 1.5 500000 /v/0.m4s CMCD=br%3D1000%2Cd%3D4000%2Cot%3Dv
    2026-01-02 10:00:03.000 1.5 500000 /v/1.m4s CMCD=br%3D1000%2Cd%3D4000%2Cot%3Dv%2Cmtp%3D2700
    """,
    """
    timestamp,bytes,request,CMCD-Object,CMCD-Request,CMCD-Session
    2026-01-02T10:00:00.000Z,500000,GET /v/0.m4s HTTP/1.1,"br=1000,d=4000,ot=v",,sid=a
    2026-01-02T10:00:01.5Z,500000,GET /v/1.m4s HTTP/1.1,"br=1000,d=4000,ot=v",mtp=2700,sid=a
    """,
  ])
  func serversDiffer(_ text: String) throws {
    let log = try #require(try SessionLogReader.read(SourceText(path: "log", text: text)).first)
    #expect(log.form == .cmcd1 && log.requests.count == 2)
    #expect(log.requests[1].sent == .start + .milliseconds(1_500))
    #expect(log.requests[0].done == .start + .milliseconds(1_500))
    #expect(log.requests[1].done == nil)
    #expect(log.requests[0].quantum == .milliseconds(1))
    #expect(log.medium?.duration == MediaTime(nanoseconds: 8_000_000_000))
  }

  /// What came from a cache, or was given up, is no transfer of its whole size.
  @Test func archivesTellCachesAndCancelledRequests() throws {
    func entry(_ second: Int, _ rest: String, _ response: String) -> String {
      #"{"startedDateTime": "2026-01-02T10:00:0\#(second).000Z", "time": 900, "#
        + #""request": {"url": "https://x/\#(second).ts"}, "response": {\#(response), "#
        + #""content": {"mimeType": "video/mp2t"}}, "timings": {"blocked": 10, "dns": -1, "#
        + #""connect": 20, "ssl": 10, "send": 1, "wait": 40, "receive": 500}\#(rest)}"#
    }
    let text =
      #"{"log": {"entries": ["#
      + [
        entry(1, #", "_fromCache": "disk""#, #""status": 200, "bodySize": 0"#),
        entry(3, "", #""status": 0, "_error": "net::ERR_ABORTED", "bodySize": -1"#),
        entry(2, "", #""status": 200, "headersSize": 300, "bodySize": 1000"#),
        entry(4, "", #""status": 304, "bodySize": 0"#),
      ].joined(separator: ",") + "]}}"
    let log = try #require(try SessionLogReader.read(SourceText(path: "log", text: text)).first)
    #expect(log.requests.count == 2)
    let (whole, aborted) = (log.requests[0], log.requests[1])
    #expect(
      whole.firstByte == .start + .milliseconds(40) && whole.done == .start + .milliseconds(540))
    #expect(whole.size == ByteCount(bytes: 1_300) && !whole.isAborted)
    #expect(aborted.isAborted && aborted.size == nil && aborted.firstByte == nil)
    #expect(aborted.sent == .start + .seconds(1) && aborted.done == .start + .milliseconds(1_869))
  }

  /// A response event without a status or an end was given up: at the latest when the same segment
  /// was asked for again, of any variant, and with less than all of it.
  @Test func givenUpRequestsEndWhereTheyAreRepeated() throws {
    let lines = [
      #"e=rr,ot=av,ts=1000,url="https://x/1%20Mbit%2Fs/0",rc=200,ttfb=40,ttlb=900"#,
      #"e=rr,ot=av,ts=2000,url="https://x/1%20Mbit%2Fs/1",rc=0,ttfb=50"#,
      #"e=rr,ot=av,ts=12500,url="https://x/1%20Mbit%2Fs/1",rc=200,ttfb=40,ttlb=700"#,
      #"e=rr,ot=av,ts=14000,url="https://x/1%20Mbit%2Fs/2",rc=0"#,
    ]
    let session = try ExportedSession()
    let log = try #require(try session.logs(.cmcd2, lines.joined(separator: "\n")).first)
    let (repeated, last) = (log.requests[1], log.requests[3])
    #expect(repeated.isAborted && repeated.done == log.requests[2].sent)
    #expect(repeated.size == nil && repeated.wholeSize == log.requests[2].size)
    #expect(repeated.isTransfer && log.notes.contains { $0.hasPrefix("One request was given up") })
    // Nothing says when the last one ended.
    #expect(last.isAborted && last.done == nil && !last.isTransfer)
    // It is as likely that nothing came of it as that nearly all did: no link is too slow for it.
    var options = LinkInference.Options(CandidateLink.model)
    (options.steps, options.samples) = (4_000, 2)
    let links = try #require(LinkInference(log, options).run())
    #expect(links.fits.map(\.request) == [0, 2])
    let carried = links.best.volume(from: .seconds(1), to: .milliseconds(11_500))
    #expect(carried < log.requests[2].size!.bytes)
  }
}

extension LinkTrack {
  /// What it carries in a time, in bytes.
  fileprivate func volume(from start: TimeSpan, to end: TimeSpan) -> Int64 {
    samples.indices.reduce(Int64(0)) { sum, place in
      let from = max(samples[place].start, start)
      let to = place + 1 < samples.count ? min(samples[place + 1].start, end) : end
      if to <= from { return sum }
      return sum + samples[place].rate.bitsPerSecond / 8 * (to - from).nanoseconds / 1_000_000_000
    }
  }
}
