/// Reads a table whose first line names its columns.
struct ColumnReader {
  let lines: LineReader
  /// The names of the columns.
  let names: [String]
  /// The cells of the line.
  private(set) var cells: [Range<Int>] = []

  /// Reads the line of names.
  init(_ source: ByteSource) throws(TraceError) {
    lines = LineReader(source)
    guard try lines.advance(), !lines.isBlank else {
      throw TraceError("the file is empty", path: source.path)
    }
    var names: [String] = []
    for cell in try lines.cells() { names.append(lines.text(cell)) }
    self.names = names
  }

  /// Returns the number of the first column that has one of some names, or says that none has.
  func column(_ choices: String...) throws(TraceError) -> Int {
    for choice in choices {
      if let index = names.firstIndex(where: { $0.lowercased() == choice.lowercased() }) {
        return index
      }
    }
    let nearest = NearestWord.nearest(to: choices[0], among: names)
    let notes =
      nearest.map { ["is '\($0.excerpt)' meant?"] }
      ?? NearestWord.notes(
        for: choices[0], among: names.map { $0.excerpt }, list: "the columns are: ")
    throw lines.error("the column '\(choices[0])' is missing", at: lines.line, notes: notes)
  }

  /// Moves on to the next line that is not empty; it must have a cell for each name.
  mutating func advance() throws(TraceError) -> Bool {
    repeat {
      guard try lines.advance() else { return false }
    } while lines.isBlank
    cells = try lines.cells()
    if cells.count == names.count { return true }
    throw lines.error(
      "the line has \(cells.count) cells, and the first line names \(names.count)", at: lines.line)
  }

  /// Returns the text of a cell.
  func text(_ column: Int) -> String { lines.text(cells[column]) }

  /// Returns whether a cell says that there is no value.
  func isMissing(_ column: Int) -> Bool {
    ["", "-", "nan", "null"].contains(text(column).lowercased())
  }
}
