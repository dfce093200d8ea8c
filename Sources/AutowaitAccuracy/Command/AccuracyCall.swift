import AutowaitScenario

/// What `autowait-accuracy` is asked to do.
package enum AccuracyCall: Equatable {
  /// Why a call cannot be understood.
  package struct UsageError: Error, Equatable {
    /// The reason, in lower case and without a full stop.
    package let message: String
    /// What would help.
    package let notes: [String]
  }

  /// To explain itself.
  case help
  /// To hold the models of a transfer against measured ones.
  case measurements(folder: String?, isVerbose: Bool, losses: MeasuredCase.Losses)
  /// To decide the sessions of other simulators again.
  case parity(folder: String?)
  /// To compare the tiers of a link on drawn links.
  case tiers(seeds: Range<UInt64>, isVerbose: Bool)
  /// To run Sabre and its sessions here in turn.
  case sabre(folder: String)
  /// To say what movie files say of themselves.
  case movies(folder: String)

  /// Reads the arguments of a call, without the name of the tool.
  package init(_ arguments: [String]) throws(UsageError) {
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help
      return
    }
    var options: [String] = []
    var folders: [String] = []
    for argument in arguments {
      if !argument.hasPrefix("-") {
        folders.append(argument)
      } else if !Self.options.contains(argument) {
        let nearest = NearestWord.nearest(to: argument, among: Self.options)
        throw Self.error(
          "unknown option '\(argument)'", note: nearest.map { "did you mean '\($0)'?" })
      } else if options.contains(argument) {
        throw Self.error("'\(argument)' is given twice")
      } else {
        options.append(argument)
      }
    }
    if folders.contains("") { throw Self.error("the path of the folder is empty") }
    if folders.count > 1 {
      throw Self.error("one folder is expected, but '\(folders[0])' and '\(folders[1])' are given")
    }
    if options.contains("--tiers") {
      let others = options.filter { $0 != "--tiers" && $0 != "--verbose" }
      if let other = others.first {
        throw Self.error("'--tiers' and '\(other)' exclude each other")
      }
      self = .tiers(
        seeds: try Self.seeds(folders.first), isVerbose: options.contains("--verbose"))
      return
    }
    let modes = ["--parity", "--sabre", "--movies"]
    if let mode = options.first(where: { modes.contains($0) }),
      let other = options.first(where: { $0 != mode })
    {
      throw Self.error("'\(mode)' and '\(other)' exclude each other")
    }
    if options == ["--sabre"] {
      guard let folder = folders.first else {
        throw Self.error("'--sabre' needs FOLDER: a checkout of Sabre")
      }
      self = .sabre(folder: folder)
    } else if options == ["--movies"] {
      guard let folder = folders.first else {
        throw Self.error("'--movies' needs FOLDER: a folder of movies")
      }
      self = .movies(folder: folder)
    } else if options == ["--parity"] {
      self = .parity(folder: folders.first)
    } else {
      self = .measurements(
        folder: folders.first, isVerbose: options.contains("--verbose"),
        losses: options.contains("--measured-losses") ? .measured : .own)
    }
  }

  /// The seeds of links that are drawn if the call does not say which.
  package static let seedsDefault: Range<UInt64> = 0..<1_500

  /// Reads a range of seeds, as in 0..1500.
  private static func seeds(_ word: String?) throws(UsageError) -> Range<UInt64> {
    guard let word else { return seedsDefault }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty, let first = UInt64(parts[0]),
      let end = UInt64(parts[2]), first < end
    else { throw Self.error("'\(word)' is not a range of seeds", note: "for example 0..1500") }
    return first..<end
  }

  private static let options = [
    "--parity", "--tiers", "--sabre", "--movies", "--verbose", "--measured-losses", "--help",
  ]

  private static func error(_ message: String, note: String? = nil) -> UsageError {
    UsageError(
      message: message, notes: [note, "see 'autowait-accuracy --help'"].compactMap { $0 })
  }

  /// The text of `autowait-accuracy --help`.
  package static let helpText = """
    autowait-accuracy: compares Autowait with measurements and other simulators

    usage: autowait-accuracy [FOLDER] [--verbose] [--measured-losses]
           autowait-accuracy [FOLDER] --parity
           autowait-accuracy [SEEDS] --tiers [--verbose]
           autowait-accuracy FOLDER --sabre
           autowait-accuracy FOLDER --movies

    Compares the models of a transfer with measured transfers and prints how far
    they are apart. The measurements are in FOLDER; by default that is the folder
    in the environment variable AUTOWAIT_ORACLES, else ../shared/oracles.

    options:
      --verbose           Lists the requests that each model gets most wrong
      --measured-losses   Lets the models lose the packets that the measured runs
                          lost, instead of packets of their own choice
      --parity            Decides the recorded sessions of Sabre and Pensieve in
                          FOLDER again, and prints how far they are apart
      --tiers             Draws links, and compares the fluid tier with the packet
                          tier where 'auto' takes it; SEEDS are a range, by default
                          0..1500
      --sabre             Runs Sabre, of which FOLDER is a checkout, with python3,
                          and the same sessions here, and prints both speeds
      --movies            Prints what is read of each movie in FOLDER, as a line of
                          JSON: what '.ci/movies' compares with ffprobe
      -h, --help          Prints this help

    examples:
      autowait-accuracy measurements
          Compares the models with the measurements in a folder.
      autowait-accuracy measurements --verbose
          Lists the largest errors too.
      autowait-accuracy measurements --parity
          Says for each session of Sabre and Pensieve whether it is the same here.
      autowait-accuracy --tiers --verbose
          Compares the tiers on drawn links, and lists the largest errors.
      autowait-accuracy sabre --sabre
          Compares the speed with that of a checkout of Sabre.
      autowait-accuracy movies --movies
          Says how long the tracks of each movie are, and where its index is.

    exit codes:
      0  the results were printed; with --parity all sessions are the same
      1  with --parity, a session differs
      2  wrong usage, or an invalid or unusable file

    """
}
