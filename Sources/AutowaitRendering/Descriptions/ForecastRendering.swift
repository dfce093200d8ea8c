import Autowait
import AutowaitFigures
import AutowaitScenario

/// Shows what downloads over a link came to.
package enum ForecastRendering {
  private static let tie = TerminalText.tie

  /// Draws a measurement for people.
  package static func text(_ measurement: DownloadForecast, style: TextStyle) -> String {
    var page = TextPage(style)
    head(measurement.link, on: &page)
    page.separate()
    page.paragraph([PaintedText("asked    ", .dim)], asked(measurement))
    page.paragraph([PaintedText("model    ", .dim)], model(measurement.link))
    page.separate()
    let columns = columns(of: measurement)
    for request in measurement.requests where request.step == 0 && request.flow == 0 {
      let isOneOfMany = measurement.requests.count > 1
      if isOneOfMany { page.line(title(of: request, measurement), .dim) }
      phases(request, columns, on: &page)
      let isOneByOne = measurement.atOnce.size == request.size && isOneOfMany
      let what = isOneByOne ? title(of: request, measurement) : isOneOfMany ? "all at once" : nil
      throughput(measurement.atOnce, of: what, on: &page)
      modes(request, on: &page)
      failures(request, on: &page)
    }
    if measurement.requests.count > 1 { requests(measurement, columns, on: &page) }
    comparison(measurement, on: &page)
    return page.text
  }

  /// What is compared: the only number, or some of the distribution's.
  private struct Column {
    let title: String
    let value: (DownloadForecast.Distribution) -> Int64
  }

  private static func columns(of measurement: DownloadForecast) -> [Column] {
    let isConstant = measurement.requests.allSatisfy { $0.totals?.isConstant ?? true }
    if isConstant { return [Column(title: "") { $0.min }] }
    return [
      Column(title: "p10") { $0.percentile(10) }, Column(title: "p50") { $0.percentile(50) },
      Column(title: "p90") { $0.percentile(90) }, Column(title: "min") { $0.min },
      Column(title: "max") { $0.max },
    ]
  }

  // MARK: The link

  private static func head(_ link: MeasuredLink, on page: inout TextPage) {
    page.line(TerminalText.safe(link.name), .bold)
    direction("down", link.profile.down, on: &page)
    direction("up", link.profile.up, on: &page)
    var text = "\(LinkText.time(link.figures.roundTrip)) there and back"
    if let tenths = link.figures.down.productTenths {
      text += ", bandwidth-delay product \(FigureDecimal.text(tenths, digits: 1)) packets"
      if link.figures.down.isVarying { text += " when it is fastest" }
    }
    page.paragraph([PaintedText(TerminalText.spaces(9))], text)
  }

  private static func direction(
    _ name: String, _ direction: LinkDirection, on page: inout TextPage
  ) {
    page.paragraph(
      [PaintedText(TerminalText.padded(name, columns: 9), .dim)],
      LinkText.description(of: direction))
  }

  private static func asked(_ measurement: DownloadForecast) -> String {
    let first = measurement.requests[0]
    var parts = [TimelineNumbers.text(first.size)]
    let upload = measurement.plan.flows[0].steps[0].request.upload
    if upload > .zero { parts[0] += ", after an upload of \(TimelineNumbers.text(upload))" }
    let (flows, steps) = (measurement.plan.flows.count, measurement.plan.flows[0].steps.count)
    let isConcurrent = measurement.plan.flows[0].steps[0].isConcurrent
    if steps > 1 {
      parts[0] += ", \(steps)\(tie)" + (isConcurrent ? "at once" : "times")
    }
    if flows > 1 {
      parts[0] += ", on each of \(flows)\(tie)connections at once"
    } else if steps > 1 {
      parts[0] += " on a connection"
    }
    if let policy = measurement.link.policy { parts.append(LinkText.description(of: policy)) }
    if measurement.seeds.count > 1 { parts.append("\(measurement.seeds.count)\(tie)seeds") }
    return parts.joined(separator: "; ")
  }

  private static func model(_ link: MeasuredLink) -> String {
    if link.leavesOut {
      return LinkText.sentence(for: link.choice) + "; what happens to single packets is left out"
    }
    return LinkText.sentence(for: link.choice)
  }

  // MARK: Tables

  private static func phases(
    _ request: DownloadForecast.RequestForecast, _ columns: [Column], on page: inout TextPage
  ) {
    var rows: [(title: String, values: [String])] = []
    for phase in TransferPhase.allCases {
      guard let distribution = request.distribution(of: phase) else { continue }
      rows.append((phase.title, columns.map { seconds($0.value(distribution)) }))
    }
    if let totals = request.totals {
      rows.append(("total", columns.map { seconds($0.value(totals)) }))
    }
    table(rows, columns, on: &page)
  }

  /// Says of downloads whose times fall into two groups that they do, and by how much.
  private static func modes(
    _ request: DownloadForecast.RequestForecast, of title: String = "", on page: inout TextPage
  ) {
    guard let totals = request.totals, let modes = totals.modes else { return }
    let early = totals.values.count { $0 < (modes.lower + modes.upper) / 2 }
    let percent = (early * 100 + totals.values.count / 2) / totals.values.count
    page.paragraph(
      [],
      title + "bimodal: \(percent)\(tie)% of the downloads take about \(seconds(modes.lower)), "
        + "the others about \(seconds(modes.upper))")
  }

  /// The throughput of what is asked for at once, if it takes as long as half of the downloads at
  /// most.
  private static func throughput(
    _ all: (size: ByteCount, totals: DownloadForecast.Distribution?), of what: String?,
    on page: inout TextPage
  ) {
    guard let totals = all.totals, totals.percentile(50) > 0 else { return }
    var title = "throughput" + (what.map { " of \($0)" } ?? "")
    if !totals.isConstant { title += what == nil ? " of the median" : ", the median" }
    page.separate()
    page.line("\(title): \(throughput(all.size, totals.percentile(50)))")
  }

  private static func requests(
    _ measurement: DownloadForecast, _ columns: [Column], on page: inout TextPage
  ) {
    page.separate()
    var rows: [(title: String, values: [String])] = []
    let several = measurement.plan.flows.count > 1
    for request in measurement.requests {
      guard let totals = request.totals else { continue }
      rows.append((title(of: request, measurement), columns.map { seconds($0.value(totals)) }))
    }
    if several, let wholes = measurement.wholes {
      rows.append(("all of them", columns.map { seconds($0.value(wholes)) }))
    }
    table(rows, columns, on: &page)
    for request in measurement.requests.dropFirst() {
      modes(request, of: title(of: request, measurement) + ": ", on: &page)
      failures(request, of: title(of: request, measurement) + ": ", on: &page)
    }
  }

  private static func title(
    of request: DownloadForecast.RequestForecast, _ measurement: DownloadForecast
  ) -> String {
    let place = "request \(request.step + 1)"
    if measurement.plan.flows.count == 1 { return place }
    let isOnly = measurement.plan.flows[request.flow].steps.count == 1
    return "connection \(request.flow + 1)" + (isOnly ? "" : ", " + place)
  }

  private static func table(
    _ rows: [(title: String, values: [String])], _ columns: [Column], on page: inout TextPage
  ) {
    if rows.isEmpty { return }
    let names = rows.map { TerminalText.width($0.title) }.max() ?? 0
    let widths = columns.indices.map { column in
      max(
        TerminalText.width(columns[column].title),
        rows.map { TerminalText.width($0.values[column]) }.max() ?? 0)
    }
    // What does not fit whole is left out: the extremes come last.
    var room = page.width - names
    let shown = widths.prefix { width in
      room -= width + 2
      return room >= 0
    }.count
    func line(_ title: String, _ values: [String], _ paint: Paint) {
      var text = TerminalText.padded(title, columns: names)
      for (value, width) in zip(values, widths).prefix(shown) {
        text += "  " + TerminalText.rightAligned(value, columns: width)
      }
      page.line(text, paint)
    }
    if columns.count > 1 { line("", columns.map({ $0.title }), .dim) }
    for row in rows { line(row.title, row.values, row.title == "total" ? .bold : .plain) }
  }

  private static func failures(
    _ request: DownloadForecast.RequestForecast, of title: String = "", on page: inout TextPage
  ) {
    let all = Plural.text(request.outcomes.count, "download")
    if request.unfinished > 0 {
      let span = TimelineNumbers.seconds(MeasuredLink.spanMax.nanoseconds)
      page.line(title + "\(request.unfinished) of \(all) not complete after \(span)", .red)
    }
    let failures = request.failures
    if failures.isEmpty { return }
    let kinds = TransferFailure.allCases.filter { failures.contains($0) }
      .map { kind in "\(failures.count { $0 == kind })\(tie)\(kind.word)" }
    page.line(
      title + "\(failures.count) of \(all) failed: " + kinds.joined(separator: ", "), .red)
  }

  /// What one would reckon without a model, and how wrong that is.
  private static func comparison(_ measurement: DownloadForecast, on page: inout TextPage) {
    let all = measurement.atOnce
    // Of what shares the link, one part would be compared with the whole of it.
    if measurement.plan.flows.count > 1, all.size == measurement.requests[0].size { return }
    guard let totals = all.totals, let naive = measurement.link.naiveTime(of: all.size) else {
      return
    }
    let total = totals.percentile(50)
    page.separate()
    var text = "size / rate + round trip would be \(seconds(naive.nanoseconds))"
    if total > 0 {
      let excess = Int128(naive.nanoseconds - total) * 100
      let half = Int128(total / 2) * (excess < 0 ? -1 : 1)
      let percent = (excess + half) / Int128(total)
      if percent != 0 { text += ": \(abs(percent))\(tie)% too \(percent < 0 ? "little" : "much")" }
    }
    page.paragraph([], text, .dim)
  }

  /// A time to the millisecond; a short one to ten microseconds, in milliseconds.
  private static func seconds(_ nanoseconds: Int64) -> String {
    nanoseconds < 1_000_000_000
      ? decimal((nanoseconds + 5_000) / 10_000, digits: 2) + "\(tie)ms"
      : decimal((nanoseconds + 500_000) / 1_000_000, digits: 3) + "\(tie)s"
  }

  /// Writes a number with all its decimals, so that a column of them has their points in line.
  private static func decimal(_ value: Int64, digits: Int) -> String {
    var unit: Int64 = 1
    for _ in 0..<digits { unit *= 10 }
    let fraction = String(value % unit)
    let zeros = String(repeating: "0", count: digits - fraction.utf8.count)
    return "\(value / unit).\(zeros)\(fraction)"
  }

  private static func throughput(_ size: ByteCount, _ nanoseconds: Int64) -> String {
    if nanoseconds <= 0 { return "-" }
    let rate = Int128(size.bytes) * 8_000_000_000 / Int128(nanoseconds)
    return TimelineNumbers.text(
      BitRate(bitsPerSecond: TimelineNumbers.rounded(Int64(clamping: rate))))
  }
}

extension ForecastRendering {
  /// The version of the format of the JSON output.
  private static let formatVersion: Int64 = 1

  /// Writes a measurement as one object.
  package static func json(_ measurement: DownloadForecast) -> [UInt8] {
    JSONWriter.line(capacity: 4_096) { writer in
      writer.field("version", formatVersion)
      writer.field("link", text: measurement.link.name)
      writer.field("tier", measurement.link.choice.tier.word)
      writer.field("reason", measurement.link.choice.reason.word)
      writer.field("seeds", Int64(measurement.seeds.count))
      writer.field("roundTrip", seconds: measurement.link.figures.roundTrip.nanoseconds)
      writer.array("requests", measurement.requests) { write($1, into: &$0) }
      writer.key("all")
      write(measurement.wholes, into: &writer)
      if let naive = measurement.link.naiveTime(of: measurement.atOnce.size) {
        writer.field("sizeOverRatePlusRoundTrip", seconds: naive.nanoseconds)
      }
    }
  }

  private static func write(
    _ request: DownloadForecast.RequestForecast, into writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.field("connection", Int64(request.flow))
    writer.field("request", Int64(request.step))
    writer.field("bytes", request.size.bytes)
    writer.field("completed", Int64(request.outcomes.count { $0.times.completed != nil }))
    writer.object("failed") { writer in
      for kind in TransferFailure.allCases {
        let count = request.failures.count { $0 == kind }
        if count > 0 { writer.field(kind.word, Int64(count)) }
      }
    }
    writer.field("unfinished", Int64(request.unfinished))
    for phase in TransferPhase.allCases {
      writer.key(phase.word)
      write(request.distribution(of: phase), into: &writer)
    }
    writer.key("total")
    write(request.totals, into: &writer)
    let median = request.totals.map { Int128($0.percentile(50)) }.flatMap { $0 > 0 ? $0 : nil }
    writer.field(
      "throughput",
      median.map { Int64(clamping: Int128(request.size.bytes) * 8_000_000_000 / $0) })
    writer.endObject()
  }

  private static func write(
    _ distribution: DownloadForecast.Distribution?, into writer: inout JSONWriter
  ) {
    guard let distribution else {
      writer.null()
      return
    }
    writer.beginObject()
    writer.field("p10", seconds: distribution.percentile(10))
    writer.field("p50", seconds: distribution.percentile(50))
    writer.field("p90", seconds: distribution.percentile(90))
    writer.field("min", seconds: distribution.min)
    writer.field("max", seconds: distribution.max)
    writer.field("mean", seconds: distribution.mean)
    if let modes = distribution.modes {
      writer.object("modes") { writer in
        writer.field("lower", seconds: modes.lower)
        writer.field("upper", seconds: modes.upper)
      }
    }
    writer.endObject()
  }
}

extension TransferPhase {
  /// How the phase is called in a table.
  var title: String {
    switch self {
    case .domainLookup: "name lookup"
    case .connect: "connect"
    case .secureConnection: "secure"
    case .firstByte: "request to first byte"
    case .body: "body"
    }
  }
}
