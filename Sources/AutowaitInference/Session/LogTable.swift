import Autowait
import AutowaitFidelity
import AutowaitScenario

/// The rows of a log, whatever its form: JSON, an object a line, or columns with names.
///
/// Names are compared in lower case without what is no letter or digit, since every server has its
/// own: `cs-uri-query`, `csUriQuery` and `cs(uri)query` are one.
struct LogTable {
  /// A row: its values by the plain names of their columns.
  struct Row {
    let line: Int
    fileprivate(set) var values: [String: String] = [:]

    subscript(names: [String]) -> String? {
      for name in names {
        if let value = values[name], !value.isEmpty, value != "-" { return value }
      }
      return nil
    }

    subscript(name: String) -> String? { self[[name]] }
  }

  private(set) var rows: [Row] = []
  /// Lines that are no rows.
  private(set) var unread = 0
  /// Whether the columns are those of a W3C log, whose times are those at which a transfer ended.
  private(set) var isExtended = false

  init(_ source: SourceText) {
    if let root = try? JSONDocument(source).root, root.kind == .array {
      for (number, element) in root.elements.enumerated() { add(element, line: number + 1) }
      return
    }
    let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    var columns: [String] = []
    var separator = UInt8(ascii: ",")
    for (number, line) in lines.enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.isEmpty { continue }
      if line.first == UInt8(ascii: "{") {
        let text = SourceText(path: source.path, bytes: Array(line))
        if let root = try? JSONDocument(text).root {
          add(root, line: number + 1)
        } else {
          unread += 1
        }
        continue
      }
      if line.first == UInt8(ascii: "#") {
        let words = String(decoding: line, as: UTF8.self)
        guard words.hasPrefix("#Fields:") else { continue }
        isExtended = true
        columns = words.dropFirst(8).split { $0 == " " || $0 == "\t" }.map {
          Self.plain(String($0))
        }
        separator = 0
        continue
      }
      if columns.isEmpty {
        separator = line.contains(0x09) ? 0x09 : UInt8(ascii: ",")
        columns = Self.cells(line, separator).map(Self.plain)
        continue
      }
      add(Self.cells(line, separator), columns, line: number + 1)
    }
  }

  private mutating func add(_ cells: [String], _ columns: [String], line: Int) {
    if cells.count < columns.count {
      unread += 1
      return
    }
    var row = Row(line: line)
    for (name, cell) in zip(columns, cells) { row.values[name] = cell }
    rows.append(row)
  }

  private mutating func add(_ value: JSONValue, line: Int) {
    guard value.kind == .object else {
      unread += 1
      return
    }
    var row = Row(line: line)
    Self.take(value, into: &row, depth: 0)
    rows.append(row)
  }

  /// Takes members, and those of objects in them, as some servers write headers.
  private static func take(_ value: JSONValue, into row: inout Row, depth: Int) {
    for member in value.members {
      let name = plain(member.key.string ?? "")
      switch member.value.kind {
      case .string: row.values[name] = member.value.string ?? ""
      case .number:
        let range = member.value.range
        row.values[name] = String(
          decoding: member.value.source.bytes[range.lowerBound..<range.upperBound], as: UTF8.self)
      case .true: row.values[name] = "true"
      case .object where depth < 4: take(member.value, into: &row, depth: depth + 1)
      case .null, .false, .array, .object: continue
      }
    }
  }

  private static func plain(_ name: String) -> String {
    String(
      name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || "0"..."9" ~= $0 })
  }

  /// Returns the cells of a line; a separator of zero is any run of white space.
  ///
  /// Cells in quotation marks may have separators, and quotation marks that stand twice.
  static func cells(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> [String] {
    var (cells, cell): ([String], [UInt8]) = ([], [])
    var (isQuoted, wasQuoted) = (false, false)
    var place = line.startIndex
    func isSeparator(_ byte: UInt8) -> Bool {
      separator == 0 ? byte == 0x20 || byte == 0x09 : byte == separator
    }
    while place < line.endIndex {
      let byte = line[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        if isQuoted, place < line.endIndex, line[place] == byte {
          cell.append(byte)
          place += 1
        } else {
          isQuoted.toggle()
          wasQuoted = true
        }
      } else if isSeparator(byte), !isQuoted {
        if separator != 0 || !cell.isEmpty || wasQuoted {
          cells.append(String(decoding: cell, as: UTF8.self))
        }
        (cell, wasQuoted) = ([], false)
      } else {
        cell.append(byte)
      }
    }
    if separator != 0 || !cell.isEmpty || wasQuoted {
      cells.append(String(decoding: cell, as: UTF8.self))
    }
    return cells
  }
}
