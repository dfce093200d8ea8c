import Autowait
import AutowaitFiles
import AutowaitScenario

/// Notes what a scenario reads of the files that it names, for a recording.
///
/// It is a class because all who read files of one scenario tell it; it stays on one thread.
final class FileRecorder {
  /// A file of which only the beginning was read is recorded whole if it is no larger than this,
  /// so that it can be edited; assumed.
  private static let wholeMax: Int64 = 1 << 20

  /// What is known of a file.
  private struct Note {
    /// Where it is, without `.` and `..`, but through links.
    let place: [UInt8]
    var size: Int64?
    var content: [UInt8]?
    /// What was read in parts, as it came.
    var pieces: [RunRecording.File.Piece] = []
    /// Whether the parts are all that is needed, and not the beginning of a text.
    var isInParts = false
    /// Reads the whole file, if it is small.
    var whole: (() -> [UInt8]?)?
  }

  private var scenarioPath: [UInt8] = []
  private var notes: [Note] = []
  private var numbers: [[UInt8]: Int] = [:]
  /// Where the files are that name others, by the paths that they are shown under.
  private var bases: [[UInt8]: String] = [:]

  /// Begins with a scenario that lies at the path of its text, or came on standard input, and
  /// forgets what was read before.
  func begin(_ scenario: SourceText) {
    let name = scenario.path == "-" ? "scenario.json" : Path.name(of: scenario.path)
    let folder = Files.realPath(Path.folder(of: scenario.path)) ?? "/"
    let place = Path.join(folder, name)
    scenarioPath = Array(scenario.path.utf8)
    bases = [scenarioPath: place]
    notes = [Note(place: Array(place.utf8), content: scenario.bytes)]
    numbers = [Array(place.utf8): 0]
  }

  /// Returns a loader that tells this recorder what is read.
  func noting(_ inner: FileLoader) -> FileLoader {
    var loader = FileLoader(
      open: { path, base in
        inner.open(path, base).map { source in
          self.note(source, at: self.number(path, base)) {
            guard case .success(let size) = inner.size(path, base), size.bytes <= Self.wholeMax,
              case .success(let text) = inner.load(path, base)
            else { return nil }
            return text.bytes
          }
          return source
        }
      },
      size: { path, base in
        inner.size(path, base).map { size in
          let number = self.number(path, base)
          self.notes[number].size = size.bytes
          return size
        }
      },
      { path, base in
        inner.load(path, base).map { source in
          let number = self.number(path, base)
          self.notes[number].content = source.bytes
          return source
        }
      })
    loader.readsWholeTraces = inner.readsWholeTraces
    loader.onTrace = inner.onTrace
    return loader
  }

  private func note(_ source: ByteSource, at number: Int, whole: @escaping () -> [UInt8]?) {
    notes[number].whole = whole
    source.onRead = { [weak source] offset, bytes in
      if source?.isReadInParts == true { self.notes[number].isInParts = true }
      if bytes.isEmpty {
        // The end was read.
        self.notes[number].size = offset
      } else {
        self.notes[number].pieces.append(RunRecording.File.Piece(offset: offset, bytes: bytes))
      }
    }
  }

  /// Returns the number of the note about a file.
  private func number(_ path: String, _ base: String) -> Int {
    let from = bases[Array(base.utf8)] ?? bases[scenarioPath] ?? "/"
    let place = Path.normalized(Path.join(Path.folder(of: from), path))
    bases[Array(Path.normalized(Path.join(Path.folder(of: base), path)).utf8)] = place
    if let number = numbers[Array(place.utf8)] { return number }
    numbers[Array(place.utf8)] = notes.count
    notes.append(Note(place: Array(place.utf8)))
    return notes.count - 1
  }

  /// Returns the recording of a run with a log.
  ///
  /// All its files lie in the folder that is the smallest to hold them, and are named from there.
  func recording(
    run: String? = nil, seed: UInt64? = nil, changes: [String] = [], log: [UInt8]
  ) -> RunRecording {
    let places = notes.map { String(decoding: $0.place, as: UTF8.self) }
    var shared = Path.folder(of: places[0])
    while !places.allSatisfy({ Path.isInside($0, shared) }) { shared = Path.folder(of: shared) }
    let files = zip(places, notes).map { place, note in
      Self.file(note, name: Path.relative(place, from: shared))
    }
    return RunRecording(
      scenario: Path.relative(places[0], from: shared), run: run, seed: seed, changes: changes,
      files: files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }, log: log)
  }

  private static func file(_ note: Note, name: String) -> RunRecording.File {
    var file = RunRecording.File(name: name, size: note.size)
    let content = note.content ?? (note.isInParts || note.pieces.isEmpty ? nil : note.whole?())
    if let content {
      file.size = Int64(content.count)
      if !content.isEmpty { file.pieces = [RunRecording.File.Piece(offset: 0, bytes: content)] }
      return file
    }
    // A file may be read twice, and parts that touch are one.
    for piece in note.pieces.sorted(by: { $0.offset < $1.offset }) {
      let end = file.pieces.last?.end ?? 0
      let known = max(0, end - piece.offset)
      if known >= Int64(piece.bytes.count) { continue }
      let new = Array(piece.bytes.dropFirst(Int(known)))
      if let last = file.pieces.last, last.end == piece.offset + known {
        file.pieces[file.pieces.count - 1] = RunRecording.File.Piece(
          offset: last.offset, bytes: last.bytes + new)
      } else {
        file.pieces.append(RunRecording.File.Piece(offset: piece.offset + known, bytes: new))
      }
    }
    // A file may grow while it is read.
    if let size = file.size { file.size = max(size, file.pieces.last?.end ?? 0) }
    return file
  }
}
