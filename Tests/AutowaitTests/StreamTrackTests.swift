import Autowait
import Testing

/// Which tracks are loaded beside the variant's own, and what becomes of their requests.
@Suite struct StreamTrackTests {
  /// Two variants with 6 segments of 10 s, of which only the first has audio in a group of its own.
  ///
  /// The lists are theirs, that of the audio, and that of the subtitles, which both have.
  private static func world(
    _ variants: [Int], _ change: (inout StreamMedia) -> Void = { _ in }
  ) -> World {
    var streamMedia = StreamRunFixture.streamMedia(
      [1_000_000, 1_100_000, 100_000, 10_000], segments: 6)
    streamMedia.variants.removeLast(2)
    streamMedia.variants[0].audioGroup = 0
    for index in streamMedia.variants.indices { streamMedia.variants[index].subtitleGroup = 0 }
    streamMedia.renditions = [
      StreamMedia.Rendition(.audio, group: 0, list: 2),
      StreamMedia.Rendition(.subtitles, group: 0, list: 3),
    ]
    for index in streamMedia.renditions.indices { streamMedia.renditions[index].isDefault = true }
    change(&streamMedia)
    var world = StreamRunFixture.world(streamMedia, rate: 8_000_000)
    world.players[0].streaming.adaptation.rule = .scripted(VariantScript(variants))
    world.players[0].streaming.selection.showsSubtitles = true
    return world
  }

  private static func segments(_ list: Int32, _ run: Simulation) -> [Int32] {
    run.log.records.compactMap {
      if case .segmentRequest(_, _, list, let segment, _) = $0.event { segment } else { nil }
    }
  }

  /// What the script says of each segment, and the segments of the audio that are asked for; a
  /// segment of audio is asked for while the one before it of the variant is still under way.
  static let scripts: [(variants: [Int], audio: [Int32])] = [
    ([0], [0, 1, 2, 3, 4, 5]), ([1], []), ([0, 0, 0, 1], [0, 1, 2, 3]), ([1, 1, 0], [2, 3, 4, 5]),
  ]

  @Test(arguments: scripts.indices)
  func tracksKeepWhatTheyAreOf(_ index: Int) {
    let row = Self.scripts[index]
    let run = Simulation.run(of: Self.world(row.variants))
    #expect(Self.segments(3, run) == [0, 1, 2, 3, 4, 5], "subtitles")
    #expect(Self.segments(2, run) == row.audio, "audio")
    #expect((Self.segments(0, run) + Self.segments(1, run)).sorted() == [0, 1, 2, 3, 4, 5])
    #expect(run.metrics(of: 0).stallCount == 0)
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }

  /// What cannot be decoded is not waited for: the item fails when its playlist has come.
  @Test func anItemWithoutVariantsFails() throws {
    var world = Self.world([0]) { streamMedia in
      for index in streamMedia.variants.indices { streamMedia.variants[index].codecs = .hevc }
    }
    world.players[0].streaming.adaptation.rule = .throughput
    world.players[0].limits.decodable = .avc
    let run = Simulation.run(of: world)
    let failures = run.times(of: .itemStatus(.failed))
    #expect(failures.count == 1)
    #expect(Self.segments(0, run) == [] && Self.segments(2, run) == [])
    #expect(run.finishReason == .settled)
    world.players[0].limits.decodable = [.avc, .hevc]
    #expect(Simulation.run(of: world).times(of: .itemStatus(.failed)) == [])
  }

  @Test func failedItemAsksForNothingMore() throws {
    let run = Simulation.run(
      of: Self.world([0]) { streamMedia in
        // There is no other sound to leave it for.
        streamMedia.variants[1].audioGroup = 0
        streamMedia.faults = [Fault(.status(404), of: .segment(list: 2, number: 0))]
      })
    let records = run.log.records
    let failed = try #require(records.first { $0.event == .itemStatus(.failed) })
    // What was under way is given up with the last failure, before the item fails.
    let cancelled = records.filter {
      if case .mediaRequestCancelled = $0.event { true } else { false }
    }
    #expect(!cancelled.isEmpty)
    for record in cancelled { #expect(record.instant <= failed.instant) }
    for record in records where record.number > cancelled[0].number {
      switch record.event {
      case .mediaRequestCompleted, .segmentRequest: Issue.record("\(record.event)")
      default: break
      }
    }
  }

  /// The instants, in milliseconds, at which something is recorded.
  private static func times(_ run: Simulation, _ isMeant: (Event) -> Bool) -> [Int64] {
    run.log.records.filter { isMeant($0.event) }.map { $0.instant.nanoseconds / 1_000_000 }
  }

  /// From the 20th second on the variant and its audio need another key, which is not there.
  ///
  /// What one of them has asked for without success the other does not ask for on its own account.
  @Test(arguments: [(Fault.Outcome.status(404), 2), (.wrongKey, 1)])
  func tracksThatShareAKeyAskForItTogether(_ outcome: Fault.Outcome, count: Int) throws {
    let run = Simulation.run(
      of: Self.world([0]) { streamMedia in
        streamMedia.keys = Array(repeating: StreamMedia.ContentKey(size: .zero), count: 2)
        for list in [0, 2] {
          streamMedia.lists[list].need(SegmentList.SegmentStretch(first: 0, key: 0))
          streamMedia.lists[list].need(SegmentList.SegmentStretch(first: 2, key: 1))
        }
        streamMedia.faults = [Fault(outcome, of: .contentKey(1))]
      })
    let asked = Self.times(run) { event in
      if case .contentKeyRequest(_, 1, _, _) = event { true } else { false }
    }
    #expect(asked.count == count)
    for (first, second) in zip(asked, asked.dropFirst()) { #expect(second - first == 1_000) }
    let failed = Self.times(run) { $0 == .itemStatus(.failed) }
    // The 20 s under the first key are loaded and played first, from 1.525 s on.
    #expect(failed == [21_525])
  }

  /// Two keys of which each fails once are two things that went wrong once, and not one twice.
  @Test func eachKeyHasItsOwnTries() throws {
    let run = Simulation.run(
      of: Self.world([0]) { streamMedia in
        streamMedia.keys = Array(repeating: StreamMedia.ContentKey(size: .zero), count: 2)
        streamMedia.lists[0].need(SegmentList.SegmentStretch(first: 0, key: 0))
        streamMedia.lists[2].need(SegmentList.SegmentStretch(first: 0, key: 1))
        streamMedia.faults = [
          Fault(.status(404), of: .contentKey(0), count: 1),
          Fault(.status(404), of: .contentKey(1), count: 1),
        ]
      })
    let asked = Self.times(run) { event in
      if case .contentKeyRequest = event { true } else { false }
    }
    #expect(asked == [0, 0, 1_000, 1_000])
    #expect(run.metrics(of: 0).playedToEndCount == 1)
  }

  /// The section of the variant is not there at first, and that of the audio is: no segment is
  /// asked for before both are, and the item is ready with the first of each track.
  @Test func itemIsNotReadyBeforeAllSectionsAreThere() throws {
    let run = Simulation.run(
      of: Self.world([0]) { streamMedia in
        for list in [0, 2] {
          streamMedia.lists[list].initializations = [ByteCount(bytes: 100_000)]
          streamMedia.lists[list].need(SegmentList.SegmentStretch(first: 0, initialization: 0))
        }
        streamMedia.faults = [Fault(.nameNotResolved, of: .initialization(list: 0), count: 1)]
      })
    // The audio's section takes 0.1 s, the other is asked for after a second and takes 0.1 s too.
    // Then a segment of video and two each of audio and subtitles, 10 + 2 + 0.2 Mbit of 8 Mbit/s,
    // take 1.525 s.
    #expect(Self.times(run) { $0 == .itemStatus(.readyToPlay) } == [2_625])
    let segments = Self.times(run) { event in
      if case .segmentRequest(_, _, _, .some, _) = event { true } else { false }
    }
    #expect(segments.first == 1_100)
  }
}
