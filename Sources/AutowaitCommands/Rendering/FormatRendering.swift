import AutowaitScenario

/// Lists the formats of traces and profiles.
enum FormatRendering {
  /// Returns a table of the formats, at most 80 columns wide.
  static func table() -> String {
    var text = "format     read write rates     record\n"
    for format in TraceFormat.allCases {
      let cells: [(text: String, width: Int)] = [
        (format.rawValue, 11), (format.isRead ? "yes" : "", 5),
        (format.isWritten ? "yes" : "", 6), (format.kind?.rawValue ?? "", 10),
      ]
      for cell in cells {
        text += cell.text + String(repeating: " ", count: cell.width - cell.text.count)
      }
      text += format.record + "\n"
    }
    return text
  }
}
