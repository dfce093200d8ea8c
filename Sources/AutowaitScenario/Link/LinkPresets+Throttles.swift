import Autowait

extension LinkPresets {
  /// What measures web pages on real TCP: netem, whose queue holds 1,000 packets.
  static let throttles: [LinkPreset] = wpt + sitespeed + atc

  /// WebPageTest; half of its round trip stands in each direction.
  private static let wpt: [LinkPreset] = {
    let family = Family(
      "wpt",
      source: "catchpoint/WebPageTest www/settings/connectivity.ini.sample; "
        + "queue: netem's default",
      confidence: .high, queue: .packets(1_000))
    return [
      family.link("cable", (5_000_000, 14_000), (1_000_000, 14_000), "Cable"),
      family.link("dsl", (1_500_000, 25_000), (384_000, 25_000), "DSL"),
      family.link("3g-slow", (780_000, 100_000), (330_000, 100_000), "3G Slow"),
      family.link("3g-em", (400_000, 200_000), (400_000, 200_000), "3G of emerging markets"),
      family.link("3g", (1_600_000, 150_000), (768_000, 150_000), "3G"),
      family.link("3g-fast", (1_600_000, 75_000), (768_000, 75_000), "3G Fast"),
      family.link("4g", (9_000_000, 85_000), (9_000_000, 85_000), "4G"),
      family.link("4g-fast", (10_240_000, 20_000), (10_240_000, 20_000), "4G Fast"),
      family.link("lte", (12_000_000, 35_000), (12_000_000, 35_000), "LTE"),
      family.link("edge", (240_000, 420_000), (200_000, 420_000), "Edge"),
      family.link("2g", (280_000, 400_000), (256_000, 400_000), "2G"),
      family.link("dial", (49_000, 60_000), (30_000, 60_000), "A modem on a telephone line"),
      family.link("fios", (20_000_000, 2_000), (5_000_000, 2_000), "Fibre"),
      family.link("vdsl", (15_000_000, 10_000), (3_000_000, 10_000), "VDSL"),
    ]
  }()

  /// sitespeed.io's throttle, whose round trips are half of WebPageTest's.
  private static let sitespeed: [LinkPreset] = {
    let family = Family(
      "sitespeed",
      source: "sitespeedio/throttle bin/index.js and lib/tc.js; queue: netem's "
        + "default",
      confidence: .high, queue: .packets(1_000))
    return [
      family.link("cable", (5_000_000, 7_000), (1_000_000, 7_000), "Cable"),
      family.link("dsl", (1_500_000, 12_500), (384_000, 12_500), "DSL"),
      family.link("3g-slow", (400_000, 100_000), (400_000, 100_000), "3G Slow"),
      family.link("3g-em", (400_000, 100_000), (400_000, 100_000), "3G of emerging markets"),
      family.link("3g", (1_600_000, 75_000), (768_000, 75_000), "3G"),
      family.link("3g-fast", (1_600_000, 37_500), (768_000, 37_500), "3G Fast"),
      family.link("4g", (9_000_000, 42_500), (9_000_000, 42_500), "4G"),
      family.link("lte", (12_000_000, 17_500), (12_000_000, 17_500), "LTE"),
      family.link("edge", (240_000, 210_000), (200_000, 210_000), "Edge"),
      family.link("2g", (280_000, 200_000), (256_000, 200_000), "2G"),
      family.link("dial", (49_000, 30_000), (30_000, 30_000), "A modem on a telephone line"),
      family.link("fios", (20_000_000, 1_000), (5_000_000, 1_000), "Fibre"),
    ]
  }()

  /// Augmented Traffic Control.
  private static let atc: [LinkPreset] = {
    let family = Family(
      "atc",
      source: "facebookarchive/augmented-traffic-control utils/profiles; queue: "
        + "netem's default",
      confidence: .medium, queue: .packets(1_000))
    return [
      family.link("2g-rural", (20_000, 650_000), (18_000, 650_000), "2G in the country").losing(
        20_000),
      family.link("2g-urban", (35_000, 650_000), (32_000, 650_000), "2G in town"),
      family.link("3g-good", (850_000, 90_000), (420_000, 100_000), "A good 3G"),
      family.link("3g-average", (780_000, 100_000), (330_000, 100_000), "An average 3G"),
      family.link("cable", (6_000_000, 2_000), (1_000_000, 2_000), "A cable modem"),
      family.link("dsl", (2_000_000, 5_000), (256_000, 5_000), "A digital subscriber line"),
      family.link("edge-good", (250_000, 350_000), (200_000, 370_000), "A good Edge"),
      family.link("edge-average", (240_000, 400_000), (200_000, 440_000), "An average Edge"),
      family.link(
        "edge-lossy", (240_000, 400_000), (200_000, 440_000), "An Edge that loses packets"
      ).losing(10_000),
      family.link(
        "no-connectivity", (1_000, 0), (1_000, 0), "Next to nothing: one kilobit per second"),
    ]
  }()
}
