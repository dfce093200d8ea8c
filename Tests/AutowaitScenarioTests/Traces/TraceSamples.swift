import Autowait
import AutowaitScenario
import Testing

/// A file of each format, made up, and what is read from it.
struct TraceSample: Sendable, CustomTestStringConvertible {
  let format: TraceFormat
  let text: String
  /// What is read, as `length rate delay` of each sample, the ending, and the way up if it is not
  /// plain.
  let expected: String
  var profileName: String?
  /// What is warned of.
  var warning: String?

  var testDescription: String { "\(format.rawValue): \(expected.prefix(40))" }

  /// Reads the text from a source that gives so many bytes at a time.
  func read(
    chunk: Int = .max, recognizing: Bool = true, _ change: (inout TraceOptions) -> Void = { _ in }
  ) -> TraceReading {
    var options = TraceOptions()
    options.profileName = profileName
    if !recognizing { options.format = format }
    change(&options)
    return TraceReader.read(TraceSample.source(Array(text.utf8), chunk: chunk), options)
  }

  /// Returns a source that gives so many bytes at a time.
  static func source(
    _ bytes: [UInt8], chunk: Int = .max, path: String = "a/x.trace"
  ) -> ByteSource {
    var rest = bytes[...]
    return ByteSource(path: path) {
      let piece = rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      return .success(Array(piece))
    }
  }

  /// Spells what a link does, in milliseconds and kbit/s.
  static func text(_ profile: LinkProfile) -> String {
    let plain = LinkDirection()
    let up = profile.up == plain ? "" : " | " + text(profile.up)
    return text(profile.down) + up
  }

  private static func text(_ direction: LinkDirection) -> String {
    let track = direction.track
    let ends = track.samples.dropFirst().map(\.start) + [end(track)]
    let samples = zip(track.samples, ends).map { sample, end in
      let rate = sample.rate == .unlimited ? "∞" : parts(sample.rate.bitsPerSecond, 1_000)
      let delay = sample.delay == .zero ? "" : " +" + parts(sample.delay.nanoseconds, 1_000_000)
      let length = end.map { parts(($0 - sample.start).nanoseconds, 1_000_000) + " " } ?? ""
      return length + rate + delay
    }
    let ending =
      switch track.ending {
      case .hold: "hold"
      case .loop: "loop"
      case .offline: "offline"
      }
    return (samples + [ending] + packets(direction)).joined(separator: ", ")
  }

  private static func end(_ track: LinkTrack) -> TimeSpan? {
    switch track.ending {
    case .hold: nil
    case .loop(let end), .offline(let end): end
    }
  }

  private static func packets(_ direction: LinkDirection) -> [String] {
    var words: [String] = []
    if case .packets(let count) = direction.queue { words.append("queue \(count)") }
    if case .bernoulli(let chance) = direction.loss { words.append("loss \(chance.parts)") }
    if let jitter = direction.jitter {
      words.append("jitter \(parts(jitter.deviation.nanoseconds, 1_000_000))")
    }
    if let reorder = direction.reorder {
      words.append("reorder \(reorder.chance.parts) \(reorder.gap)")
    }
    return words
  }

  /// Returns a number of parts as a decimal.
  private static func parts(_ value: Int64, _ unit: Int64) -> String {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
    if rest == 0 { return "\(whole)" }
    var digits = "\(unit + rest)".dropFirst()
    while digits.last == "0" { digits = digits.dropLast() }
    return "\(whole).\(digits)"
  }
}

extension TraceSample {
  static let tables: [TraceSample] = [
    TraceSample(
      format: .mahimahi, text: "1\n2\n2\n5\n",
      expected: "1 12000, 1 24000, 2 0, 1 12000, loop"),
    TraceSample(format: .mahimahi, text: "1", expected: "1 12000, loop"),
    TraceSample(
      format: .mahimahi, text: "\u{FEFF}0\r\n3\r\n4\r\n", expected: "1 12000, 1 0, 2 12000, loop"),
    TraceSample(
      format: .pensieve, text: "0.0\t0.77\n1.86999988556 1.5\n\n2.0\t0\n",
      expected: "1869.999886 1500, 130.000114 0, loop"),
    TraceSample(
      format: .hsdpa,
      text: "1289406399 549205 59.85 10.78 142490 1029\n1289406400 550205 59.85 10.78 0 1000\n",
      expected: "1029 1107.794, 1000 0, offline"),
    TraceSample(
      format: .ghent,
      text: "1453121790686 1 51.0 3.7 1000 0\n1453121791686 1001 51.0 3.7 1000 1000\n",
      expected: "1000 16, offline"),
    TraceSample(
      format: .bytes, text: "t_s,bytes\n0,1500\n0.05,1000\n0.35,500\n",
      expected: "100 200, 200 0, 100 40, offline"),
    TraceSample(
      format: .rates, text: "time_ms,rate_mbps\n5000,1.5\n6000,0\n6500,2\n",
      expected: "1000 1500, 500 0, 500 2000, loop"),
    TraceSample(
      format: .fcc,
      text: """
        "unit_id","dtime","target","bytes_sec"
        7,2016-01-01 00:00:00,a.com,125000
        8,2016-01-01 00:00:00,a.com,1
        7,2016-01-01 01:00:00,a.com,250000.5

        """, expected: "5000 1000, 5000 2000.004, offline"),
    TraceSample(
      format: .irish4g,
      text: """
        Timestamp,Speed,Operatorname,DL_bitrate,UL_bitrate,State
        2018.02.12_23.59.58,0,A,1000,20,D
        2018.02.12_23.59.58,0,A,2001,20,D
        2018.02.12_23.59.59,0,A,5,20,I
        2018.02.13_00.00.01,0,A,-,20,D
        2018.02.13_00.00.02,0,A,700,20,D

        """, expected: "1000 1500.5, 1000 700, offline",
      warning: "3 s in which nothing was downloaded are left out"),
    TraceSample(
      format: .irish5g,
      text: """
        Timestamp,DL_bitrate,UL_bitrate,State,PINGAVG
        2019.11.28_07.05.12,5000,0,D,-
        2019.11.28_07.05.13,6000,0,D,31.5
        2019.11.28_07.05.15,7000,0,D,-

        """, expected: "1000 5000, 2000 6000 +31.5, 1000 7000 +31.5, offline"),
    TraceSample(
      format: .errant,
      text: """
        time,operator,country,technology,quality,download,upload,rtt
        1601642003,telenor,norway,4g,good,17580.07864961684,14188.136689046294,82.01200449624072
        1601642006,telenor,norway,4g,good,22459.5,16390,64

        """,
      expected: "3000 17580.079, 3000 22459.5, offline"
        + " | 3000 14188.137 +82.012004, 3000 16390 +64, offline"),
    TraceSample(
      format: .errant,
      text: """
        operator,country,rat,signal_quality,download_kbps,upload_kbps,latency_ms_avg
        3,sweden,3G,bad,3075.1625,908.5,145.25
        3,sweden,3G,good,13908,2942,81

        """, expected: "3075.163, hold | 908.5 +145.25, hold", profileName: "3/sweden/3G/bad"),
    TraceSample(
      format: .atc,
      text: """
        {"id": 3, "name": "Cellar", "content": {
          "up": {"rate": "780", "delay": {"delay": "100", "jitter": 0, "correlation": "0"},
            "loss": {"percentage": "0.5", "correlation": 0}, "iptables_options": [],
            "reorder": {"percentage": "0", "gap": "0", "correlation": 0},
            "corruption": {"percentage": "0", "correlation": 0}},
          "down": {"rate": "1.5", "delay": {"delay": "2", "jitter": "20"},
            "reorder": {"percentage": "50", "gap": "5"}}}}
        """,
      expected: "1.5 +2, hold, jitter 20, reorder 4503599627370496 5"
        + " | 780 +100, hold, loss 45035996273705"),
    TraceSample(
      format: .accesslog,
      text: """
        URI,numberOfBytesTransferred,transferDuration,observedBitrate
        http://a/,1000000,2,-1
        http://a/,-1,-1,-1
        "http://a/,b",500,0.5,-1

        """, expected: "2000 4000, 500 8, offline"),
  ]

  static let documents: [TraceSample] = [
    TraceSample(
      format: .link, text: #"{"name": "x", "rate": "3 Mbit/s"}"#, expected: "3000, hold"),
    TraceSample(
      format: .sabre,
      text: """
        [
          {"duration_ms": 1020, "bandwidth_kbps": 1051, "latency_ms": 75},
          {"duration_ms": 1020, "bandwidth_kbps": 0.5, "latency_ms": 75}
        ]
        """, expected: "1020 1051 +37.5, 1020 0.5 +37.5, loop | ∞ +37.5, hold"),
    TraceSample(
      format: .sabre,
      text: """
        [{"duration_ms": 10, "bandwidth_kbps": 1, "latency_ms": 75},
         {"duration_ms": 10, "bandwidth_kbps": 1, "latency_ms": 76}]
        """, expected: "10 1 +75, 10 1 +76, loop"),
    TraceSample(
      format: .atc,
      text: """
        {"name": "Edge - Lossy", "id": 9, "shaping": {
          "down": {"rate": 240, "delay": {"delay": 400, "jitter": 20, "correlation": 0},
            "loss": {"percentage": 1, "correlation": 0}, "iptables_options": [],
            "reorder": {"percentage": 50, "gap": 5, "correlation": 0},
            "corruption": {"percentage": 0, "correlation": 0}},
          "up": {"rate": 0, "delay": {"delay": 440}}}}
        """,
      expected: "240 +400, hold, loss 90071992547410, jitter 20, reorder 4503599627370496 5"
        + " | ∞ +440, hold"),
    TraceSample(
      format: .accesslog,
      text: """
        {"events": [
          {"transferDuration": 2, "numberOfBytesTransferred": 1000000, "URI": "a"},
          {"transferDuration": -1, "numberOfBytesTransferred": 0},
          {"transferDuration": 0.25, "numberOfBytesTransferred": 500}]}
        """, expected: "2000 4000, 250 16, offline"),
    TraceSample(
      format: .har,
      text: """
        {"log": {"version": "1.2", "entries": [
          {"startedDateTime": "2024-01-01T10:00:00.000Z",
           "timings": {"blocked": -1, "connect": 130, "ssl": 80, "send": 0, "wait": 70,
             "receive": 1000},
           "response": {"bodySize": 125000}},
          {"startedDateTime": "2024-01-01T11:00:00.700+01:00",
           "timings": {"send": 0, "wait": 0, "receive": 1000},
           "response": {"bodySize": -1, "_transferSize": 250000}},
          {"startedDateTime": "2024-01-01T10:00:05Z",
           "timings": {"wait": 0, "receive": 0}, "response": {"bodySize": 9}}]}}
        """,
      expected: "500 1000 +25, 500 3000 +25, 500 2000 +25, offline | ∞ +25, hold"),
    TraceSample(
      format: .wpt,
      text: """
        ; profiles
        [Cable]
        label="Cable (5/1 Mbps 28ms RTT)"
        bwIn=5000000
        bwOut=1000000
        latency=28
        plr=0

        [3G]
        bwIn = 1600000
        bwOut = 768000
        latency = 301
        plr = 1.5
        hidden=1
        """,
      expected: "1600 +150.5, hold, queue 1000, loss 135107988821115"
        + " | 768 +150.5, hold, queue 1000, loss 135107988821115", profileName: "3G"),
    TraceSample(
      format: .nlc, text: conditioner,
      expected: "50000 +50, hold, queue 50 | 10000 +65, hold, queue 50", profileName: "LTE"),
    TraceSample(
      format: .nlc, text: conditioner,
      expected: "∞, hold, queue 50, loss 9007199254740992"
        + " | ∞, hold, queue 50, loss 900719925474100", profileName: "A & B"),
  ]

  static let all = tables + documents

  private static let conditioner = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <!-- two profiles -->
    <dict>
      <key>SimulatorIsRunning</key><false/>
      <key>Profiles</key>
      <dict>
        <key>LTE</key>
        <dict>
          <key>DownlinkBandwidth</key><integer>50</integer>
          <key>DownlinkBandwidthUnit</key><integer>1</integer>
          <key>DownlinkDelay</key><real>50.0</real>
          <key>UplinkBandwidth</key><string>10000</string>
          <key>UplinkDelay</key><integer> 65 </integer>
          <key>UplinkPacketLossRatio</key><integer>0</integer>
          <key>RunOnInterface</key><string>All</string>
        </dict>
        <key>A &amp; &#66;</key>
        <dict>
          <key>DownlinkPacketLossRatio</key><integer>100</integer>
          <key>UplinkPacketLossRatio</key><real>10</real>
          <key>Preset</key><true/>
        </dict>
      </dict>
    </dict>
    </plist>
    """
}
