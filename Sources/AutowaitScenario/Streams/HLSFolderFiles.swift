import Autowait

/// The playlists of a stream on disk, each read once.
struct HLSFolderFiles {
  /// The most bytes of all playlists of a stream; assumed.
  static let bytesMax: Int64 = 256 << 20
  /// The most playlists of a stream.
  static let playlistsMax = 1_000
  /// The most names of folders in an address that are tried; assumed.
  private static let foldersMax = 16

  /// A playlist that was read.
  struct PlaylistFile {
    /// The path from the scenario's folder.
    let path: String
    let source: SourceText
    /// What it says; nil if it has errors, which were reported.
    let playlist: Playlist?
  }

  let findings: Findings
  let loader: FileLoader
  /// The file that paths are relative to the folder of.
  let base: String
  /// The folder of the playlist that was named, below which addresses with a host are looked for.
  let folder: String
  private var files: [String: Result<PlaylistFile, FileLoader.FileProblem>] = [:]
  private var bytesRead: Int64 = 0
  /// Where the files of a host's folder lie; nil if nowhere.
  private var hostFolders: [String: String?] = [:]

  init(_ findings: Findings, _ loader: FileLoader, base: String, playlist path: String) {
    self.findings = findings
    self.loader = loader
    self.base = base
    folder = FilePath.folder(of: FilePath.normalized(path))
  }

  /// Returns where an address of a playlist leads; nil if to no file.
  mutating func path(of uri: String, in playlist: String) -> String? {
    switch PlaylistAddress(uri) {
    case .relative(let path):
      return path.isEmpty ? nil : FilePath.normalized(FilePath.folder(of: playlist) + path)
    case .host(let path): return self.path(onHost: FilePath.normalized(path))
    case .data, .other: return nil
    }
  }

  /// Looks for a host's file in the folder of the stream, by as many of its folders as are there.
  private mutating func path(onHost path: String) -> String? {
    let (parent, name) = FilePath.split(path)
    if name.isEmpty { return nil }
    if let known = hostFolders[parent] { return known.map { $0 + name } }
    var folders = parent.utf8.split(separator: UInt8(ascii: "/")).suffix(Self.foldersMax)
      .map { String(decoding: $0, as: UTF8.self) }
    while true {
      let place = folder + folders.map { $0 + "/" }.joined()
      if case .success = loader.size(place + name, base) {
        hostFolders[parent] = .some(place)
        return place + name
      }
      if folders.isEmpty { break }
      folders.removeFirst()
    }
    hostFolders[parent] = .some(nil)
    return nil
  }

  /// The size of a file, if it is there.
  func size(of path: String) -> ByteCount? {
    guard case .success(let size) = loader.size(path, base) else { return nil }
    return size
  }

  /// Reads a playlist, unless it has been read.
  mutating func file(
    _ path: String, _ context: PlaylistContext
  ) -> Result<PlaylistFile, FileLoader.FileProblem> {
    if let known = files[path] { return known }
    let result = load(path, context)
    files[path] = result
    return result
  }

  private mutating func load(
    _ path: String, _ context: PlaylistContext
  ) -> Result<PlaylistFile, FileLoader.FileProblem> {
    if files.count >= Self.playlistsMax {
      return .failure(FileLoader.FileProblem("is one of more than \(Self.playlistsMax) playlists"))
    }
    let tooLarge = FileLoader.FileProblem(
      "makes the playlists larger than \(Self.bytesMax >> 20) MiB together")
    let size = loader.size(path, base)
    switch size {
    case .failure(let problem): return .failure(problem)
    case .success(let size): if size.bytes > Self.bytesMax - bytesRead { return .failure(tooLarge) }
    }
    return loader.load(path, base).flatMap { source in
      bytesRead += Int64(source.bytes.count)
      if bytesRead > Self.bytesMax { return .failure(tooLarge) }
      let (playlist, found) = PlaylistReader.read(source, context)
      for finding in found { findings.adopt(finding) }
      return .success(PlaylistFile(path: path, source: source, playlist: playlist))
    }
  }

  /// Reports something about a line of a playlist.
  func report(
    _ severity: Finding.Severity, _ message: String, line: Int, in source: SourceText,
    notes: [String] = []
  ) {
    if findings.isFull || line < 1 {
      findings.adopt(Finding(severity, message, path: source.path, notes: notes))
      return
    }
    let bytes = source.bytes
    var start = 0
    var number = 1
    while number < line, start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      start = min(bytes.count, end + (isPair ? 2 : 1))
      number += 1
    }
    let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    findings.adopt(
      Finding(severity, message, at: start..<max(end, start), in: source, notes: notes))
  }
}
