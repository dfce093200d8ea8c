import Autowait
import AutowaitScenario
import Testing

/// Films of Sabre as media.
@Suite struct SabreMovieReaderTests {
  static func read(_ movie: String?, kind: String = "") -> (Scenario?, [Finding]) {
    let text = """
      {"autowait":1,"link":"demo/fast","media":{\(kind)"movie":"film.json"},
      "script":[{"at":0,"do":"load"}]}
      """
    let loader = FileLoader { path, _ in
      guard let movie, path == "film.json" else {
        return .failure(FileLoader.FileProblem("does not exist"))
      }
      return .success(SourceText(path: path, text: movie))
    }
    return ScenarioReader.read(SourceText(path: "x.json", text: text), loader: loader)
  }

  @Test func sizesAreWholeBytes() throws {
    let (scenario, findings) = Self.read(
      #"{"segment_duration_ms":3000,"bitrates_kbps":[230,0.5],"#
        + #""segment_sizes_bits":[[8,9],[16,17],[800,1]],"origin":"ours"}"#)
    let world = try #require(scenario?.world, "\(findings)")
    let streamMedia = try #require(world.players[0].media[0].streamMedia)
    #expect(streamMedia.variants.map(\.bandwidth.bitsPerSecond) == [230_000, 500])
    #expect(streamMedia.lists.map(\.end) == [.seconds(9), .seconds(9)])
    #expect((0..<3).map { streamMedia.lists[0].size(of: $0).bytes } == [1, 2, 100])
    #expect((0..<3).map { streamMedia.lists[1].size(of: $0).bytes } == [2, 3, 1])
    // What the log keeps of it is the stream spelled out.
    let resolved = String(decoding: try #require(scenario).resolved, as: UTF8.self)
    #expect(!resolved.contains("film.json") && resolved.contains("\"lists\""))
  }

  @Test(
    arguments: [
      (nil, "x.json:1:51: error: the file 'film.json' does not exist"),
      ("{", "film.json:1:2: error: "),
      (
        #"{"segment_duration_ms":0,"bitrates_kbps":[1],"segment_sizes_bits":[[1]]}"#,
        "film.json:1:24: error: 'segment_duration_ms' must be more than 0, and"
      ),
      (
        #"{"segment_duration_ms":1,"bitrates_kbps":[],"segment_sizes_bits":[[]]}"#,
        "film.json:1:66: error: a film needs a segment, and 1 to 1000 bit rates"
      ),
      (
        #"{"segment_duration_ms":1,"bitrates_kbps":[1,2],"segment_sizes_bits":[[1,2],[1]]}"#,
        "film.json:1:69: error: segment 1 needs a size for each of 2 bit rates"
      ),
      (
        #"{"segment_duration_ms":1,"bitrates_kbps":[1],"segment_sizes_bits":[[0]]}"#,
        "film.json:1:69: error: "
      ),
      (
        #"{"bitrates_kbps":[1],"segment_sizes_bits":[[1]]}"#,
        "film.json:1:1: error: a film needs the key 'segment_duration_ms'"
      ),
    ] as [(String?, String)])
  func mistakesAreTold(_ movie: String?, _ message: String) {
    let (scenario, findings) = Self.read(movie)
    #expect(scenario == nil)
    let told = findings.map { "\($0.path):\($0.line):\($0.column): error: \($0.message)" }
    #expect(told.contains { $0.hasPrefix(message) }, "\(told)")
  }

  @Test func onlyStreamsAreFilms() {
    let (_, findings) = Self.read("{}", kind: #""kind":"local","#)
    #expect(
      findings.contains { $0.message == "only a stream, of the kind 'hls', has a 'movie'" })
  }
}
