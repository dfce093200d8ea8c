import Autowait
import Testing

/// Events come by (instant, class, component).
@Suite struct EventQueueTests {
  /// Schedules events as (class, component, nanoseconds) and expects them in an order of indices.
  private func check(
    _ scheduled: [(EventClass, Int, Int64)], _ order: [Int], limit: Int64 = .max,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var queue = EventQueue(playerCount: 4)
    for (eventClass, component, instant) in scheduled {
      queue.schedule(eventClass, component: component, at: Instant(nanoseconds: instant))
    }
    var popped: [EventQueue.Entry] = []
    while let entry = queue.popFirst(notAfter: Instant(nanoseconds: limit)) {
      popped.append(entry)
    }
    let expected = order.map { scheduled[$0] }
    #expect(popped.map(\.eventClass) == expected.map(\.0), sourceLocation: sourceLocation)
    #expect(popped.map(\.component) == expected.map(\.1), sourceLocation: sourceLocation)
    #expect(
      popped.map(\.instant.nanoseconds) == expected.map(\.2), sourceLocation: sourceLocation)
  }

  @Test func nothingIsPending() {
    check([], [])
    #expect(EventQueue(playerCount: 1).firstInstant() == .never)
  }

  @Test func earlierInstantsComeFirst() {
    check([(.script, 0, 1), (.player, 0, 2), (.link, 0, 3)], [0, 1, 2])
    check([(.link, 0, 3), (.script, 0, 1), (.player, 3, 2)], [1, 2, 0])
  }

  @Test func ofOneInstantTheClassDecides() {
    check([(.script, 0, 5), (.player, 2, 5), (.link, 0, 5)], [2, 1, 0])
    #expect(EventClass.allCases == [.link, .player, .script])
  }

  @Test func ofOneClassTheComponentDecides() {
    check([(.player, 3, 5), (.player, 0, 5), (.player, 1, 5)], [1, 2, 0])
    check([(.player, 0, 5), (.player, 3, 5), (.player, 1, 5)], [0, 2, 1])
  }

  @Test func limitIsIncluded() {
    check([(.link, 0, 4), (.player, 0, 5), (.script, 0, 6)], [0, 1], limit: 5)
    check([(.link, 0, 4)], [], limit: 3)
  }

  @Test func schedulingAnewReplacesAndKeepsThePlace() {
    var queue = EventQueue(playerCount: 2)
    queue.schedule(.player, component: 0, at: Instant(nanoseconds: 5))
    queue.schedule(.player, component: 1, at: Instant(nanoseconds: 5))
    queue.schedule(.player, component: 0, at: Instant(nanoseconds: 9))
    queue.schedule(.player, component: 0, at: Instant(nanoseconds: 5))
    #expect(queue.popFirst()?.component == 0)
    #expect(queue.popFirst()?.component == 1)
    #expect(queue.popFirst() == nil)
  }

  @Test func cancelledEventsDoNotCome() {
    var queue = EventQueue(playerCount: 1)
    queue.schedule(.link, at: Instant(nanoseconds: 1))
    queue.schedule(.script, at: Instant(nanoseconds: 2))
    queue.cancel(.link)
    #expect(queue.firstInstant() == Instant(nanoseconds: 2))
    #expect(queue.popFirst()?.eventClass == .script)
    queue.cancel(.script)
    #expect(queue.popFirst() == nil)
  }

  @Test(arguments: LawWorlds.numbers(20))
  func drawnEventsComeSorted(_ seed: UInt64) {
    var stream = RandomStream(seed: seed, component: "test", purpose: "queue")
    var queue = EventQueue(playerCount: 5)
    var expected: [(Int64, Int, Int)] = []
    for number in 0..<7 {
      let eventClass: EventClass = number == 0 ? .link : number == 6 ? .script : .player
      let instant = Int64(stream.next(below: 4))
      let component = eventClass == .player ? number - 1 : 0
      queue.schedule(eventClass, component: component, at: Instant(nanoseconds: instant))
      expected.append((instant, eventClass.rawValue, component))
    }
    for (instant, rank, component) in expected.sorted(by: <) {
      let entry = queue.popFirst()
      #expect(entry?.instant.nanoseconds == instant, law(seed))
      #expect(entry?.eventClass.rawValue == rank, law(seed))
      #expect(entry?.component == component, law(seed))
    }
  }
}

/// A fingerprint tells any two runs apart that differ by accident.
@Suite struct FingerprintTests {
  private func digest(_ words: [[UInt64]]) -> UInt64 {
    var fingerprint = Fingerprint()
    for word in words { fingerprint.mix(word[0], word[1], word[2], word[3]) }
    return fingerprint.value
  }

  @Test func valuesAreWrittenInStone() {
    #expect(Fingerprint().value == 0x9E37_79B9_7F4A_7C15)
    #expect(digest([[0, 0, 0, 0]]) == 9_490_548_150_097_671_330)
    #expect(digest([[1, 2, 3, 4], [5, 6, 7, .max]]) == 8_257_486_651_599_095_920)
  }

  @Test func placeAndOrderMatter() {
    let digests = [
      digest([[1, 0, 0, 0]]), digest([[0, 1, 0, 0]]), digest([[0, 0, 1, 0]]),
      digest([[0, 0, 0, 1]]), digest([[1, 1, 0, 0]]), digest([[0, 0, 0, 0]]),
      digest([[1, 0, 0, 0], [0, 1, 0, 0]]), digest([[0, 1, 0, 0], [1, 0, 0, 0]]), digest([]),
      digest([[0, 0, 0, 0], [0, 0, 0, 0]]),
    ]
    #expect(Set(digests).count == digests.count)
  }

  /// Every bit of every word changes about half of the digest's bits a few records later.
  @Test func everyBitMatters() {
    let following: [[UInt64]] = [[1, 2, 3, 4], [5, 6, 7, 8]]
    let plain = digest([[0, 0, 0, 0]] + following)
    for word in 0..<4 {
      for bit in 0..<64 {
        var changed: [UInt64] = [0, 0, 0, 0]
        changed[word] = 1 << bit
        let distance = (digest([changed] + following) ^ plain).nonzeroBitCount
        #expect(distance > 8 && distance < 56, "word \(word), bit \(bit): \(distance)")
      }
    }
  }

  @Test func bytesAreToldApart() {
    let texts: [[UInt8]] = [
      [], [0], [0, 0], Array("autowait".utf8), Array("autowaits".utf8), Array("autowai".utf8),
      Array("tiawotua".utf8), Array(repeating: 0, count: 8), Array(repeating: 0, count: 16),
    ]
    let values = texts.map { text in
      var fingerprint = Fingerprint()
      fingerprint.mix(bytes: text)
      return fingerprint.value
    }
    #expect(Set(values).count == values.count)
  }
}
