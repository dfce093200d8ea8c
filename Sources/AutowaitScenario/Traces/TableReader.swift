import Autowait

/// Reads tables of somebody's own: by the names of their columns, or as they were described.
enum TableReader {
  /// A table of when how many bytes arrived.
  static let bytes = TraceFormatRow(
    title: "a table of arrivals", record: "CSV or JSON: s, bytes since the line before",
    kind: .goodput, isTable: true, hasBins: true, read: read)
  /// A table of times and rates.
  static let rates = TraceFormatRow(
    title: "a table of rates", record: "CSV or JSON: time, rate, by the names of columns",
    isTable: true, read: read)

  /// Reads a table, and says which of the two it is.
  private static let read: TraceFormatRow.Read = {
    (source, options, reading) throws(TraceError) in
    let (link, hasBytes) = try read(source, options, &reading.findings)
    reading.format = hasBytes ? .bytes : .rates
    return link
  }

  /// Reads a table; returns also whether it holds bytes that arrived, and not rates.
  private static func read(
    _ source: ByteSource, _ options: TraceOptions, _ warnings: inout [Finding]
  ) throws(TraceError) -> (link: ConvertedLink, hasBytes: Bool) {
    let start = try source.peek(TraceRecognition.peekedMax)
    let rows: TableRows
    if TraceRecognition.isJSON(start) {
      rows = try array(source, options, &warnings)
    } else {
      rows = try text(source, options, &warnings)
    }
    let hasBytes = rows.layout.rateUnit == nil
    let track =
      hasBytes
      ? try arrivals(rows, of: start, options) : try rates(rows, options, &warnings)
    return (ConvertedLink(name: "", kind: rows.layout.kind, LinkProfile(track)), hasBytes)
  }

  /// Reads bytes that arrived, of a table that begins with some text.
  private static func arrivals(
    _ rows: TableRows, of start: ArraySlice<UInt8>, _ options: TraceOptions
  ) throws(TraceError) -> LinkTrack {
    let survey = TableSurvey(try rowsAgain(rows, of: start, options))
    let isSaid = rows.layout.isTotal || options.columns != nil
    if survey.looksLikeTotal, !isSaid {
      _ = try rows.advance()
      throw rows.error(
        "the bytes rise from row to row: they may be a running total",
        at: .value,
        notes: [
          "if they are: " + options.place.columnsMeans(rows.layout.described(as: "total")),
          "if they arrived since the row before: "
            + options.place.columnsMeans(rows.layout.described(as: "bytes")),
        ])
    }
    var arrivals = TableArrivals(rows, options)
    return try arrivals.read(survey, options)
  }

  /// Returns the first rows of a table once more, to be looked at.
  private static func rowsAgain(
    _ rows: TableRows, of start: ArraySlice<UInt8>, _ options: TraceOptions
  ) throws(TraceError) -> TableRows {
    if let again = rows.again { return again }
    // The last line may be cut.
    let isWhole = start.count < TraceRecognition.peekedMax
    let end = isWhole ? start.endIndex : start.lastIndex(of: 0x0A) ?? start.endIndex
    var ignored: [Finding] = []
    let text = SourceText(path: rows.path, bytes: Array(start[..<end]))
    return try self.text(ByteSource(text), options, &ignored)
  }

  /// Begins a text, up to its first row.
  private static func text(
    _ source: ByteSource, _ options: TraceOptions, _ warnings: inout [Finding]
  ) throws(TraceError) -> TableRows {
    let lines = LineReader(source)
    guard try lines.advanceToText() else {
      throw TraceError("the file is empty", path: source.path)
    }
    if let columns = options.columns {
      // A comma may be the point of a number where something else separates the columns.
      let order: [UInt8] = [0x09, UInt8(ascii: ";"), UInt8(ascii: ",")]
      let line = try TableHeader.split(lines, order)
      let layout = TableLayout(columns, separator: line.separator)
      // A word in a column that is not read is no name, and neither is what stands for no number.
      let read = [columns.time, columns.value].compactMap { $0 }
        .filter { line.cells.indices.contains($0) }
      let isHeader = read.allSatisfy { TableRows.isName(lines.text(line.cells[$0])) }
      return TableRows(lines, layout, again: !isHeader || read.isEmpty)
    }
    let line = try TableHeader.split(lines)
    guard TableHeader.isHeader(line, lines) else {
      if options.format == .bytes { return TableRows(lines, .arrivals, again: true) }
      if options.format == .rates {
        throw lines.error(
          "the first line must name a time and a rate with its unit", at: lines.line,
          notes: [options.place.columnsMeans(TableQuestion.example(line, lines))])
      }
      throw try TableQuestion.error(lines, options)
    }
    let header = try TableHeader(line, lines, options)
    try checkFormat(header, lines, options)
    if let unread = header.unread {
      warnings.append(lines.finding(.warning, unread, at: lines.line))
    }
    return TableRows(lines, TableLayout(header), again: false)
  }

  /// Throws if somebody said that the table is one of the other kind.
  private static func checkFormat(
    _ header: TableHeader, _ lines: LineReader, _ options: TraceOptions
  ) throws(TraceError) {
    if options.format == .bytes, !header.hasBytes {
      throw lines.error(
        "the columns name rates, not bytes that arrived", at: lines.line,
        notes: ["such a table is read as the format 'rates'"])
    }
    if options.format == .rates, header.hasBytes {
      throw lines.error(
        "the first line must name a time and a rate with its unit", at: lines.line,
        notes: ["a table with bytes is read as the format 'bytes'"])
    }
  }

  /// Begins an array in JSON, up to its first row.
  private static func array(
    _ source: ByteSource, _ options: TraceOptions, _ warnings: inout [Finding]
  ) throws(TraceError) -> TableRows {
    let findings = Findings(try source.all(rates.title))
    guard let root = findings.parseJSON() else { throw TraceError(findings.sorted) }
    guard root.kind == .array, let first = root.elements.first(where: { _ in true }) else {
      findings.error("a table must be an array of rows", at: root)
      throw TraceError(findings.sorted)
    }
    let names = names(of: first)
    var elements = root.elements
    if first.kind == .array, !names.isEmpty { _ = elements.next() }
    if let columns = options.columns {
      var layout = TableLayout(columns, separator: nil)
      layout.names = names
      if first.kind == .object, names.count != columns.count {
        let keys = "\(names.count) key\(names.count == 1 ? "" : "s")"
        let named = "\(columns.count) \(columns.count == 1 ? "was" : "were") named"
        findings.error("the row has \(keys), and \(named)", at: first)
        throw TraceError(findings.sorted)
      }
      return TableRows(findings.source, elements, layout)
    }
    if names.isEmpty {
      findings.error(
        TableQuestion.message(isArray: true), at: first,
        notes: TableQuestion.notes(of: first, options))
      throw TraceError(findings.sorted)
    }
    let header: TableHeader
    do throws(TableHeader.NamesProblem) {
      header = try TableHeader(names, separator: nil, options)
    } catch {
      findings.error(error.message, at: first.range, notes: error.notes)
      throw TraceError(findings.sorted)
    }
    if let unread = header.unread { findings.warning(unread, at: first) }
    warnings += findings.sorted
    return TableRows(findings.source, elements, TableLayout(header))
  }

  /// Returns the names of the columns: the keys of a row, or the texts of one that has no number.
  private static func names(of row: JSONValue) -> [String] {
    if row.kind == .object { return row.members.map { $0.key.string ?? "" } }
    let texts = row.elements.compactMap { $0.string }.filter { ExactDecimal($0) == nil }
    return texts.count == row.count ? texts : []
  }

  /// Reads rates: a row's rate holds until the time of the next row.
  ///
  /// The last one holds as long as the one before it. The times may count from anywhere. As the
  /// traces of other simulators, it starts again behind its end.
  private static func rates(
    _ rows: TableRows, _ options: TraceOptions, _ warnings: inout [Finding]
  ) throws(TraceError) -> LinkTrack {
    var track = TrackBuilder(until: options.until)
    var last: (time: TimeSpan, rate: TraceRate)?
    var length = TimeSpan.zero
    var isToldTwice = false
    while !track.isEnough, try rows.advance() {
      if let length = try rows.readLength() {
        try rows.count(isLater: length > .zero)
        try rows.add(length, try rows.readRate(), to: &track)
        continue
      }
      let time = try rows.readTime()
      let rate = try rows.readRate()
      if let last {
        if time < last.time { throw rows.error("the times go back", at: .time) }
        if time > last.time { length = time - last.time }
        if time == last.time, !isToldTwice {
          isToldTwice = true
          warnings.append(
            rows.finding(
              .warning, "the row before has the same time: its rate lasts no time", at: .time))
        }
        try rows.count(isLater: time > last.time)
        try rows.add(time - last.time, last.rate, to: &track)
      }
      last = (time, rate)
    }
    if let last, length > .zero { try rows.add(length, last.rate, to: &track) }
    return try track.finished(
      options.ending ?? .loop,
      or: rows.layout.isLength
        ? "the table has no row that lasts"
        : "the table has no length: it needs two lines of different times", rows.path)
  }
}
