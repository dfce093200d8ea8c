import AutowaitAccuracy
import Testing

/// What `autowait-accuracy` makes of its arguments.
@Suite struct AccuracyCallTests {
  @Test(
    arguments: [
      ("", .measurements(folder: nil, isVerbose: false, losses: .own)),
      ("a", .measurements(folder: "a", isVerbose: false, losses: .own)),
      ("--verbose a", .measurements(folder: "a", isVerbose: true, losses: .own)),
      ("--measured-losses", .measurements(folder: nil, isVerbose: false, losses: .measured)),
      (
        "a --verbose --measured-losses",
        .measurements(folder: "a", isVerbose: true, losses: .measured)
      ),
      ("--parity", .parity(folder: nil)), ("a --parity", .parity(folder: "a")),
      ("--sabre a", .sabre(folder: "a")), ("a --sabre", .sabre(folder: "a")),
      ("--movies a", .movies(folder: "a")),
      ("--tiers", .tiers(seeds: 0..<1_500, isVerbose: false)),
      ("3..5 --tiers --verbose", .tiers(seeds: 3..<5, isVerbose: true)),
      ("--help", .help), ("-h", .help), ("--parity --nonsense --help", .help),
    ] as [(String, AccuracyCall)])
  func callsAreUnderstood(_ line: String, _ call: AccuracyCall) throws {
    #expect(try AccuracyCall(line.split(separator: " ").map(String.init)) == call)
  }

  @Test(
    arguments: [
      ("--parit", "unknown option '--parit'", "did you mean '--parity'?"),
      ("--accuracy", "unknown option '--accuracy'", nil),
      ("-v", "unknown option '-v'", nil),
      ("--sabre", "'--sabre' needs FOLDER: a checkout of Sabre", nil),
      ("--movies", "'--movies' needs FOLDER: a folder of movies", nil),
      ("--movies --parity a", "'--movies' and '--parity' exclude each other", nil),
      ("--parity --sabre a", "'--parity' and '--sabre' exclude each other", nil),
      ("--verbose --sabre a", "'--sabre' and '--verbose' exclude each other", nil),
      ("--tiers --parity", "'--tiers' and '--parity' exclude each other", nil),
      ("--tiers a", "'a' is not a range of seeds", "for example 0..1500"),
      ("--tiers 5..5", "'5..5' is not a range of seeds", "for example 0..1500"),
      ("--parity --parity", "'--parity' is given twice", nil),
      ("a b", "one folder is expected, but 'a' and 'b' are given", nil),
    ] as [(String, String, String?)])
  func mistakesAreExplained(_ line: String, _ message: String, _ note: String?) {
    let error = #expect(throws: AccuracyCall.UsageError.self) {
      try AccuracyCall(line.split(separator: " ").map(String.init))
    }
    #expect(error?.message == message)
    #expect(error?.notes == [note, "see 'autowait-accuracy --help'"].compactMap { $0 })
  }

  @Test func anEmptyPathIsNoFolder() {
    #expect(throws: AccuracyCall.UsageError.self) { try AccuracyCall(["", "--parity"]) }
  }

  /// Each option stands in the help, whose lines fit in 80 columns.
  @Test func helpFitsATerminal() {
    for option in [
      "--parity", "--tiers", "--sabre", "--movies", "--verbose", "--measured-losses", "-h, --help",
    ] {
      #expect(AccuracyCall.helpText.contains("  \(option) "), "\(option)")
    }
    #expect(AccuracyCall.helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
