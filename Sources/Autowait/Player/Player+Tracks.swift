/// How a player follows what is selected of its item's tracks.
extension Player {
  /// Selects a language of the sound or of the subtitles, or no subtitles.
  mutating func select(
    _ kind: StreamMedia.Rendition.Kind, _ language: LanguageTag?, in moment: inout Moment
  ) {
    guard source.buffer.isStream else { return }
    var selection = source.stream.selection
    selection.select(kind, language)
    let cause = moment.record(
      .mediaSelection(
        kind == .audio ? .audio : .subtitles,
        rendition: source.stream.rendition(kind, by: selection).map { Int32($0) }))
    play(selection, cause: cause, in: &moment)
  }

  /// Enables the tracks of a kind, or disables them.
  mutating func enable(_ track: MediaTrack, _ isEnabled: Bool, in moment: inout Moment) {
    guard source.item != nil else { return }
    let cause = moment.record(.trackEnabled(track, isEnabled))
    var selection = source.stream.selection
    selection.enable(track, isEnabled)
    play(selection, cause: cause, in: &moment)
  }

  /// Loads the sound again, as another selection of it does.
  mutating func changeTracks(in moment: inout Moment) {
    play(source.stream.selection, loadsAudioAgain: true, cause: moment.cause, in: &moment)
  }

  /// Lets the tracks of a selection play: from iOS 10 on playback goes on, before that the pipeline
  /// is built again (row L17).
  private mutating func play(
    _ selection: MediaSelection, loadsAudioAgain: Bool = false, cause: Int,
    in moment: inout Moment
  ) {
    assert(source.item != nil || !source.buffer.isStream, "a stream without an item")
    let isUsed = source.buffer.isStream && source.item?.status != .failed
    if isUsed {
      // What is thrown away may have been played.
      bookPlayed(at: moment.now)
      meter.dataPlayed += source.countPlayed()
      let isChanged = source.stream.select(
        selection, loadsAudioAgain: loadsAudioAgain, at: currentTime(at: moment.now))
      let stream = source.stream
      cancelStream(in: &moment) {
        stream.isForOtherSelection($0) || loadsAudioAgain && stream.isOfAudio($0)
      }
      if isChanged {
        source.forgetMissing()
        moment.flowCause = cause
        placeEdge(at: moment.now)
        recordLoadedTimeRanges(in: &moment)
      }
    }
    input(.tracksChanged, rate: evaluationRate, in: &moment)
  }

  /// Goes back to the last key frame, if the player does that when its pipeline is built again and
  /// the frame is loaded.
  mutating func snapToKeyFrame(in moment: inout Moment) {
    let time = currentTime(at: moment.now)
    guard configuration.snapsToKeyFrame, phase.rate > .zero,
      let frame = source.keyFrame(notAfter: time), frame < time
    else { return }
    if !source.hasPicture(from: frame, to: time, at: moment.now) { return }
    assert(frame >= .zero && timebase.rate == .zero, "a jump to \(frame) while the time runs")
    timebase = Timebase(time: frame, at: moment.now, rate: .zero)
    moment.flowCause = moment.record(.timeJumped(frame))
    placeEdge(at: moment.now)
  }
}
