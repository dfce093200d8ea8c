import Autowait
import AutowaitScenario
import Testing

/// What a stream in a file becomes in the core.
@Suite struct StreamReaderTests {
  /// A variant's segments, as the fields of the variant and what comes of them.
  static let sizes: [(duration: String, fields: String, sizes: [Int64])] = [
    // 10 s · 110 kbit/s / 8 = 137,500 bytes.
    ("30 s", #""bandwidth":110000"#, [137_500, 137_500, 137_500]),
    // The last segment has what is left.
    ("21 s", #""bandwidth":110000"#, [137_500, 137_500, 13_750]),
    ("20.000000001 s", #""bandwidth":8"#, [10, 10, 1]),
    ("20 s", #""bandwidth":110000,"averageBandwidth":100000"#, [125_000, 125_000]),
    ("20 s", #""bandwidth":110000,"averageBandwidth":100000,"bitrate":80000"#, [100_000, 100_000]),
    ("20 s", #""bandwidth":110000,"sizes":[5,"1 kB"]"#, [5, 1_000]),
    // What lies before a segment is rounded up: 1.25, 2.5 and 3.75 bytes.
    ("30 s", #""bandwidth":1"#, [2, 1, 1]),
    ("30 s", #""bandwidth":110000,"variation":0"#, [137_500, 137_500, 137_500]),
  ]

  @Test(arguments: sizes.indices)
  func segmentsHaveTheirSizes(_ index: Int) throws {
    let row = Self.sizes[index]
    let streamMedia = try StreamFixture.streamMedia(
      "\"duration\":\"\(row.duration)\",\"segmentDuration\":10,\"variants\":[{\(row.fields)}]")
    #expect(streamMedia.lists.map(\.sizes) == [row.sizes])
  }

  @Test func variedSizesKeepTheirMeanAndBandwidth() throws {
    let stream = """
      "duration":"61 s","segmentDuration":"2 s","variants":[\
      {"bandwidth":1200000,"variation":"20 %"},{"bandwidth":3000000,"bitrate":2000000,\
      "variation":0.5},{"bandwidth":900000}]
      """
    let streamMedia = try StreamFixture.streamMedia(stream, seed: 3)
    // 1,200,000 / 1.2 bit/s · 2 s / 8 = 250,000 bytes.
    let first = streamMedia.lists[0].sizes
    #expect(first.reduce(0, +) == 61 * 125_000)
    #expect(first.allSatisfy { 200_000...300_000 ~= $0 || $0 == 125_000 })
    #expect(first.last == 125_000)
    #expect(Set(first).count > 20)
    let second = streamMedia.lists[1].sizes
    #expect(second.reduce(0, +) == 61 * 250_000)
    // A scene that is hard to encode is so in every variant: the deviations have one ratio.
    for number in 0..<30 {
      #expect(abs((second[number] - 500_000) - (first[number] - 250_000) * 5) <= 5)
    }
    #expect(Set(streamMedia.lists[2].sizes.dropLast()) == [225_000])
    let other = try StreamFixture.streamMedia(stream, seed: 4)
    #expect(other.lists[0].sizes != first)
    #expect(StreamFixture.read(stream, seed: 3).scenario?.world.draws == 15)
  }

  @Test func sizesComeFromTheStreamThatTheArticleNames() throws {
    let streamMedia = try StreamFixture.streamMedia(
      #""duration":4,"segmentDuration":2,"variants":[{"bandwidth":4000000,"bitrate":8000,"#
        + #""variation":1}]"#, seed: 9)
    var stream = RandomStream(seed: 9, component: "media/0", purpose: "sizes")
    let weight = Int64(stream.next(below: 2_000_000_001)) - 1_000_000_000
    let shift = 2_000 * weight / 1_000_000_000
    #expect(streamMedia.lists[0].sizes == [2_000 + shift, 2_000 - shift])
  }

  @Test func variantsSayWhatTheFileSays() throws {
    let streamMedia = try StreamFixture.streamMedia(
      """
      "duration":6,"variants":[{"bandwidth":900000,"averageBandwidth":800000,\
      "resolution":"960x540","codecs":"avc1.4d401f, mp4a.40.2","frameRate":29.97,\
      "videoRange":"PQ","audio":"hi","subtitles":"s","init":700},{"bandwidth":8,"audio":"lo"}],\
      "audio":[{"group":"lo"},{"group":"hi","bitrate":100000,"channels":6},\
      {"group":"hi","default":true,"bitrate":50000,"init":5}],\
      "subtitles":[{"group":"s","sizes":[100]}]
      """)
    let variant = streamMedia.variants[0]
    #expect(variant.bandwidth == BitRate(bitsPerSecond: 900_000))
    #expect(variant.averageBandwidth == BitRate(bitsPerSecond: 800_000))
    #expect(variant.resolution == Resolution(width: 960, height: 540))
    #expect(variant.codecs == [.avc, .aac])
    #expect(variant.frameRate == 29_970)
    #expect(variant.videoRange == .pq)
    #expect(variant.audioGroup == 1)
    #expect(variant.subtitleGroup == 0)
    // The largest rendition of the group is part of what the playlist says: 700 kbit/s are left.
    #expect(streamMedia.lists.map(\.sizes) == [[525_000], [6], [75_000], [37_500], [100]])
    #expect(streamMedia.lists.map(\.initializations.count) == [1, 0, 0, 1, 0])
    #expect(streamMedia.renditions.map(\.list) == [nil, 2, 3, 4])
    #expect(streamMedia.renditions.map(\.group) == [0, 1, 1, 0])
    #expect(streamMedia.renditions.map(\.kind) == [.audio, .audio, .audio, .subtitles])
    #expect(streamMedia.renditions.map(\.isDefault) == [false, false, true, false])
    #expect(streamMedia.renditions.map(\.channels) == [nil, 6, nil, nil])
  }

  /// Fields next to a stream of two variants with ten segments each, and the bytes of playlists.
  static let playlists: [(fields: String, multivariant: Int64?, media: Int64)] = [
    ("", 460, 550), (#","gzip":true"#, 92, 110), (#","gzip":false"#, 460, 550),
    (#","gzip":"10 %""#, 46, 55), (#","gzip":0.001"#, 1, 1),
    (#","multivariantPlaylist":0,"mediaPlaylist":0"#, 0, 0),
    (#","multivariantPlaylist":"2 kB","mediaPlaylist":700,"gzip":0.5"#, 1_000, 350),
    (#","keys":{"sessionKey":true,"rotateEvery":5}"#, 580, 790),
  ]

  @Test(arguments: playlists.indices)
  func playlistsHaveTheirSizes(_ index: Int) throws {
    let row = Self.playlists[index]
    let streamMedia = try StreamFixture.streamMedia(StreamFixture.streamMedia + row.fields)
    #expect(streamMedia.playlistSize?.bytes == row.multivariant)
    #expect(streamMedia.lists.map(\.playlistSize.bytes) == [row.media, row.media])
  }

  @Test func aMediaPlaylistCanBeNamedDirectly() throws {
    let streamMedia = try StreamFixture.streamMedia(
      #""duration":6,"variants":[{"bandwidth":8000}],"multivariantPlaylist":null"#)
    #expect(streamMedia.playlistSize == nil)
  }

  @Test func keysAreOfSegments() throws {
    let streamMedia = try StreamFixture.streamMedia(
      StreamFixture.streamMedia
        + #","keys":{"method":"AES-128","serverTime":"0.3 s","sessionKey":true,"rotateEvery":4}"#)
    #expect(streamMedia.keys.map(\.size.bytes) == [16, 16, 16])
    #expect(streamMedia.keys.map(\.serverDelay) == Array(repeating: .milliseconds(300), count: 3))
    #expect(streamMedia.sessionKeys == [0])
    for list in streamMedia.lists {
      #expect(list.stretches.map(\.first) == [0, 4, 8])
      #expect(list.stretches.map(\.key) == [0, 1, 2])
    }
    let plain = try StreamFixture.streamMedia(StreamFixture.streamMedia + #","keys":{}"#)
    #expect(plain.keys.map(\.size.bytes) == [1_500])
    #expect(plain.sessionKeys == [])
    #expect(plain.lists[0].stretches.map(\.key) == [0])
  }

  @Test func failuresAreOfWhatTheyName() throws {
    let streamMedia = try StreamFixture.streamMedia(
      """
      "duration":12,"variants":[{"bandwidth":200000,"name":"low","audio":"a"},\
      {"bandwidth":400000,"audio":"a"}],"audio":[{"group":"a","name":"x","bitrate":9}],\
      "keys":{},"failures":[{"of":"multivariantPlaylist","status":500},\
      {"of":"mediaPlaylist","rendition":"x","status":"redirect","count":2},\
      {"of":"segment","variant":"low","number":1,"status":404},\
      {"of":"segment","variant":1,"status":"noResponse"},{"of":"segment","status":403},\
      {"of":"init","variant":"400 kbit/s","status":"nameNotResolved"},\
      {"of":"key","number":0,"status":"wrongKey"},{"of":"key","status":404}]
      """)
    #expect(
      streamMedia.faults == [
        Fault(.status(500), of: .multivariantPlaylist),
        Fault(.redirect, of: .mediaPlaylist(list: 2), count: 2),
        Fault(.status(404), of: .segment(list: 0, number: 1)),
        Fault(.noResponse, of: .segment(list: 1, number: nil)),
        Fault(.status(403), of: .segment(list: nil, number: nil)),
        Fault(.nameNotResolved, of: .initialization(list: 1)),
        Fault(.wrongKey, of: .contentKey(0)), Fault(.status(404), of: .contentKey(nil)),
      ])
  }

  @Test func aLiveStreamIsPassedOn() throws {
    let streamMedia = try StreamFixture.streamMedia(
      StreamFixture.streamMedia
        + #","live":{"elapsed":30,"window":20,"holdBack":18,"publishDelay":0.5,"partDuration":1,"#
        + #""partHoldBack":3,"canBlockReload":true},"startOffset":-20"#)
    var window = LiveWindow(elapsed: .seconds(30), window: .seconds(20))
    window.holdBack = .seconds(18)
    window.publishDelay = .milliseconds(500)
    window.partDuration = .seconds(1)
    window.partHoldBack = .seconds(3)
    window.canBlockReload = true
    #expect(streamMedia.live == window)
    #expect(streamMedia.startOffset == .seconds(-20))
    let event = try StreamFixture.streamMedia(StreamFixture.streamMedia + #","live":{}"#)
    #expect(event.live == LiveWindow(elapsed: .zero, window: nil))
  }

  /// Only a stream that is live, and whose playlists have no size of their own, has playlists that
  /// follow its window.
  @Test func livePlaylistsFollowTheWindow() throws {
    let rows: [(fields: String, sizes: [Int64]?)] = [
      ("", nil), (#","live":{},"mediaPlaylist":700"#, nil),
      (#","live":{}"#, [150, 190, 550]), (#","live":{},"gzip":true"#, [30, 38, 110]),
      (#","live":{},"keys":{"rotateEvery":4}"#, [150, 310, 910]),
    ]
    for row in rows {
      let list = try StreamFixture.streamMedia(StreamFixture.streamMedia + row.fields).lists[1]
      let sizes = [0, 1, 10].map { list.playlistSize(listing: 0..<$0).bytes }
      #expect((list.playlistText == nil ? nil : sizes) == row.sizes, "\(row.fields)")
    }
  }

  /// However long a programme is planned to be, the same moment of it plays the same.
  @Test(arguments: [#""60 s""#, "null"])
  func liveStreamsDoNotDependOnTheirEnd(_ window: String) throws {
    let runs = try ["2 h", "2 d", "11 d"].map { duration in
      let (scenario, _) = StreamFixture.read(
        """
        "duration":"\(duration)","variants":[{"bandwidth":"400 kbit/s"},\
        {"bandwidth":"1 Mbit/s"},{"bandwidth":"2500 kbit/s"}],\
        "live":{"elapsed":"10 min","window":\(window)}
        """, script: #",{"at":0,"do":"play"}],"until":"5 min","expect":["#)
      var simulation = Simulation(try #require(scenario).world)
      _ = simulation.run()
      return simulation
    }
    let first = runs[0].metrics(of: 0)
    #expect(try #require(first.firstPlayed) < .start + .seconds(2))
    for run in runs.dropFirst() {
      #expect(run.metrics(of: 0) == first)
      #expect(run.log.records == runs[0].log.records)
    }
  }

  /// What is preferred, and the order of a stream of 300, 100 and 200 kbit/s.
  static let rewritten: [(preferred: String, order: [Int64])] = [
    ("\"200 kbit/s\"", [200_000, 300_000, 100_000]), ("250000", [200_000, 300_000, 100_000]),
    ("\"small\"", [100_000, 300_000, 200_000]), ("5", [100_000, 300_000, 200_000]),
    ("\"1 Gbit/s\"", [300_000, 100_000, 200_000]),
  ]

  @Test(arguments: rewritten.indices)
  func aRewrittenPlaylistHasItsOrder(_ index: Int) throws {
    let row = Self.rewritten[index]
    let streamMedia = try StreamFixture.streamMedia(
      """
      "duration":8,"segmentDuration":8,"variants":[{"bandwidth":300000},{"bandwidth":100000,\
      "name":"small"},{"bandwidth":200000}],"rewrite":{"preferredFirst":\(row.preferred)}
      """)
    #expect(streamMedia.variants.map(\.bandwidth.bitsPerSecond) == row.order)
    #expect(streamMedia.lists.map(\.sizes) == row.order.map { [$0] })
  }

  @Test func partsHaveNames() throws {
    let (scenario, _) = StreamFixture.read(
      """
      "duration":6,"variants":[{"bandwidth":100000},{"bandwidth":100000},{"bandwidth":"2 Mbit/s",\
      "resolution":"1280x720"},{"bandwidth":1,"name":"low"}],"keys":{},\
      "audio":[{"group":"a","language":"en","bitrate":9},{"group":"a","name":"x"}]
      """)
    let names = try #require(scenario?.streamNames[0][0])
    #expect(
      names.variants == ["100 kbit/s", "100 kbit/s (2)", "1280x720 2 Mbit/s", "low"])
    #expect(names.lists == names.variants + ["a en"])
    #expect(names.keys == ["key 0"])
  }

  @Test func hostsLeadMediaAndKeysToTheirLinks() throws {
    let text = """
      {"link":{"rate":1000000,"match":[{"host":"k.example","profile":{"rate":5000}},\
      {"host":"*.example","profile":{"rate":9000}}]},"media":[\
      {"kind":"hls",\(StreamFixture.streamMedia),"keys":{"host":"K.example"},"host":"m.example"},\
      {"kind":"hls",\(StreamFixture.streamMedia),"keys":{},"host":"m.example",\
      "resourceLoader":true},\
      {"kind":"hls",\(StreamFixture.streamMedia),"keys":{"host":"k.example"},\
      "canPlayReverse":false}],"script":[{"at":0,"do":"load"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty)
    let media = try #require(scenario?.world.players[0].media)
    #expect(media.map(\.route) == [2, 2, 0])
    #expect(media.map { $0.streamMedia?.keys[0].route } == [1, 2, 1])
    #expect(media.map(\.canPlayReverse) == [true, true, false])
    #expect(media.map(\.isFedByDelegate) == [false, true, false])
    #expect(scenario?.world.hostLinks.count == 2)
  }

  @Test func theRealDurationIsPassedOn() throws {
    let streamMedia = try StreamFixture.streamMedia(
      StreamFixture.streamMedia + #","realDuration":"59.8 s""#)
    #expect(streamMedia.mediaEnd == MediaTime(nanoseconds: 59_800_000_000))
    #expect(streamMedia.duration == .seconds(60))
    #expect(try StreamFixture.streamMedia(StreamFixture.streamMedia).mediaEnd == nil)
  }
}
