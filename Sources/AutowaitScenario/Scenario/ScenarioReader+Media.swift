import Autowait

/// Reading media.
extension ScenarioReader {
  /// An item of a player as it was read.
  struct ReadItem {
    var media: Media
    /// What it is called, if it has a name.
    var name: String?
    /// The host that has it, if it has a name.
    var host: String?
    /// The host of its keys, if it has another name.
    var keyHost: String?
    /// What the parts of a stream are called.
    var names: StreamNames?
    /// What of a stream is drawn from the seed.
    var sizes: SizeDraws?
  }

  /// What media of all kinds has.
  struct Common {
    var fast: Bool
    var reverse: Bool
    var isFedByDelegate: Bool
    var host: String?
    var name: String?

    init(_ fields: inout FieldReader) {
      fast = fields.value(of: MediaKeys.canPlayFastForward)
      reverse = fields.value(of: MediaKeys.canPlayReverse)
      isFedByDelegate = fields.value(of: MediaKeys.resourceLoader)
      host = fields.optional(MediaKeys.host)
      name = fields.optional(MediaKeys.name)
    }

    func apply(to media: inout Media) {
      media.canPlayFastForward = fast
      media.canPlayReverse = reverse
      media.isFedByDelegate = isFedByDelegate
    }
  }

  /// Reads one item or a list of items.
  mutating func media(_ value: JSONValue) -> [ReadItem] {
    if value.kind != .array {
      let item = item(value)
      if item == nil || item?.name == nil && value.member("name") != nil { hasLostMedia = true }
      return item.map { [$0] } ?? []
    }
    if value.count == 0 { findings.error("'media' has no items", at: value) }
    var items: [ReadItem] = []
    for element in value.elements {
      guard let item = item(element) else {
        hasLostMedia = true
        continue
      }
      if item.name == nil, element.member("name") != nil { hasLostMedia = true }
      if let name = item.name, items.contains(where: { $0.name == name }) {
        findings.error(
          "there are two media '\(name.excerpt)'", at: element.member("name") ?? element)
      }
      items.append(item)
    }
    return items
  }

  private mutating func item(_ value: JSONValue) -> ReadItem? {
    if value.kind == .string {
      findings.error(
        "an item must be an object, not a string", at: value,
        notes: [
          "{\"playlist\": \"show/master.m3u8\"} is a stream on disk",
          "{\"file\": \"clip.mp4\"} is a movie on disk",
          "what 'autowait convert --to ladder' wrote has to stand here itself",
        ])
      return nil
    }
    var fields = FieldReader(value, MediaKeys.kind(of: value), findings)
    let file = ["playlist", "movie"].first { value.member($0) != nil }
    if file == nil, value.member("file") != nil { return movieFile(&fields) }
    let isOnDisk = file != nil
    let kind =
      isOnDisk
      ? fields.value(of: MediaKeys.kindOfStream) : fields.required(MediaKeys.kind)
    itemCount += 1
    if let file, let kind, kind != .hls {
      fields.error("only a stream, of the kind 'hls', has a '\(file)'", at: file)
      return nil
    }
    if kind == .hls { return stream(&fields) }
    fields.become(MediaKeys.file)
    let duration = fields.required(MediaKeys.duration)
    let bitRate = fields.optional(MediaKeys.bitrate)
    let size = fields.optional(MediaKeys.size)
    let header = fields.value(of: MediaKeys.header)
    let index = fields.optional(MediaKeys.index)
    let tracks = FileTracks(&fields)
    let common = Common(&fields)
    fields.finish()
    guard let kind, let duration else { return nil }
    if bitRate != nil, size != nil {
      fields.error("'size' cannot be combined with 'bitrate'", at: "size")
      return nil
    }
    if index == .back, kind == .progressive, header == .zero {
      let isThere = fields.contains(MediaKeys.header)
      fields.error(
        "an index at the back must be more than 0 B: "
          + (isThere ? "'header' is its size" : "its size, 'header', is missing"),
        at: isThere ? "header" : "index",
        notes: [
          "\"header\": \"400 kB\" is an index of that size",
          "without 'index' and 'header' the file plays from its first byte",
        ])
      return nil
    }
    if index != nil, kind == .local, let value = value.member("index") {
      findings.warning("'index' changes nothing: a local file is all there", at: value)
    }
    if common.isFedByDelegate, kind == .local { warnOfDelegate(fields) }
    let source: Media.Source = kind == .local ? .local : .progressive
    let place = kind == .local ? .front : index ?? .front
    guard let media = media(&fields, source, duration, (bitRate, size), (header, place)) else {
      return nil
    }
    if media.size > DataAmount(Limits.bytesMax) {
      fields.error(
        "the file would be larger than the limit of \(Quantity.size.text(Limits.bytesMax.bytes))",
        at: "bitrate")
      return nil
    }
    var item = ReadItem(media: media, name: common.name, host: common.host)
    tracks.apply(to: &item.media, fields)
    common.apply(to: &item.media)
    return item
  }

  /// Reads a movie file on disk; logs spell it out, so that a replay does not need the file.
  private mutating func movieFile(_ fields: inout FieldReader) -> ReadItem? {
    let kind = fields.value(of: MovieFileKeys.kind)
    let value = fields.value(MovieFileKeys.file)
    let path = fields.required(MovieFileKeys.file)
    let common = Common(&fields)
    fields.finish()
    itemCount += 1
    if common.isFedByDelegate, kind == .local { warnOfDelegate(fields) }
    guard let object = fields.object, let value, let path,
      let movie = MovieReader.read(path, at: value, findings, loader)
    else { return nil }
    guard var media = movie.media(kind == .local ? .local : .progressive) else {
      findings.error("the movie '\(path.excerpt)' has neither picture nor sound", at: value)
      return nil
    }
    common.apply(to: &media)
    movieFiles.append((object.range.lowerBound, media))
    return ReadItem(media: media, name: common.name, host: common.host)
  }

  private func warnOfDelegate(_ fields: FieldReader) {
    guard let value = fields.object?.member("resourceLoader") else { return }
    findings.warning("'resourceLoader' changes nothing: a local file is all there", at: value)
  }

  private mutating func stream(_ fields: inout FieldReader) -> ReadItem? {
    let common = Common(&fields)
    let read = StreamReading.read(
      &fields, loader: loader, seed: links.seed, item: itemCount - 1)
    mediaDraws += read.draws
    if let stream = read.stream { embed(stream, fields) }
    fields.finish()
    let isListed = ["playlist", "movie", "lists"].contains { fields.object?.member($0) != nil }
    // What is left of a stream with mistakes lets the rest of the file be judged rightly.
    guard let stream = read.stream, !isListed || !findings.hasErrors else { return nil }
    var item = ReadItem(
      media: Media(stream.streamMedia), name: common.name, host: common.host)
    common.apply(to: &item.media)
    item.keyHost = stream.keyHost
    item.names = stream.names
    item.sizes = stream.sizes
    return item
  }

  /// Keeps what stands for a stream on disk in logs: the stream spelled out or, if that is too
  /// large, its digest.
  private mutating func embed(_ stream: StreamReading, _ fields: FieldReader) {
    guard let object = fields.object,
      let path = (object.member("playlist") ?? object.member("movie"))?.string
    else { return }
    let text = StreamMediaWriter.write(stream.streamMedia, stream.names, keyHost: stream.keyHost)
    if text.count <= LinkReader.embeddedMax {
      hlsFolders.append((object.range.lowerBound, stream))
    } else {
      var fingerprint = Fingerprint()
      fingerprint.mix(bytes: text)
      links.inputs.append(InputFile(path: path, digest: fingerprint.value))
    }
  }

  private func media(
    _ fields: inout FieldReader, _ kind: Media.Source, _ duration: MediaTime,
    _ content: (bitRate: BitRate?, size: ByteCount?),
    _ index: (size: ByteCount, place: Media.IndexPlacement)
  ) -> Media? {
    let header = index.size
    if let size = content.size {
      guard header < size else {
        fields.error("'header' must be less than the 'size' of the file", at: "header")
        return nil
      }
      return Media(
        kind, duration: duration, contentSize: ByteCount(bytes: size.bytes - header.bytes),
        headerSize: header, indexPlacement: index.place)
    }
    if let bitRate = content.bitRate {
      return Media(
        kind, duration: duration, bitRate: bitRate, headerSize: header,
        indexPlacement: index.place)
    }
    if kind == .local {
      // What a local file weighs is of no consequence: no link carries it. So little is within the
      // limits however long it is.
      return Media(kind, duration: duration, bitRate: BitRate(bitsPerSecond: 100_000))
    }
    if let object = fields.object, !findings.hasErrors {
      findings.error(
        "a progressive item needs the key 'bitrate' or 'size'", missing: ["bitrate", "size"],
        in: object)
    }
    return nil
  }
}

/// What a scenario says of the tracks of a file.
private struct FileTracks {
  private let video: MediaTime?
  private let audio: MediaTime?
  private let keyFrameInterval: MediaTime?
  private let color: VideoColor?

  init(_ fields: inout FieldReader) {
    video = fields.optional(MediaKeys.videoDuration)
    audio = fields.optional(MediaKeys.audioDuration)
    keyFrameInterval = fields.optional(MediaKeys.keyFrameInterval)
    color = fields.optional(MediaKeys.color)
  }

  func apply(to media: inout Media, _ fields: FieldReader) {
    media.videoEnd = end(of: video, "videoDuration", media.duration, fields)
    media.audioEnd = end(of: audio, "audioDuration", media.duration, fields)
    (media.keyFrameInterval, media.color) = (keyFrameInterval, color)
    if media.videoEnd != nil, media.audioEnd != nil {
      fields.error(
        "'duration' is that of the longest track, and both are shorter", at: "duration")
    }
  }

  /// Returns where a track ends; nil if it is as long as the item.
  private func end(
    of track: MediaTime?, _ key: String, _ duration: MediaTime, _ fields: FieldReader
  ) -> MediaTime? {
    guard let track, track != duration else { return nil }
    if track > duration {
      fields.error("'\(key)' must be at most the 'duration', which is the longest", at: key)
    }
    return track
  }
}
