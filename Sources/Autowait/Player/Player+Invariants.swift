extension Player {
  /// What must hold whenever the player is at rest; checked in every build.
  @inline(__always)
  func checkInvariants() {
    switch phase {
    case .paused:
      precondition(timebase.rate == .zero, "a paused player's timebase runs")
    case .waiting(let reason, _):
      precondition(timebase.rate == .zero, "a waiting player's timebase runs")
      precondition(
        reason != .toMinimizeStalls || waitsAutomatically,
        "a player that does not wait automatically minimizes stalls")
    case .playing:
      let isAtEnd = source.buffer.facts.contains(.atEnd) && actionAtItemEnd == .none
      precondition(
        source.buffer.facts.contains(.ready) && (!source.buffer.facts.contains(.empty) || isAtEnd),
        "a player plays what is not there")
    }
    precondition(
      hostTime == nil || phase.isPlaying && timebase.start == hostTime,
      "a host time is awaited by a timebase that does not start then")
  }

  /// What else holds of a player that came to rest.
  @inline(__always)
  func assertInvariants() {
    #if DEBUG
    assertPhase()
    assertSources()
    source.assertInvariants(at: touched)
    for asset in prepared { asset.assertInvariants(at: touched) }
    assert(
      !source.buffer.isStream || source.stream.drivers.allSatisfy { $0.rate == loadingRate },
      "the rule of player \(index) reckons with another rate than it plays at")
    #endif
  }

  private func assertPhase() {
    assert(
      timebase.rate == .zero || phase.rate == timebase.rate,
      "player \(index) wishes for another rate than its timebase has")
    assert(hold == nil || phase.isPlaying, "player \(index) stands, and is held back")
    assert(
      hold == nil || timebase.rate == .zero, "player \(index) plays on while it is held back")
    assert(hold.map { $0.end > touched } ?? true, "player \(index) did not go on when it could")
    assert(hostTime.map { $0 > touched } ?? true, "player \(index) missed its host time")
    assert(
      !accessLog.isRunning || source.item != nil,
      "an entry of player \(index) goes on without an item")
    assert(
      source.item != nil || !phase.isPlaying, "player \(index) plays, and has no item")
    assert(
      source.item?.status == .readyToPlay || !phase.isPlaying,
      "player \(index) plays an item that is not ready")
    assert(
      source.item?.isPrerolling != true || phase == .paused,
      "player \(index) prerolls and does not rest")
    assert(
      seek == nil || source.item != nil, "player \(index) seeks, and has no item")
    assert(
      seek?.awaitsData != true || !phase.isPlaying || source.buffer.facts.contains(.atEnd),
      "player \(index) plays where it has nothing")
    assert(
      (seek?.number ?? 0) <= seekCount, "player \(index) made no seek \(seek?.number ?? 0)")
    assert(
      pipeline?.build.map { $0.end > touched } ?? true,
      "a pipeline of player \(index) is late")
    assert(
      configuration.contract.hasAutomaticWaiting
        || phase.reasonForWaitingToPlay != .toMinimizeStalls
        || waitsAutomatically, "player \(index) waits against its contract")
  }

  private func assertQueue() {
    assert(hasQueue || queue.upcoming.isEmpty, "player \(index) has no queue, and items in it")
    let places = queue.upcoming.indices
    assert(
      places.allSatisfy { queue.upcoming.firstIndex(of: queue.upcoming[$0]) == $0 },
      "player \(index) has an item twice")
    assert(
      source.item == nil || !queue.upcoming.contains(source.number),
      "the current item of player \(index) is in its queue")
    assert(
      queue.standbys.count <= queue.upcoming.count,
      "player \(index) makes items ready that are not in its queue")
    assert(
      queue.standbys.allSatisfy { queue.upcoming.contains($0.item) },
      "player \(index) makes an item ready that is not in its queue")
    assert(
      queue.standbys.allSatisfy { $0.player.phase == .paused },
      "an enqueued item of player \(index) plays")
    assert(!isAdvancing, "player \(index) came to rest, and is to advance")
    assert(
      loop?.ended.allSatisfy { $0.due > touched } ?? true,
      "the application of player \(index) did not act on an end")
  }

  private func assertSources() {
    assert(
      source.item == nil || source.number >= 0, "player \(index) has an item without a number")
    assert(
      source.item != nil || source.buffer.isFailed,
      "something holds of player \(index), which has no item")
    assert(
      source.item?.status != .failed || source.buffer.isFailed,
      "something holds of the failed item of player \(index)")
    assert(
      (source.item?.status == .readyToPlay) == source.buffer.facts.contains(.ready)
        || source.buffer.isFailed, "player \(index) does not know whether its item is ready")
    assert(
      !prepared.contains { $0.item != nil }, "player \(index) has a second current item")
    for (place, other) in prepared.enumerated() {
      assert(
        prepared.firstIndex { $0.number == other.number } == place,
        "player \(index) prepares item \(other.number) twice")
    }
    assert(
      !prepared.contains { $0.number == source.number },
      "player \(index) prepares its current item")
    assertQueue()
    assert(
      prepared.allSatisfy { $0.buffer.isStream }, "player \(index) prepares a file")
    assert(
      !source.buffer.isStream || source.item == nil || streamMeter != nil,
      "the streams of player \(index) are not counted")
  }
}
