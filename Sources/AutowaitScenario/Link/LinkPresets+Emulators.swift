import Autowait

extension LinkPresets {
  /// Tables whose numbers nobody claims to have measured.
  static let emulators: [LinkPreset] = android + android1 + comcast

  /// The Android emulator; its latency is drawn evenly, here on the way down.
  private static let android: [LinkPreset] = {
    let family = Family(
      "android",
      source: "help text of -netspeed and -netdelay; that the latency is on the "
        + "way down is assumed",
      confidence: .low, queue: .automatic)
    return [
      family.link("gsm", (14_400, 350_000), (14_400, 0), "GSM").deviating(200_000),
      family.link("hscsd", (57_600, 240_000), (14_400, 0), "HSCSD").deviating(160_000),
      family.link("gprs", (57_600, 117_500), (28_800, 0), "GPRS").deviating(82_500),
      family.link("umts", (384_000, 117_500), (384_000, 0), "UMTS").deviating(82_500),
      family.link("edge", (473_600, 240_000), (473_600, 0), "EDGE").deviating(160_000),
      family.link("hsdpa", (13_980_000, 0), (5_760_000, 0), "HSDPA"),
      family.link("lte", (173_000_000, 0), (58_000_000, 0), "LTE"),
      family.link("evdo", (280_000_000, 0), (75_000_000, 0), "EVDO"),
      family.link("full", (unlimited, 0), (unlimited, 0), "No limit at all"),
    ]
  }()

  /// Older Android emulators, whose authors call the latencies imaginary.
  private static let android1: [LinkPreset] = {
    let family = Family(
      "android1",
      source: "AOSP qemu android-constants.c; that the latency is on the way down "
        + "is assumed",
      confidence: .low, queue: .automatic)
    return [
      family.link("gprs", (80_000, 350_000), (40_000, 0), "GPRS").deviating(200_000),
      family.link("edge", (236_800, 240_000), (118_400, 0), "EDGE").deviating(160_000),
      family.link("umts", (1_920_000, 117_500), (128_000, 0), "UMTS").deviating(82_500),
      family.link("hsdpa", (14_400_000, 0), (348_000, 0), "HSDPA"),
    ]
  }()

  /// comcast; half of its latency, and all of its loss, stands in each direction.
  private static let comcast: [LinkPreset] = {
    let family = Family(
      "comcast",
      source: "README of tylertreat/comcast, unsourced by its own account; the split "
        + "of the latency is assumed",
      confidence: .low, queue: .packets(1_000))
    return [
      family.link("gprs", (50_000, 250_000), (50_000, 250_000), "GPRS").losing(20_000),
      family.link("edge", (250_000, 150_000), (250_000, 150_000), "EDGE").losing(15_000),
      family.link("3g", (750_000, 125_000), (750_000, 125_000), "3G").losing(15_000),
      family.link("dial-up", (40_000, 92_500), (40_000, 92_500), "A modem on a telephone line")
        .losing(20_000),
      family.link("dsl-poor", (2_000_000, 35_000), (2_000_000, 35_000), "A poor DSL").losing(
        20_000),
      family.link("dsl-good", (8_000_000, 20_000), (8_000_000, 20_000), "A good DSL").losing(5_000),
      family.link("wifi", (30_000_000, 20_000), (30_000_000, 20_000), "A wireless network").losing(
        2_000),
      family.link(
        "starlink", (unlimited, 10_000), (unlimited, 10_000),
        "A satellite network; its rate is not limited"
      ).losing(25_000),
    ]
  }()
}
