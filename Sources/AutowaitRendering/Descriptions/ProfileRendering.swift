import Autowait
import AutowaitScenario

/// Renders links that are built in, with the figures that follow from their numbers.
package enum ProfileRendering {
  /// A column of the table: its head, in two lines, and what stands in it.
  private struct Column: Sendable {
    let head: String
    let unit: String
    var isWide = false
    var isText = false
    let cell: @Sendable (LinkPreset, LinkFigures) -> String
  }

  /// The least width at which columns need not stand close to each other.
  private static let wideMin = 110

  private static let columns: [Column] = [
    Column(head: "", unit: "name", isText: true) { preset, _ in preset.name },
    Column(head: "kbit/s", unit: "down") { preset, _ in kilobits(preset.down.rate) },
    Column(head: "", unit: "up") { preset, _ in kilobits(preset.up.rate) },
    Column(head: "ms", unit: "down") { preset, _ in delay(preset.down) },
    Column(head: "", unit: "up") { preset, _ in delay(preset.up) },
    Column(head: "loss", unit: "%") { preset, _ in preset.down.lossMillionths.fixedPoint(10_000) },
    Column(head: "queue", unit: "pkts") { preset, _ in queue(preset) },
    Column(head: "BDP", unit: "pkts") { _, figures in product(figures.down) },
    Column(head: "full", unit: "s") { preset, figures in fullQueue(preset, figures.down) },
    Column(head: "full up", unit: "s", isWide: true) { preset, figures in
      fullQueue(preset, figures.up)
    },
    Column(head: "confi-", unit: "dence", isText: true) { preset, _ in preset.confidence.rawValue },
    Column(head: "", unit: "what it is", isWide: true, isText: true) { preset, _ in preset.about },
  ]

  /// Returns a table of links, and below it what its columns mean.
  package static func table(_ presets: [LinkPreset], width: Int) -> String {
    let isWide = width >= wideMin
    let columns = columns.filter { isWide || !$0.isWide }
    var rows = [columns.map { $0.head }, columns.map { $0.unit }]
    for preset in presets {
      let figures = LinkFigures(preset.profile)
      rows.append(columns.map { $0.cell(preset, figures) })
    }
    var page = TextPage(TextStyle(width: width, usesColor: false))
    let lines = TerminalText.table(rows, gap: isWide ? "  " : " ") { columns[$0].isText }
    for line in lines { page.line(line) }
    page.separate()
    page.paragraph([], legend)
    return page.text
  }

  private static let legend = """
    kbit/s of IP packets, ∞ without a limit; ms one way; BDP is what the round trip holds at the \
    rate down; full is what a full queue down delays. An ideal link has no queue: -. \
    'autowait list profiles NAME' describes one link.
    """

  /// Returns all that is to be said about one link.
  package static func page(_ preset: LinkPreset, width: Int) -> String {
    let figures = LinkFigures(preset.profile)
    var page = TextPage(TextStyle(width: width, usesColor: false))
    func row(_ head: String, _ text: String) {
      page.paragraph([PaintedText(TerminalText.padded(head, columns: 14))], text)
    }
    page.paragraph([], "\(preset.name): \(preset.about)")
    page.separate()
    row("down", text(preset.down, preset))
    row("up", text(preset.up, preset))
    if preset.nameDelay > .zero {
      row("lookup", "of a name \(LinkPreset.text(preset.nameDelay)) more")
    }
    row("round trip", LinkPreset.text(figures.roundTrip))
    row("it holds", "\(product(figures.down)) packets down, \(product(figures.up)) up")
    if preset.isReal {
      row("full queue", "\(wait(figures.down)) down, \(wait(figures.up)) up")
    }
    if let ceiling = figures.down.lossCeiling, preset.down.lossMillionths < 1_000_000 {
      let rate = LinkPreset.text(BitRate(bitsPerSecond: ceiling.bitsPerSecond / 100 * 100))
      row("loss leaves", "about \(rate) to a long download: TCP takes loss for congestion")
    }
    row("requests", preset.isReal ? "go over HTTP and TCP" : "cost a round trip: no TCP, no TLS")
    row("source", preset.source)
    row("confidence", preset.confidence.rawValue)
    let warnings = LinkPreset.warnings(of: preset.name)
    if !warnings.isEmpty { page.separate() }
    for warning in warnings { page.paragraph([PaintedText("warning: ")], warning) }
    return page.text
  }

  /// Writes a link with the figures that follow from it, as an object.
  package static func write(_ preset: LinkPreset, into writer: inout JSONWriter) {
    let figures = LinkFigures(preset.profile)
    writer.beginObject()
    writer.field("name", text: preset.name)
    writer.field("about", text: preset.about)
    writer.field("source", text: preset.source)
    writer.field("confidence", text: preset.confidence.rawValue)
    writer.field("ideal", !preset.isReal)
    writer.field("roundTrip", seconds: figures.roundTrip.nanoseconds)
    writer.field("dnsDelay", seconds: preset.nameDelay.nanoseconds)
    writer.key("down")
    write(preset.down, figures.down, into: &writer)
    writer.key("up")
    write(preset.up, figures.up, into: &writer)
    if let file = try? JSONDocument(SourceText(path: preset.name, bytes: preset.file)) {
      writer.key("link")
      writer.value(file.root)
    }
    writer.endObject()
  }

  private static func write(
    _ direction: LinkPreset.Direction, _ figures: DirectionFigures, into writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.field("rate", figures.rate?.bitsPerSecond)
    writer.field("delay", seconds: direction.delay.nanoseconds)
    writer.field("jitter", seconds: direction.deviation.nanoseconds)
    writer.field("loss", millionths: direction.lossMillionths)
    writer.field("queuePackets", figures.queuePackets)
    if let tenths = figures.productTenths {
      writer.field("bandwidthDelayProductPackets", millionths: tenths * 100_000)
    } else {
      writer.nullField("bandwidthDelayProductPackets")
    }
    writer.field("queueDelay", seconds: figures.queueDelay?.nanoseconds)
    writer.field("lossCeiling", figures.lossCeiling?.bitsPerSecond)
    writer.endObject()
  }

  private static func text(_ direction: LinkPreset.Direction, _ preset: LinkPreset) -> String {
    var parts = [LinkPreset.text(direction.rate), "delay \(LinkPreset.text(direction.delay))"]
    if direction.deviation > .zero {
      parts.append("which goes up and down by \(LinkPreset.text(direction.deviation))")
    }
    if direction.lossMillionths > 0 {
      parts.append("loss \(direction.lossMillionths.fixedPoint(10_000)) %")
    }
    switch direction.queue {
    case .automatic:
      if preset.isReal { parts.append("queue of 100 packets, or the product if it is more") }
    case .packets(let count): parts.append("queue of \(Plural.text(count, "packet"))")
    case .bytes(let size): parts.append("queue of \(size.bytes) bytes")
    case .time(let time): parts.append("queue of \(LinkPreset.text(time))")
    case .unlimited: parts.append("queue without a limit")
    }
    return parts.joined(separator: ", ")
  }

  private static func wait(_ figures: DirectionFigures) -> String {
    figures.queueDelay.map { LinkPreset.text(milliseconds($0)) } ?? "none"
  }

  private static func queue(_ preset: LinkPreset) -> String {
    if !preset.isReal { return "-" }
    switch preset.down.queue {
    case .automatic: return preset.down.rate == .unlimited ? "∞" : "auto"
    case .packets(let count): return "\(count)"
    case .bytes, .time: return LinkFigures(preset.profile).down.queuePackets.map { "\($0)" } ?? "∞"
    case .unlimited: return "∞"
    }
  }

  private static func product(_ figures: DirectionFigures) -> String {
    figures.productTenths.map { $0.fixedPoint(10) } ?? "∞"
  }

  /// Returns how long a full queue delays, in seconds.
  private static func fullQueue(_ preset: LinkPreset, _ figures: DirectionFigures) -> String {
    guard preset.isReal, let delay = figures.queueDelay else { return "-" }
    return (milliseconds(delay).nanoseconds / 1_000).fixedPoint(1_000_000)
  }

  /// Returns a time in milliseconds, or in tenths of a second above a hundred, rounded down.
  private static func milliseconds(_ time: TimeSpan) -> TimeSpan {
    let part: Int64 = time < .seconds(100) ? 1_000_000 : 100_000_000
    return TimeSpan(nanoseconds: time.nanoseconds / part * part)
  }

  /// Returns a rate in kbit/s with no more digits than a table has room for.
  private static func kilobits(_ rate: BitRate) -> String {
    if rate == .unlimited { return "∞" }
    let bits = rate.bitsPerSecond
    return bits < 10_000_000 ? ((bits + 50) / 100).fixedPoint(10) : "\((bits + 500) / 1_000)"
  }

  private static func delay(_ direction: LinkPreset.Direction) -> String {
    let tenths = { (time: TimeSpan) in ((time.nanoseconds + 50_000) / 100_000).fixedPoint(10) }
    if direction.deviation == .zero { return tenths(direction.delay) }
    let (least, most) = (
      direction.delay - direction.deviation, direction.delay + direction.deviation
    )
    return tenths(least) + "–" + tenths(most)
  }
}
