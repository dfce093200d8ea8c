import Autowait

extension LinkPresets {
  /// Apple's conditioners: dummynet pipes with 50 slots, which lose in each direction.
  static let conditioner: [LinkPreset] = nlc + nlc1 + xcode

  /// The Network Link Conditioner as it is today.
  private static let nlc: [LinkPreset] = {
    let family = Family(
      "nlc",
      source: "a preset list of a clone in Swift; but for LTE, 802.11ac and lookups also WebRTC "
        + "tools_webrtc/network_emulator/emulate.py and facebookarchive/"
        + "augmented-traffic-control utils/profiles; dummynet makes 50 slots of a queue size of "
        + "zero (xnu bsd/netinet/ip_dummynet.c)",
      confidence: .high, queue: .packets(50))
    return [
      family.link(
        "100-loss", (unlimited, 0), (unlimited, 0), "Nothing arrives, in either direction"
      ).losing(1_000_000),
      family.link(
        "3g", (780_000, 100_000), (330_000, 100_000), "A third-generation mobile network"),
      family.link("dsl", (2_000_000, 5_000), (256_000, 5_000), "A digital subscriber line"),
      family.link(
        "edge", (240_000, 400_000), (200_000, 440_000),
        "A second-generation mobile network, with seconds of queue"),
      family.link(
        "high-latency-dns", (unlimited, 0), (unlimited, 0),
        "Names take three seconds to look up; all else is free"
      ).with(.medium).delayingNames(3_000_000),
      family.link(
        "lte", (50_000_000, 50_000), (10_000_000, 65_000),
        "A fourth-generation mobile network, whose queue starves it"
      ).with(.medium),
      family.link(
        "very-bad", (1_000_000, 500_000), (1_000_000, 500_000),
        "A connection that barely works: loss leaves TCP a twentieth of the rate"
      ).losing(100_000),
      family.link("wifi", (40_000_000, 1_000), (33_000_000, 1_000), "A wireless network"),
      family.link(
        "wifi-ac", (250_000_000, 1_000), (100_000_000, 1_000), "A wireless network of 802.11ac"
      ).with(.medium),
    ]
  }()

  /// The first Network Link Conditioner, of Xcode 4.1 to 4.3.
  private static let nlc1: [LinkPreset] = {
    let family = Family(
      "nlc1",
      source: "WebRTC tools_webrtc/network_emulator/emulate.py and "
        + "facebookarchive/augmented-traffic-control utils/profiles; dummynet "
        + "makes 50 slots of a queue size of zero (xnu "
        + "bsd/netinet/ip_dummynet.c)",
      confidence: .high, queue: .packets(50))
    return [
      family.link(
        "3g-good", (850_000, 90_000), (420_000, 100_000), "A good third-generation network"
      ).with(.medium),
      family.link(
        "3g-average", (780_000, 100_000), (330_000, 100_000),
        "A third-generation network on average"),
      family.link(
        "3g-lossy", (780_000, 100_000), (330_000, 100_000),
        "A third-generation network that loses packets"
      ).losing(10_000).with(.medium),
      family.link("cable", (6_000_000, 2_000), (1_000_000, 2_000), "A cable modem"),
      family.link("dsl", (2_000_000, 5_000), (256_000, 5_000), "A digital subscriber line"),
      family.link(
        "edge-good", (250_000, 350_000), (200_000, 370_000), "A good second-generation network"
      ).with(.medium),
      family.link(
        "edge-average", (240_000, 400_000), (200_000, 440_000),
        "An average second-generation network"
      ).with(.medium),
      family.link(
        "edge-lossy", (240_000, 400_000), (200_000, 440_000),
        "A second-generation network that loses packets"
      ).losing(10_000).with(.medium),
      family.link(
        "wifi-average", (40_000_000, 1_000), (33_000_000, 1_000), "An average wireless network"
      ).with(.medium),
      family.link("wifi-good", (45_000_000, 1_000), (40_000_000, 1_000), "A good wireless network")
        .with(.medium),
      family.link(
        "wifi-lossy", (40_000_000, 1_000), (33_000_000, 1_000),
        "A lossy wireless network, which by its one source loses nothing"
      ).with(.low),
    ]
  }()

  /// Device conditions of Xcode that the conditioner does not have; its values are not public.
  private static let xcode: [LinkPreset] = {
    let family = Family(
      "xcode",
      source: "inferred: Xcode's names, with the values that "
        + "facebookarchive/augmented-traffic-control has under them; dummynet "
        + "makes 50 slots of a queue size of zero (xnu "
        + "bsd/netinet/ip_dummynet.c)",
      confidence: .low, queue: .packets(50))
    return [
      family.link(
        "2g-rural", (20_000, 650_000), (18_000, 650_000),
        "A second-generation network in the country"
      ).losing(20_000),
      family.link(
        "2g-urban", (35_000, 650_000), (32_000, 650_000), "A second-generation network in town"),
    ]
  }()
}
