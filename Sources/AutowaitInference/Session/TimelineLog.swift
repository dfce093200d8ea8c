import Autowait
import AutowaitFidelity
import AutowaitScenario

/// Takes recordings in the format `player-timeline/1` for logs.
package enum TimelineLog {
  static func session(
    _ source: SourceText, _ options: SessionLogReader.LogOptions
  ) throws(RecordingProblem) -> SessionLog {
    let reader = RecordingReader { path throws(RecordingProblem) in
      if path == source.path { return source.bytes }
      guard let bytes = options.load(path) else {
        throw RecordingProblem(source.path, "names a file that is not there")
      }
      return bytes
    }
    let recording: Recording
    do throws(RecordingProblem) {
      recording = try reader.recording(source.path, casePath: nil)
    } catch {
      // A reason may have the words of the file, which may be an address.
      let isPlace = error.path.hasPrefix("\(source.path):")
      throw RecordingProblem(
        isPlace ? error.path : source.path, error.reason.withoutQuotes)
    }
    return session(recording, source.path)
  }

  /// Returns the log that a recording amounts to: without how its link was planned.
  package static func session(_ recording: Recording, _ path: String) -> SessionLog {
    let requests = recording.requests.map { SessionRequest($0) }
    var log = SessionLog(.timeline, name: path, requests: requests)
    (log.play, log.player) = (recording.play, recording.player)
    // What crossed the link is larger than the medium by the headers.
    var medium = SessionMedia(recording.medium, start: nil).sized(by: requests)
    medium.variants = recording.medium.variants
    log.medium = medium
    log.outcome = recording.outcome
    log.stallCount = recording.outcome.stalls.count
    log.roundTrip = SessionDraft.roundTrip(requests)
    let last = requests.lazy.map { $0.done ?? $0.sent }.max()
    log.end = [recording.cut, recording.outcome.end, last].compactMap { $0 }.max()
    log.notes = ["A recording does not tell servers and connections apart."]
    return log
  }
}

extension SessionRequest {
  /// Takes a recorded request: its clock is that of a browser or of a server.
  init(_ recorded: RecordedRequest) {
    let kind: Kind =
      switch recorded.resource {
      case .multivariantPlaylist, .mediaPlaylist: .playlist
      case .initialization: .initialization
      case .segment, .file: .segment
      case .contentKey: .key
      case nil: .other
      }
    self.init(kind, sent: recorded.asked, quantum: .milliseconds(1))
    (firstByte, done, size) = (recorded.began, recorded.closed, recorded.size)
    (isAborted, resource) = (recorded.aborted != nil, recorded.resource)
  }
}

extension String {
  /// The text with what stands in quotation marks left out.
  var withoutQuotes: String {
    var (text, isInside) = ("", false)
    for character in self {
      if character == "'" {
        isInside.toggle()
        text.append(isInside ? "'…" : "'")
      } else if !isInside {
        text.append(character)
      }
    }
    return text
  }
}
