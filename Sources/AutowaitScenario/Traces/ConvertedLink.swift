import Autowait

/// A link, and what is known about it beside what it does.
package struct ConvertedLink: Hashable, Sendable {
  /// What it is called.
  package var name: String
  /// Where it comes from, in a few words; empty if nobody said.
  package var source: String
  /// What its rates are rates of; nil if nobody said.
  package var kind: TraceKind?
  /// What it does.
  package var profile: LinkProfile
  /// What it is, in a sentence; empty if nobody said.
  package var about = ""
  /// How far its numbers can be trusted; nil if nobody said.
  package var confidence: LinkPreset.Confidence?
  /// What only a file of autowait's own can say of it.
  var own = OwnParts()

  /// What no other format has a word for, and no profile either.
  struct OwnParts: Hashable, Sendable {
    /// How it asks for requests to be carried.
    var transport: AskedTransport?
    /// Whether nothing but a way up that is spelled out, and unlimited, says that it is not ideal.
    var spellsUp = false
    /// Its on and off times.
    var outage: LinkOutage?
    /// Its events in JSON, if some lead to links of their own.
    var events: [UInt8]?
    /// The links of hosts, in JSON.
    var hosts: [UInt8]?
  }

  /// Creates a link with a name.
  package init(name: String, source: String = "", kind: TraceKind? = nil, _ profile: LinkProfile) {
    self.name = name
    self.source = source
    self.kind = kind
    self.profile = profile
  }
}

/// How a trace is read.
package struct TraceOptions {
  /// The format of the file; nil to recognize it.
  package var format: TraceFormat?
  /// Which of several profiles in a file is meant.
  package var profileName: String?
  /// What the columns of a table are, if somebody says it; nil to read their names.
  package var columns: TableColumns?
  /// How much of the trace is needed: nothing behind it is read.
  package var until: TimeSpan?
  /// What follows the end of the trace; nil for what its format says.
  package var ending: TraceEnding?
  /// What names the file, and so what a message tells to say more.
  var place = Place.conversion
  /// Finds the files that a link of our own begins with.
  package var loader = FileLoader.none
  /// How much time is taken together where single packets are given; nil for what is usual.
  package var bin: TimeSpan?

  /// What names a file: `autowait convert`, a scenario, or another command.
  enum Place {
    case conversion, scenario, command

    /// What chooses one of several profiles.
    var profileMeans: String {
      switch self {
      case .conversion: "'--profile'"
      case .scenario: "the key 'profile'"
      case .command: "'autowait convert --profile'"
      }
    }

    /// What says what the columns of a table are.
    func columnsMeans(_ example: String) -> String {
      switch self {
      case .conversion: "'--columns \(example)'"
      case .scenario: "the key \"columns\": \"\(example)\" next to \"trace\""
      case .command: "'autowait convert --columns \(example)'"
      }
    }

    /// What says what a file is.
    var formatMeans: String {
      switch self {
      case .conversion: "'--from'"
      case .scenario: "the key 'format'"
      case .command: "'autowait convert --from'"
      }
    }
  }

  /// Creates options that leave everything to the file.
  package init() {}
}

/// What became of a file that was read as a trace or profile.
package struct TraceReading: Sendable {
  /// The format it was taken for; nil if that was not to be found out.
  package var format: TraceFormat?
  /// The link; nil with an error among the findings.
  package var link: ConvertedLink?
  /// What is to be said about the file.
  package var findings: [Finding]
}
