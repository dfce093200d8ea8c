import Autowait

/// Which columns of a table are what, and in which units.
struct TableLayout {
  /// What separates the columns; nil for spaces.
  var separator: UInt8?
  /// The number of columns.
  var count = 2
  /// The column with times; nil if each line lasts equally long.
  var time: Int?
  /// The unit of the times.
  var timeUnit = TraceUnit.seconds
  /// Whether these are not times, but how long each row lasts.
  var isLength = false
  /// The name of a column that is taken for seconds because it names no unit.
  var unitlessTime: String?
  /// How long each line lasts, if that is the same for all.
  var every: TimeSpan?
  /// The column with rates or bytes.
  var value = 1
  /// The unit of the rates; nil for bytes that arrived.
  var rateUnit: TraceUnit?
  /// Whether the bytes are those that arrived in all so far, and not since the line before.
  var isTotal = false
  /// What the rates were measured as, if somebody said it.
  var kind: TraceKind?
  /// The names of the columns, if they have some.
  var names: [String] = []
  /// What a line must be, if that is more than a number of columns.
  var expected: String?

  /// Creates the layout of times in seconds, and bytes that arrived, with a comma between.
  static var arrivals: TableLayout {
    var layout = TableLayout()
    layout.separator = UInt8(ascii: ",")
    layout.time = 0
    layout.expected = "a line must be a time in seconds, a comma and bytes"
    return layout
  }

  init() {}

  /// Creates the layout that a line of names describes.
  init(_ header: TableHeader) {
    separator = header.separator
    count = header.names.count
    time = header.time
    timeUnit = header.timeUnit
    isLength = header.isLength
    unitlessTime = header.namesTimeUnit ? nil : header.names[header.time]
    value = header.value
    rateUnit = header.rateUnit
    isTotal = header.isTotal
    kind = header.kind
    names = header.names
    if count == 2 { expected = "a line must be two numbers, as the first names" }
  }

  /// Creates the layout that somebody described.
  init(_ columns: TableColumns, separator: UInt8?) {
    self.separator = separator
    count = columns.count
    time = columns.time
    timeUnit = columns.timeUnit
    isLength = columns.isLength
    every = columns.every
    value = columns.value
    rateUnit = columns.rateUnit
    isTotal = columns.isTotal
    kind = columns.hasBytes ? .goodput : nil
  }

  /// Returns how somebody would describe the columns, with a word for that of bytes.
  func described(as word: String) -> String {
    let columns = (0..<min(count, 100)).map { index in
      if index == time { return "\(isLength ? "for" : "time"):\(TableHeader.word(of: timeUnit))" }
      return index == value ? word : "-"
    }
    let length = every.map { ["every:" + Quantity.time.text($0.nanoseconds)] } ?? []
    return (length + columns).joined(separator: ",")
  }
}

/// The rows of a table: the lines of a text, or the elements of an array in JSON.
///
/// It is a class because a row is where its reader stands.
final class TableRows {
  private enum Source {
    case lines(LineReader)
    case array(SourceText, JSONElements)
  }

  /// A part of a row, which a message underlines.
  enum RowPart {
    case row, time, value
  }

  /// Seconds since 1970 have ten digits until the year 2286: what has more counts something else.
  private static let secondsDigitsMax = 10

  /// What tables have where nothing is known, in lower case.
  private static let wordsForNothing = ["", "nan", "null", "none", "na", "n/a", "-", "\"\""]

  /// Whether a cell is neither a number nor what tables have in the place of one.
  static func isName(_ text: String) -> Bool {
    ExactDecimal(text) == nil && !wordsForNothing.contains(text.lowercased())
  }

  let layout: TableLayout
  private var source: Source
  /// Whether the reader stands at a row that was not given yet.
  private var isHeld: Bool
  private var standstill = 0
  private var row = 0..<0
  private var time = 0..<0
  private var value = 0..<0

  /// Creates the rows of a text, of which the line is the first if it is to be read again.
  init(_ lines: LineReader, _ layout: TableLayout, again: Bool) {
    source = .lines(lines)
    self.layout = layout
    isHeld = again
  }

  /// Creates the rows of an array.
  init(_ text: SourceText, _ elements: JSONElements, _ layout: TableLayout) {
    source = .array(text, elements)
    self.layout = layout
    isHeld = false
  }

  /// The same rows from where these stand, if they are the elements of an array.
  var again: TableRows? {
    guard case .array(let text, let elements) = source else { return nil }
    return TableRows(text, elements, layout)
  }

  /// The path of the file.
  var path: String {
    switch source {
    case .lines(let lines): lines.path
    case .array(let text, _): text.path
    }
  }

  /// Moves on to the next row; returns whether there is one.
  func advance() throws(TraceError) -> Bool {
    switch source {
    case .lines(let lines):
      if isHeld { isHeld = false } else if try !lines.advanceToText() { return false }
      row = lines.line
      let cells: [Range<Int>]
      if let separator = layout.separator {
        cells = try lines.cells(separator)
      } else {
        cells = lines.words()
      }
      try take(cells)
    case .array(let text, var elements):
      guard let element = elements.next() else { return false }
      source = .array(text, elements)
      row = element.kind == .object ? element.opening : element.range
      try take(try cells(of: element))
    }
    return true
  }

  private func take(_ cells: [Range<Int>]) throws(TraceError) {
    guard cells.count == layout.count else {
      let columns = "\(cells.count) column\(cells.count == 1 ? "" : "s")"
      let named = "\(layout.count) \(layout.count == 1 ? "was" : "were") named"
      throw error(layout.expected ?? "the row has \(columns), and \(named)", at: .row)
    }
    time = layout.time.map { cells[$0] } ?? 0..<0
    value = cells[layout.value]
  }

  /// Returns where the cells of an element stand; those of an object are found by their names.
  private func cells(of element: JSONValue) throws(TraceError) -> [Range<Int>] {
    func place(_ value: JSONValue) -> Range<Int> {
      // A string may spell a number.
      let range = value.range
      return value.kind == .string ? range.lowerBound + 1..<range.upperBound - 1 : range
    }
    switch element.kind {
    case .array: return element.elements.map(place)
    case .object:
      var cells: [Range<Int>] = []
      for (index, name) in layout.names.enumerated() {
        if let member = element.member(name) {
          cells.append(place(member))
        } else if index == layout.time || index == layout.value {
          throw error("the row needs the key '\(name.excerpt)', as the first row has", at: .row)
        } else {
          cells.append(row)
        }
      }
      return cells
    case .string, .number, .true, .false, .null: return [place(element)]
    }
  }

  // MARK: - What the row says

  private var bytes: [UInt8] {
    switch source {
    case .lines(let lines): lines.bytes
    case .array(let text, _): text.bytes
    }
  }

  /// Returns the time of the row, from any origin.
  func readTime() throws(TraceError) -> TimeSpan {
    let digits = bytes[time].prefix { $0 &- UInt8(ascii: "0") < 10 }.count
    if let name = layout.unitlessTime, digits > Self.secondsDigitsMax {
      throw error(
        "the time is not a number of seconds, the assumed unit of '\(name.excerpt)'",
        at: .time, notes: ["name the unit, as in timestamp_ms"])
    }
    return TimeSpan(nanoseconds: try number(layout.timeUnit.unlimited, "the time", .time))
  }

  /// Returns the time of the row, counted from the start of the table.
  func readTimeFromStart() throws(TraceError) -> TimeSpan {
    TimeSpan(nanoseconds: try number(layout.timeUnit, "the time", .time))
  }

  /// Returns how long the row lasts, if each row says so or all last equally long.
  func readLength() throws(TraceError) -> TimeSpan? {
    if let every = layout.every { return every }
    if !layout.isLength { return nil }
    return TimeSpan(nanoseconds: try number(layout.timeUnit, "the length", .time))
  }

  /// Returns the rate of the row.
  func readRate() throws(TraceError) -> TraceRate {
    let unit = layout.rateUnit ?? .bits
    switch unit.rate(ExactDecimal(bytes.span.extracting(value))) {
    case .success(let rate): return rate
    case .failure(let problem):
      throw error("the rate \(problem.reason)", at: .value, notes: notes(on: value))
    }
  }

  /// Returns the bytes of the row.
  func readBytes() throws(TraceError) -> ByteCount {
    ByteCount(bytes: try number(.bytes, "the number of bytes", .value))
  }

  private func number(
    _ unit: TraceUnit, _ what: String, _ part: RowPart
  ) throws(TraceError) -> Int64 {
    let bytes = bytes
    let range = part == .time ? time : value
    switch unit.value(ExactDecimal(bytes.span.extracting(range))) {
    case .success(let value): return value
    case .failure(let problem):
      throw error("\(what) \(problem.reason)", at: part, notes: notes(on: range))
    }
  }

  /// Returns what helps where a cell is no number.
  private func notes(on cell: Range<Int>) -> [String] {
    let text = String(decoding: bytes[cell], as: UTF8.self).lowercased()
    if Self.wordsForNothing.contains(text) {
      return ["leave out rows without a value; where nothing flowed, write 0"]
    }
    let isNumber = text.utf8.allSatisfy { "0123456789.,+-e".utf8.contains($0) }
    guard isNumber, text.utf8.contains(UInt8(ascii: ",")) else { return [] }
    return ["write numbers with a decimal point, and without commas: 1.5, 1500"]
  }

  // MARK: - What is to be said of it

  /// Returns the error that something is wrong with a part of the row.
  func error(_ message: String, at part: RowPart, notes: [String] = []) -> TraceError {
    TraceError([finding(.error, message, at: part, notes: notes)])
  }

  /// Returns a finding about a part of the row.
  func finding(
    _ severity: Finding.Severity, _ message: String, at part: RowPart, notes: [String] = []
  ) -> Finding {
    var range = row
    if part == .time, !time.isEmpty { range = time }
    if part == .value, !value.isEmpty { range = value }
    return switch source {
    case .lines(let lines): lines.finding(severity, message, at: range, notes: notes)
    case .array(let text, _): Finding(severity, message, at: range, in: text, notes: notes)
    }
  }

  /// Counts a row that brings the time further, or does not; throws if too many do not.
  func count(isLater: Bool, max: Int = LineReader.standstillMax) throws(TraceError) {
    standstill = isLater ? 0 : standstill + 1
    if standstill <= max { return }
    throw error("the time has not moved for \(max) lines", at: .row)
  }

  /// Adds a piece to a track, or says that the row is one too many.
  func add(
    _ length: TimeSpan, _ rate: TraceRate, to track: inout TrackBuilder
  ) throws(TraceError) {
    do throws(TraceWriter.TraceProblem) {
      try track.add(length, rate)
    } catch {
      throw self.error(error.message, at: .row, notes: error.notes)
    }
  }

  /// Adds a piece in which an amount arrived.
  func add(
    _ length: TimeSpan, _ size: ByteCount, to track: inout TrackBuilder
  ) throws(TraceError) {
    guard let rate = TraceRate(size, in: length) else {
      throw error("the rate is above the limit of 1 Tbit/s", at: .row)
    }
    try add(length, rate, to: &track)
  }

  /// Returns two amounts as one, or says that it is too large.
  func sum(_ left: ByteCount, _ right: ByteCount) throws(TraceError) -> ByteCount {
    let sum = left + right
    if sum <= Limits.bytesMax { return sum }
    throw error("the bytes of one moment are above the limit of 1 TB", at: .value)
  }
}
