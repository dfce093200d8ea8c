/// What happened in a session, in lanes over one axis of time: states, buffer, requests, variants
/// and rates.
///
/// All times are nanoseconds from the start of the session.
package struct SessionChart: Sendable {
  /// A value from an instant on.
  package struct Sample: Hashable, Sendable {
    /// The instant.
    package var instant: Int64
    /// The value; nil as long as there is none.
    package var value: Int64?

    /// Creates a sample.
    package init(_ instant: Int64, _ value: Int64?) {
      self.instant = instant
      self.value = value
    }
  }

  /// A stretch of time, with the number of what it is about.
  package struct ChartStretch: Hashable, Sendable {
    /// When it begins.
    package var start: Int64
    /// When it ends.
    package var end: Int64
    /// The number of what it is about, such as a variant.
    package var number: Int

    /// Creates a stretch.
    package init(_ start: Int64, _ end: Int64, number: Int = 0) {
      self.start = start
      self.end = end
      self.number = number
    }
  }

  /// A state of a player, and how long it holds.
  package struct State: Hashable, Sendable {
    /// What a state looks like.
    package enum Kind: Sendable, CaseIterable {
      /// There is no wish to play.
      case paused
      /// The player waits, and is yet to judge how fast media comes.
      case evaluating
      /// The player waits for media.
      case waiting
      /// The player waits for something else.
      case held
      /// The player plays.
      case playing
      /// Playback stopped for want of media.
      case stalled
    }

    /// What it looks like.
    package var kind: Kind
    /// What it is, in a word or two.
    package var text: String
    /// When it begins.
    package var start: Int64
    /// When it ends.
    package var end: Int64

    /// Creates a state.
    package init(_ kind: Kind, _ text: String, from start: Int64, to end: Int64) {
      self.kind = kind
      self.text = text
      self.start = start
      self.end = end
    }
  }

  /// A request, from when it is made until its last byte has come.
  package struct ChartRequest: Hashable, Sendable {
    /// The lane of a request.
    package enum Lane: Hashable, Sendable {
      /// A file.
      case file
      /// A playlist.
      case playlist
      /// A key.
      case key
      /// Media of a variant, by its rung from the lowest rate up.
      case level(Int)
      /// Media of another track, such as audio.
      case rendition
    }

    /// A part of the way to the first byte, and how long it took.
    package struct RequestStep: Hashable, Sendable {
      /// What is done in it.
      package enum Kind: Sendable, CaseIterable {
        /// The name of the server is looked up.
        case lookup
        /// The connection is made.
        case connect
        /// The connection is secured.
        case secure
      }

      /// What is done.
      package var kind: Kind
      /// How long it takes.
      package var length: Int64

      /// Creates a part.
      package init(_ kind: Kind, _ length: Int64) {
        self.kind = kind
        self.length = length
      }
    }

    /// What became of a request.
    package enum Outcome: Sendable {
      /// It came whole.
      case whole
      /// It was still coming at the end.
      case open
      /// The player gave it up.
      case givenUp
      /// It went wrong.
      case failed

      /// Whether nothing is to be said against it.
      var isGood: Bool { self == .whole || self == .open }
    }

    /// Where it is drawn.
    package var lane: Lane
    /// What was asked for.
    package var text: String
    /// When it was made.
    package var start: Int64
    /// What was asked for, in a word or two.
    package var shortText = ""
    /// How many bytes were asked for.
    package var bytes: Int64 = 0
    /// The parts of the way to the first byte, one after another; what is left is waiting.
    package var steps: [RequestStep] = []
    /// When its first byte came; nil if none did.
    package var response: Int64?
    /// When its last byte came.
    package var end: Int64
    /// What became of it.
    package var outcome = Outcome.whole

    /// Creates a request of which nothing has come.
    package init(_ lane: Lane, _ text: String, from start: Int64, to end: Int64) {
      self.lane = lane
      self.text = text
      self.start = start
      self.end = end
    }
  }

  /// Something that happened at an instant.
  package struct Mark: Hashable, Sendable {
    /// What a mark looks like.
    package enum Kind: Sendable {
      /// What the user or the application did.
      case tap
      /// What happened to the link.
      case change
      /// What went wrong.
      case failure
      /// What the player tells.
      case note
    }

    /// When it happened.
    package var instant: Int64
    /// What it looks like.
    package var kind: Kind
    /// What it is, in a word or two.
    package var label: String
    /// What is to be said about it.
    package var text: String

    /// Creates a mark.
    package init(_ kind: Kind, at instant: Int64, _ label: String, text: String = "") {
      self.kind = kind
      self.instant = instant
      self.label = label
      self.text = text
    }
  }

  /// What is drawn of a player.
  package struct Player: Sendable {
    /// The player's name; nothing if there is but one.
    package var name: String
    /// The states, one after another.
    package var states: [State] = []
    /// What happened.
    package var marks: [Mark] = []
    /// The media ahead of the playhead, in nanoseconds, changing evenly from sample to sample.
    package var ahead: [Sample] = []
    /// The media ahead at which no more is loaded, constant from sample to sample.
    package var aheadLimits: [Sample] = []
    /// The requests, by the instant at which they were made.
    package var requests: [ChartRequest] = []
    /// The variants' names, from the lowest rate up.
    package var levels: [String] = []
    /// Which variant was played when.
    package var plays: [ChartStretch] = []
    /// The fill rate.
    package var fillRates: [Sample] = []
    /// The rate that the media needs in order to be played, constant from sample to sample.
    package var mediaRates: [Sample] = []
    /// The rate of a link that only this player has; none if all have that of the session.
    package var linkRates: [Sample] = []
    /// When a link that only this player has was down.
    package var outages: [ChartStretch] = []
    /// When its session ended; nil if it ended with the picture.
    package var end: Int64?

    /// Creates a player of which nothing is known yet.
    package init(name: String = "") { self.name = name }
  }

  /// What the session is called.
  package var title: String
  /// What else is to be said of it at first glance.
  package var subtitle: String
  /// The beginning of the axis of time.
  package var start: Int64 = 0
  /// The end of the axis of time.
  package var end: Int64
  /// From when on nothing happens until the end; nil if things do.
  ///
  /// A picture may leave most of that time out, and draws a break that says how long it is.
  package var quietSince: Int64?
  /// The players.
  package var players: [Player] = []
  /// What happened to the link.
  package var changes: [Mark] = []
  /// The rate of the link, constant from sample to sample.
  package var linkRates: [Sample] = []
  /// When the link was down.
  package var outages: [ChartStretch] = []

  /// Creates a session of nobody.
  package init(title: String, subtitle: String = "", end: Int64) {
    self.title = title
    self.subtitle = subtitle
    self.end = end
  }

  /// Returns one session in which others stand one below the other, such as the same movie under
  /// two rules: their players bear the names of the sessions.
  ///
  /// What the sessions have in common is drawn once; a link that is not that of the first session
  /// is drawn with its players.
  package static func stacked(
    title: String, subtitle: String = "", _ sessions: [(name: String, chart: SessionChart)]
  ) -> SessionChart {
    var result = SessionChart(
      title: title, subtitle: subtitle, end: sessions.map { $0.chart.end }.max() ?? 0)
    guard let first = sessions.first?.chart else { return result }
    // The longest is the one that says all that the link did.
    let longest = sessions.map { $0.chart }.max { $0.end < $1.end } ?? first
    result.linkRates = longest.linkRates
    result.outages = longest.outages
    result.changes = longest.changes
    result.quietSince = quiet(sessions.map { $0.chart }, until: result.end)
    for (name, chart) in sessions {
      let hasOwnLink = !chart.hasLink(of: longest)
      for player in chart.players {
        var player = player
        player.name = player.name.isEmpty ? name : "\(name): \(player.name)"
        player.end = chart.end
        if hasOwnLink {
          player.linkRates = chart.linkRates
          player.outages = chart.outages
          player.marks = (player.marks + chart.changes).sorted { $0.instant < $1.instant }
        }
        result.players.append(player)
      }
    }
    return result
  }

  /// Returns from when on nothing happens in any of some sessions.
  private static func quiet(_ charts: [SessionChart], until end: Int64) -> Int64? {
    let quiet = charts.map { $0.quietSince ?? $0.end }.max() ?? end
    return quiet < end ? quiet : nil
  }

  /// Whether a session's link is that of a longer one, as far as both go.
  private func hasLink(of other: SessionChart) -> Bool {
    if changes != other.changes.filter({ $0.instant <= end }) { return false }
    return Self.steps(linkRates, until: end) == Self.steps(other.linkRates, until: end)
  }

  /// Returns where samples change, however often they were taken.
  private static func steps(_ samples: [Sample], until end: Int64) -> [Int64?] {
    var steps: [Int64?] = []
    for sample in samples where sample.instant <= end {
      if steps.last != .some(sample.value) { steps.append(sample.value) }
    }
    return steps
  }

  /// The width of the lanes in a page, each pixel of which can show something else.
  package static let laneWidth = Figure.usualWidth - besideLanes
  /// The width of what stands beside the lanes: their names, and a margin.
  static let besideLanes = 136
  /// The most players that are drawn: more make a picture that nobody looks at.
  package static let playersMax = 16

  /// The picture, as wide as a page.
  package var figure: Figure { figure(width: nil) }

  /// Returns the picture in a width; nil for that of a page.
  package func figure(width: Int?) -> Figure {
    var drawing = SessionDrawing(self, width: width ?? Figure.usualWidth)
    drawing.draw()
    return Figure(
      title: title, summary: subtitle, width: drawing.pictureWidth, height: drawing.height,
      drawing.canvas)
  }
}

extension SessionChart.State.Kind {
  /// What a state looks like, and what is said about it.
  private struct Row {
    let style: String
    var letters = ""
    let meaning: String
    let lasting: String
    let weight: Int
  }

  private var row: Row {
    let wait = "of waiting"
    return switch self {
    case .paused: Row(style: "idle", meaning: "paused", lasting: "paused", weight: 0)
    case .playing:
      Row(style: "playing", letters: "white", meaning: "plays", lasting: "of playing", weight: 1)
    case .held: Row(style: "held", meaning: "waits for something else", lasting: wait, weight: 2)
    case .evaluating:
      Row(
        style: "evaluating", letters: "black", meaning: "evaluates the fill rate", lasting: wait,
        weight: 3)
    case .waiting:
      Row(style: "waiting", letters: "black", meaning: "waits for media", lasting: wait, weight: 4)
    case .stalled:
      Row(style: "stalled", letters: "white", meaning: "stalled", lasting: "of a stall", weight: 5)
    }
  }

  /// The class of the colour.
  var style: String { row.style }
  /// The class of letters that can be read on the colour.
  var letters: String { row.letters }
  /// The meaning, for the legend.
  var meaning: String { row.meaning }
  /// What a length of time in the state is a length of.
  var lasting: String { row.lasting }
  /// How much it matters that it is seen and not another state in the same pixel.
  var weight: Int { row.weight }
}
