import Autowait
import AutowaitRendering
import AutowaitScenario

/// A run that can be replayed anywhere: the scenario, the files that it names, and the log.
///
/// Of media a recording has the sizes, and of movies the parts that were read. The names of files
/// are relative to the folder that holds all of them, so that no path of a machine is part of it.
struct RunRecording: Sendable {
  /// The version of the format.
  static let formatVersion: Int64 = 1

  /// A file that a scenario names, as far as it was read.
  struct File: Hashable {
    /// A part of a file.
    struct Piece: Hashable {
      let offset: Int64
      let bytes: [UInt8]

      var end: Int64 { offset + Int64(bytes.count) }
    }

    /// The path from the folder that holds all files.
    let name: String
    /// The size of the file; nil where nobody asked for it and the file was not read to its end.
    var size: Int64?
    /// What was read, in order, without overlaps.
    var pieces: [Piece] = []

    /// The whole content; nil if only parts are known.
    var content: [UInt8]? {
      if size == 0 { return [] }
      guard pieces.count == 1, pieces[0].offset == 0, pieces[0].end == size else { return nil }
      return pieces[0].bytes
    }
  }

  /// The name of the scenario among the files.
  let scenario: String
  /// The run of the scenario, if it varies.
  var run: String?
  /// The seed that replaced the scenario's own, if one did.
  var seed: UInt64?
  /// What was changed in the scenario before it was read, as it was given to `--set`.
  var changes: [String] = []
  /// The files, ordered by the bytes of their names.
  let files: [File]
  /// The log of the run.
  let log: [UInt8]

  /// The text of the scenario.
  var scenarioSource: SourceText? {
    files.first { $0.name.utf8.elementsEqual(scenario.utf8) }?.content
      .map { SourceText(path: scenario, bytes: $0) }
  }

  /// Returns the recording as a file: a line for itself, one for each file, the log as it is, and a
  /// line with the digest of all before it.
  var bytes: [UInt8] {
    var bytes = JSONWriter.line(capacity: 256) { writer in
      writer.field("autowaitRecording", Self.formatVersion)
      writer.field("autowaitVersion", text: ToolVersion.text)
      writer.field("modelVersion", SimulationModel.version)
      writer.field("scenario", text: scenario)
      if let run { writer.field("run", text: run) }
      if let seed { writer.field("seed", seed) }
      if !changes.isEmpty { writer.strings("set", changes) }
      writer.field("files", Int64(files.count))
      writer.field("lines", Int64(log.count { $0 == 0x0A }))
    }
    for file in files {
      bytes += JSONWriter.line(capacity: 256) { Self.write(file, into: &$0) }
    }
    bytes += log
    bytes += JSONWriter.line(capacity: 64) {
      $0.field("digest", text: Self.digest(of: bytes[...]))
    }
    return bytes
  }

  /// The digest of the bytes before the last line; it finds accidents, not forgeries.
  static func digest(of bytes: ArraySlice<UInt8>) -> String {
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: Array(bytes))
    return LogRendering.hexadecimal(fingerprint.value)
  }

  private static func write(_ file: File, into writer: inout JSONWriter) {
    writer.field("file", text: file.name)
    if let content = file.content { return write(content, into: &writer) }
    writer.field("size", file.size)
    if file.pieces.isEmpty { return }
    writer.objects("pieces", file.pieces) { writer, piece in
      writer.field("at", piece.offset)
      write(piece.bytes, into: &writer)
    }
  }

  private static func write(_ bytes: [UInt8], into writer: inout JSONWriter) {
    if let text = String(validating: bytes, as: UTF8.self) {
      writer.field("text", text: text)
    } else {
      writer.field("base64", text: Base64.text(bytes))
    }
  }
}
