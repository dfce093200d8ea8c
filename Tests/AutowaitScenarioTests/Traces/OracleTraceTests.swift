import Autowait
import AutowaitScenario
import Foundation
import Testing

/// Real traces of the peers survive a round trip; without the oracles there is nothing to test.
@Suite struct OracleTraceTests {
  private static let folder: URL? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["AUTOWAIT_ORACLES"] ?? "../shared/oracles"
    let folder = URL(filePath: path, relativeTo: repository).appending(path: "traces")
    if FileManager.default.fileExists(atPath: folder.path) { return folder }
    print("skipped: no oracles")
    return nil
  }()

  /// The paths of all files below a folder of traces.
  private static func files(_ name: String) -> [String] {
    guard let folder else { return [] }
    let below = folder.appending(path: name).path
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: below)) ?? []
    return paths.sorted().map { "\(below)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  private func read(_ bytes: [UInt8], _ format: TraceFormat) throws -> ConvertedLink {
    let reading = TraceReader.read(TraceSample.source(bytes, chunk: 1 << 16))
    #expect(reading.format == format)
    #expect(reading.findings.map(\.rendered) == [])
    return try #require(reading.link)
  }

  /// The numbers of the rows of a Sabre network.
  private func rows(_ bytes: [UInt8]) throws -> [[ExactDecimal?]] {
    let root = try JSONDocument(SourceText(path: "x", bytes: bytes)).root
    return root.elements.map { row in
      ["duration_ms", "bandwidth_kbps", "latency_ms"].map { row.member($0)?.decimal }
    }
  }

  @Test(arguments: files("sabre") + files("micro"))
  func rowsOfSabreStayTheSame(_ path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let written = try TraceWriter.write(try read(bytes, .sabre), .sabre)
    #expect(written.warnings == [])
    #expect(try rows(written.bytes) == rows(bytes))
  }

  @Test(arguments: files("pensieve"))
  func rowsOfPensieveStayTheSame(_ path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let link = try read(bytes, .pensieve)
    let written = try TraceWriter.write(link, .pensieve)
    #expect(try read(written.bytes, .pensieve).profile == link.profile)
    // Nanosecond by nanosecond, and to one of the two whole rates around what a line spells.
    let (lines, others) = (numbers(bytes), numbers(written.bytes))
    #expect(lines.count == others.count)
    for (line, other) in zip(lines, others).dropFirst() {
      let times = [line[0], other[0]].map { $0?.nearestInteger(scaledBy: 1_000_000_000) }
      #expect(times[0] == times[1])
      guard case .exact(let spelled)? = line[1]?.nearestInteger(scaledBy: 1_000_000_000_000),
        case .exact(let rate)? = other[1]?.nearestInteger(scaledBy: 1_000_000)
      else {
        Issue.record("a line without a rate")
        return
      }
      #expect(abs(rate * 1_000_000 - spelled) < 1_000_000)
    }
  }

  private func numbers(_ bytes: [UInt8]) -> [[ExactDecimal?]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      line.split(whereSeparator: \.isWhitespace).map { ExactDecimal(String($0)) }
    }
  }
}
