import Autowait
import Testing

/// What becomes of colors on their way to who receives pictures.
@Suite struct VideoColorTests {
  private static let bt709 = VideoColor(primaries: 1, transfer: 1, matrix: 1)
  private static let smpteC = VideoColor(primaries: 6, transfer: 1, matrix: 6)
  private static let p3 = VideoColor(primaries: 12, transfer: 1, matrix: 1)
  private static let bt2020 = VideoColor(primaries: 9, transfer: 1, matrix: 9)
  private static let hlg = VideoColor(primaries: 9, transfer: 18, matrix: 9)

  /// The chromaticities of ITU-T H.273, table 2: green, blue and red.
  private static let primaries: [UInt16: [(x: Double, y: Double)]] = [
    1: [(0.300, 0.600), (0.150, 0.060), (0.640, 0.330)],
    5: [(0.29, 0.60), (0.15, 0.06), (0.64, 0.33)],
    6: [(0.310, 0.595), (0.155, 0.070), (0.630, 0.340)],
    9: [(0.170, 0.797), (0.131, 0.046), (0.708, 0.292)],
    11: [(0.265, 0.690), (0.150, 0.060), (0.680, 0.320)],
    12: [(0.265, 0.690), (0.150, 0.060), (0.680, 0.320)],
    22: [(0.295, 0.605), (0.155, 0.077), (0.630, 0.340)],
  ]

  /// How far a point lies outside a triangle, at most.
  private static func distance(
    of point: (x: Double, y: Double), outside triangle: [(x: Double, y: Double)]
  ) -> Double {
    (0..<3).map { place in
      let (a, b) = (triangle[place], triangle[(place + 1) % 3])
      let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
      return -((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)) / length
    }.max() ?? 0
  }

  private static func lies(_ inner: UInt16, in outer: UInt16) -> Bool {
    guard let inner = primaries[inner], let outer = primaries[outer] else { return false }
    // Some sets differ by a hundredth, and are taken for the same gamut.
    return inner.allSatisfy { distance(of: $0, outside: outer) < 0.025 }
  }

  /// Wide are the primaries that lie outside those of BT.709; nothing is lost in a space in whose
  /// triangle the other's lies.
  @Test func gamutsAreTriangles() {
    for (code, _) in Self.primaries.sorted(by: { $0.key < $1.key }) {
      let color = VideoColor(primaries: code, transfer: 1, matrix: 1)
      #expect(color.usesWideGamut == !Self.lies(code, in: 1), "\(code)")
      for (target, _) in Self.primaries.sorted(by: { $0.key < $1.key }) where target != code {
        var settings = FrameSettings()
        settings.color = .of(VideoColor(primaries: target, transfer: 1, matrix: 1))
        let received = settings.received(ColoredFrames(color), items: [])
        let expected = Self.lies(code, in: target) ? ColorTreatment.converted : .clamped
        #expect(received.treatment == expected, "\(code) to \(target)")
        #expect(received.color?.primaries == target)
      }
    }
  }

  /// A video output, by what it asks for and what comes.
  @Test(
    arguments: [
      (nil, false, p3, bt709, .clamped), (nil, false, bt709, bt709, .preserved),
      (nil, false, smpteC, smpteC, .preserved), (nil, true, p3, p3, .preserved),
      (nil, false, hlg, bt709, .clamped), (.of(p3), false, bt709, p3, .converted),
      (.of(p3), true, bt2020, p3, .clamped), (.of(bt2020), false, hlg, bt2020, .clamped),
      (.of(p3), false, nil, nil, .untagged), (nil, false, nil, nil, .untagged),
      (.widest, false, bt709, hlg, .converted), (.widest, false, p3, hlg, .converted),
    ] as [(WorkingColor?, Bool, VideoColor?, VideoColor?, ColorTreatment)])
  func outputs(
    _ working: WorkingColor?, _ allows: Bool, _ source: VideoColor?, _ color: VideoColor?,
    _ treatment: ColorTreatment
  ) {
    var settings = FrameSettings()
    (settings.color, settings.allowsWideColor) = (working, allows)
    let received = settings.received(ColoredFrames(source), items: [Self.p3, nil, Self.hlg])
    #expect(received.color == color)
    #expect(received.treatment == treatment)
  }

  /// A composition: what its own compositor receives, and what comes of it.
  @Test(
    arguments: [
      (false, false, p3, bt709, .clamped), (true, false, p3, p3, .preserved),
      (false, true, p3, p3, .preserved), (true, false, hlg, bt2020, .clamped),
      (false, true, hlg, hlg, .preserved), (false, false, bt709, bt709, .preserved),
      (true, true, nil, nil, .untagged),
    ] as [(Bool, Bool, VideoColor?, VideoColor?, ColorTreatment)])
  func compositors(
    _ isWide: Bool, _ isHDR: Bool, _ source: VideoColor?, _ color: VideoColor?,
    _ treatment: ColorTreatment
  ) {
    var plan = CompositionPlan()
    plan.color = .of(Self.bt2020)
    #expect(plan.received(ColoredFrames(source), items: []) == nil)
    var compositor = CompositionPlan.Compositor()
    (compositor.supportsWideColor, compositor.supportsHighDynamicRange) = (isWide, isHDR)
    plan.compositor = compositor
    let received = plan.received(ColoredFrames(source), items: [])
    #expect(received?.color == color)
    #expect(received?.treatment == treatment)
    let composed = plan.composed(ColoredFrames(source), items: [])
    #expect(composed.color == (source == nil ? nil : Self.bt2020))
    // What was lost once stays lost.
    #expect(treatment != .clamped || composed.treatment == .clamped)
  }

  /// Files have the tags of the frames, or those that the writer was told.
  @Test(
    arguments: [
      (nil, p3, p3, .preserved), (nil, nil, nil, .untagged), (.of(p3), nil, p3, .tagged),
      (.of(bt709), p3, bt709, .clamped), (.of(bt2020), p3, bt2020, .converted),
      (.widest, bt709, bt709, .preserved),
    ] as [(WorkingColor?, VideoColor?, VideoColor?, ColorTreatment)])
  func writers(
    _ working: WorkingColor?, _ source: VideoColor?, _ color: VideoColor?,
    _ treatment: ColorTreatment
  ) {
    var plan = TranscodePlan()
    plan.reader.allowsWideColor = true
    plan.color = working
    let read = plan.reader.received(ColoredFrames(source), items: [])
    let written = plan.written(read, items: [Self.bt709, Self.smpteC, nil])
    #expect(written.color == color)
    #expect(written.treatment == treatment)
  }

  /// Without a display for it nothing of a high dynamic range plays, if there is anything else.
  @Test(arguments: [true, false])
  func displays(_ isEligible: Bool) {
    var parts = StreamMedia(
      variants: [VideoRange.pq, .sdr, .hlg].map {
        var variant = StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)
        variant.videoRange = $0
        return variant
      }, lists: [SegmentList([(MediaTime.seconds(4), ByteCount(bytes: 1))])])
    var limits = VariantLimits()
    limits.isEligibleForHDRPlayback = isEligible
    #expect(limits.eligible(in: parts) == (isEligible ? [0, 1, 2] : [1]))
    parts.variants.remove(at: 1)
    #expect(limits.eligible(in: parts) == [0, 1])
  }

  /// Who takes pictures is told once an item, and again when another color plays.
  @Test func outputsAreToldOfChanges() {
    var clips = [Self.p3, Self.p3, nil].map { color in
      var clip = Media(.local, duration: .seconds(2), bitRate: BitRate(bitsPerSecond: 8_000))
      clip.color = color
      return clip
    }
    clips.swapAt(1, 2)
    var player = PlayerConfiguration(media: clips)
    player.queue = [0, 1, 2]
    var pipeline = PipelinePolicy()
    pipeline.hasVideoOutput = true
    player.pipeline = pipeline
    let detach = PlayerAction.set(.videoOutputAttached(false))
    let attach = PlayerAction.set(.videoOutputAttached(true))
    let run = Simulation.run(
      of: World(
        links: [LinkProfile(Demo.fast)], players: [player],
        script: [
          Demo.at(0, .play), Demo.at(seconds: 5, detach), Demo.at(5_500_000_000, attach),
        ], horizon: Instant(nanoseconds: 60_000_000_000)))
    let told = run.log.records.filter { if case .videoFrames = $0.event { true } else { false } }
    #expect(told.map(\.instant.nanoseconds) == [0, 2, 4, 5.5].map { Int64($0 * 1e9) })
    #expect(told.map(\.event)[1] == .videoFrames(VideoFrames(to: .output, nil, .untagged)))
    #expect(told.map(\.event)[3] == .videoFrames(VideoFrames(to: .output, Self.bt709, .clamped)))
  }
}
