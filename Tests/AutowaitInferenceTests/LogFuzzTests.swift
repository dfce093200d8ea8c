import Autowait
import AutowaitFidelity
import AutowaitInference
import AutowaitRendering
import AutowaitScenario
import Testing

/// Logs that were damaged, and logs with secrets.
@Suite struct LogFuzzTests {
  private static let forms: [SessionLog.Form] = [.har, .cmcd1, .cmcd2, .avmetrics, .accesslog]
  #if DEBUG
  private static let rounds = 12
  #else
  private static let rounds = 40
  #endif

  /// Reads a text as any form, plays what can be played, and returns all that is said of it.
  private func said(_ text: [UInt8], _ form: SessionLog.Form, _ media: SessionMedia?) -> [String] {
    var options = SessionLogReader.LogOptions()
    (options.form, options.media) = (form, media)
    do throws(RecordingProblem) {
      let logs = try SessionLogReader.read(SourceText(path: "log", bytes: text), options)
      for log in logs {
        #expect(zip(log.requests, log.requests.dropFirst()).allSatisfy { $0.sent <= $1.sent })
        for request in log.requests {
          #expect(request.sent >= .start)
          if let done = request.done { #expect(done >= request.sent) }
          if let first = request.firstByte { #expect(first >= request.sent) }
        }
      }
      return logs.flatMap { [$0.name] + $0.notes }
    } catch {
      #expect(!error.reason.isEmpty)
      return [error.description]
    }
  }

  /// What is cut, flipped, shuffled or missing is a finding or a log, and never a trap.
  @Test(arguments: forms)
  func damagedLogsAreFindings(_ form: SessionLog.Form) throws {
    let session = try ExportedSession()
    let text = Array(session.text(form).utf8)
    var random = RandomStream(seed: 1, component: "tests", purpose: form.rawValue)
    for _ in 0..<Self.rounds {
      var bytes = text
      switch random.next(below: 4) {
      case 0: bytes.removeLast(Int(random.next(below: UInt64(bytes.count))))
      case 1:
        for _ in 0..<8 {
          bytes[Int(random.next(below: UInt64(bytes.count)))] = UInt8(random.next(below: 256))
        }
      case 2:
        var lines = bytes.split(separator: 0x0A)
        for place in lines.indices {
          lines.swapAt(place, Int(random.next(below: UInt64(lines.count))))
        }
        bytes = Array(lines.joined(separator: [0x0A]))
      default:
        // Digits that become other digits leave numbers that are wild.
        for place in bytes.indices
        where (0x30...0x39).contains(bytes[place]) && random.next(below: 20) == 0 {
          bytes[place] = 0x30 + UInt8(random.next(below: 10))
        }
      }
      _ = said(bytes, form, session.media)
    }
  }

  /// The order of entries says nothing, and 2 % that are missing leave the others as they are.
  @Test func orderIsNoMatter() throws {
    let session = try ExportedSession()
    let lines = session.text(.cmcd1).split(separator: "\n")
    let log = try #require(try session.logs(.cmcd1).first)
    let reversed = try session.logs(.cmcd1, lines.reversed().joined(separator: "\n"))
    #expect(reversed.first?.requests == log.requests)
    let missing = try session.logs(
      .cmcd1, (lines.prefix(4) + lines.dropFirst(5)).joined(separator: "\n"))
    #expect(missing.first?.requests.count == log.requests.count - 1)
    #expect(missing.first?.medium?.duration == log.medium?.duration)
  }

  /// A clock in whole milliseconds is the same session.
  @Test func millisecondsAreEnough() throws {
    let session = try ExportedSession()
    let exact = try #require(try session.logs(.avmetrics).first)
    let text = session.text(.avmetrics).split(separator: "\n").map { line in
      String(line).replacing(/([0-9]+\.[0-9]{3})[0-9]+/) { "\($0.output.1)" }
    }.joined(separator: "\n")
    let coarse = try #require(try session.logs(.avmetrics, text).first)
    #expect(coarse.requests.count == exact.requests.count)
    for (one, other) in zip(coarse.requests, exact.requests) {
      #expect(abs((one.sent - other.sent).nanoseconds) <= 2_000_000)
      #expect(one.resource == other.resource)
    }
  }

  /// No secret of a log reaches what is said of it, whole or damaged.
  @Test(arguments: forms)
  func secretsStay(_ form: SessionLog.Form) throws {
    let session = try ExportedSession()
    let secret = ExportedSession.secret
    let planted = session.text(form)
      .replacing("media.invalid", with: "\(secret).example")
      .replacing("item0", with: secret)
      .replacing("\"headers\":[]", with: #""headers":[{"name":"Cookie","value":"\#(secret)"}]"#)
      .replacing("\"title\":\"", with: "\"title\":\"\(secret)")
    #expect(planted.contains(secret))
    var random = RandomStream(seed: 2, component: "tests", purpose: form.rawValue)
    for round in 0..<Self.rounds {
      var bytes = Array(planted.utf8)
      if round > 0 { bytes.removeLast(Int(random.next(below: UInt64(bytes.count)))) }
      for text in said(bytes, form, round % 2 == 0 ? session.media : nil) {
        #expect(!text.contains(secret), "\(text)")
      }
    }
    let log = try #require(try session.logs(form, planted).first)
    #expect(log.addresses.isEmpty && !"\(log)".contains("\(secret).example"))
    if let stage = SessionStage(log), !log.requests.isEmpty {
      let rule = try #require(RuleChoice(named: "hls.js", isStream: true))
      let report = try WhatIfReport(stage, recorded: rule, rules: [rule], on: [session.link])
      let text = WhatIfText.text(report, style: .init(width: 100, usesColor: false))
      let json = String(decoding: WhatIfJSON.line(report), as: UTF8.self)
      let rows = FleetRow.rows(report, key: "0").map(\.csv).joined()
      let scenario = stage.text(rule, on: session.link)
      for output in [text, json, rows, scenario] { #expect(!output.contains(secret)) }
    }
  }
}
