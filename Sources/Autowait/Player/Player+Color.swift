/// What receives the pictures of a player's items, and in which colors.
extension Player {
  /// The colors of the player's items, by which an application chooses the one that it works in.
  private var itemColors: [VideoColor?] {
    configuration.media.flatMap { media in
      media.streamMedia.map { $0.variants.map { $0.color } } ?? [media.color]
    }
  }

  /// The color of what plays; nil if it is not tagged.
  private var playedColor: VideoColor? {
    guard let stream = source.media.streamMedia else { return source.media.color }
    return (source.played.variant ?? source.variant).flatMap { stream.variants[$0].color }
  }

  /// Tells what the compositor and the video output receive, if that is not what they received
  /// before.
  mutating func noteVideoFrames(in moment: inout Moment) {
    guard source.item?.status == .readyToPlay, pipeline?.hasVideoOutput == true else { return }
    let (items, composition) = (itemColors, configuration.composition)
    var frames = ColoredFrames(playedColor)
    let composed = composition?.received(frames, items: items)
    frames = composition?.composed(frames, items: items) ?? frames
    let output = configuration.videoOutput.received(frames, items: items)
    assert(
      (output.color == nil) == (output.treatment == .untagged), "frames of a color without a tag")
    let told = [composed, output]
    if told == toldFrames { return }
    if let composed, toldFrames.first != composed {
      moment.record(.videoFrames(composed.told(to: .compositor)))
    }
    moment.record(.videoFrames(output.told(to: .output)))
    toldFrames = told
  }

  /// Reads an item of the player as an asset, and writes another one.
  func transcode(_ number: Int, _ plan: TranscodePlan, in moment: inout Moment) {
    let media = configuration.media[number]
    let color = media.streamMedia?.variants.first?.color ?? media.color
    let read = plan.reader.received(ColoredFrames(color), items: itemColors)
    moment.record(.videoFrames(read.told(to: .reader)))
    let written = plan.written(read, items: itemColors)
    moment.record(.videoFrames(written.told(to: .file)))
  }
}

extension ColoredFrames {
  /// Returns what a log has of the frames if somebody gets them.
  fileprivate func told(to destination: VideoDestination) -> VideoFrames {
    VideoFrames(to: destination, color, treatment)
  }
}
