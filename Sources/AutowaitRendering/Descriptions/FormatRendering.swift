import AutowaitScenario

/// Lists the formats of traces and profiles, and those of streams.
package enum FormatRendering {
  /// Returns a table of the formats, at most 80 columns wide.
  package static func table() -> String {
    var text = "format     read write rates     record\n"
    for format in TraceFormat.allCases {
      text += line([
        (format.rawValue, 11), (format.isRead ? "yes" : "", 5),
        (format.isWritten ? "yes" : "", 6), (format.kind?.rawValue ?? "", 10), (format.record, 0),
      ])
    }
    text += "\nstream     read write record\n"
    for (word, record) in [
      ("ladder", "JSON: the 'media' of a scenario, with all its segments"),
      ("hls", "folder: playlists (.m3u8), sizes as byte ranges"),
    ] {
      text += line([(word, 11), ("yes", 5), ("yes", 6), (record, 0)])
    }
    return text
  }

  private static func line(_ cells: [(text: String, width: Int)]) -> String {
    let padded = cells.map { cell in
      cell.text + String(repeating: " ", count: max(0, cell.width - cell.text.count))
    }
    return padded.joined() + "\n"
  }
}
