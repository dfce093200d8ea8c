import Autowait

/// Writes scripts that make a link of a real machine's.
///
/// A track becomes a loop of commands with waits between; the commands' own time makes it drift
/// by some milliseconds a change.
enum ShellScript {
  /// What a direction is from some time on.
  private struct Change {
    let start: TimeSpan
    let isUp: Bool
    let command: String
  }

  /// What netem takes for a queue without an end.
  private static let packetsMax: Int64 = 1_000_000
  /// The bytes of a packet in a queue; the MTU of Ethernet.
  private static let packetBytes: Int64 = 1_500

  static let tc = TraceFormatRow(
    title: "a script for tc", record: "shell script: netem, with timed changes",
    writing: .init(
      parts: [
        .delays, .upwardRate, .losses, .bursts, .queue, .queueOfDummynet, .jitter, .reordering,
        .duplicates, .overhead,
      ], grain: (1_000, "rounded to whole microseconds"), isCapacity: true
    ) { link, until in WrittenLink(bytes: trafficControl(link, until)) })

  static let dnctl = TraceFormatRow(
    title: "a script for dnctl", record: "shell script: dummynet, with timed changes",
    writing: .init(
      parts: [.delays, .upwardRate, .losses, .queue, .queueOfDummynet],
      grain: (1_000_000, "rounded to whole milliseconds"), isCapacity: true
    ) { link, until in WrittenLink(bytes: dummynet(link, until)) })

  /// Returns a script for the traffic control of Linux.
  private static func trafficControl(_ link: ConvertedLink, _ until: TimeSpan?) -> [UInt8] {
    let body = body(link.profile, until) { direction, sample, waiting in
      netem(direction, sample, waiting)
    }
    var text = header(link, "tc", "On Linux", "sh FILE [DEVICE]", body)
    text += """
      set -eu
      device=${1:-eth0}
      mirror=ifb0
      \(running)

      stop() {
        rm -f "$running"
        tc qdisc del dev "$device" root 2>/dev/null || true
        tc qdisc del dev "$device" ingress 2>/dev/null || true
        tc qdisc del dev "$mirror" root 2>/dev/null || true
      }
      stop
      if [ "${2:-}" = stop ]; then exit; fi
      \(traps)

      # What comes in is shaped on its way out of a mirror.
      modprobe ifb numifbs=1 2>/dev/null || true
      ip link add "$mirror" type ifb 2>/dev/null || true
      ip link set dev "$mirror" up
      tc qdisc add dev "$device" handle ffff: ingress
      tc filter add dev "$device" parent ffff: protocol all u32 match u32 0 0 \\
        action mirred egress redirect dev "$mirror"

      # netem counts the 14 bytes of Ethernet, and what is under way, into its limit; the links
      # that are described here do not.
      down() { tc qdisc replace dev "$mirror" root netem "$@"; }
      up() { tc qdisc replace dev "$device" root netem "$@"; }


      """
    return Array((text + body.text).utf8)
  }

  /// Returns a script for dummynet and the packet filter of macOS.
  private static func dummynet(_ link: ConvertedLink, _ until: TimeSpan?) -> [UInt8] {
    let body = body(link.profile, until, afterFirst: "rules") { direction, sample, waiting in
      dummynet(direction, sample, waiting)
    }
    var text = header(link, "dnctl", "On macOS", "sh FILE", body)
    text += """
      set -eu
      \(running)

      stop() {
        rm -f "$running"
        pfctl -q -f /etc/pf.conf
        dnctl -q flush
      }
      if [ "${1:-}" = stop ]; then stop; exit; fi
      # A script that runs is to leave the pipes to this one.
      rm -f "$running"
      \(traps)

      hasDown=
      hasUp=
      down() { dnctl pipe 1 config "$@" && hasDown=1; }
      up() { dnctl pipe 2 config "$@" && hasUp=1; }

      rules() {
        pfctl -q -E
        {
          cat /etc/pf.conf
          if [ "$hasDown" ]; then echo "dummynet in quick from any to any pipe 1"; fi
          if [ "$hasUp" ]; then echo "dummynet out quick from any to any pipe 2"; fi
        } | pfctl -q -f -
      }


      """
    return Array((text + body.text).utf8)
  }

  /// Where a script leaves its number for as long as it changes the link.
  private static let running = "running=/var/run/autowait-link"

  /// A script that fails, or is interrupted, leaves nothing behind.
  private static let traps = "trap stop EXIT\ntrap 'exit 130' HUP INT TERM"

  /// What a script begins with that changes the link.
  ///
  /// It finds out by itself that it was stopped: to kill what has a number that was once written
  /// down could hit anybody.
  private static let changing = """
    echo $$ >"$running"

    # Waits; ends if it was stopped, or another script begun, in the meantime.
    pause() {
      sleep "$1"
      if [ "$(cat "$running" 2>/dev/null)" != $$ ]; then
        trap - EXIT
        exit
      fi
    }


    """

  private static func header(
    _ link: ConvertedLink, _ tool: String, _ system: String, _ call: String, _ body: Body
  ) -> String {
    // A line of a comment must stay one.
    func comment(_ text: String) -> String { text.isEmpty ? "" : "# \(text.printable)\n" }
    return "#!/bin/sh\n" + comment(link.name) + comment(link.source)
      + "# Written by 'autowait convert --to \(tool)'.\n"
      + "# \(system), as root: '\(call)' begins, '\(call) stop' ends.\n"
      + (body.isTimed ? "# It changes the link as long as it runs; Ctrl-C ends it, too.\n" : "")
  }

  /// The commands of a script.
  private struct Body {
    let text: String
    /// Whether it runs for some time.
    let isTimed: Bool
  }

  /// Returns the commands of both directions in the order of their times.
  private static func body(
    _ profile: LinkProfile, _ until: TimeSpan?, afterFirst: String? = nil,
    _ command: (LinkDirection, LinkTrack.Sample, _ waitingMax: Int64?) -> String
  ) -> Body {
    var changes: [Change] = []
    var end = TimeSpan.zero
    for (isUp, direction) in [(false, profile.down), (true, profile.up)]
    where direction != LinkDirection() {
      let track = FiniteTrack(direction.track, until: until)
      var samples = track.samples
      if case .offline = direction.track.ending {
        samples.append(LinkTrack.Sample(start: track.end, rate: .zero))
      }
      if samples.count > 1 || direction.track.ending != .hold { end = max(end, track.end) }
      let queue = QueueLimit.limit(of: direction, back: isUp ? profile.down : profile.up)
      let waitingMax = queue.packets(of: direction.fullPacket).map { max(1, $0) }
      var last = ""
      for sample in samples {
        let text = (isUp ? "up " : "down ") + command(direction, sample, waitingMax)
        if text == last { continue }
        last = text
        changes.append(Change(start: sample.start, isUp: isUp, command: text))
      }
    }
    changes.sort { ($0.start, $0.isUp ? 1 : 0) < ($1.start, $1.isUp ? 1 : 0) }
    let first = changes.prefix { $0.start == .zero }.map { $0.command + "\n" }.joined()
    let after = afterFirst.map { $0 + "\n" } ?? ""
    if !changes.contains(where: { $0.start > .zero }) {
      return Body(text: first + after + "trap - EXIT\n", isTimed: false)
    }
    if case .loop = profile.down.track.ending {
      // What dummynet's rules point at must be there before them.
      let before = after.isEmpty ? "" : first + after + "\n"
      let loop = "while :; do\n" + timed(changes[...], until: end, indent: "  ") + "done\n"
      return Body(text: changing + before + loop, isTimed: true)
    }
    let rest = timed(changes.drop { $0.start == .zero }, until: .zero, indent: "")
    let close = "rm -f \"$running\"\ntrap - EXIT\n"
    return Body(text: changing + first + after + rest + close, isTimed: true)
  }

  /// Returns commands with waits between them, up to the last one or to an end behind it.
  private static func timed(
    _ changes: ArraySlice<Change>, until end: TimeSpan, indent: String
  ) -> String {
    var text = ""
    var last = TimeSpan.zero
    func wait(until instant: TimeSpan) {
      if instant <= last { return }
      text += "\(indent)pause \((instant - last).nanoseconds.fixedPoint(1_000_000_000))\n"
      last = instant
    }
    for change in changes {
      wait(until: change.start)
      text += indent + change.command + "\n"
    }
    wait(until: end)
    return text
  }
}

/// The two ways to spell a condition.
extension ShellScript {
  /// Returns what netem is told: `limit 529 delay 50ms rate 50000kbit -14`.
  private static func netem(
    _ direction: LinkDirection, _ sample: LinkTrack.Sample, _ waitingMax: Int64?
  ) -> String {
    let waiting = waitingMax ?? packetsMax
    let underWay =
      sample.rate == .unlimited
      ? packetsMax : packets(sample.rate, in: sample.delay, packetBytes)
    var words = ["limit", "\(min(waiting + underWay, packetsMax))"]
    if sample.delay > .zero || direction.jitter != nil || direction.reorder != nil {
      // Neither a distribution nor reordering is accepted without some delay.
      let least: Int64 = direction.jitter == nil && direction.reorder == nil ? 0 : 1
      words += ["delay", "\(max(least, microseconds(sample.delay)))us"]
      words += jitter(direction.jitter)
    }
    words += netemLoss(direction, sample)
    if direction.duplicate > .never {
      words += ["duplicate", percent(direction.duplicate)]
    }
    if let reorder = direction.reorder {
      words += ["reorder", percent(reorder.chance), "gap", "\(reorder.gap)"]
    }
    if sample.rate != .unlimited, sample.rate > .zero {
      let overhead = direction.overheadPerPacket.bytes - 14
      words += ["rate", "\(sample.rate.bitsPerSecond)bit", "\(overhead)"]
    } else if sample.rate == .unlimited, direction.track.samples.contains(where: { $0.isLimited }) {
      // A change that does not name a rate leaves the one before it.
      words += ["rate", "0bit"]
    }
    return words.joined(separator: " ")
  }

  private static func jitter(_ jitter: Jitter?) -> [String] {
    guard let jitter else { return [] }
    let words = ["\(microseconds(jitter.deviation))us"]
    switch jitter.distribution {
    case .uniform: return words
    case .normal: return words + ["distribution", "normal"]
    case .pareto: return words + ["distribution", "pareto"]
    case .paretoNormal, .table: return words + ["distribution", "paretonormal"]
    }
  }

  private static func netemLoss(
    _ direction: LinkDirection, _ sample: LinkTrack.Sample
  ) -> [String] {
    // A rate of 0 is none that is set; a link that is down loses everything instead.
    if sample.rate == .zero { return ["loss", "random", "100%"] }
    if let loss = sample.loss {
      return loss > .never ? ["loss", "random", percent(loss)] : []
    }
    switch direction.loss {
    case .none, .everyNth, .packets: return []
    case .bernoulli(let chance), .measured(let chance, _):
      return ["loss", "random", percent(chance)]
    case .gilbertElliott(let bursts):
      return [
        "loss", "gemodel", percent(bursts.fromGoodToBad), percent(bursts.fromBadToGood),
        percent(bursts.lossWhenBad), percent(bursts.lossWhenGood),
      ]
    }
  }

  /// Returns what dummynet is told: `bw 50000Kbit/s delay 50 plr 0 queue 50 noerror`.
  private static func dummynet(
    _ direction: LinkDirection, _ sample: LinkTrack.Sample, _ waitingMax: Int64?
  ) -> String {
    var words: [String] = []
    if sample.rate != .unlimited, sample.rate > .zero {
      let bits = sample.rate.bitsPerSecond
      words += ["bw", bits % 1_000 == 0 ? "\(bits / 1_000)Kbit/s" : "\(bits)bit/s"]
    }
    words += ["delay", "\((sample.delay.nanoseconds + 500_000) / 1_000_000)"]
    var loss = sample.loss ?? .never
    if sample.loss == nil {
      switch direction.loss {
      case .none, .gilbertElliott, .everyNth, .packets: break
      case .bernoulli(let chance), .measured(let chance, _): loss = chance
      }
    }
    if sample.rate == .zero { loss = .always }
    if loss > .never {
      words += ["plr", loss.billionths.fixedPoint(1_000_000_000)]
    }
    // More than 100 packets would make it 50 (xnu `ip_dummynet.c`).
    words += ["queue", "\(min(waitingMax ?? 100, 100))", "noerror"]
    return words.joined(separator: " ")
  }

  /// Returns the packets that a rate carries in a time, rounded up.
  private static func packets(_ rate: BitRate, in span: TimeSpan, _ bytes: Int64) -> Int64 {
    let packet = DataAmount(ByteCount(bytes: bytes)).nanobits
    let packets = (DataAmount(rate, for: span).nanobits + packet - 1) / packet
    return Int64(min(packets, UInt128(UInt64(packetsMax))))
  }

  private static func microseconds(_ span: TimeSpan) -> Int64 {
    (span.nanoseconds + 500) / 1_000
  }

  private static func percent(_ chance: Probability) -> String {
    chance.billionths.fixedPoint(10_000_000) + "%"
  }
}

extension LinkTrack.Sample {
  /// Whether it has a rate that netem can be told.
  fileprivate var isLimited: Bool { rate != .unlimited && rate > .zero }
}
