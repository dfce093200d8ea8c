extension ItemSource {
  /// Asserts what holds of a source when its player is at rest.
  func assertInvariants(at now: Instant) {
    assert(file == nil || !buffer.isStream, "item \(number) is a file and a stream")
    assert(buffer.isStream || stream.isOfNothing, "a stream is loaded for item \(number)")
    assert(!buffer.isStream || media.streamMedia != nil, "item \(number) is not a stream")
    let variants = media.streamMedia?.variants.count ?? 0
    assert((recordedVariant ?? -1) < variants, "variant \(recordedVariant ?? -1) of \(variants)")
    assert((arrivedVariant ?? -1) < variants, "variant \(arrivedVariant ?? -1) of \(variants)")
    assert(
      recordedEnd <= buffer.duration, "more was recorded of item \(number) than there is")
    assert(
      !buffer.awaitsIndex || file?.indexSearch != .found, "item \(number) awaits a known index")
    assert(
      file?.request == nil || buffer.requestStart == file?.request?.start,
      "the buffer of item \(number) does not know what is requested")
    assert(
      file == nil || file?.request != nil || buffer.requestStart == nil,
      "the buffer of item \(number) awaits what nobody asked for")
    buffer.assertInvariants()
    file?.assertInvariants()
    if buffer.isStream { stream.assertInvariants(at: now) }
  }
}

extension ItemBuffer {
  /// Asserts how the parts of a buffer belong together.
  fileprivate func assertInvariants() {
    assert(edgeBase <= edgeMax, "the edge is behind the end of what is requested")
    assert(endTime <= map.duration, "playback ends behind the media")
    assert(endPosition == map.position(of: endTime), "the end lies in two places")
    assert(island.map { $0.start >= edgeMax } ?? true, "what is behind a gap is before it")
    assert(!isStream || requestStart == nil, "a stream is read like a file")
    assert(!isStream || edgeShare == .none, "the edge of a stream moves by itself")
    assert(!facts.contains(.atEnd) || facts.contains(.empty), "the end has come, and media is left")
    assert(!facts.contains(.likely) || facts.contains(.ready), "what is not ready keeps up")
    assert(!facts.contains(.likely) || facts.contains(.verdict), "a verdict came without grounds")
    assert(!awaitsIndex || !facts.contains(.ready), "an item is ready without its index")
    assert(!awaitsPipeline || !facts.contains(.ready), "an item is ready without its pipeline")
    assert(
      isStream || !isSuspended || requestStart != nil || facts.contains(.full),
      "what is not read is suspended")
    assert(
      policy.forwardBufferResume.map { $0 < policy.forwardBufferLimit ?? $0 + $0 } ?? true,
      "reading resumes in a full buffer")
    assert(
      remaining.next <= remaining.missing || remaining.isIdle,
      "more is missing until the edge moves than until the end")
  }
}

extension FileSource {
  /// Asserts that a file has only what was asked for.
  fileprivate func assertInvariants() {
    assert(loaded.isInOrder, "the parts of a file are out of order")
    assert(played.isConsistent, "more of a file was counted than was played")
    assert(
      loaded.ranges.last.map { $0.end <= media.contentEnd } ?? true,
      "more of a file has come than there is")
    assert((request?.start ?? .zero) <= media.size, "a request begins behind its file")
    assert(request?.transfer ?? 0 >= 0, "a request without a number")
    assert(
      media.source != .local || request == nil, "a file on the device is asked for")
    assert(
      media.indexPlacement == .back || indexSearch == .found, "an index is sought that is in front")
  }
}

extension StreamSource {
  /// Asserts how the parts of a stream belong together.
  fileprivate func assertInvariants(at now: Instant) {
    assertTracks()
    assertRequests(at: now)
    assert(played.isConsistent, "more of a stream was counted than was played")
    assert(stage != .segments || variant != nil, "segments are asked for of no variant")
    assert(stage != .multivariantPlaylist || variant == nil, "a variant is known too early")
    assert(hasPlaylist.count == streamMedia.lists.count, "playlists are missing")
    assert(hasKey.count == streamMedia.keys.count, "keys are missing")
    assert(live.isEmpty || live.count == streamMedia.lists.count, "live playlists are missing")
    assert(live.isEmpty == (streamMedia.live == nil), "a stream is live and is not")
    assert(faultsMet.count == streamMedia.faults.count, "faults are missing")
    assert(
      zip(faultsMet, streamMedia.faults).allSatisfy { $0 <= $1.count ?? .max },
      "a fault was met too often")
    assert(
      live.allSatisfy { $0.first <= $0.count }, "a live playlist ends before it begins")
    assert(
      zip(live, streamMedia.lists).allSatisfy { $0.count <= $1.count },
      "a live playlist lists what does not exist")
    assert(!catchUp.isJumping || streamMedia.live != nil, "a stream leaps that is not live")
    assert(
      catchUp.attendance != .frozen || policy.freezesWhenPaused, "a stream froze that may not")
    assert(appending.allSatisfy { $0.end > now }, "a segment is appended too late")
    assert(rungsToFall >= 0, "a fall of \(rungsToFall) rungs")
    assert(drivers.count <= 1, "\(drivers.count) rules choose")
    assert(!isMeasuring || !drivers.isEmpty, "something is measured for no rule")
    assert(
      failedKeys.allSatisfy { $0.failures > 0 && !hasKey[$0.key] }, "a key has failed and is there")
    assert(
      penalties.allSatisfy { streamMedia.variants.indices.contains($0.variant) },
      "a variant was left unseen")
  }

  private func assertTracks() {
    assert((variant ?? 0) < max(1, streamMedia.variants.count), "variant \(variant ?? 0)")
    assert(
      variant.map { tracks.first?.list == streamMedia.variants[$0].list } ?? tracks.isEmpty,
      "the first track is of another variant")
    assert(
      tracks.allSatisfy { streamMedia.lists.indices.contains($0.list) }, "a track of no list")
    assert(
      tracks.dropFirst().allSatisfy { $0.kind != nil }, "a variant has two tracks of its own")
    assert(tracks.allSatisfy { $0.loaded.isInOrder }, "the parts of a track are out of order")
    assert(
      tracks.allSatisfy { $0.guess < max(1, streamMedia.lists[$0.list].count) || tracks.count > 1 },
      "a segment is guessed behind the last one")
    assert(
      tracks.allSatisfy { $0.isIdle } || tracks.contains { $0.isAwaited },
      "playback waits for no track")
    assert(
      tracks.allSatisfy { 0...$0.failures.count ~= $0.failures.refusals },
      "a track with more refusals than failures")
    assert(
      pieces.pieces.last.map { streamMedia.variants.indices.contains($0.variant) } ?? true,
      "a piece of no variant")
    assert(pieces.pieces.last.map { $0.start <= $0.end } ?? true, "a piece ends before it begins")
    assert(
      pieces.dataBefore.count <= pieces.pieces.count, "data was counted of pieces that are gone")
  }

  private func assertRequests(at now: Instant) {
    assert(
      zip(requests, requests.dropFirst()).allSatisfy { $0.transfer < $1.transfer },
      "requests are out of order")
    assert(requests.allSatisfy { $0.opened <= now }, "a request is made later than now")
    assert(
      requests.allSatisfy { $0.delivered <= $0.size }, "more has come than was asked for")
    assert(
      requests.allSatisfy { ($0.responded == nil) == ($0.responseRecord == 0) },
      "a response began and was not recorded")
    assert(
      requests.allSatisfy { $0.responded.map { $0 <= now } ?? true }, "a response is to begin")
    assert(
      requests.allSatisfy {
        $0.track.map { $0 < tracks.count || $0 == StreamRequest.noTrack } ?? true
      },
      "a request for a track that is not there")
    assert(
      requests.count { $0.resource == .multivariantPlaylist } <= 1,
      "the multivariant playlist is asked for twice")
    assert(
      !plan.requests.order.isSerial || requests.count { $0.resource.isMedia } <= 1,
      "more is asked for at a time than one")
    var first = Instant.never
    for request in requests { first = min(first, deadline(of: request)) }
    assert(first == timesOutAt, "a request times out at another instant than is known")
  }
}

extension LoadedRanges where Position: Comparable {
  /// Whether the parts ascend, and none touches another.
  fileprivate var isInOrder: Bool {
    ranges.allSatisfy { $0.start < $0.end }
      && zip(ranges, ranges.dropFirst()).allSatisfy { $0.end < $1.start }
  }
}
