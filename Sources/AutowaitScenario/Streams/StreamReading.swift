import Autowait

extension StreamReading {
  /// Reads what a stream has beside the keys of all media: its playlist on disk, its lists, or a
  /// ladder of variants.
  static func read(
    _ fields: inout FieldReader, loader: FileLoader, seed: UInt64, item: Int
  ) -> (stream: StreamReading?, draws: Int64) {
    if fields.contains("playlist") {
      return (HLSFolderReader.read(&fields, loader: loader, base: fields.findings.source.path), 0)
    }
    if fields.contains("movie") { return (SabreMovieReader.read(&fields, loader: loader), 0) }
    if fields.contains("lists") { return (ExplicitStreamReader.read(&fields), 0) }
    guard let read = StreamReader.read(&fields, seed: seed, item: item) else { return (nil, 0) }
    return (read.stream, read.draws)
  }
}
