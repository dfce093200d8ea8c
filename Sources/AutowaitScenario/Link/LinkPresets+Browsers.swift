import Autowait

extension LinkPresets {
  /// What browsers call a network: a latency from a request to its first byte, and a rate.
  ///
  /// Half of the latency stands in each direction. No handshake, slow start, queue or loss: such a
  /// link is ideal, and that is why the latencies are several times what they stand for.
  static let browsers: [LinkPreset] = chrome + lighthouse + devtools

  /// The conditions of Chrome's developer tools.
  private static let chrome: [LinkPreset] = {
    let family = Family(
      "chrome",
      source: "devtools-frontend front_end/core/sdk/NetworkManager.ts",
      confidence: .high, queue: .automatic, isIdeal: true)
    return [
      family.link("3g", (400_000, 1_000_000), (400_000, 1_000_000), "3G, formerly Slow 3G"),
      family.link("slow-4g", (1_440_000, 281_250), (675_000, 281_250), "Slow 4G, formerly Fast 3G"),
      family.link("fast-4g", (8_100_000, 82_500), (1_350_000, 82_500), "Fast 4G"),
      family.link("offline", (0, 0), (0, 0), "Nothing gets through"),
    ]
  }()

  /// Lighthouse.
  private static let lighthouse: [LinkPreset] = {
    let family = Family(
      "lighthouse",
      source: "lighthouse core/lib/lantern/simulation/Constants.js",
      confidence: .high, queue: .automatic, isIdeal: true)
    return [
      family.link(
        "slow-4g", (1_638_400, 75_000), (unlimited, 75_000),
        "Lighthouse's mobile default, as it is simulated"),
      family.link(
        "applied", (1_474_600, 281_250), (675_000, 281_250),
        "Lighthouse's mobile default, as it is applied to a browser"),
      family.link(
        "regular-3g", (700_000, 150_000), (unlimited, 150_000), "A regular third-generation network"
      ),
      family.link(
        "dense-4g", (10_240_000, 20_000), (unlimited, 20_000), "Lighthouse's desktop default"),
    ]
  }()

  /// The former list of developer tools, in kilobits of 1,024 bits.
  private static let devtools: [LinkPreset] = {
    let family = Family(
      "devtools",
      source: "addyosmani/network-conditions and clebert/cybernaut issue 358",
      confidence: .medium, queue: .automatic, isIdeal: true)
    return [
      family.link("gprs", (51_200, 250_000), (20_480, 250_000), "GPRS"),
      family.link("regular-2g", (256_000, 150_000), (51_200, 150_000), "Regular 2G"),
      family.link("good-2g", (460_800, 75_000), (153_600, 75_000), "Good 2G"),
      family.link("regular-3g", (768_000, 50_000), (256_000, 50_000), "Regular 3G"),
      family.link("good-3g", (1_572_864, 20_000), (768_000, 20_000), "Good 3G"),
      family.link("regular-4g", (4_194_304, 10_000), (3_145_728, 10_000), "Regular 4G"),
      family.link("dsl", (2_097_152, 2_500), (1_048_576, 2_500), "DSL"),
      family.link("wifi", (31_457_280, 1_000), (15_728_640, 1_000), "WiFi"),
    ]
  }()
}
