import Autowait
import AutowaitScenario

/// What a column of a state strip can show.
enum StripState: CaseIterable {
  case paused, evaluating, waiting, noItem, coordinated, interstitial, playing, standing
  case seek, stalled, failed, ended

  /// What a state looks like in a strip, and what is said about it.
  private struct Row {
    let symbol: Character
    let meaning: String
    var lasting: String?
    let paint: Paint
    let weight: Int
  }

  private var row: Row {
    let wait = "of waiting"
    return switch self {
    case .paused:
      Row(symbol: "·", meaning: "paused", lasting: "paused", paint: .dim, weight: 1)
    case .evaluating:
      Row(
        symbol: "e", meaning: "evaluates the fill rate", lasting: wait, paint: .yellow, weight: 4)
    case .waiting: Row(symbol: "w", meaning: "waits", lasting: wait, paint: .yellow, weight: 5)
    case .noItem: Row(symbol: "n", meaning: "no item", lasting: wait, paint: .yellow, weight: 4)
    case .coordinated:
      Row(symbol: "c", meaning: "waits for others", lasting: wait, paint: .yellow, weight: 4)
    case .interstitial:
      Row(symbol: "i", meaning: "interstitial", lasting: wait, paint: .yellow, weight: 4)
    case .playing: Row(symbol: "━", meaning: "plays", paint: .green, weight: 3)
    case .standing:
      Row(
        symbol: "─", meaning: "stands still", lasting: "of standing still", paint: .dim, weight: 2)
    case .seek: Row(symbol: "s", meaning: "seek", paint: .bold, weight: 6)
    case .stalled:
      Row(symbol: "!", meaning: "stalled", lasting: "of a stall", paint: .red, weight: 9)
    case .failed: Row(symbol: "x", meaning: "failed", paint: .red, weight: 8)
    case .ended: Row(symbol: "■", meaning: "end", paint: .bold, weight: 7)
    }
  }

  /// The symbol: letters wait, lines play, signs are things that happened.
  var symbol: Character { row.symbol }
  /// The meaning of the symbol.
  var meaning: String { row.meaning }
  /// What a length of time in the state is a length of; nil if it needs no words.
  var lasting: String? { row.lasting }
  /// The colour.
  var paint: Paint { row.paint }
  /// How much it matters that a column shows this and not another state that it covers.
  fileprivate var weight: Int { row.weight }
}

/// The states of a player over a run, as its records tell them.
struct PlayerHistory {
  /// A state that holds from an instant until the next one begins.
  struct Run {
    var state: StripState
    var start: Instant
  }

  private(set) var runs = [Run(state: .paused, start: .start)]
  /// What happened at single instants.
  private(set) var marks: [Run] = []
  private var status: RecordedStatus
  private var reason: WaitingReason?
  private var isTimebaseRunning = false
  private var stall = RecordedStall()
  private var hasEnded = false
  private var isHeld = false

  private init(_ status: RecordedStatus) { self.status = status }

  /// Whether the player plays, and will go on, at the end of the records.
  var isPlaying: Bool { status.value == .playing && !hasEnded }

  /// Returns the histories of all players of a run.
  static func all(_ result: RunResult) -> [PlayerHistory] {
    let world = result.scenario.world
    var histories = world.players.indices.map { PlayerHistory(RecordedStatus($0, world)) }
    for record in result.records {
      if let player = record.player {
        histories[player].take(record)
      } else if case .step(let index) = record.event,
        case .player(let player, _) = world.script[index].action
      {
        histories[player].take(record)
      }
    }
    for player in histories.indices { histories[player].move(to: result.end) }
    return histories
  }

  /// Returns the state at an instant.
  func state(at instant: Instant) -> StripState {
    runs.last { $0.start <= instant }?.state ?? .paused
  }

  /// Notes that a host time has come until which the time was held.
  private mutating func move(to instant: Instant) {
    guard let held = status.heldUntil, held <= instant, isHeld else { return }
    isHeld = false
    enter(state, at: held)
  }

  private mutating func take(_ record: EventRecord) {
    move(to: record.instant)
    let isNewStatus = status.take(record)
    isHeld = status.heldUntil.map { $0 > record.instant } ?? false
    let isNewStall = stall.take(record)
    if isNewStatus { hasEnded = false }
    switch record.event.topic {
    case .playback(.reasonForWaitingToPlay(let new)): reason = new
    case .playback(.timebaseRate(let rate, _)): isTimebaseRunning = rate != .zero
    case .playback(.stalled): marks.append(Run(state: .stalled, start: record.instant))
    case .playback(.didPlayToEndTime):
      hasEnded = true
      marks.append(Run(state: .ended, start: record.instant))
    case .playback(.itemStatus(.failed)): marks.append(Run(state: .failed, start: record.instant))
    case .playback(.seek):
      hasEnded = false
      marks.append(Run(state: .seek, start: record.instant))
    case .playback(.currentItem): hasEnded = false
    case .playback(.itemStatus), .playback(.rate), .playback(.timeControlStatus),
      .playback(.timeJumped), .playback(.seekDidComplete), .playback(.pictureFrozen),
      .playback(.exception), .world, .request, .variant, .buffer, .queue, .setting, .notice:
      if !isNewStatus, !isNewStall { return }
    }
    enter(state, at: record.instant)
  }

  private var state: StripState {
    switch status.value {
    case .paused: return .paused
    case .playing: return isTimebaseRunning && !isHeld && !hasEnded ? .playing : .standing
    case .waitingToPlayAtSpecifiedRate:
      return switch reason {
      case .noItemToPlay: .noItem
      case .waitingForCoordinatedPlayback: .coordinated
      case .interstitialEvent: .interstitial
      case .evaluatingBufferingRate: stall.start == nil ? .evaluating : .stalled
      case .toMinimizeStalls, nil: stall.start == nil ? .waiting : .stalled
      }
    }
  }

  /// Notes a state; one that lasted no time at all is forgotten.
  private mutating func enter(_ state: StripState, at instant: Instant) {
    if runs[runs.count - 1].start == instant { runs.removeLast() }
    if runs.last?.state != state { runs.append(Run(state: state, start: instant)) }
  }

  /// Returns what each column of a strip shows.
  ///
  /// A column shows the state that it leaves behind, unless something would then be seen nowhere:
  /// of all states that begin and end within the column, and of the things that happen at one
  /// instant, the one that matters most wins.
  func strip(_ axis: TimelineAxis) -> [StripState] {
    var strip = Array(repeating: StripState.paused, count: axis.columns)
    // Whether what a column leaves behind is shown by a later column as well.
    var isShownAgain = Array(repeating: true, count: axis.columns)
    for (index, run) in runs.enumerated() {
      let last =
        index + 1 < runs.count ? axis.column(of: runs[index + 1].start) : axis.columns
      let first = axis.column(of: run.start)
      for column in first..<max(first, last) {
        strip[column] = run.state
        isShownAgain[column] = last > first + 1
      }
    }
    for (index, run) in runs.enumerated() where index + 1 < runs.count {
      let column = axis.column(of: run.start)
      guard column < axis.columns, column == axis.column(of: runs[index + 1].start) else {
        continue
      }
      if run.state == strip[column] { continue }
      if isShownAgain[column] || run.state.weight > strip[column].weight {
        strip[column] = run.state
        isShownAgain[column] = false
      }
    }
    for mark in marks {
      var column = axis.column(of: mark.start)
      if mark.state == .ended, column < axis.columns, strip[column] == .stalled {
        // Both matter: behind the end there is room.
        column += 1
      }
      if column < axis.columns, mark.state.weight > strip[column].weight {
        strip[column] = mark.state
      }
    }
    return strip
  }

  /// Returns a strip in which every state of the player is seen: one that no column shows takes a
  /// column that can be spared.
  func completed(_ strip: ArraySlice<StripState>, _ axis: TimelineAxis) -> ArraySlice<StripState> {
    var strip = strip
    for state in StripState.allCases where !strip.contains(state) {
      if let column = column(for: state, in: strip, axis) { strip[column] = state }
    }
    return strip
  }

  /// Returns a column in which a state can be seen that is not; nil if there is none or no room.
  ///
  /// It is one in which the state holds or, if what those show is seen nowhere else, one beside
  /// them; best is one that shows nothing that happened.
  private func column(
    for state: StripState, in strip: ArraySlice<StripState>, _ axis: TimelineAxis
  ) -> Int? {
    var places: [ClosedRange<Int>] = []
    for (index, run) in runs.enumerated() where run.state == state {
      let first = axis.column(of: run.start)
      let next = index + 1 < runs.count ? axis.column(of: runs[index + 1].start) : first
      places.append(first...next)
    }
    for mark in marks where mark.state == state {
      places.append(axis.column(of: mark.start)...axis.column(of: mark.start))
    }
    for weightMax in [StripState.waiting.weight, StripState.stalled.weight] {
      for offset in [0, 1, -1] {
        for column in places.joined() {
          let shown = column + offset
          guard strip.indices.contains(shown), shown != axis.gap?.column,
            strip[shown].weight <= weightMax
          else { continue }
          if strip.count(where: { $0 == strip[shown] }) > 1 { return shown }
        }
      }
    }
    return nil
  }
}
